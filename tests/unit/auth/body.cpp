#include "auth/body.hpp"

#include <gtest/gtest.h>

namespace svc::auth {
namespace {

TEST(Body, GivesTheWantedTexts) {
    const auto texts = read_texts(R"({"email":"a","name":null,"more":[1,{"x":2}]})",
                                  {"email", "name", "password"});
    ASSERT_TRUE(texts);
    EXPECT_EQ(text(*texts, "email"), "a");
    EXPECT_EQ(text(*texts, "name"), "");
    EXPECT_EQ(texts->size(), 1U);
}

TEST(Body, RefusesOtherShapes) {
    const std::string deep = "{\"a\":" + std::string(5000, '[') + std::string(5000, ']') + "}";
    for (const std::string& body :
         {std::string(), std::string("[]"), std::string("\"a\""), std::string("{"),
          std::string("{} x"), std::string("{\"email\":\"\xFF\"}"), deep})
        EXPECT_FALSE(read_texts(body, {"email"})) << body.substr(0, 20);
}

TEST(Body, NamesTheMemberAtFault) {
    const auto number = read_texts(R"({"email":1})", {"email"});
    ASSERT_FALSE(number);
    EXPECT_EQ(number.error().error.code, Code::params_invalid);
    EXPECT_EQ(number.error().error.field, "email");
    EXPECT_FALSE(read_texts("{\"email\":\"a\\u0000b\"}", {"email"}));
}

}  // namespace
}  // namespace svc::auth
