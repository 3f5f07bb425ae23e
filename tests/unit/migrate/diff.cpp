#include "migrate/diff/diff.hpp"

#include <gtest/gtest.h>

#include "migrate/schema/schema.hpp"

namespace svc::migrate {
namespace {

TEST(Diff, types_are_compared_as_postgresql_prints_them) {
    EXPECT_EQ(canonical_type("timestamptz"), "timestamp with time zone");
    EXPECT_EQ(canonical_type("numeric(12, 2)"), "numeric(12,2)");
    EXPECT_EQ(canonical_type("text[]"), "text[]");
    EXPECT_EQ(canonical_type("int8"), "bigint");
}

TEST(Diff, a_word_is_mentioned_whole) {
    EXPECT_TRUE(mentions("check (title <> '')", "title"));
    EXPECT_TRUE(mentions("svc.\"order_guard\"()", "order_guard"));
    EXPECT_FALSE(mentions("check (subtitle <> '')", "title"));
    EXPECT_TRUE(mentions("subtitle || title", "title"));
}

TEST(Diff, what_was_made_last_goes_first) {
    Schema schema;
    schema.recorded[{ObjectKind::function, "a"}] = {"x", "drop a", 1};
    schema.recorded[{ObjectKind::function, "b"}] = {"x", "drop b", 2};
    schema.recorded[{ObjectKind::policy, "c"}] = {"x", "drop c", 3};
    const Diff out = diff({}, schema, "\"data\"");
    ASSERT_EQ(out.steps.size(), 3U);
    EXPECT_EQ(out.steps[0].change.sql, "drop c");
    EXPECT_EQ(out.steps[2].change.sql, "drop a");
    EXPECT_EQ(out.gone.size(), 3U);
}

}  // namespace
}  // namespace svc::migrate
