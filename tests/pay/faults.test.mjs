// A card provider that is slow, cuts off, errs and redirects; servers that are killed between its answer and the ledger;
// two servers; an apply in between.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import test, { after, afterEach, before } from 'node:test';
import { Client, password } from '../cli/client.mjs';
import { kill, postgresAfter, postmaster } from '../faults/victims.mjs';
import { request } from '../lib/http.mjs';
import { Stack, freePort, until } from '../lib/stack.mjs';
import { keyInUse, secretKey } from './provider.mjs';
import { World, codeOf, contract } from './world.mjs';

let world;
Stack.durable = true;
before(async () => { world = await World.start(); });
after(() => world?.stop());
afterEach(() => {
  world.provider.before = async () => null;
  world.provider.after = async () => null;
});

const posts = (call) => call.method === 'POST' && call.path === '/v1/checkout/sessions';
const refuses = { 'an error': { status: 500, body: { error: { type: 'api_error', message: 'down' } } }, 'a redirect': { status: 302, body: {}, headers: { location: 'http://127.0.0.1:1/' } },
  'half an answer': 'cut', 'an answer that is no session': { status: 200, body: { ok: true } }, 'a session without an address': { status: 200, body: { id: 'cs_test_1', url: null } },
  'a session whose address is a script': { status: 200, body: { id: 'cs_test_1', url: 'javascript:alert(1)' } } };

for (const [what, answer] of Object.entries(refuses)) {
  test(`${what} at checkout: due offline, and a later checkout begins anew`, async () => {
    const id = await world.order([650, 1]);
    world.provider.before = async (call) => (posts(call) ? answer : null);
    const { json } = await world.card(id);
    assert.deepEqual([json.ok, json.method, json.status, json.fallback, typeof json.note], [true, 'offline', 'due', true, 'string']);
    world.provider.before = async () => null;
    const session = await world.opened(id);
    assert.equal(world.count(`svc.payment where order_id = '${id}'`), 2);
    world.provider.pay(session);
    assert.equal((await world.confirm(id)).json.status, 'paid');
    assert.deepEqual(world.events(id), ['on_paid']);
  });

  test(`${what} at confirm: 502, nothing is recorded, the webhook comes again`, async () => {
    const id = await world.order([650, 1]);
    const session = await world.opened(id);
    world.provider.pay(session);
    world.provider.before = async ({ method }) => (method === 'GET' ? answer : null);
    const expected = answer.body?.id ? '409 PAYMENT_MISMATCH' : '502 STRIPE_ERROR';
    assert.equal(codeOf(await world.confirm(id)), expected);
    if (!answer.body?.id) assert.equal((await world.hook(world.provider.event('checkout.session.completed', session))).status, 502);
    assert.equal((await world.paymentOf(id)).status, 'processing');
    world.provider.before = async () => null;
    assert.equal((await world.hook(world.provider.event('checkout.session.completed', session))).status, 202);
    assert.equal((await world.paymentOf(id)).status, 'paid');
  });
}

test('an answer that is lost on its way is asked for again under the same key', async () => {
  const id = await world.order([650, 1]);
  let lost = 0;
  world.provider.after = async (call) => (posts(call) && lost++ === 0 ? 'cut' : null);
  const { json } = await world.card(id);
  assert.deepEqual([json.status, json.fallback], ['due', true]);
  const session = await world.opened(id);
  world.provider.pay(session);
  assert.equal((await world.confirm(id)).json.status, 'paid');
});

test('a provider that speaks HTTP/1.0 is understood', async () => {
  world.provider.after = async (_, made) => ({ ...made, old: true });
  const id = await world.order([650, 1]), session = await world.opened(id);
  world.provider.pay(session);
  assert.equal((await world.confirm(id)).json.status, 'paid');
});

test('a slow provider holds no lock: the order and others go on meanwhile', async () => {
  const id = await world.order([650, 1]), other = await world.order([650, 1]);
  let go;
  const held = new Promise((done) => { go = done; });
  world.provider.before = async (call) => { if (posts(call) && call.form.client_reference_id.endsWith(id)) await held; return null; };
  const asked = world.card(id);
  await until('the call', () => world.provider.calls.some((call) => posts(call) && call.form.client_reference_id.endsWith(id)));
  assert.equal((await world.call('PATCH', `/api/v1/order/${id}`, { note: 'still here' })).status, 200);
  assert.equal((await world.paymentOf(id)).status, 'processing');
  assert.equal((await world.card(other)).json.status, 'processing');
  assert.equal((await world.confirm(id)).json.status, 'processing');
  go();
  assert.equal((await asked).json.status, 'processing');
});

test('a second request for a session that is being opened waits for it: the payment does not become due meanwhile', async () => {
  const id = await world.order([650, 1]), opens = (call) => posts(call) && call.form.client_reference_id.endsWith(id);
  let go;
  const held = new Promise((done) => { go = done; });
  world.provider.before = async (call) => { if (opens(call)) await held; return null; };
  const first = world.card(id);
  await until('the first request', () => world.provider.calls.filter(opens).length === 1);
  const second = world.card(id);
  await until('the second one, which is refused', () => world.provider.calls.filter(opens).length > 1);
  go();
  const [one, other] = await Promise.all([first, second]);
  assert.deepEqual([one.json.status, other.json.status, other.json.url], ['processing', 'processing', one.json.url], other.text);
  assert.equal(world.count(`svc.payment where order_id = '${id}'`), 1);
});

test('a session that another request opens for too long: the caller is told, and the payment stays as it is', async () => {
  const id = await world.order([650, 1]);
  world.provider.before = async (call) => (posts(call) ? keyInUse : null);
  assert.equal(codeOf(await world.card(id)), '409 CONFLICT');
  assert.equal((await world.paymentOf(id)).status, 'processing');
  world.provider.before = async () => null;
  assert.equal((await world.card(id)).json.status, 'processing');
});

test('a provider that repeats its key as the code of an error finds it in no answer and no log', async () => {
  const id = await world.order([650, 1]);
  world.provider.before = async (call) => ({ status: 400, body: { error: { type: secretKey, code: call.headers.authorization, message: secretKey } } });
  const { text, json } = await world.card(id);
  assert.equal(json.fallback, true, text);
  const log = await until('the log', () => {
    const lines = readFileSync(join(world.stack.home, 'projects', world.project.id, 'dev', 'server.log'), 'utf8');
    return /"card_provider_failed".*"status":400/.test(lines) && lines;
  });
  assert.ok(!text.includes(secretKey) && !log.includes(secretKey) && !world.stack.log.includes(secretKey));
});

// Kills the process that serves once the provider has what it was sent; svcd starts another.
async function killedAt(which, act) {
  const [{ pid }] = world.servers();
  let killed = false;
  world.provider.after = async (call) => {
    if (killed || !which(call)) return null;
    killed = true;
    process.kill(pid, 'SIGKILL');
    return null;
  };
  await act().catch(() => null);
  await until('the kill', () => killed);
  world.provider.after = async () => null;
  await until('another server', async () => !world.servers().some((one) => one.pid === pid)
    && (await world.call('GET', '/pay/methods').catch(() => null))?.status === 200);
}

test('killed between the provider\u2019s session and the ledger: the next checkout gets that very session', async () => {
  const id = await world.order([650, 1]);
  const before = world.provider.sessions.size;
  await killedAt(posts, () => world.card(id));
  assert.equal((await world.paymentOf(id)).status, 'processing');
  const session = await world.opened(id);
  assert.equal(world.provider.sessions.size, before + 1);
  world.provider.pay(session);
  assert.equal((await world.confirm(id)).json.status, 'paid');
  assert.deepEqual(world.events(id), ['on_paid']);
});

test('killed there and never asked again: due offline, and the lines are free', async () => {
  const id = await world.order([650, 1]);
  await killedAt(posts, () => world.card(id));
  world.pollNow(id);
  await world.becomes(id, 'due');
  assert.equal((await world.call('POST', '/api/v1/order_line', { order_id: id, product_id: await world.product(5), quantity: 1 })).status, 201);
  assert.deepEqual(world.events(id), []);
});

test('killed between "paid" and the ledger: it is paid later, once', async () => {
  const id = await world.order([650, 1]);
  const session = await world.opened(id);
  world.provider.pay(session);
  await killedAt((call) => call.method === 'GET' && call.path.includes(session), () => world.confirm(id));
  world.pollNow(id);
  await world.becomes(id, 'paid');
  assert.equal((await world.confirm(id)).json.status, 'paid');
  await until('the receipt', () => world.count(`receipt where order_id = '${id}'`) === 1);
  assert.deepEqual(world.events(id), ['on_paid']);
});

test('two servers of the app: one payment, one event, each poll by one of them', async () => {
  const [{ pid, env }] = world.servers(), port = await freePort();
  const second = spawn(readlinkSync(`/proc/${pid}/exe`), ['--listen', `127.0.0.1:${port}`], { env, stdio: ['ignore', 'ignore', 'inherit'] });
  try {
    const there = (method, path, body) => request({ port, method, path, headers: { host: world.host }, body });
    await until('the second server', async () => (await there('GET', '/readyz').catch(() => null))?.status === 200);
    const headers = { host: world.host, authorization: `Bearer ${world.project.browser}`, origin: 'http://app.test', 'x-svc-data-api': '1', 'x-svc-app-session': world.ann };
    const ask = (path, body) => request({ port, method: 'POST', path: `/__svc${path}`, headers, body });
    const ids = await Promise.all(Array.from({ length: 8 }, () => world.order([650, 1])));
    for (const id of ids) {
      const checkouts = await Promise.all([world.card(id), ask('/pay/checkout', { table: 'order', id, method: 'card', returnUrl: world.home })]);
      assert.equal(new Set(checkouts.map(({ json }) => json.url)).size, 1, checkouts.map(({ text }) => text).join());
      world.provider.pay(world.provider.idOf(checkouts[0].json.url));
    }
    const confirms = await Promise.all(ids.slice(0, 4).flatMap((id) => [world.confirm(id), ask('/pay/confirm', { table: 'order', id })]));
    for (const { json } of confirms) assert.deepEqual(json, { ok: true, status: 'paid' });
    const seen = world.provider.calls.length;
    world.sql("update svc.payment set poll_at = now() where status = 'processing'");
    for (const id of ids) await world.becomes(id, 'paid');
    for (const id of ids) assert.deepEqual(world.events(id), ['on_paid']);
    for (const id of ids.slice(4)) {
      const [[session]] = world.sql(`select session from svc.payment where order_id = '${id}'`);
      assert.equal(world.provider.calls.slice(seen).filter(({ path }) => path.includes(session)).length, 1);
    }
  } finally {
    second.kill('SIGKILL');
  }
});

test('an apply while a payment is under way: it goes on', async () => {
  const id = await world.order([650, 1]);
  const session = await world.opened(id);
  const changed = contract();
  changed.entities[3].fields.push({ name: 'remark', type: 'text' });
  await world.stack.apply(world.project, changed);
  world.provider.pay(session);
  assert.equal((await world.hook(world.provider.event('checkout.session.completed', session))).status, 202);
  assert.equal((await world.paymentOf(id)).status, 'paid');
  assert.deepEqual(world.events(id), ['on_paid']);
});

test('an apply that takes the order table away while payments are under way: each outcome is recorded and told, once', async () => {
  const ids = [await world.order([650, 1]), await world.order([650, 1])], sessions = [];
  for (const id of ids) sessions.push(await world.opened(id));
  const [hooked, polled] = ids;
  const moved = JSON.parse(JSON.stringify(contract()).replaceAll(':"order"', ':"purchase"').replaceAll(':"order_line"', ':"purchase_line"'));
  try {
    await world.stack.apply(world.project, moved);
    world.sql('drop table public."order", public.order_line cascade');
    for (const session of sessions) world.provider.pay(session);
    assert.equal((await world.hook(world.provider.event('checkout.session.completed', sessions[0]))).status, 202);
    world.pollNow(polled);
    const status = (id) => world.sql(`select status from svc.payment where order_id = '${id}'`)[0][0];
    assert.equal(status(hooked), 'paid');
    await until('the other one to be paid', () => status(polled) === 'paid', 60000);
    for (const id of ids) assert.deepEqual(world.events(id), ['on_paid']);
    assert.equal((await world.hook(world.provider.event('checkout.session.completed', sessions[0]))).status, 202);
    assert.deepEqual(world.events(hooked), ['on_paid']);
  } finally {
    await world.stack.apply(world.project, contract());
  }
});

test('a session whose address was answered is in the ledger, also if PostgreSQL is killed right then', async () => {
  const orders = [];
  for (let n = 0; n < 6; n += 1) orders.push(await world.order([650, 1]));
  const answered = [], killed = postmaster(world.stack.home);
  await Promise.all(orders.map(async (id, n) => {
    const { json } = await world.card(id).catch(() => ({}));
    if (json?.status === 'processing') answered.push([id, world.provider.idOf(json.url)]);
    if (n === 2) kill([{ pid: killed }]);
  }));
  assert.ok(answered.length > 0);
  await postgresAfter(world.stack.home, killed);
  await until('the app to answer', async () => (await world.call('GET', '/pay/methods').catch(() => null))?.status === 200, 60000);
  for (const [id, session] of answered) assert.deepEqual(world.sql(`select session, status from svc.payment where order_id = '${id}'`), [[session, 'processing']]);
  // Whoever got no answer pays like anybody else.
  for (const id of orders) assert.equal((await world.card(id)).json.status, 'processing');
});

test('an entry that was lost with PostgreSQL: the caller is told to try again, and nobody can pay in its session', async () => {
  const id = await world.order([650, 1]);
  const opened = world.provider.sessions.size;
  world.provider.after = async (call) => {
    if (posts(call)) world.sql(`set session_replication_role = replica; delete from svc.payment where order_id = '${id}'`);  // as a crash does, not as anybody may
    return null;
  };
  assert.equal(codeOf(await world.card(id)), '503 UNAVAILABLE');
  const [lost] = [...world.provider.sessions.values()].slice(opened);
  assert.equal(lost.status, 'expired');
  world.provider.after = async () => null;
  assert.notEqual(await world.opened(id), lost.id);
});

test('developers see the ledger', async () => {
  const id = await world.order([650, 1]);
  const session = await world.opened(id);
  const list = await world.stack.dev('GET', `/projects/${world.project.id}/payments?order=${id}`, undefined, { expect: 200 });
  assert.deepEqual(list.json.payments.map((one) => [one.orderId, one.status, one.amountCents]), [[id, 'processing', 650]]);
  const { json } = await world.stack.dev('GET', `/projects/${world.project.id}/payments/${list.json.payments[0].id.slice(0, 35)}`, undefined, { expect: 200 });
  assert.deepEqual([json.payment.session, json.payment.lines.length, json.payment.events.map((one) => one.what)], [session, 1, ['checkout', 'session']]);
  assert.equal((await world.stack.dev('GET', `/projects/${world.project.id}/payments?status=lost`)).status, 400);
  assert.equal((await world.stack.dev('GET', `/projects/${world.project.id}/payments/${id}`)).status, 404);
});

test('what a later entry of the order replaced is no longer due', async () => {
  const id = await world.order([650, 1]);
  for (const asked of [{ method: 'card' }, { method: 'offline' }]) assert.equal((await world.card(id, { ...asked, returnUrl: undefined })).json.status, 'due');
  const list = async (query) => (await world.stack.dev('GET', `/projects/${world.project.id}/payments?order=${id}${query}`, undefined, { expect: 200 })).json.payments;
  const all = await list('');
  assert.deepEqual(all.map(({ status, latest }) => [status, latest]), [['due', true], ['due', false]]);
  assert.deepEqual((await list('&status=due')).map((one) => one.id), [all[0].id]);
});

test('`svc pay` lists payments and shows one, with its note once', async () => {
  const client = new Client(world.stack);
  try {
    await client.expect(0, ['login', ...password]);
    const svc = async (...args) => (await client.expect(0, ['pay', ...args, '--project', world.project.id])).out;
    const id = await world.order([650, 1]);
    assert.equal(await svc('list', '--order', id), 'There are no such payments.\n');
    assert.equal((await world.card(id, { returnUrl: undefined })).json.fallback, true);
    const [, payment] = /^([0-9a-f-]{36}) .* due /m.exec(await svc('list', '--order', id));
    const out = await svc('show', payment);
    assert.match(out, new RegExp(`^orderId +${id}$`, 'm'));
    assert.match(out, /^note +A card payment needs a returnUrl/m);
    assert.equal(out.split('\n').filter((line) => line.startsWith('A card payment needs')).length, 0, out);
  } finally {
    client.remove();
  }
});
