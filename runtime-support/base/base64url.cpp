#include "base/base64url.hpp"

#include <sodium.h>

namespace svc::base {
namespace {

constexpr int kUrlVariant = sodium_base64_VARIANT_URLSAFE_NO_PADDING;

}  // namespace

std::string base64url(std::string_view bytes) {
    std::string text(sodium_base64_encoded_len(bytes.size(), kUrlVariant), '\0');
    sodium_bin2base64(text.data(), text.size(),
                      reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size(),
                      kUrlVariant);
    text.pop_back();  // its final NUL
    return text;
}

std::optional<std::string> base64url_decoded(std::string_view text) {
    std::string bytes(text.size(), '\0');
    std::size_t size = 0;
    if (sodium_base642bin(reinterpret_cast<unsigned char*>(bytes.data()), bytes.size(), text.data(),
                          text.size(), nullptr, &size, nullptr, kUrlVariant) != 0)
        return std::nullopt;
    bytes.resize(size);
    return bytes;
}

}  // namespace svc::base
