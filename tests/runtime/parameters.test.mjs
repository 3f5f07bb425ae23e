// A query parameter that nobody knows is refused: passed over in silence it would answer every row.
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { Stack, sample } from '../lib/stack.mjs';

let stack, project, host, document;

const call = (method, path, { headers = {}, body } = {}) => stack.fetch(method, `/__svc${path}`, {
  host, body,
  headers: { authorization: `Bearer ${project.server}`, 'x-svc-data-api': '1', 'x-svc-app-role': 'manager', ...headers },
});

before(async () => {
  stack = await Stack.start();
  await stack.signIn();
  project = await stack.project('Parameters');
  host = `preview-${project.slug}.localhost`;
  await stack.apply(project, sample('shop'));
  document = (await call('GET', '/api/v1/openapi.json')).json;
});
after(() => stack?.stop());

test('attack: a filter in another service\'s words does not answer every row', async () => {
  const answer = await call('GET', '/api/v1/product?title=eq.Green%20tea');
  assert.equal(answer.status, 400, answer.text);
  assert.equal(answer.json.error.code, 'PARAMS_INVALID');
  assert.equal(answer.json.error.field, 'title');
  assert.match(answer.json.error.message, /"title".* limit, offset, cursor, where, filter/);
});

test('a filter is one clause or a list of them; what is no JSON is answered with an example', async () => {
  const clause = JSON.stringify({ field: 'title', op: 'is_not_null' });
  const [one, list] = await Promise.all([clause, `[${clause}]`].map((filter) => call('GET', `/api/v1/product?filter=${encodeURIComponent(filter)}`)));
  assert.equal(one.status, 200, one.text);
  assert.equal(one.text, list.text);
  const sort = await call('GET', '/api/v1/product?sort=-title');
  assert.equal(sort.status, 400);
  assert.match(sort.json.error.message, /Write JSON: sort=\{"field":/);
});

test('the nearest known one is named, in either API', async () => {
  const near = await call('GET', '/api/v1/product?limt=1');
  assert.match(near.json.error.message, /Did you mean "limit"\?/);
  const developer = await stack.dev('GET', `/projects/${project.id}/deploys?limt=1`);
  assert.equal(developer.status, 400, developer.text);
  assert.equal(developer.json.code, 'BAD_REQUEST');
  assert.equal(developer.json.details[0].field, 'limt');
  assert.match(developer.json.details[0].message, /Did you mean "limit"\?/);
});

test('a parameter that is given twice is refused, one that begins with _ is passed over', async () => {
  const twice = await call('GET', '/api/v1/product?limit=1&limit=2');
  assert.deepEqual([twice.status, twice.json.error.code, twice.json.error.field], [400, 'PARAMS_INVALID', 'limit']);
  const again = await call('GET', '/api/v1/product?limit=1&%6cimit=2');
  assert.equal(again.status, 400, 'in another spelling too');
  assert.equal((await call('GET', '/api/v1/product?limit=1&_=17&_t=x&_=18&&')).status, 200);
});

// The parameters that the server accepts, from its message.
const taken = (message) => /This route takes (.*)\.$/.exec(message)?.[1].replace(/^no parameters$/, '').split(', ').filter(Boolean).sort();

test('every route takes what the document lists for it, and nothing else', async () => {
  let tried = 0;
  for (const [path, item] of Object.entries(document.paths)) {
    for (const method of ['get', 'post', 'patch', 'delete']) {
      const operation = item[method];
      // Routes that other services call accept any parameters: see below.
      if (!operation || operation.operationId.startsWith('auth.oauth.callback') || path.startsWith('/hooks/')) continue;
      const parameters = [...(item.parameters ?? []), ...(operation.parameters ?? [])]
        .map((one) => (one.$ref ? document.components.parameters[one.$ref.split('/').at(-1)] : one));
      const shown = (operation.security ?? document.security ?? []).flatMap(Object.keys).map((name) => document.components.securitySchemes[name]);
      const listed = [...new Set([...parameters, ...shown].filter((one) => one.in === 'query').map((one) => one.name))].sort();
      const place = path.replace(/\{\w+\}/g, '0198b6a0-0000-7000-8000-000000000001');
      const headers = path.startsWith('/data') ? {} : { authorization: `Bearer ${project.browser}`, origin: 'http://app.test', 'x-svc-app-role': '' };
      const body = method === 'get' || method === 'delete' ? undefined : {};
      const odd = await call(method.toUpperCase(), `${place}?nobody_knows=1`, { headers, body });
      // Accounts of others are an administrator's: who is none hears that first of the handler, not of the route.
      assert.equal(odd.status, 400, `${method} ${path}: ${odd.text}`);
      assert.equal(odd.json.error.code, 'PARAMS_INVALID', `${method} ${path}: ${odd.text}`);
      assert.deepEqual(taken(odd.json.error.message), listed, `${method} ${path}: ${odd.json.error.message}`);
      tried += 1;
    }
  }
  assert.ok(tried > 40, `${tried} operations`);
});

test('a provider may add what it likes to where it sends the browser back', async () => {
  const answer = await call('GET', '/auth/oauth/work/callback?code=a&state=b&session_state=c&scope=openid&authuser=0', { headers: { authorization: '' } });
  assert.equal(answer.json.error.code, 'INVALID_TOKEN', answer.text);
});

test('a service that calls a webhook may add what it likes to its address', async () => {
  const answer = await stack.fetch('POST', `/hooks/${project.id}/supplier?from=their%20console&from=twice`, { host, body: {} });
  assert.deepEqual([answer.status, answer.json.error.code], [401, 'BAD_SIGNATURE']);
});

test('probes, pages and routes of the developer API take no others either', async () => {
  assert.equal((await stack.fetch('GET', '/healthz?x=1', { host })).status, 400);
  assert.equal((await stack.fetch('GET', '/healthz?_=1', { host })).status, 200);
  for (const path of ['/', '/healthz', '/setup', '/join', '/cli-login']) {
    assert.equal((await stack.fetch('GET', `${path}?nobody_knows=1`)).status, 400, path);
  }
  for (const [method, path] of [['GET', '/projects'], ['GET', '/me'], ['GET', `/projects/${project.id}`], ['POST', `/projects/${project.id}/check`],
    ['GET', `/projects/${project.id}/secrets`], ['POST', `/projects/${project.id}/sql`], ['GET', `/projects/${project.id}/schema`]]) {
    const answer = await stack.dev(method, `${path}?nobody_knows=1`, method === 'POST' ? {} : undefined);
    assert.deepEqual([answer.status, answer.json.code, answer.json.details?.[0].field], [400, 'BAD_REQUEST', 'nobody_knows'], path);
  }
  const tables = await stack.fetch('POST', '/__svc/data/migrate?nobody_knows=1', {
    host, headers: { authorization: `Bearer ${project.server}`, 'x-svc-data-api': '1' }, body: { sql: 'create table spare (id uuid primary key)' },
  });
  assert.deepEqual([tables.status, tables.json.error.code], [400, 'PARAMS_INVALID']);
});
