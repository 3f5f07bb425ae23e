// Exchanges of a pool: their rows, many at a time, and what it takes.
#include "unit/db/pool_fixture.hpp"

namespace svc::db::pool_test {
namespace {

class DbPool : public PoolTest {};

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
            EXPECT_EQ(outcomes[i].error().sqlstate, sqlstate);
            EXPECT_EQ(ones[i].texts.size(), rows);
            EXPECT_EQ(others[i].first(), sqlstate.empty() ? "last" : "");
        }
    };
    ask_both("select n::text from generate_series(1, 1000) n", 1000, "");
    ask_both("select 'none' where false", 0, "");
    ask_both("select (1 / (5 - n))::text from generate_series(1, 10) n", 4, "22012");
    EXPECT_EQ(ask_one("?", "select n::text from generate_series(1, 7) n").outcome.rows, 7u);
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
        ASSERT_TRUE(answers[i].outcome.ok) << answers[i].outcome.error().message;
        EXPECT_EQ(answers[i].first, "user-" + std::to_string(i));
    }
    EXPECT_EQ(ask_one("left", "select current_setting('svc.user_id', true)").first, "");
}

TEST_F(DbPool, KeepsOnlySoManyDynamicStatements) {
    std::vector<Answer> answers(600);
    for (std::size_t i = 0; i < answers.size(); ++i) {
        spawn(ask("?", "select '" + std::to_string(i % 300) + "'", {}, answers[i]));
    }
    drain();
    for (std::size_t i = 0; i < answers.size(); ++i) {
        ASSERT_TRUE(answers[i].outcome.ok) << answers[i].outcome.error().message;
        EXPECT_EQ(answers[i].first, std::to_string(i % 300));
    }
    const Answer kept = ask_one("kept", "select count(*)::text from pg_prepared_statements");
    EXPECT_LE(std::stoi(kept.first), 129);
}

TEST_F(DbPool, AComputerThatVanishesIsGivenUp) {
    const std::string sql =
        "select string_agg(reset_val, ' ' order by name) from pg_settings where name in"
        " ('tcp_keepalives_idle', 'tcp_keepalives_interval', 'tcp_keepalives_count',"
        " 'tcp_user_timeout')";
    EXPECT_EQ(ask_one("kept alive", sql).first, "3 30 10 60000");
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
        refused += answer.outcome.error().sqlstate == "53300" ? 1 : 0;
    EXPECT_EQ(refused, 15u);
}

TEST_F(DbPool, ClosesConnectionsThatNothingUses) {
    pool = std::make_unique<Pool>(
        io, PoolSettings{
                .url = database->url(), .connections = 3, .idle = std::chrono::milliseconds(400)});
    const auto sleep = [](Pool& busy, Answer& answer) -> Task<> {
        const Command command{{"sleep", {}, "select pg_sleep(0.01)"}, {}, nullptr, 24};
        answer.outcome = co_await busy.run({&command, 1});
    };
    std::vector<Answer> answers(4);
    for (int round = 0; round < 3; ++round) {
        for (Answer& answer : answers) spawn(sleep(*pool, answer));
        drain();
    }
    const std::string open =
        "select count(*)::text from pg_stat_activity where datname = current_database() and"
        " pid <> pg_backend_pid() and backend_type = 'client backend'";
    const auto others = [&] { return ask_one("open", open).first; };
    EXPECT_NE(others(), "0");
    for (int tries = 0; tries < 300 && others() != "0"; ++tries) {
        io.restart();
        io.run_one_for(std::chrono::milliseconds(10));
    }
    EXPECT_EQ(others(), "0");
    for (Answer& answer : answers) spawn(sleep(*pool, answer));
    drain();
    for (const Answer& answer : answers) EXPECT_TRUE(answer.outcome.ok);
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
    EXPECT_EQ(answer.outcome.error().sqlstate, "22021");
}

}  // namespace
}  // namespace svc::db::pool_test
