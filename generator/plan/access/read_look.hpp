// The rows of other tables that a policy for reading looks at, and whom a change of one can
// concern: feeds send a reset to these callers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "model/model.hpp"
#include "plan/plan.hpp"

namespace svc::plan {

struct ReadLook {
    std::size_t entity = 0;         // index in Model::entities: whose rows it looks at
    bool made = false;              // a row that is created matters too
    std::uint64_t who = 0;          // for which callers it looks there
    std::set<std::string> columns;  // the columns that it reads there
    // A change concerns only callers whose value the column has, before or after it. Nothing: it
    // may concern anybody of `who`. (ReadKey::who says nothing here.)
    std::optional<ReadKey> key;
};

// Leaves out rows that same_as names: each of them is judged itself, before and after its change.
std::vector<ReadLook> read_looks(const model::Model& model, const model::Entity& entity);

}  // namespace svc::plan
