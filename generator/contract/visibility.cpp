#include "contract/visibility.hpp"

#include <nlohmann/json.hpp>

#include "base/sha256.hpp"

namespace svc::contract {
namespace {

// A part that is not here counts: a part of the format that is new must not be forgotten.
constexpr const char* kNoPart[] = {"$schema", "ai",        "components", "connectors",
                                   "files",   "functions", "pages",      "payments",
                                   "queries", "seeds",     "webhooks",   "workflows"};
constexpr const char* kNoPartOfApp[] = {"name", "description", "theme", "currency"};

}  // namespace

std::string visibility_hash(std::string_view contract) {
    nlohmann::json kept = nlohmann::json::parse(contract);
    for (const char* part : kNoPart) kept.erase(part);
    if (kept.contains("app"))
        for (const char* part : kNoPartOfApp) kept["app"].erase(part);
    return base::sha256_hex(kept.dump());
}

}  // namespace svc::contract
