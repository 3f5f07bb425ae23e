// The platform's own pages and probes.
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
        "<code>GET /dev/v1/docs</code>. Apps answer on hosts of their own.</p></html>\n";
}

void alive(Context&, const Request&, Response& response) { response.send(200, {{"ok", true}}); }

void ready(Context& context, const Request&, Response& response) {
    context.store.transact([](pqxx::work& tx) { tx.exec("select 1"); });
    response.send(200, {{"ok", true}});
}

void metrics(Context& context, const Request&, Response& response) {
    response.content_type = "text/plain; version=0.0.4";
    std::string& out = response.body;
    out =
        "# HELP svcd_answers_total Answers of the developer API by class of status.\n"
        "# TYPE svcd_answers_total counter\n";
    for (std::size_t digit = 2; digit < context.answers.size(); ++digit)
        out += "svcd_answers_total{status=\"" + std::to_string(digit) + "xx\"} " +
               std::to_string(context.answers[digit].load()) + "\n";
    const auto projects = context.directory.projects();
    std::size_t live = 0;
    for (const auto& project : projects) live += context.apps.state(project.id).live ? 1u : 0u;
    out +=
        "# HELP svcd_projects Projects on this platform.\n# TYPE svcd_projects gauge\n"
        "svcd_projects " +
        std::to_string(projects.size()) +
        "\n# HELP svcd_live_apps App servers that serve the dev environment.\n"
        "# TYPE svcd_live_apps gauge\nsvcd_live_apps " +
        std::to_string(live) + "\n";
}

}  // namespace

void bind_pages(RouteTable& table) {
    table.add({"GET", "/", Need::nothing, Role::viewer, home});
    table.add({"GET", "/healthz", Need::nothing, Role::viewer, alive});
    table.add({"GET", "/readyz", Need::nothing, Role::viewer, ready});
    table.add({"GET", "/metrics", Need::any, Role::viewer, metrics});
}

}  // namespace svc::devapi
