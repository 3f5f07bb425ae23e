#include "connector/connector_context.hpp"

namespace svc::connector {

Task<Outcome> run_action(Connecting& in, const ActionCall& call, const Credentials& credentials,
                         Record record) {
    const Outcome outcome = co_await call_action(in.calling, call, credentials);
    co_await connector::record(in.calling.system, in.counts, record, outcome);
    co_return outcome;
}

Task<Outcome> run_tool(Connecting& in, const Tools::Call& call, const Credentials& credentials,
                       Record record) {
    Outcome outcome = failed(
        "The tool is not as it was at the last apply. Apply the contract again "
        "to take it as it is now.");
    if (!call.tool.changed) outcome = co_await in.tools.call(call, credentials);
    co_await connector::record(in.calling.system, in.counts, record, outcome);
    co_return outcome;
}

}  // namespace svc::connector
