// The role and the time limit of trials.
#include "query/scratch/scratch_connection.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

namespace svc::query {
namespace {

using namespace std::chrono_literals;

class ScratchConnectionTest : public ::testing::Test {
  protected:
    void SetUp() override {
        const char* url = std::getenv("SVC_TEST_DATABASE_URL");
        if (url == nullptr) GTEST_SKIP() << "SVC_TEST_DATABASE_URL is not set";
        url_ = url;
    }
    std::string url_;
};

TEST_F(ScratchConnectionTest, what_is_tried_has_no_rights) {
    const Budget budget(20s);
    {
        ScratchConnection scratch(url_, budget);
        scratch.make_tables("create temporary table thing (id uuid primary key);");
        Refusal refusal;
        EXPECT_EQ(scratch.ask("select current_user like 'svc\\_check\\_%' and not rolsuper and not "
                              "rolcreatedb and not rolcreaterole and not rolbypassrls and not "
                              "rolcanlogin from pg_roles where rolname = current_user",
                              refusal),
                  true);
        EXPECT_EQ(scratch.ask("select count(*) > 0 from pg_authid", refusal), std::nullopt);
        EXPECT_EQ(refusal.state, "42501");
        EXPECT_EQ(scratch.ask("select pg_read_file('/etc/passwd') <> ''", refusal), std::nullopt);
        EXPECT_EQ(refusal.state, "42501");
        EXPECT_EQ(scratch.ask("select count(*) = 0 from thing", refusal), true);
    }
    ScratchConnection after(url_, budget);
    Refusal refusal;
    after.make_tables("");
    EXPECT_EQ(after.ask("select count(*) = 1 from pg_roles where rolname like 'svc\\_check\\_%'",
                        refusal),
              true)
        << "its own alone";
}

TEST_F(ScratchConnectionTest, all_questions_have_one_budget) {
    Budget budget(200ms);
    ScratchConnection scratch(url_, budget);
    scratch.make_tables("");
    budget.begin("/quick", "The quick one");
    Refusal refusal;
    EXPECT_EQ(scratch.ask("select true", refusal), true);
    budget.begin("/slow", "The slow one");
    EXPECT_THROW(scratch.ask("select pg_sleep(60) is null", refusal), TooSlow);
    EXPECT_EQ(budget.slowest().path, "/slow");
    EXPECT_THROW(budget.left(), TooSlow);
}

}  // namespace
}  // namespace svc::query
