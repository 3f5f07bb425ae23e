#include "connector/steps.hpp"

namespace svc::connector {
namespace {

run::Came refused(std::string code, std::string error, bool retryable = false) {
    run::Came came;
    came.code = std::move(code);
    came.error = std::move(error);
    came.retryable = retryable;
    return came;
}

run::Came refused(const identity::Refusal& refusal) {
    return refused(std::string(name(refusal.error.code)), refusal.error.message, true);
}

run::Came came_of(const Outcome& outcome, std::string_view code) {
    run::Came came;
    came.output = outcome.data;
    if (outcome.ok()) return came;
    came.error = outcome.error;
    came.code = code;
    came.retryable = outcome.retryable;
    came.retry_after = outcome.retry_after;
    return came;
}

json::Value props_of(const run::Asked& asked) {
    json::Value out;
    out.kind = json::Value::Kind::object;
    const json::Value* props = asked.request.find("props");
    return props && props->is(json::Value::Kind::object) ? *props : out;
}

CallRecord record_of(std::string_view kind, std::string target) {
    CallRecord out;
    out.source = "workflow";
    out.kind = kind;
    out.target = std::move(target);
    return out;
}

}  // namespace

Task<run::Came> ConnectorStep::perform(run::Asked asked) {
    const std::string id = asked.request.text_of("integration");
    const std::string wanted = asked.request.text_of("action");
    const Integration* integration = in_.connectors.integration(id);
    const Action* action = integration ? integration->find(wanted) : nullptr;
    if (!action) co_return refused("NOT_FOUND", "The app has no action " + id + "/" + wanted + ".");
    const json::Value props = props_of(asked);
    if (const std::string why = misfit(*integration, *action, props); !why.empty())
        co_return refused("PARAMS_INVALID", why);
    const auto credentials =
        co_await find_credentials(in_.call_context, integration->auth, integration->base_url);
    if (!credentials) co_return refused(credentials.error());
    if (!credentials->connected)
        co_return refused("INTEGRATION_NOT_CONNECTED", credentials->problem);
    const ActionCall call{*integration, *action, props, asked.idempotency_key,
                          static_cast<unsigned>(asked.timeout)};
    const Outcome outcome =
        co_await run_action(in_, call, *credentials, record_of("action", id + "/" + wanted));
    co_return came_of(outcome, "EXECUTION_FAILED");
}

Task<run::Came> McpStep::perform(run::Asked asked) {
    const std::string id = asked.request.text_of("server");
    const std::string wanted = asked.request.text_of("tool");
    const Server* server = in_.connectors.server(id);
    if (!server) co_return refused("NOT_FOUND", "The app has no tool server " + id + ".");
    const auto credentials = co_await find_credentials(in_.call_context, server->auth, server->url);
    if (!credentials) co_return refused(credentials.error());
    if (!credentials->connected)
        co_return refused("INTEGRATION_NOT_CONNECTED", credentials->problem);
    const json::Value props = props_of(asked);
    const CallRecord record = record_of("tool", full_name(*server, wanted));
    const ListingPtr listing = co_await in_.tools.list(*server, *credentials);
    const Tool* tool = listing->find(wanted);
    if (!tool && listing->problem.empty())
        co_return refused("MCP_TOOL_NOT_FOUND",
                          "The server " + id + " has no tool " + wanted + ".");
    Outcome outcome = failed(listing->problem, listing->retryable);
    if (tool)
        outcome =
            co_await run_tool(in_, {*server, *tool, props, static_cast<unsigned>(asked.timeout)},
                              *credentials, record);
    else
        co_await connector::record(in_.call_context.system, in_.counts, record, outcome);
    co_return came_of(outcome, "MCP_TOOL_ERROR");
}

}  // namespace svc::connector
