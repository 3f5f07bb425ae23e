// Chats and embeddings: what the provider is asked, what the caller is answered, what a call costs.
import assert from 'node:assert/strict';
import { dirname } from 'node:path';
import test, { after, before, beforeEach } from 'node:test';
import { fileURLToPath } from 'node:url';
import { packages } from '../lib/npm.mjs';
import { Document } from '../lib/openapi.mjs';
import { until } from '../lib/stack.mjs';
import { Provider } from './provider.mjs';
import { World } from './world.mjs';

const require = packages(dirname(fileURLToPath(import.meta.url)));
const { OpenAI } = require('openai');

const ai = { model: 'small', embedModel: 'vector', system: 'You sell cups.', maxInputChars: 500, maxOutputTokens: 200, models: ['small', 'large', 'vector'] };

let provider, world;
before(async () => {
  provider = await Provider.start();
  world = await World.start(provider, ai);
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

test('the provider of these tests speaks as its own client expects', async () => {
  const client = new OpenAI({ baseURL: provider.url, apiKey: 'sk-any', maxRetries: 0 });
  const whole = await client.chat.completions.create({ model: 'small', messages: [{ role: 'user', content: 'Hello?' }] });
  assert.equal(whole.choices[0].message.content, 'Hello there');
  assert.equal(whole.usage.prompt_tokens, 11);
  const pieces = [];
  let usage;
  for await (const piece of await client.chat.completions.create({ model: 'small', stream: true, stream_options: { include_usage: true }, messages: [{ role: 'user', content: 'Hello?' }] })) {
    pieces.push(piece.choices[0]?.delta?.content ?? '');
    usage = piece.usage ?? usage;
  }
  assert.equal(pieces.join(''), 'Hello there');
  assert.equal(usage.completion_tokens, 3);
  const { data } = await client.embeddings.create({ model: 'vector', input: ['ab', 'abc'], encoding_format: 'float' });
  assert.deepEqual(data.find(({ index }) => index === 1).embedding, [3, 0.5, -0.001]);
  provider.next = ({ reply }) => provider.error(reply, 429, 'rate_limit_exceeded');
  await assert.rejects(client.chat.completions.create({ model: 'small', messages: [] }), (error) => error.status === 429 && error.code === 'rate_limit_exceeded');
});

test('a chat without a stream', async () => {
  const answer = await world.chat({ stream: false, max_tokens: 50 });
  assert.equal(answer.status, 200, answer.text);
  const { elapsed_ms: ms, ...rest } = answer.json;
  assert.deepEqual(rest, { ok: true, content: 'Hello there', usage: { prompt_tokens: 11, completion_tokens: 3 } });
  assert.ok(Number.isInteger(ms) && ms >= 0);
  const { body, headers, path } = provider.last();
  assert.equal(path, '/v1/chat/completions');
  assert.equal(headers.authorization, 'Bearer sk-test-key-of-ours');
  assert.deepEqual(body, { model: 'small', messages: [{ role: 'system', content: 'You sell cups.' }, { role: 'user', content: 'Hello?' }], max_tokens: 50 });
  const [call] = await world.settled(1);
  assert.deepEqual(call, { account: '', source: 'route', kind: 'chat', model: 'small', status: 'done', prompt: 11, completion: 3, reserved: 0, estimated: false, error: '' });
  assert.deepEqual(world.spent(), { spent: 14, reserved: 0 });
  assert.equal(world.sql('select 1 from svc.ai_call c where c::text like \'%Hello%\'').length, 0);
});

test('a chat as a stream, which is the usual', async () => {
  const talk = await world.stream({ max_tokens: 10000 });
  assert.equal(talk.status, 200);
  assert.equal(talk.headers['content-type'], 'text/event-stream');
  assert.equal(talk.headers['x-accel-buffering'], 'no');
  const frames = await talk.end();
  assert.deepEqual(frames, [
    ...provider.words.map((data) => ({ type: 'text_delta', data })),
    { type: 'done', data: { usage: { prompt_tokens: 11, completion_tokens: 3 } } }, '[DONE]',
  ]);
  const { body } = provider.last();
  assert.equal(body.max_tokens, 200);
  assert.equal(body.stream, true);
  assert.deepEqual(body.stream_options, { include_usage: true });
  assert.deepEqual(world.calls().map(({ status, completion }) => [status, completion]), [['done', 3]]);
});

test('pieces come as they are written, and characters that are cut in two stay whole', async () => {
  let go;
  provider.next = async ({ reply, body }) => {
    provider.begin(reply);
    provider.say(reply, 'first');
    await new Promise((done) => { go = done; });
    const data = Buffer.from(`data: ${JSON.stringify({ choices: [{ delta: { content: 'caf\u00e9 \ud83c\udf75 "\\n' } }] })}\r\n\r\n`);
    for (const byte of data) reply.write(Buffer.from([byte]));
    provider.finish(reply, body);
  };
  const talk = await world.stream();
  await talk.first(1);
  assert.equal(talk.words, 'first');
  go();
  await talk.end();
  assert.equal(talk.words, 'firstcaf\u00e9 \ud83c\udf75 "\\n');
});

test('a provider that answers a stream in one piece is understood, and so is one of HTTP 1.0', async () => {
  provider.next = ({ reply, body }) => provider.chat(reply, { ...body, stream: false });
  assert.deepEqual((await (await world.stream()).end()).map(({ type }) => type), ['text_delta', 'done', undefined]);
  provider.next = ({ reply, body }) => {
    reply.shouldKeepAlive = false;
    reply.useChunkedEncodingByDefault = false;
    provider.chat(reply, body);
  };
  const talk = await world.stream();
  await talk.end();
  assert.equal(talk.words, 'Hello there');
});

test('usage that the provider does not report is estimated, and marked', async () => {
  provider.usage = null;
  try {
    const whole = await world.chat({ stream: false });
    assert.equal(whole.json.usage.estimated, true);
    assert.ok(whole.json.usage.prompt_tokens > 5 && whole.json.usage.completion_tokens >= 2, whole.text);
    const frames = await (await world.stream()).end();
    assert.equal(frames.at(-2).data.usage.estimated, true);
    assert.deepEqual(world.calls().map(({ estimated }) => estimated), [true, true]);
  } finally {
    provider.usage = { prompt_tokens: 11, completion_tokens: 3 };
  }
});

test('what is wrong with a body is said, and nobody is asked', async () => {
  const user = { role: 'user', content: 'x' };
  const wrong = [
    '[]', '{', {}, { messages: [] }, { messages: Array(65).fill(user) }, { messages: ['x'] }, { messages: [{ role: 'tool', content: 'x' }] },
    { messages: [{ role: 'user' }] }, { messages: [{ role: 'user', content: ['x'] }] }, { messages: [{ ...user, name: 'x' }] },
    { messages: [user], stream: 'no' }, { messages: [user], max_tokens: 0 }, { messages: [user], max_tokens: 1.5 }, { messages: [user], max_tokens: '5' },
    { messages: [user], temperature: 1 }, { messages: [user], model: '' }, { messages: [user], model: 5 },
  ];
  for (const body of wrong) {
    const answer = await world.app.fetch(world.app.server(), 'POST', 'ai/chat', body);
    assert.equal(answer.status, 400, JSON.stringify(body));
    assert.equal(answer.json.error.code, 'PARAMS_INVALID', answer.text);
  }
  for (const texts of [undefined, [], 'x', [1], Array(101).fill('x'), ['x'.repeat(8193)]]) {
    const answer = await world.embed(texts);
    assert.deepEqual([answer.status, answer.json.error?.code], [400, 'PARAMS_INVALID']);
  }
  const long = await world.chat({ messages: [{ role: 'user', content: '\u00e9'.repeat(400) }, { role: 'user', content: 'x'.repeat(101) }] });
  assert.deepEqual([long.status, long.json.error.code], [400, 'INPUT_TOO_LARGE']);
  const huge = await world.chat({ messages: [{ role: 'user', content: 'x'.repeat(1100000) }] });
  assert.deepEqual([huge.status, huge.json.error.code], [413, 'PAYLOAD_TOO_LARGE']);
  assert.equal(provider.calls.length, 0);
  assert.equal(world.calls().length, 0);
});

test('models and keys: which may be asked, and by whom', async () => {
  assert.equal((await world.chat({ stream: false, model: 'large' })).status, 200);
  assert.equal(provider.last().body.model, 'large');
  const other = await world.chat({ stream: false, model: 'huge' });
  assert.deepEqual([other.status, other.json.error.code], [403, 'MODEL_NOT_ALLOWED']);
  const small = await world.key({ models: ['small'], tools: ['ai.chat'] });
  assert.equal((await until('the key to be known', async () => {
    const answer = await world.chat({ stream: false }, small);
    return answer.status !== 401 && answer;
  })).status, 200);
  const large = await world.chat({ stream: false, model: 'large' }, small);
  assert.deepEqual([large.status, large.json.error.code], [403, 'MODEL_NOT_ALLOWED']);
  const vectors = await world.embed(['x'], small);
  assert.deepEqual([vectors.status, vectors.json.error.code], [403, 'TOOL_NOT_ALLOWED']);
  const mute = await world.key({ models: [] });
  const refused = await until('the key to be known', async () => {
    const answer = await world.chat({ stream: false }, mute);
    return answer.status !== 401 && answer;
  });
  assert.deepEqual([refused.status, refused.json.error.code], [403, 'MODEL_NOT_ALLOWED']);
  const none = await world.chat({}, {});
  assert.deepEqual([none.status, none.json.error.code], [401, 'UNAUTHORIZED']);
  const ended = await world.chat({}, { ...world.app.browser(), 'x-svc-app-session': 'gone' });
  assert.equal(ended.status, 401);
});

test('embeddings come in the order of their texts', async () => {
  const answer = await world.embed(['ab', 'abcd', '']);
  assert.equal(answer.status, 200, answer.text);
  assert.deepEqual(answer.json.vectors, [[2, 0.5, -0.001], [4, 0.5, -0.001], [0, 0.5, -0.001]]);
  assert.deepEqual([answer.json.model, answer.json.dimensions, answer.json.ok], ['vector', 3, true]);
  assert.equal(provider.last().path, '/v1/embeddings');
  const [call] = await world.settled(1);
  assert.deepEqual([call.kind, call.prompt, call.completion], ['embed', 7, 0]);
  for (const data of [[], [{ index: 0, embedding: [] }], [{ index: 5, embedding: [1] }], [{ index: 0, embedding: ['a'] }], [{ index: 0, embedding: [1] }, { index: 0, embedding: [1] }], 'x']) {
    provider.next = ({ reply }) => provider.json(reply, 200, { data });
    const bad = await world.embed(['x']);
    assert.deepEqual([bad.status, bad.json.error.code], [503, 'PROVIDER_ERROR'], JSON.stringify(data));
  }
});

test('a large answer of vectors is taken whole', async () => {
  const embedding = Array.from({ length: 3072 }, (_, i) => Math.sin(i));
  provider.next = ({ reply, body }) => provider.json(reply, 200, { data: body.input.map((_, index) => ({ index, embedding })), model: 'vector' });
  const answer = await world.embed(Array(100).fill('x'));
  assert.equal(answer.status, 200);
  assert.deepEqual(answer.json.vectors[99], embedding);
});

test('the document of the app describes the answers', async () => {
  const answer = await world.app.fetch(world.app.server(), 'GET', 'api/v1/openapi.json');
  const document = new Document(answer.json);
  for (const [path, call] of [['/ai/chat', await world.chat({ stream: false })], ['/ai/embed', await world.embed(['x'])], ['/ai/chat', await world.chat({ messages: [] })]]) {
    const { operation } = document.operation('POST', path);
    assert.equal(document.answerMistake(operation, call), null, call.text);
  }
});
