// Callers of the data routes, and a table of theirs under row-level security, reached through a
// role that owns nothing.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include "identity/caller.hpp"
#include "identity/secret/signer.hpp"
#include "route/handled.hpp"
#include "unit/app_database.hpp"
#include "unit/data/entity.hpp"
#include "unit/http/fake_exchange.hpp"

namespace svc::data {

inline constexpr const char* kAnn = "00000000-0000-7000-8000-00000000000a";
inline constexpr const char* kBob = "00000000-0000-7000-8000-00000000000b";
inline constexpr const char* kNobodysId = "00000000-0000-7000-8000-0000000000ff";

inline Caller caller(const std::string& persona, PrincipalSet principals, const char* user) {
    Caller out;
    out.principals = principals;
    out.names = persona;
    if (user) out.user = User{user, "", "", persona, false, {}};
    return out;
}
inline const Caller kClerk = caller("clerk", test::kClerk | principal::kSignedIn, kAnn);
inline const Caller kManager = caller("manager", test::kManager | principal::kSignedIn, kBob);
inline const Caller kGuest = caller("guest", principal::kGuest, nullptr);
inline const Caller kServer = caller("server", principal::kServer, nullptr);

inline const identity::Signer kSigner("a secret of tests", "cursor");

class DataTest : public ::testing::Test {
  protected:
    void SetUp() override {
        if (!test::server_url()) GTEST_SKIP() << "SVC_TEST_DATABASE_URL is not set";
        database = std::make_unique<test::AppDatabase>();
        role = "svc_unit_data_" + std::to_string(getpid());
        database->sql("create role " + role + "; grant usage on schema public, svc to " + role +
                      "; grant execute on all functions in schema svc to " + role);
        std::string table = test::kItemTable;
        table.replace(table.find(":role"), 5, role);
        database->sql(table);
        pool = std::make_unique<db::Pool>(
            io, db::PoolSettings{database->url() + " options='-c role=" + role + "'", 2, 100});
    }
    void TearDown() override {
        pool.reset();
        if (database) database->sql("drop owned by " + role + "; drop role " + role);
    }

    // Waits for the answer; the status. The body is left in `body`.
    int answered(test::FakeExchange& exchange, Task<route::Handled> task) {
        std::optional<route::Handled> handled;
        asio::co_spawn(io, std::move(task), [&](std::exception_ptr error, route::Handled result) {
            if (error) std::rethrow_exception(error);
            handled = result;
        });
        io.restart();
        const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(10);
        while (!handled && std::chrono::steady_clock::now() < until) {
            io.run_one_for(std::chrono::milliseconds(100));
        }
        EXPECT_EQ(handled, route::Handled::answered);
        body = exchange.answer();
        return exchange.status();
    }

    bool says(std::string_view part) const { return body.find(part) != std::string::npos; }

    std::unique_ptr<test::AppDatabase> database;
    std::string role, body;
    asio::io_context io;
    std::unique_ptr<db::Pool> pool;
};

}  // namespace svc::data
