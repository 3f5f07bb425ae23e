// A verification reports what functions and workflows would do, and their faults. It calls no other service.
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { Endpoint } from '../../lib/endpoint.mjs';
import { appServers, until } from '../../lib/stack.mjs';
import { broken, flowing } from './flows.mjs';
import { Verifying, check, failed, green } from './world.mjs';

let world, stack, flows, outside;
before(async () => {
  outside = await Endpoint.start();
  world = await Verifying.start('Flowing', flowing(outside.url));
  ({ stack, project: flows } = world);
});
after(async () => {
  outside?.stop();
  await world?.stop();
});

const dev = (...asked) => world.dev(...asked);
const verify = (...asked) => world.verify(...asked);
const content = (...asked) => world.content(...asked);

const runsOf = (report, name) => check(report, name).detail.runs.reduce((all, one) => {
  (all[one.of.split(' ')[1]] ??= []).push(one);
  return all;
}, {});
const told = ({ steps, ended }) => [...steps.map(({ kind, target }) => `${kind} ${target}`), ended];

test('functions and workflows say what they would do, and call nobody', async () => {
  const was = content(flows);
  const report = await verify(flows);
  green(report);
  const at = outside.url.slice('http://'.length);
  const functions = runsOf(report, 'functions');
  assert.deepEqual(Object.fromEntries(Object.entries(functions).map(([name, [one]]) => [name, told(one)])), {
    add: ['create item', 'succeeded'],
    sell: ['transition item sell', 'succeeded'],
    quote: [`http PUT ${at}/quote`, 'create note', 'succeeded'],
    mine: [functions.mine[0].ended],
    never: ['refused: Not today. (FUNCTION_FAILED)'],
    unless: ['create note', 'succeeded'],
    inner: ['create note', 'succeeded'],
  });
  assert.match(functions.mine[0].ended, /^refused: .*row-level security.*\(42501\)$/);
  assert.equal(functions.inner[0].by, 'another step');
  const workflows = runsOf(report, 'workflows');
  assert.deepEqual(told(workflows.on_created[0]), [`http POST ${at}/created`, 'email ann@example.test', 'create note', 'succeeded']);
  assert.equal(workflows.on_created[0].by, 'a row of item that was created');
  assert.deepEqual(told(workflows.on_sold[0]), ['publish app:go', 'succeeded']);
  assert.match(workflows.on_signup[0].ended, /^dead at no: .*\(ROW_FORBIDDEN\)$/);
  assert.deepEqual(told(workflows.later[0]), ['sleep 3600 s', 'waitFor app:go', 'start each', 'notify clerk.1@verify.invalid', 'notify clerk.2@verify.invalid', 'notify admin.clerk@verify.invalid', 'succeeded']);
  assert.equal(workflows.each[0].steps.length, 3);
  assert.match(told(workflows.each[0])[0], new RegExp(`^http GET ${at}/each/[0-9a-f-]{36}$`));
  const [again, dead] = told(workflows.gone[0]);
  assert.equal(again, 'retry change');
  assert.match(dead, /^dead at change: There is no note with the id [0-9a-f-]{36}, or none that this step may change\. \(NOT_FOUND\)$/);
  assert.deepEqual(told(workflows.fails[0]), ['create note', 'start on_failed', 'failed at no: This cannot be. (FAILED)']);
  assert.deepEqual(told(workflows.on_failed[0]), ['create note', 'succeeded']);
  for (const by of ['timed', 'called']) assert.deepEqual(told(workflows[by][0]), ['create note', 'succeeded'], `parameters of ${by} have their defaults`);
  assert.equal(workflows.called[0].by, 'a call of its webhook');
  assert.deepEqual(check(report, 'workflows').detail.warnings, ['Not run, because no sample starts them: unreached.']);
  assert.deepEqual(outside.calls, []);
  assert.equal(content(flows), was);
});

for (const [name, [change, whose, where, words]] of Object.entries(broken)) {
  test(`${name}: ${where} tells it`, async () => {
      dev(`update svc.definition set body = ${change} where name = '${whose}'`, flows);
    const report = await verify(flows);
    await stack.apply(flows, flowing(outside.url));
    assert.deepEqual(failed(report).map((one) => one.name), [where], JSON.stringify(failed(report)));
    assert.match(check(report, where).detail.counterExample, words ?? /definition of the function quote in the database/);
    assert.deepEqual(outside.calls, []);
  });
}

test('an apply has repaired all of them', async () => {
  green(await verify(flows));
});

test('a function that dev has lost', async () => {
  dev("update svc.flow set live = false where name = 'add'", flows);
  const report = await verify(flows);
  dev("update svc.flow set live = true where name = 'add'", flows);
  assert.match(check(report, 'functions').detail.counterExample, /There is no function add in the live contract/);
});

test('what is due in dev is not worked on by the clone', async (t) => {
  const endpoint = await Endpoint.start();
  t.after(() => endpoint.stop());
  const project = await stack.project('Due');
  const ask = (path) => [{ id: 'ask', http: { method: 'POST', url: `${endpoint.url}/${path}` } }];
  await stack.dev('PUT', `/projects/${project.id}/secrets/OUT_HOOK`, { value: `whsec_${Buffer.alloc(32).toString('base64')}` }, { expect: 201 });
  await stack.apply(project, {
    app: { name: 'Due' },
    entities: [{ name: 'item', owner: 'none', fields: [{ name: 'title', type: 'string' }], access: { read: ['*'], update: ['*'] } }],
    workflows: [{ id: 'often', on: { every: '1h' }, steps: ask('time') }, { id: 'once', on: { manual: true }, steps: ask('run') }],
    webhooks: { out: [{ name: 'told', on: ['item.created'], url: `${endpoint.url}/delivery`, secret: 'secret:OUT_HOOK' }] },
  });
  // Nobody but the clone could work on it meanwhile.
  const servers = appServers(project).map(({ pid }) => pid);
  for (const pid of servers) process.kill(pid, 'SIGSTOP');
  try {
    dev(`update svc.schedule set next_at = now(), after = now() - interval '2 hours', since = now() - interval '90 minutes';
         select svc.start_run('once', '{}', '{"kind": "manual"}'); insert into item (title) values ('told')`, project);
    dev('select svc.start_runs(500)', project);
    assert.deepEqual(dev('select count(*) from svc.delivery union all select count(*) from svc.run', project), [['1'], ['1']]);
    green(await verify(project));
    assert.deepEqual(endpoint.calls.map(({ path: called }) => called), []);
  } finally {
    for (const pid of servers) process.kill(pid, 'SIGCONT');
  }
  await until('dev to work on it', () => ['time', 'run', 'delivery'].every((one) => endpoint.to(one).length === 1));
});
