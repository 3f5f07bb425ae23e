#include "data/queries.hpp"

#include "unit/data/fixture.hpp"

namespace svc::data {
namespace {

constexpr std::string_view kWho[] = {"clerk", "guest"};
constexpr std::string_view kKinds[] = {"money", "string"};
constexpr Column kParams[] = {{.name = "least", .type = Type::money, .required = true},
                              {.name = "title", .type = Type::text}};
constexpr Type kTypes[] = {Type::money, Type::text};
constexpr Fallback kFallbacks[] = {{1, "%"}};

void write_title(const Row& row, const ColumnSet&, Out& out) {
    write_text(out, "{\"title\":", row, 0);
    out += '}';
}

constexpr Query kTitles = {
    .name = "reports/titles",
    .description = "What \"sells\"",
    .who = kWho,
    .allow = test::kClerk | principal::kGuest,
    .params = kParams,
    .kinds = kKinds,
    .fallbacks = kFallbacks,
    .statement =
        {"query_reports_titles", kTypes,
         "select title from public.item where price >= $1 and title like $2 order by title"},
    .fields_json = R"([{"name":"title","type":"25"}])",
    .write_row = write_title,
};
constexpr Query kRaise = {
    .name = "raise",
    .description = "",
    .writes = true,
    .allow = test::kClerk,
    .statement = {"query_raise", {}, "update public.item set price = price + 1"},
    .fields_json = "[]",
    .write_row = write_title,
};
constexpr Query kBreak = {
    .name = "break",
    .description = "",
    .writes = true,
    .allow = kEveryone,
    .statement = {"query_break", {}, "update public.item set price = -1"},
    .fields_json = "[]",
    .write_row = write_title,
};
constexpr const Query* kAll[] = {&kTitles, &kRaise, &kBreak};

class DataQueries : public DataTest {
  protected:
    void SetUp() override {
        DataTest::SetUp();
        if (IsSkipped()) return;
        app.queries = kAll;
        app.entities = test::kEntities;
        database->sql(
            "insert into item (id, title, price) values "
            "('00000000-0000-7000-8000-000000000001', 'Cup', 900), "
            "('00000000-0000-7000-8000-000000000002', 'Tea', 650)");
    }
    int run(const Caller& who, std::string_view name, std::string text) {
        test::FakeExchange exchange("POST", "/", {}, std::move(text));
        return answered(exchange, run_query(name, exchange, who, app, *pool));
    }
    std::string listed(const Caller& who) {
        test::FakeExchange exchange("GET", "/");
        list_queries(exchange, who, app);
        return exchange.answer();
    }
    App app = test::kItemApp;
};

TEST_F(DataQueries, ListsWhatACallerMayRun) {
    EXPECT_EQ(listed(kGuest),
              R"({"ok":true,"queries":[{"name":"reports/titles","description":"What \"sells\"",)"
              R"("params":{"least":{"type":"money","required":true},)"
              R"("title":{"type":"string","required":false}},"allow":["clerk","guest"]},)"
              R"({"name":"break","description":"","params":{},"allow":[]}]})");
    EXPECT_EQ(listed(kManager).find("reports/titles"), std::string::npos);
    EXPECT_NE(listed(kServer).find("\"raise\""), std::string::npos);
}

TEST_F(DataQueries, RunsAsTheCaller) {
    EXPECT_EQ(run(kClerk, "reports/titles", R"({"params":{"least":1}})"), 200);
    EXPECT_EQ(body, R"({"ok":true,"rows":[{"title":"Cup"},{"title":"Tea"}],"rowCount":2,)"
                    R"("fields":[{"name":"title","type":"25"}],"truncated":false})");
    EXPECT_EQ(run(kClerk, "reports/titles", R"({"least":700})"), 200);
    EXPECT_TRUE(says(R"("rows":[{"title":"Cup"}])")) << body;
    EXPECT_EQ(run(kClerk, "reports/titles", R"({"least":1,"title":"T%"})"), 200);
    EXPECT_TRUE(says(R"("rows":[{"title":"Tea"}])")) << body;
    EXPECT_EQ(run(kClerk, "reports/titles", R"({"least":1,"title":null})"), 200);
    EXPECT_TRUE(says(R"("rowCount":0)")) << body;
    EXPECT_EQ(run(kGuest, "reports/titles", R"({"least":1})"), 200);
    EXPECT_TRUE(says(R"("rowCount":0)")) << body;
}

TEST_F(DataQueries, RefusesWhatIsWrong) {
    const auto refused = [this](const Caller& who, std::string_view name, const char* text) {
        const int status = run(who, name, text);
        EXPECT_TRUE(says(R"({"ok":false,"error":{"code":")")) << body;
        return status;
    };
    EXPECT_EQ(refused(kClerk, "reports/titles", ""), 400);
    EXPECT_TRUE(says("\"field\":\"least\"")) << body;
    for (const char* text : {"{}", R"({"params":null})", R"({"least":null})", R"({"least":"x"})",
                             R"({"least":1,"most":2})", R"({"params":[1]})", "[]", "{", "1"}) {
        EXPECT_EQ(refused(kClerk, "reports/titles", text), 400) << text;
        EXPECT_TRUE(says("PARAMS_INVALID")) << text << body;
    }
    EXPECT_EQ(refused(kManager, "reports/titles", R"({"least":1})"), 403);
    EXPECT_EQ(refused(kServer, "reports/titles", R"({"least":1})"), 403);
    EXPECT_EQ(refused(kClerk, "reports/nothing", "{}"), 404);
    EXPECT_TRUE(says("unknown query")) << body;
    for (const char* name : {"", "Titles", "reports titles", "a\"b", "../x"}) {
        EXPECT_EQ(refused(kClerk, name, "{}"), 400) << name;
    }
}

TEST_F(DataQueries, WritesWhatTheCallerMay) {
    EXPECT_EQ(run(kClerk, "raise", ""), 200);
    EXPECT_EQ(body, R"({"ok":true,"rows":[],"rowCount":2,"fields":[],"truncated":false})");
    EXPECT_EQ(run(kGuest, "raise", ""), 403);
    EXPECT_EQ(run(kGuest, "break", "{}"), 200);
    EXPECT_TRUE(says(R"("rowCount":0)")) << body;
    EXPECT_EQ(run(kClerk, "break", "{}"), 400);
    EXPECT_TRUE(says(R"("field":"price")")) << body;
}

}  // namespace
}  // namespace svc::data
