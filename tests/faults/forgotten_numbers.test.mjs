// PostgreSQL forgets in a crash what ended without reaching the disk, and gives its transactions' numbers out once more. A
// reader of changes who has seen the first of a number to its end misses nothing that the second one writes.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import test, { after, before } from 'node:test';
import { Engine, step } from '../lib/engine.mjs';
import { Sql } from '../lib/sql.mjs';
import { until } from '../lib/stack.mjs';

let it;
before(async () => {
  it = await Engine.start();
  await it.items();
  await it.sql("alter system set wal_writer_delay = '10s'");
  await it.sql('select pg_reload_conf()');
});
after(() => it.stop());

const number = 'pg_current_xact_id()::text';
// What ends without the disk: rolled back, or committed by who does not wait for it.
const ends = { 'is rolled back': `begin; select ${number}; rollback`, 'does not wait for the disk': `set synchronous_commit = off; select ${number}; reset synchronous_commit` };

// One backend that dies takes all others along, and what PostgreSQL had not written yet.
async function crash() {
  const [pid] = await it.sql('select pg_backend_pid()');
  process.kill(Number(pid), 'SIGKILL');
  for (const one of it.connections) one.close();
  // Until the postmaster has seen its end, connections may still begin, and would end with the others.
  await until('the backend to be gone', () => !existsSync(`/proc/${pid}`));
  await until('PostgreSQL to be back', async () => {
    const [one] = it.connections = [new Sql(it.url)];
    return one.run('select 1').then(() => true, () => false);
  });
  [it.admin] = it.connections;
}

// Ten more, whose titles say their numbers; {title: number}
async function write() {
  const out = {};
  for (let n = 0; n < 10; n += 1) out[`number ${n}`] = Number((await it.sql(`insert into public.item (title) values ('number ${n}') returning ${number}`))[0]);
  return out;
}

const cursors = {
  'that begins to read': async () => (await it.sql('select svc.change_cursor()'))[0],
  'that has read changes': async (from) => (await it.sql(`select next from svc.changes_since('${from}') order by seq desc limit 1`))[0],
  'that has read changes and messages': async (from) => (await it.sql(`select next from svc.feed_since('${from}') order by seq desc limit 1`))[0],
  'that has read a page at a time': async (from) => {
    let next = from;
    for (let n = 0; n < 3; n += 1) [next] = await it.sql(`select next from svc.feed_since('${next}', 1)`);
    return next;
  },
  'that has read nothing new': async (from) => {
    const [next] = await it.sql(`select next from svc.feed_since('${from}') order by seq desc limit 1`);
    return (await it.sql(`select next from svc.feed_since('${next}')`))[0];
  },
};

for (const [reader, taken] of Object.entries(cursors)) for (const [end, statements] of Object.entries(ends))
  test(`a reader ${reader}, and a transaction that ${end}`, async () => {
    let given, from, forgotten;
    await until('a number that is given out twice', async () => {
      const [start] = await it.sql('select svc.change_cursor()');
      await it.sql("insert into public.item (title) values ('before'), ('before'), ('before')");
      [forgotten] = (await it.sql(statements)).map(Number);
      from = await taken(start);
      await crash();
      given = await write();
      return Object.values(given).includes(forgotten);
    });
    for (const read of ['changes_since', 'feed_since'])
      assert.deepEqual(await it.sql(`select new ->> 'title' from svc.${read}('${from}') order by seq`), Object.keys(given), `svc.${read} from ${from}, ${forgotten} twice`);
  });

// What a run keeps of the transactions that had ended is a row: it is lost with what it says, or neither is.
const waits = { waits: true, steps: [step('waitFor', 'hear', "jsonb_build_object('topic', 'app:go')", { timeout: 3600 })] };
const runs = {
  'was started by hand': async () => { await it.start('w'); },
  'was started by a change, without the disk': async () => {
    await it.sql("insert into public.item (title) values ('go')");
    await it.worker.run('set synchronous_commit = off; select svc.start_runs(); reset synchronous_commit');
  },
  'waits': async () => { await it.start('w'); await it.work(); },
  'is held, as after a restore': async () => { await it.start('w'); await it.work(); await it.sql('select svc.hold_runs()'); },
};

// A process of the engine; a crash ended the one before.
async function begin(name) {
  it.worker = await it.connect(it.names.system);
  it.owner = await it.worker.json(`select svc.new_incarnation('${name}')`);
}

for (const [which, made] of Object.entries(runs)) for (const [end, statements] of Object.entries(ends))
  test(`a run that ${which}, and a transaction that ${end}`, async () => {
    await begin('here');
    await it.empty();
    await it.flows({ w: waits, by_change: { ...waits, trigger: { kind: 'event', table: 'item', event: 'created' } } });
    await it.sql(statements);
    await made();
    await it.sql(statements);
    await crash();
    await begin('again');
    for (let n = 0; n < 4; n += 1) await it.sql(`select svc.publish('app:go', '${n}')`);
    await it.sql('select svc.release_runs()');
    for (let n = 0; n < 3; n += 1) {
      await it.worker.run('select svc.start_runs()');
      await it.work();
    }
    assert.deepEqual(await it.sql("select distinct status from svc.run"), ['succeeded']);
    assert.equal((await it.sql('select count(*) from svc.run'))[0], '1');
    const heard = await it.sql("select output #>> '{payload}' from svc.step where path = 'hear'");
    assert.deepEqual(heard, ['0'], 'the first message that came since');
  });
