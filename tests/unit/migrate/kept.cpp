// Rows beside the tables: deleted ones and histories. They follow renames, and nobody but their own
// functions reaches them.
#include "migrate/refusal/refusal.hpp"
#include "unit/schema/changes_fixture.hpp"

namespace svc::migrate {
namespace {

class KeptRowsTest : public MigrateTest {
  protected:
    // product_of() with what softDelete and audit add.
    static plan::Plan fields(const std::vector<std::string>& names, std::uint32_t keep = 0) {
        auto plan = product_of(names);
        plan.tables[0].soft_delete = true;
        plan.tables[0].keep_deleted = keep;
        plan.routines.push_back({plan::Routine::Kind::trigger, "product_kept", "product",
                                 "create trigger product_kept after delete on public.product for "
                                 "each row execute function svc.keep_deleted()",
                                 "drop trigger if exists product_kept on public.product"});
        plan.routines.push_back({plan::Routine::Kind::trigger, "product_history", "product",
                                 "create trigger product_history after insert or update or delete "
                                 "on public.product for each row execute function "
                                 "svc.note_history()",
                                 "drop trigger if exists product_history on public.product"});
        return plan;
    }
    std::string put_back() {
        query("select svc.put_back('product', (select row_id from svc.deleted))");
        return query(
            "select string_agg(key || '=' || coalesce(value, '-'), ' ' order by key) from "
            "public.product, jsonb_each_text(to_jsonb(product) - 'id')");
    }
};

TEST_F(KeptRowsTest, a_chain_of_renames_is_followed) {
    ASSERT_TRUE(apply(fields({"a", "b"})).ok);
    query("insert into public.product (a, b) values ('a', 'b')");
    query("delete from public.product");
    ASSERT_TRUE(apply(fields({"b<a", "c<b"}), 2).ok);
    ASSERT_TRUE(apply(fields({"b", "d<c", "e"}), 3).ok);
    EXPECT_EQ(put_back(), "b=a d=b e=-");
    EXPECT_EQ(query("select string_agg(event || ' ' || svc.shown_row('product',"
                    " svc.by_new_names('product', seq, coalesce(new, old)), '{b,d}'), ' ' order by"
                    " seq) from svc.history"),
              R"(created {"b":"a","d":"b"} deleted {"b":"a","d":"b"} restored {"b":"a","d":"b"})");
}

TEST_F(KeptRowsTest, a_text_in_a_column_of_moments_is_shown_as_it_is) {
    ASSERT_TRUE(apply(fields({"a"})).ok);
    query("alter table public.product add at timestamptz");
    const auto shown = [&](const std::string& at) {
        return query("select svc.shown_row('product', '{\"at\":\"" + at + "\"}', '{at}')");
    };
    EXPECT_EQ(shown("2026-01-31T09:30:00.25+01:00"), R"({"at":"2026-01-31T08:30:00.25Z"})");
    for (const char* text : {"soon", "", "2026-13-31T09:30:00+00:00", "infinity", "tomorrow"})
        EXPECT_EQ(shown(text), std::string(R"({"at":")") + text + "\"}");
}

TEST_F(KeptRowsTest, a_text_from_before_its_column_held_moments_is_shown_as_it_was) {
    ASSERT_TRUE(apply(fields({"a"})).ok);
    query("insert into public.product (a) values ('soon')");
    query("update public.product set a = '2026-01-02T03:04:05Z'");
    auto plan = fields({"a"});
    plan.tables[0].columns.back() = column("a", "timestamptz");
    const auto result = apply(plan, 2);
    ASSERT_TRUE(result.ok) << described(result);
    EXPECT_EQ(query("select string_agg(svc.shown_row('product', new, '{a}'), ' ' order by seq)"
                    " from svc.history"),
              R"({"a":"soon"} {"a":"2026-01-02T03:04:05Z"})");
}

TEST_F(KeptRowsTest, a_row_of_after_the_rename_keeps_its_names) {
    ASSERT_TRUE(apply(fields({"a"})).ok);
    ASSERT_TRUE(apply(fields({"b<a"}), 2).ok);
    query("insert into public.product (b) values ('x')");
    query("delete from public.product");
    ASSERT_TRUE(apply(fields({"b<a", "a"}), 3).ok);
    EXPECT_EQ(put_back(), "a=- b=x");
}

// A column that somebody added, of a type that knows no equality.
TEST_F(KeptRowsTest, a_row_with_a_column_of_json_has_a_history) {
    ASSERT_TRUE(apply(fields({"a"})).ok);
    query("alter table public.product add more json");
    query("insert into public.product (a, more) values ('x', '{}')");
    query("update public.product set a = 'x'");
    query("update public.product set more = '[]'");
    EXPECT_EQ(query("select string_agg(event, ' ' order by seq) from svc.history"),
              "created updated");
}

TEST_F(KeptRowsTest, a_change_from_before_a_rename_is_read_by_the_new_name) {
    ASSERT_TRUE(apply(fields({"a", "b"})).ok);
    const std::string before = query("select nextval('svc.change_seq')");
    ASSERT_TRUE(apply(fields({"b<a", "c<b"}), 2).ok);
    const std::string after = query("select nextval('svc.change_seq')");
    const auto shown = [&](const std::string& seq, const std::string& row) {
        return query("select svc.change_by_new_names('product', " + seq + ", '" + row +
                     "')::jsonb");
    };
    EXPECT_EQ(shown(before, R"({"a":1,"b":2})"), R"({"b": 1, "c": 2})");
    EXPECT_EQ(shown(after, R"({"b":1,"c":2})"), R"({"b": 1, "c": 2})");
}

TEST_F(KeptRowsTest, an_apply_sets_the_time_anew) {
    const auto keep = [&] { return query("select keep from svc.keep_time"); };
    ASSERT_TRUE(apply(fields({"a"}, 86400)).ok);
    EXPECT_EQ(keep(), "24:00:00");
    ASSERT_TRUE(apply(fields({"a"}, 60), 2).ok);
    EXPECT_EQ(keep(), "00:01:00");
    ASSERT_TRUE(apply(fields({"a"}), 3).ok);
    EXPECT_EQ(keep(), "null");
}

TEST_F(KeptRowsTest, what_is_over_is_purged_and_not_put_back) {
    ASSERT_TRUE(apply(fields({"a"}, 60)).ok);
    query("insert into public.product (a) values ('x')");
    query("delete from public.product");
    EXPECT_EQ(query("select svc.purge_deleted()"), "0");
    query("update svc.deleted set deleted_at = now() - interval '61 seconds'");
    EXPECT_EQ(query("select svc.deleted_row('product', row_id) is null from svc.deleted"), "t");
    EXPECT_EQ(query("select svc.purge_deleted()"), "1");
}

TEST_F(KeptRowsTest, taking_soft_delete_out_tells_of_deleted_rows) {
    ASSERT_TRUE(apply(fields({"a"})).ok);
    query("insert into public.product (a) values ('x')");
    query("delete from public.product");
    auto plan = product();
    plan.tables[0].columns.push_back(column("a", "text"));
    const auto result = apply(plan, 2);
    ASSERT_TRUE(result.ok) << described(result);
    ASSERT_EQ(result.findings.all().size(), 1U) << described(result);
    EXPECT_EQ(result.findings.all()[0].code, "DELETED_ROWS_KEPT");
    EXPECT_EQ(query("select count(*) from public.product"), "0");
    EXPECT_EQ(query("select count(*) from svc.deleted"), "1");
}

// Of the shop, as its callers' own role.
class KeptOfShopTest : public ChangesTest {
  protected:
    std::string refusal(const std::string& sql) {
        try {
            as("server", kNobody, sql);
        } catch (const pqxx::sql_error& error) {
            return migrate::read_error(error).state;
        }
        return "";
    }
};

TEST_F(KeptOfShopTest, callers_reach_nothing_of_it) {
    for (const char* sql :
         {"select * from svc.deleted", "delete from svc.deleted", "select * from svc.history",
          "insert into svc.history (table_name, row_id, event) values ('product', "
          "svc.new_id(), 'created')",
          "select * from svc.keep_time", "update svc.keep_time set keep = '0'",
          "select svc.put_back('product', svc.new_id())",
          "select svc.deleted_row('product', svc.new_id())", "select svc.purge_deleted()",
          "select svc.shown_row('product', '{}', '{}')", "select svc.shown_moment('')"})
        EXPECT_EQ(refusal(sql), "42501") << sql;
}

TEST_F(KeptOfShopTest, who_may_not_ask_is_told_nothing_of_a_history) {
    const std::string ask =
        "select count(*) from svc.history_of('product', svc.new_id(), '{}', null, 1)";
    EXPECT_EQ(as("server", kNobody, ask), "0");
    EXPECT_THROW(as("staff,manager", kNobody, ask), pqxx::sql_error);
    EXPECT_THROW(as("guest", kNobody, ask), pqxx::sql_error);
}

TEST_F(KeptOfShopTest, a_row_that_is_not_there_and_one_that_is_not_theirs_are_refused_alike) {
    const std::string id = query("select id from public.product limit 1");
    query("delete from public.order_line");
    query("delete from public.product where id = '" + id + "'");
    query("update svc.deleted set held = jsonb_set(held::jsonb, '{active}', 'false')::json");
    const auto words = [&](const std::string& row) -> std::string {
        try {
            as("guest", kNobody, "select from svc.product_restore('" + row + "')");
        } catch (const pqxx::sql_error& error) {
            return error.sqlstate() + error.what();
        }
        return "";
    };
    EXPECT_EQ(words(id).substr(0, 5), "SV404");
    EXPECT_EQ(words(id), words("0198b6a0-0000-7000-8000-000000000001"));
}

}  // namespace
}  // namespace svc::migrate
