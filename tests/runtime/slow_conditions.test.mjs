// A workflow whose condition takes longer than a statement may: its run is a dead letter, and everything else goes on.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { after, before } from 'node:test';
import { databaseOf, sql } from '../lib/admin_sql.mjs';
import { App } from '../lib/app.mjs';
import { Stack, appServers, until } from '../lib/stack.mjs';

const contract = {
  app: { name: 'Slow' },
  auth: { session: { idle: '36500d', max: '36500d' } },
  personas: [{ id: 'member', kind: 'consumer', signup: true }],
  entities: [{ name: 'item', owner: 'none', fields: [{ name: 'title', type: 'string' }], access: { read: ['server'], create: ['server'], update: ['server'] } }],
  workflows: [
    { id: 'plain', on: { entity: 'item', event: 'created' }, steps: [{ id: 'keep', set: { title: '{new.title}' } }] },
    { id: 'asks', on: { entity: 'item', event: 'created' }, if: "new.title != ''", steps: [{ id: 'keep', set: { title: '{new.title}' } }] },
    { id: 'keyed', on: { entity: 'item', event: 'updated' }, key: '{new.title}', keyFor: '36500d', steps: [{ id: 'keep', set: { a: 1 } }] },
    { id: 'by_hand', on: { manual: true }, steps: [{ id: 'keep', set: { a: 1 } }] },
  ],
};

let stack, app, project;
before(async () => {
  stack = await Stack.start();
  await stack.signIn();
  project = await stack.project('Slow');
  app = new App(stack, project);
  await stack.apply(project, contract);
});
after(() => stack?.stop());

const ask = (text) => sql(stack, databaseOf(project), text);
const add = (title) => app.write(app.server(), 'POST', 'item', { title }, 201);
const runs = () => ask("select workflow || ' ' || coalesce(given #>> '{new,title}', '') || ' ' || status || coalesce(' ' || error_code, '') from svc.run order by 1").flat();

test('a run with an endless condition is a dead letter, and all other runs continue', async () => {
  // Each condition of a row with this title never ends; and two seconds are long for a statement.
  ask('alter function svc.ask_value rename to real_ask_value');
  ask(`create function svc.ask_value(p_as text, p_sql text, p_context jsonb) returns text language plpgsql as $$
    begin if p_context #>> '{new,title}' = 'slow' then perform count(*) from generate_series(1, 100000000000) n; end if;
      return svc.real_ask_value(p_as, p_sql, p_context); end $$`);
  const role = /user='?([^' ]+)|:\/\/([^:]+):/.exec(appServers(project)[0].env.DATABASE_URL).slice(1).find(Boolean);
  ask(`alter role "${role}" set statement_timeout = '2s'`);
  ask(`select pg_terminate_backend(pid) from pg_stat_activity where usename = '${role}'`);
  await until('the server to be back', async () => (await app.fetch(app.server(), 'GET', 'api/v1/item')).status === 200);
  for (const title of ['x', 'slow', 'y']) await add(title);
  await app.call(app.server(), 'POST', 'runtime/workflows/by_hand/run', { input: {} }, 202);
  await until('all of them', async () => runs().length === 7 && runs().every((one) => /succeeded|dead/.test(one)));
  assert.deepEqual(runs(), ['asks slow dead TIMEOUT', 'asks x succeeded', 'asks y succeeded', 'by_hand  succeeded', 'plain slow succeeded', 'plain x succeeded', 'plain y succeeded']);
  const log = readFileSync(join(stack.home, 'projects', project.id, 'dev/server.log'), 'utf8');
  assert.equal(log.match(/"event":"start_given_up"/g)?.length, 1, log.slice(-2000));
  const { json } = await app.call(app.server(), 'GET', 'runtime/dlq');
  assert.deepEqual(json.deadLetters.map(({ workflow }) => workflow), ['asks']);
  await add('z');
  await until('the next one', async () => runs().includes('asks z succeeded'));
});

test('a start that the database refuses stops no other work, and goes on where it was', async () => {
  ask(`create function public.refuse() returns trigger language plpgsql as $$
    begin if new.workflow = 'plain' and new.given #>> '{new,title}' = 'bad' then raise exception 'no' using errcode = '22003'; end if; return new; end $$`);
  ask('create trigger refuse before insert on svc.run for each row execute function public.refuse()');
  await add('bad');
  const started = await app.call(app.server(), 'POST', 'runtime/workflows/by_hand/run', { input: {} }, 202);
  await until('another run', async () => (await app.call(app.server(), 'GET', `runtime/runs/${started.json.runId}`)).json.run.status === 'succeeded');
  assert.ok(!runs().some((one) => one.startsWith('plain bad')));
  ask('drop trigger refuse on svc.run');
  await until('what stood still', async () => runs().includes('plain bad succeeded'));
});

test('a key and a session may last a hundred years', async () => {
  const { json: { user } } = await app.call(app.as(await app.signUp('ann')), 'GET', 'auth/me');
  assert.ok(user.id);
  const { id } = await add('keyed');
  await app.write(app.server(), 'PATCH', `item/${id}`, { title: 'kept' }, 200);
  await until('the run', async () => runs().includes('keyed kept succeeded'));
  assert.deepEqual(ask("select until > now() + interval '99 years' from svc.run_key").flat(), ['t']);
});
