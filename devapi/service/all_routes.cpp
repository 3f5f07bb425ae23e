#include "service/all_routes.hpp"

#include "mcp/operations.hpp"
#include "routes/routes.hpp"

namespace svc::devapi {

void bind_routes(RouteTable& pages, RouteTable& api) {
    bind_pages(pages);
    bind_setup(pages);
    bind_join(pages, api);
    bind_passkey_page(pages);
    bind_account(api);
    bind_mfa(api);
    bind_passkeys(api);
    bind_tokens(api);
    bind_workspaces(api);
    bind_demands(api);
    bind_audit(api);
    bind_sign_in(pages, api);
    bind_projects(api);
    bind_contract(api);
    bind_domains(api);
    bind_apply(api);
    bind_patch(api);
    bind_verify(api);
    bind_deploy(api);
    bind_deployments(api);
    bind_snapshots(api);
    bind_keys(api);
    bind_secrets(api);
    bind_data(api);
    bind_people(api);
    bind_sql(api);
    bind_rows(api);
    bind_history(api);
    bind_schema(api);
    bind_workflows(api);
    bind_held(api);
    bind_hooks(api);
    bind_ai(api);
    bind_payments(api);
    bind_files(api);
    bind_tail(api);
    bind_topics(api);
    bind_demo(api);
    bind_components(api);
    bind_screenshot(api);
    bind_live_files(api);
    bind_mcp(api);
    bind_mcp(pages);
}

std::string routes_text() {
    RouteTable pages, api;
    bind_routes(pages, api);
    json out = json::array();
    for (const Route& route : api.routes())
        out.push_back({{"method", route.method},
                       {"path", route.pattern},
                       {"need", name(route.need)},
                       {"role", name(route.role)},
                       {"project", route.has_project()},
                       {"params", route.params}});
    json tools = json::array();
    for (const Operation& operation : operations())
        tools.push_back({{"name", operation.name},
                         {"method", operation.method},
                         {"path", operation.path},
                         {"reads", operation.reads}});
    return to_text({{"routes", out}, {"operations", tools}});
}

}  // namespace svc::devapi
