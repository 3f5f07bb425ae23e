#include "migrate/diff/renames.hpp"

#include <algorithm>

namespace svc::migrate {

// A name becomes free when what has it moves on, which may let another one move there: a chain is
// followed from its end. Each old name moves once, and only one that was there before.
Renames renames(const std::vector<Named>& wanted, const std::set<std::string>& existing) {
    Renames out;
    std::set<std::string> here = existing, taken, done;
    for (bool moved = true; moved;) {
        moved = false;
        for (const auto& [name, from] : wanted) {
            if (from.empty() || done.contains(name) || here.contains(name)) continue;
            if (!existing.contains(from) || taken.contains(from)) continue;
            out.moves.emplace_back(from, name);
            here.erase(from);
            here.insert(name);
            taken.insert(from);
            done.insert(name);
            moved = true;
        }
    }
    for (const Named& one : wanted) {
        const std::string& from = one.renamed_from;
        const bool is_wanted = std::ranges::find(wanted, from, &Named::name) != wanted.end();
        if (from.empty() || is_wanted || done.contains(one.name)) continue;
        if (here.contains(from) && here.contains(one.name)) out.stuck.push_back(one);
    }
    return out;
}

}  // namespace svc::migrate
