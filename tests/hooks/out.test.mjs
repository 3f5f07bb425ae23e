// Calls to others when rows change: signed as others' packages verify them, repeated until they are taken, and none of
// them in the way of another.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import test, { after, before } from 'node:test';
import { fileURLToPath } from 'node:url';
import { adminSession, databaseOf } from '../lib/admin_sql.mjs';
import { packages } from '../lib/npm.mjs';
import { until } from '../lib/stack.mjs';
import { Receiver, World } from './world.mjs';

const { Webhook } = packages(dirname(fileURLToPath(import.meta.url)))('standardwebhooks');
const secret = `whsec_${Buffer.from('a secret of thirty-two bytes, so').toString('base64')}`;

let world, receiver, root;
let answers = {};  // by path, of the receiver

before(async () => {
  receiver = await Receiver.start((call, count) => (answers[call.path] ?? (() => ({ status: 204 })))(call, count));
  const out = (name, on) => ({ name, on, url: `${receiver.url}/${name}`, secret: 'secret:OUT_HOOK' });
  const all = ['parcel.created', 'parcel.updated', 'parcel.deleted', 'diary.created'];
  world = await World.start({ secrets: { OUT_HOOK: secret }, more: { webhooks: { out: [out('books', all), out('stock', ['parcel.created'])] } } });
  root = await world.demo('root@example.test');
});
after(async () => {
  await world?.stop();
  await receiver?.stop();
});

async function write(method, path, body, status) {
  const answer = await world.server(method, `/api/v1/${path}`, body);
  assert.equal(answer.status, status, answer.text);
  return answer.json.rows?.[0];
}
const parcel = (data) => write('POST', 'parcel', data, 201);
const deliveries = (where) => world.json(`select coalesce(json_agg(d order by d.seq, d.hook), '[]') from svc.delivery d where ${where}`);
const delivery = async (hook, row, is = () => true) => until(`the delivery of ${row} to ${hook}`, () => deliveries(`hook = '${hook}' and row_id = '${row}'`).find(is));
const dueNow = (id) => world.sql(`update svc.delivery set next_at = now() where id = '${id}'`);

// Its headers and body are what the secret signed.
function verified(call, by = secret) {
  const body = new Webhook(by).verify(call.text, call.headers);
  assert.equal(body.id, call.headers['webhook-id']);
  return body;
}
const ofRow = (id) => receiver.calls.filter((call) => call.body.row.id === id);

test('an event is sent signed and as documented', async () => {
  const made = await parcel({ label: 'one', note: 'for clerks' });
  await write('PATCH', `parcel/${made.id}`, { label: 'two' }, 200);
  await write('DELETE', `parcel/${made.id}`, undefined, 200);
  await until('the calls', () => ofRow(made.id).length === 4);
  const told = ofRow(made.id).filter((call) => call.path === '/books').sort((a, b) => a.body.at.localeCompare(b.body.at));
  assert.deepEqual(told.map((call) => [call.method, call.headers['content-type'], verified(call).event, call.body.row.label]), [
    ['POST', 'application/json', 'parcel.created', 'one'], ['POST', 'application/json', 'parcel.updated', 'two'], ['POST', 'application/json', 'parcel.deleted', 'two']]);
  assert.deepEqual(Object.keys(told[0].body).sort(), ['at', 'event', 'id', 'row', 'table']);
  assert.equal(told[0].body.table, 'parcel');
  assert.match(told[0].body.at, /^20\d\d-.*Z$/);
  assert.equal(new Set(ofRow(made.id).map((call) => call.headers['webhook-id'])).size, 4);
  await until('their records', () => deliveries(`row_id = '${made.id}' and status = 'sent' and attempts = 1 and last_status = 204`).length === 4);
});

test('a row shows what a server key may read of it', async () => {
  const open = await parcel({ label: 'seen', note: 'of clerks and servers' });
  const shut = await parcel({ label: 'not seen', open: false });
  await write('POST', 'diary', { text: 'not seen' }, 201);
  await until('the calls', () => ofRow(open.id).length === 2 && ofRow(shut.id).length === 2);
  const shown = await write('GET', `parcel/${open.id}`, undefined, 200);
  for (const call of ofRow(open.id)) assert.deepEqual(call.body.row, shown);
  assert.deepEqual((await world.server('GET', `/api/v1/parcel/${shut.id}`)).json.rows, []);
  for (const call of ofRow(shut.id)) assert.deepEqual(call.body.row, { id: shut.id });
  const [own] = await until('the diary', () => {
    const calls = receiver.calls.filter((call) => call.body.table === 'diary');
    return calls.length > 0 && calls;
  });
  assert.deepEqual(Object.keys(own.body.row), ['id']);
});

test('what is not taken comes again, under the same id, later each time', async () => {
  answers['/stock'] = () => ({ status: 500, body: 'not <now>' });
  const { id: row } = await parcel({ label: 'again' });
  const minutes = [5 / 60, 5, 30, 120, 300, 600, 840, 1200, 1440];
  for (const [index, pause] of minutes.entries()) {
    const one = await delivery('stock', row, (it) => it.status === 'waiting' && it.attempts === index + 1);
    const [wait] = world.json(`select json_build_array(extract(epoch from next_at - now()) / 60) from svc.delivery where id = '${one.id}'`);
    assert.ok(wait <= pause * 1.1 && wait > pause - 0.5, `${wait} of ${pause} minutes`);
    assert.equal(one.error, 'The address answered 500: "not <now>"');
    dueNow(one.id);
  }
  const dead = await delivery('stock', row, (it) => it.status === 'dead');
  assert.equal(dead.attempts, 10);
  const calls = ofRow(row).filter((call) => call.path === '/stock');
  assert.equal(calls.length, 10);
  for (const call of calls) assert.equal(verified(call).id, dead.id);
  assert.ok(calls.every((call) => Math.abs(call.headers['webhook-timestamp'] - Date.now() / 1000) < 120));
  delete answers['/stock'];
});

test('the receiver says when it ends, and how long to wait', async () => {
  answers['/stock'] = () => ({ status: 410 });
  const gone = await parcel({ label: 'gone' });
  assert.equal((await delivery('stock', gone.id, (it) => it.status === 'dead')).attempts, 1);
  for (const wait of [() => '7200', () => new Date(Date.now() + 7200e3).toUTCString()]) {
    answers['/stock'] = () => ({ status: 503, headers: { 'retry-after': wait() } });
    const busy = await parcel({ label: 'busy' });
    const later = await delivery('stock', busy.id, (it) => it.status === 'waiting' && it.attempts === 1);
    assert.ok(world.json(`select next_at > now() + interval '119 minutes' from svc.delivery where id = '${later.id}'`));
  }
  answers['/stock'] = () => ({ status: 302, headers: { location: '/books' } });
  const moved = await parcel({ label: 'moved' });
  assert.equal((await delivery('stock', moved.id, (it) => it.status === 'waiting' && it.attempts === 1)).last_status, 302);
  delete answers['/stock'];
});

test('a row that cannot be read for a lock is sent later, and not without its fields', async () => {
  answers['/books'] = () => ({ status: 500 });
  const { id: row } = await parcel({ label: 'behind a lock' });
  const one = await delivery('books', row, (it) => it.status === 'waiting' && it.attempts === 1);
  delete answers['/books'];
  const holder = adminSession(world.stack, databaseOf(world.project));
  const log = () => readFileSync(join(world.stack.home, 'projects', world.project.id, 'dev/server.log'), 'utf8');
  try {
    // Connections that are new ask what the table is, and wait for its lock.
    await holder.run('begin; lock table public.parcel in access exclusive mode');
    world.sql("select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and usename <> current_user");
    await until('a reading that waited in vain', () => {
      world.sql(`update svc.delivery set next_at = now() where id = '${one.id}' and next_at > now() and status = 'waiting'`);
      return /"event":"feed_not_judged".*"sqlstate":"55P03"/.test(log());
    });
  } finally {
    await holder.run('commit');
    holder.close();
  }
  dueNow(one.id);
  await delivery('books', row, (it) => it.status === 'sent');
  assert.deepEqual(ofRow(row).filter((call) => call.path === '/books').map((call) => call.body.row.label), ['behind a lock', 'behind a lock']);
});

test('one that hangs holds up no other, and has ten calls at a time', async () => {
  let free;
  const held = new Promise((done) => { free = done; });
  let open = 0, most = 0;
  answers['/books'] = async () => {
    most = Math.max(most, ++open);
    await held;
    open--;
    return { status: 200 };
  };
  const rows = [];
  for (let i = 0; i < 30; i++) rows.push((await parcel({ label: `many ${i}` })).id);
  const taken = (path) => rows.filter((id) => ofRow(id).some((call) => call.path === path)).length;
  await until('all calls of the other', () => taken('/stock') === 30);
  await until('ten that hang', () => open === 10);
  free();
  await until('those that hung', () => deliveries(`hook = 'books' and status = 'sent' and row_id in ('${rows.join("','")}')`).length === 30);
  assert.equal(most, 10);
  delete answers['/books'];
});

test('a call whose server was killed is made again', async () => {
  const { id: row } = await parcel({ label: 'killed' });
  const sent = await delivery('stock', row, (it) => it.status === 'sent');
  world.sql(`update svc.delivery set status = 'sending', ended_at = null, next_at = now() where id = '${sent.id}'`);
  assert.equal((await delivery('stock', row, (it) => it.status === 'sent' && it.attempts === 2)).id, sent.id);
  assert.equal(ofRow(row).filter((call) => call.path === '/stock').length, 2);
  // The first server's result of its try then no longer counts.
  assert.equal(world.json(`select svc.end_delivery('${sent.id}', 1, 500, 'late', 0)`), 'lost');
});

test('by hand a delivery goes out once more', async () => {
  const { id: row } = await parcel({ label: 'by hand' });
  const sent = await delivery('stock', row, (it) => it.status === 'sent');
  const again = (id) => world.call('POST', `/runtime/deliveries/${id}/redeliver`, undefined, { as: root.token });
  assert.equal((await again(sent.id)).status, 200);
  await until('the second call', () => ofRow(row).filter((call) => call.path === '/stock').length === 2);
  assert.deepEqual([(await again('0198b6a0-0000-7000-8000-00000000000a')).status, (await again('x')).status], [404, 404]);
  const { json } = await world.call('GET', '/runtime/deliveries?webhook=stock&limit=1', undefined, { as: root.token });
  assert.deepEqual([json.deliveries.length, json.deliveries[0].webhook, json.deliveries[0].event], [1, 'stock', 'parcel.created']);
});

test('after five days of failures it is off, and administrators hear of it', async () => {
  answers['/stock'] = () => ({ status: 500 });
  const first = await parcel({ label: 'five days' });
  const one = await delivery('stock', first.id, (it) => it.status === 'waiting' && it.attempts === 1);
  world.sql("update svc.hook_out_state set failing_since = now() - interval '5 days' where hook = 'stock'");
  dueNow(one.id);
  await delivery('stock', first.id, (it) => it.status === 'dead');
  const notices = async () => (await world.call('GET', '/notifications', undefined, { as: root.token })).json.notifications;
  assert.match((await until('the notice', async () => (await notices())[0])).title, /"stock" is off/);
  const hooks = (await world.call('GET', '/runtime/webhooks', undefined, { as: root.token })).json.webhooks;
  assert.ok(hooks.find((hook) => hook.name === 'stock').offAt);
  delete answers['/stock'];
  const second = await parcel({ label: 'while off' });
  const kept = await delivery('stock', second.id);
  assert.deepEqual([kept.status, kept.attempts], ['dead', 0]);
  // One that was on its way when the webhook was turned off.
  world.sql(`update svc.delivery set status = 'sending', attempts = 1, ended_at = null, next_at = now() + interval '1 minute' where id = '${one.id}'`);
  assert.equal(world.json(`select svc.end_delivery('${one.id}', 1, 500, 'late', 0)`), 'dead');
  await until('the other webhook', () => ofRow(second.id).some((call) => call.path === '/books'));
  assert.equal((await world.call('POST', `/runtime/deliveries/${kept.id}/redeliver`, undefined, { as: root.token })).status, 200);
  await delivery('stock', second.id, (it) => it.status === 'sent');
  const third = await parcel({ label: 'on again' });
  await delivery('stock', third.id, (it) => it.status === 'sent');
});

test('a secret that is replaced signs beside the new one for a day', async () => {
  const other = `whsec_${Buffer.from('another secret of thirty-two byt').toString('base64')}`;
  await world.setSecret('OUT_HOOK', other);
  const { id: row } = await parcel({ label: 'two secrets' });
  await until('its calls', () => ofRow(row).length === 2);
  for (const call of ofRow(row)) for (const by of [secret, other]) verified(call, by);
});

test('the metrics count attempts by what became of them, and what is not sent yet', async () => {
  const told = async () => {
    const { text } = await world.stack.fetch('GET', '/metrics', { headers: { authorization: `Bearer ${world.stack.session}` } });
    const value = (name, label) => Number(new RegExp(`^${name}\\{[^}]*${label}[^}]*\\} (\\d+)$`, 'm').exec(text)?.[1]);
    return [...['sent', 'waiting', 'dead'].map((how) => value('svc_delivery_attempts_total', `how="${how}"`)), value('svc_deliveries_waiting', '')];
  };
  const start = await told();
  assert.ok(start.every((count) => count >= 0), `${start}`);
  answers['/stock'] = () => ({ status: 500 });
  const { id: row } = await parcel({ label: 'counted' });
  const again = await delivery('stock', row, (it) => it.status === 'waiting' && it.attempts === 1);
  await delivery('books', row, (it) => it.status === 'sent');
  await until('their counts', async () => (await told()).join() === [start[0] + 1, start[1] + 1, start[2], start[3] + 1].join());
  answers['/stock'] = () => ({ status: 410 });
  dueNow(again.id);
  await until('its end', async () => (await told()).join() === [start[0] + 1, start[1] + 1, start[2] + 1, start[3]].join());
  delete answers['/stock'];
});
