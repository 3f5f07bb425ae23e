// Subscribers get messages, and rows as each of them may see them, over real sockets.
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { App } from '../../lib/app.mjs';
import { Stack, sample, until } from '../../lib/stack.mjs';

let stack, app, ann, bob;

before(async () => {
  stack = await Stack.start();
  await stack.signIn();
  app = new App(stack, await stack.project('Told'));
  await stack.apply(app.project, sample('shop'));
  ann = await app.signUp('anna', 'customer');
  bob = await app.signUp('bob', 'customer');
});
after(() => {
  app?.close();
  return stack?.stop();
});

const browser = () => app.browser();
const as = (person) => app.as(person);
const staff = (role) => app.staff(role);
const listen = (path, headers) => app.listen(path, headers);
const write = (headers, method, path, body, status) => app.write(headers, method, path, body, status);

test('a message comes to all listeners', async () => {
  const events = await listen('app:news/subscribe', browser());
  assert.equal(events.status, 200);
  assert.equal(events.headers['content-type'], 'text/event-stream');
  assert.equal(events.headers['access-control-allow-origin'], 'http://app.test');
  await app.publish(as(ann), 'app:news', { text: 'line\nbreak', n: 1 });
  await app.publish(as(ann), 'app:other', 'not for them');
  await app.call(as(ann), 'POST', 'topics/app:news/publish', {});
  assert.deepEqual(await events.first(2), [{ text: 'line\nbreak', n: 1 }, null]);
});

test('a server that holds all streams of its key may still call, and is told that one more is too many', async () => {
  const open = await Promise.all(Array.from({ length: 1000 }, () => app.listen('app:full/subscribe', app.server())));
  assert.ok(open.every(({ status }) => status === 200));
  assert.equal((await app.listen('app:full/subscribe', app.server())).status, 429);
  await app.call(app.server(), 'GET', 'api/v1/product?limit=1');
  for (const events of open) events.close();
});

test('each listener gets a row as they may see it', async () => {
  const [hers, his, guests, managers, clerks] = await Promise.all([
    listen('row-changed:order/subscribe', as(ann)), listen('row-changed:order/subscribe', as(bob)),
    listen('row-changed:product/subscribe', browser()), listen('row-changed:product/subscribe', staff('manager')),
    listen('row-changed:product/subscribe', staff('clerk'))]);
  const order = await write(as(ann), 'POST', 'order', { note: 'one' }, 201);
  await write(as(ann), 'PATCH', `order/${order.id}`, { note: 'two' });
  await write(as(ann), 'DELETE', `order/${order.id}`);
  const his_order = await write(as(bob), 'POST', 'order', {}, 201);
  assert.deepEqual((await hers.first(3)).map((one) => [one.event, one.table, one.id, one.row?.note]), [
    ['created', 'order', order.id, 'one'], ['updated', 'order', order.id, 'two'], ['deleted', 'order', order.id, undefined]]);
  assert.deepEqual(hers.told[0].row, order);
  assert.deepEqual(Object.keys(hers.told[2]).sort(), ['event', 'id', 'table']);
  assert.deepEqual((await his.first(1)).map((one) => one.id), [his_order.id]);

  const mug = await write(staff('manager'), 'POST', 'product', { sku: 'MUG', title: 'Mug', price: 900, cost: 400, stock: 3 }, 201);
  await write(staff('manager'), 'PATCH', `product/${mug.id}`, { cost: 500 });
  await write(staff('manager'), 'PATCH', `product/${mug.id}`, { active: false });
  await write(staff('manager'), 'PATCH', `product/${mug.id}`, { active: true });
  assert.deepEqual((await managers.first(4)).map((one) => [one.event, one.row.cost]), [['created', 400], ['updated', 500], ['updated', 500], ['updated', 500]]);
  const seen = (await guests.first(3)).map((one) => [one.event, 'cost' in (one.row ?? {})]);
  assert.equal(seen[0][0], 'created');
  assert.deepEqual(seen.at(-2), ['deleted', false]);
  assert.deepEqual(seen.at(-1), ['created', false]);
  assert.equal((await clerks.first(3))[0].row.cost, undefined);
});

test('rows whose policy looks at others are asked for', async () => {
  const [hers, his] = await Promise.all([listen('row-changed:order_line/subscribe', as(ann)), listen('row-changed:order_line/subscribe', as(bob))]);
  const { json } = await app.call(browser(), 'GET', 'api/v1/product?where={%22sku%22:%22TEA-1%22}');
  const order = await write(as(ann), 'POST', 'order', {}, 201);
  const line = await write(as(ann), 'POST', 'order_line', { order_id: order.id, product_id: json.rows[0].id, quantity: 2 }, 201);
  await write(as(ann), 'PATCH', `order_line/${line.id}`, { quantity: 3 });
  assert.deepEqual((await hers.first(2)).map((one) => [one.event, one.row.quantity]), [['created', 2], ['updated', 3]]);
  const other = await write(as(bob), 'POST', 'order', {}, 201);
  const his_line = await write(as(bob), 'POST', 'order_line', { order_id: other.id, product_id: json.rows[0].id }, 201);
  assert.deepEqual((await his.first(1)).map((one) => one.id), [his_line.id]);
});

test('a listener that comes back misses nothing', async () => {
  const before = await listen('row-changed:order/subscribe', as(ann));
  const one = await write(as(ann), 'POST', 'order', { note: 'a' }, 201);
  await before.first(1);
  before.close();
  const two = await write(as(ann), 'POST', 'order', { note: 'b' }, 201);
  await write(as(bob), 'POST', 'order', { note: 'his' }, 201);
  await write(as(ann), 'PATCH', `order/${one.id}`, { note: 'c' });
  const again = await listen('row-changed:order/subscribe', { ...as(ann), 'last-event-id': before.id });
  const three = await write(as(ann), 'POST', 'order', { note: 'd' }, 201);
  assert.deepEqual((await again.first(3)).map((each) => [each.event, each.id]), [['created', two.id], ['updated', one.id], ['created', three.id]]);
  const by_address = await listen(`row-changed:order/subscribe?lastEventId=${encodeURIComponent(before.id)}`, as(ann));
  assert.deepEqual((await by_address.first(3)).map((each) => each.id), [two.id, one.id, three.id]);
  const as_another = await listen('row-changed:order/subscribe', { ...as(bob), 'last-event-id': before.id });
  assert.deepEqual((await as_another.first(1))[0].data, { reason: 'rights_changed' });
  const foreign = await listen('row-changed:order/subscribe', { ...as(ann), 'last-event-id': 'nonsense' });
  assert.equal((await foreign.first(1))[0].data.reason, 'cursor_too_old');
});

test('a listener that comes back to large rows gets all of them', async () => {
  const before = await listen('row-changed:product/subscribe', staff('manager'));
  const add = (sku, description) => write(staff('manager'), 'POST', 'product', { sku, title: sku, price: 1, description }, 201);
  await add('SMALL', 'small');
  await before.first(1);
  before.close();
  const texts = [...'abcdefgh'].map((letter) => letter.repeat(200_000));
  for (const text of texts) await add(`LARGE-${text[0].toUpperCase()}`, text);
  const again = await listen('row-changed:product/subscribe', { ...staff('manager'), 'last-event-id': before.id });
  const told = await again.first(texts.length);
  assert.deepEqual(told.map((one) => one.row.description[0] + one.row.description.length), texts.map((text) => text[0] + text.length));
});

test('a filter reports rows that begin and cease to match', async () => {
  const filter = encodeURIComponent(JSON.stringify([{ field: 'note', op: 'starts_with', value: 'x' }]));
  const events = await listen(`row-changed:order/subscribe?filter=${filter}`, as(ann));
  const row = await write(as(ann), 'POST', 'order', { note: 'y' }, 201);
  for (const note of ['xa', 'xb', 'z']) await write(as(ann), 'PATCH', `order/${row.id}`, { note });
  assert.deepEqual((await events.first(3)).map((one) => [one.event, one.row?.note]), [['created', 'xa'], ['updated', 'xb'], ['deleted', undefined]]);
});

// They are asked about in several exchanges, so that no server holds the row once for each of them.
test('a large row is sent to many filters', async () => {
  const heard = await Promise.all(['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((value) => {
    const filter = encodeURIComponent(JSON.stringify([{ field: 'description', op: 'contains', value }]));
    return listen(`row-changed:product/subscribe?filter=${filter}`, staff('manager'));
  }));
  const { id } = await write(staff('manager'), 'POST', 'product', { sku: 'LONG', title: 'Long', price: 1, description: `${'-'.repeat(900_000)}bdfg` }, 201);
  await write(staff('manager'), 'PATCH', `product/${id}`, { description: 'abcdefg' });
  const told = await Promise.all(heard.map(async (events) => (await events.first(1))[0].event));
  assert.deepEqual(told, ['created', 'created', 'created', 'created', 'created', 'created', 'created']);
  const before = heard.map((events) => events.told[0].row.description.length > 7);
  assert.deepEqual(before, [false, true, false, true, false, true, true]);
});

test('one stream has several topics', async () => {
  const events = await listen(`subscribe?topic=app:a&topic=row-changed%3Aorder&topic=app:b&access_token=${app.project.browser}&app_session=${ann.token}`, { origin: 'http://app.test' });
  assert.equal(events.status, 200, JSON.stringify(events.answer));
  await app.publish(as(ann), 'app:a', 1);
  const order = await write(as(ann), 'POST', 'order', {}, 201);
  await app.publish(as(ann), 'app:b', 2);
  const told = await events.first(3);
  assert.deepEqual([told[0], told[2]], [{ topic: 'app:a', payload: 1 }, { topic: 'app:b', payload: 2 }]);
  assert.deepEqual([told[1].topic, told[1].payload.id], ['row-changed:order', order.id]);
  const { text } = await stack.dev('GET', `/projects/${app.project.id}/logs`);
  for (const shown of [app.project.browser, ann.token]) assert.ok(!stack.log.includes(shown) && !text.includes(shown), 'it is written nowhere');
});

test('what is refused is refused before the stream begins', async () => {
  const refused = async (path, headers) => {
    const { status, answer } = await listen(path, headers);
    return [status, answer?.error.code];
  };
  assert.deepEqual(await refused('app:news/subscribe', {}), [401, 'UNAUTHORIZED']);
  assert.deepEqual(await refused('app:news/subscribe', { ...browser(), 'x-svc-app-session': 'svc_s_no' }), [401, 'UNAUTHORIZED']);
  assert.deepEqual(await refused('row-changed:order/subscribe', browser()), [403, 'TOPIC_FORBIDDEN']);
  assert.deepEqual(await refused('row-changed:nothing/subscribe', as(ann)), [403, 'TOPIC_FORBIDDEN']);
  assert.deepEqual(await refused('svc:account/subscribe', as(ann)), [403, 'TOPIC_FORBIDDEN']);
  assert.deepEqual(await refused('counter/subscribe', as(ann)), [403, 'TOPIC_FORBIDDEN']);
  assert.deepEqual(await refused(`app:customer:${bob.id}/subscribe`, as(ann)), [403, 'TOPIC_FORBIDDEN']);
  assert.deepEqual(await refused('a%20b/subscribe', as(ann)), [400, 'TOPIC_INVALID']);
  assert.deepEqual(await refused('subscribe', as(ann)), [400, 'TOPIC_INVALID']);
  assert.deepEqual(await refused(`subscribe?${Array.from({ length: 51 }, (_, i) => `topic=t${i}`).join('&')}`, as(ann)), [400, 'PARAMS_INVALID']);
  assert.deepEqual(await refused('app:news/subscribe?filter=[]', as(ann)), [400, 'PARAMS_INVALID']);
  assert.deepEqual(await refused('row-changed:product/subscribe?filter=[{%22field%22:%22cost%22,%22op%22:%22eq%22,%22value%22:1}]', browser()), [400, '42703']);
  assert.deepEqual(await refused('app:news/subscribe?lastEventID=1', as(ann)), [400, 'PARAMS_INVALID']);
});

test('a stream ends with the session that it is of', async () => {
  const cleo = await app.signUp('cleo', 'customer');
  const [hers, anns] = await Promise.all([listen('app:x/subscribe', as(cleo)), listen('app:x/subscribe', as(ann))]);
  await app.call(as(cleo), 'POST', 'auth/logout', {});
  await until('the stream to end', () => hers.ended, 5000);
  assert.ok(!anns.ended);
});
