// A database as it is: the tables of the app, and what we recorded of what we made there.
#pragma once

#include <cstdint>
#include <map>
#include <pqxx/pqxx>
#include <string>
#include <utility>

namespace svc::migrate {

struct ColumnState {
    std::string type;  // as format_type() prints it
    bool not_null = false;
    bool has_default = false;
    bool generated = false;
};

struct TableState {
    bool row_security = false;
    std::map<std::string, ColumnState> columns;
};

// Kind and name: {"policy", "order_select"}.
using Key = std::pair<std::string, std::string>;

struct Recorded {
    std::string hash;
    std::string drop_sql;    // empty: nothing to do when it goes
    std::int64_t place = 0;  // of making
};

struct Schema {
    std::map<std::string, TableState> tables;  // of schema public
    std::map<Key, Recorded> recorded;          // svc.managed; empty in a new database
};

Schema read_schema(pqxx::transaction_base& tx);

// "timestamptz" as format_type() prints it: "timestamp with time zone".
std::string canonical_type(const std::string& type);

}  // namespace svc::migrate
