// The processes that work on runs, runs that kill them, and the actions of people on runs.
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { Engine, http, insert, set, step } from '../lib/engine.mjs';
import { literal } from '../lib/sql.mjs';
import { until } from '../lib/stack.mjs';

let it;

before(async () => { it = await Engine.start(); await it.items(); });
after(() => it.stop());
test.beforeEach(() => it.empty());

test('two parallel claims never get the same run', async () => {
  await it.flows({ w: { steps: [insert('a', "'a'")] } });
  for (let n = 0; n < 40; n += 1) await it.start('w');
  const other = await it.connect(it.names.system);
  const its = await other.json("select svc.new_incarnation('there')");
  const taken = await Promise.all(Array.from({ length: 10 }, () => [it.claim(4), it.claim(4, its, other)]).flat());
  const runs = taken.flat().map((claim) => claim.run);
  assert.equal(runs.length, 40);
  assert.equal(new Set(runs).size, 40);
  // A lock on rows of other runs makes nobody wait.
  await it.sql('update svc.run set owner = null');
  const holder = await it.connect();
  await holder.run('begin; select * from svc.run order by due_at limit 10 for update');
  assert.equal((await it.claim()).length, 30);
  await holder.run('rollback');
});

test('a process that does not know what its claim took asks', async () => {
  await it.flows({ w: { steps: [insert('a', "'a'")] } });
  for (let n = 0; n < 3; n += 1) await it.start('w');
  const claims = await it.claim(2);
  const has = await it.worker.run(`select run || ' ' || fence from svc.claimed_by(${it.owner}) order by run`);
  assert.deepEqual(has, claims.map(({ run, fence }) => `${run} ${fence}`).sort());
});

test('a process that was taken for dead changes nothing any more', async () => {
  await it.flows({ w: { steps: [insert('a', "'a'"), http('ask'), insert('b', "'b'")] } });
  const run = await it.start('w');
  const [claim] = await it.claim();
  await it.advance(claim);
  await it.sql(`update svc.process set beat_at = now() - interval '11 seconds' where incarnation = ${it.owner}`);
  assert.equal(await it.worker.json('select svc.reap()'), 1);
  assert.equal(await it.worker.json(`select to_json(svc.beat(${it.owner}))`), false);
  assert.deepEqual(await it.advance(claim, { path: 'ask', ok: true, output: {} }), { state: 'lost' });
  it.owner = await it.worker.json("select svc.new_incarnation('here')");
  const [again] = await it.claim();
  assert.equal(again.run, run);
  assert.equal((await it.advance(again)).state, 'outside');
  assert.equal((await it.advance(again, { path: 'ask', ok: true, output: {} })).status, 'succeeded');
  assert.equal(await it.titles(), 'a,b');
});

test('nothing is taken for a process that is taken for dead, whichever comes first', async () => {
  await it.flows({ w: { steps: [insert('a', "'a'")] } });
  const connection = await it.connect(it.names.system);
  const died = await connection.json("select svc.new_incarnation('there')");
  const dead = `update svc.process set beat_at = now() - interval '11 seconds' where incarnation = ${died}`;
  // The claim first: who reaps meanwhile passes the process by, and takes it up afterwards.
  const run = await it.start('w');
  await connection.run('begin');
  assert.deepEqual((await it.claim(1, died, connection)).map((claim) => claim.run), [run]);
  await it.sql(dead);
  assert.equal(await it.worker.json('select svc.reap()'), 0);
  await connection.run('commit');
  assert.equal(await it.worker.json('select svc.reap()'), 1);
  // The end of the process first: its connection may still ask.
  assert.deepEqual(await it.claim(1, died, connection), []);
  const [claim] = await it.claim();
  assert.equal(claim.run, run);
  assert.equal((await it.advance(claim)).status, 'succeeded');
});

test('a process that leaves while it claims leaves that run, too', async () => {
  await it.flows({ w: { steps: [insert('a', "'a'")] } });
  const [connection, other] = [await it.connect(it.names.system), await it.connect(it.names.system)];
  const left = await connection.json("select svc.new_incarnation('there')");
  const run = await it.start('w');
  await connection.run('begin');
  assert.deepEqual((await it.claim(1, left, connection)).map((claim) => claim.run), [run]);
  const leaving = other.json(`select svc.leave(${left})`);
  while (await it.count("pg_stat_activity where query like '%svc.leave%' and wait_event_type = 'Lock'") === 0);
  await connection.run('commit');
  assert.equal(await leaving, 1);
  assert.deepEqual((await it.claim()).map((claim) => claim.run), [run]);
});

test('a kill in the middle leaves nothing half done; the third one is the fault of the run', async () => {
  await it.flows({ w: { steps: [insert('a', "'a'"), step('set', 'wait', "jsonb_build_object('slept', (select true from pg_sleep(case when $1 #>> '{input,slow}' = 'yes' then 60 else 0 end)))"), insert('b', "'b'")] } });
  const run = await it.start('w', { slow: 'yes' });
  for (let n = 0; n < 3; n += 1) {
    const dying = await it.connect(it.names.system);
    const owner = await dying.json("select svc.new_incarnation('there')");
    if (n === 2) {
      assert.deepEqual(await it.claim(1, owner, dying), [], 'a young process takes no suspect');
      await it.sql(`update svc.process set began_at = now() - interval '6 seconds' where incarnation = ${owner}`);
    }
    const [claim] = await it.claim(1, owner, dying);
    assert.equal(claim.run, run);
    const cut = it.advance(claim, null, dying).catch((error) => error);
    const its = "pg_stat_activity where query like '%svc.advance%' and wait_event = 'PgSleep'";
    while (await it.count(its) === 0);
    await it.sql(`select pg_terminate_backend(pid) from ${its}`);
    assert.ok(await cut instanceof Error);
    await it.sql(`update svc.process set beat_at = now() - interval '11 seconds' where incarnation = ${owner}`);
    while (await it.worker.json('select svc.reap()') === 0);
    assert.equal(await it.titles(), '');
    assert.equal(await it.count('svc.step'), 0);
  }
  const dead = await it.run(run);
  assert.equal(`${dead.status} ${dead.errorCode}`, 'dead POISON');
  await it.sql("update svc.run set given = '{}'");
  await it.worker.run('select svc.replay_runs()');
  await it.work();
  assert.equal(await it.titles(), 'a,b');
});

test('a process has one suspect at a time, and a run that gets on is none any more', async () => {
  await it.flows({ w: { steps: [insert('a', "'a'"), http('ask')] } });
  for (let n = 0; n < 3; n += 1) await it.start('w');
  await it.sql('update svc.run set kills = 2');
  const owner = await it.alive();
  await it.sql(`update svc.process set began_at = now() - interval '6 seconds' where incarnation = ${owner}`);
  const [first, ...more] = await it.claim();
  assert.deepEqual(more, []);
  assert.deepEqual(await it.claim(), [], 'its suspect is still in its hands');
  assert.equal((await it.advance(first)).state, 'outside');
  assert.deepEqual(await it.sql(`select kills from svc.run where id = '${first.run}'`), ['0']);
  assert.equal((await it.advance(first, { path: 'ask', ok: true, output: {} })).status, 'succeeded');
  assert.equal((await it.claim()).length, 1);
});

// The start of PostgreSQL is moved instead of waited for: a process is of before it if it began before it.
test('a process whose connection is gone is dead at once, unless a start of PostgreSQL took its lock', async () => {
  await it.flows({ w: { steps: [http('ask')] } });
  await it.start('w');
  const dying = await it.connect(it.names.system);
  const owner = await dying.json("select svc.new_incarnation('there')");
  await it.claim(1, owner, dying);
  assert.equal(await it.worker.json('select svc.reap()'), 0);
  dying.close();
  await it.sql(`update svc.process set began_at = pg_postmaster_start_time() - interval '1 second' where incarnation = ${owner}`);
  const young = async () => (await it.sql("select pg_postmaster_start_time() > clock_timestamp() - interval '5 seconds'"))[0] === 't';
  if (await young()) {
    const n = await it.worker.json('select svc.reap()');
    assert.ok(n === 0 || !await young(), 'it may still come back');
  }
  await it.sql(`update svc.process set began_at = clock_timestamp() where incarnation = ${owner}`);
  while (await it.worker.json('select svc.reap()') === 0);
  assert.deepEqual(await it.sql('select status, kills from svc.run'), ['queued|1']);
});

test('a process that lost its connection gives its runs back by itself; those that asked others have not broken it', async () => {
  await it.flows({ w: { steps: [insert('a', "'a'"), http('ask')] } });
  for (let n = 0; n < 2; n += 1) await it.start('w');
  const cut = await it.connect(it.names.system);
  const before = await cut.json("select svc.new_incarnation('there')");
  const [asking, taken] = await it.claim(2, before, cut);
  await it.advance(asking);
  assert.equal(await it.worker.json(`select svc.lose(${before})`), 2);
  const kills = ({ run }) => it.sql(`select status, kills from svc.run where id = '${run}'`);
  assert.deepEqual([await kills(asking), await kills(taken)], [['queued|0'], ['queued|1']]);
  assert.deepEqual(await it.advance(taken), { state: 'lost' });
  assert.deepEqual(await it.claim(1, before, cut), [], 'its number is nobody\'s');
  assert.equal((await it.claim()).length, 2);
});

test('a process that leaves on purpose kills nobody', async () => {
  await it.flows({ w: { steps: [http('ask')] } });
  await it.start('w');
  const other = await it.connect(it.names.system);
  for (let n = 0; n < 4; n += 1) {
    const owner = await other.json("select svc.new_incarnation('there')");
    assert.equal((await it.claim(1, owner, other)).length, 1);
    assert.equal(await other.json(`select svc.leave(${owner})`), 1);
    assert.deepEqual(await it.claim(1, owner, other), [], 'who has left takes nothing more');
  }
  assert.deepEqual(await it.sql('select status, kills from svc.run'), ['queued|0']);
});

test('a cancelled run stays cancelled, also while a server works on it', async () => {
  await it.flows({ w: { steps: [insert('a', "'a'"), http('ask'), insert('b', "'b'")] } });
  const run = await it.start('w');
  const [claim] = await it.claim();
  await it.advance(claim);
  await it.worker.run(`select svc.cancel_run('${run}')`);
  assert.deepEqual(await it.advance(claim, { path: 'ask', ok: true, output: {} }), { state: 'lost' });
  const told = await it.run(run);
  assert.equal(`${told.status} ${told.steps[1].status} ${told.steps[1].errorCode}`, 'cancelled failed CANCELLED');
});

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

test('deliveries of a webhook that is off end in parts', async () => {
  await it.flows({}, { hooksOut: ['on', 'off'].map((name) => ({ name, url: 'https://a.example', secret: 'S', on: [{ table: 'item', event: 'created' }] })) });
  await it.sql(`truncate svc.delivery; update svc.hook_out_state set off_at = now() where hook = 'off';
    insert into svc.delivery (hook, event, table_name, row_id, at, seq, status, next_at)
    select 'off', 'item.created', 'item', svc.new_id(), now(), n, case when n > 6990 then 'sending' else 'waiting' end, now() + interval '1 hour' * (n % 2) - interval '1 minute'
    from generate_series(1, 7000) n`);
  const claim = () => it.worker.run('select count(*) from svc.claim_deliveries(10)');
  const left = () => it.sql("select count(*) from svc.delivery where status in ('waiting', 'sending')");
  const all = [];
  for (let n = 0; n < 3; n += 1) all.push((await claim())[0], (await left())[0]);
  assert.deepEqual(all, ['0', '2000', '0', '5', '0', '5'], 'five are on their way');
  assert.deepEqual(await it.sql('select distinct error from svc.delivery where ended_at is not null'), ['The webhook is off.']);
});

test('five days of failures are those of one time, and a new failure after an old one is none of them', async () => {
  await it.flows({}, { hooksOut: [{ name: 'h', url: 'https://a.example', secret: 'S', on: [{ table: 'item', event: 'created' }] }] });
  await it.sql('truncate svc.delivery');
  const queue = async (seq, attempts, status = 'sending') => (await it.sql(`insert into svc.delivery (hook, event, table_name, row_id, at, seq, status, attempts)
    values ('h', 'item.created', 'item', svc.new_id(), now(), ${seq}, '${status}', ${attempts}) returning id`))[0];
  const fail = async (id, attempt) => (await it.worker.run(`select svc.end_delivery('${id}', ${attempt}, 500, 'no', 0)`))[0];
  const since = (days) => it.sql(`update svc.hook_out_state set off_at = null, failing_since = now() - interval '${days} days'`);
  const failing = async () => (await it.sql("select now() - failing_since < interval '1 day' from svc.hook_out_state where hook = 'h'"))[0];
  await since(6);
  assert.equal(await fail(await queue(1, 10), 10), 'off', 'it was tried for all that time');
  await since(6);
  const fresh = await queue(2, 1);
  await queue(3, 0, 'waiting');
  await queue(4, 1);
  assert.deepEqual([await fail(fresh, 1), await failing()], ['waiting', 't'], 'nothing else has failed and is tried again');
  await since(6);
  assert.equal(await fail(await queue(5, 1), 1), 'off', 'the one before is');
});

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

test('a run that becomes due in a transaction that takes long is not passed by', async () => {
  await it.flows({ w: { steps: [insert('a', "'a'")] } });
  const slow = await it.connect(it.names.system);
  await slow.run('begin');
  await slow.run("select svc.start_run('w', '{}', '{}')");
  // The mark moves on without it, as it would in the course of some seconds.
  const pass = () => it.sql("update svc.claim_mark set marked_at = marked_at - interval '6 seconds', swept_at = swept_at - interval '6 seconds'");
  await it.start('w');
  assert.equal((await it.claim()).length, 1);
  for (let n = 0; n < 2; n += 1) {
    await pass();
    assert.equal((await it.claim()).length, 0);
  }
  await it.sql("update svc.claim_mark set low = clock_timestamp()");
  await slow.run('commit');
  assert.equal((await it.claim()).length, 0);
  await pass();
  assert.equal((await it.claim()).length, 1);
  assert.equal((await it.sql('select late from svc.claim_mark'))[0], 'f');
});

test('what ended long ago goes, dead letters later', async () => {
  await it.flows({ w: { steps: [] }, bad: { steps: [step('fail', 'no', "to_jsonb('x'::text)")] } });
  const [old, dead, fresh] = [await it.start('w'), await it.start('bad'), await it.start('w')];
  await it.work();
  await it.sql(`update svc.run set id = svc.id_of(now() - interval '31 days'), ended_at = now() - interval '31 days' where id = '${old}';
    update svc.run set ended_at = now() - interval '31 days' where id = '${dead}'`);
  assert.equal(await it.worker.json('select svc.purge_runs()'), 1);
  assert.deepEqual(await it.sql('select id from svc.run order by id'), [dead, fresh]);
});

test('callers may do none of this, and nobody but the engine runs statements as callers', async () => {
  for (const role of [it.names.data, it.names.system]) {
    for (const text of ['select * from svc.run', 'select * from svc.definition', "insert into svc.definition values ('h', 'function', 'f', '{}')",
      "select svc_as.exec('select 1', '{}')", "select svc.ask('system', 'select 1', '{}')", "select svc.open_run('w', '{}', '{}')",
      "select svc.set_flows('{}')", 'select svc.hold_runs()', "select svc.queue_mail('a@b.c', '', '')"]) {
      assert.equal((await it.refused(text, role))?.code, '42501', `${role}: ${text}`);
    }
  }
  const open = await it.sql(`select p.oid::regprocedure from pg_proc p where p.pronamespace in ('svc'::regnamespace, 'svc_as'::regnamespace)
    and has_function_privilege('${it.names.data}', p.oid, 'execute') and p.prosrc ~ 'svc\\.(run|step|flow|slot|waiter|definition)\\M' and p.pronamespace <> 'svc_as'::regnamespace`);
  assert.deepEqual(open, []);
  for (const text of ["select svc.run_function('f', '{}')", "select svc.advance(svc.new_id(), 1, 1)", 'select svc.claim_runs(1, 1)', "select svc.start_run('w', '{}', '{}')"])
    assert.equal((await it.refused(text, it.names.data))?.code, '42501', text);
});
