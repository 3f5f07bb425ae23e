// What an attacker, or an unlucky owner, tries: a second factor that is demanded later, lost phones, earlier sessions,
// providers that do not answer, links of disabled accounts.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import test, { after, before } from 'node:test';
import { totp as code } from '../lib/oathtool.mjs';
import { World, contract, json, password, refused } from './world.mjs';

let world, root;
before(async () => {
  world = await World.start();
  root = await world.demo('root@example.test');
});
after(() => world?.stop());

const admin = (method, path, body) => world.call(method, path, body, { as: root.token });
const diary = (as) => world.call('GET', '/api/v1/diary', undefined, { as });

async function enrol(as) {
  const begun = (await world.call('POST', '/auth/mfa/enroll/start', {}, { as })).json;
  const confirmed = await world.call('POST', '/auth/mfa/enroll/confirm', { code: code(begun.secret, -1) }, { as });
  assert.equal(confirmed.status, 200, confirmed.text);
  return { secret: begun.secret, backup: confirmed.json.backupCodes };
}
const cookie = (answer) => answer.headers['set-cookie'][0].split(';')[0];

test('a sign-in ends the session that the browser had before', async () => {
  const first = await world.signUp('rotate@example.test');
  await world.prove('rotate@example.test');
  const again = await world.call('POST', '/auth/login', { email: 'rotate@example.test', password }, { headers: { cookie: cookie(first) } });
  assert.equal(again.status, 200, again.text);
  refused(await diary(first.json.token), 401, 'UNAUTHORIZED');
  assert.equal((await diary(again.json.token)).status, 200);

  // An attacker planted a cookie of their own account: the attacker's session ends.
  const planted = await world.signUp('planter@example.test');
  await world.call('POST', '/auth/magic/request', { email: 'rotate@example.test' });
  const token = await world.mailedToken('rotate@example.test');
  const opened = await world.call('GET', `/auth/magic/consume?token=${token}`, undefined, { key: null, headers: { ...json, cookie: cookie(planted) } });
  assert.equal(opened.status, 200, opened.text);
  refused(await diary(planted.json.token), 401, 'UNAUTHORIZED');
  assert.equal((await diary(again.json.token)).status, 200, 'that of another browser goes on');

  // By header: the session of the same account ends, that of another account does not.
  const third = await world.call('POST', '/auth/login', { email: 'rotate@example.test', password }, { as: again.json.token });
  refused(await diary(again.json.token), 401, 'UNAUTHORIZED');
  assert.equal((await world.call('POST', '/auth/login', { email: 'planter@example.test', password }, { as: third.json.token })).status, 200);
  assert.equal((await diary(third.json.token)).status, 200);

  // A failed sign-in ends no session.
  refused(await world.call('POST', '/auth/login', { email: 'rotate@example.test', password: 'wrong password' }, { as: third.json.token }), 401, 'INVALID_CREDENTIALS');
  assert.equal((await diary(third.json.token)).status, 200);
});

test('an administrator removes the second factor of a user who lost the phone', async () => {
  const { token, user } = (await world.signUp('lost@example.test')).json;
  const { backup } = await enrol(token);
  const { pending } = (await world.login('lost@example.test')).json;
  const path = `/auth/users/${user.id}/mfa`;
  refused(await world.call('DELETE', path, undefined, { as: token }), 403, undefined);
  refused(await world.call('DELETE', path), 403, undefined);
  refused(await admin('DELETE', `/auth/users/${root.user.id}/mfa`), 400, 'SELF_LOCKOUT');
  refused(await admin('DELETE', '/auth/users/nothing/mfa'), 404, 'NOT_FOUND');
  refused(await admin('DELETE', `/auth/users/${user.id.replace(/.$/, (c) => (c === '0' ? '1' : '0'))}/mfa`), 404, 'NOT_FOUND');
  assert.equal((await admin('GET', path)).status, 405);

  const removed = await admin('DELETE', path);
  assert.deepEqual([removed.status, removed.text], [200, '{"ok":true}']);
  refused(await diary(token), 401, 'UNAUTHORIZED');
  refused(await world.call('POST', '/auth/mfa/verify', { pending, code: backup[0] }), 401, 'INVALID_CODE');
  const back = (await world.login('lost@example.test')).json;
  assert.ok(back.token);
  await enrol(back.token);
  const { events } = (await admin('GET', `/auth/audit?account=${user.id}`)).json;
  const [event] = events.filter((each) => each.event === 'mfa_removed');
  assert.equal(event.actorId, root.user.id);
  assert.equal(event.email, 'lost@example.test');
});

test('a link of a disabled account opens nothing, and is not used up by that', async () => {
  const { user } = (await world.signUp('paused@example.test')).json;
  const email = 'paused@example.test';
  const links = {};
  for (const [kind, path] of [['magic', '/auth/magic/request'], ['reset', '/auth/reset/request']]) {
    await world.call('POST', path, { email });
    links[kind] = await world.mailedToken(email);
  }
  const consume = () => world.call('GET', `/auth/magic/consume?token=${links.magic}`, undefined, { key: null, headers: json });
  const reset = () => world.call('POST', '/auth/reset/confirm', { token: links.reset, newPassword: 'chosen much later' });
  await admin('PATCH', `/auth/users/${user.id}`, { disabled: true });
  refused(await consume(), 400, 'USER_NOT_FOUND');
  refused(await consume(), 400, 'USER_NOT_FOUND');
  refused(await reset(), 400, 'INVALID_TOKEN');
  await admin('PATCH', `/auth/users/${user.id}`, { disabled: false });
  const opened = await consume();
  assert.equal(opened.status, 200, opened.text);
  refused(await consume(), 400, 'TOKEN_USED');
  assert.equal((await reset()).status, 200);
  assert.equal((await world.login(email, 'chosen much later')).status, 200);
});

test('an invitation waits for an account that is disabled', async () => {
  const { token: owner } = (await world.signUp('host@example.test')).json;
  await world.call('POST', '/orgs', { name: 'Waiting' }, { as: owner });
  const guest = (await world.signUp('guest@example.test')).json;
  await world.call('POST', '/orgs/invite', { email: 'guest@example.test', role: 'admin' }, { as: owner });
  const invitation = await world.mailedToken('guest@example.test');
  const accept = () => world.call('GET', `/orgs/invite/accept?token=${invitation}`, undefined, { key: null, headers: json });
  await admin('PATCH', `/auth/users/${guest.user.id}`, { disabled: true });
  refused(await accept(), 400, 'INVALID_TOKEN');
  await admin('PATCH', `/auth/users/${guest.user.id}`, { disabled: false });
  assert.equal((await accept()).json.org.role, 'admin');
});

test('a dead provider is asked once, however many want to sign in with it', async () => {
  let asked = 0;
  const held = [];
  let release = false;
  const server = createServer((_request, answer) => {
    ++asked;
    const fail = () => { answer.statusCode = 500; answer.end(); };
    if (release) fail(); else held.push(fail);
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  try {
    const issuer = `http://127.0.0.1:${server.address().port}`;
    assert.equal((await admin('POST', '/auth/oauth/config', { id: 'dead', issuer, clientId: 'x', clientSecret: 'y' })).status, 200);
    const start = () => world.call('GET', '/auth/oauth/dead/start', undefined, { key: null });
    const first = start();
    while (held.length === 0) await new Promise((done) => setImmediate(done));
    const others = Array.from({ length: 20 }, start);
    // After these answers the server has read the earlier requests too: it answers in order.
    for (let i = 0; i < 40; ++i) await world.call('GET', '/auth/signup-options');
    release = true;
    for (const fail of held) fail();
    for (const answer of await Promise.all([first, ...others])) {
      refused(answer, 503, 'UNAVAILABLE');
      assert.ok(Number(answer.headers['retry-after']) > 0);
    }
    refused(await start(), 503, 'UNAVAILABLE');
    assert.equal(asked, 1);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

test('limits by address count an IPv6 network as one client, and IPv4 as IPv4', async () => {
  const own = await World.start({ env: { SVC_TRUSTED_PROXIES: '127.0.0.1', SVC_RATE_SIGNUP: '2' } });
  try {
    let people = 0;
    const from = (address) => own.call('POST', '/auth/signup', { email: `p${++people}@example.test`, password }, { headers: { 'x-forwarded-for': address } });
    for (const [first, second, third, elsewhere] of [
      ['2001:db8:1:2::1', '2001:db8:1:2:ffff::9', '2001:0DB8:0001:0002:1:1:1:1', '2001:db8:1:3::1'],
      ['198.51.100.7', '::ffff:198.51.100.7', '::ffff:c633:6407', '198.51.100.8'],
    ]) {
      assert.equal((await from(first)).status, 200);
      assert.equal((await from(second)).status, 200);
      refused(await from(third), 429, 'RATE_LIMITED');
      assert.equal((await from(elsewhere)).status, 200);
    }
  } finally {
    await own.stop();
  }
});

// Changes the app: the last of this file.
test('a second factor that a later contract demands is demanded of sessions that are there', async () => {
  const plain = (await world.signUp('plain@example.test')).json;
  const withFactor = (await world.signUp('factor@example.test')).json;
  await enrol(withFactor.token);
  assert.equal((await diary(plain.token)).status, 200);
  await world.stack.apply(world.project, contract((c) => { c.personas.find((p) => p.id === 'member').mfa = 'required'; }));
  refused(await diary(plain.token), 403, 'MFA_REQUIRED');
  refused(await world.call('GET', '/orgs', undefined, { as: plain.token }), 403, 'MFA_REQUIRED');
  assert.equal((await diary(withFactor.token)).status, 200);
  assert.equal((await diary((await world.demo('ann@example.test')).token)).status, 200, 'who builds the app needs none');
  const login = (await world.login('plain@example.test')).json;
  assert.equal(login.mfaEnrollRequired, true);
  await enrol(plain.token);
  assert.equal((await diary(plain.token)).status, 200);
  refused(await diary(login.token), 401, 'UNAUTHORIZED');
  await world.stack.apply(world.project, contract());
  assert.equal((await diary(plain.token)).status, 200);
});
