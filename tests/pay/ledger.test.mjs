// Orders that are paid offline and by card: who may, what is recorded, and what stays as it was.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import test, { after, before } from 'node:test';
import { until } from '../lib/stack.mjs';
import { World, codeOf } from './world.mjs';

let world;
before(async () => { world = await World.start(); });
after(() => world?.stop());

test('ways to pay: offline always, a card once a provider is connected', async () => {
  const answer = await world.call('GET', '/pay/methods');
  assert.deepEqual(answer.json, { ok: true, currency: 'eur', methods: ['offline', 'card'] });
  assert.equal((await world.call('GET', '/pay/methods', undefined, { as: null })).status, 200);
});

test('offline: due, with a price that the customer may not see', async () => {
  const id = await world.order([650, 2], [99, 3]);
  const answer = await world.checkout(id);
  assert.deepEqual(answer.json, { ok: true, method: 'offline', status: 'due', amountCents: 1597 });
  const payment = await world.paymentOf(id);
  assert.deepEqual([payment.method, payment.provider, payment.status, payment.amount_cents, payment.currency], ['offline', null, 'due', 1597, 'eur']);
  assert.match(payment.created_at, /^\d{4}-\d\d-\d\dT.*Z$/);
  assert.deepEqual(payment.lines.map((line) => Object.keys(line).sort()), [['id', 'item', 'quantity'], ['id', 'item', 'quantity']]);
  const told = await world.paymentOf(id, { as: world.kim });
  assert.deepEqual(told.lines.map((line) => line.amount_cents), [1300, 297]);
});

test('amounts are frozen: a price of today changes nothing that was checked out', async () => {
  const id = await world.order([1000, 1]);
  await world.checkout(id);
  world.sql(`update product p set price = 1 from order_line l where l.product_id = p.id and l.order_id = '${id}'`);
  const payment = await world.paymentOf(id, { as: world.kim });
  assert.deepEqual([payment.amount_cents, payment.lines[0].amount_cents], [1000, 1000]);
});

test('an empty order costs nothing and is due', async () => {
  const id = await world.order();
  assert.deepEqual((await world.checkout(id)).json, { ok: true, method: 'offline', status: 'due', amountCents: 0 });
  const card = await world.card(id);
  assert.deepEqual([card.json.status, card.json.fallback, card.json.amountCents], ['due', true, 0]);
});

test('each line is rounded half up', async () => {
  const id = await world.order([333, 0.5], [333, 0.5], [10, 0.04]);
  assert.equal((await world.checkout(id)).json.amountCents, 334);
});

test('what is refused, and how', async () => {
  const id = await world.order([100, 1]);
  const post = (body, how) => world.call('POST', '/pay/checkout', body, how);
  assert.equal(codeOf(await post({ id })), '400 BAD_REQUEST');
  assert.equal(codeOf(await post({ table: 'order' })), '400 BAD_REQUEST');
  assert.equal(codeOf(await post({})), '400 BAD_REQUEST');
  assert.equal(codeOf(await post({ table: 'product', id })), '400 NOT_AN_ORDER');
  assert.equal(codeOf(await post({ table: 'order', id, method: 'cheque' })), '400 PARAMS_INVALID');
  assert.equal(codeOf(await post({ table: 7, id })), '400 PARAMS_INVALID');
  assert.equal(codeOf(await post({ table: 'order', id: randomUUID() })), '404 ORDER_NOT_FOUND');
  assert.equal(codeOf(await post({ table: 'order', id: 'no uuid' })), '404 ORDER_NOT_FOUND');
  assert.equal(codeOf(await world.checkout(id, {}, { as: world.bob })), '404 ORDER_NOT_FOUND');
  assert.equal(codeOf(await world.checkout(id, {}, { as: null })), '404 ORDER_NOT_FOUND');
  assert.equal(codeOf(await world.checkout(id, {}, { key: null })), '401 UNAUTHORIZED');
  assert.equal(codeOf(await world.call('GET', `/pay/for/product/${id}`)), '400 BAD_TABLE');
  assert.equal(codeOf(await world.call('GET', `/pay/for/order/${randomUUID()}`)), '404 ORDER_NOT_FOUND');
  assert.equal(codeOf(await world.call('GET', `/pay/for/order/${id}`, undefined, { as: world.bob })), '404 ORDER_NOT_FOUND');
  assert.equal(codeOf(await world.confirm(id)), '404 NO_CARD_PAYMENT');
  assert.equal(codeOf(await world.confirm(randomUUID())), '404 ORDER_NOT_FOUND');
  assert.deepEqual((await world.call('GET', `/pay/for/order/${id}`)).json, { ok: true, payment: null });
});

test('callers who may read an order get its total before the checkout', async () => {
  const id = await world.order([100, 2], [250, 1]);
  const total = (of, how) => world.call('GET', `/pay/total/${of}`, undefined, how);
  assert.deepEqual((await total(`order/${id}`)).json, { ok: true, total: { amount_cents: 450, currency: 'eur' } });
  assert.deepEqual((await total(`order/${await world.order()}`)).json.total, { amount_cents: 0, currency: 'eur' });
  assert.equal(codeOf(await total(`order/${id}`, { as: world.bob })), '404 ORDER_NOT_FOUND');
  assert.equal(codeOf(await total(`order/${id}`, { as: null })), '404 ORDER_NOT_FOUND');
  assert.equal(codeOf(await total(`product/${id}`)), '400 BAD_TABLE');
  assert.equal(codeOf(await total('order/no-uuid')), '404 ORDER_NOT_FOUND');
  assert.equal(codeOf(await total(`order/${await world.order([null, 1])}`)), '409 CONFLICT');
});

test('lines that cannot be paid for are refused, not given away', async () => {
  const priceless = await world.order([null, 1]);
  assert.equal(codeOf(await world.checkout(priceless)), '409 CONFLICT');
  const negative = await world.order([1000, 1], [500, -1]);
  assert.equal(codeOf(await world.checkout(negative)), '409 CONFLICT');
  const cheaper = await world.order([1000, 1], [-1200, 1]);
  assert.equal(codeOf(await world.checkout(cheaper)), '409 CONFLICT');
});

test('amounts that no payment can have are refused, and the largest one is exact', async () => {
  const dear = [900_000_000_000_000, 1];
  for (const lines of [[[900_000_000_000_000, 2]], [[1, 1e15]], Array(11).fill(dear)]) {
    const answer = await world.checkout(await world.order(...lines));
    assert.equal(codeOf(answer), '409 CONFLICT', answer.text);
  }
  assert.equal((await world.checkout(await world.order(...Array(10).fill(dear)))).json.amountCents, 9_000_000_000_000_000);
});

test('an order of very many lines keeps nobody waiting: it is read a table at a time, and has an end', async () => {
  const id = await world.order([1, 1]), [[product]] = world.sql(`select product_id from order_line where order_id = '${id}'`);
  const add = (count) => world.sql(`insert into order_line (order_id, product_id, quantity) select '${id}', '${product}', 1 from generate_series(1, ${count})`);
  const read = () => {
    const [[ann]] = world.sql(`select id from svc.account where email = 'ann@example.test'`);
    const told = world.sql(`set track_functions = 'all'; select set_config('svc.user_id', '${ann}', false), set_config('svc.principals', 'customer,consumer,signed_in', false);
      begin; select json_array_length(svc.payment_for('order', '${id}')::json -> 'lines'); select sum(calls) from pg_stat_xact_user_functions where schemaname = 'svc_as'; rollback`);
    return told.slice(-2).flat().map(Number);
  };
  assert.equal((await world.checkout(id)).json.amountCents, 1);
  const [, few] = read();
  add(9_999);
  assert.equal((await world.checkout(id)).json.amountCents, 10_000);
  assert.deepEqual(read(), [10_000, few]);
  assert.equal((await world.paymentOf(id)).lines.length, 10_000);
  add(1);
  for (const answer of [await world.checkout(id), await world.card(id), await world.call('GET', `/pay/total/order/${id}`)]) assert.equal(codeOf(answer), '409 CONFLICT');
});

test('what is due already, and the same, is recorded once', async () => {
  const id = await world.order([650, 2]), [[line]] = world.sql(`select id from order_line where order_id = '${id}'`);
  const entries = () => world.sql(`select count(*), (select count(*) from svc.payment_event e where e.payment_id in (select id from svc.payment where order_id = '${id}')) from svc.payment where order_id = '${id}'`)[0].map(Number);
  const answers = await Promise.all([world.checkout(id), world.checkout(id), world.checkout(id)]);
  for (const { json } of answers) assert.deepEqual(json, { ok: true, method: 'offline', status: 'due', amountCents: 1300 });
  assert.deepEqual(entries(), [1, 1]);
  // Another caller, other lines, another price, another reason: each is an entry of its own.
  await world.checkout(id, {}, { as: world.kim });
  assert.deepEqual(entries(), [2, 2]);
  await world.call('PATCH', `/api/v1/order_line/${line}`, { quantity: 3 });
  assert.equal((await world.checkout(id)).json.amountCents, 1950);
  world.sql(`update product p set price = 700 from order_line l where l.product_id = p.id and l.order_id = '${id}'`);
  assert.equal((await world.checkout(id)).json.amountCents, 2100);
  for (let n = 0; n < 2; n += 1) assert.equal((await world.card(id, { returnUrl: undefined })).json.fallback, true);
  assert.deepEqual(entries(), [5, 5]);
  assert.equal((await world.settle(id)).json.amountCents, 2100);
});

test('an order is settled offline once, by callers with the right, and starts its workflow once', async () => {
  const id = await world.order([650, 2]);
  assert.equal(codeOf(await world.settle(id)), '409 CONFLICT');
  await world.checkout(id);
  assert.equal(codeOf(await world.settle(id, { as: world.ann })), '403 TABLE_FORBIDDEN');
  assert.equal(codeOf(await world.settle(randomUUID())), '404 ORDER_NOT_FOUND');
  const both = await Promise.all([world.settle(id), world.settle(id)]);
  assert.deepEqual(both.map(codeOf).sort(), ['200', '409 ALREADY_PAID']);
  assert.deepEqual(both.find(({ status }) => status === 200).json, { ok: true, status: 'paid', amountCents: 1300 });
  assert.equal((await world.paymentOf(id)).status, 'paid');
  assert.deepEqual(world.events(id), ['on_paid']);
  assert.equal(codeOf(await world.checkout(id)), '409 ALREADY_PAID');
  assert.equal(codeOf(await world.card(id)), '409 ALREADY_PAID');
  const kim = world.sql(`select id from svc.account where email = 'kim@example.test'`)[0][0];
  assert.deepEqual(world.sql(`select settled_by from svc.payment where order_id = '${id}'`), [[kim]]);
  await until('the receipt', () => world.count(`receipt where order_id = '${id}' and outcome = 'paid' and amount = 1300`) === 1);
});

test('an order that grew since its checkout cannot be settled for less', async () => {
  const id = await world.order([100, 1]);
  await world.checkout(id);
  await world.create('order_line', { order_id: id, product_id: await world.product(90000), quantity: 1 });
  assert.equal(codeOf(await world.settle(id)), '409 PAYMENT_MISMATCH');
  await world.checkout(id);
  assert.equal((await world.settle(id)).json.amountCents, 90100);
});

test('lines of a paid order cannot become more than what was paid for', async () => {
  const id = await world.order([100, 2]);
  const [[line]] = world.sql(`select id from order_line where order_id = '${id}'`);
  const dear = await world.product(99900);
  await world.checkout(id);
  await world.settle(id);
  const paid = '409 ALREADY_PAID';
  const patch = async (row) => codeOf(await world.call('PATCH', `/api/v1/order_line/${line}`, row));
  assert.equal(codeOf(await world.call('POST', '/api/v1/order_line', { order_id: id, product_id: dear, quantity: 1 })), paid);
  assert.equal(await patch({ quantity: 3 }), paid);
  assert.equal(await patch({ product_id: dear }), paid);
  assert.equal(await patch({ quantity: 1 }), '200');
  assert.equal(await patch({ quantity: 2, gift: true }), '200');
  const other = await world.order([99900, 1]);
  assert.throws(() => world.sql(`update order_line set order_id = '${id}' where order_id = '${other}'`), /paid/);
  assert.equal(codeOf(await world.call('DELETE', `/api/v1/order_line/${line}`)), '200');
});

test('a fallback says why: no page to come back to, a foreign one, too little', async () => {
  const dear = await world.order([5000, 1]), cheap = await world.order([49, 1]);
  const foreign = ['https://evil.example/thanks', `http://${world.host}@evil.example/`, `http://${world.host}.evil.example/`, 'javascript:alert(1)', `http://evil.example\\@${world.host}/`, '//evil.example/', ''];
  for (const returnUrl of foreign) {
    const { json } = await world.card(dear, { returnUrl });
    assert.deepEqual([json.ok, json.method, json.status, json.amountCents, json.fallback, typeof json.note], [true, 'offline', 'due', 5000, true, 'string'], returnUrl);
  }
  const { json } = await world.card(cheap);
  assert.deepEqual([json.status, json.fallback, json.amountCents], ['due', true, 49]);
  assert.equal(world.provider.calls.length, 0);
  assert.equal(codeOf(await world.card(dear, { returnUrl: 7 })), '400 PARAMS_INVALID');
});

test('nobody rewrites the ledger, and a caller who may not read an order reads nothing of it', async () => {
  const id = await world.order([100, 1]);
  await world.checkout(id);
  for (const statement of [`delete from svc.payment where order_id = '${id}'`, `update svc.payment set amount = 1 where order_id = '${id}'`,
    `update svc.payment set status = 'failed' where order_id = '${id}'`, 'truncate svc.payment cascade', 'update svc.payment_event set status = $$paid$$']) {
    assert.throws(() => world.sql(statement), /only be added to/, statement);
  }
  const rows = (who, principals) => world.sql(`begin; set local role "${world.servers()[0] && role()}"; select set_config('svc.user_id', '${who}', true), set_config('svc.principals', '${principals}', true); select order_id from svc.payment; rollback;`).flat();
  const role = () => world.sql(`select grantee from information_schema.column_privileges where table_schema = 'svc' and table_name = 'payment' and column_name = 'order_id' and privilege_type = 'SELECT' and grantee like '%data%' limit 1`)[0][0];
  const idOf = (name) => world.sql(`select id from svc.account where email = '${name}@example.test'`)[0][0];
  assert.ok(rows(idOf('ann'), 'customer,consumer,signed_in').includes(id));
  assert.ok(!rows(idOf('bob'), 'customer,consumer,signed_in').includes(id));
});

test('a database that is not as the contract says is told as such, and nothing is recorded', async () => {
  const id = await world.order([100, 1]);
  world.sql('alter table product rename column price to cost');
  try {
    assert.equal(codeOf(await world.checkout(id)), '400 BAD_CONTRACT');
  } finally {
    world.sql('alter table product rename column cost to price');
  }
  // Somebody wrote a function of the ledger anew.
  const [[was]] = world.sql("select replace(pg_get_functiondef('svc.payment_work'::regproc), chr(10), ' ')");
  world.sql("create or replace function svc.payment_work(p svc.payment) returns jsonb language sql as $$ select '7'::jsonb $$");
  try {
    assert.equal(codeOf(await world.checkout(id)), '500 INTERNAL');
  } finally {
    world.sql(was);
  }
  assert.equal((await world.checkout(id)).json.status, 'due');
});
