// Providers that fail, callers that leave, and the answers that each side gets.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import test, { after, before, beforeEach } from 'node:test';
import { appServers, until } from '../lib/stack.mjs';
import { Provider } from './provider.mjs';
import { World } from './world.mjs';

const key = 'sk-test-key-of-ours';

let provider, world;
before(async () => {
  provider = await Provider.start();
  world = await World.start(provider, { model: 'small', embedModel: 'vector', maxOutputTokens: 100 });
});
after(async () => {
  await world?.stop();
  await provider?.stop();
});
beforeEach(() => {
  provider.next = null;
  provider.calls.length = 0;
  world.forget();
});

const answers = [
  ['a wrong key', (reply) => provider.error(reply, 401, 'invalid_api_key'), 503, 'PROVIDER_ERROR'],
  ['a key without the right', (reply) => provider.error(reply, 403, 'forbidden'), 503, 'PROVIDER_ERROR'],
  ['no credit', (reply) => provider.error(reply, 402, 'payment_required'), 402, 'INSUFFICIENT_CREDITS'],
  ['no quota', (reply) => provider.error(reply, 429, 'insufficient_quota'), 402, 'INSUFFICIENT_CREDITS'],
  ['too many calls', (reply) => provider.error(reply, 429, 'rate_limit_exceeded', { 'retry-after': '17' }), 503, 'PROVIDER_ERROR'],
  ['too long a prompt', (reply) => provider.error(reply, 400, 'context_length_exceeded'), 400, 'INPUT_TOO_LARGE'],
  ['a fault', (reply) => provider.error(reply, 500, 'server_error'), 503, 'PROVIDER_ERROR'],
  ['a page', (reply) => reply.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad gateway</h1>'), 503, 'PROVIDER_ERROR'],
  ['a redirect', (reply) => reply.writeHead(307, { location: `${provider.url}/elsewhere` }).end(), 503, 'PROVIDER_ERROR'],
];
for (const [what, answer, status, code] of answers) {
  test(`${what}: ${status} ${code}, and nothing is spent`, async () => {
    provider.next = ({ reply }) => answer(reply);
    for (const call of [() => world.chat({ stream: false }), () => world.chat({}), () => world.embed(['x'])]) {
      const told = await call();
      assert.deepEqual([told.status, told.json.error.code], [status, code], told.text);
      assert.ok(!told.text.includes(key) && !told.text.includes('told:'), told.text);
      if (what === 'too many calls') assert.equal(told.headers['retry-after'], '17');
    }
    assert.ok(provider.calls.every(({ path }) => !path.includes('elsewhere')));
    assert.ok((await world.settled(3)).every((call) => call.status === 'failed' && call.prompt === 0));
    assert.deepEqual(world.spent(), { spent: 0, reserved: 0 });
    assert.ok(!world.stack.log.includes(key));
  });
}

test('an error that comes byte by byte, and never ends, keeps nobody', async () => {
  provider.next = ({ reply, call }) => {
    reply.writeHead(500, { 'content-type': 'application/json' });
    const drip = setInterval(() => (call.left ? clearInterval(drip) : reply.write(' ')), 200);
  };
  const told = await world.chat({ stream: false });
  assert.deepEqual([told.status, told.json.error.code], [503, 'PROVIDER_ERROR'], told.text);
  await until('the provider to be left', () => provider.last().left, 30000);
  assert.deepEqual(world.spent(), { spent: 0, reserved: 0 });
});

test('a provider that cannot be reached costs nothing', async () => {
  await world.secret('AI_BASE_URL', 'http://127.0.0.1:9/v1');
  try {
    const told = await world.chat({ stream: false });
    assert.deepEqual([told.status, told.json.error.code], [503, 'PROVIDER_ERROR'], told.text);
    assert.deepEqual(world.spent(), { spent: 0, reserved: 0 });
  } finally {
    await world.secret('AI_BASE_URL', provider.url);
  }
});

test('an answer that is cut off, false or missing costs its prompt', async () => {
  const bad = [
    ({ reply }) => reply.socket.destroy(),
    ({ reply }) => { reply.writeHead(200, { 'content-type': 'application/json', 'content-length': '500' }); reply.write('{'); reply.socket.end(); },
    ({ reply }) => reply.writeHead(200, { 'content-type': 'application/json' }).end('{"choices":[]}'),
    ({ reply }) => reply.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Welcome</h1>'),
    ({ reply }) => reply.writeHead(200, { 'content-type': 'application/json' }).end('x'.repeat(9 << 20)),
  ];
  for (const next of bad) {
    world.forget();
    provider.next = next;
    const told = await world.chat({ stream: false });
    assert.deepEqual([told.status, told.json.error.code], [503, 'PROVIDER_ERROR'], told.text);
    const [call] = await world.settled(1);
    assert.equal(call.status, 'failed');
    assert.ok(call.prompt > 0 && call.estimated, String(next));
    assert.deepEqual(world.spent(), { spent: call.prompt, reserved: 0 });
  }
});

test('an error after the stream began is a frame of its own, and what came is paid for', async () => {
  const bad = [
    ({ reply }) => { provider.begin(reply); provider.say(reply, 'some words that came'); setImmediate(() => reply.socket.destroy()); },
    ({ reply }) => { provider.begin(reply); provider.say(reply, 'some words that came'); reply.end('data: {"error":{"message":"told: overloaded"}}\n\n'); },
    ({ reply }) => { provider.begin(reply); provider.say(reply, 'some words that came'); reply.end('data: nonsense\n\n'); },
    ({ reply }) => { provider.begin(reply); provider.say(reply, 'some words that came'); reply.end(); },
    ({ reply }) => { provider.begin(reply); provider.say(reply, 'some words that came'); reply.end(`data: ${'x'.repeat(2 << 20)}`); },
  ];
  for (const next of bad) {
    world.forget();
    provider.next = next;
    const talk = await world.stream();
    const frames = await talk.end();
    assert.equal(talk.words, 'some words that came');
    assert.equal(frames.at(-1), '[DONE]');
    assert.equal(frames.at(-2).type, 'error', talk.text);
    assert.equal(frames.at(-2).data.code, 'PROVIDER_ERROR');
    assert.ok(!talk.text.includes('told:'));
    const [call] = await world.settled(1);
    assert.deepEqual([call.status, call.completion], ['failed', 5]);
    assert.ok(call.prompt > 0);
  }
});

test('a caller who leaves ends the call of the provider, and pays for what came', async () => {
  provider.next = ({ reply }) => { provider.begin(reply); provider.say(reply, 'some words that came'); };
  const talk = await world.stream();
  await talk.first(1);
  const { left } = provider.last();
  assert.equal(left, false);
  talk.leave();
  await until('the provider to be left', () => provider.last().left, 30000);
  const [call] = await world.settled(1);
  assert.deepEqual([call.status, call.completion, call.estimated], ['left', 5, true]);
  assert.ok(call.prompt > 0);
  assert.equal(world.spent().reserved, 0);
});

test('a caller who leaves before the first word pays for the prompt', async () => {
  for (const stream of [true, false]) {
    world.forget();
    provider.calls.length = 0;
    provider.next = () => {};
    const { Agent, request } = await import('node:http');
    const call = request({
      host: '127.0.0.1', port: world.stack.port, method: 'POST', path: '/__svc/ai/chat', agent: new Agent(),
      headers: { ...world.app.server(), host: world.app.host, 'content-type': 'application/json' },
    });
    call.on('error', () => {});
    call.end(JSON.stringify({ messages: [{ role: 'user', content: 'Hello?' }], stream }));
    await provider.asked(1);
    call.destroy();
    await until('the provider to be left', () => provider.last().left, 30000);
    const [told] = await world.settled(1);
    assert.equal(told.status, 'left');
    assert.ok(told.prompt > 0);
  }
});

test('a caller who leaves before a whole answer has come pays for the longest that it could be', async () => {
  const { request } = await import('node:http');
  for (const begun of [false, true]) {
    world.forget();
    provider.calls.length = 0;
    provider.next = ({ reply }) => { if (begun) reply.writeHead(200, { 'content-type': 'application/json' }).write('{'); };
    const call = request({
      host: '127.0.0.1', port: world.stack.port, method: 'POST', path: '/__svc/ai/chat', agent: false,
      headers: { ...world.app.server(), host: world.app.host, 'content-type': 'application/json' },
    });
    call.on('error', () => {});
    call.end(JSON.stringify({ messages: [{ role: 'user', content: 'Hello?' }], stream: false, max_tokens: 40 }));
    await provider.asked(1);
    call.destroy();
    await until('the provider to be left', () => provider.last().left, 30000);
    const [told] = await world.settled(1);
    assert.deepEqual([told.status, told.completion, told.estimated], ['left', provider.last().body.max_tokens, true]);
    assert.equal(world.spent().reserved, 0);
  }
});

test('a long answer comes whole', async () => {
  const words = 'x'.repeat(16000);
  await world.apply({ model: 'small', embedModel: 'vector', maxOutputTokens: 1_000_000 });
  let written = 0;
  provider.next = async ({ reply, body }) => {
    provider.begin(reply);
    for (let i = 0; i < 400; i += 1) {
      written += 1;
      if (!reply.write(`data: ${JSON.stringify({ choices: [{ delta: { content: words } }] })}\n\n`)) await new Promise((done) => reply.once('drain', done));
    }
    provider.finish(reply, body);
  };
  const talk = await world.stream();
  assert.equal(talk.status, 200);
  await talk.end();
  assert.equal(talk.words.length, 400 * words.length);
  assert.equal(written, 400);
  await world.apply({ model: 'small', embedModel: 'vector', maxOutputTokens: 100 });
});

test('the key goes to no host but its own', async () => {
  const calls = [];
  const other = createServer((socket) => socket.on('error', () => {}).once('data', (data) => { calls.push(data.toString()); socket.destroy(); }));
  await new Promise((done) => other.listen(0, '127.0.0.1', done));
  await world.secret('AI_API_KEY', key, { hosts: ['api.example.test'] });
  try {
    await world.secret('AI_BASE_URL', `http://localhost:${other.address().port}/v1`);
    const told = await world.chat({ stream: false });
    assert.deepEqual([told.status, told.json.error.code], [503, 'PROVIDER_ERROR'], told.text);
    assert.deepEqual(calls, []);
    const check = await world.stack.dev('POST', `/projects/${world.project.id}/check`, { contract: (await import('./world.mjs')).contract({ model: 'small' }) });
    assert.match(check.text, /SECRET_NOT_FOR_HOST/);
  } finally {
    other.close();
    await world.unset('AI_API_KEY');
    await world.secret('AI_API_KEY', key);
    await world.secret('AI_BASE_URL', provider.url);
  }
  assert.equal((await world.chat({ stream: false })).status, 200);
});

test('a chat goes on while its server is replaced, and is told when the time for that is over', async () => {
  let reply;
  provider.next = (call) => { reply = call.reply; provider.begin(reply); provider.say(reply, 'some words'); };
  const talk = await world.stream();
  await talk.first(1);
  const [old] = appServers(world.project), log = join(world.stack.home, 'projects', world.project.id, 'dev', 'server.log');
  await world.apply({ model: 'small', embedModel: 'vector', maxOutputTokens: 100 }, { app: { name: 'Replaced' } });
  await until('the server to be replaced', () => /"draining".*"hand_over":1.*"seconds":60/.test(readFileSync(log, 'utf8')));
  provider.say(reply, ' that came');
  await talk.first(2);
  process.kill(old.pid, 'SIGTERM');  // as svcd does after that time
  const frames = await talk.end();
  assert.equal(talk.words, 'some words that came');
  assert.deepEqual([frames.at(-2).type, frames.at(-2).data.code, frames.at(-1)], ['error', 'UNAVAILABLE', '[DONE]'], talk.text);
  const [call] = await world.settled(1);
  assert.deepEqual([call.status, call.completion, call.error], ['failed', 5, 'UNAVAILABLE']);
  await until('the provider to be left', () => provider.last().left, 30000);
});

test('without a provider, a model or the block there is no AI', async () => {
  await world.unset('AI_BASE_URL');
  const none = await world.chat({});
  assert.deepEqual([none.status, none.json.error.code], [503, 'AI_DISABLED_FOR_PROJECT']);
  await world.secret('AI_BASE_URL', provider.url);
  await world.apply({ model: 'small' });
  const vectors = await world.embed(['x']);
  assert.deepEqual([vectors.status, vectors.json.error.code], [503, 'EMBEDDING_NOT_CONFIGURED']);
  await world.apply(null);
  for (const answer of [await world.chat({}), await world.embed(['x'])]) {
    assert.deepEqual([answer.status, answer.json.error.code], [503, 'AI_DISABLED_FOR_PROJECT']);
  }
});

// A caller who takes 4 KB, and no more.
class Reader {
  constructor() {
    const body = JSON.stringify({ messages: [{ role: 'user', content: 'Hello?' }] });
    const head = { ...world.app.server(), host: world.app.host, 'content-type': 'application/json', 'content-length': body.length };
    this.socket = connect({ host: '127.0.0.1', port: world.stack.port, onread: { buffer: Buffer.alloc(4096), callback: () => false } });
    this.socket.on('error', () => {});
    this.socket.write(`POST /__svc/ai/chat HTTP/1.1\r\n${Object.entries(head).map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`);
  }
  leave() { this.socket.destroy(); }
}

const word = 'data: {"choices":[{"delta":{"content":"word"}}]}\n\n';
// All calls of a process share one thread: once another one has been answered, it has read what came before.
async function othersAnswered() {
  const { next } = provider;
  provider.next = null;
  for (let n = 0; n < 5; n += 1) assert.equal((await world.chat({ stream: false })).status, 200);
  provider.next = next;
}

test('a caller who stops to read, and leaves, pays for all that came', async () => {
  await world.apply({ model: 'small', embedModel: 'vector', maxOutputTokens: 1_000_000 });
  let reply;
  provider.next = (call) => { reply = call.reply; provider.begin(reply); };
  const reader = new Reader();
  await provider.asked(1);
  const say = async (count) => {
    await new Promise((done) => reply.write(word.repeat(count), done));
    await othersAnswered();
  };
  // More than the sockets hold, so that the server waits for the caller; and then what nobody takes any more.
  await say(4500);
  await say(900);
  reader.leave();
  await until('the provider to be left', () => provider.calls[0].left, 30000);
  const call = (await world.settled(6)).find(({ status }) => status === 'left');
  assert.equal(call?.completion, 5400);
  assert.equal(world.spent().reserved, 0);
});
