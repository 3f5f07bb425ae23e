// Changes by hand are reverted, or reported.
#include <algorithm>

#include "migrate/schema/schema.hpp"
#include "pipeline.hpp"
#include "unit/migrate/fixture.hpp"

namespace svc::migrate {
namespace {

constexpr const char* kShop = R"({
  "app": {"name": "Shop"},
  "personas": [{"id": "customer", "kind": "consumer"}, {"id": "clerk", "kind": "staff"}],
  "entities": [
    {"name": "product", "owner": "none",
     "fields": [
       {"name": "sku", "type": "string", "required": true, "unique": true},
       {"name": "price", "type": "money", "min": 0, "default": 100, "index": true},
       {"name": "twice", "type": "money", "computed": "price * 2"},
       {"name": "number", "type": "sequence", "prefix": "P-"}],
     "access": {"read": "*", "create": "clerk", "update": "clerk"},
     "rules": [{"on": ["create"], "refuse": "new.price > 1000", "message": "Too dear."}]},
    {"name": "note", "owner": "none",
     "fields": [{"name": "product_id", "type": "ref", "to": "product", "onDelete": "cascade"}],
     "access": {"read": "clerk", "create": [{"to": "customer", "if": "product.price > 3"}]}}],
  "seeds": {}})";

class DriftTest : public MigrateTest {
  protected:
    void SetUp() override {
        MigrateTest::SetUp();
        if (IsSkipped()) return;
        auto checked = pipeline::check(kShop);
        for (const auto& finding : checked.findings.all()) {
            if (finding.severity == diag::Severity::error) ADD_FAILURE() << finding.message;
        }
        ASSERT_TRUE(checked.plan);
        plan_ = *checked.plan;
        const auto result = apply(plan_);
        ASSERT_TRUE(result.ok) << described(result);
        ASSERT_TRUE(apply(plan_, 2).changes.empty());
        ASSERT_TRUE(apply(plan_, 2).findings.all().empty());
    }

    // By hand, then once more: what was done, and everything as if nothing had been.
    Result after(const std::string& sql) {
        const std::string was = everything();
        query(sql);
        EXPECT_NE(everything(), was) << sql;
        const auto shown = preview(plan_, target_);
        const auto result = apply(plan_, 3);
        EXPECT_TRUE(result.ok) << sql << described(result);
        EXPECT_FALSE(result.changes.empty()) << sql;
        EXPECT_EQ(shown.changes.size(), result.changes.size()) << sql;
        EXPECT_EQ(everything(), was) << sql;
        EXPECT_TRUE(apply(plan_, 4).changes.empty()) << sql;
        return result;
    }

    std::string everything() {
        pqxx::connection connection(target_.url);
        pqxx::work tx(connection);
        tx.exec0("set local search_path = public");
        std::string out;
        const auto schema = read_schema(tx, target_.data_role);
        for (const auto& [key, found] : schema.found) {
            out +=
                std::string(base::word(key.first)) + " " + key.second + " " + found.printed + "\n";
        }
        for (const auto& [name, table] : schema.tables) {
            out += name + (table.row_security ? " secure\n" : "\n");
            for (const auto& [column, state] : table.columns) {
                out += name + "." + column + state.type + (state.not_null ? " not null\n" : "\n");
            }
        }
        return out;
    }

    plan::Plan plan_;
};

TEST_F(DriftTest, what_was_changed_or_dropped_by_hand_is_made_anew) {
    const std::vector<std::string> by_hand = {
        "drop policy product_select on public.product",
        "alter policy product_select on public.product using (false)",
        "drop trigger product_guard on public.product",
        "alter table public.product disable trigger product_rules",
        "alter table public.product disable trigger product_created",
        "drop trigger product_deleted on public.product",
        "drop function svc.product_guard() cascade",
        "create or replace function svc.product_guard() returns trigger language plpgsql as "
        "'begin return new; end'",
        "grant execute on function svc.product_rules() to public",
        "alter table public.product drop constraint product_price_min",
        "alter table public.product drop constraint product_sku_key",
        "alter table public.note drop constraint note_product_id_fkey",
        "alter table public.note drop constraint note_product_id_fkey; alter table public.note "
        "add constraint note_product_id_fkey foreign key (product_id) references "
        "public.product",
        "drop index public.product_price_idx",
        "drop index public.product_price_idx; create index product_price_idx on "
        "public.product (price desc)",
        "drop sequence public.product_number_seq cascade",
        "revoke select on public.product from " + target_.data_role,
        "grant truncate on public.product to " + target_.data_role,
        "grant select on public.product to public",
        "alter table public.product alter price set default 1",
        "alter table public.product alter price drop default",
        "alter table public.note alter product_id set default gen_random_uuid()",
        "alter table public.product alter sku drop not null",
        "alter table public.note alter product_id set not null",
        "alter table public.product drop column twice",
        "alter table public.product alter twice drop expression",
        "alter table public.product drop column price cascade",
        "alter table public.product disable row level security",
        "drop table public.product cascade"};
    for (const std::string& sql : by_hand) after(sql);
}

TEST_F(DriftTest, it_is_told) {
    const auto result = after("drop policy product_select on public.product");
    ASSERT_EQ(result.findings.all().size(), 1U);
    EXPECT_EQ(result.findings.all()[0].code, "CHANGED_BY_HAND");
    EXPECT_EQ(result.findings.all()[0].path, "/entities/0");
    EXPECT_EQ(result.findings.all()[0].severity, diag::Severity::warning);
}

TEST_F(DriftTest, what_is_not_the_contracts_is_listed_and_left_alone) {
    query("create table public.old (id int)");
    query("alter table public.product add column extra text default 'x'");
    query("create policy more on public.product for select using (true)");
    query("create index mine on public.product (extra)");
    query("alter table public.product add constraint short check (extra <> '')");
    const auto result = apply(plan_, 3);
    ASSERT_TRUE(result.ok);
    EXPECT_TRUE(result.changes.empty());
    std::vector<std::string> listed;
    for (const auto& one : result.leftovers) {
        listed.push_back(std::string(base::word(one.kind)) + " " + one.table + " " + one.name);
    }
    std::sort(listed.begin(), listed.end());
    EXPECT_EQ(listed, (std::vector<std::string>{"column product extra", "constraint product short",
                                                "index product mine", "policy product more",
                                                "table old "}));
}

TEST_F(DriftTest, a_field_that_comes_back_takes_its_column_up_again) {
    query("insert into public.product (sku, price) values ('a', 7)");
    auto without =
        *pipeline::check(
             R"({"app": {"name": "Shop"}, "personas": [], "entities": [{"name": "product",
        "owner": "none", "fields": [{"name": "sku", "type": "string"}]}], "seeds": {}})")
             .plan;
    auto result = apply(without, 3);
    ASSERT_TRUE(result.ok) << described(result);
    EXPECT_TRUE(std::any_of(result.leftovers.begin(), result.leftovers.end(),
                            [](const auto& one) { return one.name == "price"; }));
    result = apply(plan_, 4);
    ASSERT_TRUE(result.ok) << described(result);
    EXPECT_EQ(query("select price from public.product"), "7");
    EXPECT_TRUE(result.leftovers.empty());
    EXPECT_TRUE(apply(plan_, 5).changes.empty());
    // What kind of value it holds is known still.
    ASSERT_TRUE(apply(without, 6).ok);
    without.tables[0].columns.push_back(column("price", "bigint"));
    without.tables[0].columns.back().type_word = "integer";
    EXPECT_EQ(only(apply(without, 7)).code, "CANNOT_CAST");
}

}  // namespace
}  // namespace svc::migrate
