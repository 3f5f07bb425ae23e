// Operating a running app: rows, schema, logs, tail, demo rows.
import assert from 'node:assert/strict';
import { request as httpRequest } from 'node:http';
import test, { after, before } from 'node:test';
import { Stack, sample } from '../lib/stack.mjs';

let stack, project, path;
before(async () => {
  stack = await Stack.start();
  await stack.signIn();
  project = await stack.project('Operated');
  path = `/projects/${project.id}`;
  await stack.apply(project, sample('shop'));
});
after(() => stack?.stop());

const mint = async (scopes) => (await stack.dev('POST', '/tokens',
  { name: scopes.join(), workspaceId: stack.workspace, scopes }, { expect: 201 })).json.token;
const rows = async (body, options = {}) => (await stack.dev('POST', `${path}/rows`, body, options)).json;
const product = (sku, more = {}) => ({ sku, title: sku, price: 100, ...more });
const sql = async (text) => (await stack.dev('POST', `${path}/sql`, { sql: text }, { expect: 200 })).json.results[0].rows;

test('rows: each by itself, and reported', async () => {
  const made = await rows({ op: 'insert', table: 'product', data: [product('A-1', { cost: 5 }), product('bad sku'), product('A-1'), product('A-2', { nix: 1 }), product('A-3')] });
  assert.equal(made.ok, false);
  assert.deepEqual(made.results.map((r) => r.ok), [true, false, false, false, true]);
  assert.equal(made.results[0].row.sku, 'A-1');
  assert.equal(made.results[0].row.id, made.results[0].id);
  assert.match(made.results[0].row.created_at, /^\d{4}-.*Z$/);
  assert.equal(made.results[1].error.code, '23514');
  assert.equal(made.results[2].error.code, 'CONFLICT');
  assert.deepEqual([made.results[3].error.code, made.results[3].error.field], ['42703', 'nix']);
  const id = made.results[0].id, other = made.results[4].id;
  const changed = await rows({ op: 'update', table: 'product', ids: [id, other, '0198b6a0-0000-7000-8000-00000000000a'], patch: { stock: 9 } });
  assert.deepEqual(changed.results.map((r) => r.error?.code ?? r.row.stock), [9, 9, 'NOT_FOUND']);
  assert.equal((await rows({ op: 'update', table: 'product', id, patch: { id: other } })).results[0].error.code, 'FIELD_FORBIDDEN');
  assert.equal((await rows({ op: 'update', table: 'product', id: 'nonsense', patch: { stock: 1 } })).results[0].error.code, '22P02');
  const gone = await rows({ op: 'delete', table: 'product', ids: [id, other] });
  assert.deepEqual(gone, { ok: true, results: [{ id, ok: true }, { id: other, ok: true }] });
  assert.equal((await sql('select count(*) as n from product'))[0].n, 1);
});

test('rows: those beyond 16 MB are written and not shown', async () => {
  const made = await rows({ op: 'insert', table: 'product', data: Array.from({ length: 24 }, (_, i) => product(`LONG-${i}`)) });
  assert.equal(made.truncated, undefined);
  const ids = made.results.map(({ id }) => id);
  const long = await rows({ op: 'update', table: 'product', ids, patch: { description: 'x'.repeat(1_000_000), stock: 7 } });
  assert.deepEqual([long.ok, long.truncated, long.results.filter(({ row }) => row).length], [true, true, 17]);
  assert.equal((await sql("select count(*) as n from product where sku like 'LONG-%' and stock = 7"))[0].n, 24);
  assert.equal((await rows({ op: 'delete', table: 'product', ids })).ok, true);
});

test('rows: numbers keep every digit', async () => {
  const body = `{"op":"insert","table":"product","data":{"sku":"BIG-1","title":"Big","price":9007199254740993}}`;
  const answer = await stack.fetch('POST', `/dev/v1${path}/rows`, { headers: { authorization: `Bearer ${stack.session}`, 'content-type': 'application/json' }, body });
  assert.ok(answer.text.includes('9007199254740993'), answer.text);
  await rows({ op: 'delete', table: 'product', id: answer.json.results[0].id });
});

test('rows: rules, policies and change events, as a persona or an account', async () => {
  const [{ id: tea }] = await sql("select id from product where sku = 'TEA-1'");
  const refused = await rows({ op: 'insert', table: 'product', data: product('C-1'), as: 'clerk' });
  assert.equal(refused.results[0].error.code, 'ROW_FORBIDDEN');
  const allowed = await rows({ op: 'insert', table: 'product', data: product('C-1'), as: 'manager' });
  assert.equal(allowed.ok, true, JSON.stringify(allowed));
  const cost = await rows({ op: 'update', table: 'product', id: tea, patch: { cost: 1 }, as: 'clerk' });
  assert.equal(cost.results[0].error.code, 'FIELD_FORBIDDEN');
  const order = await rows({ op: 'insert', table: 'order', data: { note: 'for ann' }, as: 'ann@example.test' });
  assert.equal(order.ok, true, JSON.stringify(order));
  const [ann] = await sql("select id from svc.account where email = 'ann@example.test'");
  assert.equal(order.results[0].row.user_id, ann.id);
  const line = (quantity) => rows({ op: 'insert', table: 'order_line', data: { order_id: order.results[0].id, product_id: tea, quantity } });
  assert.equal((await line(500)).results[0].error.code, 'RULE_REFUSED');
  assert.equal((await line(2)).ok, true);
  assert.equal((await rows({ op: 'update', table: 'order', id: order.results[0].id, patch: { note: 'x' }, as: 'clerk' })).results[0].error.code, 'ROW_FORBIDDEN');
  assert.equal((await rows({ op: 'update', table: 'order', id: order.results[0].id, patch: { note: 'x' }, as: 'customer' })).results[0].error.code, 'NOT_FOUND');
  assert.equal((await rows({ op: 'update', table: 'order', id: order.results[0].id, patch: { status: 'shipped' } })).results[0].error.code, 'FIELD_FORBIDDEN');
  const { json } = await stack.dev('GET', `${path}/tail?kind=events&limit=500`, undefined, { expect: 200 });
  const event = json.events.find((e) => e.id === order.results[0].id && e.event === 'created');
  assert.deepEqual([event.kind, event.table, event.actor, event.new.note, event.old], ['event', 'order', ann.id, 'for ann', null]);
  assert.match(event.new.created_at, /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
});

test('rows: a refusal names the field and the rule, in the words of the data API', async () => {
  const [{ id: tea }] = await sql("select id from product where sku = 'TEA-1'");
  const error = async (body) => {
    const { results } = await rows({ table: 'product', ...body });
    const { code, field, message } = results[0].error;
    return [code, field, message];
  };
  const insert = (more) => error({ op: 'insert', data: { ...product('W-1'), ...more } });
  assert.deepEqual(await insert({ title: null }), ['23502', 'title', 'title is required.']);
  assert.deepEqual(await insert({ price: 'abc' }), ['22P02', 'price', 'price takes a whole number of cents, not "abc"']);
  assert.deepEqual(await insert({ price: -1 }), ['23514', 'price', 'price must be at least 0.']);
  assert.deepEqual(await error({ op: 'update', id: 'x', patch: { price: 1 } }), ['22P02', 'id', 'id takes a uuid, not "x"']);
  assert.deepEqual(await error({ op: 'update', id: stack.workspace, patch: { price: 1 } }), ['NOT_FOUND', undefined, `There is no row of product with the id ${stack.workspace}.`]);
  assert.deepEqual(await error({ op: 'insert', data: product('C-2'), as: 'clerk' }), ['ROW_FORBIDDEN', undefined, 'You are not allowed to do this with this row.']);
  const [code, field, message] = await insert({ prise: 1 });
  assert.deepEqual([code, field], ['42703', 'prise']);
  assert.match(message, /^Table 'product' has no column 'prise'\. Did you mean 'price'\? There are: .*sku/);
  assert.match((await rows({ op: 'insert', table: 'prodct', data: {} })).error, /^There is no table 'prodct'\. Did you mean 'product'\?/);
  const [, , dangling] = await error({ op: 'insert', table: 'order_line', data: { order_id: tea, product_id: tea, quantity: 1 } });
  assert.equal(dangling, 'order_id: there is no order with this id.');
});

test('rows: malformed requests', async () => {
  const wrong = async (body, code = 'BAD_REQUEST') => assert.equal((await rows(body)).code, code, JSON.stringify(body));
  await wrong({});
  await wrong({ op: 'upsert', table: 'product', data: {} });
  await wrong({ op: 'insert', table: 'product' });
  await wrong({ op: 'insert', table: 'product', data: [] });
  await wrong({ op: 'insert', table: 'product', data: [1] });
  await wrong({ op: 'insert', table: 'product', data: Array(1001).fill({}) });
  await wrong({ op: 'update', table: 'product', id: 'x' });
  await wrong({ op: 'delete', table: 'product' });
  await wrong({ op: 'delete', table: 'product', ids: [] });
  await wrong({ op: 'delete', table: 'product', ids: [{}] });
  await wrong({ op: 'insert', table: 'product', data: product('X-1'), as: 'nobody' });
  await wrong({ op: 'insert', table: 'nix', data: {} }, '42P01');
  await wrong({ op: 'insert', table: 'account', data: {} }, '42P01');
  await wrong({ op: 'insert', table: 'product"; drop table product; --', data: {} }, '42P01');
  await wrong({ op: 'insert', table: 'product', data: {}, env: 'prod' }, 'NO_APP');
  const inside = await rows({ op: 'insert', table: 'product', data: { 'sku") values (1); --': 1 } });
  assert.equal(inside.results[0].error.code, '42703');
  assert.equal((await rows({ op: 'delete', table: 'product', id: 'x' }, { token: await mint(['read']) })).code, 'FORBIDDEN_SCOPE');
  assert.equal((await rows({ op: 'delete', table: 'product', id: 'x', env: 'prod' }, { token: await mint(['read', 'apply']) })).code, 'FORBIDDEN_SCOPE');
});

test('schema: what there is and whose it is', async () => {
  await stack.dev('POST', `${path}/sql`, { sql: 'create table legacy (id uuid primary key, product_id uuid references product (id))' }, { expect: 200 });
  const { json } = await stack.dev('GET', `${path}/schema`, undefined, { expect: 200, token: await mint(['read']) });
  const line = json.tables.find((t) => t.name === 'order_line');
  assert.equal(line.managed, true);
  assert.deepEqual(line.primaryKey, ['id']);
  assert.deepEqual(line.columns.map((c) => c.name).slice(0, 4), ['id', 'order_id', 'product_id', 'quantity']);
  assert.deepEqual(line.foreignKeys.find((k) => k.columns[0] === 'order_id'), { name: 'order_line_order_id_fkey', columns: ['order_id'], table: '"order"', references: ['id'], onDelete: 'cascade' });
  assert.ok(line.indexes.some((i) => i.unique));
  assert.deepEqual(line.policies.map((p) => p.command).sort(), ['delete', 'insert', 'select', 'update']);
  assert.equal(json.tables.find((t) => t.name === 'legacy').managed, false);
  assert.ok(json.functions.some((f) => f.name === 'order_transition' && f.managed));
  assert.ok(json.triggers.some((t) => t.name === 'product_guard' && t.table === 'product' && t.enabled));
  assert.deepEqual(json.views, []);
  assert.equal((await stack.dev('GET', `${path}/schema?env=prod`)).json.code, 'NO_APP');
  assert.equal((await stack.dev('GET', `${path}/schema?env=x`)).json.code, 'BAD_REQUEST');
  assert.equal((await stack.dev('GET', `${path}/schema`, undefined, { token: await mint(['apply']) })).json.code, 'FORBIDDEN_SCOPE');
});

test('logs, runs and dead letters of an app that has had no run', async () => {
  const { json } = await stack.dev('GET', `${path}/logs?limit=10`, undefined, { expect: 200 });
  assert.deepEqual([json.runs, json.notifications], [[], []]);
  assert.equal((await stack.dev('GET', `${path}/logs?workflow=low_stock`)).status, 200);
  assert.equal((await stack.dev('GET', `${path}/logs?workflow=nix`)).json.code, 'NOT_FOUND');
  for (const limit of ['0', '201', 'x', '-1', '1.5']) assert.equal((await stack.dev('GET', `${path}/logs?limit=${limit}`)).json.code, 'BAD_REQUEST');
  assert.equal((await stack.dev('POST', `${path}/workflows/nix/run`, {})).json.code, 'NOT_FOUND');
  assert.equal((await stack.dev('GET', `${path}/runs/0198b6a0-0000-7000-8000-00000000000a`)).json.code, 'NOT_FOUND');
  assert.deepEqual((await stack.dev('GET', `${path}/dead-letters`)).json.deadLetters, []);
  assert.deepEqual((await stack.dev('POST', `${path}/dead-letters/replay`, {})).json, { replayed: 0 });
  assert.equal((await stack.dev('POST', `${path}/dead-letters/replay`, { ids: ['x'] })).json.code, 'NOT_FOUND');
});

const tail = async (query) => (await stack.dev('GET', `${path}/tail?${query}`, undefined, { expect: 200 })).json.events;
const ask = (path_) => stack.fetch('GET', path_, { headers: { authorization: `Bearer ${project.server}`, 'x-svc-data-api': '1' } });

test('tail: requests and errors, newest last, without what they carried', async () => {
  await ask('/__svc/api/v1/product?where=%7B%22sku%22%3A%22SECRET%22%7D');
  await ask('/__svc/api/v1/nowhere');
  const seen = await tail('kind=requests&limit=2');
  assert.deepEqual(seen.map((r) => [r.kind, r.method, r.path, r.status]),
    [['request', 'GET', '/__svc/api/v1/product', 200], ['request', 'GET', '/__svc/api/v1/nowhere', 403]].map((r, i) => [...r.slice(0, 3), seen[i].status]));
  assert.equal(seen[0].status, 200);
  assert.ok(seen[1].status >= 400);
  assert.ok(!JSON.stringify(await tail('kind=requests')).includes('SECRET'));
  assert.ok(Array.isArray(await tail('kind=errors')));
  assert.deepEqual(await tail('kind=events&since=0s'), []);
  assert.equal((await tail('kind=events&limit=1')).length, 1);
  assert.ok((await tail('since=2020-01-01T00:00:00Z')).length > 1);
  for (const query of ['kind=x', 'since=x', 'since=5', 'since=15y', 'since=2020-01-01', 'limit=501', 'limit=0', 'env=x']) {
    assert.equal((await stack.dev('GET', `${path}/tail?${query}`)).json.code, 'BAD_REQUEST', query);
  }
  assert.equal((await stack.dev('GET', `${path}/tail?env=prod`)).json.code, 'NO_APP');
});

// A stream that is followed: its frames as they come, until it is closed.
function follow(query, token = stack.session) {
  const frames = [];
  let wake = () => {};
  const call = httpRequest({ host: '127.0.0.1', port: stack.port, path: `/dev/v1${path}/tail?${query}`, headers: { authorization: `Bearer ${token}`, accept: 'text/event-stream' } });
  const ended = new Promise((done) => {
    call.on('error', () => done());
    call.on('response', (answer) => {
      let text = '';
      answer.setEncoding('utf8');
      answer.on('data', (piece) => {
        text += piece;
        for (let end; (end = text.indexOf('\n\n')) >= 0; text = text.slice(end + 2)) frames.push(text.slice(0, end));
        wake();
      });
      answer.on('end', done);
      answer.on('close', done);
      answer.on('error', done);
    });
  });
  call.end();
  const entries = () => frames.filter((f) => f.startsWith('event: entry')).map((f) => JSON.parse(f.split('data: ')[1]));
  const when = async (probe) => {
    while (!probe(entries(), frames)) await new Promise((done) => { wake = done; });
    return entries();
  };
  return { when, ended, close: () => call.destroy() };
}

test('tail follows: nothing is left out, nothing comes twice', async () => {
  const events = follow('kind=events&limit=1'), requests = follow('kind=requests&limit=1');
  await events.when((_, frames) => frames.some((f) => f.startsWith(':')));
  await requests.when((_, frames) => frames.some((f) => f.startsWith(':')));
  const made = [];
  for (let i = 0; i < 20; ++i) made.push((await rows({ op: 'insert', table: 'product', data: product(`F-${i}`) })).results[0].id);
  await ask('/__svc/api/v1/order');
  const got = await events.when((entries) => entries.some((e) => e.id === made.at(-1)));
  assert.deepEqual(got.map((e) => e.id).filter((id) => made.includes(id)), made);
  await requests.when((entries) => entries.some((e) => e.path === '/__svc/api/v1/order'));
  events.close();
  requests.close();
});

test('tail ends with the right to it', async () => {
  const { token, id } = (await stack.dev('POST', '/tokens', { name: 'brief', workspaceId: stack.workspace, scopes: ['read'] }, { expect: 201 })).json;
  const events = follow('kind=events&limit=1', token);
  await events.when((_, frames) => frames.some((f) => f.startsWith(':')));
  await stack.dev('DELETE', `/tokens/${id}`, undefined, { expect: 200 });
  const late = (await rows({ op: 'insert', table: 'product', data: product('LATE-1') })).results[0].id;
  await events.ended;
  assert.ok(!(await events.when(() => true)).some((entry) => entry.id === late), 'nothing of after it');
});

test('demo rows go back to the seeds', async () => {
  const state = (await stack.dev('GET', `${path}/demo-reset`, undefined, { expect: 200 })).json;
  assert.deepEqual(state, { available: true, lastResetAt: null });
  await sql("update product set title = 'Other', stock = 1 where sku = 'TEA-1'");
  assert.equal((await stack.dev('POST', `${path}/demo-reset`, {}, { token: await mint(['read']) })).json.code, 'FORBIDDEN_SCOPE');
  const done = (await stack.dev('POST', `${path}/demo-reset`, {}, { expect: 200 })).json;
  assert.match(done.lastResetAt, /Z$/);
  assert.deepEqual(await sql('select sku, title, stock from product'), [{ sku: 'TEA-1', title: 'Green tea', stock: 40 }]);
  assert.deepEqual(await sql('select 1 as one from "order"'), []);
  assert.equal((await sql("select count(*) as n from svc.account where email = 'ann@example.test'"))[0].n, 1);
  assert.equal((await stack.dev('POST', `${path}/demo-reset`, {}, { expect: 200 })).json.available, true);
  assert.equal((await ask('/__svc/api/v1/product')).json.rows.length, 1);
});

test('demo rows: a contract without seeds has none', async () => {
  const bare = await stack.project('Bare');
  assert.equal((await stack.dev('GET', `/projects/${bare.id}/demo-reset`)).json.code, 'NO_APP');
  const contract = sample('shop');
  delete contract.seeds;
  await stack.apply(bare, contract);
  assert.equal((await stack.dev('GET', `/projects/${bare.id}/demo-reset`)).json.available, false);
  assert.equal((await stack.dev('POST', `/projects/${bare.id}/demo-reset`, {})).json.code, 'CONFLICT');
});

test('svcd stops although somebody follows', async () => {
  const events = follow('kind=events&limit=1');
  await events.when((_, frames) => frames.some((f) => f.startsWith(':')));
  stack.child.kill('SIGTERM');
  assert.deepEqual(await stack.ended, { code: 0, signal: null });
});
