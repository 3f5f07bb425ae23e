// Passkeys in a real browser, with an authenticator of the browser's own (Chrome DevTools Protocol, domain WebAuthn).
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import test, { after, before } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Device, forged } from '../lib/authenticator.mjs';
import { packages } from '../lib/npm.mjs';
import { appServers } from '../lib/stack.mjs';
import { World, contract, json, password, refused } from './world.mjs';

let world, root, browser;
const withPasskeys = (c) => { c.auth.methods.push('passkey'); };
const app = () => `http://${world.host}:${world.stack.port}`;

before(async () => {
  world = await World.start({ change: withPasskeys });
  root = await world.demo('root@example.test');
  const { chromium } = packages(dirname(fileURLToPath(import.meta.url)))('playwright-core');
  browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu'] });
});
after(async () => {
  await browser?.close();
  await world?.stop();
});

const admin = (method, path, body) => world.call(method, path, body, { as: root.token });
const diary = (as) => world.call('GET', '/api/v1/diary', undefined, { as });
const post = (path, body = {}, as = undefined) => world.call('POST', `/auth/passkeys/${path}`, body, { as });

// A page at `origin` with an authenticator of its own.
const open = (origin = app(), more = {}) => Device.open(browser, `${origin}/nothing`, more);
const forge = (parts) => forged({ origin: app(), rpId: world.host, count: 0, ...parts });

async function register(device, as, name = 'My phone') {
  const { options } = (await post('register/start', {}, as)).json;
  return post('register/finish', { credential: await device.create(options), name }, as);
}
const ask = async () => (await post('login/start')).json.options;
const signIn = async (device) => post('login/finish', { credential: await device.get(await ask()) });

test('a passkey is made, listed, used without a name or a password, and removed', async () => {
  const loaded = () => appServers(world.project).some(({ pid }) => readFileSync(`/proc/${pid}/maps`, 'utf8').includes('libfido2'));
  assert.equal(loaded(), false, 'a server that sees no passkey does not pay for them');
  const device = await open();
  const { token, user } = (await world.signUp('ann.key@example.test', { name: 'Ann' })).json;
  const start = await post('register/start', {}, token);
  assert.equal(start.status, 200, start.text);
  const { options } = start.json;
  assert.equal(options.rp.id, world.host);
  assert.equal(Buffer.from(options.challenge, 'base64url').length, 32);
  assert.deepEqual(options.authenticatorSelection, { residentKey: 'required', requireResidentKey: true, userVerification: 'required' });
  const made = await register(device, token);
  assert.equal(made.status, 201, made.text);
  assert.equal(loaded(), true);
  const { passkey } = made.json;
  assert.deepEqual(passkey, { id: passkey.id, name: 'My phone', createdAt: passkey.createdAt, lastUsedAt: null });
  assert.deepEqual((await world.call('GET', '/auth/passkeys', undefined, { as: token })).json, { ok: true, passkeys: [passkey] });
  const [credential] = await device.credentials();
  const again = (await post('register/start', {}, token)).json.options;
  assert.deepEqual(again.excludeCredentials.map((each) => each.id), [Buffer.from(credential.credentialId, 'base64').toString('base64url')]);
  await assert.rejects(device.create(again), /InvalidStateError|excluded|already/i);

  const done = await signIn(device);
  assert.equal(done.status, 200, done.text);
  assert.equal(done.json.user.id, user.id);
  assert.match(done.headers['set-cookie'][0], /^svc_app_session=/);
  assert.equal((await diary(done.json.token)).status, 200);
  const [listed] = (await world.call('GET', '/auth/passkeys', undefined, { as: done.json.token })).json.passkeys;
  assert.ok(listed.lastUsedAt);
  const { events } = (await admin('GET', `/auth/audit?account=${user.id}`)).json;
  assert.ok(events.some((event) => event.event === 'passkey_added') && events.some((event) => event.event === 'login' && event.detail === 'passkey'));

  const other = (await world.signUp('not.ann@example.test')).json.token;
  const remove = (id, as) => world.call('DELETE', `/auth/passkeys/${id}`, undefined, { as });
  refused(await remove(passkey.id, other), 404, 'NOT_FOUND');
  refused(await remove('nothing', token), 404, 'NOT_FOUND');
  refused(await remove(passkey.id), 401, 'UNAUTHORIZED');
  assert.equal((await remove(passkey.id, token)).status, 200);
  refused(await remove(passkey.id, token), 404, 'NOT_FOUND');
  refused(await signIn(device), 401, 'INVALID_CREDENTIALS');
  await device.close();
});

test('keys of each kind that is asked for sign in', async () => {
  const device = await open();
  for (const alg of [-7, -257, -8]) {
    const { token, user } = (await world.signUp(`alg${-alg}@example.test`)).json;
    const { options } = (await post('register/start', {}, token)).json;
    options.pubKeyCredParams = [{ type: 'public-key', alg }];
    let credential;
    try { credential = await device.create(options); } catch { assert.notEqual(alg, -7); continue; }  // the browser's authenticator has no such key
    const made = await post('register/finish', { credential }, token);
    assert.equal(made.status, 201, `${alg}: ${made.text}`);
    const done = await signIn(device);
    assert.equal(done.json.user?.id, user.id, `${alg}: ${done.text}`);
    await device.clear();
  }
  await device.close();
});

test('a challenge is good once, for its own account, and for what it was asked for', async () => {
  const device = await open();
  const { token } = (await world.signUp('once@example.test')).json;
  const stranger = (await world.signUp('stranger@example.test')).json.token;
  const { options } = (await post('register/start', {}, token)).json;
  const created = await device.create(options);
  refused(await post('register/finish', { credential: created }, stranger), 400, 'INVALID_TOKEN');
  assert.equal((await post('register/finish', { credential: created }, token)).status, 201);
  refused(await post('register/finish', { credential: created }, token), 400, 'INVALID_TOKEN');

  const used = await device.get(await ask());
  assert.equal((await post('login/finish', { credential: used })).status, 200);
  refused(await post('login/finish', { credential: used }), 400, 'INVALID_TOKEN');
  const [credential] = await device.credentials();
  const count = credential.signCount + 10;
  const unknown = Buffer.alloc(32, 7).toString('base64url');
  refused(await post('login/finish', { credential: forge({ credential, challenge: unknown, count }) }), 400, 'INVALID_TOKEN');
  const ofRegistration = (await post('register/start', {}, token)).json.options.challenge;
  refused(await post('login/finish', { credential: forge({ credential, challenge: ofRegistration, count }) }), 400, 'INVALID_TOKEN');

  // Of many parallel uses one succeeds.
  const { challenge } = await ask();
  const answers = await Promise.all(Array.from({ length: 16 }, (_, i) => post('login/finish', { credential: forge({ credential, challenge, count: count + i }) })));
  assert.deepEqual(answers.map((a) => a.status).sort(), [200, ...Array(15).fill(400)]);
  await device.close();
});

test('an answer that was made elsewhere, for elsewhere, without its owner, or changed since opens nothing', async () => {
  const device = await open();
  const { token } = (await world.signUp('strict@example.test')).json;
  assert.equal((await register(device, token)).status, 201);
  const [credential] = await device.credentials();
  let count = credential.signCount + 100;
  const finish = async (lies) => post('login/finish', { credential: forge({ credential, challenge: (await ask()).challenge, count: ++count, ...lies }) });
  assert.equal((await finish({})).status, 200, 'made by hand as it should be');
  for (const origin of ['https://evil.test', `https://${world.host}:${world.stack.port}`, `http://${world.host}`, `${app()}.evil.test`, `http://sub.${world.host}:${world.stack.port}`, 'null', ''])
    refused(await finish({ origin }), 403, 'ORIGIN_NOT_ALLOWED');
  refused(await finish({ cross: true }), 403, 'ORIGIN_NOT_ALLOWED');
  refused(await finish({ type: 'webauthn.create' }), 400, 'PARAMS_INVALID');
  refused(await finish({ rpId: 'evil.test' }), 401, 'INVALID_CREDENTIALS');
  refused(await finish({ flags: 0x01 }), 401, 'INVALID_CREDENTIALS');
  refused(await finish({ flags: 0x04 }), 401, 'INVALID_CREDENTIALS');
  for (const [member, change] of [['signature', (b) => { b[b.length - 1] ^= 1; }], ['authenticatorData', (b) => { b[36] ^= 1; }], ['clientDataJSON', (b) => { b[b.length - 1] = 0x20; }]]) {
    const shown = forge({ credential, challenge: (await ask()).challenge, count: ++count });
    const bytes = Buffer.from(shown.response[member], 'base64url');
    change(bytes);
    shown.response[member] = bytes.toString('base64url');
    const answer = await post('login/finish', { credential: shown });
    assert.ok([400, 401].includes(answer.status), `${member}: ${answer.text}`);
  }
  // A page below the app's host: the browser lets it, the app does not.
  const page = await open(`http://sub.${world.host}:${world.stack.port}`);
  await page.put({ ...credential, signCount: count + 5 });
  refused(await post('login/finish', { credential: await page.get(await ask()) }), 403, 'ORIGIN_NOT_ALLOWED');
  // Where a key names that page, the owner of the app has said that it is theirs.
  const origin = `http://sub.${world.host}:${world.stack.port}`;
  const { key } = (await world.stack.dev('POST', `/projects/${world.project.id}/keys`, { name: 'sub', kind: 'browser', origins: [origin, 'https://elsewhere.test'] }, { expect: 201 })).json;
  const named = (body) => world.stack.fetch('POST', '/__svc/auth/passkeys/login/finish', { headers: { authorization: `Bearer ${key}`, origin }, body, host: world.host });
  const there = await named({ credential: await page.get(await ask()) });
  assert.equal(there.status, 200, there.text);
  refused(await named({ credential: forge({ credential, challenge: (await ask()).challenge, origin: 'https://elsewhere.test', count: count + 1000 }) }), 403, 'ORIGIN_NOT_ALLOWED');
  await page.close();
  for (const body of [{}, { credential: {} }, { credential: { id: 'x' } }, { credential: { id: 'x', response: { clientDataJSON: '!' } } }, { credential: 'x' }, { credential: { id: 'x', response: { clientDataJSON: 'e30', authenticatorData: '' } } }])
    refused(await post('login/finish', body), 400, 'PARAMS_INVALID');
  await device.close();
});

test('another\'s passkey opens its own account, never the one it claims; nobody registers it twice', async () => {
  const mine = await open();
  const his = await open();
  const me = (await world.signUp('me@example.test')).json;
  const him = (await world.signUp('him@example.test')).json;
  await register(mine, me.token);
  await register(his, him.token);
  const [key] = await his.credentials();
  const [own] = await mine.credentials();
  const lie = forge({ credential: key, challenge: (await ask()).challenge, count: 50 });
  lie.response.userHandle = Buffer.from(me.user.id).toString('base64url');
  refused(await post('login/finish', { credential: lie }), 401, 'INVALID_CREDENTIALS');
  // Their key under the name of mine.
  const named = forge({ credential: { ...key, credentialId: own.credentialId }, challenge: (await ask()).challenge, count: 51 });
  refused(await post('login/finish', { credential: named }), 401, 'INVALID_CREDENTIALS');
  const unknown = forge({ credential: { ...key, credentialId: Buffer.alloc(16, 1).toString('base64') }, challenge: (await ask()).challenge, count: 52 });
  const constant = await post('login/finish', { credential: unknown });
  refused(constant, 401, 'INVALID_CREDENTIALS');
  assert.equal((await signIn(his)).json.user.id, him.user.id);
  assert.equal((await signIn(mine)).json.user.id, me.user.id);

  // A passkey that is somebody's is made nobody else's.
  const { options } = (await post('register/start', {}, me.token)).json;
  const fresh = await mine.create({ ...options, excludeCredentials: [] });
  const data = Buffer.from(fresh.response.authenticatorData, 'base64url');
  const length = data.readUInt16BE(53);
  const taken = Buffer.from(key.credentialId, 'base64');
  const size = Buffer.alloc(2);
  size.writeUInt16BE(taken.length);
  fresh.response.authenticatorData = Buffer.concat([data.subarray(0, 53), size, taken, data.subarray(55 + length)]).toString('base64url');
  refused(await post('register/finish', { credential: fresh }, me.token), 409, 'CONFLICT');
  await mine.close();
  await his.close();
});

test('of an authenticator that was copied, the copy that counts behind is refused', async () => {
  const device = await open();
  const { token, user } = (await world.signUp('copied@example.test')).json;
  await register(device, token);
  assert.equal((await signIn(device)).status, 200);
  const [copy] = await device.credentials();
  assert.equal((await signIn(device)).status, 200);
  const thief = await open();
  await thief.put(copy);
  refused(await signIn(thief), 401, 'INVALID_CREDENTIALS');
  const { events } = (await admin('GET', `/auth/audit?account=${user.id}`)).json;
  assert.ok(events.some((event) => event.event === 'passkey_cloned'));
  assert.equal((await signIn(device)).status, 200);
  await thief.close();
  await device.close();
});

test('a person who only claimed an address keeps no passkey of its account; the owner keeps theirs', async () => {
  const squatter = await open();
  const owner = await open();
  const email = 'claimed@example.test';
  await register(squatter, (await world.signUp(email)).json.token);
  assert.equal((await signIn(squatter)).status, 200);
  const reset = async (newPassword) => {
    await world.call('POST', '/auth/reset/request', { email });
    assert.equal((await world.call('POST', '/auth/reset/confirm', { token: await world.mailedToken(email), newPassword })).status, 200);
    return (await world.login(email, newPassword)).json.token;
  };
  const token = await reset('chosen by the owner');
  refused(await signIn(squatter), 401, 'INVALID_CREDENTIALS');
  await register(owner, token);
  await reset('chosen by the owner again');
  assert.equal((await signIn(owner)).json.user.email, email);
  await squatter.close();
  await owner.close();
});

test('an authenticator that does not verify its owner makes and opens nothing', async () => {
  const device = await open(app(), { hasUserVerification: false, isUserVerified: false });
  const { token } = (await world.signUp('unverified@example.test')).json;
  const { options } = (await post('register/start', {}, token)).json;
  await assert.rejects(device.create(options));
  options.authenticatorSelection = { residentKey: 'discouraged', userVerification: 'discouraged' };
  const credential = await device.create(options);
  refused(await post('register/finish', { credential }, token), 400, 'PARAMS_INVALID');
  await device.close();
});

test('only the account\'s own passkey learns that it is disabled', async () => {
  const device = await open();
  const { token, user } = (await world.signUp('off@example.test')).json;
  await register(device, token);
  await admin('PATCH', `/auth/users/${user.id}`, { disabled: true });
  refused(await signIn(device), 403, 'ACCOUNT_DISABLED');
  await admin('PATCH', `/auth/users/${user.id}`, { disabled: false });
  assert.equal((await signIn(device)).status, 200);
  await device.close();
});

test('a passkey is the second factor that a role demands, and a password alone adds no other', async () => {
  const device = await open();
  await admin('POST', '/auth/users', { email: 'keeper.key@example.test', password, role: 'keeper' });
  const first = (await world.login('keeper.key@example.test')).json;
  assert.equal(first.mfaEnrollRequired, true);
  refused(await diary(first.token), 403, 'MFA_REQUIRED');
  const made = await register(device, first.token);
  assert.equal(made.status, 201, made.text);
  assert.equal((await diary(first.token)).status, 200);
  const login = (await world.login('keeper.key@example.test')).json;
  assert.deepEqual([login.needsMfa, login.methods, login.token], [true, ['passkey'], undefined]);
  refused(await world.call('POST', '/auth/mfa/verify', { pending: login.pending, code: '123456' }), 401, 'INVALID_CODE');
  const done = await signIn(device);
  assert.equal(done.json.mfaEnrollRequired, undefined);
  assert.equal((await diary(done.json.token)).status, 200);
  refused(await world.call('DELETE', `/auth/passkeys/${made.json.passkey.id}`, undefined, { as: done.json.token }), 403, 'MFA_REQUIRED');

  // A lost device: an administrator takes it off, and a new one is enrolled.
  const { id } = done.json.user;
  assert.equal((await admin('DELETE', `/auth/users/${id}/mfa`)).status, 200);
  refused(await signIn(device), 401, 'INVALID_CREDENTIALS');
  assert.equal((await world.login('keeper.key@example.test')).json.mfaEnrollRequired, true);
  await device.close();
});

test('a session from before a demand enrols nothing where the account has a passkey', async () => {
  const device = await open();
  const { token } = (await world.signUp('before@example.test')).json;
  await register(device, token);
  const stolen = (await world.login('before@example.test')).json;
  assert.ok(stolen.token, 'a passkey is another way in, not a second factor that nobody demands');
  await world.stack.apply(world.project, contract((c) => { withPasskeys(c); c.personas.find((p) => p.id === 'member').mfa = 'required'; }));
  refused(await diary(stolen.token), 403, 'MFA_REQUIRED');
  refused(await world.call('POST', '/auth/mfa/enroll/start', {}, { as: stolen.token }), 403, 'MFA_REQUIRED');
  refused(await post('register/start', {}, stolen.token), 403, 'MFA_REQUIRED');
  assert.equal((await diary(token)).status, 200, 'its owner was verified in this one');
  await world.stack.apply(world.project, contract(withPasskeys));
  await device.close();
});

// Changes the app: the last of this file.
test('apps say whether they have passkeys; with passkeys alone, a mailed link lets in a user who lost theirs', async () => {
  await world.stack.apply(world.project, contract((c) => { c.auth.methods = ['password']; }));
  for (const path of ['register/start', 'register/finish']) refused(await post(path, {}, root.token), 404, 'NOT_FOUND');
  for (const path of ['login/start', 'login/finish']) refused(await post(path), 404, 'NOT_FOUND');
  await world.stack.apply(world.project, contract((c) => { c.auth.methods = ['passkey']; }));
  const device = await open();
  assert.equal((await world.call('POST', '/auth/signup', { email: 'only@example.test' })).json.pending, true);
  const token = await world.mailedToken('only@example.test');
  const opened = await world.call('GET', `/auth/magic/consume?token=${token}`, undefined, { key: null, headers: json });
  assert.equal((await register(device, opened.json.token)).status, 201);
  assert.equal((await signIn(device)).json.user.email, 'only@example.test');
  refused(await world.call('POST', '/auth/magic/request', { email: 'only@example.test' }), 404, 'NOT_FOUND');
  assert.equal((await world.call('POST', '/auth/reset/request', { email: 'only@example.test' })).status, 200);
  const link = new URL((await world.mails('only@example.test'))[0].links[0]);
  assert.equal(link.pathname, '/__svc/auth/magic/consume');
  await device.close();
});
