#include "auth/passkey/shown_passkey.hpp"

#include "base/base64url.hpp"
#include "base/json_text.hpp"
#include "log/log.hpp"

namespace svc::auth::passkey {
namespace {

using CredentialShape = json::Value::Kind;

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
        if (out.size() < kMostTransports && one.is(CredentialShape::string) && plain_word(one.text))
            out.push_back(one.text);
    return out;
}

}  // namespace

identity::Result<ShownPasskey> read_credential(const json::Value* credential, Ceremony asked) {
    if (!credential) return missing_member("id");
    ShownPasskey out;
    out.credential = credential->text_of("id");
    const json::Value* response = credential->find("response");
    if (out.credential.empty()) return missing_member("id");
    if (!response) return missing_member("response");
    auto client = read_client_data(response->text_of("clientDataJSON"));
    if (!client) return missing_member("clientDataJSON");
    out.client = std::move(*client);
    const auto data = base::base64url_decoded(response->text_of("authenticatorData"));
    if (!data || data->empty()) return missing_member("authenticatorData");
    out.authenticator_data = *data;
    out.signature = base::base64url_decoded(response->text_of("signature")).value_or("");
    if (asked == Ceremony::get && out.signature.empty()) return missing_member("signature");
    out.user_handle = response->text_of("userHandle");
    out.transports = transports_of(*response);
    return out;
}

identity::Result<void> check_type(const ClientData& client, Ceremony asked) {
    if (client.type == base::word(asked)) return {};
    return wrong_credential("The browser's answer has the type \"" + client.type +
                            "\", but must have the type \"" + std::string(base::word(asked)) +
                            "\".");
}

identity::Refusal stale_challenge() {
    return identity::refusal(Code::invalid_token,
                             "This challenge was already used, or it has expired. Start again.",
                             "credential");
}

identity::Refusal no_libfido(const std::exception& error) {
    log::write(log::Level::error, "passkeys_unavailable", {{"what", error.what()}});
    return identity::refusal(Code::unavailable, "Passkeys cannot be checked right now. Try again.");
}

std::string creation_options(const CreationRequest& wanted) {
    std::string out = R"({"challenge":)";
    base::append_json(out, wanted.challenge);
    out += R"(,"rp":{"id":)";
    base::append_json(out, wanted.rp_id);
    out += R"(,"name":)";
    base::append_json(out, wanted.rp_name);
    out += R"(},"user":{"id":)";
    base::append_json(out, base::base64url(wanted.user_id));
    out += R"(,"name":)";
    base::append_json(out, wanted.user_name);
    out += R"(,"displayName":)";
    base::append_json(out, wanted.display_name);
    out += R"(},"pubKeyCredParams":[{"type":"public-key","alg":-7},{"type":"public-key","alg":-8},)"
           R"({"type":"public-key","alg":-257}],"attestation":"none","authenticatorSelection":)"
           R"({"residentKey":"required","requireResidentKey":true,"userVerification":"required"},)"
           R"("excludeCredentials":[)";
    return out.append(wanted.known).append(R"(],"timeout":300000})");
}

std::string request_options(std::string_view challenge, std::string_view rp_id,
                            std::string_view allowed) {
    std::string out = R"({"challenge":)";
    base::append_json(out, challenge);
    out += R"(,"rpId":)";
    base::append_json(out, rp_id);
    out += R"(,"userVerification":"required","allowCredentials":[)";
    return out.append(allowed).append(R"(],"timeout":300000})");
}

}  // namespace svc::auth::passkey
