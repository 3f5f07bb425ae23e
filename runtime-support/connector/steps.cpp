#include "connector/steps.hpp"

#include "run/step_code.hpp"

namespace svc::connector {
namespace {

run::ServiceResult refused(const identity::Refusal& refusal) {
    return run::failed(refusal.error.code, refusal.error.message, true);
}

run::ServiceResult result_of_call(const Outcome& outcome, run::StepCode code) {
    run::ServiceResult result;
    result.output = outcome.data;
    if (outcome.ok()) return result;
    result.error = outcome.error;
    result.code = base::word(code);
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
    if (!action)
        co_return run::failed(Code::not_found, "The app has no action " + id + "/" + wanted + ".");
    const json::Value props = props_of(asked);
    if (const std::string why = misfit(*integration, *action, props); !why.empty())
        co_return run::failed(Code::params_invalid, why);
    const auto credentials =
        co_await find_credentials(in_.call_context, integration->auth, integration->base_url);
    if (!credentials) co_return refused(credentials.error());
    if (!credentials->connected)
        co_return run::failed(Code::integration_not_connected, credentials->problem);
    const ActionCall call{*integration, *action, props, asked.idempotency_key,
                          static_cast<unsigned>(asked.timeout)};
    const Outcome outcome =
        co_await run_action(in_, call, *credentials, record_of("action", id + "/" + wanted));
    co_return result_of_call(outcome, run::StepCode::execution_failed);
}

Task<run::ServiceResult> McpStep::perform(run::ServiceCall asked) {
    const std::string id = asked.request.text_of("server");
    const std::string wanted = asked.request.text_of("tool");
    const Server* server = in_.connectors.server(id);
    if (!server) co_return run::failed(Code::not_found, "The app has no tool server " + id + ".");
    const auto credentials = co_await find_credentials(in_.call_context, server->auth, server->url);
    if (!credentials) co_return refused(credentials.error());
    if (!credentials->connected)
        co_return run::failed(Code::integration_not_connected, credentials->problem);
    const json::Value props = props_of(asked);
    const CallRecord record = record_of("tool", full_name(*server, wanted));
    const ListingPtr listing = co_await in_.tools.list(*server, *credentials);
    const Tool* tool = listing->find(wanted);
    if (!tool && listing->problem.empty())
        co_return run::failed(Code::mcp_tool_not_found,
                              "The server " + id + " has no tool " + wanted + ".");
    Outcome outcome = failed(listing->problem, listing->retryable);
    if (tool)
        outcome =
            co_await run_tool(in_, {*server, *tool, props, static_cast<unsigned>(asked.timeout)},
                              *credentials, record);
    else
        co_await connector::record(in_.call_context.system, in_.counts, record, outcome);
    co_return result_of_call(outcome, run::StepCode::mcp_tool_error);
}

}  // namespace svc::connector
