#include "auth/mfa/totp.hpp"

#include <liboath/oath.h>
#include <qrencode.h>
#include <sodium.h>

#include <cstdlib>
#include <memory>
#include <stdexcept>

#include "base/ascii.hpp"
#include "base/percent.hpp"

namespace svc::auth::mfa {
namespace {

constexpr std::size_t kSecretBytes = 20;
constexpr std::size_t kDigits = 6;
constexpr std::size_t kBackupLength = 10;
// No letter that is taken for another.
constexpr std::string_view kBackupAlphabet = "abcdefghjkmnpqrstuvwxyz23456789";

void start() {
    static const int started = oath_init();
    if (started != OATH_OK || sodium_init() < 0)
        throw std::runtime_error("liboath failed to start");
}

bool digits(std::string_view code) {
    return code.size() == kDigits && code.find_first_not_of("0123456789") == std::string_view::npos;
}

}  // namespace

std::string make_totp_secret() {
    start();
    std::string secret(kSecretBytes, '\0');
    randombytes_buf(secret.data(), secret.size());
    return secret;
}

std::string base32(std::string_view secret) {
    char* text = nullptr;
    std::size_t size = 0;
    if (oath_base32_encode(secret.data(), secret.size(), &text, &size) != OATH_OK)
        throw std::bad_alloc();
    const std::unique_ptr<char, decltype(&std::free)> owned(text, &std::free);
    std::string out(text, size);
    while (out.ends_with('=')) out.pop_back();
    return out;
}

std::string otpauth_url(std::string_view app, std::string_view email, std::string_view secret) {
    const std::string issuer = base::percent_encoded(app);
    return "otpauth://totp/" + issuer + ":" + base::percent_encoded(email) +
           "?secret=" + base32(secret) + "&issuer=" + issuer + "&algorithm=SHA1&digits=6&period=30";
}

std::string qr_svg(const std::string& text) {
    const std::unique_ptr<QRcode, decltype(&QRcode_free)> code(
        QRcode_encodeString8bit(text.c_str(), 0, QR_ECLEVEL_M), &QRcode_free);
    if (!code) return {};
    const int quiet = 4;  // modules of white around it
    const std::string side = std::to_string(code->width + 2 * quiet);
    std::string out = R"(<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 )" + side + " " +
                      side + R"(" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h)" + side +
                      "v" + side + "H0z\"/><path d=\"";
    for (int y = 0; y < code->width; ++y)
        for (int x = 0; x < code->width; ++x)
            if ((code->data[y * code->width + x] & 1U) != 0)
                out +=
                    "M" + std::to_string(x + quiet) + " " + std::to_string(y + quiet) + "h1v1h-1z";
    return out + "\"/></svg>";
}

std::optional<std::int64_t> totp_step(std::string_view secret, std::string_view code,
                                      std::time_t now) {
    start();
    if (secret.empty() || !digits(code)) return std::nullopt;  // one that could not be opened
    const std::string text(code);
    int position = 0;
    const int found =
        oath_totp_validate2(secret.data(), secret.size(), now, OATH_TOTP_DEFAULT_TIME_STEP_SIZE,
                            OATH_TOTP_DEFAULT_START_TIME, 1, &position, text.c_str());
    if (found < 0) return std::nullopt;
    return now / OATH_TOTP_DEFAULT_TIME_STEP_SIZE + position;
}

std::vector<std::string> make_backup_codes() {
    start();
    std::vector<std::string> codes;
    for (std::size_t i = 0; i < kBackupCodes; ++i) {
        std::string code;
        for (std::size_t j = 0; j < kBackupLength; ++j) {
            if (j == kBackupLength / 2) code += '-';
            code += kBackupAlphabet[randombytes_uniform(kBackupAlphabet.size())];
        }
        codes.push_back(std::move(code));
    }
    return codes;
}

std::string normalised_backup_code(std::string_view text) {
    std::string code;
    for (const char c : text) {
        if (c == '-' || c == ' ') continue;
        code += base::lower(c);
        if (kBackupAlphabet.find(code.back()) == std::string_view::npos) return {};
    }
    return code.size() == kBackupLength ? code : std::string();
}

}  // namespace svc::auth::mfa
