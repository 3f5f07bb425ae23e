#include "identity/key/gate.hpp"

#include <algorithm>

#include "base/ascii.hpp"
#include "identity/credentials.hpp"
#include "identity/key/origin.hpp"

namespace svc::identity {
namespace {

Result<void> check_environment(const http::Head& head, Env own) {
    const std::string_view asked = head.header("x-svc-env");
    if (asked.empty() || asked == base::word(own)) return {};
    if (!dev_or_prod(asked))
        return refusal(Code::params_invalid, "The header x-svc-env must be dev or prod.");
    return refusal(Code::no_app,
                   "This address has no live app in the environment " + std::string(asked) + ".");
}

Result<void> check_marker(const http::Head& head) {
    if (head.header("x-svc-data-api") == "1") return {};
    return refusal(Code::params_invalid, "Data calls need the header x-svc-data-api: 1.");
}

// Browsers send no Origin with a page's own GET and HEAD. What they say there is that the page is
// of the very host that it asks.
bool asked_by_own_page(const http::Head& head, const AppKey& key) {
    const std::string host(head.header("host"));
    if (changes_state(head) || head.header("sec-fetch-site") != "same-origin") return false;
    return usable_from(key, "https://" + host) || usable_from(key, "http://" + host);
}

// A page of another origin cannot send the header: no preflight allows it, for any key. And where
// a browser names an origin, it is the page's.
bool from_own_page(const http::Head& head) {
    if (head.header("x-svc-page") != "1") return false;
    const std::string_view site = head.header("sec-fetch-site"), origin = head.header("origin");
    if (!site.empty() && site != "same-origin") return false;
    if (origin.empty()) return !changes_state(head);
    return origin_of_host(origin, head.header("host"));
}

bool stands_on(const http::Head& head, const std::vector<std::string>& hosts) {
    const auto is_it = [&](const std::string& host) { return base::iequals(host, head.host); };
    return hosts.empty() || std::ranges::any_of(hosts, is_it);
}

Result<void> check_origin(const http::Head& head, const AppKey& key) {
    if (key.kind != KeyKind::browser) return {};
    const std::string_view origin = head.header("origin");
    if (origin.empty() && asked_by_own_page(head, key)) return {};
    if (origin.empty())
        return refusal(Code::origin_required, "A call with a browser key needs an Origin header.");
    if (usable_from(key, origin)) return {};
    return refusal(Code::origin_not_allowed,
                   "This app key is not allowed for pages of this origin.");
}

}  // namespace

Gate::Gate(const KeyStore& keys, Budget& budget, Env env, OwnPages own)
    : keys_(keys), budget_(budget), env_(env), own_(std::move(own)) {}

Result<std::shared_ptr<const AppKey>> Gate::key_of(const http::Head& head) const {
    const std::string_view value = bearer(head);
    if (value.empty() && own_.key && from_own_page(head) && stands_on(head, own_.hosts))
        return own_.key;
    if (value.empty())
        return refusal(Code::unauthorized, "Send the app key as Authorization: Bearer <key>.");
    if (!keys_.trusted()) {
        Refusal stale =
            refusal(Code::unavailable, "The app cannot read its keys right now. Try again.");
        stale.retry_after = 5;
        return stale;
    }
    auto key = keys_.find(value);
    // A preview token opens the dev environment alone.
    if (!key || (key->kind == KeyKind::preview && env_ != Env::dev))
        return refusal(Code::unauthorized, "This app key is not valid.");
    return key;
}

Result<std::shared_ptr<const AppKey>> Gate::enter(const http::Head& head, Marker marker,
                                                  bool counted) {
    auto key = key_of(head);
    if (!key) return key;
    if (auto env = check_environment(head, env_); !env) return env.error();
    if (marker == Marker::needed)
        if (auto marked = check_marker(head); !marked) return marked.error();
    // For the key of the app's own pages, key_of() has checked the origin already.
    if (auto origin = check_origin(head, **key); *key != own_.key && !origin) return origin.error();
    if (!counted) return key;
    if (const unsigned wait = budget_.take((*key)->kind, Clock::now(), (*key)->per_minute)) {
        Refusal full = refusal(Code::rate_limited,
                               "All requests of this minute are used up. Wait and try again.");
        full.retry_after = wait;
        return full;
    }
    return key;
}

Result<void> check_server_key(const http::Head& head, const AppKey& key) {
    if (key.kind == KeyKind::server && shown_session(head).token.empty()) return {};
    return refusal(Code::server_key_required,
                   "SQL runs only with a server key and without an app session.");
}

Result<void> check_cookie_use(const http::Head& head, const AppKey& key) {
    if (!changes_state(head)) return {};
    const std::string_view origin = head.header("origin");
    if (origin.empty())
        return refusal(Code::origin_required,
                       "A change that uses the session cookie needs an Origin header.");
    if (origin_of_host(origin, head.header("host")) || origin_named(origin, key.origins)) return {};
    return refusal(Code::origin_not_allowed,
                   "The session cookie is not allowed for pages of this origin.");
}

}  // namespace svc::identity
