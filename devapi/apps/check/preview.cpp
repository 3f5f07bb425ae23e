#include "apps/check/preview.hpp"

#include <exception>
#include <utility>

#include "apps/check/component_gates.hpp"
#include "apps/check/exposure.hpp"
#include "apps/check/kept_seeds.hpp"
#include "apps/check/live_runs.hpp"
#include "apps/check/maybe_renamed.hpp"
#include "apps/check/summary.hpp"
#include "apps/database/connections.hpp"
#include "apps/database/database.hpp"
#include "apps/database/provision.hpp"
#include "apps/secret_hosts.hpp"
#include "diag/source_map.hpp"
#include "pipeline.hpp"
#include "platform/log_words.hpp"

namespace svc::devapi {
namespace {

using Status = ApplyOutcome::Status;

migrate::Result changes(const PreviewOf& of, const plan::Plan& plan,
                        const std::vector<migrate::Replaced>& replaced) {
    const AppDatabase database = app_database(of.config, of.project.id, of.env);
    if (!app_databases(of.config).contains(database.name))
        return migrate::preview_new(plan, database.data_role);
    migrate::Target target{database.admin_url, database.owner_role, database.data_role,
                           database.system_role};
    target.connections = connections_of(plan, of.config, of.secrets, of.project.id, of.env);
    target.replaced = replaced;
    auto result = migrate::preview(plan, target);
    hide_addresses(result.findings);
    return result;
}

void look(const PreviewOf& of, const std::string& contract, bool sets_secrets,
          const std::vector<migrate::Replaced>& replaced, ApplyOutcome& outcome) {
    auto checked = pipeline::check(contract, proving(of.config));
    outcome.exposure = exposure_change(of.live, checked);
    outcome.findings = std::move(checked.findings);
    outcome.status = Status::invalid;
    if (!checked.plan) return;
    const SecretScope scope{of.secrets, of.project.id, secrets_env(of.env)};
    const auto brought_in =
        sets_secrets ? uses_brought_in(contract, of.live, scope) : std::vector<SecretUse>{};
    check_secret_hosts(contract, scope, brought_in, outcome.findings);
    gate_components(contract, *checked.plan, built_for(of.config, of.party), outcome.findings);
    if (outcome.findings.has_errors()) return diag::SourceMap(contract).locate(outcome.findings);
    migrate::Result result = changes(of, *checked.plan, replaced);
    with_kept_seeds(contract, of.config, app_database(of.config, of.project.id, of.env),
                    *checked.plan, result.findings);
    suggest_renames(of.live, contract, result.findings);
    warn_of_touched_runs(of.config, app_database(of.config, of.project.id, of.env), *checked.plan,
                         result.findings);
    diag::SourceMap(contract).locate(result.findings);
    for (auto& finding : result.findings.items()) outcome.findings.add(std::move(finding));
    outcome.findings.sort();
    outcome.plan = std::move(result.changes);
    outcome.unmanaged = std::move(result.leftovers);
    if (result.ok) outcome.status = Status::previewed;
}

}  // namespace

ApplyOutcome preview(const PreviewOf& of, const std::string& contract, bool sets_secrets,
                     const std::vector<migrate::Replaced>& replaced) {
    ApplyOutcome outcome;
    try {
        look(of, contract, sets_secrets, replaced, outcome);
    } catch (const std::exception& error) {
        outcome.status = Status::failed;
        outcome.failed_stage = StageName::migrate;
        outcome.error = log_words(error);
    }
    outcome.summary = summarise(outcome);
    return outcome;
}

}  // namespace svc::devapi
