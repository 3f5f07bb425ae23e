#include "pay/checkout.hpp"

#include <ctime>

#include "base/formats.hpp"
#include "base/json_text.hpp"
#include "pay/body.hpp"
#include "pay/ledger.hpp"
#include "pay/order.hpp"
#include "pay/provider.hpp"
#include "pay/reconcile.hpp"

namespace svc::pay {
namespace {

using identity::Result;
using route::Done;

constexpr std::string_view kCheckout =
    "select svc.checkout($1::text, $2::uuid, $3::text, $4::text, $5::boolean, $6::text)";
constexpr std::string_view kFailing =
    "The card provider gave an unusable answer, so the payment is due offline.";

void answer_due(http::Exchange& exchange, const Entry& entry) {
    std::string& body = exchange.reply().body;
    body = R"({"ok":true,"method":"offline","status":")" + std::string(base::word(entry.status)) +
           R"(","amountCents":)" + std::to_string(entry.amount);
    if (!entry.note.empty()) {
        body += R"(,"fallback":true,"note":)";
        base::append_json(body, entry.note);
    }
    body += '}';
}

void answer_open(http::Exchange& exchange, const Entry& entry, std::string_view url) {
    std::string& body = exchange.reply().body;
    body = R"({"ok":true,"method":"card","status":"processing","amountCents":)" +
           std::to_string(entry.amount) + R"(,"url":)";
    base::append_json(body, url);
    body += '}';
    exchange.reply().header("Cache-Control", "no-store");
}

// Answers with the entry as it is: with the session that another request opened, or due.
Done answer_as_is(http::Exchange& exchange, const Entry& entry) {
    if (entry.status == Status::due) {
        answer_due(exchange, entry);
    } else if (entry.status == Status::processing && !entry.url.empty()) {
        answer_open(exchange, entry, entry.url);
    } else {
        return identity::refusal(
            entry.status == Status::paid ? Code::already_paid : Code::conflict,
            "The payment went on meanwhile. It is " + std::string(base::word(entry.status)) + ".");
    }
    return Done();
}

Task<Done> answer_fallback(const PayContext& in, http::Exchange& exchange, const Entry& entry) {
    const auto now = co_await fall_back(in, entry, kFailing);
    if (!now) co_return now.error();
    if (now->status == Status::due) ++in.counts.fallbacks;
    co_return answer_as_is(exchange, *now);
}

// An entry without a session. Where our own database fails after the provider has answered, the
// next checkout gets the same session of it.
Task<Done> open_new(const PayContext& in, http::Exchange& exchange, const Provider& provider,
                    const Entry& entry) {
    const auto opened = co_await open_session(in, provider, entry);
    if (!opened) co_return opened.error();
    if (!*opened) {
        const Done done = co_await answer_fallback(in, exchange, entry);
        co_return done;
    }
    const CheckoutSession& session = **opened;
    const auto ours = co_await record_session(in, entry, session);
    if (!ours) co_return ours.error();
    if (!*ours) {
        co_await expire_session(in, provider, session.id);
        const Done done = co_await answer_fallback(in, exchange, entry);
        co_return done;
    }
    answer_open(exchange, entry, session.url);
    co_return Done();
}

// No provider: it was disconnected since the entry began.
Task<Done> begin(const PayContext& in, http::Exchange& exchange,
                 const std::optional<Provider>& provider, const Entry& entry) {
    if (!provider) {
        const Done done = co_await answer_fallback(in, exchange, entry);
        co_return done;
    }
    const Done done = co_await open_new(in, exchange, *provider, entry);
    co_return done;
}

// Asks for the state of an entry that has a session. True: it failed, and another may begin.
Task<Result<bool>> go_on(const PayContext& in, http::Exchange& exchange, const Entry& entry) {
    const auto now = co_await reconcile(in, entry, {.why = ReconcileReason::checkout});
    // The session may be open for all that we know, until it has expired.
    const bool unknown = !now && now.error().error.code != Code::payment_mismatch &&
                         std::time(nullptr) <= entry.expires;
    if (!now && !unknown) co_return now.error();
    if (unknown || (now->status == Status::processing && now->open)) {
        answer_open(exchange, entry, entry.url);
        co_return false;
    }
    if (now->status == Status::failed) co_return true;
    if (now->status == Status::paid)
        co_return identity::refusal(Code::already_paid, "The order is already paid.");
    co_return identity::refusal(
        Code::payment_processing,
        "The customer has paid, and the card provider waits for the money. Confirm it later.");
}

Task<Result<OrderAnswer>> record_checkout(const PayContext& in, route::Request& request,
                                          const Body& body, bool connected) {
    const bool home = is_page_of(in.home, request.exchange.head().host, body.return_url);
    const db::Param params[] = {body.table,
                                body.id,
                                base::word(body.method),
                                home ? db::Param(body.return_url) : db::Param(),
                                connected ? "true" : "false",
                                in.home.project};
    auto answer = co_await query_as_caller(in, request, {"svc_pay_checkout", kCheckout, params});
    co_return answer;
}

// One try. True: an earlier card payment has just failed, so another can begin.
Task<Result<bool>> attempt(const PayContext& in, route::Request& request, const Body& body,
                           const std::optional<Provider>& provider) {
    const auto answer = co_await record_checkout(in, request, body, provider.has_value());
    if (!answer) co_return answer.error();
    if (!answer->answered) co_return false;
    const auto entry = read_entry(answer->text.value_or(""));
    if (!entry) co_return identity::refusal(Code::internal, "The ledger cannot be read.");
    if (entry->status == Status::processing && !entry->session.empty()) {
        auto failed = co_await go_on(in, request.exchange, *entry);
        co_return failed;
    }
    ++(entry->method == PayMethod::card ? in.counts.card : in.counts.offline);
    if (entry->status == Status::due) {
        if (!entry->note.empty()) ++in.counts.fallbacks;
        answer_due(request.exchange, *entry);
        co_return false;
    }
    const Done done = co_await begin(in, request.exchange, provider, *entry);
    if (!done) co_return done.error();
    co_return false;
}

}  // namespace

Task<Done> checkout(const PayContext& in, route::Request& request) {
    const auto body = read_body(request.exchange.body());
    if (!body) co_return body.error();
    if (!base::is_uuid(body->id))
        co_return identity::refusal(Code::order_not_found, "There is no such order.", "id");
    std::optional<Provider> provider;
    if (body->method == PayMethod::card) {
        auto known = co_await provider_of(in);
        if (!known) co_return known.error();
        provider = std::move(*known);
    }
    for (int tried = 0; tried < 3; ++tried) {
        const auto again = co_await attempt(in, request, *body, provider);
        if (!again) co_return again.error();
        if (!*again) co_return Done();
    }
    co_return paid_by_another();
}

}  // namespace svc::pay
