// SQL that adds tables by hand: what may run, and what tries to get past that.
#include "query/ddl.hpp"

#include <gtest/gtest.h>

namespace svc::query {
namespace {

Ddl read(const std::string& sql) { return read_ddl(sql, {{"product", "order"}, {"colour"}}); }

TEST(QueryDdl, TakesWhatAdds) {
    for (const char* sql :
         {"create table note (id uuid primary key default gen_random_uuid(), body text not null)",
          "create table if not exists public.note (a int unique, b int null, unique (a, b))",
          "create table n (a numeric(10, 2) check (a > 0 and a between 1 and 9), b text[] not null "
          "default '{}', c timestamptz default now(), d date default current_date)",
          "create table n (a text default 'x' || upper('y'), b bool default true, c float default "
          "-1.5e3, d jsonb default '{}'::jsonb, e time default localtime, f varchar(20), g "
          "interval default interval '1 day', h colour default 'red', i public.colour[])",
          "create table n (a uuid references product on delete cascade, b uuid references "
          "public.product (id), c text references other (name) on update cascade, constraint x "
          "foreign key (a) references \"order\" (id) on delete set null)",
          "create table n (a text check (a like 'x%' or a ~ '^y' or a in ('a', 'b')), check (case "
          "when a is null then true else length(a) < 5 end), check (coalesce(a, '') <> ''))",
          "create table n (primary key (a), a int, b int, unique nulls not distinct (a, b))",
          "alter table note add column a int default 1, add b text",
          "alter table if exists public.note add column if not exists a timestamp(3)",
          "create index on note (a)",
          "create unique index if not exists note_a on public.note "
          "(lower(a) desc nulls last, b) where a is not null",
          "create index on note using gin (tags)",
          "create type mood as enum ('good', 'bad'); create table n (m mood, l mood[])",
          "create type public.mood as enum ()", "comment on table note is 'x'",
          "comment on column public.note.a is null", "comment on type colour is 'of things'",
          "-- a; note\n/* b; */ create table n (a text default ';') ; ; create index on n (a);"}) {
        EXPECT_EQ(read(sql).refused, "") << sql;
    }
}

TEST(QueryDdl, CutsStatementsAsPostgresqlDoes) {
    const Ddl ddl = read("create table n (a text default 'é;'); -- x;\ncreate index on n (a)");
    ASSERT_EQ(ddl.statements.size(), 2U);
    EXPECT_EQ(ddl.statements[0], "create table n (a text default 'é;')");
    EXPECT_NE(ddl.statements[1].find("create index on n (a)"), std::string::npos);
}

TEST(QueryDdl, RefusesEveryOtherStatement) {
    for (const char* sql :
         {"select 1",
          "insert into note values (1)",
          "update product set a = 1",
          "delete from note",
          "truncate note",
          "drop table note",
          "drop index a",
          "drop type colour",
          "table note",
          "do $$ begin perform 1; end $$",
          "call f()",
          "begin",
          "commit",
          "rollback",
          "savepoint a",
          "set role postgres",
          "reset role",
          "set local search_path = svc",
          "show all",
          "lock note",
          "create table n as select 1",
          "create table n as execute p",
          "select 1 into n",
          "create temp table n as table svc.account",
          "create view v as select 1",
          "create materialized view v as select 1",
          "create recursive view v (a) as select 1",
          "create function f() returns int language sql as 'select 1'",
          "create function f() returns int language sql security definer as 'select 1'",
          "create procedure p() language sql as 'select 1'",
          "create sequence s",
          "create trigger t before insert on note for each row execute function f()",
          "create rule r as on insert to note do instead nothing",
          "create schema s",
          "create extension dblink",
          "create language c",
          "create role r",
          "create user r",
          "create domain d as text",
          "create type t as (a int)",
          "create type t",
          "create type t as range (subtype = int4)",
          "create cast (text as int) with inout",
          "create operator === (leftarg = int, rightarg = int, function = int4eq)",
          "create aggregate a (int) (sfunc = int4pl, stype = int4)",
          "create policy p on note",
          "create publication p",
          "create subscription s connection '' publication p",
          "create server s foreign data wrapper w",
          "create foreign table f (a int) server s",
          "create collation c (locale = 'C')",
          "create statistics s on a, b from note",
          "create event trigger e on ddl_command_start execute function f()",
          "create tablespace t location '/tmp'",
          "create database d",
          "grant all on note to public",
          "revoke all on note from public",
          "alter default privileges grant all on tables to public",
          "alter type colour add value 'x'",
          "alter role postgres superuser",
          "alter system set a = 1",
          "alter database d set a = 1",
          "alter schema public rename to p",
          "alter index a rename to b",
          "alter sequence s restart",
          "alter function f() security definer",
          "alter view v rename to w",
          "copy note from program 'id'",
          "copy note to stdout",
          "vacuum",
          "analyze",
          "cluster",
          "reindex table note",
          "checkpoint",
          "discard all",
          "prepare p as select 1",
          "execute p",
          "deallocate all",
          "listen a",
          "notify a",
          "load 'x'",
          "explain create table n as select 1",
          "declare c cursor for select 1",
          "security label on table note is 'x'",
          "reassign owned by a to b",
          "drop owned by a",
          "import foreign schema a from server s into b",
          "refresh materialized view v",
          "merge into note using b on true when matched then delete"}) {
        EXPECT_NE(read(sql).refused, "") << sql;
        EXPECT_NE(read(std::string("create index on note (a); ") + sql).refused, "") << sql;
    }
}

TEST(QueryDdl, RefusesTablesThatAreMoreThanColumns) {
    for (const char* sql :
         {"create temp table n (a int)",
          "create temporary table n (a int) on commit drop",
          "create unlogged table n (a int)",
          "create global temp table n (a int)",
          "create table n (like product)",
          "create table n (like svc.account including all)",
          "create table n () inherits (product)",
          "create table n (a int) partition by list (a)",
          "create table n partition of product default",
          "create table n of colour",
          "create table n of colour (a with options default 1)",
          "create table n (a int) with (fillfactor = 10)",
          "create table n (a int) tablespace t",
          "create table n (a int) using heap",
          "create table n (a int) on commit delete rows",
          "create table n (a serial)",
          "create table n (a bigserial)",
          "create table n (a int generated always as identity)",
          "create table n (a int generated by default as identity)",
          "create table n (a int, b int generated always as (a * 2) stored)",
          "create table n (a text collate \"C\")",
          "create table n (a text compression lz4)",
          "create table n (a int primary key deferrable)",
          "create table n (a int unique initially deferred)",
          "create table n (a int primary key using index tablespace t)",
          "create table n (a int, unique (a) include (a))",
          "create table n (a int, unique (a) with "
          "(fillfactor = 10))",
          "create table n (a int, exclude using gist (a with =))",
          "create table n (a int check (true) no inherit)",
          "create table n (a int references q (b) "
          "deferrable)",
          "create table n (a int, foreign key (a) references q on delete set null (a))",
          "create table n (a product)",
          "create table n (a product[])",
          "create table n (a regclass)",
          "create table n (a oid)",
          "create table n (a xml)",
          "create table n (a name)",
          "create table n (a record)",
          "create table n (a svc.account)",
          "create table n (a xid8)",
          "create table n (a product.id%type)",
          "create table n (a setof int)",
          "create table n (a pg_catalog.oid)",
          "create table n (a other)",
          "create table n (a public.text)"}) {
        EXPECT_NE(read(sql).refused, "") << sql;
    }
}

TEST(QueryDdl, RefusesNamesOfTheSystemAndOfTheContract) {
    for (const char* name : {"product",
                             "public.product",
                             "\"product\"",
                             "public.\"order\"",
                             "svc.n",
                             "pg_catalog.n",
                             "pg_temp.n",
                             "information_schema.n",
                             "svc_n",
                             "\"svc_n\"",
                             "pg_n",
                             "\"Note\"",
                             "\"a b\"",
                             "\"a\"\"b\"",
                             "_n",
                             "n$",
                             "\"né\"",
                             "né",
                             "\"\xEF\xBC\xA1\"",
                             "d.public.n",
                             "a234567890123456789012345678901234567890123456789"}) {
        for (const std::string& sql :
             {"create table " + std::string(name) + " (a int)",
              "create table if not exists " + std::string(name) + " (a int)",
              "alter table " + std::string(name) + " add a int",
              "create index on " + std::string(name) + " (a)",
              "comment on table " + std::string(name) + " is 'x'"}) {
            EXPECT_NE(read(sql).refused, "") << sql;
        }
    }
    for (const char* sql :
         {"create table n (\"A\" int)",
          "create table n (svc_a int)",
          "create table n (_a int)",
          "create table n (a int constraint \"X y\" check (true))",
          "create index \"X y\" on n (a)",
          "create index svc_i on n (a)",
          "create type text as enum ('a')",
          "create type uuid as enum ()",
          "create type product as enum ()",
          "create type svc_t as enum ()",
          "create type svc.t as enum ()",
          "create type \"T\" as enum ()",
          "comment on type other is 'x'",
          "comment on type text is 'x'",
          "comment on column product.id is 'x'",
          "comment on column public.product.id is 'x'",
          "comment on column svc.account.email is 'x'",
          "comment on database postgres is 'x'",
          "comment on role postgres is 'x'",
          "comment on schema public is 'x'",
          "comment on function f() is 'x'",
          "comment on index i is 'x'",
          "comment on constraint c on note is 'x'",
          "comment on extension plpgsql is 'x'",
          "create table n (a uuid references svc.account)",
          "create table n (a int references pg_class)",
          "create table n (a text references product (sku))",
          "create table n (a text, b text, foreign key (a, b) references product (id, sku))",
          "create table n (a text references only product)"}) {
        EXPECT_NE(read(sql).refused, "") << sql;
    }
}

TEST(QueryDdl, RefusesAlterationsThatDoNotAddColumns) {
    for (const char* action : {"drop column a",
                               "drop column if exists a cascade",
                               "alter a type text",
                               "alter a drop default",
                               "alter a set default 1",
                               "alter a set not null",
                               "alter a set storage plain",
                               "rename to b",
                               "rename column a to b",
                               "owner to postgres",
                               "set schema svc",
                               "add primary key (a)",
                               "add constraint c check (true)",
                               "add constraint c unique using index i",
                               "drop constraint c",
                               "validate constraint c",
                               "enable row level security",
                               "disable row level security",
                               "no force row level security",
                               "disable trigger all",
                               "enable always trigger t",
                               "disable rule r",
                               "set (fillfactor = 10)",
                               "set tablespace t",
                               "set unlogged",
                               "inherit product",
                               "no inherit product",
                               "attach partition p default",
                               "detach partition p",
                               "cluster on i",
                               "replica identity full",
                               "of colour",
                               "set access method heap",
                               "reset (fillfactor)",
                               "add a int, drop column b",
                               "add column a int, enable row level security"}) {
        EXPECT_NE(read(std::string("alter table note ") + action).refused, "") << action;
    }
    EXPECT_NE(read("alter table only note add a int").refused, "");
    EXPECT_NE(read("alter table all in tablespace a set tablespace b").refused, "");
    EXPECT_NE(read("alter foreign table note add a int").refused, "");
    EXPECT_NE(read("alter view note add a int").refused, "");
    EXPECT_NE(read("alter materialized view note add a int").refused, "");
    EXPECT_NE(read("create index concurrently on note (a)").refused, "");
    EXPECT_NE(read("create index on only note (a)").refused, "");
    EXPECT_NE(read("create index on note (a text_pattern_ops)").refused, "");
    EXPECT_NE(read("create index on note (a collate \"C\")").refused, "");
    EXPECT_NE(read("create index on note (a) include (b)").refused, "");
    EXPECT_NE(read("create index on note (a) with (fillfactor = 10)").refused, "");
    EXPECT_NE(read("create index on note (a) tablespace t").refused, "");
    EXPECT_NE(read("create index on note using bloom (a)").refused, "");
}

TEST(QueryDdl, RefusesExpressionsThatDoMoreThanCompute) {
    for (const char* expression : {"f()",
                                   "public.now()",
                                   "svc.new_id()",
                                   "pg_catalog.set_config('a', 'b', true)",
                                   "set_config('a', 'b', false)",
                                   "current_setting('a')",
                                   "nextval('s')",
                                   "random()",
                                   "version()",
                                   "pg_sleep(1)::text",
                                   "pg_read_file('/etc/passwd')",
                                   "lo_import('x')",
                                   "dblink('', '')",
                                   "query_to_xml('select 1', true, true, '')::text",
                                   "ts_stat('select 1')::text",
                                   "(select 1)",
                                   "array(select 1)",
                                   "exists (select 1)",
                                   "1 in (select 1)",
                                   "1 = any (select 1)",
                                   "current_user",
                                   "session_user",
                                   "current_role",
                                   "current_catalog",
                                   "current_schema",
                                   "user",
                                   "1 operator(public.+) 1",
                                   "1 operator(pg_catalog.+) 1",
                                   "'product'::regclass",
                                   "'x'::name",
                                   "cast('x' as product)",
                                   "row(1)",
                                   "(row(1)).f1",
                                   "(a).b",
                                   "n.a",
                                   "public.n.a",
                                   "n.*",
                                   "(n).*",
                                   "a[1]",
                                   "a collate \"C\"",
                                   "$1",
                                   "count(*)",
                                   "count(distinct a)",
                                   "sum(a) over ()",
                                   "sum(a) filter (where true)",
                                   "lower(variadic array['a'])",
                                   "string_agg(a, 'b' order by a)",
                                   "xmlelement(name a)::text",
                                   "percentile_cont(0.5) within group (order by a)",
                                   "grouping(a)",
                                   "clock_timestamp()",
                                   "txid_current()",
                                   "inet_server_addr()",
                                   "has_table_privilege('a', 'b')",
                                   "lower(a => 'x')",
                                   "make_interval(days => 1)"}) {
        for (const std::string& sql :
             {"create table n (a text default " + std::string(expression) + ")",
              "create table n (a text, check (" + std::string(expression) + " is null))",
              "alter table note add a text default " + std::string(expression),
              "create index on note ((" + std::string(expression) + "))",
              "create index on note (a) where " + std::string(expression) + " is null"}) {
            EXPECT_NE(read(sql).refused, "") << sql;
        }
    }
}

TEST(QueryDdl, RefusesWhatItCannotRead) {
    EXPECT_NE(read("").refused.find("empty"), std::string::npos);
    EXPECT_NE(read(" ; -- nothing").refused.find("empty"), std::string::npos);
    EXPECT_NE(read("create tabel n (a int)").refused.find("syntax error"), std::string::npos);
    EXPECT_NE(read("create table n (a text default 'x").refused, "");
    EXPECT_NE(read("create table n (a text /* open").refused, "");
    EXPECT_NE(read(std::string(20000, ' ')).refused, "");
    std::string sum = "1";
    for (int i = 0; i < 3000; ++i) sum += "+1";
    EXPECT_NE(read("create table n (a int default " + sum + ")").refused, "");
}

TEST(QueryDdl, SaysWhatIsAllowed) {
    const std::string described = read("alter table product add a int").refused;
    EXPECT_NE(described.find("\"product\" is an entity's table"), std::string::npos) << described;
    EXPECT_NE(described.find("ADD COLUMN"), std::string::npos) << described;
}

}  // namespace
}  // namespace svc::query
