#include "connector/connectors.hpp"
#include "base/number.hpp"

#include <algorithm>

namespace svc::connector {
namespace {

using json::Value;

const std::vector<Value>& items_of(const Value& in, std::string_view name) {
    static const std::vector<Value> kNone;
    const Value* list = in.find(name);
    return list ? list->items : kNone;
}

Auth read_auth(const Value& of) {
    Auth out;
    const Value* in = of.find("auth");
    if (!in || !in->is(Value::Kind::object)) return out;
    out.type = base::read_word<Auth::Type>(in->text_of("type")).value_or(Auth::Type::basic);
    out.secret = in->text_of("secret");
    out.name = in->text_of("name");
    out.user = in->text_of("user");
    return out;
}

Value anything() {
    Value out;
    out.kind = Value::Kind::boolean;
    out.text = "true";
    return out;
}

Action read_action(const Value& in) {
    const Value* schema = in.find("schema");
    return {in.text_of("name"), in.text_of("label"), in.text_of("method"), in.text_of("path"),
            schema ? *schema : anything()};
}

template <class Item>
const Item* find_by_id(const std::vector<Item>& all, std::string_view id) {
    const auto found = std::ranges::find(all, id, &Item::id);
    return found == all.end() ? nullptr : &*found;
}

template <class Item>
const Item* find_by_name(const std::vector<Item>& all, std::string_view name) {
    const auto found = std::ranges::find(all, name, &Item::name);
    return found == all.end() ? nullptr : &*found;
}

}  // namespace

const Action* Integration::find(std::string_view action) const {
    return find_by_name(actions, action);
}

const Integration* Connectors::integration(std::string_view id) const {
    return find_by_id(integrations, id);
}

const Server* Connectors::server(std::string_view id) const { return find_by_id(servers, id); }

const AllowedCall* Connectors::allow(std::string_view name) const {
    return find_by_name(allowed, name);
}

// No server's id begins with another's and '_': the checker sees to it.
Connectors::Tool Connectors::tool(std::string_view full_name) const {
    for (const Server& server : servers) {
        const std::string prefix = connector::full_name(server, "");
        if (full_name.size() > prefix.size() && full_name.starts_with(prefix))
            return {&server, std::string(full_name.substr(prefix.size()))};
    }
    return {};
}

Connectors read_connectors(std::string_view text) {
    Connectors out;
    if (text.empty()) return out;
    const json::Parsed parsed = json::parse(text);
    for (const Value& in : items_of(parsed.value, "integrations")) {
        Integration integration{
            in.text_of("id"), in.text_of("label"), in.text_of("baseUrl"), read_auth(in), {}};
        for (const Value& action : items_of(in, "actions"))
            integration.actions.push_back(read_action(action));
        out.integrations.push_back(std::move(integration));
    }
    for (const Value& in : items_of(parsed.value, "mcp")) {
        const Value* pin = in.find("pin");
        out.servers.push_back(
            {in.text_of("id"), in.text_of("url"), read_auth(in), pin && pin->text == "true"});
    }
    for (const Value& in : items_of(parsed.value, "allow"))
        out.allowed.push_back(
            {in.text_of("name"), base::number_of<PrincipalSet>(in.text_of("to"))});
    return out;
}

std::string full_name(const Server& server, std::string_view tool) {
    return "mcp_" + server.id + "_" + std::string(tool);
}

}  // namespace svc::connector
