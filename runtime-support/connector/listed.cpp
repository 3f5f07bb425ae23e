#include "connector/listed.hpp"

#include "base/json_text.hpp"

namespace svc::connector {
namespace {

using route::Done;
using route::Request;

bool may(const ConnectorContext& in, const Request& request, const Caller& caller,
         const std::string& name) {
    const AllowedCall* allowed = in.connectors.allow(name);
    return allowed && caller.is(allowed->to) && request.key->may_call(name);
}

void append_integration(std::string& out, const Integration& integration,
                        const std::vector<const Action*>& actions) {
    out += out.back() == '[' ? "{" : ",{";
    base::append_json_member(out, "id", integration.id);
    out += ',';
    base::append_json_member(out, "displayName", integration.label);
    out += ",\"actions\":[";
    for (const Action* action : actions) {
        out += action == actions.front() ? "{" : ",{";
        base::append_json_member(out, "name", action->name);
        out += ',';
        base::append_json_member(out, "displayName", action->label);
        out += '}';
    }
    out += "]}";
}

void append_tool(std::string& out, const Server& server, const Tool& tool) {
    out += out.back() == '[' ? "{" : ",{";
    base::append_json_member(out, "fullName", full_name(server, tool.name));
    out += ',';
    base::append_json_member(out, "connectorName", server.id);
    out += ',';
    base::append_json_member(out, "toolName", tool.name);
    out += ',';
    base::append_json_member(out, "description", tool.description);
    out += '}';
}

}  // namespace

Task<Done> list_integrations(ConnectorContext& in, Request& request) {
    const auto caller = co_await in.callers.identify(request);
    if (!caller) co_return caller.error();
    std::string out = "{\"integrations\":[";
    for (const Integration& integration : in.connectors.integrations) {
        std::vector<const Action*> actions;
        for (const Action& action : integration.actions)
            if (may(in, request, *caller, integration.id + "/" + action.name))
                actions.push_back(&action);
        if (actions.empty() || !in.call_context.outside) continue;
        const auto connected =
            co_await is_connected(in.call_context, integration.auth, integration.base_url);
        if (!connected) co_return connected.error();
        if (*connected) append_integration(out, integration, actions);
    }
    request.exchange.reply().body = out + "]}";
    co_return Done();
}

Task<Done> list_tools(ConnectorContext& in, Request& request) {
    const auto caller = co_await in.callers.identify(request);
    if (!caller) co_return caller.error();
    std::string out = "{\"tools\":[";
    for (const Server& server : in.connectors.servers) {
        bool any = false;
        for (const AllowedCall& allowed : in.connectors.allowed)
            any = any || (in.connectors.tool(allowed.name).server == &server &&
                          may(in, request, *caller, allowed.name));
        if (!any || !in.call_context.outside) continue;
        const auto credentials =
            co_await find_credentials(in.call_context, server.auth, server.url);
        if (!credentials) co_return credentials.error();
        if (!credentials->connected) continue;
        const ListingPtr listing = co_await in.tools.list(server, *credentials);
        for (const Tool& tool : listing->tools)
            if (!tool.changed && may(in, request, *caller, full_name(server, tool.name)))
                append_tool(out, server, tool);
    }
    request.exchange.reply().body = out + "]}";
    co_return Done();
}

}  // namespace svc::connector
