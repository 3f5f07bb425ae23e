#include "outgoing/private_address.hpp"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>

#include <string>

#include "outgoing/fetch.hpp"

namespace svc::outgoing {
namespace {

bool asked(const std::string& text) {
    sockaddr_storage storage{};
    if (text.find(':') == std::string::npos) {
        auto* four = reinterpret_cast<sockaddr_in*>(&storage);
        four->sin_family = AF_INET;
        EXPECT_EQ(inet_pton(AF_INET, text.c_str(), &four->sin_addr), 1) << text;
    } else {
        auto* six = reinterpret_cast<sockaddr_in6*>(&storage);
        six->sin6_family = AF_INET6;
        EXPECT_EQ(inet_pton(AF_INET6, text.c_str(), &six->sin6_addr), 1) << text;
    }
    const bool inside = is_private(reinterpret_cast<const sockaddr&>(storage));
    EXPECT_EQ(is_private_text(text.c_str()), inside) << text;
    return inside;
}

TEST(PrivateAddress, KnowsWhatLeadsInside) {
    for (const char* inside :
         {"127.0.0.1",        "10.1.2.3",        "172.16.0.1",    "172.31.255.255",
          "192.168.1.1",      "169.254.169.254", "0.0.0.0",       "100.64.0.1",
          "224.0.0.1",        "255.255.255.255", "::1",           "::",
          "fe80::1",          "fc00::1",         "fd12::1",       "ff02::1",
          "::ffff:127.0.0.1", "::ffff:10.0.0.1", "2002:7f00:1::", "2001:db8::1",
          "2001::1",          "64:ff9b::7f00:1"})
        EXPECT_TRUE(asked(inside)) << inside;
    for (const char* outside : {"1.1.1.1", "172.15.0.1", "172.32.0.1", "192.167.1.1", "100.128.0.1",
                                "2606:4700::1111", "2a00:1450::1", "::ffff:8.8.8.8"})
        EXPECT_FALSE(asked(outside)) << outside;
}

TEST(Fetch, RefusesPrivateAddressesAndPlainHttp) {
    Fetch request;
    request.url = "http://127.0.0.1:9/";
    EXPECT_NE(fetch(request).error.find("private"), std::string::npos);
    request.allowed = {"*"};
    EXPECT_EQ(fetch(request).error.find("private"), std::string::npos);
    request.url = "http://example.test/";
    const Fetched plain = fetch(request);
    EXPECT_EQ(plain.status, 0);
    EXPECT_FALSE(plain.error.empty());
}

}  // namespace
}  // namespace svc::outgoing
