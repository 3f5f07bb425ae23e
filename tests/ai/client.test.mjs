// The typed client and the shop's assistant, against a provider.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import test, { after, before } from 'node:test';
import { compiled } from '../client/compile.mjs';
import { App } from '../lib/app.mjs';
import { Stack, root, sample, until } from '../lib/stack.mjs';
import { Provider } from './provider.mjs';

let provider, stack, project, connect;
before(async () => {
  provider = await Provider.start();
  const { status, told, folder } = compiled('ai', join(root, 'generated/shop/client'));
  assert.equal(status, 0, told);
  ({ connect } = await import(pathToFileURL(join(folder, 'out/index.js'))));
  stack = await Stack.start();
  await stack.signIn();
  project = await stack.project('Shop');
  await stack.apply(project, sample('shop'));
});
after(async () => {
  await stack?.stop();
  await provider?.stop();
});

const messages = [{ role: 'user', content: 'Which tea is mild?' }];

test('without a provider the assistant says so', async () => {
  const app = connect({ url: `http://127.0.0.1:${stack.port}/preview/${project.id}`, key: project.server });
  const gone = ({ status, code }) => status === 503 && code === 'AI_DISABLED_FOR_PROJECT';
  await assert.rejects(app.ai.chat(messages), gone);
  await assert.rejects((async () => { for await (const _ of app.ai.stream(messages)) assert.fail(); })(), gone);
});

test('the client chats, streams, and leaves', async () => {
  await stack.dev('PUT', `/projects/${project.id}/secrets/AI_BASE_URL`, { value: provider.url });
  const app = connect({ url: `http://127.0.0.1:${stack.port}/preview/${project.id}`, key: project.server });
  const whole = await until('the provider to be known', () => app.ai.chat(messages, { maxTokens: 50 }).catch(() => null));
  assert.equal(whole.content, 'Hello there');
  assert.equal(provider.last().headers.authorization, undefined);
  const answer = app.ai.stream(messages);
  const words = [];
  for await (const word of answer) words.push(word);
  assert.deepEqual([words, answer.usage], [provider.words, provider.usage]);
  provider.next = ({ reply }) => { provider.begin(reply); provider.say(reply, 'first'); };
  for await (const word of app.ai.stream(messages)) {
    assert.equal(word, 'first');
    break;
  }
  await until('the provider to be left', () => provider.last().left, 30000);
  provider.next = ({ reply }) => { provider.begin(reply); provider.say(reply, 'first'); reply.end('data: {"error":{}}\n\n'); };
  await assert.rejects((async () => { for await (const _ of app.ai.stream(messages)); })(), ({ code }) => code === 'PROVIDER_ERROR');
  provider.next = null;
  await assert.rejects(app.ai.embed(['x']), ({ code }) => code === 'EMBEDDING_NOT_CONFIGURED');
});

test('the shop advises its customers about what is on the shelf', async () => {
  const shop = new App(stack, project);
  const ann = shop.as(await shop.signUp('bea', 'customer'));
  const { json } = await shop.call(ann, 'POST', 'functions/advise', { params: { question: 'Is there tea?' } });
  assert.equal(json.result, 'Hello there');
  const [own, shelf, question] = provider.last().body.messages;
  assert.match(own.content, /corner shop/);
  assert.match(shelf.content, /Green tea/);
  assert.deepEqual(question, { role: 'user', content: 'Is there tea?' });
});
