// Which columns, or tables, take over what has another name.
#pragma once

#include <set>
#include <string>
#include <utility>
#include <vector>

namespace svc::migrate {

// A column or table of the plan.
struct Named {
    std::string name;
    std::string renamed_from;  // empty: not
};

template <class Part>
std::vector<Named> names_of(const std::vector<Part>& parts) {
    std::vector<Named> out;
    out.reserve(parts.size());
    for (const Part& part : parts) out.push_back({part.name, part.renamed_from});
    return out;
}

struct Renames {
    std::vector<std::pair<std::string, std::string>> moves;  // from, to; in an order that works
    std::vector<Named> stuck;  // both names are there: nothing can move
};

// `existing`: the names that are there. What has moved stays where it is, so a contract may keep
// its renamedFrom.
Renames renames(const std::vector<Named>& wanted, const std::set<std::string>& existing);

}  // namespace svc::migrate
