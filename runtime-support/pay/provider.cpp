#include "pay/provider.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/ascii.hpp"
#include "base/percent.hpp"
#include "base/url_host.hpp"
#include "db/one_value.hpp"
#include "identity/command.hpp"
#include "identity/secret/project_secret.hpp"
#include "identity/secret/sealer.hpp"
#include "json/value.hpp"
#include "log/log.hpp"

namespace svc::pay {
namespace {

constexpr unsigned kSeconds = 20;
constexpr std::string_view kSessions = "/v1/checkout/sessions";

// If the secret names hosts, it is sent only to these.
constexpr std::string_view kKey =
    "select s.sealed from svc.secret s"
    " where s.name = 'CARD_SECRET_KEY' and (s.hosts is null or $1::text = any (s.hosts))";

// https://api.stripe.com of https://api.stripe.com/v1/
std::string without_version(std::string base) {
    while (base.ends_with('/')) base.pop_back();
    if (base.ends_with("/v1")) base.resize(base.size() - 3);
    while (base.ends_with('/')) base.pop_back();
    return base;
}

// Empty: there is none that may be sent to `host`.
Task<identity::Result<std::string>> key_for(const PayContext& in, std::string_view host) {
    db::OneText sealed;
    const db::Param params[] = {host};
    const db::Command command = identity::command("svc_card_key", kKey, params, &sealed);
    const db::Outcome outcome = co_await in.system.run({&command, 1});
    if (!outcome.ok) co_return identity::refusal(outcome);
    if (!sealed.text) co_return std::string();
    co_return identity::Sealer(in.secret, "secret").unseal(*sealed.text).value_or("");
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

// The provider's words may quote what it was sent; its codes do not.
void log_failure(const outgoing::Fetched& answer, std::string_view what) {
    std::string code = answer.error;
    if (answer.status != 0) {
        const json::Parsed body = json::parse(answer.body);
        const json::Value* error = body.error.empty() ? body.value.find("error") : nullptr;
        if (error) code = error->text_of("type") + ' ' + error->text_of("code");
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

}  // namespace

Task<identity::Result<std::optional<Provider>>> provider_of(const PayContext& in) {
    if (!in.outside) co_return std::nullopt;
    const auto base = co_await identity::project_secret(in.system, in.secret, "CARD_API_BASE");
    if (!base) co_return base.error();
    if (!*base || (*base)->empty()) co_return std::nullopt;
    const auto key = co_await key_for(in, base::host_of(**base));
    if (!key) co_return key.error();
    Provider out{without_version(**base), *key};
    if (out.key.empty() || !is_one_line(out.key) || !is_one_line(out.base)) co_return std::nullopt;
    co_return std::move(out);
}

Task<std::optional<CheckoutSession>> open_session(const PayContext& in, const Provider& provider,
                                                  const Entry& entry) {
    const outgoing::Fetched answer = co_await in.calls.send(
        post_to(in, provider, "", "svc-payment-" + entry.id, session_form(entry)));
    auto session = session_in(in, answer, "open");
    if (session && (!is_session_id(session->id) || session->url.empty())) session.reset();
    co_return session;
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
