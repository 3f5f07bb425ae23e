// Tools of others' servers, over the protocol of 2025 with sessions and that of 2026 without.
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { appServers, until } from '../lib/stack.mjs';
import { ofMarch, stateless, withSessions } from './servers.mjs';
import { World } from './world.mjs';
import { z } from './zod.mjs';

const secrets = { TOOLS_TOKEN: 'tools-token-0123456789' };
const names = ['add', 'fail', 'weather', 'none'];
const mcp = (servers) => Object.entries(servers).map(([id, { url }]) => ({ id, url, auth: { type: 'bearer', secret: 'secret:TOOLS_TOKEN' }, ...(id === 'pinned' ? { pin: true } : {}) }));
const connectors = (servers) => ({
  mcp: [...mcp(servers), { id: 'down', url: 'http://127.0.0.1:9/mcp' }],
  allow: [...Object.keys(servers).flatMap((id) => names.map((name) => `mcp_${id}_${name}`)), 'mcp_down_any', { action: 'mcp_now_secret_thing', to: ['clerk'] }],
});
const workflows = [{ id: 'go', on: { manual: true }, steps: [
  { id: 'call', mcp: { tool: 'mcp_now_weather', props: { city: 'Rome' } } }, { id: 'keep', create: { entity: 'note', data: { data: '{steps.call}' } } }] }];

let world;
const servers = {};
const options = { more: {} };
before(async () => {
  servers.events = await withSessions();
  servers.json = await withSessions({ json: true });
  servers.now = await stateless();
  servers.pinned = await stateless(options);
  servers.march = await ofMarch();
  world = await World.start(connectors(servers), { secrets, more: { workflows } });
});
after(async () => {
  await world?.stop();
  for (const server of Object.values(servers)) await server.stop();
});

for (const id of ['events', 'json', 'now']) {
  test(`${id}: tools are called, and what they give comes back`, async () => {
    const answer = await world.tool(`mcp_${id}_add`, { a: 2, b: 3 });
    assert.equal(answer.status, 200, answer.text);
    const { success, data, meta: { durationMs, ...meta } } = answer.json;
    assert.deepEqual([success, data, meta], [true, [{ type: 'text', text: '5' }], { connectorName: id, toolName: 'add' }], answer.text);
    assert.deepEqual((await world.tool(`mcp_${id}_weather`, { city: 'Rome' })).json.data, { warm: true, city: 'Rome' });
    const failed = await world.tool(`mcp_${id}_fail`, {});
    assert.deepEqual([failed.status, failed.json.success, failed.json.error.code], [200, false, 'MCP_TOOL_ERROR'], failed.text);
    assert.match(failed.json.error.message, /It is broken/);
    const wrong = await world.tool(`mcp_${id}_add`, { a: 'x' });
    assert.deepEqual([wrong.status, wrong.json.success, wrong.json.error.code], [200, false, 'MCP_TOOL_ERROR'], wrong.text);
    assert.ok(servers[id].calls.every(({ headers }) => headers.authorization === `Bearer ${secrets.TOOLS_TOKEN}`));
  });
}

test('a stateless server gets everything with each message, an older one a session', async () => {
  const [call] = servers.now.of('tools/call');
  assert.equal(call.headers['mcp-protocol-version'], '2026-07-28');
  assert.deepEqual([call.headers['mcp-method'], call.headers['mcp-name'], call.headers['mcp-session-id']], ['tools/call', 'add', undefined]);
  assert.equal(call.body.params._meta['io.modelcontextprotocol/protocolVersion'], '2026-07-28');
  assert.equal(servers.now.of('initialize').length, 0);
  const [old] = servers.events.of('tools/call');
  assert.equal(old.headers['mcp-protocol-version'], '2025-06-18');
  assert.ok(old.headers['mcp-session-id']);
  assert.equal(servers.events.of('notifications/initialized').length >= 1, true);
});

test('a server of 2025-03-26 may answer in lists, and needs no session', async () => {
  const answer = await world.tool('mcp_march_add', { a: 2, b: 3 });
  assert.deepEqual([answer.status, answer.json.success, answer.json.data], [200, true, [{ type: 'text', text: '5' }]], answer.text);
  const [call] = servers.march.of('tools/call');
  assert.deepEqual([call.headers['mcp-protocol-version'], call.headers['mcp-session-id']], ['2025-03-26', undefined]);
});

test('tools that this caller may call are listed, once a minute', async () => {
  const before = servers.events.of('tools/list').length;
  const { json } = await world.get('mcp/available');
  const found = json.tools.map(({ fullName }) => fullName);
  for (const id of ['events', 'json', 'now']) for (const name of ['add', 'fail', 'weather']) assert.ok(found.includes(`mcp_${id}_${name}`), `${found}`);
  assert.ok(!found.includes('mcp_now_secret_thing') && !found.some((name) => name.startsWith('mcp_down')));
  assert.deepEqual(json.tools.find(({ fullName }) => fullName === 'mcp_now_add'), { fullName: 'mcp_now_add', connectorName: 'now', toolName: 'add', description: 'Adds numbers' });
  assert.equal(servers.events.of('tools/list').length, before);
  const clerk = await world.get('mcp/available', world.app.staff('clerk'));
  assert.ok(clerk.json.tools.some(({ fullName }) => fullName === 'mcp_now_secret_thing'));
});

test('tools that are not there, or not for this caller or key', async () => {
  const outcome = async (...call) => {
    const { status, json } = await world.tool(...call);
    return [status, json.error?.code];
  };
  for (const name of ['mcp_now_none', 'mcp_now_', 'mcp_other_add', 'mcp_events_secret_thing', 'x']) assert.deepEqual(await outcome(name, {}), [404, 'MCP_TOOL_NOT_FOUND'], name);
  assert.deepEqual(await outcome('mcp_now_secret_thing', {}), [403, 'NOT_IN_ALLOWLIST']);
  assert.deepEqual(await outcome('mcp_now_secret_thing', {}, world.app.staff('clerk')), [200, undefined]);
  const key = await world.key({ tools: ['mcp_now_add'] });
  await until('the key to be known', async () => (await world.tool('mcp_now_add', { a: 1, b: 1 }, key)).status === 200);
  assert.deepEqual(await outcome('mcp_now_weather', {}, key), [403, 'TOOL_NOT_ALLOWED']);
  const down = await world.tool('mcp_down_any', {});
  assert.deepEqual([down.status, down.json.success, down.json.error.code], [200, false, 'MCP_TOOL_ERROR'], down.text);
});

test('a session that is gone is begun again', async () => {
  servers.json.sessions.clear();
  const answer = await world.tool('mcp_json_add', { a: 1, b: 1 });
  assert.equal(answer.json.success, true, answer.text);
});

test('an error without words is an error like any other', async () => {
  for (const error of [{ code: -5 }, { code: -5, message: '' }, { code: -5, message: `x${'\u00e9'.repeat(400)}` }, {}]) {
    servers.now.refuse = (request, reply) => reply.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ jsonrpc: '2.0', id: 1, error }));
    const answer = await world.tool('mcp_now_add', { a: 1, b: 1 });
    delete servers.now.refuse;
    assert.deepEqual([answer.status, answer.json.success, answer.json.error?.code], [200, false, 'MCP_TOOL_ERROR'], JSON.stringify(error));
    assert.equal(world.calls().at(-1).status, 'failed');
  }
});

test('an error of the server shows no secret', async () => {
  servers.now.refuse = (request, reply) => reply.writeHead(500, { 'content-type': 'text/plain' }).end(`you sent ${request.headers.authorization}`);
  const answer = await world.tool('mcp_now_add', { a: 1, b: 1 });
  delete servers.now.refuse;
  assert.deepEqual([answer.json.success, answer.json.error.code], [false, 'MCP_TOOL_ERROR']);
  assert.match(answer.json.error.message, /\*\*\*/);
  assert.ok(!answer.text.includes(secrets.TOOLS_TOKEN) && !JSON.stringify(world.calls()).includes(secrets.TOOLS_TOKEN));
});

test('a step calls a tool', async () => {
  const { json } = await world.app.call(world.app.server(), 'POST', 'runtime/workflows/go/run', { input: {} }, 202);
  const end = await until('the run to end', async () => {
    const answer = await world.app.call(world.app.server(), 'GET', `runtime/runs/${json.runId}`);
    return ['succeeded', 'dead', 'failed'].includes(answer.json.run.status) && answer.json.run;
  });
  assert.equal(end.status, 'succeeded', JSON.stringify(end));
  assert.deepEqual(JSON.parse(world.sql('select data from public.note')[0][0]), { city: 'Rome', warm: true });
});

test('tools of a pinned server stay as they were at the apply', async () => {
  assert.equal((await world.tool('mcp_pinned_add', { a: 1, b: 1 })).json.success, true);
  options.more = { c: z.number().optional() };
  for (const { pid } of appServers(world.project)) process.kill(pid, 'SIGKILL');
  await until('the app to be back, which lists the tools again', async () => {
    const answer = await world.tool('mcp_pinned_add', { a: 1, b: 1 }).catch(() => null);
    return answer?.json?.success === false && /not as it was/.test(answer.json.error.message);
  });
  assert.equal((await world.tool('mcp_pinned_weather', { city: 'Rome' })).json.success, true);
  assert.ok(!(await world.get('mcp/available')).json.tools.some(({ fullName }) => fullName === 'mcp_pinned_add'));
  await world.apply(connectors(servers), { workflows, topics: [{ name: 'news' }] });
  assert.equal((await world.tool('mcp_pinned_add', { a: 1, b: 1 })).json.success, true);
  // Nobody has to use them for that.
  await world.apply(connectors(servers), { workflows });
  await until('the tools to be pinned', () => Number(world.sql("select count(*) from svc.pinned_tool where server = 'pinned' and tool = 'add'")[0][0]) === 1);
});
