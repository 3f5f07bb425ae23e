// Every operator on every type of column, alone and in random trees, against plain SQL.
#include "unit/data/clauses.hpp"
#include "unit/data/every.hpp"

namespace svc::data {
namespace {

using namespace clauses;

class DataOperators : public EveryTest {
  protected:
    void check(const std::string& filter, const std::string& sql, const std::string& zone) {
        const int status =
            list("limit=500&tz=" + escaped(zone) + "&filter=" + escaped("[" + filter + "]"));
        ASSERT_EQ(status, 200) << filter << body;
        ASSERT_EQ(ids(), oracle(sql)) << filter << " in " << zone << ": " << sql;
    }
};

TEST_F(DataOperators, MeanWhatPlainSqlSays) {
    for (const Pair& pair : pairs("Europe/Paris")) check(pair.json, pair.sql, "Europe/Paris");
}

TEST_F(DataOperators, DaysAreThoseOfTheZone) {
    for (const char* zone : {"UTC", "Atlantic/Azores", "America/Havana", "Pacific/Kiritimati",
                             "Asia/Kolkata", "Etc/GMT+11"}) {
        std::vector<Pair> out;
        add_days(zone, out);
        add_periods(zone, out);
        for (const Pair& pair : out) check(pair.json, pair.sql, zone);
    }
}

TEST_F(DataOperators, WithoutAZoneDaysAreTheApps) {
    EXPECT_EQ(list("limit=500&filter=" + escaped("[" + clause("at", "eq", "\"2026-10-25\"") + "]")),
              200);
    EXPECT_EQ(ids(), oracle("(at at time zone 'Europe/Paris')::date = '2026-10-25'"));
    for (const char* zone :
         {"", "Mars/Olympus", "../../etc/passwd", "UTC0", "posixrules", "EST5EDT4", "+02:00",
          "europe/paris'", "posix/UTC", "Europe", "Europe/Paris\n"}) {
        EXPECT_EQ(list("tz=" + escaped(zone)), 400) << zone;
        EXPECT_TRUE(says("PARAMS_INVALID")) << body;
    }
}

TEST_F(DataOperators, NestAsTheyAreSaid) {
    Trees trees(pairs("America/Havana"));
    for (int i = 0; i < 250; ++i) {
        const Pair tree = trees.make(4);
        check(tree.json, tree.sql, "America/Havana");
    }
}

TEST_F(DataOperators, AreRefusedOnTypesThatHaveThemNot) {
    const std::string equal = "eq neq in not_in is_null is_not_null ";
    const std::string order = "lt lte gt gte between range ";
    const std::string text = "contains not_contains starts_with ends_with ";
    const std::string dated =
        "today yesterday this_week this_month this_year last_n_days next_n_days ";
    const std::map<std::string, std::string> fit = {{"label", equal + order + text},
                                                    {"kind", equal + order + text},
                                                    {"pieces", equal + order},
                                                    {"ratio", equal + order},
                                                    {"weight", equal + order},
                                                    {"price", equal + order},
                                                    {"clock", equal + order},
                                                    {"ref", equal + order},
                                                    {"flag", equal},
                                                    {"extra", equal},
                                                    {"day", equal + order + dated},
                                                    {"at", equal + order + dated},
                                                    {"tags", equal + "contains not_contains "}};
    std::string all = equal + order + text + dated;
    for (std::size_t at = 0; at < all.size(); at = all.find(' ', at) + 1) {
        const std::string op = all.substr(at, all.find(' ', at) - at);
        for (const auto& [field, ops] : fit) {
            if ((' ' + ops).find(' ' + op + ' ') != std::string::npos) continue;
            EXPECT_EQ(list("filter=" + escaped("[" + clause(field, op, "\"x\"") + "]")), 400);
            EXPECT_TRUE(says(op + " cannot be used with " + field + ", which takes eq, neq"))
                << body;
            EXPECT_TRUE(says("PARAMS_INVALID")) << body;
        }
    }
}

}  // namespace
}  // namespace svc::data
