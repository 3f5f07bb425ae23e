#include <gtest/gtest.h>

#include "data/sql/guard.hpp"
#include "unit/data/entity.hpp"

namespace svc::data {
namespace {

App app() {
    App app{};
    app.entities = test::kEntities;
    return app;
}

Caller as(PrincipalSet principals) {
    Caller caller;
    caller.principals = principals;
    return caller;
}

std::string query(const std::string& sql, PrincipalSet who = test::kManager) {
    const auto reading = sql::reading_of(sql);
    if (!*reading) return "refused: " + reading->error().message;
    const auto guarded = sql::guard_query(sql, **reading, app(), as(who), 10);
    return guarded ? guarded->text : "refused: " + guarded.error().message;
}

std::string exec(const std::string& sql, PrincipalSet who = test::kManager) {
    const auto reading = sql::reading_of(sql);
    if (!*reading) return "refused: " + reading->error().message;
    const auto guarded = sql::guard_exec(sql, **reading, app(), as(who));
    return guarded ? guarded->text
                   : "refused: " + guarded.error().message + " " + guarded.error().field;
}

bool refused(const std::string& text) { return text.starts_with("refused: "); }

std::string state_of(const std::string& sql) {
    const auto reading = sql::reading_of(sql);
    return *reading ? "" : std::string(reading->error().sqlstate);
}

TEST(DataSql, TakesOneStatementWithWhatStandsAroundIt) {
    for (const char* sql : {"", " ", ";", "-- a", "select 1; select 2", "select 1; drop table x"})
        EXPECT_TRUE(refused(query(sql))) << sql;
    for (const char* sql : {"(", "select 'a", "select \"a", "select $$a", "select 1e--",
                            "select from where", "select 1 /* a", "a; b", "select x'1g'::nix("})
        EXPECT_EQ(state_of(sql), "42601") << sql;
    EXPECT_EQ(query("/* a; */ select 1 -- b;\n ; "),
              "select * from (\n/* a; */ select 1 -- b;\n \n) as svc_result limit 11");
    EXPECT_EQ(query("select $$it's$$, e'\\n', 'a\\'"),
              "select * from (\nselect $$it's$$, e'\\n', 'a\\'\n) as svc_result limit 11");
    EXPECT_EQ(query("select 1 -- a"), "select * from (\nselect 1 -- a\n) as svc_result limit 11");
    EXPECT_EQ(state_of("select " + std::string(300, '(') + "1" + std::string(300, ')')), "");
    EXPECT_EQ(state_of("select 1" +
                       [] {
                           std::string deep;
                           for (int i = 0; i < 2000; ++i) deep += " + 1";
                           return deep;
                       }()),
              "54001");
}

TEST(DataSql, CountsParameters) {
    EXPECT_EQ((*sql::reading_of("select $2, $12, '$40'"))->params, 12u);
    EXPECT_TRUE(refused(query("select $0")));
}

TEST(DataSql, ReadsTablesThroughWhatTheCallerMayRead) {
    const std::string all = query("select * from item");
    EXPECT_TRUE(all.starts_with("with \"item\" as not materialized (select \"id\", ")) << all;
    EXPECT_NE(all.find("\"cost\""), std::string::npos) << all;
    EXPECT_TRUE(all.ends_with("select * from (\nselect * from item\n) as svc_result limit 11"))
        << all;
    EXPECT_EQ(query("select * from item", test::kClerk).find("\"cost\""), std::string::npos);
    EXPECT_EQ(query("select 1;"), "select * from (\nselect 1\n) as svc_result limit 11");
}

TEST(DataSql, TakesFunctionsThatComputeAndColumnsOfTheApp) {
    for (const char* sql :
         {"select count(*), LOWER(title) from item i where i.title in ('a') and not (i.price > 1)",
          "with x as (select 1 as n) select n from x", "values (1), (2)", "table item",
          "(select 1) union all (select 2)", "select item.*, \"item\".\"price\" from item",
          "select sum(price) filter (where active) over (partition by day) from item",
          "with n(i) as (select 1) select i from n",
          "with a as (select 1), b(x, \"y\") as not "
          "materialized (values (1, 2)) select x from b",
          "with recursive n(i) as materialized (select 1 "
          "union all select i + 1 from n where i < 3) select i from n",
          "with n(i) as ((select 1)) table n", "select * from item as x(a, b)",
          "select t from (values (1)) v(t)", "select a from item, (select 1) x(a)",
          "select a from item join lateral (select 1) \"x\" (a) on true",
          "select k from jsonb_each('{}') as e(k, v)",
          "with item(a) as (select 1) select a from item",
          "select t.units, t.\"of all\" from (select sum(price) as units, 1 as \"of all\" from "
          "item) t",
          "with n(i) as (select 1) select n.i from n", "select v.a from (values (1)) v(a)",
          "select * from item, jsonb_each('{}') as x(k, v)",
          "select * from item where price in (select 1) and title like '%' escape '!'",
          // columns that are not there, for PostgreSQL to say; an alias with names of columns
          "select pg_a", "select \"pg_a\"", "select svc.price", "select * from item f(a)",
          "select lower(item.title) as item, item.id from item",
          "select position('a' in title), item.price between 1 and 2 from item"}) {
        EXPECT_FALSE(refused(query(sql))) << sql << query(sql);
    }
    for (const char* sql :
         {"update item set price = 1", "set a = 1", "select f()", "select \"f\" ()",
          "select * from information_schema.x", "select x.f from item x",
          "select (x).price from item x", "select x.item.price from item x", "select public.item",
          "select * from public.price", "select a.(price)", "select $1.price",
          "select with f(x) as (select 1", "select x::a.b",
          // a call that looks like a list of names
          "select distinct on (a) f(b) from item",
          "select distinct on (a) f(b, c) from (values (1)) as "
          "v(a)",
          "select distinct on (a, (select 1)) f(b)", "select all f(x)", "select 1, f(x)",
          "select * from item, f(price) as (a int)",
          "select * from item, f(price) as (\"values\" int)",
          "select * from item, f(price) as (values int)",
          "select * from item, f(price) as x(a int)", "select * from item, f(price) as x(a)",
          "select * from item, lateral f(price)", "select * from item cross join f(price)",
          "select f(x) as y from item", "select * from f(a)", "select * from f(a) as x",
          "with x as (select f(a)) table x", "select (1) f(x)", "select 1 where f(a)",
          "select case when true then f(a) end", "select * from svc.price",
          "select * from item tablesample f(a)", "select cast(a as f(b)) from item",
          "select cast(1 as f(b))", "with n() as (select 1) select 1",
          "with n(1) as (select 1) table n", "with n(a b) as (select 1) table n",
          "with n(a,) as (select 1) table n", "with n(f(x)) as (select 1) table n",
          "select * from (values (1)) v(f(x))", "select * from (values (1)) v(t).x",
          "select (values (1)) f(x), 1 from item", "select * from (item) f(x)",
          "select * from item where price in (select 1) f(x)"}) {
        EXPECT_TRUE(refused(query(sql))) << sql;
    }
}

// PostgreSQL would read the name after the dot as a call or a cast.
TEST(DataSql, ReadsNoColumnOfAFunctionsResult) {
    for (const char* from :
         {"unnest($1::int[]) s", "unnest($1::int[]) as s", "unnest($1) \"s\"",
          "unnest($1) with ordinality s", "rows from (unnest($1)) as s", "current_date s",
          "item p cross join lateral unnest($1) s", "coalesce(1) s", "cast(1 as text) s"}) {
        const std::string sql = std::string("select s.title from ") + from;
        EXPECT_TRUE(refused(query(sql))) << sql;
    }
    EXPECT_TRUE(refused(query("select unnest.title from unnest($1::int[])")));
    for (const char* sql :
         {"select btrim.title from trim('x')", "select int4.title from cast(10 as int)",
          "select text.title from cast('x' as text)",
          "select status.title from item t, cast(t.status as text)",
          "select foo.title from cast((select 1 as foo) as int)"})
        EXPECT_TRUE(refused(query(sql))) << sql;
    EXPECT_TRUE(refused(query("select current_date.title from current_date")));
    for (const char* sql : {"select s.title from item s", "select s.title from item as s",
                            "select s.title from (select * from item) s",
                            "select s.title from (item s join item t on s.id = t.id)",
                            "with s as (select * from item) select s.title from s",
                            "select s.title from unnest($1::int[]) u, item s",
                            "select s.title from item s where (s.id is null) and s.title = ''",
                            "select cast(s.price as text), s.title from item s"})
        EXPECT_FALSE(refused(query(sql))) << query(sql);
}

TEST(DataSql, CastsToTypesOfTheListAlone) {
    for (const char* type :
         {"regrole", "\"regrole\"", "REGROLE", "_regrole", "regrole[]", "\"_regclass\"", "aclitem",
          "_aclitem", "oid", "xid", "tid", "name", "\"char\"", "cstring", "xml", "item", "nix"}) {
        const std::string name = type;
        for (const std::string& sql :
             {"select 10::" + name, "select cast(10 as " + name + ")", "select " + name + " '10'",
              "select $1:: " + name, "select a[1:2::" + name + "] from item",
              "select cast(cast((10) as int) as " + name + ")"})
            EXPECT_TRUE(refused(query(sql))) << sql;
    }
    for (const char* sql :
         {"select 1::bigint, '1'::int4[], price::numeric(10, 2), cast(title as varchar(3)) from "
          "item",
          "select date '2026-01-01', timestamp with time zone '2026-01-01', interval '1 day'",
          "select '1'::double precision, 'a'::character varying, \"text\" 'a', '1'::\"int4\"",
          "select now() at time zone 'UTC', title like '%a' escape '!' from item",
          "select (array[1, 2])[1:2], case when true then 'a' else 'b' end, distinct_ from item",
          "select trim(both 'x' from 'y'), overlay('a' placing 'b' from 1), position('a' in "
          "'b')"}) {
        EXPECT_FALSE(refused(query(sql))) << sql << query(sql);
    }
}

TEST(DataSql, WritesColumnsThatTheCallerMaySend) {
    EXPECT_TRUE(exec("update item set price = 1").ends_with("update public.item set price = 1"));
    for (const char* sql :
         {"insert into item (title, price) values ('a', 1) returning *",
          "update item as i set (title, price) = ('a', 1), day = null where i.price > 1",
          "update item set title = substring('a' from 1), price = 2 from (select 1) as x where "
          "true",
          "delete from item where price = any (array[1, 2])"}) {
        EXPECT_FALSE(refused(exec(sql))) << sql << exec(sql);
        EXPECT_TRUE(refused(exec(sql, test::kClerk))) << "a clerk may not read cost";
    }
    // A field that was taken out of the contract still has its column.
    for (const char* sql :
         {"update item set title = 'a' returning gone",
          "update item set title = 'a' where gone like '1%'", "update item i set title = i.gone",
          "delete from item returning item", "update item i set title = to_json(i)::text",
          "delete from item returning item.*", "delete from item where item.gone = 1",
          "insert into item (title) values ('a') returning gone",
          "update item set title = (select 'a' from (select 1 as gone) t) returning gone",
          "update item set title = 'a' from (select 1 as n) t returning *",
          "delete from item where (select gone) = 1"})
        EXPECT_TRUE(refused(exec(sql))) << sql << exec(sql);
    EXPECT_TRUE(exec("delete from item returning *, 1 as one")
                    .ends_with("\"active\", \"status\", 1 as one"))
        << exec("delete from item returning *, 1 as one");
    for (const char* sql :
         {"insert into item (title) select gone from (select 'a' as gone) t returning title",
          "update item set title = (select t.n from (select lower(title) as n from item) t limit "
          "1)",
          "delete from item where price in (select * from (values (1)) v) returning item.title"})
        EXPECT_FALSE(refused(exec(sql))) << sql << exec(sql);
    for (const char* sql : {"insert into item values (1)",
                            "insert into item (id) values (1)",
                            "insert item (title)",
                            "insert into item (title) values ('a') on conflict do nothing",
                            "update item set id = 1",
                            "update item set status = 'x'",
                            "update item set title = 'a', status = 'x'",
                            "update item set title = (1 is distinct from 2)::text, status = 'x'",
                            "update item set (title, status) = ('a', 'b')",
                            "update item set (title",
                            "update item i j k set title = 'a'",
                            "update item",
                            "delete from",
                            "delete item",
                            "update item as set set status = 1",
                            "update item as set title = 1",
                            "update only item set title = 'a'",
                            "update public.item set title = 'a'",
                            "delete from other",
                            "delete from item where (delete from item)",
                            "select 1",
                            "with x as (select 1) delete from item"}) {
        EXPECT_TRUE(refused(exec(sql))) << sql << exec(sql);
    }
}

}  // namespace
}  // namespace svc::data
