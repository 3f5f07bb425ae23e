// Signing in with a passkey.
#include "auth/audit.hpp"
#include "auth/messages.hpp"
#include "auth/passkey/passkey_answer.hpp"
#include "auth/passkey/passkey_store.hpp"
#include "auth/passkey/passkeys.hpp"
#include "auth/session_start.hpp"
#include "base/base64url.hpp"

namespace svc::auth::passkey {
namespace {

// One refusal for every fault, so nobody learns which passkeys exist.
identity::Refusal no_passkey() {
    return identity::refusal(
        Code::invalid_credentials,
        "This passkey is not registered here, or its answer could not be verified.");
}

// Only a caller who has the passkey learns what is wrong with the account.
identity::Result<void> check_account(const Context& in, const identity::Account& account) {
    if (account.disabled) return identity::refusal(Code::account_disabled, kAccountDisabled);
    if (in.app.auth.verify_email && !account.verified)
        return identity::refusal(Code::email_not_verified, kConfirmFirst);
    return {};
}

identity::Result<std::uint32_t> check_use(const Call& call, const KnownPasskey& passkey,
                                          const ShownPasskey& shown) {
    const std::string owner = base::base64url(passkey.account.user.id);
    if (!shown.user_handle.empty() && shown.user_handle != owner) return no_passkey();
    try {
        const auto count = verified_use(passkey.key, shown.client, shown.authenticator_data,
                                        shown.signature, rp_id(call.in));
        if (count) return *count;
    } catch (const std::runtime_error& error) {
        return no_libfido(error);
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

}  // namespace

// Asks for any passkey of this app, and so is the same for everybody. What is counted is this: each
// is finished once.
Task<Done> passkey_login_start(Call& call) {
    if (auto on = check_passkeys(call); !on) co_return on.error();
    if (auto fit = take_step(call.in.throttles.passkeys, call.exchange); !fit)
        co_return fit.error();
    PasskeyStore passkeys(call.in);
    const auto challenge = co_await passkeys.challenge("");
    if (!challenge) co_return challenge.error();
    std::string& body = call.exchange.reply().body;
    body = R"({"ok":true,"options":)" + request_options(*challenge, rp_id(call.in), "") + "}";
    call.exchange.reply().header("Cache-Control", "no-store");
    co_return Done();
}

// {credential}
Task<Done> passkey_login_finish(Call& call) {
    if (auto on = check_passkeys(call); !on) co_return on.error();
    const auto shown = read_shown(call, Ceremony::get);
    if (!shown) co_return shown.error();
    PasskeyStore passkeys(call.in);
    const auto ours = co_await passkeys.take_challenge(shown->client.challenge, "");
    if (!ours) co_return ours.error();
    if (!*ours) co_return stale_challenge();
    if (auto fit = check_client(call, shown->client, Ceremony::get); !fit) co_return fit.error();
    const auto account = co_await opened_by(call, *shown);
    if (!account) co_return account.error();
    const auto started = co_await begin_session(call, *account, "passkey", true);
    if (!started) co_return started.error();
    co_return Done();
}

}  // namespace svc::auth::passkey
