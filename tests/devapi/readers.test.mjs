// Everything that reads SQL, against one table of attacks and one of what is ordinary.
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { databaseOf, sql as admin } from '../lib/admin_sql.mjs';
import { attacks, ordinary, statements } from '../lib/attacks.mjs';
import { Stack, sample } from '../lib/stack.mjs';

let stack, project, readOnly, host;
before(async () => {
  stack = await Stack.start();
  await stack.signIn();
  project = await stack.project('Readers');
  await stack.project('Bystander of another');
  host = `preview-${project.slug}.localhost`;
  await stack.apply(project, sample('shop'));
  readOnly = (await stack.dev('POST', '/tokens', { name: 'reads', workspaceId: stack.workspace, scopes: ['read'] }, { expect: 201 })).json.token;
});
after(() => stack?.stop());

const developer = (sql, token = stack.session) => stack.dev('POST', `/projects/${project.id}/sql`, { sql }, { token });
const server = (route, sql, params) => stack.fetch('POST', `/__svc/data/${route}`,
  { headers: { authorization: `Bearer ${project.server}`, 'x-svc-data-api': '1', 'x-svc-app-role': 'manager' }, host, body: { sql, ...(params ? { params } : {}) } });
const as = (value) => (/ from product p$/.test(value) ? `select ${value}` : `select ${value} as x`);
// True for text that nobody may see: names of other databases and of roles.
const tells = (text) => /svc_[0-9a-f]{12}_(dev|prod)_(owner|data|system)|svc_platform|root:x:/.test(text);
const traces = () => admin(stack, databaseOf(project), `select (select count(*) from pg_largeobject_metadata), (select count(*) from pg_locks where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())),
  (select count(*) from svc.change where actor is not null), (select count(*) from product), (select min(title) from product), (select count(*) from pg_proc where proname = 'svc_query')`)[0];

test('a read token runs no function by attribute notation, nor by any other spelling', async (t) => {
  const before = traces();
  for (const [value, offender] of attacks) {
    await t.test(value, async () => {
      for (const text of [as(value), `select 1; ${as(value)}`, `explain ${as(value)}`]) {
        for (const token of [readOnly, stack.session]) {
          const { status, json, text: answer } = await developer(text, token);
          assert.equal(status, 400, answer);
          assert.match(json.error, offender, answer);
          assert.ok(!tells(answer), answer);
        }
      }
    });
  }
  assert.deepEqual(traces(), before);
});

test('a statement is about rows of the app, or it is refused', async (t) => {
  const before = traces();
  for (const text of statements) {
    await t.test(text, async () => {
      const { status, json, text: answer } = await developer(text);
      assert.equal(status, 400, answer);
      assert.ok(json.error.length > 15 && !tells(answer), answer);
    });
  }
  assert.deepEqual(traces(), before);
});

test('a refusal says where', async () => {
  for (const [text, what] of [
    ["select 'é', ('select 1'::text).ts_stat", "'select 1'::text).ts_stat"],
    ['select 1;\n select 2, (0.1::float8).pg_sleep from product', '0.1::float8'],
    ['select 1, pg_sleep(1)', 'pg_sleep(1)'],
    ['select 10::regrole', 'regrole'],
    ["explain (costs off)\n select ('é'), (0.1::float8).pg_sleep", '0.1::float8'],
  ]) {
    const { json, text: answer } = await developer(text);
    assert.ok(text.slice(json.position - 1).replace(/^\(/, '').startsWith(what.slice(0, 3)) || text.slice(json.position - 1).includes(what), `${answer} ${text.slice(json.position - 1)}`);
  }
});

test('SQL cannot forge who wrote a change', async () => {
  const account = '00000000-0000-7000-8000-00000000abcd';
  for (const text of [
    `select set_config('svc.user_id', '${account}', true); update product set stock = stock + 1`,
    `with x as (select set_config('svc.user_id', '${account}', true)) update product set stock = 1 from x`,
    `update product set stock = length(set_config('svc.user_id', '${account}', true))`,
    `update product set title = (select c from set_config('svc.user_id', '${account}', true) c)`,
  ]) assert.match((await developer(text)).json.error, /set_config/);
  assert.equal((await developer("update product set stock = 41 where sku = 'TEA-1'")).status, 200);
  assert.deepEqual(admin(stack, databaseOf(project), `select count(*) from svc.change where actor = '${account}'`), [['0']]);
});

test('a server key reads rows, and nothing else by any spelling', async (t) => {
  const before = traces();
  for (const [value] of attacks) {
    await t.test(value, async () => {
      const calls = [['query', as(value)], ['query', `select * from (${as(value)}) q`]];
      if (!value.includes('from product p')) calls.push(['exec', `update product set title = (${value})::text`], ['exec', `delete from product where (${value})::text = 'x'`]);
      for (const [route, text] of calls) {
        const { status, json, text: answer } = await server(route, text);
        assert.ok([400, 403].includes(status), `${text}: ${answer}`);
        assert.ok(json.error.message.length > 15 && !tells(answer), answer);
      }
    });
  }
  for (const [text, params] of [['select unnest($1::_regrole)', ['{10}']], ['select $1::regrole', ['10']], ['select cast($1 as "regclass")', ['1259']], ['select $1::text::regclass', ['1259']]]) {
    const { status, text: answer } = await server('query', text, params);
    assert.equal(status, 400, answer);
  }
  assert.deepEqual(traces(), before);
});

test('unmanaged tables have columns and defaults that only compute', async (t) => {
  for (const [value] of attacks) {
    await t.test(value, async () => {
      for (const text of [`create table mine (id uuid primary key, a text default (${value})::text)`, `create table mine (id uuid primary key, a text check ((${value})::text <> ''))`, `create table mine (a text); create index on mine (((${value})::text))`]) {
        const { status, json, text: answer } = await server('migrate', text);
        assert.equal(status, 400, `${text}: ${answer}`);
        assert.ok(json.error.message.length > 15 && !tells(answer), answer);
      }
    });
  }
  for (const type of ['regrole', '_regrole', '"regrole"', 'pg_catalog.regclass', 'regclass[]', 'aclitem', '_aclitem[]', 'oid', 'xid', 'tid', 'name', '"char"', 'xml', 'refcursor', 'product', 'public.product', 'svc.account', 'information_schema.sql_identifier', 'setof text'])
    assert.equal((await server('migrate', `create table mine (id uuid primary key, a ${type})`)).status, 400, type);
  assert.deepEqual(admin(stack, databaseOf(project), "select count(*) from pg_class where relname = 'mine'"), [['0']]);
});

// Findings, each with the query that it is about.
const check = async (queries) => {
  const found = [];
  for (let first = 0; first < queries.length; first += 50) {
    const some = queries.slice(first, first + 50).map((sql, i) => ({ name: `q${i}`, allow: ['end_user'], sql }));
    const { seeds: _none, functions: _calls, workflows: _runs, webhooks: _hooks, ...contract } = sample('shop');
    const { status, json, text } = await stack.dev('POST', `/projects/${project.id}/check`, { contract: { ...contract, queries: some } });
    assert.ok([200, 422].includes(status), text);
    for (const error of json.report.errors) found.push({ ...error, query: queries[first + Number(/^\/queries\/(\d+)/.exec(error.path)?.[1])] });
  }
  return found;
};

test('a named query computes, by any spelling', async () => {
  const texts = attacks.map(([value]) => as(value));
  const told = new Set();
  for (const { code, query, message } of await check(texts)) {
    assert.match(code, /^(QUERY_|UNKNOWN_)/, message);
    assert.ok(!tells(message), message);
    told.add(query);
  }
  assert.deepEqual(texts.filter((text) => !told.has(text)), []);
});

test('what is ordinary is taken by all of them', async (t) => {
  for (const value of ordinary) {
    await t.test(value, async () => {
      const text = `select ${value} as x from product p`;
      const mine = await developer(text, readOnly);
      assert.equal(mine.status, 200, mine.text);
      const theirs = await server('query', text);
      assert.equal(theirs.status, 200, theirs.text);
    });
  }
  // Lists, rows and times of day are not columns of a named query's answer as they are.
  const errors = (await check(ordinary.map((value) => `select (${value})::text as x from product p`)));
  assert.deepEqual(errors, []);
});

test('what developers write day by day is taken', async (t) => {
  for (const text of [
    'select * from product', 'table product', 'values (1, true, null)', 'select p.*, row_to_json(p) from product p', 'select to_jsonb(p) - \'cost\' as row from product p', 'select p from product p', 'select (p).title from product p',
    'select (x).a from (select q as x from (select 1 as a) q) z', 'select array_agg(p) from product p', 'select generate_series(1, 3)', "select generate_series(now(), now() + interval '2 days', '1 day')",
    'select random() < 2, gen_random_uuid(), clock_timestamp() > now()', 'select svc.new_id()', 'select current_user, current_database(), current_schema', "select current_setting('timezone')", 'show timezone', 'show all',
    "select pg_size_pretty(pg_total_relation_size('product'))", 'select relname, pg_relation_size(oid) from pg_class where relkind = \'r\' limit 3', 'select pg_typeof(1)', 'select pg_typeof(price)::text from product',
    "select table_name, column_name, data_type from information_schema.columns where table_schema = 'public'", 'select tablename from pg_tables limit 2', 'select indexdef from pg_indexes limit 2', 'select pg_get_viewdef(oid) from pg_class where relkind = \'v\' limit 1',
    'select pg_get_constraintdef(oid) from pg_constraint limit 2', 'select xmin, ctid, tableoid, * from product', 'select event, actor, new ->> \'title\' as title from svc.change order by seq limit 5', 'select id, email from svc.account', 'select * from svc.org',
    "select to_tsvector('simple', title) @@ websearch_to_tsquery('simple', 'tea') from product", "select ts_rank(to_tsvector('simple', title), to_tsquery('simple', 'tea')) from product",
    "insert into product (sku, title, price) values ('NEW-1', 'new', 5) returning id, sku", "insert into product (sku, title, price) values ('NEW-1', 'again', 5) on conflict (sku) do update set title = excluded.title returning title",
    "update product p set stock = s.n from (select 5 as n) s where p.sku = 'NEW-1' returning p.stock", "merge into product p using (values ('NEW-1')) v (sku) on p.sku = v.sku when matched then update set stock = 3 when not matched then do nothing",
    "with gone as (delete from product where sku = 'NEW-1' returning sku) select * from gone", 'select * from product for update', 'explain select * from product', 'explain (analyze, costs off, format json) select count(*) from product', 'explain analyze verbose select 1',
    "select x.a, x.b from jsonb_to_record('{\"a\": 1, \"b\": \"x\"}') as x(a int, b text)", "select * from json_to_recordset('[{\"a\": 1}]') as x(a int)", 'select * from unnest(array[1, 2], array[3, 4]) with ordinality', "select * from rows from (generate_series(1, 2), generate_series(1, 3)) r(a, b)",
    "select '{\"a\": [1, 2]}'::jsonb @? '$.a[*] ? (@ > 1)'", "select jsonb_path_query('[1, 2]', '$[*]')", "select int4range(1, 5) @> 3", "select range_agg(int4range(1, 5))", "select format('%s-%s', 1, 2), repeat('x', 3), lpad('1', 3, '0')", "select encode(sha256('x'), 'hex')", "select convert_from('x'::bytea, 'UTF8')",
    'select "order".number from "order" order by number desc nulls last fetch first 3 rows only', 'select grouping(active), active, count(*) from product group by grouping sets ((active), ())', 'select sum(price) over w from product window w as (order by sku rows between 1 preceding and current row)',
    'select 1 where 1 is not distinct from 1', "select 'a' similar to 'a|b', 'a' ~* 'A', 'a' ^@ 'a'", "select b'101', x'1F'::text", "select 1 -- what this is\n + 1 /* and that */", "with recursive t(n) as (select 1 union all select n + 1 from t where n < 3) search depth first by n set o select n from t",
  ]) {
    await t.test(text, async () => {
      const { status, text: answer } = await developer(text);
      assert.equal(status, 200, answer);
    });
  }
  assert.equal((await developer("create type mood as enum ('good', 'bad')")).status, 200);
  assert.equal((await developer("create table diary (id uuid primary key default gen_random_uuid(), mood mood, moods mood[])")).status, 200);
  assert.equal((await developer("insert into diary (mood, moods) values ('good'::mood, array['bad']::mood[]) returning mood::text, enum_range(null::mood)")).status, 400, 'enum_range is not on the list');
  assert.equal((await developer("insert into diary (mood, moods) values ('good'::mood, array['bad']::public.mood[]) returning mood::text")).status, 200);
  assert.match((await developer("select 'good'::sadness")).json.error, /sadness/);
});

// The rights of a role in its database, for an attacker who passed every reader.
test('roles may not do what no app needs, in databases new and old', async () => {
  const asks = (role, text) => {
    try {
      return admin(stack, databaseOf(project), `set role "${databaseOf(project)}_${role}"; ${text}`);
    } catch (error) {
      return String(error.stderr ?? error);
    }
  };
  const denied = () => {
    for (const role of ['data', 'sql', 'system'])
      for (const text of ["select lo_creat(-1)", "select lo_from_bytea(0, 'x')", "select * from ts_stat('select 1')", "select pg_sleep(0)", "select pg_notify('a', 'b')", 'select pg_advisory_lock(1)', 'select pg_terminate_backend(0)',
        "select query_to_xml('select 1', true, true, '')", "select database_to_xml(true, true, '')", 'select pg_describe_object(1262, 1, 0)', 'select * from pg_stat_get_activity(null)', 'select pg_export_snapshot()',
        'select datname from pg_database', 'select rolname from pg_roles', 'select usename from pg_user', 'select * from pg_stat_activity', 'select * from pg_shdescription', 'select * from pg_db_role_setting', 'select * from pg_locks', 'select spcname from pg_tablespace', 'select * from pg_settings'])
        assert.match(String(asks(role, text)), /permission denied/, `${role}: ${text}`);
    assert.deepEqual(asks('data', 'select svc.past_policies()'), [['f']]);
    assert.deepEqual(asks('data', "select count(*) > 0 from information_schema.tables"), [['t']]);
  };
  await developer('select 1');
  denied();
  // The rights of an earlier release, which svcd repairs at its start.
  admin(stack, databaseOf(project), 'grant execute on function lo_creat(integer), ts_stat(text), pg_sleep(float8) to public; grant select on pg_database, pg_roles to public');
  stack.child.kill('SIGTERM');
  await stack.ended;
  await stack.run();
  await stack.signIn();
  denied();
  // And in what a snapshot becomes.
  const made = (await stack.dev('POST', `/projects/${project.id}/snapshots`, { env: 'dev' })).json.snapshot;
  const restored = await stack.dev('POST', `/projects/${project.id}/snapshots/${made.id}/restore`, { env: 'dev' });
  assert.equal(restored.status, 200, restored.text);
  const now = admin(stack, 'postgres', `select datname from pg_database where datname like '${databaseOf(project)}%' order by datname`).at(-1)[0];
  const callable = admin(stack, now, `select has_function_privilege('${databaseOf(project)}_data', 'pg_catalog.lo_creat(int)', 'execute'), has_table_privilege('${databaseOf(project)}_data', 'pg_catalog.pg_database', 'select')`);
  assert.deepEqual(callable, [['f', 'f']]);
  assert.equal((await developer('select count(*) from product')).status, 200);
});
