#include "ops/upkeep.hpp"

#include <gtest/gtest.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>

#include "app_database.hpp"

namespace svc::ops {
namespace {

TEST(OpsUpkeep, changes_are_thrown_away_again_and_again) {
    if (test::server_url() == nullptr) GTEST_SKIP() << "SVC_TEST_DATABASE_URL is not set";
    const test::AppDatabase database;
    const std::string old =
        "insert into svc." +
        database.sql("select 'change_' || (slot + 1) % 4 from svc.change_slot") +
        " (table_name, event, row_id) select 'x', 'created', svc.new_id()";
    asio::io_context io;
    db::Pool system(io, {.url = database.url()});
    asio::co_spawn(io, keep_up(io, system, std::chrono::milliseconds(5)), asio::detached);
    for (int round = 0; round < 2; ++round) {
        database.sql(old);
        const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
        while (database.sql("select count(*) from svc.change") != "0") {
            ASSERT_LT(std::chrono::steady_clock::now(), end);
            io.run_for(std::chrono::milliseconds(20));
        }
    }
}

}  // namespace
}  // namespace svc::ops
