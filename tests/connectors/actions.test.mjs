// Integrations: what the other side is sent, what callers are answered, who may call, and that no secret is seen.
import assert from 'node:assert/strict';
import test, { after, before, beforeEach } from 'node:test';
import { Endpoint } from '../lib/endpoint.mjs';
import { Document } from '../lib/openapi.mjs';
import { until } from '../lib/stack.mjs';
import { World, contract } from './world.mjs';

const secrets = { CRM_TOKEN: 'crm-token/with+odd=chars', BOX_KEY: 'box key 0123456789', POST_PASSWORD: 'pass"word\\of%post' };

const text = { type: 'string' };
const connectors = (url) => ({
  integrations: [
    { id: 'crm', displayName: 'Customers', baseUrl: `${url}/v1/`, auth: { type: 'bearer', secret: 'secret:CRM_TOKEN' }, actions: [
      { name: 'find', displayName: 'Find one', method: 'GET', path: '/people/{id}/{part}', props: { type: 'object', required: ['id', 'part'], properties: { id: text, part: text, tags: { type: 'array', items: text }, deep: { type: 'object' } } } },
      { name: 'add', method: 'POST', path: '/people', props: { type: 'object', additionalProperties: false, required: ['name'], properties: { name: { type: 'string', minLength: 2 }, age: { type: 'integer', minimum: 0 } } } },
      { name: 'gone', method: 'DELETE', path: '/people/{id}', props: { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } } },
      { name: 'hidden', method: 'GET', path: '/hidden' }] },
    { id: 'box', baseUrl: url, auth: { type: 'header', name: 'X-Api-Key', secret: 'secret:BOX_KEY' }, actions: [{ name: 'look', method: 'GET', path: '/box' }] },
    { id: 'post', baseUrl: url, auth: { type: 'basic', user: 'shop', secret: 'secret:POST_PASSWORD' }, actions: [{ name: 'send', method: 'PUT', path: '/letters' }] },
    { id: 'unset', baseUrl: url, auth: { type: 'bearer', secret: 'secret:NOT_SET' }, actions: [{ name: 'any', method: 'GET', path: '/' }] },
    { id: 'open', baseUrl: url, actions: [{ name: 'any', method: 'GET', path: '/open' }] },
  ],
  allow: ['crm/find', 'crm/add', 'crm/gone', 'post/send', { action: 'box/look', to: ['clerk', 'server'] }, { action: 'unset/any', to: '*' }, 'open/any'],
});
const workflows = [{ id: 'go', on: { manual: true }, params: { name: { type: 'text', required: true } }, steps: [
  { id: 'call', connector: { integration: 'crm', action: 'add', props: { name: '{input.name}', age: 3 } }, retry: { max: 2, base: '1s' } },
  { id: 'keep', create: { entity: 'note', data: { data: '{steps.call}' } } }] }];

let endpoint, world;
before(async () => {
  endpoint = await Endpoint.start();
  world = await World.start(connectors(endpoint.url), { secrets, more: { workflows } });
});
after(async () => {
  await world?.stop();
  endpoint?.stop();
});
beforeEach(() => {
  endpoint.calls.length = 0;
  endpoint.answers = {};
  world.sql('delete from svc.connector_call');
});

test('an action is called with its credentials, and what it gives comes back', async () => {
  endpoint.answers['v1/people'] = [{ text: '{"id": 7, "exact": 1.50}' }];
  const answer = await world.act('crm/add', { name: 'Ann', age: 30 });
  assert.equal(answer.status, 200, answer.text);
  const { data, success, meta: { durationMs, ...meta } } = answer.json;
  assert.deepEqual([success, data, meta], [true, { id: 7, exact: 1.5 }, { integrationId: 'crm', actionName: 'add' }]);
  assert.ok(Number.isInteger(durationMs));
  const [call] = endpoint.calls;
  assert.deepEqual([call.method, call.path, JSON.parse(call.body), call.headers.authorization], ['POST', '/v1/people', { name: 'Ann', age: 30 }, `Bearer ${secrets.CRM_TOKEN}`]);
  assert.deepEqual(world.calls(), [{ account: '', source: 'route', kind: 'action', target: 'crm/add', status: 'done', http: '200', error: '' }]);
  endpoint.answers.letters = [{ text: 'taken', headers: { 'content-type': 'text/plain' } }];
  assert.equal((await world.act('post/send', {})).json.data, 'taken');
  assert.equal(endpoint.calls[1].headers.authorization, `Basic ${Buffer.from(`shop:${secrets.POST_PASSWORD}`).toString('base64')}`);
  await world.act('box/look', {});
  assert.equal(endpoint.calls[2].headers['x-api-key'], secrets.BOX_KEY);
  assert.equal((await world.act('open/any')).json.success, true);
});

test('properties stay in their places', async () => {
  const odd = 'a/b?c#d%2e%00 \u00e9&x=1';
  await world.act('crm/find', { id: odd, part: 'x', tags: ['a b', 'c&d'], deep: { a: 1 } });
  const url = new URL(endpoint.calls[0].path, 'http://x');
  assert.equal(url.pathname, `/v1/people/${encodeURIComponent(odd)}/x`);
  assert.deepEqual([...url.searchParams], [['tags', 'a b'], ['tags', 'c&d'], ['deep', '{"a":1}']]);
  await world.act('crm/gone', { id: 5 });
  assert.equal(endpoint.calls[1].path, '/v1/people/5');
  for (const props of [{ id: '..', part: 'x' }, { id: '.', part: 'x' }, { id: '', part: 'x' }, { id: 'x', part: '..' }]) {
    const answer = await world.act('crm/find', props);
    assert.deepEqual([answer.status, answer.json.error?.code], [400, 'PARAMS_INVALID'], answer.text);
  }
  assert.equal(endpoint.calls.length, 2);
});

test('properties that do not fit the schema are refused, and nobody is called', async () => {
  for (const props of [{}, { name: 'A' }, { name: 5 }, { name: 'Ann', age: -1 }, { name: 'Ann', age: 1.5 }, { name: 'Ann', more: 1 }, 'x', [1]]) {
    const answer = await world.act('crm/add', props);
    assert.deepEqual([answer.status, answer.json.error?.code], [400, 'PARAMS_INVALID'], JSON.stringify(props));
  }
  const wrong = await world.app.fetch(world.app.server(), 'POST', 'connector-proxy/crm/add', { name: 'Ann' });
  assert.deepEqual([wrong.status, wrong.json.error.code], [400, 'PARAMS_INVALID']);
  const large = await world.act('crm/add', { name: 'x'.repeat(1100000) });
  assert.deepEqual([large.status, large.json.error.code], [413, 'PAYLOAD_TOO_LARGE']);
  assert.equal(endpoint.calls.length, 0);
});

test('a failing service is reported as such, with status 200', async () => {
  const bad = [
    [{ status: 404, text: '{"why":"nobody"}' }, /status 404: \{"why":"nobody"\}/], [{ status: 500, text: '' }, /status 500\./],
    [{ status: 302, headers: { location: `${endpoint.url}/elsewhere` } }, /status 302/], [{ text: 'x'.repeat(1100000) }, /longer than a megabyte/],
  ];
  for (const [answer, message] of bad) {
    endpoint.answers.open = [answer];
    const told = await world.act('open/any');
    assert.equal(told.status, 200);
    assert.deepEqual([told.json.success, told.json.data, told.json.error.code], [false, null, 'EXECUTION_FAILED']);
    assert.match(told.json.error.message, message);
  }
  assert.deepEqual(endpoint.to('elsewhere'), []);
  assert.ok(world.calls().every(({ status }) => status === 'failed'));
});

test('no answer, error, record or log shows a secret, in whatever form it comes', async () => {
  const forms = (secret) => [
    secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret), encodeURIComponent(secret).toLowerCase(), Buffer.from(secret).toString('base64'), Buffer.from(secret).toString('base64url'),
    Buffer.from(`shop:${secret}`).toString('base64'), Buffer.from(`x:${secret}:y`).toString('base64'), [...secret].map((c) => `\\u00${c.charCodeAt(0).toString(16).padStart(2, '0')}`).join(''),
    [...secret].map((c) => `%${c.charCodeAt(0).toString(16)}`).join(''), `${secret.slice(0, 9)}\r\n ${secret.slice(9)}`,
  ];
  const names = { 'crm/gone': ['v1/people/5', secrets.CRM_TOKEN, { id: 5 }], 'box/look': ['box', secrets.BOX_KEY], 'post/send': ['letters', secrets.POST_PASSWORD] };
  for (const [name, [path, secret, props]] of Object.entries(names)) {
    for (const form of forms(secret)) {
      for (const answer of [{ status: 200, text: `before ${form} after`, headers: { 'content-type': 'text/plain' } }, { status: 500, text: form }, { status: 401, text: form.includes('\\') && form !== secret ? `{"sent":"${form}"}` : JSON.stringify({ sent: form }) }]) {
        endpoint.answers[path] = [answer];
        const told = await world.act(name, props);
        assert.equal(told.status, 200, told.text);
        const shown = [told.text, JSON.parse(told.text).data ?? '', JSON.parse(told.text).error?.message ?? ''].join('\n');
        assert.ok(!shown.includes(form) && !shown.includes(secret), `${name}: ${form} in ${shown}`);
        assert.ok(shown.includes('***'), `${name}: ${form} in ${shown}`);
      }
    }
  }
  const kept = JSON.stringify(world.calls()) + world.stack.log;
  for (const secret of Object.values(secrets)) for (const form of forms(secret)) assert.ok(!kept.includes(form), form);
});

test('a service whose words are no text of this world is recorded as any other', async () => {
  const broken = { 'cut in the middle of a character': `a${'\u00e9'.repeat(400)}`, 'no UTF-8': Buffer.from([0xff, 0xfe, 0xc3, 0x28]), 'ends within a character': Buffer.from([0x61, 0xe2, 0x82]) };
  for (const [what, text] of Object.entries(broken)) {
    world.sql('delete from svc.connector_call');
    endpoint.answers.open = [{ status: 400, text: () => text }];
    const told = await world.act('open/any');
    assert.deepEqual([told.status, told.json.success], [200, false], what);
    assert.deepEqual(world.calls().map(({ target, status, http }) => [target, status, http]), [['open/any', 'failed', '400']], what);
  }
});

test('the callers of each action', async () => {
  const guest = world.app.browser();
  const ann = world.app.as(await world.app.signUp('ann', 'member'));
  assert.equal((await world.act('open/any', {}, guest)).status, 200);
  const outcome = async (...call) => {
    const { status, json } = await world.act(...call);
    return [status, json.error?.code];
  };
  for (const caller of [guest, ann]) assert.deepEqual(await outcome('box/look', {}, caller), [403, 'NOT_IN_ALLOWLIST']);
  assert.deepEqual(await outcome('box/look', {}, world.app.staff('clerk')), [200, undefined]);
  for (const name of ['crm/hidden', 'crm/none', 'none/any', 'crm', 'crm/find/more']) assert.deepEqual(await outcome(name, {}), [403, 'NOT_IN_ALLOWLIST'], name);
  assert.deepEqual(await outcome('unset/any', {}), [403, 'INTEGRATION_NOT_CONNECTED']);
  assert.equal((await world.act('open/any', {}, {})).status, 401);
  const key = await world.key({ tools: ['open/any'] });
  await until('the key to be known', async () => (await world.act('open/any', {}, key)).status === 200);
  assert.deepEqual(await outcome('crm/add', { name: 'Ann' }, key), [403, 'TOOL_NOT_ALLOWED']);
  // An empty list is none; it says nothing of data.
  const none = await world.key({ tools: [] });
  await until('the key to be known', async () => (await world.app.fetch(none, 'GET', 'api/v1/note')).status === 200);
  assert.deepEqual(await outcome('open/any', {}, none), [403, 'TOOL_NOT_ALLOWED']);
  assert.deepEqual((await world.get('available', none)).json.integrations, []);
  const mine = await world.get('available', guest);
  assert.deepEqual(mine.json.integrations.map(({ id }) => id), ['crm', 'post', 'open']);
  assert.deepEqual(mine.json.integrations[0], { id: 'crm', displayName: 'Customers', actions: [{ name: 'find', displayName: 'Find one' }, { name: 'add', displayName: 'Add' }, { name: 'gone', displayName: 'Gone' }] });
  assert.deepEqual((await world.get('available', key)).json.integrations.map(({ id }) => id), ['open']);
  assert.deepEqual((await world.get('available')).json.integrations.map(({ id }) => id), ['crm', 'box', 'post', 'open']);
});

test('a step calls with the key of its attempt, and again where the service failed', async () => {
  endpoint.answers['v1/people'] = [{ status: 503 }, { text: '{"id": 9}' }];
  const { json } = await world.app.call(world.app.server(), 'POST', 'runtime/workflows/go/run', { input: { name: 'Kim' } }, 202);
  const end = await until('the run to end', async () => {
    const answer = await world.app.call(world.app.server(), 'GET', `runtime/runs/${json.runId}`);
    return ['succeeded', 'dead', 'failed'].includes(answer.json.run.status) && answer.json.run;
  });
  assert.equal(end.status, 'succeeded', JSON.stringify(end));
  assert.deepEqual(world.sql('select data from public.note'), [['{"id": 9}']]);
  const keys = endpoint.keysOf('v1/people');
  assert.equal(keys.length, 2);
  assert.equal(keys[0], keys[1]);
  assert.deepEqual(world.calls().map(({ source, status, http }) => [source, status, http]), [['workflow', 'failed', '503'], ['workflow', 'done', '200']]);
  // Developers see them among the requests, and in SQL.
  const { events } = (await world.stack.dev('GET', `/projects/${world.project.id}/tail?kind=requests`, undefined, { expect: 200 })).json;
  const shown = events.filter(({ kind }) => kind === 'call');
  assert.deepEqual(shown.map(({ source, does, target, actor, status, http }) => [source, does, target, actor, status, http]),
    [['workflow', 'action', 'crm/add', null, 'failed', 503], ['workflow', 'action', 'crm/add', null, 'done', 200]]);
  assert.match(shown[0].error, /503/);
  assert.ok(shown.every(({ at, ms }) => /Z$/.test(at) && Number.isInteger(ms)));
  const rows = (await world.stack.dev('POST', `/projects/${world.project.id}/sql`, { sql: 'select target, status from svc.connector_call order by id' }, { expect: 200 })).json.results[0].rows;
  assert.deepEqual(rows, [{ target: 'crm/add', status: 'failed' }, { target: 'crm/add', status: 'done' }]);
});

test('developers whose role is from before calls could be read get the right with their next statement', async () => {
  await world.act('open/any');
  const read = () => world.stack.dev('POST', `/projects/${world.project.id}/sql`, { sql: 'select target from svc.connector_call' });
  assert.equal((await read()).status, 200);
  const [[role]] = world.sql("select grantee from information_schema.table_privileges where table_schema = 'svc' and table_name = 'connector_call' and privilege_type = 'SELECT' and grantee like '%sql%'");
  world.sql(`revoke select on svc.connector_call from "${role}"`);
  const answer = await read();
  assert.deepEqual([answer.status, answer.json.results?.[0].rows], [200, [{ target: 'open/any' }]], answer.text);
});

test('calls show among the requests of the app, and in its document', async () => {
  await world.act('open/any');
  await until('the request to show', async () => {
    const { json } = await world.stack.dev('GET', `/projects/${world.project.id}/tail?kind=requests`);
    return JSON.stringify(json).includes('/connector-proxy/open/any');
  });
  const document = new Document((await world.app.fetch(world.app.server(), 'GET', 'api/v1/openapi.json')).json);
  for (const [method, path, call] of [
    ['GET', '/connector-proxy/available', await world.get('available')], ['POST', '/connector-proxy/open/any', await world.act('open/any')],
    ['GET', '/connector-proxy/mcp/available', await world.get('mcp/available')], ['POST', '/connector-proxy/crm/hidden', await world.act('crm/hidden')],
  ]) {
    const { operation } = document.operation(method, path);
    assert.equal(document.answerMistake(operation, call), null, call.text);
  }
});

test('an action that svc cannot call is its own fault, not the service\'s', async () => {
  await world.secret('BOX_KEY', 'two\nlines');
  const told = await until('the secret to be told', async () => {
    const answer = await world.act('box/look', {});
    return answer.status !== 200 && answer;
  });
  assert.deepEqual([told.status, told.json.ok, told.json.error.code], [500, false, 'EXECUTION_ERROR'], told.text);
  assert.ok(!told.text.includes('lines'), told.text);
  const document = new Document((await world.app.fetch(world.app.server(), 'GET', 'api/v1/openapi.json')).json);
  assert.equal(document.answerMistake(document.operation('POST', '/connector-proxy/box/look').operation, told), null);
  assert.deepEqual(world.calls().at(-1), { account: '', source: 'route', kind: 'action', target: 'box/look', status: 'failed', http: '', error: 'The secret BOX_KEY must be a single line.' });
  await world.secret('BOX_KEY', secrets.BOX_KEY);
});

test('a secret goes to no other host', async () => {
  const elsewhere = connectors(endpoint.url.replace('127.0.0.1', 'localhost'));
  await world.secret('CRM_TOKEN', secrets.CRM_TOKEN, { hosts: ['crm.example'] });
  const check = await world.stack.dev('POST', `/projects/${world.project.id}/check`, { contract: contract(elsewhere) });
  assert.match(check.text, /SECRET_NOT_FOR_HOST/);
  await until('the secret to be told', async () => (await world.act('crm/gone', { id: 5 })).json.error?.code === 'INTEGRATION_NOT_CONNECTED');
  endpoint.calls.length = 0;
  await world.act('crm/gone', { id: 5 });
  assert.equal(endpoint.calls.length, 0);
});
