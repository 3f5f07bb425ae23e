// Runs under way while the contract changes: a check, a dry run and an apply say which of them could not go on, and
// those cannot.
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { Stack, until } from '../lib/stack.mjs';

const wait = { id: 'go', waitFor: { topic: 'app:go', timeout: '1d' } };
const contract = () => ({
  app: { name: 'Long runs' },
  entities: [{ name: 'ticket', owner: 'none',
    fields: [{ name: 'title', type: 'string' }, { name: 'rank', type: 'integer' }, { name: 'spare', type: 'string' }],
    lifecycle: { field: 'status', initial: 'open', states: ['open', 'done'], transitions: [{ name: 'finish', from: 'open', to: 'done', by: ['server'] }] },
    access: { read: ['server'], create: ['server'], update: ['server'] } }],
  topics: [{ name: 'app:go', publish: ['server'] }],
  workflows: [
    { id: 'long', on: { manual: true }, steps: [wait,
      { id: 'made', create: { entity: 'ticket', data: { title: 'Made', rank: 1, spare: 'x' } } },
      { id: 'some', if: 'steps.made.rank > 0', switch: { on: 'steps.made.title', cases: { Made: [{ id: 'told', call: { workflow: 'other', params: {} } }] } } }] },
    { id: 'mover', on: { manual: true }, params: { id: { type: 'uuid', required: true } }, steps: [wait,
      { id: 'move', transition: { entity: 'ticket', id: '{input.id}', transition: 'finish' } }] },
    { id: 'other', on: { manual: true }, steps: [{ id: 'note', set: { done: true } }] }],
  seeds: {},
});

let stack, project, path;
before(async () => {
  stack = await Stack.start();
  await stack.signIn();
  project = await stack.project('Long runs');
  path = `/projects/${project.id}`;
  await stack.apply(project, contract());
});
after(() => stack?.stop());

const start = async (workflow, input = {}) =>
  (await stack.dev('POST', `${path}/workflows/${workflow}/run`, { input }, { expect: 202 })).json.runId;
const run = async (id) => (await stack.dev('GET', `${path}/runs/${id}`, undefined, { expect: 200 })).json.run;
const waits = (id) => until('the run to wait', async () => (await run(id)).status === 'waiting');
const told = (warnings) => warnings.filter((one) => one.code === 'CONTRACT_CHANGED');
const check = async (changed) => {
  const { report } = (await stack.dev('POST', `${path}/check`, { contract: changed }, { expect: 200 })).json;
  assert.deepEqual(report.errors, []);
  return told(report.warnings);
};
// The contract, changed in one place.
const but = (change) => {
  const out = contract();
  change(out, out.entities[0].fields, out.workflows);
  return out;
};
const rename = but((_, fields, workflows) => {
  fields[0] = { name: 'heading', type: 'string', renamedFrom: 'title' };
  workflows[0].steps = [wait, { id: 'made', create: { entity: 'ticket', data: { heading: 'Made' } } }];
});

test('without runs there is no warning', async () => {
  assert.deepEqual(await check(rename), []);
});

test('unfinished runs are reported with the broken steps and the fix', async () => {
  const [first, second] = [await start('long'), await start('long')];
  await waits(first);
  await waits(second);
  const [warning, ...others] = await check(rename);
  assert.deepEqual(others, []);
  assert.equal(warning.path, '/workflows/0');
  assert.match(warning.message, /^2 runs of "long" are under way with an earlier definition\. These steps would fail: made \(column "title"/);
  assert.match(warning.fix, /svc logs --workflow long/);
});

test('what stays in the database breaks nothing', async () => {
  assert.deepEqual(await check(contract()), []);
  const more = but((_, fields) => fields.push({ name: 'more', type: 'string' }));
  assert.deepEqual(await check(more), []);
  const less = but((_, fields, workflows) => {
    fields.splice(2, 1);
    workflows[0].steps = [wait];
  });
  assert.deepEqual(await check(less), [], 'the column that left the contract is still there');
});

test('another type, a workflow that is gone and a move that nobody makes any more', async () => {
  const typed = await check(but((_, fields, workflows) => {
    fields[1].type = 'json';
    workflows[0].steps = [wait];
  }));
  assert.match(typed[0].message, /made \(column "rank" is of type jsonb/);
  const called = await check(but((_, fields, workflows) => {
    workflows[0].steps = [wait];
    workflows.pop();
  }));
  assert.match(called[0].message, /told \(it calls the workflow "other", which is gone\)/);
  await waits(await start('mover', { id: crypto.randomUUID() }));
  const moved = await check(but((_, fields, workflows) => workflows.splice(1, 1)));
  assert.deepEqual(moved.map((one) => one.path), ['']);
  assert.match(moved[0].message, /^1 run of "mover" is under way .*move \(function \S*ticket_move/);
});

test('dry run and apply say so too, and the runs become dead letters', async () => {
  const id = await start('long');
  await waits(id);
  const apply = async (more) => told((await stack.dev('POST', `${path}/apply`, { contract: rename, ...more }, { expect: 200 })).json.warnings);
  const dry = await apply({ dryRun: true });
  assert.match(dry[0].message, /^3 runs of "long"/);
  assert.deepEqual(await apply({}), dry);
  await stack.dev('POST', `${path}/topics/app%3Ago/publish`, { payload: {} }, { expect: 200 });
  const dead = await until('the run to end', async () => {
    const found = await run(id);
    return found.status === 'dead' && found;
  });
  assert.deepEqual([dead.errorCode, dead.failedStep], ['CONTRACT_CHANGED', 'made']);
});
