#include "file/tus/checksum.hpp"

#include <openssl/evp.h>

#include <array>
#include <new>
#include <stdexcept>

#include "base/ascii.hpp"
#include "base/crypto.hpp"

namespace svc::file {
namespace {

EVP_MD_CTX* context_in(void* context) { return static_cast<EVP_MD_CTX*>(context); }

void must(int result) {
    if (result != 1) throw std::runtime_error("a checksum could not be made");
}

}  // namespace

void Checksum::Free::operator()(void* context) const { EVP_MD_CTX_free(context_in(context)); }

Checksum::Checksum(const char* algorithm, std::string wanted)
    : wanted_(std::move(wanted)), context_(EVP_MD_CTX_new()) {
    if (!context_) throw std::bad_alloc();
    must(EVP_DigestInit_ex(context_in(context_.get()), EVP_get_digestbyname(algorithm), nullptr));
}

std::optional<Checksum> Checksum::read(std::string_view header) {
    header = base::trim(header);
    const std::size_t blank = header.find(' ');
    if (blank == std::string_view::npos) return std::nullopt;
    const std::string_view name = header.substr(0, blank);
    const auto wanted = base::base64_decoded(base::trim(header.substr(blank)));
    if (name == "sha1" && wanted && wanted->size() == 20) return Checksum("SHA1", *wanted);
    if (name == "sha256" && wanted && wanted->size() == 32) return Checksum("SHA256", *wanted);
    return std::nullopt;
}

void Checksum::add(std::string_view bytes) {
    must(EVP_DigestUpdate(context_in(context_.get()), bytes.data(), bytes.size()));
}

bool Checksum::matches() {
    std::array<unsigned char, EVP_MAX_MD_SIZE> out{};
    unsigned length = 0;
    must(EVP_DigestFinal_ex(context_in(context_.get()), out.data(), &length));
    return wanted_ == std::string_view(reinterpret_cast<const char*>(out.data()), length);
}

}  // namespace svc::file
