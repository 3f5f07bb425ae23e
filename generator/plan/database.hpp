// The planned state of a database: tables, their objects, and first rows. Plain data.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/words.hpp"

namespace svc::plan {

struct Column {
    std::string name;
    std::string sql_type;  // bigint, text, numeric(12,2), uuid, …
    bool not_null = false;
    std::string default_sql;    // empty: none
    std::string generated_sql;  // stored generated column; empty: ordinary
    std::string renamed_from;   // empty: not
    std::string type_word;      // of its ColumnType; empty for columns that we make
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
    std::string renamed_from = {};  // empty: not
};

// Functions, triggers, policies, grants, foreign tables and views over them: dropped and made anew
// when their text changes.
struct Routine {
    // `words`: a table of search; `foreign`: a foreign table.
    enum class Kind { function, trigger, policy, grant, sequence, words, foreign, view };

    Kind kind = Kind::function;
    std::string name;   // unique within its kind
    std::string table;  // triggers, policies, grants, words: the table; empty for others
    std::string
        create;        // may hold :data_role, replaced by the quoted role name; foreign: :key_type
    std::string drop;  // "drop … if exists …"; empty for grants and sequences
    // Search words only: the call that adds existing rows. "(true)" after it commits part by part;
    // "(false)" does not.
    std::string fill = {};
    std::string path = {};  // in the contract, if it has no table
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
    // A value for each column: SQL text form, null, or a reference to another seed row by its key.
    struct Value {
        bool null = false;
        std::string text;
        std::string ref_entity,
            ref_key;           // set: the id of that seed; entity "@users": of that account
        std::string sql = {};  // set: what gives the value when the row is seeded; `text` names it
    };
    std::vector<Value> values;
    std::string path;
};

struct SeedUser {
    std::string key, email, name, persona;
    bool is_admin = false;
};

}  // namespace svc::plan

// svc.managed stores them.
template <>
struct svc::base::Words<svc::plan::Routine::Kind> {
    static constexpr std::array<std::string_view, 8> kAll = {
        "function", "trigger", "policy", "grant", "sequence", "words", "foreign", "view"};
};
