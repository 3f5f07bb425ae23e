// A pool of connections to a database of its own, and coroutines that ask it.
#pragma once

#include <gtest/gtest.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "db/pool.hpp"
#include "unit/app_database.hpp"

namespace svc::db::pool_test {

class FirstColumn : public RowSink {
  public:
    void row(const Row& row) override { texts.emplace_back(row.text(0)); }
    std::vector<std::string> texts;
    std::string first() const { return texts.empty() ? "" : texts.front(); }
};

struct Answer {
    Outcome outcome;
    std::string first;
};

// Each test runs coroutines on a pool of its own until all have ended.
class PoolTest : public ::testing::Test {
  protected:
    void SetUp() override {
        if (!svc::test::server_url()) GTEST_SKIP() << "SVC_TEST_DATABASE_URL is not set";
        database = std::make_unique<svc::test::AppDatabase>();
        pool = std::make_unique<Pool>(io, PoolSettings{database->url(), 3, 5000});
    }

    // Runs what was spawned. Pooled connections stay open, so the io_context alone would not end.
    void drain() {
        const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(30);
        io.restart();
        while (running > 0 && std::chrono::steady_clock::now() < until) {
            io.run_one_for(std::chrono::milliseconds(100));
        }
        ASSERT_EQ(running, 0) << "an exchange was never answered";
    }

    void spawn(Task<> task) {
        ++running;
        asio::co_spawn(io, std::move(task), [this](std::exception_ptr error) {
            --running;
            if (error) std::rethrow_exception(error);
        });
    }

    Task<> ask(std::string name, std::string sql, std::vector<std::string> params, Answer& answer) {
        std::vector<Param> views(params.begin(), params.end());
        const std::vector<Type> types(params.size(), Type::text);
        FirstColumn sink;
        const Command command{{name, types, sql}, views, &sink};
        answer.outcome = co_await pool->run({&command, 1});
        answer.first = sink.first();
    }

    Answer ask_one(std::string name, std::string sql, std::vector<std::string> params = {}) {
        Answer answer;
        spawn(ask(std::move(name), std::move(sql), std::move(params), answer));
        drain();
        return answer;
    }

    void kill_connections() const {
        database->sql(
            "select pg_terminate_backend(pid) from pg_stat_activity"
            " where datname = current_database() and pid <> pg_backend_pid()");
    }

    // A terminated backend may still take an exchange before it ends, which is lost. So there may
    // be only lost exchanges, and soon none.
    void expect_recovery() {
        Answer answer;
        for (int tries = 0; tries < 10 && !answer.outcome.ok; ++tries) {
            answer = ask_one("one", "select 1");
            EXPECT_TRUE(answer.outcome.ok || answer.outcome.lost())
                << answer.outcome.error().sqlstate;
        }
        EXPECT_TRUE(answer.outcome.ok) << answer.outcome.error().message;
    }

    Task<> as_user(std::string id, Answer& answer) {
        const Param identity[] = {"svc.user_id", id};
        FirstColumn sink;
        const Command commands[] = {
            {{"enter", {}, "select set_config($1::text, $2::text, true)"}, identity, nullptr},
            {{"who", {}, "select current_setting('svc.user_id', true)"}, {}, &sink}};
        answer.outcome = co_await pool->run(commands);
        answer.first = sink.first();
    }

    std::unique_ptr<svc::test::AppDatabase> database;
    asio::io_context io;
    std::unique_ptr<Pool> pool;
    int running = 0;
};

}  // namespace svc::db::pool_test
