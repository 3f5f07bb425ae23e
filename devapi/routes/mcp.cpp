// The developer API for tool clients: Model Context Protocol over HTTP, without sessions, in its
// versions with a greeting and the one without. Every call is one request and one answer.
#include <algorithm>
#include <array>

#include "common/json_slice.hpp"
#include "http/fields.hpp"
#include "mcp/stateless.hpp"
#include "mcp/tool_call.hpp"
#include "routes/report.hpp"
#include "routes/routes.hpp"

namespace svc::devapi {
namespace {

// The versions of the protocol in which a client first sends `initialize`.
constexpr std::array<std::string_view, 2> kVersions = {"2025-06-18", "2025-03-26"};
constexpr std::size_t kMostOfBatch = 20;
constexpr long kKept = 60'000;  // milliseconds that a client may keep a list
constexpr const char* kInstructions =
    "Builds and operates backends that a contract declares. Call the tool docs first: it explains "
    "the contract's language. Call check_contract before apply_contract.";

enum Fault {
    not_json = -32700,
    not_a_request = -32600,
    no_method = -32601,
    bad_arguments = -32602
};

std::string envelope(std::string_view id, std::string_view member, std::string_view value) {
    return R"({"jsonrpc":"2.0","id":)" + std::string(id) + ",\"" + std::string(member) +
           "\":" + std::string(value) + "}";
}

std::string fault(std::string_view id, const McpError& what) {
    json error = {{"code", what.code}, {"message", what.message}};
    if (!what.data.is_null()) error["data"] = what.data;
    return envelope(id, "error", to_text(error));
}

std::string fault(std::string_view id, Fault code, const std::string& message) {
    return fault(id, McpError{static_cast<int>(code), message, {}});
}

json server_info() { return {{"name", "svc"}, {"title", "svc"}, {"version", "0.1.0"}}; }
json capabilities() { return {{"tools", {{"listChanged", false}}}}; }

bool known_version(std::string_view version) {
    return std::ranges::find(kVersions, version) != kVersions.end();
}

std::string initialize(const json& params) {
    const std::string requested = text_in(params, "protocolVersion");
    const json result = {
        {"protocolVersion", known_version(requested) ? requested : std::string(kVersions[0])},
        {"capabilities", capabilities()},
        {"serverInfo", server_info()},
        {"instructions", kInstructions}};
    return to_text(result);
}

// A picture is content of its own: as text nobody sees it.
std::string image_result(json answer) {
    const json image = {
        {"type", "image"}, {"data", std::move(answer["png"])}, {"mimeType", "image/png"}};
    answer.erase("png");
    const json text = {{"type", "text"}, {"text", to_text(answer)}};
    return to_text({{"content", {image, text}}, {"isError", false}, {"structuredContent", answer}});
}

std::string result_of(const Operation& operation, const Response& response) {
    if (operation.name == "take_screenshot" && response.status == 200)
        return image_result(json::parse(response.body));
    const json text = {{{"type", "text"}, {"text", response.body}}};
    std::string out = R"({"content":)" + to_text(text) + R"(,"isError":)" +
                      (response.status < 400 ? "false" : "true");
    if (response.body.starts_with('{')) out += ",\"structuredContent\":" + response.body;
    return out + "}";
}

// The result of a call, or its fault as a whole answer.
struct Called {
    std::string result, fault;
};

Called call_tool(Context& context, const Request& request, std::string_view id,
                 std::string_view params) {
    const std::string name = text_in(json::parse(params, nullptr, false), "name");
    const Operation* operation = find_operation(context, name);
    if (!operation) return {{}, fault(id, bad_arguments, "There is no tool '" + name + "'.")};
    const std::string arguments(json_member(params, "arguments").value_or("{}"));
    if (!arguments.starts_with('{'))
        return {{}, fault(id, bad_arguments, "arguments must be an object.")};
    const Response response = call_operation(context, request, *operation, arguments,
                                             query_value(request.query, "project"));
    return {result_of(*operation, response), {}};
}

std::string tools_result(Context& context) { return R"({"tools":)" + tools_text(context) + "}"; }

// A message of the protocol without a greeting.
void answer_stateless(Context& context, const Request& request, const json& parsed,
                      Response& response) {
    const json id = parsed.is_object() ? parsed.value("id", json()) : json();
    const bool named = id.is_string() || id.is_number_integer();
    const std::string own = named ? to_text(id) : "null";
    if (const auto wrong = stateless_fault(request, parsed)) {
        response.status = 400;
        response.body = fault(own, *wrong);
        return;
    }
    if (!named) return;  // a notification: there is nothing that we were to do for it
    const auto result = [&own](std::string text, long kept) {
        return envelope(own, "result", stateless_result(std::move(text), server_info(), kept));
    };
    const std::string method = parsed.value("method", "");
    if (method == "server/discover") {
        const json us = {{"supportedVersions", kMcpVersions},
                         {"capabilities", capabilities()},
                         {"instructions", kInstructions}};
        response.body = result(to_text(us), kKept);
    } else if (method == "tools/list") {
        response.body = result(tools_result(context), kKept);
    } else if (method == "tools/call") {
        Called called =
            call_tool(context, request, own, json_member(request.body, "params").value_or("{}"));
        response.body = called.fault.empty() ? result(std::move(called.result), -1) : called.fault;
    } else {
        response.status = 404;
        response.body = fault(own, no_method, "There is no method '" + method + "'.");
    }
}

// Empty if nothing is to be answered.
std::string answer_message(Context& context, const Request& request, std::string_view message) {
    const json parsed = json::parse(message);
    const bool good =
        parsed.is_object() && parsed.contains("jsonrpc") && parsed["jsonrpc"] == json("2.0");
    const json method = good ? parsed.value("method", json()) : json();
    const json id = good ? parsed.value("id", json()) : json();
    if (good && !method.is_string() && (parsed.contains("result") || parsed.contains("error")))
        return {};  // we ask nothing
    if (!method.is_string() || !(id.is_null() || id.is_string() || id.is_number_integer()))
        return fault("null", not_a_request, "This is not a JSON-RPC 2.0 request.");
    if (!parsed.contains("id")) return {};
    const std::string own = to_text(id), name = method.get<std::string>();
    if (name == "initialize")
        return envelope(own, "result", initialize(parsed.value("params", json())));
    if (name == "ping") return envelope(own, "result", "{}");
    if (name == "tools/list") return envelope(own, "result", tools_result(context));
    if (name == "tools/call") {
        const Called called =
            call_tool(context, request, own, json_member(message, "params").value_or("{}"));
        return called.fault.empty() ? envelope(own, "result", called.result) : called.fault;
    }
    return fault(own, no_method, "There is no method '" + name + "'.");
}

// Pages of other origins have no business here, even with somebody's token.
bool own_origin(const Context& context, std::string_view origin) {
    if (origin.empty()) return true;
    const std::string& listen = context.config.listen;
    const std::string port = listen.substr(std::min(listen.rfind(':'), listen.size()));
    for (const std::string& host : {listen, "localhost" + port, "127.0.0.1" + port})
        if (origin == "http://" + host) return true;
    return false;
}

bool refused(Context& context, const Request& request, Response& response) {
    if (!own_origin(context, request.origin)) {
        response.refuse(Code::origin_not_allowed, "Web pages of this origin may not call tools.");
    } else if (!json::accept(request.body)) {
        response.status = 400;
        response.body = fault("null", not_json, "The body is not valid JSON.");
    } else {
        return false;
    }
    return true;
}

void mcp(Context& context, const Request& request, Response& response) {
    if (refused(context, request, response)) return;
    const auto first = request.body.find_first_not_of(" \t\r\n");
    if (const json parsed = json::parse(request.body); is_stateless(request, parsed)) {
        answer_stateless(context, request, parsed, response);
    } else if (!request.mcp_version.empty() && !known_version(request.mcp_version)) {
        response.refuse(Code::bad_request, "This version of the protocol is not supported. Use " +
                                               std::string(kStateless) + ".");
    } else if (request.body[first] != '[') {
        response.body = answer_message(context, request, request.body.substr(first));
    } else {
        const auto messages = json_elements(request.body);
        if (messages.empty() || messages.size() > kMostOfBatch) {
            response.status = 400;
            response.body = fault("null", not_a_request, "A batch must have 1 to 20 messages.");
            return;
        }
        for (const std::string_view message : messages) {
            const std::string answer = answer_message(context, request, message);
            if (!answer.empty()) response.body += (response.body.empty() ? "[" : ",") + answer;
        }
        if (!response.body.empty()) response.body += "]";
    }
    if (response.body.empty()) response.status = 202;
}

}  // namespace

void bind_mcp(RouteTable& table) {
    table.add({"POST", "/mcp", Need::any, Role::viewer, mcp, kContractLimit + 64 * 1024},
              {"project"});
}

}  // namespace svc::devapi
