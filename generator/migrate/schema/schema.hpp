// The present state of a database: the tables of the app, PostgreSQL's definitions of their
// objects, and our records of the objects that we made.
#pragma once

#include <cstdint>
#include <map>
#include <pqxx/pqxx>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "migrate/schema/kinds.hpp"
#include "migrate/schema/replaced.hpp"

namespace svc::migrate {

struct ColumnState {
    std::string type;  // as format_type() prints it
    bool not_null = false;
    bool has_default = false;
    bool generated = false;
};

struct TableState {
    bool row_security = false;
    bool id_is_key = false;  // the primary key is id, a uuid
    std::int64_t rows = 0;   // estimated
    std::string key = {};    // name of the primary key; empty: none
    std::map<std::string, ColumnState> columns;
};

// {ObjectKind::policy, "order_select"}. Of a column: {ObjectKind::generated, "table.column"}.
using Key = std::pair<ObjectKind, std::string>;

// Names as in the database.
using TableColumn = std::pair<std::string, std::string>;

struct RecordedObject {
    std::string hash;
    std::string drop_sql;      // empty: nothing to do when it goes
    std::int64_t place = 0;    // of making
    std::string printed = {};  // as PostgreSQL printed it then; empty: not known
};

// Rights of a table stand under {"rights", table}; of a column's default and expression under
// {"default", "table.column"} and {"generated", "table.column"}.
struct FoundObject {
    std::string printed;  // a hash, with the server's major version before it
    std::string table;    // empty: of no table of schema public
};

struct Schema {
    std::map<std::string, TableState> tables;  // of schema public
    std::map<Key, FoundObject> found;
    std::map<Key, RecordedObject> recorded;  // svc.managed; empty in a new database
    std::map<Key, std::string> words;        // types of fields, by {"type", "table.column"}
    std::map<Key, std::string> later;        // what is still to be done: svc.pending, table by key
    std::vector<Replaced> replaced = {};     // of the target: not read
    // Policies, triggers, constraints, indexes, views, and {"generated", "table.column"}, by the
    // column that they depend on. Only tables of schema public.
    std::map<TableColumn, std::set<Key>> dependents = {};
    // Tables that get another name, by that name: what they are called now. Not read: a Schema of
    // what is there when they are renamed has it (diff/table_renames.hpp).
    std::map<std::string, std::string> called = {};
    // The names that a table had before, by its present one (svc.former_table).
    std::map<std::string, std::set<std::string>> former = {};
};

// The table as it is called now: queries that run before the first step need it.
const std::string& present_name(const Schema& schema, const std::string& table);

// A contract has the table, or had it once.
bool made_by_contract(const Schema& schema, const std::string& table);

Schema read_schema(pqxx::transaction_base& tx, const std::string& data_role);

// The hash of one record; empty if there is none. The whole schema takes PostgreSQL some 30 ms.
std::string recorded_hash(pqxx::transaction_base& tx, const Key& key);

// Reads PostgreSQL's present definitions: a part of a Schema, after changes. `data_role` is not
// quoted.
std::map<Key, FoundObject> read_found(pqxx::transaction_base& tx, const std::string& data_role);

std::map<TableColumn, std::set<Key>> read_dependents(pqxx::transaction_base& tx);
bool stands_on(const Schema& schema, const Key& object, const TableColumn& column);

// True if somebody changed or dropped it since it was made. False if that is not known.
bool changed_by_hand(const Schema& schema, const Key& recorded, const Key& found);
inline bool changed_by_hand(const Schema& schema, const Key& key) {
    return changed_by_hand(schema, key, key);
}

// "timestamptz" as format_type() prints it: "timestamp with time zone".
std::string canonical_type(const std::string& type);

}  // namespace svc::migrate
