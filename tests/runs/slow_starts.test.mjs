// Starts of runs whose conditions are slow: what was done counts, a condition that never ends is given up, and nothing
// starts twice or is lost.
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { Engine, insert, set, step } from '../lib/engine.mjs';
import { literal } from '../lib/sql.mjs';
import { until } from '../lib/stack.mjs';

let it;
before(async () => { it = await Engine.start(); await it.items(); });
after(() => it.stop());
test.beforeEach(() => it.empty());

const on = (event, more = {}) => ({ trigger: { kind: 'event', table: 'item', event }, steps: [], ...more });
const heard = (more = {}) => ({ trigger: { kind: 'topic', pattern: 'app:go' }, steps: [], ...more });
const waits = (more = {}) => ({ waits: true, steps: [step('waitFor', 'hear', "jsonb_build_object('topic', 'app:go')", { timeout: 3600, ...more })] });
const add = (title) => it.sql(`insert into public.item (title) values ('${title}')`);
const publish = (payload) => it.sql(`select svc.publish('app:go', '${JSON.stringify(payload)}')`);
const runs = () => it.sql("select workflow || ' ' || coalesce(given #>> '{new,title}', given #>> '{input,payload}', '') || ' ' || status || coalesce(' ' || error_code, '') from svc.run order by id");
const never = 'pg_sleep(60)::text is null';

// As many polls as there is something, each with time for one condition only.
async function polls(most = 50) {
  await it.worker.run("set svc.look_for = '0 seconds'");
  const out = [];
  for (let n; out.length < most && (n = await it.worker.json('select svc.start_runs()')) > 0;) out.push(n);
  await it.worker.run('reset svc.look_for');
  return out;
}

// A statement that may take half a second; its value, or 'timeout'.
async function within(statement) {
  const by = await it.connect(it.names.system);
  await by.run("set statement_timeout = '500ms'");
  try {
    return (await by.run(statement))[0] ?? '';
  } catch (error) {
    assert.match(error.message, /statement timeout/);
    return 'timeout';
  } finally {
    by.close();
  }
}

// What a server does (run/engine/engine_starts.cpp), until nothing is left; how often a page was cancelled, and what was given up.
async function serve() {
  const given = [];
  for (let pages = 0, rounds = 0; rounds < 60; rounds += 1) {
    const read = await within('select svc.start_runs()');
    if (read === '0') return { pages, given };
    if (read !== 'timeout') continue;
    pages += 1;
    for (let slow = false, done = 1; !slow && done > 0;) {
      done = 0;
      const [places] = await it.worker.run("select coalesce(reads, '-') || '|' || coalesce(waits, '-') from svc.next_starts()");
      for (const at of places.split('|').filter((one) => one !== '-')) {
        let n = await within(`select svc.start_runs(500, ${literal(at)})`);
        if (n === 'timeout') {
          slow = true;
          given.push(at);
          n = await within(`select svc.start_runs(500, ${literal(at)}, true)`);
        }
        done += Number(n);
      }
    }
  }
  throw new Error('it never ends');
}

test('a poll ends within a change, and the next one goes on there', async () => {
  await it.flows({ a: on('created'), b: on('created', { if: 'select true' }), c: on('created') });
  await add('x');
  await add('y');
  assert.equal((await polls()).length, 6);
  assert.deepEqual(await runs(), ['a x queued', 'b x queued', 'c x queued', 'a y queued', 'b y queued', 'c y queued']);
  assert.deepEqual(await it.sql('select part from svc.consumer'), ['']);
});

test('a change with a smaller number that is committed in between is not missed, and nothing starts twice', async () => {
  await it.flows({ a: on('created'), b: on('created') });
  const other = await it.connect();
  await other.run("begin; insert into public.item (title) values ('early')");
  await add('late');
  await it.worker.run("set svc.look_for = '0 seconds'");
  assert.equal(await it.worker.json('select svc.start_runs()'), 1);
  assert.deepEqual(await runs(), ['a late queued']);
  await other.run('commit');
  await polls();
  assert.deepEqual((await runs()).sort(), ['a early queued', 'a late queued', 'b early queued', 'b late queued']);
});

test('a message goes to its workflows and to each run that waits, one after the other', async () => {
  await it.flows({ a: heard(), b: heard(), w: waits() });
  const waiting = [];
  for (let n = 0; n < 3; n += 1) waiting.push(await it.start('w'));
  await it.work();
  await polls();
  await publish(1);
  assert.equal((await polls()).length, 5);
  await it.work();
  for (const run of waiting) assert.equal(await it.status(run), 'succeeded');
  assert.deepEqual((await runs()).filter((one) => !one.startsWith('w')).sort(), ['a 1 succeeded', 'b 1 succeeded']);
});

test('a run that begins to wait looks at many messages in parts', async () => {
  await it.flows({ w: waits({ filter: "($1 #>> '{local,payload}')::int = 5" }) });
  const run = await it.start('w');
  await it.work();
  for (let n = 1; n < 5; n += 1) await publish(n);
  assert.equal((await polls()).length, 4, 'each offers it one message, and reads one');
  await publish(5);
  await polls();
  await it.work();
  assert.equal(await it.status(run), 'succeeded');
});

test('a condition that never ends is a dead letter, and what comes before and after starts', async () => {
  await it.flows({ a: on('created'), b: on('created', { if: never }), c: on('created', { key: "select $1 #>> '{new,title}'" }) });
  await add('x');
  await add('y');
  assert.equal((await serve()).given.length, 2);
  assert.deepEqual((await runs()).sort(), ['a x queued', 'a y queued', 'b x dead TIMEOUT', 'b y dead TIMEOUT', 'c x queued', 'c y queued']);
  assert.match((await it.sql("select distinct error from svc.run where workflow = 'b'"))[0], /longer than a statement may/);
});

test('a filter that never ends lets nothing through and holds up nobody', async () => {
  await it.flows({ a: heard({ if: never }), b: heard(), slow: waits({ filter: never }), w: waits() });
  const [slow, quick] = [await it.start('slow'), await it.start('w')];
  await it.work();
  await polls();
  await publish(1);
  assert.equal((await serve()).given.length, 2);
  await it.work();
  assert.deepEqual([await it.status(slow), await it.status(quick)], ['waiting', 'succeeded']);
  assert.deepEqual((await runs()).filter((one) => /^[ab] /.test(one)).sort(), ['a 1 dead TIMEOUT', 'b 1 succeeded']);
});

test('a slow filter of a run that has just begun to wait is given up', async () => {
  await it.flows({ slow: waits({ filter: never }), w: waits() });
  const [slow, quick] = [await it.start('slow'), await it.start('w')];
  await it.work();
  await publish(1);
  const { given } = await serve();
  assert.equal(given.filter((at) => at.startsWith('wait ')).length, 1);
  await it.work();
  assert.deepEqual([await it.status(slow), await it.status(quick)], ['waiting', 'succeeded']);
});

test('a slow filter wakes no run that waits for something else by now', async () => {
  const wait = (id, topic, more) => step('waitFor', id, `jsonb_build_object('topic', '${topic}')`, { timeout: 3600, ...more });
  await it.flows({ w: { waits: true, steps: [wait('one', 'app:go', { filter: 'select true from pg_advisory_xact_lock(827)' }), wait('two', 'app:other')] } });
  const run = await it.start('w');
  await it.work();
  await polls();
  const holder = await it.connect(), reader = await it.connect(it.names.system);
  await holder.run('select pg_advisory_lock(827)');
  await publish(1);
  const reading = reader.run('select svc.start_runs()');
  await until('the filter to be asked', async () => (await it.sql("select count(*) from pg_locks where locktype = 'advisory' and objid = 827 and not granted"))[0] === '1');
  await it.hurry();  // the first wait is over
  await it.work();
  await holder.run('select pg_advisory_unlock(827)');
  await reading;
  await it.work();
  assert.equal(await it.status(run), 'waiting');
  await it.sql(`select svc.publish('app:other', '2')`);
  await polls();
  await it.work();
  assert.equal(await it.status(run), 'succeeded');
});

test('a place that somebody else has passed is not given up', async () => {
  await it.flows({ a: on('created', { if: 'select true' }) });
  await add('x');
  await add('y');
  const [at] = await it.worker.run('select reads from svc.next_starts()');
  assert.equal(await it.worker.json(`select svc.start_runs(500, ${literal(at)})`), 1);
  assert.equal(await it.worker.json(`select svc.start_runs(500, ${literal(at)}, true)`), 1);
  assert.deepEqual(await runs(), ['a x queued', 'a y queued']);
});

const failed = (workflow, more = {}) => ({ trigger: { kind: 'failed', workflow }, steps: [], if: never, ...more });

test('a start that is given up asks nothing of the workflows that start by its failure', async () => {
  await it.flows({ a: on('created', { if: 'select 1 / 0 > 0' }), b: on('created'), then: failed('a'), last: failed('then') });
  await add('x');
  const [at] = await it.worker.run('select reads from svc.next_starts()');
  assert.equal(await within(`select svc.start_runs(500, ${literal(at)}, true)`), '1');
  await polls();
  assert.deepEqual((await runs()).sort(), ['a x dead TIMEOUT', 'b x queued', 'last  dead NOT_ASKED', 'then  dead NOT_ASKED']);
});

test('nor does a planned time that is given up', async () => {
  await it.flows({ w: { trigger: { kind: 'cron', cron: '* * * * *', tz: 'UTC' }, if: 'select 1 / 0 > 0', steps: [] }, then: failed('w') });
  assert.equal(await within("select svc.tick_schedule('w', date_trunc('minute', now()) + interval '1 minute', '2100-01-01', true)"), 't');
  assert.deepEqual((await runs()).sort(), ['then  dead NOT_ASKED', 'w  dead TIMEOUT']);
});

test('a run over which servers died ends though what starts by its failure never decides', async () => {
  await it.flows({ w: { steps: [] }, other: { steps: [] }, then: failed('w') });
  await it.sql("insert into svc.process (incarnation, beat_at, began_at) values (999, now() - interval '1 hour', now() - interval '1 hour')");
  const [run] = [await it.start('w'), await it.start('other')];
  await it.sql(`update svc.run set kills = (id = '${run}')::int * 2, owner = 999, status = 'running', fence = 1`);
  assert.equal(await within('select svc.reap()'), '2');
  assert.deepEqual((await runs()).sort(), ['other  queued', 'then  dead TIMEOUT', 'w  dead POISON']);
});

test('what came before a restore is not gone on with', async () => {
  await it.flows({ a: on('created'), b: on('created') });
  await add('x');
  await it.worker.run("set svc.look_for = '0 seconds'");
  await it.worker.json('select svc.start_runs()');
  await it.sql('select svc.hold_runs()');
  await add('y');
  await polls();
  assert.deepEqual((await runs()).sort(), ['a x held', 'a y queued', 'b y queued']);
});

test('a run misses no message of the transaction that starts it', async () => {
  await it.flows({ w: waits() });
  const [starter, other] = [await it.connect(), await it.connect()];
  await starter.run("begin; insert into public.item (title) values ('first')");
  await other.run("insert into public.item (title) values ('meanwhile')");  // a later transaction that ends sooner
  const [run] = await starter.run(`select svc.start_run('w', '{}', '{"kind": "manual"}'); `);
  await starter.run("select svc.publish('app:go', '1'); commit");
  await it.work();
  assert.equal(await it.status(run), 'succeeded');
});

test('nor does one that waits when another run of its transaction publishes', async () => {
  await it.flows({ w: waits() });
  const run = await it.start('w');
  const [claim] = await it.claim();
  const [worker, other] = [await it.connect(), await it.connect()];
  await worker.run("begin; insert into public.item (title) values ('first')");
  await other.run("insert into public.item (title) values ('meanwhile')");
  assert.equal((await it.advance(claim, null, worker)).state, 'waiting');
  await worker.run("select svc.publish('app:go', '1')");
  const seen = "select pg_visible_in_snapshot(pg_current_xact_id(), seen) from svc.waiter";
  assert.deepEqual(await worker.run(seen), ['f']);
  await worker.run('commit');
  await polls();
  await it.work();
  assert.equal(await it.status(run), 'succeeded');
});

test('a planned time whose condition never ends is a dead letter', async () => {
  await it.flows({ w: { trigger: { kind: 'cron', cron: '* * * * *', tz: 'UTC' }, if: never, steps: [] } });
  const later = "date_trunc('minute', now()) + interval '1 minute', '2100-01-01'";
  assert.equal(await within(`select svc.tick_schedule('w', ${later})`), 'timeout');
  assert.equal(await within(`select svc.tick_schedule('w', ${later}, true)`), 't');
  assert.deepEqual(await runs(), ['w  dead TIMEOUT']);
});

test('a run ends though what starts by its failure has a condition that never ends', async () => {
  await it.flows({ w: { steps: [] }, sorry: { trigger: { kind: 'failed', workflow: 'w' }, if: never, steps: [] } });
  await it.start('w');
  const [{ run, fence, owner }] = await it.claim();
  const fail = (how) => within(`select svc.fail_run('${run}', ${owner}, ${fence}, 'because', 'ENGINE_ERROR') from set_config('svc.gives_up', '${how}', true)`);
  assert.equal(await fail('off'), 't');
  assert.deepEqual(await runs(), ['w  dead ENGINE_ERROR', 'sorry  dead TIMEOUT']);
});

test('a run ends though what starts by its failure cannot be written', async () => {
  await it.flows({ w: { steps: [] }, sorry: { trigger: { kind: 'failed', workflow: 'w' }, steps: [] } });
  await it.sql(`create function public.refuse() returns trigger language plpgsql as 'begin raise exception ''no''; end';
    create trigger refuse before insert on svc.run for each row when (new.workflow = 'sorry') execute function public.refuse()`);
  try {
    await it.start('w');
    const [{ run, fence, owner }] = await it.claim();
    const fail = (how) => `select svc.fail_run('${run}', ${owner}, ${fence}, 'because', 'ENGINE_ERROR') from set_config('svc.gives_up', '${how}', true)`;
    for (const how of ['off', 'on']) assert.equal((await it.refused(fail(how), it.names.system))?.code, 'P0001', how);
    assert.deepEqual(await it.worker.run(fail('alone')), ['t']);
    assert.deepEqual(await runs(), ['w  dead ENGINE_ERROR']);
  } finally {
    await it.sql('drop trigger refuse on svc.run; drop function public.refuse()');
  }
});

// Each of these has half a second, and a condition that never ends; none is asked again.
const one = async (statement) => [await within(statement), (await runs()).map((it) => it.replace('  ', ' '))];

test('a sign-in goes on though a workflow that starts by it has a condition that never ends', async () => {
  const login = { trigger: { kind: 'auth', event: 'login' }, if: never, steps: [] };
  await it.flows({ a: login, b: { ...login, if: undefined } });
  await it.sql("insert into svc.account (email, name, persona, created_at) values ('c@example.test', 'c', 'customer', now() - interval '1 day')");
  assert.deepEqual(await one("insert into svc.session (hash, account_id, expires_at) select 'abc'::bytea, id, now() + interval '1 day' from svc.account returning 'in'"),
    ['in', ['a dead TIMEOUT', 'b queued']]);
  // A replay begins without the condition.
  assert.deepEqual(await it.worker.run('select svc.replay_runs()'), ['1']);
  await it.work();
  assert.deepEqual((await runs()).map((run) => run.replace('  ', ' ')), ['a succeeded', 'b succeeded']);
  await it.sql('delete from svc.account');
});

test('so do a webhook, a start by hand, and a step that starts a workflow', async () => {
  const slow = { if: never, steps: [] };
  await it.flows({ hooked: { ...slow, trigger: { kind: 'webhook', name: 'h' } }, manual: slow, calls: { steps: [step('call', 'c', "'{}'::jsonb", { workflow: 'manual' }), set('s', '1')] } },
    { hooksIn: [{ name: 'h', scheme: 'none' }] });
  const [taken, started] = await one("select svc.take_hook('h', 'e1', '{}')");
  assert.notEqual(taken, 'timeout');
  assert.deepEqual(started, ['hooked dead TIMEOUT']);
  await it.empty();
  const [, byHand] = await one("select svc.start_by_hand('manual', '{}', '{\"kind\": \"manual\"}', null)");
  assert.deepEqual(byHand, ['manual dead TIMEOUT']);
  await it.empty();
  const caller = await it.start('calls');
  const [claim] = await it.claim();
  await within(`select svc.advance('${claim.run}', ${claim.owner}, ${claim.fence})`);
  assert.deepEqual([await it.status(caller), (await runs()).filter((run) => run.startsWith('manual'))], ['succeeded', ['manual  dead TIMEOUT']]);
});

test('a function ends with the condition that takes its time', async () => {
  await it.flows({ slow: { if: never, steps: [] }, f: { kind: 'function', steps: [insert('a', "'gone'"), step('call', 'c', "'{}'::jsonb", { workflow: 'slow' }), insert('b', "'never'")] } });
  const by = await it.connect(it.names.system);
  await by.run("set statement_timeout = '500ms'");
  await assert.rejects(by.run(`select svc.run_function('f', '{"input": {}}')`), /The condition or a key of the workflow slow took longer/);
  assert.equal(await it.titles(), '');
});

test('what was not asked because another one took its time is asked at its replay', async () => {
  const hook = { trigger: { kind: 'webhook', name: 'h' } };
  await it.flows({ a: { ...hook, if: never, steps: [] }, b: { ...hook, if: 'false', steps: [] } },
    { hooksIn: [{ name: 'h', scheme: 'none' }] });
  assert.notEqual(await within("select svc.take_hook('h', 'e2', '{}')"), 'timeout');
  const told = () => it.sql("select workflow || ' ' || status || ' ' || coalesce(error_code, '') from svc.run order by workflow");
  assert.deepEqual(await told(), ['a dead TIMEOUT', 'b dead NOT_ASKED']);
  assert.equal(await it.worker.json('select svc.replay_runs()'), 1);
  assert.deepEqual(await told(), ['a queued ', 'b cancelled SKIPPED']);
});
