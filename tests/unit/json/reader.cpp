#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "json/json_reader.hpp"
#include "paths.hpp"

namespace svc::json {
namespace {

namespace fs = std::filesystem;

struct Reading {
    JsonReader::Mistake mistake;
    std::string text;  // as PostgreSQL will read it
    bool null = false;
};

// Reads {"v": …} into a column of this type.
Reading read(std::string body, Type type, std::uint32_t max_length = 0) {
    const Column column{.name = "v", .type = type, .max_length = max_length};
    JsonReader reader(body);
    Values values(1);
    read_members(reader, {&column, 1}, values);
    return {reader.mistake(), values[0].text, values[0].state == Slot::null};
}

// The code that the caller reads; empty if nothing is wrong.
std::string code_of(const JsonReader::Mistake& mistake) {
    if (mistake.message.empty()) return {};
    return mistake.sqlstate.empty() ? "PARAMS_INVALID" : mistake.sqlstate;
}

std::string text_of(const std::string& value, Type type) {
    const Reading reading = read("{\"v\":" + value + "}", type);
    const std::string code = code_of(reading.mistake);
    return code.empty() ? reading.text : code;
}

std::string code_of(const std::string& body) { return code_of(read(body, Type::json).mistake); }

// PostgreSQL cannot store U+0000, so these valid texts are refused; with a code of their own.
bool holds_nul(const std::string& name) {
    return name == "y_object_escaped_null_in_key.json" || name == "y_string_null_escape.json";
}

TEST(JsonReader, JudgesTheJsonTestSuite) {
    std::size_t files = 0;
    for (const auto& entry : fs::directory_iterator(SVC_SOURCE_DIR "/tests/data/json-test-suite")) {
        const std::string name = entry.path().filename();
        if (entry.path().extension() != ".json") continue;
        std::ifstream file(entry.path(), std::ios::binary);
        std::stringstream text;
        text << file.rdbuf();
        const std::string code = code_of("{\"v\":" + text.str() + "}");
        ++files;
        if (holds_nul(name)) {
            EXPECT_EQ(code, "22P05") << name;
        } else if (name.starts_with("y_")) {
            EXPECT_EQ(code, "") << name;
        } else if (name.starts_with("n_")) {
            EXPECT_NE(code, "") << name;
        }
    }
    EXPECT_GT(files, 300u);
}

TEST(JsonReader, TakesAnObjectOnly) {
    EXPECT_EQ(code_of(""), "PARAMS_INVALID");
    EXPECT_EQ(code_of("[]"), "PARAMS_INVALID");
    EXPECT_EQ(code_of("{}"), "");
    EXPECT_EQ(code_of(" { } "), "");
    EXPECT_EQ(code_of("{} x"), "PARAMS_INVALID");
    EXPECT_EQ(code_of("{\"v\":1,}"), "PARAMS_INVALID");
    EXPECT_EQ(code_of("{\"v\":1} {}"), "PARAMS_INVALID");
}

TEST(JsonReader, RefusesAMemberGivenTwice) {
    const Reading reading = read("{\"v\":1,\"\\u0076\":2}", Type::json);
    EXPECT_EQ(code_of(reading.mistake), "PARAMS_INVALID");
    EXPECT_EQ(reading.mistake.field, "v");
}

TEST(JsonReader, NamesAnUnknownMember) {
    const Reading reading = read("{\"w\":1}", Type::json);
    EXPECT_EQ(code_of(reading.mistake), "42703");
    EXPECT_EQ(reading.mistake.field, "w");
}

TEST(JsonReader, LimitsDepth) {
    const auto nested = [](std::size_t depth) {
        return "{\"v\":" + std::string(depth, '[') + std::string(depth, ']') + "}";
    };
    EXPECT_EQ(code_of(nested(64)), "");
    EXPECT_EQ(code_of(nested(65)), "PARAMS_INVALID");
}

TEST(JsonReader, ReadsWholeNumbers) {
    const auto whole = [](const std::string& text) { return text_of(text, Type::integer); };
    EXPECT_EQ(whole("42"), "42");
    EXPECT_EQ(whole("-0"), "0");
    EXPECT_EQ(whole("1e2"), "100");
    EXPECT_EQ(whole("5.0"), "5");
    EXPECT_EQ(whole("1200e-2"), "12");
    EXPECT_EQ(whole("0e99999999999999999999"), "0");
    EXPECT_EQ(whole("9223372036854775807"), "9223372036854775807");
    EXPECT_EQ(whole("-9223372036854775808"), "-9223372036854775808");
    EXPECT_EQ(whole("9223372036854775808"), "22003");
    EXPECT_EQ(whole("1e99999999999999999999"), "22003");
    EXPECT_EQ(whole("5.5"), "22P02");
    EXPECT_EQ(whole("\"5\""), "22P02");
    EXPECT_EQ(whole("true"), "22P02");
}

TEST(JsonReader, KeepsEveryDigit) {
    const auto decimal = [](const std::string& text) { return text_of(text, Type::decimal); };
    EXPECT_EQ(decimal("12345678901234567890.123456789012345678901234567890"),
              "12345678901234567890.123456789012345678901234567890");
    EXPECT_EQ(decimal("1e5000"), "22003");
    EXPECT_EQ(text_of("0.1", Type::floating), "0.1");
    EXPECT_EQ(text_of("1e400", Type::floating), "22003");
}

TEST(JsonReader, ChecksTheCalendar) {
    const auto date = [](const std::string& text) { return text_of(text, Type::date); };
    EXPECT_EQ(date("\"2024-02-29\""), "2024-02-29");
    for (const char* wrong : {"\"2023-02-29\"", "\"2023-13-01\"", "\"2023-1-1\"", "\"0000-01-01\"",
                              "\"today\"", "20230101", "\"2023-01-01T00:00\""}) {
        EXPECT_EQ(date(wrong), "22P02") << wrong;
    }
    const auto time = [](const std::string& text) { return text_of(text, Type::time); };
    EXPECT_EQ(time("\"13:37\""), "13:37");
    EXPECT_EQ(time("\"13:37:00.5\""), "13:37:00.5");
    EXPECT_EQ(time("\"24:00\""), "22P02");
    EXPECT_EQ(time("\"13:37:60\""), "22P02");
    const auto stamp = [](const std::string& text) { return text_of(text, Type::timestamp); };
    EXPECT_EQ(stamp("\"2026-11-21T02:00:32.123Z\""), "2026-11-21T02:00:32.123Z");
    EXPECT_EQ(stamp("\"2026-11-21T02:00:32+02:00\""), "2026-11-21T02:00:32+02:00");
    EXPECT_EQ(stamp("\"2026-11-21 02:00\""), "2026-11-21 02:00");
    EXPECT_EQ(stamp("\"2026-11-21\""), "2026-11-21");
    EXPECT_EQ(stamp("\"2026-11-31T02:00:32Z\""), "22P02");
    EXPECT_EQ(stamp("\"2026-11-21T02:00:32+2\""), "22P02");
    EXPECT_EQ(stamp("\"now\""), "22P02");
}

TEST(JsonReader, ReadsTheOtherTypes) {
    EXPECT_EQ(text_of("true", Type::boolean), "true");
    EXPECT_EQ(text_of("\"true\"", Type::boolean), "22P02");
    EXPECT_EQ(text_of("1", Type::boolean), "22P02");
    EXPECT_EQ(text_of("\"018F0000-0000-7000-8000-00000000000A\"", Type::uuid),
              "018f0000-0000-7000-8000-00000000000a");
    EXPECT_EQ(text_of("\"018f\"", Type::uuid), "22P02");
    EXPECT_EQ(text_of(R"(["a","b \"c\" \\",""])", Type::tags), R"({"a","b \"c\" \\",""})");
    EXPECT_EQ(text_of("[1]", Type::tags), "22P02");
    EXPECT_EQ(text_of("650", Type::money), "650");
    EXPECT_EQ(text_of(" {\"a\": [1.50, null]} ", Type::json), "{\"a\": [1.50, null]}");
    EXPECT_TRUE(read("{\"v\":null}", Type::money).null);
}

TEST(JsonReader, NumbersInsideJsonStayWithinReason) {
    const auto code = [](const std::string& value) { return code_of("{\"v\":" + value + "}"); };
    EXPECT_EQ(code("[1e900, -1.5e-900, 0e99999, \"1e999999 \\\" 1e999999\"]"), "");
    EXPECT_EQ(code("{\"a\": [1e131000]}"), "22003");
    EXPECT_EQ(code("[1e-131000]"), "22003");
    std::string many = "[1e900";
    for (int i = 0; i < 200; ++i) many += ",1e900";
    EXPECT_EQ(code(many + "]"), "22003") << "each may be, all of them are too much";
}

TEST(JsonReader, MomentsStayInTheCalendar) {
    const auto moment = [](const std::string& value) {
        return code_of(read("{\"v\":\"" + value + "\"}", Type::timestamp).mistake);
    };
    for (const char* fine :
         {"9999-12-31T23:59:59Z", "9999-12-31T23:59:59+00:30", "9999-12-31T09:59:59-14:00",
          "0001-01-01T00:00:00Z", "0001-01-01T14:00:00+14", "0001-01-01"})
        EXPECT_EQ(moment(fine), "") << fine;
    for (const char* beyond : {"9999-12-31T23:59:59-14:00", "9999-12-31T23:30-0030",
                               "0001-01-01T00:00:00+14:00", "0001-01-01T13:59+14"})
        EXPECT_NE(moment(beyond), "") << beyond;
}

TEST(JsonReader, ReadsText) {
    const auto text = [](const std::string& value) { return text_of(value, Type::text); };
    EXPECT_EQ(text("\"\\u00e9\\ud83d\\ude00\\n\""), "é😀\n");
    EXPECT_EQ(text("\"\\ud83d\""), "PARAMS_INVALID");
    EXPECT_EQ(text("\"\\u0000\""), "22P05");
    EXPECT_EQ(text("\"\xC0\x80\""), "PARAMS_INVALID");
    EXPECT_EQ(text("5"), "22P02");
    const auto length = [](const std::string& body) {
        return code_of(read(body, Type::text, 3).mistake);
    };
    EXPECT_EQ(length("{\"v\":\"éééé\"}"), "22001");
    EXPECT_EQ(length("{\"v\":\"ééé\"}"), "");
}

TEST(JsonReader, SaysWhatItExpected) {
    const Column price{.name = "price", .type = Type::money};
    JsonReader reader(R"({"price":"abc"})");
    Slot value;
    ASSERT_TRUE(reader.next_member());
    EXPECT_FALSE(reader.read(value, price));
    EXPECT_EQ(reader.mistake().message, "price takes a whole number of cents, not \"abc\"");
    EXPECT_EQ(reader.mistake().field, "price");
}

}  // namespace
}  // namespace svc::json
