// Cookies of apps behind a proxy that speaks TLS, and what a page of a sibling host can do to them.
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { World } from './world.mjs';

const tls = { 'x-forwarded-for': '203.0.113.9', 'x-forwarded-proto': 'https' };
let world;
before(async () => { world = await World.start({ env: { SVC_TRUSTED_PROXIES: '127.0.0.1' } }); });
after(() => world?.stop());

const cookieOf = (answer) => answer.headers['set-cookie'][0];
const valueOf = (answer) => cookieOf(answer).split(';')[0].split('=')[1];
const me = async (cookie, headers = tls) => (await world.call('GET', '/auth/me', undefined, { headers: { ...headers, cookie } })).json.user?.email;
const signUp = (email, headers) => world.call('POST', '/auth/signup', { email, password: 'a long enough secret' }, { headers });

test('a session cookie that a sibling host planted does not win behind TLS', async () => {
  const own = await signUp('own@example.test', tls);
  assert.match(cookieOf(own), /^__Host-svc_app_session=svc_s_[^;]+; Path=\/; HttpOnly; SameSite=Lax; Max-Age=\d+; Secure$/);
  const planted = valueOf(await signUp('stranger@example.test', tls));
  const mine = `__Host-svc_app_session=${valueOf(own)}`;
  assert.equal(await me(mine), 'own@example.test');
  for (const cookie of [`svc_app_session=${planted}; ${mine}`, `${mine}; svc_app_session=${planted}`])
    assert.equal(await me(cookie), 'own@example.test');
  assert.equal(await me(`svc_app_session=${planted}`), undefined);
});

test('without TLS, and for a preview by path, the cookie has its plain name', async () => {
  const plain = await signUp('plain@example.test', {});
  assert.match(cookieOf(plain), /^svc_app_session=svc_s_[^;]+; Path=\/; HttpOnly/);
  assert.equal(await me(`svc_app_session=${valueOf(plain)}`, {}), 'plain@example.test');
  assert.equal(await me(`__Host-svc_app_session=${valueOf(plain)}`, {}), undefined);

  const { id, browser } = world.project;
  const headers = { ...tls, authorization: `Bearer ${browser}`, origin: 'http://app.test', 'x-svc-data-api': '1' };
  const byPath = (method, path, body, more = {}) =>
    world.stack.fetch(method, `/preview/${id}/__svc${path}`, { headers: { ...headers, ...more }, body });
  const shared = await byPath('POST', '/auth/signup', { email: 'path@example.test', password: 'a long enough secret' });
  assert.match(cookieOf(shared), new RegExp(`^svc_app_session=svc_s_[^;]+; Path=/preview/${id}/; .*; Secure$`));
  const again = await byPath('GET', '/auth/me', undefined, { cookie: `svc_app_session=${valueOf(shared)}` });
  assert.equal(again.json.user.email, 'path@example.test');
});

test('a host of the app\'s own has no preview by path, so no plain cookie is read there', async () => {
  const own = await signUp('host@example.test', tls);
  const headers = { ...tls, authorization: `Bearer ${world.project.browser}`, origin: `https://${world.host}`, 'x-svc-data-api': '1', cookie: `svc_app_session=${valueOf(own)}` };
  const { status } = await world.stack.fetch('GET', `/preview/${world.project.id}/__svc/auth/me`, { headers, host: world.host });
  assert.equal(status, 404);
});

test('signing out clears the cookie that was set', async () => {
  const own = await signUp('out@example.test', tls);
  const cookie = `__Host-svc_app_session=${valueOf(own)}`;
  const headers = { ...tls, cookie, authorization: `Bearer ${world.project.browser}`, origin: `https://${world.host}` };
  const out = await world.stack.fetch('POST', '/__svc/auth/logout', { headers, body: {}, host: world.host });
  assert.equal(out.status, 200, out.text);
  assert.match(cookieOf(out), /^__Host-svc_app_session=; Path=\/; .*Max-Age=0; Secure$/);
  assert.equal(await me(cookie), undefined);
});
