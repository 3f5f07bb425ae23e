#include "hash/sha256.hpp"

#include <openssl/evp.h>

#include <stdexcept>

namespace svc::hash {
namespace {

constexpr char kDigits[] = "0123456789abcdef";

}  // namespace

std::string sha256(std::string_view bytes) {
    unsigned char digest[EVP_MAX_MD_SIZE];
    unsigned length = 0;
    if (EVP_Digest(bytes.data(), bytes.size(), digest, &length, EVP_sha256(), nullptr) != 1) {
        throw std::runtime_error("OpenSSL has no SHA-256");
    }
    std::string hex;
    hex.reserve(std::size_t{length} * 2);
    for (unsigned i = 0; i < length; ++i) {
        hex += kDigits[digest[i] >> 4];
        hex += kDigits[digest[i] & 15];
    }
    return hex;
}

std::string sha256_of(std::initializer_list<std::string_view> parts) {
    std::string all;
    for (std::string_view part : parts) {
        all += std::to_string(part.size());
        all += ':';
        all += part;
    }
    return sha256(all);
}

}  // namespace svc::hash
