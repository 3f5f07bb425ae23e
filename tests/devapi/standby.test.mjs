// svcd is killed, and comes back: apps answer new connections all the while, and the same servers go on.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import test, { after, before } from 'node:test';
import { Stack, appServers, freePort, sample, until } from '../lib/stack.mjs';
import { RawClient } from '../lib/raw.mjs';
import { request } from '../lib/http.mjs';
import { deploy } from '../lib/published.mjs';

const products = '/__svc/api/v1/product?limit=1';
let stack;
let shop;
let asServer;

before(async () => {
  stack = await Stack.start();
  await stack.signIn();
  shop = await stack.project('Shop');
  await stack.apply(shop, sample('shop'));
  asServer = { authorization: `Bearer ${shop.server}`, 'x-svc-data-api': '1' };
});
after(() => stack?.stop());

// Process ids of the standbys of this test's data folder.
const standbys = () => readdirSync('/proc').filter((name) => /^\d+$/.test(name)).filter((pid) => {
  try {
    return readFileSync(join('/proc', pid, 'cmdline'), 'utf8').includes(`\0${stack.home}/run/standby-`);
  } catch {
    return false;  // gone
  }
}).map(Number);

// Each request has its own connection.
const ask = (host, path = products, headers = asServer) =>
  stack.fetch('GET', path, { host, headers }).then((answer) => answer.status, (error) => String(error));
// Connections to a port that nobody has accepted yet.
const waiting = (port) => {
  const end = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const socket = readFileSync('/proc/net/tcp', 'utf8').split('\n').map((line) => line.trim().split(/\s+/)).find(([, at, , state]) => at?.endsWith(end) && state === '0A');
  return parseInt(socket[4].split(':')[1], 16);
};
const preview = () => `preview-${shop.slug}.localhost`;
const kill = async () => {
  stack.child.kill('SIGKILL');
  await stack.ended;
};
// The process id of the only one, which svcd says is ready.
const oneStandby = (other) => until('a standby', () => standbys().length === 1 && standbys()[0] !== other &&
  stack.log.includes(`"event":"standby_ready","pid":${standbys()[0]}}`) && standbys()[0]);

test('without svcd every way to an app leads there; what is svcd\'s own is 503', async () => {
  assert.ok((await deploy(stack, shop, { subdomain: 'open' })).deployment);
  await oneStandby();
  await kill();
  assert.equal(await ask(preview()), 200, 'by the host of the preview');
  assert.equal(await ask('open.localhost'), 200, 'by a published host');
  assert.equal(await ask('localhost'), 200, 'by the key');
  assert.equal(await ask('localhost', products, { ...asServer, 'x-svc-env': 'prod' }), 200, 'by key and environment');
  assert.equal(await ask('localhost', `/preview/${shop.id}/healthz`, {}), 200, 'by the path of the preview');
  assert.equal(await ask('localhost', products, {}), 401, 'no key');
  assert.equal(await ask('nobody.localhost'), 404);

  const own = await stack.fetch('GET', '/dev/v1/projects', {});
  assert.equal(own.status, 503);
  assert.equal(own.headers['retry-after'], '1');
  assert.deepEqual(own.json, { error: 'The service is restarting. Try again soon.', code: 'UNAVAILABLE' });
  const asked = await stack.fetch('OPTIONS', products, { headers: { origin: 'https://a.test' } });
  assert.equal(asked.status, 204);
  assert.equal(asked.headers['access-control-allow-origin'], 'https://a.test');
});

test('a connection that an app server has leads to other apps, too', async () => {
  const client = new RawClient(stack.port);
  await client.connect();
  const headers = { ...asServer, host: preview() };
  assert.equal((await client.get(products, headers)).status, 200);
  assert.equal((await client.get(products, { ...headers, host: 'open.localhost' })).status, 200);
  assert.equal((await client.get(products, { host: 'nobody.localhost' })).status, 404);
  client.close();
});

test('the next svcd takes the socket and the servers, and no connection is refused', async () => {
  const before = [standbys()[0], ...appServers(shop).map(({ pid }) => pid)];
  const answers = [];
  const own = [];
  const state = { over: false };
  const loop = (async () => {
    while (!state.over || answers.length <= 10) {
      answers.push(await ask(preview()));
      own.push(await ask('localhost', '/readyz', {}));
    }
  })();
  await stack.run();
  await oneStandby(before[0]);
  state.over = true;
  await loop;
  assert.deepEqual(answers.filter((status) => status !== 200), []);
  // Its own pages: 503, then, once it has the socket, an answer of its own that they wait for.
  assert.deepEqual(own.slice(own.indexOf(200)).filter((status) => status !== 200), []);
  assert.deepEqual(appServers(shop).map(({ pid }) => pid).sort(), before.slice(1).sort());
  assert.equal((await stack.dev('GET', `/projects/${shop.id}`)).status, 200);
});

test('what the standby passes on while a svcd takes the app over is answered', async () => {
  await oneStandby();
  await kill();
  assert.equal(await ask(preview()), 200);
  const all = appServers(shop);
  const { pid } = all.find(({ env }) => env.SVC_ENV === 'dev');
  const lines = () => {
    const control = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').find((word) => /\.sock$/.test(word));
    return readFileSync('/proc/net/unix', 'utf8').split('\n').filter((line) => line.endsWith(control)).length;
  };
  const before = lines();
  const [standby] = standbys();
  const open = () => readdirSync(`/proc/${standby}/fd`).length;
  const idle = open();
  process.kill(pid, 'SIGSTOP');  // it reads nothing, and then everything at once
  const running = stack.run();
  try {
    await until('the next svcd to connect', () => lines() > before);
    stack.child.kill('SIGSTOP');  // the standby alone accepts
    const clients = Array.from({ length: 60 }, () => new RawClient(stack.port));
    await Promise.all(clients.map((client) => client.connect()));
    const answers = clients.map((client) => client.get(products, { ...asServer, host: preview() }).then(({ status }) => status, String));
    // Or the svcd that was stopped already had a standby of its own, which may have ended the first: then svcd itself answers.
    const another = () => standbys().some((one) => one !== standby);
    await until('the standby to have passed all of them on', () => another() || (waiting(stack.port) === 0 && open() <= idle + 2));
    process.kill(pid, 'SIGCONT');
    stack.child.kill('SIGCONT');
    assert.deepEqual((await Promise.all(answers)).filter((status) => status !== 200), []);
    for (const client of clients) client.close();
  } finally {
    process.kill(pid, 'SIGCONT');
    stack.child.kill('SIGCONT');
  }
  await running;
  assert.deepEqual(appServers(shop).map((one) => one.pid).sort(), all.map((one) => one.pid).sort());
});

test('what changed just before is known: a new key, a new version, a project that is gone', async () => {
  const gone = await stack.project('Gone');
  await stack.apply(gone, sample('hello'));
  await stack.dev('DELETE', `/projects/${gone.id}?confirm=${gone.slug}`, undefined, { expect: 200 });
  const contract = sample('shop');
  contract.entities[0].fields.push({ name: 'extra', type: 'integer' });
  await stack.apply(shop, contract);
  const { json } = await stack.dev('POST', `/projects/${shop.id}/keys`, { name: 'late', kind: 'server' }, { expect: 201 });
  await oneStandby();
  await kill();
  const answer = await stack.fetch('GET', products, { headers: { ...asServer, authorization: `Bearer ${json.key}` } });
  assert.equal(answer.status, 200);
  assert.ok('extra' in answer.json.rows[0]);
  assert.equal(await ask(`preview-${gone.slug}.localhost`), 404);
  await stack.run();
});

test('where the standby is killed another one is started', async () => {
  const pid = await oneStandby();
  process.kill(pid, 'SIGKILL');
  await oneStandby(pid);
  await kill();
  assert.equal(await ask(preview()), 200);
});

test('an app server that dies while no svcd runs is 503 for its app, and nobody listens after the last', async () => {
  await kill();
  const [first, second] = appServers(shop);
  process.kill(first.pid, 'SIGKILL');
  const host = first.env.SVC_ENV === 'dev' ? preview() : 'open.localhost';
  await until('503', async () => await ask(host) === 503);
  process.kill(second.pid, 'SIGKILL');
  await until('the port to be free', async () => /ECONNREFUSED/.test(await ask(host)));
  await stack.run();
  await until('it to serve again', async () => await ask(host) === 200);
});

test('servers that were started with other settings serve until those that replace them do', async () => {
  await oneStandby();
  for (const limit of ['999999', '999998', '999997']) {
    await kill();
    stack.env = { ...stack.env, SVC_RATE_BROWSER: limit };
    await stack.run();
    await oneStandby();
    await kill();
    assert.deepEqual(await Promise.all([ask(preview()), ask('open.localhost')]), [200, 200]);
    await stack.run();
    await until('the new ones', () => appServers(shop).length === 2 && appServers(shop).every(({ env }) => env.SVC_RATE_BROWSER === limit));
    assert.deepEqual(await Promise.all([ask(preview()), ask('open.localhost')]), [200, 200]);
  }
});

test('a standby that hangs keeps no svcd from starting', async () => {
  const pid = await oneStandby();
  process.kill(pid, 'SIGSTOP');
  await kill();
  await stack.run();
  await oneStandby(pid);
  await kill();
  assert.equal(await ask(preview()), 200);
  await stack.run();
});

test('the same port under another name, while somebody sends slowly', async () => {
  await oneStandby();
  await kill();
  const slow = connect(stack.port, '127.0.0.1');
  slow.on('error', () => {});
  slow.write('POST /dev/v1/session HTTP/1.1\r\nHost: localhost\r\nContent-Length: 60000\r\n\r\n{');
  assert.equal(await ask(preview()), 200);
  stack.env = { ...stack.env, SVC_LISTEN: `localhost:${stack.port}` };
  await stack.run();
  assert.equal(await ask(preview()), 200);
  slow.destroy();
  delete stack.env.SVC_LISTEN;
});

test('another address at the next start: the earlier one is let go', async () => {
  await oneStandby();
  await kill();
  const { port } = stack;
  stack.port = await freePort();
  await stack.run();
  assert.equal(await ask(preview()), 200);
  await until('the earlier one to be gone', () =>
    request({ port, method: 'GET', path: '/readyz' }).then(() => false, (error) => /ECONNREFUSED/.test(String(error))));
});

test('a svcd that is stopped leaves nothing that listens', async () => {
  stack.child.kill('SIGTERM');
  await stack.ended;
  await until('the standby to be gone', () => standbys().length === 0);
  assert.match(await ask(preview()), /ECONNREFUSED/);
});
