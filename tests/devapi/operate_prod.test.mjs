// Operating an app in prod: the scope that each call needs, the snapshot before writes, and that a restore changes none
// of it.
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { Stack, sample } from '../lib/stack.mjs';
import { deploy } from '../lib/published.mjs';

let stack, shop, path;
before(async () => {
  stack = await Stack.start({ SVC_DOMAINS_UNPROVEN: '1' });
  await stack.signIn();
  shop = await stack.project('Shop');
  path = `/projects/${shop.id}`;
  await stack.apply(shop, sample('shop'));
  assert.ok((await deploy(stack, shop)).deployment);
});
after(() => stack?.stop());

const run = (sql, more = {}) => stack.dev('POST', `${path}/sql`, { sql, env: 'prod' }, more);
const token = async (...scopes) =>
  (await stack.dev('POST', '/tokens', { name: scopes.join(' '), workspaceId: stack.workspace, scopes }, { expect: 201 })).json.token;
const snapshots = async () =>
  (await stack.dev('GET', `${path}/snapshots?env=prod`, undefined, { expect: 200 })).json.snapshots;
const stockIn = async (env) =>
  (await stack.dev('POST', `${path}/sql`, { sql: "select stock from product where sku = 'TEA-1'", env }, { expect: 200 })).json.results[0].rows[0].stock;

test('sql: prod is read by a reading token, and written to with deploy alone, once it is kept', async () => {
  const read = await run('select count(*) as n from product', { token: await token('read') });
  assert.equal(read.status, 200, read.text);
  assert.equal((await snapshots()).length, 0, 'a read keeps nothing');
  const refused = await run('update product set stock = 1', { token: await token('read', 'apply') });
  assert.deepEqual([refused.status, refused.json.code], [403, 'FORBIDDEN_SCOPE']);
  const before = await stockIn('dev');
  assert.equal((await run("update product set stock = 17 where sku = 'TEA-1'", { token: await token('read', 'deploy') })).status, 200);
  assert.deepEqual([await stockIn('prod'), await stockIn('dev')], [17, before], 'dev is another database');
  assert.deepEqual((await snapshots()).map((one) => one.reason), ['sql']);
  const tables = await run('create table mine (id int primary key)');
  assert.equal(tables.status, 400, 'prod gets its tables by a deploy');
});

test('the audit names the environment', async () => {
  const { entries } = (await stack.dev('GET', `/workspaces/${stack.workspace}/audit?limit=50`, undefined, { expect: 200 })).json;
  assert.ok(entries.some((one) => one.action === 'POST /projects/:id/sql' && one.target === 'env=prod' && one.status === 200), JSON.stringify(entries));
  await stack.dev('POST', `${path}/rows`, { op: 'delete', table: '\u0000é', id: 'x' });
  const [last] = (await stack.dev('GET', `/workspaces/${stack.workspace}/audit?limit=1`, undefined, { expect: 200 })).json.entries;
  assert.deepEqual([last.action, last.target], ['POST /projects/:id/rows', 'op=delete table=???'], 'no text keeps a call out of it');
});

test('rows, schema and tail of prod', async () => {
  const insert = { op: 'insert', table: 'product', data: { sku: 'P-1', title: 'Of prod', price: 5 }, env: 'prod' };
  assert.equal((await stack.dev('POST', `${path}/rows`, insert, { token: await token('read', 'apply') })).json.code, 'FORBIDDEN_SCOPE');
  const made = (await stack.dev('POST', `${path}/rows`, insert, { expect: 200 })).json;
  assert.equal(made.results[0].row.sku, 'P-1', JSON.stringify(made));
  const { tables } = (await stack.dev('GET', `${path}/schema?env=prod`, undefined, { expect: 200 })).json;
  assert.ok(tables.find((table) => table.name === 'product').managed);
  const headers = { authorization: `Bearer ${shop.server}`, 'x-svc-data-api': '1' };
  assert.equal((await stack.fetch('GET', '/__svc/api/v1/product', { headers, host: `${shop.slug}.localhost` })).status, 200);
  const events = async (kind, env) =>
    (await stack.dev('GET', `${path}/tail?kind=${kind}&env=${env}`, undefined, { expect: 200 })).json.events;
  assert.ok((await events('events', 'prod')).some((event) => event.id === made.results[0].id));
  assert.ok(!(await events('events', 'dev')).some((event) => event.id === made.results[0].id));
  assert.ok((await events('requests', 'prod')).some((event) => event.path?.endsWith('/api/v1/product')));
});

test('only members who may change prod read its mails', async () => {
  const headers = { authorization: `Bearer ${shop.browser}`, origin: 'http://app.test' };
  const account = { email: 'zoe@example.test', password: 'a long password', name: 'Zoe', persona: 'customer' };
  const ask = (to, body) => stack.fetch('POST', `/__svc/auth/${to}`, { headers, body, host: `${shop.slug}.localhost` });
  assert.equal((await ask('signup', account)).status, 200);
  assert.equal((await ask('reset/request', { email: account.email })).status, 200);
  const mails = (env, more = {}) => stack.dev('GET', `${path}/mail?env=${env}`, undefined, more);
  const { json, text } = await mails('prod', { token: await token('deploy') });
  assert.ok(json.mails.some((one) => one.to === account.email && one.links.length === 1), text);
  assert.ok(!(await mails('dev')).json.mails.some((one) => one.to === account.email));
  assert.equal((await mails('prod', { token: await token('read', 'apply') })).json.code, 'FORBIDDEN_SCOPE');
});

test('after a restore it is the restored database that is read and written', async () => {
  const [kept] = await snapshots();
  assert.equal((await run("update product set stock = 3 where sku = 'TEA-1'")).status, 200);
  await stack.dev('POST', `${path}/snapshots/${kept.id}/restore`, undefined, { expect: 200 });
  assert.equal(await stockIn('prod'), kept.reason === 'sql' ? 17 : 40);
  assert.equal((await run("update product set stock = 4 where sku = 'TEA-1'")).status, 200);
  assert.equal(await stockIn('prod'), 4);
});

test('a domain that is given leads to prod at once, and no longer when it is taken away', async () => {
  const headers = { authorization: `Bearer ${shop.server}`, 'x-svc-data-api': '1' };
  const host = 'shop.example.test';
  const ask = () => stack.fetch('GET', '/__svc/api/v1/product', { headers, host });
  const platform = async () => (await stack.fetch('GET', '/dev/v1/me', { host })).status;
  assert.deepEqual([(await ask()).status, await platform()], [404, 404], 'a name that nobody has leads nowhere');
  await stack.dev('PATCH', path, { domains: [host] }, { expect: 200 });
  const answer = await ask();
  assert.deepEqual(answer.json.rows.map((row) => row.stock), [4], answer.text);
  assert.equal(await platform(), 404);
  await stack.dev('PATCH', path, { domains: [] }, { expect: 200 });
  assert.deepEqual([(await ask()).status, await platform()], [404, 404]);
});

test('no project can have a host of the platform, also if it had it before', async () => {
  const set = (...domains) => stack.dev('PATCH', path, { domains });
  const answers = async (host) => [
    (await stack.fetch('GET', '/dev/v1/me', { host })).status,
    (await stack.fetch('GET', '/__svc/api/v1/product', { host, headers: { authorization: `Bearer ${shop.server}`, 'x-svc-data-api': '1', 'x-svc-env': 'prod' } })).status,
  ];
  const early = ['svc.example.org', 'apps.example.org'];
  assert.equal((await set(...early)).status, 200);
  assert.deepEqual(await answers(early[0]), [404, 200], 'the app answers');
  const startWith = async (env) => {
    stack.env = { SVC_DOMAINS_UNPROVEN: '1', SVC_APPS_DOMAIN: 'inside.example', ...env };
    stack.child.kill('SIGTERM');
    await stack.ended;
    await stack.run();
  };
  await startWith({ SVC_PUBLIC_ORIGIN: 'https://Svc.example.org', SVC_APPS_ORIGIN: 'https://*.apps.example.org' });
  for (const host of early) assert.equal((await answers(host))[0], 401, `${host} is the platform's`);
  for (const host of [...early, 'open.apps.example.org', 'a.b.apps.example.org', 'SVC.example.org', 'inside.example', 'x.inside.example', 'verify.invalid']) {
    const answer = await set(host);
    assert.deepEqual([answer.status, answer.json.code], [400, 'BAD_REQUEST'], host);
    assert.match(answer.text, /belongs to the platform/, host);
  }
  // These hosts only begin or end like the platform's.
  for (const host of ['svc.example', 'myapps.example.org', 'x.svc.example.org']) assert.equal((await set(host)).status, 200, host);

  const { url } = (await stack.dev('GET', path)).json.environments.prod;
  const published = `${new URL(url).hostname.split('.')[0]}.inside.example`;
  assert.deepEqual(await answers(published), [404, 200]);
  await startWith({ SVC_PUBLIC_ORIGIN: `https://${published}` });
  assert.equal((await answers(published))[0], 401, 'a published name gives way too');
});
