#include "routes/deploy/deploy_preview.hpp"

#include "calls/environment.hpp"
#include "routes/contract/apply_answer.hpp"
#include "routes/contract/changes_json.hpp"
#include "routes/report.hpp"

namespace svc::devapi {
namespace {

json deploy_changes(const Request& request, const std::optional<Deployment>& live,
                    const Deployment& wanted) {
    if (!live) return json::array();
    return changes_json(versions::contract_changes(live->contract, wanted.contract),
                        request.caller);
}

}  // namespace

void preview_deploy(Context& context, const Request& request, const Deployment& wanted,
                    Response& response) {
    if (!may_read(request, response)) return;
    const Project& project = *request.project;
    const ApplyOutcome outcome = context.apps.preview_release(
        {project.id, project.slug}, wanted.env, wanted.contract, request.caller.user_id);
    json report = report_json(outcome.findings);
    if (outcome.status == ApplyOutcome::Status::failed)
        return response.refuse(Code::unavailable, outcome.error);
    if (outcome.status != ApplyOutcome::Status::previewed)
        return response.send(status(DevCode::contract_invalid),
                             {{"error", "The database of " + name(wanted.env) +
                                            " does not accept this contract. Nothing was changed."},
                              {"code", name(DevCode::contract_invalid)},
                              {"report", std::move(report)}});
    const auto live = Deployments(context.store).live_one(project.id, wanted.env);
    json body = previewed_json(outcome, std::move(report));
    body["env"] = wanted.env;
    body["version"] = wanted.version;
    body["live"] = live ? json(live->version) : json(nullptr);
    body["changes"] = deploy_changes(request, live, wanted);
    response.send(200, body);
}

}  // namespace svc::devapi
