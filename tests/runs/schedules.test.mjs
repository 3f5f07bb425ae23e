// Planned times, and the runs that they start.
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { Engine, insert, set } from '../lib/engine.mjs';
import { literal } from '../lib/sql.mjs';
import { until } from '../lib/stack.mjs';

let it;

before(async () => { it = await Engine.start(); await it.items(); });
after(() => it.stop());
test.beforeEach(() => it.empty());

test('a planned time starts one run, whichever server comes first', async () => {
  await it.flows({ w: { trigger: { kind: 'cron', cron: '* * * * *', tz: 'UTC' }, steps: [insert('a', "$1 #>> '{input,at}'")] } });
  assert.deepEqual(await it.worker.json("select json_agg(next_at is null) from svc.schedules()"), [true]);
  const tick = (planned) => it.worker.json(`select to_json(svc.tick_schedule('w', ${planned}, '2100-01-01'))`);
  const later = "date_trunc('minute', now()) + interval '1 minute'";
  assert.equal(await tick('null'), false);
  assert.equal(await tick(later), true);
  assert.equal(await tick(later), false);
  await it.work();
  assert.equal(await it.count('public.item'), 1);
  assert.equal((await it.worker.run('select svc.next_due()'))[0], '2100-01-01 00:00:00+00');
  // One whose start failed for good is over, and starts nothing.
  const last = "date_trunc('minute', now()) + interval '2 minutes'";
  assert.equal(await it.worker.json(`select to_json(svc.tick_schedule('w', ${last}, '2100-01-01', false, true))`), false);
  assert.equal(await tick(last), false);
  assert.equal(await it.count('svc.run'), 1);
});

test('a planned time that waited for an apply writes nothing over the schedule of the apply', async () => {
  const cron = (text) => ({ trigger: { kind: 'cron', cron: text, tz: 'UTC' }, steps: [set('a', '1')] });
  await it.flows({ w: cron('0 7 * * *') });
  const [spec] = await it.sql('select spec from svc.schedule');
  const applying = await it.connect();
  await applying.run(`begin; update svc.schedule set spec = jsonb_set(spec, '{cron}', '"*/5 * * * *"'), next_at = null, after = now()`);
  const tick = it.worker.json(`select to_json(svc.tick_schedule('w', now() + interval '1 minute', '2100-01-01', p_spec => ${literal(spec)}))`);
  await until('the tick to wait', () => it.json("select to_json(count(*) > 0) from pg_stat_activity where wait_event_type = 'Lock' and query like '%tick_schedule%'"));
  await applying.run('commit');
  assert.equal(await tick, false);
  assert.deepEqual(await it.sql('select coalesce(next_at::text, spec ->> \'cron\') from svc.schedule'), ['*/5 * * * *']);
  assert.deepEqual([await it.count('svc.run'), await it.count('svc.tick')], [0, 0]);
  const [live] = await it.sql('select spec from svc.schedule');
  assert.equal(await it.worker.json(`select to_json(svc.tick_schedule('w', now() + interval '1 minute', '2100-01-01', p_spec => ${literal(live)}))`), true);
});
