// Projects themselves.
#include "apps/database/snapshots.hpp"
#include "apps/lease/lease.hpp"
#include "base/ascii.hpp"
#include "calls/environment.hpp"
#include "domains/proof.hpp"
#include "http/fields.hpp"
#include "platform/project/domains.hpp"
#include "platform/workspace/demands.hpp"
#include "routes/project/domain_answer.hpp"
#include "routes/project/project_answer.hpp"
#include "routes/project/share_keys.hpp"
#include "routes/routes.hpp"

namespace svc::devapi {
namespace {

constexpr int kHighestLimit = 10'000'000;

void list_projects(Context& context, const Request& request, Response& response) {
    const std::string& pinned = request.caller.workspace_id;
    if (!pinned.empty() && kept_out(context.store, request.caller, pinned))
        return refuse_without_factor(response);
    json projects = json::array();
    for (const auto& project : list_projects(context.store, request.caller))
        projects.push_back({{"id", project.id},
                            {"name", project.name},
                            {"slug", project.slug},
                            {"workspace_id", project.workspace_id},
                            {"updated_at", project.updated_at}});
    response.send(200, {{"projects", projects}});
}

// The workspace that a new project goes to; empty: answered.
std::string target_workspace(Context& context, const Request& request, const std::string& requested,
                             Response& response) {
    const std::string& pinned = request.caller.workspace_id;
    std::string workspace = requested.empty() ? pinned : requested;
    const auto role = pinned.empty() || pinned == workspace
                          ? role_in(context.store, request.caller.user_id, workspace)
                          : std::nullopt;
    if (!role) {
        response.not_found("Workspace");
        return {};
    }
    if (kept_out(context.store, request.caller, workspace)) {
        refuse_without_factor(response);
        return {};
    }
    if (*role >= Role::developer) return workspace;
    response.refuse(DevCode::forbidden_role, "A viewer may not create projects.");
    return {};
}

void create_project(Context& context, const Request& request, Response& response) {
    Fields fields(request);
    NewProject wanted;
    wanted.name = fields.required_text("name", 1, 100);
    wanted.description = fields.text("description", 0, 2000).value_or("");
    const std::string workspace = fields.uuid("workspaceId").value_or("");
    if (!fields.has("workspaceId") && request.caller.kind == Caller::Kind::session)
        fields.wrong("workspaceId", "Is required.");
    if (!fields.good(response)) return;
    wanted.workspace_id = target_workspace(context, request, workspace, response);
    if (wanted.workspace_id.empty()) return;
    if (!context.limits.allows(DevLimits::Kind::projects, request.caller.user_id, response)) return;
    response.workspace_id = wanted.workspace_id;
    const Project project = create_project(context.store, request.caller, wanted);
    context.directory.add({project.id, project.slug});
    response.send(201, {{"project",
                         {{"id", project.id},
                          {"name", project.name},
                          {"slug", project.slug},
                          {"workspaceId", project.workspace_id}}}});
}

void show_project(Context& context, const Request& request, Response& response) {
    response.send(200, whole_project_json(context, *request.project));
}

// {browser?, server?}: numbers, or null for svcd's own setting.
void take_limits(const Request& request, Fields& fields, ProjectChange& change) {
    const json body = json::parse(request.body, nullptr, false);
    const auto limits = body.is_object() ? body.find("rateLimits") : body.end();
    if (limits == body.end()) return;
    if (limits->is_null()) {
        change.rate_browser = change.rate_server = std::optional<int>();
        return;
    }
    if (!limits->is_object()) return fields.wrong("rateLimits", "Must be an object.");
    for (const auto& [kind, value] : limits->items()) {
        const bool known = kind == "browser" || kind == "server";
        const bool fits =
            value.is_null() || (value.is_number_integer() && value >= 1 && value <= kHighestLimit);
        if (!known || !fits) {
            fields.wrong("rateLimits/" + kind,
                         known ? "Must be a whole number from 1 to " +
                                     std::to_string(kHighestLimit) + ", or null."
                               : "There are only limits for browser and server.");
            continue;
        }
        (kind == "browser" ? change.rate_browser : change.rate_server) =
            value.is_null() ? std::optional<int>() : std::optional<int>(value.get<int>());
    }
}

void take_domains(const Config& config, Fields& fields, ProjectChange& change) {
    auto domains = fields.texts("domains");
    if (!domains) return;
    if (domains->size() > kMostDomains)
        fields.wrong("domains", "May have at most " + std::to_string(kMostDomains) + " domains.");
    for (std::string& host : *domains) {
        host = base::lower(host);
        if (std::string trouble = host_trouble(config, host); !trouble.empty())
            fields.wrong("domains", std::move(trouble));
    }
    change.domains = std::move(domains);
}

void change(Context& context, const Request& request, Response& response) {
    Fields fields(request);
    ProjectChange change;
    change.name = fields.text("name", 1, 100);
    change.description = fields.text("description", 0, 2000);
    take_limits(request, fields, change);
    take_domains(context.config, fields, change);
    if (!fields.good(response)) return;
    // Domains lead to prod.
    if (change.domains && !may_change(request, Env::prod, response)) return;
    const std::string& id = request.project->id;
    update_project(context.store, id, change);
    // Records are looked up by calls of their own: they may take seconds.
    if (change.domains && context.config.domains_unproven)
        prove_domains(context.config, context.store, id);
    if (change.domains) load_published(context.directory, context.store);
    // Keys carry the limits to the app servers.
    if (change.rate_browser || change.rate_server) context.apps.share_keys(id);
    const auto project = find_project(context.store, request.caller, id);
    if (!project) return response.not_found("Project");
    response.send(200, {{"project", project_json(context, *project)}});
}

// Its rows go into a snapshot first; if that cannot be written, nothing is deleted.
void remove(Context& context, const Request& request, Response& response) {
    const Project& project = *request.project;
    if (query_value(request.query, "confirm") != project.slug) {
        Fields fields(request);
        fields.wrong("confirm", "To confirm, repeat the project's slug: ?confirm=" + project.slug);
        fields.good(response);
        return;
    }
    const auto lease =
        context.apps.take({project.id, project.slug}, {LeaseKind::remove, request.caller.user_id});
    if (!lease)
        return response.refuse(DevCode::project_busy,
                               "A build of this project is running. Try again.");
    try {
        for (const Env env : kEnvironments)
            if (context.apps.state(project.id, env).built)
                context.apps.take_snapshot(
                    {project.id, env, "delete", project.slug, request.caller.user_id});
    } catch (const std::exception& error) {
        lease->finish({LeaseEnd::failed, 0, error.what()});
        return response.refuse(
            500, std::string("Nothing was deleted, because the snapshot failed: ") + error.what());
    }
    context.directory.remove(project.id);
    context.apps.remove(*lease);
    response.send(200, {{"deleted", project.id}});
}

}  // namespace

void bind_projects(RouteTable& table) {
    table.add({"GET", "/projects", Need::any, Role::viewer, list_projects});
    table.add({"POST", "/projects", Need::apply, Role::viewer, create_project});
    table.add({"GET", "/projects/:id", Need::any, Role::viewer, show_project});
    table.add({"PATCH", "/projects/:id", Need::apply, Role::developer, change});
    table.add({"DELETE", "/projects/:id", Need::deploy, Role::admin, remove}, {"confirm"});
}

}  // namespace svc::devapi
