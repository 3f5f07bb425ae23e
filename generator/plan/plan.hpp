// Final names, SQL, policies, routes: everything that emitters print and that a database is brought
// to. No decision is taken after it. Plain data, in an order that depends on the contract alone.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "plan/facts.hpp"
#include "plan/queries.hpp"

namespace svc::plan {

// ---- the database ----

struct Column {
    std::string name;
    std::string sql_type;  // bigint, text, numeric(12,2), uuid, …
    bool not_null = false;
    std::string default_sql;    // empty: none
    std::string generated_sql;  // stored generated column; empty: ordinary
    std::string renamed_from;   // empty: not
    std::string type_word;      // enumerator of svc::Type; empty for columns that we make
    std::string path;           // JSON pointer of the field; of the entity for columns that we make
};

// Something that belongs to a table and is replaced whole when its text changes: a check, unique or
// foreign key constraint, an index.
struct TableObject {
    std::string name;
    std::string sql;  // the whole statement: alter table … add constraint …; create index …
    std::string path;
    std::string probe;  // a query that fails where the object could never work; empty: none
};

struct Table {
    std::string name;                      // in schema public, unquoted
    bool external = false;                 // a view: its rows are external
    bool soft_delete = false;              // deleted rows can be restored
    std::uint32_t keep_deleted = 0;        // for how long, in seconds; 0: for ever
    std::vector<Column> columns;           // id first, it is the primary key
    std::vector<TableObject> constraints;  // checks and uniques first, foreign keys last
    std::vector<TableObject> indexes;
    std::vector<std::vector<std::string>> uniques;  // columns of each, beside id
    std::string path;
};

// Functions, triggers, policies, grants, foreign tables and views over them: dropped and made anew
// when their text changes.
struct Routine {
    std::string kind;   // function, trigger, policy, grant, sequence, words, foreign, view
    std::string name;   // unique within its kind
    std::string table;  // triggers, policies, grants, words: the table; empty for others
    std::string
        create;        // may hold :data_role, replaced by the quoted role name; foreign: :key_type
    std::string drop;  // "drop … if exists …"; empty for grants and sequences
    // Words only: the call of what takes rows of before in, to be followed by "(true)", which
    // commits part by part, or by "(false)".
    std::string fill = {};
    std::string path = {};  // in the contract, where it has no table
};

// A table of another database, reached through foreign tables of schema svc_ext.
struct External {
    struct Column {
        std::string name;  // there
        std::string sql_type;
        std::string path;
    };
    std::string entity;
    std::string connection;  // name of the secret that holds the address
    std::string schema, table, key;
    bool typed_key;  // a field says its type; else it is that of the other table
    std::vector<Column> columns;
    std::string path;
};

struct SeedRow {
    std::string entity;
    std::string key;
    std::string hash;  // of the values: an unchanged row is left alone
    std::vector<std::string> columns;
    // One a column: SQL text form, null, or a reference to another seed row that is resolved by
    // key.
    struct Value {
        bool null = false;
        std::string text;
        std::string ref_entity,
            ref_key;  // set: the id of that seed; entity "@users": of that account
    };
    std::vector<Value> values;
    std::string path;
};

struct SeedUser {
    std::string key, email, name, persona;
    bool is_admin = false;
};

// ---- the server ----

// A column as the runtime knows it. Sets of principals are bit masks after svc/sets.hpp.
struct ServedColumn {
    std::string name;
    std::string member;    // of the struct; the name, made safe where it is a C++ keyword
    std::string type;      // enumerator of svc::Type: text, integer, …
    std::string cpp_type;  // std::string, svc::Uuid, …
    std::string writer;    // runtime function that prints it: write_text, …
    std::string oid;       // of its SQL type
    std::uint64_t readers = ~0ULL, creators = ~0ULL, updaters = ~0ULL;
    bool required = false;
    std::uint32_t max_length = 0;
    Facts facts;
};

inline constexpr std::uint64_t kEveryone = ~std::uint64_t{0};

// Stamped from the caller.
inline bool is_owner(const ServedColumn& column) {
    return column.name == "user_id" || column.name == "org_id";
}

struct Bind {
    std::string source;  // enumerator of svc::Bind::Source
    std::size_t column = 0;
};

struct ServedTransition {
    std::string name, to;
    std::vector<std::string> from;
    std::uint64_t by = 0;
};

struct ServedConstraint {
    std::string name, field, message;
};

// Columns are indexes of ServedEntity::columns.
struct ServedLink {
    std::string name;
    std::string kind;  // enumerator of svc::Link::Kind
    std::size_t column = 0;
    std::string target;  // cpp_value
    std::size_t target_column = 0;
};

// Another table that the policy for reading looks at.
struct ServedLook {
    std::string target;                 // cpp_value
    std::optional<std::size_t> column;  // same_as: names the row there that decides
    bool made = false;                  // rows that are made there matter, not only what changes
};

// A line of the predicate that says whether a row may be read: whoever is one of `who`, under a C++
// condition (empty: always), is told `read_decision` (an enumerator of svc::ReadDecision). The
// first that fits counts.
struct ReadDecisionLine {
    std::uint64_t who = ~0ULL;
    std::string condition;
    std::string read_decision;
};

struct ReadDecision {
    std::vector<ReadDecisionLine> lines;                       // the last one is for everybody
    std::vector<std::pair<std::string, std::size_t>> columns;  // members that conditions name
};

// Whoever is one of `who`, under a C++ condition (empty: always), may.
struct TopicLine {
    std::uint64_t who = ~0ULL;
    std::string condition;
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
    std::uint32_t max_length = 0;  // characters of one field that are looked at
};

struct ServedEntity {
    std::string name;       // order_line
    std::string title;      // Order line
    std::string cpp_name;   // OrderLine, the struct
    std::string cpp_value;  // order_line, the namespace of what belongs to it; never a C++ keyword
    std::string source;     // svc.json#/entities/2
    std::string stamp;      // enumerator of svc::Stamp
    bool external = false;  // its rows are external
    std::vector<ServedColumn> columns;
    std::uint64_t read = 0, create = 0, update = 0, remove = 0;
    std::uint64_t no_read = 0, no_create = 0, no_update = 0, no_remove = 0;  // whom denials name
    Statement get, insert_returning, insert, update_row, delete_row;
    Statement restore;  // no name: deleted rows are gone
    bool audit = false;
    std::string list_sql;
    std::vector<Bind> create_binds, update_binds;
    std::vector<ServedConstraint> constraints;
    std::vector<std::vector<std::size_t>> keys;  // columns that are unique together, by index
    std::vector<ServedLink> links;
    std::vector<ServedLook> looks;
    std::string lifecycle_field;  // empty: none
    std::vector<ServedTransition> transitions;
    Statement transition;
    std::optional<ServedSearch> search;
    ReadDecision read_decision;
};

struct Route {
    std::string method;  // get, post, patch, remove
    std::string path;    // /api/v1/order_line/<id>
    std::string action;  // enumerator of svc::Action
    std::string entity;  // cpp_value
    std::string note;    // who, which rows, in words
};

// A mail of accounts whose text is the contract's own; an empty subject is the runtime's.
struct MailText {
    std::string kind, subject, text;
};

struct SignInProvider {
    std::string cpp_value, id, label, issuer, preset, client_id;
    std::string secret;  // name of the project's secret
    std::vector<std::string> scopes;
};

struct ServedPersona {
    std::string id, label, kind;
    std::string cpp_value;  // constant in namespace to
    bool signup = false, mfa_required = false;
    std::uint64_t principals = 0;
    std::string names;
};

// A value that the contract gives a field, which its pattern must match.
struct PatternValue {
    std::string text, path;
    std::string code, of;  // BAD_DEFAULT, The default of "sku"
};

// A regular expression, and where it stands.
struct Pattern {
    std::string text, path;
    std::vector<PatternValue> values = {};
};

// A rule, and rows of the seeds that it may refuse.
struct SeedRule {
    struct Row {
        std::string sql;   // a sub-select of this one row
        std::string path;  // of what is at fault
    };
    std::string refuse;   // true of "new" where the rule refuses it
    std::string message;  // with … for what the row would say
    std::vector<Row> rows;
};

struct Plan {
    std::string app_name;
    std::string namespace_name;  // corner_shop, in app::
    std::string timezone;
    std::string currency;       // of money, ISO 4217 in lower case
    std::string contract_hash;  // SHA-256 of the contract's text, hex

    std::vector<Table> tables;        // in contract order
    std::vector<External> externals;  // in contract order
    std::vector<Pattern> patterns;    // that PostgreSQL reads only when a row meets them
    std::vector<SeedRule> seed_rules = {};
    std::vector<Routine> routines;  // in the order in which they must be made
    std::vector<SeedUser> seed_users;
    std::vector<SeedRow> seed_rows;  // in an order that satisfies references, where one exists
    bool seeds_unchanged = false;

    std::vector<SignInProvider> providers;
    std::vector<MailText> mails;
    bool password_sign_in = true, magic = true, passkey = true, refuse_common = false;
    std::string signup;  // enumerator of svc::SignupPolicy
    bool verify_email = false;
    std::uint32_t min_password = 8, session_idle = 0, session_max = 0;
    std::vector<ServedPersona> personas;
    std::vector<std::string> org_roles;
    std::vector<ServedEntity> entities;
    std::vector<Query> queries;
    std::vector<Route> routes;
    std::vector<ServedTopic> topics;
    std::string matrix;  // who may do what to which rows and fields: JSON text of check's exposure
    // Principals by bit, as generated code names them: {"svc::principal::kGuest", …,
    // "to::customer", …}.
    std::vector<std::string> principal_names;

    // Every fixed statement of the server: prepared inside the migration's transaction.
    std::vector<Statement> statements() const;
};

}  // namespace svc::plan
