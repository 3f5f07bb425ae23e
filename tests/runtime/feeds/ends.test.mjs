// Streams over what ends others: swaps, restarts, a second server, restores, rights, limits, readers that do not read.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import net from 'node:net';
import test, { after, before } from 'node:test';
import { askServer } from '../../lib/admin_socket.mjs';
import { App } from '../../lib/app.mjs';
import { Stack, appServers, freePort, sample, until } from '../../lib/stack.mjs';
import { request } from '../../lib/http.mjs';
import { asAdmin, databaseOf, sql } from '../../lib/admin_sql.mjs';

let stack, app, project, ann;
const contract = sample('shop');

before(async () => {
  stack = await Stack.start({ SVC_STREAMS: '40', SVC_TRUSTED_PROXIES: '127.0.0.1' });
  await stack.signIn();
  project = await stack.project('Ends');
  app = new App(stack, project);
  await stack.apply(project, contract);
  ann = await app.signUp('anna', 'customer');
});
after(() => {
  app?.close();
  return stack?.stop();
});

const browser = () => app.browser();
const as = (person) => app.as(person);
const server = () => app.server();
const listen = (path, headers) => app.listen(path, headers);
const call = (headers, method, path, body, status) => app.call(headers, method, path, body, status);
const publish = (headers, topic, payload) => app.publish(headers, topic, payload);
const order = (note) => app.write(as(ann), 'POST', 'order', { note }, 201);

test('a list and the stream from its cursor have no gap', async () => {
  await order('before');
  const { headers, json } = await call({ ...as(ann), 'x-svc-feed': '1' }, 'GET', 'api/v1/order?limit=1');
  assert.ok(headers['x-svc-cursor'], 'the list says where it was');
  assert.equal(json.rows.length, 1);
  const row = await order('behind');
  const events = await listen('row-changed:order/subscribe', { ...as(ann), 'last-event-id': headers['x-svc-cursor'] });
  assert.deepEqual((await events.first(1)).map((one) => [one.event, one.id]), [['created', row.id]]);
  assert.equal((await call(as(ann), 'GET', 'api/v1/order')).headers['x-svc-cursor'], undefined);
});

// The server that served before has ended.
async function swapped(next) {
  const [{ pid }] = appServers(project);
  await stack.apply(project, next);
  await until('the first server to have ended', () => appServers(project).every((one) => one.pid !== pid));
}

test('a swap does not break a stream', async () => {
  const events = await listen('app:news/subscribe', as(ann));
  // The longest head that a server takes, without what the stream itself adds at a swap.
  const long = await listen('app:news/subscribe', { ...as(ann), cookie: `other=${'x'.repeat(7600)}` });
  assert.equal(long.status, 200);
  await publish(as(ann), 'app:news', 1);
  await Promise.all([events.first(1), long.first(1)]);
  await swapped({ ...contract, app: { ...contract.app, name: 'The next shop' }, workflows: [] });
  await publish(as(ann), 'app:news', 2);
  for (const each of [events, long]) {
    await until('both messages', () => each.ended || each.told.some((one) => one === 2));
    assert.ok(!each.ended);
    assert.deepEqual(each.told, [1, 2], 'nothing has changed that decides who sees what');
  }
});

test('a swap that can change what a stream shows resets it', async () => {
  const events = await listen('row-changed:order/subscribe', as(ann));
  await swapped({ ...contract, personas: [...contract.personas, { id: 'courier', kind: 'staff' }] });
  const { id } = await order('afterwards');
  const [reset, created] = await events.first(2);
  assert.deepEqual([reset.data, created.id, events.told.length, events.ended], [{ reason: 'rights_changed' }, id, 2, undefined]);
  await swapped(contract);
});

test('a server that is killed loses nothing', async () => {
  const events = await listen('row-changed:order/subscribe', as(ann));
  const one = await order('one');
  await events.first(1);
  const two = await order('two');
  process.kill(appServers(project)[0].pid, 'SIGKILL');
  await until('the stream to break', () => events.ended);
  const seen = events.told.map((each) => each.id);
  await until('the app to be back', async () => (await app.fetch(browser(), 'GET', 'api/v1/product').catch(() => null))?.status === 200);
  const three = await order('three');
  const again = await listen('row-changed:order/subscribe', { ...as(ann), 'last-event-id': events.id });
  await until('the rest', () => seen.length + again.told.length >= 3);
  assert.deepEqual([...seen, ...again.told.map((each) => each.id)], [one.id, two.id, three.id]);
});

test('a stream that began after a rest goes on from where it began', async () => {
  app.close();  // nobody listens: nothing is read
  const isRead = async () => /^svc_feed_poll_age_seconds /m.test((await askServer(appServers(project)[0].pid, '/metrics')).text);
  const first = await listen('row-changed:order/subscribe', as(ann));
  const one = await order('while somebody listened');
  await first.first(1);
  first.close();
  await until('a rest', async () => !(await isRead()));
  await order('while nobody listened');
  const events = await listen('row-changed:order/subscribe', as(ann));
  process.kill(appServers(project)[0].pid, 'SIGTERM');
  await until('the stream to end', () => events.ended);
  await until('the app to be back', async () => (await app.fetch(browser(), 'GET', 'api/v1/product').catch(() => null))?.status === 200);
  const last = await order('afterwards');
  const again = await listen('row-changed:order/subscribe', { ...as(ann), 'last-event-id': events.id });
  assert.deepEqual((await again.first(1)).map(({ id }) => id), [last.id]);
  assert.notEqual(one.id, last.id);
});

test('a disabled account gets nothing more, and neither does a revoked key', async () => {
  const dan = await app.signUp('daniel', 'customer');
  const events = await listen('app:x/subscribe', as(dan));
  sql(stack, databaseOf(project), `update svc.account set disabled = true where id = '${dan.id}'`);
  await until('the stream to end', () => events.ended, 5000);

  const { json } = await stack.dev('POST', `/projects/${project.id}/keys`, { name: 'short', kind: 'server', origins: [] }, { expect: 201 });
  const byKey = await listen('app:x/subscribe', { authorization: `Bearer ${json.key}` });
  assert.equal(byKey.status, 200);
  await stack.dev('DELETE', `/projects/${project.id}/keys/${json.id}`, undefined, { expect: 200 });
  await until('the stream to end', () => byKey.ended, 8000);
});

test('streams that a server holds for an account end with it, and no others', async () => {
  const fay = await app.signUp('fay', 'customer');
  const for_fay = { ...server(), 'x-svc-app-user': fay.id };
  const [{ pid }] = appServers(project);
  const others = await listen('app:x/subscribe', server());
  const theirs = await Promise.all(Array.from({ length: 9 }, () => listen('app:x/subscribe', for_fay)));
  sql(stack, databaseOf(project), `update svc.account set disabled = true where id = '${fay.id}'`);
  await until('the streams to end', () => theirs.every((events) => events.ended));
  // The server has just acted as them, and remembers that.
  const again = await listen('app:x/subscribe', { ...for_fay, 'last-event-id': theirs[0].id });
  assert.deepEqual([again.status, again.answer?.error.code], [403, 'ACCOUNT_DISABLED']);
  await publish(server(), 'app:x', 1);
  assert.deepEqual(await others.first(1), [1]);
  assert.ok(!others.ended);
  assert.deepEqual(appServers(project).map((one) => one.pid), [pid]);
});

test('a change of a parent row reaches readers of the rows below', async () => {
  const events = await listen('row-changed:order_line/subscribe', as(ann));
  const product = (await call(browser(), 'GET', 'api/v1/product?limit=1')).json.rows[0];
  const mine = await order('mine');
  const line = await app.write(as(ann), 'POST', 'order_line', { order_id: mine.id, product_id: product.id }, 201);
  assert.deepEqual((await events.first(1)).map((one) => one.id), [line.id]);
  const bob = await app.signUp('bobby', 'customer');
  sql(stack, databaseOf(project), `begin; alter table "order" disable trigger order_guard; update "order" set user_id = '${bob.id}' where id = '${mine.id}'; alter table "order" enable trigger order_guard; commit`);
  await until('a reset', () => events.frames.some((frame) => frame.event === 'reset'));
  assert.deepEqual(events.told.at(-1).data, { reason: 'rights_changed' });
});

test('a client that does not read costs nothing, and continues where it was', async () => {
  const head = `GET /__svc/topics/app:much/subscribe HTTP/1.1\r\nhost: ${app.host}\r\nauthorization: Bearer ${project.server}\r\n\r\n`;
  const socket = net.connect({ host: '127.0.0.1', port: stack.port });
  socket.write(head);
  await new Promise((done) => socket.once('readable', done));
  const reader = await listen('app:much/subscribe', server());
  const text = 'x'.repeat(60000);
  for (let i = 0; i < 400; i += 1) await publish(server(), 'app:much', { i, text });
  await reader.first(400);
  let got = '';
  socket.setEncoding('utf8');
  socket.on('data', (piece) => { got = (got + piece).replaceAll(text, ''); });
  await until('all that was missed', () => got.includes('"i":399'));
  const numbers = [...got.matchAll(/"i":(\d+)/g)].map((found) => Number(found[1]));
  assert.deepEqual(numbers, Array.from({ length: 400 }, (_, i) => i), 'each once and in order');
  socket.destroy();
});

// The head of a request for a stream, for clients that do not read.
const silent = (path, headers) => {
  const socket = net.connect({ host: '127.0.0.1', port: stack.port });
  const lines = Object.entries({ host: app.host, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`GET /__svc/topics/${path} HTTP/1.1\r\n${lines.join('')}\r\n`);
  socket.pause();
  return socket;
};

test('many that come back to much and read nothing hold little of it', async () => {
  app.close();
  const [{ pid }] = appServers(project);
  const open = async () => [...(await askServer(pid, '/metrics')).text.matchAll(/^svc_streams\{\S* (\d+)/gm)].reduce((sum, [, one]) => sum + Number(one), 0);
  await until('the earlier streams to end', async () => await open() === 0);
  const text = 'x'.repeat(60000), count = 60;
  const first = await listen('app:back/subscribe', server());
  await until('where it begins', () => first.id);
  for (let i = 0; i < count; i += 1) await publish(server(), 'app:back', { i, text });
  await first.first(count);
  const from = first.frames.find((frame) => frame.event === 'message').id;
  first.close();
  const back = async () => {
    const events = await listen('app:back/subscribe', { ...server(), 'last-event-id': from });
    await events.first(count - 1);
    events.close();
  };
  await back();  // what the server needs for one stays with it
  const held = () => Number(/^RssAnon:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]);
  const before = held();
  const sockets = Array.from({ length: 32 }, () => silent('app:back/subscribe', { ...server(), 'last-event-id': from }));
  await until('all to be streams', async () => await open() >= sockets.length);
  await back();  // each of the others had its turn before
  const grown = held() - before;
  for (const socket of sockets) socket.destroy();
  assert.ok(grown < 12 * 1024, `${grown} KiB, where each was given ${Math.round(count * text.length / 1024)}`);
});

test('a key has so many streams and no more', async () => {
  const held = [];
  let refused;
  for (let i = 0; i < 41 && !refused; i += 1) {
    const events = await listen('app:many/subscribe', server());
    if (events.status === 200) held.push(events);
    else refused = events;
  }
  assert.equal(refused?.status, 429);
  assert.equal(refused.answer.error.code, 'RATE_LIMITED');
  for (const events of held) events.close();
  await until('room', async () => (await listen('app:many/subscribe', server())).status === 200);
});

test('one visitor has a quarter of the streams of a key that everybody has', async () => {
  app.close();
  const parties = { guests: [browser(), /10 open streams, which is the limit for guests of one address/], 'who is signed in': [as(ann), /You already have 10 open streams/] };
  for (const [who, [headers, says]] of Object.entries(parties)) {
    const held = [];
    let refused;
    await until('the earlier streams to end', async () => {
      const events = await listen('app:many/subscribe', headers);
      if (events.status === 200) held.push(events);
      else refused = events;
      return refused || held.length > 10;
    });
    assert.equal(held.length, 10, who);
    assert.equal(refused.status, 429);
    assert.match(refused.answer.error.message, says);
  }
  const cleo = await app.signUp('cleo', 'customer');
  assert.equal((await listen('app:many/subscribe', { ...as(cleo), 'x-forwarded-for': '192.0.2.9' })).status, 200, 'others still have room');
  app.close();
});

test('all accounts of one address have half of them, and leave the rest to others', async () => {
  app.close();
  const at = (address, who) => ({ ...who, 'x-forwarded-for': address });
  const people = await Promise.all(['dora', 'emil', 'finn', 'gwen'].map((name) => app.signUp(name, 'customer')));
  await until('the earlier streams to end', async () =>
    [...(await askServer(appServers(project)[0].pid, '/metrics')).text.matchAll(/^svc_streams\{\S* (\d+)/gm)].every(([, open]) => open === '0'));
  const refused = [];
  let open = 0;
  for (const person of people) for (let n = 0; n < 11; n += 1) {
    const one = await listen('app:many/subscribe', at('192.0.2.1', as(person)));
    if (one.status === 200) open += 1;
    else refused.push(one);
  }
  assert.equal(open, 20);
  assert.equal(refused[0].status, 429);
  assert.match(refused[0].answer.error.message, /^You already have 10 open streams/);
  assert.match(refused.at(-1).answer.error.message, /^Your address already has 20 open streams, which is the limit for one address\./);
  assert.equal((await listen('app:many/subscribe', at('192.0.2.1', browser()))).status, 429, 'its guests neither');
  assert.equal((await listen('app:many/subscribe', at('192.0.2.2', as(people[3])))).status, 200, 'others still have room');
  assert.equal((await listen('app:many/subscribe', at('2001:db8::1', browser()))).status, 200);
  app.close();
});

test('a reader that pauses gets all that came meanwhile, in order', async () => {
  const socket = net.connect({ host: '127.0.0.1', port: stack.port });
  socket.write(`GET /__svc/topics/app:slow/subscribe HTTP/1.1\r\nhost: ${app.host}\r\nauthorization: Bearer ${project.server}\r\n\r\n`);
  await new Promise((done) => socket.once('readable', done));
  const reader = await listen('app:slow/subscribe', server());
  const text = 'x'.repeat(2000);
  const numbers = (from, to) => Array.from({ length: to - from }, (_, i) => from + i);
  for (const i of numbers(0, 60)) await publish(server(), 'app:slow', { i, text });
  await reader.first(60);
  let got = '';
  socket.setEncoding('utf8');
  socket.on('data', (piece) => { got += piece; });
  const told = () => [...got.matchAll(/"i":(\d+)/g)].map(([, i]) => Number(i));
  await until('all of them', () => told().length >= 60);
  for (const i of numbers(60, 70)) await publish(server(), 'app:slow', { i, text });
  await until('the rest', () => told().length >= 70);
  assert.deepEqual(told(), numbers(0, 70));
  socket.destroy();
});

test('a slow reader gets a reset if changes were dropped before it read them', async () => {
  const head = `GET /__svc/topics/app:slow/subscribe HTTP/1.1\r\nhost: ${app.host}\r\nauthorization: Bearer ${project.server}\r\n\r\n`;
  const socket = net.connect({ host: '127.0.0.1', port: stack.port });
  socket.write(head);
  await new Promise((done) => socket.once('readable', done));
  const reader = await listen('app:slow/subscribe', server());
  const text = 'x'.repeat(60000);
  for (let i = 0; i < 150; i += 1) await publish(server(), 'app:slow', { i, text });
  await reader.first(150);
  sql(stack, databaseOf(project), 'insert into svc.change_floor (xid) values (pg_current_xact_id()) on conflict (only_one) do update set xid = excluded.xid');
  await until('the reader to get the reset', () => reader.frames.some((frame) => frame.event === 'reset'));
  let got = '';
  socket.setEncoding('utf8');
  socket.on('data', (piece) => { got = (got + piece).replaceAll(text, ''); });
  await until('a reset', () => got.includes('event: reset'));
  await publish(server(), 'app:slow', { i: 150 });
  await until('the next message', () => got.includes('"i":150'));
  const told = [...got.matchAll(/"i":(\d+)|"reason":"(\w+)"/g)].map(([, i, reason]) => reason ?? Number(i));
  const at = told.indexOf('cursor_too_old');
  assert.deepEqual(told.slice(0, at), Array.from({ length: at }, (_, i) => i));
  assert.ok(at > 0 && at < 150, `it had not read all: ${at}`);
  assert.deepEqual(told.slice(at), ['cursor_too_old', 150]);
  socket.destroy();
});

test('two servers of one app send the same, and each continues for the other', async () => {
  const [{ pid, env }] = appServers(project);
  const port = await freePort();
  const second = spawn(readlinkSync(`/proc/${pid}/exe`), ['--listen', `127.0.0.1:${port}`], { env: { ...env, SVC_HOSTS: '', SVC_PLATFORM_HOSTS: '' }, stdio: 'ignore' });
  try {
    await until('the second server', async () => (await request({ port, method: 'GET', path: '/readyz' }).catch(() => null))?.status === 200);
    const there = (path, headers) => app.listen(path, headers, { port });
    const [here, beyond] = [await listen('row-changed:order/subscribe', as(ann)), await there('row-changed:order/subscribe', as(ann))];
    const one = await order('one');
    assert.deepEqual((await here.first(1))[0], (await beyond.first(1))[0]);
    here.close();
    const two = await order('two');
    await beyond.first(2);
    const again = await there('row-changed:order/subscribe', { ...as(ann), 'last-event-id': here.id });
    assert.deepEqual((await again.first(1)).map((each) => each.id), [two.id]);
    assert.notEqual(one.id, two.id);
  } finally {
    const ended = new Promise((done) => second.on('exit', done));
    second.kill('SIGTERM');
    await ended;
  }
});

test('a restore is sent as a reset', async () => {
  const made = (await stack.dev('POST', `/projects/${project.id}/snapshots`, { env: 'dev' }, { expect: 201 })).json;
  const events = await listen('app:news/subscribe', server());
  const before = await listen('app:news/subscribe', server());
  await publish(server(), 'app:news', 1);
  await before.first(1);
  before.close();
  await stack.dev('POST', `/projects/${project.id}/snapshots/${made.snapshot?.id ?? made.id}/restore`, { env: 'dev' }, { expect: 200 });
  await until('a reset on the stream that went over', () => events.frames.some((frame) => frame.event === 'reset'));
  const again = await listen('app:news/subscribe', { ...server(), 'last-event-id': before.id });
  assert.deepEqual((await again.first(1))[0].data, { reason: 'restored' });
  await publish(server(), 'app:news', 2);
  assert.equal((await again.first(2))[1], 2);
});

test('a restore by hand under the same name is sent as a reset', async () => {
  const events = await listen('app:news/subscribe', server());
  await publish(server(), 'app:news', 1);
  await events.first(1);
  events.close();
  const database = sql(stack, 'postgres', `select datname from pg_database where datname ~ '^${databaseOf(project)}(_g[0-9]+)?$'`)[0][0];
  const { args, env } = asAdmin(stack, database);
  const connection = args.slice(1, 5), file = join(stack.home, 'by-hand.dump');
  execFileSync('pg_dump', [...connection, '-Fc', '-f', file, database], { env });
  const [{ pid }] = appServers(project);
  execFileSync('psql', [...args, '-d', 'postgres', '-c', `drop database ${database} with (force)`], { env });
  execFileSync('pg_restore', [...connection, '--create', '-d', 'postgres', file], { env });
  let again;
  await until('the app to be back', async () => {
    again = await listen('app:news/subscribe', { ...server(), 'last-event-id': events.id }).catch(() => null);
    return again?.status === 200;
  });
  assert.deepEqual((await again.first(1))[0].data, { reason: 'restored' });
  assert.ok(appServers(project).every((one) => one.pid !== pid), 'keys and sessions were of the database before');
  await publish(server(), 'app:news', 2);
  assert.equal((await again.first(2))[1], 2);
});
