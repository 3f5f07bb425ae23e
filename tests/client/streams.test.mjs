// Streams of the typed client against a server that says what it likes: frames in pieces, connections that break,
// refusals, and lists that are to stay true.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { join } from 'node:path';
import test from 'node:test';
import { pathToFileURL } from 'node:url';
import { root } from '../lib/stack.mjs';
import { compiled } from './compile.mjs';

const { folder, status, told } = compiled('streams', join(root, 'generated/shop/client'));
assert.equal(status, 0, told);
const { connect, SvcError } = await import(pathToFileURL(join(folder, 'out/index.js')));

// Requests are answered in turn by `script`, each a function of (request, response); `asked` has them all.
async function server(t, ...script) {
  const asked = [];
  const all = createServer(async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    asked.push({ method: request.method, url: decodeURIComponent(request.url), headers: request.headers, body: Buffer.concat(chunks).toString() });
    const answer = script.shift();
    if (!answer) return response.destroy();
    answer(response, request);
  });
  all.listen(0, '127.0.0.1');
  await once(all, 'listening');
  t.after(() => { all.closeAllConnections(); all.close(); });
  return { asked, app: connect({ url: `http://127.0.0.1:${all.address().port}`, key: 'dpk_s_x', session: 'svc_s_ann' }) };
}

const stream = (...pieces) => async (response) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const piece of pieces) {
    if (typeof piece === 'function') await piece(response);
    else response.write(piece);
  }
};
const refusal = (code, error, headers = {}) => (response) => response.writeHead(code, { 'content-type': 'application/json', ...headers }).end(JSON.stringify({ ok: false, error }));
const frame = (id, data, event = 'message') => `event: ${event}\nid: ${id}\ndata: ${JSON.stringify(data)}\n\n`;
const json = (body, headers = {}) => (response) => response.writeHead(200, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
// Settles once `enough` came.
function collector(enough) {
  const got = [];
  let done;
  const all = new Promise((resolve) => { done = resolve; });
  return { got, all, take: (value) => { got.push(value); if (got.length === enough) done(got); } };
}

test('frames come in any pieces', async (t) => {
  const bytes = Buffer.from(': hello\r\n\r\nid: 0\n\nevent: message\r\nid: 1\r\ndata: {"a":\r\ndata: "caf\u00e9"}\r\n\r\nevent:ping\rid:2\rdata:\r\rdata: 3\n\nid: 9\nevent: message\ndata: "unfinished"\n');
  const pieces = [...bytes].map((byte) => Buffer.from([byte]));
  const { app } = await server(t, stream(...pieces));
  const { take, all } = collector(2);
  const subscription = app.topics.subscribe('news', take);
  assert.deepEqual(await all, [{ topic: 'news', payload: { a: 'caf\u00e9' } }, { topic: 'news', payload: 3 }]);
  subscription.close();
  await subscription.closed;
});

test('a connection that breaks goes on from the last id, as the same caller', async (t) => {
  const { app, asked } = await server(t,
    stream(frame('a', 1), frame('b', '', 'ping'), (response) => response.socket.destroySoon()),
    refusal(503, { code: 'UNAVAILABLE', message: 'Later.' }, { 'retry-after': '0' }),
    stream((response) => response.end()),
    stream(frame('c', 2)));
  const { take, all } = collector(2);
  const subscription = app.topics.subscribe('app:room:1', ({ payload }) => take(payload));
  assert.deepEqual(await all, [1, 2]);
  subscription.close();
  await subscription.closed;
  assert.deepEqual(asked.map(({ headers }) => headers['last-event-id']), [undefined, 'b', 'b', 'b']);
  for (const { url, headers } of asked) {
    assert.equal(url, '/__svc/topics/app:room:1/subscribe');
    assert.equal(headers['x-svc-app-session'], 'svc_s_ann');
    assert.equal(headers.authorization, 'Bearer dpk_s_x');
    assert.equal(headers.accept, 'text/event-stream');
  }
});

test('a refusal ends a stream, and the client reports it', async (t) => {
  const forbidden = refusal(403, { code: 'TOPIC_FORBIDDEN', message: 'Not for you.' });
  const { app, asked } = await server(t, forbidden, forbidden, forbidden);
  await assert.rejects(app.topics.subscribe('counter', () => {}).closed, (error) => error instanceof SvcError && error.code === 'TOPIC_FORBIDDEN');
  let told;
  await app.topics.subscribe('counter', () => {}, { onError: (error) => { told = error; } }).closed;
  assert.equal(told.status, 403);
  await assert.rejects(app.tables.product.feed(() => {}).closed, { code: 'TOPIC_FORBIDDEN' });
  assert.equal(asked.length, 3, 'none was asked again');
});

test('a failure that nobody waits for ends no program, and is reported', async (t) => {
  const { app } = await server(t, refusal(403, { code: 'TOPIC_FORBIDDEN', message: 'Not for you.' }));
  const unhandled = t.mock.fn();
  process.on('unhandledRejection', unhandled);
  t.after(() => process.off('unhandledRejection', unhandled));
  const told = new Promise((done) => { t.mock.method(console, 'error', (_text, error) => done(error)); });
  app.topics.subscribe('counter', () => {});
  assert.equal((await told).code, 'TOPIC_FORBIDDEN');
  await new Promise(setImmediate);
  assert.equal(unhandled.mock.callCount(), 0);
});

test('what a listener throws ends it', async (t) => {
  const { app } = await server(t, stream(frame('a', 1)));
  await assert.rejects(app.topics.subscribe('news', () => { throw new Error('mine'); }).closed, { message: 'mine' });
});

test('a signal ends it, before it began too', async (t) => {
  const { app, asked } = await server(t, stream(frame('a', 1)));
  const ends = new AbortController();
  const { take, all } = collector(1);
  const subscription = app.topics.subscribe('news', take, { signal: ends.signal });
  await all;
  ends.abort();
  await subscription.closed;
  await app.topics.subscribe('news', take, { signal: ends.signal }).closed;
  assert.equal(asked.length, 1);
});

test('several topics over one connection', async (t) => {
  const { app, asked } = await server(t, stream(frame('a', { topic: 'news', payload: 1 }), frame('b', { topic: 'app:x', payload: null })));
  const { take, all } = collector(2);
  const subscription = app.topics.subscribe(['news', 'app:x'], take);
  assert.deepEqual(await all, [{ topic: 'news', payload: 1 }, { topic: 'app:x', payload: null }]);
  subscription.close();
  assert.equal(asked[0].url, '/__svc/topics/subscribe?topic=news&topic=app:x');
});

test('publishing sends a payload, null too', async (t) => {
  const { app, asked } = await server(t, json({ ok: true }), json({ ok: true }));
  await app.topics.publish('counter', { bell: true }, { idempotencyKey: 'k' });
  await app.topics.publish('app:a/b');
  assert.deepEqual(asked.map(({ method, url, body }) => [method, url, body]), [
    ['POST', '/__svc/topics/counter/publish', '{"payload":{"bell":true}}'], ['POST', '/__svc/topics/app:a/b/publish', '{"payload":null}']]);
  assert.equal(asked[0].headers['idempotency-key'], 'k');
});

test('a feed has changes and resets, and no message of a server', async (t) => {
  const row = { id: '1', sku: 'A' };
  const { app, asked } = await server(t, stream(
    frame('a', { event: 'created', table: 'product', id: '1', row }), frame('b', { hello: true }), frame('c', 7),
    frame('d', { reason: 'rights_changed' }, 'reset'), frame('e', { event: 'deleted', table: 'product', id: '1' })));
  const { take, all } = collector(3);
  const subscription = app.tables.product.feed(take, { filter: [{ field: 'active', op: 'eq', value: true }], onReset: take });
  assert.deepEqual(await all, [{ event: 'created', table: 'product', id: '1', row }, 'rights_changed', { event: 'deleted', table: 'product', id: '1' }]);
  subscription.close();
  assert.equal(asked[0].url, '/__svc/topics/row-changed:product/subscribe?filter=[{"field":"active","op":"eq","value":true}]');
});

const page = (rows, cursor, truncated = false) => json({ ok: true, rows, rowCount: rows.length, fields: [], truncated }, { 'x-svc-cursor': cursor });
const changed = (id, event, row) => frame(`f${id}`, { event, table: 'product', id: row.id, ...(event === 'deleted' ? {} : { row }) });
const skus = (rows) => rows.map(({ id, sku }) => `${id}${sku}`).join(' ');

test('a live list follows from where it was read, and puts in what it can', async (t) => {
  const { app, asked } = await server(t, page([{ id: '1', sku: 'A' }, { id: '2', sku: 'B' }], 'from-here'), stream(
    changed(1, 'updated', { id: '1', sku: 'a' }), changed(2, 'created', { id: '3', sku: 'C' }), changed(3, 'deleted', { id: '2' })));
  const shown = collector(1);
  const live = await app.tables.product.live({ where: { active: true, cost: null }, filter: [{ field: 'price', op: 'gt', value: 1 }] }, shown.take);
  assert.equal(skus(live.rows), '1A 2B');
  assert.equal(skus((await shown.all)[0]), '1a 3C', 'what came together is shown together');
  live.close();
  await live.closed;
  assert.equal(asked[0].headers['x-svc-feed'], '1');
  assert.equal(asked[1].headers['last-event-id'], 'from-here');
  assert.equal(asked[1].url, '/__svc/topics/row-changed:product/subscribe?filter=' + JSON.stringify([
    { field: 'active', op: 'eq', value: true }, { field: 'cost', op: 'is_null' }, { field: 'price', op: 'gt', value: 1 }]));
});

test('a live list is read again where only the server knows its order', async (t) => {
  const { app, asked } = await server(t,
    page([{ id: '2', sku: 'A' }, { id: '1', sku: 'C' }], 'one'), stream(changed(1, 'created', { id: '3', sku: 'B' })),
    page([{ id: '2', sku: 'A' }, { id: '3', sku: 'B' }, { id: '1', sku: 'C' }], 'two'), stream(changed(2, 'updated', { id: '3', sku: 'D' })),
    refusal(503, { code: 'UNAVAILABLE', message: 'Later.' }),
    page([{ id: '2', sku: 'A' }, { id: '1', sku: 'C' }, { id: '3', sku: 'D' }], 'three'), stream());
  const shown = collector(2);
  const live = await app.tables.product.live({ sort: { field: 'sku' } }, shown.take);
  assert.deepEqual((await shown.all).map(skus), ['2A 3B 1C', '2A 1C 3D']);
  live.close();
  assert.deepEqual(asked.slice(0, 4).map(({ headers }) => headers['last-event-id']), [undefined, 'one', undefined, 'two']);
});

test('a live list that does not hold every row is read again where one goes', async (t) => {
  const { app } = await server(t,
    page([{ id: '1', sku: 'A' }, { id: '2', sku: 'B' }], 'one', true), stream(changed(1, 'created', { id: '9', sku: 'Z' }), changed(2, 'deleted', { id: '1' })),
    page([{ id: '2', sku: 'B' }, { id: '3', sku: 'C' }], 'two', true), stream());
  const shown = collector(1);
  const live = await app.tables.product.live({ limit: 2 }, shown.take);
  assert.equal(live.truncated, true);
  assert.deepEqual((await shown.all).map(skus), ['2B 3C']);
  live.close();
});

test('a reset makes a live list read again', async (t) => {
  const { app } = await server(t,
    page([{ id: '1', sku: 'A' }], 'one'), stream(frame('a', { reason: 'restored' }, 'reset')),
    page([{ id: '5', sku: 'E' }], 'two'), stream());
  const shown = collector(1), resets = collector(1);
  const live = await app.tables.product.live({}, shown.take, { onReset: resets.take });
  assert.deepEqual((await shown.all).map(skus), ['5E']);
  assert.deepEqual(resets.got, ['restored']);
  live.close();
});

test('a live list ends with an error when its caller may no longer read it', async (t) => {
  const { app } = await server(t, page([{ id: '1', sku: 'A' }], 'one'), refusal(401, { code: 'UNAUTHORIZED', message: 'Sign in.' }));
  const live = await app.tables.product.live({}, () => {});
  await assert.rejects(live.closed, { code: 'UNAUTHORIZED' });
});

test('a live list stays with the session with which it began, whoever signs in later', async (t) => {
  const reset = collector(1), shown = collector(1), followed = collector(1);
  const { app, asked } = await server(t,
    page([{ id: '1', sku: 'A' }], 'one'), stream(frame('a', { reason: 'restored' }, 'reset')),
    json({ ok: true, token: 'svc_s_bob', user: {} }), page([{ id: '5', sku: 'E' }], 'two'), stream(followed.take));
  const live = await app.tables.product.live({}, shown.take, { onReset: reset.take });
  await reset.all;
  await app.auth.login({ email: 'bob@example.test', password: 'a long password' });
  await Promise.all([shown.all, followed.all]);
  live.close();
  const sessions = asked.map(({ method, headers }) => `${method} ${headers['x-svc-app-session']}`);
  assert.deepEqual(sessions, ['GET svc_s_ann', 'GET svc_s_ann', 'POST svc_s_ann', 'GET svc_s_ann', 'GET svc_s_ann']);
});

test('a live list that would become wrong is refused', async (t) => {
  const { app, asked } = await server(t);
  const live = (query) => app.tables.product.live(query, () => {});
  await assert.rejects(live({ tz: 'Europe/Paris' }), { message: 'A live list has no option "tz". It has limit, where, filter and sort.' });
  await assert.rejects(live({ sort: { field: 'shelf.label' } }), { message: 'A live list sorts by columns of its own rows. "shelf.label" is a column of another row.' });
  assert.equal(asked.length, 0);
});

test('a list that cannot be followed cannot be made live', async (t) => {
  const { app } = await server(t, json({ ok: true, rows: [], rowCount: 0, fields: [], truncated: false }));
  await assert.rejects(app.tables.product.live({}, () => {}), { message: 'This list cannot be followed.' });
});
