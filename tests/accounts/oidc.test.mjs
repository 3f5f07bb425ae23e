// Signing in with a real OpenID Connect provider, in a real browser.
import assert from 'node:assert/strict';
import { dirname } from 'node:path';
import test, { after, before } from 'node:test';
import { fileURLToPath } from 'node:url';
import { packages } from '../lib/npm.mjs';
import { World, password } from './world.mjs';
import { startProvider } from './oidc_provider.mjs';

let world, provider, browser, root;
const people = {
  new_one: { email: 'new.one@example.test', email_verified: true, name: 'New One' },
  ann: { email: 'ann@example.test', email_verified: true, name: 'Ann elsewhere' },
  claims: { email: 'victim@example.test', email_verified: false, name: 'Not me' },
  squatted: { email: 'squatted@example.test', email_verified: true, name: 'Really me' },
};
const app = () => `http://${world.host}:${world.stack.port}`;

before(async () => {
  const require = packages(dirname(fileURLToPath(import.meta.url)));
  world = await World.start();
  root = await world.demo('root@example.test');
  provider = await startProvider({ redirectUri: `${app()}/__svc/auth/oauth/work/callback`, people });
  const { issuer, clientId, clientSecret } = provider;
  const set = await world.call('POST', '/auth/oauth/config', { id: 'work', label: 'Work', issuer, clientId, clientSecret }, { as: root.token });
  assert.equal(set.status, 200, set.text);
  const { chromium } = require('playwright-core');
  browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu'] });
});
after(async () => {
  await browser?.close();
  await provider?.stop();
  await world?.stop();
});

// Signs in as this person. Returns the address at which the browser ends.
async function through(sub, { returnTo = '/welcome', context } = {}) {
  const own = context ?? await browser.newContext();
  const page = await own.newPage();
  await page.goto(`${app()}/__svc/auth/oauth/work/start?returnTo=${encodeURIComponent(returnTo)}`);
  await page.fill('input[name=login]', sub);
  await page.fill('input[name=password]', 'any');
  await page.click('button[type=submit]');
  await page.waitForSelector('button[type=submit]');  // what the app asks for
  await page.click('button[type=submit]');
  await page.waitForURL((url) => url.host === new URL(app()).host);
  const end = new URL(page.url());
  await page.close();
  if (!context) await own.close();
  return end;
}
const complete = (code) => world.call('POST', '/auth/oauth/complete', { code });

test('providers are listed without their secrets', async () => {
  const { json, text } = await world.call('GET', '/auth/oauth/providers');
  assert.deepEqual(json.providers, [{ id: 'work', label: 'Work' }]);
  assert.ok(!text.includes('secret'));
});

test('a person without an account gets one; the code works once', async () => {
  const end = await through('new_one');
  assert.equal(end.pathname, '/welcome');
  const code = end.searchParams.get('code');
  const done = await complete(code);
  assert.equal(done.status, 200, done.text);
  assert.equal(done.json.user.email, 'new.one@example.test');
  assert.equal(done.json.user.name, 'New One');
  assert.equal((await complete(code)).json.error.code, 'TOKEN_USED');
  const again = await complete((await through('new_one')).searchParams.get('code'));
  assert.equal(again.json.user.id, done.json.user.id);
});

test('a verified address leads to the account that it has', async () => {
  const ann = await world.demo('ann@example.test');
  const done = await complete((await through('ann')).searchParams.get('code'));
  assert.equal(done.json.user.id, ann.user.id);
  assert.equal(done.json.user.name, 'Ann');
});

test('an address that the provider does not vouch for leads nowhere', async () => {
  await world.signUp('victim@example.test');
  const end = await through('claims');
  assert.equal(end.searchParams.get('code'), null);
  assert.equal(end.searchParams.get('oauthError'), 'EMAIL_NOT_VERIFIED');
});

test('a person who only claimed an address loses the account to its owner', async () => {
  const squatter = (await world.signUp('squatted@example.test')).json;
  const done = await complete((await through('squatted')).searchParams.get('code'));
  assert.equal(done.json.user.id, squatter.user.id);
  assert.equal((await world.login('squatted@example.test', password)).status, 401);
  assert.equal((await world.call('GET', '/api/v1/diary', undefined, { as: squatter.token })).status, 401);
});

test('a callback that this browser did not begin is refused', async () => {
  const start = await world.call('GET', '/auth/oauth/work/start', undefined, { key: null });
  assert.equal(start.status, 302);
  const asked = new URL(start.headers.location);
  assert.equal(asked.searchParams.get('code_challenge_method'), 'S256');
  assert.equal(asked.searchParams.get('redirect_uri'), `${app()}/__svc/auth/oauth/work/callback`);
  const state = asked.searchParams.get('state');
  const cookie = start.headers['set-cookie'][0].split(';')[0];
  const back = (query, headers) => world.call('GET', `/auth/oauth/work/callback?${query}`, undefined, { key: null, headers });
  for (const [query, headers] of [[`code=x&state=${state}`, {}], [`code=x&state=other`, { cookie }], ['code=x', { cookie }],
    [`code=x&state=${state}`, { cookie: `${cookie}x` }]]) {
    const answer = await back(query, headers);
    assert.equal(answer.status, 400, query);
    assert.equal(answer.json.error.code, 'INVALID_TOKEN');
  }
  const forged = await back(`code=forged&state=${state}`, { cookie });
  assert.match(forged.headers.location, /oauthError=INVALID_TOKEN/);
  const mixed = await back(`code=x&state=${state}&iss=https%3A%2F%2Fevil.test`, { cookie });
  assert.match(mixed.headers.location, /oauthError=INVALID_TOKEN/);
  const denied = await back(`error=access_denied&state=${state}`, { cookie });
  assert.match(denied.headers.location, /oauthError=access_denied/);
});

test('nobody is sent to another site', async () => {
  for (const returnTo of ['https://evil.test/', '//evil.test', '/\\evil.test', `${app()}.evil.test/`]) {
    const answer = await world.call('GET', `/auth/oauth/work/start?returnTo=${encodeURIComponent(returnTo)}`, undefined, { key: null });
    assert.equal(answer.status, 400, returnTo);
  }
});

test('only administrators set providers', async () => {
  const ann = await world.demo('ann@example.test');
  const body = { id: 'other', issuer: 'https://id.example.test', clientId: 'x', clientSecret: 'y' };
  assert.equal((await world.call('POST', '/auth/oauth/config', body, { as: ann.token })).status, 403);
  for (const wrong of [{ id: 'config' }, { id: '' }, { issuer: 'http://id.example.test' }, { issuer: 'file:///etc/passwd' }, { clientId: '' }, { clientSecret: null }, { scopes: ['email'] }])
    assert.equal((await world.call('POST', '/auth/oauth/config', { ...body, ...wrong }, { as: root.token })).status, 400, JSON.stringify(wrong));
  assert.equal((await world.call('POST', '/auth/oauth/config', body, { as: root.token })).status, 200);
  assert.equal((await world.call('DELETE', '/auth/oauth/config/other', undefined, { as: root.token })).status, 200);
  assert.equal((await world.call('DELETE', '/auth/oauth/config/other', undefined, { as: root.token })).status, 404);
  assert.equal((await world.call('GET', '/auth/oauth/other/start', undefined, { key: null })).status, 404);
});
