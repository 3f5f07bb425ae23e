#include "base/uuid.hpp"
#include "json/value.hpp"
#include "pay/ledger.hpp"
#include "pay/reconcile.hpp"
#include "pay/routes.hpp"

namespace svc::pay {
namespace {

using route::Done;

constexpr std::string_view kSession = "checkout.session.";
constexpr std::string_view kTransferFailed = "checkout.session.async_payment_failed";

struct Event {
    std::string type, session;  // no session: it is about something else
};

identity::Result<Event> read_event(std::string_view body) {
    const json::Parsed parsed = json::parse(body);
    if (!parsed.error.empty() || !parsed.value.is(json::Value::Kind::object))
        return identity::refusal(Code::params_invalid,
                                 "The body is not an event of the card provider.");
    Event out{parsed.value.text_of("type"), {}};
    const json::Value* data = parsed.value.find("data");
    const json::Value* object = data ? data->find("object") : nullptr;
    if (object && out.type.starts_with(kSession)) out.session = object->text_of("id");
    return out;
}

// `id`: of the payment that it is about; of nothing else.
void answer_taken(http::Exchange& exchange, const std::string& id) {
    exchange.reply().status = 202;
    exchange.reply().body = R"({"ok":true,"id":")" + id + "\"}";
}

// True if the provider should send the event again. A session of another payment never changes, so
// it need not.
bool comes_again(const identity::Refusal& refusal) {
    return refusal.error.code != Code::payment_mismatch;
}

Task<Done> take_event(const PayContext& in, http::Exchange& exchange, const Event& event) {
    const auto entry = co_await entry_of_session(in, event.session);
    if (!entry) co_return entry.error();
    if (*entry) {
        const bool failed = event.type == kTransferFailed;
        const auto now = co_await reconcile(
            in, **entry, {.why = ReconcileReason::webhook, .reported_failed = failed});
        if (!now && comes_again(now.error())) co_return now.error();
    }
    answer_taken(exchange, *entry ? (*entry)->id : base::new_uuid());
    co_return Done();
}

}  // namespace

Task<route::Done> take_card_event(const PayContext& in, http::Exchange& exchange) {
    const auto event = read_event(exchange.body());
    if (!event) co_return event.error();
    if (!event->session.empty()) {
        const route::Done done = co_await take_event(in, exchange, *event);
        co_return done;
    }
    answer_taken(exchange, base::new_uuid());
    co_return route::Done();
}

}  // namespace svc::pay
