#include "connector/steps.hpp"

namespace svc::connector {
namespace {

run::ServiceResult refused(std::string code, std::string error, bool retryable = false) {
    run::ServiceResult result;
    result.code = std::move(code);
    result.error = std::move(error);
    result.retryable = retryable;
    return result;
}

run::ServiceResult refused(const identity::Refusal& refusal) {
    return refused(std::string(name(refusal.error.code)), refusal.error.message, true);
}

run::ServiceResult result_of_call(const Outcome& outcome, std::string_view code) {
    run::ServiceResult result;
    result.output = outcome.data;
    if (outcome.ok()) return result;
    result.error = outcome.error;
    result.code = code;
    result.retryable = outcome.retryable;
    result.retry_after = outcome.retry_after;
    return result;
}

json::Value props_of(const run::ServiceCall& asked) {
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

Task<run::ServiceResult> ConnectorStep::perform(run::ServiceCall asked) {
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
    co_return result_of_call(outcome, "EXECUTION_FAILED");
}

Task<run::ServiceResult> McpStep::perform(run::ServiceCall asked) {
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
    co_return result_of_call(outcome, "MCP_TOOL_ERROR");
}

}  // namespace svc::connector
