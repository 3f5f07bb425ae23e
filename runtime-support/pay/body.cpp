#include "pay/body.hpp"

#include "json/value.hpp"

namespace svc::pay {
namespace {

using Kind = json::Value::Kind;

identity::Refusal misshapen(const std::string& message, const std::string& field) {
    return identity::refusal(Code::params_invalid, message, field);
}

// False: the member is not a string. A member that is null counts as absent.
bool read_text(const json::Value& in, std::string_view name, std::string& out) {
    const json::Value* value = in.find(name);
    if (!value || value->is(Kind::null)) return true;
    if (!value->is(Kind::string)) return false;
    out = value->text;
    return true;
}

}  // namespace

identity::Result<Body> read_body(std::string_view text) {
    const json::Parsed parsed = json::parse(text.empty() ? "{}" : text);
    if (!parsed.error.empty()) return misshapen(parsed.error, "");
    if (!parsed.value.is(Kind::object))
        return misshapen("The body must be a JSON object with \"table\" and \"id\".", "");
    Body out;
    const json::Value& in = parsed.value;
    if (!read_text(in, "table", out.table))
        return misshapen("\"table\" must be a string.", "table");
    if (!read_text(in, "id", out.id)) return misshapen("\"id\" must be a string.", "id");
    std::string word(base::word(out.method));
    const bool is_text = read_text(in, "method", word);
    const auto method = base::read_word<PayMethod>(word);
    if (!is_text || !method) return misshapen("\"method\" must be offline or card.", "method");
    out.method = *method;
    if (!read_text(in, "returnUrl", out.return_url))
        return misshapen("\"returnUrl\" must be a string.", "returnUrl");
    for (const auto& [value, name] : {std::pair{&out.table, "table"}, {&out.id, "id"}})
        if (value->empty())
            return identity::refusal(Code::bad_request, "\"" + std::string(name) + "\" is missing.",
                                     name);
    return out;
}

}  // namespace svc::pay
