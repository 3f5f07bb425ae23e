// Workflows of a contract over a live app server: what starts them, as whom they act, what they leave behind.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import test, { after, before } from 'node:test';
import { asAdmin, databaseOf, sql as query } from '../lib/admin_sql.mjs';
import { Endpoint } from '../lib/endpoint.mjs';
import { signUp } from '../lib/scenarios.mjs';
import { Stack, until } from '../lib/stack.mjs';

const note = (id, text) => ({ id, create: { entity: 'note', data: { text } } });
const contract = (url) => ({
  app: { name: 'Workflows' },
  personas: [{ id: 'member', kind: 'consumer', signup: true }, { id: 'clerk', kind: 'staff' }],
  auth: { signup: 'open' },
  entities: [
    { name: 'item', owner: 'none', fields: [{ name: 'title', type: 'string' }, { name: 'stock', type: 'integer', default: 0 },
        { name: 'cost', type: 'integer', default: 7, read: ['clerk'] }, { name: 'packed_at', type: 'datetime' }],
      lifecycle: { field: 'status', initial: 'open', states: ['open', 'sold'], transitions: [{ name: 'sell', from: 'open', to: 'sold', by: ['*'] }] },
      access: { read: ['*'], create: ['*'], update: ['*'], delete: ['*'] } },
    { name: 'note', owner: 'none', fields: [{ name: 'text', type: 'string' }], access: { read: ['*'], create: ['clerk'] } },
  ],
  topics: [{ name: 'app:case:{id}', publish: [] }],
  queries: [{ name: 'packed', allow: ['workflow'], params: { item: { type: 'uuid', required: true } },
    sql: 'select packed_at, created_at::date as day, stock / 2.0 as half from item where id = :item' }],
  functions: [
    { name: 'tell', allow: ['*'], params: { to: { type: 'string' } }, steps: [{ id: 'say', publish: { topic: 'app:{input.to}', payload: { told: true } } }] },
    { name: 'look', allow: ['*'], runAs: 'actor', params: { item: { type: 'uuid', required: true } },
      steps: [
        { id: 'one', update: { entity: 'item', id: '{input.item}', data: { title: 'Looked at' } } },
        { id: 'seen', update: { entity: 'item', id: '{input.item}', data: {} } },
        { id: 'made', create: { entity: 'item', data: { title: 'Made' } } },
        { id: 'sold', transition: { entity: 'item', id: '{steps.made.id}', transition: 'sell' } }],
      returns: { one: '{steps.one}', seen: '{steps.seen}', made: '{steps.made}', sold: '{steps.sold}' } },
    { name: 'when', allow: ['*'], params: { item: { type: 'uuid', required: true } },
      steps: [
        { id: 'row', update: { entity: 'item', id: '{input.item}', data: {} } },
        { id: 'each', for: { entity: 'item', where: { id: '{input.item}' } }, as: 'it', set: { at: '{it.packed_at}' } },
        { id: 'rows', query: { name: 'packed', params: { item: '{input.item}' } } }],
      returns: { row: '{steps.row}', at: '{steps.row.packed_at}', text: 'at {steps.row.packed_at}', each: '{steps.each}', rows: '{steps.rows.rows}' } },
    { name: 'rename', allow: 'server', params: { item: { type: 'uuid', required: true }, title: { type: 'string', required: true } },
      steps: [note('told', 'renamed to {input.title}'), { id: 'set', update: { entity: 'item', id: '{input.item}', data: { title: '{input.title}' } } }] },
  ],
  workflows: [
    { id: 'on_created', on: { entity: 'item', event: 'created' }, if: 'new.stock < 5', steps: [note('low', 'low: {new.title}')] },
    { id: 'on_packed', on: { entity: 'item', event: 'created' }, if: 'new.packed_at != null',
      steps: [{ id: 'seen', set: { row: '{new}', at: '{new.packed_at}' } }] },
    { id: 'on_sold', on: { entity: 'item', transition: 'sell' }, steps: [note('sold', 'sold: {new.title}')] },
    { id: 'on_signup', on: { auth: 'signup' }, steps: [note('hello', 'signed up')] },
    { id: 'as_actor', on: { manual: true }, runAs: 'actor', steps: [note('mine', 'not a clerk')] },
    { id: 'call', on: { manual: true }, params: { n: { type: 'integer', default: 3 } },
      steps: [{ id: 'ask', http: { method: 'POST', url: `${url}/ask`, body: { n: '{input.n}' } } }, note('told', 'told {steps.ask.status}')] },
    { id: 'looks', on: { manual: true }, params: { id: { type: 'string' } }, retry: { max: 1 },
      steps: [{ id: 'ask', http: { method: 'GET', url: `${url}/orders/{input.id}?of={input.id}` } }] },
    { id: 'each', on: { manual: true }, steps: [{ id: 'one', for: { entity: 'item', where: { status: 'sold' } }, as: 'it', create: { entity: 'note', data: { text: 'each: {it.title}' } } }] },
    { id: 'fails', on: { manual: true }, steps: [note('first', 'before it failed'), { id: 'no', fail: 'This cannot be.' }] },
    { id: 'impatient', on: { manual: true }, params: { id: { type: 'uuid', required: true } }, retry: { max: 1 },
      steps: [{ ...note('first', 'before the lock'), timeout: '5s' }, { id: 'change', timeout: '1s', update: { entity: 'item', id: '{input.id}', data: { stock: 0 } } }] },
    { id: 'waits', on: { manual: true }, params: { case: { type: 'string' } }, retry: { max: 1 },
      steps: [{ id: 'heard', waitFor: { topic: 'app:case:{input.case}', timeout: '1h' } }] },
    { id: 'on_failed', on: { failed: 'fails' }, steps: [note('noticed', 'noticed')] },
  ],
  seeds: {},
});

let stack, app, host, endpoint, ann;
const server = () => ({ authorization: `Bearer ${app.server}`, 'x-svc-data-api': '1' });
const call = (method, path, body, headers = server()) => stack.fetch(method, `/__svc${path}`, { headers, host, body });
const noted = (text) => query(stack, databaseOf(app), `select count(*) from note where text = '${text}'`)[0][0];
async function run(workflow, input, headers) {
  const { status, json, text } = await call('POST', `/runtime/workflows/${workflow}/run`, { input }, headers);
  assert.equal(status, 202, text);
  return until(`${workflow} to end`, async () => {
    const { run: it } = (await call('GET', `/runtime/runs/${json.runId}`)).json;
    return ['succeeded', 'failed', 'dead'].includes(it.status) && it;
  });
}

before(async () => {
  endpoint = await Endpoint.start();
  stack = await Stack.start();
  await stack.signIn();
  app = await stack.project('Workflows');
  await stack.apply(app, contract(endpoint.url));
  host = `preview-${app.slug}.localhost`;
  ann = await signUp(stack, app, host, 'ann.workflows', 'member');
});
after(async () => {
  endpoint?.stop();
  await stack?.stop();
});

test('rows start workflows where their condition holds, and transitions do', async () => {
  const { json } = await call('POST', '/api/v1/item', [{ title: 'tea', stock: 1 }, { title: 'rice', stock: 9 }]);
  assert.equal((await call('PATCH', `/api/v1/item/${json.rows[0].id}/transition`, { transition: 'sell' })).status, 200);
  await until('both notes', () => noted('low: tea') === '1' && noted('sold: tea') === '1');
  assert.equal(noted('low: rice'), '0');
});

test('by hand none starts whose condition does not hold', async () => {
  const { json: { rows: [rice] } } = await call('POST', '/api/v1/item', { title: 'rice', stock: 9 });
  const { status, json } = await call('POST', '/runtime/workflows/on_created/run', { row: rice.id });
  assert.deepEqual([status, json.error.code, json.error.message], [400, 'PARAMS_INVALID', 'Workflow on_created did not start: its condition does not hold for this row.']);
  const none = (await call('POST', '/runtime/workflows/on_created/run', { input: {} })).json.error;
  assert.deepEqual([none.code, none.field, none.message], ['PARAMS_INVALID', 'row', 'Workflow on_created starts from a row of item. Name one: row is its id.']);
  const { json: { rows: [salt] } } = await call('POST', '/api/v1/item', { title: 'salt', stock: 1 });
  await until('the note of its creation', () => noted('low: salt') === '1');
  assert.equal((await call('POST', '/runtime/workflows/on_created/run', { row: salt.id })).status, 202);
  await until('the note of the start by hand', () => noted('low: salt') === '2');
});

test('a sign-up starts its workflow once', async () => {
  await until('the note', () => noted('signed up') !== '0');
  assert.equal(noted('signed up'), '1');
});

test('a step acts with the rights of its actor', async () => {
  const it = await run('as_actor', {}, { ...server(), 'x-svc-app-user': ann.id });
  assert.deepEqual([it.status, it.errorCode, it.actor, noted('not a clerk')], ['dead', 'ROW_FORBIDDEN', ann.id, '0']);
});

test('rows of its steps lack the fields that the actor may not read', async () => {
  const headers = { authorization: `Bearer ${app.browser}`, origin: 'http://app.test', 'x-svc-data-api': '1', 'x-svc-app-session': ann.token };
  const { json: { rows: [item] } } = await call('POST', '/api/v1/item', { title: 'Masked', stock: 9 });
  const look = async (as) => (await call('POST', '/functions/look', { params: { item: item.id } }, as)).json.result;
  for (const [step, row] of Object.entries(await look(headers))) {
    assert.ok('title' in row, step);
    assert.ok(!('cost' in row), step);
  }
  for (const [step, row] of Object.entries(await look(server()))) assert.equal(row.cost, 7, step);
});

test('moments are written as the data API writes them, in results and in what steps give', async () => {
  const { json: { rows: [item] } } = await call('POST', '/api/v1/item', { title: 'Packed', stock: 9, packed_at: '2026-01-31T09:30:00.25+01:00' });
  const at = '2026-01-31T08:30:00.25Z';
  assert.equal(item.packed_at, at);
  const { json: { result } } = await call('POST', '/functions/when', { params: { item: item.id } });
  const moments = ({ packed_at, created_at, updated_at }) => ({ packed_at, created_at, updated_at });
  assert.deepEqual(moments(result.row), moments(item));
  assert.deepEqual([result.at, result.text, result.each], [at, `at ${at}`, [{ at }]]);
  assert.deepEqual(result.rows, [{ packed_at: at, day: item.created_at.slice(0, 10), half: 4.5 }]);
  const it = await until('the run', async () => {
    const { runs: [one] } = (await call('GET', '/runtime/runs?workflow=on_packed&status=succeeded')).json;
    return one && (await call('GET', `/runtime/runs/${one.id}`)).json.run;
  });
  const { row, at: seen } = it.steps[0].output;
  assert.deepEqual([moments(row), seen], [moments(item), at]);
  assert.match(it.trigger.at, /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  const written = (text) => query(stack, databaseOf(app), `select svc.moment('${text}'), svc.moment('${text}')::timestamptz = '${text}'`)[0];
  for (const [text, form] of [['0001-01-01 00:00:00+00', '0001-01-01T00:00:00Z'], ['9999-12-31 23:59:59.5+00', '9999-12-31T23:59:59.5Z'],
    ['0044-03-15 12:00:00+00 BC', '0044-03-15 12:00:00+00 BC'], ['10000-01-01 00:00:00.5+00', '10000-01-01 00:00:00.5+00'], ['-infinity', '-infinity']])
    assert.deepEqual(written(text), [form, 't']);
});

test('a default replaces a missing parameter, and the answer of a call can be used', async () => {
  endpoint.answers.ask = [{ status: 202 }];
  assert.equal((await run('call', {})).status, 'succeeded');
  assert.deepEqual([endpoint.to('ask').map(({ body }) => body), noted('told 202')], [['{"n":3}'], '1']);
});

test('a loop does its step for each row', async () => {
  const it = await run('each', {});
  assert.deepEqual([it.status, noted('each: tea'), noted('each: rice')], ['succeeded', '1', '0']);
});

test('a step that fails ends its run, and starts the workflows that wait for that', async () => {
  const it = await run('fails', {});
  assert.deepEqual([it.status, it.error], ['failed', 'This cannot be.']);
  await until('the notice', () => noted('noticed') === '1');
  assert.equal(noted('before it failed'), '1', 'what was done before stays');
});

test('an attempt on the database that takes longer than it may is cancelled', async () => {
  const [{ id }] = (await call('POST', '/api/v1/item', [{ title: 'busy', stock: 9 }])).json.rows;
  const { args, env } = asAdmin(stack, databaseOf(app));
  const other = spawn('psql', [...args, '-At'], { env, stdio: ['pipe', 'pipe', 'inherit'] });
  try {
    other.stdin.write(`begin; select title from item where id = '${id}' for update;\n`);
    await once(other.stdout, 'data');
    const it = await run('impatient', { id });
    assert.deepEqual([it.status, it.errorCode, it.failedStep], ['dead', 'TIMEOUT', 'change']);
    assert.equal(noted('before the lock'), '1');
  } finally {
    other.stdin.end();
    await once(other, 'close');
  }
  assert.equal((await run('impatient', { id })).status, 'succeeded');
});

test('a function whose row is not there answers so, and leaves nothing', async () => {
  const none = '0198b6a0-0000-7000-8000-00000000dead';
  const { status, json } = await call('POST', '/functions/rename', { item: none, title: 'nobody' });
  assert.deepEqual([status, json.error.code, noted('renamed to nobody')], [404, 'NOT_FOUND', '0']);
  const { json: made } = await call('POST', '/api/v1/item', { title: 'milk', stock: 9 });
  assert.equal((await call('POST', '/functions/rename', { item: made.rows[0].id, title: 'oat milk' })).status, 200);
  assert.equal(noted('renamed to oat milk'), '1');
});

test('a message that no workflow can read is refused, and holds up none', async () => {
  const { status, json } = await stack.fetch('POST', '/__svc/topics/anything/publish',
    { headers: { ...server(), 'content-type': 'application/json' }, host, body: '{"payload": [1e200000]}' });
  assert.deepEqual([status, json.error.code], [400, 'PARAMS_INVALID']);
  await call('POST', '/api/v1/item', { title: 'pepper', stock: 1 });
  await until('the note', () => noted('low: pepper') === '1');
});

test('a value in the name of a topic makes it no other topic', async () => {
  for (const to of [`notifications:${ann.id}`, '', null]) {
    const { status, json } = await call('POST', '/functions/tell', { to });
    assert.deepEqual([status, json.error.code], [400, 'PARAMS_INVALID'], to);
  }
  assert.equal((await call('POST', '/functions/tell', { to: 'news' })).status, 200);
  const it = await run('waits', { case: 'a:b' });
  assert.deepEqual([it.status, it.errorCode], ['dead', 'PARAMS_INVALID']);
});

test('a value in an address stays in its place', async () => {
  assert.equal((await run('looks', { id: '../a?b#c é' })).status, 'succeeded');
  const kept = '..%2Fa%3Fb%23c%20%C3%A9';
  assert.deepEqual(endpoint.calls.map(({ path }) => path).filter((path) => path.includes('orders')), [`/orders/${kept}?of=${kept}`]);
  const it = await run('looks', { id: '..' });
  assert.deepEqual([it.status, it.errorCode], ['dead', 'PARAMS_INVALID']);
});
