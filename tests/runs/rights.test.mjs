// What of runs and functions callers may reach: nothing of the engine, and of functions, in steps, those whose "allow"
// names whoever the step runs as.
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { Engine, insert, step } from '../lib/engine.mjs';

const [customer, manager] = [1, 2].map((n) => `00000000-0000-7000-8000-00000000000${n}`);
const personas = { personas: { customer: 'customer,consumer,signed_in', manager: 'manager,staff,signed_in' } };
const call = (name, runAs, more) => step('call', 'c', "'{}'::jsonb", { function: name, runAs, retry: { max: 1 }, ...more });
const wrote = (allow) => ({ kind: 'function', allow, steps: [insert('a', "'written'")] });
let it;

before(async () => {
  it = await Engine.start();
  await it.items();
  await it.sql(`insert into svc.account (id, email, persona) values ('${customer}', 'c@example.test', 'customer'), ('${manager}', 'm@example.test', 'manager')`);
});
after(() => it.stop());
test.beforeEach(() => it.empty());

// What became of a run that this account started.
async function end(workflow, account) {
  const id = await it.start(workflow, {}, account ? `, '${account}'` : '');
  await it.work();
  const run = await it.run(id);
  return `${run.status} ${run.errorCode ?? ''}`.trim();
}

test('a step that runs as the actor calls what the actor may call', async () => {
  await it.flows({ managers: wrote(['manager']), all: wrote(['*']), users: wrote(['guest', 'signed_in']), steps: wrote([]),
    a: { steps: [call('managers', 'actor')] }, b: { steps: [call('all', 'actor')] }, c: { steps: [call('users', 'actor')] }, d: { steps: [call('steps', 'actor')] } }, personas);
  assert.equal(await end('a', customer), 'dead TABLE_FORBIDDEN');
  assert.equal(await it.titles(), '');
  assert.match((await it.sql('select error from svc.run'))[0], /may not call the function managers/);
  for (const [workflow, account] of [['a', manager], ['b', customer], ['c', customer], ['d', customer]]) assert.equal(await end(workflow, account), 'succeeded');
  assert.equal(await it.titles(), 'written,written,written,written');
});

test('one that runs as a persona calls what the persona may call, and the system calls any', async () => {
  await it.flows({ managers: wrote(['manager']), a: { steps: [call('managers', 'persona:customer', { principals: 'customer,consumer,signed_in' })] },
    b: { steps: [call('managers', 'persona:manager', { principals: 'manager,staff,signed_in' })] }, c: { steps: [call('managers', 'system')] } }, personas);
  assert.deepEqual([await end('a'), await end('b'), await end('c')], ['dead TABLE_FORBIDDEN', 'succeeded', 'succeeded']);
});

test('in a function the actor is its caller, and the system may call for them', async () => {
  await it.flows({ managers: wrote(['manager']), asks: { kind: 'function', steps: [call('managers', 'actor')] },
    trusts: { kind: 'function', steps: [call('managers', 'system')] } }, personas);
  const by = (names) => `jsonb_build_object('input', '{}'::jsonb, 'caller', jsonb_build_object('id', '${customer}', 'principals', '${names}'))`;
  assert.deepEqual(await it.refused(`select svc.run_function('asks', ${by('customer,signed_in')})`, it.names.system),
    { code: 'SVSET', message: 'Whoever this step runs as may not call the function managers.' });
  assert.equal(await it.refused(`select svc.run_function('asks', ${by('manager,signed_in')})`, it.names.system), null);
  assert.equal(await it.refused(`select svc.run_function('trusts', ${by('customer,signed_in')})`, it.names.system), null);
});

test('the live "allow" counts, also where the run began before it', async () => {
  const begins = { steps: [step('sleep', 's', undefined, { seconds: 60 }), call('f', 'actor')] };
  await it.flows({ f: wrote(['customer']), w: begins }, personas);
  const run = await it.start('w', {}, `, '${customer}'`);
  await it.work();
  await it.flows({ f: wrote(['manager']), w: begins }, personas);
  await it.hurry();
  await it.work();
  assert.equal((await it.run(run)).errorCode, 'TABLE_FORBIDDEN');
});

test('callers may do nothing of the engine, and nobody but the engine runs statements as callers', async () => {
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
