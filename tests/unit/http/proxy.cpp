#include "http/request/proxy.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace svc::http {
namespace {

const std::vector<std::string> kTrusted = {"127.0.0.1", "10.0.0.0/8", "fd00::/8"};

TEST(Proxy, OnlyTrustedPeersAreBelieved) {
    EXPECT_EQ(client_address("8.8.8.8", "1.2.3.4", kTrusted), "8.8.8.8");
    EXPECT_EQ(client_address("127.0.0.1", "1.2.3.4", kTrusted), "1.2.3.4");
    EXPECT_EQ(client_address("fd00::1", "2001:db8::1", kTrusted), "2001:db8::1");
    EXPECT_EQ(client_address("127.0.0.1", "", kTrusted), "127.0.0.1");
    EXPECT_EQ(client_address("127.0.0.1", "1.2.3.4", {}), "127.0.0.1");
}

TEST(Proxy, TheClientsOwnWordsAreNotTaken) {
    EXPECT_EQ(client_address("127.0.0.1", "6.6.6.6, 1.2.3.4, 10.1.1.1", kTrusted), "1.2.3.4");
    EXPECT_EQ(client_address("127.0.0.1", "6.6.6.6, nonsense", kTrusted), "127.0.0.1");
}

TEST(Proxy, CountsWhoComesFromOneNetworkTogether) {
    EXPECT_EQ(counted_network("198.51.100.7"), "198.51.100.7");
    EXPECT_EQ(counted_network("::ffff:198.51.100.7"), "198.51.100.7");
    EXPECT_EQ(counted_network("::ffff:c633:6407"), "198.51.100.7");
    EXPECT_EQ(counted_network("2001:db8:1:2::1"), counted_network("2001:0DB8:1:2:ffff::9"));
    EXPECT_NE(counted_network("2001:db8:1:2::1"), counted_network("2001:db8:1:3::1"));
    EXPECT_NE(counted_network("::1"), counted_network("2001:db8::1"));
    EXPECT_EQ(counted_network("fe80::1%lo"), counted_network("fe80::2"));
    EXPECT_EQ(counted_network(""), "");
}

TEST(Proxy, KnowsWhatCanBeTrusted) {
    EXPECT_TRUE(valid_proxy("10.0.0.0/8"));
    EXPECT_TRUE(valid_proxy("::1"));
    EXPECT_FALSE(valid_proxy("proxy.test"));
    EXPECT_FALSE(valid_proxy("10.0.0.0/33"));
}

}  // namespace
}  // namespace svc::http
