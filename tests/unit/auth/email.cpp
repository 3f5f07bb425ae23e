#include "auth/email.hpp"

#include <gtest/gtest.h>

namespace svc::auth {
namespace {

TEST(Email, IsTrimmedAndLowerCase) {
    EXPECT_EQ(normalised_email("  Ann.Lee+x@Example.TEST\n"), "ann.lee+x@example.test");
    EXPECT_EQ(normalised_email("o'neil@a-b.example.co"), "o'neil@a-b.example.co");
}

TEST(Email, RefusesWhatIsNone) {
    for (const char* text :
         {"", " ", "ann", "ann@", "@example.test", "ann@example", "ann@@example.test",
          "a b@example.test", "ann@exa mple.test", "ann@.test", "ann@example.", "ann@-a.test",
          "ann@a-.test", ".ann@example.test", "ann.@example.test", "a..b@example.test",
          "ann@example.test\nBcc: x@y.test", "ann<x@y.test>", "\xC3\xA9@example.test"})
        EXPECT_FALSE(normalised_email(text)) << text;
}

TEST(Email, HasLimits) {
    const std::string domain = std::string(63, 'd') + "." + std::string(63, 'd') + ".test";
    EXPECT_TRUE(normalised_email(std::string(64, 'a') + "@" + domain));
    EXPECT_FALSE(normalised_email(std::string(65, 'a') + "@" + domain));
    EXPECT_FALSE(normalised_email("a@" + std::string(64, 'd') + ".test"));
    EXPECT_FALSE(normalised_email("a@" + domain + "." + domain));
}

}  // namespace
}  // namespace svc::auth
