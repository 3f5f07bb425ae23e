// Statements that callers send to /data/query and /data/exec: attacks on others' rows, and their harmless neighbours.

// `other`: an account whose rows the caller may not see; `order`: one of these rows. {attacks, texts, harmless}: what is
// refused, what only writes a text in an unusual way, and what reads the caller's own rows.
export function readingStatements(other, order) {
  const become = `set_config('svc.user_id', '${other}', true)`;
  const text = `select ${become}, note from public."order"`;
  const quoted = text.replaceAll("'", "''");
  const attacks = [
    `select 1259::regclass::text`, `select 'svc.account'::regclass::oid`, `select 10::"regrole"::text`, `select current_user`,
    `select session_user as x`, `select row_to_json('(,,,,,,,,,)'::product)`, `select cast('(,)' as product)`,
    `select row_to_json(product '(,,,,,,,,,)')`, `select row_to_json("product" '(,)')`, `select regclass 'svc.account'`,
    `select ${become}, (select string_agg(note, ',') from "order")`, `select pg_catalog.${become}, note from "order"`,
    `select "set_config"('svc.user_id', '${other}', true), note from "order"`, `select "pg_catalog"."set_config"('svc.user_id', '${other}', true)`,
    `select SET_CONFIG ('svc.user_id', '${other}', true)`, `select set_config\n(\t'svc.user_id', '${other}', true)`,
    `select U&"set\\005fconfig"('svc.user_id', '${other}', true)`, `select u&"\\0073et_config"('a', 'b', true)`,
    `select set_config/**/('svc.user_id', '${other}', true)`, `select set_config--\n('svc.user_id', '${other}', true)`,
    `set svc.user_id = '${other}'`, `set local role svc_admin`, 'reset role', 'reset all', 'begin', 'commit', 'rollback', 'savepoint a', 'discard all',
    'prepare a as select 1', 'execute a', 'deallocate all', 'listen a', "notify a, 'b'", 'lock table product', 'vacuum', 'analyze', 'checkpoint',
    `do $$ begin perform ${become}; end $$`, 'call something()', "copy product to program 'id'", 'copy product to stdout', 'show all', 'explain analyze delete from product',
    'declare c cursor for select 1', 'create table t (a int)', 'create temp table t as select 1', 'create function pg_temp.f() returns int language sql as $$select 1$$',
    'truncate product', 'drop table product', 'alter table product disable row level security', 'grant all on product to public', 'alter role current_user superuser',
    'select 1; select 2', `select 1; ${text}`, "select ';' ; commit", 'select 1) as svc_result; drop table product; --', 'select 1) as a union all select (2',
    'select * into stolen from product', 'select * into temp stolen from product', `with x as (${text}) select * from x`,
    'with x as (delete from product returning *) select * from x', 'with x as (insert into product (sku) values (1) returning 1) select 1', 'select (delete from product)',
    'select * from public."order"', 'select * from "public"."order"', 'select * from public . "order"', 'select public."order".note from "order"',
    'select * from svc.account', 'select * from svc.session', 'select * from svc.idempotency', 'select * from svc.app_key', 'select * from pg_catalog.pg_class',
    'select * from pg_settings', "update pg_settings set setting = 'x' where name = 'svc.user_id'", 'select * from pg_stat_activity', 'select * from pg_prepared_statements',
    'select * from "pg_authid"', 'select * from information_schema.tables', 'table pg_roles',
    `select query_to_xml('${quoted}', true, true, '')`, `select ts_stat('${quoted}')`, `select * from ts_stat('${quoted}')`,
    `select x.ts_stat from unnest(array['${quoted}']) x`, `select ('${quoted}').ts_stat`, `select (x).ts_stat from unnest(array['${quoted}']) x`,
    `select x."ts_stat" from unnest(array['${quoted}']) as x`, `select (array['${quoted}'])[1].ts_stat`, `select $1.ts_stat`, `select x . ts_stat from (values ('${quoted}')) x`,
    `select ts_rewrite('a', '${quoted}')`, "select table_to_xml('product', true, true, '')", "select cursor_to_xml('c', 1, true, true, '')", "select database_to_xml(true, true, '')",
    'select pg_sleep(5)', 'select pg_terminate_backend(1)', 'select pg_cancel_backend(1)', "select pg_read_file('/etc/passwd')", "select pg_ls_dir('/')", 'select pg_advisory_lock(1)',
    'select lo_creat(-1)', "select lo_import('/etc/passwd')", "select lo_from_bytea(0, 'x')", "select dblink('', 'select 1')", "select nextval('public.order_number_seq')",
    "select current_setting('svc.user_id')", 'select svc.user_id()', "select svc.saved_answer('day')", "select svc.keep_answer('day', 1, '', '')", "select svc.acts_as('manager')",
    `select svc.order_transition('${order}', 'cancel')`, "select repeat('x', 1000000000)", 'select generate_series(1, 1000000000)',
    'select * from product tablesample system (100)', 'select 1 operator(pg_catalog.+) 2', "select treat('x' as text)", 'select inet_server_addr()', 'select version()',
    'select 1a', 'select 1.ts_stat',
    "select 'a' /* ' */, set_config('a', 'b', true) --'", 'select \\', 'select {1}', `select ${'('.repeat(200)}1${')'.repeat(199)}`,
    "values (set_config('a', 'b', true))", 'select * from xmltable(1)', `select * from "order" where note = (select ${become})`,
    `with "order"(a) as (select note from public."order") select * from "order"`, `with x(note) as (select note from public."order") table x`,
    `select * from public."order" as x(a)`, `select * from (select * from public."order") x(a)`, `select * from (table public."order") as "order"(a)`,
    `select distinct on (a) set_config(b, c, d) from (values (1, 'svc.user_id', '${other}', true)) v(a, b, c, d)`,
    `select distinct on (a) "set_config"(b, c, d) from (values (1, 'svc.user_id', '${other}', true)) as v(a, b, c, d)`,
    `select * from (values ('${quoted}')) v(q), ts_stat(q) as (values text)`, `select * from (values ('${quoted}')) v(q), ts_stat(q) as x(word)`,
    `select * from (values ('${quoted}')) v(q), lateral ts_stat(q)`, `select * from (values ('${quoted}')) v(q) join ts_stat(q) on true`,
    `with v(ts_stat) as (values ('${quoted}')) select x.ts_stat from v, unnest(array['${quoted}']) x`, `with v(q) as (values ('${quoted}')) select (v.q).ts_stat from v`,
    `with x(current_user) as (select 1) table x`, `select * from (values (1)) as pg_class(relname)`, `with pg_roles(rolname) as (select 'x') table pg_roles`,
    `with "order" as (select * from public."order") select * from "order"`, 'select * from only(product)', "select row_security_active('product')",
    "select has_table_privilege('product', 'select')", "select txid_current()", "select has_schema_privilege('svc', 'usage')",
  ];
  // Texts, however they are written, and a column that is called as a function is.
  const texts = ["select e'\\' , set_config(\\'svc.user_id\\', 1, true)' as t", "select E'\\'' as t", "select n'x' as t", 'select $$x$$ as t', 'select $a$x$a$ as t',
    `with v(ts_stat) as (values ('${quoted}')) select v.ts_stat as t from v`];
  const harmless = [`select string_agg(note, ',') as notes from "order"`, `table "order"`, `with "order" as (select * from "order") select * from "order"`,
    `with recursive x as (select 1 as n union all select n + 1 from x where n < 5) select note from "order", x`, `select * from "order" as "product", product as "order"`,
    `with "order"(n, s) as (select note, status from "order") select * from "order"`, `select * from (values ('mine')) as "order"(note)`,
    `with recursive "order"(n) as (select 1 union all select n + 1 from "order" where n < 3) select * from "order"`,
    `select o.* from "order" as o(a, b, c)`, `select x.* from (select note from "order") x("order"), (table "order") y(id)`,
    `with product(note) as (table "order") select * from product`, `select * from (with "order"(x) as (select 1) table "order") a(b), "order"`,
    `select 'set_config(''a'')' as text, note from "order" o where exists (select 1 from "order" where "order".id = o.id)`];
  return { attacks, texts, harmless };
}

export function writingAttacks(other) {
  return [
    `update "order" set note = 'x', status = 'shipped'`, `update "order" set note = 'x' , "status" = 'shipped'`, `update "order" set ("note", "status") = ('x', 'shipped')`,
    `update "order" set note = case when true then 'x' else 'y' end, status = 'shipped'`, `update "order" set note = (array['a, b'])[1], status = 'shipped'`,
    `update "order" o set o.status = 'shipped'`, `update "order" set status[1] = 'x'`, `update public."order" set note = 'x'`, `update only "order" set note = 'x'`,
    `update "order" set note = 'x'; delete from "order"`, `with x as (delete from "order" returning *) insert into "order" (note) select note from x`,
    `insert into "order" (note) with x as (delete from "order" returning *) select note from x`, `insert into "order" (id, note) values (gen_random_uuid(), 'x')`,
    `insert into "order" (status) values ('shipped')`, `insert into "order" (note) values ('x') on conflict do nothing`, `insert into "order" default values`,
    `insert into "order" as o (note, number) values ('x', 'SO-0')`, `insert into "order" (note, created_at) values ('x', now())`, `merge into "order" using product on true when matched then delete`,
    `delete from svc.session`, `delete from pg_class`, `delete from "order" using svc.account`, `insert into svc.idempotency (caller) values ('x')`,
    `update "order" set note = set_config('svc.user_id', '${other}', true)`, `update "order" set note = (select note from public."order" limit 1)`,
    `update "order" set note = 'x' where current of c and pg_sleep(1) is null`, `delete from "order" where (update product set stock = 1)`,
  ];
}
