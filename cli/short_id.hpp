// Ids may be shortened as far as they are unique.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/session.hpp"

namespace svc::cli {

// Where ids of a kind are listed.
struct IdList {
    std::vector<std::string> paths;  // GET of these
    std::string member;              // of the answers: the list
    std::string what;                // "snapshot"
    std::string key = "id";          // of its entries
};

// The whole id that begins with what was given, 4 characters at least; what was given itself where
// none does, for the service to say so. Nothing where several do: they have been named.
std::optional<std::string> whole_id(const Session& session, const std::string& given,
                                    const IdList& list);

}  // namespace svc::cli
