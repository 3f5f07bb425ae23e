// The statements of named queries in the database that they were proved for.
#include "migrate_fixture.hpp"
#include "pipeline.hpp"

namespace svc::migrate {
namespace {

constexpr const char* kContract = R"json({"app": {"name": "Q"},
  "personas": [{"id": "member", "kind": "consumer"}],
  "entities": [
    {"name": "order", "owner": "user", "fields": [{"name": "title", "type": "string", "unique": true}],
     "access": {"read": {"to": "member", "if": "title != 'hidden'"}, "create": "member"}}],
  "queries": [
    {"name": "reports/titles", "allow": "member", "params": {"like": {"type": "string", "default": "%"}},
     "sql": "select title from \"order\" where title like :like; -- no $1"},
    {"name": "put", "mode": "write", "allow": "member", "params": {"title": {"type": "string"}},
     "sql": "insert into \"order\" (title) values (:title) on conflict (title) do nothing returning id"}]})json";

using QueryApply = MigrateTest;

TEST_F(QueryApply, PreparesThemAsTheDataRole) {
    const pipeline::Checked checked =
        pipeline::check(kContract, std::getenv("SVC_TEST_DATABASE_URL"));
    ASSERT_TRUE(checked.plan);
    const Result result = apply(*checked.plan);
    ASSERT_TRUE(result.ok) << result.findings.all().front().message;
}

TEST_F(QueryApply, ShowsWhatThePoliciesShow) {
    const pipeline::Checked checked =
        pipeline::check(kContract, std::getenv("SVC_TEST_DATABASE_URL"));
    ASSERT_TRUE(checked.plan);
    ASSERT_TRUE(apply(*checked.plan).ok);
    query("insert into public.\"order\" (title) values ('seen'), ('hidden') returning id");
    const std::string run = "prepare titles (text) as " +
                            checked.plan->queries.at(0).statement.sql + "; execute titles ('s%')";
    EXPECT_EQ(query("set role " + target_.data_role + "; " + run), "");  // nobody said who asks
    EXPECT_EQ(query(run + "\n"), "seen");                                // the administrator
}

}  // namespace
}  // namespace svc::migrate
