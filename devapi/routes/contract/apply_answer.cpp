#include "routes/contract/apply_answer.hpp"

#include "calls/context.hpp"
#include "platform/keys/keys.hpp"
#include "routes/report.hpp"

namespace svc::devapi {
namespace {

json plan_json(const std::vector<migrate::Change>& changes) {
    json plan = json::array();
    for (const auto& change : changes) {
        json entry = {{"kind", base::word(change.kind)}, {"table", change.table}};
        if (!change.column.empty()) entry["column"] = change.column;
        entry["sql"] = change.sql;
        if (change.when != migrate::When::inside) entry["when"] = base::word(change.when);
        if (change.rewrites > 0) entry["rewrites"] = change.rewrites;
        plan.push_back(std::move(entry));
    }
    return plan;
}

json unmanaged_json(const std::vector<migrate::Leftover>& leftovers) {
    json out = json::array();
    for (const auto& one : leftovers) {
        out.push_back({{"kind", base::word(one.kind)}, {"table", one.table}});
        if (!one.name.empty()) out.back()["name"] = one.name;
    }
    return out;
}

// What an apply does, and what a preview reports.
json changes_json(const ApplyOutcome& outcome, json report) {
    json warnings = report["warnings"];
    return {{"report", std::move(report)},     {"summary", outcome.summary},
            {"warnings", std::move(warnings)}, {"exposure", json::parse(outcome.exposure)},
            {"plan", plan_json(outcome.plan)}, {"unmanaged", unmanaged_json(outcome.unmanaged)}};
}

json applied_json(const ApplyOutcome& outcome, json report) {
    json out = changes_json(outcome, std::move(report));
    out["build"] = {
        {"seconds", outcome.build_seconds}, {"units", outcome.units}, {"cached", outcome.cached}};
    out["swap"] = {{"ms", outcome.swap_ms}};
    out["version"] = outcome.version;
    return out;
}

void send_outcome(ApplyOutcome outcome, const ApplyRequest& wanted, Response& response) {
    for (const auto& notice : wanted.notices.all()) outcome.findings.add(notice);
    json report = report_json(outcome.findings);
    switch (outcome.status) {
        case ApplyOutcome::Status::applied:
            return response.send(200, applied_json(outcome, std::move(report)));
        case ApplyOutcome::Status::previewed:
            return response.send(200, previewed_json(outcome, std::move(report)));
        case ApplyOutcome::Status::invalid:
            return response.send(status(DevCode::contract_invalid),
                                 {{"error", "The contract has errors; nothing was changed."},
                                  {"code", name(DevCode::contract_invalid)},
                                  {"report", std::move(report)}});
        case ApplyOutcome::Status::hand_edited:
            return response.send(status(DevCode::hand_edited_files),
                                 {{"error",
                                   "Generated files were edited by hand. Repeat the apply with "
                                   "force to overwrite them; backups are kept."},
                                  {"code", name(DevCode::hand_edited_files)},
                                  {"files", outcome.edited}});
        case ApplyOutcome::Status::failed:
            return response.send(status(DevCode::build_failed),
                                 {{"error", outcome.error},
                                  {"code", name(DevCode::build_failed)},
                                  {"stage", stage_word(outcome.failed_stage)}});
    }
}

}  // namespace

json previewed_json(const ApplyOutcome& outcome, json report) {
    json out = changes_json(outcome, std::move(report));
    out["dryRun"] = true;
    return out;
}

void run_apply(Context& context, const Request& request, Lease& lease, const ApplyRequest& wanted,
               Response& response) {
    const std::string& project = request.project->id;
    ApplyOutcome outcome = context.apps.apply(lease, wanted.contract, wanted.force,
                                              records(project_keys(context.store, project)),
                                              stages_to(request), wanted.replaced);
    // Keys that were made or revoked while it ran.
    if (outcome.status == ApplyOutcome::Status::applied) context.apps.share_keys(project);
    send_outcome(std::move(outcome), wanted, response);
}

void run_preview(Context& context, const Request& request, const ApplyRequest& wanted,
                 Response& response) {
    const Project& project = *request.project;
    send_outcome(
        context.apps.preview({project.id, project.slug}, wanted.contract,
                             project.role >= Role::admin, request.caller.user_id, wanted.replaced),
        wanted, response);
}

}  // namespace svc::devapi
