#include <nlohmann/json.hpp>

#include "base/base64url.hpp"
#include "base/crypto.hpp"
#include "platform/account/credentials.hpp"

namespace svc::devapi {
namespace {

// The only header that we write, and so the only one that we accept: no choice of algorithm.
const std::string& header() {
    static const std::string text = base::base64url(R"({"alg":"HS256","typ":"JWT"})");
    return text;
}

}  // namespace

std::string SessionSigner::sign(const std::string& user_id, const std::string& session_id,
                                std::int64_t issued, std::int64_t expires) const {
    const nlohmann::ordered_json claims = {
        {"sub", user_id}, {"jti", session_id}, {"iat", issued}, {"exp", expires}};
    const std::string signed_part = header() + "." + base::base64url(claims.dump());
    return signed_part + "." + base::base64url(base::hmac_sha256(key_, {signed_part}));
}

std::optional<std::string> SessionSigner::verify(std::string_view token, std::int64_t now) const {
    const auto first = token.find('.'), last = token.rfind('.');
    if (first == std::string_view::npos || first == last || token.substr(0, first) != header())
        return std::nullopt;
    const std::string signature = base::base64url_decoded(token.substr(last + 1)).value_or("");
    const base::Digest expected = base::hmac_sha256(key_, {token.substr(0, last)});
    if (!base::same_secret(signature, base::bytes_of(expected))) return std::nullopt;
    const auto claims = nlohmann::json::parse(
        base::base64url_decoded(token.substr(first + 1, last - first - 1)).value_or(""), nullptr,
        false);
    if (!claims.is_object() || claims.value("exp", std::int64_t{0}) <= now) return std::nullopt;
    return claims.value("jti", std::string());
}

}  // namespace svc::devapi
