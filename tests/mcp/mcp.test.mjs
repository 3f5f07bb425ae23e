// The developer API for tool clients, asked by the protocol's own client.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import test, { after, before } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { packages } from '../lib/npm.mjs';
import { Stack, bin, sample, until } from '../lib/stack.mjs';

const require = packages(fileURLToPath(new URL('.', import.meta.url)));
const load = (name) => import(pathToFileURL(require.resolve(`@modelcontextprotocol/sdk/${name}`)).href);
const { Client } = await load('client/index.js');
const { StreamableHTTPClientTransport } = await load('client/streamableHttp.js');

let stack, project;
before(async () => {
  stack = await Stack.start();
  await stack.signIn();
  project = await stack.project('Tooled');
});
after(() => stack?.stop());

const mint = async (scopes) => (await stack.dev('POST', '/tokens',
  { name: scopes.join(), workspaceId: stack.workspace, scopes }, { expect: 201 })).json.token;

async function connect(token, { query = '', path = '/dev/v1/mcp' } = {}) {
  const client = new Client({ name: 'test', version: '1' });
  const url = new URL(`http://127.0.0.1:${stack.port}${path}${query}`);
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers: { authorization: `Bearer ${token}` } } }));
  return client;
}
const call = async (client, name, args = {}) => {
  const { content, isError, structuredContent } = await client.callTool({ name, arguments: args });
  return { text: content[0].text, isError, json: structuredContent };
};

test('a client meets the server and its tools', async () => {
  const client = await connect(await mint(['read']));
  assert.equal(client.getServerVersion().name, 'svc');
  await client.ping();
  const { tools } = await client.listTools();
  const names = tools.map((t) => t.name);
  for (const name of ['me', 'docs', 'list_projects', 'check_contract', 'apply_contract', 'run_sql', 'write_rows', 'get_schema', 'tail', 'set_secret', 'reset_demo']) assert.ok(names.includes(name), name);
  assert.equal(new Set(names).size, names.length);
  const sql = tools.find((t) => t.name === 'run_sql');
  assert.deepEqual(sql.inputSchema.required, ['sql']);
  assert.ok(sql.inputSchema.properties.project);
  assert.equal(sql.annotations.destructiveHint, true);
  assert.equal(tools.find((t) => t.name === 'get_schema').annotations.readOnlyHint, true);
  await client.close();
});

test('tools are the same operations, with the same scopes', async () => {
  const reader = await connect(await mint(['read'])), maker = await connect(await mint(['read', 'apply']), { path: '/mcp' });
  assert.equal((await call(reader, 'me')).json.auth, 'pat');
  assert.match((await call(reader, 'docs')).text, /^#/);
  const listed = await call(reader, 'list_projects');
  assert.equal(listed.json.projects[0].id, project.id);
  const contract = sample('shop');
  const args = { project: project.id, contract };
  const refused = await call(reader, 'apply_contract', args);
  assert.equal(refused.isError, true);
  assert.equal(refused.json.code, 'FORBIDDEN_SCOPE');
  assert.equal((await call(reader, 'check_contract', args)).json.report.ok, true);
  const applied = await call(maker, 'apply_contract', args);
  assert.equal(applied.isError, false, applied.text);
  assert.equal((await call(reader, 'run_sql', { project: project.id, sql: 'select sku from product' })).json.results[0].rows[0].sku, 'TEA-1');
  assert.equal((await call(reader, 'run_sql', { project: project.id, sql: 'delete from product' })).json.code, 'FORBIDDEN_SCOPE');
  assert.equal((await call(maker, 'run_sql', { project: project.id, sql: 'drop table product' })).json.code, '42501');
  assert.equal((await call(maker, 'write_rows', { project: project.id, op: 'insert', table: 'product', data: { sku: 'M-1', title: 'M', price: 1 } })).json.ok, true);
  assert.equal((await call(reader, 'tail', { project: project.id, kind: 'events', limit: 1 })).json.events[0].new.sku, 'M-1');
  assert.equal((await call(reader, 'get_schema', { project: project.id, env: 'prod' })).json.code, 'NO_APP');
  assert.equal((await call(reader, 'get_project', { project: '0198b6a0-0000-7000-8000-00000000000a' })).isError, true);
  assert.equal((await call(reader, 'get_project')).json.code, 'BAD_REQUEST');
  assert.equal((await call(reader, 'get_run', { project: project.id, run: '../../secrets' })).json.code, 'NOT_FOUND');
  await reader.close();
  await maker.close();
});

test('runs are listed for one workflow', async () => {
  const other = await stack.project('Runs');
  const client = await connect(await mint(['read', 'apply']), { query: `?project=${other.id}` });
  const contract = {
    app: { name: 'Runs' }, personas: [{ id: 'clerk', kind: 'staff' }],
    entities: [{ name: 'note', owner: 'none', fields: [{ name: 'text', type: 'string' }], access: { read: 'staff' } }],
    workflows: ['ring', 'knock'].map((id) => ({ id, on: { manual: true }, steps: [{ id: 'write', create: { entity: 'note', data: { text: id } } }] })),
  };
  const applied = await call(client, 'apply_contract', { contract });
  assert.equal(applied.isError, false, applied.text);
  const started = {};
  for (const workflow of ['ring', 'knock']) {
    started[workflow] = (await call(client, 'run_workflow', { workflow })).json.runId;
    await until('the run to succeed', async () => (await call(client, 'get_run', { run: started[workflow] })).json.run.status === 'succeeded');
  }
  const runs = async (args) => (await call(client, 'tail', { kind: 'runs', since: '15m', ...args })).json.events.filter(({ kind }) => kind === 'run').map(({ run }) => run);
  assert.deepEqual((await runs({})).sort(), Object.values(started).sort());
  assert.deepEqual(await runs({ workflow: 'ring' }), [started.ring]);
  const unknown = await call(client, 'tail', { kind: 'runs', workflow: 'rong' });
  assert.deepEqual([unknown.isError, unknown.json.code], [true, 'NOT_FOUND']);
  assert.match(unknown.text, /Did you mean 'ring'\?/);
  await client.close();
});

test('the address may name the project', async () => {
  const client = await connect(await mint(['read']), { query: `?project=${project.id}` });
  assert.equal((await call(client, 'get_project')).json.project.id, project.id);
  assert.equal((await call(client, 'query_rows', { table: 'product', where: { sku: 'TEA-1' } })).json.rows.length, 1);
  await client.close();
});

test('refused callers', async () => {
  await assert.rejects(connect('svc_pat_nothing'));
  const revoked = (await stack.dev('POST', '/tokens', { name: 'gone', workspaceId: stack.workspace, scopes: ['read'] }, { expect: 201 })).json;
  const client = await connect(revoked.token);
  await stack.dev('DELETE', `/tokens/${revoked.id}`, undefined, { expect: 200 });
  await assert.rejects(client.callTool({ name: 'me', arguments: {} }));
});

const raw = (body, headers = {}) => stack.fetch('POST', '/dev/v1/mcp',
  { body, headers: { authorization: `Bearer ${stack.session}`, 'content-type': 'application/json', ...headers } });
const rpc = (method, params, id = 1) => ({ jsonrpc: '2.0', ...(id === null ? {} : { id }), method, ...(params ? { params } : {}) });

test('messages as the protocol has them', async () => {
  const hello = await raw(rpc('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'x', version: '1' } }));
  assert.equal(hello.json.result.protocolVersion, '2025-06-18');
  assert.equal((await raw(rpc('initialize', { protocolVersion: '1999-01-01' }))).json.result.protocolVersion, '2025-06-18');
  for (const params of [{ protocolVersion: 5 }, { protocolVersion: null }, { protocolVersion: {} }, [], 'x', undefined]) {
    const answer = await raw(rpc('initialize', params));
    assert.deepEqual([answer.status, answer.json.result?.protocolVersion], [200, '2025-06-18'], answer.text);
  }
  const note = await raw(rpc('notifications/initialized', undefined, null));
  assert.deepEqual([note.status, note.text], [202, '']);
  assert.deepEqual((await raw(rpc('ping', undefined, 'a'))).json, { jsonrpc: '2.0', id: 'a', result: {} });
  const both = (await raw([rpc('ping'), rpc('notifications/x', undefined, null), rpc('ping', undefined, 2)])).json;
  assert.deepEqual(both.map((m) => m.id), [1, 2]);
  assert.equal((await raw(rpc('nix'))).json.error.code, -32601);
  assert.equal((await raw(rpc('tools/call', { name: 'nix' }))).json.error.code, -32602);
  assert.equal((await raw(rpc('tools/call', { name: 'me', arguments: [] }))).json.error.code, -32602);
  assert.equal((await raw('{', {})).json.error.code, -32700);
  for (const odd of [1, 'x', null, {}, { jsonrpc: '2.0', method: 5, id: 1 }, { jsonrpc: '2.0', method: 'ping', id: {} }, { jsonrpc: '1.0', method: 'ping', id: 1 }]) {
    assert.equal((await raw(JSON.stringify(odd))).json.error.code, -32600, JSON.stringify(odd));
  }
  for (const batch of ['[]', JSON.stringify(Array(21).fill(rpc('ping')))]) assert.equal((await raw(batch)).json.error.code, -32600);
  assert.equal((await raw(rpc('ping'), { 'mcp-protocol-version': '1999-01-01' })).status, 400);
  assert.equal((await raw(rpc('ping'), { 'mcp-protocol-version': '2025-06-18' })).status, 200);
});

test('nesting that would exhaust a stack is refused, on every route', async () => {
  const headers = { authorization: `Bearer ${stack.session}`, 'content-type': 'application/json' };
  const deep = '['.repeat(200000) + ']'.repeat(200000);
  const say = (path, body) => stack.fetch('POST', path, { headers, body });
  const bodies = { '/dev/v1/mcp': `{"jsonrpc":"2.0","method":"ping","id":${deep}}`, [`/dev/v1/projects/${project.id}/rows`]: `{"op":"delete","table":"x","ids":${deep}}` };
  for (const [path, body] of Object.entries(bodies)) {
    const answer = await say(path, body);
    assert.ok([400, 413].includes(answer.status), `${path}: ${answer.status}`);
  }
  assert.equal((await stack.fetch('GET', '/readyz')).status, 200);
});

test('pages of other origins, other methods', async () => {
  assert.equal((await raw(rpc('ping'), { origin: 'http://evil.test' })).json.code, 'ORIGIN_NOT_ALLOWED');
  assert.equal((await raw(rpc('ping'), { origin: `http://evil.test:${stack.port}` })).status, 403);
  assert.equal((await raw(rpc('ping'), { origin: `http://127.0.0.1:${stack.port}` })).status, 200);
  for (const method of ['GET', 'DELETE']) {
    const answer = await stack.fetch(method, '/dev/v1/mcp', { headers: { authorization: `Bearer ${stack.session}`, accept: 'text/event-stream' } });
    assert.deepEqual([answer.status, answer.headers.allow], [405, 'POST']);
  }
});

test('every operation is a tool, or there is a reason why not', async () => {
  const { routes, operations } = JSON.parse(execFileSync(join(bin, 'svcd'), ['--routes'], { encoding: 'utf8' }));
  const reasons = {
    'POST /components/check': 'the same of a project is one, and knows its client',
    'POST /session': 'signing in makes the credential that tools need', 'DELETE /session': 'the same', 'POST /tokens': 'a session alone may', 'POST /mcp': 'this itself',
    'GET /projects/:id/keys': 'keys belong to people', 'POST /projects/:id/keys': 'a session alone may', 'DELETE /projects/:id/keys/:key': 'a session alone may',
    'POST /workspaces': 'a session alone may', 'GET /workspaces/:workspace/members': 'the same', 'POST /workspaces/:workspace/members': 'the same',
    'PUT /workspaces/:workspace/members/:user': 'the same', 'DELETE /workspaces/:workspace/members/:user': 'the same',
    'POST /join': 'the same', 'POST /projects/:id/keys/:key/adopt': 'the same',
    'GET /workspaces/:workspace/audit': 'for people who watch what tools do', 'POST /cli/login': 'it makes a credential', 'POST /cli/login/poll': 'the same',
    'POST /session/mfa': 'the same', 'GET /mfa': 'a session alone may', 'POST /mfa/enroll/start': 'the same', 'POST /mfa/enroll/confirm': 'the same',
    'POST /mfa/disable': 'the same', 'POST /mfa/backup-codes/regenerate': 'the same', 'GET /mfa/passkeys': 'the same',
    'POST /mfa/passkeys/register/start': 'the same', 'POST /mfa/passkeys/register/finish': 'the same', 'DELETE /mfa/passkeys/:passkey': 'the same',
    'PATCH /workspaces/:workspace': 'the same',
    'GET /projects/:id/hooks/:hook/secret': 'a person hands it to the service that calls', 'POST /projects/:id/hooks/:hook/rotate': 'the same',
    'POST /projects/:id/preview-token': 'a credential for a browser', 'DELETE /projects/:id': 'a person deletes projects',
  };
  const client = await connect(await mint(['read']));
  const { tools } = await client.listTools();
  await client.close();
  const shape = (path) => path.replace(/:\w+/g, ':');
  const offered = new Set(operations.map(({ method, path }) => `${method} ${shape(path)}`));
  for (const { method, path } of routes) {
    const known = offered.has(`${method} ${shape(path)}`) || `${method} ${path}` in reasons;
    assert.ok(known, `${method} ${path} is no tool (devapi/mcp/operations.cpp) and on no list of those that are none`);
  }
  const there = new Set(routes.map(({ method, path }) => `${method} ${shape(path)}`));
  assert.equal(tools.length, [...offered].filter((one) => there.has(one)).length);
});
