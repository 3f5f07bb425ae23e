// The function of a workflow's first steps: it does what the interpreter does, or leaves it to the interpreter.
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { Engine, insert, set, step } from '../lib/engine.mjs';

let it;
before(async () => { it = await Engine.start(); await it.items(); });
after(() => it.stop());
test.beforeEach(() => it.empty());

const quick = (name) => it.json(`select d.quick from svc.definition d join svc.flow f on f.hash = d.hash where f.name = '${name}'`);
const functions = () => it.sql(String.raw`select proname from pg_proc where proname like 'quick\_%' and length(proname) = 38 order by 1`);
async function ran(workflow, input = {}) {
  const run = await it.start(workflow, input);
  await it.work();
  return it.run(run);
}
const short = ({ steps }) => steps.map(({ path, attempt, status, output }) => ({ path, attempt, status, value: output?.value ?? output?.title }));

test('steps see the results of those before, conditions skip, and each is recorded', async () => {
  await it.flows({ w: { steps: [
    set('a', "($1 #>> '{input,n}')::integer"), set('no', '1', { if: "($1 #> '{steps,a,value}') = '0'" }),
    insert('b', "'it''s ' || ($1 #>> '{steps,a,value}') || coalesce($1 #>> '{steps,no}', ' none')")] } });
  assert.deepEqual({ ...await quick('w'), name: '' }, { version: 1, name: '', steps: 3, ends: true, last: 'b', reads: true });
  const done = await ran('w', { n: 7 });
  assert.equal(done.status, 'succeeded');
  assert.deepEqual(short(done), [
    { path: 'a', attempt: 1, status: 'succeeded', value: 7 }, { path: 'no', attempt: 1, status: 'skipped', value: undefined },
    { path: 'b', attempt: 1, status: 'succeeded', value: "it's 7 none" }]);
  assert.equal(await it.titles(), "it's 7 none");
});

test('what comes after them goes on with their results', async () => {
  await it.flows({ w: { steps: [set('a', '1'), set('b', '2'), step('sleep', 'nap', undefined, { seconds: 60 }),
    set('c', "($1 #>> '{steps,a,value}')::integer + ($1 #>> '{steps,b,value}')::integer"), step('return', 'end', "$1 #> '{steps,c,value}'")] } });
  assert.equal((await quick('w')).steps, 2);
  const run = await it.start('w');
  await it.work();
  assert.equal(await it.status(run), 'waiting');
  await it.hurry();
  await it.work();
  const done = await it.run(run);
  assert.deepEqual([done.status, done.result], ['succeeded', 3]);
});

test('a run whose first steps were a function gets the message that it waits for', async () => {
  const wait = step('waitFor', 'hear', "jsonb_build_object('topic', 'app:go')", { timeout: 3600 });
  await it.flows({ w: { waits: true, steps: [insert('a', "'a'"), wait, insert('b', "'b ' || ($1 #>> '{steps,hear,payload}')")] } });
  assert.equal((await quick('w')).steps, 1);
  const run = await it.start('w');
  await it.work();
  assert.deepEqual([await it.status(run), await it.titles()], ['waiting', 'a']);
  await it.sql(`select svc.publish('app:go', '7')`);
  await it.sql('select svc.start_runs()');
  await it.work();
  assert.deepEqual([await it.status(run), await it.titles()], ['succeeded', 'a,b 7']);
});

test('if one of them fails, those before it stay, and it is tried again', async () => {
  await it.flows({ w: { steps: [insert('a', "'a'"), set('b', "1 / ($1 #>> '{input,n}')::integer", { retry: { max: 2, base: 1e9, factor: 2, cap: 1e9 } }), insert('c', "'c'")] } });
  const run = await it.start('w', { n: 0 });
  await it.work();
  assert.deepEqual([await it.status(run), await it.titles()], ['waiting', 'a']);
  await it.hurry();
  await it.work();
  const dead = await it.run(run);
  assert.deepEqual([dead.status, dead.failedStep, dead.errorCode], ['dead', 'b', '22012']);
  assert.deepEqual(short(dead).map(({ path, attempt, status }) => [path, attempt, status].join(' ')), ['a 1 succeeded', 'b 1 failed', 'b 2 failed']);
  assert.equal(await it.titles(), 'a');
});

test('one that finds no row fails with its own words', async () => {
  await it.flows({ w: { steps: [insert('a', "'a'"), step('update', 'b', "with u as (update public.item set title = 'x' where title = 'y' returning *) select to_jsonb(u) from u", { retry: { max: 0 } })] } });
  const dead = await ran('w');
  assert.deepEqual([dead.status, dead.errorCode], ['dead', 'NOT_FOUND']);
});

test('a statement that has used up its time is followed by another one', async () => {
  await it.flows({ w: { steps: [insert('a', "'a'"), set('b', "(select 1 from pg_sleep(0.7))")] } });
  const run = await it.start('w');
  const [claim] = await it.claim();
  await it.worker.run("set statement_timeout = '300ms'");
  assert.deepEqual(await it.advance(claim), { state: 'again' });
  assert.equal(await it.titles(), '');
  await it.worker.run('reset statement_timeout');
  assert.equal((await it.advance(claim)).status, 'succeeded');
  assert.deepEqual(short(await it.run(run)).map(({ path, status }) => `${path} ${status}`), ['a succeeded', 'b succeeded']);
});

test('steps of callers, of loops and with a time of their own have none', async () => {
  await it.flows({
    actor: { steps: [set('a', '1', { runAs: 'actor' })] }, timed: { steps: [set('a', '1', { timeout: 5 })] },
    loop: { steps: [set('a', '1', { for: { list: "select '[1]'::jsonb", as: 'x' } })] },
    broken: { steps: [set('a', '1 +')] }, other: { steps: [set('a', "'$2'::text")] },
  });
  for (const name of ['actor', 'timed', 'loop', 'broken', 'other']) assert.deepEqual(await quick(name), { version: 1 });
  assert.equal((await ran('loop')).status, 'succeeded');
});

test('without the function a run goes on as well', async () => {
  await it.flows({ w: { steps: [insert('a', "'a'")] } });
  await it.sql(`drop function svc.${(await quick('w')).name}(jsonb, uuid)`);
  assert.equal((await ran('w')).status, 'succeeded');
});

test('a definition that somebody changes is interpreted as it is now', async () => {
  await it.flows({ w: { steps: [insert('a', "'a'")] } });
  await it.sql("update svc.definition set body = replace(body::text, '''a''', '''b''')::jsonb where name = 'w'");
  assert.equal(await quick('w'), null);
  assert.deepEqual([(await ran('w')).status, await it.titles()], ['succeeded', 'b']);
});

test('the function is dropped with its definition', async () => {
  await it.flows({ w: { steps: [insert('a', "'a'")] } });
  const { name } = await quick('w');
  await it.flows({ w: { steps: [insert('a', "'b'")] } });
  // A transaction that began before the apply may still begin a run of it.
  await it.sql("update svc.definition set made_at = now() - interval '2 days'");
  await it.worker.run('select svc.purge_runs()');
  assert.ok((await functions()).includes(name));
  await it.sql("update svc.definition set idle_since = idle_since - interval '2 days'");
  await it.worker.run('select svc.purge_runs()');
  const left = await functions();
  assert.deepEqual([left.includes(name), left.includes((await quick('w')).name)], [false, true]);
});
