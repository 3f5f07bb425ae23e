#include "model/values.hpp"

#include <gtest/gtest.h>

#include <string>

namespace {

using svc::model::Field;
using svc::model::FieldType;

std::string text_of(const Field& field, const std::string& json) {
    svc::diag::Findings findings;
    const auto value = svc::contract::read_json(json, findings);
    return svc::model::pg_text(field, *value).text.value_or("-");
}

std::string text_of(FieldType type, const std::string& json) {
    Field field;
    field.type = type;
    return text_of(field, json);
}

TEST(ModelValues, ConvertsToPostgresText) {
    EXPECT_EQ(text_of(FieldType::integer, "42"), "42");
    EXPECT_EQ(text_of(FieldType::money, "-650"), "-650");
    EXPECT_EQ(text_of(FieldType::decimal, "1.10"), "1.10");
    EXPECT_EQ(text_of(FieldType::boolean, "true"), "true");
    EXPECT_EQ(text_of(FieldType::tags, R"(["a", "b \"c\"", "\\", ""])"),
              R"({"a","b \"c\"","\\",""})");
    EXPECT_EQ(text_of(FieldType::tags, "[]"), "{}");
    EXPECT_EQ(text_of(FieldType::json, R"({"a": [1, null]})"), R"({"a":[1,null]})");
    EXPECT_EQ(text_of(FieldType::datetime, "\"2024-12-31T23:59:59.5+01:00\""),
              "2024-12-31T23:59:59.5+01:00");
}

TEST(ModelValues, RefusesOtherTypes) {
    EXPECT_EQ(text_of(FieldType::integer, "1.0"), "-");
    EXPECT_EQ(text_of(FieldType::integer, "9223372036854775808"), "-");
    EXPECT_EQ(text_of(FieldType::money, "6.5"), "-");
    EXPECT_EQ(text_of(FieldType::number, "\"1\""), "-");
    EXPECT_EQ(text_of(FieldType::boolean, "1"), "-");
    EXPECT_EQ(text_of(FieldType::tags, "[1]"), "-");
    EXPECT_EQ(text_of(FieldType::text, "1"), "-");
    EXPECT_EQ(text_of(FieldType::ref, "\"7\""), "-");
}

TEST(ModelValues, HoldsLimits) {
    Field field;
    field.type = FieldType::integer;
    field.min = "-2";
    field.max = "10";
    EXPECT_EQ(text_of(field, "9"), "9");
    EXPECT_EQ(text_of(field, "11"), "-");
    EXPECT_EQ(text_of(field, "-3"), "-");
    field = {};
    field.type = FieldType::text;
    field.max_length = 2;
    EXPECT_EQ(text_of(field, "\"\xC3\xA9\xC3\xA9\""), "\xC3\xA9\xC3\xA9");
    EXPECT_EQ(text_of(field, "\"abc\""), "-");
}

TEST(ModelValues, KnowsFormats) {
    EXPECT_TRUE(svc::model::is_email("ann@example.test"));
    EXPECT_FALSE(svc::model::is_email("ann@@example.test"));
    EXPECT_FALSE(svc::model::is_email("ann example@test"));
    EXPECT_TRUE(svc::model::is_url("https://example.test/a"));
    EXPECT_FALSE(svc::model::is_url("javascript:alert(1)"));
    EXPECT_EQ(svc::model::seconds_of("2h"), 7200U);
    EXPECT_EQ(svc::model::seconds_of("14d"), 14U * 86400);
    EXPECT_FALSE(svc::model::seconds_of("2 h"));
    EXPECT_FALSE(svc::model::seconds_of("h"));
    EXPECT_FALSE(svc::model::seconds_of("999999d"));
}

TEST(ModelValues, MomentsAreComparedAsMoments) {
    using svc::model::moment_of;
    EXPECT_EQ(moment_of("2024-01-01T00:30:00+01:00"), moment_of("2023-12-31T23:30:00Z"));
    EXPECT_LT(moment_of("2024-02-29T23:59:59.999999Z"), moment_of("2024-03-01T00:00:00Z"));
    EXPECT_EQ(moment_of("2024-01-01T00:00:00-0530"), moment_of("2024-01-01T05:30:00Z"));
    EXPECT_EQ(svc::model::time_of("09:30"), svc::model::time_of("09:30:00.0"));
    EXPECT_EQ(svc::model::time_of("09:30:00.1234567"), svc::model::time_of("09:30:00.123457"));
    Field field;
    field.type = FieldType::datetime;
    field.min = "2024-01-01T00:00:00Z";
    EXPECT_EQ(text_of(field, "\"2024-01-01T00:30:00+01:00\""), "-");
    EXPECT_NE(text_of(field, "\"2024-01-01T01:00:00+01:00\""), "-");
    field.type = FieldType::time;
    field.min.reset();
    field.max = "09:30";
    EXPECT_EQ(text_of(field, "\"09:30:00\""), "09:30:00");
    EXPECT_EQ(text_of(field, "\"09:30:01\""), "-");
}

TEST(ModelValues, ReadsSizesInBytes) {
    EXPECT_EQ(svc::model::bytes_of("1KB"), 1024U);
    EXPECT_EQ(svc::model::bytes_of("25MB"), 25U << 20);
    EXPECT_EQ(svc::model::bytes_of("999999999GB"), 999999999ULL << 30);
    for (const char* bad : {"", "MB", "1", "1B", "1mb", "1 MB", "-1MB", "1.5MB", "1111111111MB"}) {
        EXPECT_FALSE(svc::model::bytes_of(bad)) << bad;
    }
}

TEST(ModelValues, RefusesMoreDecimalsThanTheScale) {
    Field field;
    field.type = FieldType::decimal;
    field.scale = 2;
    for (const char* fits : {"1", "1.25", "1.250", "125e-2", "1.2e1", "1000", "-0.10", "0.00"}) {
        EXPECT_EQ(text_of(field, fits), fits);
    }
    for (const char* beyond : {"1.255", "1e-3", "125.5e-2"}) {
        EXPECT_EQ(text_of(field, beyond), "-") << beyond;
    }
}

// Values that the database's own checks of these types refuse.
TEST(ModelValues, FormatsAreThoseOfTheDatabase) {
    for (const char* wrong : {"\"a--b\"", "\"-a\"", "\"a-\"", "\"\""}) {
        EXPECT_EQ(text_of(FieldType::slug, wrong), "-") << wrong;
    }
    EXPECT_EQ(text_of(FieldType::slug, "\"a-b-1\""), "a-b-1");
    EXPECT_EQ(text_of(FieldType::phone, "\"(030) 123\""), "-");
    EXPECT_EQ(text_of(FieldType::phone, "\"+49 (30) 123-4\""), "+49 (30) 123-4");
    EXPECT_EQ(text_of(FieldType::email, "\"a@home\""), "-");
    EXPECT_EQ(text_of(FieldType::email, "\"a@home.test\""), "a@home.test");
}

}  // namespace
