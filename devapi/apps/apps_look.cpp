// Functions of Apps that change nothing.
#include "apps/apps_impl.hpp"
#include "apps/check/component_gates.hpp"
#include "apps/check/exposure.hpp"
#include "apps/check/live_runs.hpp"
#include "apps/check/maybe_renamed.hpp"
#include "apps/check/preview.hpp"
#include "apps/database/provision.hpp"
#include "apps/database/sql_role.hpp"
#include "apps/database/unmanaged_tables.hpp"
#include "apps/process/app_places.hpp"
#include "apps/process/binaries.hpp"
#include "apps/schedules.hpp"
#include "apps/secret_hosts.hpp"
#include "diag/source_map.hpp"
#include "emit/page/pages_json.hpp"
#include "pipeline.hpp"

namespace svc::devapi {

ApplyOutcome Apps::preview(const ProjectRef& project, const std::string& contract,
                           bool sets_secrets, const std::string& party,
                           const std::vector<migrate::Replaced>& replaced) const {
    return devapi::preview(
        {impl_->config, impl_->secrets, project, Impl::kDev, party, state(project.id).contract},
        contract, sets_secrets, replaced);
}

ApplyOutcome Apps::preview_release(const ProjectRef& project, Env env, const std::string& contract,
                                   const std::string& party) const {
    return devapi::preview(
        {impl_->config, impl_->secrets, project, env, party, state(project.id, env).contract},
        contract, false);
}

std::optional<LiveContract> Apps::current_contract(const std::string& project) const {
    const AppDatabase database = app_database(impl_->config, project, Impl::kDev);
    if (!app_databases(impl_->config).contains(database.name)) return std::nullopt;
    const auto record = read_record(database);
    if (!record) return std::nullopt;
    return LiveContract{record->version, record->contract};
}

Unmanaged Apps::unmanaged(const std::string& project, const std::string& table) const {
    return read_unmanaged(app_database(impl_->config, project, Impl::kDev), table);
}

CheckOutcome Apps::check(const std::string& project, const std::string& contract, bool sets_secrets,
                         const std::string& party) const {
    pipeline::Checked checked = pipeline::check(contract, proving(impl_->config));
    CheckOutcome outcome;
    outcome.exposure = exposure_change(state(project).contract, checked);
    if (checked.plan) {
        diag::Findings findings;
        const SecretScope scope{impl_->secrets, project, SecretEnv::dev};
        const auto brought_in = sets_secrets
                                    ? uses_brought_in(contract, state(project).contract, scope)
                                    : std::vector<SecretUse>{};
        check_secret_hosts(contract, scope, brought_in, findings);
        gate_components(contract, *checked.plan, built_for(impl_->config, party), findings);
        suggest_renames(state(project).contract, contract, findings);
        const AppDatabase database = app_database(impl_->config, project, Impl::kDev);
        warn_of_touched_runs(impl_->config, database, *checked.plan, findings);
        diag::SourceMap(contract).locate(findings);
        for (auto& finding : findings.items()) checked.findings.add(std::move(finding));
        checked.findings.sort();
        outcome.matrix = check::matrix_text(checked.exposure);
        outcome.table = check::table_text(checked.exposure);
        outcome.pages = emit::pages_json(*checked.plan);
        const bool built = state(project).built;
        outcome.schedules = schedules_json(*checked.plan, built ? &database : nullptr);
    }
    outcome.findings = std::move(checked.findings);
    return outcome;
}

AppState Apps::state(const std::string& project, Env env) const {
    return impl_->states.get(project, env);
}

std::string Apps::database_url(const std::string& project, Env env) const {
    if (!impl_->states.get(project, env).built) return {};
    return app_database(impl_->config, project, env).admin_url;
}

std::string Apps::secret_of(const std::string& project, Env env) const {
    return app_secret(impl_->config.master_key, app_database(impl_->config, project, env).stem);
}

std::optional<AppDatabase> Apps::sql_access(const std::string& project, Env env,
                                            std::string& error) const {
    const std::string url = database_url(project, env);
    if (url.empty()) return std::nullopt;
    AppDatabase database = app_database(impl_->config, project, env);
    database.admin_url = url;
    error = make_sql_role(impl_->config, database);
    return database;
}

Apps::Traces Apps::traces(const std::string& project, Env env) const {
    return {project_folder(impl_->config, project, env) + "/server.log",
            requests_file(impl_->config, project, env)};
}

std::string Apps::generated_folder(const std::string& project) const {
    return project_folder(impl_->config, project, Impl::kDev) + "/generated";
}

}  // namespace svc::devapi
