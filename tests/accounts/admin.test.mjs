// Administrators change accounts, and the record shows it.
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { databaseOf, sql } from '../lib/admin_sql.mjs';
import { World, json, password, refused } from './world.mjs';

let world, root;
before(async () => {
  world = await World.start();
  root = await world.demo('root@example.test');
});
after(() => world?.stop());

const admin = (method, path, body) => world.call(method, path, body, { as: root.token });

test('others are refused, in words and without a code', async () => {
  const ann = await world.demo('ann@example.test');
  for (const as of [undefined, ann.token]) {
    const answer = await world.call('GET', '/auth/users', undefined, { as });
    assert.equal(answer.status, 403);
    assert.deepEqual(answer.json, { ok: false, error: { message: 'Admin required' } });
  }
});

test('accounts are listed, made, changed', async () => {
  const roles = (await admin('GET', '/auth/roles')).json.roles;
  assert.deepEqual(roles.find((role) => role.id === 'clerk'), { id: 'clerk', label: 'Clerk', kind: 'staff' });
  const made = await admin('POST', '/auth/users', { email: 'New@Example.Test', password, name: 'New', role: 'clerk' });
  assert.equal(made.status, 201, made.text);
  const { id } = made.json.user;
  assert.deepEqual(made.json, { ok: true, user: { id, email: 'new@example.test', name: 'New', isAdmin: false, disabled: false, role: 'clerk' } });
  assert.equal((await world.login('new@example.test')).status, 200);
  const { users } = (await admin('GET', '/auth/users?limit=2&offset=1')).json;
  assert.equal(users.length, 2);
  refused(await admin('GET', '/auth/users?limit=0'), 400, 'PARAMS_INVALID');
  refused(await admin('GET', '/auth/users?offset=-1'), 400, 'PARAMS_INVALID');
  refused(await admin('POST', '/auth/users', { email: 'new@example.test', password }), 409, 'EMAIL_TAKEN');
  refused(await admin('POST', '/auth/users', { email: 'x', password }), 400, 'INVALID_EMAIL');
  refused(await admin('POST', '/auth/users', { email: 'x@example.test', password: 'short' }), 400, 'WEAK_PASSWORD');
  refused(await admin('POST', '/auth/users', { email: 'x@example.test', password, role: 'nobody' }), 400, 'INVALID_ROLE');
  refused(await admin('PATCH', `/auth/users/${id}`, { role: 'nobody' }), 400, 'INVALID_ROLE');
  refused(await admin('PATCH', `/auth/users/${id}`, { email: 'ann@example.test' }), 409, 'EMAIL_TAKEN');
  refused(await admin('PATCH', '/auth/users/nothing', { name: 'x' }), 404, 'NOT_FOUND');
  refused(await admin('PATCH', `/auth/users/${id.replace(/.$/, (c) => (c === '0' ? '1' : '0'))}`, { name: 'x' }), 404, 'NOT_FOUND');
  assert.equal((await admin('PATCH', `/auth/users/${id}`, { name: 'Newer', role: 'member' })).json.user.name, 'Newer');
});

test('an account that the database could not make just now is no taken address', async () => {
  const run = (text) => sql(world.stack, databaseOf(world.project), text);
  run(`create function public.busy() returns trigger language plpgsql as $$ begin raise exception 'deadlock detected' using errcode = '40P01'; end $$;
    create trigger busy before insert on svc.account for each row execute function public.busy()`);
  const answer = await admin('POST', '/auth/users', { email: 'later@example.test', password, role: 'clerk' });
  run('drop trigger busy on svc.account; drop function public.busy()');
  refused(answer, 409, 'CONFLICT');
  assert.match(answer.json.error.message, /Try again/);
  assert.equal((await admin('POST', '/auth/users', { email: 'later@example.test', password, role: 'clerk' })).status, 201);
});

test('administrators cannot disable or demote themselves', async () => {
  const path = `/auth/users/${root.user.id}`;
  refused(await admin('PATCH', path, { disabled: true }), 400, 'SELF_LOCKOUT');
  refused(await admin('PATCH', path, { isAdmin: false }), 400, 'SELF_LOCKOUT');
  refused(await admin('PATCH', path.toUpperCase().replace('/AUTH/USERS', '/auth/users'), { disabled: true }), 400, 'SELF_LOCKOUT');
  assert.equal((await admin('PATCH', path, { name: 'Root again' })).status, 200);
});

test('a disabled account, and one of another role, is signed out at once', async () => {
  const made = (await world.signUp('ended@example.test')).json;
  const reads = () => world.call('GET', '/api/v1/diary', undefined, { as: made.token });
  assert.equal((await reads()).status, 200);
  await admin('PATCH', `/auth/users/${made.user.id}`, { disabled: true });
  refused(await reads(), 401, 'UNAUTHORIZED');
  refused(await world.login('ended@example.test'), 403, 'ACCOUNT_DISABLED');
  refused(await world.login('ended@example.test', 'wrong'), 401, 'INVALID_CREDENTIALS');
  await admin('PATCH', `/auth/users/${made.user.id}`, { disabled: false });
  const { token } = (await world.login('ended@example.test')).json;
  await admin('PATCH', `/auth/users/${made.user.id}`, { role: 'clerk' });
  refused(await world.call('GET', '/api/v1/diary', undefined, { as: token }), 401, 'UNAUTHORIZED');
});

test('an invitation mails a link, which works once', async () => {
  const invited = await admin('POST', '/auth/users', { email: 'invited@example.test', invite: true });
  assert.equal(invited.status, 201, invited.text);
  refused(await world.login('invited@example.test', ''), 400, 'INVALID_CREDENTIALS');
  const token = await world.mailedToken('invited@example.test');
  const choose = () => world.call('POST', '/auth/set-password', { token, password }, { key: null });
  assert.equal((await choose()).status, 200);
  refused(await choose(), 400, 'TOKEN_USED');
  assert.equal((await world.login('invited@example.test')).status, 200);
});

test('what happened is recorded, and the record is only added to', async () => {
  const { events } = (await admin('GET', '/auth/audit?limit=500')).json;
  const seen = new Set(events.map((event) => event.event));
  for (const event of ['signup', 'login', 'login_failed', 'account_made', 'account_changed', 'password_set', 'demo_link'])
    assert.ok(seen.has(event), event);
  const changed = events.find((event) => event.event === 'account_changed' && event.detail === 'disabled on');
  assert.equal(changed.actorId, root.user.id);
  assert.ok(!JSON.stringify(events).includes(password));
  const own = (await admin('GET', `/auth/audit?account=${root.user.id}`)).json.events;
  assert.ok(own.length > 0 && own.every((event) => event.accountId === root.user.id));
});
