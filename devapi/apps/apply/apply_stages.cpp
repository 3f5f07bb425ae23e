// Stages of an apply before its database: from the text to a program.
#include <filesystem>

#include "apps/apply/apply_job.hpp"
#include "apps/check/component_gates.hpp"
#include "apps/check/exposure.hpp"
#include "apps/check/kept_seeds.hpp"
#include "apps/check/live_runs.hpp"
#include "apps/check/maybe_renamed.hpp"
#include "apps/database/connections.hpp"
#include "apps/process/app_places.hpp"
#include "apps/process/binaries.hpp"
#include "build/format.hpp"
#include "diag/source_map.hpp"

namespace svc::devapi {

bool Apply::check() {
    pipeline::Checked checked = pipeline::check(contract_, proving(config_));
    outcome_.findings = std::move(checked.findings);
    outcome_.exposure =
        exposure_change(services_.states.get(project_.id, app_.second).contract, checked);
    plan_ = std::move(checked.plan);
    if (!plan_) {
        outcome_.status = ApplyOutcome::Status::invalid;
        return false;
    }
    if (!may_send_secrets() || !pass_gates()) return false;
    if (release_ && release_->rollback) plan_->seeds_unchanged = true;
    warn_of_touched_runs();
    if (release_) return true;
    diag::Findings findings;
    suggest_renames(services_.states.get(project_.id, app_.second).contract, contract_, findings);
    kept_ = with_kept_seeds(contract_, config_, database_, *plan_, findings);
    add_findings(std::move(findings));
    outcome_.edited = pipeline::hand_edited(folder() + "/generated");
    if (outcome_.edited.empty() || force_) return true;
    outcome_.status = ApplyOutcome::Status::hand_edited;
    return false;
}

// A published contract passed the gates on dev.
bool Apply::pass_gates() {
    if (release_) return true;
    diag::Findings findings;
    gate_components(contract_, *plan_, built_for(config_, lease_.row().user), findings);
    const bool passed = !findings.has_errors();
    add_findings(std::move(findings));
    if (!passed) outcome_.status = ApplyOutcome::Status::invalid;
    return passed;
}

void Apply::warn_of_touched_runs() {
    diag::Findings findings;
    devapi::warn_of_touched_runs(config_, database_, *plan_, findings);
    add_findings(std::move(findings));
}

// Only an apply to dev decides where secrets are sent: its author wrote what is later published. An
// earlier live contract may come back; its servers get the present hosts.
bool Apply::may_send_secrets() {
    if (release_ && release_->rollback) return true;
    diag::Findings findings;
    check_secret_hosts(contract_, secret_scope(),
                       said_uses(services_.states.get(project_.id, app_.second).contract),
                       findings);
    const bool may = !findings.has_errors();
    add_findings(std::move(findings));
    if (!may) outcome_.status = ApplyOutcome::Status::invalid;
    return may;
}

std::vector<SecretUse> Apply::said_uses(const std::optional<std::string>& live) const {
    if (release_ || !services_.secrets.set_by_who_began(lease_.row().id)) return {};
    return uses_brought_in(contract_, live, secret_scope());
}

bool Apply::emit() {
    files_ = pipeline::emit_all(*plan_, built_for(config_, lease_.row().user));
    formatted_ = std::async(std::launch::async, build::formatted, files_, config_.build);
    detail_ = std::to_string(files_.size()) + " files";
    return true;
}

bool Apply::build() {
    build::Result result = build::compile(files_, config_.build);
    outcome_.build_seconds = result.seconds;
    outcome_.units = result.units;
    outcome_.cached = result.cached;
    if (!result.ok) return fail(std::string(base::word(result.stage)) + ": " + result.error);
    launch_ = make_launch(config_, project_, app_.second, database_,
                          keep_binary(result.binary, folder() + "/bin"));
    detail_ =
        std::to_string(result.cached) + " of " + std::to_string(result.units) + " units cached";
    return true;
}

// The program that dev runs of this contract; compiled only if nobody has it any more, or the
// compiler is another one by now.
bool Apply::promote() {
    files_ = pipeline::emit_all(*plan_, built_for(config_, lease_.row().user));
    const std::string name = build::binary_name(files_, config_.build), own = folder() + "/bin";
    std::string binary = own + "/" + name;
    const std::string devs = project_folder(config_, project_.id, Env::dev) + "/bin/" + name;
    detail_ = "already compiled on dev";
    if (!std::filesystem::exists(binary) && std::filesystem::exists(devs)) {
        binary = keep_binary(devs, own);
    } else if (!std::filesystem::exists(binary)) {
        const build::Result result = build::compile(files_, config_.build);
        if (!result.ok) return fail(std::string(base::word(result.stage)) + ": " + result.error);
        outcome_.build_seconds = result.seconds;
        binary = keep_binary(result.binary, own);
        detail_ = "built anew";
    }
    launch_ = make_launch(config_, project_, app_.second, database_, binary, release_->site);
    return true;
}

void Apply::add_findings(diag::Findings findings) {
    hide_addresses(findings);
    diag::SourceMap(contract_).locate(findings);
    for (auto& finding : findings.items()) outcome_.findings.add(std::move(finding));
    outcome_.findings.sort();
}

SecretScope Apply::secret_scope() const {
    return {services_.secrets, project_.id, secrets_env(app_.second)};
}

}  // namespace svc::devapi
