// What an app asks of others: the card provider, models, connectors. Each against the call by itself or what others made.
import http from 'node:http';
import { World as Asking } from '../ai/world.mjs';
import { World as Joined } from '../connectors/world.mjs';
import { request } from '../lib/http.mjs';
import { appServers } from '../lib/stack.mjs';
import { World as Shop } from '../pay/world.mjs';
import { memoryMiB } from './feed_peers.mjs';
import { servicePeer } from './service_peers.mjs';
import { row } from './table.mjs';

const kCalls = Number(process.env.SVC_BENCH_CALLS ?? 300);
const kStreams = Number(process.env.SVC_BENCH_CHATS ?? 2000);
const kCallers = 200;

const at = (values, share) => values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))];
async function timed(act) {
  const from = performance.now();
  await act();
  return performance.now() - from;
}

// Of each checkout what is left once the provider's own time is taken off, over a connection that is kept.
export async function payments() {
  const world = await Shop.start();
  const agent = new http.Agent({ keepAlive: true });
  const headers = { host: world.host, authorization: `Bearer ${world.project.browser}`, origin: 'http://app.test', 'x-svc-data-api': '1', 'x-svc-app-session': world.ann };
  const checkout = (id) => request({ port: world.stack.port, agent, method: 'POST', path: '/__svc/pay/checkout', headers, body: { table: 'order', id, method: 'card', returnUrl: world.home } });
  try {
    let taken = 0;
    world.provider.before = async () => { taken = performance.now(); return null; };
    world.provider.after = async () => { taken = performance.now() - taken; return null; };
    const over = [];
    for (let n = 0; n < kCalls; n += 1) {
      const id = await world.order([650, 1]);
      const all = await timed(async () => {
        const { json, text } = await checkout(id);
        if (json?.status !== 'processing') throw new Error(text);
      });
      over.push(all - taken);
    }
    row('checkout by card over the answer of the provider, p50', at(over, 0.5), 5, 'ms (bar)', 1, false);
    row('checkout by card over the answer of the provider, p99', at(over, 0.99), 5, 'ms', null, false);
  } finally {
    agent.destroy();
    await world.stop();
  }
}

// Milliseconds until the first word has come; the rest is read as well.
const firstWord = ({ port, path, headers, content }, agent) => new Promise((done, fail) => {
  const text = JSON.stringify({ messages: [{ role: 'user', content }] });
  const from = performance.now();
  const call = http.request({ host: '127.0.0.1', port, path, method: 'POST', agent, headers: { ...headers, 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) } }, (answer) => {
    let first = null, got = '';
    answer.setEncoding('utf8').on('data', (piece) => {
      got += piece;
      if (first === null && got.includes('text_delta')) first = performance.now() - from;
    }).on('end', () => (first === null ? fail(new Error(`no word in ${answer.statusCode} ${got}`)) : done(first))).on('error', fail);
  });
  call.on('error', fail);
  call.end(text);
});

async function firstWords(folder, world, provider) {
  const peer = await servicePeer(folder, 'chat', { PROVIDER: `${provider.url}/v1` });
  const agent = new http.Agent({ keepAlive: true });
  const ours = { port: world.stack.port, path: '/__svc/ai/chat', headers: { ...world.app.server(), host: world.app.host }, content: 'Hello?' };
  const theirs = { port: peer.port, path: '/chat', headers: {}, content: 'Hello?' };
  try {
    const times = [[], []];
    for (let n = -20; n < kCalls; n += 1)
      for (const [i, one] of [ours, theirs].entries()) {
        const ms = await firstWord(one, agent);
        if (n >= 0) times[i].push(ms);
      }
    const [own, of] = times.map((all) => at(all, 0.99));
    row('first word of a model against fastify + openai and 2 ms, p99', own, of + 2, 'ms', 1, false);
    row('first word of a model against fastify + openai, p50', at(times[0], 0.5), at(times[1], 0.5), 'ms', null, false);
  } finally {
    agent.destroy();
    await peer.stop();
  }
}

// From several addresses: one may have a thousand connections.
async function manyChats(world) {
  const { pid } = appServers(world.project).find(({ env }) => env.SVC_ENV === 'dev');
  const talks = [];
  try {
    for (let left = kStreams; left > 0; left -= 100) {
      const some = await Promise.all(Array.from({ length: Math.min(left, 100) }, () => world.stream({ messages: [{ role: 'user', content: 'hold' }] }, undefined, `127.0.0.${2 + (left / 100) % 4}`)));
      await Promise.all(some.map((talk) => talk.first(1)));
      talks.push(...some);
    }
    row(`memory of the app server, ${kStreams} chats that go on`, memoryMiB(pid), 100, 'MiB (bar)', 1, false);
  } finally {
    for (const talk of talks) talk.leave();
  }
}

// The provider says fifty tokens a prompt, which is more than the prompt was guessed to have: by so much each call that
// was let through may be over.
async function budget(world) {
  const most = 5000, told = 50;
  await world.settled(0);
  world.forget();
  await world.apply({ model: 'small', maxOutputTokens: 40, budget: { perProjectDaily: most } });
  const answers = await Promise.all(Array.from({ length: kCallers }, () => world.chat({ stream: false })));
  const good = answers.filter(({ status }) => status === 200).length;
  const odd = answers.find(({ status, json }) => status !== 200 && json?.error?.code !== 'BUDGET_EXCEEDED');
  if (odd || good === 0) throw new Error(`${good} calls went well, and one ${odd?.status} ${odd?.text}`);
  row(`budget of ${most} tokens, ${kCallers} callers at once: tokens over it`, Math.max(0, world.spent().spent - most), good * told, 'tokens (bar)', 1, false);
}

export async function models(folder) {
  const provider = await servicePeer(folder, 'provider');
  let world;
  try {
    world = await Asking.start({ url: `${provider.url}/v1` }, { model: 'small', maxOutputTokens: 40 });
    await firstWords(folder, world, provider);
    await manyChats(world);
    await budget(world);
  } finally {
    await world?.stop();
    await provider.stop();
  }
}

export async function connectors(folder) {
  const service = await servicePeer(folder, 'service');
  const agent = new http.Agent({ keepAlive: true });
  let world;
  try {
    world = await Joined.start({ integrations: [{ id: 'crm', baseUrl: service.url, actions: [{ name: 'add', method: 'POST', path: '/people' }] }], allow: ['crm/add'] });
    const ours = { port: world.stack.port, agent, method: 'POST', path: '/__svc/connector-proxy/crm/add', body: { props: { name: 'Ann' } },
      headers: { ...world.app.server(), 'x-svc-data-api': '1', host: world.app.host } };
    const alone = { port: service.port, agent, method: 'POST', path: '/people', body: { name: 'Ann' } };
    const times = [[], []];
    for (let n = -20; n < kCalls; n += 1)
      for (const [i, one] of [ours, alone].entries()) {
        const ms = await timed(async () => {
          const { status, text } = await request(one);
          if (status !== 200) throw new Error(text);
        });
        if (n >= 0) times[i].push(ms);
      }
    row('call of a connector over the call itself, p50', at(times[0], 0.5) - at(times[1], 0.5), 1.5, 'ms (bar)', 1, false);
  } finally {
    agent.destroy();
    await world?.stop();
    await service.stop();
  }
}
