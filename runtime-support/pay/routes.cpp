#include "pay/routes.hpp"

#include <algorithm>

#include "base/ascii.hpp"
#include "base/formats.hpp"
#include "base/json_text.hpp"
#include "identity/command.hpp"
#include "identity/key/origin.hpp"
#include "pay/body.hpp"
#include "pay/checkout.hpp"
#include "pay/ledger.hpp"
#include "pay/order.hpp"
#include "pay/provider.hpp"
#include "pay/reconcile.hpp"

namespace svc::pay {
namespace {

using route::Done;
using route::Request;

constexpr std::string_view kCardPayment = "select svc.card_payment_of($1::text, $2::uuid)";
constexpr std::string_view kSettle = "select svc.settle_order($1::text, $2::uuid)";
constexpr std::string_view kFor = "select svc.payment_for($1::text, $2::uuid)";
constexpr std::string_view kAmount = "select svc.order_amount($1::text, $2::uuid)";
constexpr std::string_view kMethods = "select currency, card from svc.pay_methods()";

identity::Refusal no_order() {
    return identity::refusal(Code::order_not_found, "There is no such order.", "id");
}

void answer_status(http::Exchange& exchange, Status status) {
    exchange.reply().body = R"({"ok":true,"status":")" + std::string(base::word(status)) + "\"}";
}

Task<Done> confirm(const PayContext& in, Request& request) {
    const auto body = read_body(request.exchange.body());
    if (!body) co_return body.error();
    if (!base::is_uuid(body->id)) co_return no_order();
    const db::Param params[] = {body->table, body->id};
    const auto answer =
        co_await query_as_caller(in, request, {"svc_pay_card", kCardPayment, params});
    if (!answer) co_return answer.error();
    if (!answer->answered) co_return Done();
    const auto entry = read_entry(answer->text.value_or(""));
    if (!entry)
        co_return identity::refusal(Code::no_card_payment, "The order has no card payment.");
    const auto now = co_await reconcile(in, *entry, {.why = ReconcileReason::confirm});
    if (!now) co_return now.error();
    answer_status(request.exchange, now->status);
    co_return Done();
}

Task<Done> settle_offline(const PayContext& in, Request& request) {
    const auto body = read_body(request.exchange.body());
    if (!body) co_return body.error();
    if (!base::is_uuid(body->id)) co_return no_order();
    const db::Param params[] = {body->table, body->id};
    const auto answer = co_await query_as_caller(in, request, {"svc_pay_settle", kSettle, params});
    if (!answer) co_return answer.error();
    if (!answer->answered) co_return Done();
    ++in.counts.paid;
    const auto entry = read_entry(answer->text.value_or(""));
    request.exchange.reply().body = R"({"ok":true,"status":"paid","amountCents":)" +
                                    std::to_string(entry ? entry->amount : 0) + '}';
    co_return Done();
}

// Asks about the order at <table>/<id> and answers the result as `member`.
Task<Done> answer_query(const PayContext& in, Request& request, std::string_view name,
                        std::string_view sql, std::string_view member) {
    const std::size_t slash = request.id.find('/');
    const std::string_view table = request.id.substr(0, slash);
    const std::string_view id =
        slash == std::string_view::npos ? std::string_view() : request.id.substr(slash + 1);
    if (!base::is_uuid(id)) co_return no_order();
    const db::Param params[] = {table, id};
    const auto answer = co_await query_as_caller(in, request, {name, sql, params, Code::bad_table});
    if (!answer) co_return answer.error();
    if (answer->answered)
        request.exchange.reply().body =
            R"({"ok":true,")" + std::string(member) + "\":" + answer->text.value_or("null") + '}';
    co_return Done();
}

Task<Done> latest(const PayContext& in, Request& request) {
    co_return co_await answer_query(in, request, "svc_pay_for", kFor, "payment");
}

Task<Done> amount(const PayContext& in, Request& request) {
    co_return co_await answer_query(in, request, "svc_pay_amount", kAmount, "total");
}

class Ways : public db::RowSink {
  public:
    void row(const Row& row) override {
        currency = row.text(0);
        card = row.text(1) == "t";
    }
    std::string currency;  // empty: the app has no payments
    bool card = false;
};

Task<Done> methods(const PayContext& in, Request& request) {
    const auto caller = co_await in.callers.identify(request);
    if (!caller) co_return caller.error();
    Ways ways;
    const db::Command command = identity::command("svc_pay_methods", kMethods, {}, &ways);
    const db::Outcome outcome = co_await in.system.run({&command, 1});
    if (!outcome.ok) co_return identity::refusal(outcome);
    if (ways.currency.empty())
        co_return identity::refusal(Code::not_found, "The app has no payments.");
    bool card = ways.card;
    if (card) {
        const auto provider = co_await provider_of(in);
        if (!provider) co_return provider.error();
        card = provider->has_value();
    }
    std::string& body = request.exchange.reply().body;
    body = R"({"ok":true,"currency":)";
    base::append_json(body, ways.currency);
    body += card ? R"(,"methods":["offline","card"]})" : R"(,"methods":["offline"]})";
    co_return Done();
}

using Act = Task<Done> (*)(const PayContext&, Request&);

route::Endpoint endpoint(const PayContext& in, Method method, std::string_view path, Act act) {
    return {.method = method, .path = path, .handler = [&in, act](Request& request) {
                return act(in, request);
            }};
}

}  // namespace

// Stripe's API and its pages have different hosts; another provider has one host for both.
Task<std::string> page_origin(const PayContext& in) {
    const auto provider = co_await provider_of(in);
    if (!provider || !*provider) co_return std::string();
    const std::string& base = (*provider)->base;
    const std::size_t scheme = base.find("://");
    if (scheme == std::string::npos) co_return std::string();
    const std::size_t host = scheme + 3;
    std::string origin = identity::normalised_origin(base.substr(0, base.find('/', host)));
    // The origin becomes part of a header.
    const bool plain = std::ranges::all_of(origin, [](char c) {
        return base::is_alphanumeric(c) ||
               std::string_view(".:-/[]").find(c) != std::string_view::npos;
    });
    if (origin == "https://api.stripe.com") co_return "https://checkout.stripe.com";
    co_return plain ? origin : std::string();
}

std::vector<route::Endpoint> routes(const PayContext& in) {
    return {endpoint(in, Method::post, "/pay/checkout", checkout),
            endpoint(in, Method::post, "/pay/confirm", confirm),
            endpoint(in, Method::post, "/pay/settle", settle_offline),
            endpoint(in, Method::get, "/pay/methods", methods),
            endpoint(in, Method::get, "/pay/for/<path>", latest),
            endpoint(in, Method::get, "/pay/total/<path>", amount)};
}

}  // namespace svc::pay
