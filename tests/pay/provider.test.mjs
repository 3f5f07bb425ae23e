// The tests' card provider, held to Stripe's own package: what its client sends is understood, and what it is answered is
// what it expects.
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { until } from '../lib/stack.mjs';
import { Provider, Stripe, secretKey, webhookSecret } from './provider.mjs';

let provider, stripe;
before(async () => {
  provider = await Provider.start();
  stripe = new Stripe(secretKey, { host: '127.0.0.1', port: provider.port, protocol: 'http', maxNetworkRetries: 0, telemetry: false });
});
after(() => provider?.stop());

const wanted = (more = {}) => ({
  mode: 'payment', success_url: 'https://shop.test/', client_reference_id: 'project:order:1', metadata: { payment: 'one' },
  line_items: [{ quantity: 2, price_data: { currency: 'eur', unit_amount: 650, product_data: { name: 'Tea' } } }], ...more,
});

test('a session is made, read, expanded and expired', async () => {
  const made = await stripe.checkout.sessions.create(wanted());
  assert.deepEqual([made.object, made.status, made.payment_status, made.amount_total, made.currency, made.client_reference_id], ['checkout.session', 'open', 'unpaid', 1300, 'eur', 'project:order:1']);
  provider.pay(made.id);
  const paid = await stripe.checkout.sessions.retrieve(made.id, { expand: ['payment_intent'] });
  assert.deepEqual([paid.status, paid.payment_status, paid.payment_intent.status], ['complete', 'paid', 'succeeded']);
  assert.equal((await stripe.checkout.sessions.retrieve(made.id)).payment_intent, paid.payment_intent.id);
  await assert.rejects(stripe.checkout.sessions.expire(made.id), { type: 'StripeInvalidRequestError' });
  const other = await stripe.checkout.sessions.create(wanted());
  assert.equal((await stripe.checkout.sessions.expire(other.id)).status, 'expired');
});

test('one key makes one session, and another request under it is refused', async () => {
  const [one, two] = await Promise.all([1, 2].map(() => stripe.checkout.sessions.create(wanted(), { idempotencyKey: 'same' })));
  assert.equal(one.id, two.id);
  await assert.rejects(stripe.checkout.sessions.create(wanted({ success_url: 'https://other.test/' }), { idempotencyKey: 'same' }), { type: 'StripeIdempotencyError' });
});

test('a key that is under way is refused, and the package tries again', async () => {
  let go;
  const held = new Promise((done) => { go = done; });
  provider.before = async () => { await held; return null; };
  const patient = new Stripe(secretKey, { host: '127.0.0.1', port: provider.port, protocol: 'http', maxNetworkRetries: 3, telemetry: false });
  const create = (client) => client.checkout.sessions.create(wanted(), { idempotencyKey: 'busy' });
  const seen = provider.calls.length, first = create(stripe);
  await until('the first call', () => provider.calls.length > seen);
  await assert.rejects(create(stripe), { statusCode: 409, code: 'idempotency_key_in_use' });
  const second = create(patient);
  await until('the call of the other client', () => provider.calls.length > seen + 2);
  provider.before = async () => null;
  go();
  assert.equal((await first).id, (await second).id);
});

test('what is wrong is refused with errors that the package knows', async () => {
  const refused = (body, type) => assert.rejects(stripe.checkout.sessions.create(body), { type });
  await refused(wanted({ line_items: [] }), 'StripeInvalidRequestError');
  await refused(wanted({ success_url: 'here' }), 'StripeInvalidRequestError');
  await refused(wanted({ expires_at: Math.floor(Date.now() / 1000) + 60 }), 'StripeInvalidRequestError');
  await assert.rejects(stripe.checkout.sessions.retrieve('cs_none'), { type: 'StripeInvalidRequestError', statusCode: 404 });
  const stranger = new Stripe('sk_wrong', { host: '127.0.0.1', port: provider.port, protocol: 'http', maxNetworkRetries: 0, telemetry: false });
  await assert.rejects(stranger.checkout.sessions.create(wanted()), { type: 'StripeAuthenticationError' });
});

test('the package believes the events that it signs', async () => {
  const made = await stripe.checkout.sessions.create(wanted());
  const { body, headers } = provider.event('checkout.session.completed', made.id);
  const event = stripe.webhooks.constructEvent(body, headers['stripe-signature'], webhookSecret);
  assert.deepEqual([event.type, event.data.object.id], ['checkout.session.completed', made.id]);
});
