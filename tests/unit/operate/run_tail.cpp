// What a follower of runs remembers of an app whose runs wait.
#include "operate/tail/run_tail.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "unit/app_database.hpp"

namespace svc::devapi {
namespace {

class FollowedRuns : public testing::Test {
  protected:
    void SetUp() override {
        if (!test::server_url()) GTEST_SKIP() << "SVC_TEST_DATABASE_URL is not set";
        database_ = std::make_unique<test::AppDatabase>();
    }

    // A run of each of these seconds of a day, which waits.
    void begin(int from, int to) {
        database_->sql(
            "insert into svc.run (id, workflow, hash, status, trigger, given) "
            "select svc.id_of('2026-01-01'::timestamptz + make_interval(secs => n)), 'w', 'h', "
            "'waiting', '{}', '{}' from generate_series(" +
            std::to_string(from) + ", " + std::to_string(to) + ") n");
    }
    // The workflow is renamed, so that a line tells which run it is of.
    void end(const char* which, const char* name) {
        database_->sql(std::string("update svc.run set status = 'succeeded', ended_at = now(), "
                                   "workflow = '") +
                       name + "' where id = (select id from svc.run order by id " + which +
                       " limit 1)");
    }

    std::unique_ptr<test::AppDatabase> database_;
};

TEST_F(FollowedRuns, OfMoreThanALookAsksForTheNewestAreFollowed) {
    RunTail tail(database_->url(), "", 0);
    EXPECT_TRUE(tail.first(100).empty());
    for (int batch = 0; batch < 6; ++batch) {
        begin(batch * 400 + 1, batch * 400 + 400);
        EXPECT_EQ(tail.next().size(), 400U);
    }
    EXPECT_TRUE(tail.next().empty());
    end("asc", "oldest");
    end("desc", "newest");
    const TailLines lines = tail.next();
    ASSERT_EQ(lines.size(), 1U);
    EXPECT_NE(lines[0].text.find("newest"), std::string::npos) << lines[0].text;
    EXPECT_TRUE(tail.next().empty());
}

}  // namespace
}  // namespace svc::devapi
