// Random operations against the API and against the shop in memory. A failure is made small and printed as a script:
//   SVC_MODEL_PLAY='[…]' node --test tests/model/model.test.mjs
// SVC_MODEL_SEED and SVC_MODEL_RUNS choose others and more.
import assert from 'node:assert/strict';
import { Agent } from 'node:http';
import { dirname } from 'node:path';
import test, { after, before } from 'node:test';
import { fileURLToPath } from 'node:url';
import { request } from '../lib/http.mjs';
import { packages } from '../lib/npm.mjs';
import { postgres } from '../lib/postgres.mjs';
import { signUp } from '../lib/scenarios.mjs';
import { Sql } from '../lib/sql.mjs';
import { Stack, sample } from '../lib/stack.mjs';
import { play } from './play.mjs';
import { operations } from './random.mjs';
import { Shop } from './shop.mjs';
import { smallest } from './smallest.mjs';

const seed = Number(process.env.SVC_MODEL_SEED ?? 20261121);
const runs = Number(process.env.SVC_MODEL_RUNS ?? 60);

const fc = packages(dirname(fileURLToPath(import.meta.url)))('fast-check');
const headers = {};
let database;
let stack;
let sql;
let agent;
let host;

before(async () => {
  database = await postgres();
  stack = await Stack.start({ DATABASE_URL: database.url });
  await stack.signIn();
  const project = await stack.project('Model');
  await stack.apply(project, sample('shop'));
  host = `preview-${project.slug}.localhost`;
  agent = new Agent({ keepAlive: true });
  sql = new Sql(database.url.replace(/\/postgres(?=\?)/, `/svc_${project.id.replaceAll('-', '').slice(-12)}_dev`));
  await sql.run('set session_replication_role = replica');  // tidying up asks nobody
  const browser = { authorization: `Bearer ${project.browser}`, origin: 'http://app.test' };
  const server = { authorization: `Bearer ${project.server}` };
  Object.assign(headers, { guest: browser, server });
  for (const name of ['ann', 'bob']) headers[name] = { ...browser, 'x-svc-app-session': (await signUp(stack, project, host, `${name}.model`, 'customer')).token };
  for (const role of ['clerk', 'manager']) headers[role] = { ...server, 'x-svc-app-role': role };
});
after(async () => {
  sql?.close();
  agent?.destroy();
  await stack?.stop();
  await database?.stop();
});

const call = (who, method, path, body) =>
  request({ port: stack.port, method, path: `/__svc/api/v1${path}`, headers: { ...headers[who], 'x-svc-data-api': '1', host }, body, agent });

// Something to begin with, so that most operations find a row.
const beginning = [
  { do: 'create', who: 'manager', table: 'product', body: { sku: 'TEA', title: 'tea', price: 5, stock: 3, cost: 2 } },
  { do: 'create', who: 'manager', table: 'product', body: { sku: 'CUP', title: 'cup', price: 9, stock: 50, active: false } },
  { do: 'create', who: 'ann', table: 'order', body: { note: 'Tea' } },
  { do: 'create', who: 'bob', table: 'order', body: {} },
  { do: 'create', who: 'ann', table: 'order_line', body: { order_id: { row: 0, table: 'order' }, product_id: { row: 0, table: 'product' }, quantity: 2 } },
];

async function played(some) {
  await sql.run('delete from order_line; delete from "order"; delete from product');
  return play([...beginning, ...some], new Shop(), call);
}

const told = (some, { at, wrong, calls }) =>
  `${calls.join('\n')}\n  ${wrong}\nplay it again: SVC_MODEL_PLAY='${JSON.stringify(some.slice(0, at + 1 - beginning.length)).replaceAll("'", "'\\''")}' node --test tests/model/model.test.mjs`;

// A small sequence that differs and its difference, or null.
async function difference(numRuns) {
  const fails = async (some) => (await played(some)) !== null;
  const property = fc.asyncProperty(fc.array(operations(fc), { minLength: 1, maxLength: 30, size: 'max' }), async (some) => !(await fails(some)));
  const { failed, counterexample } = await fc.check(property, { seed, numRuns, endOnFailure: true });
  if (!failed) return null;
  const some = await smallest(counterexample[0], fails);
  return { some, found: await played(some) };
}

if (process.env.SVC_MODEL_PLAY) {
  test('played again', async () => {
    const some = JSON.parse(process.env.SVC_MODEL_PLAY);
    const found = await played(some);
    assert.ok(!found, found && told(some, found));
  });
} else {
  test('the API does what the model does', async () => {
    const found = await difference(runs);
    assert.ok(!found, found && told(found.some, found.found));
  });

  // Checks that it reports planted faults, with a short sequence.
  for (const [what, plant, restore, longest] of [
    ['a unique constraint is gone', 'alter table product drop constraint product_sku_key', 'alter table product add constraint product_sku_key unique (sku)', 2],
    ['lines outlive their product', 'alter table order_line drop constraint order_line_product_id_fkey', 'alter table order_line add constraint order_line_product_id_fkey foreign key (product_id) references product (id)', 1],
    ['a rule does not fire', 'alter table order_line disable trigger order_line_rules_caller', 'alter table order_line enable trigger order_line_rules_caller', 2],
  ]) {
    test(`planted: ${what}`, async () => {
      await sql.run(plant);
      const found = await difference(300);
      await sql.run(`delete from order_line; delete from "order"; delete from product; ${restore}`);
      assert.ok(found, 'nobody noticed');
      assert.ok(found.some.length <= longest, told(found.some, found.found));
    });
  }
}
