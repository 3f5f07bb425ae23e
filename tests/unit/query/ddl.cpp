// SQL that adds tables by hand: which statements may run, and what is said of the others.
#include "unit/query/ddl.hpp"

namespace svc::query {
namespace {

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
        EXPECT_EQ(read_by_hand(sql).refused, "") << sql;
    }
}

TEST(QueryDdl, CutsStatementsAsPostgresqlDoes) {
    const Ddl ddl =
        read_by_hand("create table n (a text default 'é;'); -- x;\ncreate index on n (a)");
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
        EXPECT_NE(read_by_hand(sql).refused, "") << sql;
        EXPECT_NE(read_by_hand(std::string("create index on note (a); ") + sql).refused, "") << sql;
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
        EXPECT_NE(read_by_hand(std::string("alter table note ") + action).refused, "") << action;
    }
    EXPECT_NE(read_by_hand("alter table only note add a int").refused, "");
    EXPECT_NE(read_by_hand("alter table all in tablespace a set tablespace b").refused, "");
    EXPECT_NE(read_by_hand("alter foreign table note add a int").refused, "");
    EXPECT_NE(read_by_hand("alter view note add a int").refused, "");
    EXPECT_NE(read_by_hand("alter materialized view note add a int").refused, "");
    EXPECT_NE(read_by_hand("create index concurrently on note (a)").refused, "");
    EXPECT_NE(read_by_hand("create index on only note (a)").refused, "");
    EXPECT_NE(read_by_hand("create index on note (a text_pattern_ops)").refused, "");
    EXPECT_NE(read_by_hand("create index on note (a collate \"C\")").refused, "");
    EXPECT_NE(read_by_hand("create index on note (a) include (b)").refused, "");
    EXPECT_NE(read_by_hand("create index on note (a) with (fillfactor = 10)").refused, "");
    EXPECT_NE(read_by_hand("create index on note (a) tablespace t").refused, "");
    EXPECT_NE(read_by_hand("create index on note using bloom (a)").refused, "");
}

TEST(QueryDdl, RefusesWhatItCannotRead) {
    EXPECT_NE(read_by_hand("").refused.find("empty"), std::string::npos);
    EXPECT_NE(read_by_hand(" ; -- nothing").refused.find("empty"), std::string::npos);
    EXPECT_NE(read_by_hand("create tabel n (a int)").refused.find("syntax error"),
              std::string::npos);
    EXPECT_NE(read_by_hand("create table n (a text default 'x").refused, "");
    EXPECT_NE(read_by_hand("create table n (a text /* open").refused, "");
    EXPECT_NE(read_by_hand(std::string(20000, ' ')).refused, "");
    std::string sum = "1";
    for (int i = 0; i < 3000; ++i) sum += "+1";
    EXPECT_NE(read_by_hand("create table n (a int default " + sum + ")").refused, "");
}

TEST(QueryDdl, SaysWhatIsAllowed) {
    const std::string described = read_by_hand("alter table product add a int").refused;
    EXPECT_NE(described.find("\"product\" is an entity's table"), std::string::npos) << described;
    EXPECT_NE(described.find("ADD COLUMN"), std::string::npos) << described;
}

}  // namespace
}  // namespace svc::query
