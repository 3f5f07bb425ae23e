// Copies of a project's databases, and the way back to one.
#include "apps/database/snapshots.hpp"

#include "apps/apply/restore.hpp"
#include "calls/environment.hpp"
#include "http/fields.hpp"
#include "postgres/dump.hpp"
#include "routes/report.hpp"
#include "routes/routes.hpp"
#include "routes/take_lease.hpp"

namespace svc::devapi {
namespace {

json snapshot_json(const SnapshotRecord& snapshot) {
    return {{"id", snapshot.id},
            {"env", snapshot.env},
            {"reason", snapshot.reason},
            {"note", snapshot.note.empty() ? json(nullptr) : json(snapshot.note)},
            {"bytes", snapshot.bytes},
            {"contractVersion", snapshot.version},
            {"createdAt", snapshot.created_at},
            {"by", nullable(snapshot.by)}};
}

void list_snapshots(Context& context, const Request& request, Response& response) {
    const std::string word = query_value(request.query, "env");
    const auto env = dev_or_prod(word);
    if (!word.empty() && !env) return bad_parameter(response, "env", "Must be dev or prod.");
    json list = json::array();
    for (const auto& snapshot : context.apps.snapshots().list(request.project->id, env))
        list.push_back(snapshot_json(snapshot));
    response.send(200, {{"snapshots", list}});
}

void make_snapshot(Context& context, const Request& request, Response& response) {
    Fields fields(request);
    const Env env = environment_of(fields, Env::prod);
    const std::string note = fields.text("note", 0, 500).value_or("");
    if (!fields.good(response)) return;
    if (!context.apps.state(request.project->id, env).built) return refuse_no_app(env, response);
    try {
        const auto snapshot = context.apps.take_snapshot(
            {request.project->id, env, "manual", note, request.caller.user_id});
        response.send(201, {{"snapshot", snapshot_json(snapshot)}});
    } catch (const DumpFailed& error) {
        response.refuse(500, std::string("The snapshot failed: ") + error.what());
    }
}

void send_restored(const SnapshotRecord& snapshot, const RestoreOutcome& outcome,
                   Response& response) {
    if (outcome.done) {
        json body = {
            {"restored", snapshot.id},
            {"safetySnapshot", outcome.safety.empty() ? json(nullptr) : json(outcome.safety)},
            {"held", outcome.held},
            {"heldMails", outcome.held_mails},
            {"heldDeliveries", outcome.held_deliveries}};
        if (!outcome.warning.empty()) body["warning"] = outcome.warning;
        return response.send(200, body);
    }
    const bool refused = outcome.findings.has_errors();
    const DevCode code = refused ? DevCode::contract_invalid : DevCode::restore_failed;
    json body = {{"error", outcome.error + " The database was not changed."},
                 {"code", name(code)},
                 {"stage", stage_word(outcome.failed_stage)}};
    if (refused) body["report"] = report_json(outcome.findings);
    response.send(status(code), body);
}

void restore_snapshot(Context& context, const Request& request, Response& response) {
    const Project& project = *request.project;
    const auto snapshot = context.apps.snapshots().find(project.id, request.params.at("snapshot"));
    if (!snapshot) return response.not_found("Snapshot");
    try {
        context.apps.snapshots().whole(*snapshot);
    } catch (const SnapshotDamaged& error) {
        return response.refuse(DevCode::snapshot_damaged, error.what());
    }
    const auto lease = take_lease(
        context, request, {LeaseKind::restore, request.caller.user_id, snapshot->env, snapshot->id},
        response);
    if (!lease) return;
    const auto outcome =
        context.apps.restore(*lease, *snapshot, request.caller.user_id, stages_to(request));
    send_restored(*snapshot, outcome, response);
}

}  // namespace

void bind_snapshots(RouteTable& table) {
    table.add({"GET", "/projects/:id/snapshots", Need::read, Role::viewer, list_snapshots},
              {"env"});
    table.add({"POST", "/projects/:id/snapshots", Need::apply, Role::developer, make_snapshot});
    table.add({"POST", "/projects/:id/snapshots/:snapshot/restore", Need::deploy, Role::developer,
               restore_snapshot, 64 * 1024, true});
}

}  // namespace svc::devapi
