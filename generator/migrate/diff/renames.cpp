#include "migrate/diff/renames.hpp"

#include <algorithm>

namespace svc::migrate {

// A name becomes free when its column moves on, which may let another one move there: a chain is
// followed from its end. Each old column moves once, and only one that was there before.
Renames renames(const std::vector<plan::Column>& columns, const std::set<std::string>& existing) {
    Renames out;
    std::set<std::string> here = existing, taken, done;
    for (bool moved = true; moved;) {
        moved = false;
        for (const plan::Column& column : columns) {
            const std::string& from = column.renamed_from;
            if (from.empty() || done.contains(column.name) || here.contains(column.name)) continue;
            if (!existing.contains(from) || taken.contains(from)) continue;
            out.moves.emplace_back(from, column.name);
            here.erase(from);
            here.insert(column.name);
            taken.insert(from);
            done.insert(column.name);
            moved = true;
        }
    }
    for (const plan::Column& column : columns) {
        const std::string& from = column.renamed_from;
        const bool wanted = std::any_of(columns.begin(), columns.end(),
                                        [&](const auto& other) { return other.name == from; });
        if (from.empty() || wanted || done.contains(column.name)) continue;
        if (here.contains(from) && here.contains(column.name)) out.stuck.push_back(&column);
    }
    return out;
}

}  // namespace svc::migrate
