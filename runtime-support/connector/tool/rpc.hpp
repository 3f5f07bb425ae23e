// Sends one message to a tool server and reads the answer: JSON-RPC over the streamable HTTP
// transport of the Model Context Protocol.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "connector/credentials.hpp"
#include "connector/tool/reply.hpp"

namespace svc::connector {

struct Message {
    std::string method;
    std::string params;  // JSON object; empty: none
    bool notification = false;
    std::vector<std::pair<std::string, std::string>> headers;  // beside those of every message
    unsigned seconds = 30;
};

Task<Reply> send(const CallContext& in, const Server& server, const Credentials& credentials,
                 Message message);

}  // namespace svc::connector
