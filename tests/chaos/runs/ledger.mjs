// Compares the database with everything that was started. Throws what was lost or done twice.
import assert from 'node:assert/strict';
import { leaves } from './contract.mjs';

const some = (list) => `${list.length}: ${list.slice(0, 10).join(', ')}`;

function notes(world, started) {
  const found = world.sql("select text, count(*) from note where text not like 'tick %' group by 1");
  const twice = found.filter(([, count]) => count !== '1').map(([text]) => text);
  const there = new Set(found.map(([text]) => text));
  const wanted = Object.entries(started).flatMap(([workflow, all]) => all.flatMap((n) => leaves[workflow](n)));
  const lost = wanted.filter((text) => !there.has(text));
  assert.equal(lost.length, 0, `lost effects, ${some(lost)}`);
  assert.equal(twice.length, 0, `doubled effects, ${some(twice)}`);
  assert.equal(there.size, wanted.length, 'effects of runs that nobody started');
}

function runs(world) {
  const wrong = world.sql(`select id, workflow, status, error_code, error from svc.run where status <> 'succeeded'
    and not (workflow = 'ticks' and status in ('queued', 'running', 'waiting'))`);
  assert.deepEqual(wrong, [], 'runs that did not succeed');
  const steps = world.sql("select run, path from svc.step where status = 'succeeded' group by 1, 2 having count(*) > 1");
  assert.deepEqual(steps, [], 'steps that succeeded twice');
}

function calls(world, called) {
  const keys = new Set(world.sql("select id || '/call' from svc.run where workflow in ('by_hand', 'by_row')").flat());
  const unknown = called.answered.filter((key) => !keys.has(key));
  const missing = [...keys].filter((key) => !called.answered.includes(key));
  assert.deepEqual([unknown, missing], [[], []], 'each run calls by its own key');
}

// Every second has its tick, however long nobody was up.
function ticks(world) {
  const gaps = world.sql(`select planned_at from (select planned_at, planned_at - lag(planned_at) over (order by planned_at) as gap
    from svc.tick where workflow = 'ticks') t where gap <> interval '1 second'`);
  assert.deepEqual(gaps, [], 'ticks that are missing or moved');
  const twice = world.sql("select text from note where text like 'tick %' group by 1 having count(*) > 1");
  assert.deepEqual(twice, [], 'ticks that came twice');
  const lost = world.sql(`select t.planned_at from svc.tick t left join svc.run r on r.id = t.run where t.workflow = 'ticks' and r.id is null`);
  assert.deepEqual(lost, [], 'ticks without a run');
}

export function settle(world, started, called) {
  runs(world);
  notes(world, started);
  calls(world, called);
  ticks(world);
}
