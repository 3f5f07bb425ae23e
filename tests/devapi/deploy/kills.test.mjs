// svcd, app servers and PostgreSQL killed at each stage of publishing.
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { backends, kill, postgresAfter, postmaster } from '../../faults/victims.mjs';
import { sql } from '../../lib/admin_sql.mjs';
import { deploy, load, staged } from '../../lib/published.mjs';
import { RawClient } from '../../lib/raw.mjs';
import { Stack, sample, until } from '../../lib/stack.mjs';
import { Publishing, asManager, headersOf, hostOf, nothingLeft, prodOf, products, serversOf } from './world.mjs';

let world, stack, shop;
Stack.durable = true;
before(async () => {
  world = await Publishing.published();
  ({ stack, shop } = world);
});
after(() => world?.stop());

const ask = (...asked) => world.ask(...asked);
const history = (...asked) => world.history(...asked);
const leftOf = (project) => world.leftOf(project);
const deletePreview = (...asked) => world.deletePreview(...asked);

const victims = {
  svcd: () => [stack.child],
  app: (project) => serversOf(stack, project, 'p'),
  backend: (project) => backends(stack.home).filter((p) => p.words[0].includes(prodOf(project))),
  postmaster: () => [{ pid: postmaster(stack.home) }].filter(({ pid }) => pid > 0),
};

async function comeBack(killed) {
  if (!killed && stack.child.exitCode === null && stack.child.signalCode === null) return;
  await stack.ended;
  await stack.run();
}

const settled = (project) => until('changes to be settled', async () => {
  const runs = (await stack.dev('GET', `/projects/${project.id}`).catch(() => null))?.json?.state?.applies;
  return runs?.every((run) => run.status !== 'running');
});

async function strike(project, victim, stage, change) {
  const running = postmaster(stack.home);
  let struck;
  const hit = (name) => { if (name === stage) struck ??= kill(victims[victim](project)); };
  const answer = await change(hit);
  await comeBack(struck && victim === 'svcd');
  if (struck && victim === 'postmaster') await postgresAfter(stack.home, running);
  await settled(project);
  return { answer, struck };
}

// Checks that one deployment is live, and that prod follows and serves its contract.
async function wholeProd(project) {
  const list = await history(project);
  const live = list.filter((one) => one.status === 'live');
  assert.equal(live.length, 1, JSON.stringify(list));
  const [[apply, version]] = sql(stack, prodOf(project), 'select apply_id, version from svc.contract');
  assert.equal(Number(version), live[0].version, `${apply}: ${JSON.stringify(list.slice(0, 3))}`);
  const answer = await until('prod to answer', async () => {
    const got = await ask(project, project.slug, '/__svc/api/v1/reading?limit=1').catch(() => null);
    return got?.status === 200 ? got : null;
  });
  const [[extra]] = sql(stack, 'svc_platform', `select contract::jsonb -> 'entities' -> 0 -> 'fields' -> 2 ->> 'name' from deployment where id = '${live[0].id}'`);
  assert.equal(extra in (answer.json.rows[0] ?? { [extra]: 0 }), true, `${extra} is not in ${answer.text}`);
  return live[0];
}

test('a kill at any stage of a deploy or rollback leaves prod as it was, or whole', { timeout: 600000 }, async () => {
  const project = await stack.project('Killed');
  let count = 0;
  const next = async () => {
    const contract = sample('hello');
    contract.entities[0].fields.push({ name: ++count % 2 ? 'odd' : 'even', type: 'integer' });
    await stack.apply(project, contract);
  };
  await next();
  await deploy(stack, project);
  const row = await ask(project, project.slug, '/__svc/api/v1/reading', { method: 'POST', body: { value: 1 } });
  assert.equal(row.status, 201);
  const told = [];
  for (const [victim, stages] of [
    ['svcd', ['promote', 'snapshot', 'start', 'migrate', 'swap']],
    ['app', ['start', 'migrate', 'swap']], ['backend', ['snapshot', 'migrate']], ['postmaster', ['snapshot', 'migrate', 'swap']],
  ]) {
    for (const stage of stages) {
      await next();
      const before = (await history(project)).find((one) => one.status === 'live');
      const { answer, struck } = await strike(project, victim, stage, (at) => deploy(stack, project, {}, at));
      const now = await wholeProd(project);
      if (answer?.deployment?.status === 'live') assert.notEqual(now.id, before.id, 'an acknowledged deploy is undone');
      told.push(`deploy: ${victim} at ${stage} ${struck ? 'killed' : 'missed'}, ${now.id === before.id ? 'old' : 'new'}`);
      assert.ok((await deploy(stack, project)).deployment, 'the next one works');
      await wholeProd(project);
    }
  }
  for (const stage of ['promote', 'fits', 'start', 'migrate', 'swap']) {
    const list = await history(project);
    const target = list.find((one) => one.status === 'superseded' || one.status === 'rolled_back');
    const { answer, struck } = await strike(project, 'svcd', stage, (at) => staged(stack, `/projects/${project.id}/deploys/${target.id}/rollback`, {}, at));
    const now = await wholeProd(project);
    if (answer?.deployment) assert.equal(now.id, target.id);
    told.push(`rollback: svcd at ${stage} ${struck ? 'killed' : 'missed'}, ${now.id === target.id ? 'new' : 'old'}`);
  }
  console.log(told.join('\n'));
  const [[kept]] = sql(stack, prodOf(project), `select count(*) from public.reading where id = '${row.json.rows[0].id}'`);
  assert.equal(Number(kept), 1);
  assert.deepEqual(sql(stack, 'svc_platform', 'select name from subdomain where not live'), []);
});

test('a first deploy that is killed leaves nothing, and its name is free', async () => {
  for (const stage of ['provision', 'migrate', 'start', 'swap']) {
    const project = await stack.project(`Fresh ${stage}`);
    await stack.apply(project, sample('hello'));
    await strike(project, 'svcd', stage, (at) => deploy(stack, project, {}, at));
    const list = await history(project);
    const there = sql(stack, 'postgres', `select datname from pg_database where datname = '${prodOf(project)}'`).length;
    assert.equal(there, list.some((one) => one.status === 'live') ? 1 : 0, stage);
    const answer = await deploy(stack, project);
    assert.equal(answer?.deployment?.status, 'live', `${stage}: ${JSON.stringify(answer)}`);
  }
});

test('a preview whose deletion is killed is there whole, or gone', { timeout: 300000 }, async () => {
  const project = await stack.project('Torn');
  await stack.apply(project, sample('hello'));
  const told = [];
  for (const delay of [0, 5, 15, 30, 60, 120]) {
    if (leftOf(project).databases.length === 0) await deploy(stack, project, { preview: true, skipVerify: true });
    const asked = deletePreview(project).catch(() => null);
    await pause(delay);
    kill([stack.child]);
    const answer = await asked;
    await comeBack(true);
    await settled(project);
    const live = (await history(project, '?preview=true')).some((one) => one.status === 'live');
    told.push(`${delay} ms: ${answer ? answer.status : 'killed'}, ${live ? 'whole' : 'gone'}`);
    assert.ok(!(live && answer?.status === 200), 'what was answered is undone');
    if (live) {
      const served = await until('the preview to answer', async () => {
        const got = await ask(project, `${project.slug}-preview`, '/__svc/api/v1/reading').catch(() => null);
        return got?.status === 200;
      });
      assert.ok(served);
    } else assert.deepEqual(leftOf(project), nothingLeft);
  }
  console.log(told.join('\n'));
  assert.ok(told.some((one) => one.endsWith('gone')));
});

test('prod serves on while svcd is away, and is taken over by the next one', async () => {
  const { pid } = victims.app(shop)[0];
  const busy = load(stack, hostOf(shop.slug), {
    clients: 1, headers: { authorization: `Bearer ${shop.server}`, ...asManager }, path: products, body: () => ({}),
  });
  await busy.stop();
  const client = new RawClient(stack.port);
  await client.connect();
  const headers = { host: hostOf(shop.slug), ...headersOf(shop) };
  assert.equal((await client.get(products, headers)).status, 200);
  stack.child.kill('SIGKILL');
  await stack.ended;
  assert.equal((await client.get(products, headers)).status, 200, 'an open connection is served without svcd');
  assert.equal((await ask(shop, shop.slug, products)).status, 200, 'and so is a new one');
  await stack.run();
  assert.equal((await ask(shop, shop.slug, products)).status, 200);
  assert.deepEqual(victims.app(shop).map((p) => p.pid), [pid], 'the same server, taken over');
  client.close();
});
