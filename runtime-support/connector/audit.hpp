// Records every call as a row of svc.connector_call (schema/connectors.sql): the caller, the action
// and the end of the call, never what was sent or received.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "connector/counts.hpp"
#include "connector/outcome.hpp"
#include "db/pool.hpp"

namespace svc::connector {

struct CallRecord {
    std::string user;         // an account's id; empty: none
    std::string_view source;  // route, workflow
    std::string_view kind;    // action, tool
    std::string target;       // <integration>/<action>, mcp_<server>_<tool>
    std::chrono::steady_clock::time_point began = std::chrono::steady_clock::now();

    std::int64_t ms() const {
        return std::chrono::duration_cast<std::chrono::milliseconds>(
                   std::chrono::steady_clock::now() - began)
            .count();
    }
};

Task<> record(db::Pool& system, Counts& counts, const CallRecord& call, const Outcome& outcome);

}  // namespace svc::connector
