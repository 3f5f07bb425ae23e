// Errors of exchanges, and connections that are lost: others go on.
#include "unit/db/pool_fixture.hpp"

namespace svc::db::pool_test {
namespace {

class DbPoolErrors : public PoolTest {};

TEST_F(DbPoolErrors, AnErrorTouchesOnlyItsOwnExchange) {
    std::vector<Answer> answers(200);
    for (std::size_t i = 0; i < answers.size(); ++i) {
        spawn(ask("divide", "select (10 / $1::int)::text", {i % 3 == 0 ? "0" : "5"}, answers[i]));
    }
    drain();
    for (std::size_t i = 0; i < answers.size(); ++i) {
        if (i % 3 == 0) {
            EXPECT_EQ(answers[i].outcome.error().sqlstate, "22012");
        } else {
            EXPECT_EQ(answers[i].first, "2");
        }
    }
}

Task<> follow_by_another(Pool& pool, std::string sql, Outcome& outcome) {
    const Command commands[] = {{{"?", {}, sql}, {}, nullptr},
                                {{"one", {}, "select 1"}, {}, nullptr}};
    outcome = co_await pool.run(commands);
}

TEST_F(DbPoolErrors, AnErrorWithoutAMessageIsNotSentAgain) {
    database->sql(
        "create function says_nothing() returns text language plpgsql as"
        " $$ begin raise exception ''; end $$");
    Outcome outcome;
    spawn(follow_by_another(*pool, "select says_nothing()", outcome));
    drain();
    EXPECT_FALSE(outcome.ok);
    EXPECT_EQ(outcome.error().sqlstate, "P0001");
    EXPECT_EQ(outcome.failed, 0U);
}

TEST_F(DbPoolErrors, AFailedPrepareIsTheAnswerOfAllWhoWantedIt) {
    std::vector<Answer> wrong(20), right(20);
    for (std::size_t i = 0; i < wrong.size(); ++i) {
        spawn(ask("wrong", "select no_such_column from svc.account", {}, wrong[i]));
        spawn(ask("right", "select 'yes'", {}, right[i]));
    }
    drain();
    for (const Answer& answer : wrong) EXPECT_EQ(answer.outcome.error().sqlstate, "42703");
    for (const Answer& answer : right) EXPECT_EQ(answer.first, "yes");
    database->sql("alter table svc.account add no_such_column int");
    EXPECT_TRUE(ask_one("wrong", "select no_such_column from svc.account").outcome.ok);
}

TEST_F(DbPoolErrors, AStalePlanIsPreparedAnew) {
    database->sql("create table thing (a int); insert into thing values (1)");
    EXPECT_EQ(ask_one("things", "select * from thing").first, "1");
    database->sql("alter table thing alter a type text");
    std::vector<Answer> answers(50);
    for (Answer& answer : answers) spawn(ask("things", "select * from thing", {}, answer));
    drain();
    for (const Answer& answer : answers) {
        EXPECT_TRUE(answer.outcome.ok)
            << answer.outcome.error().sqlstate << answer.outcome.error().message;
        EXPECT_EQ(answer.first, "1");
    }
}

TEST_F(DbPoolErrors, RecoversFromKilledConnections) {
    EXPECT_TRUE(ask_one("one", "select 1").outcome.ok);
    std::vector<Answer> answers(30);
    for (Answer& answer : answers) spawn(ask("sleep", "select pg_sleep(0.02)", {}, answer));
    io.restart();
    io.run_for(std::chrono::milliseconds(100));
    kill_connections();
    drain();
    std::size_t lost = 0;
    for (const Answer& answer : answers) {
        EXPECT_TRUE(answer.outcome.ok || answer.outcome.error().sqlstate == "08006" ||
                    answer.outcome.error().sqlstate == "57P01")
            << answer.outcome.error().sqlstate;
        lost += answer.outcome.ok ? 0 : 1;
    }
    EXPECT_GT(lost, 0u);
    expect_recovery();
}

TEST_F(DbPoolErrors, AnIdleConnectionThatIsKilledIsReplaced) {
    EXPECT_TRUE(ask_one("one", "select 1").outcome.ok);
    kill_connections();
    io.restart();
    io.run_for(std::chrono::milliseconds(100));
    expect_recovery();
}

TEST_F(DbPoolErrors, AnOpenTransactionClosesItsConnection) {
    EXPECT_EQ(ask_one("begin", "begin").outcome.error().sqlstate, "08006");
    const Answer after = ask_one("state",
                                 "select count(*)::text from pg_stat_activity where state"
                                 " like 'idle in transaction%' and datname ="
                                 " current_database()");
    EXPECT_EQ(after.first, "0");
}

TEST_F(DbPoolErrors, AnErrorAtCommitIsTheExchangesError) {
    database->sql(
        "create table parent (id int primary key);"
        "create table child (p int references parent deferrable initially deferred)");
    const Answer answer = ask_one("orphan", "insert into child values (1)");
    EXPECT_FALSE(answer.outcome.ok);
    EXPECT_EQ(answer.outcome.error().sqlstate, "23503");
    EXPECT_EQ(ask_one("one", "select '1'").first, "1");
}

}  // namespace
}  // namespace svc::db::pool_test
