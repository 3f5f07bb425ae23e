// Merges two contracts that come from the same one.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace svc::devapi::versions {

// The two different changes of one place. Values are JSON text; empty: there is none.
struct MergeConflict {
    std::string path;  // as of ContractChange
    std::string base, mine, theirs;
};

enum class Side { mine, theirs };

struct Merged {
    std::string text;  // with `prefer` where they conflict
    std::vector<MergeConflict> conflicts;
};

// A place that only one of them changed gets that change. Objects are merged by member, lists of
// named items by name; any other value is merged as a whole. The layout is that of `mine`, and that
// of `theirs` in its parts. Seeds with "UNCHANGED" in `mine` are not a change. All three are valid
// JSON objects.
Merged merge_contracts(std::string_view base, std::string_view mine, std::string_view theirs,
                       Side prefer);

}  // namespace svc::devapi::versions
