// Writes that race, repeat, or are cut off: what holds must hold in PostgreSQL, not in the order of requests.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import test, { after, before } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { Stack, appServers, sample, until } from '../lib/stack.mjs';
import { signUp } from '../lib/scenarios.mjs';
import { asAdmin, databaseOf, sql as query } from '../faults/whole.mjs';
import { readingStatements, writingAttacks } from './statements.mjs';

let stack, shop, host, ann, bob;
const marker = { 'x-svc-data-api': '1' };

before(async () => {
  stack = await Stack.start();
  await stack.signIn();
  shop = await stack.project('Writes');
  await stack.apply(shop, sample('shop'));
  host = `preview-${shop.slug}.localhost`;
  for (const [name, keep] of [['ann', (p) => { ann = p; }], ['bob', (p) => { bob = p; }]]) {
    const person = await signUp(stack, shop, host, `${name}.writes`, 'customer');
    keep({ authorization: `Bearer ${shop.browser}`, origin: 'http://app.test', ...marker, 'x-svc-app-session': person.token, id: person.id });
  }
});
after(() => stack?.stop());

const staff = (role, project = shop) => ({ authorization: `Bearer ${project.server}`, ...marker, 'x-svc-app-role': role });
const call = (as, method, path, body, headers = {}) => {
  const { id: _id, ...own } = as;
  return stack.fetch(method, `/__svc${path}`, { headers: { ...own, ...headers }, host, body });
};
const url = (name) => appServers(shop)[0].env[name];
// Runs SQL as the owner of the database, without policies.
const sql = (text) => query(stack, databaseOf(shop), text).map((row) => row.join('|')).join('\n');
const asDataRole = (text) => execFileSync('psql', ['-XAtq', '-c', text, url('SVC_DATA_URL')], { stdio: ['ignore', 'pipe', 'pipe'] }).toString();

// Holds locks until release().
async function holding(text) {
  const { args, env } = asAdmin(stack, databaseOf(shop));
  const child = spawn('psql', args, { env, stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.write(`begin; ${text}; select 'held';\n`);
  await new Promise((done) => child.stdout.once('data', done));
  return { release: async () => { const end = new Promise((done) => child.once('exit', done)); child.stdin.end('rollback;\n'); await end; } };
}
const waitsForLock = () => until('somebody to wait for the lock', () =>
  sql("select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'") !== '0');

test('a page has 16 MB at most, and the next one begins where it ends', async () => {
  const description = 'x'.repeat(900_000);
  for (let i = 0; i < 20; ++i) {
    const sku = `BIG-${String(i).padStart(2, '0')}`;
    assert.equal((await call(staff('manager'), 'POST', '/api/v1/product', { sku, title: 'Big', price: 1, description })).status, 201);
  }
  const list = async (more) => (await call(staff('manager'), 'GET', `/api/v1/product?where=${encodeURIComponent('{"title":"Big"}')}&sort=${encodeURIComponent('{"field":"sku"}')}${more}`)).json;
  const cut = await list('&limit=50');
  assert.equal(cut.truncated, true);
  assert.ok(cut.rowCount > 15 && cut.rowCount < 20, `${cut.rowCount} rows`);
  const first = await list('&limit=50&cursor=');
  assert.deepEqual([first.rowCount, first.hasMore], [cut.rowCount, true]);
  const rest = await list(`&limit=50&cursor=${encodeURIComponent(first.nextCursor)}`);
  assert.deepEqual([rest.rowCount, rest.hasMore], [20 - first.rowCount, false]);
  assert.equal(new Set([...first.rows, ...rest.rows].map((row) => row.sku)).size, 20);
});

test('of ten changes of the same version one is made', async () => {
  const made = await call(staff('manager'), 'POST', '/api/v1/product', { sku: 'RACE-1', title: 'Race', price: 1 });
  const path = `/api/v1/product/${made.json.rows[0].id}`;
  for (let round = 0; round < 5; ++round) {
    const tag = (await call(staff('manager'), 'GET', path)).headers.etag;
    const answers = await Promise.all(Array.from({ length: 10 }, (_, i) =>
      call(staff('manager'), 'PATCH', path, { stock: round * 10 + i }, { 'if-match': tag })));
    assert.deepEqual(answers.map((a) => `${a.status} ${a.json.error?.code ?? ''}`.trim()).sort(), ['200', ...Array(9).fill('412 STALE')]);
    const winner = answers.find((a) => a.status === 200);
    const now = await call(staff('manager'), 'GET', path);
    assert.equal(now.headers.etag, winner.headers.etag);
    assert.equal(now.json.rows[0].stock, winner.json.rows[0].stock);
  }
});

test('a key that comes twenty times at once writes once', async () => {
  for (let round = 0; round < 3; ++round) {
    const headers = { 'idempotency-key': `twenty-${round}` };
    const answers = await Promise.all(Array.from({ length: 20 }, () => call(ann, 'POST', '/api/v1/order', { note: `twenty ${round}` }, headers)));
    const done = answers.filter((a) => a.status === 201);
    assert.ok(done.length > 0);
    assert.equal(done.filter((a) => !a.headers['idempotency-replayed']).length, 1);
    assert.equal(new Set(done.map((a) => a.text)).size, 1, 'every answer is the first one');
    for (const busy of answers.filter((a) => a.status !== 201)) {
      assert.equal(busy.status, 409, busy.text);
      assert.equal(busy.headers['retry-after'], '1');
    }
    assert.equal(sql(`select count(*) from public."order" where note = 'twenty ${round}'`), '1');
  }
});

test('a second request waits for the first, and gets Retry-After', async () => {
  const lock = await holding('lock table public."order" in share mode');
  const headers = { 'idempotency-key': 'held' };
  try {
    const first = call(ann, 'POST', '/api/v1/order', { note: 'held' }, headers);
    await waitsForLock();
    const second = await call(ann, 'POST', '/api/v1/order', { note: 'held' }, headers);
    assert.ok([409, 503].includes(second.status), second.text);
    assert.equal(second.headers['retry-after'], '1');
    assert.equal((await first).status, 503, 'a lock is not waited for without end');
  } finally {
    await lock.release();
  }
  assert.equal((await call(ann, 'POST', '/api/v1/order', { note: 'held' }, headers)).status, 201);
  assert.equal(sql("select count(*) from public.\"order\" where note = 'held'"), '1');
});

test('a server that is killed before it could answer has written nothing, and a repetition writes once', async () => {
  const lock = await holding('lock table public."order" in share mode');
  const headers = { 'idempotency-key': 'killed' };
  const cut = call(ann, 'POST', '/api/v1/order', { note: 'killed' }, headers).catch(() => ({ status: 0 }));
  await waitsForLock();
  const [{ pid }] = appServers(shop);
  process.kill(pid, 'SIGKILL');
  await lock.release();
  assert.notEqual((await cut).status, 201);
  const again = await until('the server to be back', async () => {
    const answer = await call(ann, 'POST', '/api/v1/order', { note: 'killed' }, headers).catch(() => null);
    return answer?.status === 201 ? answer : null;
  });
  const third = await call(ann, 'POST', '/api/v1/order', { note: 'killed' }, headers);
  assert.equal(third.text, again.text);
  assert.equal(sql("select count(*) from public.\"order\" where note = 'killed'"), '1');
});

test('servers that are killed at any moment neither lose nor double a write', async () => {
  const keys = Array.from({ length: 60 }, (_, i) => `any-${i}`);
  const send = (key) => call(ann, 'POST', '/api/v1/order', { note: key }, { 'idempotency-key': key }).catch(() => ({ status: 0 }));
  const first = Promise.all(keys.map(async (key, i) => {
    await pause(i * 3);
    return send(key);
  }));
  await pause(60);
  for (const { pid } of appServers(shop)) process.kill(pid, 'SIGKILL');
  const early = await first;
  await until('the server to be back', async () => (await call(ann, 'GET', '/api/v1/order?limit=1').catch(() => null))?.status === 200);
  for (const [i, key] of keys.entries()) {
    const answer = await until(`an answer for ${key}`, async () => { const a = await send(key); return a.status === 201 ? a : null; });
    if (early[i].status === 201) assert.equal(answer.text, early[i].text, 'what was acknowledged stays');
  }
  assert.equal(sql("select count(*), count(distinct note) from public.\"order\" where note like 'any-%'"), '60|60');
});

test('with a key, too, a request that is larger than sockets hold is answered: made, made before, refused', async () => {
  const rows = (first) => Array.from({ length: 1000 }, (_, i) => ({ sku: i ? `BIG-${first}-${i}` : first, title: 'x'.repeat(100), description: 'y'.repeat(700), price: 1 }));
  const send = (key, first) => call(staff('manager'), 'POST', '/api/v1/product', rows(first), { 'idempotency-key': key });
  const made = await send('big-1', 'BIG-1');
  assert.equal(made.status, 201, made.text.slice(0, 300));
  const again = await send('big-1', 'BIG-1');
  assert.equal(again.headers['idempotency-replayed'], 'true');
  assert.equal(again.text, made.text);
  assert.equal((await send('big-1', 'BIG-2')).json.error.code, 'IDEMPOTENCY_MISMATCH');
  for (const key of ['big-2', 'big-3', 'big-4']) {
    const refused = await send(key, 'BIG-1');
    assert.deepEqual([refused.status, refused.json.error.index], [409, 0], refused.text);
  }
  sql("delete from public.product where sku like 'BIG-%'");
});

test('keys are forgotten after a day, and cleared away', async () => {
  const headers = { 'idempotency-key': 'day' };
  const first = await call(bob, 'POST', '/api/v1/order', { note: 'day' }, headers);
  assert.equal(first.status, 201);
  sql("update svc.idempotency set made_at = now() - interval '23 hours 59 minutes'");
  assert.equal((await call(bob, 'POST', '/api/v1/order', { note: 'day' }, headers)).text, first.text);
  sql("update svc.idempotency set made_at = now() - interval '24 hours 1 second'");
  const second = await call(bob, 'POST', '/api/v1/order', { note: 'day' }, headers);
  assert.equal(second.status, 201);
  assert.notEqual(second.text, first.text);
  assert.equal(sql('select count(*) from svc.idempotency'), '1', 'what had expired is gone');
});

test('what was answered to others is nothing that the role of callers reads', () => {
  for (const text of ['select * from svc.idempotency', "update svc.idempotency set body = ''", 'delete from svc.idempotency']) {
    assert.throws(() => asDataRole(text), /permission denied/);
  }
  const saved = (user, roles = 'customer,consumer,signed_in') =>
    asDataRole(`begin; set local svc.user_id = '${user}'; set local svc.principals = '${roles}'; select count(*) from svc.saved_answer('day'); commit`).trim();
  assert.equal(saved(bob.id), '1');
  assert.equal(saved(ann.id), '0');
  assert.equal(saved(bob.id, 'manager,clerk,staff,signed_in'), '0', 'nor to the same user in another role');
});

test('a conflict with a row that the caller may not see says nothing of it', async () => {
  const project = await stack.project('Keys');
  await stack.apply(project, {
    app: { name: 'Keys' },
    personas: [{ id: 'member', kind: 'consumer', signup: true }, { id: 'boss', kind: 'staff' }],
    entities: [{
      name: 'page', owner: 'user',
      fields: [{ name: 'slug', type: 'string', required: true, unique: true }, { name: 'text', type: 'text' },
        { name: 'kind', type: 'string', immutable: true }, { name: 'rank', type: 'integer', write: ['boss'] }],
      access: { read: [{ to: 'member', if: 'user_id == user.id' }, 'staff'], create: ['member', 'boss'],
        update: [{ to: 'member', if: 'user_id == user.id' }, 'boss'], delete: [] },
    }],
    seeds: {},
  });
  const at = `preview-${project.slug}.localhost`;
  const people = {};
  for (const name of ['ann', 'bob']) {
    const { token } = await signUp(stack, project, at, `${name}.keys`, 'member');
    people[name] = { authorization: `Bearer ${project.browser}`, origin: 'http://app.test', ...marker, 'x-svc-app-session': token };
  }
  const boss = staff('boss', project);
  const post = (headers, query, body) => stack.fetch('POST', `/__svc/api/v1/page${query}`, { headers, host: at, body });
  const page = { slug: 'home', text: 'SECRET', kind: 'a' };
  assert.equal((await post(people.ann, '?onConflict=slug', page)).status, 201);
  for (const query of ['', '?onConflict=slug', '?onConflict=slug&resolution=ignore']) {
    for (const body of [{ slug: 'home', text: 'mine' }, [{ slug: `own${query.length}`, text: 'mine' }, { slug: 'home', text: 'mine' }]]) {
      const answer = await post(people.bob, query, body);
      assert.ok([403, 409].includes(answer.status), `${query}: ${answer.status} ${answer.text}`);
      assert.ok(!answer.text.includes('SECRET'), answer.text);
      if (Array.isArray(body)) assert.equal(answer.json.error.index, 1, answer.text);
    }
  }
  const own = await stack.fetch('GET', '/__svc/api/v1/page', { headers: people.bob, host: at });
  assert.equal(own.json.rowCount, 0, 'a refused array leaves nothing');
  const same = await post(people.ann, '?onConflict=slug', { ...page, text: 'new' });
  assert.equal(same.status, 200, same.text);
  const moved = await post(people.ann, '?onConflict=slug', { ...page, kind: 'b' });
  assert.equal(moved.status, 403, moved.text);
  assert.deepEqual([moved.json.error.code, moved.json.error.field], ['FIELD_FORBIDDEN', 'kind']);
  const ranked = await post(people.ann, '?onConflict=slug', { ...page, rank: 1 });
  assert.deepEqual([ranked.status, ranked.json.error.field], [403, 'rank']);
  const bossy = await post(boss, '?onConflict=slug', { ...page, rank: 1 });
  assert.equal(bossy.status, 200, bossy.text);
  assert.equal(bossy.json.rows[0].rank, 1);
  assert.equal(bossy.json.rows[0].text, 'SECRET');
});

test('an array of rows that their creator may partly read', async () => {
  const project = await stack.project('Drop');
  await stack.apply(project, {
    app: { name: 'Drop' },
    personas: [{ id: 'member', kind: 'consumer', signup: true }],
    entities: [{
      name: 'letter', fields: [{ name: 'text', type: 'text' }, { name: 'open', type: 'boolean' }],
      access: { read: [{ to: 'guest', if: 'open' }, 'member'], create: ['guest'], update: [], delete: [] },
    }],
    seeds: {},
  });
  const headers = { authorization: `Bearer ${project.browser}`, origin: 'http://app.test', ...marker };
  const answer = await stack.fetch('POST', '/__svc/api/v1/letter', { headers, host: `preview-${project.slug}.localhost`, body: [{ text: 'a', open: true }, { text: 'b', open: false }, { text: 'c' }] });
  assert.equal(answer.status, 201, answer.text);
  const { rows } = answer.json;
  assert.deepEqual(rows.map((row) => row.text), ['a', 'b', 'c']);
  assert.ok(rows[0].created_at, 'what may be read is shown whole');
  assert.deepEqual(Object.keys(rows[2]), ['id', 'text'], 'of the others what was sent');
});

test('a thousand rows at once are made faster than one by one', async () => {
  const rows = Array.from({ length: 1000 }, (_, i) => ({ sku: `BULK-${i}`, title: `Bulk ${i}`, price: i }));
  const start = performance.now();
  const bulk = await call(staff('manager'), 'POST', '/api/v1/product', rows);
  const together = performance.now() - start;
  assert.equal(bulk.status, 201, bulk.text.slice(0, 300));
  assert.deepEqual(bulk.json.rows.map((row) => row.sku), rows.map((row) => row.sku), 'in their order');
  const each = performance.now();
  for (let from = 0; from < 200; from += 8) {
    const batch = rows.slice(from, from + 8).map((row) => ({ ...row, sku: row.sku.replace('BULK', 'EACH') }));
    await Promise.all(batch.map((row) => call(staff('manager'), 'POST', '/api/v1/product', row)));
  }
  const alone = (performance.now() - each) * 5;
  console.log(`1,000 rows: ${together.toFixed(0)} ms at once, ${alone.toFixed(0)} ms one by one, eight at a time`);
  assert.ok(together < alone);
});

// ---- SQL of a server ----

const asBob = () => ({ authorization: `Bearer ${shop.server}`, ...marker, 'x-svc-app-user': bob.id });
const asAnn = () => ({ authorization: `Bearer ${shop.server}`, ...marker, 'x-svc-app-user': ann.id });

test('no SQL takes on another identity, leaves its transaction or reads anything but tables of the app', async () => {
  const secret = await call(bob, 'POST', '/api/v1/order', { note: 'BOBSECRET' });
  assert.equal(secret.status, 201);
  const { attacks, texts, harmless } = readingStatements(bob.id, secret.json.rows[0].id);
  for (const route of ['/data/query', '/data/exec']) {
    for (const attack of attacks) {
      const answer = await call(asAnn(), 'POST', route, { sql: attack });
      assert.ok(answer.status === 400 || answer.status === 403, `${attack}: ${answer.status} ${answer.text}`);
      assert.ok(!answer.text.includes('BOBSECRET'), attack);
    }
  }
  for (const text of texts) {
    const answer = await call(asAnn(), 'POST', '/data/query', { sql: text });
    assert.equal(answer.status, 200, `${text}: ${answer.text}`);
    assert.ok(!answer.text.includes('BOBSECRET'), text);
  }
  for (const sql of harmless) {
    const answer = await call(asAnn(), 'POST', '/data/query', { sql });
    assert.equal(answer.status, 200, `${sql}: ${answer.text}`);
    assert.ok(!answer.text.includes('BOBSECRET'), sql);
  }
  const own = await call(asBob(), 'POST', '/data/query', { sql: `select note from "order" where note = 'BOBSECRET'` });
  assert.equal(own.json.rowCount, 1);
  assert.equal(sql('select count(*) from public.product') !== '0', true);
});

test('statements that write keep to one table, its columns and the rows of their caller', async () => {
  const attacks = writingAttacks(bob.id);
  const before = sql('select md5(string_agg(o::text, chr(10) order by id)) from public."order" o');
  for (const attack of attacks) {
    const answer = await call(asAnn(), 'POST', '/data/exec', { sql: attack });
    assert.ok(answer.status === 400 || answer.status === 403, `${attack}: ${answer.status} ${answer.text}`);
  }
  assert.equal(sql('select md5(string_agg(o::text, chr(10) order by id)) from public."order" o'), before);
  const all = await call(asAnn(), 'POST', '/data/exec', { sql: `delete from "order" where note like 'BOB%'` });
  assert.equal(all.json.rowCount, 0);
});

test('a statement that takes long is ended, and leaves its connection to others', async () => {
  const rows = '(values (1),(2),(3),(4),(5),(6),(7),(8),(9),(10))';
  const cross = Array.from({ length: 10 }, (_, i) => `${rows} as t${i}`).join(' cross join ');
  const answer = await call(asAnn(), 'POST', '/data/query', { sql: `select count(*) from ${cross}` });
  assert.equal(answer.status, 400, answer.text);
  assert.equal(answer.json.error.code, '57014');
  assert.equal((await call(asAnn(), 'POST', '/data/query', { sql: 'select 1 as one' })).json.rows[0].one, 1);
});
