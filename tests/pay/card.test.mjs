// Card payments from checkout to outcome: by confirm, webhook and poller, doubled, reordered and at once.
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { until } from '../lib/stack.mjs';
import { World, codeOf } from './world.mjs';

let world;
before(async () => { world = await World.start(); });
after(() => world?.stop());

const last = () => world.provider.calls.at(-1);
const outcome = async (id) => [(await world.paymentOf(id)).status, world.events(id)];

test('a checkout opens a session: its amount, its order, its way back', async () => {
  const id = await world.order([650, 2]);
  const answer = await world.card(id);
  assert.deepEqual([answer.status, answer.json.ok, answer.json.method, answer.json.status, answer.json.amountCents], [200, true, 'card', 'processing', 1300], answer.text);
  const session = world.provider.sessions.get(world.provider.idOf(answer.json.url));
  assert.deepEqual([session.amount_total, session.currency, session.client_reference_id, session.success_url], [1300, 'eur', `${world.project.id}:order:${id}`, world.home]);
  assert.match(last().headers['idempotency-key'], /^svc-payment-[0-9a-f-]{36}$/);
  assert.equal(last().headers['content-type'], 'application/x-www-form-urlencoded');
  const payment = await world.paymentOf(id);
  assert.deepEqual([payment.method, payment.provider, payment.status, payment.amount_cents], ['card', 'stripe', 'processing', 1300]);
});

test('while it is processing: the same session for everybody, and nothing else', async () => {
  const id = await world.order([650, 1]);
  const all = await Promise.all([1, 2, 3, 4, 5, 6].map(() => world.card(id)));
  assert.equal(new Set(all.map(({ json }) => json.url)).size, 1, all.map(({ text }) => text).join());
  assert.equal((await world.card(id)).json.url, all[0].json.url);
  assert.equal(world.count(`svc.payment where order_id = '${id}'`), 1);
  assert.equal(codeOf(await world.checkout(id)), '409 PAYMENT_PROCESSING');
  assert.equal(codeOf(await world.settle(id)), '409 PAYMENT_PROCESSING');
});

test('confirm: processing, then paid, and it stays so', async () => {
  const id = await world.order([650, 1]);
  const session = await world.opened(id);
  assert.deepEqual((await world.confirm(id)).json, { ok: true, status: 'processing' });
  world.provider.pay(session);
  assert.equal(codeOf(await world.confirm(id, { as: world.bob })), '404 ORDER_NOT_FOUND');
  assert.deepEqual((await world.confirm(id)).json, { ok: true, status: 'paid' });
  assert.deepEqual((await world.confirm(id)).json, { ok: true, status: 'paid' });
  assert.deepEqual(await outcome(id), ['paid', ['on_paid']]);
  assert.equal(codeOf(await world.card(id)), '409 ALREADY_PAID');
});

test('an expired session is failed; the order can be paid anew', async () => {
  const id = await world.order([650, 1]);
  world.provider.expire(await world.opened(id));
  assert.deepEqual((await world.confirm(id)).json, { ok: true, status: 'failed' });
  assert.deepEqual(await outcome(id), ['failed', ['on_failed']]);
  const session = await world.opened(id);
  world.provider.pay(session);
  assert.equal((await world.confirm(id)).json.status, 'paid');
  assert.deepEqual(world.events(id), ['on_failed', 'on_paid']);
});

test('a checkout over a session that has ended goes by how it ended', async () => {
  const expired = await world.order([650, 1]), paid = await world.order([650, 1]), waits = await world.order([650, 1]);
  const [first, second, third] = [await world.opened(expired), await world.opened(paid), await world.opened(waits)];
  world.provider.expire(first);
  assert.notEqual(await world.opened(expired), first);
  world.provider.pay(second);
  assert.equal(codeOf(await world.card(paid)), '409 ALREADY_PAID');
  assert.deepEqual(await outcome(paid), ['paid', ['on_paid']]);
  world.provider.transfer(third);
  assert.equal(codeOf(await world.card(waits)), '409 PAYMENT_PROCESSING');
});

test('the webhook settles, whatever it says itself', async () => {
  const id = await world.order([650, 1]);
  const session = await world.opened(id);
  const lie = world.provider.event('checkout.session.completed', session, { object: { ...world.provider.sessions.get(session), status: 'complete', payment_status: 'paid' } });
  assert.equal((await world.hook(lie)).status, 202);
  assert.equal((await world.paymentOf(id)).status, 'processing');
  world.provider.pay(session);
  const event = world.provider.event('checkout.session.completed', session);
  for (let sent = 0; sent < 3; sent += 1) assert.equal((await world.hook(event)).status, 202);
  assert.deepEqual(await outcome(id), ['paid', ['on_paid']]);
  assert.equal((await world.hook(world.provider.event('checkout.session.expired', session))).status, 202);
  assert.deepEqual(await outcome(id), ['paid', ['on_paid']]);
});

test('a call that is not signed, or not about a session of ours, does nothing', async () => {
  const id = await world.order([650, 1]);
  const session = await world.opened(id);
  world.provider.pay(session);
  const event = world.provider.event('checkout.session.completed', session, { secret: 'whsec_wrong' });
  assert.equal(codeOf(await world.hook(event)), '401 BAD_SIGNATURE');
  assert.equal(codeOf(await world.hook({ body: event.body, headers: {} })), '401 BAD_SIGNATURE');
  assert.equal(codeOf(await world.hook(world.provider.event('checkout.session.completed', session, { at: Math.floor(Date.now() / 1000) - 400 }))), '401 BAD_SIGNATURE');
  assert.equal((await world.paymentOf(id)).status, 'processing');
  for (const object of [{ id: 'cs_of_nobody' }, { id: `${session}' or true` }, {}]) {
    assert.equal((await world.hook(world.provider.event('checkout.session.completed', session, { object }))).status, 202);
  }
  assert.equal((await world.hook(world.provider.event('charge.refunded', session))).status, 202);
  assert.equal((await world.paymentOf(id)).status, 'processing');
});

test('a transfer: complete is not paid; it arrives late, or fails late', async () => {
  const [arrives, fails, told] = [await world.order([650, 1]), await world.order([650, 1]), await world.order([650, 1])];
  const sessions = [await world.opened(arrives), await world.opened(fails), await world.opened(told)];
  for (const session of sessions) {
    world.provider.transfer(session);
    assert.equal((await world.hook(world.provider.event('checkout.session.completed', session))).status, 202);
  }
  for (const id of [arrives, fails, told]) assert.equal((await world.confirm(id)).json.status, 'processing');
  world.provider.pay(sessions[0]);
  await world.hook(world.provider.event('checkout.session.async_payment_succeeded', sessions[0]));
  assert.deepEqual(await outcome(arrives), ['paid', ['on_paid']]);
  world.provider.failTransfer(sessions[1]);
  assert.equal((await world.confirm(fails)).json.status, 'failed');
  await world.hook(world.provider.event('checkout.session.async_payment_failed', sessions[2]));
  assert.deepEqual(await outcome(told), ['failed', ['on_failed']]);
});

test('confirm, webhook and poller at once: one paid, one event', async () => {
  const id = await world.order([650, 1]);
  const session = await world.opened(id);
  world.provider.pay(session);
  world.pollNow(id);
  const event = world.provider.event('checkout.session.completed', session);
  const all = await Promise.all([...Array.from({ length: 6 }, () => world.confirm(id)), ...Array.from({ length: 6 }, () => world.hook(event))]);
  for (const answer of all) assert.ok([200, 202].includes(answer.status), answer.text);
  assert.deepEqual(await outcome(id), ['paid', ['on_paid']]);
  await until('the receipt', () => world.count(`receipt where order_id = '${id}'`) === 1);
  assert.equal(world.count(`svc.payment_event e join svc.payment p on p.id = e.payment_id where p.order_id = '${id}' and e.status = 'paid'`), 1);
});

test('the poller ends what nobody confirms', async () => {
  const [paid, expired] = [await world.order([650, 1]), await world.order([650, 1])];
  world.provider.pay(await world.opened(paid));
  world.provider.expire(await world.opened(expired));
  for (const id of [paid, expired]) world.pollNow(id);
  await world.becomes(paid, 'paid');
  await world.becomes(expired, 'failed');
  assert.deepEqual([world.events(paid), world.events(expired)], [['on_paid'], ['on_failed']]);
  await until('the receipts', () => world.count(`receipt where order_id in ('${paid}', '${expired}')`) === 2);
});

test('a session that is not the payment\u2019s: 409, and nothing is paid', async () => {
  for (const change of [{ amount_total: 1 }, { amount_total: null }, { amount_total: undefined }, { currency: 'usd' }, { currency: null },
    { client_reference_id: 'another:order:1' }, { client_reference_id: null }, { id: 'cs_test_other' }]) {
    const id = await world.order([650, 1]);
    const session = await world.opened(id);
    world.provider.pay(session);
    world.provider.after = async ({ method }, made) => (method === 'GET' ? { ...made, body: { ...made.body, ...change } } : null);
    try {
      assert.equal(codeOf(await world.confirm(id)), '409 PAYMENT_MISMATCH', JSON.stringify(change));
      assert.equal((await world.hook(world.provider.event('checkout.session.completed', session))).status, 202);
    } finally {
      world.provider.after = async () => null;
    }
    assert.deepEqual(await outcome(id), ['processing', []]);
    assert.equal((await world.confirm(id)).json.status, 'paid');
  }
});

test('lines cannot change while it is processing, for every writer', async () => {
  const id = await world.order([650, 2]);
  const [[line]] = world.sql(`select id from order_line where order_id = '${id}'`);
  const other = await world.product(1);
  const session = await world.opened(id);
  const busy = '409 PAYMENT_PROCESSING';
  assert.equal(codeOf(await world.call('POST', '/api/v1/order_line', { order_id: id, product_id: other, quantity: 1 })), busy);
  assert.equal(codeOf(await world.call('PATCH', `/api/v1/order_line/${line}`, { quantity: 1 })), busy);
  assert.equal(codeOf(await world.call('PATCH', `/api/v1/order_line/${line}`, { gift: true })), busy);
  assert.equal(codeOf(await world.call('DELETE', `/api/v1/order_line/${line}`)), busy);
  assert.equal(codeOf(await world.call('DELETE', `/api/v1/order/${id}`)), busy);
  for (const statement of [`update order_line set quantity = 1 where id = '${line}'`, `delete from order_line where id = '${line}'`]) {
    const { json } = await world.stack.dev('POST', `/projects/${world.project.id}/sql`, { sql: statement });
    assert.match(JSON.stringify(json), /under way/);
  }
  assert.equal((await world.call('PATCH', `/api/v1/order/${id}`, { note: 'please ring' })).status, 200);
  world.provider.expire(session);
  await world.confirm(id);
  assert.equal((await world.call('PATCH', `/api/v1/order_line/${line}`, { quantity: 1 })).status, 200);
});

test('a line that is written while the order is checked out is in the amount, or refused', async () => {
  for (let round = 0; round < 8; round += 1) {
    const id = await world.order([100, 1]);
    const product = await world.product(1000);
    const [line, paid] = await Promise.all([world.call('POST', '/api/v1/order_line', { order_id: id, product_id: product, quantity: 1 }), world.card(id)]);
    assert.equal(paid.json.status, 'processing');
    assert.equal(paid.json.amountCents, line.status === 201 ? 1100 : 100, line.text);
    if (line.status !== 201) assert.equal(codeOf(line), '409 PAYMENT_PROCESSING');
  }
});

test('without the provider\u2019s secrets a card is due offline, and an open payment waits', async () => {
  const [open, fresh] = [await world.order([650, 1]), await world.order([650, 1])];
  const session = await world.opened(open);
  await world.stack.dev('DELETE', `/projects/${world.project.id}/secrets/CARD_SECRET_KEY`, undefined, { expect: 200 });
  try {
    await until('the secret to be gone', async () => (await world.call('GET', '/pay/methods')).json.methods.length === 1);
    assert.equal(codeOf(await world.confirm(open)), '503 STRIPE_NOT_CONNECTED');
    const { json } = await world.card(fresh);
    assert.deepEqual([json.status, json.fallback], ['due', true]);
    const lacking = async () => (await world.stack.dev('GET', `/projects/${world.project.id}`, undefined, { expect: 200 })).json.environments.dev.hooksLackingSecret;
    assert.deepEqual(await lacking(), []);
    await world.stack.dev('DELETE', `/projects/${world.project.id}/secrets/CARD_WEBHOOK_SECRET`, undefined, { expect: 200 });
    assert.deepEqual(await lacking(), [{ name: 'card', scheme: 'stripe', secret: 'CARD_WEBHOOK_SECRET' }]);
  } finally {
    await world.connect();
  }
  await until('the secret to be back', async () => (await world.call('GET', '/pay/methods')).json.methods.length === 2);
  world.provider.pay(session);
  assert.equal((await world.confirm(open)).json.status, 'paid');
});
