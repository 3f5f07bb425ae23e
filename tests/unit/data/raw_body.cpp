#include "data/sql/raw_body.hpp"

#include <gtest/gtest.h>

namespace svc::data::sql {
namespace {

TEST(DataRawBody, TakesStatementsOfUpToSixteenKibibytes) {
    const auto body = [](std::size_t bytes) {
        return R"({"sql":")" + std::string(bytes, 'x') + R"("})";
    };
    EXPECT_TRUE(read_raw_body(body(16 * 1024)));
    const auto refused = read_raw_body(body(16 * 1024 + 1));
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, Code::params_invalid);
}

}  // namespace
}  // namespace svc::data::sql
