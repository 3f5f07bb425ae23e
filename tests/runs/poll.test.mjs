// What a server asks each second (svc.poll): what it reads, takes and is told.
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { Engine, insert } from '../lib/engine.mjs';

let it;

before(async () => { it = await Engine.start(); await it.items(); });
after(() => it.stop());
test.beforeEach(() => it.empty());

const on = { kind: 'event', table: 'item', event: 'created' };
const flow = (more = {}) => ({ w: { trigger: on, steps: [insert('a', "'a'")], if: "select $1 #>> '{new,title}' <> 'a'", ...more } });
const write = (...titles) => it.sql(`insert into public.item (title) select unnest('{${titles}}'::text[])`);

// `most` and `begins` as in poll.sql; what it took as "run fence".
async function poll({ most = 10, begins = most, asks = false, owner } = {}) {
  owner ??= await it.alive();
  const told = await it.worker.json(`select to_json(p) from svc.poll(${owner}, false, null, 500, ${most}, ${begins}, ${asks}, false) p`);
  const fences = told.fences?.split(',') ?? [];
  return { ...told, taken: told.runs?.split(',').map((run, n) => `${run} ${fences[n]}`).sort() ?? [] };
}
const runs = (where = 'true') => it.sql(`select id || ' ' || fence from svc.run where ${where} order by id`);

test('a run that begins with a poll is taken by it, and goes on like any other', async () => {
  await it.flows(flow());
  await write('one', 'two');
  const { taken, read } = await poll();
  assert.equal(read, 2);
  assert.equal(taken.length, 2);
  assert.deepEqual(taken, await runs(`owner = ${it.owner} and status = 'running' and started_at is not null and fence = 1`));
  assert.deepEqual((await poll()).taken, [], 'once');
  for (const one of taken) {
    const [run, fence] = one.split(' ');
    assert.equal((await it.advance({ run, fence, owner: it.owner })).status, 'succeeded');
  }
});

test('no more than the process has room for begin taken; others may take the rest', async () => {
  await it.flows(flow());
  await write('one', 'two', 'three');
  assert.equal((await poll({ most: 2 })).taken.length, 2);
  assert.equal((await runs("status = 'queued' and owner is null and fence = 0")).length, 1);
  assert.equal((await poll()).taken.length, 1);
  await write('four');
  assert.equal((await poll({ begins: 0, most: 0 })).taken.length, 0);
  assert.equal((await poll()).taken.length, 1);
});

test('what was due before is taken with what begins, where all is asked for', async () => {
  await it.flows({ ...flow(), m: { steps: [insert('a', "'a'")] } });
  await it.start('m');
  await write('one');
  const [begun] = (await poll()).taken;
  assert.deepEqual(await runs(`owner = ${it.owner}`), [begun]);
  await write('two');
  assert.equal((await poll({ asks: true })).taken.length, 2);
});

test('a run that waits for a place, or that cannot begin, is not taken as it begins', async () => {
  await it.flows(flow({ concurrency: { key: "select 'k'", limit: 1, overflow: 'queue' } }));
  await write('one', 'two');
  assert.equal((await poll({ asks: true })).taken.length, 1, 'by a claim');
  assert.equal((await runs('due_at is null and owner is null')).length, 1);
  await it.empty();
  await it.flows(flow({ if: 'select 1 / 0 = 1' }));
  await write('one');
  assert.deepEqual((await poll()).taken, []);
  assert.equal((await runs("status = 'dead' and owner is null")).length, 1);
});

test('a process that was taken for dead takes nothing that begins', async () => {
  await it.flows(flow());
  const owner = await it.alive();
  await it.sql(`delete from svc.process where incarnation = ${owner}`);
  await write('one');
  assert.deepEqual((await poll({ owner, asks: true })).taken, []);
  assert.equal((await runs("status = 'queued' and owner is null")).length, 1);
  assert.equal((await poll()).taken.length, 1);
});

test('a poll says what is due next if it took nothing, or is asked', async () => {
  await it.flows({ ...flow(), nap: { steps: [{ id: 'rest', kind: 'sleep', seconds: 90 }] } });
  assert.deepEqual([(await poll()).asked, (await poll()).run_due], [true, null]);
  await write('one');
  assert.equal((await poll()).asked, false);
  await write('two');
  assert.equal((await poll({ asks: true })).asked, true);
});

test('a process without a number reads and takes nothing', async () => {
  await it.flows(flow());
  await write('one');
  const told = await it.worker.json('select to_json(p) from svc.poll(null, false, null, 500, 10, 10, false, false) p');
  assert.deepEqual([told.read, told.runs, told.asked], [1, null, true]);
  assert.equal((await runs("status = 'queued' and owner is null")).length, 1);
});
