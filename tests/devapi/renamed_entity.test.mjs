// An entity gets another name: its rows, numbers, deleted rows, histories and seeds are those of the new name, runs that
// name the former one are told of, and the former version does not come back over it.
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { deploy } from '../lib/published.mjs';
import { Stack, until } from '../lib/stack.mjs';

const all = { read: ['server'], create: ['server'], update: ['server'], delete: ['server'] };
const contract = (name, from, more = {}) => ({
  app: { name: 'Cards' },
  entities: [
    { name, ...(from ? { renamedFrom: from } : {}), owner: 'none', softDelete: { keep: '30d' }, audit: true, search: ['title'],
      fields: [{ name: 'title', type: 'string', required: true, unique: true }, { name: 'number', type: 'sequence', prefix: 'C-' }], access: all },
    { name: 'line', owner: 'none', fields: [{ name: 'card_id', type: 'ref', to: name }], access: all }],
  topics: [{ name: 'app:go', publish: ['server'] }],
  workflows: [
    { id: 'long', on: { manual: true }, steps: [{ id: 'go', waitFor: { topic: 'app:go', timeout: '1d' } },
      { id: 'made', create: { entity: name, data: { title: 'Made' } } }] },
    { id: 'greet', on: { entity: name, event: 'created' }, steps: [{ id: 'said', set: { title: '{new.title}' } }] }],
  seeds: { [name]: [{ _key: 'first', title: 'Seeded' }], line: [{ card_id: '@first' }] },
  ...more,
});

let stack, project, path;
before(async () => {
  stack = await Stack.start();
  await stack.signIn();
  project = await stack.project('Cards');
  path = `/projects/${project.id}`;
  await stack.apply(project, contract('card'));
});
after(() => stack?.stop());

const call = (method, where, body, host = `preview-${project.slug}.localhost`) => stack.fetch(method, `/__svc/api/v1${where}`,
  { headers: { authorization: `Bearer ${project.server}`, 'x-svc-data-api': '1' }, host, body });
const one = async (...asked) => {
  const answer = await call(...asked);
  assert.ok(answer.status < 300, answer.text);
  return answer.json.rows[0];
};
const warnings = async (changed) => {
  const { report } = (await stack.dev('POST', `${path}/check`, { contract: changed }, { expect: 200 })).json;
  assert.deepEqual(report.errors, []);
  return report.warnings.map(({ code }) => code);
};
const titles = async (table) => (await call('GET', `/${table}?sort={"field":"number"}`)).json.rows.map((row) => `${row.number} ${row.title}`);

test('a check asks whether an entity with other words for the same fields is the same one', async () => {
  assert.ok((await warnings(contract('memo'))).includes('MAYBE_RENAMED'));
  assert.ok(!(await warnings(contract('memo', 'card'))).includes('MAYBE_RENAMED'));
});

test('a dry run renames the table and makes none', async () => {
  const { json } = await stack.dev('POST', `${path}/apply`, { contract: contract('memo', 'card'), dryRun: true }, { expect: 200 });
  const kinds = json.plan.map(({ kind }) => kind);
  assert.ok(kinds.includes('rename_table') && kinds.includes('rename_sequence'), kinds.join());
  for (const never of ['create_table', 'retire_table', 'add_constraint', 'create_index', 'create_sequence']) assert.ok(!kinds.includes(never), never);
  assert.deepEqual(await titles('card'), ['C-1 Seeded']);
});

test('rows, numbers, references, deleted rows and histories go on under the new name', async () => {
  const kept = await one('POST', '/card', { title: 'Kept' });
  const deleted = await one('POST', '/card', { title: 'Deleted' });
  await one('POST', '/line', { card_id: kept.id });
  assert.equal((await call('DELETE', `/card/${deleted.id}`)).status, 200);
  const { runId } = (await stack.dev('POST', `${path}/workflows/long/run`, { input: {} }, { expect: 202 })).json;
  await until('the run to wait', async () => (await stack.dev('GET', `${path}/runs/${runId}`)).json.run.status === 'waiting');
  assert.ok((await warnings(contract('memo', 'card'))).includes('CONTRACT_CHANGED'));

  const report = (await stack.apply(project, contract('memo', 'card', { seeds: 'UNCHANGED' }))).json;
  assert.ok(!report.warnings.some(({ code }) => code === 'SEEDS_NOT_KEPT'), JSON.stringify(report.warnings));
  assert.deepEqual(await titles('memo'), ['C-1 Seeded', 'C-2 Kept']);
  assert.equal((await call('GET', '/card')).status, 403);
  assert.equal((await one('POST', '/memo', { title: 'New' })).number, 'C-4');
  assert.equal((await call('POST', '/memo', { title: 'Kept' })).status, 409);
  assert.equal((await call('GET', `/line?filter=[{"field":"card_id","op":"eq","value":"${kept.id}"}]`)).json.rows.length, 1);
  assert.equal((await one('POST', `/memo/${deleted.id}/restore`)).title, 'Deleted');
  const told = async (id) => (await call('GET', `/memo/${id}/history`)).json.history.map(({ event }) => event);
  assert.deepEqual(await told(deleted.id), ['restored', 'deleted', 'created']);
  assert.deepEqual(await told(kept.id), ['created']);
  const shown = await stack.dev('GET', `${path}/rows/memo/${kept.id}/history`, undefined, { expect: 200 });
  assert.deepEqual(shown.json.history.map((entry) => entry.new.title), ['Kept']);

  await stack.dev('POST', `${path}/topics/app%3Ago/publish`, { payload: {} }, { expect: 200 });
  const dead = await until('the run to end', async () => {
    const { run } = (await stack.dev('GET', `${path}/runs/${runId}`)).json;
    return run.status === 'dead' && run;
  });
  assert.deepEqual([dead.errorCode, dead.failedStep], ['CONTRACT_CHANGED', 'made']);
});

test('the name may stay in the contract, and the seeds are the rows that they made', async () => {
  const { json } = await stack.apply(project, contract('memo', 'card'));
  assert.deepEqual(json.plan, []);
  assert.deepEqual(await titles('memo'), ['C-1 Seeded', 'C-2 Kept', 'C-3 Deleted', 'C-4 New']);
});

test('every write before and after it starts its workflow', async () => {
  const starts = async () => (await stack.dev('GET', `${path}/logs?workflow=greet&limit=50`)).json.runs.length;
  await until('all runs', async () => await starts() >= 5);  // the seed, three rows, one that came back
  assert.equal(await starts(), 5);
});

test('prod follows by a deploy, and the deployment before does not come back over the new name', async () => {
  const published = await stack.project('Published');
  const ask = (method, where, body) => stack.fetch(method, `/__svc/api/v1${where}`,
    { headers: { authorization: `Bearer ${published.server}`, 'x-svc-data-api': '1' }, host: `${published.slug}.localhost`, body });
  await stack.apply(published, contract('card'));
  assert.ok((await deploy(stack, published)).deployment);
  assert.equal((await ask('POST', '/card', { title: 'Of prod' })).status, 201);
  await stack.apply(published, contract('memo', 'card'));
  assert.ok((await deploy(stack, published)).deployment);
  assert.deepEqual((await ask('GET', '/memo?sort={"field":"number"}')).json.rows.map(({ title }) => title), ['Seeded', 'Of prod']);
  const { deployments } = (await stack.dev('GET', `/projects/${published.id}/deploys`, undefined, { expect: 200 })).json;
  const refused = await stack.dev('POST', `/projects/${published.id}/deploys/${deployments.at(-1).id}/rollback`);
  assert.equal(refused.status, 422, refused.text);
  assert.equal(refused.json.report.errors[0].code, 'ROLLBACK_NOT_POSSIBLE');
  assert.equal((await ask('GET', '/memo')).json.rows.length, 2);
});
