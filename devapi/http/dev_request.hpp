// One call of the developer API as its handlers see it. They run on worker threads, one call a
// thread from begin to end, and may block.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "common/dev_code.hpp"
#include "platform/account/credentials.hpp"
#include "platform/project/projects.hpp"

namespace svc::devapi {

using json = nlohmann::ordered_json;

inline json nullable(const std::optional<std::string>& text) {
    return text ? json(*text) : json(nullptr);
}

struct Request {
    std::string_view method, path, query, body;  // valid until the answer is complete
    std::string_view content_type, authorization;
    std::string_view mcp_version, mcp_method, mcp_name;  // MCP-Protocol-Version, Mcp-Method, …
    std::string_view last_event_id;  // Last-Event-ID: of an earlier stream's last event
    std::string remote;
    std::string_view host, origin;
    std::map<std::string, std::string, std::less<>> params;  // of the path: id, key, …
    Caller caller;
    std::optional<Project> project;  // set on routes below /projects/:id
    // Set where the client asked for an event stream: sends one event. For any thread.
    std::function<void(std::string_view event, const json& data)> progress;
    // Set beside it: the same with data that is JSON already. `id`: a client that comes back sends
    // it as Last-Event-ID; empty: none. An empty event sends the id alone, or a comment, which
    // keeps the line open.
    std::function<void(std::string_view event, std::string_view data, std::string_view id)>
        send_text;
    // False once nobody listens to the stream any more, which shows when something is sent.
    std::function<bool()> listening;
    // True once the client of a plain answer has closed its connection; may be null.
    const std::atomic<bool>* hung_up = nullptr;
};

struct Response {
    int status = 200;
    std::string_view content_type = "application/json";  // a literal: it outlives the response
    std::string body;
    std::string headers;  // whole lines, each ending in CRLF
    // For the audit, where neither the path nor a token says it: the workspace that it was about,
    // and who did it where the call carried no credential.
    std::string workspace_id = {};
    Caller actor = {};
    bool noted = false;  // in the audit already, since it goes on

    void send(int code, const json& object);
    void header(std::string_view name, std::string_view value);
    // {error, code}, with the code's own status.
    void refuse(AnyCode code, std::string_view message);
    // {error} alone: the answers that the interface leaves without a code.
    void refuse(int code, std::string_view message);
    void not_found(std::string_view what);  // "Project not found."
};

// 403 MFA_REQUIRED: the workspace demands a second factor, which the caller has not shown.
void refuse_without_factor(Response& response);

// The value as one line of text, also with strings that are not UTF-8, such as a compiler's output.
std::string to_text(const json& value);

}  // namespace svc::devapi
