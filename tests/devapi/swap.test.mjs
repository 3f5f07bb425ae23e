// Ten applies under load: busy keep-alive connections, idle ones and new ones see no failed request.
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { Stack, sample } from '../lib/stack.mjs';
import { RawClient } from '../lib/raw.mjs';

const busyClients = 64;
const idleClients = 16;
const newClients = 2;
const applies = 10;
let stack;
let project;
let headers;

before(async () => {
  stack = await Stack.start();
  await stack.signIn();
  project = await stack.project('Swapped');
  await stack.apply(project, sample('shop'));
  headers = {
    host: `preview-${project.slug}.localhost`, authorization: `Bearer ${project.server}`, 'x-svc-data-api': '1',
  };
});
after(() => stack?.stop());

const path = '/__svc/api/v1/product?limit=5';

async function ask(client, counts) {
  try {
    const answer = await client.get(path, headers);
    const rows = answer.status === 200 ? JSON.parse(answer.body).rowCount : -1;
    if (rows === 1) counts.good += 1;
    else counts.bad.push(`${answer.status} ${answer.body.slice(0, 200)}`);
  } catch (error) {
    counts.bad.push(String(error));
  }
}

async function keepAsking(state, counts) {
  const client = new RawClient(stack.port);
  await client.connect();
  while (!state.over && counts.bad.length < 20) await ask(client, counts);
  client.close();
}

// Writes one row after the other: each is answered 201 once, and is there once.
async function keepWriting(state, counts) {
  const client = new RawClient(stack.port);
  await client.connect();
  while (!state.over && counts.bad.length < 20) {
    const body = JSON.stringify({ sku: `W-${counts.written}`, title: 'Written', price: 1, active: false });
    const head = Object.entries({ ...headers, 'x-svc-app-role': 'manager', 'content-length': body.length })
      .map(([name, value]) => `${name}: ${value}\r\n`).join('');
    try {
      const answer = await client.send(`POST /__svc/api/v1/product HTTP/1.1\r\n${head}\r\n${body}`);
      if (answer.status !== 201) counts.bad.push(`write: ${answer.status} ${answer.body.slice(0, 200)}`);
      counts.written += 1;
    } catch (error) {
      counts.bad.push(`write: ${error}`);
    }
  }
  client.close();
}

async function keepConnecting(state, counts) {
  while (!state.over && counts.bad.length < 20) {
    const client = new RawClient(stack.port);
    try {
      await client.connect();
      await ask(client, counts);
    } catch (error) {
      counts.bad.push(`connect: ${error}`);
    }
    client.close();
  }
}

test('ten swaps, no failed request', async () => {
  const state = { over: false };
  const counts = { good: 0, written: 0, bad: [] };
  const idle = await Promise.all(Array.from({ length: idleClients }, async () => {
    const client = new RawClient(stack.port);
    await client.connect();
    await ask(client, counts);
    return client;
  }));
  const loops = [
    ...Array.from({ length: busyClients }, () => keepAsking(state, counts)),
    ...Array.from({ length: newClients }, () => keepConnecting(state, counts)),
    keepWriting(state, counts),
  ];

  const contract = sample('shop');
  for (let round = 1; round <= applies; ++round) {
    contract.entities[0].fields.push({ name: `extra_${round}`, type: 'integer' });
    const { json } = await stack.apply(project, contract);
    assert.ok(json.report.ok);
    // Each of these was idle through the swap.
    await Promise.all(idle.map((client) => ask(client, counts)));
  }
  state.over = true;
  await Promise.all(loops);
  for (const client of idle) client.close();

  assert.deepEqual(counts.bad, []);
  assert.ok(counts.good > applies * idleClients, `${counts.good} requests`);
  const { json } = await stack.dev('POST', `/projects/${project.id}/data/query`, { table: 'product', where: { title: 'Written' }, limit: 200 });
  assert.equal(json.rowCount, Math.min(counts.written, 200), 'every written row is there once');
  const last = await stack.fetch('GET', path, { headers, host: headers.host });
  assert.ok('extra_10' in last.json.rows[0], 'the last contract is the one that serves');
});
