// Runs that wait for messages: each gets those that came since it began, and each message once.
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { Engine, insert, step } from '../lib/engine.mjs';

let it;
const add = (title) => it.sql(`insert into public.item (title) values ('${title}')`);
const publish = (topic, payload) => it.sql(`select svc.publish('${topic}', '${JSON.stringify(payload)}')`);
const read = async () => { let all = 0; for (let n; (n = await it.worker.json('select svc.start_runs(3)')) > 0;) all += n; return all; };
const on = (event, more = {}) => ({ trigger: { kind: 'event', table: 'item', event, ...more }, steps: [] });

before(async () => { it = await Engine.start(); await it.items(); });
after(() => it.stop());
test.beforeEach(() => it.empty());

const waiting = (more = {}) => ({ steps: [step('waitFor', 'wait', "jsonb_build_object('topic', 'app:' || ($1 #>> '{input,id}'))", { timeout: 3600, ...more }),
  insert('end', "coalesce($1 #>> '{steps,wait,payload,n}', 'nothing') || ' ' || ($1 #>> '{steps,wait,timedOut}')")] });

test('a run is woken by the message that it waits for, or by its time', async () => {
  await it.flows({ w: waiting({ filter: "select coalesce(($1 #>> '{local,payload,n}')::int > 1, false)" }) });
  const run = await it.start('w', { id: 1 });
  const late = await it.start('w', { id: 2 });
  await it.work();
  assert.equal(await it.status(run), 'waiting');
  await publish('app:1', { n: 1 });
  await publish('app:1', 'what is this');
  await publish('app:3', { n: 5 });
  await read();
  await it.work();
  assert.equal(await it.status(run), 'waiting');
  await publish('app:1', { n: 2 });
  await publish('app:1', { n: 3 });
  await read();
  await it.work();
  assert.equal(await it.titles(), '2 false');
  await it.hurry();
  await it.work();
  assert.equal(await it.titles(), '2 false,nothing true');
  assert.equal(await it.status(late), 'succeeded');
  assert.equal((await it.sql('select count(*) from svc.waiter'))[0], '0');
});

test('a message that came since the run began counts, an older one does not, and none counts twice', async () => {
  const once = waiting().steps[0];
  await it.flows({ w: { steps: [once, { ...once, id: 'second' }, insert('end', "($1 #>> '{steps,wait,payload,n}') || ' ' || ($1 #>> '{steps,second,payload,n}')")] } });
  await publish('app:1', { n: 0 });
  const run = await it.start('w', { id: 1 });
  await publish('app:1', { n: 1 });
  await it.work();
  assert.equal(await it.status(run), 'waiting');
  await publish('app:1', { n: 2 });
  await read();
  await it.work();
  assert.equal(await it.titles(), '1 2');
});

test('a message from before the run began does not wake it when the consumer comes to it later', async () => {
  await it.flows({ w: waiting() });
  await publish('app:1', { n: 0 });  // nothing that is live starts from a change, so nobody has read it
  const run = await it.start('w', { id: 1 });
  await it.work();
  await read();
  await it.work();
  assert.equal(await it.status(run), 'waiting');
  await publish('app:1', { n: 1 });
  await read();
  await it.work();
  assert.equal(await it.titles(), '1 false');
});

test('of the transaction that starts a run only what comes after the start counts', async () => {
  await it.flows({ w: waiting() });
  const both = `svc.start_run('w', '{"id": 1}', '{"kind": "manual"}')`;
  await it.sql(`begin; select svc.publish('app:1', '{"n": 0}'); select ${both}; select svc.publish('app:1', '{"n": 1}'); commit`);
  await it.work();
  assert.equal(await it.titles(), '1 false');
});

test('a run that starts beside a write with many savepoints has a short cursor, and hears the same', async () => {
  await it.flows({ w: waiting() });
  const bulk = await it.connect();
  await bulk.run(`begin; do $$ begin for n in 1..3000 loop
      begin insert into public.item (title) values ('bulk'); exception when division_by_zero then null; end;
    end loop; end $$; select svc.publish('app:1', '{"n": 1}')`);
  await it.sql(`begin; select svc.publish('app:1', '{"n": 0}'); select svc.start_run('w', '{"id": 1}', '{"kind": "manual"}'); commit`);
  const [length] = await it.sql('select max(length(opened::text)) from svc.run');
  assert.ok(Number(length) > 0 && Number(length) < 2000, `${length} characters`);
  await it.work();
  assert.deepEqual(await it.sql('select status from svc.run'), ['waiting']);
  await bulk.run('commit');
  await read();
  await it.work();
  assert.deepEqual(await it.sql("select title from public.item where title <> 'bulk'"), ['1 false']);
  assert.equal(await it.count('svc.element'), 0);
});

test('a message with a smaller number that is committed after the run began is not missed', async () => {
  await it.flows({ w: { ...on('created'), steps: waiting().steps.map((one) => ({ ...one, sql: one.sql.replace("($1 #>> '{input,id}')", "'late'") })) } });
  const slow = await it.connect();
  await slow.run(`begin; select svc.publish('app:late', '{"n": 1}')`);
  await add('a');
  assert.equal(await read(), 1);
  await slow.run('commit');
  await it.work();
  assert.equal(await it.titles(), 'a,1 false');
});

const twice = () => ({ steps: [waiting().steps[0], { ...waiting().steps[0], id: 'second' },
  insert('end', "($1 #>> '{steps,wait,payload,n}') || ' ' || coalesce($1 #>> '{steps,second,payload,n}', 'nothing')")] });

test('the second wait gets what was committed late, though the first one had a greater number', async () => {
  await it.flows({ w: twice() });
  const run = await it.start('w', { id: 1 });
  await it.work();
  await read();
  const slow = await it.connect();
  await slow.run(`begin; select svc.publish('app:1', '{"n": 1}')`);
  await publish('app:1', { n: 2 });
  await read();
  await it.work();
  await slow.run('commit');
  await read();
  await it.work();
  assert.equal(await it.status(run), 'succeeded');
  assert.equal(await it.titles(), '2 1');
});

test('no message counts twice, however it reaches the run', async () => {
  await it.flows({ w: twice(), loop: { steps: [{ ...waiting().steps[0], for: { list: "select '[1, 2]'::jsonb", as: 'one' } },
    insert('end', "$1 #>> '{steps,wait,0,payload,n}'")] },
    own: { steps: [step('publish', 'say', "select jsonb_build_object('topic', 'app:1', 'payload', jsonb_build_object('n', 9))"), ...twice().steps] } });
  const [one, loop] = [await it.start('w', { id: 1 }), await it.start('loop', { id: 1 })];
  const waits = () => Promise.all([one, loop].map((id) => it.status(id)));
  await it.work();
  await read();
  await publish('app:1', { n: 1 });
  for (let round = 0; round < 3; round += 1) {
    await read();
    await it.work();
  }
  assert.deepEqual(await waits(), ['waiting', 'waiting']);
  // It hears itself, once.
  const own = await it.start('own', { id: 1 });
  await it.work();
  for (let round = 0; round < 2; round += 1) {
    await read();
    await it.work();
  }
  assert.equal(await it.status(own), 'waiting');
  await it.hurry();
  await it.work();
  assert.deepEqual((await it.titles()).split(',').sort(), ['1', '1 9', '9 nothing']);
});

test('a message that comes while a run begins to wait is not missed', async () => {
  await it.flows({ w: waiting() });
  const run = await it.start('w', { id: 1 });
  const [claim] = await it.claim();
  // It has searched for a message, and its wait is not committed yet.
  await it.worker.run('begin');
  assert.equal((await it.advance(claim)).state, 'waiting');
  await publish('app:1', { n: 1 });
  const other = await it.connect(it.names.system);
  assert.equal(await other.json('select svc.start_runs()'), 1 - 1);
  await it.worker.run('commit');
  await read();
  await it.work();
  assert.equal(await it.status(run), 'succeeded');
  assert.equal(await it.titles(), '1 false');
});

test('a run that slept longer than messages are kept learns that it may have missed one', async () => {
  const wait = (id) => step('waitFor', id, "jsonb_build_object('topic', 'app:go')", { timeout: 3600 });
  const sleeps = { steps: [step('sleep', 's', undefined, { seconds: 172800 }), wait('one'), wait('two')] };
  const results = async (run) => (await it.run(run)).steps.filter((one) => one.kind === 'waitFor').map((one) => one.output);
  // What is kept for a day is thrown away, as if two days went by.
  const purge = async () => {
    for (let n = 0; n < 5; n += 1) {
      await it.sql("update svc.change_slot set since = now() - interval '13 hours'; update svc.consumer set moved_at = now() - interval '13 hours'");
      await read();
      await it.worker.run('select svc.purge_changes()');
    }
  };
  await it.flows({ w: sleeps });
  const slept = await it.start('w');
  await it.work();
  await publish('app:go', { n: 1 });
  await purge();
  assert.equal(await it.count('svc.topic_message'), 0);
  const begun = await it.start('w');
  await it.work();
  await it.hurry();
  await it.work();
  await publish('app:go', { n: 2 });
  await read();
  await it.work();
  await it.hurry();
  await it.work();
  // The message was for all that wait. What comes after one that a run has had is kept.
  const heard = [{ payload: { n: 2 }, timedOut: false, lost: false }, { payload: null, timedOut: true, lost: false }];
  assert.deepEqual([await results(slept), await results(begun)], [heard, heard]);
  const late = await it.start('w');
  await it.work();
  await publish('app:go', { n: 3 });
  await purge();
  for (let n = 0; n < 3; n += 1) {
    await it.hurry();
    await it.work();
  }
  assert.deepEqual(await results(late), [{ payload: null, timedOut: true, lost: true }, { payload: null, timedOut: true, lost: true }]);
});
