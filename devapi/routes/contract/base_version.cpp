#include "routes/contract/base_version.hpp"

#include <limits>

#include "calls/context.hpp"
#include "common/json_slice.hpp"
#include "platform/project/contract_versions.hpp"
#include "routes/contract/changes_json.hpp"
#include "versions/contract_changes.hpp"

namespace svc::devapi {
namespace {

constexpr std::size_t kMostListed = 5;  // of a sentence

std::string whose(const std::optional<ContractVersion>& version) {
    if (!version) return "";
    return ", which " + version->by.value_or("somebody") + " applied at " + version->at;
}

// Seeds that a change leaves as they are, are not a change.
std::string with_live_seeds(const std::string& contract, const std::string& live) {
    const auto seeds = json_member(live, "seeds");
    const bool left = json_member(contract, "seeds") == "\"UNCHANGED\"";
    return left && seeds ? with_member(contract, "seeds", *seeds) : contract;
}

}  // namespace

std::optional<int> base_version_of(Fields& fields) {
    return fields.integer("baseVersion", 0, std::numeric_limits<int>::max());
}

bool is_live_one(Context& context, const Request& request, int base,
                 const std::optional<LiveContract>& live, Response& response) {
    const std::int64_t version = live ? live->version : 0;
    if (version == base) return true;
    const std::string& project = request.project->id;
    const auto made = find_version(context.store, project, version);
    const auto started = find_version(context.store, project, base);
    json diff = nullptr;
    if (live && (started || base == 0))
        diff =
            changes_json(versions::contract_changes(started ? started->contract : "{}", live->text),
                         request.caller);
    const std::string words = live ? "Version " + std::to_string(version) + " is live" +
                                         whose(made) + ", but this contract was based on version " +
                                         std::to_string(base) +
                                         ". Merge the two, or apply over the live one."
                                   : "Nothing is live, but this contract was based on version " +
                                         std::to_string(base) + ".";
    response.send(status(DevCode::stale_contract),
                  {{"error", words},
                   {"code", name(DevCode::stale_contract)},
                   {"live", version},
                   {"by", made ? nullable(made->by) : json(nullptr)},
                   {"at", made ? json(made->at) : json(nullptr)},
                   {"diff", std::move(diff)}});
    return false;
}

diag::Findings not_based(Context& context, const Request& request, const LiveContract& live,
                         const std::string& contract) {
    diag::Findings findings;
    std::string listed;
    std::size_t count = 0;
    for (const auto& change :
         versions::contract_changes(live.text, with_live_seeds(contract, live.text))) {
        if (change.kind == versions::ContractChange::Kind::added || ++count > kMostListed) continue;
        listed += (listed.empty() ? "" : ", ") + change.path + " (" +
                  std::string(base::word(change.kind)) + ")";
    }
    if (count == 0) return findings;
    if (count > kMostListed) listed += " and " + std::to_string(count - kMostListed) + " more";
    const auto made = find_version(context.store, request.project->id, live.version);
    findings.warning(
        "NOT_BASED_ON_LIVE", "",
        "This apply did not name the version that it is based on. It reverts changes of version " +
            std::to_string(live.version) + whose(made) + ": " + listed + ".",
        "name the version that the contract started from (baseVersion, which svc pull records); "
        "the apply is then refused if another version is live, and svc pull --merge merges both");
    return findings;
}

}  // namespace svc::devapi
