#include "apps/apply/preview.hpp"

#include <exception>
#include <utility>

#include "apps/apply/exposure.hpp"
#include "apps/apply/kept_seeds.hpp"
#include "apps/apply/summary.hpp"
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

migrate::Result changes(const AppsConfig& config, const Secrets& secrets, const ProjectRef& project,
                        const plan::Plan& plan, const std::vector<migrate::Replaced>& replaced) {
    const AppDatabase database = app_database(config, project.id, "dev");
    if (!app_databases(config).contains(database.name))
        return migrate::preview_new(plan, database.data_role);
    migrate::Target target{database.admin_url, database.owner_role, database.data_role,
                           database.system_role};
    target.connections = connections_of(plan, config, secrets, project.id, "dev");
    target.replaced = replaced;
    auto result = migrate::preview(plan, target);
    hide_addresses(result.findings);
    return result;
}

void look(const AppsConfig& config, const Secrets& secrets, const ProjectRef& project,
          const std::optional<std::string>& live, const std::string& contract, bool sets_secrets,
          const std::vector<migrate::Replaced>& replaced, ApplyOutcome& outcome) {
    auto checked = pipeline::check(contract, proving(config));
    outcome.exposure = exposure_change(live, checked);
    outcome.findings = std::move(checked.findings);
    outcome.status = Status::invalid;
    if (!checked.plan) return;
    const SecretScope scope{secrets, project.id, "dev"};
    const auto said =
        sets_secrets ? uses_brought_in(contract, live, scope) : std::vector<SecretUse>{};
    check_secret_hosts(contract, scope, said, outcome.findings);
    if (outcome.findings.has_errors()) return diag::SourceMap(contract).locate(outcome.findings);
    migrate::Result result = changes(config, secrets, project, *checked.plan, replaced);
    with_kept_seeds(contract, config, app_database(config, project.id, "dev"), *checked.plan,
                    result.findings);
    diag::SourceMap(contract).locate(result.findings);
    for (auto& finding : result.findings.items()) outcome.findings.add(std::move(finding));
    outcome.findings.sort();
    outcome.plan = std::move(result.changes);
    outcome.unmanaged = std::move(result.leftovers);
    if (result.ok) outcome.status = Status::previewed;
}

}  // namespace

ApplyOutcome preview(const AppsConfig& config, const Secrets& secrets, const ProjectRef& project,
                     const std::optional<std::string>& live, const std::string& contract,
                     bool sets_secrets, const std::vector<migrate::Replaced>& replaced) {
    ApplyOutcome outcome;
    try {
        look(config, secrets, project, live, contract, sets_secrets, replaced, outcome);
    } catch (const std::exception& error) {
        outcome.status = Status::failed;
        outcome.failed_stage = "migrate";
        outcome.error = log_words(error);
    }
    outcome.summary = summarise(outcome);
    return outcome;
}

}  // namespace svc::devapi
