#include "hook/signature.hpp"

#include <algorithm>
#include <charconv>

#include "base/ascii.hpp"
#include "base/crypto.hpp"
#include "base/hex.hpp"
#include "base/sha256.hpp"

namespace svc::hook {
namespace {

constexpr std::string_view kPrefix = "whsec_";
constexpr std::size_t kSecretBytes = 32;
constexpr std::size_t kMostSignatures = 10;  // checked per call

using Parts = std::initializer_list<std::string_view>;

// Base64 after whsec_, else its bytes as they are.
std::string key_of(std::string_view secret) {
    if (secret.starts_with(kPrefix))
        if (auto key = base::base64_decoded(secret.substr(kPrefix.size())); key && !key->empty())
            return *key;
    return std::string(secret);
}

bool same(const base::Digest& digest, const std::optional<std::string>& sent) {
    return sent && base::same_secret(base::bytes_of(digest), *sent);
}

bool is_recent(std::string_view time, std::time_t now) {
    std::int64_t seconds = 0;
    const auto [end, error] = std::from_chars(time.data(), time.data() + time.size(), seconds);
    if (error != std::errc() || end != time.data() + time.size()) return false;
    return seconds >= now - kTolerance && seconds <= now + kTolerance;
}

// The next of the texts between `separator`, after which `list` then begins.
std::string_view take_item(std::string_view& list, char separator) {
    const std::size_t end = std::min(list.find(separator), list.size());
    const std::string_view item = base::trim(list.substr(0, end));
    list.remove_prefix(std::min(list.size(), end + 1));
    return item;
}

// t=<unix>,v1=<hex>,v1=<hex>; others are passed over.
struct TimedSignatures {
    explicit TimedSignatures(std::string_view header) {
        while (!header.empty()) {
            const std::string_view item = take_item(header, ',');
            if (item.starts_with("t=")) time = item.substr(2);
            if (item.starts_with("v1=") && hex.size() < kMostSignatures)
                hex.push_back(item.substr(3));
        }
    }
    std::string_view time;
    std::vector<std::string_view> hex;
};

// Compares the signature of one scheme and one secret with the headers.
struct Check {
    const http::Head& head;
    std::string_view body;
    std::time_t now;

    bool timed(std::string_view header, std::string_view key) const {
        const TimedSignatures sent(head.header(header));
        if (!is_recent(sent.time, now)) return false;
        const base::Digest digest = base::hmac_sha256(key, {sent.time, ".", body});
        return std::ranges::any_of(
            sent.hex, [&digest](std::string_view hex) { return same(digest, base::unhex(hex)); });
    }
    // Checks a signature of the body alone, in hexadecimal digits after `prefix`.
    bool plain(std::string_view header, std::string_view prefix, std::string_view key) const {
        const std::string_view sent = base::trim(head.header(header));
        return sent.starts_with(prefix) &&
               same(base::hmac_sha256(key, {body}), base::unhex(sent.substr(prefix.size())));
    }
    bool standard(std::string_view key) const {
        const std::string_view id = head.header("webhook-id");
        const std::string_view time = head.header("webhook-timestamp");
        if (id.empty() || !is_recent(time, now)) return false;
        const base::Digest digest = base::hmac_sha256(key, {id, ".", time, ".", body});
        std::string_view list = head.header("webhook-signature");
        for (std::size_t i = 0; i < kMostSignatures && !list.empty(); ++i) {
            const std::string_view item = take_item(list, ' ');
            if (item.starts_with("v1,") && same(digest, base::base64_decoded(item.substr(3))))
                return true;
        }
        return false;
    }
    bool slack(std::string_view key) const {
        const std::string_view time = head.header("x-slack-request-timestamp");
        const std::string_view sent = head.header("x-slack-signature");
        return is_recent(time, now) && sent.starts_with("v0=") &&
               same(base::hmac_sha256(key, {"v0:", time, ":", body}), base::unhex(sent.substr(3)));
    }
    // Our own: the time and the body, or the body alone; or as Standard Webhooks. Who made their
    // key of a secret that begins with whsec_ by its bytes, or by what they encode, is understood.
    bool own(std::string_view secret) const {
        const std::string decoded = key_of(secret);
        const std::string_view sent = head.header("x-svc-signature");
        if (sent.empty()) return standard(decoded);
        const bool by_time = sent.find('=') != std::string_view::npos;
        const auto fits = [this, by_time](std::string_view key) {
            return by_time ? timed("x-svc-signature", key) : plain("x-svc-signature", "", key);
        };
        return fits(secret) || (decoded != secret && fits(decoded));
    }
    bool shopify(std::string_view key) const {
        return same(base::hmac_sha256(key, {body}),
                    base::base64_decoded(head.header("x-shopify-hmac-sha256")));
    }

    bool by(Scheme scheme, std::string_view secret) const {
        switch (scheme) {
            case Scheme::svc:
                return own(secret);
            case Scheme::standard:
                return standard(key_of(secret));
            case Scheme::github:
                return plain("x-hub-signature-256", "sha256=", secret);
            case Scheme::stripe:
                return timed("stripe-signature", secret);
            case Scheme::slack:
                return slack(secret);
            case Scheme::shopify:
                return shopify(secret);
            case Scheme::none:
                return true;
        }
        return false;
    }
};

}  // namespace

bool verified(Scheme scheme, const http::Head& head, std::string_view body,
              const std::vector<std::string>& secrets, std::time_t now) {
    if (scheme == Scheme::none) return true;
    const Check check{head, body, now};
    return std::ranges::any_of(secrets, [&check, scheme](const std::string& secret) {
        return !secret.empty() && check.by(scheme, secret);
    });
}

bool carries(const http::Head& head, const std::vector<std::string>& secrets) {
    const std::string_view sent = head.header("x-svc-webhook-secret");
    return std::ranges::any_of(secrets, [sent](const std::string& secret) {
        return !secret.empty() && base::same_secret(secret, sent);
    });
}

std::string signature(std::string_view id, std::string_view time, std::string_view body,
                      const std::vector<std::string>& secrets) {
    std::string out;
    for (const std::string& secret : secrets) {
        const base::Digest digest = base::hmac_sha256(key_of(secret), {id, ".", time, ".", body});
        out.append(out.empty() ? "v1," : " v1,").append(base::base64(base::bytes_of(digest)));
    }
    return out;
}

std::string secret_note(Scheme scheme) {
    if (!brings_its_secret(scheme)) return {};
    const std::string service(base::word(scheme));
    return "This secret cannot verify calls of " + service +
           ", which signs with a secret of its own. Set that secret with svc secrets set NAME "
           "<value>, and name it in the contract: \"secret\": \"secret:NAME\".";
}

std::string new_secret() {
    return std::string(kPrefix) + base::base64(base::random_bytes(kSecretBytes));
}

}  // namespace svc::hook
