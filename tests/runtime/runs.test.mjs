// Runs on a live app server, with definitions as in the database: their starts, their calls, the operator's view, and
// that they continue after a kill or a swap of their server.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import test, { after, before } from 'node:test';
import { adminSession, databaseOf, sql as query } from '../lib/admin_sql.mjs';
import { Endpoint } from '../lib/endpoint.mjs';
import { addItem, http, setFlows, step, workflow } from '../lib/flows.mjs';
import { signUp } from '../lib/scenarios.mjs';
import { Stack, appServers, until } from '../lib/stack.mjs';

const contract = (note) => ({
  app: { name: 'Runs', description: note },
  personas: [{ id: 'member', kind: 'consumer', signup: true }],
  auth: { signup: 'open' },
  entities: [{ name: 'item', owner: 'none', fields: [{ name: 'title', type: 'string' }, { name: 'stock', type: 'integer', default: 0 }],
    access: { read: ['*'], create: ['*'], update: ['*'], delete: ['*'] } }],
  seeds: {},
  // Names the secrets, as a contract whose steps send them does.
  workflows: [{ id: 'sends', on: { manual: true }, steps: [{ id: 'call', http: { method: 'GET', url: 'http://127.0.0.1:9/', headers: { 'x-api-key': 'secret:RUN_KEY' } } },
    { id: 'other', http: { method: 'GET', url: 'https://good.example/', headers: { 'x-api-key': 'secret:GOOD_KEY' } } }] }],
});

const post = (path) => `jsonb_build_object('method', 'POST', 'url', '${endpoint.url}/${path}', 'body', $1 -> 'input')`;

let stack, app, host, admin, member, endpoint;
const server = () => ({ authorization: `Bearer ${app.server}` });
const call = (method, path, body, headers = server()) => stack.fetch(method, `/__svc${path}`, { headers, host, body });
const sql = (text) => query(stack, databaseOf(app), text);

async function start(name, input, headers) {
  const { status, json, text } = await call('POST', `/runtime/workflows/${name}/run`, input === undefined ? undefined : { input }, headers);
  assert.equal(status, 202, text);
  assert.match(json.runId, /^[0-9a-f-]{36}$/);
  return json.runId;
}
async function read(id) {
  const { status, json, text } = await call('GET', `/runtime/runs/${id}`);
  assert.equal(status, 200, text);
  return json.run;
}
const ended = (id) => until(`run ${id} to end`, async () => {
  const run = await read(id);
  return ['succeeded', 'failed', 'dead', 'cancelled'].includes(run.status) && run;
});
const succeeded = async (id) => {
  const run = await ended(id);
  assert.equal(run.status, 'succeeded', JSON.stringify(run));
  return run;
};

before(async () => {
  endpoint = await Endpoint.start();
  stack = await Stack.start();
  await stack.signIn();
  app = await stack.project('Runs');
  await stack.apply(app, contract('first'));
  host = `preview-${app.slug}.localhost`;
  const browser = { authorization: `Bearer ${app.browser}`, origin: 'http://app.test' };
  const people = [await signUp(stack, app, host, 'root.runs', 'member'), await signUp(stack, app, host, 'ann.runs', 'member')];
  // With other rights an account signs in anew.
  sql(`update svc.account set is_admin = true where id = '${people[0].id}'`);
  const login = await stack.fetch('POST', '/__svc/auth/login', { headers: browser, host, body: { email: 'root.runs@example.test', password: 'root.runs has a password' } });
  people[0].token = login.json.token;
  [admin, member] = people.map((one) => ({ ...browser, 'x-svc-app-session': one.token }));
  sql(setFlows([
    workflow('greet', [addItem('first', "$1 #>> '{input,name}'"), step('note', 'set', { sql: "select jsonb_build_object('title', $1 #> '{steps,first,title}')" })],
      { params: { name: { type: 'string', required: true } } }),
    workflow('on_item', [addItem('echo', "'echo of ' || ($1 #>> '{new,title}')")], { trigger: { kind: 'event', table: 'item', event: 'created', fields: [] },
      if: "select coalesce($1 #>> '{new,title}', '') like 'watched%'" }),
    workflow('tell', [http('call', post('tell')), addItem('told', "'told ' || ($1 #>> '{steps,call,status}')")]),
    workflow('flaky', [http('call', post('flaky'))]),
    workflow('refused', [http('call', post('refused'))]),
    workflow('secret', [http('call', post('secret'), { secrets: { 'x-api-key': 'RUN_KEY' } })]),
    workflow('stranger', [http('call', `jsonb_build_object('method', 'GET', 'url', 'https://elsewhere.test/')`, { secrets: { 'x-api-key': 'RUN_KEY' } })]),
    workflow('tricked', [http('call', `jsonb_build_object('method', 'GET', 'url', '${endpoint.url.replace('//', '//good.example\\@')}/leak')`, { secrets: { 'x-api-key': 'GOOD_KEY' } })]),
    workflow('nap', [step('rest', 'sleep', { seconds: 1 }), addItem('woke', "'woke'")]),
    workflow('long_nap', [step('rest', 'sleep', { seconds: 86400 })]),
    workflow('hang', [addItem('before', "'before the call'"), http('call', post('hang'), { timeout: 600 }), addItem('behind', "'behind the call'")]),
    workflow('tick', [addItem('tick', "'tick ' || ($1 #>> '{input,at}')")], { trigger: { kind: 'every', seconds: 1, catchUp: 'last' } }),
  ]));
});
after(async () => {
  endpoint?.stop();
  await stack?.stop();
});

test('only a server key and an administrator may', async () => {
  const browser = { authorization: `Bearer ${app.browser}`, origin: 'http://app.test' };
  for (const [method, path] of [['POST', '/runtime/workflows/greet/run'], ['GET', '/runtime/runs'], ['GET', '/runtime/runs/x'],
    ['POST', '/runtime/runs/x/cancel'], ['GET', '/runtime/dlq'], ['POST', '/runtime/dlq/replay']]) {
    for (const as of [browser, member, { ...browser, 'x-svc-app-session': 'none' }]) {
      const { status, json } = await call(method, path, undefined, as);
      assert.deepEqual([status, json], [403, { ok: false, error: { message: 'Admin required' } }], `${method} ${path}`);
    }
    assert.equal((await call(method, path, undefined, {})).status, 401);
  }
  assert.equal((await call('GET', '/runtime/runs', undefined, admin)).status, 200);
  const run = await succeeded(await start('greet', { name: 'by an administrator' }, admin));
  assert.equal(run.actor, sql("select id from svc.account where is_admin")[0][0]);
});

test('a manual run: its steps are done, and shown', async () => {
  const run = await succeeded(await start('greet', { name: 'Ada' }));
  assert.equal(run.workflow, 'greet');
  assert.deepEqual(run.input, { name: 'Ada' });
  assert.deepEqual(run.trigger, { kind: 'manual' });
  assert.deepEqual(run.steps.map(({ id, status, attempts, error }) => [id, status, attempts, error]), [['first', 'succeeded', 1, null], ['note', 'succeeded', 1, null]]);
  assert.equal(run.steps[0].output.title, 'Ada');
  assert.match(run.steps[0].startedAt, /^\d{4}-\d\d-\d\dT.*Z$/);
  assert.equal(sql("select count(*) from item where title = 'Ada'")[0][0], '1');
});

test('what cannot be started, and what is not there', async () => {
  const cases = [['/runtime/workflows/nobody/run', {}, 404, 'NOT_FOUND'], ['/runtime/workflows/greet/run', { input: {} }, 400, 'PARAMS_INVALID', 'name'],
    ['/runtime/workflows/greet/run', { input: { name: 'a', other: 1 } }, 400, 'PARAMS_INVALID', 'other'], ['/runtime/workflows/greet/run', { input: [] }, 400, 'PARAMS_INVALID', 'input'],
    ['/runtime/workflows/greet/run', { inptu: {} }, 400, 'PARAMS_INVALID', 'inptu'], ['/runtime/dlq/replay', { ids: ['x'] }, 400, 'PARAMS_INVALID', 'ids'],
    ['/runtime/runs/0198b6a0-0000-7000-8000-00000000000a/cancel', undefined, 404, 'NOT_FOUND'], ['/runtime/runs/x/cancel', undefined, 404, 'NOT_FOUND']];
  for (const [path, body, status, code, field] of cases) {
    const answer = await call('POST', path, body);
    assert.deepEqual([answer.status, answer.json.error?.code, answer.json.error?.field], [status, code, field], `${path} ${JSON.stringify(body)} ${answer.text}`);
  }
  for (const path of ['/runtime/runs/x', '/runtime/runs/0198b6a0-0000-7000-8000-00000000000a']) assert.equal((await call('GET', path)).status, 404);
  for (const path of ['?status=asleep', '?limit=0', '?cursor=x', '?workflo=greet']) assert.equal((await call('GET', `/runtime/runs${path}`)).status, 400, path);
});

test('the same Idempotency-Key starts one run', async () => {
  const headers = { ...server(), 'idempotency-key': 'once-and-no-more' };
  const first = await start('greet', { name: 'once' }, headers);
  assert.equal(await start('greet', { name: 'once' }, headers), first);
  assert.equal((await call('POST', '/runtime/workflows/greet/run', { input: { name: 'twice' } }, headers)).status, 409);
  await succeeded(first);
  assert.equal(sql("select count(*) from item where title = 'once'")[0][0], '1');
});

test('runs are listed, the newest first, page by page', async () => {
  const ids = [];
  for (const name of ['p', 'q', 'r']) ids.unshift(await start('greet', { name }));
  await Promise.all(ids.map(succeeded));
  const first = (await call('GET', '/runtime/runs?workflow=greet&status=succeeded&limit=2')).json;
  assert.deepEqual(first.runs.map(({ id }) => id), ids.slice(0, 2));
  const second = (await call('GET', `/runtime/runs?workflow=greet&limit=1&cursor=${first.nextCursor}`)).json;
  assert.deepEqual(second.runs.map(({ id }) => id), ids.slice(2));
  assert.equal((await call('GET', '/runtime/runs?workflow=nobody')).json.nextCursor, null);
});

test('a committed row starts its workflow once, and no other does', async () => {
  const rows = ['watched one', 'unwatched', 'watched two'].map((title) => ({ title }));
  assert.equal((await call('POST', '/api/v1/item', rows, { ...server(), 'x-svc-data-api': '1' })).status, 201);
  await until('both echoes', () => sql("select title from item where title like 'echo of%'").length >= 2);
  assert.deepEqual(sql("select title from item where title like 'echo of%' order by title").flat(), ['echo of watched one', 'echo of watched two']);
});

test('a call to others: with its key, its body and what came of it', async () => {
  endpoint.answers.tell = [{ status: 201, headers: { 'x-told': 'yes' }, text: '{"got":[1.50]}' }];
  const id = await start('tell', { a: 1 });
  const run = await succeeded(id);
  const [one] = endpoint.to('tell');
  assert.deepEqual([one.method, one.body, one.headers['content-type'], one.headers['idempotency-key']], ['POST', '{"a":1}', 'application/json', `${id}/call`]);
  const { output } = run.steps[0];
  assert.deepEqual([output.status, output.headers['x-told'], output.body], [201, 'yes', { got: [1.5] }]);
  assert.equal(run.steps[1].output.title, 'told 201');
  assert.equal(endpoint.to('tell').length, 1);
});

test('what may go well later is tried again, with the same key', async () => {
  endpoint.answers.flaky = [{ status: 503, headers: { 'retry-after': '0' } }, { status: 429 }, { text: '"at last"' }];
  const run = await succeeded(await start('flaky', {}));
  assert.equal(run.steps[0].attempts, 3);
  assert.equal(run.steps[0].output.body, 'at last');
  assert.equal(new Set(endpoint.keysOf('flaky')).size, 1);
});

test('a refusal is a dead letter, and goes on from its step when it is replayed', async () => {
  endpoint.answers.refused = [{ status: 404, text: 'nothing here' }];
  const id = await start('refused', {});
  const run = await ended(id);
  assert.deepEqual([run.status, run.errorCode, run.steps[0].attempts], ['dead', 'HTTP_404', 1]);
  const { json } = await call('GET', '/runtime/dlq?workflow=refused');
  const [letter] = json.deadLetters;
  assert.deepEqual([letter.runId, letter.workflow, letter.attempts, letter.error], [id, 'refused', 1, 'The answer had status 404: nothing here']);
  assert.match(letter.failedAt, /Z$/);
  endpoint.answers.refused = [{}];
  assert.deepEqual((await call('POST', '/runtime/dlq/replay', { ids: [letter.jobId] })).json, { ok: true, replayed: 1 });
  await until('the replayed run to succeed', async () => (await read(id)).status === 'succeeded');
  assert.equal(endpoint.to('refused').length, 2);
  assert.deepEqual((await call('POST', '/runtime/dlq/replay', { ids: [id] })).json, { ok: true, replayed: 0 });
});

test('a secret goes to its host, and is not recorded', async () => {
  await stack.dev('PUT', `/projects/${app.id}/secrets/RUN_KEY`, { value: 'hunter22-is-secret', env: 'dev', hosts: ['127.0.0.1'] }, { expect: 201 });
  endpoint.answers.secret = [{ headers: { 'x-echo': 'hunter22-is-secret' }, text: (request) => JSON.stringify({ sent: request.headers['x-api-key'] }) }];
  const run = await succeeded(await start('secret', {}));
  assert.equal(endpoint.to('secret')[0].headers['x-api-key'], 'hunter22-is-secret');
  assert.deepEqual([run.steps[0].output.body.sent, run.steps[0].output.headers['x-echo']], ['***', '***']);
  assert.equal(sql("select count(*) from svc.step where output::text like '%hunter22%'")[0][0], '0');
  const stranger = await ended(await start('stranger', {}));
  assert.equal(stranger.errorCode, 'SECRET_NOT_FOR_HOST');
});

test('an address that seems to have the host of a secret does not get it', async () => {
  await stack.dev('PUT', `/projects/${app.id}/secrets/GOOD_KEY`, { value: 'hunter33-is-secret', env: 'dev', hosts: ['good.example'] }, { expect: 201 });
  const tricked = await ended(await start('tricked', {}));
  assert.equal(tricked.errorCode, 'SECRET_NOT_FOR_HOST');
  assert.deepEqual(endpoint.to('leak'), []);
});

test('a run that sleeps waits, goes on, and can be cancelled', async () => {
  const nap = await start('nap', {});
  const long = await start('long_nap', {});
  await until('it to wait', async () => (await read(long)).status === 'waiting');
  assert.deepEqual((await call('POST', `/runtime/runs/${long}/cancel`)).json, { ok: true, cancelled: true });
  assert.equal((await read(long)).status, 'cancelled');
  assert.deepEqual((await call('POST', `/runtime/runs/${long}/cancel`)).json, { ok: true, cancelled: false });
  await succeeded(nap);
});

test('each time of a schedule starts one run', async () => {
  await until('four ticks', () => sql('select planned_at from svc.tick').length >= 4);
  const ticks = sql('select extract(epoch from planned_at), run from svc.tick order by planned_at');
  for (let i = 1; i < ticks.length; ++i) assert.equal(Math.round((ticks[i][0] - ticks[i - 1][0]) * 1e6), 1e6);
  assert.equal(new Set(ticks.map(([, run]) => run)).size, ticks.length);
  const { trigger, input } = await read(ticks[0][1]);
  assert.match(trigger.at, /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  assert.deepEqual(input, { at: trigger.at });
});

test('a run goes on when its server is killed in the middle of a call', async () => {
  endpoint.answers.hang = [{ hangs: true }, {}];
  const id = await start('hang', {});
  await until('the call', () => endpoint.to('hang').length === 1);
  for (const { pid } of appServers(app)) process.kill(pid, 'SIGKILL');
  await until('the second call', () => endpoint.to('hang').length === 2);
  await until('the end', () => sql(`select status from svc.run where id = '${id}'`)[0]?.[0] === 'succeeded');
  assert.deepEqual(endpoint.keysOf('hang'), [`${id}/call`, `${id}/call`]);
  assert.deepEqual(sql("select title, count(*) from item where title like '% the call' group by 1 order by 1"), [['before the call', '1'], ['behind the call', '1']]);
  assert.equal(sql(`select kills from svc.run where id = '${id}'`)[0][0], '1');
});

test('a statement that waits for a lock ends with its server, and its run goes on', async () => {
  const waiting = () => sql("select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%svc.advance%'").flat();
  const holder = adminSession(stack, databaseOf(app));
  let id;
  try {
    await holder.run('begin; lock table item in exclusive mode');
    id = await start('greet', { name: 'after a lock' });
    await until('a statement that waits', () => waiting().length > 0);
    const before = waiting();
    for (const { pid } of appServers(app)) process.kill(pid, 'SIGKILL');
    await until('its end', () => !waiting().some((pid) => before.includes(pid)));
  } finally {
    holder.close();
  }
  await until('the end', () => sql(`select status from svc.run where id = '${id}'`)[0]?.[0] === 'succeeded');
  assert.equal(sql("select count(*) from item where title = 'after a lock'")[0][0], '1');
});

// Only the connection of the poll breaks: the process keeps its number, and does not know what it claimed.
test('a poll whose answer is lost is followed by others', async () => {
  await succeeded(await start('greet', { name: 'now it has a number' }));
  const waiting = () => sql("select pid from pg_locks where not granted and relation = 'svc.claim_mark'::regclass").flat();
  const holder = adminSession(stack, databaseOf(app));
  let id;
  try {
    await holder.run('begin; lock table svc.claim_mark in access exclusive mode');
    [[id]] = sql(`select svc.start_run('greet', '{"name": "after a lost answer"}', '{"kind": "manual"}')`);
    await until('a poll that waits', () => waiting().length > 0);
    for (const pid of waiting()) sql(`select pg_terminate_backend(${pid})`);
  } finally {
    holder.close();
  }
  await until('the end', () => sql(`select status from svc.run where id = '${id}'`)[0]?.[0] === 'succeeded');
});

// Two rows of one process, neither with a lock: it is told from where it stands.
test('of a process of its own machine a server sees whether it ended, and of others it believes the lock', async () => {
  await succeeded(await start('greet', { name: 'now it has a number' }));
  const other = spawn('sleep', ['600']);
  try {
    const ticks = readFileSync(`/proc/${other.pid}/stat`, 'utf8').split(') ')[1].split(' ')[19];
    const [here] = sql('select machine from svc.process where machine is not null')[0];
    const [[near], [far]] = sql(`insert into svc.process (incarnation, machine, pid, ticks, beat_at)
      select nextval('svc.incarnation_seq'), m, ${other.pid}, ${ticks}, now() + interval '1 hour' from unnest(array['${here}', 'elsewhere']) m returning incarnation`);
    const isThere = (number) => sql(`select count(*) from svc.process where incarnation = ${number}`)[0][0] === '1';
    await until('the one without a lock to be taken for dead', () => !isThere(far));
    assert.ok(isThere(near), 'it lives');
    other.kill('SIGKILL');
    await until('its end to be seen', () => !isThere(near));
  } finally {
    other.kill('SIGKILL');
  }
});

test('a run whose end cannot be written is tried again until it ends', async () => {
  sql(`create sequence public.tried; create function public.disk_full() returns trigger language plpgsql security definer as $$ begin
      if new.status = 'dead' then perform nextval('public.tried'); end if;
      raise exception 'the disk is full' using errcode = '53100'; end $$;
    create trigger disk_full before update on svc.run for each row
      when (new.workflow = 'greet' and new.status in ('succeeded', 'dead')) execute function public.disk_full()`);
  let id;
  try {
    id = await start('greet', { name: 'late' });
    await until('an end that fails', () => sql('select is_called from public.tried')[0][0] === 't');
    assert.equal((await read(id)).status, 'running');
  } finally {
    sql('drop trigger disk_full on svc.run; drop function public.disk_full(); drop sequence public.tried');
  }
  await succeeded(id);
  assert.equal(sql("select count(*) from item where title = 'late'")[0][0], '1');
});

test('a swap waits for no endpoint: the next server asks again, and no kill is counted', async () => {
  endpoint.answers.hang = [{ hangs: true }, {}];
  endpoint.calls.length = 0;
  const id = await start('hang', {});
  await until('the call', () => endpoint.to('hang').length === 1);
  const [old] = appServers(app);
  await stack.apply(app, contract('second'));
  await until('the second call', () => endpoint.to('hang').length === 2);
  await until('the old server to leave', () => appServers(app).every(({ pid }) => pid !== old.pid));
  await until('the end', () => sql(`select status from svc.run where id = '${id}'`)[0][0] === 'succeeded');
  assert.deepEqual(endpoint.keysOf('hang'), [`${id}/call`, `${id}/call`]);
  assert.equal(sql(`select kills from svc.run where id = '${id}'`)[0][0], '0');
});

test('an endpoint that hangs stops no run that does not call it', async () => {
  sql(setFlows([workflow('hang', [http('call', post('hang'), { timeout: 600 })]), workflow('greet', [addItem('first', "'beside them'")])]));
  endpoint.answers.hang = [{ hangs: true }];
  endpoint.calls.length = 0;
  sql("select svc.start_run('hang', '{}', '{\"kind\": \"manual\"}') from generate_series(1, 300)");
  await until('all the calls', () => endpoint.to('hang').length === 300);
  await succeeded(await start('greet', { name: 'beside them' }));
  assert.equal(sql("select count(*) from svc.run where workflow = 'hang' and status = 'running'")[0][0], '300');
});

test('all dead letters go on, also those that one transaction has no room for, and once for a key', async () => {
  sql(setFlows([workflow('quiet', [step('a', 'set', { sql: 'select to_jsonb(1)' })])]));
  sql('delete from svc.run where error_code is not null');
  sql(`insert into svc.run (workflow, hash, status, trigger, given, started_at, ended_at, error, error_code)
    select name, hash, 'dead', '{"kind": "manual"}', '{"input": {}}', now(), now(), 'x', 'FAILED' from svc.flow, generate_series(1, 2100) where name = 'quiet'`);
  const replay = async () => (await call('POST', '/runtime/dlq/replay', undefined, { ...server(), 'idempotency-key': 'all-of-them' })).json;
  assert.deepEqual(await replay(), { ok: true, replayed: 2100 });
  await until('their ends', () => sql("select count(*) from svc.run where workflow = 'quiet' and status = 'succeeded'")[0][0] === '2100');
  assert.deepEqual(await replay(), { ok: true, replayed: 2100 });
  assert.deepEqual((await call('POST', '/runtime/dlq/replay')).json, { ok: true, replayed: 0 });
});
