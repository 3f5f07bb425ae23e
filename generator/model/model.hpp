// The contract with every reference resolved, every default filled in and every expression typed.
// Plain data: the plan reads it, nothing writes it after resolve().
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/own_mail.hpp"
#include "base/words.hpp"
#include "model/access/principal.hpp"
#include "model/expr/expr.hpp"
#include "model/features.hpp"
#include "model/flow/flow.hpp"
#include "model/page/pages.hpp"
#include "model/service/services.hpp"

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

enum class PersonaKind { consumer, staff };

struct Persona {
    std::string id;
    std::string label;  // id in words where the contract gives none
    PersonaKind kind = PersonaKind::consumer;
    bool signup = false;  // after the rule "when none says so, the first consumer persona"
    bool mfa_required = false;
    std::vector<std::string> acts_as;  // itself first, then all it extends, each once
};

// A mail's text, for the one that the runtime would send.
struct MailText {
    base::OwnMail kind = base::OwnMail::verify;
    std::string subject, text;
};

struct Auth {
    enum class Signup : std::uint8_t { open, invite_only, disabled } signup = Signup::open;
    bool verify_email = false;
    std::uint32_t min_password = 8;
    std::uint32_t session_idle = 14 * 86400;  // seconds
    std::uint32_t session_max = 90 * 86400;
    bool password = true, magic = true;
    bool refuse_common = false;  // passwords that everybody tries first
    std::vector<MailText> mails;
    std::vector<Provider> providers;  // those that `methods` lists; all of them if it is absent
    bool passkey = true;
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
    std::string path;
};

// A seed row: column values as PostgreSQL input text (null: SQL null), references to other seeds by
// key.
struct SeedValue {
    std::size_t field;  // index in Entity::fields
    bool null = false;
    std::string text;
    std::string ref_key;  // "tea" of "@tea"; then text is empty
    std::size_t ref_entity = 0;
    bool ref_user = false;
    bool clock = false;  // text is "now()" or "today()": when the row is seeded
};
struct SeedRow {
    std::string key;        // _key, or made from its place: "#0"
    std::string owner_key;  // _as
    std::vector<SeedValue> values;
    std::string path;
};
struct SeedUser {
    std::string key, email, name, persona;
    bool is_admin = false;
};
struct Seeds {
    bool unchanged = false;  // the literal UNCHANGED
    std::vector<SeedUser> users;
    std::vector<std::pair<std::size_t, std::vector<SeedRow>>>
        rows;  // entity index, in contract order
};

// A named query. Its SQL is still text: what it means is known once the tables are planned.
struct Query {
    std::string name;  // reports/top_products
    std::string description;
    bool writes = false;
    bool end_user = false, workflow = false;  // of "allow", which are not principals
    std::vector<Principal> allow;
    std::vector<Field> params;  // name, type, required and default are set
    std::string sql;
    std::string path;
};

enum class Font : std::uint8_t { system, serif, mono };

struct App {
    std::string name, description;
    std::string timezone = "UTC";
    std::string currency = "usd";
    std::string locale = "en";
    // Of the theme.
    std::string accent;                   // empty: the standard one
    std::optional<std::uint32_t> radius;  // pixels
    Font font = Font::system;
};

struct Model {
    App app;
    std::vector<Persona> personas;
    Auth auth;
    std::vector<std::string> org_roles;  // empty: organisations are off
    std::vector<Entity> entities;
    std::vector<Query> queries;
    std::optional<Payments> payments;
    Files files;
    Ai ai;
    Connectors connectors;
    Flows flows;
    std::vector<Page> pages;
    std::vector<Component> components;
    Seeds seeds;
};

}  // namespace svc::model

// As contracts name them: contract/keys_entity.cpp lists the same. docs/design/types.md says what
// else a type needs.
template <>
struct svc::base::Words<svc::model::FieldType> {
    static constexpr std::array<std::string_view, 23> kAll = {
        "string",  "text",  "email", "url",     "phone", "slug", "integer",  "number",
        "decimal", "float", "money", "boolean", "date",  "time", "datetime", "enum",
        "tags",    "json",  "uuid",  "ref",     "user",  "file", "sequence"};
};

template <>
struct svc::base::Words<svc::model::Font> {
    static constexpr std::array<std::string_view, 3> kAll = {"system", "serif", "mono"};
};

template <>
struct svc::base::Words<svc::model::Auth::Signup> {
    static constexpr std::array<std::string_view, 3> kAll = {"open", "invite_only", "disabled"};
};
