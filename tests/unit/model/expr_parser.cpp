#include <gtest/gtest.h>

#include <string>

#include "model/expr/syntax.hpp"

namespace {

using svc::model::ExprKind;
using svc::model::Syntax;

std::string joined(const std::vector<std::string>& names) {
    std::string out;
    for (const std::string& name : names) out += (out.empty() ? "" : ".") + name;
    return out;
}

// The tree in prefix form.
std::string shown(const Syntax& node) {
    static const char* const kNames[] = {"",   "list", "",  "!",  "neg", "&&", "||",
                                         "==", "!=",   "<", "<=", ">",   ">=", "in",
                                         "+",  "-",    "*", "/",  ""};
    if (node.kind == ExprKind::literal) return node.text.empty() ? "''" : node.text;
    if (node.kind == ExprKind::path) return joined(node.names);
    std::string out =
        "(" + (node.kind == ExprKind::call ? node.text : kNames[static_cast<int>(node.kind)]);
    for (const Syntax& arg : node.args) out += " " + shown(arg);
    return out + ")";
}

std::string parsed(const std::string& text) {
    svc::model::SyntaxError error;
    const auto tree = svc::model::parse_expression(text, error);
    return tree ? shown(*tree) : "column " + std::to_string(error.column);
}

TEST(ExprParser, BindsOperatorsByPrecedence) {
    EXPECT_EQ(parsed("a || b && c"), "(|| a (&& b c))");
    EXPECT_EQ(parsed("a || b || c"), "(|| a b c)");
    EXPECT_EQ(parsed("(a || b) && !c"), "(&& (|| a b) (! c))");
    EXPECT_EQ(parsed("a + b * c - d"), "(- (+ a (* b c)) d)");
    EXPECT_EQ(parsed("a / b / c"), "(/ (/ a b) c)");
    EXPECT_EQ(parsed("-a * b < c + 1"), "(< (* (neg a) b) (+ c 1))");
    EXPECT_EQ(parsed("!a == b"), "(== (! a) b)");
    EXPECT_EQ(parsed("a in ['x', \"y\"]"), "(in a (list x y))");
}

TEST(ExprParser, ReadsPathsAndCalls) {
    EXPECT_EQ(parsed("new.product.stock"), "new.product.stock");
    EXPECT_EQ(parsed("exists(lines)"), "(exists lines)");
    EXPECT_EQ(parsed("now()"), "(now)");
    EXPECT_EQ(parsed("title.startsWith('A')"), "(startsWith title A)");
    EXPECT_EQ(parsed("coalesce(a, 0) in b.c"), "(in (coalesce a 0) b.c)");
    EXPECT_EQ(parsed("trueish"), "trueish");
}

TEST(ExprParser, ReadsTextsAsWritten) {
    EXPECT_EQ(parsed(R"('it\'s "x"')"), "it's \"x\"");
    EXPECT_EQ(parsed(R"("a\n\\")"), "a\n\\");
    EXPECT_EQ(parsed("''"), "''");
    EXPECT_EQ(parsed("1.50"), "1.50");
}

TEST(ExprParser, NamesTheColumnOfAMistake) {
    EXPECT_EQ(parsed(""), "column 1");
    EXPECT_EQ(parsed("a &&"), "column 5");
    EXPECT_EQ(parsed("a = b"), "column 3");
    EXPECT_EQ(parsed("a == b == c"), "column 8");
    EXPECT_EQ(parsed("(a"), "column 3");
    EXPECT_EQ(parsed("a b"), "column 3");
    EXPECT_EQ(parsed("a."), "column 3");
    EXPECT_EQ(parsed("f(a,)"), "column 5");
    EXPECT_EQ(parsed("'abc"), "column 1");
    EXPECT_EQ(parsed("a ? b"), "column 3");
    EXPECT_EQ(parsed("a & b"), "column 3");
}

TEST(ExprParser, DepthIsBounded) {
    EXPECT_EQ(parsed(std::string(10000, '(') + "a").substr(0, 6), "column");
    EXPECT_EQ(parsed(std::string(10000, '!') + "a").substr(0, 6), "column");
    EXPECT_EQ(parsed(std::string(20, '(') + "a" + std::string(20, ')')), "a");
}

}  // namespace
