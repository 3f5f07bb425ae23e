// Named ranges at moments of our choosing: around the days on which clocks are changed.
#include "data/filter/windows.hpp"

#include "unit/data/fixture.hpp"

namespace svc::data {
namespace {

class DataWindows : public DataTest {
  protected:
    // from..to, and of the period before, as they are at `now`: days, or moments in UTC.
    std::string at(const std::string& now, Type type, std::string_view range,
                   bool to_date = false) {
        const auto window = filter::named_window(range, {type, zone_, to_date});
        EXPECT_TRUE(window) << range;
        const std::string show = type == Type::date ? "::date" : "::timestamptz";
        std::string sql = "set timezone = 'UTC'; select concat_ws(' ', ";
        for (const std::string* end :
             {&window->from, &window->to, &window->previous_from, &window->previous_to}) {
            const std::string value = "(" + *end + ')' + show;
            sql += (end == &window->from ? "" : ", ") +
                   (type == Type::date ? value : "to_char(" + value + ", 'MM-DD\"T\"HH24:MI')");
        }
        sql += ')';
        const std::string moment = "timestamptz '" + now + '\'';
        for (auto found = sql.find("now()"); found != std::string::npos;
             found = sql.find("now()", found)) {
            sql.replace(found, 5, moment);
        }
        return database->sql(sql);
    }

    std::string zone_ = "'Europe/Paris'";
};

TEST_F(DataWindows, OfDatesTodayIsTheLastDay) {
    const std::string now = "2026-03-29 12:00Z";
    EXPECT_EQ(at(now, Type::date, "today"), "2026-03-29 2026-03-30 2026-03-28 2026-03-29");
    EXPECT_EQ(at(now, Type::date, "yesterday"), "2026-03-28 2026-03-29 2026-03-27 2026-03-28");
    EXPECT_EQ(at(now, Type::date, "last_7_days"), "2026-03-23 2026-03-30 2026-03-16 2026-03-23");
    EXPECT_EQ(at(now, Type::date, "last_30_days"), "2026-02-28 2026-03-30 2026-01-29 2026-02-28");
    EXPECT_EQ(at(now, Type::date, "this_quarter"), "2026-01-01 2026-04-01 2025-10-01 2026-01-01");
    // Past midnight in Paris, not yet in UTC.
    EXPECT_EQ(at("2026-10-25 22:30Z", Type::date, "last_7_days"),
              "2026-10-19 2026-10-26 2026-10-12 2026-10-19");
    EXPECT_EQ(at("2026-10-25 23:30Z", Type::date, "last_7_days"),
              "2026-10-20 2026-10-27 2026-10-13 2026-10-20");
}

// In Paris the day of 29 March has 23 hours, that of 25 October 25.
TEST_F(DataWindows, OfMomentsDaysAreAsLongAsClocksMakeThem) {
    EXPECT_EQ(at("2026-03-29 12:00Z", Type::timestamp, "today"),
              "03-28T23:00 03-29T22:00 03-27T23:00 03-28T23:00");
    EXPECT_EQ(at("2026-03-30 12:00Z", Type::timestamp, "yesterday"),
              "03-28T23:00 03-29T22:00 03-27T23:00 03-28T23:00");
    EXPECT_EQ(at("2026-03-30 12:00Z", Type::timestamp, "last_7_days"),
              "03-23T13:00 03-30T12:00 03-16T13:00 03-23T13:00");
    EXPECT_EQ(at("2026-10-25 12:00Z", Type::timestamp, "today"),
              "10-24T22:00 10-25T23:00 10-23T22:00 10-24T22:00");
    EXPECT_EQ(at("2026-10-26 12:00Z", Type::timestamp, "yesterday"),
              "10-24T22:00 10-25T23:00 10-23T22:00 10-24T22:00");
    EXPECT_EQ(at("2026-10-26 12:00Z", Type::timestamp, "last_7_days"),
              "10-19T11:00 10-26T12:00 10-12T11:00 10-19T11:00");
    EXPECT_EQ(at("2026-10-26 12:00Z", Type::timestamp, "this_week"),
              "10-25T23:00 11-01T23:00 10-18T22:00 10-25T23:00");
    EXPECT_EQ(at("2026-10-26 12:00Z", Type::timestamp, "this_month"),
              "09-30T22:00 10-31T23:00 08-31T22:00 09-30T22:00");
}

TEST_F(DataWindows, ToDateEndsNowWhereItIsNotOver) {
    EXPECT_EQ(at("2026-03-30 12:00Z", Type::timestamp, "today", true),
              "03-29T22:00 03-30T12:00 03-28T23:00 03-29T12:00");
    EXPECT_EQ(at("2026-03-30 12:00Z", Type::timestamp, "yesterday", true),
              "03-28T23:00 03-29T22:00 03-27T23:00 03-28T23:00");
    EXPECT_EQ(at("2026-03-30 12:00Z", Type::date, "yesterday", true),
              "2026-03-29 2026-03-30 2026-03-28 2026-03-29");
    EXPECT_EQ(at("2026-03-31 12:00Z", Type::date, "this_month", true),
              "2026-03-01 2026-04-01 2026-02-01 2026-03-01");
    const auto unknown = filter::named_window("last_8_days", {Type::date, zone_});
    ASSERT_FALSE(unknown);
    EXPECT_EQ(unknown.error().code, Code::params_invalid);
}

}  // namespace
}  // namespace svc::data
