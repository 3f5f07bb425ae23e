// The forms in which rows leave: what Accept asks for, CSV, and walking over JSON.
#include "data/csv.hpp"
#include "data/envelope.hpp"
#include "unit/http/fake_exchange.hpp"

#include <gtest/gtest.h>

#include "base/json_slice.hpp"

namespace svc::data {
namespace {

Format format_of(const test::Headers& headers) {
    const test::FakeExchange exchange("GET", "/", headers);
    return accepted(exchange.head());
}

TEST(DataForms, TheTypeThatIsLikedBest) {
    const std::pair<const char*, Format> kCases[] = {
        {"", Format::json},
        {"*/*", Format::json},
        {"application/json", Format::json},
        {"text/csv", Format::csv},
        {"TEXT/CSV; header=present", Format::csv},
        {"text/*", Format::csv},
        {"text/csv, */*", Format::csv},
        {"text/csv, */*;q=0.1", Format::csv},
        {"application/json, text/csv", Format::json},
        {"text/csv;q=0.5, application/json;q=0.4", Format::csv},
        {"text/csv;q=0.5, application/json;q=0.51", Format::json},
        {"text/csv;q=0, */*", Format::json},
        {"application/json;q=0, */*;q=0.1", Format::csv},
        {"application/x-ndjson", Format::lines},
        {"application/ndjson", Format::lines},
        {"application/*", Format::json},
        {"text/html,application/xhtml+xml,*/*;q=0.8", Format::json},
        {"text/html", Format::json},
        {"image/*", Format::json},
        {"text/csv;q=0", Format::json},
        {"text/csv;q=x", Format::json},
        {",;,q=;/,*", Format::json},
        {"text/csvx", Format::json},
    };
    for (const auto& [accept, format] : kCases) {
        EXPECT_EQ(format_of({{"Accept", accept}}), format) << accept;
    }
    EXPECT_EQ(format_of({}), Format::json);
    EXPECT_EQ(format_of({{"accept", "text/html"}, {"ACCEPT", "text/csv"}}), Format::csv);
}

TEST(DataForms, CsvKeepsEveryByte) {
    Csv csv(
        R"([{"name":"id","type":"2950"},{"name":"a,b","type":"25"},{"name":"j","type":"3802"}])");
    const auto line = [&csv](std::string_view row) {
        std::string out;
        csv.line(row, out);
        return out;
    };
    std::string header;
    csv.header(header);
    EXPECT_EQ(header, "id,\"a,b\",j\r\n");
    EXPECT_EQ(line(R"({"id":null,"a,b":"","j":null})"), ",\"\",\r\n");
    EXPECT_EQ(line(R"({"id":1.50,"a,b":"=1+1 \\ é","j":"t"})"), "1.50,=1+1 \\ é,\"\"\"t\"\"\"\r\n");
    EXPECT_EQ(line("{\"id\":true,\"a,b\":\"x\\r\\ny\\\"\\u0001\",\"j\":{\"k\": [1, 2]}}"),
              "true,\"x\r\ny\"\"\x01\",\"{\"\"k\"\": [1, 2]}\"\r\n");
}

TEST(JsonExtent, TakesOneValueOfAnyDepth) {
    const auto first = [](std::string_view text) { return std::string(base::take_value(text)); };
    EXPECT_EQ(first(" \n12.5,"), "12.5");
    EXPECT_EQ(first(R"("a\"]\\",1)"), R"("a\"]\\")");
    EXPECT_EQ(first(R"({"a":[{"b":"}]"}]},2)"), R"({"a":[{"b":"}]"}]})");
    EXPECT_EQ(first("null}"), "null");
    const std::string deep = std::string(100000, '[') + std::string(100000, ']');
    EXPECT_EQ(first(deep + ",1"), deep);
    for (const char* broken : {"", " ", "\"", "\"\\", "[", "{\"a", "]", "[[1"}) {
        EXPECT_LE(first(broken).size(), std::string_view(broken).size()) << broken;
    }
}

}  // namespace
}  // namespace svc::data
