// Which processes are dead, as far as the database knows and a process of their machine sees, and that nothing waits for
// them: neither their runs nor what became due behind their mark.
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { Engine, http, insert } from '../lib/engine.mjs';

let it;

before(async () => { it = await Engine.start(); await it.items(); });
after(() => it.stop());
test.beforeEach(async () => {
  await it.empty();
  await it.sql(`delete from svc.process where incarnation <> ${it.owner}`);
});

// A process of a machine, with a connection of its own and as many runs as it claims.
async function join(machine, { pid = 42, ticks = 7, runs = 1 } = {}) {
  await it.flows({ w: { steps: [http('ask')] } });
  for (let n = 0; n < runs; n += 1) await it.start('w');
  const connection = await it.connect(it.names.system);
  const number = await connection.json(`select svc.new_incarnation('there', '${machine}', ${pid}, ${ticks})`);
  const claims = await it.claim(runs, number, connection);
  return { connection, number, claims };
}
const change = ({ number }, what) => it.sql(`update svc.process set ${what} where incarnation = ${number}`);
// What a look of a process of the machine is told of this one; null: it is not in doubt.
const doubt = ({ number }, machine) => it.worker.json(`select coalesce((select jsonb_build_object('dead', dead, 'pid', pid, 'ticks', ticks)
  from svc.lives_in_doubt('${machine}') where incarnation = ${number}), 'null')`);
const reap = (machine, seen = []) => it.worker.json(`select svc.reap('${machine}', '{${seen}}')`);
const earlier = "began_at = pg_postmaster_start_time() - interval '1 second'";
const isYoung = async () => (await it.sql("select pg_postmaster_start_time() > clock_timestamp() - interval '10 seconds'"))[0] === 't';
// Its connection breaks, and PostgreSQL has noticed.
async function cut(one, machine) {
  one.connection.close();
  while (await doubt(one, machine) === null);
}

// The start of PostgreSQL is moved instead of waited for: a process is of before it if it began before it.
test('nobody was silent while PostgreSQL was away', async () => {
  const one = await join('here');
  await change(one, `${earlier}, beat_at = now() - interval '1 minute'`);
  if (await isYoung()) {
    const told = await doubt(one, 'here');
    assert.ok(told === null || !await isYoung(), 'it has had no time to be heard of');
  }
  await change(one, 'began_at = now()');
  assert.deepEqual(await doubt(one, 'here'), { dead: true, pid: 42, ticks: 7 });
});

test('a run is given back whatever the clock says: it may have been set back', async () => {
  const { connection, number, claims: [{ run }] } = await join('here', { runs: 2 });
  await it.sql(`update svc.run set due_at = clock_timestamp() + interval '1 hour' where id = '${run}'`);
  assert.equal(await connection.json(`select svc.leave(${number})`), 2);
  assert.equal((await it.claim()).length, 2);
  connection.close();
});

test('of a process of the same machine the machine says whether it lives', async () => {
  const one = await join('here');
  assert.equal(await doubt(one, 'here'), null);
  await cut(one, 'here');
  assert.deepEqual(await doubt(one, 'here'), { dead: false, pid: 42, ticks: 7 });
  assert.equal(await reap('here'), 0, 'a lock that is gone proves nothing');
  assert.equal(await reap('here', [one.number]), 1);
  assert.deepEqual(await it.sql('select status, kills from svc.run'), ['queued|1']);
  assert.equal(await it.count(`svc.process where incarnation = ${one.number}`), 0);
});

test('it is known at once, also right after a start of PostgreSQL and while its connection seems to live', async () => {
  const one = await join('here');
  await change(one, earlier);
  assert.equal(await reap('there', [one.number]), 0, 'a process of another machine has seen nothing');
  assert.equal(await reap('', [one.number]), 0, 'nor has one that cannot look');
  assert.equal(await reap('here', [one.number]), 1);
});

test('of a process of another machine its lock says it', async () => {
  const one = await join('there');
  await cut(one, 'here');
  assert.deepEqual(await doubt(one, 'here'), { dead: true, pid: null, ticks: null });
  assert.equal(await reap('here'), 1);
});

test('a number that its process has replaced is not kept by the life of the process', async () => {
  const one = await join('here');
  const again = await join('here');
  await cut(one, 'here');
  assert.deepEqual(await doubt(one, 'here'), { dead: true, pid: null, ticks: null });
  assert.equal(await reap('here'), 1);
  assert.equal(await doubt(again, 'here'), null);
});

test('a run that a statement of the dead process still works on holds up no other run of it', async () => {
  const one = await join('here', { runs: 3 });
  await it.sql(`update svc.process set beat_at = now() - interval '11 seconds' where incarnation = ${one.number}`);
  const still = await it.connect(it.names.system);
  await still.run('begin');
  await it.advance(one.claims[0], null, still);
  assert.equal(await reap('here'), 2);
  assert.deepEqual((await it.claim()).map(({ run }) => run).sort(), [one.claims[1].run, one.claims[2].run].sort());
  await still.run('rollback');
  assert.equal(await reap('here'), 1);
  assert.deepEqual((await it.claim()).map(({ run }) => run), [one.claims[0].run]);
  assert.equal(await it.count(`svc.process where incarnation = ${one.number}`), 0);
});

// A server that has worked on nothing takes a number only once something is due.
const isDue = async () => (await it.worker.run('select svc.next_due() <= clock_timestamp()'))[0] === 't';

test('a run behind the mark of processes that ended is found by one that begins', async () => {
  await it.flows({ w: { steps: [insert('a', "'a'")] } });
  await it.sql('delete from svc.schedule');
  const slow = await it.connect(it.names.system);
  await slow.run('begin');
  await slow.run("select svc.start_run('w', '{}', '{}')");
  // The last mark of the others, who looked at everything just before.
  await it.sql("update svc.claim_mark set low = clock_timestamp(), late = true, marked_at = clock_timestamp(), swept_at = clock_timestamp()");
  await slow.run('commit');
  await it.sql("update svc.claim_mark set marked_at = clock_timestamp() - interval '3 seconds'");
  assert.ok(await isDue());
  assert.equal((await it.claim()).length, 1);
});

test('a mark of a clock that was ahead hides nothing', async () => {
  await it.flows({ w: { steps: [insert('a', "'a'")] } });
  await it.sql("update svc.claim_mark set low = now() + interval '1 hour', marked_at = now() + interval '1 hour', swept_at = now() + interval '1 hour', late = false");
  await it.start('w');
  assert.ok(await isDue());
  assert.equal((await it.claim()).length, 1);
  await it.start('w');
  assert.equal((await it.claim()).length, 1);
});
