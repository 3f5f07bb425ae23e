// What a contract may write as a day, a time, a moment or a uuid, a server takes as well.
#include "base/formats.hpp"

#include <gtest/gtest.h>

#include <string>

#include "contract/value.hpp"
#include "json/json_reader.hpp"
#include "model/values.hpp"

namespace svc::base {
namespace {

struct Kind {
    const char* name;
    bool (*fits)(std::string_view);
    model::FieldType field;
    Type column;
};
constexpr Kind kDate{"date", is_date, model::FieldType::date, Type::date};
constexpr Kind kTime{"time", is_time, model::FieldType::time, Type::time};
constexpr Kind kMoment{"moment", is_moment, model::FieldType::datetime, Type::timestamp};
constexpr Kind kUuid{"uuid", is_uuid, model::FieldType::uuid, Type::uuid};

struct Case {
    const Kind& kind;
    const char* text;
    bool good;
};
const Case kCases[] = {
    {kDate, "2024-02-29", true},
    {kDate, "0001-01-01", true},
    {kDate, "9999-12-31", true},
    {kDate, "2023-02-29", false},
    {kDate, "1900-02-29", false},
    {kDate, "0000-01-01", false},
    {kDate, "2024-13-01", false},
    {kDate, "2024-00-01", false},
    {kDate, "2024-01-00", false},
    {kDate, "2024-04-31", false},
    {kDate, "2024-1-1", false},
    {kDate, "2024-01-01 ", false},
    {kDate, "", false},
    {kTime, "00:00", true},
    {kTime, "23:59", true},
    {kTime, "23:59:59", true},
    {kTime, "09:30:15.5", true},
    {kTime, "09:30:15.123456789", true},
    {kTime, "09:30:15.1234567890", false},
    {kTime, "09:30:15.", false},
    {kTime, "09:30:15.5x", false},
    {kTime, "22:59:59.9999995", true},
    {kTime, "23:59:59.9999994", true},
    {kTime, "23:59:59.9999995", false},
    {kTime, "09:30:60", false},
    {kTime, "24:00", false},
    {kTime, "12:60", false},
    {kTime, "12:00:", false},
    {kTime, "12:00:0", false},
    {kTime, "9:30", false},
    {kTime, "", false},
    {kMoment, "2024-01-01", true},
    {kMoment, "2024-01-01T00:00", true},
    {kMoment, "2024-01-01t00:00:00z", true},
    {kMoment, "2024-01-01 00:00:00.5", true},
    {kMoment, "2024-01-01T00:00Z", true},
    {kMoment, "2024-01-01T00:00+01", true},
    {kMoment, "2024-01-01T00:00-0530", true},
    {kMoment, "2024-01-01T00:00+15:59", true},
    {kMoment, "2024-01-01T00:00+16", false},
    {kMoment, "2024-01-01T00:00+01:60", false},
    {kMoment, "2024-01-01T00:00+1", false},
    {kMoment, "2024-01-01T00:00+01:", false},
    {kMoment, "2024-01-01T00:00+01:0", false},
    {kMoment, "2024-01-01T00:00 Z", false},
    {kMoment, "2024-01-01T", false},
    {kMoment, "2024-01-01T00", false},
    {kMoment, "2024-01-01_00:00", false},
    {kMoment, "2023-02-29T00:00Z", false},
    {kMoment, "0001-01-01T00:00+00:01", false},
    {kMoment, "0001-01-01T00:01+00:01", true},
    {kMoment, "9999-12-31T23:59-00:01", false},
    {kMoment, "9999-12-31T23:58-00:01", true},
    {kMoment, "2024-12-31T23:59:59.9999995Z", true},
    {kMoment, "9999-12-31T23:59:59.9999994Z", true},
    {kMoment, "9999-12-31T23:59:59.9999995Z", false},
    {kMoment, "9999-12-31T23:58:59.9999995-00:01", false},
    {kUuid, "00000000-0000-7000-8000-0000000000aB", true},
    {kUuid, "00000000-0000-7000-8000-00000000000g", false},
    {kUuid, "00000000-0000-7000-8000-00000000000", false},
    {kUuid, "00000000-0000-7000-8000-0000000000000", false},
    {kUuid, "0000000000007000800000000000000000000", false},
    {kUuid, "{0000000-0000-7000-8000-000000000000}", false},
    {kUuid, "", false},
};

bool compiler_takes(const Case& one) {
    model::Field field;
    field.type = one.kind.field;
    diag::Findings findings;
    const auto value = contract::read_json('"' + std::string(one.text) + '"', findings);
    return model::pg_text(field, *value).text.has_value();
}

bool server_takes(const Case& one) {
    const std::string body = "{\"v\":\"" + std::string(one.text) + "\"}";
    const Column column{.name = "v", .type = one.kind.column};
    json::JsonReader reader(body);
    json::Values values(1);
    return json::read_members(reader, {&column, 1}, values);
}

TEST(Formats, AreTheSameForCompilerAndServer) {
    for (const Case& one : kCases) {
        const std::string what = std::string(one.kind.name) + " " + one.text;
        EXPECT_EQ(one.kind.fits(one.text), one.good) << what;
        EXPECT_EQ(compiler_takes(one), one.good) << what;
        EXPECT_EQ(server_takes(one), one.good) << what;
    }
}

}  // namespace
}  // namespace svc::base
