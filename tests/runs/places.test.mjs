// How many runs live at a time: places of a concurrency key, and keys that are one run.
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { Engine, http, insert, step } from '../lib/engine.mjs';
import { until } from '../lib/stack.mjs';

let it;

before(async () => { it = await Engine.start(); await it.items(); });
after(() => it.stop());
test.beforeEach(() => it.empty());

test('places of a concurrency key: in line, left out, or taken over', async () => {
  const flow = (overflow) => ({ concurrency: { key: "select $1 #>> '{input,k}'", limit: 2, overflow }, steps: [http('ask'), insert('a', "$1 #>> '{input,n}'")] });
  await it.flows({ line: flow('queue'), out: flow('skip'), over: flow('replace') });
  const start = async (flow, key) => { const runs = []; for (let n = 0; n < 4; n += 1) runs.push(await it.start(flow, { k: key, n: String(n) })); return runs; };
  const statuses = async (runs) => { const all = []; for (const run of runs) all.push(await it.status(run)); return all.join(' '); };

  const line = await start('line', 'k');
  const alone = await it.start('line', { k: 'other', n: 'x' });
  assert.equal((await it.worker.json('select svc.runs_metrics()')).inLine, 2);
  const claims = await it.claim();
  assert.deepEqual(claims.map((claim) => claim.run).sort(), [line[0], line[1], alone].sort());
  await it.advance(claims.find((claim) => claim.run === line[1]));
  await it.advance(claims.find((claim) => claim.run === line[1]), { path: 'ask', ok: true, output: {} });
  const [next] = await it.claim();
  assert.equal(next.run, line[2], 'the oldest first');
  assert.equal((await it.claim()).length, 0);
  assert.equal(await it.worker.json(`select to_json(svc.cancel_run('${line[0]}'))`), true);
  assert.deepEqual((await it.claim()).map((claim) => claim.run), [line[3]]);
  assert.equal(await it.worker.json(`select to_json(svc.cancel_run('${line[0]}'))`), false);

  const out = await start('out', 'k');
  assert.equal(await statuses(out), 'queued queued cancelled cancelled');
  assert.equal((await it.run(out[3])).errorCode, 'SKIPPED');
  const over = await start('over', 'k');
  assert.equal(await statuses(over), 'cancelled cancelled queued queued');
  assert.equal((await it.run(over[0])).errorCode, 'REPLACED');
  // A waiting run that is cancelled releases no slot.
  await it.empty();
  const again = await start('line', 'k');
  await it.worker.run(`select svc.cancel_run('${again[2]}')`);
  assert.deepEqual((await it.claim()).map((claim) => claim.run), again.slice(0, 2));
  await it.worker.run(`select svc.cancel_run('${again[0]}')`);
  assert.deepEqual((await it.claim()).map((claim) => claim.run), [again[3]]);
});

test('a place that came free while those in line were held is theirs once they are released', async () => {
  await it.flows({ line: { concurrency: { key: "select 'k'", limit: 1, overflow: 'queue' }, steps: [insert('a', "$1 #>> '{input,n}'")] } });
  const [first, second, third] = [await it.start('line', { n: 'a' }), await it.start('line', { n: 'b' }), await it.start('line', { n: 'c' })];
  await it.sql(`set role ${it.names.owner}; select svc.hold_runs(); reset role`);
  await it.worker.run(`select svc.cancel_run('${first}')`);
  const release = (run) => it.worker.json(`select svc.release_runs(array['${run}'::uuid])`);
  assert.equal(await release(third), 1);
  await it.work();
  assert.deepEqual([await it.status(second), await it.status(third)], ['held', 'succeeded']);
  assert.equal(await release(second), 1);
  await it.work();
  assert.deepEqual([await it.status(second), await it.titles()], ['succeeded', 'c,b']);
  assert.equal(await it.count('svc.slot'), 0);
});

test('a run that takes a place waits for no step of the one that had it', async () => {
  const steps = [step('switch', 'hold', 'to_jsonb(pg_advisory_xact_lock(42)::text)', { cases: [] }), step('sleep', 'rest', undefined, { seconds: 3600 })];
  await it.flows({ over: { concurrency: { key: "select 'k'", limit: 1, overflow: 'replace' }, steps } });
  const [lock, worker] = [await it.connect(), await it.connect(it.names.system)];
  const fates = () => it.sql('select coalesce(error_code, status) from svc.run order by id');
  await it.start('over');
  const [claim] = await it.claim();
  await lock.run('select pg_advisory_lock(42)');
  const working = it.advance(claim, null, worker);
  await until('a step that waits', async () => await it.count("pg_locks where locktype = 'advisory' and objid = 42 and not granted") > 0);
  for (let n = 0; n < 2; n += 1) await it.start('over');
  assert.deepEqual(await fates(), ['running', 'REPLACED', 'queued'], 'the newest is next, and its start did not wait');
  assert.deepEqual(await it.claim(), [], 'it has no place yet');
  await lock.run('select pg_advisory_unlock(42)');
  assert.deepEqual(await working, { state: 'ended', status: 'cancelled' });
  assert.deepEqual(await fates(), ['REPLACED', 'REPLACED', 'queued']);
  // One that was replaced when its step had looked for that already.
  for (const ends of [(next) => it.advance(next), () => it.worker.run('select svc.start_runs()')]) {
    const [next] = await it.claim();
    await it.sql(`update svc.slot set leaving = true where run = '${next.run}'`);
    await ends(next);
    assert.equal((await fates()).at(-1), 'REPLACED');
    assert.equal(await it.count('svc.slot'), 0);
    await it.start('over');
  }
});

test('many starts and ends at the same time never pass the limit', async () => {
  await it.flows({ w: { concurrency: { key: "select 'k'", limit: 3, overflow: 'queue' }, steps: [insert('a', "'a'")] } });
  const others = await Promise.all([1, 2, 3].map(() => it.connect(it.names.system)));
  let most = 0;
  await Promise.all(others.map(async (other) => {
    for (let n = 0; n < 20; n += 1) {
      await other.run(`select svc.start_run('w', '{}', '{}')`);
      const claims = await it.claim(2, it.owner, other);
      most = Math.max(most, await it.count('svc.slot where holds'));
      for (const claim of claims) await it.advance(claim, null, other);
    }
  }));
  await it.work();
  assert.ok(most <= 3, String(most));
  assert.deepEqual(await it.sql('select status, count(*) from svc.run group by 1'), ['succeeded|60']);
  assert.equal(await it.count('svc.slot'), 0);
});

test('a key is one run while that lives, and for its time', async () => {
  await it.flows({ w: { key: "select $1 #>> '{input,k}'", keyFor: 60, steps: [http('ask')] } });
  const first = await it.start('w', { k: 'a' });
  assert.equal(await it.start('w', { k: 'a' }), first);
  assert.notEqual(await it.start('w', { k: 'b' }), first);
  assert.equal(await it.start('w', {}, ", null, 0, 'a'"), first);
  await it.sql("update svc.run_key set until = now() - interval '1 second'");
  assert.equal(await it.start('w', { k: 'a' }), first, 'it lives');
  await it.worker.run(`select svc.cancel_run('${first}')`);
  const second = await it.start('w', { k: 'a' });
  assert.notEqual(second, first);
  await it.worker.run(`select svc.cancel_run('${second}')`);
  assert.equal(await it.start('w', { k: 'a' }), second, 'its time is not over');
  const racing = await Promise.all((await Promise.all([1, 2, 3, 4].map(() => it.connect(it.names.system))))
    .map((other) => other.run(`select svc.start_run('w', '{"k": "race"}', '{}')`)));
  assert.equal(new Set(racing.flat()).size, 1);
});

test('a dead letter does not go on beside a run that has its key by now', async () => {
  await it.flows({ w: { key: "select $1 #>> '{input,k}'", keyFor: 60, steps: [step('fail', 'no', "to_jsonb('No.'::text)")] } });
  const past = () => it.sql("update svc.run_key set until = now() - interval '1 second'");
  const dead = await it.start('w', { k: 'a' });
  const replayed = () => it.worker.json(`select svc.replay_runs('{${dead}}')`);
  await it.work();
  assert.equal(await replayed(), 1, 'its own key is in nobody\'s way');
  await it.work();
  await past();
  const other = await it.start('w', { k: 'a' });
  assert.notEqual(other, dead);
  assert.equal(await replayed(), 0, 'the other one lives');
  await it.work();
  assert.equal(await replayed(), 0, 'the time of the other one is not over');
  assert.equal(await it.status(dead), 'failed');
  await past();
  assert.equal(await replayed(), 1);
  assert.equal(await it.start('w', { k: 'a' }), dead);
});
