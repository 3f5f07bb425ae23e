#include "pay/entry.hpp"

#include "json/formats.hpp"
#include "json/value.hpp"

namespace svc::pay {
namespace {

std::int64_t whole_of(const json::Value& in, std::string_view name) {
    const json::Value* value = in.find(name);
    std::int64_t out = 0;
    const bool whole = value && value->is(json::Value::Kind::number) &&
                       json::whole_number(value->text, out) == json::Whole::ok;
    return whole ? out : 0;
}

}  // namespace

std::optional<Entry> read_entry(std::string_view json) {
    const json::Parsed parsed = json::parse(json);
    const json::Value& in = parsed.value;
    if (!parsed.error.empty() || !in.is(json::Value::Kind::object)) return std::nullopt;
    const auto status = base::read_word<Status>(in.text_of("status"));
    const auto method = base::read_word<PayMethod>(in.text_of("method"));
    if (!status || !method) return std::nullopt;
    Entry out;
    out.id = in.text_of("id");
    out.method = *method;
    out.status = *status;
    out.amount = whole_of(in, "amount");
    out.currency = in.text_of("currency");
    out.charge = whole_of(in, "charge");
    out.reference = in.text_of("reference");
    out.return_url = in.text_of("returnUrl");
    out.note = in.text_of("note");
    out.session = in.text_of("session");
    out.url = in.text_of("url");
    out.product = in.text_of("product");
    out.expires = whole_of(in, "expires");
    return out;
}

}  // namespace svc::pay
