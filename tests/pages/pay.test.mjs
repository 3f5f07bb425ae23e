// Paying an order on a page, without a script: what it costs, the card provider and the way back, and paying without a card.
import assert from 'node:assert/strict';
import test, { after, before, beforeEach } from 'node:test';
import { World } from '../pay/world.mjs';
import { markup, seen, Visitor } from './world.mjs';

const pages = [
  { route: '/orders/:id', title: 'Order', to: ['customer', 'clerk'], body: [{ detail: { entity: 'order' } }, { pay: {} }] },
  { route: '/offline/:id', title: 'Order', to: 'customer', body: [{ pay: { methods: ['offline'], title: 'The bill' } }] },
  { route: '/then/:id', title: 'Order', to: 'customer', body: [{ pay: { then: '/thanks/{id}' } }] },
  { route: '/thanks/:id', title: 'Thanks', to: 'customer', body: [{ markdown: { text: 'See you soon.' } }] },
];
const instructions = 'Transfer it to <b>DE00 1234</b>\nwithin a week.';

let world, ann, bob, host;
before(async () => {
  world = await World.start({ payments: { instructions }, more: { pages } });
  host = world.host;
  [ann, bob] = [new Visitor(world.stack, host), new Visitor(world.stack, host)];
  await ann.signInAs(world.project, 'ann@example.test');
  await bob.signInAs(world.project, 'bob@example.test');
});
after(() => world?.stop());

// The provider's page on a host that the project's secrets name, unless a test says otherwise.
let pageOf;
beforeEach(() => {
  pageOf = (id) => `${world.provider.url}/c/${id}`;
  world.provider.before = async () => null;
  world.provider.after = async (call, made) => (made.body.url ? { ...made, body: { ...made.body, url: pageOf(made.body.id) } } : made);
});
const sessionOf = (address) => address.split('/').at(-1);
const back = (path) => `${path}?b2.back=1`;
const follow = async (address) => (await ann.get(address.replace(`http://${host}:${world.stack.port}`, ''))).text;

test('the card leads to the page of the provider and comes back paid', async () => {
  const path = `/orders/${await world.order([1250, 2])}`;
  const page = await ann.get(path);
  assert.match(seen(page.text), /€25\.00 Not paid/);
  assert.match(page.headers['content-security-policy'], new RegExp(`form-action 'self' ${world.provider.url};`));
  const answer = await ann.submit(path, 'Pay €25\\.00 by card');
  assert.ok(answer.headers.location.startsWith(`${world.provider.url}/c/`), answer.headers.location);
  const session = world.provider.sessions.get(sessionOf(answer.headers.location));
  assert.equal(session.success_url, `${ann.origin}${back(path)}`);
  assert.equal(session.amount_total, 2500);
  // Not paid yet: the page says so, and leads to the same session.
  assert.equal((await ann.get(back(path), 303)).headers.location, `${path}#b2`);
  assert.match(seen(await follow(path)), /€25\.00 Payment under way/);
  assert.equal((await ann.submit(path, 'Go on to the card page')).headers.location, answer.headers.location);
  world.provider.pay(session.id);
  assert.equal((await ann.get(back(path), 303)).headers.location, `${path}?done=paid#b2`);
  const paid = await ann.get(`${path}?done=paid`);
  assert.match(seen(paid.text), /Paid\. Thank you\..*€25\.00 Paid/);
  assert.doesNotMatch(paid.text, /by card<\/button>/);
  assert.doesNotMatch(paid.headers['content-security-policy'], /form-action 'self' http/);
});

test('what is paid leads to "then"', async () => {
  const id = await world.order([300, 1]);
  const answer = await ann.submit(`/then/${id}`, 'Pay €3\\.00 by card');
  const session = sessionOf(answer.headers.location);
  assert.equal(world.provider.sessions.get(session).success_url, `${ann.origin}/then/${id}?b1.back=1`);
  world.provider.pay(session);
  assert.equal((await ann.get(`/then/${id}?b1.back=1`, 303)).headers.location, `/thanks/${id}?done=paid`);
});

test('a failed card is reported, and can be tried again', async () => {
  const path = `/orders/${await world.order([700, 1])}`;
  const first = sessionOf((await ann.submit(path, 'Pay €7\\.00 by card')).headers.location);
  world.provider.expire(first);
  assert.equal((await ann.submit(path, 'Look again')).headers.location, `${path}#b2`);
  assert.match(seen(await follow(path)), /€7\.00 Payment failed The card payment did not go through/);
  const second = sessionOf((await ann.submit(path, 'Pay €7\\.00 by card')).headers.location);
  assert.notEqual(second, first);
});

test('a page of the provider on another host is a link; a malformed address is not', async () => {
  const path = `/orders/${await world.order([900, 1])}`;
  pageOf = (id) => `https://checkout.example.test/c/${id}`;
  const page = await ann.submit(path, 'Pay €9\\.00 by card', {}, 200);
  assert.match(page.text, /<a class="button primary" href="https:\/\/checkout\.example\.test\/c\/[^"]+">Go to the card page<\/a>/);
  assert.doesNotMatch(page.headers['content-security-policy'], /checkout\.example/);
  for (const hostile of [`${world.provider.url}.evil.test/`, `${world.provider.url}@evil.test/`]) {
    const other = `/orders/${await world.order([900, 1])}`;
    pageOf = () => hostile;
    const { text, headers } = await ann.submit(other, 'Pay €9\\.00 by card', {}, 200);
    assert.equal(headers.location, undefined);
    assert.doesNotMatch(text, /href="(javascript|data|\/\/)/);
  }
  for (const script of ['javascript:alert(1)', '//evil.test/', 'data:text/html,x']) {
    const other = `/orders/${await world.order([900, 1])}`;
    pageOf = () => script;
    assert.equal((await ann.submit(other, 'Pay €9\\.00 by card')).headers.location, `${other}?done=due#b2`, script);
  }
});

test('paying without a card shows how, with amount and reference, as text', async () => {
  const path = `/orders/${await world.order([120, 3])}`;
  assert.equal((await ann.submit(path, 'Pay without a card')).headers.location, `${path}?done=due#b2`);
  const { text } = await ann.get(path);
  assert.match(seen(text), /€3\.60 To be paid How to pay Transfer it to <b>DE00 1234<\/b> within a week\. Amount €3\.60 Reference [0-9a-f]{8}/);
  assert.match(seen((await ann.get(`${path}?done=due`)).text), /Your order is noted\. See below how to pay\./);
  assert.match(text, /&lt;b&gt;DE00 1234&lt;\/b&gt;\nwithin/);
  assert.doesNotMatch(text, /Pay without a card/);
  assert.match(text, /Pay €3\.60 by card/);
});

test('only callers who settle payments record that the money has arrived', async () => {
  const path = `/orders/${await world.order([250, 2])}`;
  await ann.submit(path, 'Pay without a card');
  assert.doesNotMatch((await ann.get(path)).text, /The money has arrived/);
  const forced = await ann.post(path, { _block: '1', _do: 'settle' });
  assert.equal(forced.status, 422);
  assert.match(seen(forced.text), /€5\.00 To be paid/);
  const kim = new Visitor(world.stack, host);
  await kim.signInAs(world.project, 'kim@example.test');
  assert.equal((await kim.submit(path, 'The money has arrived')).headers.location, `${path}?done=settled#b2`);
  assert.match(seen((await ann.get(path)).text), /€5\.00 Paid This was paid without a card\./);
});

test('an order that changes after its checkout is checked out again', async () => {
  const id = await world.order([120, 3]), path = `/orders/${id}`;
  await ann.submit(path, 'Pay without a card');
  await world.create('order_line', { order_id: id, product_id: await world.product(200), quantity: 1 });
  const { text } = await ann.get(path);
  assert.match(seen(text), /€5\.60 To be paid The order has changed since it was checked out\./);
  assert.doesNotMatch(text, /How to pay/);
  await ann.submit(path, 'Check out again');
  assert.match(seen((await ann.get(path)).text), /€5\.60 To be paid How to pay [^]* Amount €5\.60/);
});

test('only ways that the block names are offered, and taken', async () => {
  const path = `/offline/${await world.order([120, 1])}`;
  const { text } = await ann.get(path);
  assert.match(seen(text), /The bill/);
  assert.doesNotMatch(text, /by card/);
  const forced = await ann.post(path, { _block: '0', _do: 'card' });
  assert.equal(forced.status, 422);
  assert.match(seen(forced.text), /cannot be paid in this way here/);
  assert.equal((await ann.post(path, { _block: '0', _do: 'drop' })).status, 422);
  assert.match(seen(text), /Not paid How to pay Transfer it to <b>DE00 1234<\/b> within a week\. Confirm/);
  await ann.submit(path, 'Confirm');
});

test('an order with nothing to pay, or without a price, has no button', async () => {
  const empty = (await ann.get(`/orders/${await world.order()}`)).text;
  assert.match(seen(empty), /€0\.00 Not paid There is nothing to pay yet/);
  const priceless = (await ann.get(`/orders/${await world.order([null, 1])}`)).text;
  assert.match(seen(priceless), /Not paid A line of the order has no price/);
  for (const text of [empty, priceless]) assert.doesNotMatch(text, /Pay (€|without)/);
});

test("somebody else's order is not there, to look at or to pay", async () => {
  const id = await world.order([500, 1]);
  const { text } = await bob.ask('GET', `/orders/${id}`);
  assert.doesNotMatch(text, /€5\.00|by card/);
  const paid = await bob.post(`/orders/${id}`, { _block: '1', _do: 'card' });
  assert.match(seen(paid.text), /does not exist/);
  assert.equal((await bob.ask('GET', `/orders/${id}?b2.back=1`)).headers.location, `/orders/${id}#b2`);
  assert.equal(await world.paymentOf(id), null);
  assert.equal((await ann.ask('GET', '/orders/no-uuid')).status, 200);
});

test('a provider that fails makes it due, and the page says why', async () => {
  const path = `/orders/${await world.order([800, 1])}`;
  world.provider.before = async () => ({ status: 500, body: { error: { type: 'api_error', message: '<script>alert(1)</script>' } } });
  assert.equal((await ann.submit(path, 'Pay €8\\.00 by card')).headers.location, `${path}?done=due#b2`);
  const { text } = await ann.get(path);
  assert.match(seen(text), /€8\.00 To be paid The card provider gave an unusable answer/);
  assert.doesNotMatch(markup(text), /<script/);
});

test('a form of another site pays nothing', async () => {
  const path = `/orders/${await world.order([800, 1])}`;
  const answer = await ann.post(path, { _block: '1', _do: 'card' }, { origin: 'https://evil.test' });
  assert.equal(answer.status, 403);
  assert.match(seen((await ann.get(path)).text), /Not paid/);
});
