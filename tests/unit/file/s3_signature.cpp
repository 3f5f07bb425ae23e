#include <gtest/gtest.h>

#include <algorithm>

#include "file/s3/signature.hpp"

namespace svc::file {
namespace {

// The examples of Amazon's own documentation, "Signature Calculations for the Authorization
// Header".
const S3Settings kExample{.endpoint = "https://s3.amazonaws.com",
                          .region = "us-east-1",
                          .bucket = "examplebucket",
                          .access_key = "AKIAIOSFODNN7EXAMPLE",
                          .secret_key = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
                          .path_style = false};
constexpr std::time_t kThen = 1369353600;  // 2013-05-24, midnight

std::string signature_of(S3Request request) {
    const auto call = signed_call(kExample, std::move(request), kThen);
    for (const std::string& header : call.headers)
        if (header.starts_with("authorization: "))
            return header.substr(header.find(",Signature=") + 11);
    return "none";
}

TEST(S3Signature, ReadsARangeAsTheDocumentationDoes) {
    EXPECT_EQ(signature_of({.key = "test.txt", .headers = {{"range", "bytes=0-9"}}}),
              "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41");
}

TEST(S3Signature, SignsQueriesWithAndWithoutValues) {
    EXPECT_EQ(signature_of({.query = {{"lifecycle", ""}}}),
              "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543");
    EXPECT_EQ(signature_of({.query = {{"max-keys", "2"}, {"prefix", "J"}}}),
              "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7");
}

TEST(S3Signature, CallsTheEndpointAloneAndNamesTheBucketInHostOrPath) {
    const auto by_host = signed_call(kExample, {.key = "a/b"}, kThen);
    EXPECT_EQ(by_host.url, "https://examplebucket.s3.amazonaws.com/a/b");
    EXPECT_EQ(by_host.allowed, std::vector<std::string>{"examplebucket.s3.amazonaws.com"});
    EXPECT_FALSE(by_host.plain);
    S3Settings minio = kExample;
    minio.endpoint = "http://10.0.0.7:9000";
    minio.path_style = true;
    const auto by_path =
        signed_call(minio, {.query = {{"list-type", "2"}, {"prefix", "a/b"}}}, kThen);
    EXPECT_EQ(by_path.url, "http://10.0.0.7:9000/examplebucket?list-type=2&prefix=a%2Fb");
    EXPECT_EQ(by_path.allowed, std::vector<std::string>{"10.0.0.7"});
    EXPECT_TRUE(by_path.plain);
    EXPECT_NE(std::ranges::find(by_path.headers, "host: 10.0.0.7:9000"), by_path.headers.end());
}

}  // namespace
}  // namespace svc::file
