// Deploys and rollbacks one after another: under load, past rows and fields that do not fit, and what is kept for them.
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import test, { after, before } from 'node:test';
import { sql } from '../../lib/admin_sql.mjs';
import { deploy, load } from '../../lib/published.mjs';
import { sample } from '../../lib/stack.mjs';
import { Publishing, asManager, hostOf, prodOf, products } from './world.mjs';

let world, stack, shop;
before(async () => {
  world = await Publishing.published();
  ({ stack, shop } = world);
});
after(() => world?.stop());

const ask = (...asked) => world.ask(...asked);
const history = (...asked) => world.history(...asked);

// Fields that come and go under requests: none is lost, none fails, and every row that was acknowledged is there.
test('ten deploys and rollbacks under load lose and fail nothing', async () => {
  let number = 0;
  const busy = load(stack, hostOf(shop.slug), {
    headers: { authorization: `Bearer ${shop.server}`, ...asManager }, path: products,
    body: () => ({ sku: `L-${++number}`, title: 'Load', price: 1, active: false }),
  });
  const contract = sample('shop');
  for (let round = 1; round <= 5; ++round) {
    contract.entities[0].fields.push({ name: `extra_${round}`, type: 'integer' });
    await stack.apply(shop, contract);
    const { deployment } = await deploy(stack, shop);
    assert.equal(deployment?.status, 'live');
    const [, previous] = await history(shop);
    const before = performance.now();
    const back = await stack.dev('POST', `/projects/${shop.id}/deploys/${previous.id}/rollback`, undefined, { expect: 200 });
    console.log(`rolled back in ${(performance.now() - before).toFixed(0)} ms, swapped in ${back.json.swap.ms.toFixed(1)} ms`);
    assert.deepEqual([back.json.deployment.id, back.json.deployment.status], [previous.id, 'live']);
    const now = await history(shop);
    assert.equal(now.find((one) => one.id === deployment.id).status, 'rolled_back');
    assert.equal(now.filter((one) => one.status === 'live').length, 1);
    const row = (await ask(shop, shop.slug, `${products}?limit=1`)).json.rows[0];
    assert.ok(!(`extra_${round}` in row), 'the earlier server answers');
  }
  const { acknowledged, reads, bad } = await busy.stop();
  assert.deepEqual(bad, []);
  assert.ok(acknowledged.length > 20 && reads > 20, `${acknowledged.length} writes, ${reads} reads`);
  const list = acknowledged.map((id) => `'${id}'`).join(',');
  const [[kept]] = sql(stack, prodOf(shop), `select count(*) from public.product where id in (${list})`);
  assert.equal(Number(kept), acknowledged.length);
});

test('rows that prod has and dev has not: the deploy is refused and names them', async () => {
  const contract = sample('shop');
  contract.entities[0].fields.find((field) => field.name === 'price').max = 700;
  await stack.apply(shop, contract);
  const dear = await world.sell(shop.slug, 'DEAR-1', 900);
  const live = (await history(shop)).find((one) => one.status === 'live');
  const refused = await stack.dev('POST', `/projects/${shop.id}/deploy`, { skipVerify: true });
  assert.deepEqual([refused.status, refused.json.code], [422, 'CONTRACT_INVALID']);
  assert.match(JSON.stringify(refused.json.report.errors), new RegExp(dear.id));
  const now = await history(shop);
  assert.equal(now[0].status, 'failed');
  assert.equal(now.find((one) => one.status === 'live').id, live.id);
  assert.equal((await stack.dev('POST', `/projects/${shop.id}/deploys/${now[0].id}/rollback`)).status, 409);
  assert.equal((await ask(shop, shop.slug, products)).status, 200);
  await stack.apply(shop, sample('shop'));
});

test('what was renamed since is not hidden by a rollback: it is refused', async () => {
  const project = await stack.project('Renamed');
  const contract = sample('hello');
  await stack.apply(project, contract);
  await deploy(stack, project);
  const made = await ask(project, project.slug, '/__svc/api/v1/reading', { method: 'POST', body: { value: 7 } });
  assert.equal(made.status, 201);
  Object.assign(contract.entities[0].fields[1], { name: 'measure', renamedFrom: 'value' });
  await stack.apply(project, contract);
  assert.ok((await deploy(stack, project)).deployment);
  const [, first] = await history(project);
  const refused = await stack.dev('POST', `/projects/${project.id}/deploys/${first.id}/rollback`);
  assert.deepEqual([refused.status, refused.json.code], [422, 'CONTRACT_INVALID'], refused.text);
  assert.equal(refused.json.report.errors[0].code, 'ROLLBACK_NOT_POSSIBLE');
  const { json } = await ask(project, project.slug, '/__svc/api/v1/reading');
  assert.equal(json.rows[0].measure, 7);
  assert.equal((await history(project))[1].status, 'superseded');
});

// The earlier server knows nothing of a field that became required since, and still creates rows.
test('a rollback past a required field still takes rows', async () => {
  const project = await stack.project('Required');
  const contract = sample('hello');
  await stack.apply(project, contract);
  await deploy(stack, project);
  contract.entities[0].fields.push({ name: 'place', type: 'string', required: true });
  await stack.apply(project, contract);
  assert.ok((await deploy(stack, project)).deployment);
  const [, first] = await history(project);
  await stack.dev('POST', `/projects/${project.id}/deploys/${first.id}/rollback`, undefined, { expect: 200 });
  const made = await ask(project, project.slug, '/__svc/api/v1/reading', { method: 'POST', body: { value: 7 } });
  assert.equal(made.status, 201, made.text);
});

test('a deploy keeps what was there in a snapshot, and binaries as long as they are gone back to', async () => {
  const { json } = await stack.dev('GET', `/projects/${shop.id}/snapshots?env=prod`, undefined, { expect: 200 });
  assert.ok(json.snapshots.some((one) => one.reason === 'deploy'));
  const kept = readdirSync(join(stack.home, 'projects', shop.id, 'prod', 'bin'));
  const recorded = sql(stack, 'svc_platform', `select distinct binary_path from deployment where project_id = '${shop.id}' and env = 'prod' and binary_path <> ''`);
  assert.ok(recorded.length > 1);
  for (const [path] of recorded) assert.ok(kept.includes(path.split('/').pop()), path);
});
