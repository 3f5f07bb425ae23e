#include "connector/routes.hpp"

#include <exception>

#include "base/json_text.hpp"
#include "connector/listed.hpp"
#include "log/log.hpp"
#include "run/call/mask.hpp"
#include "run/step_code.hpp"

namespace svc::connector {
namespace {

using json::Value;
using route::Done;
using route::Request;

Value no_props() {
    Value out;
    out.kind = Value::Kind::object;
    return out;
}

// {"props": {…}}; an empty body, or none, is an empty object.
identity::Result<Value> read_props(std::string_view body) {
    const auto wrong = [](std::string message) {
        return identity::refusal(Code::params_invalid, std::move(message), "props");
    };
    if (body.empty()) return no_props();
    json::Parsed parsed = json::parse(body);
    if (!parsed.error.empty()) return wrong("The body is not JSON: " + parsed.error);
    if (!parsed.value.is(Value::Kind::object)) return wrong("The body must be {\"props\": {…}}.");
    for (const Value::Member& member : parsed.value.members)
        if (member.name != "props") return wrong("The body has no \"" + member.name + "\".");
    const Value* props = parsed.value.find("props");
    if (!props || props->is(Value::Kind::null)) return no_props();
    if (!props->is(Value::Kind::object)) return wrong("\"props\" must be an object.");
    return *props;
}

identity::Refusal no_tool(std::string_view name) {
    return identity::refusal(Code::mcp_tool_not_found,
                             "There is no tool " + std::string(name) + ".");
}

// Refuses callers who may not use it.
identity::Result<void> admit(const ConnectorContext& in, const Request& request,
                             const Caller& caller, const std::string& name) {
    if (!request.key->may_call(name))
        return identity::refusal(Code::tool_not_allowed, "This key may not call " + name + ".");
    const AllowedCall* allowed = in.connectors.allow(name);
    if (!allowed)
        return identity::refusal(Code::not_in_allowlist,
                                 "The app's contract does not allow calls of " + name + ".");
    if (caller.is(allowed->to)) return {};
    return identity::refusal(Code::not_in_allowlist, "You may not call " + name + ".");
}

identity::Refusal not_connected(const std::string& id) {
    return identity::refusal(Code::integration_not_connected,
                             id + " is not connected: the project lacks its secret.");
}

struct Named {
    std::string_view source_key, source;  // integrationId or connectorName
    std::string_view name_key, name;      // actionName or toolName
    run::StepCode code;                   // of a failure
};

void answer(http::Exchange& exchange, const Outcome& outcome, const Named& named, std::int64_t ms) {
    std::string& body = exchange.reply().body;
    if (!outcome.ok()) {
        body = R"({"success":false,"data":null,"error":{)";
        base::append_json_member(body, "code", base::word(named.code));
        body += ',';
        base::append_json_member(body, "message", outcome.error);
        body += "}}";
        return;
    }
    body = R"({"success":true,"data":)" + outcome.data + ",\"meta\":{";
    base::append_json_member(body, named.source_key, named.source);
    body += ',';
    base::append_json_member(body, named.name_key, named.name);
    body += ",\"durationMs\":" + std::to_string(ms) + "}}";
}

CallRecord record_of(const Caller& caller, std::string_view kind, std::string target) {
    CallRecord out;
    if (caller.user) out.user = caller.user->id;
    out.source = "route";
    out.kind = kind;
    out.target = std::move(target);
    return out;
}

// A caller reads a fault of the runner as such, and its reason stands in the log.
Task<Outcome> try_action(ConnectorContext& in, const ActionCall& call,
                         const Credentials& credentials, const CallRecord& record) {
    std::string why;
    try {
        co_return co_await run_action(in, call, credentials, record);
    } catch (const std::exception& error) {
        why = error.what();
    }
    log::write(log::Level::error, "action_not_run",
               {{"target", record.target}, {"what", run::masked(why, credentials.masked)}});
    const Outcome out = unmade("The action could not be run. The log of the server says why.");
    co_await connector::record(in.call_context.system, in.counts, record, out);
    co_return out;
}

Task<Done> call_action(ConnectorContext& in, Request& request) {
    const auto caller = co_await in.callers.identify(request);
    if (!caller) co_return caller.error();
    const std::string name(request.id);
    if (const auto fit = admit(in, request, *caller, name); !fit) co_return fit.error();
    const std::size_t slash = name.find('/');
    const Integration* integration = in.connectors.integration(name.substr(0, slash));
    const Action* action = integration && slash != std::string::npos
                               ? integration->find(name.substr(slash + 1))
                               : nullptr;
    if (!action || !in.call_context.outside) co_return not_connected(name.substr(0, slash));
    const auto props = read_props(request.exchange.body());
    if (!props) co_return props.error();
    if (const std::string why = misfit(*integration, *action, *props); !why.empty())
        co_return identity::refusal(Code::params_invalid, why, "props");
    const auto credentials =
        co_await find_credentials(in.call_context, integration->auth, integration->base_url);
    if (!credentials) co_return credentials.error();
    if (!credentials->connected) co_return not_connected(integration->id);
    const CallRecord record = record_of(*caller, "action", name);
    const ActionCall call{*integration, *action, *props, {}, 0};
    const Outcome outcome = co_await try_action(in, call, *credentials, record);
    if (outcome.unmade) co_return identity::refusal(Code::execution_error, outcome.error);
    answer(request.exchange, outcome,
           {"integrationId", integration->id, "actionName", action->name,
            run::StepCode::execution_failed},
           record.ms());
    co_return Done();
}

Task<Done> call_tool(ConnectorContext& in, Request& request) {
    const auto caller = co_await in.callers.identify(request);
    if (!caller) co_return caller.error();
    const std::string name(request.id);
    const Connectors::Tool wanted = in.connectors.tool(name);
    const AllowedCall* allowed = in.connectors.allow(name);
    if (request.key->may_call(name) && (!wanted.server || !allowed)) co_return no_tool(name);
    if (const auto fit = admit(in, request, *caller, name); !fit) co_return fit.error();
    if (!in.call_context.outside) co_return not_connected(wanted.server->id);
    const auto props = read_props(request.exchange.body());
    if (!props) co_return props.error();
    const auto credentials =
        co_await find_credentials(in.call_context, wanted.server->auth, wanted.server->url);
    if (!credentials) co_return credentials.error();
    if (!credentials->connected) co_return not_connected(wanted.server->id);
    const CallRecord record = record_of(*caller, "tool", name);
    const ListingPtr listing = co_await in.tools.list(*wanted.server, *credentials);
    const Tool* tool = listing->find(wanted.name);
    if (!tool && listing->problem.empty()) co_return no_tool(name);
    Outcome outcome = failed(listing->problem, listing->retryable);
    if (tool)
        outcome = co_await run_tool(in, {*wanted.server, *tool, *props}, *credentials, record);
    else
        co_await connector::record(in.call_context.system, in.counts, record, outcome);
    answer(request.exchange, outcome,
           {"connectorName", wanted.server->id, "toolName", wanted.name,
            run::StepCode::mcp_tool_error},
           record.ms());
    co_return Done();
}

using Act = Task<Done> (*)(ConnectorContext&, Request&);

route::Endpoint endpoint(ConnectorContext& in, Method method, std::string_view path, Act act) {
    return {.method = method,
            .path = path,
            .entry = route::Entry::key,
            .handler = [&in, act](Request& request) { return act(in, request); }};
}

}  // namespace

std::vector<route::Endpoint> routes(ConnectorContext& in) {
    return {endpoint(in, Method::get, "/connector-proxy/available", list_integrations),
            endpoint(in, Method::get, "/connector-proxy/mcp/available", list_tools),
            endpoint(in, Method::post, "/connector-proxy/mcp/<id>", call_tool),
            endpoint(in, Method::post, "/connector-proxy/<path>", call_action)};
}

}  // namespace svc::connector
