// Exchanges that take long, and those that hold their transaction until something is written.
#include <algorithm>
#include <pqxx/pqxx>
#include <span>
#include <thread>

#include "unit/db/pool_fixture.hpp"

namespace svc::db::pool_test {
namespace {

class DbPoolSlow : public PoolTest {};

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

TEST_F(DbPoolSlow, AReaderWhoHasEnoughEndsTheStatement) {
    for (int i = 0; i < 5; ++i) {
        ThreeRows sink;
        Outcome outcome;
        spawn(read_early(*pool, sink, outcome));
        drain();
        EXPECT_TRUE(outcome.ok) << outcome.error().message;
        EXPECT_EQ(sink.rows, 4);
    }
    const std::string busy =
        "select count(*) from pg_stat_activity where datname = current_database()"
        " and state = 'active' and pid <> pg_backend_pid()";
    for (int tries = 0; tries < 100 && database->sql(busy) != "0"; ++tries)
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
    EXPECT_EQ(database->sql(busy), "0") << "PostgreSQL goes on for nobody";
}

TEST_F(DbPoolSlow, ASlowExchangeDoesNotHoldTheFastOnes) {
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
        outcomes, [](const Outcome& outcome) { return outcome.error().sqlstate == "53300"; });
}

// The lock is held until the exchanges without a connection have their answer.
TEST_F(DbPoolSlow, WhatSomebodyWroteLeavesRoomForTheRest) {
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
    EXPECT_TRUE(other.ok) << other.error().message;
    EXPECT_EQ(refused(stuck), 4) << "they had waited long enough";
    EXPECT_EQ(std::ranges::count_if(stuck, [](const Outcome& one) { return one.ok; }), 2);
}

// Records what the statement before it gave.
class Record final : public FinalCommand {
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
    outcome = co_await pool.run_slow(commands, {.final_command = &record});
}

TEST_F(DbPoolSlow, HoldsAnExchangeUntilItsRecordIsWritten) {
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
        EXPECT_EQ(outcomes[i].error().sqlstate, i % 4 == 3 ? "22012" : "")
            << outcomes[i].error().message;
        EXPECT_EQ(outcomes[i].failed, i % 4 == 3 ? 1U : Outcome::kNone);
        EXPECT_TRUE(others[i].outcome.ok) << others[i].outcome.error().message;
    }
    EXPECT_EQ(
        database->sql("select count(*) from record join work using (xid) where text = 'made/1'"),
        "30");
    EXPECT_EQ(database->sql("select count(distinct xid) from work"), "30")
        << "one transaction each";
}

// Exceptions need no words: functions raise what their callers or their authors give.
TEST_F(DbPoolSlow, AnErrorWithoutAMessageIsAnErrorOfItsExchange) {
    database->sql(
        "create table record (text text, xid text);"
        "create function says_nothing() returns text language plpgsql as $$"
        " begin raise exception '' using errcode = 'SV422'; end $$");
    Outcome outcome;
    spawn(recorded(*pool, "select says_nothing()", outcome));
    drain();
    EXPECT_FALSE(outcome.ok);
    EXPECT_EQ(outcome.error().sqlstate, "SV422");
    EXPECT_EQ(outcome.failed, 1U);
    EXPECT_EQ(database->sql("select count(*) from record"), "0");
}

TEST_F(DbPoolSlow, WritesNothingWhereTheRecordFails) {
    database->sql(
        "create table record (text text check (text <> 'made/1'), xid text);"
        "create table work (n int)");
    Outcome outcome;
    spawn(recorded(*pool, "insert into work values (1) returning 'made'", outcome));
    drain();
    EXPECT_EQ(outcome.error().sqlstate, "23514") << outcome.error().message;
    EXPECT_EQ(outcome.failed, 2U);
    EXPECT_EQ(database->sql("select count(*) from work"), "0");
    spawn(recorded(*pool, "select 'other'", outcome));
    drain();
    EXPECT_TRUE(outcome.ok) << outcome.error().message;
}

}  // namespace
}  // namespace svc::db::pool_test
