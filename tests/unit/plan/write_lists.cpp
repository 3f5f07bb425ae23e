// Lists of `write` hold for whatever runs as a caller, not for the routes alone.
#include "pipeline.hpp"
#include "unit/migrate/fixture.hpp"

namespace svc::migrate {
namespace {

constexpr const char* kProducts = R"json({
  "app": {"name": "Products"},
  "personas": [{"id": "client", "kind": "consumer"}, {"id": "clerk", "kind": "staff"}],
  "entities": [{"name": "product", "owner": "none",
    "fields": [{"name": "title", "type": "text"},
               {"name": "cost", "type": "integer", "default": 1, "write": ["clerk"]},
               {"name": "since", "type": "datetime", "default": "now()", "write": []},
               {"name": "number", "type": "sequence"},
               {"name": "owner", "type": "user", "immutable": true}],
    "access": {"read": "*", "create": "signed_in", "update": "signed_in"}}]})json";

class WriteLists : public MigrateTest {
  protected:
    void SetUp() override {
        MigrateTest::SetUp();
        if (IsSkipped()) return;
        const auto checked = pipeline::check(kProducts);
        ASSERT_TRUE(checked.plan);
        const auto result = apply(*checked.plan);
        ASSERT_TRUE(result.ok) << described(result);
    }
    // The column at fault, or nothing.
    std::string run(const std::string& who, const std::string& sql) {
        pqxx::connection connection(target_.url);
        pqxx::work work(connection);
        work.exec("select set_config('svc.principals', '" + who + "', true)");
        work.exec("set local role " + target_.data_role);
        try {
            work.exec(sql);
        } catch (const pqxx::sql_error& error) {
            const std::string text = error.what();
            if (!text.starts_with("ERROR:  You may not "))
                return text.substr(8, text.find(' ', 8) - 8);
            const auto end = text.find(".\n"), begin = text.rfind(' ', end) + 1;
            return text.substr(begin, end - begin);
        }
        work.commit();
        return "";
    }
};

TEST_F(WriteLists, HoldForNewRows) {
    const std::string client = "client,consumer,signed_in";
    EXPECT_EQ(run(client, "insert into product (title) values ('a')"), "");
    EXPECT_EQ(run(client, "insert into product (title, cost) values ('a', 1)"), "");
    EXPECT_EQ(run(client, "insert into product (title, cost) values ('a', 2)"), "cost");
    EXPECT_EQ(run(client, "insert into product (title, cost) values ('a', null)"), "cost");
    EXPECT_EQ(run("clerk,staff,signed_in", "insert into product (cost) values (2)"), "");
    EXPECT_EQ(run("clerk,staff,signed_in", "insert into product (since) values ('2000-01-01')"),
              "since");
}

TEST_F(WriteLists, HoldForChanges) {
    query("insert into product (title) values ('a') returning 1");
    const std::string client = "client,consumer,signed_in";
    EXPECT_EQ(run(client, "update product set title = 'b', cost = 1"), "");
    EXPECT_EQ(run(client, "update product set cost = 2"), "cost");
    EXPECT_EQ(run(client, "update product set created_at = '2000-01-01'"), "created_at");
    EXPECT_EQ(run(client, "update product set number = 'x'"), "number");
    EXPECT_EQ(run("clerk,staff,signed_in", "update product set cost = 2"), "");
    EXPECT_EQ(run("clerk,staff,signed_in", "update product set since = now()"), "since");
}

TEST_F(WriteLists, AnAccountThatGoesLeavesImmutableFields) {
    query(
        "insert into svc.account (id, email, persona) values "
        "('00000000-0000-7000-8000-000000000001', 'a@example.test', 'client') returning 1");
    query(
        "insert into product (owner) values ('00000000-0000-7000-8000-000000000001') "
        "returning 1");
    EXPECT_EQ(run("clerk,staff,signed_in", "update product set owner = null"), "owner");
    query("delete from svc.account returning 1");
    EXPECT_EQ(query("select count(owner) from public.product"), "0");
}

}  // namespace
}  // namespace svc::migrate
