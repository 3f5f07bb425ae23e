#include "auth/passkey/webauthn.hpp"

#include <algorithm>
#include <cstring>
#include <memory>

#include "auth/passkey/fido.hpp"
#include "base/base64url.hpp"
#include "base/sha256.hpp"
#include "json/value.hpp"

namespace svc::auth::passkey {
namespace {

// Authenticator data: 32 bytes of SHA-256 of the site, one of flags, four of the count.
constexpr std::size_t kSiteBytes = 32, kFlagsAt = 32, kLeastData = 37;
constexpr unsigned kPresent = 0x01, kOwnerVerified = 0x04, kHasKey = 0x40;
constexpr std::size_t kLongestCredential = 1023;
constexpr int kAlgorithms[] = {COSE_ES256, COSE_EDDSA, COSE_RS256};

const unsigned char* fido_bytes(std::string_view text) {
    return reinterpret_cast<const unsigned char*>(text.data());
}

std::string raw_text(const unsigned char* bytes, std::size_t size) {
    return bytes ? std::string(reinterpret_cast<const char*>(bytes), size) : std::string();
}

bool is_of(std::string_view data, const std::string& rp_id, unsigned flags) {
    if (data.size() < kLeastData) return false;
    const base::Digest site = base::sha256(rp_id);
    const auto set = static_cast<unsigned char>(data[kFlagsAt]);
    return std::memcmp(site.data(), data.data(), kSiteBytes) == 0 && (set & flags) == flags;
}

using OwnedKey = std::unique_ptr<void, void (*)(void*)>;

// The key as libfido2 has it; null if the bytes are no such key.
OwnedKey fido_key(const Fido& fido, const PublicKey& key) {
    int failed = FIDO_ERR_INVALID_ARGUMENT;
    OwnedKey out(nullptr, [](void*) {});
    if (key.algorithm == COSE_ES256) {
        out = {fido.es256_new(), [](void* it) {
                   auto* own = static_cast<es256_pk_t*>(it);
                   Fido::library().es256_free(&own);
               }};
        failed = fido.es256_from_ptr(static_cast<es256_pk_t*>(out.get()), key.bytes.data(),
                                     key.bytes.size());
    } else if (key.algorithm == COSE_EDDSA) {
        out = {fido.eddsa_new(), [](void* it) {
                   auto* own = static_cast<eddsa_pk_t*>(it);
                   Fido::library().eddsa_free(&own);
               }};
        failed = fido.eddsa_from_ptr(static_cast<eddsa_pk_t*>(out.get()), key.bytes.data(),
                                     key.bytes.size());
    } else if (key.algorithm == COSE_RS256) {
        out = {fido.rs256_new(), [](void* it) {
                   auto* own = static_cast<rs256_pk_t*>(it);
                   Fido::library().rs256_free(&own);
               }};
        failed = fido.rs256_from_ptr(static_cast<rs256_pk_t*>(out.get()), key.bytes.data(),
                                     key.bytes.size());
    }
    if (failed != FIDO_OK) out.reset();
    return out;
}

struct FreeCred {
    void operator()(fido_cred_t* cred) const { Fido::library().cred_free(&cred); }
};
struct FreeAssert {
    void operator()(fido_assert_t* assertion) const { Fido::library().assert_free(&assertion); }
};

// Nothing if the key in it is of another algorithm.
std::optional<NewPasskey> read_as(const Fido& fido, int algorithm, std::string_view data) {
    const std::unique_ptr<fido_cred_t, FreeCred> cred(fido.cred_new());
    if (!cred || fido.cred_set_type(cred.get(), algorithm) != FIDO_OK ||
        fido.cred_set_authdata_raw(cred.get(), fido_bytes(data), data.size()) != FIDO_OK)
        return std::nullopt;
    NewPasskey out;
    out.credential = raw_text(fido.cred_id_ptr(cred.get()), fido.cred_id_len(cred.get()));
    out.key.algorithm = algorithm;
    out.key.bytes = raw_text(fido.cred_pubkey_ptr(cred.get()), fido.cred_pubkey_len(cred.get()));
    out.sign_count = fido.cred_sigcount(cred.get());
    return out;
}

}  // namespace

std::optional<ClientData> read_client_data(std::string_view sent) {
    const auto text = base::base64url_decoded(sent);
    if (!text) return std::nullopt;
    const json::Parsed parsed = json::parse(*text);
    if (!parsed.error.empty() || !parsed.value.is(json::Value::Kind::object)) return std::nullopt;
    ClientData out;
    out.type = parsed.value.text_of("type");
    out.challenge = parsed.value.text_of("challenge");
    out.origin = parsed.value.text_of("origin");
    const json::Value* cross = parsed.value.find("crossOrigin");
    out.cross_origin = cross && cross->text == "true";
    const base::Digest hash = base::sha256(*text);
    out.hash = raw_text(hash.data(), hash.size());
    return out;
}

std::optional<NewPasskey> read_new_passkey(std::string_view data, const std::string& rp_id) {
    if (!is_of(data, rp_id, kPresent | kOwnerVerified | kHasKey)) return std::nullopt;
    const Fido& fido = Fido::library();
    for (const int algorithm : kAlgorithms) {
        auto found = read_as(fido, algorithm, data);
        if (!found) continue;
        const bool usable = !found->credential.empty() &&
                            found->credential.size() <= kLongestCredential &&
                            fido_key(fido, found->key) != nullptr;
        if (usable) return found;
    }
    return std::nullopt;
}

std::optional<std::uint32_t> verified_use(const PublicKey& key, const ClientData& client,
                                          std::string_view data, std::string_view signature,
                                          const std::string& rp_id) {
    if (!is_of(data, rp_id, kPresent | kOwnerVerified)) return std::nullopt;
    const Fido& fido = Fido::library();
    const OwnedKey own = fido_key(fido, key);
    const std::unique_ptr<fido_assert_t, FreeAssert> use(fido.assert_new());
    if (!own || !use) return std::nullopt;
    const bool read =
        fido.assert_set_count(use.get(), 1) == FIDO_OK &&
        fido.assert_set_rp(use.get(), rp_id.c_str()) == FIDO_OK &&
        fido.assert_set_clientdata_hash(use.get(), fido_bytes(client.hash), client.hash.size()) ==
            FIDO_OK &&
        fido.assert_set_authdata_raw(use.get(), 0, fido_bytes(data), data.size()) == FIDO_OK &&
        fido.assert_set_sig(use.get(), 0, fido_bytes(signature), signature.size()) == FIDO_OK &&
        fido.assert_set_up(use.get(), FIDO_OPT_TRUE) == FIDO_OK &&
        fido.assert_set_uv(use.get(), FIDO_OPT_TRUE) == FIDO_OK;
    if (!read || fido.assert_verify(use.get(), 0, key.algorithm, own.get()) != FIDO_OK)
        return std::nullopt;
    return fido.assert_sigcount(use.get(), 0);
}

}  // namespace svc::auth::passkey
