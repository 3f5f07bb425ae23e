// A crash of PostgreSQL may undo a claim of a run, since a claim does not wait for the disk. The next claim of the same
// server then has the same fence, and the run goes on under it, although the server still works on the claim before.
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { adminSession, databaseOf, sql as query } from '../lib/admin_sql.mjs';
import { addItem, setFlows, step, workflow } from '../lib/flows.mjs';
import { Stack, until } from '../lib/stack.mjs';

const contract = {
  app: { name: 'Undone' },
  personas: [],
  entities: [{ name: 'item', owner: 'none', fields: [{ name: 'title', type: 'string' }], access: { read: ['*'], create: ['*'] } }],
  seeds: {},
};
const kAtOnce = 4;  // transactions of runs of one server

let stack, app, holder;
const sql = (text) => query(stack, databaseOf(app), text);
const value = (text) => sql(text)[0]?.[0];
const start = (name) => value(`select svc.start_run('${name}', '{}', '{"kind": "manual"}')`);
const number = () => value('select max(incarnation) from svc.process');

before(async () => {
  stack = await Stack.start();
  await stack.signIn();
  app = await stack.project('Undone');
  await stack.apply(app, contract);
  sql("insert into item (title) values ('locked')");
  sql(setFlows([
    workflow('waits', [step('change', 'update', { sql: "with w as (update public.item set title = title where title = 'locked' returning *) select to_jsonb(w) from w" })]),
    workflow('goes', [addItem('one', "'it went on'")]),
  ]));
  holder = adminSession(stack, databaseOf(app));
});
after(async () => {
  holder?.close();
  await stack?.stop();
});

test('a run whose claim was undone goes on under the next one', async () => {
  await holder.run("begin; select from item where title = 'locked' for update");
  const waiting = Array.from({ length: kAtOnce }, () => start('waits'));
  await until('the runs to wait for the row', () => value("select count(*) from pg_stat_activity where wait_event_type = 'Lock' and query like '%svc.advance(%'") === String(kAtOnce));
  const run = start('goes');
  const [owner, fence] = await until('its claim', () => sql(`select owner, fence from svc.run where id = '${run}' and owner is not null`)[0]);
  // As the crash leaves it: the row is as before the claim, and the server has lost its connection.
  const undoing = adminSession(stack, databaseOf(app));
  try {
    await undoing.run(`begin; update svc.run set owner = null, fence = fence - 1, status = 'queued' where id = '${run}'`);
    sql("select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and classid = 827001 and granted");
    await until('another number of the server', () => number() !== owner);
    await undoing.run('commit');
  } finally {
    undoing.close();
  }
  await until('the next claim', () => value(`select owner from svc.run where id = '${run}'`) === number());
  assert.equal(value(`select fence from svc.run where id = '${run}'`), fence, 'the fence of the claim that was undone');
  await holder.run('rollback');
  const ids = [run, ...waiting].map((id) => `'${id}'`).join();
  await until('all runs to end', () => value(`select count(*) from svc.run where id in (${ids}) and status = 'succeeded'`) === String(ids.split(',').length));
  assert.equal(value("select count(*) from item where title = 'it went on'"), '1');
});
