// Workflows that ask models, and what developers see of all calls.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import test, { after, before, beforeEach } from 'node:test';
import { bin, until } from '../lib/stack.mjs';
import { Provider } from './provider.mjs';
import { World } from './world.mjs';

const ai = { model: 'small', embedModel: 'vector', system: 'You sell cups.', maxOutputTokens: 100, budget: { perProjectDaily: 5000 } };
const schema = { type: 'object', properties: { kind: { enum: ['praise', 'complaint'] }, level: { type: 'integer', minimum: 1 } }, required: ['kind', 'level'] };
const keep = (data) => ({ id: 'keep', create: { entity: 'note', data } });
const retry = { max: 2, base: '1s' };
const workflows = [
  { id: 'say', on: { manual: true }, params: { text: { type: 'text', required: true } }, steps: [
    { id: 'ask', ai: { prompt: 'Say: {input.text}', system: 'Be short.' }, retry }, keep({ text: '{steps.ask.content}' })] },
  { id: 'sort', on: { manual: true }, params: { text: { type: 'text', required: true } }, steps: [
    { id: 'ask', ai: { prompt: '{input.text}', schema }, retry }, keep({ text: '{steps.ask.kind}', data: '{steps.ask}' })] },
  { id: 'embed', on: { manual: true }, params: { text: { type: 'text', required: true } }, steps: [
    { id: 'ask', embed: { texts: ['{input.text}', 'other'] }, retry }, keep({ data: '{steps.ask.vectors}' })] },
];
const functions = [{ name: 'answer', params: { text: { type: 'text', required: true } }, allow: ['*'], steps: [
  { id: 'ask', ai: { prompt: '{input.text}' } }, { id: 'end', return: '{steps.ask.content}' }] }];

let provider, world;
before(async () => {
  provider = await Provider.start();
  world = await World.start(provider, ai, { workflows, functions });
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

async function run(workflow, text) {
  const { json } = await world.app.call(world.app.server(), 'POST', `runtime/workflows/${workflow}/run`, { input: { text } }, 202);
  const end = await until(`${workflow} to end`, async () => {
    const { json: answer } = await world.app.call(world.app.server(), 'GET', `runtime/runs/${json.runId}`);
    return ['succeeded', 'failed', 'dead'].includes(answer.run.status) && answer.run;
  });
  return end;
}
const notes = () => world.sql('select coalesce(text, \'\'), coalesce(data::text, \'\') from public.note order by created_at');

test('a step asks the model with the app\'s words first, and counts on the project', async () => {
  const end = await run('say', 'caf\u00e9');
  assert.equal(end.status, 'succeeded', JSON.stringify(end));
  assert.deepEqual(provider.last().body, { model: 'small', max_tokens: 100, messages: [
    { role: 'system', content: 'You sell cups.' }, { role: 'system', content: 'Be short.' }, { role: 'user', content: 'Say: caf\u00e9' }] });
  assert.equal(notes().at(-1)[0], 'Hello there');
  const [call] = await world.settled(1);
  assert.deepEqual([call.source, call.status, call.account], ['workflow', 'done', '']);
});

test('a function gives what the model said', async () => {
  const { json } = await world.app.call(world.app.server(), 'POST', 'functions/answer', { params: { text: 'Hi' } });
  assert.equal(json.result, 'Hello there');
});

test('an answer in the form of a schema; one that does not fit is asked for again', async () => {
  const answers = ['no json', '{"kind":"praise","level":0}', '{"kind": "praise", "level": 2}'];
  const say = (content) => ({ reply, body }) => {
    assert.deepEqual(body.response_format, { type: 'json_schema', json_schema: { name: 'answer', schema } });
    provider.json(reply, 200, { choices: [{ message: { content }, finish_reason: 'stop' }], usage: { prompt_tokens: 5, completion_tokens: 5 } });
  };
  provider.next = say(answers[2]);
  assert.equal((await run('sort', 'Good')).status, 'succeeded');
  assert.deepEqual([notes().at(-1)[0], JSON.parse(notes().at(-1)[1])], ['praise', { kind: 'praise', level: 2 }]);
  for (const bad of answers.slice(0, 2)) {
    provider.calls.length = 0;
    provider.next = say(bad);
    const end = await run('sort', 'Bad');
    assert.equal(end.status, 'dead', JSON.stringify(end));
    assert.match(JSON.stringify(end), /AI_ANSWER_INVALID|does not fit the step's schema/);
    assert.equal(provider.calls.length, 2);
  }
});

test('a step gets embeddings', async () => {
  assert.equal((await run('embed', 'abc')).status, 'succeeded');
  assert.deepEqual(JSON.parse(notes().at(-1)[1]), [[3, 0.5, -0.001], [5, 0.5, -0.001]]);
});

test('a failing provider is asked again, an empty budget is not', async () => {
  provider.next = ({ reply }) => {
    provider.next = null;
    provider.error(reply, 500, 'server_error');
  };
  assert.equal((await run('say', 'again')).status, 'succeeded');
  assert.equal(provider.calls.length, 2);
  world.sql('update svc.ai_day set spent = 5000');
  provider.calls.length = 0;
  const end = await run('say', 'broke');
  assert.equal(end.status, 'dead');
  assert.match(JSON.stringify(end), /budget of tokens/);
  assert.equal(provider.calls.length, 0);
});

test('developers see what was used: by route, client and tool', async () => {
  const ann = await world.app.signUp('ann', 'member');
  await world.chat({ stream: false }, world.app.as(ann));
  await world.embed(['x']);
  const { json } = await world.stack.dev('GET', `/projects/${world.project.id}/ai/usage?days=2`, undefined, { expect: 200 });
  assert.equal(json.days.length, 1);
  const [day] = json.days;
  assert.equal(day.spent, 21);
  assert.deepEqual(day.users, [{ userId: ann.id, spent: 14 }]);
  assert.deepEqual(day.models.map(({ kind, model, calls, failed, promptTokens, completionTokens, estimated }) => [kind, model, calls, failed, promptTokens, completionTokens, estimated]), [
    ['chat', 'small', 1, 0, 11, 3, false], ['embed', 'vector', 1, 0, 7, 0, false]]);
  for (const days of ['0', '91', 'x']) assert.equal((await world.stack.dev('GET', `/projects/${world.project.id}/ai/usage?days=${days}`)).status, 400);
  const home = mkdtempSync(join(tmpdir(), 'svc-ai-'));
  try {
    const config = join(home, 'config.json');
    writeFileSync(config, '{}');
    const env = { ...process.env, HOME: home, SVC_CONFIG: config, SVC_API: `http://127.0.0.1:${world.stack.port}/dev/v1`, SVC_TOKEN: world.stack.session, SVC_PROJECT: world.project.id };
    const { stdout } = await promisify(execFile)(join(bin, 'svc'), ['ai', 'usage'], { env, cwd: home });
    assert.match(stdout, /chat\s+small\s+1\s+0\s+11\s+3/);
  } finally {
    rmSync(home, { recursive: true });
  }
  const call = await world.stack.fetch('POST', '/mcp', {
    headers: { authorization: `Bearer ${world.stack.session}` },
    body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'ai_usage', arguments: { project: world.project.id } } },
  });
  assert.equal(JSON.parse(call.json.result.content[0].text).days[0].spent, 21);
});

test('a verification asks nobody', async () => {
  const answer = await world.stack.dev('POST', `/projects/${world.project.id}/verify`, {});
  assert.equal(answer.status, 200, answer.text);
  assert.equal(answer.json.pass, true, answer.text);
  assert.equal(provider.calls.length, 0);
});
