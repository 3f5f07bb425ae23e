// svcd repeats a revocation until it reaches every running server. An app whose database could not be reached when svcd
// started is started later.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readlinkSync } from 'node:fs';
import test, { after, before } from 'node:test';
import { asAdmin, databaseOf, sql } from '../lib/admin_sql.mjs';
import { request } from '../lib/http.mjs';
import { Stack, appServers, freePort, sample, until } from '../lib/stack.mjs';
import { Team } from '../lib/team.mjs';

let stack, team, project;
before(async () => {
  stack = await Stack.start();
  await stack.signIn();
  team = new Team(stack);
  project = await stack.project('Unsent');
  await stack.apply(project, sample('hello'));
});
after(() => stack?.stop());

const keys = (of = project) => `/projects/${of.id}/keys`;
const make = async (token) => (await stack.dev('POST', keys(), { name: 'k', kind: 'server' }, { expect: 201, token })).json;
const marked = (key) => ({ authorization: `Bearer ${key}`, 'x-svc-data-api': '1' });
const asks = async (key) => (await stack.fetch('GET', '/__svc/api/v1/reading?limit=1', { host: `preview-${project.slug}.localhost`, headers: marked(key) })).status;
const killed = () => { stack.child.kill('SIGKILL'); return stack.ended; };
const unsent = (what = 'keys') => sql(stack, 'svc_platform', `select 1 from ${what}_unsent`).length;
const heard = (key) => until('the key ends in the running server', async () => (await asks(key)) === 401);

// Nobody writes the app's keys, or another table of svc's, while `work` runs.
async function lockedOut(work, table = 'app_key') {
  const { args, env } = asAdmin(stack, databaseOf(project));
  const holder = spawn('psql', [...args, '-At'], { env, stdio: ['pipe', 'pipe', 'inherit'] });
  holder.stdin.write(`begin; lock table svc.${table} in exclusive mode; select 'locked';\n`);
  await new Promise((done) => holder.stdout.once('data', done));
  try {
    return await work();
  } finally {
    const ended = new Promise((done) => holder.once('exit', done));
    holder.stdin.end();
    await ended;
  }
}

test('a key whose end cannot be sent does not count as revoked, and ends when it can', async () => {
  const key = await make();
  assert.equal(await asks(key.key), 200);
  await lockedOut(async () => {
    for (const turn of ['first', 'repeated']) {
      const { status, json, headers } = await stack.dev('DELETE', `${keys()}/${key.id}`);
      assert.deepEqual([turn, status, json.code], [turn, 503, 'UNAVAILABLE']);
      assert.match(json.error, /not confirmed it yet/);
      assert.equal(headers['retry-after'], '5');
    }
    assert.equal(await asks(key.key), 200);
  });
  await heard(key.key);
  await until('nothing is left to tell', () => unsent() === 0);
  assert.equal((await stack.dev('DELETE', `${keys()}/${key.id}`)).status, 404);
});

test('keys of a removed member end although the app\'s database was locked', async () => {
  const person = await team.person('leaves@team.test', 'developer');
  const key = await make(person.session);
  const { status } = await lockedOut(() => team.remove(person.id));
  assert.equal(status, 503);
  await heard(key.key);
});

test('a svcd that is killed before it could send the change does so after its restart', async () => {
  const key = await make();
  await lockedOut(async () => {
    assert.equal((await stack.dev('DELETE', `${keys()}/${key.id}`)).status, 503);
    await killed();
  });
  await stack.run();
  await heard(key.key);
  await until('nothing is left to tell', () => unsent() === 0);
});

test('a secret whose end cannot be sent is sent when it can', async () => {
  const path = `/projects/${project.id}/secrets/SMTP_URL`;
  const held = () => sql(stack, databaseOf(project), "select 1 from svc.secret where name = 'SMTP_URL'").length;
  await stack.dev('PUT', path, { value: 'smtp://mail.example.test:25/' }, { expect: 201 });
  assert.equal(held(), 1);
  await lockedOut(async () => {
    for (const turn of ['first', 'repeated']) {
      const { status, json, headers } = await stack.dev('DELETE', path);
      assert.deepEqual([turn, status, json.code, headers['retry-after']], [turn, 503, 'UNAVAILABLE', '5']);
    }
    assert.equal(held(), 1);
  }, 'secret');
  await until('the app has it no more', () => held() === 0);
  await until('nothing is left to tell', () => unsent('secrets') === 0);
  assert.equal((await stack.dev('DELETE', path)).json.code, 'SECRET_NOT_FOUND');
});

test('a second server of the app, which svcd does not know, gets it too', async () => {
  const [first] = appServers(project);
  const port = await freePort();
  const other = spawn(readlinkSync(`/proc/${first.pid}/exe`), ['--listen', `127.0.0.1:${port}`], { env: first.env, stdio: 'inherit' });
  const there = async (key) => (await request({ port, method: 'GET', path: '/__svc/api/v1/reading?limit=1', headers: { host: `preview-${project.slug}.localhost`, ...marked(key) } }).catch(() => null))?.status;
  try {
    const key = await make();
    await until('the other server takes the new key', async () => (await there(key.key)) === 200);
    await stack.dev('DELETE', `${keys()}/${key.id}`, undefined, { expect: 200 });
    await until('the key ends there', async () => (await there(key.key)) === 401);
  } finally {
    other.kill('SIGKILL');
  }
});

test('an app whose database is away when svcd starts is expected, and started when it is back', async () => {
  const allow = (yes) => sql(stack, 'svc_platform', `update pg_database set datallowconn = ${yes} where datname = '${databaseOf(project)}'`);
  await killed();
  for (const { pid } of appServers(project)) process.kill(pid, 'SIGKILL');
  allow(false);
  await stack.run();
  const { status, headers } = await stack.fetch('GET', '/__svc/api/v1/reading', { host: `preview-${project.slug}.localhost`, headers: marked(project.server) });
  assert.equal(status, 503);
  assert.ok(headers['retry-after']);
  allow(true);
  await until('the app answers', async () => (await asks(project.server)) === 200);
  const { json } = await stack.dev('GET', `/projects/${project.id}`, undefined, { expect: 200 });
  assert.equal(json.project.app?.lastError ?? json.runtime?.lastError ?? null, null, JSON.stringify(json));
});
