// Commands that follow an app while its service goes away and comes back.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import test, { after, before } from 'node:test';
import { adminSession, databaseOf } from '../lib/admin_sql.mjs';
import { bin, Stack } from '../lib/stack.mjs';
import { Client } from './client.mjs';

const contract = (more = []) => ({
  app: { name: 'Followed' }, personas: [{ id: 'clerk', kind: 'staff' }],
  entities: [{ name: 'note', owner: 'none', fields: [{ name: 'text', type: 'string', required: true }, ...more], access: { read: 'clerk' } }],
  topics: [{ name: 'bell' }],
  workflows: [{ id: 'greet', on: { manual: true }, params: { name: { type: 'string' } }, steps: [{ id: 'say', set: { text: 'Hello {input.name}' } }] }],
});

let stack, client, project;
before(async () => {
  stack = await Stack.start();
  await stack.signIn();
  client = new Client(stack);
  client.env.SVC_TOKEN = stack.session;
  project = await stack.project('Followed');
  await stack.apply(project, contract());
  client.env.SVC_PROJECT = project.id;
});
after(async () => {
  client?.remove();
  await stack?.stop();
});

// A command that runs on: the JSON lines that it has printed, and what it said.
class Follower {
  constructor(...args) {
    this.child = spawn(join(bin, 'svc'), [...args, '--json'], { cwd: client.folder, env: client.env });
    this.lines = [];
    this.said = '';
    this.wake = () => {};
    let rest = '';
    this.child.stdout.on('data', (piece) => {
      rest += piece;
      for (let end; (end = rest.indexOf('\n')) >= 0; rest = rest.slice(end + 1)) this.lines.push(JSON.parse(rest.slice(0, end)));
      this.wake();
    });
    this.child.stderr.on('data', (piece) => {
      this.said += piece;
      this.wake();
    });
    this.ended = new Promise((done) => this.child.on('close', (code) => {
      if (rest) this.lines.push(JSON.parse(rest));
      this.code = code;
      this.wake();
      done(code);
    }));
  }

  async when(probe) {
    while (!probe(this)) {
      assert.equal(this.code, undefined, `it ended: ${this.said}`);
      await new Promise((done) => { this.wake = done; });
    }
  }

  async end() {
    this.child.kill('SIGINT');
    await this.ended;
  }
}

const write = async (text) => {
  const { json } = await stack.dev('POST', `/projects/${project.id}/rows`, { op: 'insert', table: 'note', data: { text } }, { expect: 200 });
  assert.ok(json.ok, JSON.stringify(json));
};
const publish = (payload) => stack.dev('POST', `/projects/${project.id}/topics/bell/publish`, { payload }, { expect: 200 });
const restart = async (signal) => {
  stack.child.kill(signal);
  await stack.ended;
  await stack.run();
};
// A stream has begun when it shows what was there before.
const events = async () => {
  const text = `begin ${process.hrtime.bigint()}`;
  await write(text);
  const follower = new Follower('tail', 'events', '--follow', '--since', '15m');
  await follower.when((it) => texts(it).includes(text));
  return follower;
};
const texts = ({ lines }) => lines.filter(({ kind }) => kind === 'event').map((entry) => entry.new.text);
const away = /svc: The service went away\. Trying again …\n/g;

for (const signal of ['SIGKILL', 'SIGTERM'])
  test(`events go on after a service that ended by ${signal}: none is lost, none comes twice`, async () => {
    const follower = await events();
    await write(`before ${signal}`);
    await follower.when((it) => texts(it).includes(`before ${signal}`));
    await restart(signal);
    await write(`after ${signal}`);
    await follower.when((it) => texts(it).includes(`after ${signal}`));
    const shown = texts(follower).filter((text) => text.endsWith(signal));
    assert.deepEqual(shown, [`before ${signal}`, `after ${signal}`]);
    assert.ok((follower.said.match(away) ?? []).length <= 1, follower.said);
    await follower.end();
  });

const run = async (name) => (await stack.dev('POST', `/projects/${project.id}/workflows/greet/run`, { input: { name } }, { expect: 202 })).json.runId;
const done = (id) => ({ lines }) => lines.some((line) => line.run === id && line.kind === 'run' && line.status === 'succeeded');

test('a run that is committed after others that began later is followed as well', async () => {
  const late = adminSession(stack, databaseOf(project));
  try {
    const [id] = await late.run(`begin; select svc.start_run('greet', '{"name": "Late"}', '{"kind": "manual"}')`);
    const early = await run('Early'), follower = new Follower('logs', '--follow', '--since', '15m');
    await follower.when(done(early));
    await late.run('commit');
    const last = await run('Last');
    await follower.when(done(last));
    assert.ok(follower.lines.some((line) => line.run === id), 'the late run is missing');
    await follower.when(done(id));
    const lines = follower.lines.map((line) => JSON.stringify(line));
    assert.equal(new Set(lines).size, lines.length, 'a line came twice');
    await follower.end();
  } finally {
    late.close();
  }
});

test('topics are listened to, and runs followed, across a restart', async () => {
  await publish('begin');
  const first = await run('Ann');
  const bells = new Follower('topics', 'listen', 'bell', '--since', '15m'), runs = new Follower('logs', '--follow', '--since', '15m');
  await bells.when(({ lines }) => lines.length > 0);
  await runs.when(done(first));
  await restart('SIGKILL');
  await publish('again');
  const second = await run('Bob');
  await bells.when(({ lines }) => lines.some(({ payload }) => payload === 'again'));
  await runs.when(done(second));
  assert.equal(bells.lines.filter(({ payload }) => payload === 'again').length, 1);
  const texts = runs.lines.map((line) => JSON.stringify(line));
  assert.equal(new Set(texts).size, texts.length, 'a line came twice');
  await bells.end();
  await runs.end();
});

test('a command that follows continues through a swap', async () => {
  const follower = await events();
  await stack.apply(project, contract([{ name: 'more', type: 'string' }]));
  await write('swapped');
  await follower.when((it) => texts(it).includes('swapped'));
  assert.equal(follower.said, '');
  await follower.end();
});

test('after a restore it says that something may be missing, and goes on', async () => {
  const { json } = await stack.dev('POST', `/projects/${project.id}/snapshots`, { env: 'dev' }, { expect: 201 });
  const follower = await events();
  await stack.dev('POST', `/projects/${project.id}/snapshots/${json.snapshot?.id ?? json.id}/restore`, { env: 'dev' }, { expect: 200 });
  await follower.when(({ said }) => said.includes('The database was restored. What came before may not be complete.'));
  await follower.when(({ lines }) => lines.some(({ kind }) => kind === 'reset'));
  assert.deepEqual(follower.lines.filter(({ kind }) => kind === 'reset'), [{ kind: 'reset', reason: 'restored' }]);
  await write('restored');
  await follower.when((it) => texts(it).includes('restored'));
  await follower.end();
});

test('a client of its own goes on by the id of an event', async () => {
  const at = `/dev/v1/projects/${project.id}/tail?kind=events&since=0s`;
  const { text } = await stack.fetch('GET', `${at}&lastEventId=abc`, { headers: { authorization: `Bearer ${stack.session}` } });
  assert.match(text, /lastEventId: Must be the id of an event of a stream of this kind/);
});

test('a command that follows ends when its project is deleted', async () => {
  const follower = await events();
  await stack.dev('DELETE', `/projects/${project.id}?confirm=${project.slug}`, undefined, { expect: 200 });
  assert.equal(await follower.ended, 1);
  assert.match(JSON.stringify(follower.lines.at(-1)), /Project not found/);
});

test('where nothing answers, it fails at once', async () => {
  const end = await client.svc(['tail', 'events', '--follow'], { env: { SVC_API: 'http://127.0.0.1:1/dev/v1' } });
  assert.equal(end.code, 1);
  assert.match(end.err, /Nothing answers at/);
  assert.doesNotMatch(end.err, /Trying again/);
});
