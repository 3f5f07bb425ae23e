// renamedFrom: chains, names that are taken, and objects that depend on the column.
#include "migrate/diff/renames.hpp"
#include "pipeline.hpp"
#include "unit/migrate/fixture.hpp"

namespace svc::migrate {
namespace {

class RenameTest : public MigrateTest {
  protected:
    std::string columns() {
        return query(
            "select string_agg(key || '=' || coalesce(value, '-'), ' ' order by key) from "
            "public.product, jsonb_each_text(to_jsonb(product) - 'id')");
    }
    // From columns that hold their own names, twice: the second time nothing moves.
    std::string moved(const std::vector<std::string>& before,
                      const std::vector<std::string>& after) {
        EXPECT_TRUE(apply(product_of(before)).ok);
        std::string names, values;
        for (const auto& name : before) {
            names += (names.empty() ? "" : ", ") + name;
            values += (values.empty() ? "'" : ", '") + name + "'";
        }
        query("insert into public.product (" + names + ") values (" + values + ")");
        EXPECT_TRUE(apply(product_of(after), 2).ok);
        const std::string out = columns();
        EXPECT_TRUE(apply(product_of(after), 3).changes.empty());
        EXPECT_EQ(columns(), out);
        return out;
    }
};

TEST_F(RenameTest, a_column_moves_once) { EXPECT_EQ(moved({"a"}, {"b<a"}), "b=a"); }
TEST_F(RenameTest, a_chain_moves_from_its_end) {
    EXPECT_EQ(moved({"a", "b"}, {"b<a", "c<b"}), "b=a c=b");
}
TEST_F(RenameTest, a_chain_whose_middle_was_never_there_moves_its_beginning) {
    EXPECT_EQ(moved({"a"}, {"c<b", "b<a"}), "b=a c=-");
}
TEST_F(RenameTest, the_old_name_may_be_a_new_field) {
    EXPECT_EQ(moved({"a"}, {"a", "b<a"}), "a=- b=a");
}
TEST_F(RenameTest, two_that_swap_their_names_stay) {
    EXPECT_EQ(moved({"a", "b"}, {"a<b", "b<a"}), "a=a b=b");
}
TEST_F(RenameTest, both_names_there_is_told) {
    EXPECT_EQ(moved({"a", "b"}, {"b<a"}), "a=a b=b");
    const auto again = apply(product_of({"b<a"}), 4);
    ASSERT_EQ(again.findings.all().size(), 1U);
    EXPECT_EQ(again.findings.all()[0].code, "RENAME_SKIPPED");
}

TEST_F(RenameTest, what_stands_on_the_column_moves_along) {
    const auto contract = [](const std::string& name, const std::string& from) {
        return *pipeline::check(
                    R"({"app": {"name": "Shop"}, "personas": [{"id": "c", "kind": "consumer"}],
            "entities": [{"name": "product", "owner": "none", "fields": [
              {"name": ")" +
                    name + R"(", )" + from +
                    R"( "type": "integer", "unique": true, "min": 0, "index": true},
              {"name": "twice", "type": "integer", "computed": ")" +
                    name + R"( * 2"}],
            "indexes": [["-)" +
                    name + R"(", "created_at"]],
            "rules": [{"on": ["create"], "refuse": "new.)" +
                    name + R"( > 9", "message": "No."}],
            "access": {"read": [{"to": "*", "if": ")" +
                    name + R"( > 3"}], "create": "c"}}],
            "seeds": {}})")
                    .plan;
    };
    ASSERT_TRUE(apply(contract("wide", "")).ok);
    query("insert into public.product (wide) values (5)");
    const auto renamed = contract("width", R"("renamedFrom": "wide",)");
    const auto result = apply(renamed, 2);
    ASSERT_TRUE(result.ok) << described(result);
    EXPECT_EQ(query("select width || ' ' || twice from public.product"), "5 10");
    EXPECT_TRUE(apply(renamed, 3).changes.empty());
    EXPECT_EQ(query("select count(*) from pg_indexes where indexdef like '%wide%'"), "0");
}

}  // namespace
}  // namespace svc::migrate
