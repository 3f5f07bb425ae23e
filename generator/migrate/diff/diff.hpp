// The differences between a database and a plan. Pure: it reads a Schema and changes nothing.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "migrate/diff/casts.hpp"
#include "migrate/migrate.hpp"
#include "migrate/schema/schema.hpp"
#include "plan/plan.hpp"

namespace svc::migrate {

struct Step {
    Change change;
    std::string path;                 // in the contract
    bool rows_may_be_in_way = false;  // a constraint or unique index, which stored rows may break
    Key key = {};                     // of the object that it makes; empty: none
    bool rewrites = false;            // its table, row by row
    // The column that becomes change.column, or the table that becomes change.table; empty: none.
    std::string renames = {};
};

// A question about stored rows, asked before the first step.
struct Probe {
    enum class Kind { needs_default, has_nulls, casts, no_cast, means_other, holds_values } kind;
    std::string table;     // as it is going to be called
    std::string column;    // as it is called now
    std::string from, to;  // types, or words for types; casts only
    std::string path;
    Cast cast;                 // casts only: of the column as it is called now
    std::string becomes = {};  // casts only: what the column is going to be called
    std::string rows_of = {};  // the table as it is called now
};

// A constraint or unique index that the existing rows of a table must fit.
struct Claim {
    std::string table, name, sql, path;
};

// A table as it will be after the migration, with its rows, to check claims before anything
// changes.
struct Shape {
    std::string sql;                // a sub-select
    std::set<std::string> unknown;  // columns whose values are not made yet: no claim can be asked
    std::map<std::string, std::string> stored;  // columns that keep their values: the name now
    std::map<std::string, std::string> computed = {};  // columns made of others: their SQL
};

struct MadeObject {
    Key key;
    std::string hash;
    std::string drop_sql;
};

// Work that is done after the new server serves.
struct DeferredStep {
    Key key;
    std::string table;
    std::string sql;  // as it would run in the transaction
    std::string path;
    std::string shown;  // as it will run
};

struct Diff {
    std::vector<Step> steps;
    std::vector<Probe> probes;
    std::vector<Claim> claims;
    std::map<std::string, Shape> shapes;  // by table
    std::vector<MadeObject> made;         // to be recorded, in order of making
    std::vector<Key> gone;                // to be forgotten
    std::vector<Step> first;              // unique indexes of large tables: before the transaction
    std::vector<DeferredStep> later;      // to be deferred
    std::vector<Key> settled;             // was deferred, and is no longer wanted
    std::map<std::string, std::string> called = {};  // as Schema::called
    std::vector<Leftover> leftovers;
    diag::Findings findings;  // warnings
};

// `data_role` is quoted already. Steps that would lock a table with more than `large` rows for long
// are deferred.
Diff diff(const plan::Plan& plan, const Schema& schema, const std::string& data_role,
          std::int64_t large = Limits{}.large_rows);

// ---- the parts of it ----

// Columns whose values are computed again, by their names before the migration. Objects that depend
// on them must be dropped before and made again after.
using RecomputedColumns = std::set<TableColumn>;

// New tables, columns, types, nulls, defaults; tables and columns that are in no contract any more.
RecomputedColumns diff_tables(const plan::Plan& plan, const Schema& schema,
                              const std::string& data_role, Diff& out);

// An object that is replaced completely when its text changes.
struct Object {
    Key key;
    std::string table;
    std::string create, drop;
    std::string path;
    bool rows_may_be_in_way = false;
    std::string fill = {};  // of words: see plan::Routine
};
// The objects of a plan in the order in which they are made.
std::vector<Object> objects_of(const plan::Plan& plan, const std::string& data_role);

struct ObjectChanges {
    std::vector<Step> before;  // sequences, which defaults need
    std::vector<Step> drops;
    std::vector<Step> makes;
};
ObjectChanges diff_objects(const plan::Plan& plan, const Schema& schema,
                           const RecomputedColumns& recomputed, const std::string& data_role,
                           Diff& out);

// Defers the steps that would lock a large table for long.
void deferred(const Schema& schema, std::int64_t large, Diff& diff);

// True if the change of a column's type rewrites all rows. Both types as canonical_type() writes
// them.
bool rewrites(const std::string& from, const std::string& to);
// Warns with TABLE_REWRITTEN of steps that rewrite more than `large` rows, with their number.
void report_rewrites(const Schema& schema, std::int64_t large, Diff& diff);

// Indexes that are being built, or wait to become what they were built for.
constexpr const char* kBuild = "svc_build_";
std::string build_name(const std::string& what);

// The constraint that replaces "not null" until all rows of a large table have been read.
std::string stand_in_name(const std::string& table_and_column);

// True if `text` has `word` as a whole word.
bool mentions(const std::string& text, const std::string& word);

}  // namespace svc::migrate
