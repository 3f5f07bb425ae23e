// Tools by the protocol of 2026, which begins without a greeting: its own client, and messages that are not as it wants them.
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { fileURLToPath } from 'node:url';
import { packages } from '../lib/npm.mjs';
import { Stack } from '../lib/stack.mjs';

const { Client, StreamableHTTPClientTransport } = packages(fileURLToPath(new URL('.', import.meta.url)))('@modelcontextprotocol/client');
const today = '2026-07-28';

let stack, project;
before(async () => {
  stack = await Stack.start();
  await stack.signIn();
  project = await stack.project('Tooled');
});
after(() => stack?.stop());

async function connect(versionNegotiation) {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation });
  const url = new URL(`http://127.0.0.1:${stack.port}/mcp?project=${project.id}`);
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers: { authorization: `Bearer ${stack.session}` } } }));
  return client;
}

for (const [what, mode, version] of [['finds', { mode: 'auto' }, today], ['asks for', { mode: { pin: today } }, today], ['needs no', { mode: 'legacy' }, '2025-06-18']]) {
  test(`the client of today ${what} the protocol of today`, async () => {
    const client = await connect(mode);
    assert.equal(client.getNegotiatedProtocolVersion(), version);
    assert.equal(client.getServerVersion().name, 'svc');
    const { tools } = await client.listTools();
    assert.ok(tools.some(({ name }) => name === 'apply_contract'));
    const me = await client.callTool({ name: 'me', arguments: {} });
    assert.equal(me.structuredContent.email, 'owner@example.test', JSON.stringify(me));
    const failed = await client.callTool({ name: 'get_project', arguments: { project: '00000000-0000-0000-0000-000000000000' } });
    assert.equal(failed.isError, true);
    await assert.rejects(client.callTool({ name: 'no_such_tool', arguments: {} }), /no tool/);
    await client.close();
  });
}

const meta = (version = today) => ({ _meta: { 'io.modelcontextprotocol/protocolVersion': version, 'io.modelcontextprotocol/clientCapabilities': {} } });
const rpc = (method, params = meta(), id = 1) => ({ jsonrpc: '2.0', method, params, ...(id === null ? {} : { id }) });
const post = (body, headers = {}) => stack.fetch('POST', '/dev/v1/mcp', { body, headers: { authorization: `Bearer ${stack.session}`, 'mcp-protocol-version': today, 'mcp-method': body.method ?? '', ...headers } });

test('each message stands for itself', async () => {
  const { json } = await post(rpc('server/discover'));
  const { supportedVersions, capabilities, resultType, ttlMs, cacheScope, _meta } = json.result;
  assert.deepEqual([supportedVersions, resultType, cacheScope], [[today, '2025-06-18', '2025-03-26'], 'complete', 'private']);
  assert.deepEqual([capabilities, _meta['io.modelcontextprotocol/serverInfo'].name, ttlMs > 0], [{ tools: { listChanged: false } }, 'svc', true]);
  const called = await post(rpc('tools/call', { ...meta(), name: 'me', arguments: {} }), { 'mcp-name': `=?base64?${Buffer.from('me').toString('base64')}?=` });
  assert.deepEqual([called.json.result.resultType, called.json.result.isError, called.json.result.ttlMs], ['complete', false, undefined]);
  const note = await post(rpc('notifications/cancelled', { ...meta(), requestId: 7 }, null));
  assert.deepEqual([note.status, note.text], [202, '']);
});

test('what is not as the protocol wants it', async () => {
  const refused = async (status, code, body, headers) => {
    const answer = await post(body, headers);
    assert.deepEqual([answer.status, answer.json.error?.code], [status, code], `${JSON.stringify(body)} ${answer.text}`);
    return answer.json.error;
  };
  const later = await refused(400, -32022, rpc('tools/list', meta('2030-01-01')), { 'mcp-protocol-version': '2030-01-01' });
  assert.deepEqual([later.data.requested, later.data.supported[0]], ['2030-01-01', today]);
  await refused(400, -32020, rpc('tools/list'), { 'mcp-protocol-version': '2025-06-18' });
  await refused(400, -32020, rpc('tools/list', {}));
  await refused(400, -32020, rpc('tools/list'), { 'mcp-method': 'tools/call' });
  await refused(400, -32020, rpc('tools/list'), { 'mcp-method': '' });
  await refused(400, -32020, rpc('tools/call', { ...meta(), name: 'me' }), { 'mcp-name': 'other' });
  await refused(400, -32020, { jsonrpc: '2.0', id: 1, method: 7, params: meta() });
  await refused(400, -32020, [rpc('tools/list')]);
  for (const method of ['initialize', 'ping', 'resources/list']) await refused(404, -32601, rpc(method));
  await refused(200, -32602, rpc('tools/call', { ...meta(), name: 'nix' }), { 'mcp-name': 'nix' });
});
