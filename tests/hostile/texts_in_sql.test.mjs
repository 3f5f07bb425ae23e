// Texts of authors and callers with a meaning in SQL.
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { Stack, sample } from '../lib/stack.mjs';

let stack, project, reader;
before(async () => {
  stack = await Stack.start();
  await stack.signIn();
  project = await stack.project('Texts');
  await stack.apply(project, sample('hello'));
  reader = (await stack.dev('POST', '/tokens', { name: 'reads', scopes: ['read'], workspaceId: stack.workspace }, { expect: 201 })).json.token;
});
after(() => stack?.stop());

const marked = { 'x-svc-data-api': '1' };
const sql = (text, options) => stack.dev('POST', `/projects/${project.id}/sql`, { sql: text }, options);
const migrate = (text) => stack.fetch('POST', `/preview/${project.id}/__svc/data/migrate`, { headers: { ...marked, authorization: `Bearer ${project.server}` }, body: { sql: text } });

test('a text that looks like a placeholder of a template is sent and stored as it is', async () => {
  const other = await stack.project('Holes');
  await stack.apply(other, {
    app: { name: 'Holes' },
    entities: [{
      name: 'thing', owner: 'none', access: { read: '*', create: '*' },
      fields: [
        { name: 'kind', type: 'enum', values: [':data_role', ':key_type', "a'b"], default: ':data_role' },
        { name: 'n', type: 'integer' },
      ],
      rules: [{ on: ['create'], refuse: 'new.n > 5', message: ':data_role :system_role' }],
    }],
  });
  const create = (body) => stack.fetch('POST', '/__svc/api/v1/thing', { host: `preview-${other.slug}.localhost`, headers: { ...marked, authorization: `Bearer ${other.server}` }, body });
  const made = await create({ n: 1 });
  assert.equal(made.status, 201, JSON.stringify(made.json));
  assert.match(made.text, /"kind":":data_role"/);
  const refused = await create({ n: 9 });
  assert.deepEqual([refused.status, refused.json.error.message], [422, ':data_role :system_role']);
});

test('an enumeration or a table takes no name of a type that the lists close', async () => {
  for (const name of ['regrole', 'aclitem', 'regclass', 'oid', 'xml', 'refcursor']) {
    const made = await sql(`create type ${name} as enum ('a')`);
    assert.equal(made.status, 400, `${name}: ${made.text}`);
    assert.equal((await migrate(`create type ${name} as enum ('a')`)).status, 400, name);
    assert.equal((await migrate(`create table own_leak (id uuid primary key, r ${name})`)).status, 400, name);
    assert.equal((await migrate(`create table ${name} (id uuid primary key)`)).status, 400, name);
    assert.equal((await sql(`select 'svc_admin'::${name}`, { token: reader })).status, 400, name);
  }
});

// Each level of it stands 32 times in the grammar's tree.
const columns = Array(32).fill('a').join(',');
const nested = (levels) => (levels === 0 ? 'select 1' : `with x as (update reading set (${columns}) = (${nested(levels - 1)}) returning 1) select 1`);
const wide = `update reading set (${Array(1500).fill('a').join(',')}) = (select ${Array(3000).fill('1').join('+')})`;

test('a small statement that becomes a tree of gigabytes is refused, and ends nobody', async () => {
  for (const text of [nested(5), nested(3), wide]) {
    for (const answer of [await sql(text), await sql(text, { token: reader }), await migrate(text)])
      assert.equal(answer.status, 400, answer.text);
    const contract = { ...sample('hello'), queries: [{ name: 'q', sql: text, allow: ['server'] }] };
    const checked = await stack.dev('POST', `/projects/${project.id}/check`, { contract });
    assert.ok(checked.json.report.errors.some(({ code }) => code === 'QUERY_TOO_LARGE' || code === 'QUERY_SYNTAX'), checked.text);
  }
  assert.equal((await stack.fetch('GET', '/readyz')).status, 200);
  assert.equal(stack.child.exitCode, null);
});

test('a field that is called as a function or a type is opens neither after a dot', async () => {
  const names = ['regrole', 'regclass', 'current_setting', 'to_regrole', 'aclitem', 'xml'];
  const other = await stack.project('Dotted');
  await stack.apply(other, {
    app: { name: 'Dotted' },
    entities: [{ name: 'thing', owner: 'none', fields: names.map((name) => ({ name, type: 'string' })), access: { read: '*', create: ['server'] } }],
  });
  const query = (text, params = []) => stack.fetch('POST', '/__svc/data/query', { host: `preview-${other.slug}.localhost`, headers: { ...marked, authorization: `Bearer ${other.server}` }, body: { sql: text, params } });
  for (const name of names)
    for (const from of ['unnest(array[10]) s', 'unnest(array[10]) as s', 'rows from (unnest(array[10])) s', 'unnest(array[10]) with ordinality s', 'current_date s']) {
      const answer = await query(`select s.${name} from ${from}`);
      assert.deepEqual([answer.status, answer.json.error.code], [400, 'PARAMS_INVALID'], `${name}: ${answer.text}`);
    }
  for (const text of [
    'select unnest.regrole from unnest(array[10])', "select btrim.current_setting from trim('data_directory')",
    'select int4.regrole from cast(10 as int)', "select text.regclass from cast('pg_authid' as text)",
    'select xml.regclass from thing t, cast(t.xml as text)', "select name.regclass from cast((select 'pg_authid' as name) as text)",
  ]) assert.equal((await query(text)).status, 400, text);
  assert.equal((await query("select thing.regrole from thing where thing.xml in ('a') order by 1")).status, 200);
  assert.equal((await query('select s.regrole, s.xml from thing s')).status, 200);
});

test('a constraint that is true for a while only is refused, so that dumps can be restored', async () => {
  const made = await sql("create table soon (id uuid primary key, a timestamptz check (a > now() - interval '3 seconds'))");
  assert.equal(made.status, 400, made.text);
  assert.match(made.text, /a different answer at another time/);
  assert.equal((await migrate('create table soon (id uuid primary key, a date check (a >= current_date))')).status, 400);
  for (const check of ['soon.* is not null', 'tableoid > 0'])
    assert.equal((await sql(`create table soon (id uuid primary key, a date, check (${check}))`)).status, 400, check);
  const kept = await sql("create table soon (id uuid primary key, a date default current_date check (a > date '2000-01-01' and lower('A') = 'a'))");
  assert.equal(kept.status, 200, kept.text);
});

test('a small statement that becomes a text of gigabytes gets an error, and others their answers', async () => {
  const rows = `select length(${'row('.repeat(60)}1,2${')'.repeat(60)}::text)`;
  const answer = await sql(rows, { token: reader });
  assert.ok(answer.status >= 400 && answer.status < 500, `${answer.status} ${answer.text}`);
  assert.equal((await sql('select 1 as one', { token: reader })).status, 200);
});
