// Writes through the runtime API are in svc.change, as the server's own role reads it.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import test, { after, before } from 'node:test';
import { Stack, appServers, sample } from '../lib/stack.mjs';
import { signUp } from '../lib/scenarios.mjs';

let stack;
before(async () => {
  stack = await Stack.start();
  await stack.signIn();
});
after(() => stack?.stop());

const query = (url, sql) => execFileSync('psql', ['-XAtqc', sql, url], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();

function since(url, cursor) {
  const rows = query(url, `select coalesce(json_agg(c order by seq) filter (where seq is not null), '[]') from svc.changes_since('${cursor}') c`);
  return JSON.parse(rows);
}

test('each write of the API is recorded once, with who wrote it', async () => {
  const project = await stack.project('Recorded');
  await stack.apply(project, sample('shop'));
  const host = `preview-${project.slug}.localhost`;
  const ann = await signUp(stack, project, host, 'cleo', 'customer');
  const [{ env }] = appServers(project);
  const customer = { authorization: `Bearer ${project.browser}`, origin: 'http://app.test', 'x-svc-data-api': '1', 'x-svc-app-session': ann.token };
  const manager = { authorization: `Bearer ${project.server}`, 'x-svc-data-api': '1', 'x-svc-app-role': 'manager' };
  const call = async (headers, method, path, body, status) => {
    const answer = await stack.fetch(method, `/__svc/api/v1/${path}`, { headers, host, body });
    assert.equal(answer.status, status, answer.text);
    return answer.json.rows?.[0];
  };
  const start = query(env.DATABASE_URL, 'select svc.change_cursor()');

  const product = await call(manager, 'POST', 'product', { sku: 'MUG', title: 'Mug', price: 900, cost: 400, stock: 3 }, 201);
  const order = await call(customer, 'POST', 'order', {}, 201);
  const line = await call(customer, 'POST', 'order_line', { order_id: order.id, product_id: product.id, quantity: 2 }, 201);
  await call(customer, 'POST', 'order_line', { order_id: order.id, product_id: product.id, quantity: 9 }, 422);
  await call(customer, 'PATCH', `order/${order.id}`, { note: 'soon' }, 200);
  await call(customer, 'PATCH', `order/${order.id}`, { note: 'soon' }, 200);
  await call(customer, 'PATCH', `order/${order.id}/transition`, { transition: 'place' }, 200);
  const gone = await call(customer, 'POST', 'order', {}, 201);
  await call(customer, 'DELETE', `order/${gone.id}`, undefined, 200);
  await call(customer, 'DELETE', `order/${order.id}`, undefined, 403);

  const changes = since(env.DATABASE_URL, start);
  const told = changes.map((one) => [one.event, one.table_name, one.row_id, one.actor, one.transition]);
  assert.deepEqual(told, [
    ['created', 'product', product.id, null, null],
    ['created', 'order', order.id, ann.id, null],
    ['created', 'order_line', line.id, ann.id, null],
    ['updated', 'order', order.id, ann.id, null],
    ['updated', 'order', order.id, ann.id, 'place'],
    ['created', 'order', gone.id, ann.id, null],
    ['deleted', 'order', gone.id, ann.id, null],
  ]);
  assert.equal(changes[0].new.cost, 400);
  assert.deepEqual([changes[3].old.note, changes[3].new.note], [null, 'soon']);
  assert.deepEqual([changes[4].old.status, changes[4].new.status], ['draft', 'placed']);
  assert.deepEqual(since(env.DATABASE_URL, changes.at(-1).next), []);
  assert.throws(() => query(env.SVC_DATA_URL, 'select * from svc.change'), /permission denied/);
  assert.throws(() => query(env.SVC_DATA_URL, 'select svc.changes_since(null)'), /permission denied/);
});
