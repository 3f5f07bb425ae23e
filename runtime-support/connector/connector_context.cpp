#include "connector/connector_context.hpp"

namespace svc::connector {

Task<Outcome> run_action(ConnectorContext& in, const ActionCall& call,
                         const Credentials& credentials, CallRecord record) {
    const Outcome outcome = co_await call_action(in.call_context, call, credentials);
    co_await connector::record(in.call_context.system, in.counts, record, outcome);
    co_return outcome;
}

Task<Outcome> run_tool(ConnectorContext& in, const Tools::Call& call,
                       const Credentials& credentials, CallRecord record) {
    Outcome outcome = failed(
        "The tool is not as it was at the last apply. Apply the contract again "
        "to take it as it is now.");
    if (!call.tool.changed) outcome = co_await in.tools.call(call, credentials);
    co_await connector::record(in.call_context.system, in.counts, record, outcome);
    co_return outcome;
}

}  // namespace svc::connector
