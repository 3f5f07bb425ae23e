#include "http/request/params.hpp"

#include <gtest/gtest.h>

namespace svc::http {
namespace {

constexpr std::string_view kKnown[] = {"limit", "where"};

TEST(Params, KnownOnesPass) {
    for (const char* query : {"", "limit=1", "where=&limit", "limit=1&&", "_=1&_=2&_x", "%5fx=1"})
        EXPECT_FALSE(check_params(query, kKnown)) << query;
}

TEST(Params, UnknownOnesAreNamedWithTheNearest) {
    const auto error = check_params("limit=1&wehre=2", kKnown);
    ASSERT_TRUE(error);
    EXPECT_EQ(error->code, Code::params_invalid);
    EXPECT_EQ(error->field, "wehre");
    EXPECT_EQ(
        error->message,
        "This route has no parameter \"wehre\". Did you mean \"where\"? This route takes limit, "
        "where.");
    EXPECT_EQ(check_params("x=1", {})->message,
              "This route has no parameter \"x\". This route takes no parameters.");
    EXPECT_TRUE(check_params("=1", kKnown));
    EXPECT_TRUE(check_params("Limit=1", kKnown));
    EXPECT_TRUE(check_params("li%00mit=1", kKnown));
}

TEST(Params, NoneIsGivenTwice) {
    EXPECT_EQ(check_params("limit=1&where=&%6Cimit=2", kKnown)->field, "limit");
}

}  // namespace
}  // namespace svc::http
