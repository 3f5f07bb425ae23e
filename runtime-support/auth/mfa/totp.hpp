// Codes of a second factor: RFC 6238 with SHA-1, six digits, thirty seconds, as every authenticator
// app has it.
#pragma once

#include <cstdint>
#include <ctime>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace svc::auth::mfa {

std::string make_totp_secret();  // 160 bits, raw
std::string base32(std::string_view secret);

// The address that an authenticator app reads from a QR code.
std::string otpauth_url(std::string_view app, std::string_view email, std::string_view secret);
std::string qr_svg(const std::string& text);  // empty if the text is too long

// The time step that the code belongs to, at most one step away from now.
std::optional<std::int64_t> totp_step(std::string_view secret, std::string_view code,
                                      std::time_t now);

inline constexpr std::size_t kBackupCodes = 10;
std::vector<std::string> make_backup_codes();  // xxxxx-xxxxx
// Reads a code as people type it: in any case, with or without the hyphen. Empty if it cannot be
// one.
std::string normalised_backup_code(std::string_view text);

}  // namespace svc::auth::mfa
