// Two servers of one app on one database: what ends on one has ended on the other.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readlinkSync } from 'node:fs';
import test, { after, before } from 'node:test';
import { appServers, freePort, until } from '../lib/stack.mjs';
import { request } from '../lib/http.mjs';
import { World, origin, password } from './world.mjs';

let world, other, port;
before(async () => {
  world = await World.start();
  const [first] = appServers(world.project);
  port = await freePort();
  other = spawn(readlinkSync(`/proc/${first.pid}/exe`), ['--listen', `127.0.0.1:${port}`], { env: first.env, stdio: 'inherit' });
  await until('the other server', async () => (await there('GET', '/readyz').catch(() => null))?.status === 200);
});
after(async () => {
  other?.kill('SIGTERM');
  await world?.stop();
});

const there = (method, path, as, body) => request({
  port, method, path,
  headers: { host: world.host, authorization: `Bearer ${world.project.browser}`, origin, 'x-svc-data-api': '1', ...(as ? { 'x-svc-app-session': as } : {}) }, body,
});
const diary = (as) => there('GET', '/__svc/api/v1/diary', as);

test('a sign-out here is a sign-out there, with the next request', async () => {
  const { token } = (await world.signUp('out@example.test')).json;
  assert.equal((await diary(token)).status, 200);
  await world.call('POST', '/auth/logout', {}, { as: token });
  assert.equal((await diary(token)).status, 401);
});

test('a new password, a disabled account or another role ends sessions on every server', async () => {
  const root = await world.demo('root@example.test');
  const { user } = (await world.signUp('many@example.test')).json;
  const admin = (body) => world.call('PATCH', `/auth/users/${user.id}`, body, { as: root.token });
  const changes = [
    async () => {
      await world.call('POST', '/auth/reset/request', { email: 'many@example.test' });
      const token = await world.mailedToken('many@example.test');
      assert.equal((await world.call('POST', '/auth/reset/confirm', { token, newPassword: password })).status, 200);
    },
    async () => { await admin({ disabled: true }); assert.equal((await admin({ disabled: false })).status, 200); },
    async () => assert.equal((await admin({ role: 'clerk' })).status, 200),
  ];
  for (const change of changes) {
    const { token } = (await world.login('many@example.test')).json;
    assert.equal((await diary(token)).status, 200);
    await change();
    assert.equal((await diary(token)).status, 401);
  }
});

test('an organisation chosen here is chosen there', async () => {
  const { token } = (await world.signUp('switch@example.test')).json;
  const me = async () => (await there('GET', '/__svc/auth/me', token)).json.user.orgId;
  const notes = async () => (await there('GET', '/__svc/api/v1/note', token)).json.rowCount;
  assert.equal(await notes(), 0);
  const { org: first } = (await world.call('POST', '/orgs', { name: 'First' }, { as: token })).json;
  await world.call('POST', '/api/v1/note', { text: 'of the first' }, { as: token });
  assert.equal(await notes(), 1);
  assert.equal(await me(), first.id);
  const { org: second } = (await world.call('POST', '/orgs', { name: 'Second' }, { as: token })).json;
  assert.equal(await notes(), 0);
  assert.equal(await me(), second.id);
  await world.call('POST', '/orgs/switch', { orgId: first.id }, { as: token });
  assert.equal(await notes(), 1);
});
