#include "auth/passkey_answer.hpp"

#include <algorithm>

#include "auth/account_store.hpp"
#include "identity/base64url.hpp"
#include "identity/origin.hpp"
#include "json/formats.hpp"
#include "json/value.hpp"
#include "log/log.hpp"
#include "outgoing/fetch.hpp"

namespace svc::auth {
namespace {

using Shape = json::Value::Kind;

constexpr std::size_t kMostTransports = 8;

identity::Refusal wrong_credential(std::string message) {
    return identity::refusal(Code::params_invalid, std::move(message), "credential");
}

identity::Refusal missing_member(const char* name) {
    return wrong_credential("\"credential\" lacks \"" + std::string(name) +
                            "\": send what PublicKeyCredential.toJSON() gives.");
}

bool plain_word(std::string_view text) {
    return !text.empty() && text.size() <= 20 &&
           text.find_first_not_of("abcdefghijklmnopqrstuvwxyz-") == std::string_view::npos;
}

std::vector<std::string> transports_of(const json::Value& response) {
    std::vector<std::string> out;
    const json::Value* all = response.find("transports");
    if (!all) return out;
    for (const json::Value& one : all->items)
        if (out.size() < kMostTransports && one.is(Shape::string) && plain_word(one.text))
            out.push_back(one.text);
    return out;
}

// Subdomains of the site included: that is as far as browsers let a passkey go.
bool is_below(std::string_view host, std::string_view site) {
    if (host == site) return true;
    return host.size() > site.size() + 1 && host.ends_with(site) &&
           host[host.size() - site.size() - 1] == '.';
}

bool is_ours(const Call& call, const std::string& origin) {
    const std::string normal = identity::normalised_origin(origin);
    if (normal.empty()) return false;
    if (normal == identity::normalised_origin(call.in.settings.origin)) return true;
    return identity::origin_named(normal, call.key->origins) &&
           is_below(outgoing::host_of(normal), rp_id(call.in));
}

}  // namespace

identity::Result<void> check_passkeys(const Call& call) {
    if (!call.in.app.auth.passkey)
        return identity::refusal(Code::not_found, "This app does not sign in with passkeys.");
    if (call.in.settings.origin.empty())
        return identity::refusal(Code::not_found, "This server does not know the app's origin.");
    return {};
}

std::string rp_id(const Context& in) {
    return json::lower_ascii(outgoing::host_of(in.settings.origin));
}

identity::Result<ShownPasskey> read_shown(const Call& call, std::string_view type) {
    const json::Parsed parsed = json::parse(call.exchange.body());
    if (!parsed.error.empty() || !parsed.value.is(Shape::object) || parsed.nul)
        return identity::refusal(Code::params_invalid, "The body must be a JSON object.");
    ShownPasskey out;
    out.name = parsed.value.text_of("name");
    if (json::characters(out.name) > kLongestPersonName)
        return identity::refusal(Code::params_invalid, "A name may have 200 characters.", "name");
    const json::Value* credential = parsed.value.find("credential");
    if (!credential) return missing_member("id");
    out.credential = credential->text_of("id");
    const json::Value* response = credential->find("response");
    if (out.credential.empty()) return missing_member("id");
    if (!response) return missing_member("response");
    auto client = read_client_data(response->text_of("clientDataJSON"));
    if (!client) return missing_member("clientDataJSON");
    out.client = std::move(*client);
    const auto data = identity::base64url_decoded(response->text_of("authenticatorData"));
    if (!data || data->empty()) return missing_member("authenticatorData");
    out.authenticator_data = *data;
    out.signature = identity::base64url_decoded(response->text_of("signature")).value_or("");
    if (type == "webauthn.get" && out.signature.empty()) return missing_member("signature");
    out.user_handle = response->text_of("userHandle");
    out.transports = transports_of(*response);
    return out;
}

identity::Result<void> check_client(const Call& call, const ClientData& client,
                                    std::string_view type) {
    if (client.type != type)
        return wrong_credential("The browser was asked for \"" + client.type + "\", not for \"" +
                                std::string(type) + "\".");
    if (client.cross_origin || !is_ours(call, client.origin))
        return identity::refusal(Code::origin_not_allowed,
                                 "Passkeys of this app may not be used from this origin.");
    return {};
}

identity::Refusal no_libfido(const std::exception& error) {
    log::write(log::Level::error, "passkeys_unavailable", {{"what", error.what()}});
    return identity::refusal(Code::unavailable, "Passkeys cannot be checked just now.");
}

identity::Refusal stale_challenge() {
    return identity::refusal(Code::invalid_token,
                             "This challenge was used, or its time is over. Start again.",
                             "credential");
}

}  // namespace svc::auth
