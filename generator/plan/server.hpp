// The parts of a generated server, as emitters print them. Plain data.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/own_mail.hpp"
#include "base/words.hpp"
#include "plan/column_type.hpp"
#include "plan/condition/tree.hpp"
#include "plan/facts.hpp"
#include "plan/queries.hpp"
#include "plan/served_reads.hpp"

namespace svc::plan {

// A column as the runtime knows it. Sets of principals are bit masks after svc/sets.hpp.
struct ServedColumn {
    std::string name;
    std::string member;  // in C++; the name, made safe if it is a keyword
    ColumnType type = ColumnType::text;
    Writer writer = Writer::text;
    std::string oid;  // of its SQL type
    std::uint64_t readers = ~0ULL, creators = ~0ULL, updaters = ~0ULL;
    bool required = false;
    bool has_default = false;  // of the contract; the statement that creates a row holds it
    std::uint32_t max_length = 0;
    Facts facts;
};

inline constexpr std::uint64_t kEveryone = ~std::uint64_t{0};

// Set from the caller.
inline bool is_owner(const ServedColumn& column) {
    return column.name == "user_id" || column.name == "org_id";
}

struct ServedTransition {
    std::string name, to;
    std::vector<std::string> from;
    std::uint64_t by = 0;
};

struct ServedConstraint {
    std::string name;
    std::string field;   // empty if it spans several
    std::string reason;  // in words; the field is its subject. Empty: unique, or refers to a row
};

// Columns are indexes of ServedEntity::columns.
struct ServedLink {
    enum class Kind { one, many };

    std::string name;
    Kind kind = Kind::one;
    std::size_t column = 0;
    std::string target;  // cpp_value
    std::size_t target_column = 0;
};

// Callers of `who` may use the topic, under a condition (null: always).
struct TopicLine {
    std::uint64_t who = ~0ULL;
    ConditionPtr condition;
};

struct TopicUse {
    std::vector<TopicLine> lines;  // nobody else may
    std::string words;             // "customer (some), staff"
};

struct ServedTopic {
    std::string name;                 // app:order:{id}
    std::string cpp_value;            // topic_app_order_id, the namespace of what belongs to it
    std::vector<std::string> pieces;  // around its parts, one more than there are
    std::vector<std::string> parts;
    std::optional<TopicUse> publish, subscribe;  // absent: as for any topic
};

struct ServedSearch {
    std::string config;                                // PostgreSQL's, of the app's language
    std::vector<std::pair<std::size_t, char>> fields;  // columns and their weight classes
    Statement find;
    std::uint32_t max_length = 0;  // characters of one field that are searched
};

// Which owner columns are stamped from the caller.
enum class Stamp : std::uint8_t { none, user, org, both };

struct ServedEntity {
    std::string name;       // order_line
    std::string title;      // Order line
    std::string cpp_name;   // OrderLine, in the typed client
    std::string cpp_value;  // order_line, the namespace of what belongs to it; never a C++ keyword
    std::string source;     // svc.json#/entities/2
    Stamp stamp = Stamp::none;
    bool external = false;  // its rows are external
    std::vector<ServedColumn> columns;
    std::uint64_t read = 0, create = 0, update = 0, remove = 0;
    std::uint64_t no_read = 0, no_create = 0, no_update = 0, no_remove = 0;  // whom denials name
    Statement get, insert_returning, insert, update_row, delete_row;
    Statement restore;  // no name: deleted rows are gone
    bool audit = false;
    bool newest_first = false;  // an index has the rows by created_at and id
    std::string list_sql;
    std::vector<ServedConstraint> constraints;
    std::vector<std::vector<std::size_t>> keys;  // columns that are unique together, by index
    std::vector<ServedLink> links;
    std::vector<ServedLook> looks;
    std::vector<std::size_t> files;  // columns that hold a file, by index
    std::string lifecycle_field;     // empty: none
    std::vector<ServedTransition> transitions;
    Statement transition;
    std::optional<ServedSearch> search;
    ReadDecision read_decision;
};

struct Route {
    enum class Method { get, post, patch, remove };
    enum class Action {
        list,
        aggregate,
        get,
        create,
        update,
        remove,
        transition,
        restore,
        history
    };

    Method method = Method::get;
    std::string path;  // /api/v1/order_line/<id>
    Action action = Action::list;
    std::string entity;  // cpp_value
    std::string note;    // who, which rows, in words
};

// A mail of accounts whose text is the contract's own; an empty subject is the runtime's.
struct MailText {
    base::OwnMail kind = base::OwnMail::verify;
    std::string subject, text;
};

struct SignInProvider {
    std::string cpp_value, id, label, issuer, preset, client_id;
    std::string secret;  // name of the project's secret
    std::vector<std::string> scopes;
};

// Limits of uploads; sizes in bytes, 0: none.
struct ServedFiles {
    bool usual = true;  // as without a block of files
    std::uint64_t max_size = 0, user_quota = 0, project_quota = 0;
    std::vector<std::string> mime;  // empty: all known types
};

struct ServedPersona {
    std::string id, label, kind;
    std::string cpp_value;  // constant in namespace to
    bool signup = false, mfa_required = false;
    std::uint64_t principals = 0;
    std::string names;
};

}  // namespace svc::plan

// Words that are the names of enumerators, which the enumerators of runtime-support/svc have too.
template <>
struct svc::base::Words<svc::plan::ServedLink::Kind> {
    static constexpr std::array<std::string_view, 2> kAll = {"one", "many"};
};

template <>
struct svc::base::Words<svc::plan::Stamp> {
    static constexpr std::array<std::string_view, 4> kAll = {"none", "user", "org", "both"};
};

template <>
struct svc::base::Words<svc::plan::Route::Method> {
    static constexpr std::array<std::string_view, 4> kAll = {"get", "post", "patch", "remove"};
};

template <>
struct svc::base::Words<svc::plan::Route::Action> {
    static constexpr std::array<std::string_view, 9> kAll = {"list",       "aggregate", "get",
                                                             "create",     "update",    "remove",
                                                             "transition", "restore",   "history"};
};
