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
  personas: [{ id: 'member', kind: 'consumer', signup: true }],
  entities: [{ name: 'item', owner: 'none', fields: [{ name: 'title', type: 'string' }], access: { read: ['server'], create: ['server'] } }],
  workflows: [
    { id: 'plain', on: { entity: 'item', event: 'created' }, steps: [{ id: 'keep', set: { title: '{new.title}' } }] },
    { id: 'asks', on: { entity: 'item', event: 'created' }, if: "new.title != ''", steps: [{ id: 'keep', set: { title: '{new.title}' } }] },
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
