// How many rows a list has, whether there are more, and shapes of its order.
#include "unit/data/every.hpp"

namespace svc::data {
namespace {

using DataCount = EveryTest;

TEST_F(DataCount, CountsWhatTheCallerMayRead) {
    EXPECT_EQ(list("limit=3&count=exact"), 200);
    EXPECT_TRUE(says(R"("truncated":true,"count":400})")) << body;
    EXPECT_EQ(list("limit=3&count=estimated"), 200);
    EXPECT_TRUE(says(R"("truncated":true,"count":400,"estimated":false})")) << body;
    const std::string flagged = std::to_string(oracle("flag").size());
    EXPECT_EQ(list("limit=3&offset=1000&count=exact", kManager), 200);
    EXPECT_EQ(member("count"), flagged) << "past the end too: " << body;
    const std::string open = "where=" + escaped(R"({"kind":"open"})");
    const std::string both = std::to_string(oracle("flag and kind = 'open'").size());
    EXPECT_EQ(list(open + "&limit=1&cursor=&count=exact", kManager), 200);
    EXPECT_EQ(member("count"), both);
    EXPECT_EQ(list(open + "&limit=1&count=exact&cursor=" + member("nextCursor"), kManager), 200);
    EXPECT_EQ(member("count"), both) << "of the list, not of what is left: " << body;
    for (const char* wrong : {"count=", "count=1", "count=planned"}) {
        EXPECT_EQ(list(wrong), 400) << wrong;
        EXPECT_TRUE(says("count must be exact or estimated.")) << body;
    }
}

TEST_F(DataCount, EstimatesLargeTables) {
    database->sql(
        "insert into every (code, flag, kind) select 'x', n % 4 = 0, pick(n, 'open', 'done')"
        " from generate_series(1, 80000) n; analyze every");
    const auto near = [this](double truth) {
        const double count = std::stod(member("count"));
        EXPECT_GT(count, truth * 0.8) << body;
        EXPECT_LT(count, truth * 1.2) << body;
        EXPECT_TRUE(says(R"("estimated":true})")) << body;
    };
    EXPECT_EQ(list("limit=1&count=estimated"), 200);
    near(80400);
    const std::string first = member("count");
    EXPECT_EQ(list("limit=1&count=estimated"), 200);
    EXPECT_EQ(member("count"), first) << "it stands still";
    EXPECT_EQ(list("limit=1&count=estimated", kManager), 200);
    near(20000);
    EXPECT_EQ(list("limit=1&count=exact", kManager), 200);
    EXPECT_EQ(member("count"), database->sql("select count(*) from every where flag"));
}

TEST_F(DataCount, SaysWhetherThereIsMore) {
    for (const char* limit : {"399", "400", "401", "500", "100000"}) {
        EXPECT_EQ(list(std::string("limit=") + limit), 200);
        const bool more = std::string_view(limit) == "399";
        EXPECT_EQ(member("truncated"), more ? "true" : "false") << limit;
        EXPECT_EQ(member("rowCount"), more ? "399" : "400");
    }
    EXPECT_EQ(list("limit=3&offset=397"), 200);
    EXPECT_EQ(member("truncated"), "false");
    EXPECT_EQ(list(""), 200);
    EXPECT_EQ(member("rowCount"), "50");
    EXPECT_EQ(member("truncated"), "true");
    database->sql("insert into every (code) select 'x' from generate_series(1, 200)");
    EXPECT_EQ(list("limit=100000"), 200);
    EXPECT_EQ(member("rowCount"), "500");
    EXPECT_EQ(member("truncated"), "true");
}

TEST_F(DataCount, RefusesOtherShapesOfSort) {
    for (const char* wrong :
         {"[1]", "[[]]", R"(["label"])", R"([{"field":"label"},{"field":"label","dir":"desc"}])",
          R"([{"field":"label","nulls":"last"}])", "5", "null", "\"label\""}) {
        EXPECT_EQ(list("sort=" + escaped(wrong)), 400) << wrong;
        EXPECT_TRUE(says("PARAMS_INVALID")) << body;
    }
    std::string many;
    for (const Column& column : test::kEveryColumns) {
        many += std::string(many.empty() ? "[" : ",") + R"({"field":")" + std::string(column.name) +
                "\"}";
    }
    EXPECT_EQ(list("sort=" + escaped(many + ']')), 400);
    EXPECT_TRUE(says("sort may have at most 8 fields.")) << body;
    EXPECT_EQ(list("sort=[]"), 200) << body;
    EXPECT_EQ(list("sort=" + escaped(R"([{"field":"none"}])")), 400);
    EXPECT_TRUE(says("42703")) << body;
}

}  // namespace
}  // namespace svc::data
