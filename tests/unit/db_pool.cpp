#include "db/pool.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <functional>
#include <pqxx/pqxx>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "app_database.hpp"

namespace svc::db {
namespace {

using test::AppDatabase;

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
class DbPool : public ::testing::Test {
  protected:
    void SetUp() override {
        if (!test::server_url()) GTEST_SKIP() << "SVC_TEST_DATABASE_URL is not set";
        database = std::make_unique<AppDatabase>();
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

    // A backend that was told to end may still take an exchange before it does; that one is lost.
    // So what must hold: nothing but losses, and soon none.
    void expect_recovery() {
        Answer answer;
        for (int tries = 0; tries < 10 && !answer.outcome.ok; ++tries) {
            answer = ask_one("one", "select 1");
            EXPECT_TRUE(answer.outcome.ok || answer.outcome.lost())
                << answer.outcome.why().sqlstate;
        }
        EXPECT_TRUE(answer.outcome.ok) << answer.outcome.why().message;
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

    std::unique_ptr<AppDatabase> database;
    asio::io_context io;
    std::unique_ptr<Pool> pool;
    int running = 0;
};

TEST_F(DbPool, AnswersRowsAndCounts) {
    const Answer answer = ask_one("numbers", "select g::text from generate_series(1, 3) g");
    EXPECT_TRUE(answer.outcome.ok);
    EXPECT_EQ(answer.outcome.rows, 3u);
    EXPECT_EQ(answer.first, "1");
    EXPECT_EQ(ask_one("zone", "show timezone").first, "UTC");
}

// As it is asked for beside others on one connection: in one piece, or row by row.
TEST_F(DbPool, RowsComeAloneWhereTheyAreAskedForSo) {
    pool = std::make_unique<Pool>(io, PoolSettings{database->url(), 1, 5000});
    const auto both = [](Pool& from, const char* sql, FirstColumn& one, FirstColumn& other,
                         Outcome& outcome) -> Task<> {
        const Command commands[] = {{{"enter", {}, "select 'entered'"}, {}, nullptr},
                                    {{"?", {}, sql}, {}, &one, 1, true},
                                    {{"last", {}, "select 'last'"}, {}, &other}};
        outcome = co_await from.run(commands);
    };
    const auto ask_both = [&](const char* sql, std::size_t rows, const std::string& sqlstate) {
        std::vector<FirstColumn> ones(30), others(30);
        std::vector<Outcome> outcomes(30);
        for (std::size_t i = 0; i < ones.size(); ++i)
            spawn(both(*pool, sql, ones[i], others[i], outcomes[i]));
        drain();
        for (std::size_t i = 0; i < ones.size(); ++i) {
            EXPECT_EQ(outcomes[i].why().sqlstate, sqlstate);
            EXPECT_EQ(ones[i].texts.size(), rows);
            EXPECT_EQ(others[i].first(), sqlstate.empty() ? "last" : "");
        }
    };
    ask_both("select n::text from generate_series(1, 1000) n", 1000, "");
    ask_both("select 'none' where false", 0, "");
    ask_both("select (1 / (5 - n))::text from generate_series(1, 10) n", 4, "22012");
    EXPECT_EQ(ask_one("?", "select n::text from generate_series(1, 7) n").outcome.rows, 7u);
}

struct ThreeRows final : RowSink {
    void row(const Row&) override { ++rows; }
    bool enough() const override { return rows > 3; }
    int rows = 0;
};

Task<> read_early(Pool& pool, ThreeRows& sink, Outcome& outcome) {
    const Command command{
        .statement = {.name = "?", .types = {}, .sql = "select generate_series(1, 2000000000)"},
        .params = {},
        .sink = &sink,
        .row_by_row = true,
        .ends_early = true};
    outcome = co_await pool.run_slow({&command, 1});
}

TEST_F(DbPool, AReaderWhoHasEnoughEndsTheStatement) {
    for (int i = 0; i < 5; ++i) {
        ThreeRows sink;
        Outcome outcome;
        spawn(read_early(*pool, sink, outcome));
        drain();
        EXPECT_TRUE(outcome.ok) << outcome.why().message;
        EXPECT_EQ(sink.rows, 4);
    }
    const std::string busy =
        "select count(*) from pg_stat_activity where datname = current_database()"
        " and state = 'active' and pid <> pg_backend_pid()";
    for (int tries = 0; tries < 100 && database->sql(busy) != "0"; ++tries)
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
    EXPECT_EQ(database->sql(busy), "0") << "PostgreSQL goes on for nobody";
}

TEST_F(DbPool, OpenSaysWhyItCannot) {
    Pool nowhere(io, {"host=/nonexistent dbname=x", 1, 10});
    std::string words;
    const auto attempt = [](Pool& closed, std::string& said) -> Task<> {
        try {
            co_await closed.open();
        } catch (const std::runtime_error& error) {
            said = error.what();
        }
    };
    spawn(attempt(nowhere, words));
    drain();
    EXPECT_NE(words.find("/nonexistent"), std::string::npos) << words;
}

TEST_F(DbPool, IdentitiesOfConcurrentExchangesDoNotMix) {
    std::vector<Answer> answers(1000);
    for (std::size_t i = 0; i < answers.size(); ++i) {
        spawn(as_user("user-" + std::to_string(i), answers[i]));
    }
    drain();
    for (std::size_t i = 0; i < answers.size(); ++i) {
        ASSERT_TRUE(answers[i].outcome.ok) << answers[i].outcome.why().message;
        EXPECT_EQ(answers[i].first, "user-" + std::to_string(i));
    }
    EXPECT_EQ(ask_one("left", "select current_setting('svc.user_id', true)").first, "");
}

TEST_F(DbPool, AnErrorTouchesOnlyItsOwnExchange) {
    std::vector<Answer> answers(200);
    for (std::size_t i = 0; i < answers.size(); ++i) {
        spawn(ask("divide", "select (10 / $1::int)::text", {i % 3 == 0 ? "0" : "5"}, answers[i]));
    }
    drain();
    for (std::size_t i = 0; i < answers.size(); ++i) {
        if (i % 3 == 0) {
            EXPECT_EQ(answers[i].outcome.why().sqlstate, "22012");
        } else {
            EXPECT_EQ(answers[i].first, "2");
        }
    }
}

TEST_F(DbPool, AFailedPrepareIsTheAnswerOfAllWhoWantedIt) {
    std::vector<Answer> wrong(20), right(20);
    for (std::size_t i = 0; i < wrong.size(); ++i) {
        spawn(ask("wrong", "select no_such_column from svc.account", {}, wrong[i]));
        spawn(ask("right", "select 'yes'", {}, right[i]));
    }
    drain();
    for (const Answer& answer : wrong) EXPECT_EQ(answer.outcome.why().sqlstate, "42703");
    for (const Answer& answer : right) EXPECT_EQ(answer.first, "yes");
    database->sql("alter table svc.account add no_such_column int");
    EXPECT_TRUE(ask_one("wrong", "select no_such_column from svc.account").outcome.ok);
}

TEST_F(DbPool, AStalePlanIsPreparedAnew) {
    database->sql("create table thing (a int); insert into thing values (1)");
    EXPECT_EQ(ask_one("things", "select * from thing").first, "1");
    database->sql("alter table thing alter a type text");
    std::vector<Answer> answers(50);
    for (Answer& answer : answers) spawn(ask("things", "select * from thing", {}, answer));
    drain();
    for (const Answer& answer : answers) {
        EXPECT_TRUE(answer.outcome.ok)
            << answer.outcome.why().sqlstate << answer.outcome.why().message;
        EXPECT_EQ(answer.first, "1");
    }
}

TEST_F(DbPool, RecoversFromKilledConnections) {
    EXPECT_TRUE(ask_one("one", "select 1").outcome.ok);
    std::vector<Answer> answers(30);
    for (Answer& answer : answers) spawn(ask("sleep", "select pg_sleep(0.02)", {}, answer));
    io.restart();
    io.run_for(std::chrono::milliseconds(100));
    kill_connections();
    drain();
    std::size_t lost = 0;
    for (const Answer& answer : answers) {
        EXPECT_TRUE(answer.outcome.ok || answer.outcome.why().sqlstate == "08006" ||
                    answer.outcome.why().sqlstate == "57P01")
            << answer.outcome.why().sqlstate;
        lost += answer.outcome.ok ? 0 : 1;
    }
    EXPECT_GT(lost, 0u);
    expect_recovery();
}

TEST_F(DbPool, AnIdleConnectionThatIsKilledIsReplaced) {
    EXPECT_TRUE(ask_one("one", "select 1").outcome.ok);
    kill_connections();
    io.restart();
    io.run_for(std::chrono::milliseconds(100));
    expect_recovery();
}

TEST_F(DbPool, KeepsOnlySoManyDynamicStatements) {
    std::vector<Answer> answers(600);
    for (std::size_t i = 0; i < answers.size(); ++i) {
        spawn(ask("?", "select '" + std::to_string(i % 300) + "'", {}, answers[i]));
    }
    drain();
    for (std::size_t i = 0; i < answers.size(); ++i) {
        ASSERT_TRUE(answers[i].outcome.ok) << answers[i].outcome.why().message;
        EXPECT_EQ(answers[i].first, std::to_string(i % 300));
    }
    const Answer kept = ask_one("kept", "select count(*)::text from pg_prepared_statements");
    EXPECT_LE(std::stoi(kept.first), 129);
}

TEST_F(DbPool, RefusesWhatPastTheQueueLimit) {
    Pool small(io, {database->url(), 1, 5});
    std::vector<Answer> answers(20);
    const auto sleep = [](Pool& busy, Answer& answer) -> Task<> {
        const Command command{{"sleep", {}, "select pg_sleep(0.01)"}, {}, nullptr};
        answer.outcome = co_await busy.run({&command, 1});
    };
    for (Answer& answer : answers) spawn(sleep(small, answer));
    drain();
    std::size_t refused = 0;
    for (const Answer& answer : answers)
        refused += answer.outcome.why().sqlstate == "53300" ? 1 : 0;
    EXPECT_EQ(refused, 15u);
}

TEST_F(DbPool, AnOpenTransactionClosesItsConnection) {
    EXPECT_EQ(ask_one("begin", "begin").outcome.why().sqlstate, "08006");
    const Answer after = ask_one("state",
                                 "select count(*)::text from pg_stat_activity where state"
                                 " like 'idle in transaction%' and datname ="
                                 " current_database()");
    EXPECT_EQ(after.first, "0");
}

TEST_F(DbPool, AnErrorAtCommitIsTheExchangesError) {
    database->sql(
        "create table parent (id int primary key);"
        "create table child (p int references parent deferrable initially deferred)");
    const Answer answer = ask_one("orphan", "insert into child values (1)");
    EXPECT_FALSE(answer.outcome.ok);
    EXPECT_EQ(answer.outcome.why().sqlstate, "23503");
    EXPECT_EQ(ask_one("one", "select '1'").first, "1");
}

TEST_F(DbPool, ABigAnswerAndABigParameterPass) {
    const std::string big(3'000'000, 'x');
    std::vector<Answer> answers(8);
    for (Answer& answer : answers) spawn(ask("echo", "select $1 || '!'", {big}, answer));
    drain();
    for (const Answer& answer : answers) EXPECT_EQ(answer.first, big + "!");
}

TEST_F(DbPool, ATextWithNulIsRefused) {
    const Answer answer = ask_one("echo", "select $1", {std::string("a\0b", 3)});
    EXPECT_EQ(answer.outcome.why().sqlstate, "22021");
}

TEST_F(DbPool, ASlowExchangeDoesNotHoldTheFastOnes) {
    Answer slow, fast;
    std::vector<std::string> order;
    const auto run_slow = [](Pool& both, std::vector<std::string>& ended,
                             Answer& answer) -> Task<> {
        const Command command{{"slow", {}, "select pg_sleep(0.3)"}, {}, nullptr};
        answer.outcome = co_await both.run_slow({&command, 1});
        ended.push_back("slow");
    };
    const auto run_fast = [](Pool& both, std::vector<std::string>& ended,
                             Answer& answer) -> Task<> {
        const Command command{{"fast", {}, "select 1"}, {}, nullptr};
        answer.outcome = co_await both.run({&command, 1});
        ended.push_back("fast");
    };
    spawn(run_slow(*pool, order, slow));
    spawn(run_fast(*pool, order, fast));
    drain();
    EXPECT_EQ(order, (std::vector<std::string>{"fast", "slow"}));
}

Task<> run_slowly(Pool& pool, std::string sql, Share share, Outcome& outcome) {
    const Command command{{"?", {}, sql}, {}, nullptr};
    outcome = co_await pool.run_slow({&command, 1}, {.share = share});
}

std::ptrdiff_t refused(std::span<const Outcome> outcomes) {
    return std::ranges::count_if(
        outcomes, [](const Outcome& outcome) { return outcome.why().sqlstate == "53300"; });
}

// The lock is held until those that found no connection have been told so.
TEST_F(DbPool, WhatSomebodyWroteLeavesRoomForTheRest) {
    pool = std::make_unique<Pool>(
        io, PoolSettings{database->url(), 3, 5000, std::chrono::milliseconds(2000)});
    pqxx::connection holder(database->url());
    pqxx::nontransaction held(holder);
    held.exec("select pg_advisory_lock(1)");
    Outcome stuck[6], other;
    for (Outcome& outcome : stuck)
        spawn(run_slowly(*pool, "select pg_advisory_xact_lock(1)", Share::half, outcome));
    const auto release = [](Pool& both, Outcome& answer, std::span<const Outcome> waiting,
                            pqxx::nontransaction& lock) -> Task<> {
        do {
            co_await run_slowly(both, "select 1", Share::all, answer);
        } while (answer.ok && refused(waiting) < 4);
        lock.exec("select pg_advisory_unlock(1)");
    };
    spawn(release(*pool, other, stuck, held));
    drain();
    EXPECT_TRUE(other.ok) << other.why().message;
    EXPECT_EQ(refused(stuck), 4) << "they had waited long enough";
    EXPECT_EQ(std::ranges::count_if(stuck, [](const Outcome& one) { return one.ok; }), 2);
}

// Records what the statement before it gave.
class Record final : public Closing {
  public:
    explicit Record(FirstColumn& rows) : rows_(rows) {}
    Statement statement() const override {
        return {"record", {}, "insert into record values ($1::text, pg_current_xact_id()::text)"};
    }
    std::span<const Param> params(std::size_t rows) override {
        text_ = rows_.first() + '/' + std::to_string(rows);
        params_[0] = text_;
        return params_;
    }

  private:
    FirstColumn& rows_;
    std::string text_;
    Param params_[1];
};

Task<> recorded(Pool& pool, std::string sql, Outcome& outcome) {
    FirstColumn sink;
    Record record(sink);
    const Command commands[] = {{{"one", {}, "select 1"}, {}, nullptr},
                                {{"?", {}, sql}, {}, &sink}};
    outcome = co_await pool.run_slow(commands, {.closing = &record});
}

TEST_F(DbPool, HoldsAnExchangeUntilItsRecordIsWritten) {
    database->sql("create table record (text text, xid text); create table work (n int, xid text)");
    const std::string work =
        "insert into work values (1, pg_current_xact_id()::text) returning 'made'";
    std::vector<Outcome> outcomes(40);
    std::vector<Answer> others(40);
    for (std::size_t i = 0; i < outcomes.size(); ++i) {
        spawn(recorded(*pool, i % 4 == 3 ? "select 1 / 0" : work, outcomes[i]));
        spawn(ask("one", "select 1", {}, others[i]));
    }
    drain();
    for (std::size_t i = 0; i < outcomes.size(); ++i) {
        EXPECT_EQ(outcomes[i].why().sqlstate, i % 4 == 3 ? "22012" : "")
            << outcomes[i].why().message;
        EXPECT_EQ(outcomes[i].failed, i % 4 == 3 ? 1U : Outcome::kNone);
        EXPECT_TRUE(others[i].outcome.ok) << others[i].outcome.why().message;
    }
    EXPECT_EQ(
        database->sql("select count(*) from record join work using (xid) where text = 'made/1'"),
        "30");
    EXPECT_EQ(database->sql("select count(distinct xid) from work"), "30")
        << "one transaction each";
}

TEST_F(DbPool, WritesNothingWhereTheRecordFails) {
    database->sql(
        "create table record (text text check (text <> 'made/1'), xid text);"
        "create table work (n int)");
    Outcome outcome;
    spawn(recorded(*pool, "insert into work values (1) returning 'made'", outcome));
    drain();
    EXPECT_EQ(outcome.why().sqlstate, "23514") << outcome.why().message;
    EXPECT_EQ(outcome.failed, 2U);
    EXPECT_EQ(database->sql("select count(*) from work"), "0");
    spawn(recorded(*pool, "select 'other'", outcome));
    drain();
    EXPECT_TRUE(outcome.ok) << outcome.why().message;
}

}  // namespace
}  // namespace svc::db
