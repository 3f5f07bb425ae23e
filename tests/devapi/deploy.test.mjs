// Publishing: deploys, their history, going back, previews, names and hosts; under load, and with svcd, app
// servers and PostgreSQL killed at each stage.
import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import test, { after, before } from 'node:test';
import { Stack, sample, until } from '../lib/stack.mjs';
import { databaseOf, sql } from '../lib/admin_sql.mjs';
import { deploy, load, staged } from '../lib/published.mjs';
import { appServers, backends, kill, postmaster } from '../faults/victims.mjs';

let stack;
before(async () => {
  stack = await Stack.start();
  await stack.signIn();
});
after(() => stack?.stop());

const prodOf = (project) => databaseOf(project).replace(/_dev$/, '_prod');
const headersOf = (project, more = {}) => ({ authorization: `Bearer ${project.server}`, 'x-svc-data-api': '1', ...more });
const hostOf = (label) => `${label}.localhost`;
const ask = (project, label, path, more = {}) =>
  stack.fetch(more.method ?? 'GET', path, { headers: headersOf(project, more.headers), host: hostOf(label), body: more.body });
const products = '/__svc/api/v1/product';
const asManager = { 'x-svc-app-role': 'manager' };
const history = async (project, more = '') =>
  (await stack.dev('GET', `/projects/${project.id}/deploys${more}`, undefined, { expect: 200 })).json.deployments;
const environments = async (project) => (await stack.dev('GET', `/projects/${project.id}`, undefined, { expect: 200 })).json.environments;

let shop;
test('before the first deploy nothing is published', async () => {
  shop = await stack.project('Shop');
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
  const made = await ask(shop, shop.slug, products, { method: 'POST', headers: asManager, body: { sku: 'PROD-1', title: 'Of prod', price: 1 } });
  assert.equal(made.status, 201);
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

test('names: one label, nobody else\'s, and free again when they are left', async () => {
  const other = await stack.project('Other');
  await stack.apply(other, sample('hello'));
  for (const subdomain of ['a.b', 'preview-x', '-x', 'UPPER', 'x'.repeat(64)]) {
    const answer = await stack.dev('POST', `/projects/${other.id}/deploy`, { subdomain, skipVerify: true });
    assert.deepEqual([answer.status, answer.json.code], [400, 'BAD_REQUEST'], subdomain);
  }
  const taken = await stack.dev('POST', `/projects/${other.id}/deploy`, { subdomain: shop.slug, skipVerify: true });
  assert.deepEqual([taken.status, taken.json.code], [409, 'SUBDOMAIN_TAKEN']);
  assert.deepEqual(await history(other), []);
  const slug = await stack.dev('POST', `/projects/${shop.id}/deploy`, { subdomain: other.slug, skipVerify: true });
  assert.equal(slug.status, 409, 'nor the slug of another project');
  assert.ok((await deploy(stack, other, { subdomain: 'first-name' })).deployment);
  assert.ok((await deploy(stack, other, { subdomain: 'second-name' })).deployment);
  assert.equal((await ask(other, 'first-name', '/__svc/api/v1/reading')).status, 404);
  assert.equal((await ask(other, 'second-name', '/__svc/api/v1/reading')).status, 200);
  assert.equal((await ask(other, other.slug, '/__svc/api/v1/reading')).status, 404);
  assert.match((await deploy(stack, other)).deployment.url, /second-name/, 'it keeps its name');
  await stack.dev('DELETE', `/projects/${other.id}?confirm=${other.slug}`, undefined, { expect: 200 });
  const left = sql(stack, 'postgres', `select datname from pg_database where datname like '${databaseOf(other).replace('_dev', '')}%'`);
  assert.deepEqual(left, []);
  const third = await stack.project('Third');
  await stack.apply(third, sample('hello'));
  assert.ok((await deploy(stack, third, { subdomain: 'second-name' })).deployment, 'a name of a project that is gone is free');
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

test('a host of one\'s own answers with prod', async () => {
  sql(stack, 'svc_platform', `insert into project_domain (host, project_id, token, proof) values ('shop.example.test', '${shop.id}', 'x', 'before')`);
  assert.ok((await deploy(stack, shop)).deployment);
  const answer = await stack.fetch('GET', products, { headers: headersOf(shop), host: 'shop.example.test' });
  assert.ok(answer.json.rows.some((row) => row.sku === 'PROD-1'));
  const unknown = await stack.fetch('GET', '/dev/v1/me', { host: 'shop.example.test' });
  assert.equal(unknown.status, 404, 'the platform does not answer there');
});

test('a dot at the end of a host changes nothing, and a host that nobody named is nobody\'s', async () => {
  const sees = async (host, path = products) => {
    const answer = await stack.fetch('GET', path, { headers: headersOf(shop), host });
    return answer.status === 200 ? answer.json.rows.some((row) => row.sku === 'PROD-1') ? 'prod' : 'dev' : answer.status;
  };
  for (const host of [hostOf(shop.slug), 'shop.example.test']) {
    for (const form of [host, `${host}.`, host.toUpperCase(), `${host}:${stack.port}`, `${host}.:${stack.port}`]) assert.equal(await sees(form), 'prod', form);
    assert.equal(await sees(`${host}..`), 404);
  }
  assert.equal(await sees(`preview-${shop.slug}.localhost.`), 'dev');
  for (const host of ['127.0.0.1', `127.0.0.1:${stack.port}`, 'localhost', 'LocalHost.', '[::1]', '10.1.2.3']) {
    assert.equal(await sees(host), 'dev', host);
    assert.equal((await stack.fetch('GET', '/dev/v1/me', { headers: { authorization: `Bearer ${stack.session}` }, host })).status, 200, host);
  }
  for (const host of ['unknown.test', 'example.test', 'x.shop.example.test', '127.0.0.1.evil.test', 'localhost.evil.test', 'notlocalhost']) {
    assert.equal(await sees(host), 404, host);
    assert.equal(await sees(host, `/preview/${shop.id}${products}`), 404, host);
    for (const path of ['/dev/v1/me', '/', '/setup', '/healthz']) {
      assert.equal((await stack.fetch('GET', path, { headers: { authorization: `Bearer ${stack.session}` }, host })).status, 404, `${host}${path}`);
    }
  }
});

test('who may deploy: scope deploy, role developer', async () => {
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

test('a preview has its own database, name and server, and history', async () => {
  const { deployment } = await deploy(stack, shop, { preview: true });
  assert.deepEqual([deployment.env, deployment.url], ['preview', `http://${shop.slug}-preview.localhost:${stack.port}`]);
  const label = `${shop.slug}-preview`;
  const made = await ask(shop, label, products, { method: 'POST', headers: asManager, body: { sku: 'PRE-1', title: 'Of the preview', price: 1 } });
  assert.equal(made.status, 201);
  for (const place of [shop.slug, `preview-${shop.slug}`]) {
    const { json } = await ask(shop, place, products);
    assert.ok(!json.rows.some((row) => row.sku === 'PRE-1'), place);
  }
  const inPreview = (await ask(shop, label, products)).json.rows.map((row) => row.sku);
  assert.ok(!inPreview.includes('PROD-1'));
  assert.deepEqual((await history(shop, '?preview=true')).map((one) => one.env), ['preview']);
  assert.ok((await history(shop)).every((one) => one.env === 'prod'));
  assert.equal((await history(shop, '?limit=1')).length, 1);
  for (const bad of ['?limit=0', '?limit=x', '?preview=maybe']) {
    assert.equal((await stack.dev('GET', `/projects/${shop.id}/deploys${bad}`)).status, 400, bad);
  }
});

test('the name of a preview is its project\'s own before there is a preview', async () => {
  const bee = await stack.project('Bee');
  for (const preview of [false, true]) {
    const taken = await stack.dev('POST', `/projects/${shop.id}/deploy`, { skipVerify: true, preview, subdomain: `${bee.slug}-preview` });
    assert.deepEqual([taken.status, taken.json.code], [409, 'SUBDOMAIN_TAKEN']);
  }
  assert.equal((await stack.project('Bee preview')).slug, 'bee-preview-2', 'nor may its slug be another\'s');
});

// What is left of a project's preview.
const previewOf = (project) => prodOf(project).replace(/_prod$/, '_preview');
const leftOf = (project) => ({
  databases: sql(stack, 'postgres', `select datname from pg_database where datname like '${previewOf(project)}%'`).flat(),
  roles: sql(stack, 'postgres', `select rolname from pg_roles where rolname like '${previewOf(project)}%'`).flat(),
  names: sql(stack, 'svc_platform', `select name from subdomain where project_id = '${project.id}' and env = 'preview'`).flat(),
  servers: appServers(stack.home).filter((p) => p.words[2].includes(`${project.id.replaceAll('-', '').slice(-12)}/v-`)).length,
  folder: existsSync(join(stack.home, 'projects', project.id, 'preview')),
});
const nothingLeft = { databases: [], roles: [], names: [], servers: 0, folder: false };
const deletePreview = (project, more) => stack.dev('DELETE', `/projects/${project.id}/preview`, undefined, more);

test('a preview is deleted alone', async () => {
  const label = `${shop.slug}-preview`;
  const [entry] = await history(shop, '?preview=true');
  const kept = await history(shop);
  assert.equal(leftOf(shop).servers, 1);
  assert.deepEqual((await deletePreview(shop, { expect: 200 })).json, { deleted: 'preview' });
  assert.deepEqual(leftOf(shop), nothingLeft);
  assert.equal((await ask(shop, label, products)).status, 404);
  assert.deepEqual(Object.keys(await environments(shop)).sort(), ['dev', 'prod']);
  assert.deepEqual(await history(shop, '?preview=true'), [{ ...entry, status: 'superseded', url: null }]);
  assert.deepEqual(await history(shop), kept);
  for (const place of [shop.slug, `preview-${shop.slug}`]) assert.equal((await ask(shop, place, products)).status, 200, place);
  assert.equal((await deletePreview(shop)).status, 404);
  const back = await stack.dev('POST', `/projects/${shop.id}/deploys/${entry.id}/rollback`, {});
  assert.deepEqual([back.status, back.json.code], [409, 'CONFLICT']);
  const { deployment } = await deploy(stack, shop, { preview: true });
  assert.equal(deployment.url, entry.url);
  assert.deepEqual((await ask(shop, label, products)).json.rows.map((row) => row.sku), ['TEA-1'], 'its rows are those of the seeds');
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
  const made = await ask(shop, shop.slug, products, { method: 'POST', headers: asManager, body: { sku: 'DEAR-1', title: 'Dear', price: 900 } });
  assert.equal(made.status, 201);
  const live = (await history(shop)).find((one) => one.status === 'live');
  const refused = await stack.dev('POST', `/projects/${shop.id}/deploy`, { skipVerify: true });
  assert.deepEqual([refused.status, refused.json.code], [422, 'CONTRACT_INVALID']);
  assert.match(JSON.stringify(refused.json.report.errors), new RegExp(made.json.rows[0].id));
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

// ---- kills ----

const victims = {
  svcd: () => [stack.child],
  app: (project) => appServers(stack.home).filter((p) => p.words[2].includes(`${project.id.replaceAll('-', '').slice(-12)}/p-`)),
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
  let struck;
  const hit = (name) => { if (name === stage) struck ??= kill(victims[victim](project)); };
  const answer = await change(hit);
  await comeBack(struck && victim === 'svcd');
  await settled(project);
  return { answer, struck };
}

// One live deployment, whose contract is what prod follows and serves.
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
    await new Promise((done) => setTimeout(done, delay));
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
  const { RawClient } = await import('../lib/raw.mjs');
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
