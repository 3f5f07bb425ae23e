// Passkeys: making, using, listing, removing them. Bodies are as browsers print credentials
// (PublicKeyCredential.toJSON), options as they read them (parseCreationOptionsFromJSON,
// parseRequestOptionsFromJSON).
#include <algorithm>

#include "auth/answer.hpp"
#include "auth/audit.hpp"
#include "auth/mfa_store.hpp"
#include "auth/passkey_answer.hpp"
#include "auth/passkey_store.hpp"
#include "auth/session_start.hpp"
#include "http/json_text.hpp"
#include "identity/base64url.hpp"
#include "identity/personas.hpp"
#include "json/formats.hpp"
#include "log/log.hpp"

namespace svc::auth {
namespace {

constexpr std::string_view kTimeout = R"(,"timeout":300000)";

// One for all that may be wrong: nobody learns which passkeys there are.
identity::Refusal no_passkey() {
    return identity::refusal(Code::invalid_credentials,
                             "This passkey is not known here, or its answer does not hold.");
}

identity::Refusal libfido_missing(const std::exception& error) {
    log::write(log::Level::error, "passkeys_unavailable", {{"what", error.what()}});
    return identity::refusal(Code::unavailable, "Passkeys cannot be checked just now.");
}

Task<Done> register_start(Call& call) {
    if (auto on = check_passkeys(call); !on) co_return on.error();
    MfaStore factors(call.in);
    const Done may = co_await factors.may_enrol(*call.caller);
    if (!may) co_return may.error();
    const User& user = *call.caller->user;
    PasskeyStore passkeys(call.in);
    const auto known = co_await passkeys.descriptors(user.id);
    if (!known) co_return known.error();
    const auto challenge = co_await passkeys.challenge(user.id);
    if (!challenge) co_return challenge.error();
    std::string& body = call.exchange.reply().body;
    body = R"({"ok":true,"options":{"challenge":)";
    http::append_json(body, *challenge);
    body += R"(,"rp":{"id":)";
    http::append_json(body, rp_id(call.in));
    body += R"(,"name":)";
    http::append_json(body, call.in.app.name);
    body += R"(},"user":{"id":)";
    http::append_json(body, identity::base64url(user.id));
    body += R"(,"name":)";
    http::append_json(body, user.email);
    body += R"(,"displayName":)";
    http::append_json(body, user.name.empty() ? user.email : user.name);
    body +=
        R"(},"pubKeyCredParams":[{"type":"public-key","alg":-7},{"type":"public-key","alg":-8},)"
        R"({"type":"public-key","alg":-257}],"attestation":"none","authenticatorSelection":)"
        R"({"residentKey":"required","requireResidentKey":true,"userVerification":"required"},)"
        R"("excludeCredentials":[)";
    body += known->text + "]";
    body += kTimeout;
    body += "}}";
    call.exchange.reply().header("Cache-Control", "no-store");
    co_return Done();
}

identity::Result<NewPasskey> read_registered(const Call& call, const ShownPasskey& shown) {
    try {
        auto made = read_new_passkey(shown.authenticator_data, rp_id(call.in));
        if (made) return std::move(*made);
    } catch (const std::runtime_error& error) {
        return libfido_missing(error);
    }
    return identity::refusal(
        Code::params_invalid,
        "The authenticator's answer is not of this app, its owner was not verified, or its key is "
        "of a kind that was not asked for.",
        "credential");
}

// {credential, name?}
Task<Done> register_finish(Call& call) {
    if (auto on = check_passkeys(call); !on) co_return on.error();
    MfaStore factors(call.in);
    const Done may = co_await factors.may_enrol(*call.caller);
    if (!may) co_return may.error();
    const auto shown = read_shown(call, "webauthn.create");
    if (!shown) co_return shown.error();
    PasskeyStore passkeys(call.in);
    const auto ours =
        co_await passkeys.take_challenge(shown->client.challenge, call.caller->user->id);
    if (!ours) co_return ours.error();
    if (!*ours) co_return stale_challenge();
    if (auto fit = check_client(call, shown->client, "webauthn.create"); !fit)
        co_return fit.error();
    const auto made = read_registered(call, *shown);
    if (!made) co_return made.error();
    const auto added = co_await passkeys.add(call, *made, shown->transports, shown->name);
    if (!added) co_return added.error();
    answer_row(call.exchange, "passkey", *added);
    call.exchange.reply().status = 201;
    co_return Done();
}

// Asks for any passkey of this app, and so is the same for everybody.
Task<Done> login_start(Call& call) {
    if (auto on = check_passkeys(call); !on) co_return on.error();
    if (auto fit = take_step(call.in.throttles.passkeys, call.exchange); !fit)
        co_return fit.error();
    PasskeyStore passkeys(call.in);
    const auto challenge = co_await passkeys.challenge("");
    if (!challenge) co_return challenge.error();
    std::string& body = call.exchange.reply().body;
    body = R"({"ok":true,"options":{"challenge":)";
    http::append_json(body, *challenge);
    body += R"(,"rpId":)";
    http::append_json(body, rp_id(call.in));
    body += R"(,"userVerification":"required","allowCredentials":[])";
    body += kTimeout;
    body += "}}";
    call.exchange.reply().header("Cache-Control", "no-store");
    co_return Done();
}

// What is wrong with an account is told to whoever has its passkey, and to nobody else.
identity::Result<void> check_account(const Context& in, const identity::Account& account) {
    if (account.disabled)
        return identity::refusal(Code::account_disabled, "This account is disabled.");
    if (in.app.auth.verify_email && !account.verified)
        return identity::refusal(Code::email_not_verified, "Confirm your e-mail address first.");
    return {};
}

identity::Result<std::uint32_t> check_use(const Call& call, const KnownPasskey& passkey,
                                          const ShownPasskey& shown) {
    const std::string owner = identity::base64url(passkey.account.user.id);
    if (!shown.user_handle.empty() && shown.user_handle != owner) return no_passkey();
    try {
        const auto count = verified_use(passkey.key, shown.client, shown.authenticator_data,
                                        shown.signature, rp_id(call.in));
        if (count) return *count;
    } catch (const std::runtime_error& error) {
        return libfido_missing(error);
    }
    return no_passkey();
}

Task<> note_use_failed(const Call& call, const KnownPasskey& passkey, std::string_view event) {
    co_await audit(call, {.event = event,
                          .account_id = passkey.account.user.id,
                          .email = passkey.account.user.email,
                          .detail = "passkey"});
}

// The account that the passkey opens.
Task<identity::Result<identity::Account>> opened_by(const Call& call, const ShownPasskey& shown) {
    PasskeyStore passkeys(call.in);
    auto passkey = co_await passkeys.find(shown.credential);
    if (!passkey) co_return passkey.error();
    if (!*passkey) co_return no_passkey();
    const auto count = check_use(call, **passkey, shown);
    if (!count) {
        const identity::Refusal refused = count.error();
        co_await note_use_failed(call, **passkey, "login_failed");
        co_return refused;
    }
    const auto used = co_await passkeys.use(**passkey, *count);
    if (!used) co_return used.error();
    if (!*used) {
        co_await note_use_failed(call, **passkey, "passkey_cloned");
        co_return no_passkey();
    }
    if (auto fit = check_account(call.in, (*passkey)->account); !fit) {
        const identity::Refusal refused = fit.error();
        co_await note_use_failed(call, **passkey, "login_failed");
        co_return refused;
    }
    co_return std::move((*passkey)->account);
}

// {credential}
Task<Done> login_finish(Call& call) {
    if (auto on = check_passkeys(call); !on) co_return on.error();
    if (auto fit = take_step(call.in.throttles.passkeys, call.exchange); !fit)
        co_return fit.error();
    const auto shown = read_shown(call, "webauthn.get");
    if (!shown) co_return shown.error();
    PasskeyStore passkeys(call.in);
    const auto ours = co_await passkeys.take_challenge(shown->client.challenge, "");
    if (!ours) co_return ours.error();
    if (!*ours) co_return stale_challenge();
    if (auto fit = check_client(call, shown->client, "webauthn.get"); !fit) co_return fit.error();
    const auto account = co_await opened_by(call, *shown);
    if (!account) co_return account.error();
    const auto started = co_await begin_session(call, *account, "passkey", true);
    if (!started) co_return started.error();
    co_return Done();
}

Task<Done> list_passkeys(Call& call) {
    if (auto on = check_passkeys(call); !on) co_return on.error();
    PasskeyStore passkeys(call.in);
    const auto rows = co_await passkeys.list(call.caller->user->id);
    if (!rows) co_return rows.error();
    answer_rows(call.exchange, "passkeys", *rows);
    co_return Done();
}

Task<Done> remove_passkey(Call& call) {
    if (auto on = check_passkeys(call); !on) co_return on.error();
    const identity::Refusal unknown =
        identity::refusal(Code::not_found, "You have no such passkey.");
    if (!json::is_uuid(call.id)) co_return unknown;
    PasskeyStore passkeys(call.in);
    const auto end = co_await passkeys.remove(
        call, identity::needs_second_factor(call.in.app, call.caller->user->role));
    if (!end) co_return end.error();
    if (*end == PasskeyEnd::unknown) co_return unknown;
    if (*end == PasskeyEnd::needed)
        co_return identity::refusal(Code::mfa_required, "Your role needs a second factor.");
    answer_ok(call.exchange);
    co_return Done();
}

constexpr AuthRoute kPasskeyRoutes[] = {
    {Method::post, "/auth/passkeys/register/start", Need::enrolment, register_start},
    {Method::post, "/auth/passkeys/register/finish", Need::enrolment, register_finish},
    {Method::post, "/auth/passkeys/login/start", Need::key, login_start},
    {Method::post, "/auth/passkeys/login/finish", Need::key, login_finish},
    {Method::get, "/auth/passkeys", Need::session, list_passkeys},
    {Method::remove, "/auth/passkeys/<id>", Need::session, remove_passkey},
};

}  // namespace

std::span<const AuthRoute> passkey_routes() { return kPasskeyRoutes; }

}  // namespace svc::auth
