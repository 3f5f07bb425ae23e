// Functions within their limits, and what is left of them: nothing.
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { Engine, http, insert, set, step } from '../lib/engine.mjs';

let it;
before(async () => { it = await Engine.start(); await it.items(); });
after(() => it.stop());
test.beforeEach(() => it.empty());

const call = (name, input = {}) => it.worker.json(`select svc.run_function('${name}', '${JSON.stringify({ input })}')`);
const list = { as: 'x', list: "select '[1, 2, 3]'::jsonb" };
const leaves = (id) => step('switch', id, "to_jsonb('a'::text)", { for: list, cases: [{ value: 'a', steps: [step('return', 'hit', "$1 #> '{local,x}'")] }], else: [] });

test('what returns out of loops leaves no elements behind', async () => {
  const steps = [step('switch', 'outer', "to_jsonb('a'::text)", { for: { ...list, as: 'y' }, cases: [{ value: 'a', steps: [leaves('inner')] }], else: [] })];
  await it.flows({ f: { kind: 'function', steps }, w: { steps }, calls: { steps: [step('call', 'c', "'{}'::jsonb", { function: 'f' })] } });
  assert.deepEqual(await call('f'), { done: true, result: 1 });
  const runs = [await it.start('w'), await it.start('calls')];
  await it.work();
  for (const run of runs) assert.equal(await it.status(run), 'succeeded');
  assert.equal(await it.count('svc.element'), 0);
});

test('elements that belong to no run go, those of runs stay', async () => {
  await it.flows({ w: { steps: [{ ...http('each'), for: list }] } });
  const run = await it.start('w');
  const [claim] = await it.claim();
  assert.equal((await it.advance(claim)).state, 'outside');
  await it.sql("insert into svc.element (run, path, n) select svc.new_id(), 'each', 0 from generate_series(1, 3)");
  await it.worker.run('select svc.purge_runs()');
  assert.deepEqual(await it.sql('select distinct run from svc.element'), [run]);
});

test('a function whose statement takes too long ends, whatever its step does about failures', async () => {
  const on = { onError: 'continue' };
  await it.flows({ f: { kind: 'function', steps: [set('slow', 'pg_sleep(60)::text', on), insert('a', "'never'")] },
    own: { kind: 'function', steps: [set('slow', 'pg_sleep(1.1)::text', { ...on, timeout: 1 }), insert('a', "'after'")] },
    outer: { kind: 'function', steps: [step('call', 'c', "'{}'::jsonb", { function: 'strict', ...on }), insert('a', "'outer'")] },
    strict: { kind: 'function', steps: [set('slow', 'pg_sleep(1.1)::text', { timeout: 1 })] } });
  const hurried = await it.connect(it.names.system);
  await hurried.run("set statement_timeout = '200ms'");
  await assert.rejects(hurried.run("select svc.run_function('f', '{}')"), /statement timeout/);
  assert.equal((await call('own')).done, true, 'a time of its own is a failure like others');
  assert.equal((await call('outer')).done, true);
  assert.equal(await it.titles(), 'after,outer');
});

const answer = (code, more = {}) => ({ ok: false, error: `It said ${code}.`, code, ...more });

test('a workflow calls a function again whose call outside may succeed later, as it would make the call again', async () => {
  await it.flows({ f: { kind: 'function', steps: [http('ask'), insert('a', "'done'")] }, g: { kind: 'function', steps: [step('call', 'f', "'{}'::jsonb", { function: 'f' })] },
    w: { steps: [step('call', 'c', "'{}'::jsonb", { function: 'g' })] } });
  const run = await it.start('w');
  const keys = [];
  await it.work((request) => { keys.push(request.idempotencyKey); return answer('HTTP_503', { retryable: true, retryAfter: 3600 }); });
  const waiting = await it.run(run);
  assert.deepEqual([waiting.status, waiting.steps[0].errorCode, waiting.steps[0].error], ['waiting', 'HTTP_503', 'It said HTTP_503.']);
  assert.ok(new Date(waiting.dueAt) - Date.now() > 3_000_000, 'the pause that the other side asked for');
  await it.hurry();
  await it.work((request) => { keys.push(request.idempotencyKey); return { ok: true, output: {} }; });
  assert.equal(await it.status(run), 'succeeded');
  assert.deepEqual(keys, [`${run}/c/f/ask`, `${run}/c/f/ask`]);
  assert.equal(await it.titles(), 'done');
});

test('nothing is tried again once a call of the function was answered', async () => {
  const outer = { kind: 'function', steps: [http('before'), step('call', 'c', "'{}'::jsonb", { function: 'one' })] };
  await it.flows({ one: { kind: 'function', steps: [http('ask')] }, two: { kind: 'function', steps: [http('first'), http('ask')] }, outer,
    a: { steps: [step('call', 'c', "'{}'::jsonb", { function: 'two' })] }, b: { steps: [step('call', 'c', "'{}'::jsonb", { function: 'outer' })] } });
  const asked = [];
  for (const workflow of ['a', 'b']) {
    const run = await it.start(workflow);
    await it.work((request) => {
      asked.push(request.idempotencyKey.split('/').at(-1));
      return request.idempotencyKey.endsWith('/ask') ? answer('HTTP_503', { retryable: true }) : { ok: true, output: {} };
    });
    assert.deepEqual([await it.status(run), (await it.run(run)).errorCode], ['dead', 'FUNCTION_FAILED']);
  }
  assert.deepEqual(asked, ['first', 'ask', 'before', 'ask']);
});

test('what fails for good in a function is not tried again, and callers get the same refusal of both', async () => {
  await it.flows({ f: { kind: 'function', steps: [http('ask')] }, says: { kind: 'function', steps: [step('fail', 'no', "to_jsonb('No.'::text)")] },
    w: { steps: [step('call', 'c', "'{}'::jsonb", { function: 'f' })] }, s: { steps: [step('call', 'c', "'{}'::jsonb", { function: 'says' })] } });
  const runs = [await it.start('w'), await it.start('s')];
  await it.work(() => answer('HTTP_404', { retryable: false }));
  for (const run of runs) {
    const { status, errorCode, steps } = await it.run(run);
    assert.deepEqual([status, errorCode, steps.length], ['dead', 'FUNCTION_FAILED', 1]);
  }
  const { state } = await call('f');
  const ended = (result) => it.json(`do $do$ declare hint text; begin perform svc.run_function('f', '${JSON.stringify({ ...state, result })}');
    exception when others then get stacked diagnostics hint = pg_exception_hint; perform set_config('test.told', jsonb_build_array(sqlstate, hint, sqlerrm)::text, false);
    end $do$; select current_setting('test.told')`);
  for (const retryable of [true, false])
    assert.deepEqual(await ended({ path: 'ask', ...answer('HTTP_503', { retryable }) }), ['SV422', 'FUNCTION_FAILED', 'It said HTTP_503.']);
});
