// A call of an integration's action.
#pragma once

#include "connector/credentials.hpp"
#include "connector/outcome.hpp"

namespace svc::connector {

// Why these properties cannot be sent; empty: they can.
std::string misfit(const Integration& integration, const Action& action, const json::Value& props);

struct ActionCall {
    const Integration& integration;
    const Action& action;
    const json::Value& props;     // that fit
    std::string idempotency_key;  // empty: none
    unsigned seconds = 0;         // that it may take; 0: 30
};
Task<Outcome> call_action(const CallContext& in, const ActionCall& call,
                          const Credentials& credentials);

}  // namespace svc::connector
