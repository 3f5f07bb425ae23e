// Where svcd is root each project's app servers are a unix user of their own: what a fault in one of them opens of
// another project. Where it is not root there is one user only, and nothing to try.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import test, { after, before } from 'node:test';
import { sql } from '../lib/admin_sql.mjs';
import { Stack, appServers, bin, until } from '../lib/stack.mjs';

const range = { SVC_APP_USERS: '71000-71009' };
const skip = process.getuid() !== 0;
const contract = (name) => ({
  app: { name },
  personas: [{ id: 'member', kind: 'consumer', signup: true }],
  entities: [{ name: 'thing', owner: 'none', fields: [{ name: 'code', type: 'string' }], access: { read: '*', create: '*' } }],
});

let stack, one, two;
before(async () => {
  if (skip) return;
  stack = await Stack.start(range);
  await stack.signIn();
  [one, two] = [await stack.project('One'), await stack.project('Two')];
  for (const project of [one, two]) await stack.apply(project, contract(project.name));
});
after(() => stack?.stop());

const serverOf = (project) => {
  const [{ pid, env }] = appServers(project);
  return { pid, env, uid: statSync(`/proc/${pid}`).uid };
};
const as = (uid, ...words) => spawnSync('setpriv', [`--reuid=${uid}`, `--regid=${uid}`, '--clear-groups', ...words], { encoding: 'utf8' });
const ask = (project) => stack.fetch('GET', '/__svc/api/v1/thing', {
  host: `preview-${project.slug}.localhost`, headers: { authorization: `Bearer ${project.server}`, 'x-svc-data-api': '1' },
});

test('two projects are two users, and neither is root', { skip }, () => {
  const [a, b] = [serverOf(one), serverOf(two)];
  assert.notEqual(a.uid, b.uid);
  for (const { uid } of [a, b]) assert.ok(uid > 71000 && uid <= 71009, String(uid));
});

test('one app reads no environment, file or socket of another, and sends it no signal', { skip }, () => {
  const [a, b] = [serverOf(one), serverOf(two)];
  assert.notEqual(as(a.uid, 'cat', `/proc/${b.pid}/environ`).status, 0);
  assert.equal(as(b.uid, 'cat', `/proc/${b.pid}/environ`).status, 0, 'its own it may');
  assert.notEqual(as(a.uid, 'kill', '-0', String(b.pid)).status, 0);
  assert.notEqual(as(a.uid, 'ls', '-l', `/proc/${b.pid}/fd`).status, 0);
  const folder = dirname(b.env.SVC_REQUESTS);
  const [socket] = readdirSync(folder).filter((name) => name.endsWith('.sock'));
  assert.ok(socket);
  assert.notEqual(as(a.uid, 'ls', folder).status, 0);
  assert.notEqual(as(a.uid, 'cat', b.env.SVC_REQUESTS).status, 0);
  const connect = 'socket(S, AF_UNIX, SOCK_SEQPACKET, 0); connect(S, sockaddr_un($ARGV[0])) or die "$!"';
  assert.match(as(a.uid, '/usr/bin/perl', '-MSocket', '-e', connect, join(folder, socket)).stderr, /^Permission denied/);
  for (const path of ['projects', 'cache', 'postgres']) assert.notEqual(as(a.uid, 'ls', join(stack.home, path)).status, 0, path);
  for (const path of ['master.key', `projects/${two.id}/dev/server.log`]) assert.notEqual(as(a.uid, 'cat', join(stack.home, path)).status, 0, path);
});

test('PostgreSQL knows them apart: nobody is another app\'s role without its password', { skip }, () => {
  const [a, b] = [serverOf(one), serverOf(two)];
  const user = /user='?([^' ]+)|:\/\/([^:]+):/.exec(b.env.SVC_DATA_URL).slice(1).find(Boolean);
  assert.ok(user);
  const tried = as(a.uid, 'psql', '-Xw', '-h', join(stack.home, 'run/pg'), '-U', user, '-d', `svc_${two.id.replaceAll('-', '').slice(-12)}_dev`, '-c', 'select 1');
  assert.match(tried.stderr, /no password supplied/);
});

test('a number stays its project\'s over a kill and a start, and the standby reaches every app meanwhile', { skip }, async () => {
  const before = [one, two].map((project) => serverOf(project));
  stack.child.kill('SIGKILL');
  await stack.ended;
  for (const project of [one, two]) await until('the standby to pass the call on', async () => (await ask(project).catch(() => null))?.status === 200);
  await stack.run();
  for (const project of [one, two]) await until('the app', async () => (await ask(project)).status === 200);
  assert.deepEqual([one, two].map((project) => serverOf(project).uid), before.map(({ uid }) => uid));
  assert.deepEqual([one, two].map((project) => serverOf(project).pid), before.map(({ pid }) => pid), 'they were taken over');
});

test('a verification runs as a user of its own, and numbers come back when nothing is left of a project', { skip }, async () => {
  const verified = await stack.dev('POST', `/projects/${one.id}/verify`, {}, { expect: 200 });
  assert.equal(verified.json.pass, true, verified.text);
  const users = () => sql(stack, 'svc_platform', `select purpose, uid from unix_user where project_id = '${one.id}' order by 1`);
  const held = users();
  assert.deepEqual(held.map(([purpose]) => purpose), ['app', 'verify']);
  assert.notEqual(held[0][1], held[1][1]);
  const { slug } = (await stack.dev('GET', `/projects/${one.id}`, undefined, { expect: 200 })).json.project ?? one;
  await stack.dev('DELETE', `/projects/${one.id}?confirm=${slug}`, undefined);
  assert.deepEqual(users(), []);
  assert.deepEqual(readdirSync(join(stack.home, 'run/apps')).length, 1);
  const three = await stack.project('Three');
  await stack.apply(three, contract('Three'));
  assert.equal(String(serverOf(three).uid), held[0][1]);
  assert.equal((await ask(two)).status, 200);
});

test('a malformed range is refused before anything starts', { skip }, () => {
  for (const wrong of ['70000', '70000-69999', '0-10', 'app-b']) {
    const tried = spawnSync(join(bin, 'svcd'), [], { env: { ...process.env, SVC_HOME: join(stack.home, 'none'), SVC_APP_USERS: wrong }, encoding: 'utf8' });
    assert.equal(tried.status, 2, tried.stderr);
    assert.match(tried.stderr, /SVC_APP_USERS/);
  }
});
