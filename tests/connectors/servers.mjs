// Tool servers of others: the protocol's own packages, with sessions (2025) and without (2026).
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packages } from '../lib/npm.mjs';

const require = packages(dirname(fileURLToPath(import.meta.url)));
const { McpServer } = require('@modelcontextprotocol/sdk/server/mcp.js');
const { StreamableHTTPServerTransport } = require('@modelcontextprotocol/sdk/server/streamableHttp.js');
const { isInitializeRequest } = require('@modelcontextprotocol/sdk/types.js');
const today = require('@modelcontextprotocol/server');
const { z } = require('zod');

async function serve(answer) {
  const it = { calls: [] };
  it.server = createServer((request, reply) => {
    let text = '';
    request.on('data', (piece) => { text += piece; }).on('end', async () => {
      const body = text ? JSON.parse(text) : undefined;
      it.calls.push({ method: body?.method, headers: request.headers, body, http: request.method });
      try {
        if (!it.refuse?.(request, reply, body)) await answer(it, request, reply, body, text);
      } catch (error) {
        reply.writeHead(500).end(String(error));
      }
    });
  });
  await new Promise((done) => it.server.listen(0, '127.0.0.1', done));
  it.url = `http://127.0.0.1:${it.server.address().port}/mcp`;
  it.stop = () => {
    it.server.closeAllConnections();
    return new Promise((done) => it.server.close(done));
  };
  it.of = (method) => it.calls.filter((call) => call.method === method);
  return it;
}

// The same tools in both packages.
function addTools(server, schema, options) {
  const tool = (name, description, inputSchema, act) => server.registerTool(name, { description, inputSchema: schema(inputSchema) }, act);
  const text = (words) => ({ content: [{ type: 'text', text: words }] });
  tool('add', 'Adds numbers', { a: z.number(), b: z.number(), ...options.more }, ({ a, b }) => text(String(a + b)));
  tool('fail', 'Fails', {}, () => ({ ...text('It is broken'), isError: true }));
  tool('secret_thing', 'Not allowed', {}, () => text('x'));
  server.registerTool('weather', { description: 'The weather', inputSchema: schema({ city: z.string() }), outputSchema: schema({ warm: z.boolean(), city: z.string() }) }, ({ city }) => ({
    ...text('warm'), structuredContent: { warm: true, city } }));
}

// The protocol of 2025: sessions that begin with `initialize`.
export async function withSessions({ json = false, options = {} } = {}) {
  const sessions = new Map();
  const it = await serve(async (_, request, reply, body) => {
    const id = request.headers['mcp-session-id'];
    let transport = sessions.get(id);
    if (!transport && body && isInitializeRequest(body)) {
      transport = new StreamableHTTPServerTransport({
        sessionIdGenerator: randomUUID, enableJsonResponse: json, onsessioninitialized: (made) => sessions.set(made, transport),
      });
      const server = new McpServer({ name: 'old', version: '1' });
      addTools(server, (shape) => shape, options);
      await server.connect(transport);
    }
    if (!transport) return reply.writeHead(id ? 404 : 400, { 'content-type': 'application/json' }).end(JSON.stringify({ jsonrpc: '2.0', error: { code: -32000, message: 'No session' }, id: null }));
    return transport.handleRequest(request, reply, body);
  });
  it.sessions = sessions;
  return it;
}

// The protocol of 2025-03-26 as it was: its messages may come as a list, and it knows no header of a version. No package
// speaks it any more.
export function ofMarch() {
  const results = {
    initialize: { protocolVersion: '2025-03-26', capabilities: { tools: {} }, serverInfo: { name: 'march', version: '1' } },
    'tools/list': { tools: [{ name: 'add', description: 'Adds numbers', inputSchema: { type: 'object' } }] },
  };
  return serve(async (_, request, reply, { method, id, params }) => {
    if (id === undefined) return reply.writeHead(202).end();
    const of = method === 'tools/call' ? { content: [{ type: 'text', text: String(params.arguments.a + params.arguments.b) }] } : results[method];
    const own = of ? { jsonrpc: '2.0', id, result: of } : { jsonrpc: '2.0', id, error: { code: -32601, message: 'Method not found' } };
    const note = { jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'x' } };
    if (method === 'tools/list') return reply.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify([own]));
    reply.writeHead(200, { 'content-type': 'text/event-stream' });
    return reply.end(`data: ${JSON.stringify([note])}\n\ndata: ${JSON.stringify(of ? [note, own] : own)}\n\n`);
  });
}

// The protocol of 2026: no session; each message is complete.
export function stateless(options = {}) {
  const handler = today.createMcpHandler(() => {
    const server = new today.McpServer({ name: 'new', version: '1' });
    addTools(server, (shape) => z.object(shape), options);
    return server;
  }, { legacy: 'reject' });
  return serve(async (_, request, reply, body, text) => {
    const answer = await handler.fetch(new Request(`http://${request.headers.host}${request.url}`, { method: request.method, headers: request.headers, body: text || undefined }));
    reply.writeHead(answer.status, Object.fromEntries(answer.headers));
    reply.end(Buffer.from(await answer.arrayBuffer()));
  });
}
