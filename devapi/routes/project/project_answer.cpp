#include "routes/project/project_answer.hpp"

#include <pqxx/except>

#include "apps/lease/apply_runs.hpp"
#include "base/app_paths.hpp"
#include "operate/file/files_check.hpp"
#include "operate/held.hpp"
#include "operate/hooks.hpp"
#include "platform/project/deployments.hpp"
#include "platform/project/domains.hpp"
#include "routes/app_url.hpp"
#include "routes/project/domain_answer.hpp"

namespace svc::devapi {
namespace {

json text_or_null(const std::string& text) { return text.empty() ? json(nullptr) : json(text); }

json number_or_null(const std::optional<int>& number) {
    return number ? json(*number) : json(nullptr);
}

json run_json(const ApplyRun& run) {
    return {{"id", run.id},
            {"kind", word(run.kind)},
            {"status", run.end ? word(*run.end) : "running"},
            {"stage", word(run.stage)},
            {"version", run.version ? json(run.version) : json(nullptr)},
            {"error", text_or_null(run.error)},
            {"recovered", text_or_null(std::string(word(run.recovered)))},
            {"startedAt", run.started_at},
            {"endedAt", text_or_null(run.ended_at)}};
}

json pending_json(const std::vector<migrate::Pending>& pending) {
    json out = json::array();
    for (const auto& one : pending)
        out.push_back({{"kind", base::word(one.kind)},
                       {"table", one.table},
                       {"name", one.name},
                       {"path", one.path},
                       {"error", one.error.empty() ? json(nullptr) : json(one.error)}});
    return out;
}

// A list of webhooks. Null if the app's database does not answer: the answer has the other facts
// all the same.
json hooks_of(Context& context, const Project& project, Env env,
              std::string (*read)(const std::string& database)) try {
    const std::string database = context.apps.database_url(project.id, env);
    return database.empty() ? json::array() : json::parse(read(database));
} catch (const pqxx::failure&) {
    return nullptr;
}

// Null if the app's database does not answer.
json held_of(Context& context, const Project& project, Env env) try {
    const std::string database = context.apps.database_url(project.id, env);
    return database.empty() ? json{{"runs", 0}, {"mails", 0}, {"deliveries", 0}}
                            : json::parse(held_counts_json(database));
} catch (const pqxx::failure&) {
    return nullptr;
}

// Null where nobody has checked them yet, or its database does not answer.
json files_check_of(Context& context, const Project& project, Env env) try {
    const std::string database = context.apps.database_url(project.id, env);
    return database.empty() ? json() : json::parse(files_checked(database));
} catch (const pqxx::failure&) {
    return nullptr;
}

// Null where nothing is published.
json published_json(Context& context, const Project& project, Env env) {
    const AppState state = context.apps.state(project.id, env);
    const Deployments deployments(context.store);
    const auto live = deployments.live_one(project.id, env);
    if (!state.built || !live) return nullptr;
    const json held = held_of(context, project, env);
    return {{"url", published_url(context.config, deployments.live_name(project.id, env))},
            {"live", state.live},
            {"contractVersion", state.version},
            {"deployment", live->id},
            {"hooksOff", hooks_of(context, project, env, hooks_off_json)},
            {"hooksLackingSecret", hooks_of(context, project, env, hooks_lacking_secret_json)},
            {"heldRuns", held.is_null() ? held : held["runs"]},
            {"held", held},
            {"filesCheck", files_check_of(context, project, env)},
            {"lastError", nullable(state.last_error)}};
}

}  // namespace

json project_json(Context& context, const Project& project) {
    return {{"id", project.id},
            {"name", project.name},
            {"slug", project.slug},
            {"description", project.description},
            {"workspaceId", project.workspace_id},
            {"role", name(project.role)},
            {"rateLimits",
             {{"browser", number_or_null(project.rate_browser)},
              {"server", number_or_null(project.rate_server)}}},
            {"domains", domains_json(domains_of(context.store, project.id))}};
}

json whole_project_json(Context& context, const Project& project) {
    const AppState state = context.apps.state(project.id);
    json runs = json::array();
    for (const auto& run : last_runs(context.store, project.id)) runs.push_back(run_json(run));
    const json held = held_of(context, project, Env::dev);
    const json dev = {
        {"url", preview_url(context.config, project.slug)},
        {"live", state.live},
        {"contractVersion", state.built ? json(state.version) : json(nullptr)},
        {"hooksOff", hooks_of(context, project, Env::dev, hooks_off_json)},
        {"hooksLackingSecret", hooks_of(context, project, Env::dev, hooks_lacking_secret_json)},
        {"heldRuns", held.is_null() ? held : held["runs"]},
        {"held", held},
        {"filesCheck", files_check_of(context, project, Env::dev)}};
    json environments = {{"dev", dev}, {"prod", published_json(context, project, Env::prod)}};
    if (json preview = published_json(context, project, Env::preview); !preview.is_null())
        environments["preview"] = std::move(preview);
    return {{"project", project_json(context, project)},
            {"state",
             {{"built", state.built},
              {"lastError", nullable(state.last_error)},
              {"pending", pending_json(state.pending)},
              {"applies", runs}}},
            {"previewPath", std::string(base::kPreviewPath) + project.id + "/"},
            {"environments", std::move(environments)}};
}

}  // namespace svc::devapi
