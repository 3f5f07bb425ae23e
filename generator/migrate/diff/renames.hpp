// Which columns take over the values of columns with another name.
#pragma once

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "plan/plan.hpp"

namespace svc::migrate {

struct Renames {
    std::vector<std::pair<std::string, std::string>> moves;  // from, to; in an order that works
    std::vector<const plan::Column*> stuck;  // both names are there: nothing can move
};

// `existing`: names of the table's columns as they are. A column that has moved stays where it is,
// so a contract may keep its renamedFrom.
Renames renames(const std::vector<plan::Column>& columns, const std::set<std::string>& existing);

}  // namespace svc::migrate
