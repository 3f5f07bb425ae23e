#include "contract/read/read_services.hpp"

namespace svc::contract {
namespace {

Payments read_payments(const Reader& in) {
    return {
        in.text("order"),        in.text("lines"), in.text("link"),           in.text("quantity"),
        in.text("item"),         in.text("price"), in.maybe_texts("methods"), in.texts("settle"),
        in.text("instructions"), in.path()};
}

Ai read_ai(const Reader& in) {
    Ai ai{in.maybe_text("model"),
          in.maybe_text("embedModel"),
          in.maybe_text("system"),
          in.maybe_value("maxInputChars"),
          in.maybe_value("maxOutputTokens"),
          {},
          {},
          in.maybe_texts("models"),
          in.path()};
    if (const Value* budget = in.find("budget")) {
        ai.per_user_daily = Reader(*budget).maybe_value("perUserDaily");
        ai.per_project_daily = Reader(*budget).maybe_value("perProjectDaily");
    }
    return ai;
}

std::optional<ConnectorAuth> read_connector_auth(const Reader& of) {
    const Value* value = of.find("auth");
    if (value == nullptr) return std::nullopt;
    const Reader in(*value);
    return ConnectorAuth{in.text("type"), in.text("secret"), in.maybe_text("name"),
                         in.maybe_text("user"), in.path()};
}

Action read_action(const Reader& in) {
    return {in.text("name"), in.text("displayName"),  in.text("method"),
            in.text("path"), in.maybe_value("props"), in.path()};
}

Integration read_integration(const Reader& in) {
    Integration out{
        in.text("id"), in.text("displayName"), in.text("baseUrl"), read_connector_auth(in), {},
        in.path()};
    for (const Value& item : in.items("actions")) out.actions.push_back(read_action(Reader(item)));
    return out;
}

AllowedCall read_allowed(const Value& value) {
    if (value.is(Value::Kind::string)) return {{value.text, value.path}, {}};
    const Reader in(value);
    return {in.text("action"), in.maybe_texts("to")};
}

Connectors read_connectors(const Reader& in) {
    Connectors out;
    for (const Value& item : in.items("integrations")) {
        out.integrations.push_back(read_integration(Reader(item)));
    }
    for (const Value& item : in.items("mcp")) {
        const Reader server(item);
        out.mcp.push_back({server.text("id"), server.text("url"), read_connector_auth(server),
                           server.flag("pin"), server.path()});
    }
    if (const Value* allow = in.find("allow")) {
        if (!allow->is(Value::Kind::array)) out.allow.push_back(read_allowed(*allow));
        for (const Value& item : allow->items) out.allow.push_back(read_allowed(item));
    }
    return out;
}

}  // namespace

Services read_services(const Reader& contract) {
    Services out;
    if (const Value* value = contract.find("payments")) {
        out.payments = read_payments(Reader(*value));
    }
    if (const Value* value = contract.find("files")) {
        const Reader in(*value);
        out.files = {in.maybe_text("maxSize"), in.maybe_texts("mime"), {}, {}};
        if (const Value* quota = in.find("quota")) {
            out.files->user_quota = Reader(*quota).maybe_text("perUser");
            out.files->project_quota = Reader(*quota).maybe_text("perProject");
        }
    }
    if (const Value* value = contract.find("ai")) out.ai = read_ai(Reader(*value));
    if (const Value* value = contract.find("connectors")) {
        out.connectors = read_connectors(Reader(*value));
    }
    return out;
}

std::vector<Provider> read_providers(const Reader& auth) {
    std::vector<Provider> out;
    for (const Value& item : auth.items("providers")) {
        const Reader in(item);
        out.push_back({in.text("id"), in.text("label"), in.maybe_text("issuer"),
                       in.maybe_text("preset"), in.text("clientId"), in.text("clientSecret"),
                       in.texts("scopes"), in.path()});
    }
    return out;
}

}  // namespace svc::contract
