#include "mcp/tool_call.hpp"

#include <algorithm>

#include "base/percent.hpp"
#include "calls/dispatch.hpp"
#include "common/json_slice.hpp"
#include "http/request/path.hpp"
#include "http/route_table.hpp"

namespace svc::devapi {
namespace {

// The names after ':' in a path.
std::vector<std::string> path_arguments(std::string_view path) {
    std::vector<std::string> out;
    for (auto at = path.find(':'); at != path.npos; at = path.find(':', at + 1))
        out.emplace_back(path.substr(at + 1, path.find('/', at) - at - 1));
    return out;
}

std::string text_value(std::string_view json_text) {
    const json value = json::parse(json_text);
    return value.is_string() ? value.get<std::string>() : std::string(json_text);
}

bool offered(const Context& context, const Operation& operation) {
    return context.api && context.api->find(operation.method, operation.path).route != nullptr;
}

std::string schema_text(const Operation& operation) {
    std::string properties(operation.input), required(operation.required);
    for (const std::string& name : path_arguments(operation.path)) {
        const bool project = name == "project";
        properties.append(properties.empty() ? "" : ",")
            .append("\"" + name + "\":{\"type\":\"string\",\"description\":\"" +
                    (project
                         ? "id of the project; required unless the address of this server names one"
                         : "from the path") +
                    "\"}");
        if (!project) required.append(required.empty() ? "" : ",").append("\"" + name + "\"");
    }
    return R"({"type":"object","properties":{)" + properties + R"(},"required":[)" + required +
           "]}";
}

std::string tool_text(const Operation& operation) {
    const json words = {{"name", operation.name},
                        {"title", operation.title},
                        {"description", operation.description},
                        {"annotations",
                         {{"title", operation.title},
                          {"readOnlyHint", operation.reads},
                          {"destructiveHint", operation.destroys},
                          {"openWorldHint", false}}}};
    return with_member(to_text(words), "inputSchema", schema_text(operation));
}

class CallMaker {
  public:
    CallMaker(const Operation& operation, const std::string& arguments)
        : operation_(operation), left_(json_members(arguments)) {}

    // False: an argument of the path is missing; its name is in `missing`.
    bool make_path(const std::string& usual_project) {
        path = operation_.path;
        for (const std::string& name : path_arguments(operation_.path)) {
            std::string value = take(name);
            if (value.empty() && name == "project") value = usual_project;
            if (value.empty()) {
                missing = name;
                return false;
            }
            path.replace(path.find(":" + name), name.size() + 1, base::percent_encoded(value));
        }
        return true;
    }

    void make_rest() {
        const bool in_query = operation_.method == "GET" || operation_.method == "DELETE";
        for (const auto& [name, value] : left_) {
            if (in_query && value != "null")
                query.append(query.empty() ? "" : "&")
                    .append(base::percent_encoded(name) + "=" +
                            base::percent_encoded(text_value(value)));
            if (!in_query)
                body.append(body.empty() ? "{" : ",")
                    .append(json(name).dump() + ":" + std::string(value));
        }
        if (!in_query) body.append(body.empty() ? "{}" : "}");
    }

    std::string path, query, body, missing;

  private:
    std::string take(const std::string& name) {
        for (auto at = left_.begin(); at != left_.end(); ++at)
            if (at->first == name) {
                std::string value = at->second == "null" ? "" : text_value(at->second);
                left_.erase(at);
                return value;
            }
        return {};
    }

    const Operation& operation_;
    std::vector<JsonMember> left_;
};

}  // namespace

std::string tools_text(const Context& context) {
    std::string list;
    for (const Operation& operation : operations())
        if (offered(context, operation))
            list.append(list.empty() ? "" : ",").append(tool_text(operation));
    return "[" + list + "]";
}

const Operation* find_operation(const Context& context, std::string_view name) {
    for (const Operation& operation : operations())
        if (operation.name == name && offered(context, operation)) return &operation;
    return nullptr;
}

Response call_operation(Context& context, const Request& from, const Operation& operation,
                        const std::string& arguments, const std::string& usual_project) {
    Response response;
    CallMaker call(operation, arguments);
    if (!call.make_path(usual_project)) {
        response.refuse(Code::bad_request, "The argument '" + call.missing + "' is required.");
        return response;
    }
    call.make_rest();
    const std::string path = http::decode_path(call.path);
    const Match match = context.api->find(operation.method, path);
    if (!match.route) {
        response.refuse(404, "This address has no page or route.");
        return response;
    }
    if (call.body.size() > match.route->body_limit) {
        response.refuse(Code::payload_too_large, "The arguments are too large for this tool.");
        return response;
    }
    Request request;
    request.method = operation.method;
    request.path = path;
    request.query = call.query;
    request.body = call.body;
    request.content_type = "application/json";
    request.authorization = from.authorization;
    request.remote = from.remote;
    request.params = match.params;
    // An argument is a value: a slash in it is one.
    for (auto& [name, value] : request.params)
        std::ranges::replace(value, http::kEncodedSlash, '/');
    request.hung_up = from.hung_up;
    dispatch(context, *match.route, request, response);
    return response;
}

}  // namespace svc::devapi
