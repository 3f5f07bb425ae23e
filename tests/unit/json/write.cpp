#include <gtest/gtest.h>
#include <libpq-fe.h>

#include <memory>
#include <optional>

#include "base/json_text.hpp"
#include "svc/json.hpp"

namespace svc {
namespace {

using Write = void (*)(Out&, std::string_view, const Row&, int);

std::string printed(Write write, std::optional<std::string> value) {
    const std::unique_ptr<PGresult, void (*)(PGresult*)> result(
        PQmakeEmptyPGresult(nullptr, PGRES_TUPLES_OK), PQclear);
    PGresAttDesc column{};
    PQsetResultAttrs(result.get(), 1, &column);
    if (value) {
        PQsetvalue(result.get(), 0, 0, value->data(), static_cast<int>(value->size()));
    } else {
        PQsetvalue(result.get(), 0, 0, nullptr, -1);
    }
    Out out;
    write(out, "", Row(result.get(), 0), 0);
    return out;
}

// PostgreSQL lets any bounds and any depth into a column of lists.
TEST(JsonWrite, PrintsListsOfEveryShape) {
    EXPECT_EQ(printed(write_tags, "{}"), "[]");
    EXPECT_EQ(printed(write_tags, "{a,\"b,\\\"}\",NULL}"), R"(["a","b,\"}",null])");
    EXPECT_EQ(printed(write_tags, "[2:3]={a,b}"), R"(["a","b"])");
    EXPECT_EQ(printed(write_tags, "{{a,b},{\"c}\",d}}"), R"(["{a,b}","{\"c}\",d}"])");
    EXPECT_EQ(printed(write_tags, "{{"), R"(["{"])");
    EXPECT_EQ(printed(write_tags, "[x"), "[]");
}

TEST(JsonWrite, PrintsEachShape) {
    EXPECT_EQ(printed(write_text, "a \"b\"\n"), R"("a \"b\"\n")");
    EXPECT_EQ(printed(write_text, std::nullopt), "null");
    EXPECT_EQ(printed(write_number, "650"), "650");
    EXPECT_EQ(printed(write_decimal, "NaN"), "null");
    EXPECT_EQ(printed(write_decimal, "-Infinity"), "null");
    EXPECT_EQ(printed(write_decimal, "1.50"), "1.50");
    EXPECT_EQ(printed(write_boolean, "t"), "true");
    EXPECT_EQ(printed(write_boolean, "f"), "false");
    EXPECT_EQ(printed(write_timestamp, "2026-11-21 02:00:32.123456+00"),
              R"("2026-11-21T02:00:32.123456Z")");
    EXPECT_EQ(printed(write_timestamp, "2026-11-21 02:00:32.5"), R"("2026-11-21T02:00:32.5")");
    EXPECT_EQ(printed(write_timestamp, "infinity"), R"("infinity")");
    EXPECT_EQ(printed(write_json, R"({"a": 1})"), R"({"a": 1})");
    EXPECT_EQ(printed(write_tags, "{}"), "[]");
    EXPECT_EQ(printed(write_tags, R"({a,"b \"c\" \\",NULL,"NULL",""})"),
              R"(["a","b \"c\" \\",null,"NULL",""])");
}

TEST(JsonWrite, EscapesAtEveryPlace) {
    for (std::size_t at = 0; at < 20; ++at) {
        std::string text(20, 'x'),
            expected = "\"" + std::string(at, 'x') + "\\u0001" + std::string(19 - at, 'x') + "\"";
        text[at] = '\x01';
        std::string out;
        base::append_json_utf8(out, text);
        EXPECT_EQ(out, expected);
    }
    std::string out;
    base::append_json_utf8(out, "é\x7F😀 and a longer tail of plain text");
    EXPECT_EQ(out, "\"é\x7F😀 and a longer tail of plain text\"");
}

}  // namespace
}  // namespace svc
