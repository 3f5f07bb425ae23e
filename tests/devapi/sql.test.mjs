// SQL of a developer's own: what it may do, what it may never do, and who proves it.
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { databaseOf, sql as admin } from '../lib/admin_sql.mjs';
import { Stack, sample } from '../lib/stack.mjs';

let stack, project, readOnly, deployOnly;
before(async () => {
  stack = await Stack.start();
  await stack.signIn();
  project = await stack.project('Statements');
  await stack.apply(project, sample('shop'));
  readOnly = await mint(['read']);
  deployOnly = await mint(['read', 'deploy']);
});
after(() => stack?.stop());

const mint = async (scopes) => (await stack.dev('POST', '/tokens',
  { name: scopes.join(), workspaceId: stack.workspace, scopes }, { expect: 201 })).json.token;
const run = (sql, { token, env } = {}) =>
  stack.dev('POST', `/projects/${project.id}/sql`, { sql, ...(env ? { env } : {}) }, { token: token ?? stack.session });
const good = async (sql, options) => {
  const answer = await run(sql, options);
  assert.equal(answer.status, 200, `${sql}: ${answer.text}`);
  return answer.json.results;
};
const refused = async (sql, code, options) => {
  const answer = await run(sql, options);
  assert.equal(answer.json.code, code, `${sql}: ${answer.status} ${answer.text}`);
  return answer;
};

test('several statements, one envelope each, past row-level security', async () => {
  const [one, two, three] = await good("select 1 as n, 'é;' as s; -- a comment;\nselect sku, price from product order by sku; values (true, null, 1.50)");
  assert.deepEqual(one, { ok: true, rows: [{ n: 1, s: 'é;' }], rowCount: 1, fields: [{ name: 'n', type: '23' }, { name: 's', type: '25' }], truncated: false });
  assert.equal(two.rows[0].sku, 'TEA-1');
  assert.deepEqual(Object.values(three.rows[0]), [true, null, 1.5]);
  const [explained] = await good('explain select * from product');
  assert.match(JSON.stringify(explained.rows), /product/);
  assert.equal(explained.rowCount, explained.rows.length);
  const [shown] = await good('show timezone');
  assert.deepEqual([shown.rows[0].TimeZone, shown.rowCount], ['UTC', 1]);
});

test('numbers keep every digit', async () => {
  const { text } = await run('select 12345678901234567890.123456789 as n');
  assert.ok(text.includes('"n":12345678901234567890.123456789'), text);
});

test('a token that reads may read, and PostgreSQL says what writes', async () => {
  await good('select count(*) from product', { token: readOnly });
  for (const write of [
    "update product set stock = 1",
    "insert into product (sku, title, price) values ('A-1', 'a', 1)",
    'delete from order_line',
    "merge into product p using (values ('TEA-1')) v (sku) on p.sku = v.sku when matched then update set stock = 3",
    "with gone as (delete from order_line returning id) select * from gone",
    'select * from product for update',
    "select nextval('order_number_seq')",
    'explain analyze delete from product',
    "select 1; update product set stock = 0; select 2",
    "select svc.order_transition(id, 'cancel') from \"order\" union all select null where (select count(*) from svc.new_id()) = 0",
  ]) {
    const answer = await run(write, { token: readOnly });
    // The last one has no row to write to: PostgreSQL has nothing against it.
    if (!write.includes('order_transition')) assert.equal(answer.json.code, 'FORBIDDEN_SCOPE', `${write}: ${answer.text}`);
    assert.notEqual(answer.status, 500);
  }
  await refused('update product set stock = 1', 'FORBIDDEN_SCOPE', { token: deployOnly });
  assert.equal((await good('select stock from product'))[0].rows[0].stock, 40);
});

test('a token without read reads nothing, and writes where it may', async () => {
  const applies = await mint(['apply']), deploys = await mint(['deploy']);
  for (const read of ['select 1', 'show timezone', 'select 1/0', "select sku::int from product"])
    await refused(read, 'FORBIDDEN_SCOPE', { token: applies });
  const [made] = await good("insert into product (sku, title, price) values ('S-1', 'by scope', 1)", { token: applies });
  assert.equal(made.rowCount, 1);
  await good("delete from product where sku = 'S-1'", { token: applies });
  for (const shows of ['update product set stock = stock returning *', 'delete from product where false; select * from product',
    'with gone as (delete from product where false returning 1) select * from product', 'explain analyze update product set stock = stock'])
    await refused(shows, 'FORBIDDEN_SCOPE', { token: applies });
  await refused('select * from nowhere', '42P01', { token: applies });
  for (const token of [deploys, applies]) {
    const env = token === applies ? 'prod' : 'dev';
    await refused("insert into product (sku, title, price) values ('S-2', 'x', 1)", 'FORBIDDEN_SCOPE', { token, env });
    await refused('select 1', 'FORBIDDEN_SCOPE', { token, env });
  }
});

test('columns of the same name are distinguished', async () => {
  const [twice] = await good('select 1 as a, 2 as a, 3 as a_2, 4 as a, 5, 6');
  assert.deepEqual(twice.rows, [{ a: 1, a_3: 2, a_2: 3, a_4: 4, '?column?': 5, '?column?_2': 6 }]);
  assert.deepEqual(twice.fields.map(({ name }) => name), ['a', 'a_3', 'a_2', 'a_4', '?column?', '?column?_2']);
  const [joined] = await good('select * from product p join product q on p.id = q.id, generate_series(1, 600) n');
  assert.equal(joined.rowCount, 600);
  assert.equal(joined.rows[599].sku_2, 'TEA-1');
  const [none] = await good('select 1 as a, 2 as a where false');
  assert.deepEqual(none.fields.map(({ name }) => name), ['a', 'a_2']);
  const [written] = await good("update product set stock = stock returning sku, sku");
  assert.deepEqual(written.rows, [{ sku: 'TEA-1', sku_2: 'TEA-1' }]);
});

test('one transaction: all of it or nothing', async () => {
  const answer = await refused("update product set stock = 7; insert into product (sku, title, price) values ('bad sku', 'x', 1)", '23514');
  assert.equal(answer.status, 400);
  assert.equal(answer.json.statement, 1);
  assert.equal((await good('select stock from product'))[0].rows[0].stock, 40);
  const [written] = await good("update product set stock = 41 where sku = 'TEA-1' returning stock");
  assert.deepEqual([written.rowCount, written.rows], [1, [{ stock: 41 }]]);
  const [counted] = await good("update product set stock = 40");
  assert.deepEqual([counted.rowCount, counted.rows], [1, []]);
});

test('errors have the code and the place', async () => {
  const text = "select 'é'; select nix from product";
  const { json, status } = await run(text);
  assert.equal(status, 400);
  assert.equal(json.code, '42703');
  assert.equal(text.slice(json.position - 1, json.position + 2), 'nix');
  assert.equal(json.statement, 1);
  const update = "select 1;\n update product set nix = 1";
  assert.equal(update.slice((await run(update)).json.position - 1), 'nix = 1');
  const syntax = 'select 1; selec 2';
  const wrong = (await run(syntax)).json;
  assert.equal(wrong.code, '42601');
  assert.equal(syntax.slice(wrong.position - 1), 'selec 2');
  for (const odd of ['select 1; x', 'x; select 1', 'x', ';;x;;', 'select 1; (', 'select 1; )', "select 1; 'x'", 'select 1; 5', 'select 1; $$', 'select 1; "a"', "select 'x", 'select 1 /*']) {
    assert.equal((await run(odd)).json.code, '42601', odd);
  }
  assert.equal((await good(';; select 1 ;/* a; */ -- b;\n; select 2;')).length, 2);
  assert.equal((await run('')).json.code, 'BAD_REQUEST');
  assert.equal((await run('-- nothing')).json.code, 'BAD_REQUEST');
  assert.equal((await run('select 1', { env: 'test' })).json.code, 'BAD_REQUEST');
  assert.equal((await run('select 1', { env: 'prod' })).json.code, 'NO_APP');
});

test('rules, guards and change records hold', async () => {
  const [made] = await good(`insert into "order" (note) values ('by hand') returning id`);
  const order = made.rows[0].id;
  const [product] = await good('select id from product');
  await refused(`insert into order_line (order_id, product_id, quantity) values ('${order}', '${product.rows[0].id}', 500)`, 'SV422');
  await refused(`update "order" set status = 'shipped' where id = '${order}'`, 'SV432');
  await refused(`update "order" set id = svc.new_id() where id = '${order}'`, 'SV432');
  const [changes] = await good(`select event, actor from svc.change where row_id = '${order}'`);
  assert.deepEqual(changes.rows, [{ event: 'created', actor: null }]);
});

// Each line an escape: nothing of it may come through, with every right that a connection has.
const escapes = [
  "copy product to program 'id'", "copy product to '/tmp/x'", "copy product from program 'id'", 'copy product to stdout', 'copy product from stdin',
  "select pg_read_file('/etc/passwd')", "select pg_catalog.pg_read_file('/etc/passwd')", 'select "pg_read_file"(\'x\')', "select U&\"pg\\005fread_file\"('x')",
  "select pg_ls_dir('/')", "select pg_stat_file('/etc/passwd')", "select pg_read_binary_file('/etc/passwd')", "select pg_reload_conf()", 'select pg_rotate_logfile()',
  "select lo_import('/etc/passwd')", "select lo_export(1, '/tmp/x')", 'select lo_creat(-1)', 'select lo_create(0)', "select lo_from_bytea(0, 'x')",
  'select lo_unlink(1)', 'select lowrite(0, null)', 'select loread(0, 1)', "select lo_put(1, 0, 'x')",
  "select dblink('dbname=postgres', 'select 1')", "create extension dblink", 'create extension plpython3u',
  'set role svc_admin', 'reset role', 'set session authorization svc_admin', 'reset session authorization', 'set local role none',
  "set session_replication_role = 'replica'", 'set row_security = off', "set statement_timeout = 0", "select set_config('svc.user_id', '', false)",
  "select pg_catalog.set_config('session_replication_role', 'replica', true)", "update pg_settings set setting = 'replica' where name = 'session_replication_role'",
  "update pg_settings set setting = '0' where name = 'statement_timeout'",
  "select table_to_xml('pg_catalog.pg_database'::regclass, true, false, '')", "select schema_to_xml('pg_catalog', true, false, '')", "select xmlelement(name a, database_to_xml(true, true, ''))",
  'select pg_sleep(1)', "select current_database.svc.saved_answer('k')",
  "select query_to_xml('select set_config(''svc.user_id'', ''x'', false)', true, true, '')", "select query_to_xml_and_xmlschema('select 1', true, true, '')",
  "select * from ts_stat('select 1')", "select ts_rewrite('a'::tsquery, 'select 1')", "select cursor_to_xml('svc_rows', 1, true, true, '')",
  'alter table product disable trigger all', 'alter table product disable row level security', 'alter table product disable trigger product_guard',
  'drop trigger product_guard on product', 'drop policy product_select on product', 'drop table product', 'truncate product', 'alter table product owner to current_user',
  'alter system set fsync = off', 'alter database postgres set fsync = off', "alter role current_user set statement_timeout = 0", "alter role current_user password 'x'",
  'alter role current_user superuser', 'create role x', 'create database x', 'drop database postgres', 'grant all on product to public', 'revoke all on product from public',
  'create function f() returns int language sql as $$ select 1 $$', "do $$ begin perform 1; end $$", "do language plpgsql 'begin end'", 'call svc.product_fill_words(true)',
  'create view v as select 1', 'create temp table t (a int)', 'select 1 into x', 'create table x as select 1', 'create schema x', 'create rule r as on delete to product do instead nothing',
  'begin', 'commit', 'rollback', 'savepoint a', 'commit; update product set stock = 0', 'start transaction read write', 'set transaction read write', 'abort', 'end',
  "prepare p as select 1", 'execute p', 'deallocate all', 'declare c cursor with hold for select 1', 'fetch all from svc_rows', 'close svc_rows', 'discard all',
  'listen x', 'notify x', "select pg_notify('x', 'y')", "load 'x'", 'vacuum', 'analyze', 'checkpoint', 'cluster', 'reindex table product', 'lock table product', 'reset all',
  'select pg_terminate_backend(pid) from pg_stat_activity', 'select * from pg_stat_activity', 'select * from pg_authid', 'select rolpassword from pg_shadow', 'select * from pg_database',
  'select * from pg_catalog.pg_roles', 'select 10::regrole', "select cast('x' as pg_catalog.regrole)", 'select pg_advisory_lock(1)', 'select pg_try_advisory_lock(1)', 'select pg_get_userbyid(10)',
  'select * from pg_largeobject', "select pg_logical_emit_message(true, 'a', 'b')", 'select pg_export_snapshot()', 'select pg_switch_wal()', "select pg_create_physical_replication_slot('x')",
  'select * from pg_hba_file_rules', 'select * from pg_file_settings', 'select * from pg_user_mapping', 'select * from pg_statistic', "select shobj_description(1, 'pg_database')",
  'select password_hash from svc.account', 'select * from svc.account', 'select * from svc.session', 'select * from svc.token', 'select * from svc.mail', 'select * from svc.secret',
  'select * from svc.app_key', 'select * from svc.mfa', 'select hash from svc.idempotency', "update svc.account set is_admin = true", 'delete from svc.change', 'update svc.contract set version = 0',
  "insert into svc.seed values ('a', 'b', svc.new_id(), 'c')", 'delete from svc.audit', "select svc.keep_answer('a', 200, '', '')", "select svc.claim_key('a', 'b')", 'select svc.purge_changes()',
  "insert into pg_class select * from pg_class", "update pg_proc set prosrc = ''", "delete from pg_trigger", "update pg_trigger set tgenabled = 'D'",
  'explain analyze execute p', 'explain create table x as select 1', "security label on table product is 'x'", 'comment on table product is null; select 1', 'create event trigger e on ddl_command_start execute function f()',
];
test('no statement of a developer leaves its database or its rights', async (t) => {
  const before = admin(stack, databaseOf(project), 'select count(*), max(stock) from product')[0];
  for (const escape of escapes) {
    await t.test(escape, async () => {
      for (const text of [escape, `select 1; ${escape}`]) {
        const { status, json, text: answer } = await run(text);
        assert.equal(status, 400, answer);
        assert.match(json.code, /^[0-9A-Z]{5}$/, answer);
        assert.ok(!answer.includes('svc_admin') || escape.includes('svc_admin') || answer.includes('permission denied'), answer);
      }
    });
  }
  assert.deepEqual(admin(stack, databaseOf(project), 'select count(*), max(stock) from product')[0], before);
});

test('what a batch leaves behind is rows alone', async () => {
  const settings = "select current_user, current_setting('svc.principals'), pg_typeof(1)::text as t";
  const [first] = await good(settings);
  assert.match(first.rows[0].current_user, /_sql$/);
  assert.deepEqual((await good(settings))[0], first);
  const [role] = admin(stack, databaseOf(project), `select rolsuper, rolcreaterole, rolcreatedb, rolbypassrls, rolreplication from pg_roles where rolname = '${first.rows[0].current_user}'`);
  assert.deepEqual(role, ['f', 'f', 'f', 't', 'f']);
  assert.deepEqual(admin(stack, databaseOf(project), 'select count(*) from pg_largeobject_metadata'), [['0']]);
});

test('a batch has bounds', async () => {
  const [many] = await good('select generate_series(1, 1000000000) as n');
  assert.equal(many.rows.length, 10000);
  assert.equal(many.truncated, true);
  const [wide] = await good("select repeat('x', 1000000) from generate_series(1, 1000)");
  assert.equal(wide.truncated, true);
  await refused("select repeat('x', 60000000)", '54000');
  await refused("update product set stock = stock returning repeat('x', 60000000)", '54000');
  const slow = await Promise.all(Array.from({ length: 5 }, () => run('select count(*) from generate_series(1, 4000000)')));
  assert.ok(slow.filter((one) => one.json.code === 'UNAVAILABLE').length >= 1, 'three at a time');
  await refused('select 1;'.repeat(101), '54000');
  await refused(`select '${'x'.repeat(20000)}'`, '54000');
  // How deep is too deep is PostgreSQL's to say, and the stack's; either way nothing falls over.
  const deep = await run(`select ${'('.repeat(5000)}1${')'.repeat(5000)}`);
  assert.ok(deep.status === 200 || deep.json.code === '54001', deep.text);
  assert.equal((await run('x'.repeat(300000))).json.code, 'BAD_REQUEST');
});

test('tables beside the contract\'s, in a call of their own', async () => {
  await good("create table legacy (id uuid primary key, name text not null); create index on legacy (name)");
  await refused('create table other (id uuid); select 1', '42501');
  await good("insert into legacy values (gen_random_uuid(), 'a')");
  assert.equal((await good('select name from legacy'))[0].rows[0].name, 'a');
  await refused('create table product2 (like product)', '42501');
  await refused('alter table product add column x text', '42501');
  await refused('create table x (id uuid)', 'FORBIDDEN_SCOPE', { token: readOnly });
});

test('lost scope, viewer and stranger', async () => {
  const made = (await stack.dev('POST', '/projects', { name: 'Empty', workspaceId: stack.workspace }, { expect: 201 })).json.project;
  assert.equal((await stack.dev('POST', `/projects/${made.id}/sql`, { sql: 'select 1' })).json.code, 'NO_APP');
  assert.equal((await stack.dev('POST', '/projects/00000000-0000-4000-8000-000000000000/sql', { sql: 'select 1' })).status, 404);
  assert.equal((await stack.dev('POST', `/projects/${project.id}/sql`, { sql: 'select 1' }, { token: null })).status, 401);
});

test('nothing of it blocks an apply, and all of it is deleted with the project', async () => {
  const more = sample('shop');
  more.entities[0].fields.push({ name: 'colour', type: 'string' });
  const { json } = await stack.apply(project, more);
  assert.ok(!json.unmanaged.some((one) => one.kind !== 'table'), JSON.stringify(json.unmanaged));
  assert.equal((await good('select colour from product'))[0].rows[0].colour, null);
  const same = await stack.apply(project, more);
  assert.deepEqual(same.json.plan, []);
  await stack.dev('DELETE', `/projects/${project.id}?confirm=${project.slug}`, undefined, { expect: 200 });
  assert.deepEqual(admin(stack, 'postgres', `select rolname from pg_roles where rolname like '${databaseOf(project)}%'`), []);
});
