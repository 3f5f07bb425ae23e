#include "http/request/path.hpp"

#include <gtest/gtest.h>

namespace svc::http {
namespace {

TEST(Path, IsDecodedOnce) {
    EXPECT_EQ(decode_path("/a/%70%C3%A9/b"), "/a/p\xC3\xA9/b");
    EXPECT_EQ(decode_path("/%2570"), "/%70");
    EXPECT_EQ(decode_path("/a+b"), "/a+b");
    EXPECT_EQ(decode_path("/a%2Fb%2fc"), std::string("/a\0b\0c", 6));
    EXPECT_EQ(decode_path("/%252F"), "/%2F");
}

TEST(Path, FaultsOfAnySpelling) {
    for (const char* path :
         {"/", "/a.b/..c/.d", "/a%20b", "/...", "/%2570", "*", "/a//b", "/\xC3\xA9"})
        EXPECT_EQ(path_fault(path), "") << path;
    for (const char* path : {"/.", "/..", "/a/../b", "/a/./", "/%2e", "/a/%2E%2e/b", "/.%2e", "/%",
                             "/%4", "/%zz", "/%00", "/a%00b", "/%ff", "/%C3", "/\xB1", "/a\xC3/b"})
        EXPECT_NE(path_fault(path), "") << path;
}

}  // namespace
}  // namespace svc::http
