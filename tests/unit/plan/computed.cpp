// Computed fields in what runs before the row is written: rules, guards and the policies they ask.
#include "pipeline.hpp"
#include "unit/migrate/fixture.hpp"

namespace svc::migrate {
namespace {

constexpr const char* kOrders = R"json({
  "app": {"name": "Orders"}, "personas": [{"id": "client", "kind": "consumer"}],
  "entities": [{"name": "line", "owner": "none",
    "fields": [{"name": "price", "type": "integer"}, {"name": "count", "type": "integer"},
               {"name": "total", "type": "integer", "computed": "price * count"},
               {"name": "note", "type": "text"}],
    "access": {"read": "*", "create": [{"to": "client", "if": "total < 1000"}],
               "update": [{"to": "client", "if": "total < 1000", "fields": ["note", "count"]}]},
    "rules": [{"on": ["create", "update"], "refuse": "new.total > 100", "message": "{new.total} is too much."},
              {"on": ["update"], "refuse": "changed(total) && new.note == 'fixed'", "message": "Fixed."}]}]})json";

class ComputedTest : public MigrateTest {
  protected:
    // Runs SQL as a client; returns PostgreSQL's error if it refuses.
    std::string run(const std::string& sql) {
        pqxx::connection connection(target_.url);
        pqxx::work work(connection);
        work.exec("select set_config('svc.principals', 'client,consumer,signed_in', true)");
        work.exec("set local role " + target_.data_role);
        try {
            work.exec(sql);
        } catch (const pqxx::sql_error& error) {
            const std::string text = error.what();
            return text.substr(0, text.find('\n'));
        }
        work.commit();
        return "";
    }
};

TEST_F(ComputedTest, rules_and_guards_see_the_value_that_will_be) {
    const auto checked = pipeline::check(kOrders);
    ASSERT_TRUE(checked.plan);
    const auto result = apply(*checked.plan);
    ASSERT_TRUE(result.ok) << described(result);
    EXPECT_EQ(run("insert into line (price, count) values (11, 10)"), "ERROR:  110 is too much.");
    EXPECT_EQ(run("insert into line (price, count, note) values (10, 2, 'fixed')"), "");
    EXPECT_EQ(run("update line set count = 11"), "ERROR:  110 is too much.");
    EXPECT_EQ(run("update line set count = 3"), "ERROR:  Fixed.");
    EXPECT_EQ(run("update line set note = 'x'"), "");
    EXPECT_EQ(run("update line set count = 3"), "");
    EXPECT_EQ(run("update line set price = 1"), "ERROR:  You may not change price.");
    EXPECT_EQ(query("select total || note from public.line"), "30x");
}

}  // namespace
}  // namespace svc::migrate
