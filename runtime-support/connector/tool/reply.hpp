// What a tool server answers to one message. Source: JSON-RPC 2.0.
#pragma once

#include <string>
#include <string_view>

#include "json/value.hpp"

namespace svc::connector {

struct Reply {
    int status = 0;           // HTTP; 0: no answer
    json::Value result;       // an object where it went well
    int code = 0;             // code of the error that the server reported; 0: no error
    json::Value error;        // that error
    std::string mcp_session;  // header Mcp-Session-Id
    std::string problem;      // why there is neither result nor error; contains no secret
    bool retryable = false;

    bool ok() const { return problem.empty() && code == 0; }
    // The error in words, for the operator of the app.
    std::string words() const;
    // Fills `result`, or `code` and `error`. False if the message is not an answer to ours.
    bool take(std::string_view message);
};

}  // namespace svc::connector
