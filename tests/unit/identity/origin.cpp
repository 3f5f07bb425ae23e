#include "identity/key/origin.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace svc::identity {
namespace {

TEST(Origin, HasOneWrittenForm) {
    EXPECT_EQ(normalised_origin("https://Shop.Example"), "https://shop.example");
    EXPECT_EQ(normalised_origin("https://shop.example/"), "https://shop.example");
    EXPECT_EQ(normalised_origin("https://shop.example:443"), "https://shop.example");
    EXPECT_EQ(normalised_origin("http://shop.example:80"), "http://shop.example");
    EXPECT_EQ(normalised_origin("http://shop.example:443"), "http://shop.example:443");
    EXPECT_EQ(normalised_origin("http://localhost:3000"), "http://localhost:3000");
    EXPECT_EQ(normalised_origin("http://[::1]:8080"), "http://[::1]:8080");
    EXPECT_EQ(normalised_origin("http://[::1]"), "http://[::1]");
    EXPECT_EQ(normalised_origin("https://shop.example:"), "https://shop.example");
}

TEST(Origin, RefusesWhatIsNone) {
    for (const char* text :
         {"", "null", "*", "shop.example", "ftp://shop.example", "https://", "https://a/b",
          "https://a@b", "https://a:x", "https://:443", "https://a?b", "https://a b"})
        EXPECT_EQ(normalised_origin(text), "") << text;
}

TEST(Origin, IsBoundByNameOrByStar) {
    const std::vector<std::string> named{"https://shop.example"};
    const std::vector<std::string> any{"*"};
    EXPECT_TRUE(origin_bound("https://SHOP.example:443", named));
    EXPECT_FALSE(origin_bound("http://shop.example", named));
    EXPECT_FALSE(origin_bound("https://shop.example.evil", named));
    EXPECT_FALSE(origin_bound("null", named));
    EXPECT_TRUE(origin_bound("https://anyone.example", any));
    EXPECT_FALSE(origin_named("https://anyone.example", any));
}

TEST(Origin, MayBeTheHostItself) {
    EXPECT_TRUE(origin_of_host("https://shop.example", "shop.example"));
    EXPECT_TRUE(origin_of_host("http://shop.localhost:7878", "shop.localhost:7878"));
    EXPECT_TRUE(origin_of_host("https://shop.example", "Shop.Example:443"));
    EXPECT_FALSE(origin_of_host("http://shop.localhost:7878", "shop.localhost"));
    EXPECT_FALSE(origin_of_host("https://evil.example", "shop.example"));
    EXPECT_FALSE(origin_of_host("null", "shop.example"));
    EXPECT_FALSE(origin_of_host("https://shop.example", ""));
}

}  // namespace
}  // namespace svc::identity
