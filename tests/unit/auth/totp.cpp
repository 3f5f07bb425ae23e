#include "auth/mfa/totp.hpp"

#include <gtest/gtest.h>

#include <set>

#include "auth/password/common_passwords.hpp"

namespace svc::auth {
namespace {

// RFC 6238, appendix B, with six digits.
TEST(Totp, AgreesWithTheStandard) {
    const std::string secret = "12345678901234567890";
    EXPECT_EQ(mfa::totp_step(secret, "287082", 59), 1);
    EXPECT_EQ(mfa::totp_step(secret, "081804", 1111111109), 1111111109 / 30);
    EXPECT_EQ(mfa::totp_step(secret, "005924", 1234567890), 1234567890 / 30);
}

TEST(Totp, TakesOneStepToEachSideAndNoMore) {
    const std::string secret = "12345678901234567890";
    EXPECT_EQ(mfa::totp_step(secret, "287082", 59 + 30), 1);
    EXPECT_EQ(mfa::totp_step(secret, "287082", 29), 1);
    EXPECT_FALSE(mfa::totp_step(secret, "287082", 59 + 61));
    EXPECT_FALSE(mfa::totp_step("", "328482", 59));
    for (const char* no : {"", "28708", "2870822", "28708a", "287083"})
        EXPECT_FALSE(mfa::totp_step(secret, no, 59)) << no;
}

TEST(Totp, DrawsItsAddress) {
    const std::string url = mfa::otpauth_url("My Shop", "a+b@c.test", "12345678901234567890");
    EXPECT_EQ(url,
              "otpauth://totp/My%20Shop:a%2Bb%40c.test?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"
              "&issuer=My%20Shop&algorithm=SHA1&digits=6&period=30");
    const std::string svg = mfa::qr_svg(url);
    EXPECT_TRUE(svg.starts_with("<svg ") && svg.ends_with("</svg>"));
}

TEST(Totp, BackupCodesAreReadAsPeopleTypeThem) {
    const auto codes = mfa::make_backup_codes();
    EXPECT_EQ(std::set<std::string>(codes.begin(), codes.end()).size(), mfa::kBackupCodes);
    for (const std::string& code : codes) {
        const std::string plain = mfa::normalised_backup_code(code);
        EXPECT_EQ(plain.size(), 10U);
        EXPECT_EQ(mfa::normalised_backup_code(" " + plain.substr(0, 3) + "-" + plain.substr(3)),
                  plain);
    }
    for (const char* no : {"", "123456", "abcde-fghi", "abcde-fghij-k"})
        EXPECT_EQ(mfa::normalised_backup_code(no), "") << no;
}

TEST(CommonPasswords, AreKnownInAnyCase) {
    EXPECT_TRUE(password::is_common_password("Password123"));
    EXPECT_TRUE(password::is_common_password("qwertyuiop"));
    EXPECT_FALSE(password::is_common_password("correct horse battery staple"));
}

}  // namespace
}  // namespace svc::auth
