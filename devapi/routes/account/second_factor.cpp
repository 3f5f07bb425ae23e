#include "routes/account/second_factor.hpp"

#include "auth/password/argon2.hpp"
#include "base/ascii.hpp"
#include "base/base64url.hpp"
#include "base/url_host.hpp"
#include "calls/context.hpp"
#include "http/fields.hpp"
#include "identity/key/origin.hpp"
#include "outgoing/fetch.hpp"
#include "platform/factor/factor_steps.hpp"
#include "platform/factor/passkeys.hpp"

namespace svc::devapi {
namespace {

constexpr const char* kWrongCode = "The code is wrong, or it was already used.";
constexpr const char* kTooMany = "Too many wrong codes. Wait and try again.";

bool is_bare_address(const std::string& host) {
    return host.find(':') != std::string::npos ||
           host.find_first_not_of("0123456789.") == std::string::npos;
}

FactorResult refused_factor(const Account& tried, Code code, std::string message) {
    return {std::nullopt, tried, code, std::move(message)};
}

// The developer API has BAD_REQUEST for the apps' PARAMS_INVALID.
Code developers_code(const identity::Refusal& refusal) {
    return refusal.error.code == Code::params_invalid ? Code::bad_request : refusal.error.code;
}

FactorResult refused_factor(const Account& tried, const identity::Refusal& refusal) {
    return refused_factor(tried, developers_code(refusal), refusal.error.message);
}

// The signature, and that it is not a copy's.
identity::Result<void> check_signature(Context& context, const Account& account,
                                       const auth::passkey::ShownPasskey& shown) {
    const auto wrong = identity::refusal(
        Code::invalid_code,
        "This passkey does not belong to this account, or its answer could not be verified.");
    const bool other =
        !shown.user_handle.empty() && shown.user_handle != base::base64url(account.id);
    const auto known = find_passkey(context.store, account.id, shown.credential);
    if (other || !known) return wrong;
    std::optional<std::uint32_t> count;
    try {
        count = auth::passkey::verified_use(known->key, shown.client, shown.authenticator_data,
                                            shown.signature, passkey_site(context.config));
    } catch (const std::runtime_error& error) {
        return auth::passkey::no_libfido(error);
    }
    if (!count || !use_passkey(context.store, known->id, *count)) return wrong;
    return {};
}

identity::Result<void> check_passkey(Context& context, const Account& account,
                                     const FactorResponse& shown) {
    const auto& passkey = *shown.passkey;
    if (!take_pending_challenge(context.store, shown.pending, passkey.client.challenge))
        return auth::passkey::stale_challenge();
    if (auto fit = check_page(context.config, passkey.client, auth::passkey::Ceremony::get); !fit)
        return fit;
    return check_signature(context, account, passkey);
}

}  // namespace

std::string passkey_site(const Config& config) {
    const std::string host = base::host_of(config.public_url());
    return is_bare_address(host) ? std::string() : host;
}

void refuse_passkeys(Response& response) {
    response.refuse(Code::bad_request,
                    "Passkeys need a host name, but this service is reached by an IP address. Ask "
                    "its operator to set SVC_PUBLIC_ORIGIN to an origin with a host name.");
}

void refuse_factor(const identity::Refusal& refusal, Response& response) {
    response.refuse(developers_code(refusal), refusal.error.message);
}

std::optional<FactorChallenge> ask_factor(Context& context, const Account& account) {
    const EnrolledFactors enrolled = context.factors.of(account.id);
    if (!enrolled.any()) return std::nullopt;
    const PendingSignIn begun = begin_pending(context.store, account.id);
    FactorChallenge asked{begun.value, enrolled.totp, {}};
    const std::string site = passkey_site(context.config);
    if (enrolled.passkeys > 0 && !site.empty())
        asked.passkey_options = auth::passkey::request_options(
            begun.challenge, site, passkey_descriptors(context.store, account.id));
    return asked;
}

FactorResult verify_factor(Context& context, const FactorResponse& shown,
                           const std::string& remote) {
    const auto account = try_pending(context.store, shown.pending);
    if (!account)
        return refused_factor({}, Code::invalid_code, "This sign-in has expired. Sign in again.");
    if (const int seconds = context.code_throttle.take(account->id, remote)) {
        FactorResult end = refused_factor(*account, Code::rate_limited, kTooMany);
        end.retry_after = static_cast<unsigned>(seconds);
        return end;
    }
    if (shown.passkey) {
        const auto fit = check_passkey(context, *account, shown);
        if (!fit) return refused_factor(*account, fit.error());
    } else if (!context.factors.use(account->id, shown.code)) {
        return refused_factor(*account, Code::invalid_code, kWrongCode);
    }
    context.code_throttle.succeeded(account->id, remote);
    if (!end_pending(context.store, shown.pending))
        return refused_factor(*account, Code::invalid_code,
                              "This sign-in has expired. Sign in again.");
    return {account, *account};
}

void note_failed_factor(Context& context, std::string_view action, const FactorResult& end,
                        const std::string& address) {
    if (end.tried.email.empty()) return;
    if (end.code == Code::rate_limited)
        context.sign_in_notes.locked_out(action, end.tried.email, address);
    else
        context.sign_in_notes.failed(action, end.tried.email, address);
}

identity::Result<void> check_page(const Config& config, const auth::passkey::ClientData& client,
                                  auth::passkey::Ceremony asked) {
    if (auto fit = auth::passkey::check_type(client, asked); !fit) return fit;
    const std::string origin = identity::normalised_origin(client.origin);
    if (client.cross_origin || origin.empty() ||
        origin != identity::normalised_origin(config.public_url()))
        return identity::refusal(
            Code::origin_not_allowed,
            "Passkeys of this service are not allowed for pages of this origin.");
    return {};
}

bool may_change_factors(Context& context, const Request& request, Response& response) {
    if (request.caller.second_factor || !context.factors.of(request.caller.user_id).any())
        return true;
    response.refuse(Code::mfa_required, "Sign in with your second factor first.");
    return false;
}

bool may_try_again(Context& context, const Request& request, Response& response) {
    const Caller& caller = request.caller;
    using Kind = DevLimits::Kind;
    const unsigned seconds =
        caller.second_factor
            ? context.limits.take(Kind::session_codes, caller.credential_id)
            : static_cast<unsigned>(context.code_throttle.take(caller.user_id, request.remote));
    if (seconds == 0) return true;
    response.header("Retry-After", std::to_string(seconds));
    response.refuse(Code::rate_limited, kTooMany);
    return false;
}

void was_right(Context& context, const Request& request) {
    const Caller& caller = request.caller;
    if (caller.second_factor)
        context.limits.forget(DevLimits::Kind::session_codes, caller.credential_id);
    else
        context.code_throttle.succeeded(caller.user_id, request.remote);
}

bool takes_code(Context& context, const Request& request, const std::string& code,
                Response& response) {
    if (!may_try_again(context, request, response)) return false;
    if (!context.factors.use(request.caller.user_id, code)) {
        response.refuse(Code::invalid_code, kWrongCode);
        return false;
    }
    was_right(context, request);
    return true;
}

bool shows_again(Context& context, const Request& request, Response& response) {
    const EnrolledFactors enrolled = context.factors.of(request.caller.user_id);
    const char* asked = enrolled.totp ? "code" : "password";
    Fields fields(request);
    const std::string value = fields.required_text(asked, 1, 200);
    if (!fields.good(response)) return false;
    if (enrolled.totp) return takes_code(context, request, value, response);
    if (!may_try_again(context, request, response)) return false;
    const auto known = find_account(context.store, request.caller.email);
    if (!auth::password::fits_hash(value, known ? known->password_hash : std::string())) {
        response.refuse(DevCode::unauthenticated, "The password is wrong.");
        return false;
    }
    was_right(context, request);
    return true;
}

}  // namespace svc::devapi
