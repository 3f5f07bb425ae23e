#include "plan/service/connectors.hpp"

#include "plan/json_writer.hpp"
#include "plan/principals.hpp"

namespace svc::plan {
namespace {

using Type = model::ConnectorAuth::Type;

void put_auth(JsonWriter& out, const model::ConnectorAuth& auth) {
    if (auth.type == Type::none) return;
    JsonWriter one;
    one.put_text("type", auth.type == Type::bearer   ? "bearer"
                         : auth.type == Type::header ? "header"
                                                     : "basic");
    one.put_text("secret", auth.secret);
    if (!auth.name.empty()) one.put_text("name", auth.name);
    if (!auth.user.empty()) one.put_text("user", auth.user);
    out.put("auth", one.str());
}

std::string action_json(const model::Action& action) {
    JsonWriter out;
    out.put_text("name", action.name);
    out.put_text("label", action.label);
    out.put_text("method", action.method);
    out.put_text("path", action.url_path);
    if (!action.schema.empty()) out.put("schema", action.schema);
    return out.str();
}

std::string integration_json(const model::Integration& integration) {
    std::vector<std::string> actions;
    for (const model::Action& action : integration.actions) actions.push_back(action_json(action));
    JsonWriter out;
    out.put_text("id", integration.id);
    out.put_text("label", integration.label);
    out.put_text("baseUrl", integration.base_url);
    put_auth(out, integration.auth);
    out.put("actions", json_list(actions));
    return out.str();
}

std::string server_json(const model::McpServer& server) {
    JsonWriter out;
    out.put_text("id", server.id);
    out.put_text("url", server.url);
    put_auth(out, server.auth);
    if (server.pin) out.put("pin", "true");
    return out.str();
}

}  // namespace

std::string connectors_document(const model::Model& model) {
    const model::Connectors& in = model.connectors;
    if (in.integrations.empty() && in.mcp.empty()) return {};
    std::vector<std::string> integrations, servers, allowed;
    for (const model::Integration& each : in.integrations)
        integrations.push_back(integration_json(each));
    for (const model::McpServer& each : in.mcp) servers.push_back(server_json(each));
    for (const model::AllowedCall& call : in.allow) {
        const PrincipalBits to = call.to ? bits(model, *call.to) : ~PrincipalBits{0};
        JsonWriter one;
        one.put_text("name", call.name);
        one.put_text("to", std::to_string(to));
        allowed.push_back(one.str());
    }
    JsonWriter out;
    out.put("integrations", json_list(integrations));
    out.put("mcp", json_list(servers));
    out.put("allow", json_list(allowed));
    return out.str();
}

}  // namespace svc::plan
