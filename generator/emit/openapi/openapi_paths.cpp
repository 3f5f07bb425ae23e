#include "emit/openapi/openapi_paths.hpp"

#include <initializer_list>
#include <map>

#include "emit/openapi/openapi_schemas.hpp"

namespace svc::emit {
namespace {

Json parameters(const Json& names) {
    Json out = Json::array();
    for (const Json& name : names) {
        out.push_back(reference("parameters", name.get<std::string>()));
    }
    return out;
}

// Schemes that a call carries together.
Json together(std::initializer_list<const char*> schemes) {
    Json out = Json::object();
    for (const char* scheme : schemes) out[scheme] = Json::array();
    return out;
}

// Each of them alone suffices.
Json any_of(std::initializer_list<std::initializer_list<const char*>> ways) {
    Json out = Json::array();
    for (const auto& way : ways) out.push_back(together(way));
    return out;
}

// Maps the words of the templates. An operation without its own security has that of the document.
Json security(const std::string& kind) {
    static const std::map<std::string, Json, std::less<>> kWays = {
        {"none", Json::array()},
        {"key", any_of({{"appKey"}})},
        {"operator", any_of({{"appKey"},
                             {"appKey", "appSession"},
                             {"appKey", "appSessionCookie"},
                             {"appKey", "appUser"}})},
        {"signed_in", any_of({{"appKey", "appSession"}, {"appKey", "appSessionCookie"}})},
        {"uploader",
         any_of({{"appKey", "appSession"}, {"appKey", "appSessionCookie"}, {"appKey", "appUser"}})},
        {"reader", any_of({{"appKey", "appSession"},
                           {"appKey", "appSessionCookie"},
                           {"appKey", "appUser"},
                           {"appKey"},
                           {"appKey", "appRole"},
                           {"appSessionCookie"},
                           {}})},
        {"session", any_of({{"appKey"}, {"appKey", "appSession"}, {"appKey", "appSessionCookie"}})},
        {"any_caller", any_of({{"appKey"},
                               {"appKey", "appSession"},
                               {"appKey", "appSessionCookie"},
                               {"appKey", "appUser"},
                               {"appKey", "appRole"}})},
        {"stream", any_of({{"appKey"},
                           {"appKey", "appSession"},
                           {"appKey", "appSessionCookie"},
                           {"appKey", "appUser"},
                           {"appKey", "appRole"},
                           {"appKeyQuery"},
                           {"appKeyQuery", "appSessionQuery"}})}};
    const auto known = kWays.find(kind);
    if (known != kWays.end()) return known->second;
    return any_of({{"appKey", "dataApi"},
                   {"appKey", "dataApi", "appUser"},
                   {"appKey", "dataApi", "appRole"}});
}

Json request_body(const Json& brief) {
    if (brief.contains("bytes")) {
        const Json bytes = {{"schema", {{"type", "string"}, {"format", "binary"}}}};
        return {{"required", !brief.value("optional", false)},
                {"content", {{brief["bytes"].get<std::string>(), bytes}}}};
    }
    const Json one = reference("schemas", brief["schema"].get<std::string>());
    Json schema = one;
    if (brief.value("many", false)) {
        const Json many = {{"type", "array"}, {"items", one}, {"maxItems", 1000}};
        schema = {{"anyOf", Json::array({one, many})}};
    }
    Json out = {{"required", !brief.value("optional", false)}};
    if (brief.value("multipart", false)) {
        out["content"]["multipart/form-data"]["schema"] = std::move(schema);
        return out;
    }
    if (brief.value("form", false))
        out["content"]["application/x-www-form-urlencoded"]["schema"] = schema;
    out["content"]["application/json"]["schema"] = std::move(schema);
    return out;
}

// Those that are names alone in the templates.
Json named_header(const std::string& name) {
    static const std::map<std::string, std::pair<const char*, const char*>, std::less<>> kAll = {
        {"Location", {"string", "The path of what was made."}},
        {"Tus-Resumable", {"string", "The version of the protocol: 1.0.0."}},
        {"Upload-Expires", {"string", "When the upload is removed unless it is finished."}},
        {"Upload-Length", {"integer", "The size of the file in bytes."}},
        {"Upload-Metadata", {"string", "What the upload began with."}},
        {"Upload-Offset", {"integer", "How many bytes have come."}}};
    const auto& [type, description] = kAll.at(name);
    return {{"description", description}, {"schema", {{"type", type}}}};
}

Json headers(const Json& brief) {
    Json out = Json::object();
    for (const Json& name : brief.value("headers", Json::array()))
        out[name.get<std::string>()] = named_header(name.get<std::string>());
    if (brief.value("etag", false)) out["ETag"]["schema"] = {{"type", "string"}};
    if (brief.value("feed", false)) {
        out["x-svc-cursor"] = {
            {"description", "If the request has `x-svc-feed`: the value for `lastEventId`."},
            {"schema", {{"type", "string"}}}};
    }
    if (!brief.value("tables", false)) return out;
    for (const char* name : {"x-svc-row-count", "x-svc-truncated", "x-svc-links-truncated"}) {
        out[name] = {{"description",
                      "Only for CSV and NDJSON: the member of the JSON answer with this name."},
                     {"schema", {{"type", "string"}}}};
    }
    return out;
}

Json answer(const Json& brief) {
    Json out = {{"description", brief["description"]}};
    if (Json all = headers(brief); !all.empty()) out["headers"] = std::move(all);
    if (brief.value("empty", false)) return out;
    Json& content = out["content"];
    if (brief.value("stream", false)) {
        content["text/event-stream"]["schema"] = {{"type", "string"}};
        return out;
    }
    if (brief.value("bytes", false)) {
        content["*/*"]["schema"] = {{"type", "string"}, {"format", "binary"}};
        return out;
    }
    if (brief.value("page", false)) {
        content["text/html"]["schema"] = {{"type", "string"}};
        return out;
    }
    content["application/json"]["schema"] =
        reference("schemas", brief["schema"].get<std::string>());
    if (brief.value("events", false)) content["text/event-stream"]["schema"] = {{"type", "string"}};
    if (brief.value("tables", false)) {
        for (const char* type : {"text/csv", "application/x-ndjson"}) {
            content[type]["schema"] = {{"type", "string"}};
        }
    }
    return out;
}

Json operation(const Json& brief, const Json& answers) {
    Json out = brief;
    for (const char* key : {"parameters", "body", "answer", "errors", "security"}) out.erase(key);
    if (brief.contains("security"))
        out["security"] = security(brief["security"].get<std::string>());
    const Json names = brief.value("parameters", Json::array());
    if (!names.empty()) out["parameters"] = parameters(names);
    if (brief.contains("body")) out["requestBody"] = request_body(brief["body"]);
    Json& responses = out["responses"];
    const Json& outcome = brief["answer"];
    if (outcome.contains("unchanged")) responses["304"]["description"] = outcome["unchanged"];
    if (outcome.contains("created")) {
        responses["201"] = answer(outcome);
        responses["201"]["description"] = outcome["created"];
    }
    for (const auto& [status, name] :
         {std::pair("302", "redirect"), std::pair("303", "seeOther")}) {
        if (!outcome.contains(name)) continue;
        responses[status]["description"] = outcome[name];
        responses[status]["headers"]["Location"]["schema"] = {{"type", "string"}};
    }
    if (outcome.contains("status"))
        responses[outcome["status"].get<std::string>()] = answer(outcome);
    if (outcome.contains("also"))
        responses[outcome["also"]["status"].get<std::string>()] = answer(outcome["also"]);
    for (const Json& name : brief["errors"]) {
        const std::string status = answers[name.get<std::string>()]["status"];
        responses[status] = reference("responses", name.get<std::string>());
    }
    return out;
}

}  // namespace

Json error_responses(const Json& answers) {
    Json out = Json::object();
    for (const auto& [name, brief] : answers.items()) {
        Json response = {{"description", brief["description"]}};
        if (brief.value("retry", false)) {
            response["headers"]["Retry-After"] = {
                {"description", "Seconds until the request may be repeated."},
                {"schema", {{"type", "integer"}}}};
        }
        Json& content = response["content"]["application/json"];
        content["schema"] = reference("schemas", "Error");
        for (const auto& [code, message] : brief["codes"].items()) {
            const Json error = {{"code", code}, {"message", message}};
            content["examples"][code]["value"] = {{"ok", false}, {"error", error}};
        }
        out[name] = std::move(response);
    }
    return out;
}

Json path_item(const Json& brief, const Json& answers) {
    Json names = brief.value("parameters", Json::array());
    names.push_back("environment");
    Json out = {{"parameters", parameters(names)}};
    for (const auto& [method, each] : brief.items()) {
        if (method != "parameters") out[method] = operation(each, answers);
    }
    return out;
}

}  // namespace svc::emit
