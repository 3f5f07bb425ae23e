#include <gtest/gtest.h>

#include "diag/finding.hpp"

namespace {

using svc::diag::nearest;

TEST(DiagNearest, FindsSlips) {
    EXPECT_EQ(nearest("entites", {"personas", "entities"}), "entities");
    EXPECT_EQ(nearest("requried", {"required", "read"}), "required");
    EXPECT_EQ(nearest("Name", {"name"}), "name");
    EXPECT_EQ(nearest("staf", {"staff", "consumer"}), "staff");
}

TEST(DiagNearest, TakesTheNearest) {
    EXPECT_EQ(nearest("orders", {"order_line", "order"}), "order");
}

TEST(DiagNearest, TakesWhatBeginsAlike) {
    EXPECT_EQ(nearest("created", {"title", "created_at"}), "created_at");
    EXPECT_EQ(nearest("customer_id", {"customer", "order"}), "customer");
}

TEST(DiagNearest, IsSilentWhereNothingIsNear) {
    EXPECT_EQ(nearest("wobble", {"name", "type"}), "");
    EXPECT_EQ(nearest("ab", {"xy"}), "");
    EXPECT_EQ(nearest("tables", {"files", "pages"}), "");
    EXPECT_EQ(nearest("random", {"rank", "round"}), "");
    EXPECT_EQ(nearest("x", {"y"}), "");
    EXPECT_EQ(nearest("", {"y"}), "");
    EXPECT_EQ(nearest("name", {}), "");
}

}  // namespace
