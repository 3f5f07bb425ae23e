// Deployments: the list, the rollback to one, and the end of a preview.
#include "calls/environment.hpp"
#include "http/fields.hpp"
#include "platform/keys/keys.hpp"
#include "routes/deploy/deployment_answer.hpp"
#include "routes/report.hpp"
#include "routes/routes.hpp"
#include "routes/take_lease.hpp"

namespace svc::devapi {
namespace {

constexpr int kUsualDeployments = 20, kMostDeployments = 100;

void list_deployments(Context& context, const Request& request, Response& response) {
    const std::string preview = query_value(request.query, "preview");
    if (!preview.empty() && preview != "true" && preview != "false" && preview != "1" &&
        preview != "0")
        return bad_parameter(response, "preview", "Must be true or false.");
    const int count = limit_of(request, kUsualDeployments, kMostDeployments, response);
    if (count == 0) return;
    json list = json::array();
    const Deployments deployments(context.store);
    const bool of_preview = preview == "true" || preview == "1";
    const std::string& project = request.project->id;
    const std::string answers =
        deployments.live_name(project, of_preview ? Env::preview : Env::prod);
    for (const auto& deployment : deployments.list(project, of_preview, count))
        list.push_back(deployment_json(context.config, deployment, answers));
    response.send(200, {{"deployments", list}});
}

// The deployment to go back to; none: answered.
std::optional<Deployment> earlier(Context& context, const Request& request, Response& response) {
    auto found =
        Deployments(context.store).find(request.project->id, request.params.at("deployment"));
    if (!found || found->status == DeploymentStatus::deploying) {
        response.not_found("Deployment");
    } else if (found->status == DeploymentStatus::live) {
        response.refuse(Code::conflict, "This deployment is already live.");
    } else if (found->status == DeploymentStatus::failed) {
        response.refuse(Code::conflict,
                        "This deployment failed, so nothing of it can be made live again.");
    } else if (!Deployments(context.store).live_one(request.project->id, found->env)) {
        response.refuse(Code::conflict, "The environment " + name(found->env) +
                                            " was deleted, together with its rows. Deploy again.");
    } else {
        return found;
    }
    return std::nullopt;
}

void roll_back(Context& context, const Request& request, Response& response) {
    const Project& project = *request.project;
    const auto target = earlier(context, request, response);
    if (!target) return;
    const auto lease = take_lease(
        context, request, {LeaseKind::rollback, request.caller.user_id, target->env, target->id},
        response);
    if (!lease) return;
    Release release;
    release.env = target->env;
    release.deployment = target->id;
    release.version = target->version;
    release.site = site_of(context.store, {project.id, project.slug}, target->env);
    release.rollback = true;
    const auto outcome =
        context.apps.release(*lease, target->contract, release,
                             records(project_keys(context.store, project.id)), stages_to(request));
    json body = json::object();
    if (outcome.status == ApplyOutcome::Status::applied) {
        context.apps.share_keys(project.id);
        const Deployments deployments(context.store);
        const auto now = deployments.find(project.id, target->id).value_or(*target);
        body["deployment"] =
            deployment_json(context.config, now, deployments.live_name(project.id, target->env));
    }
    answer_release(outcome, std::move(body),
                   "That deployment no longer fits the database of " + name(target->env) +
                       "; nothing was changed.",
                   response);
}

// A preview's rows are only for looking, so no snapshot is taken.
void delete_preview(Context& context, const Request& request, Response& response) {
    const Project& project = *request.project;
    const auto lease = take_lease(
        context, request, {LeaseKind::unpublish, request.caller.user_id, Env::preview}, response);
    if (!lease) return;
    if (!Deployments(context.store).live_one(project.id, Env::preview)) {
        lease->finish({LeaseEnd::refused, 0, ""});
        return response.not_found("Preview environment");
    }
    context.apps.unpublish(*lease);
    context.apps.share_keys(request.project->id);  // its name may be another project's now
    response.send(200, {{"deleted", "preview"}});
}

}  // namespace

void bind_deployments(RouteTable& table) {
    table.add({"GET", "/projects/:id/deploys", Need::read, Role::viewer, list_deployments},
              {"limit", "preview"});
    table.add({"POST", "/projects/:id/deploys/:deployment/rollback", Need::deploy, Role::developer,
               roll_back, 64 * 1024, true});
    table.add({"DELETE", "/projects/:id/preview", Need::deploy, Role::developer, delete_preview});
}

}  // namespace svc::devapi
