// Named queries: their limits, and those of an administrator, which read across users and do nothing else.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import test, { after, before } from 'node:test';
import { databaseOf, sql } from '../lib/admin_sql.mjs';
import { Stack, appServers } from '../lib/stack.mjs';
import { signUp } from '../lib/scenarios.mjs';

// A connection knows statements by names, of which PostgreSQL reads 63 bytes.
const long = 'a'.repeat(40);
const alike = ['a/b', 'a_b', 'a_b_elevated', `${long}/${long}`, `${long}/${long.slice(1)}b`, 'note/create', 'note_create', 'note_get'];
const contract = {
  app: { name: 'Notes' },
  personas: [{ id: 'member', kind: 'consumer', signup: true }],
  entities: [{ name: 'note', fields: [{ name: 'title', type: 'string' }, { name: 'rank', type: 'integer', default: 1 }] }],
  queries: [
    { name: 'reports/notes', allow: ['member'], params: { least: { type: 'integer', default: 1 } },
      sql: "select n.title, n.rank::smallint as rank, now() - now() as age, '2026-11-21 10:00'::timestamp as since from note n where n.rank >= :least order by title -- $svc$" },
    { name: 'promote', mode: 'write', allow: ['member'], sql: 'update note set rank = rank + 1 returning title' },
    { name: 'add', mode: 'write', allow: ['member'], params: { title: { type: 'string' } }, sql: 'insert into note (title) values (:title) returning id, title, user_id' },
    { name: 'many', allow: ['member'], sql: 'select n from generate_series(1, 10001) n' },
    { name: 'only', allow: ['member'], sql: 'select (select n.title from note n) as title' },
    { name: 'pairs', allow: ['member'], sql: 'select a as n, b as m from generate_series(1, 9000) a cross join generate_series(1, 9000) b; -- all of them' },
    { name: 'downwards', allow: ['member'], sql: 'select n from generate_series(1, 20000) n order by n desc' },
    { name: 'wide', allow: ['member'], sql: "select repeat('x', 1000000) as text from generate_series(1, 40) n" },
    { name: 'long', allow: ['member'], sql: "select repeat('x', 1000000) as text from generate_series(1, 10000) n" },
    { name: 'slow', allow: ['member'], sql: 'select count(*) as n from generate_series(1, 50000) a, generate_series(1, 50000) b, generate_series(1, 50000) c' },
    ...alike.map((name, n) => ({ name, allow: ['member'], sql: `select ${n} as n` })),
    { name: 'closed', allow: [], sql: 'select title from note' },
  ],
  seeds: {},
};

let stack, project, host, people;
const headers = (person) => ({ authorization: `Bearer ${project.browser}`, origin: 'http://app.test', 'x-svc-data-api': '1', 'x-svc-app-session': person.token });
const run = (person, name, body = {}, more = {}) =>
  stack.fetch('POST', `/__svc/queries/${name}`, { headers: { ...headers(person), ...more }, host, body });
const titles = async (answer) => (await answer).json.rows.map((row) => row.title);
const asAdmin = { 'x-svc-admin': '1' };

before(async () => {
  stack = await Stack.start();
  await stack.signIn();
  project = await stack.project('Notes');
  host = `preview-${project.slug}.localhost`;
  await stack.apply(project, contract);
  people = { ann: await signUp(stack, project, host, 'ann.notes', 'member'), bob: await signUp(stack, project, host, 'bob.notes', 'member') };
  for (const [name, person] of Object.entries(people)) {
    const made = await stack.fetch('POST', '/__svc/api/v1/note', { headers: headers(person), host, body: { title: name } });
    assert.equal(made.status, 201, made.text);
  }
  sql(stack, databaseOf(project), "update svc.account set is_admin = true where email = 'ann.notes@example.test'");
  // A connection of slow statements opens with the first of them.
  const [{ env }] = appServers(project);
  const role = spawnSync('psql', ['-XAtqc', 'select current_user', env.SVC_DATA_URL], { encoding: 'utf8' }).stdout.trim();
  sql(stack, databaseOf(project), `alter role "${role}" set statement_timeout = '1s'`);
  const body = { email: 'ann.notes@example.test', password: 'ann.notes has a password' };
  const login = await stack.fetch('POST', '/__svc/auth/login', { headers: { authorization: `Bearer ${project.browser}`, origin: 'http://app.test' }, host, body });
  people.ann.token = login.json.token;
});
after(() => stack?.stop());

test('queries that take long leave room for everything else', async () => {
  const order = [];
  const slow = Array.from({ length: 8 }, () => run(people.bob, 'slow').then(({ status, json }) => { order.push('slow'); assert.ok(status >= 400, JSON.stringify(json)); }));
  const write = await stack.fetch('POST', '/__svc/api/v1/note', { headers: { ...headers(people.bob), 'idempotency-key': 'room' }, host, body: { title: 'bob', rank: 0 } });
  assert.equal(write.status, 201, write.text);
  const counted = await stack.fetch('GET', '/__svc/api/v1/note/aggregate?metric=count', { headers: headers(people.bob), host });
  assert.equal(counted.status, 200, counted.text);
  order.push('the rest');
  await Promise.all(slow);
  assert.ok(order.indexOf('the rest') < 7, order.join(', '));
  const gone = await stack.fetch('DELETE', `/__svc/api/v1/note/${write.json.rows[0].id}`, { headers: headers(people.bob), host });
  assert.equal(gone.status, 200, gone.text);
});

test('parameters are in params or in the body, not in both', async () => {
  const answer = await run(people.ann, 'reports/notes', { params: {}, least: 2 });
  assert.deepEqual([answer.status, answer.json.error.code, answer.json.error.field], [400, 'PARAMS_INVALID', 'least']);
  for (const body of [{ '': 1, params: { least: 2 } }, { params: { least: 2 }, '': 1 }]) {
    const { status, json } = await run(people.ann, 'reports/notes', body);
    assert.deepEqual([status, json.error.code], [400, 'PARAMS_INVALID'], 'nor under no name at all');
  }
});

test('what the rows bring about is the caller\'s to know', async () => {
  assert.deepEqual(await titles(run(people.ann, 'only')), ['ann']);
  const { status, json } = await run(people.ann, 'only', {}, asAdmin);
  assert.deepEqual([status, json.error], [400, { code: '21000', message: 'more than one row returned by a subquery used as an expression' }]);
});

test('an administrator reads across users where she says so', async () => {
  assert.deepEqual(await titles(run(people.ann, 'reports/notes')), ['ann']);
  const all = await run(people.ann, 'reports%2Fnotes', { least: 1 }, asAdmin);
  assert.deepEqual(all.json.rows, [
    { title: 'ann', rank: 1, age: 'PT0S', since: '2026-11-21T10:00:00' }, { title: 'bob', rank: 1, age: 'PT0S', since: '2026-11-21T10:00:00' }]);
  assert.deepEqual(all.json.fields.map(({ type }) => type), ['25', '21', '1186', '1114']);
  assert.deepEqual(await titles(run(people.ann, 'reports/notes', { least: 2 }, asAdmin)), []);
  assert.deepEqual(await titles(run(people.ann, 'reports/notes')), ['ann'], 'the next call is as it was');
});

test('a query has its limits', async () => {
  const many = await run(people.bob, 'many');
  assert.equal(many.json.rows.length, 10_000);
  assert.deepEqual([many.json.rowCount, many.json.truncated], [10_000, true]);
  for (const [person, more] of [[people.bob, {}], [people.ann, asAdmin]]) {
    const pairs = await run(person, 'pairs', {}, more);
    assert.deepEqual([pairs.json.rowCount, pairs.json.truncated], [10_000, true], 'what is beyond is never made, or it would take too long');
  }
  const downwards = (await run(people.bob, 'downwards')).json.rows.map(({ n }) => n);
  assert.deepEqual(downwards, Array.from({ length: 10_000 }, (_, i) => 20_000 - i));
  const wide = await run(people.bob, 'wide');
  assert.deepEqual([wide.json.rowCount, wide.json.rows.length, wide.json.truncated], [17, 17, true], 'bytes count as well');
  const lines = await run(people.bob, 'wide', {}, { accept: 'application/x-ndjson' });
  assert.deepEqual([lines.text.trim().split('\n').length, lines.headers['x-svc-truncated']], [17, 'true']);
  for (let i = 0; i < 6; ++i) {
    const long = await run(people.bob, 'long');
    assert.deepEqual([long.status, long.json.rowCount, long.json.truncated], [200, 17, true], 'no more is made than is shown, or it would take too long');
  }
  const slow = await run(people.bob, 'slow');
  assert.equal(slow.status, 503, slow.text);
  assert.equal(slow.json.error.code, 'UNAVAILABLE');
  assert.equal((await run(people.bob, 'reports/notes')).status, 200);
});

test('names that are alike are still names of two queries', async () => {
  for (let round = 0; round < 3; ++round)
    for (const [n, name] of alike.entries()) {
      assert.deepEqual((await run(people.ann, name)).json.rows, [{ n }], name);
      assert.deepEqual((await run(people.ann, name, {}, asAdmin)).json.rows, [{ n }], `${name}, elevated`);
    }
});

test('only administrators read across users', async () => {
  const refused = await run(people.bob, 'reports/notes', {}, asAdmin);
  assert.equal(refused.status, 403);
  assert.deepEqual(refused.json, { ok: false, error: { message: 'Admin required' } });
  assert.equal((await run(people.ann, 'reports/notes', {}, { 'x-svc-admin': 'true' })).status, 400);
  assert.equal((await run(people.ann, 'closed', {}, asAdmin)).status, 403, 'whom the contract does not allow it');
});

test('what is inserted is stamped with its caller', async () => {
  const made = await run(people.bob, 'add', { title: 'added' });
  assert.equal(made.status, 200, made.text);
  const [{ id, title, user_id: owner }] = made.json.rows;
  assert.deepEqual([title, owner], ['added', people.bob.id]);
  const gone = await stack.fetch('DELETE', `/__svc/api/v1/note/${id}`, { headers: headers(people.bob), host });
  assert.equal(gone.status, 200, gone.text);
  const owners = sql(stack, databaseOf(project), "insert into note (title) values ('nobody') returning user_id is null");
  assert.deepEqual(owners, [['t']], 'the owner of the tables makes rows for nobody');
  sql(stack, databaseOf(project), "delete from note where title = 'nobody'");
});

test('an apply adds the stamp of owners to a database that has none', async () => {
  const database = databaseOf(project);
  sql(stack, database, "alter table note alter column user_id drop default; delete from svc.managed where (kind, name) = ('default', 'note.user_id')");
  const again = structuredClone(contract);
  again.entities[0].fields.push({ name: 'later', type: 'string' });
  await stack.apply(project, again);
  assert.deepEqual(sql(stack, database, "select column_default from information_schema.columns where (table_name, column_name) = ('note', 'user_id')"), [['svc.user_id()']]);
  assert.deepEqual((await stack.apply(project, again)).json.plan, []);
});

test('what writes stays with its caller', async () => {
  assert.deepEqual(await titles(run(people.ann, 'promote', {}, asAdmin)), ['ann']);
  const { json } = await run(people.ann, 'reports/notes', {}, asAdmin);
  assert.deepEqual(json.rows.map(({ rank }) => rank), [2, 1]);
});

test('the function behind it asks for itself', () => {
  const [{ env }] = appServers(project);
  const psql = (sql) => spawnSync('psql', ['-XAtq', env.SVC_DATA_URL, '-c', sql], { encoding: 'utf8' });
  const name = psql("select proname from pg_proc where proname like 'elevated\\_%' and pronargs = 1").stdout.trim();
  assert.match(name, /^elevated_[0-9a-f]{16}$/);
  const as = (id) => `set svc.user_id = '${id}'; set svc.elevated = 'yes'; select title from svc.${name}(1)`;
  assert.match(psql(`select title from svc.${name}(1)`).stderr, /Admin required/);
  assert.match(psql(as(people.bob.id)).stderr, /Admin required/);
  assert.match(psql(`set svc.user_id = '${people.ann.id}'; select title from svc.${name}(1)`).stderr, /Admin required/);
  assert.match(psql('select svc.elevated()').stderr, /permission denied/);
});
