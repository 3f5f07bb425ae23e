// Much of everything: large outputs, many dead letters, many runs that a restore holds.
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { Engine, insert, set, step } from '../lib/engine.mjs';

let it;
before(async () => { it = await Engine.start(); await it.items(); });
after(() => it.stop());
test.beforeEach(() => it.empty());

const once = { retry: { max: 1, base: 1, factor: 1, cap: 1 } };
const megabytes = (n, more = {}) => set('each', "repeat('x', 1 << 20)", { for: { as: 'x', list: `select jsonb_agg(g) from generate_series(1, ${n}) g` }, ...once, ...more });

test('a loop may give 32 MiB; more is a step that failed, and each replay says so again', async () => {
  await it.flows({ fits: { steps: [megabytes(31), set('n', "jsonb_array_length($1 #> '{steps,each}')")] },
    over: { steps: [megabytes(33), insert('a', "'never'")] }, lax: { steps: [megabytes(33, { onError: 'continue' }), insert('a', "coalesce($1 #>> '{steps,each}', 'none')")] } });
  const [fits, over, lax] = [await it.start('fits'), await it.start('over'), await it.start('lax')];
  await it.work();
  assert.equal(await it.status(fits), 'succeeded');
  for (let n = 1; n < 3; n += 1) {
    const dead = await it.run(over);
    assert.deepEqual([dead.status, dead.errorCode, dead.failedStep], ['dead', 'TOO_LARGE', 'each']);
    assert.equal(dead.steps.filter(({ path }) => path === 'each').length, n);
    assert.equal(dead.steps.length, 33 + n, 'no element is done again');
    assert.equal(await it.worker.json('select svc.replay_runs()'), 1);
    await it.work();
  }
  assert.equal(await it.status(lax), 'succeeded');
  assert.equal(await it.titles(), 'none');
  assert.deepEqual(await it.sql('select distinct run from svc.element'), [over]);
});

test('a run with very large outputs can be read, listed and cancelled', async () => {
  await it.flows({ w: { steps: [step('fail', 'no', "to_jsonb('No.'::text)")] } });
  const run = await it.start('w');
  await it.work();
  await it.sql(`insert into svc.step (run, path, attempt, kind, status, output) select '${run}', 'each[' || n || ']', 1, 'http', 'succeeded', jsonb_build_object('body', repeat('x', 1000000))
    from generate_series(1, 300) n; insert into svc.step (run, path, attempt, kind, status) select '${run}', 'no', n, 'fail', 'failed' from generate_series(2, 3) n`);
  const { steps } = await it.run(run);
  assert.equal(steps.length, 303);
  assert.deepEqual(steps.find(({ path }) => path === 'each[7]').output, { omitted: 'This output has 1000012 bytes. At most 65536 are shown.' });
  assert.equal((await it.worker.json("select svc.list_runs(null, 'dlq')")).attempts, 3);
  const known = (id) => it.worker.json(`select to_json(svc.has_run('${id}'))`);
  assert.deepEqual([await known(run), await known('00000000-0000-7000-8000-000000000001')], [true, false]);
});

const placed = { concurrency: { key: "select $1 #>> '{input,n}'", limit: 1, overflow: 'queue' }, steps: [insert('a', "$1 #>> '{input,n}'")] };
// So many runs, each with a place of its own key, as they would be after `then`.
async function many(n, then) {
  await it.flows({ w: placed });
  await it.sql(`insert into svc.run (workflow, hash, status, trigger, given, slot, started_at, ended_at, error, error_code)
    select 'w', f.hash, 'dead', '{}', jsonb_build_object('input', jsonb_build_object('n', n)), n, now(), now(), 'x', 'TIMEOUT'
    from svc.flow f, generate_series(1, ${n}) n where f.name = 'w'`);
  if (then) await it.sql(then);
}

test('dead letters go on in parts, and those that stay dead are passed', async () => {
  await many(2500, `update svc.run set key = 'taken' where given #>> '{input,n}' = '1700'; insert into svc.run_key values ('w', 'taken', svc.new_id(), 'infinity')`);
  const part = (after, leaves = false) => it.worker.json(`select to_json(p) from svc.replay_part(${after ? `'${after}'` : 'null'}, ${leaves}) p`);
  const counts = [];
  let reached = null;
  for (let next; (next = await part(reached, true)).reached; reached = next.reached) counts.push(next.replayed);
  counts.push((await part(reached)).replayed);
  assert.deepEqual(counts, [1000, 999, 500]);
  assert.equal(await it.count("svc.run where status = 'dead'"), 1);
});

test('held runs are released and dropped in parts', async () => {
  await many(2500, `update svc.run set status = 'held', ended_at = null, error = null, error_code = null; insert into svc.slot select workflow, slot, id, true from svc.run where given #>> '{input,n}' <> '1';
    insert into svc.slot select workflow, '1', id, false from svc.run where given #>> '{input,n}' = '1'`);
  const does = (what) => it.worker.json(`select svc.${what}_held('runs')`);
  assert.deepEqual([await does('release'), await does('drop'), await does('drop'), await does('drop')], [1000, 1000, 500, 0]);
  assert.equal(await it.count("svc.slot where not holds"), 0, 'a place that was free is given');
  assert.equal(await it.count('svc.slot'), 1000);
});
