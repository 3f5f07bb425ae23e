// Slow connections are shared: one caller's filters have bounded cost and do not take the connections of others.
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { adminSession, databaseOf, sql } from '../lib/admin_sql.mjs';
import { Stack, until } from '../lib/stack.mjs';

let stack, project, host, thing;

const contract = {
  app: { name: 'Shares' },
  personas: [{ id: 'clerk', kind: 'staff' }],
  entities: [
    { name: 'note', owner: 'none', fields: [{ name: 'title', type: 'string' }, { name: 'text', type: 'text' }, { name: 'rank', type: 'integer' }],
      access: { read: '*', create: 'clerk' } },
    { name: 'thing', owner: 'none', fields: [{ name: 'name', type: 'string' }], access: { read: '*', create: 'clerk' } },
    { name: 'remark', owner: 'none', fields: [{ name: 'note_id', type: 'ref', to: 'note' }, { name: 'words', type: 'string' }], access: { read: '*', create: 'clerk' } },
  ],
  seeds: {},
};

// A guest at an address, or with `server` the staff of a server key.
const call = (path, { address = '192.0.2.1', method = 'GET', body, server = false } = {}) => stack.fetch(method, `/__svc/api/v1${path}`, {
  host, body,
  headers: {
    'x-svc-data-api': '1', 'x-forwarded-for': address,
    ...(server ? { authorization: `Bearer ${project.server}`, 'x-svc-app-role': 'clerk' } : { authorization: `Bearer ${project.browser}`, origin: 'http://app.test' }),
  },
});
const clause = (i) => ({ field: 'text', op: ['contains', 'not_contains', 'starts_with', 'ends_with'][i % 4], value: `zz${i}` });
const clauses = (count) => encodeURIComponent(JSON.stringify([{ or: Array.from({ length: count }, (_, i) => clause(i)) }]));

before(async () => {
  stack = await Stack.start({ SVC_TRUSTED_PROXIES: '127.0.0.1' });
  await stack.signIn();
  project = await stack.project('Shares');
  host = `preview-${project.slug}.localhost`;
  await stack.apply(project, contract);
  for (let part = 0; part < 3; part += 1) {
    const body = Array.from({ length: 1000 }, (_, i) => ({ title: `n${part}-${i}`, text: `some text ${i} `.repeat(20), rank: i }));
    assert.equal((await call('/note', { method: 'POST', body, server: true })).status, 201);
  }
  thing = (await call('/thing', { method: 'POST', body: { name: 'lamp' }, server: true })).json.rows[0].id;
});
after(() => stack?.stop());

test('attack: a request of 70 clauses that search in texts is refused, wherever they are', async () => {
  assert.equal((await call(`/note?filter=${clauses(20)}`)).status, 200);
  const refused = [`/note?filter=${clauses(70)}`, `/note?filter=${clauses(21)}`, `/note/aggregate?metric=count&filter=${clauses(21)}`,
    `/note?count=exact&filter=${clauses(21)}`, `/note?cursor=&filter=${clauses(21)}`,
    `/remark?filter=${encodeURIComponent(JSON.stringify(Array.from({ length: 21 }, (_, i) => ({ ...clause(i), field: 'note.text' }))))}`];
  for (const path of refused) {
    const answer = await call(path);
    assert.equal(answer.status, 400, `${path.slice(0, 40)}: ${answer.text}`);
    assert.equal(answer.json.error.code, 'PARAMS_INVALID');
    assert.match(answer.json.error.message, /at most 20/);
  }
});

test('attack: one caller\'s expensive lists never hold what others need', async () => {
  const holder = adminSession(stack, databaseOf(project));
  const waiting = () => Number(sql(stack, databaseOf(project), "select count(*) from pg_locks where not granted and relation = 'public.note'::regclass and database = (select oid from pg_database where datname = current_database())")[0][0]);
  await holder.run('begin; lock table public.note in access exclusive mode');
  let attacks = [];
  try {
    attacks = Array.from({ length: 40 }, () => call(`/note?filter=${clauses(20)}`, { address: '192.0.2.66' }));
    await until('the attacker to have its share', () => waiting() === 2);
    // Each of these answers while the attacker's lists stand still.
    const found = await Promise.all([
      call(`/thing/${thing}`, { address: '192.0.2.66' }),
      call(`/thing/${thing}`),
      call('/thing?filter=[{"field":"name","op":"contains","value":"am"}]'),
      call('/thing/aggregate?metric=count'),
      call('/thing?filter=[{"field":"name","op":"contains","value":"am"}]', { server: true }),
    ]);
    for (const answer of found) assert.equal(answer.status, 200, answer.text);
    assert.equal(found[0].json.rows[0].name, 'lamp');
    assert.ok(waiting() <= 2, 'no more than its share of the slow connections');
  } finally {
    await holder.run('rollback');
    holder.close();
  }
  for (const answer of await Promise.all(attacks)) {
    assert.ok([200, 503].includes(answer.status), answer.text);
    if (answer.status === 503) assert.ok(answer.headers['retry-after'], 'told when to come again');
  }
  assert.equal((await call(`/note?filter=${clauses(20)}`)).status, 200);
});

test('what one asks for beyond its part of the queue is refused at once, with when to come again', async () => {
  const holder = adminSession(stack, databaseOf(project));
  await holder.run('begin; lock table public.note in access exclusive mode');
  const answers = [];
  let attacks;
  try {
    attacks = Array.from({ length: 280 }, async () => { answers.push(await call('/note/aggregate?metric=count', { address: '192.0.2.68' })); });
    await until('some to be refused', () => answers.length >= 14);
    for (const answer of answers) {
      assert.equal(answer.status, 503, answer.text);
      assert.equal(answer.headers['retry-after'], '1');
    }
    assert.equal((await call('/thing/aggregate?metric=count')).status, 200, 'others are not');
  } finally {
    await holder.run('rollback');
    holder.close();
  }
  await Promise.all(attacks);
});

// Statements that may be slow: a sort, ranges of texts, paths over refs, many linked rows.
test('attack: sorts, ranges and embeds of one caller hold no connection of what is quick', async () => {
  const holder = adminSession(stack, databaseOf(project));
  const waiting = () => Number(sql(stack, databaseOf(project), "select count(*) from pg_locks where not granted and relation = 'public.note'::regclass and database = (select oid from pg_database where datname = current_database())")[0][0]);
  const of = (value) => encodeURIComponent(JSON.stringify(value));
  const lists = [
    `/note?limit=500&sort=${of([{ field: 'text', dir: 'desc' }])}`,
    `/note?filter=${of([{ or: Array.from({ length: 60 }, (_, i) => ({ field: 'text', op: 'gt', value: `zz${i}` })) }])}`,
    `/note?filter=${of([{ or: Array.from({ length: 9 }, (_, i) => ({ field: 'title', op: 'eq', value: `zz${i}` })) }])}`,
    `/remark?filter=${of([{ field: 'note.title', op: 'eq', value: 'n0-1' }])}`,
    `/remark?limit=500&select=${encodeURIComponent('id,note(id,title)')}`,
  ];
  for (const list of lists) {
    await holder.run('begin; lock table public.note in access exclusive mode');
    let attacks = [];
    try {
      attacks = Array.from({ length: 20 }, () => call(list, { address: '192.0.2.66' }));
      await until('the attacker to have its share', () => waiting() === 2);
      const found = await Promise.all([call(`/thing/${thing}`, { address: '192.0.2.66' }), call(`/thing/${thing}`), call('/thing')]);
      for (const answer of found) assert.equal(answer.status, 200, answer.text);
      assert.ok(waiting() <= 2, 'no more than its share of the slow connections');
    } finally {
      await holder.run('rollback');
    }
    for (const answer of await Promise.all(attacks)) assert.equal(answer.status, 200, `${list.slice(0, 60)}: ${answer.text}`);
  }
  holder.close();
});
