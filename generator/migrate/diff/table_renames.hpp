// Entities that got another name: their tables are renamed, with all that is named after them and
// stays. The rest of the migration compares the plan with what is there then.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "migrate/diff/diff.hpp"

namespace svc::migrate {

struct TableRenames {
    Schema schema;  // when the tables are renamed; records keep how they are dropped before that
    std::vector<Step> drops;       // before `steps`
    std::vector<Step> steps;       // rename tables, then constraints, indexes and sequences
    std::vector<MadeObject> made;  // what is recorded under other names, or with other texts
    std::vector<Key> gone;         // the records that `made` stands for
    std::vector<Key> settled;      // as in Diff
};

// The text of a foreign key with the present names of the tables that get another one.
void refer_to_former(std::string& sql, const Schema& schema);

// None if no table is renamed. Warns with RENAME_SKIPPED.
std::optional<TableRenames> table_renames(const plan::Plan& plan, const Schema& schema,
                                          const std::vector<Object>& objects,
                                          diag::Findings& findings);

// ---- the part of it for one table ----

// `texts`: gets the statements of what keeps its place, as they were under the former name.
void rename_table(const plan::Table& table, const std::string& from,
                  const std::vector<Object>& objects, std::map<Key, std::string>& texts,
                  TableRenames& out);

}  // namespace svc::migrate
