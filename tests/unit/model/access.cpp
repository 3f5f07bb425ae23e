// Access that asks for access: it ends, and what it is when it is written out stays small.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "contract/parse.hpp"
#include "model/resolve.hpp"
#include "unit/model/contract.hpp"

namespace {

using Codes = std::vector<std::string>;

std::string entity(const std::string& name, const std::string& to, const std::string& access) {
    return R"({"name": ")" + name +
           R"(", "owner": "none", "fields": [{"name": "r", "type": "ref", "to": ")" + to +
           R"("}, {"name": "s", "type": "ref", "to": ")" + to + R"("}], "access": )" + access + "}";
}

std::string contract(const std::string& entities) {
    return R"({"app": {"name": "A"}, "personas": [{"id": "p", "kind": "staff"}],
        "entities": [{"name": "e0", "owner": "none", "fields": [], "access": {"read": "p", "update": "p"}})" +
           entities + "]}";
}

// e1 … e<n>, each over the one before.
std::string chain(std::size_t n, const std::string& access) {
    std::string out;
    for (std::size_t i = 1; i <= n; ++i) {
        out += ", " + entity("e" + std::to_string(i), "e" + std::to_string(i - 1), access);
    }
    return contract(out);
}

std::string if_can(const std::string& operation, const std::string& condition) {
    return R"({")" + operation + R"(": [{"to": "p", "if": ")" + condition + R"("}]})";
}

svc::diag::Findings found(const std::string& text) {
    const auto parsed = svc::contract::parse(text);
    EXPECT_TRUE(parsed.contract);
    return svc::model::resolve(*parsed.contract).findings;
}

TEST(ModelAccess, AChainOfParentsHasAnEnd) {
    const std::string same_as = R"({"same_as": "r"})";
    EXPECT_EQ(svc::tests::codes(found(chain(16, same_as))), Codes{});
    for (const std::size_t n : {17U, 18U, 2000U}) {
        const auto findings = found(chain(n, same_as));
        ASSERT_EQ(svc::tests::codes(findings), Codes{"ACCESS_TOO_DEEP"});
        EXPECT_EQ(findings.all()[0].path, "/entities/17/access/same_as");
    }
}

TEST(ModelAccess, QuestionsThatDoubleHaveAnEnd) {
    const std::string twice = if_can("read", "can('read', r) && can('read', s)");
    EXPECT_EQ(svc::tests::codes(found(chain(7, twice))), Codes{});
    for (const std::size_t n : {8U, 9U, 30U, 2000U}) {
        const auto findings = found(chain(n, twice));
        ASSERT_EQ(svc::tests::codes(findings), Codes{"ACCESS_TOO_DEEP"});
        EXPECT_EQ(findings.all()[0].path, "/entities/8/access/read/0/if");
    }
}

// update asks for read as well, on the row itself and on that which is asked about.
TEST(ModelAccess, WhatUpdateNeedsCounts) {
    const std::string once =
        R"json({"read": [{"to": "p", "if": "can('read', r)"}],
                "update": [{"to": "p", "if": "can('update', r)"}]})json";
    EXPECT_EQ(svc::tests::codes(found(chain(9, once))), Codes{});
    EXPECT_EQ(svc::tests::codes(found(chain(40, once))), Codes{"ACCESS_TOO_DEEP"});
}

TEST(ModelAccess, OneThatIsTooDeepIsToldOfEachChain) {
    std::string entities;
    for (const char* name : {"a", "b"}) {
        std::string before = "e0";
        for (int i = 1; i <= 20; ++i) {
            const std::string next = name + std::to_string(i);
            entities += ", " + entity(next, before, R"({"same_as": "r"})");
            before = next;
        }
    }
    EXPECT_EQ(svc::tests::codes(found(contract(entities))),
              (Codes{"ACCESS_TOO_DEEP", "ACCESS_TOO_DEEP"}));
}

TEST(ModelAccess, ACircleIsToldOnce) {
    const std::string same_as = R"({"same_as": "r"})";
    const auto three =
        found(contract(", " + entity("a", "c", same_as) + ", " + entity("b", "a", same_as) + ", " +
                       entity("c", "b", same_as)));
    ASSERT_EQ(svc::tests::codes(three), Codes{"ACCESS_CYCLE"});
    EXPECT_EQ(three.all()[0].path, "/entities/1/access");
    EXPECT_NE(three.all()[0].message.find("a \u2192 c \u2192 b \u2192 a"), std::string::npos);
    std::string round = ", " + entity("e1", "e900", same_as);
    for (int i = 2; i <= 900; ++i) {
        round += ", " + entity("e" + std::to_string(i), "e" + std::to_string(i - 1), same_as);
    }
    EXPECT_EQ(svc::tests::codes(found(contract(round))), Codes{"ACCESS_CYCLE"});
}

// A circle does not hide another one that it is asked by.
TEST(ModelAccess, EveryCircleIsTold) {
    const std::string same_as = R"({"same_as": "r"})";
    EXPECT_EQ(svc::tests::codes(found(
                  contract(", " + entity("a", "b", same_as) + ", " + entity("b", "a", same_as) +
                           ", " + entity("c", "a", if_can("read", "can('read', r)")) + ", " +
                           entity("d", "d", if_can("read", "can('read', r) && can('read', s)"))))),
              (Codes{"ACCESS_CYCLE", "ACCESS_CYCLE"}));
}

}  // namespace
