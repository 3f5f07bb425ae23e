// An attacker signs up with somebody else's address, in an app that does not confirm addresses, and waits until its
// owner gets rights.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import test, { after, before } from 'node:test';
import { asAdmin, databaseOf, sql } from '../lib/admin_sql.mjs';
import { until } from '../lib/stack.mjs';
import { World, json, password, refused } from './world.mjs';

let world, root, owner;
before(async () => {
  world = await World.start();
  root = await world.demo('root@example.test');
  owner = (await world.signUp('owner@example.test')).json;
  assert.equal((await world.call('POST', '/orgs', { name: 'Corp' }, { as: owner.token })).status, 201);
});
after(() => world?.stop());

const diary = (as) => world.call('GET', '/api/v1/diary', undefined, { as });
const open = (path) => world.call('GET', path, undefined, { key: null, headers: json });

async function claim(email) {
  const { token, user } = (await world.signUp(email)).json;
  const factor = await world.call('POST', '/auth/mfa/enroll/start', {}, { as: token });
  assert.equal(factor.status, 200, factor.text);
  assert.equal((await diary(token)).status, 200);
  return { token, user, email };
}
async function shutOut({ token, email }) {
  refused(await diary(token), 401, 'UNAUTHORIZED');
  refused(await world.login(email), 401, 'INVALID_CREDENTIALS');
}
async function invite(email, role = 'admin') {
  assert.equal((await world.call('POST', '/orgs/invite', { email, role }, { as: owner.token })).status, 201);
  return open(`/orgs/invite/accept?token=${await world.mailedToken(email)}`);
}

test('an unproven password does not survive an organisation\'s invitation', async () => {
  const stranger = await claim('bob@corp.test');
  const accepted = await invite(stranger.email);
  assert.equal(accepted.status, 200, accepted.text);
  assert.equal(accepted.json.org.role, 'admin');
  await shutOut(stranger);
  // The owner of the address gets a mail to choose a password, and is then an admin.
  const secret = 'chosen by the real one';
  const chosen = { token: accepted.json.setPasswordToken, password: secret };
  assert.equal((await world.call('POST', '/auth/set-password', chosen, { key: null })).status, 200);
  const bob = await world.login(stranger.email, secret);
  assert.equal(bob.json.token?.length > 0, true, bob.text);
  const orgs = await world.call('GET', '/orgs', undefined, { as: bob.json.token });
  assert.deepEqual(orgs.json.orgs.map((org) => org.role), ['admin']);
});

test('nor does it hide behind a magic link that was used before', async () => {
  const stranger = await claim('beth@corp.test');
  await world.call('POST', '/auth/magic/request', { email: stranger.email });
  const opened = await open(`/auth/magic/consume?token=${await world.mailedToken(stranger.email)}`);
  assert.equal(opened.status, 200, opened.text);
  assert.equal(opened.json.passwordEnded, true);
  await shutOut(stranger);
  assert.equal((await diary(opened.json.token)).status, 200);
  // Shown once, the address is theirs: what they set from here on stays.
  await world.call('POST', '/auth/reset/request', { email: stranger.email });
  const secret = 'chosen by the real one';
  const reset = { token: await world.mailedToken(stranger.email), newPassword: secret };
  assert.equal((await world.call('POST', '/auth/reset/confirm', reset)).status, 200);
  const accepted = await invite(stranger.email, 'guest_worker');
  assert.equal(accepted.json.setPasswordToken, undefined, accepted.text);
  assert.equal((await world.login(stranger.email, secret)).status, 200);
});

test('whoever claimed an address gets no role and no rights of an administrator that its owner is given', async () => {
  for (const [email, change] of [['cleo@corp.test', { role: 'clerk' }], ['cara@corp.test', { isAdmin: true }]]) {
    const stranger = await claim(email);
    const changed = await world.call('PATCH', `/auth/users/${stranger.user.id}`, change, { as: root.token });
    assert.equal(changed.status, 200, changed.text);
    assert.match(changed.json.warning, /A link was sent/);
    await shutOut(stranger);
    const secret = 'chosen by the real one';
    const chosen = { token: await world.mailedToken(email), password: secret };
    assert.equal((await world.call('POST', '/auth/set-password', chosen, { key: null })).status, 200);
    const real = await world.login(email, secret);
    assert.equal(real.json.needsMfa, undefined, real.text);
    assert.equal(real.status, 200);
  }
});

test('a user who confirmed the address keeps the password', async () => {
  const { user } = (await world.signUp('dora@corp.test')).json;
  await world.prove('dora@corp.test');
  const changed = await world.call('PATCH', `/auth/users/${user.id}`, { role: 'clerk' }, { as: root.token });
  assert.equal(changed.json.warning, undefined, changed.text);
  const accepted = await invite('dora@corp.test');
  assert.equal(accepted.json.setPasswordToken, undefined, accepted.text);
  assert.equal((await world.login('dora@corp.test', password)).status, 200);
});

test('a role that everybody may take when signing up changes nothing of the password', async () => {
  const { user } = (await world.signUp('emil@corp.test')).json;
  const changed = await world.call('PATCH', `/auth/users/${user.id}`, { role: 'member', name: 'Emil' }, { as: root.token });
  assert.equal(changed.json.warning, undefined, changed.text);
  assert.equal((await world.login('emil@corp.test')).status, 200);
});

test('a demo link proves nothing', async () => {
  const stranger = await claim('finn@corp.test');
  await world.demo(stranger.email);
  assert.equal((await world.login(stranger.email)).status, 200);
  await invite(stranger.email);
  await shutOut(stranger);
});

// The proof is in a transaction that has not ended when the session asks.
test('what a session asks for while the address is proven is not written after it', async () => {
  const { token, user } = (await world.signUp('meanwhile@corp.test')).json;
  const database = databaseOf(world.project);
  const { args, env } = asAdmin(world.stack, database);
  const proof = spawn('psql', [...args, '-At'], { env, stdio: ['pipe', 'pipe', 'inherit'] });
  const proven = new Promise((done) => proof.stdout.once('data', done));
  proof.stdin.write(`begin; update svc.account set verified_at = now(), password_hash = null where id = '${user.id}'; select 'proven';\n`);
  await proven;
  const asked = world.call('POST', '/auth/mfa/enroll/start', {}, { as: token });
  await until('it waits for the proof', () =>
    sql(world.stack, database, `select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = '${database}'`).length > 0);
  proof.stdin.end('commit;\n');
  refused(await asked, 401, 'UNAUTHORIZED');
  assert.deepEqual(sql(world.stack, database, `select 1 from svc.mfa where account_id = '${user.id}'`), []);
});

test('invitations that a stranger sent in the name of the address end with the proof', async () => {
  const stranger = (await world.signUp('inviter@corp.test')).json;
  assert.equal((await world.call('POST', '/orgs', { name: 'Taken' }, { as: stranger.token })).status, 201);
  const switched = await world.call('GET', '/orgs', undefined, { as: stranger.token });
  await world.call('POST', '/orgs/switch', { orgId: switched.json.orgs[0].id }, { as: stranger.token });
  assert.equal((await world.call('POST', '/orgs/invite', { email: 'evil@x.test', role: 'owner' }, { as: stranger.token })).status, 201);
  const invitation = await world.mailedToken('evil@x.test');
  await world.call('POST', '/auth/magic/request', { email: 'inviter@corp.test' });
  const opened = await open(`/auth/magic/consume?token=${await world.mailedToken('inviter@corp.test')}`);
  assert.equal(opened.json.passwordEnded, true, opened.text);
  assert.ok((await open(`/orgs/invite/accept?token=${invitation}`)).status >= 400);
});

test('an account without a password starts anew where an address is first shown to be somebody\'s', async () => {
  const { user } = (await world.signUp('carl@corp.test')).json;
  const database = databaseOf(world.project);
  const left = () => sql(world.stack, database, `select (select count(*) from svc.session where account_id = '${user.id}'),
    (select count(*) from svc.passkey where account_id = '${user.id}'), (select count(*) from svc.identity where account_id = '${user.id}')`)[0];
  // An account that came by a provider, before an administrator changed its address.
  sql(world.stack, database, `update svc.account set password_hash = null, verified_at = now() where id = '${user.id}';
    update svc.account set verified_at = null where id = '${user.id}';
    insert into svc.session (hash, account_id, expires_at) values ('\\x01', '${user.id}', now() + interval '1 day');
    insert into svc.passkey (account_id, credential, algorithm, public_key, sign_count) values ('${user.id}', 'c', -7, 'k', 0);
    insert into svc.identity (issuer, subject, account_id) values ('https://id.example', 'carl', '${user.id}');`);
  assert.deepEqual(left(), ['1', '1', '1']);
  await world.call('POST', '/auth/magic/request', { email: 'carl@corp.test' });
  const opened = await open(`/auth/magic/consume?token=${await world.mailedToken('carl@corp.test')}`);
  assert.equal(opened.status, 200, opened.text);
  assert.deepEqual(left(), ['1', '0', '0'], 'the session of the proof alone');
  assert.deepEqual(sql(world.stack, database, `select 1 from svc.session where hash = '\\x01'`), []);
});
