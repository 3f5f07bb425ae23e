// Card payments that the provider can no longer end: what callers are told, and how an operator ends them.
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { Client, password } from '../cli/client.mjs';
import { owner } from '../lib/stack.mjs';
import { World, codeOf } from './world.mjs';

let world;
before(async () => { world = await World.start(); });
after(() => world?.stop());

// The provider's account is another one now, as with the keys of a live account after those of a test account.
async function orphaned() {
  const id = await world.order([650, 1]), session = await world.opened(id);
  world.provider.sessions.delete(session);
  const [[payment, line]] = world.sql(`select p.id, l.id from svc.payment p join order_line l using (order_id) where order_id = '${id}'`);
  return { id, payment, line };
}
const endOf = (payment, body = {}) => world.stack.dev('POST', `/projects/${world.project.id}/payments/${payment}/end`, body);

test('a session that the provider does not know: its address is given as long as it may be open, and then no more', async () => {
  const { id } = await orphaned();
  assert.equal((await world.card(id)).json.status, 'processing');
  world.sql(`update svc.payment set session_end = now() - interval '1 minute' where order_id = '${id}'`);
  const { status, json, text } = await world.card(id);
  assert.deepEqual([status, json.error?.code, json.url], [(await world.confirm(id)).status, 'STRIPE_ERROR', undefined], text);
});

test('an operator ends it: the order is free, the history says who, the customer reads the note, and its workflow runs', async () => {
  const { id, payment, line } = await orphaned();
  const change = () => world.call('PATCH', `/api/v1/order_line/${line}`, { quantity: 2 });
  assert.equal(codeOf(await change()), '409 PAYMENT_PROCESSING');
  assert.equal(codeOf(await world.checkout(id)), '409 PAYMENT_PROCESSING');
  const ended = await endOf(payment.slice(0, 35), { note: 'Please pay once more.' });
  assert.deepEqual([ended.status, ended.json], [200, { ended: payment }], ended.text);
  const { payment: shown } = (await world.stack.dev('GET', `/projects/${world.project.id}/payments/${payment}`)).json;
  const { status, what, detail } = shown.events.at(-1);
  assert.deepEqual([shown.status, shown.nextPollAt, status, what, detail], ['failed', null, 'failed', 'operator', owner.email]);
  assert.equal((await world.paymentOf(id)).note, 'Please pay once more.');
  assert.deepEqual(world.events(id), ['on_failed']);
  assert.equal((await change()).status, 200);
  assert.equal((await world.card(id)).json.status, 'processing');
});

test('what is not under way cannot be ended, nor a payment that is not there, and a note is short', async () => {
  const id = await world.order([650, 1]);
  assert.equal((await world.checkout(id)).json.status, 'due');
  const [[payment]] = world.sql(`select id from svc.payment where order_id = '${id}'`);
  const wrong = async (...asked) => { const { status, json } = await endOf(...asked); return `${status} ${json.code}`; };
  assert.equal(await wrong(payment), '409 CONFLICT');
  assert.equal(await wrong(id), '404 NOT_FOUND');
  assert.equal(await wrong(payment, { note: 'x'.repeat(301) }), '400 BAD_REQUEST');
  assert.equal(await wrong(payment, { env: 'prod' }), '404 NO_APP');
  const tool = await world.stack.dev('POST', '/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call',
    params: { name: 'end_payment', arguments: { project: world.project.id, payment } } });
  assert.equal(tool.json.result.structuredContent.code, 'CONFLICT', tool.text);
  assert.equal((await world.paymentOf(id)).status, 'due');
});

test('`svc pay end` asks first, takes a short id, and says what it did', async () => {
  const { id, payment } = await orphaned(), client = new Client(world.stack);
  try {
    await client.expect(0, ['login', ...password]);
    const end = (code, ...args) => client.expect(code, ['pay', 'end', ...args, '--project', world.project.id]);
    assert.match((await end(2, payment)).err, /the money stays at the provider\. .* it needs --yes/);
    assert.equal((await world.paymentOf(id)).status, 'processing');
    assert.match((await end(0, payment.slice(0, 30), '--note', 'Once more, please.', '--yes')).out, new RegExp(`^Ended ${payment}\\.`));
    assert.equal((await world.paymentOf(id)).note, 'Once more, please.');
  } finally {
    client.remove();
  }
});
