// Steps that ask something of the outside, and those that steer: what they ask, or give, as JSON.
#include "plan/flow/flow_value.hpp"
#include "plan/flow/step_sql.hpp"
#include "plan/names.hpp"

namespace svc::plan {
namespace {

std::string selected(const JsonMembers& members) { return "select " + members.sql(); }

std::string flat(const std::vector<model::FlowValue>& values, const Scope& scope) {
    std::vector<std::string> parts;
    for (const model::FlowValue& value : values) {
        const bool plain = value.kind == model::FlowValue::Kind::literal && !value.said.empty();
        parts.push_back(plain ? literal(value.said) : json_of(value, scope));
    }
    return "svc.flow_flat(" + json_array(parts) + ")";
}

// Each placeholder is one part of the name, as the topics that the contract declares have it.
std::string topic_sql(const model::Template& topic, const Scope& scope) {
    std::string out;
    for (const model::MessagePart& part : topic) {
        const std::string text = sql_message({part}, scope);
        out += out.empty() ? "" : " || ";
        out += part.expr ? "svc.topic_part(" + text + ")" : text;
    }
    return out.empty() ? literal("") : out;
}

// True if what comes next still belongs to the host of the address.
bool in_host(std::string_view before) {
    const std::size_t scheme = before.find("://");
    return scheme != std::string_view::npos &&
           before.find_first_of("/?#", scheme + 3) == std::string_view::npos;
}

// A placeholder at the beginning may be a whole address; each other stays in its place.
std::string url_sql(const model::Template& url, const Scope& scope) {
    std::string out, before;
    for (const model::MessagePart& part : url) {
        const std::string text = sql_message({part}, scope);
        const std::string keeps = in_host(before) ? "svc.url_host(" : "svc.url_part(";
        out += out.empty() ? "" : " || ";
        out += part.expr && !before.empty() ? keeps + text + ")" : text;
        before += part.expr ? "{}" : part.text;
    }
    return out.empty() ? literal("") : out;
}

}  // namespace

std::string set_sql(const model::SetStep& step, const Scope& scope) {
    return "select " + json_object(step.values, scope);
}

std::string switch_sql(const model::SwitchStep& step, const Scope& scope) {
    return "select to_jsonb((" + sql_message({{"", step.on}}, scope) + ")::text)";
}

std::string wait_sql(const model::WaitForStep& step, const Scope& scope) {
    JsonMembers out;
    out.add("topic", topic_sql(step.topic, scope));
    return selected(out);
}

std::string http_sql(const model::HttpStep& step, const Scope& scope) {
    JsonMembers headers;
    for (const auto& [name, value] : step.headers) headers.add(name, sql_message(value, scope));
    JsonMembers out;
    out.add("method", literal(step.method));
    out.add("url", url_sql(step.url, scope));
    out.add("headers", headers.sql());
    if (step.body) out.add("body", json_of(*step.body, scope));
    return selected(out);
}

std::string connector_sql(const model::ConnectorStep& step, const Scope& scope) {
    const model::Integration& integration = scope.model.connectors.integrations[step.integration];
    JsonMembers out;
    out.add("integration", literal(integration.id));
    out.add("action", literal(integration.actions[step.action].name));
    out.add("props", json_object(step.props, scope));
    return selected(out);
}

std::string mcp_sql(const model::McpStep& step, const Scope& scope) {
    JsonMembers out;
    out.add("server", literal(scope.model.connectors.mcp[step.server].id));
    out.add("tool", literal(step.tool));
    out.add("props", json_object(step.props, scope));
    return selected(out);
}

std::string ai_sql(const model::AiStep& step, const Scope& scope) {
    JsonMembers out;
    out.add("prompt", sql_message(step.prompt, scope));
    if (!step.system.empty()) out.add("system", sql_message(step.system, scope));
    if (!step.schema.empty()) out.add("schema", literal(step.schema) + "::jsonb");
    return selected(out);
}

std::string embed_sql(const model::EmbedStep& step, const Scope& scope) {
    JsonMembers out;
    out.add("texts", flat(step.texts, scope));
    return selected(out);
}

std::string email_sql(const model::EmailStep& step, const Scope& scope) {
    JsonMembers out;
    out.add("to", flat(step.to, scope));
    out.add("subject", sql_message(step.subject, scope));
    out.add("text", sql_message(step.text, scope));
    return selected(out);
}

std::string notify_sql(const model::NotifyStep& step, const Scope& scope) {
    std::vector<std::string> personas;
    for (const std::string& persona : step.personas) personas.push_back(literal(persona));
    JsonMembers out;
    out.add("users", flat(step.users, scope));
    out.add("personas", json_array(personas));
    out.add("title", sql_message(step.title, scope));
    out.add("body", sql_message(step.body, scope));
    out.add("link", sql_message(step.link, scope));
    return selected(out);
}

std::string publish_sql(const model::PublishStep& step, const Scope& scope) {
    JsonMembers out;
    out.add("topic", topic_sql(step.topic, scope));
    out.add("payload", json_of(step.payload, scope));
    return selected(out);
}

std::string call_sql(const model::CallStep& step, const Scope& scope) {
    return "select " + json_object(step.params, scope);
}

}  // namespace svc::plan
