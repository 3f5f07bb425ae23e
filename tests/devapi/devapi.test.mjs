// The developer API: sessions, tokens, projects, keys, and who may reach what.
import assert from 'node:assert/strict';
import { Agent } from 'node:http';
import test, { after, before } from 'node:test';
import { request } from '../lib/http.mjs';
import { Stack, owner, sample } from '../lib/stack.mjs';

let stack;
before(async () => {
  stack = await Stack.start({ SVC_RATE_BROWSER: '30', SVC_RATE_SERVER: '1000000', SVC_PUBLIC_ORIGIN: 'https://svc.example.test/' });
  await stack.signIn();
});
after(() => stack?.stop());

const mint = async (scopes, extra = {}) => (await stack.dev('POST', '/tokens',
  { name: 'test', workspaceId: stack.workspace, scopes, ...extra }, { expect: 201 })).json;

test('sign-in: right, wrong, ended', async () => {
  const wrong = await stack.dev('POST', '/session', { ...owner, password: 'no' }, { token: null });
  assert.equal(wrong.status, 401);
  assert.equal(wrong.json.code, 'UNAUTHENTICATED');
  const right = await stack.dev('POST', '/session', owner, { token: null, expect: 200 });
  assert.equal(right.json.user.email, owner.email);
  assert.equal(right.json.workspaces[0].role, 'owner');
  const token = right.json.token;
  assert.equal((await stack.dev('GET', '/me', undefined, { token })).status, 200);
  assert.equal((await stack.dev('DELETE', '/session', undefined, { token })).status, 200);
  assert.equal((await stack.dev('GET', '/me', undefined, { token })).status, 401);
  assert.equal((await stack.dev('GET', '/me', undefined, { token: null })).json.code, 'UNAUTHENTICATED');
});

test('both paths of the API', async () => {
  const headers = { authorization: `Bearer ${stack.session}` };
  assert.equal((await stack.fetch('GET', '/api/dev/v1/me', { headers })).status, 200);
});

test('tokens: shown once, listed without value, dead when revoked', async () => {
  const minted = await mint(['read', 'apply'], { expiresInDays: 30 });
  assert.match(minted.token, /^svc_pat_/);
  assert.deepEqual(minted.scopes, ['read', 'apply']);
  const me = (await stack.dev('GET', '/me', undefined, { token: minted.token, expect: 200 })).json;
  assert.equal(me.auth, 'pat');
  assert.deepEqual(me.scopes, ['read', 'apply']);
  const { tokens } = (await stack.dev('GET', '/tokens', undefined, { expect: 200 })).json;
  const listed = tokens.find((t) => t.id === minted.id);
  assert.ok(minted.token.startsWith(listed.token_prefix));
  assert.ok(!JSON.stringify(tokens).includes(minted.token));
  const again = await stack.dev('POST', '/tokens', { name: 'x', workspaceId: stack.workspace }, { token: minted.token });
  assert.equal(again.json.code, 'SESSION_REQUIRED');
  assert.deepEqual((await stack.dev('DELETE', `/tokens/${minted.id}`, undefined, { expect: 200 })).json, { revoked: minted.id });
  assert.equal((await stack.dev('GET', '/me', undefined, { token: minted.token })).status, 401);
});

test('tokens: one revokes itself; another one takes a session', async () => {
  const reader = await mint(['read']), ci = await mint(['read', 'apply', 'deploy']);
  for (const [token, id] of [[reader.token, ci.id], [reader.token, ci.id.toUpperCase()], [ci.token, reader.id]]) {
    const refused = await stack.dev('DELETE', `/tokens/${id}`, undefined, { token });
    assert.deepEqual([refused.status, refused.json.code], [403, 'SESSION_REQUIRED']);
    assert.match(refused.json.error, /A token may only revoke itself\. Sign in as a builder to revoke another token/);
  }
  const tool = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'revoke_token', arguments: { token: ci.id } } };
  assert.match((await stack.dev('POST', '/mcp', tool, { token: reader.token })).text, /SESSION_REQUIRED/);
  assert.equal((await stack.dev('GET', '/me', undefined, { token: ci.token })).status, 200);
  assert.equal((await stack.dev('DELETE', `/tokens/${reader.id}`, undefined, { token: reader.token })).status, 200);
  assert.equal((await stack.dev('GET', '/me', undefined, { token: reader.token })).status, 401);
});

test('tokens: one of a workspace knows nothing of those of another', async () => {
  const other = (await stack.dev('POST', '/workspaces', { name: 'Beside' }, { expect: 201 })).json.workspace;
  const here = await mint(['read']), there = await mint(['read'], { workspaceId: other.id });
  const revoke = (id, token) => stack.dev('DELETE', `/tokens/${id}`, undefined, { token });
  assert.equal((await revoke(there.id, here.token)).status, 404);
  assert.equal((await stack.dev('GET', '/me', undefined, { token: there.token })).status, 200, 'it lives on');
  assert.equal((await revoke(here.id, here.token)).status, 200, 'itself, say');
  assert.equal((await revoke(there.id, stack.session)).status, 200, 'a session is of no workspace');
});

test('what is refused before anybody looks at it has the envelope of its API', async () => {
  const huge = { text: 'x'.repeat(100_000) };
  const long = { authorization: `Bearer ${'x'.repeat(20_000)}` };
  for (const base of ['/dev/v1', '/api/dev/v1']) {
    const large = await stack.fetch('POST', `${base}/tokens?x=1`, { body: huge });
    assert.deepEqual([large.status, large.json.code, typeof large.json.error], [413, 'PAYLOAD_TOO_LARGE', 'string']);
    const head = await stack.fetch('GET', `${base}/me`, { headers: long });
    assert.deepEqual([head.status, head.json.code, typeof head.json.error], [431, 'HEADERS_TOO_LARGE', 'string']);
    const twice = await stack.fetch('GET', `${base}/me`, { headers: { host: 'a, b' } });
    assert.deepEqual([twice.status, twice.json.code, typeof twice.json.error], [400, 'BAD_REQUEST', 'string']);
  }
  const runtime = await stack.fetch('GET', '/__svc/api/v1/x', { headers: long });
  assert.deepEqual([runtime.status, runtime.json.ok, runtime.json.error.code], [431, false, 'HEADERS_TOO_LARGE']);
});

test('tokens: what is refused', async () => {
  const bad = async (body) => (await stack.dev('POST', '/tokens', { name: 'x', workspaceId: stack.workspace, ...body }));
  assert.equal((await bad({ scopes: ['root'] })).json.code, 'INVALID_SCOPE');
  assert.equal((await bad({ name: '' })).json.code, 'BAD_REQUEST');
  assert.equal((await bad({ expiresInDays: 0 })).json.code, 'BAD_REQUEST');
  assert.equal((await bad({ expiresInDays: 367 })).json.code, 'BAD_REQUEST');
  assert.equal((await bad({ workspaceId: '00000000-0000-4000-8000-000000000000' })).status, 404);
});

test('scopes: a reading token reads', async () => {
  const { token } = await mint(['read']);
  const refused = await stack.dev('POST', '/projects', { name: 'No' }, { token });
  assert.equal(refused.status, 403);
  assert.equal(refused.json.code, 'FORBIDDEN_SCOPE');
  assert.equal((await stack.dev('GET', '/projects', undefined, { token })).status, 200);
});

test('projects: made, listed, changed, out of reach', async () => {
  const project = await stack.project('First Project');
  assert.equal(project.slug, 'first-project');
  const { json } = await stack.dev('GET', '/projects', undefined, { expect: 200 });
  assert.equal(json.projects[0].id, project.id);
  const one = (await stack.dev('GET', `/projects/${project.id}`, undefined, { expect: 200 })).json;
  assert.equal(one.previewPath, `/preview/${project.id}/`);
  assert.equal(one.project.role, 'owner');
  const renamed = await stack.dev('PATCH', `/projects/${project.id}`, { name: 'Other' }, { expect: 200 });
  assert.ok(renamed.json);
  for (const id of ['00000000-0000-4000-8000-000000000000', 'nonsense']) {
    const answer = await stack.dev('GET', `/projects/${id}`);
    assert.equal(answer.status, 404);
    assert.equal(answer.json.code, undefined);
  }
  assert.equal((await stack.dev('POST', '/projects', { workspaceId: stack.workspace })).json.code, 'BAD_REQUEST');
  assert.equal((await stack.dev('DELETE', `/projects/${project.id}?confirm=wrong`)).status, 400);
  assert.equal((await stack.dev('DELETE', `/projects/${project.id}?confirm=${project.slug}`)).status, 200);
  assert.equal((await stack.dev('GET', `/projects/${project.id}`)).status, 404);
});

test('check has no side effects and names the place', async () => {
  const project = await stack.project('Checked');
  const contract = sample('hello');
  contract.entities[0].feilds = [];
  const { json } = await stack.dev('POST', `/projects/${project.id}/check`, { contract }, { expect: 200 });
  assert.equal(json.report.ok, false);
  assert.equal(json.report.errors[0].code, 'UNKNOWN_KEY');
  assert.match(json.report.errors[0].message + json.report.fixes.join(), /fields/);
  const missing = await stack.dev('POST', `/projects/${project.id}/check`, {});
  assert.equal(missing.status, 400);
  assert.equal(missing.json.code, undefined);
  assert.match(missing.json.error, /contract is required/i);
  assert.equal((await stack.dev('GET', `/projects/${project.id}`)).json.state.built, false);
});

test('keys: bound to origins, revoked at once, limited', async () => {
  const project = await stack.project('Keyed');
  await stack.apply(project, sample('hello'));
  const host = `preview-${project.slug}.localhost`;
  const path = `/projects/${project.id}/keys`;
  const bound = (await stack.dev('POST', path, { name: 'b', kind: 'browser', origins: ['https://shop.test'] }, { expect: 201 })).json;
  assert.match(bound.key, /^dpk_c_/);
  assert.match(project.server, /^dpk_s_/);
  const ask = (key, origin) => stack.fetch('GET', '/__svc/auth/signup-options', {
    host, headers: { authorization: `Bearer ${key}`, ...(origin ? { origin } : {}) },
  });
  assert.equal((await ask(bound.key, 'https://shop.test')).status, 200);
  assert.equal((await ask(bound.key, 'https://evil.test')).json.error.code, 'ORIGIN_NOT_ALLOWED');
  assert.equal((await ask(bound.key, 'https://evil.test')).headers['access-control-allow-origin'], undefined);
  const listed = (await stack.dev('GET', path, undefined, { expect: 200 })).json.keys;
  assert.ok(!JSON.stringify(listed).includes(bound.key));
  assert.equal((await stack.dev('DELETE', `${path}/${bound.id}`)).status, 200);
  assert.equal((await ask(bound.key, 'https://shop.test')).status, 401);
  // By the key alone, on the platform's own origin.
  const platform = await stack.fetch('GET', '/__svc/api/v1/reading', {
    headers: { authorization: `Bearer ${project.server}`, 'x-svc-data-api': '1' },
  });
  assert.equal(platform.status, 200);
  const limited = [];
  for (let i = 0; i < 40; ++i) limited.push((await ask(project.browser, 'http://app.test')).status);
  assert.ok(limited.includes(429), 'the budget of 30 a minute is spent');
  assert.equal((await ask(project.server)).status, 200, 'a server key has its own');
});

test('keys and tokens take no part in each other', async () => {
  const project = await stack.project('Apart');
  assert.equal((await stack.dev('GET', '/me', undefined, { token: project.server })).status, 401);
  const { token } = await mint(['read', 'apply', 'deploy']);
  const key = await stack.dev('POST', `/projects/${project.id}/keys`, { name: 'k', kind: 'server' }, { token });
  assert.equal(key.json.code, 'SESSION_REQUIRED');
});

test('a preview token is a key of the dev environment', async () => {
  const project = await stack.project('Previewed');
  await stack.apply(project, sample('hello'));
  const { json } = await stack.dev('POST', `/projects/${project.id}/preview-token`, {}, { expect: 200 });
  assert.match(json.expiresAt, /Z$/);
  const headers = { authorization: `Bearer ${json.token}`, 'x-svc-data-api': '1' };
  const host = `preview-${project.slug}.localhost`;
  assert.equal((await stack.fetch('GET', '/__svc/auth/signup-options', { headers, host })).status, 200);
  const prod = await stack.fetch('GET', '/__svc/auth/signup-options', { headers: { ...headers, 'x-svc-env': 'prod' }, host });
  assert.equal(prod.status, 401);
});

test('data/query reads dev rows past row-level security', async () => {
  const project = await stack.project('Queried');
  await stack.apply(project, sample('shop'));
  const path = `/projects/${project.id}/data/query`;
  const all = await stack.dev('POST', path, { table: 'product' }, { expect: 200 });
  assert.equal(all.json.rowCount, 1);
  assert.equal(all.json.rows[0].sku, 'TEA-1');
  const none = await stack.dev('POST', path, { table: 'product', where: { sku: "' or 1=1 --" } }, { expect: 200 });
  assert.equal(none.json.rowCount, 0);
  assert.equal((await stack.dev('POST', path, { table: 'nothing' })).status, 400);
  assert.equal((await stack.dev('POST', path, { table: 'product', limit: 201 })).status, 400);
  for (const sql of ['create table big (id int, note text)', "insert into big select n, repeat('x', 7000000) from generate_series(1, 4) n"]) {
    await stack.dev('POST', `/projects/${project.id}/sql`, { sql }, { expect: 200 });
  }
  const big = (await stack.dev('POST', path, { table: 'big' }, { expect: 200 })).json;
  assert.deepEqual([big.rowCount, big.truncated], [2, true], 'an answer is bounded in bytes, and says so');
});

test('on a connection that an app has by now, another host is not the app\'s', async () => {
  const project = await stack.project('Kept');
  await stack.apply(project, sample('hello'));
  const host = `preview-${project.slug}.localhost`;
  const headers = { authorization: `Bearer ${project.server}`, 'x-svc-data-api': '1' };
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const ask = async (host, base = '') =>
    (await request({ port: stack.port, method: 'GET', path: `${base}/__svc/api/v1/reading`, headers: { ...headers, host }, agent })).status;
  const preview = `/preview/${project.id}`;
  for (const [at, base, status] of [
    ['nothing.example.test', '', 404], ['nothing.localhost', '', 404], ['nothing.example.test', preview, 404], ['preview-shop.localhost', preview, 404],
    ['svc.example.test', '', 200], ['SVC.Example.Test:443', preview, 200], ['localhost', '', 200], ['127.0.0.1:80', preview, 200], ['10.1.2.3', '', 200], ['[::1]', preview, 200],
    [`${host}.`, '', 200]]) {
    assert.equal(await ask(host), 200);
    assert.equal(await ask(at, base), status, `${at}${base}`);
  }
  agent.destroy();
});

test('the guide for authors, an unknown host, an unknown route', async () => {
  const docs = await stack.dev('GET', '/docs', undefined, { expect: 200 });
  assert.match(docs.headers['content-type'], /text\/markdown/);
  const headers = { authorization: `Bearer ${stack.session}` };
  for (const host of ['nothing.localhost', 'example.test', 'svc.example.test.evil.test', '.', 'x.svc.example.test']) {
    assert.equal((await stack.fetch('GET', '/', { host })).status, 404, host);
    assert.equal((await stack.fetch('GET', '/dev/v1/me', { headers, host })).status, 404, host);
  }
  for (const host of ['svc.example.test', 'SVC.example.test:443', 'svc.example.test.']) assert.equal((await stack.fetch('GET', '/dev/v1/me', { headers, host })).status, 200, host);
  assert.equal((await stack.dev('GET', '/nothing')).status, 404);
});

test('sign-in attempts end', async () => {
  let last;
  for (let i = 0; i < 12; ++i) {
    last = await stack.dev('POST', '/session', { email: 'guess@example.test', password: 'x' }, { token: null });
  }
  assert.equal(last.status, 429);
});
