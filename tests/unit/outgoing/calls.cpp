#include "outgoing/calls.hpp"

#include <gtest/gtest.h>

#include "unit/outgoing/neighbour.hpp"

namespace svc::outgoing {
namespace {

Fetched sent(asio::io_context& io, Calls& calls, const std::string& url, AllowedHosts allowed) {
    Fetch request;
    request.url = url;
    request.plain = true;  // so that the address alone is the reason of a refusal
    request.allowed = std::move(allowed);
    return sent(io, calls, std::move(request));
}

TEST(Calls, AKeptConnectionIsCheckedForEachCall) {
    Neighbour neighbour;
    asio::io_context io;
    Calls calls;
    EXPECT_EQ(sent(io, calls, neighbour.url(), {"127.0.0.1"}).body, "ok");
    EXPECT_EQ(sent(io, calls, neighbour.url(), {"127.0.0.1"}).body, "ok");
    EXPECT_EQ(neighbour.connections, 1);
    const Fetched refused = sent(io, calls, neighbour.url(), {});
    EXPECT_EQ(refused.status, 0);
    EXPECT_TRUE(refused.for_good);
    EXPECT_NE(refused.error.find("private"), std::string::npos) << refused.error;
    EXPECT_EQ(neighbour.requests, 2);
}

// Each is an address of this machine to curl or to its resolver, or a name that leads there.
TEST(Calls, AForgedAddressReachesNobody) {
    Neighbour neighbour;
    asio::io_context io;
    Calls calls;
    const std::string url = neighbour.url(), port = url.substr(url.rfind(':'));
    for (const char* host : {"127.0.0.1",
                             "127.1",
                             "127.0.1",
                             "0177.0.0.1",
                             "0x7f.0.0.1",
                             "0x7f.1",
                             "0x7f000001",
                             "017700000001",
                             "2130706433",
                             "0",
                             "0.0.0.0",
                             "127.0.0.1.",
                             "%31%32%37.0.0.1",
                             "good.test@127.0.0.1",
                             "good.test:x@127.1",
                             "localhost",
                             "LOCALHOST",
                             "localhost.",
                             "[::ffff:127.0.0.1]",
                             "[::ffff:7f00:1]",
                             "[0:0:0:0:0:ffff:127.0.0.1]",
                             "[::127.0.0.1]",
                             "[::]",
                             "[::1]",
                             "[64:ff9b::7f00:1]",
                             "[2002:7f00:1::]"})
        EXPECT_EQ(sent(io, calls, "http://" + std::string(host) + port, {"good.test"}).status, 0)
            << host;
    EXPECT_EQ(neighbour.connections, 0);
    // Most of them would have led there.
    EXPECT_EQ(sent(io, calls, "http://0x7f.1" + port, {"*"}).body, "ok");
    EXPECT_EQ(sent(io, calls, "http://[::ffff:7f00:1]" + port, {"*"}).body, "ok");
    EXPECT_EQ(sent(io, calls, "http://localhost" + port, {"*"}).body, "ok");
}

}  // namespace
}  // namespace svc::outgoing
