// Services and tool servers whose answers no library would send.
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { bad, followed, good, RawPeer } from '../lib/raw_peer.mjs';
import { World } from './world.mjs';

let peer, world, shape;
const row = '{"id":7,"name":"Ann"}';
const named = (name) => ({ name, inputSchema: { type: 'object' } });
const results = {
  'server/discover': { supportedVersions: ['2026-07-28'], capabilities: { tools: {} }, serverInfo: { name: 'raw', version: '1' } },
  'tools/list': { tools: [named('add')], ttlMs: 0 },
  'tools/call': { content: [{ type: 'text', text: '5' }], resultType: 'complete' },
};
// Its tools are listed as anybody would; a call of one is answered in the shape.
function answer({ path, body }) {
  if (path !== '/mcp') return shape(row);
  const { method, id } = JSON.parse(body);
  const json = JSON.stringify({ jsonrpc: '2.0', id, result: results[method] });
  return method === 'tools/call' ? shape(json) : good['that comes byte by byte'](json);
}

before(async () => {
  peer = await RawPeer.start(answer);
  world = await World.start({
    integrations: [{ id: 'crm', baseUrl: peer.url, actions: [{ name: 'get', method: 'GET', path: '/row' }] }],
    mcp: [{ id: 'raw', url: `${peer.url}/mcp` }], allow: ['crm/get', 'mcp_raw_add'],
  });
});
after(async () => {
  await world?.stop();
  peer?.stop();
});

const done = ({ status, json: { success, data } }) => [status, success, data];
const failed = ({ status, json: { success, data, error } }) => [status, success, data, error?.code];

for (const [what, one] of Object.entries(good)) {
  test(`an answer ${what} is taken`, async () => {
    shape = one;
    assert.deepEqual(done(await world.act('crm/get')), [200, true, JSON.parse(row)]);
    assert.deepEqual(done(await world.tool('mcp_raw_add', {})), [200, true, results['tools/call'].content]);
  });
}

for (const [what, one] of Object.entries(bad)) {
  test(`an answer ${what} counts as no answer`, async () => {
    shape = one;
    assert.deepEqual(failed(await world.act('crm/get')), [200, false, null, 'EXECUTION_FAILED']);
    assert.deepEqual(failed(await world.tool('mcp_raw_add', {})), [200, false, null, 'MCP_TOOL_ERROR']);
  });
}

test('what comes after an answer is not the next one', async () => {
  const forged = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n{"id":66}';
  for (let times = 0; times < 3; times += 1) {
    shape = (json) => followed(json, forged);
    assert.deepEqual(done(await world.act('crm/get')), [200, true, JSON.parse(row)]);
    assert.deepEqual(done(await world.tool('mcp_raw_add', {})), [200, true, results['tools/call'].content]);
  }
});

test('a stream of events that is cut off is no answer, and others\' messages are passed over', async () => {
  const events = 'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n';
  const progress = 'data: {"jsonrpc":"2.0","method":"notifications/progress","params":{}}\n\ndata: {"jsonrpc":"2.0","id":9,"result":{}}\n\n';
  shape = (json) => [events, progress, `event: message\nid: 5\ndata: ${json}\n\n`];
  assert.deepEqual(done(await world.tool('mcp_raw_add', {})), [200, true, results['tools/call'].content]);
  shape = (json) => [events, progress, `data: ${json}\n`];
  assert.deepEqual(failed(await world.tool('mcp_raw_add', {})), [200, false, null, 'MCP_TOOL_ERROR']);
});

test('redirects lead nowhere', async () => {
  shape = () => [`HTTP/1.1 307 Temporary Redirect\r\nlocation: ${peer.url}/elsewhere\r\ncontent-length: 0\r\n\r\n`];
  assert.deepEqual(failed(await world.act('crm/get')), [200, false, null, 'EXECUTION_FAILED']);
  assert.deepEqual(failed(await world.tool('mcp_raw_add', {})), [200, false, null, 'MCP_TOOL_ERROR']);
  assert.ok(peer.calls.every(({ path }) => path !== '/elsewhere'));
});
