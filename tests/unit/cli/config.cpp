#include "cli/config.hpp"

#include <gtest/gtest.h>

namespace svc::cli {
namespace {

TEST(CliConfig, BringsUrlsToOneForm) {
    EXPECT_EQ(normal_api("http://127.0.0.1:7878/dev/v1/"), "http://127.0.0.1:7878/dev/v1");
    EXPECT_EQ(normal_api("https://svc.example"), "https://svc.example/dev/v1");
    EXPECT_EQ(normal_api("http://svc.example/api/dev/v1"), "http://svc.example/api/dev/v1");
    for (const char* wrong : {"", "svc.example", "ftp://svc.example", "http://", "http:///"}) {
        EXPECT_FALSE(normal_api(wrong)) << wrong;
    }
}

}  // namespace
}  // namespace svc::cli
