// A name that a deploy gives up may be another project's tomorrow: keys of browsers do not trust it any longer.
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { Stack, sample } from '../lib/stack.mjs';

let stack, shop, key;
before(async () => {
  stack = await Stack.start();
  await stack.signIn();
  shop = await stack.project('Corner shop');
  await stack.apply(shop, sample('hello'));
});
after(() => stack?.stop());

const deploy = (project, subdomain) => stack.dev('POST', `/projects/${project.id}/deploy`, { skipVerify: true, subdomain }, { expect: 200 });
const at = (name) => `http://${name}.localhost:${stack.port}`;
const allowed = async (host, origin) => (await stack.fetch('GET', '/__svc/auth/me', {
  host: `${host}.localhost`, headers: { authorization: `Bearer ${key}`, origin } })).headers['access-control-allow-origin'] === origin;

test('a released subdomain is no longer an origin of the app\'s own keys', async () => {
  await deploy(shop, 'corner');
  ({ key } = (await stack.dev('POST', `/projects/${shop.id}/keys`, { name: 'page', kind: 'browser' }, { expect: 201 })).json);
  assert.ok(await allowed('corner', at('corner')));
  await deploy(shop, 'corner2');
  const other = await stack.project('Other');
  await stack.apply(other, sample('hello'));
  await deploy(other, 'corner');
  assert.ok(!(await allowed('corner2', at('corner'))), 'the page of whoever has the name now');
  assert.ok(await allowed('corner2', at('corner2')), 'the new name');
  assert.ok(await allowed('corner2', at(`preview-${shop.slug}`)), 'and the one that stays');
});

test('a page on the app\'s own host reads without an Origin, as browsers do it', async () => {
  const read = async (method, headers) => (await stack.fetch(method, '/__svc/auth/me', {
    host: `corner2.localhost:${stack.port}`, headers: { authorization: `Bearer ${key}`, ...headers } })).status;
  assert.equal(await read('GET', { 'sec-fetch-site': 'same-origin' }), 200);
  for (const headers of [{}, { 'sec-fetch-site': 'same-site' }, { 'sec-fetch-site': 'cross-site' }])
    assert.equal(await read('GET', headers), 403, JSON.stringify(headers));
  assert.equal((await stack.fetch('GET', '/__svc/auth/me', {
    headers: { authorization: `Bearer ${key}`, 'sec-fetch-site': 'same-origin' } })).status, 403, 'a host that is none of the key\'s');
});

test('an origin that somebody names below the apps domain counts while the name is the project\'s', async () => {
  ({ key } = (await stack.dev('POST', `/projects/${shop.id}/keys`,
    { name: 'named', kind: 'browser', origins: [at('corner'), at('corner2'), 'https://else.example'] }, { expect: 201 })).json);
  assert.ok(!(await allowed('corner2', at('corner'))));
  assert.ok(await allowed('corner2', at('corner2')));
  assert.ok(await allowed('corner2', 'https://else.example'));
});
