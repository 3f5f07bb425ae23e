// Two contracts that come from the same one, brought together.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace svc::devapi::versions {

// What each of the two made of one place. Values are JSON text; empty: there is none.
struct MergeConflict {
    std::string path;  // as of ContractChange
    std::string base, mine, theirs;
};

enum class Side { mine, theirs };

struct Merged {
    std::string text;  // with `prefer` where they conflict
    std::vector<MergeConflict> conflicts;
};

// What only one of them changed is as that one has it. Objects are merged by member, lists of
// things that have names by these, everything else is whole. The layout is that of `mine`, and of
// `theirs` in what comes from there. Seeds that `mine` leaves as "UNCHANGED" are not its change.
// All three are valid JSON objects.
Merged merge_contracts(std::string_view base, std::string_view mine, std::string_view theirs,
                       Side prefer);

}  // namespace svc::devapi::versions
