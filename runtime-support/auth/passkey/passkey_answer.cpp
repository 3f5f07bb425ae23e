#include "auth/passkey/passkey_answer.hpp"

#include "auth/account_store.hpp"
#include "auth/messages.hpp"
#include "base/ascii.hpp"
#include "base/url_host.hpp"
#include "base/utf8.hpp"
#include "identity/key/origin.hpp"
#include "json/value.hpp"
#include "outgoing/fetch.hpp"

namespace svc::auth::passkey {
namespace {

using Shape = json::Value::Kind;

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
           is_below(base::host_of(normal), rp_id(call.in));
}

}  // namespace

identity::Result<void> check_passkeys(const Call& call) {
    if (!call.in.app.auth.passkey)
        return identity::refusal(Code::not_found, "This app does not offer sign-in with passkeys.");
    if (call.in.settings.origin.empty()) return identity::refusal(Code::not_found, kNoOrigin);
    return {};
}

std::string rp_id(const Context& in) { return base::host_of(in.settings.origin); }

identity::Result<ShownPasskey> read_shown(const Call& call, Ceremony asked) {
    const json::Parsed parsed = json::parse(call.exchange.body());
    if (!parsed.error.empty() || !parsed.value.is(Shape::object) || parsed.nul)
        return identity::refusal(Code::params_invalid, "The body must be a JSON object.");
    const std::string name = parsed.value.text_of("name");
    if (base::characters(name) > kLongestPersonName)
        return identity::refusal(Code::params_invalid, kNameTooLong, "name");
    auto shown = read_credential(parsed.value.find("credential"), asked);
    if (shown) shown->name = name;
    return shown;
}

identity::Result<void> check_client(const Call& call, const ClientData& client, Ceremony asked) {
    if (auto fit = check_type(client, asked); !fit) return fit;
    if (client.cross_origin || !is_ours(call, client.origin))
        return identity::refusal(Code::origin_not_allowed,
                                 "Passkeys of this app are not allowed for pages of this origin.");
    return {};
}

}  // namespace svc::auth::passkey
