// What lies between a database and a plan. Pure: it reads a Schema and touches nothing.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "migrate/migrate.hpp"
#include "migrate/schema.hpp"
#include "plan/plan.hpp"

namespace svc::migrate {

struct Step {
    Change change;
    std::string path;                 // in the contract
    bool rows_may_be_in_way = false;  // a constraint or unique index, which stored rows may break
};

// A question about stored rows, asked before the first step.
struct Probe {
    enum class Kind { needs_default, has_nulls, casts, holds_values } kind;
    std::string table;
    std::string column;    // as it is called now
    std::string from, to;  // types; casts only
    std::string path;
};

struct Made {
    Key key;
    std::string hash;
    std::string drop_sql;
};

struct Diff {
    std::vector<Step> steps;
    std::vector<Probe> probes;
    std::vector<Made> made;  // to be recorded, in order of making
    std::vector<Key> gone;   // to be forgotten
};

// `data_role` is quoted already.
Diff diff(const plan::Plan& plan, const Schema& schema, const std::string& data_role);

// ---- the parts of it ----

// A column whose values are made anew: what depends on it must be dropped before and made again
// after.
using Disturbed = std::set<std::pair<std::string, std::string>>;  // table, column

// New tables, columns, types, nulls, defaults; tables and columns that no contract speaks of any
// more.
Disturbed diff_tables(const plan::Plan& plan, const Schema& schema, const std::string& data_role,
                      Diff& out);

// Something that is replaced whole when its text changes.
struct Object {
    Key key;
    std::string table;
    std::string create, drop;
    std::string path;
    bool rows_may_be_in_way = false;
};
// In the order in which they are made.
std::vector<Object> objects_of(const plan::Plan& plan, const std::string& data_role);

struct ObjectChanges {
    std::vector<Step> before;  // sequences, which defaults need
    std::vector<Step> drops;
    std::vector<Step> makes;
};
ObjectChanges diff_objects(const plan::Plan& plan, const Schema& schema, const Disturbed& disturbed,
                           const std::string& data_role, Diff& out);

// The value of a column in another type; an error where it does not cast.
std::string cast_expression(const std::string& column, const std::string& from,
                            const std::string& to);

// `word` stands in `text` as a whole word.
bool mentions(const std::string& text, const std::string& word);

}  // namespace svc::migrate
