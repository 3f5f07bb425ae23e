// The services that routes and steps of connectors use.
#pragma once

#include <functional>

#include "connector/audit.hpp"
#include "connector/call.hpp"
#include "connector/tool/tools.hpp"
#include "route/as_caller.hpp"

namespace svc::connector {

// Outlives them. One thread's.
struct ConnectorContext {
    ConnectorContext(const CallContext& call_context, Connectors connectors, Counts& counts,
                     const route::Callers& callers)
        : call_context(call_context),
          connectors(std::move(connectors)),
          counts(counts),
          callers(callers) {}

    const CallContext call_context;
    const Connectors connectors;
    Counts& counts;
    const route::Callers callers;
    Tools tools{call_context};
};

// A call that was let in, with its record.
Task<Outcome> run_action(ConnectorContext& in, const ActionCall& call,
                         const Credentials& credentials, CallRecord record);
Task<Outcome> run_tool(ConnectorContext& in, const Tools::Call& call,
                       const Credentials& credentials, CallRecord record);

}  // namespace svc::connector
