#include "pay/provider.hpp"

#include <algorithm>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <chrono>
#include <utility>
#include <vector>

#include "base/ascii.hpp"
#include "base/percent.hpp"
#include "base/url_host.hpp"
#include "identity/command.hpp"
#include "identity/secret/sealer.hpp"
#include "json/value.hpp"
#include "log/log.hpp"
#include "outgoing/error_word.hpp"

namespace svc::pay {
namespace {

using Clock = std::chrono::steady_clock;

constexpr unsigned kSeconds = 20;
constexpr std::string_view kSessions = "/v1/checkout/sessions";
// How long another request may open the same session, and how often the provider is asked
// meanwhile.
constexpr std::chrono::seconds kOpening{5};
constexpr std::chrono::milliseconds kBetween{200};

// One exchange for both secrets, as each checkout waits for it. If the key names hosts, it is sent
// only to these; a host contains no blank.
constexpr std::string_view kSecrets =
    "select b.sealed, k.sealed, array_to_string(k.hosts, ' ') from svc.secret b, svc.secret k"
    " where b.name = 'CARD_API_BASE' and k.name = 'CARD_SECRET_KEY'";

class Secrets : public db::RowSink {
  public:
    void row(const Row& row) override {
        base = row.text(0);
        key = row.text(1);
        hosts.reset();
        if (!row.null(2)) hosts = row.text(2);
    }
    bool may_go_to(std::string_view host) const {
        if (!hosts) return true;
        const std::string wanted = ' ' + std::string(host) + ' ';
        return !host.empty() && (' ' + *hosts + ' ').find(wanted) != std::string::npos;
    }
    std::string base, key;             // sealed; empty: there is none
    std::optional<std::string> hosts;  // nothing: no host was named
};

// https://api.stripe.com of https://api.stripe.com/v1/
std::string without_version(std::string base) {
    while (base.ends_with('/')) base.pop_back();
    if (base.ends_with("/v1")) base.resize(base.size() - 3);
    while (base.ends_with('/')) base.pop_back();
    return base;
}

bool is_one_line(std::string_view text) {
    return std::ranges::all_of(text, [](char c) { return c > ' ' && c < 127; });
}

using Form = std::vector<std::pair<std::string_view, std::string>>;

std::string form_text(const Form& form) {
    std::string out;
    for (const auto& [name, value] : form) {
        if (!out.empty()) out += '&';
        out += base::percent_encoded(name) + '=' + base::percent_encoded(value);
    }
    return out;
}

outgoing::Fetch request_to(const PayContext& in, const Provider& provider, std::string_view path) {
    outgoing::Fetch out;
    out.url = provider.base + std::string(kSessions) + std::string(path);
    out.headers = {"Authorization: Bearer " + provider.key, "Accept: application/json"};
    out.allowed = in.allow_private;
    out.seconds = kSeconds;
    return out;
}

outgoing::Fetch post_to(const PayContext& in, const Provider& provider, std::string_view path,
                        const std::string& key, const Form& form) {
    outgoing::Fetch out = request_to(in, provider, path);
    out.method = "POST";
    out.body = form_text(form);
    out.headers.insert(out.headers.end(), {"Content-Type: application/x-www-form-urlencoded",
                                           "Idempotency-Key: " + key, "Expect:"});
    return out;
}

// The provider's words may quote what it was sent.
void log_failure(const outgoing::Fetched& answer, std::string_view what) {
    std::string code = answer.error;
    if (answer.status != 0) {
        const json::Parsed body = json::parse(answer.body);
        const json::Value* error = body.error.empty() ? body.value.find("error") : nullptr;
        if (error)
            code = outgoing::error_word(error->text_of("type")) + ' ' +
                   outgoing::error_word(error->text_of("code"));
    }
    log::write(log::Level::warning, "card_provider_failed",
               {{"call", what}, {"status", std::int64_t{answer.status}}, {"why", code}});
}

std::optional<CheckoutSession> session_in(const PayContext& in, const outgoing::Fetched& answer,
                                          std::string_view what) {
    auto session = answer.ok() ? read_session(answer.body) : std::nullopt;
    if (session) return session;
    ++in.counts.provider_failures;
    log_failure(answer, what);
    return std::nullopt;
}

Form session_form(const Entry& entry) {
    return {{"mode", "payment"},
            {"client_reference_id", entry.reference},
            {"success_url", entry.return_url},
            {"cancel_url", entry.return_url},
            {"expires_at", std::to_string(entry.expires)},
            {"metadata[payment]", entry.id},
            {"line_items[0][quantity]", "1"},
            {"line_items[0][price_data][currency]", entry.currency},
            {"line_items[0][price_data][unit_amount]", std::to_string(entry.charge)},
            {"line_items[0][price_data][product_data][name]", entry.product}};
}

// True for the id of a session. Any other text must not become part of an address.
bool is_session_id(std::string_view id) {
    return !id.empty() && id.size() <= 255 && std::ranges::all_of(id, [](char c) {
        return base::is_alphanumeric(c) || c == '_' || c == '-';
    });
}

// Callers lead the customer to the address of a session: one of another scheme may be a script.
bool is_web_address(std::string_view url) {
    return url.starts_with("https://") || url.starts_with("http://");
}

}  // namespace

identity::Refusal paid_by_another() {
    return identity::refusal(Code::conflict, "Another request is paying this order. Try again.");
}

Task<identity::Result<std::optional<Provider>>> provider_of(const PayContext& in) {
    if (!in.outside) co_return std::nullopt;
    Secrets secrets;
    const db::Command command = identity::command("svc_card_secrets", kSecrets, {}, &secrets);
    const db::Outcome outcome = co_await in.system.run({&command, 1});
    if (!outcome.ok) co_return identity::refusal(outcome);
    const identity::Sealer sealer(in.secret, "secret");
    const std::string base = sealer.unseal(secrets.base).value_or("");
    if (base.empty() || !secrets.may_go_to(base::host_of(base))) co_return std::nullopt;
    Provider out{without_version(base), sealer.unseal(secrets.key).value_or("")};
    if (out.key.empty() || !is_one_line(out.key) || !is_one_line(out.base)) co_return std::nullopt;
    co_return std::move(out);
}

// The provider answers 409 while another request with the same key is under way. The payment is
// that one's: it must not become due meanwhile.
Task<identity::Result<std::optional<CheckoutSession>>> open_session(const PayContext& in,
                                                                    const Provider& provider,
                                                                    const Entry& entry) {
    constexpr int kInUse = 409;
    const outgoing::Fetch request =
        post_to(in, provider, "", "svc-payment-" + entry.id, session_form(entry));
    const Clock::time_point until = Clock::now() + kOpening;
    outgoing::Fetched answer = co_await in.calls.send(request);
    const auto executor = co_await asio::this_coro::executor;
    while (answer.status == kInUse && Clock::now() < until) {
        asio::steady_timer timer(executor, kBetween);
        co_await timer.async_wait(asio::use_awaitable);
        answer = co_await in.calls.send(request);
    }
    if (answer.status == kInUse) co_return paid_by_another();
    auto session = session_in(in, answer, "open");
    if (session && !(is_session_id(session->id) && is_web_address(session->url))) session.reset();
    co_return std::move(session);
}

Task<std::optional<CheckoutSession>> fetch_session(const PayContext& in, const Provider& provider,
                                                   const std::string& session) {
    const outgoing::Fetched answer = co_await in.calls.send(
        request_to(in, provider, '/' + session + "?expand%5B%5D=payment_intent"));
    co_return session_in(in, answer, "fetch");
}

Task<> expire_session(const PayContext& in, const Provider& provider, const std::string& session) {
    co_await in.calls.send(
        post_to(in, provider, '/' + session + "/expire", "svc-expire-" + session, {}));
}

}  // namespace svc::pay
