#include "migrate/seed/seed_keys.hpp"

#include "pipeline.hpp"
#include "unit/migrate/fixture.hpp"

namespace svc::migrate {
namespace {

class SeedKeyTest : public MigrateTest {
  protected:
    Result seed(const std::string& rows, const std::string& users = "") {
        const auto checked = pipeline::check(
            R"({"app": {"name": "Shop"}, "personas": [{"id": "c", "kind": "consumer"}], "entities": [
              {"name": "item", "owner": "none", "fields": [
                {"name": "sku", "type": "string", "unique": true}, {"name": "n", "type": "integer"},
                {"name": "next", "type": "ref", "to": "item"}]}],
              "seeds": {)" +
            users + R"("item": [)" + rows + "]}}");
        if (!checked.plan) {
            for (const auto& finding : checked.findings.all()) ADD_FAILURE() << finding.message;
            return {};
        }
        return apply(*checked.plan, ++version_);
    }
    // sku=n of all rows, with the first letter of the id that each had at first.
    std::string rows() {
        return query(
            "select string_agg(sku || '=' || coalesce(n::text, '-'), ' ' order by sku) "
            "from public.item");
    }
    std::string id(const std::string& sku) {
        return query("select id from public.item where sku = '" + sku + "'");
    }
    static std::string users(const std::string& name, bool is_admin) {
        return R"("@users": [{"email": "ann@example.test", "persona": "c", "name": ")" + name +
               R"(", "isAdmin": )" + (is_admin ? "true" : "false") + "}],";
    }
    std::int64_t version_ = 0;
};

TEST_F(SeedKeyTest, again_and_again_is_once) {
    const std::string rows = R"({"_key": "a", "sku": "A", "n": 1, "next": "@b"},
                                {"_key": "b", "sku": "B", "n": 2}, {"sku": "C", "n": 3})";
    for (int i = 0; i < 4; ++i) ASSERT_TRUE(seed(rows).ok);
    EXPECT_EQ(this->rows(), "A=1 B=2 C=3");
    EXPECT_EQ(query("select count(*) from svc.seed"), "3");
}

TEST_F(SeedKeyTest, a_users_change_stays_until_the_contract_changes_that_row) {
    ASSERT_TRUE(seed(R"({"_key": "a", "sku": "A", "n": 1}, {"_key": "b", "sku": "B", "n": 2})").ok);
    query("update public.item set n = 9");
    ASSERT_TRUE(seed(R"({"_key": "a", "sku": "A", "n": 1}, {"_key": "b", "sku": "B", "n": 3})").ok);
    EXPECT_EQ(rows(), "A=9 B=3");
}

TEST_F(SeedKeyTest, a_new_version_writes_only_what_it_says_otherwise) {
    ASSERT_TRUE(seed(R"({"_key": "a", "sku": "A", "n": 1}, {"_key": "b", "sku": "B", "n": 1})").ok);
    query("update public.item set n = 9");
    query("delete from public.item where sku = 'B'");
    ASSERT_TRUE(seed(R"({"_key": "a", "sku": "Z", "n": 1}, {"_key": "b", "sku": "Y", "n": 1})").ok);
    EXPECT_EQ(rows(), "Z=9");
    ASSERT_TRUE(seed(R"({"_key": "a", "sku": "Z", "n": 2})").ok);
    EXPECT_EQ(rows(), "Z=2");
}

TEST_F(SeedKeyTest, a_right_that_was_taken_away_stays_away_when_a_seed_changes_its_name) {
    ASSERT_TRUE(seed("", users("Ann", true)).ok);
    query("update svc.account set is_admin = false");
    ASSERT_TRUE(seed("", users("Anna", true)).ok);
    EXPECT_EQ(query("select name || ' ' || is_admin from svc.account"), "Anna false");
}

TEST_F(SeedKeyTest, a_row_that_moves_to_another_key_stays_the_row_that_it_is) {
    ASSERT_TRUE(seed(R"({"_key": "a", "sku": "A", "n": 1})").ok);
    const auto before = id("A");
    ASSERT_TRUE(seed(R"({"_key": "z", "sku": "A", "n": 1})").ok);
    ASSERT_TRUE(seed(R"({"_key": "z", "sku": "A", "n": 2})").ok);
    EXPECT_EQ(rows(), "A=2");
    EXPECT_EQ(id("A"), before);
}

TEST_F(SeedKeyTest, rows_without_a_key_are_known_by_what_they_say) {
    ASSERT_TRUE(seed(R"({"sku": "A", "n": 1}, {"sku": "B", "n": 2})").ok);
    const auto a = id("A"), b = id("B");
    const auto result = seed(R"({"sku": "C", "n": 3}, {"sku": "A", "n": 1}, {"sku": "B", "n": 2})");
    ASSERT_TRUE(result.ok) << described(result);
    EXPECT_EQ(rows(), "A=1 B=2 C=3");
    EXPECT_EQ(id("A") + id("B"), a + b);
    ASSERT_TRUE(seed(R"({"sku": "B", "n": 2})").ok);
    ASSERT_TRUE(seed(R"({"sku": "B", "n": 4}, {"sku": "D", "n": 5})").ok);
    EXPECT_EQ(rows(), "A=1 B=4 C=3 D=5");
    // A seed that was left out comes back as the same row, and may get a key.
    ASSERT_TRUE(seed(R"({"_key": "a", "sku": "A", "n": 1}, {"sku": "C", "n": 3})").ok);
    EXPECT_EQ(rows(), "A=1 B=4 C=3 D=5");
    EXPECT_EQ(id("A") + id("B"), a + b);
}

TEST_F(SeedKeyTest, seeds_that_leave_keep_their_rows) {
    ASSERT_TRUE(seed(R"({"_key": "a", "sku": "A"}, {"_key": "b", "sku": "B"})").ok);
    ASSERT_TRUE(seed(R"({"_key": "b", "sku": "B"})").ok);
    EXPECT_EQ(rows(), "A=- B=-");
}

TEST_F(SeedKeyTest, a_value_that_another_row_has_is_told_in_words) {
    ASSERT_TRUE(seed("").ok);
    query("insert into public.item (sku) values ('A')");
    const auto finding = only(seed(R"({"_key": "a", "sku": "A"})"));
    EXPECT_EQ(finding.code, "SEED_REFUSED");
    EXPECT_EQ(finding.path, "/seeds/item/0");
    EXPECT_NE(finding.message.find("(sku)=(A)"), std::string::npos) << finding.message;
    EXPECT_FALSE(finding.fix.empty());
}

TEST_F(SeedKeyTest, accounts_are_made_once) {
    const std::string ann =
        R"("@users": [{"_key": "ann", "email": "ann@example.test", "persona": "c"}],)";
    const std::string moved =
        R"("@users": [{"_key": "anne", "email": "Ann@example.test", "persona": "c"}],)";
    ASSERT_TRUE(seed("", ann).ok);
    ASSERT_TRUE(seed("", ann).ok);
    ASSERT_TRUE(seed("", moved).ok);
    EXPECT_EQ(query("select count(*) from svc.account"), "1");
}

// By its place the second one would become the first.
TEST_F(SeedKeyTest, accounts_without_a_key_are_known_by_their_address) {
    const std::string bob = R"({"email": "bob@example.test", "name": "Bob", "persona": "c"})";
    ASSERT_TRUE(
        seed("", R"("@users": [{"email": "Ann@example.test", "persona": "c"}, )" + bob + "],").ok);
    const auto id = query("select id from svc.account where email = 'bob@example.test'");
    const auto result = seed("", "\"@users\": [" + bob + "],");
    ASSERT_TRUE(result.ok) << described(result);
    EXPECT_EQ(query("select string_agg(email || name, ' ' order by email) from svc.account"),
              "ann@example.test bob@example.testBob");
    EXPECT_EQ(query("select id from svc.account where email = 'bob@example.test'"), id);
}

}  // namespace
}  // namespace svc::migrate
