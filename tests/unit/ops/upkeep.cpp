#include "ops/upkeep.hpp"

#include <gtest/gtest.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <functional>
#include <thread>

#include "unit/app_database.hpp"

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

// What can never be purged, or takes longer than a statement may, keeps nothing else.
TEST(OpsUpkeep, a_purge_that_fails_holds_up_none_of_the_others) {
    if (test::server_url() == nullptr) GTEST_SKIP() << "SVC_TEST_DATABASE_URL is not set";
    const test::AppDatabase database;
    database.sql(
        "create or replace function svc.purge_runs() returns integer language plpgsql as"
        " 'begin raise exception ''in vain''; end'");
    database.sql("insert into svc." +
                 database.sql("select 'change_' || (slot + 1) % 4 from svc.change_slot") +
                 " (table_name, event, row_id) select 'x', 'created', svc.new_id()");
    database.sql(
        "insert into svc.hook_seen (hook, event_id, answer, at) select 'x', n,"
        " svc.new_id(), now() - interval '8 days' from generate_series(1, 3) n");
    asio::io_context io;
    db::Pool system(io, {.url = database.url()});
    asio::co_spawn(io, keep_up(io, system, std::chrono::milliseconds(5)), asio::detached);
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (database.sql("select (select count(*) from svc.change) + (select count(*) from"
                        " svc.hook_seen)") != "0") {
        ASSERT_LT(std::chrono::steady_clock::now(), end);
        io.run_for(std::chrono::milliseconds(20));
    }
}

// A busy app ends more runs in the time of a pause than one part has.
TEST(OpsUpkeep, a_pause_is_followed_by_as_many_parts_as_there_are) {
    if (test::server_url() == nullptr) GTEST_SKIP() << "SVC_TEST_DATABASE_URL is not set";
    const test::AppDatabase database;
    database.sql(
        "insert into svc.run (id, workflow, hash, status, trigger, given, ended_at) select"
        " svc.id_of(now() - interval '40 days' + n * interval '1 second'), 'w', 'h', 'succeeded',"
        " '{}', '{}', now() - interval '40 days' from generate_series(1, 5000) n");
    database.sql(
        "create sequence svc.rounds; create or replace function svc.purge_scripts() returns void"
        " language sql as 'select nextval(''svc.rounds'')'");  // the last one of a round
    asio::io_context io;
    db::Pool system(io, {.url = database.url()});
    asio::co_spawn(io, keep_up(io, system, std::chrono::seconds(3)), asio::detached);
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    while (database.sql("select is_called from svc.rounds") != "t") {
        ASSERT_LT(std::chrono::steady_clock::now(), end);
        io.run_for(std::chrono::milliseconds(20));
    }
    EXPECT_EQ(database.sql("select count(*) from svc.run"), "0");
}

// App servers of one app, each with its own connections: a row is purged once, and none twice asked
// for.
TEST(OpsUpkeep, two_servers_purge_deleted_rows_at_the_same_time) {
    if (test::server_url() == nullptr) GTEST_SKIP() << "SVC_TEST_DATABASE_URL is not set";
    const test::AppDatabase database;
    database.sql(
        "insert into svc.keep_time (table_name, keep) values ('x', interval '1 day'), ('y', null)");
    const auto deleted = [&database](const char* table, const char* age, int rows) {
        database.sql("insert into svc.deleted (table_name, row_id, deleted_at, held) select '" +
                     std::string(table) + "', gen_random_uuid(), now() - interval '" + age +
                     "', '{}' from generate_series(1, " + std::to_string(rows) + ")");
    };
    deleted("x", "2 days", 35'000);  // more than both take at once
    deleted("x", "1 hour", 10);
    deleted("y", "2 years", 10);
    const auto kept = [&database](const std::string& where) {
        return database.sql("select count(*) from svc.deleted" + where);
    };
    const auto server = [&database](asio::io_context& io) {
        db::Pool system(io, {.url = database.url()});
        asio::co_spawn(io, keep_up(io, system, std::chrono::milliseconds(1)), asio::detached);
        io.run();
    };
    asio::io_context one, other;
    std::thread first(server, std::ref(one)), second(server, std::ref(other));
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    while (kept(" where table_name = 'x' and deleted_at < now() - interval '1 day'") != "0" &&
           std::chrono::steady_clock::now() < end)
        std::this_thread::yield();
    one.stop();
    other.stop();
    first.join();
    second.join();
    EXPECT_EQ(kept(" where table_name = 'x'"), "10");
    EXPECT_EQ(kept(" where table_name = 'y'"), "10");
    EXPECT_EQ(
        database.sql("select deadlocks from pg_stat_database where datname = current_database()"),
        "0");
}

}  // namespace
}  // namespace svc::ops
