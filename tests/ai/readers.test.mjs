// Callers who stop to read.
import assert from 'node:assert/strict';
import { connect } from 'node:net';
import test, { after, before, beforeEach } from 'node:test';
import { until } from '../lib/stack.mjs';
import { Provider } from './provider.mjs';
import { World } from './world.mjs';

let provider, world;
before(async () => {
  provider = await Provider.start();
  world = await World.start(provider, { model: 'small', maxOutputTokens: 1_000_000 });
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
