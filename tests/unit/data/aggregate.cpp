#include "data/actions.hpp"
#include "unit/data/fixture.hpp"

namespace svc::data {
namespace {

class DataAggregate : public DataTest {
  protected:
    int ask(const std::string& query, const Caller& who = kManager) {
        test::FakeExchange exchange("GET", "/");
        const_cast<http::Head&>(exchange.head()).query = query;
        const Route route{Method::get, "", Action::aggregate, &test::kItem};
        return answered(exchange,
                        perform(route, "", exchange, who, test::kItemApp, *pool, kSigner));
    }
    std::string described(const std::string& query, const Caller& who = kManager) {
        EXPECT_EQ(ask(query, who), 200) << query << body;
        return body;
    }
    // Neither names a range.
    static std::string value(const std::string& text) {
        return R"({"ok":true,"value":)" + text + R"(,"window":null,"previousWindow":null})";
    }
    static std::string groups(const std::string& text) {
        return R"({"ok":true,"groups":[)" + text +
               R"(],"truncated":false,"window":null,"previousWindow":null})";
    }
    void items(const std::string& rows) {
        database->sql(
            "insert into item (id, title, price, cost, day, seen_at, active) select "
            "gen_random_uuid(), * from (values " +
            rows + ") as r (title, price, cost, day, seen_at, active)");
    }
    void refused(const std::string& query, const std::string& field = "",
                 const Caller& who = kManager) {
        EXPECT_EQ(ask(query, who), 400) << query << body;
        EXPECT_TRUE(says(R"("code":"PARAMS_INVALID")")) << query << body;
        if (field.empty()) return;
        EXPECT_TRUE(says("\"field\":\"" + field + '"')) << query << body;
    }
};

constexpr const char* kThree =
    "('a', 1, 0.10, '2026-03-28'::date, '2026-03-28 23:30Z'::timestamptz, true),"
    "('b', 9007199254740993, 123456789012345678901234567890.5, '2026-03-29', '2026-03-29 22:30Z', "
    "true),"
    "('c', null, null, null, null, null)";

TEST_F(DataAggregate, ComputesOverRows) {
    items(kThree);
    EXPECT_EQ(described("metric=count"), value("3"));
    EXPECT_EQ(described("metric=count&column=price"), value("2"));
    EXPECT_EQ(described("metric=sum&column=price"), value("9007199254740994"));
    EXPECT_EQ(described("metric=sum&column=cost"), value("123456789012345678901234567890.60"));
    EXPECT_EQ(described("metric=avg&column=price"), value("4503599627370497"));
    EXPECT_EQ(described("metric=min&column=title"), value("\"a\""));
    EXPECT_EQ(described("metric=max&column=day"), value("\"2026-03-29\""));
    EXPECT_EQ(described("metric=max&column=seen_at"), value("\"2026-03-29T22:30:00Z\""));
    EXPECT_EQ(
        described(
            "metric=count&where={\"active\":true}&filter=[{\"field\":\"title\",\"op\":\"neq\","
            "\"value\":\"a\"}]"),
        value("1"));
    EXPECT_EQ(described("metrics=count,sum:price,max:title"),
              R"({"ok":true,"values":{"count":3,"sum:price":9007199254740994,"max:title":"c"},)"
              R"("window":null,"previousWindow":null})");
}

TEST_F(DataAggregate, CountsAndSumsNoRowsAsZero) {
    EXPECT_EQ(described("metric=count"), value("0"));
    EXPECT_EQ(described("metric=sum&column=price"), value("0"));
    for (const char* metric : {"avg", "min", "max"}) {
        EXPECT_EQ(described(std::string("metric=") + metric + "&column=price"), value("null"));
    }
    EXPECT_EQ(described("metric=count&groupBy=title"), groups(""));
}

TEST_F(DataAggregate, SeesWhatTheCallerSees) {
    items(kThree);
    EXPECT_EQ(ask("metric=count", kGuest), 403);
    Caller stranger = caller("stranger", test::kClerk, kAnn);  // the policy does not know them
    EXPECT_EQ(described("metric=count", stranger), value("0"));
    EXPECT_EQ(described("metric=count&groupBy=title", stranger), groups(""));
    refused("metric=sum&column=cost", "cost", kClerk);
    refused("metric=count&groupBy=cost", "cost", kClerk);
    EXPECT_EQ(ask("metric=count&where={\"cost\":1}", kClerk), 400);
    EXPECT_TRUE(says("42703")) << body;
}

TEST_F(DataAggregate, GivesAResultForEachKey) {
    items(kThree);
    EXPECT_EQ(described("metric=sum&column=price&groupBy=active"),
              groups(R"({"key":true,"value":9007199254740994},{"key":null,"value":0})"));
    EXPECT_EQ(described("metrics=count,min:price&groupBy=title&where={\"active\":true}"),
              groups(R"({"key":"a","values":{"count":1,"min:price":1}},)"
                     R"({"key":"b","values":{"count":1,"min:price":9007199254740993}})"));
    EXPECT_EQ(described("metric=count&groupBy=seen_at&where={\"title\":\"a\"}"),
              groups(R"({"key":"2026-03-28T23:30:00Z","value":1})"));
}

TEST_F(DataAggregate, TellsAThousandGroups) {
    database->sql(
        "insert into item (id, title, day) select gen_random_uuid(), 't' || n, "
        "'2020-01-01'::date + n from generate_series(1, 1001) n");
    described("metric=count&groupBy=day");
    EXPECT_TRUE(says(R"({"key":"2022-09-27","value":1}],"truncated":true)"));
    described("metric=count&groupBy=title&where={\"title\":\"t1\"}");
    EXPECT_TRUE(says(R"("truncated":false)")) << body;
    database->sql("delete from item where day > '2020-01-02' and day < '2022-09-28'");
    described("metric=count&groupBy=day&bucket=day&fill=1");
    EXPECT_TRUE(says(R"({"key":"2020-01-03","value":0})") && says(R"("truncated":true)"));
}

// 2026-03-29 has 23 hours in Paris, and begins at 23:00 of the day before in UTC.
TEST_F(DataAggregate, BucketsAreThoseOfTheZone) {
    items(kThree);
    EXPECT_EQ(
        described("metric=count&groupBy=seen_at&bucket=day"),
        groups(
            R"({"key":"2026-03-28","value":1},{"key":"2026-03-29","value":1},{"key":null,"value":1})"));
    EXPECT_EQ(
        described("metric=count&groupBy=seen_at&bucket=day&tz=Europe/Paris"),
        groups(
            R"({"key":"2026-03-29","value":1},{"key":"2026-03-30","value":1},{"key":null,"value":1})"));
    EXPECT_EQ(
        described("metric=count&groupBy=day&bucket=week&where={\"active\":true}&tz=Asia/Tokyo"),
        groups(R"({"key":"2026-03-23","value":2})"));
    EXPECT_EQ(described("metric=count&groupBy=seen_at&bucket=month&tz=Europe/Paris"),
              groups(R"({"key":"2026-03-01","value":2},{"key":null,"value":1})"));
}

TEST_F(DataAggregate, FillsGaps) {
    items(
        "('a', 1, null::numeric, '2025-12-31'::date, null::timestamptz, true), "
        "('b', 2, null, '2026-03-01', null, true), ('c', 3, null, null, null, true)");
    EXPECT_EQ(
        described("metric=sum&column=price&groupBy=day&bucket=month&fill=1"),
        groups(
            R"({"key":"2025-12-01","value":1},{"key":"2026-01-01","value":0},)"
            R"({"key":"2026-02-01","value":0},{"key":"2026-03-01","value":2},{"key":null,"value":3})"));
    EXPECT_EQ(
        described(
            "metric=max&column=price&groupBy=day&bucket=week&fill=1&filter=[{\"field\":\"day\","
            "\"op\":\"lt\",\"value\":\"2026-01-01\"}]"),
        groups(R"({"key":"2025-12-29","value":1})"));
    described(
        "metric=avg&column=price&range=this_week&dateField=day&groupBy=day&bucket=day&fill=1");
    std::size_t days = 0;
    for (std::size_t at = 0; (at = body.find("\"value\":null", at)) != std::string::npos; ++at)
        ++days;
    EXPECT_EQ(days, 7U) << body;
}

TEST_F(DataAggregate, NamesItsWindow) {
    const auto window = [this](const std::string& query, const std::string& name,
                               const std::string& sql) {
        described("metric=count&" + query);
        EXPECT_TRUE(says(name + database->sql("set timezone to utc; select " + sql)))
            << query << body << database->sql("set timezone to utc; select " + sql);
    };
    const std::string day = "current_date";
    window("range=today&dateField=day", R"("window":{"from":")",
           day + R"(::text || '","to":"' || current_date + 1)");
    window("range=today&dateField=day", R"("previousWindow":{"from":")",
           day + R"( - 1 || '","to":"' || current_date)");
    window(
        "range=this_month&dateField=day", R"("window":{"from":")",
        R"(date_trunc('month', now())::date || '","to":"' || (date_trunc('month', now()) + interval '1 month')::date)");
    window("range=this_month&dateField=day&compare=1", R"("previous":0,"window":{"from":")",
           R"(date_trunc('month', now())::date || '","to":"' || current_date + 1)");
    window("range=last_7_days&dateField=day", R"("window":{"from":")",
           R"(current_date - 6 || '","to":"' || current_date + 1)");
    window("range=last_7_days&dateField=day", R"("previousWindow":{"from":")",
           R"(current_date - 13 || '","to":"' || current_date - 6)");
    window(
        "range=this_week&dateField=seen_at&tz=Asia/Tokyo", R"("window":{"from":")",
        R"(to_char(date_trunc('week', now() at time zone 'Asia/Tokyo') - interval '9 hours', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'))");
    described("metric=count&range=all&dateField=day&compare=1");
    EXPECT_TRUE(says(R"("window":{"from":null,"to":null},"previousWindow":null)")) << body;
}

// The previous period counts to the same point in it.
TEST_F(DataAggregate, ComparesToDate) {
    items(
        "('now', 5, null::numeric, null::date, now() - interval '1 second', true), "
        "('later', 7, null, null, now() + interval '1 minute', true), "
        "('before', 11, null, null, now() - interval '7 days 1 minute', true), "
        "('before, later', 13, null, null, now() - interval '7 days' + interval '1 minute', true)");
    const std::string answer =
        described("metric=sum&column=price&range=last_7_days&dateField=seen_at&compare=1");
    EXPECT_TRUE(answer.starts_with(R"({"ok":true,"value":18,"previous":11,"window":{"from":")"))
        << answer;
    described(
        "metric=sum&column=price&range=last_7_days&dateField=seen_at&compare=1&groupBy=title");
    EXPECT_TRUE(says(R"("groups":[{"key":"before, later","value":13},{"key":"now","value":5}],)"
                     R"("previousGroups":[{"key":"before","value":11}])"))
        << body;
    items(
        "('today', 1, null::numeric, current_date, null::timestamptz, true), "
        "('yesterday', 2, null, current_date - 1, null, true), ('tomorrow', 4, null, current_date "
        "+ 1, null, true)");
    described("metric=sum&column=price&range=today&dateField=day&compare=1");
    EXPECT_TRUE(body.starts_with(R"({"ok":true,"value":1,"previous":2,)")) << body;
}

TEST_F(DataAggregate, RefusesWhatItDoesNotKnow) {
    refused("");
    for (const char* query : {"metric=median",
                              "metric=",
                              "metric=sum",
                              "metric=count&metrics=count",
                              "metrics=",
                              "metrics=count,count",
                              "metrics=sum",
                              "metrics=count,",
                              "metric=count&range=tomorrow&dateField=day",
                              "metric=count&bucket=day",
                              "metric=count&groupBy=day&bucket=year",
                              "metric=count&fill=1",
                              "metric=count&compare=1",
                              "metric=count&compare=yes&range=today&dateField=day",
                              "metric=count&tz=Nowhere",
                              "metric=count&tz=",
                              "metric=count&tz=%2B03:00",
                              "metric=count&tz=../etc/passwd",
                              "metric=count&where=1",
                              "metric=count&filter={}"}) {
        refused(query);
    }
    refused("metric=sum&column=title", "title");
    refused("metric=avg&column=day", "day");
    refused("metric=max&column=active", "active");
    refused("metric=min&column=extra", "extra");
    refused("metric=sum&column=nope", "nope");
    refused("metric=count&groupBy=nope", "nope");
    refused("metric=count&groupBy=title&bucket=day", "title");
    refused("metric=count&range=today&dateField=title", "title");
    refused("metric=count&range=today", "created_at");  // this table has none
}

}  // namespace
}  // namespace svc::data
