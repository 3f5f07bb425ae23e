// The routes with which accounts make, list and remove their passkeys.
#include "auth/answer.hpp"
#include "auth/messages.hpp"
#include "auth/mfa/mfa_store.hpp"
#include "auth/passkey/passkey_answer.hpp"
#include "auth/passkey/passkey_store.hpp"
#include "auth/passkey/passkeys.hpp"
#include "base/formats.hpp"
#include "identity/user/personas.hpp"

namespace svc::auth::passkey {
namespace {

// `known`: what the account has, which is not made twice.
std::string creation_of(const Call& call, std::string_view challenge, const JsonRows& known) {
    const User& user = *call.caller->user;
    const std::string site = rp_id(call.in);
    return creation_options({challenge, site, call.in.app.name, user.id, user.email,
                             user.name.empty() ? user.email : user.name, known.text});
}

identity::Result<NewPasskey> read_registered(const Call& call, const ShownPasskey& shown) {
    try {
        auto made = read_new_passkey(shown.authenticator_data, rp_id(call.in));
        if (made) return std::move(*made);
    } catch (const std::runtime_error& error) {
        return no_libfido(error);
    }
    return identity::refusal(
        Code::params_invalid,
        "The authenticator's answer was refused: it is for another app, its "
        "owner was not verified, or its key uses an algorithm that svc did not request.",
        "credential");
}

}  // namespace

Task<Done> passkey_register_start(Call& call) {
    if (auto on = check_passkeys(call); !on) co_return on.error();
    mfa::MfaStore factors(call.in);
    const Done may = co_await factors.may_enrol(*call.caller);
    if (!may) co_return may.error();
    const std::string& account = call.caller->user->id;
    PasskeyStore passkeys(call.in);
    const auto known = co_await passkeys.descriptors(account);
    if (!known) co_return known.error();
    const auto challenge = co_await passkeys.challenge(account);
    if (!challenge) co_return challenge.error();
    std::string& body = call.exchange.reply().body;
    body = R"({"ok":true,"options":)";
    body += creation_of(call, *challenge, *known);
    body += '}';
    call.exchange.reply().header("Cache-Control", "no-store");
    co_return Done();
}

// {credential, name?}
Task<Done> passkey_register_finish(Call& call) {
    if (auto on = check_passkeys(call); !on) co_return on.error();
    mfa::MfaStore factors(call.in);
    const Done may = co_await factors.may_enrol(*call.caller);
    if (!may) co_return may.error();
    const auto shown = read_shown(call, Ceremony::create);
    if (!shown) co_return shown.error();
    PasskeyStore passkeys(call.in);
    const auto ours =
        co_await passkeys.take_challenge(shown->client.challenge, call.caller->user->id);
    if (!ours) co_return ours.error();
    if (!*ours) co_return stale_challenge();
    if (auto fit = check_client(call, shown->client, Ceremony::create); !fit) co_return fit.error();
    const auto made = read_registered(call, *shown);
    if (!made) co_return made.error();
    const auto added = co_await passkeys.add(call, *made, shown->transports, shown->name);
    if (!added) co_return added.error();
    answer_row(call.exchange, "passkey", *added);
    call.exchange.reply().status = 201;
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
    if (!base::is_uuid(call.id)) co_return unknown;
    PasskeyStore passkeys(call.in);
    const auto end = co_await passkeys.remove(
        call, identity::needs_second_factor(call.in.app, call.caller->user->role));
    if (!end) co_return end.error();
    if (*end == PasskeyEnd::unknown) co_return unknown;
    if (*end == PasskeyEnd::needed) co_return identity::refusal(Code::mfa_required, kFactorNeeded);
    answer_ok(call.exchange);
    co_return Done();
}

}  // namespace svc::auth::passkey
