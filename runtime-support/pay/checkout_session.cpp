#include "pay/checkout_session.hpp"

#include "base/ascii.hpp"
#include "json/formats.hpp"
#include "json/value.hpp"

namespace svc::pay {
namespace {

using Kind = json::Value::Kind;

std::optional<std::int64_t> whole_at(const json::Value& in, std::string_view name) {
    const json::Value* value = in.find(name);
    std::int64_t out = 0;
    if (!value || !value->is(Kind::number) ||
        json::whole_number(value->text, out) != json::Whole::ok)
        return std::nullopt;
    return out;
}

// The transfer was refused, or somebody cancelled it: the session stays complete and unpaid.
bool transfer_failed(const CheckoutSession& session, bool reported_failed) {
    return reported_failed || session.intent_status == "requires_payment_method" ||
           session.intent_status == "canceled";
}

}  // namespace

std::optional<CheckoutSession> read_session(std::string_view json) {
    const json::Parsed parsed = json::parse(json);
    const json::Value& in = parsed.value;
    if (!parsed.error.empty() || !in.is(Kind::object) || in.text_of("id").empty())
        return std::nullopt;
    CheckoutSession out;
    out.id = in.text_of("id");
    out.stage = base::read_word<CheckoutSession::Stage>(in.text_of("status"));
    out.money = base::read_word<CheckoutSession::Money>(in.text_of("payment_status"));
    out.reference = in.text_of("client_reference_id");
    out.currency = base::lower(in.text_of("currency"));
    out.amount = whole_at(in, "amount_total");
    out.url = in.text_of("url");
    const json::Value* intent = in.find("payment_intent");
    if (intent && intent->is(Kind::object)) out.intent_status = intent->text_of("status");
    out.expires = whole_at(in, "expires_at").value_or(0);
    return out;
}

Verdict judge(const CheckoutSession& session, const Entry& entry, bool reported_failed) {
    if (session.id != entry.session || session.reference != entry.reference)
        return Verdict::mismatch;
    if (session.stage == CheckoutSession::Stage::expired &&
        session.money != CheckoutSession::Money::paid)
        return Verdict::failed;
    if (session.amount != entry.charge || session.currency != entry.currency)
        return Verdict::mismatch;
    if (session.money == CheckoutSession::Money::paid) return Verdict::paid;
    const bool failed = session.stage == CheckoutSession::Stage::complete &&
                        session.money == CheckoutSession::Money::unpaid &&
                        transfer_failed(session, reported_failed);
    return failed ? Verdict::failed : Verdict::processing;
}

}  // namespace svc::pay
