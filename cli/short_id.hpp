// Ids may be shortened as far as they are unique; some things are known by a name as well.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/context.hpp"

namespace svc::cli {

// The help text for such an id.
constexpr const char* kShortIdWords = "The id as the list shows it, or a unique beginning of it";

// The call that lists the ids of a kind.
struct IdList {
    std::vector<std::string> paths;  // GET of these
    std::string member;              // of the answers: the list
    std::string what;                // "snapshot"
    std::string key = "id";          // of its entries
    std::string name = {};           // of its entries; empty: they have none
};

// The whole id that begins with what was given, 4 characters at least, or whose name it is; what
// was given itself where neither is, for the service to say so. Nothing if several fit: they
// have been named.
std::optional<std::string> whole_id(const CliContext& context, const std::string& given,
                                    const IdList& list);

}  // namespace svc::cli
