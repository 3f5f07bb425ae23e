#include <gtest/gtest.h>

#include <string>

#include "diag/source_map.hpp"

namespace {

using svc::diag::Position;
using svc::diag::SourceMap;

void expect(const SourceMap& map, std::string_view pointer, int line, int column) {
    const Position place = map.find(pointer);
    EXPECT_EQ(place.line, line) << pointer;
    EXPECT_EQ(place.column, column) << pointer;
}

TEST(DiagSourceMap, FindsValuesAndNames) {
    const SourceMap map("{\n  \"a\": [1, {\"b\": \"x\"}],\n\t\"c\" : null}");
    expect(map, "", 1, 1);
    expect(map, "/a", 2, 8);
    expect(map, "/a#key", 2, 3);
    expect(map, "/a/0", 2, 9);
    expect(map, "/a/1/b", 2, 18);
    expect(map, "/a/1/b#key", 2, 13);
    expect(map, "/c", 3, 8);
}

TEST(DiagSourceMap, TakesTheNearestParent) {
    const SourceMap map("{\"a\": {\"b\": 1}}");
    expect(map, "/a/x/y", 1, 7);
    expect(map, "/x", 1, 1);
    expect(map, "/a/x#key", 1, 7);
}

TEST(DiagSourceMap, FindsBytesInsideStrings) {
    const SourceMap map(R"({"a": "x\"\n\u00e9y\ud83c\udf75z", "b": 1})");
    const auto at = [&](std::size_t offset) {
        return map.find(svc::diag::inside("/a", offset)).column;
    };
    EXPECT_EQ(at(0), 8);    // x
    EXPECT_EQ(at(1), 9);    // "
    EXPECT_EQ(at(2), 11);   // line feed
    EXPECT_EQ(at(3), 13);   // two bytes
    EXPECT_EQ(at(5), 19);   // y
    EXPECT_EQ(at(6), 20);   // four bytes, two escapes
    EXPECT_EQ(at(10), 32);  // z
    EXPECT_EQ(at(99), 33);  // the end
    EXPECT_EQ(map.find(svc::diag::inside("/b", 3)).column, 41);
}

TEST(DiagSourceMap, CountsCharacters) {
    const SourceMap map("{\"n\": \"T\xC3\xBC\xF0\x9F\x98\x80\", \"a\": \"\xC3\xBC\\u00fcx\"}");
    expect(map, "/a#key", 1, 14);
    expect(map, "/a", 1, 19);
    EXPECT_EQ(map.find(svc::diag::inside("/a", 2)).column, 21);
    EXPECT_EQ(map.find(svc::diag::inside("/a", 4)).column, 27);
}

TEST(DiagSourceMap, EscapesPointers) {
    const SourceMap map(R"({"a/b": 1, "c~d": 2, "e\"f": 3})");
    expect(map, "/a~1b", 1, 9);
    expect(map, "/c~0d", 1, 19);
    expect(map, "/e\"f", 1, 30);
}

TEST(DiagSourceMap, FindsRepetitions) {
    const SourceMap map("{\"a\": 1, \"a\": 2}");
    expect(map, "/a", 1, 7);
    expect(map, "/a#again", 1, 10);
}

TEST(DiagSourceMap, StopsAtMistakes) {
    expect(SourceMap("{\"a\": [1, "), "/a/0", 1, 8);
    expect(SourceMap(""), "/a", 0, 0);
    expect(SourceMap(std::string(100000, '[')), "/0/0", 1, 3);
    expect(SourceMap("{\"a"), "", 1, 1);
}

TEST(DiagSourceMap, LocatesFindingsAndCleansTheirPaths) {
    svc::diag::Findings findings;
    findings.error("X", "/a#key", "Wrong.");
    SourceMap("{\"a\": 1}").locate(findings);
    EXPECT_EQ(findings.all()[0].path, "/a");
    EXPECT_EQ(findings.all()[0].column, 2);
}

}  // namespace
