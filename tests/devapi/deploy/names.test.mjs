// Under which names and hosts prod answers.
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { databaseOf, sql } from '../../lib/admin_sql.mjs';
import { deploy } from '../../lib/published.mjs';
import { sample } from '../../lib/stack.mjs';
import { Publishing, headersOf, hostOf, products } from './world.mjs';

let world, stack, shop;
before(async () => {
  world = await Publishing.published();
  ({ stack, shop } = world);
});
after(() => world?.stop());

const ask = (...asked) => world.ask(...asked);
const history = (...asked) => world.history(...asked);

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

test('a custom host answers with prod', async () => {
  sql(stack, 'svc_platform', `insert into project_domain (host, project_id, token, proof) values ('shop.example.test', '${shop.id}', 'x', 'before')`);
  assert.ok((await deploy(stack, shop)).deployment);
  const answer = await stack.fetch('GET', products, { headers: headersOf(shop), host: 'shop.example.test' });
  assert.ok(answer.json.rows.some((row) => row.sku === 'PROD-1'));
  const unknown = await stack.fetch('GET', '/dev/v1/me', { host: 'shop.example.test' });
  assert.equal(unknown.status, 404, 'the platform does not answer there');
});

test('a dot at the end of a host changes nothing, and an unknown host has no app', async () => {
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
