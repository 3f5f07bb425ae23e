#include "routes/contract/changes_json.hpp"

namespace svc::devapi {
namespace {

using versions::ContractChange;

constexpr std::size_t kMostChanges = 50;  // of an answer

// Seeds are rows: their values take the scope `read`.
bool may_see(const Caller& caller, const std::string& path) {
    return caller.has("read") || (path != "/seeds" && !path.starts_with("/seeds/"));
}

}  // namespace

json changes_json(const std::vector<ContractChange>& changes, const Caller& caller) {
    json out = json::array();
    for (const auto& change : changes) {
        if (out.size() == kMostChanges) {
            out.push_back(
                {{"path", ""}, {"kind", "more"}, {"count", changes.size() - kMostChanges}});
            break;
        }
        out.push_back({{"path", change.path}, {"kind", base::word(change.kind)}});
        if (change.was.empty() && change.is.empty()) continue;
        if (!may_see(caller, change.path)) continue;
        out.back()["was"] = change.was;
        out.back()["is"] = change.is;
    }
    return out;
}

}  // namespace svc::devapi
