#include "apps/check/kept_seeds.hpp"

#include "apps/database/provision.hpp"
#include "common/json_slice.hpp"
#include "pipeline.hpp"

namespace svc::devapi {
namespace {

// The seeds of the live contract, as they were written; none if it has none.
std::optional<std::string> live_seeds(const AppsConfig& config, const AppDatabase& database) {
    if (!app_databases(config).contains(database.name)) return std::nullopt;
    const auto record = read_record(database);
    if (!record) return std::nullopt;
    const auto seeds = json_member(record->contract, "seeds");
    return seeds && seeds->starts_with('{') ? std::optional<std::string>(*seeds) : std::nullopt;
}

// An entity that got another name has its seeds under that name.
std::string seeds_by_new_names(std::string seeds, const plan::Plan& plan) {
    for (const plan::Table& table : plan.tables) {
        if (table.renamed_from.empty() || json_member(seeds, table.name)) continue;
        if (json_member(seeds, table.renamed_from))
            seeds = with_renamed_member(seeds, table.renamed_from, table.name);
    }
    return seeds;
}

void warn(const diag::Findings& unfit, diag::Findings& findings) {
    for (const auto& finding : unfit.all()) {
        if (finding.severity != diag::Severity::error) continue;
        return findings.warning(
            "SEEDS_NOT_KEPT", "/seeds",
            "The existing seeds do not fit this contract (" + finding.path + ": " +
                finding.message +
                "), so the contract now has none. Their rows stay in the database.",
            "Apply once more, with seeds that fit the contract.");
    }
}

}  // namespace

std::string with_kept_seeds(const std::string& contract, const AppsConfig& config,
                            const AppDatabase& database, plan::Plan& plan,
                            diag::Findings& findings) {
    if (!plan.seeds_unchanged) return contract;
    const auto seeds = live_seeds(config, database);
    if (!seeds) return contract;
    std::string kept = with_member(contract, "seeds", seeds_by_new_names(*seeds, plan));
    const auto checked = pipeline::check(kept);
    if (!checked.plan) {
        warn(checked.findings, findings);
        return contract;
    }
    plan.contract_hash = checked.plan->contract_hash;
    return kept;
}

}  // namespace svc::devapi
