// A deploy promotes what dev built: rows, keys and secrets of prod are its own; who may deploy, and what stops one.
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { databaseOf, sql } from '../../lib/admin_sql.mjs';
import { deploy } from '../../lib/published.mjs';
import { sample } from '../../lib/stack.mjs';
import { Publishing, hostOf, prodOf, products } from './world.mjs';

let world, stack, shop;
before(async () => {
  world = await Publishing.start();
  ({ stack, shop } = world);
});
after(() => world?.stop());

const ask = (...asked) => world.ask(...asked);
const history = (...asked) => world.history(...asked);
const environments = (...asked) => world.environments(...asked);

test('before the first deploy nothing is published', async () => {
  const nothing = await stack.dev('POST', `/projects/${shop.id}/deploy`, { skipVerify: true });
  assert.equal(nothing.status, 404);
  assert.equal(nothing.json.code, 'NO_APP');
  await stack.apply(shop, sample('shop'));
  const host = await ask(shop, shop.slug, products);
  assert.deepEqual([host.status, host.json.error.code], [404, 'NO_APP']);
  assert.deepEqual(await history(shop), []);
  assert.equal((await environments(shop)).prod, null);
});

test('a deploy promotes what dev built, and prod has rows of its own', async () => {
  const stages = [];
  const answer = await deploy(stack, shop, {}, (name) => stages.push(name));
  assert.ok(answer.deployment, JSON.stringify(answer));
  assert.deepEqual(stages, ['check', 'promote', 'provision', 'migrate', 'start', 'swap']);
  const { deployment } = answer;
  assert.deepEqual([deployment.env, deployment.status, deployment.version, deployment.skippedVerify], ['prod', 'live', 1, true]);
  assert.equal(deployment.url, `http://${shop.slug}.localhost:${stack.port}`);
  const [[dev]] = sql(stack, databaseOf(shop), 'select binary_path from svc.contract');
  const [[prod]] = sql(stack, prodOf(shop), 'select binary_path from svc.contract');
  assert.equal(prod.split('/').pop(), dev.split('/').pop(), 'the very binary that dev built');
  await world.sell(shop.slug, 'PROD-1');
  const inDev = await ask(shop, `preview-${shop.slug}`, products);
  assert.ok(!inDev.json.rows.some((row) => row.sku === 'PROD-1'), 'dev has not what was written in prod');
  const header = await ask(shop, `preview-${shop.slug}`, products, { headers: { 'x-svc-env': 'prod' } });
  assert.ok(header.json.rows.some((row) => row.sku === 'PROD-1'), 'the header chooses the environment');
  const { prod: environment } = await environments(shop);
  assert.deepEqual([environment.live, environment.contractVersion, environment.url], [true, 1, deployment.url]);
});

test('keys hold for both environments, and a revoked one for neither', async () => {
  const { json } = await stack.dev('POST', `/projects/${shop.id}/keys`, { name: 'x', kind: 'server' }, { expect: 201 });
  const with_ = (label) => stack.fetch('GET', products, { headers: { authorization: `Bearer ${json.key}`, 'x-svc-data-api': '1' }, host: hostOf(label) });
  for (const label of [shop.slug, `preview-${shop.slug}`]) assert.equal((await with_(label)).status, 200, label);
  await stack.dev('DELETE', `/projects/${shop.id}/keys/${json.id}`, undefined, { expect: 200 });
  for (const label of [shop.slug, `preview-${shop.slug}`]) assert.equal((await with_(label)).status, 401, label);
});

test('a preview token opens dev alone', async () => {
  const { json } = await stack.dev('POST', `/projects/${shop.id}/preview-token`, undefined, { expect: 200 });
  const headers = { authorization: `Bearer ${json.token}`, 'x-svc-data-api': '1' };
  assert.equal((await stack.fetch('GET', products, { headers, host: hostOf(`preview-${shop.slug}`) })).status, 200);
  assert.equal((await stack.fetch('GET', products, { headers, host: hostOf(shop.slug) })).status, 401);
});

test('a deploy needs the scope deploy and the role developer', async () => {
  const token = async (scopes) =>
    (await stack.dev('POST', '/tokens', { name: scopes.join(' '), workspaceId: stack.workspace, scopes }, { expect: 201 })).json.token;
  const [live] = await history(shop);
  for (const path of ['deploy', `deploys/${live.id}/rollback`]) {
    const weak = await stack.dev('POST', `/projects/${shop.id}/${path}`, { skipVerify: true }, { token: await token(['read', 'apply']) });
    assert.deepEqual([weak.status, weak.json.code], [403, 'FORBIDDEN_SCOPE'], path);
  }
  const reader = await stack.dev('GET', `/projects/${shop.id}/deploys`, undefined, { token: await token(['read']) });
  assert.equal(reader.status, 200);
  const strong = await stack.dev('POST', `/projects/${shop.id}/deploy`, { skipVerify: true }, { token: await token(['deploy']) });
  assert.equal(strong.status, 200);
  for (const id of ['no-uuid', '01900000-0000-7000-8000-000000000000']) {
    const answer = await stack.dev('POST', `/projects/${shop.id}/deploys/${id}/rollback`);
    assert.equal(answer.status, 404, id);
  }
  const again = await stack.dev('POST', `/projects/${shop.id}/deploys/${(await history(shop))[0].id}/rollback`);
  assert.deepEqual([again.status, again.json.code], [409, 'CONFLICT'], 'what is live is not gone back to');
});

test('secrets are an environment\'s own', async () => {
  const told = (database) => sql(stack, database, 'select name from svc.secret').flat();
  const put = (env) => stack.dev('PUT', `/projects/${shop.id}/secrets/SMTP_URL`, { value: 'smtp://127.0.0.1:1', env }, { expect: 201 });
  await put('prod');
  assert.deepEqual([told(databaseOf(shop)), told(prodOf(shop))], [[], ['SMTP_URL']]);
  await stack.dev('DELETE', `/projects/${shop.id}/secrets/SMTP_URL?env=prod`, undefined, { expect: 200 });
  assert.deepEqual(told(prodOf(shop)), []);
});

test('a deploy verifies first, and a red verification stops it', async () => {
  const stages = [];
  const green = await deploy(stack, shop, { skipVerify: false }, (name) => stages.push(name));
  assert.equal(green.verify?.pass, true, JSON.stringify(green));
  assert.equal(green.deployment.skippedVerify, false);
  assert.equal(stages[0], 'verify');
  const before = await history(shop);
  sql(stack, databaseOf(shop), 'alter table public.product disable row level security');
  const red = await stack.dev('POST', `/projects/${shop.id}/deploy`);
  assert.deepEqual([red.status, red.json.code, red.json.report.pass], [422, 'VERIFY_FAILED', false]);
  assert.ok(red.json.report.checks.some((check) => check.pass === false && check.detail));
  assert.deepEqual(await history(shop), before);
  await stack.apply(shop, sample('shop'));
});

test('a deploy that breaks off before it begins holds neither its name nor the project', async () => {
  const [broken, other] = [await stack.project('Broken off'), await stack.project('After it')];
  for (const project of [broken, other]) await stack.apply(project, sample('hello'));
  const reach = (may) => sql(stack, 'postgres', `alter database ${databaseOf(broken)} with allow_connections ${may}`);
  reach(false);
  const answer = await stack.dev('POST', `/projects/${broken.id}/deploy`, { subdomain: 'wanted' });
  assert.equal(answer.status, 503, answer.text);
  assert.ok((await deploy(stack, other, { subdomain: 'wanted' })).deployment, 'the name is free at once');
  reach(true);
  assert.ok((await deploy(stack, broken, { subdomain: 'another' })).deployment);
  for (const project of [broken, other]) await stack.dev('DELETE', `/projects/${project.id}?confirm=${project.slug}`, undefined, { expect: 200 });
});
