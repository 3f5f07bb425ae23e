// A tool server that lists its tools without end, a page every few seconds.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { availableParallelism } from 'node:os';
import test, { after, before } from 'node:test';
import { World } from './world.mjs';

let server, world;
const cursors = [];
before(async () => {
  server = createServer((request, reply) => {
    let text = '';
    request.on('data', (piece) => { text += piece; }).on('end', () => {
      const { id, method, params } = JSON.parse(text);
      const answer = (result) => reply.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ jsonrpc: '2.0', id, result }));
      if (method !== 'tools/list') return answer({ supportedVersions: ['2026-07-28'], capabilities: {} });
      cursors.push(params.cursor);
      return setTimeout(() => answer({ tools: [{ name: 'add', inputSchema: { type: 'object' } }], nextCursor: `c${cursors.length}` }), 2500);
    });
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  world = await World.start({ mcp: [{ id: 'endless', url: `http://127.0.0.1:${server.address().port}/mcp` }], allow: ['mcp_endless_add'] });
});
after(async () => {
  await world?.stop();
  server?.closeAllConnections();
  server?.close();
});

test('it is given up after the time of one call, and whoever asks meanwhile waits for the same listing', async () => {
  const calls = Array.from({ length: 4 * availableParallelism() }, () => world.tool('mcp_endless_add', {}));
  for (const { status, json, text } of await Promise.all(calls)) {
    assert.deepEqual([status, json.success, json.error?.code], [200, false, 'MCP_TOOL_ERROR'], text);
    assert.match(json.error.message, /did not answer|imeout/);
  }
  const begun = cursors.filter((cursor) => cursor === undefined).length;
  assert.ok(begun < calls.length, `${begun} of ${calls.length}`);
  assert.ok(cursors.length < 20 * begun, `${cursors.length} pages`);
});
