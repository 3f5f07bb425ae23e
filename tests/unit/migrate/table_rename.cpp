// renamedFrom of an entity: its table is renamed, keeps its rows, and what belongs to it has the
// new name or is made anew.
#include <algorithm>

#include "pipeline.hpp"
#include "unit/migrate/fixture.hpp"

namespace svc::migrate {
namespace {

// NAME is the entity's name; MORE stands in it, FIELD among its fields, and SEED in its seed row.
constexpr const char* kRenamedShop = R"({
  "app": {"name": "Shop"},
  "personas": [{"id": "customer", "kind": "consumer"}, {"id": "clerk", "kind": "staff"}],
  "entities": [
    {"name": "NAME", "owner": "user+org", MORE
     "fields": [FIELD
       {"name": "sku", "type": "string", "required": true, "unique": true},
       {"name": "price", "type": "money", "min": 0, "default": 100, "index": true},
       {"name": "twice", "type": "money", "computed": "price * 2"},
       {"name": "like", "type": "ref", "to": "NAME", "onDelete": "null"},
       {"name": "number", "type": "sequence", "prefix": "P-"}],
     "unique": [["price", "state"]], "indexes": [["-price", "created_at"]], "search": ["sku"],
     "softDelete": {"keep": "30d"}, "audit": true,
     "lifecycle": {"field": "state", "initial": "new", "states": ["new", "old"],
       "transitions": [{"name": "age", "from": "new", "to": "old", "by": "clerk"}]},
     "access": {"read": "*", "create": "clerk", "update": "clerk", "delete": "clerk"},
     "rules": [{"on": ["create"], "refuse": "new.price > 1000", "message": "Too dear."}]},
    {"name": "note", "owner": "none",
     "fields": [{"name": "product_id", "type": "ref", "to": "NAME", "onDelete": "cascade"}],
     "access": {"read": "clerk", "create": [{"to": "customer", "if": "product.price > 3"}]}}],
  "orgs": {"enabled": true, "roles": ["owner", "member"]},
  "seeds": {"NAME": [{"_key": "tea", SEED "sku": "TEA", "price": 5}],
            "note": [{"_key": "n", "product_id": "@tea"}]}})";

void replace_each(std::string& text, const std::string& what, const std::string& by) {
    for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size()))
        text.replace(at, what.size(), by);
}

plan::Plan renamed_shop(const std::string& name, const std::string& from = "",
                        const std::string& field = "", const std::string& seed = "") {
    std::string text = kRenamedShop;
    replace_each(text, "FIELD", field);
    replace_each(text, "SEED", seed);
    replace_each(text, "MORE", from.empty() ? "" : R"("renamedFrom": ")" + from + "\",");
    replace_each(text, "NAME", name);
    auto checked = pipeline::check(text);
    for (const auto& finding : checked.findings.all()) {
        if (finding.severity == diag::Severity::error)
            ADD_FAILURE() << finding.path << " " << finding.message;
    }
    return checked.plan.value_or(plan::Plan{});
}

class TableRenameTest : public MigrateTest {
  protected:
    void SetUp() override {
        MigrateTest::SetUp();
        if (IsSkipped()) return;
        const auto result = apply(renamed_shop("product"));
        ASSERT_TRUE(result.ok) << described(result);
        query("insert into public.product (sku, price) values ('CUP', 7)");
    }

    Result renamed(const plan::Plan& plan) {
        const auto shown = preview(plan, target_);
        EXPECT_TRUE(shown.ok) << described(shown);
        const auto result = apply(plan, 2);
        EXPECT_TRUE(result.ok) << described(result);
        EXPECT_EQ(kinds(shown), kinds(result));
        return result;
    }

    // Nothing is left to do, and nothing has the former name.
    void expect_settled(const plan::Plan& plan) {
        const auto again = apply(plan, 9);
        EXPECT_TRUE(again.ok) << described(again);
        EXPECT_TRUE(again.changes.empty()) << again.changes.front().sql;
        EXPECT_TRUE(again.findings.all().empty()) << described(again);
        EXPECT_TRUE(again.leftovers.empty()) << again.leftovers.front().name;
        EXPECT_EQ(query("select string_agg(kind || ' ' || name, ', ') from svc.managed where"
                        " name like 'product%' or drop_sql like '%product%'"
                        " and drop_sql not like '%product_id%'"),
                  "null");
        EXPECT_EQ(
            query("select string_agg(name, ', ') from ("
                  "select relname::text from pg_class where relnamespace in"
                  " ('public'::regnamespace, 'svc'::regnamespace)"
                  " union all select conname from pg_constraint"
                  " union all select tgname from pg_trigger"
                  " union all select polname from pg_policy"
                  " union all select proname from pg_proc where pronamespace = 'svc'::regnamespace"
                  ") n (name) where name like 'product%'"),
            "null");
    }

    static std::vector<std::string> kinds(const Result& result) {
        std::vector<std::string> out;
        for (const Change& change : result.changes) out.emplace_back(base::word(change.kind));
        return out;
    }

    static std::ptrdiff_t count(const Result& result, ChangeKind kind, const std::string& table) {
        return std::ranges::count_if(result.changes, [&](const Change& change) {
            return change.kind == kind && change.table == table;
        });
    }

    std::string skus(const std::string& table) {
        return query(
            "select string_agg(sku || ' ' || twice || ' ' || number, ', ' order by number)"
            " from public." +
            table);
    }
};

TEST_F(TableRenameTest, rows_stay_and_everything_has_the_new_name) {
    const auto plan = renamed_shop("item", "product");
    const auto result = renamed(plan);
    EXPECT_EQ(skus("item"), "TEA 10 P-1, CUP 14 P-2");
    EXPECT_EQ(count(result, ChangeKind::rename_table, "item"), 1);
    for (const auto kind :
         {ChangeKind::create_table, ChangeKind::add_constraint, ChangeKind::create_index,
          ChangeKind::create_sequence, ChangeKind::retire_table}) {
        EXPECT_EQ(count(result, kind, "item") + count(result, kind, "product"), 0)
            << base::word(kind);
    }
    EXPECT_EQ(count(result, ChangeKind::add_constraint, "note"), 0) << "it follows by itself";
    EXPECT_TRUE(result.findings.all().empty()) << described(result);
    expect_settled(plan);
}

TEST_F(TableRenameTest, numbers_limits_rules_and_references_go_on) {
    ASSERT_TRUE(apply(renamed_shop("item", "product"), 2).ok);
    query("insert into public.item (sku, price) values ('POT', 9)");
    EXPECT_EQ(skus("item"), "TEA 10 P-1, CUP 14 P-2, POT 18 P-3");
    EXPECT_THROW(query("insert into public.item (sku) values ('TEA')"), pqxx::unique_violation);
    EXPECT_THROW(query("insert into public.item (sku, price) values ('x', -1)"),
                 pqxx::check_violation);
    EXPECT_THROW(query("insert into public.note (product_id) values (gen_random_uuid())"),
                 pqxx::foreign_key_violation);
    EXPECT_EQ(query("select count(*) from svc.item_search('pot', null, 10)"), "1");
    EXPECT_EQ(query("select count(*) from svc.item_search('tea', null, 10)"), "1");
    query("delete from public.item where sku = 'TEA'");
    EXPECT_EQ(query("select count(*) from public.note"), "0");
}

TEST_F(TableRenameTest, what_was_written_before_follows) {
    query("delete from public.product where sku = 'CUP'");
    ASSERT_TRUE(apply(renamed_shop("item", "product"), 2).ok);
    EXPECT_EQ(
        query("select table_name || ' ' || (select keep from svc.keep_time) from svc.deleted"),
        "item 720:00:00");
    query("select svc.put_back('item', (select row_id from svc.deleted))");
    EXPECT_EQ(skus("item"), "TEA 10 P-1, CUP 14 P-2");
    EXPECT_EQ(query("select string_agg(distinct table_name, ',' order by table_name) from"
                    " svc.change"),
              "item,note");
    EXPECT_EQ(query("select string_agg(event, ',' order by seq) from (select h.* from"
                    " svc.former_names('item') n join svc.history h on h.table_name = n.name and"
                    " h.seq > n.after and h.seq < n.before where coalesce(h.new, h.old) ->> 'sku' ="
                    " 'CUP') h"),
              "created,deleted,restored");
}

TEST_F(TableRenameTest, seeds_are_the_rows_that_they_made) {
    query("insert into public.product (sku) values ('OTHER')");
    query(
        "update public.note set product_id = (select id from public.product where sku = 'OTHER')");
    ASSERT_TRUE(apply(renamed_shop("item", "product"), 2).ok);
    EXPECT_EQ(query("select count(*) from public.item"), "3");
    EXPECT_EQ(query("select sku from public.note n join public.item i on i.id = n.product_id"),
              "OTHER")
        << "a reference that somebody changed since";
    EXPECT_EQ(query("select string_agg(entity || ' ' || key, ',' order by entity) from svc.seed"),
              "item tea,note n");
}

TEST_F(TableRenameTest, it_moves_once_and_on_again) {
    ASSERT_TRUE(apply(renamed_shop("item", "product"), 2).ok);
    ASSERT_TRUE(apply(renamed_shop("item", "product"), 3).changes.empty());
    ASSERT_TRUE(apply(renamed_shop("article", "item"), 4).ok);
    EXPECT_EQ(skus("article"), "TEA 10 P-1, CUP 14 P-2");
    expect_settled(renamed_shop("article", "item"));
}

TEST_F(TableRenameTest, a_table_that_left_the_contract_comes_back_under_the_new_name) {
    const auto without = *pipeline::check(R"({"app": {"name": "Shop"},
        "personas": [{"id": "customer", "kind": "consumer"}, {"id": "clerk", "kind": "staff"}],
        "entities": [{"name": "note", "owner": "none", "fields": [{"name": "a", "type": "text"}],
                      "access": {"read": "clerk"}}], "seeds": {}})")
                              .plan;
    const auto removed = apply(without, 2);
    ASSERT_TRUE(removed.ok) << described(removed);
    const auto result = apply(renamed_shop("item", "product"), 3);
    ASSERT_TRUE(result.ok) << described(result);
    query("insert into public.item (sku, price) values ('POT', 9)");
    EXPECT_EQ(skus("item"), "TEA 10 P-1, CUP 14 P-2, POT 18 P-3");
}

TEST_F(TableRenameTest, both_names_there_is_told) {
    query("delete from public.note");  // no row of the new table has what it refers to
    const auto other = apply(renamed_shop("item"), 2);
    ASSERT_TRUE(other.ok) << described(other);
    const auto result = apply(renamed_shop("item", "product"), 3);
    ASSERT_TRUE(result.ok) << described(result);
    ASSERT_EQ(result.findings.all().size(), 1U);
    EXPECT_EQ(result.findings.all()[0].code, "RENAME_SKIPPED");
    EXPECT_EQ(query("select count(*) from public.product"), "2");
}

// Deployments and snapshots have rows under the former name.
TEST_F(TableRenameTest, a_former_name_is_nobody_elses) {
    renamed(renamed_shop("item", "product"));
    const auto other = apply(renamed_shop("product"), 3);
    EXPECT_FALSE(other.ok);
    ASSERT_FALSE(other.findings.all().empty());
    EXPECT_EQ(other.findings.all()[0].code, "FORMER_NAME");
    EXPECT_EQ(query("select to_regclass('public.product') is null"), "t");
    const auto back = apply(renamed_shop("product", "item"), 4);
    EXPECT_TRUE(back.ok) << described(back);
    EXPECT_EQ(query("select count(*) from public.product"), "2");
}

TEST_F(TableRenameTest, a_table_that_no_contract_made_stays_what_it_is) {
    query("create table public.thing (id uuid primary key default gen_random_uuid())");
    const auto result = apply(renamed_shop("product", "thing"), 2);
    ASSERT_TRUE(result.ok) << described(result);
    EXPECT_TRUE(result.changes.empty());
    query("delete from public.note");
    const auto other = apply(renamed_shop("item", "thing"), 3);
    ASSERT_TRUE(other.ok) << described(other);
    EXPECT_EQ(query("select to_regclass('public.thing') is not null"), "t");
    EXPECT_EQ(query("select count(*) from public.item"), "1") << "the seed";
}

TEST_F(TableRenameTest, a_column_of_it_is_renamed_at_the_same_time) {
    auto plan = renamed_shop("item", "product");
    std::string text = kRenamedShop;
    replace_each(text, "FIELD", "");
    replace_each(text, "SEED", "");
    replace_each(text, "MORE", R"("renamedFrom": "product",)");
    replace_each(text, "NAME", "item");
    replace_each(text, R"("name": "sku",)", R"("name": "code", "renamedFrom": "sku",)");
    for (const auto& [was, is] : std::vector<std::pair<std::string, std::string>>{
             {R"("search": ["sku"])", R"("search": ["code"])"},
             {R"("sku": "TEA")", R"("code": "TEA")"}})
        replace_each(text, was, is);
    plan = *pipeline::check(text).plan;
    renamed(plan);
    EXPECT_EQ(query("select string_agg(code, ',' order by number) from public.item"), "TEA,CUP");
    expect_settled(plan);
    EXPECT_EQ(query("select count(*) from pg_constraint where conname like '%sku%'"), "0");
}

// Questions about stored rows are asked before the table has its new name.
TEST_F(TableRenameTest, rows_in_the_way_are_named) {
    const auto required = renamed_shop("item", "product",
                                       R"({"name": "colour", "type": "string", "required": true},)",
                                       R"("colour": "red",)");
    EXPECT_EQ(only(apply(required, 2)).code, "REQUIRED_NEEDS_DEFAULT");
    auto narrower = renamed_shop("item", "product");
    for (auto& constraint : narrower.tables[0].constraints)
        replace_each(constraint.sql, "price >= 0", "price >= 6");
    const auto refused = apply(narrower, 2);
    EXPECT_EQ(only(refused).code, "ROWS_IN_THE_WAY");
    auto kept = renamed_shop("item", "product");
    for (auto& table : kept.tables)
        for (auto& constraint : table.constraints)
            replace_each(constraint.sql, " on delete cascade", "");
    const auto result = apply(kept, 2);
    ASSERT_TRUE(result.ok) << described(result);
    EXPECT_EQ(count(result, ChangeKind::add_constraint, "note"), 1);
    expect_settled(kept);
}

TEST_F(TableRenameTest, what_changes_with_it_is_made_anew) {
    auto plan = renamed_shop("item", "product");
    for (auto& constraint : plan.tables[0].constraints)
        replace_each(constraint.sql, "price >= 0", "price >= 1");
    plan.tables[0].indexes.pop_back();
    const auto result = renamed(plan);
    EXPECT_EQ(count(result, ChangeKind::add_constraint, "item"), 1);
    EXPECT_EQ(count(result, ChangeKind::drop_constraint, "item"), 1);
    EXPECT_EQ(count(result, ChangeKind::drop_index, "item"), 1);
    EXPECT_THROW(query("insert into public.item (sku, price) values ('x', 0)"),
                 pqxx::check_violation);
    expect_settled(plan);
}

TEST_F(TableRenameTest, a_change_by_hand_is_still_seen) {
    query("alter table public.product alter column price set default 4");
    const auto result = apply(renamed_shop("item", "product"), 2);
    ASSERT_TRUE(result.ok) << described(result);
    ASSERT_EQ(result.findings.all().size(), 1U) << described(result);
    EXPECT_EQ(result.findings.all()[0].code, "CHANGED_BY_HAND");
    query("insert into public.item (sku) values ('POT')");
    EXPECT_EQ(query("select price from public.item where sku = 'POT'"), "100");
    expect_settled(renamed_shop("item", "product"));
}

TEST_F(TableRenameTest, an_apply_that_fails_leaves_the_former_table) {
    auto plan = renamed_shop("item", "product");
    plan::ServedEntity entity;
    entity.name = "item";
    entity.get = {"item_get", "select wrong from public.item", {}};
    plan.entities = {entity};
    EXPECT_EQ(only(apply(plan, 2)).code, "STATEMENT_INVALID");
    EXPECT_EQ(skus("product"), "TEA 10 P-1, CUP 14 P-2");
    ASSERT_TRUE(apply(renamed_shop("product"), 3).changes.empty());
}

// What was put off under the former name is not lost, and the rows are not read under the lock.
TEST_F(TableRenameTest, a_large_table_is_renamed_while_work_on_it_is_put_off) {
    target_.limits.large_rows = 0;
    auto before = renamed_shop("product");
    const auto alter = [](plan::Plan& plan, const std::string& table) {
        plan.tables[0].indexes.push_back(
            {table + "_sku_idx", "create index " + table + "_sku_idx on public." + table + " (sku)",
             "/entities/0", ""});
        plan.tables[0].constraints.push_back({table + "_price_odd",
                                              "alter table public." + table + " add constraint " +
                                                  table + "_price_odd check (price <> 6)",
                                              "/entities/0", ""});
        for (auto& column : plan.tables[0].columns)
            if (column.name == "price") column.not_null = true;
    };
    alter(before, "product");
    ASSERT_TRUE(apply(before, 2).ok);
    ASSERT_EQ(query("select count(*) from svc.pending"), "3");
    auto plan = renamed_shop("item", "product");
    alter(plan, "item");
    plan.tables[0].constraints.push_back(
        {"item_twice_key", "alter table public.item add constraint item_twice_key unique (twice)",
         "/entities/0", ""});
    const auto result = apply(plan, 3);
    ASSERT_TRUE(result.ok) << described(result);
    EXPECT_TRUE(run_deferred(target_).empty());
    EXPECT_EQ(query("select count(*) from pg_constraint where not convalidated"), "0");
    EXPECT_EQ(query("select count(*) from pg_constraint where conname like 'svc_filled%'"), "0");
    EXPECT_EQ(query("select attnotnull from pg_attribute where attrelid = 'public.item'::regclass"
                    " and attname = 'price'"),
              "t");
    EXPECT_EQ(query("select count(*) from svc.item_search('tea', null, 10)"), "1");
    expect_settled(plan);
}

}  // namespace
}  // namespace svc::migrate
