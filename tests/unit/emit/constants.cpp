// Names of the constants of pages.cpp: each belongs to one constant.
#include "emit/page/constants.hpp"

#include <gtest/gtest.h>

namespace svc::emit {
namespace {

TEST(EmitConstants, TellWhereTheyBelong) {
    EXPECT_EQ(pascal_words("/product/:id/edit"), "ProductByIdEdit");
    EXPECT_EQ(pascal_words("order_line"), "OrderLine");
    EXPECT_EQ(pascal_words("a-b_c/2d"), "ABC2d");
    EXPECT_EQ(pascal_words(""), "");
}

TEST(EmitConstants, HaveNamesOfTheirOwn) {
    Constants out;
    EXPECT_EQ(out.row("Part", "kA", {"{}"}), "kA");
    EXPECT_EQ(out.row("Part", "kA", {"{}"}), "kA2");
    EXPECT_EQ(out.array("Part", "kA2", {"{}"}), "kA22");
    EXPECT_EQ(out.object("Part", "kA", Members()), "kA3");
    EXPECT_EQ(out.array("Part", "kEmpty", {}), "");
    EXPECT_EQ(out.row("Part", "kEmpty", {}), "");
}

TEST(EmitConstants, PrintSharedRowsOnceAndFirst) {
    Constants out;
    out.array("Block", "kBlocks", {out.shared("Part", "kRowId", {"{1}"})});
    EXPECT_EQ(out.shared("Part", "kRowId", {"{1}"}), "kRowId");
    EXPECT_EQ(out.shared("Part", "kRowId", {"{2}"}), "kRowId2");
    const std::string text = out.text();
    EXPECT_LT(text.find("kRowId2[] = {{2}};"), text.find("kBlocks[] = {"));
    EXPECT_EQ(text.find("kRowId[]"), text.rfind("kRowId[]"));
    EXPECT_TRUE(text.starts_with("using svc::page::Block;\nusing svc::page::Part;\n"));
}

}  // namespace
}  // namespace svc::emit
