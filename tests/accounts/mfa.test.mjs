// Second factors, with codes of an independent program (oathtool).
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { totp as code } from '../lib/oathtool.mjs';
import { World, password, refused } from './world.mjs';

let world;
before(async () => { world = await World.start(); });
after(() => world?.stop());

async function enrol(as) {
  const begun = (await world.call('POST', '/auth/mfa/enroll/start', {}, { as })).json;
  const confirmed = await world.call('POST', '/auth/mfa/enroll/confirm', { code: code(begun.secret, -1) }, { as });
  return { ...begun, confirmed };
}

test('enrolling shows a secret, an address and a picture; a right code confirms it', async () => {
  const as = (await world.signUp('enrol@example.test')).json.token;
  const begun = (await world.call('POST', '/auth/mfa/enroll/start', {}, { as })).json;
  assert.match(begun.secret, /^[A-Z2-7]{32}$/);
  const url = new URL(begun.otpauthUrl);
  assert.equal(url.searchParams.get('secret'), begun.secret);
  assert.equal(url.searchParams.get('issuer'), 'Accounts & more');
  assert.match(begun.qrSvg, /^<svg /);
  refused(await world.call('POST', '/auth/mfa/enroll/confirm', { code: '000000' }, { as }), 401, 'INVALID_CODE');
  const confirmed = await world.call('POST', '/auth/mfa/enroll/confirm', { code: code(begun.secret) }, { as });
  assert.equal(confirmed.status, 200, confirmed.text);
  assert.equal(new Set(confirmed.json.backupCodes).size, 10);
  refused(await world.call('POST', '/auth/mfa/enroll/start', {}, { as }), 409, 'CONFLICT');
});

test('a login with a second factor is not one before its code; a code counts once', async () => {
  const as = (await world.signUp('factor@example.test')).json.token;
  const { secret, confirmed } = await enrol(as);
  const login = async () => (await world.login('factor@example.test')).json;
  const verify = (pending, given) => world.call('POST', '/auth/mfa/verify', { pending, code: given });

  const first = await login();
  assert.equal(first.needsMfa, true);
  assert.equal(first.token, undefined);
  refused(await verify(first.pending, code(secret, -1)), 401, 'INVALID_CODE');  // used to enrol
  const now = code(secret);
  const done = await verify(first.pending, now);
  assert.equal(done.status, 200, done.text);
  assert.equal((await world.call('GET', '/auth/me', undefined, { as: done.json.token })).json.user.email, 'factor@example.test');
  refused(await verify(first.pending, code(secret, 1)), 401, 'INVALID_CODE');  // this sign-in is over
  refused(await verify((await login()).pending, now), 401, 'INVALID_CODE');
  const [backup, other] = confirmed.json.backupCodes;
  const { pending } = await login();
  assert.equal((await verify(pending, backup.toUpperCase().replace('-', ' '))).status, 200);
  refused(await verify((await login()).pending, backup), 401, 'INVALID_CODE');

  const token = done.json.token;
  const renewed = await world.call('POST', '/auth/mfa/backup-codes/regenerate', { code: other }, { as: token });
  assert.equal(renewed.json.backupCodes.length, 10);
  refused(await verify((await login()).pending, confirmed.json.backupCodes[2]), 401, 'INVALID_CODE');
  assert.equal((await world.call('POST', '/auth/mfa/disable', { code: renewed.json.backupCodes[0] }, { as: token })).status, 200);
  assert.ok((await login()).token);
});

test('after five tries the sign-in is over', async () => {
  const as = (await world.signUp('tries@example.test')).json.token;
  const { confirmed } = await enrol(as);
  const { pending } = (await world.login('tries@example.test')).json;
  const answers = await Promise.all(Array.from({ length: 12 }, () =>
    world.call('POST', '/auth/mfa/verify', { pending, code: '000000' })));
  assert.ok(answers.every((answer) => [401, 429].includes(answer.status)));
  const late = await world.call('POST', '/auth/mfa/verify', { pending, code: confirmed.json.backupCodes[0] });
  refused(late, 401, 'INVALID_CODE');
});

test('an account that must have a second factor may only enrol one first', async () => {
  const root = await world.demo('root@example.test');
  await world.call('POST', '/auth/users', { email: 'keeper@example.test', password, role: 'keeper' }, { as: root.token });
  const first = (await world.login('keeper@example.test')).json;
  assert.equal(first.mfaEnrollRequired, true);
  const as = first.token;
  refused(await world.call('GET', '/api/v1/diary', undefined, { as }), 403, 'MFA_REQUIRED');
  refused(await world.call('GET', '/orgs', undefined, { as }), 403, 'MFA_REQUIRED');
  const { confirmed } = await enrol(as);
  assert.equal(confirmed.status, 200, confirmed.text);
  assert.equal((await world.call('GET', '/api/v1/diary', undefined, { as })).status, 200);
  refused(await world.call('POST', '/auth/mfa/disable', { code: confirmed.json.backupCodes[0] }, { as }), 403, 'MFA_REQUIRED');
});

test('a mailed link asks for the second factor too', async () => {
  const as = (await world.signUp('linked@example.test')).json.token;
  await world.prove('linked@example.test');
  await enrol(as);
  await world.call('POST', '/auth/magic/request', { email: 'linked@example.test' });
  const token = await world.mailedToken('linked@example.test');
  const opened = await world.call('GET', `/auth/magic/consume?token=${token}`, undefined, { key: null });
  assert.equal(opened.json.needsMfa, true);
  assert.equal(opened.headers['set-cookie'], undefined);
});
