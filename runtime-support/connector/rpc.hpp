// Sends one message to a tool server and reads the answer: JSON-RPC over the streamable HTTP
// transport of the Model Context Protocol.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "connector/credentials.hpp"
#include "json/value.hpp"

namespace svc::connector {

struct Message {
    std::string method;
    std::string params;  // JSON object; empty: none
    bool notification = false;
    std::vector<std::pair<std::string, std::string>> headers;  // beside those of every message
    unsigned seconds = 30;
};

struct Reply {
    int status = 0;       // HTTP; 0: no answer
    json::Value result;   // an object where it went well
    int code = 0;         // of the error that the server said; 0: it said none
    json::Value error;    // that error
    std::string session;  // header Mcp-Session-Id
    std::string problem;  // why there is neither; without any secret
    bool retryable = false;

    bool ok() const { return problem.empty() && code == 0; }
    // The error in words, for the operator of the app.
    std::string words() const;
};

Task<Reply> send(const Calling& in, const Server& server, const Credentials& credentials,
                 Message message);

}  // namespace svc::connector
