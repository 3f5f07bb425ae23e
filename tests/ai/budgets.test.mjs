// Budgets: nobody overshoots them, and nothing that was reserved stays reserved.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import test, { after, before, beforeEach } from 'node:test';
import { appServers, until } from '../lib/stack.mjs';
import { Provider } from './provider.mjs';
import { World } from './world.mjs';

const ai = (budget) => ({ model: 'small', embedModel: 'vector', maxOutputTokens: 100, budget });
const usage = { prompt_tokens: 10, completion_tokens: 40 };

let provider, world;
before(async () => {
  provider = await Provider.start();
  provider.usage = usage;
  world = await World.start(provider, ai({ perUserDaily: 100, perProjectDaily: 1000 }));
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

test('a user has a budget, and guests count on that of the project alone', async () => {
  const ann = await world.app.signUp('ann', 'member');
  const as = world.app.as(ann);
  assert.equal((await world.chat({ stream: false }, as)).status, 200);
  const first = provider.last().body.max_tokens;
  assert.ok(first > 50 && first < 100, `${first}`);
  assert.equal((await world.chat({ stream: false }, as)).status, 200);
  assert.ok(provider.last().body.max_tokens < 50);
  for (const call of [() => world.chat({}, as), () => world.chat({ stream: false }, as), () => world.embed(['x'], as)]) {
    const told = await call();
    assert.deepEqual([told.status, told.json.error.code], [402, 'BUDGET_EXCEEDED'], told.text);
  }
  assert.deepEqual(world.spent(ann.id), { spent: 100, reserved: 0 });
  assert.deepEqual(world.spent(), { spent: 100, reserved: 0 });
  assert.equal((await world.chat({ stream: false }, world.app.browser())).status, 200);
  assert.deepEqual(world.spent(), { spent: 150, reserved: 0 });
  assert.equal(provider.calls.length, 3);
});

test('a prompt that is larger than what is left is refused, and the answer is cut to what is left', async () => {
  world.sql('insert into svc.ai_day (day, who, spent) values (current_date, \'project\', 970)');
  const long = await world.chat({ messages: [{ role: 'user', content: 'x'.repeat(200) }] });
  assert.deepEqual([long.status, long.json.error.code], [402, 'BUDGET_EXCEEDED']);
  assert.equal((await world.chat({ stream: false })).status, 200);
  const left = provider.last().body.max_tokens;
  assert.ok(left >= 1 && left < 30, `${left}`);
});

test('a provider that takes no notice of max_tokens is cut off, and costs little more than what was reserved', async () => {
  let stopped = false;
  provider.next = async ({ reply, call }) => {
    provider.begin(reply);
    while (!call.left) if (!reply.write('data: {"choices":[{"delta":{"content":"word"}}]}\n\n')) await Promise.race([once(reply, 'drain'), once(reply, 'close')]);
    stopped = true;
  };
  const talk = await world.stream({ max_tokens: 10 });
  const frames = await talk.end();
  await until('the provider to stop', () => stopped);
  const [call] = await world.settled(1);
  assert.equal(provider.last().body.max_tokens, 10);
  assert.ok(call.completion > 10 && call.completion < 100, `${call.completion}`);
  assert.deepEqual([call.status, call.estimated, frames.at(-1)], ['done', true, '[DONE]']);
  assert.deepEqual(frames.at(-2), { type: 'done', data: { usage: { prompt_tokens: call.prompt, completion_tokens: call.completion, estimated: true } } });
  assert.equal(talk.words, 'word'.repeat(call.completion));
  assert.deepEqual(world.spent(), { spent: call.prompt + call.completion, reserved: 0 });
});

test('fifty callers at once do not overshoot it', async () => {
  let open = 0, most = 0;
  provider.next = async ({ reply, body }) => {
    open += 1;
    most = Math.max(most, open);
    await new Promise((done) => setImmediate(done));
    const completion = body.max_tokens;
    provider.json(reply, 200, { choices: [{ message: { content: 'x' }, finish_reason: 'length' }], usage: { prompt_tokens: 6, completion_tokens: completion } });
    open -= 1;
  };
  const answers = await Promise.all(Array.from({ length: 50 }, () => world.chat({ stream: false })));
  const good = answers.filter(({ status }) => status === 200).length;
  assert.ok(good > 0 && good < 50, `${good}`);
  assert.ok(answers.every(({ status, json }) => status === 200 || json.error.code === 'BUDGET_EXCEEDED'));
  await world.settled(good);
  const { spent, reserved } = world.spent();
  assert.equal(reserved, 0);
  assert.ok(spent <= 1000, `${spent}`);
});

test('the day is the one of the app', async () => {
  const zone = 'Pacific/Kiritimati';
  await world.stack.apply(world.project, { ...(await import('./world.mjs')).contract(ai({ perProjectDaily: 1000 })), app: { name: 'Asking', timezone: zone } });
  assert.equal((await world.chat({ stream: false })).status, 200);
  const [[day, now]] = world.sql(`select day, (created_at at time zone '${zone}')::date from svc.ai_call`);
  assert.equal(day, now);
  await world.apply(ai({ perUserDaily: 100, perProjectDaily: 1000 }));
});

test('what a killed server had reserved is free again, and its prompt is spent', async () => {
  provider.next = () => {};
  const talk = world.chat({ stream: false }).catch(() => null);
  await provider.asked(1);
  const before = world.spent();
  assert.ok(before.reserved > 0);
  for (const { pid } of appServers(world.project)) process.kill(pid, 'SIGKILL');
  await talk;
  // Its lease is over, and somebody keeps up.
  world.sql('update svc.ai_call set until = now() - interval \'1 second\'; select svc.purge_ai()');
  const [call] = world.calls();
  assert.deepEqual([call.status, call.error, call.reserved], ['lost', 'SERVER_LOST', 0]);
  assert.deepEqual(world.spent(), { spent: call.prompt, reserved: 0 });
  provider.next = null;
  await until('the app to be back', async () => (await world.chat({ stream: false })).status === 200);
});

test('a call that the database has forgotten is recorded when it ends', async () => {
  let finish;
  provider.next = ({ reply, body }) => {
    provider.begin(reply);
    provider.say(reply, 'word');
    finish = () => provider.finish(reply, body);
  };
  await world.settled(0);
  world.forget();
  const talk = await world.stream();
  await talk.first(1);
  world.forget();
  finish();
  await talk.end();
  const [call] = await world.settled(1);
  assert.deepEqual([call.source, call.kind, call.model, call.status, call.reserved], ['route', 'chat', 'small', 'done', 0]);
  assert.deepEqual(world.spent(), { spent: call.prompt + call.completion, reserved: 0 });
});

test('a stream goes on while the app is replaced', async () => {
  let finish;
  provider.next = ({ reply, body }) => {
    provider.begin(reply);
    provider.say(reply, 'before');
    finish = () => { provider.say(reply, ' after'); provider.finish(reply, body); };
  };
  const talk = await world.stream();
  await talk.first(1);
  await world.apply(ai({ perProjectDaily: 2000 }), { topics: [{ name: 'news' }] });
  finish();
  await talk.end();
  assert.equal(talk.words, 'before after');
  const calls = await world.settled(1);
  assert.equal(calls[0].status, 'done');
});
