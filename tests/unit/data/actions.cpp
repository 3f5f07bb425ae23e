#include "data/actions.hpp"

#include "unit/data/fixture.hpp"

namespace svc::data {
namespace {

// Against a real table.
class DataActions : public DataTest {
  protected:
    int call(const Caller& who, Action action, const std::string& id = "", std::string text = "",
             std::string query = "") {
        test::FakeExchange exchange("GET", "/", {}, std::move(text));
        const_cast<http::Head&>(exchange.head()).query = query;
        const Route route{Method::get, "", action, &test::kItem};
        return answered(exchange,
                        perform(route, id, exchange, who, test::kItemApp, *pool, kSigner));
    }

    // The id of the row in `body`.
    std::string id() const { return body.substr(body.find("\"id\":\"") + 6, 36); }
    std::string create(const std::string& text) {
        EXPECT_EQ(call(kClerk, Action::create, "", text), 201) << body;
        return id();
    }
};

TEST_F(DataActions, CreatesReadsChangesAndRemoves) {
    const std::string made = create(
        R"({"title":"Tea","price":6.5e2,"day":"2026-11-21","seen_at":"2026-11-21T02:00:32+02:00",)"
        R"("tags":["a","b c"],"extra":{"k":[1.50]},"active":true})");
    EXPECT_TRUE(says(R"("price":650,"day":"2026-11-21","seen_at":"2026-11-21T00:00:32Z",)"
                     R"("tags":["a","b c"],"extra":{"k": [1.50]},"active":true,"status":"open")"))
        << body;
    EXPECT_TRUE(says(std::string(R"("user_id":")") + kAnn)) << body;
    EXPECT_FALSE(says("cost")) << body;
    EXPECT_TRUE(says(R"("rowCount":1,"fields":[{"name":"id","type":"2950"})")) << body;

    EXPECT_EQ(call(kManager, Action::get, made), 200);
    EXPECT_TRUE(says(R"("cost":null)") && says(R"("fields":["every field"],"truncated":false})"));
    EXPECT_EQ(call(kClerk, Action::update, made, R"({"price":700})"), 200) << body;
    EXPECT_TRUE(says(R"("title":"Tea","price":700)")) << body;
    EXPECT_EQ(call(kClerk, Action::update, made, "{}"), 200) << body;
    EXPECT_EQ(call(kClerk, Action::remove, made), 200);
    EXPECT_EQ(body, R"({"ok":true,"deleted":")" + made + "\"}");
    EXPECT_EQ(call(kClerk, Action::get, made), 200);
    EXPECT_TRUE(says(R"({"ok":true,"rows":[],"rowCount":0)")) << body;
}

TEST_F(DataActions, ChecksBodies) {
    const auto refused = [this](const std::string& text, const char* code, const char* field) {
        const int status = call(kClerk, Action::create, "", text);
        EXPECT_TRUE(says(std::string("\"code\":\"") + code + '"')) << text << body;
        EXPECT_EQ(*field == 0 || says(std::string("\"field\":\"") + field + '"'), true) << body;
        return status;
    };
    EXPECT_EQ(refused("{}", "23502", "title"), 400);
    EXPECT_EQ(refused(R"({"title":null})", "23502", "title"), 400);
    EXPECT_EQ(refused(R"({"title":"x","nope":1})", "42703", "nope"), 400);
    EXPECT_EQ(refused(R"({"title":"x","price":"abc"})", "22P02", "price"), 400);
    EXPECT_EQ(refused(R"({"title":"x","price":-1})", "23514", "price"), 400);
    EXPECT_EQ(refused(R"({"title":"123456789012345678901"})", "22001", "title"), 400);
    EXPECT_EQ(refused(R"({"title":"x","cost":1})", "FIELD_FORBIDDEN", "cost"), 403);
    EXPECT_EQ(refused(R"({"title":"x","status":"locked"})", "FIELD_FORBIDDEN", "status"), 403);
    EXPECT_EQ(refused(R"({"title":"x","id":"00000000-0000-7000-8000-000000000001"})",
                      "FIELD_FORBIDDEN", "id"),
              403);
    EXPECT_EQ(refused(std::string(R"({"title":"x","user_id":")") + kBob + "\"}", "OWNER_STAMP",
                      "user_id"),
              403);
    EXPECT_EQ(refused(R"({"title":"x","price":666})", "RULE_REFUSED", "price"), 422);
    EXPECT_EQ(refused(R"({"title":"forbidden"})", "ROW_FORBIDDEN", ""), 403);
    EXPECT_EQ(refused("[1]", "PARAMS_INVALID", ""), 400);
    create(std::string(R"({"title":"own","user_id":")") + kAnn + "\"}");
    EXPECT_EQ(refused(R"({"title":"own"})", "CONFLICT", "title"), 409);
    EXPECT_TRUE(says(R"(duplicate key value violates unique constraint \"item_title_key\")"));
}

TEST_F(DataActions, AnswersACreatorWhoMayNotRead) {
    EXPECT_EQ(call(kGuest, Action::create, "", R"({"title":"drop","tags":["x"],"price":null})"),
              201)
        << body;
    EXPECT_TRUE(says(R"("title":"drop","price":null,"tags":["x"]}],"rowCount":1,)")) << body;
    EXPECT_FALSE(says("seen_at")) << body;
    EXPECT_EQ(database->sql("select user_id is null from item where title = 'drop'"), "t");
    EXPECT_EQ(call(kGuest, Action::list), 403);
    EXPECT_TRUE(says("TABLE_FORBIDDEN"));
    EXPECT_EQ(call(kServer, Action::create, "",
                   std::string(R"({"title":"for bob","user_id":")") + kBob + "\"}"),
              201)
        << body;
    EXPECT_EQ(database->sql("select user_id from item where title = 'for bob'"), kBob);
}

TEST_F(DataActions, TellsForbiddenFromMissing) {
    const std::string made = create(R"({"title":"Tea"})");
    EXPECT_EQ(call(kClerk, Action::transition, made, R"({"transition":"lock"})"), 200) << body;
    EXPECT_TRUE(says(R"("status":"locked")"));
    EXPECT_EQ(call(kClerk, Action::update, made, R"({"price":1})"), 403);
    EXPECT_TRUE(says("ROW_FORBIDDEN")) << body;
    EXPECT_EQ(call(kClerk, Action::remove, made), 403);
    for (Action action : {Action::update, Action::remove}) {
        EXPECT_EQ(call(kClerk, action, kNobodysId, R"({"price":1})"), 404);
        EXPECT_TRUE(says("NOT_FOUND")) << body;
    }
    EXPECT_EQ(call(kClerk, Action::get, "5"), 400);
    EXPECT_TRUE(says("22P02")) << body;
}

TEST_F(DataActions, MovesRows) {
    const std::string made = create(R"({"title":"Tea"})");
    EXPECT_EQ(call(kClerk, Action::transition, made, R"({"to":"locked"})"), 200) << body;
    EXPECT_EQ(call(kClerk, Action::transition, made, R"({"to":"locked"})"), 409);
    EXPECT_TRUE(says(R"("code":"TRANSITION_REFUSED")") && says(R"("allowed":[])")) << body;
    EXPECT_EQ(call(kClerk, Action::transition, made, R"({"transition":"release"})"), 403);
    EXPECT_EQ(call(kManager, Action::transition, made, R"({"transition":"lock"})"), 409);
    EXPECT_TRUE(says(R"("allowed":["release"])")) << body;
    EXPECT_EQ(call(kClerk, Action::transition, kNobodysId, R"({"to":"locked"})"), 404);
    EXPECT_EQ(call(kClerk, Action::transition, made, R"({"to":"moon"})"), 400);
    EXPECT_EQ(call(kClerk, Action::transition, made, "{}"), 400);
}

TEST_F(DataActions, KeepsRowsThatOthersReferTo) {
    const std::string made = create(R"({"title":"Tea"})");
    database->sql("insert into item_part values ('" + made + "')");
    EXPECT_EQ(call(kClerk, Action::remove, made), 409);
    EXPECT_TRUE(says(R"("code":"CONFLICT")")) << body;
}

TEST_F(DataActions, ListsPages) {
    for (int i = 0; i < 5; ++i) create(R"({"title":"t)" + std::to_string(i) + "\"}");
    EXPECT_EQ(call(kClerk, Action::list, "", "", "limit=3"), 200);
    EXPECT_TRUE(says(R"("rowCount":3)") && says(R"("truncated":true)")) << body;
    EXPECT_EQ(call(kClerk, Action::list, "", "", R"(offset=3&sort={"field":"title","dir":"desc"})"),
              200);
    EXPECT_TRUE(says(R"("rowCount":2)") && says(R"("truncated":false)")) << body;
    EXPECT_LT(body.find("\"t1\""), body.find("\"t0\"")) << body;
}

// Each operator runs, and keeps the rows that it should.
TEST_F(DataActions, RunsEveryOperator) {
    database->sql(
        "insert into item (id, title, price, day, seen_at, tags, extra, active) values"
        " (gen_random_uuid(), 'Green Tea', 5, (now() at time zone 'Europe/Paris')::date, now(),"
        " '{a,b}', '{\"k\":1}', true), (gen_random_uuid(), 'empty', null, null, null, null, null,"
        " null)");
    const auto rows = [this](const std::string& field, const std::string& rest) {
        const std::string filter = R"(filter=[{"field":")" + field + R"(","op":)" + rest + "}]";
        EXPECT_EQ(call(kClerk, Action::list, "", "", filter), 200) << filter << body;
        const auto at = body.find("\"rowCount\":");
        return at == std::string::npos ? -1 : body[at + 11] - '0';
    };
    EXPECT_EQ(rows("price", R"("eq","value":5)"), 1);
    EXPECT_EQ(rows("price", R"("neq","value":5)"), 1);
    EXPECT_EQ(rows("price", R"("in","value":[5,null])"), 2);
    EXPECT_EQ(rows("price", R"("not_in","value":[4,6])"), 2);
    EXPECT_EQ(rows("price", R"("lte","value":5)"), 1);
    EXPECT_EQ(rows("price", R"("between","value":[1,9])"), 1);
    EXPECT_EQ(rows("title", R"("contains","value":"TEA")"), 1);
    EXPECT_EQ(rows("title", R"("starts_with","value":"green")"), 1);
    EXPECT_EQ(rows("title", R"("ends_with","value":"TEA")"), 1);
    EXPECT_EQ(rows("tags", R"("contains","value":"a")"), 1);
    EXPECT_EQ(rows("tags", R"("not_contains","value":"a")"), 1);
    EXPECT_EQ(rows("tags", R"("eq","value":["a","b"])"), 1);
    EXPECT_EQ(rows("extra", R"("eq","value":{"k":1.0})"), 1);
    EXPECT_EQ(rows("active", R"("eq","value":true)"), 1);
    EXPECT_EQ(rows("active", R"("is_null")"), 1);
    EXPECT_EQ(rows("id", R"("is_not_null")"), 2);
    for (const char* column : {"day", "seen_at"}) {
        EXPECT_EQ(rows(column, R"("today")"), 1);
        EXPECT_EQ(rows(column, R"("yesterday")"), 0);
        EXPECT_EQ(rows(column, R"("this_week")"), 1);
        EXPECT_EQ(rows(column, R"("this_month")"), 1);
        EXPECT_EQ(rows(column, R"("this_year")"), 1);
        EXPECT_EQ(rows(column, R"("last_n_days","value":3)"), 1);
        EXPECT_EQ(rows(column, R"("range","value":"this_quarter")"), 1);
        EXPECT_EQ(rows(column, R"("range","value":{"from":"2020-01-01","to":"2099-01-01"})"), 1);
        EXPECT_EQ(rows(column, R"("range","value":"all")"), 2);
    }
    EXPECT_EQ(rows("day", R"("next_n_days","value":3)"), 1);
    EXPECT_EQ(rows("seen_at", R"("next_n_days","value":3)"), 0);
}

}  // namespace
}  // namespace svc::data
