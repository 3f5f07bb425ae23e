// Makes a request from an action and its properties. A value cannot change any other part of the
// request.
#pragma once

#include <string>

#include "connector/connectors.hpp"
#include "outgoing/fetch.hpp"

namespace svc::connector {

struct ActionRequest {
    outgoing::Fetch fetch;  // without credentials
    std::string problem;    // why these properties cannot be sent; empty: they can
};
// `props`: an object that fits the action's schema.
ActionRequest request_of(const Integration& integration, const Action& action,
                         const json::Value& props);

}  // namespace svc::connector
