#include "rows.hpp"

#include <cstdio>
#include <map>
#include <vector>

namespace svc::differential {
namespace {

using Texts = std::vector<std::string>;

const Texts& pool(const std::string& type) {
    static const std::map<std::string, Texts> kPools = {
        {"bigint",
         {"0", "0", "1", "1", "2", "3", "-1", "7", "100", "9999", "10000", "2147483647",
          "2147483648", "-2147483648", "9223372036854775807", "-9223372036854775808",
          "123456789012"}},
        {"numeric", {"0",         "0.0",         "1",
                     "1.0",       "1.00",        "-1",
                     "0.5",       "2.5",         "-2.5",
                     "3.333",     "0.1",         "0.3",
                     "100",       "0.0001",      "0.00000000012345",
                     "9999.9999", "10000.00010", "99999999999999999999.99",
                     "1e30",      "-7.125",      "NaN",
                     "Infinity",  "-Infinity"}},
        {"double precision",
         {"0", "-0", "1", "-1", "0.1", "0.3", "0.30000000000000004", "2.5", "3.5", "1e20", "1e-7",
          "1.7976931348623157e308", "123456.789", "9007199254740993", "NaN", "Infinity",
          "-Infinity"}},
        {"boolean", {"true", "false", "false"}},
        {"date",
         {"2026-02-28", "2024-02-29", "1969-12-31", "1970-01-01", "2026-11-20", "2026-11-21",
          "2026-11-22", "2026-03-29"}},
        {"time", {"00:00", "09:30:15.25", "12:00", "23:59:59.999999", "24:00"}},
        {"timestamptz",
         {"2026-02-28 00:00+00", "2026-03-29 01:30:00+01", "2026-03-28 23:00+00",
          "1969-12-31 23:59:59.5+00", "1970-01-01 00:00+00", "2026-11-21 10:00+00",
          "2026-11-20 23:00:00.000001+00"}},
        {"text",
         {"",
          " ",
          "a",
          "A",
          "aa",
          "b",
          " a ",
          "\xC3\xA9",
          "\xC3\x89",
          "e\xCC\x81",
          "\xC3\x9F",
          "\xE6\x97\xA5\xE6\x9C\xAC",
          "\xF0\x9F\x98\x80",
          "a'b",
          "a\\b",
          "(",
          ")",
          "%",
          "NULL",
          "null",
          "draft",
          "\t",
          "a\nb",
          "a,b",
          "{",
          "\"",
          "customer",
          "z"}},
        {"text[]",
         {"{}", "{a}", "{a,aa}", "{\"\"}", "{NULL}", "{a,NULL}", R"({"NULL"})", R"({"a,b"," a "})",
          R"({"a\\b","\"","a'b"})", "{\xC3\xA9,\xE6\x97\xA5\xE6\x9C\xAC}", "{draft,placed}",
          "{{a,b},{c,d}}"}},
        {"jsonb", {"null", "{}", "[1]", "\"a\"", "0"}},
    };
    return kPools.at(type);
}

}  // namespace

std::string id_of(char kind, int n) {
    char text[40];
    std::snprintf(text, sizeof text, "%c0000000-0000-4000-8000-%012d", kind, n);
    return text;
}

std::string random_value(Dice& dice, const std::string& sql_type) {
    if (dice.chance(30)) return "null";
    if (sql_type == "timestamptz" && dice.chance(15)) {
        const char* const ways[] = {"2026-11-21 10:00+00", "2026-11-14 10:00+00",
                                    "2026-11-21 10:00:00.000001+00"};
        return "'" + std::string(ways[dice.below(3)]) + "'::timestamptz";
    }
    const std::string& text = dice.one(pool(sql_type));
    std::string quoted = "'";
    for (const char c : text) quoted += c == '\'' ? "''" : std::string(1, c);
    return quoted + "'::" + sql_type;
}

}  // namespace svc::differential
