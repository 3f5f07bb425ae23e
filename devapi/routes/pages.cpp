// The platform's own pages and probes.
#include <map>

#include "base/prometheus.hpp"
#include "operate/app_metrics.hpp"
#include "ops/admin_path.hpp"
#include "platform/project/projects.hpp"
#include "routes/routes.hpp"

namespace svc::devapi {
namespace {

void home(Context&, const Request&, Response& response) {
    response.content_type = "text/html; charset=utf-8";
    response.header("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'");
    response.body =
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>svc</title>"
        "<style>body{font:16px/1.5 system-ui;max-width:40rem;margin:4rem auto;padding:0 "
        "1rem}</style>"
        "<h1>svc is running</h1><p>The developer API is at <code>/dev/v1</code>; its guide is "
        "<code>GET /dev/v1/docs</code>. Each app answers on its own host.</p></html>\n";
}

void alive(Context&, const Request&, Response& response) { response.send(200, {{"ok", true}}); }

void ready(Context& context, const Request&, Response& response) {
    context.store.transact([](pqxx::work& tx) { tx.exec("select 1"); });
    response.send(200, {{"ok", true}});
}

// App servers of the caller's projects.
std::vector<MeteredApp> metered_apps(Context& context, const Caller& caller) {
    std::map<std::string, std::string> slugs;
    for (const Project& project : list_projects(context.store, caller))
        slugs[project.id] = project.slug;
    std::vector<MeteredApp> out;
    for (const auto& [app, socket] : context.apps.sockets_now()) {
        const auto slug = slugs.find(app.first);
        if (slug != slugs.end() && !socket.empty())
            out.push_back({slug->second, app.second, ops::admin_path(socket)});
    }
    return out;
}

void metrics(Context& context, const Request& request, Response& response) {
    using base::Prometheus;
    Prometheus out;
    out.family(Prometheus::Kind::counter, "svcd_answers_total",
               "Answers of the developer API, by class of status.");
    for (std::size_t digit = 2; digit < context.answers.size(); ++digit)
        out.sample(static_cast<double>(context.answers[digit].load()),
                   {{"status", std::to_string(digit) + "xx"}});
    const auto projects = context.directory.projects();
    std::size_t live = 0;
    for (const auto& project : projects) live += context.apps.state(project.id).live ? 1u : 0u;
    out.one(Prometheus::Kind::gauge, "svcd_projects", "Projects on this platform.",
            static_cast<double>(projects.size()));
    out.one(Prometheus::Kind::gauge, "svcd_live_apps",
            "App servers that serve the dev environment.", static_cast<double>(live));
    std::size_t silent = 0;
    const std::string of_apps = gather_metrics(metered_apps(context, request.caller), silent);
    out.one(Prometheus::Kind::gauge, "svcd_silent_apps",
            "App servers of the caller's projects that did not report their metrics in time.",
            static_cast<double>(silent));
    response.content_type = base::kPrometheusType;
    response.body = out.text() + of_apps;
}

}  // namespace

void bind_pages(RouteTable& table) {
    table.add({"GET", "/", Need::nothing, Role::viewer, home});
    table.add({"GET", "/healthz", Need::nothing, Role::viewer, alive});
    table.add({"GET", "/readyz", Need::nothing, Role::viewer, ready});
    table.add({"GET", "/metrics", Need::any, Role::viewer, metrics});
}

}  // namespace svc::devapi
