// The processes that work on runs, runs that kill them, and what ends runs.
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { Engine, http, insert, step } from '../lib/engine.mjs';

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
