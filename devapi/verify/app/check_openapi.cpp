// The OpenAPI document of the app: whole in itself, and true of the server that serves it.
#include <nlohmann/json.hpp>

#include "base/ascii.hpp"
#include "data/routes.hpp"
#include "verify/app/server.hpp"

namespace svc::devapi::verification {
namespace {

using nlohmann::json;

constexpr const char* kMethods[] = {"get", "post", "put", "patch", "delete"};

bool resolves(const json& document, const std::string& ref) {
    if (!ref.starts_with("#/")) return false;
    try {
        return document.contains(json::json_pointer(ref.substr(1)));
    } catch (const json::exception&) {
        return false;
    }
}

void follow(const json& document, const json& node, const std::string& at, VerifyCheck& out) {
    if (node.is_object() && node.contains("$ref") && node["$ref"].is_string()) {
        const std::string ref = node["$ref"];
        resolves(document, ref) ? out.good()
                                : out.bad("The document refers at " + at + " to " + ref +
                                          ", which it does not contain.");
    }
    if (!node.is_structured()) return;
    for (const auto& [key, value] : node.items()) follow(document, value, at + "/" + key, out);
}

const json& whole(const json& document, const json& node) {
    if (!node.is_object() || !node.contains("$ref")) return node;
    return document.at(json::json_pointer(node["$ref"].get<std::string>().substr(1)));
}

std::string sensible_of(const json& schema) {
    if (schema.contains("enum") && !schema["enum"].empty() && schema["enum"][0].is_string())
        return schema["enum"][0];
    const json type = schema.value("type", json());
    if (type == "integer" || type == "number") return "1";
    return schema.value("format", "") == "uuid" ? kOrgs[0] : "a";
}

struct ApiOperation {
    const json& document;
    const json& path;
    const json& itself;
    std::string name, method;
};

std::vector<json> parameters(const ApiOperation& operation) {
    std::vector<json> out;
    for (const json* of : {&operation.path, &operation.itself})
        for (const json& one : of->value("parameters", json::array()))
            out.push_back(whole(operation.document, one));
    return out;
}

std::string sensible_value(const ApiOperation& operation, const json& parameter) {
    return sensible_of(whole(operation.document, parameter.value("schema", json::object())));
}

// The path with a value in each placeholder and for each required parameter.
std::string target(const ApiOperation& operation) {
    std::string out = operation.name, query;
    for (const json& one : parameters(operation)) {
        const std::string value = sensible_value(operation, one);
        const std::string name = one.value("name", "");
        const auto placeholder = out.find("{" + name + "}");
        if (one.value("in", "") == "path" && placeholder != std::string::npos)
            out.replace(placeholder, name.size() + 2, value);
        else if (one.value("in", "") == "query" && one.value("required", false))
            query += (query.empty() ? "?" : "&") + name + "=" + value;
    }
    return out + query;
}

// Lines of the head for each required parameter that is a header: the document's example, if it has
// one.
std::string headers(const ApiOperation& operation) {
    std::string out;
    for (const json& one : parameters(operation)) {
        if (one.value("in", "") != "header" || !one.value("required", false)) continue;
        const auto example = one.find("example");
        out += one.value("name", "") + ": ";
        out += example != one.end() && example->is_string() ? example->get<std::string>()
                                                            : sensible_value(operation, one);
        out += "\r\n";
    }
    return out;
}

// Streams have no end to wait for, the clone cannot reach external rows, and svcd answers
// migrations: it would take over the connection.
bool can_be_asked(const ApiOperation& operation) {
    return operation.name.find("/ext/") == std::string::npos &&
           operation.name != data::kMigratePath &&
           operation.itself["responses"].dump().find("text/event-stream") == std::string::npos;
}

std::string upper(std::string text) {
    for (char& c : text) c = base::upper(c);
    return text;
}

void try_operation(AppServer& server, const ApiOperation& operation, VerifyCheck& out) {
    const std::string what = upper(operation.method) + " " + operation.name;
    const json& responses = operation.itself.value("responses", json::object());
    if (responses.empty()) return out.bad("The document says of " + what + " no answer.");
    const std::string path = target(operation);
    if (path.find('{') != std::string::npos)
        return out.bad("The document does not describe a part of the path of " + what + ".");
    if (!can_be_asked(operation)) return out.good();
    VerifyCaller as_server;
    as_server.server = true;
    const HttpAnswer answer =
        server.call(as_server, upper(operation.method), path, operation.method == "get" ? "" : "{}",
                    {.headers = headers(operation)});
    const bool declared =
        responses.contains(std::to_string(answer.status)) || responses.contains("default");
    const bool is_there = answer.status != 405 &&
                          (answer.status != 404 || operation.name.find('{') != std::string::npos);
    if (declared && is_there && answer.status < 500) return out.good();
    out.bad(what + " answers " + std::to_string(answer.status) +
            (declared ? "." : ", which the document does not mention.") + " " +
            answer.body.substr(0, 200));
}

}  // namespace

void check_openapi(Subject& subject, VerifyCheck& out) {
    if (!subject.server) return not_served(out);
    VerifyCaller as_server;
    as_server.server = true;
    const auto answer = subject.server->call(as_server, "GET", "/api/v1/openapi.json");
    const json document = json::parse(answer.body, nullptr, false);
    if (answer.status != 200 || !document.is_object())
        return out.bad("GET /api/v1/openapi.json answers " + std::to_string(answer.status) +
                       " without a JSON object.");
    if (!document.value("openapi", "").starts_with("3.1") || !document.contains("info"))
        out.bad("The document is not an OpenAPI 3.1 document.");
    follow(document, document, "#", out);
    std::size_t operations = 0;
    const json paths = document.value("paths", json::object());
    for (const auto& [name, path] : paths.items())
        for (const char* method : kMethods)
            if (path.contains(method)) {
                try_operation(*subject.server, {document, path, path[method], name, method}, out);
                ++operations;
            }
    for (const auto& entity : subject.model.entities)
        if (!entity.external && !paths.contains("/api/v1/" + entity.name))
            out.bad("The document does not mention " + entity.name + ".");
    out.said = std::to_string(operations) +
               " operations, which answer as the document says, and the document's references.";
}

}  // namespace svc::devapi::verification
