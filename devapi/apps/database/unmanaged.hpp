// A table that no contract made, as PostgreSQL describes it: the facts that an entity needs to
// adopt it.
#pragma once

#include <string>
#include <vector>

#include "migrate/schema/replaced.hpp"

namespace svc::devapi {

struct UnmanagedColumn {
    std::string name;
    std::string type;  // as format_type() prints it
    bool not_null = false;
    std::string default_sql = {};          // empty: none
    std::string default_json = {};         // of a literal: its value as JSON
    std::vector<std::string> values = {};  // of a type that is an enum
    std::string trouble = {};  // what of it no field has: "is an identity column"; empty: nothing
};

struct UnmanagedConstraint {
    enum class Kind { primary, unique, check, foreign, other, index } kind = Kind::other;
    std::string name;
    std::vector<std::string> columns = {};
    std::string sql = {};     // a check's condition, else its definition, as PostgreSQL prints it
    bool plain = true;        // nothing beside columns: no predicate, expression, deferral
    bool is_index = false;    // no constraint: dropped as an index
    std::string target = {};  // foreign: the table, of schema public; empty: of another
    std::string target_column = {};
    char on_delete = 'a';  // as pg_constraint has it
};

struct Unmanaged {
    bool there = false;
    bool managed = false;      // it is a contract's already
    std::string trouble = {};  // what keeps the table as a whole from being an entity's; a sentence
    std::vector<UnmanagedColumn> columns = {};
    std::vector<UnmanagedConstraint> constraints = {};  // and unique indexes, and plain ones
};

struct AppDatabase;

// Reads schema public. Blocking. Throws pqxx::failure if the connection is lost.
Unmanaged read_unmanaged(const AppDatabase& database, const std::string& table);

}  // namespace svc::devapi
