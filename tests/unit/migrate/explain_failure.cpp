// The message for a change that PostgreSQL refuses: the object, and what to do.
#include "migrate/refusal/explain_failure.hpp"

#include "pipeline.hpp"
#include "unit/migrate/fixture.hpp"

namespace svc::migrate {
namespace {

plan::Plan plan_of_part(const std::string& fields, const std::string& more = "") {
    return *pipeline::check(
                R"({"app": {"name": "A"}, "personas": [{"id": "clerk", "kind": "staff"}],
        "entities": [{"name": "part", "owner": "none", "fields": [)" +
                fields + R"(], "access": {"read": "clerk"}})" + more + R"(], "seeds": {}})")
                .plan;
}

constexpr const char* kField = R"({"name": "f", "type": "text"})";
constexpr const char* kNoteBeside =
    R"(, {"name": "note", "owner": "none", "fields": [{"name": "body", "type": "text"}], "access": {"read": "clerk"}})";

class ExplainFailureTest : public MigrateTest {
  protected:
    void SetUp() override {
        MigrateTest::SetUp();
        if (IsSkipped()) return;
        ASSERT_TRUE(apply(plan_of_part(kField)).ok);
    }
    // The finding of this plan once that was done by hand.
    diag::Finding refused(const std::string& by_hand, const plan::Plan& plan) {
        query("set role " + target_.owner_role + "; " + by_hand);
        const Result result = apply(plan, 2);
        EXPECT_EQ(only(result).code, "MIGRATION_FAILED") << described(result);
        return only(result);
    }
    static bool begins(const std::string& text, const std::string& begin) {
        return text.starts_with(begin);
    }
};

TEST_F(ExplainFailureTest, a_table_whose_name_is_a_types) {
    const auto finding =
        refused("create type public.note as enum ('a')", plan_of_part(kField, kNoteBeside));
    EXPECT_EQ(finding.path, "/entities/1");
    EXPECT_EQ(finding.message,
              "The database refused to create the table note: type \"note\" already exists "
              "(42710).");
    EXPECT_TRUE(begins(finding.fix,
                       "Something in the database already has this name: drop or rename it there, "
                       "or choose another name in the contract. The statement: create table "))
        << finding.fix;
}

TEST_F(ExplainFailureTest, an_index_whose_name_is_a_tables) {
    const auto finding = refused("create table public.part_f_idx (a integer)",
                                 plan_of_part(R"({"name": "f", "type": "text", "index": true})"));
    EXPECT_EQ(finding.path, "/entities/0/fields/0");
    EXPECT_EQ(finding.message,
              "The database refused to create the index part_f_idx on part: relation "
              "\"part_f_idx\" already exists (42P07).");
}

TEST_F(ExplainFailureTest, a_column_that_a_view_stands_on) {
    const auto finding = refused("create view public.seen as select f from public.part",
                                 plan_of_part(R"({"name": "f", "type": "integer"})"));
    EXPECT_EQ(finding.path, "/entities/0/fields/0");
    EXPECT_TRUE(begins(finding.message,
                       "The database refused to alter the type of the column f of part: cannot "
                       "alter type of a column used by a view or rule (0A000). rule _RETURN on "
                       "view seen depends on column \"f\""))
        << finding.message;
    EXPECT_TRUE(
        begins(finding.fix, "Something that was created by hand depends on it: drop that first"))
        << finding.fix;
}

TEST_F(ExplainFailureTest, a_policy_that_asks_for_nothing_that_is_there) {
    auto wrong = plan_of_part(kField);
    for (auto& routine : wrong.routines)
        if (routine.kind == plan::Routine::Kind::policy)
            routine.create = "create policy part_select on public.part using (nonsense)";
    const auto finding = refused("select 1", wrong);
    EXPECT_TRUE(
        begins(finding.message, "The database refused to make the policy part_select of part: "))
        << finding.message;
    EXPECT_TRUE(begins(finding.fix, "Something that it needs is not in the database"))
        << finding.fix;
}

class ExplainedFaultTest : public MigrateTest {};

TEST_F(ExplainedFaultTest, a_fault_of_the_database_tells_it_too) {
    ASSERT_TRUE(apply(product()).ok);
    plan::Plan other = product();
    other.routines[0].create =
        "create function svc.product_may_select() returns boolean language c as 'x', 'y'";
    try {
        apply(other, 2);
        ADD_FAILURE() << "it was let";
    } catch (const Failure& failure) {
        EXPECT_EQ(std::string(failure.what()),
                  "DATABASE_FAILED: The database could not make the function product_may_select: "
                  "permission denied for language c (42501).");
    }
}

TEST(ExplainFailure, NamesWhatAChangeIsFor) {
    const auto words = [](ChangeKind kind, const char* table, const char* column, Key key) {
        return words_of({{kind, table, column, ""}, "", false, std::move(key)});
    };
    EXPECT_EQ(words(ChangeKind::add_column, "part", "colour", {}), "add the column colour of part");
    EXPECT_EQ(words(ChangeKind::set_default, "part", "f", {}),
              "set the default of the column f of part");
    EXPECT_EQ(words(ChangeKind::rename_column, "part", "f", {}), "rename the column f of part");
    EXPECT_EQ(words(ChangeKind::add_constraint, "part", "",
                    {ObjectKind::constraint, "part.part_f_check"}),
              "add the constraint part_f_check of part");
    EXPECT_EQ(words(ChangeKind::function, "", "", {ObjectKind::function, "part_rules"}),
              "make the function part_rules");
    EXPECT_EQ(words(ChangeKind::drop_index, "part", "", {}), "drop the index on part");
    EXPECT_EQ(words(ChangeKind::retire_table, "part", "", {}), "retire the table part");
    EXPECT_TRUE(fix_of("99999", "select 1") == "The statement: select 1");
}

}  // namespace
}  // namespace svc::migrate
