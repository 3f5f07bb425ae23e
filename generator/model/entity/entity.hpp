// An entity: its fields, who may do what to its rows, its rules, its lifecycle. Plain data.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/words.hpp"
#include "model/access/principal.hpp"
#include "model/entity/features.hpp"
#include "model/expr/expr.hpp"
#include "model/page/pages.hpp"

namespace svc::model {

enum class FieldType : std::uint8_t {
    string,
    text,
    email,
    url,
    phone,
    slug,
    integer,
    number,
    decimal,
    float_,
    money,
    boolean,
    date,
    time,
    datetime,
    enum_,
    tags,
    json,
    uuid,
    ref,
    user,
    file,
    sequence,
};

struct Default {
    enum class Kind { none, literal, now, today } kind = Kind::none;
    std::string text;  // PostgreSQL input text of a literal (JSON text for json fields)
};

enum class OnDelete { restrict, cascade, null };

struct Field {
    std::string name;
    std::string label;
    FieldType type = FieldType::text;
    bool required = false;
    bool unique = false;
    bool immutable = false;
    bool index = false;
    Default default_value;
    std::optional<std::string> min, max;  // of a value, as written; max_length has lengths
    std::optional<std::uint32_t> min_length, max_length;  // characters, text types only
    std::optional<std::string> pattern;                   // POSIX regular expression
    std::vector<std::string> values;                      // enum
    std::vector<std::string> labels;                      // of values, each at its value's place
    std::optional<unsigned> scale;                        // decimal
    std::string prefix;                                   // sequence
    std::size_t ref_entity = 0;                           // ref: index in Model::entities
    OnDelete on_delete = OnDelete::restrict;
    std::optional<std::vector<std::string>> read;   // persona ids; absent: all who may read the row
    std::optional<std::vector<std::string>> write;  // absent: all who may write the row
    std::string renamed_from;
    ExprPtr computed;        // null: an ordinary column
    bool lifecycle = false;  // made by the lifecycle; an enum of its states
    bool broken = false;     // a ref to nothing: it has its finding, and no Model is made
    std::string path;        // JSON pointer of the field in the contract
};

struct Grant {
    Principal to;
    ExprPtr condition;                // null: always
    std::vector<std::size_t> fields;  // of update: only these may change; empty: any
    std::string path;
};

struct Access {
    bool defaulted = false;  // no block in the contract: grants below are the default ones
    std::optional<std::size_t>
        same_as;  // index of the ref field whose parent decides; no grants then
    std::vector<Grant> read, create, update, remove;
    struct Deny {
        std::vector<Grant> read, create, update, remove;
    } deny;
};

struct Rule {
    bool on_create = false, on_update = false, on_delete = false;
    ExprPtr refuse;
    std::vector<MessagePart> message;
    std::optional<std::size_t> field;
    std::string path;
};

struct Transition {
    std::string name;
    std::vector<std::string> from;
    std::string to;
    std::vector<Principal> by;
    ExprPtr condition;    // null: always
    std::string refusal;  // `else`, or a sentence made for it
    std::vector<std::pair<std::size_t, ExprPtr>> set;
    std::string path;
};

struct Lifecycle {
    std::size_t field = 0;  // index in Entity::fields
    std::string initial;
    std::vector<std::string> states;
    std::vector<std::string> final_states;
    std::vector<Transition> transitions;
};

struct Relation {
    std::string name;
    std::size_t entity;  // the many side
    std::size_t field;   // its ref back
};

struct Owner {
    bool user = false, org = false;
    std::optional<std::size_t> parent;  // index of the ref field: "parent:order_id"
};

struct IndexColumn {
    std::string name;
    bool descending = false;
};

struct Entity {
    std::string name;
    std::string label;
    std::vector<Field> fields;
    Owner owner;
    std::vector<Relation> relations;
    std::optional<Lifecycle> lifecycle;
    Access access;
    std::vector<Rule> rules;
    std::vector<std::vector<std::string>>
        unique;  // column names, single fields' `unique` not included
    std::vector<std::vector<IndexColumn>> indexes;
    std::vector<SearchField> search;
    std::optional<External> external;
    PageText display;  // what a row is called; empty: the planner finds something
    bool soft_delete = false, audit = false;
    std::uint32_t keep_deleted = 0;  // seconds; 0: for ever
    std::string renamed_from;
    std::string path;
};

}  // namespace svc::model

// As contracts name them: contract/keys/keys_entity.cpp lists the same. docs/design/types.md says
// what else a type needs.
template <>
struct svc::base::Words<svc::model::FieldType> {
    static constexpr std::array<std::string_view, 23> kAll = {
        "string",  "text",  "email", "url",     "phone", "slug", "integer",  "number",
        "decimal", "float", "money", "boolean", "date",  "time", "datetime", "enum",
        "tags",    "json",  "uuid",  "ref",     "user",  "file", "sequence"};
};
