// Every type of column into every other: a value keeps its meaning, or its row is named. Nothing is
// lost.
#include "unit/migrate/fixture.hpp"

namespace svc::migrate {
namespace {

struct Sample {
    const char* type;
    std::vector<const char*> values;
};

const std::vector<Sample> kSamples = {
    {"text",
     {"12", "007", "true", "2024-02-29", "10:30", "2024-02-29T10:30:00+02:00",
      R"({"a": [1, null]})", R"({"a": 1, "a": 2})", "C0FFEE00-0000-4000-8000-000000000000", "1.50",
      "9223372036854775808", "NaN", "today", ""}},
    {"bigint", {"0", "-12", "9007199254740993", "9223372036854775807"}},
    {"numeric", {"1", "1.50", "0.1", "12345678901234567890.123", "2.00", "NaN"}},
    {"double precision", {"1", "0.1", "1e300", "NaN", "Infinity", "-2.5", "9007199254740992"}},
    {"boolean", {"true", "false"}},
    {"date", {"2024-02-29", "infinity", "0044-03-15 BC"}},
    {"time", {"10:30:00", "23:59:59.999999", "24:00:00"}},
    {"timestamptz",
     {"2024-02-28T23:00:00Z", "2024-02-29T10:30:00.123456Z", "infinity", "2024-07-01T22:00:00Z"}},
    {"text[]", {"{a}", "{a,b}", "{}", "{NULL}", R"({"x, y"})"}},
    {"jsonb",
     {"12", "1.5", R"("12")", "true", R"("2024-02-29")", "null", R"({"a": 1})", R"(["a"])",
      R"("2024-02-29T10:30:00Z")", R"("c0ffee00-0000-4000-8000-000000000000")", R"("10:30:00")"}},
    {"uuid", {"c0ffee00-0000-4000-8000-000000000000"}},
};

// Which samples go from a type (row) to the others in this order, 1 for each that does.
const std::vector<const char*> kTypes = {"text",    "bigint", "numeric", "double precision",
                                         "boolean", "date",   "time",    "timestamptz",
                                         "text[]",  "jsonb",  "uuid"};
const std::map<std::string, std::vector<std::string>> kGoes = {
    {"text",
     {"11111111111111", "10000000000000", "10000000011000", "10000000000000", "00100000000000",
      "00010000000000", "00001000000000", "00000100000000", "11111111111111", "10100010011000",
      "00000000100000"}},
    {"bigint",
     {"1111", "1111", "1111", "1100", "0000", "0000", "0000", "0000", "0000", "1111", "0000"}},
    {"numeric",
     {"111110", "100010", "111111", "111010", "000000", "000000", "000000", "000000", "000000",
      "111110", "000000"}},
    {"double precision",
     {"1110011", "1000001", "1110011", "1111111", "0000000", "0000000", "0000000", "0000000",
      "0000000", "1110011", "0000000"}},
    {"boolean", {"11", "00", "00", "00", "11", "00", "00", "00", "00", "11", "00"}},
    {"date", {"101", "000", "000", "000", "000", "111", "000", "101", "000", "111", "000"}},
    {"time", {"111", "000", "000", "000", "000", "000", "111", "000", "000", "111", "000"}},
    {"timestamptz",
     {"1101", "0000", "0000", "0000", "0000", "1001", "0000", "1111", "0000", "1101", "0000"}},
    {"text[]",
     {"10001", "00000", "00000", "00000", "00000", "00000", "00000", "00000", "11111", "11111",
      "00000"}},
    {"jsonb",
     {"11111111111", "10000000000", "11000000000", "11000000000", "00010000000", "00001000000",
      "00000000001", "00000000100", "00000001000", "11111111111", "00000000010"}},
    {"uuid", {"1", "0", "0", "0", "0", "0", "0", "0", "0", "1", "1"}},
};

class CastTest : public MigrateTest {
  protected:
    static plan::Plan table(const std::vector<std::string>& types) {
        auto plan = product();
        plan.timezone = "Europe/Paris";
        plan.routines.clear();
        plan.tables[0].columns.pop_back();
        for (std::size_t i = 0; i < types.size(); ++i) {
            plan.tables[0].columns.push_back(column(name(i), types[i]));
        }
        return plan;
    }
    static std::string name(std::size_t i) { return "c" + std::to_string(i); }
    static std::string id(std::size_t row) {
        const std::string digits = std::to_string(row + 10);
        return "00000000-0000-4000-8000-0000000000" + digits;
    }

    // The samples in every column, and what of them stays when each column takes its own type.
    std::vector<std::string> goes(const Sample& sample) {
        const std::vector<std::string> before(kTypes.size(), sample.type);
        EXPECT_TRUE(apply(table(before)).ok);
        std::string names, values;
        for (std::size_t c = 0; c < kTypes.size(); ++c) names += ", " + name(c);
        for (std::size_t row = 0; row < sample.values.size(); ++row) {
            values += (row == 0 ? "(" : ", (") + ("'" + id(row) + "'");
            for (std::size_t c = 0; c < kTypes.size(); ++c) {
                values += ", '" + std::string(sample.values[row]) + "'";
            }
            values += ")";
        }
        query("insert into public.product (id" + names + ") values " + values);
        std::vector<std::string> out(kTypes.size(), std::string(sample.values.size(), '1'));
        while (take_away_refused(out)) {
        }
        return out;
    }

    // One round: what the findings name becomes null. False if they name nothing.
    bool take_away_refused(std::vector<std::string>& goes) {
        const auto described = preview(table({kTypes.begin(), kTypes.end()}), target_);
        for (const auto& finding : described.findings.all()) {
            EXPECT_EQ(finding.code, "CANNOT_CAST");
            const auto c = std::stoul(finding.path.substr(finding.path.rfind('c') + 1));
            bool named = false;
            for (std::size_t row = 0; row < goes[c].size(); ++row) {
                if (finding.message.find(id(row)) == std::string::npos) continue;
                named = true;
                goes[c][row] = '0';
                query("update public.product set " + name(c) + " = null where id = '" + id(row) +
                      "'");
            }
            EXPECT_TRUE(named) << finding.message;
        }
        return !described.findings.all().empty();
    }

    // The column as text, a row each.
    std::string values(std::size_t c) {
        return query("select string_agg(coalesce(" + name(c) +
                     "::text, '-'), ' | ' order by id) from public.product");
    }
};

TEST_F(CastTest, every_value_keeps_its_meaning_or_its_row_is_named) {
    const std::vector<std::string> all(kTypes.begin(), kTypes.end());
    for (const Sample& sample : kSamples) {
        EXPECT_EQ(goes(sample), kGoes.at(sample.type)) << sample.type;
        const auto result = apply(table(all), 2);
        ASSERT_TRUE(result.ok) << sample.type << described(result);
        std::vector<std::string> there;
        for (std::size_t c = 0; c < kTypes.size(); ++c) there.push_back(values(c));
        // Back, and there again: what a value means is still the same.
        const auto back = apply(table(std::vector<std::string>(kTypes.size(), sample.type)), 3);
        EXPECT_TRUE(back.ok) << sample.type << "\n" << described(back);
        const auto again = apply(table(all), 4);
        EXPECT_TRUE(again.ok) << sample.type << "\n" << described(again);
        for (std::size_t c = 0; c < kTypes.size(); ++c) {
            EXPECT_EQ(values(c), there[c]) << sample.type << " to " << kTypes[c];
        }
        query("drop table public.product cascade");
    }
}

}  // namespace
}  // namespace svc::migrate
