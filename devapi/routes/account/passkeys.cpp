// Passkeys of the caller's account.
#include "platform/factor/passkeys.hpp"

#include "base/formats.hpp"
#include "http/fields.hpp"
#include "platform/factor/factor_steps.hpp"
#include "routes/account/second_factor.hpp"
#include "routes/routes.hpp"

namespace svc::devapi {
namespace {

constexpr std::size_t kLongestPasskeyName = 80;

json passkey_json(const PasskeyRecord& passkey) {
    return {{"id", passkey.id},
            {"name", passkey.name},
            {"createdAt", passkey.created_at},
            {"lastUsedAt", nullable(passkey.last_used_at)}};
}

void list_own_passkeys(Context& context, const Request& request, Response& response) {
    json list = json::array();
    for (const auto& one : list_passkeys(context.store, request.caller.user_id))
        list.push_back(passkey_json(one));
    response.send(200, {{"passkeys", list}});
}

bool may_add_passkey(Context& context, const Request& request, Response& response) {
    if (!passkey_site(context.config).empty())
        return may_change_factors(context, request, response);
    refuse_passkeys(response);
    return false;
}

void start_passkey(Context& context, const Request& request, Response& response) {
    if (!may_add_passkey(context, request, response)) return;
    if (!shows_again(context, request, response)) return;
    const Caller& caller = request.caller;
    const std::string challenge = registration_challenge(context.store, caller.user_id);
    const std::string site = passkey_site(context.config);
    const std::string known = passkey_descriptors(context.store, caller.user_id);
    response.body = "{\"options\":" +
                    auth::passkey::creation_options({challenge, site, "svc", caller.user_id,
                                                     caller.email, caller.email, known}) +
                    "}";
}

// The passkey that the authenticator made; none: answered.
std::optional<auth::passkey::NewPasskey> read_made(Context& context,
                                                   const auth::passkey::ShownPasskey& shown,
                                                   Response& response) {
    try {
        auto made =
            auth::passkey::read_new_passkey(shown.authenticator_data, passkey_site(context.config));
        if (made) return made;
    } catch (const std::runtime_error& error) {
        refuse_factor(auth::passkey::no_libfido(error), response);
        return std::nullopt;
    }
    response.refuse(Code::bad_request,
                    "The authenticator's answer was refused: it is for another service, its owner "
                    "was not verified, or its key uses an algorithm that svc did not request.");
    return std::nullopt;
}

void finish_passkey(Context& context, const Request& request, Response& response) {
    if (!may_add_passkey(context, request, response)) return;
    Fields fields(request);
    const std::string name = fields.text("name", 0, kLongestPasskeyName).value_or("");
    if (!fields.good(response)) return;
    const auto body = svc::json::parse(request.body);
    const auto shown = auth::passkey::read_credential(body.value.find("credential"),
                                                      auth::passkey::Ceremony::create);
    if (!shown) return refuse_factor(shown.error(), response);
    const Caller& caller = request.caller;
    if (!take_registration_challenge(context.store, caller.user_id, shown->client.challenge))
        return refuse_factor(auth::passkey::stale_challenge(), response);
    if (auto fit = check_page(context.config, shown->client, auth::passkey::Ceremony::create); !fit)
        return refuse_factor(fit.error(), response);
    const auto made = read_made(context, *shown, response);
    if (!made) return;
    const auto added = add_passkey(
        context.store, {caller.user_id, caller.credential_id, name, *made, shown->transports});
    if (!added)
        return response.refuse(Code::conflict,
                               "This passkey is already registered, or the account already has " +
                                   std::to_string(kMostPasskeys) + ".");
    response.send(201, {{"passkey", passkey_json(*added)}});
}

void remove_own_passkey(Context& context, const Request& request, Response& response) {
    if (!may_change_factors(context, request, response)) return;
    if (!shows_again(context, request, response)) return;
    const std::string& id = request.params.at("passkey");
    const Caller& caller = request.caller;
    if (!base::is_uuid(id) ||
        !remove_passkey(context.store, caller.user_id, caller.credential_id, id))
        return response.not_found("Passkey");
    response.send(200, {{"removed", id}});
}

}  // namespace

void bind_passkeys(RouteTable& table) {
    const char *start = "/mfa/passkeys/register/start", *finish = "/mfa/passkeys/register/finish";
    table.add({"GET", "/mfa/passkeys", Need::session, Role::viewer, list_own_passkeys});
    table.add({"POST", start, Need::session, Role::viewer, start_passkey});
    table.add({"POST", finish, Need::session, Role::viewer, finish_passkey});
    table.add(
        {"DELETE", "/mfa/passkeys/:passkey", Need::session, Role::viewer, remove_own_passkey});
}

}  // namespace svc::devapi
