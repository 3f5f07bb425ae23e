// Unmanaged tables, as PostgreSQL describes them, and the entities that they become.
#include <gtest/gtest.h>

#include "patch/adopted_checks.hpp"
#include "patch/patch.hpp"

namespace svc::devapi::patch {
namespace {

using Kind = UnmanagedConstraint::Kind;

Unmanaged table(std::vector<UnmanagedColumn> columns,
                std::vector<UnmanagedConstraint> constraints = {}) {
    Unmanaged out;
    out.there = true;
    out.columns = std::move(columns);
    out.columns.insert(out.columns.begin(), {"id", "uuid", true});
    out.constraints = std::move(constraints);
    out.constraints.push_back({Kind::primary, "note_pkey", {"id"}});
    return out;
}

struct Outcome {
    std::string entity, refusal;
    std::vector<migrate::Replaced> replaced;
};

Outcome adopt(const Unmanaged& made, const std::string& more = "") {
    PatchContext patch_context;
    patch_context.table = [&](const std::string&) { return made; };
    const std::string edit = R"({"op": "adopt_table", "table": "note")" + more + "}";
    try {
        std::string contract = patched(R"({"entities":[]})", {edit}, patch_context);
        return {contract.substr(13, contract.size() - 15), "", patch_context.replaced};
    } catch (const PatchError& refused) {
        return {"", refused.what(), {}};
    }
}

// The fields alone.
std::string fields(const Unmanaged& made, const std::string& more = "") {
    const Outcome outcome = adopt(made, more);
    if (!outcome.refusal.empty()) return outcome.refusal;
    const auto begin = outcome.entity.find("\"fields\": [\n        ") + 20;
    return outcome.entity.substr(begin, outcome.entity.size() - 2 - begin);
}

TEST(AdoptTable, GivesEachTypeOfColumnItsFieldType) {
    const std::pair<const char*, const char*> types[] = {
        {"text", R"("type": "text"})"},
        {"character varying(20)", R"("type": "string", "max": 20})"},
        {"smallint", R"("type": "integer"})"},
        {"numeric", R"("type": "number"})"},
        {"numeric(10,2)", R"("type": "decimal", "scale": 2})"},
        {"timestamp with time zone", R"("type": "datetime"})"},
        {"jsonb", R"("type": "json"})"},
        {"text[]", R"("type": "tags"})"}};
    for (const auto& [type, field] : types)
        EXPECT_EQ(fields(table({{"a", type}})), std::string(R"({"name": "a", )") + field) << type;
    for (const char* type : {"bytea", "interval", "timestamp without time zone", "json",
                             "character(3)", "integer[]", "mood", "money", "numeric(3,-2)"})
        EXPECT_NE(
            fields(table({{"a", type}})).find("column \"a\" has the type " + std::string(type)),
            std::string::npos)
            << fields(table({{"a", type}}));
    UnmanagedColumn mood{"a", "mood"};
    mood.values = {"sad", "o\"k"};
    EXPECT_EQ(fields(table({mood})), R"({"name": "a", "type": "enum", "values": ["sad", "o\"k"]})");
}

TEST(AdoptTable, KeepsNullsDefaultsAndUniqueKeys) {
    EXPECT_EQ(fields(table({{"a", "text", true, "'x'::text", "\"x\""}},
                           {{Kind::unique, "note_a_key", {"a"}}})),
              R"({"name": "a", "type": "text", "required": true, "unique": true, "default": "x"})");
    EXPECT_EQ(fields(table({{"a", "timestamp with time zone", false, "now()"}})),
              R"json({"name": "a", "type": "datetime", "default": "now()"})json");
    EXPECT_EQ(fields(table({{"a", "text", false, "NULL::text", "null"}})),
              R"({"name": "a", "type": "text"})");
    EXPECT_EQ(fields(table({{"a", "integer", true, "nextval('s'::regclass)"}})),
              "The table \"note\" cannot be adopted. Its column \"a\" has the default "
              "nextval('s'::regclass), which a contract cannot express.");
    const auto two = adopt(
        table({{"a", "text"}, {"b", "text"}}, {{Kind::unique, "u", {"a", "b"}, "", true, true}}));
    EXPECT_NE(two.entity.find(R"("unique": [["a", "b"]])"), std::string::npos) << two.entity;
    ASSERT_EQ(two.replaced.size(), 1U);
    EXPECT_EQ(two.replaced[0].kind, migrate::ObjectKind::index);
    EXPECT_EQ(two.replaced[0].name, "u");
    EXPECT_NE(adopt(table({{"a", "text"}}, {{Kind::unique, "u", {"a"}, "… WHERE …", false, true}}))
                  .refusal.find("\"u\" cannot be written in a contract: … WHERE …"),
              std::string::npos);
}

TEST(AdoptTable, MakesRefsOfForeignKeys) {
    UnmanagedConstraint key{Kind::foreign, "k", {"part_id"}, "FOREIGN KEY …"};
    key.target = "note";
    key.target_column = "id";
    key.on_delete = 'c';
    const UnmanagedColumn column{"part_id", "uuid"};
    EXPECT_EQ(fields(table({column}, {key})),
              R"({"name": "part_id", "type": "ref", "to": "note", "onDelete": "cascade"})");
    key.target = "part";
    EXPECT_NE(fields(table({column}, {key})).find("which is not an entity. Adopt that table first"),
              std::string::npos);
    key.target = "";
    EXPECT_NE(fields(table({column}, {key}))
                  .find("has a foreign key that a ref cannot express: FOREIGN KEY …"),
              std::string::npos);
}

TEST(AdoptTable, ReadsTheOwnerFromItsColumns) {
    const Unmanaged plain = table({{"a", "text"}}),
                    owned = table({{"a", "text"},
                                   {"user_id", "uuid"},
                                   {"created_at", "timestamp with time zone"}});
    const auto owner = [](const Unmanaged& made, const std::string& more = "") {
        const Outcome outcome = adopt(made, more);
        const auto at = outcome.entity.find("\"owner\": ");
        return outcome.refusal + (at == std::string::npos ? "" : outcome.entity.substr(at + 9, 6));
    };
    EXPECT_EQ(owner(plain), "\"none\"");
    EXPECT_EQ(owner(owned), "\"user\"");
    EXPECT_EQ(fields(owned), R"({"name": "a", "type": "text"})");
    EXPECT_EQ(owner(plain, R"(, "owner": "user")"), "\"user\"");
    EXPECT_NE(owner(owned, R"(, "owner": "none")").find("column \"user_id\" is there"),
              std::string::npos);
    EXPECT_NE(owner(table({{"a", "text"}, {"user_id", "text"}})).find("\"user_id\" is text"),
              std::string::npos);
}

TEST(AdoptTable, RefusesTablesThatCannotBeEntities) {
    Unmanaged one = table({{"a", "text"}});
    one.constraints.clear();
    EXPECT_NE(adopt(one).refusal.find("primary key must be id, a uuid"), std::string::npos);
    EXPECT_NE(adopt(table({{"Big", "text"}})).refusal.find("column \"Big\" has a name"),
              std::string::npos);
    EXPECT_NE(adopt(table({})).refusal.find("no columns"), std::string::npos);
    UnmanagedColumn made{"a", "integer"};
    made.trouble = "is an identity column";
    EXPECT_NE(adopt(table({made})).refusal.find("\"a\" is an identity column"), std::string::npos);
    one.trouble = "It is not an ordinary table.";
    EXPECT_NE(adopt(one).refusal.find("It is not an ordinary table."), std::string::npos);
    one.managed = true;
    EXPECT_EQ(adopt(one).refusal, "The table \"note\" already belongs to the contract.");
    for (const Kind kind : {Kind::other, Kind::check, Kind::foreign})
        EXPECT_NE(adopt(table({{"a", "text"}, {"b", "text"}}, {{kind, "x", {"a", "b"}, "(…)"}}))
                      .refusal.find("\"x\" cannot be written in a contract: (…)"),
                  std::string::npos);
}

struct CheckCase {
    const char *type, *condition, *field;  // field null: it cannot be said
};

// Conditions as PostgreSQL 15 prints them.
TEST(AdoptTable, MakesBoundsOfConditions) {
    const CheckCase cases[] = {
        {"integer", "((a >= 1) AND (a <= 5))", R"("integer", "min": 1, "max": 5})"},
        {"integer", "((a > 0) AND (a < 10))", R"("integer", "min": 1, "max": 9})"},
        {"integer", "(a >= '-5'::integer)", R"("integer", "min": -5})"},
        {"integer", "(a > '-1'::integer)", R"("integer", "min": 0})"},
        {"numeric", "(a >= (0)::numeric)", R"("number", "min": 0})"},
        {"numeric", "(a <= 0.50)", R"("number", "max": 0.50})"},
        {"numeric", "(a > (0)::numeric)", nullptr},
        {"numeric", "(a >= '-1.5'::numeric)", R"("number", "min": -1.5})"},
        {"date", "(a >= '2020-01-31'::date)", R"("date", "min": "2020-01-31"})"},
        {"date", "(a > '2020-01-31'::date)", nullptr},
        {"text", "(a = ANY (ARRAY['x'::text, 'y, z'::text, 'it''s'::text]))",
         R"("enum", "values": ["x", "y, z", "it's"]})"},
        {"character varying(9)",
         "((a)::text = ANY ((ARRAY['x'::character varying, 'y'::character varying])::text[]))",
         R"("enum", "values": ["x", "y"]})"},
        {"text", "(a = 'x'::text)", R"("enum", "values": ["x"]})"},
        {"text", "(length(a) <= 100)", R"("text", "max": 100})"},
        {"text", "((char_length(a) > 2) AND (char_length(a) < 5))",
         R"("text", "min": 3, "max": 4})"},
        {"character varying(9)", "(length((a)::text) <= 4)", R"("string", "max": 4})"},
        {"text", "(a <> ''::text)", R"("text", "min": 1})"},
        {"text", "(a ~ '^[A-Z''()]+$'::text)", R"("text", "pattern": "^[A-Z'()]+$"})"},
        {"text", "(a ~* 'x'::text)", nullptr},
        {"text", "(lower(a) = a)", nullptr},
        {"text", "(btrim(a) <> ''::text)", nullptr},
        {"integer", "((a >= 1) OR (a IS NULL))", nullptr},
        {"integer", "(NOT (a >= 1))", nullptr},
        {"integer", "((a % 2) = 0)", nullptr},
        {"integer", "(b >= 1)", nullptr},
        {"text", "('x AND ('::text = a)", nullptr},
        {"text", "", nullptr},
    };
    for (const CheckCase& one : cases) {
        const std::string real =
            fields(table({{"a", one.type}}, {{Kind::check, "c", {"a"}, one.condition}}));
        if (one.field)
            EXPECT_EQ(real, std::string(R"({"name": "a", "type": )") + one.field) << one.condition;
        else
            EXPECT_EQ(real,
                      "The table \"note\" cannot be adopted. Its column \"a\" has the check "
                      "\"c\", which a field cannot express: " +
                          std::string(one.condition) + ".");
    }
}

}  // namespace
}  // namespace svc::devapi::patch
