#include "auth/oidc/attempt.hpp"

#include <algorithm>
#include <ctime>

#include "identity/credentials.hpp"
#include "identity/secret/sealer.hpp"

namespace svc::auth::oidc {
namespace {

constexpr std::string_view kAttemptCookie = "svc_oauth";
constexpr std::int64_t kAttemptSeconds = 600;

std::string sealed_attempt(const Context& in, const Attempt& attempt) {
    std::string text = std::to_string(attempt.until);
    for (const std::string* part :
         {&attempt.provider, &attempt.state, &attempt.nonce, &attempt.verifier, &attempt.return_to})
        text += '\n' + *part;
    return identity::Sealer(in.settings.secret, "oauth").seal(text);
}

std::optional<Attempt> open_attempt(const Context& in, std::string_view sealed) {
    const auto text = identity::Sealer(in.settings.secret, "oauth").unseal(sealed);
    if (!text) return std::nullopt;
    Attempt attempt;
    std::string until;
    std::string_view rest = *text;
    for (std::string* part : {&until, &attempt.provider, &attempt.state, &attempt.nonce,
                              &attempt.verifier, &attempt.return_to}) {
        const auto end = std::min(rest.find('\n'), rest.size());
        *part = rest.substr(0, end);
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    attempt.until = std::stoll(until);
    if (attempt.until < std::time(nullptr)) return std::nullopt;
    return attempt;
}

}  // namespace

void keep_attempt(const Call& call, Attempt& attempt) {
    attempt.until = std::time(nullptr) + kAttemptSeconds;
    add_cookie(call, kAttemptCookie, sealed_attempt(call.in, attempt), "/", kAttemptSeconds);
}

std::optional<Attempt> kept_attempt(const Call& call) {
    return open_attempt(call.in, identity::own_cookie(call.exchange.head(), kAttemptCookie, "/"));
}

void forget_attempt(const Call& call) { add_cookie(call, kAttemptCookie, "", "/", 0); }

}  // namespace svc::auth::oidc
