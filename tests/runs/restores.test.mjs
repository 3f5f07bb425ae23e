// What a restored database holds, until somebody releases or drops it.
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { Engine, insert, step } from '../lib/engine.mjs';

let it;

before(async () => { it = await Engine.start(); await it.items(); });
after(() => it.stop());
test.beforeEach(() => it.empty());

test('after a restore live runs are held, and nothing starts twice', async () => {
  await it.flows({ w: { steps: [insert('a', "'a'"), step('sleep', 'rest', undefined, { seconds: 3600 }), insert('b', "'b'")] },
    on: { trigger: { kind: 'event', table: 'item', event: 'created' }, steps: [] },
    each: { trigger: { kind: 'every', seconds: 60 }, steps: [] } });
  const [one, two] = [await it.start('w'), await it.start('w')];
  await it.work();
  assert.equal(await it.json(`set role ${it.names.owner}; select svc.hold_runs()`), 2);
  await it.sql('reset role');
  await it.work();
  assert.equal(await it.status(one), 'held');
  const { held, live } = await it.worker.json('select svc.runs_metrics()');
  assert.deepEqual([held, live], [2, {}]);
  assert.equal(await it.worker.json('select svc.start_runs()'), 0);
  const planned = (await it.sql("select now() - interval '1 minute'"))[0];
  assert.equal(await it.worker.json(`select to_json(svc.tick_schedule('each', '${planned}', now()))`), false);
  assert.equal(await it.worker.json(`select svc.release_runs(array['${one}'::uuid])`), 1);
  await it.work();
  assert.deepEqual([await it.status(one), await it.status(two)], ['waiting', 'held']);
  await it.hurry();
  await it.work();
  assert.equal(await it.status(one), 'succeeded');
  assert.equal(await it.titles(), 'a,a,b');
});

test('after a restore from another server no change of it starts anything once its numbers are reached here', async () => {
  await it.flows({ made: { trigger: { kind: 'event', table: 'item', event: 'created' }, steps: [] } });
  const theirs = (await it.sql('select pg_snapshot_xmax(pg_current_snapshot())::text::bigint + 200'))[0];
  await it.sql(`insert into svc.change_0 (xid, table_name, event, row_id, new) values ('${theirs}', 'item', 'created', svc.new_id(), '{"title": "theirs"}')`);
  await it.sql('select svc.hold_runs()');
  while ((await it.sql(`select pg_current_xact_id()::text::bigint > ${theirs}`))[0] !== 't');
  await it.sql("insert into public.item (title) values ('ours')");
  while (await it.worker.json('select svc.start_runs()') > 0);
  assert.deepEqual(await it.sql("select given #>> '{new,title}' from svc.run where workflow = 'made'"), ['ours']);
});

test('after a restore mails and deliveries are held as runs are, until somebody releases or drops them', async () => {
  await it.flows({ w: { steps: [step('sleep', 'rest', undefined, { seconds: 3600 })] } },
    { hooksOut: ['on', 'off'].map((name) => ({ name, url: 'https://a.example', secret: 'S', on: [{ table: 'item', event: 'created' }] })) });
  await it.sql("update svc.hook_out_state set off_at = null");
  await it.sql('truncate svc.mail, svc.delivery');
  const runs = [await it.start('w'), await it.start('w')];
  await it.work();
  await it.sql("insert into svc.mail (kind, recipient, subject, body, created_at, next_at) select 'workflow', n || '@example.test', 's', 'b', now() - interval '1 day', now() - interval '1 day' from generate_series(1, 3) n");
  await it.sql("update svc.mail set ended_at = now() where recipient like '3%'");
  await it.sql("insert into public.item (title) values ('a')");
  await it.worker.json('select svc.start_runs()');
  await it.sql("update svc.delivery set status = 'sending' where hook = 'on'; select svc.hold_runs(); update svc.hook_out_state set off_at = now() where hook = 'off'");
  const counts = () => it.worker.json('select svc.held_counts()');
  assert.deepEqual(await counts(), { runs: 2, mails: 2, deliveries: 2 });
  assert.deepEqual(await it.worker.run('select count(*) from svc.claim_deliveries(10)'), ['0']);
  const due = () => it.sql("select recipient || ' ' || (created_at = next_at) from svc.mail where ended_at is null and next_at <= now()");
  assert.deepEqual(await due(), []);
  const held = await it.worker.json('select svc.held(10)');
  assert.deepEqual(held.runs.map((one) => [one.id, one.workflow, one.trigger]), runs.map((id) => [id, 'w', 'manual']));
  assert.deepEqual(held.mails.map((one) => [one.to, one.subject]), [['1@example.test', 's'], ['2@example.test', 's']]);
  assert.deepEqual(held.deliveries.map((one) => one.hook).sort(), ['off', 'on']);
  const act = (what, kind, ids) => it.worker.json(`select svc.${what}_held('${kind}', ${ids ? `'{${ids}}'` : 'null'})`);
  assert.equal(await act('release', 'mails', held.mails[0].id), 1);
  assert.deepEqual(await due(), ['1@example.test true']);
  assert.equal(await act('drop', 'mails'), 1);
  assert.deepEqual(await it.sql("select ended_at is not null, body, error from svc.mail where recipient like '2%'"), ['t||Dropped after a restore.']);
  assert.equal(await act('drop', 'runs', runs[0]), 1);
  assert.equal(await act('release', 'runs'), 1);
  assert.deepEqual([await it.status(runs[0]), await it.status(runs[1])], ['cancelled', 'queued']);
  assert.equal(await act('release', 'deliveries'), 2);
  assert.deepEqual(await it.sql("select hook || ' ' || status || ' ' || error from svc.delivery order by hook"), ['off dead The webhook is off.', 'on waiting ']);
  assert.equal(await it.worker.run('select hook from svc.claim_deliveries(10)').then((all) => all.join()), 'on');
  assert.deepEqual([await act('drop', 'deliveries'), await counts()], [0, { runs: 0, mails: 0, deliveries: 0 }]);
});
