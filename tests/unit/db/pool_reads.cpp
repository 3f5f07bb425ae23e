// Reads of a pool that share a Sync: which do, whose identity each has, and whom an error reaches.
#include <set>

#include "unit/db/pool_fixture.hpp"

namespace svc::db::pool_test {
namespace {

class DbPoolReads : public PoolTest {
  protected:
    void SetUp() override {
        PoolTest::SetUp();
        if (IsSkipped()) return;
        pool = std::make_unique<Pool>(io, PoolSettings{database->url(), 1, 5000});
        // Prepares have a Sync of their own: here, none is left to be made.
        Answer warm;
        spawn(read("nobody", kWho, warm));
        drain();
    }

    // The opening counts how often it ran, and refuses who is called "gone".
    Task<> read(std::string user, std::string sql, Answer& answer) {
        const Param identity[] = {user};
        FirstColumn sink;
        const Command commands[] = {
            {{"opening",
              {},
              "select set_config('svc.user_id', $1::text, true),"
              " set_config('svc.opened', (coalesce(nullif(current_setting('svc.opened', true), "
              "''), "
              "'0')::int"
              " + 1)::text, true), 1 / (case when $1::text = 'gone' then 0 else 1 end)"},
             identity,
             nullptr},
            {{sql == kWho ? "who_reads" : "?", {}, sql}, {}, &sink}};
        answer.outcome = co_await pool->read(commands);
        answer.first = sink.first();
    }

    static constexpr const char* kWho =
        "select concat_ws(' ', current_setting('svc.user_id', true),"
        " current_setting('svc.opened', true), now()::text)";
};

std::string user_of(const Answer& answer) { return answer.first.substr(0, answer.first.find(' ')); }

// The transaction that a read ran in, by the time of its start.
std::string transaction_of(const Answer& answer) {
    return answer.first.substr(answer.first.find(' ', answer.first.find(' ') + 1));
}

std::string opened_in(const Answer& answer) {
    const std::size_t from = answer.first.find(' ') + 1;
    return answer.first.substr(from, answer.first.find(' ', from) - from);
}

TEST_F(DbPoolReads, ShareATransactionAndAnOpening) {
    std::vector<Answer> answers(10);
    for (Answer& answer : answers) spawn(read("ann", kWho, answer));
    drain();
    for (const Answer& answer : answers) {
        ASSERT_TRUE(answer.outcome.ok) << answer.outcome.error().message;
        EXPECT_EQ(transaction_of(answer), transaction_of(answers.front()));
        EXPECT_EQ(opened_in(answer), "1");
    }
}

TEST_F(DbPoolReads, EndABatchThatIsFull) {
    std::vector<Answer> answers(100);
    for (Answer& answer : answers) spawn(read("ann", kWho, answer));
    drain();
    std::set<std::string> transactions;
    for (const Answer& answer : answers) transactions.insert(transaction_of(answer));
    EXPECT_EQ(transactions.size(), 7u);  // sixteen at most in each
}

TEST_F(DbPoolReads, HaveTheIdentityOfTheirOwnCaller) {
    std::vector<Answer> answers(1000);
    const auto user = [](std::size_t i) { return "user-" + std::to_string(i / 2 % 7); };
    for (std::size_t i = 0; i < answers.size(); ++i) spawn(read(user(i), kWho, answers[i]));
    drain();
    for (std::size_t i = 0; i < answers.size(); ++i) {
        ASSERT_TRUE(answers[i].outcome.ok) << answers[i].outcome.error().message;
        EXPECT_EQ(user_of(answers[i]), user(i));
    }
    EXPECT_EQ(ask_one("left", "select current_setting('svc.user_id', true)").first, "");
}

// A prepare ends the transaction, and the identity with it.
TEST_F(DbPoolReads, OpenAgainAfterAPrepareBetweenThem) {
    std::vector<Answer> answers(300);
    for (std::size_t i = 0; i < answers.size(); ++i) {
        const std::string sql = "select current_setting('svc.user_id', true) || ' " +
                                std::to_string(i % 3 == 0 ? i : i % 5) + "'";
        spawn(read("ann", sql, answers[i]));
    }
    drain();
    for (const Answer& answer : answers) {
        ASSERT_TRUE(answer.outcome.ok) << answer.outcome.error().message;
        EXPECT_EQ(user_of(answer), "ann");
    }
}

TEST_F(DbPoolReads, AnErrorReachesOnlyTheReadThatCausesIt) {
    const std::string divides = "select current_setting('svc.user_id', true) || ' ' || 1 / 0";
    std::vector<Answer> answers(120);
    const auto user = [](std::size_t i) {
        return i % 10 == 3 ? "gone" : i % 2 == 0 ? "ann" : "bob";
    };
    for (std::size_t i = 0; i < answers.size(); ++i)
        spawn(read(user(i), i % 10 == 6 ? divides : kWho, answers[i]));
    drain();
    for (std::size_t i = 0; i < answers.size(); ++i) {
        if (i % 10 == 3 || i % 10 == 6) {
            EXPECT_EQ(answers[i].outcome.error().sqlstate, "22012");
            EXPECT_EQ(answers[i].first, "");
        } else {
            ASSERT_TRUE(answers[i].outcome.ok) << answers[i].outcome.error().message;
            EXPECT_EQ(user_of(answers[i]), user(i));
        }
    }
}

TEST_F(DbPoolReads, SeeWhatAWriteBetweenThemDid) {
    database->sql("create table thing (n int)");
    const std::string count =
        "select current_setting('svc.user_id', true) || ' ' || count(*) from thing";
    std::vector<Answer> reads(60), writes(60);
    for (std::size_t i = 0; i < reads.size(); ++i) {
        spawn(ask("write", "insert into thing values (1) returning '1'", {}, writes[i]));
        spawn(read(i % 4 == 0 ? "gone" : "ann", count, reads[i]));
    }
    drain();
    for (std::size_t i = 0; i < reads.size(); ++i) {
        EXPECT_TRUE(writes[i].outcome.ok);
        if (i % 4 == 0)
            EXPECT_EQ(reads[i].outcome.error().sqlstate, "22012");
        else
            EXPECT_EQ(reads[i].first, "ann " + std::to_string(i + 1));
    }
}

TEST_F(DbPoolReads, MeetAStalePlanAndGoOn) {
    database->sql("create table thing (a int); insert into thing values (1)");
    std::vector<Answer> before(3), after(40);
    for (Answer& answer : before) spawn(read("ann", "select * from thing", answer));
    drain();
    database->sql("alter table thing alter a type text");
    for (std::size_t i = 0; i < after.size(); ++i)
        spawn(read("ann", i % 2 == 0 ? "select * from thing" : kWho, after[i]));
    drain();
    for (std::size_t i = 0; i < after.size(); ++i) {
        ASSERT_TRUE(after[i].outcome.ok) << after[i].outcome.error().message;
        EXPECT_EQ(user_of(after[i]), i % 2 == 0 ? "1" : "ann");
    }
}

TEST_F(DbPoolReads, AreAnsweredWhereTheirConnectionIsKilled) {
    std::vector<Answer> answers(40);
    for (Answer& answer : answers)
        spawn(read("ann", "select current_setting('svc.user_id') from pg_sleep(0.02)", answer));
    io.restart();
    io.run_for(std::chrono::milliseconds(50));
    kill_connections();
    drain();
    for (const Answer& answer : answers) {
        EXPECT_TRUE(answer.outcome.ok ? answer.first == "ann" : answer.outcome.lost())
            << answer.outcome.error().sqlstate;
    }
    expect_recovery();
}

}  // namespace
}  // namespace svc::db::pool_test
