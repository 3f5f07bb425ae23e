// Tables that exist in the database before their entity, and refused tables of the app.
#include "pipeline.hpp"
#include "unit/migrate/fixture.hpp"

namespace svc::migrate {
namespace {

plan::Plan plan_of(const std::string& entities) {
    return *pipeline::check(
                R"({"app": {"name": "A"}, "personas": [{"id": "clerk", "kind": "staff"}],
        "entities": [)" +
                entities + R"(], "seeds": {}})")
                .plan;
}

constexpr const char* kPart =
    R"({"name": "part", "owner": "none", "fields": [{"name": "f", "type": "text"}], "access": {"read": "clerk"}})";
constexpr const char* kNote =
    R"({"name": "note", "owner": "none", "fields": [{"name": "body", "type": "text"}], "access": {"read": "clerk"}})";

class AdoptedTest : public MigrateTest {
  protected:
    void SetUp() override {
        MigrateTest::SetUp();
        if (IsSkipped()) return;
        ASSERT_TRUE(apply(plan_of(kPart)).ok);
    }
    Result both() { return apply(plan_of(std::string(kPart) + ", " + kNote), 2); }
    std::string owned(const std::string& sql) {
        return "set role " + target_.owner_role + "; " + sql;
    }
};

TEST_F(AdoptedTest, a_table_with_such_an_id_becomes_the_entitys) {
    query(
        owned("create table public.note (id uuid primary key, body text, more int not null);"
              "insert into public.note values (gen_random_uuid(), 'kept', 1)"));
    const auto left = apply(plan_of(kPart), 2);
    ASSERT_TRUE(left.ok) << described(left);
    EXPECT_TRUE(left.changes.empty());
    ASSERT_EQ(left.leftovers.size(), 1U);
    EXPECT_EQ(left.leftovers[0].kind, Leftover::Kind::table);
    EXPECT_EQ(left.leftovers[0].table, "note");
    const auto result = both();
    ASSERT_TRUE(result.ok) << described(result);
    EXPECT_TRUE(described(result).starts_with("TABLE_ADOPTED /entities/1 ")) << described(result);
    EXPECT_EQ(query("select body from public.note"), "kept");
    const auto again = both();
    EXPECT_TRUE(again.changes.empty());
    EXPECT_EQ(described(again), "");
}

TEST_F(AdoptedTest, another_one_is_in_the_way) {
    for (const char* table : {"(id int primary key)", "(id uuid)", "(body text primary key)",
                              "(id uuid, "
                              "n int, primary key (id, n))",
                              "(body text)", "(body int)"}) {
        query(owned("create table public.note " + std::string(table)));
        EXPECT_EQ(only(both()).code, "TABLE_IN_THE_WAY") << table;
        query("drop table public.note");
    }
    query(owned("create type public.note as enum ('a')"));
    EXPECT_EQ(only(both()).code, "MIGRATION_FAILED");
}

TEST_F(AdoptedTest, a_table_that_left_the_contract_comes_back_without_a_word) {
    ASSERT_TRUE(both().ok);
    ASSERT_TRUE(apply(plan_of(kPart), 3).ok);
    EXPECT_EQ(described(both()), "");
}

TEST_F(AdoptedTest, nobody_truncates_what_is_recorded) {
    query("insert into public.part (f) values ('x')");
    for (const std::string& sql :
         {std::string("truncate public.part"), owned("truncate public.part"),
          owned("create table public.other (a uuid); truncate public.other, public.part")}) {
        try {
            query(sql);
            ADD_FAILURE() << sql;
        } catch (const pqxx::feature_not_supported& error) {
            EXPECT_NE(std::string(error.what()).find("delete from public.part"), std::string::npos);
        }
    }
    query("delete from public.part");
    EXPECT_EQ(query("select string_agg(event, ' ' order by seq) from svc.change"),
              "created deleted");
    query("drop table if exists public.other; create table public.other (a uuid references part);");
    EXPECT_THROW(query("truncate public.part cascade"), pqxx::feature_not_supported);
    query("truncate public.other");
}

}  // namespace
}  // namespace svc::migrate
