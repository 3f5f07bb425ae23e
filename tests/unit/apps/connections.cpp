#include "apps/database/connections.hpp"

#include <gtest/gtest.h>

#include "postgres/reach.hpp"

namespace svc::devapi {
namespace {

const std::string kOwn = "host=/run/svc port=5432 dbname=postgres";
const ReachableHosts kAll = {{"*"}, kOwn};

ReachableHosts named(const std::string& host) { return {{host}, kOwn}; }

TEST(Connections, ComeFromAnAddress) {
    const auto read =
        read_connection("postgres://me:s%40crt@db.example:5433/old?sslmode=require", kAll);
    EXPECT_EQ(read.error, "");
    EXPECT_EQ(
        read.server,
        (std::map<std::string, std::string>{
            {"dbname", "old"}, {"host", "db.example"}, {"port", "5433"}, {"sslmode", "require"}}));
    EXPECT_EQ(read.account.at("user"), "me");
    EXPECT_EQ(read.account.at("password"), "s@crt");
    EXPECT_FALSE(read.account.contains("password_required"));
}

TEST(Connections, RefuseWhatReachesTooFar) {
    for (const char* url :
         {"", "host=db.example dbname=old user=me", "postgres://me@db.example",
          "postgres://db.example/old", "postgres://me@one,two/old",
          "postgres://me@db.example/old?passfile=/etc/passwd",
          "postgres://me@db.example/old?options=-cx=y", "postgres://me@db.example/old?service=x",
          "postgres://me@db.example/svc_platform",
          "postgres://me@db.example/svc_0123456789ab_dev"}) {
        EXPECT_NE(read_connection(url, kAll).error, "") << url;
    }
}

// No message has a part of a value that may be a password.
TEST(Connections, SayNothingOfTheirText) {
    for (const char* url : {"postgres://me:hunter2%zz@db.example/old", "hunter2",
                            "postgres://me:hunter2@db.example/old?hunter2=1"}) {
        EXPECT_NE(read_connection(url, kAll).error, "") << url;
        EXPECT_EQ(read_connection(url, kAll).error.find("hunter2%"), std::string::npos);
    }
}

TEST(Connections, ReachPrivateHostsOnlyWhereAllowed) {
    for (const char* host : {"127.0.0.1", "10.1.2.3", "169.254.169.254", "[::1]", "192.168.0.1",
                             "[::ffff:127.0.0.1]", "[fd00::1]"}) {
        const std::string url = std::string("postgres://me:x@") + host + "/old";
        EXPECT_NE(read_connection(url, {{}, kOwn}).error, "") << host;
        EXPECT_EQ(read_connection(url, kAll).error, "") << host;
    }
    EXPECT_NE(read_connection("postgres://me:x@/old?host=/tmp", {{}, kOwn}).error, "");
    EXPECT_EQ(read_connection("postgres://me:x@10.1.2.3/old", named("10.1.2.3")).error, "");
    const auto open = read_connection("postgres://me:x@93.184.216.34/old", {{}, kOwn});
    EXPECT_EQ(open.error, "");
    EXPECT_EQ(open.server.at("hostaddr"), "93.184.216.34");
    EXPECT_FALSE(open.account.contains("password_required"));
}

// "*" is said of hosts: what asks for no password is opened by its own name alone.
TEST(Connections, OpenSocketsAndOpenDoorsOnlyByName) {
    for (const char* url : {"postgres://me:x@/old?host=/tmp", "postgres://me:x@%2Ftmp/old",
                            "postgres://me:x@%40abstract/old", "postgres://me@10.1.2.3/old"})
        EXPECT_NE(read_connection(url, kAll).error, "") << url;
    for (const char* folder : {"/tmp", "/tmp/", "/tmp/../tmp"}) {
        const auto socket = read_connection("postgres://me@%2Ftmp/old", named(folder));
        EXPECT_EQ(socket.error, "") << folder;
        EXPECT_EQ(socket.account.at("password_required"), "false");
    }
    EXPECT_EQ(read_connection("postgres://me@DB.example/old", named("db.example")).error, "");
    EXPECT_NE(read_connection("postgres://me@db.example/old", named("other.example")).error, "");
}

TEST(Connections, NeverLeadToOurOwnServer) {
    const std::string tcp = "postgres://postgres@localhost:6543/postgres";
    for (const char* url :
         {"postgres://me:x@127.0.0.1:6543/old", "postgres://me:x@LOCALHOST:6543/old",
          "postgres://me:x@2130706433:6543/old"})
        EXPECT_NE(read_connection(url, {{"*", "127.0.0.1", "localhost", "2130706433"}, tcp}).error,
                  "")
            << url;
    EXPECT_EQ(read_connection("postgres://me:x@127.0.0.1:6544/old", {{"*"}, tcp}).error, "");
    EXPECT_NE(read_connection("postgres://me:x@%2Frun%2F.%2Fsvc/old", named("/run/svc")).error, "");
}

}  // namespace
}  // namespace svc::devapi
