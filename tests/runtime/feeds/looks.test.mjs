// A row of one table changes that policies of others look at: those whom it concerns read anew, and all others keep
// their streams as they are. Rows that are deleted with the row above are deleted for each who saw them.
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { databaseOf, sql } from '../../lib/admin_sql.mjs';
import { App } from '../../lib/app.mjs';
import { Events } from '../../lib/events.mjs';
import { Stack, until } from '../../lib/stack.mjs';

const ref = (name, to, more = {}) => ({ name, type: 'ref', to, ...more });
const below = { required: true, onDelete: 'cascade' };
const written = { create: 'clerk', update: 'clerk', delete: 'clerk' };
const contract = {
  app: { name: 'Looks' },
  personas: [{ id: 'reader', kind: 'consumer', signup: true }, { id: 'clerk', kind: 'staff' }],
  entities: [
    { name: 'room', owner: 'none', fields: [{ name: 'title', type: 'string' }, { name: 'keeper', type: 'user' }, { name: 'open', type: 'boolean', default: false }],
      relations: { seats: { many: 'seat', by: 'room_id' } }, access: { read: '*', ...written } },
    { name: 'seat', owner: 'none', fields: [ref('room_id', 'room', below), { name: 'person', type: 'user' }, { name: 'note', type: 'string' }], access: { read: '*', ...written } },
    // By membership, by a column of the room, by whatever anybody can see.
    { name: 'message', owner: 'none', fields: [ref('room_id', 'room', below), { name: 'body', type: 'string' }],
      access: { read: ['clerk', { to: 'reader', if: 'user.id in room.seats.person' }], ...written } },
    { name: 'plan', owner: 'none', fields: [ref('room_id', 'room', below), { name: 'body', type: 'string' }],
      access: { read: ['clerk', { to: 'reader', if: 'room.keeper == user.id && room.open' }], ...written } },
    { name: 'poster', owner: 'none', fields: [ref('room_id', 'room', below), { name: 'body', type: 'string' }],
      access: { read: ['clerk', { to: 'reader', if: 'room.open' }], ...written } },
    { name: 'case', owner: 'user', fields: [{ name: 'body', type: 'string' }],
      access: { read: ['clerk', { to: 'reader', if: 'user_id == user.id' }], create: ['reader', 'clerk'], update: 'clerk', delete: ['reader', 'clerk'] }, softDelete: true },
    { name: 'step', owner: 'none', fields: [ref('case_id', 'case', below), { name: 'body', type: 'string' }],
      access: { same_as: 'case_id' }, softDelete: true },
    { name: 'remark', owner: 'none', fields: [ref('step_id', 'step', below), { name: 'body', type: 'string' }], access: { same_as: 'step_id' }, softDelete: true },
  ],
};

let stack, app, ann, bob;
before(async () => {
  stack = await Stack.start();
  await stack.signIn();
  app = new App(stack, await stack.project('Looks'));
  await stack.apply(app.project, contract);
  [ann, bob] = [await app.signUp('anna', 'reader'), await app.signUp('bob', 'reader')];
});
after(() => {
  app?.close();
  return stack?.stop();
});

const make = (table, body) => app.write(app.staff('clerk'), 'POST', table, body, 201);
const change = (table, { id }, body) => app.write(app.staff('clerk'), 'PATCH', `${table}/${id}`, body);
const listen = (table, person) => app.listen(`subscribe?topic=row-changed:${table}&topic=app:mark`, person ? app.as(person) : app.staff('clerk'));
const words = (events) => events.told.map((one) => (one.event === 'reset' ? one.data.reason : one.topic === 'app:mark' ? 'mark' : one.payload.event));

// What each stream got until now: a message comes after all changes before it.
async function received(...streams) {
  const marks = streams.map((events) => words(events).filter((word) => word === 'mark').length + 1);
  await app.publish(app.as(ann), 'app:mark', 1);
  for (const [n, events] of streams.entries()) {
    const there = () => words(events).filter((word) => word === 'mark').length >= marks[n];
    for (let count = events.told.length; !there(); count = events.told.length) await events.first(count + 1);
  }
  return streams.map((events) => { const got = words(events).filter((word) => word !== 'mark'); events.frames = []; return got; });
}

const reset = ['rights_changed'], nothing = [];

test('a membership concerns its person alone', async () => {
  const room = await make('room', { title: 'a' }), other = await make('room', { title: 'b' });
  await make('message', { room_id: room.id, body: 'first' });
  const [ofAnn, ofBob, ofClerk] = [await listen('message', ann), await listen('message', bob), await listen('message')];
  const streams = [ofAnn, ofBob, ofClerk];
  const seat = await make('seat', { room_id: room.id, person: ann.id });
  assert.deepEqual(await received(...streams), [reset, nothing, nothing]);
  await make('message', { room_id: room.id, body: 'second' });
  assert.deepEqual(await received(...streams), [['created'], nothing, ['created']]);
  await change('seat', seat, { note: 'by the window' });
  await change('room', room, { title: 'c', open: true });
  assert.deepEqual(await received(...streams), [nothing, nothing, nothing], 'no policy of messages reads these columns');
  await change('seat', seat, { room_id: other.id });
  assert.deepEqual(await received(...streams), [reset, nothing, nothing]);
  await change('seat', seat, { room_id: room.id, person: bob.id });
  assert.deepEqual(await received(...streams), [reset, reset, nothing], 'whose it was, and whose it is');
  await app.write(app.staff('clerk'), 'DELETE', `seat/${seat.id}`);
  assert.deepEqual(await received(...streams), [nothing, reset, nothing]);
});

test('a room concerns whom it names, before and after', async () => {
  const room = await make('room', { title: 'a', keeper: ann.id, open: true });
  await make('plan', { room_id: room.id, body: 'first' });
  const streams = [await listen('plan', ann), await listen('plan', bob), await listen('plan')];
  await change('room', room, { title: 'b' });
  assert.deepEqual(await received(...streams), [nothing, nothing, nothing]);
  await change('room', room, { open: false });
  assert.deepEqual(await received(...streams), [reset, nothing, nothing], 'whoever does not keep it saw no plan of it');
  await change('room', room, { keeper: bob.id, open: true });
  assert.deepEqual(await received(...streams), [reset, reset, nothing]);
  await app.write(app.staff('clerk'), 'DELETE', `room/${room.id}`);
  assert.deepEqual(await received(...streams), [nothing, reset, ['deleted']]);
});

test('if it can concern anybody, all read anew for whom the policy looks there', async () => {
  const room = await make('room', { title: 'a' });
  await make('poster', { room_id: room.id, body: 'first' });
  const streams = [await listen('poster', ann), await listen('poster', bob), await listen('poster')];
  await change('room', room, { keeper: ann.id });
  assert.deepEqual(await received(...streams), [nothing, nothing, nothing]);
  await change('room', room, { open: true });
  assert.deepEqual(await received(...streams), [reset, reset, nothing], 'clerks read all of them');
});

test('a stream that comes back is told what it missed, and nobody else', async () => {
  const room = await make('room', { title: 'a' });
  await make('message', { room_id: room.id, body: 'first' });
  const streams = [await listen('message', ann), await listen('message', bob)];
  await received(...streams);
  for (const events of streams) events.close();
  const seat = await make('seat', { room_id: room.id, person: ann.id });
  await app.write(app.staff('clerk'), 'DELETE', `seat/${seat.id}`);
  const again = await Promise.all([ann, bob].map((person, n) => app.listen('subscribe?topic=row-changed:message&topic=app:mark', { ...app.as(person), 'last-event-id': streams[n].id })));
  assert.deepEqual(await received(...again), [reset, nothing]);
});

test('rows that are deleted with the row above are deleted for each who saw them', async () => {
  const mine = await app.write(app.as(ann), 'POST', 'case', { body: 'a' }, 201);
  const step = await make('step', { case_id: mine.id, body: 'b' });
  const remarks = [await make('remark', { step_id: step.id, body: 'd' }), await make('remark', { step_id: step.id, body: 'e' })];
  const all = () => app.listen('subscribe?topic=row-changed:case&topic=row-changed:step&topic=row-changed:remark&topic=app:mark', app.as(ann));
  const [ofAnn, steps, ofBob, ofClerk] = [await all(), await listen('step', ann), await listen('step', bob), await listen('remark')];
  await app.write(app.as(ann), 'DELETE', `case/${mine.id}`);
  const [, , none] = await received(steps, ofClerk, ofBob);
  assert.deepEqual(none, nothing);
  await ofAnn.first(4);
  const gone = ofAnn.told.filter((one) => one.topic !== 'app:mark').map(({ payload }) => [payload.event, payload.table, payload.id]);
  assert.deepEqual(gone.sort(), [mine, step, ...remarks].map(({ id }, n) => ['deleted', n === 0 ? 'case' : n === 1 ? 'step' : 'remark', id]).sort());

  // They come back with it, each as created.
  ofAnn.frames = [];
  await app.write(app.as(ann), 'POST', `case/${mine.id}/restore`);
  const back = (await ofAnn.first(4)).map(({ payload, data }) => [payload?.event ?? data?.reason, payload?.table]);
  assert.deepEqual(back.map(([event]) => event), ['created', 'created', 'created', 'created'], JSON.stringify(back));
});

// More rows than one reading gives: not all that went with a row is known at once.
test('if so many are deleted that a page ends between them, those who saw them read anew', async () => {
  const mine = await app.write(app.as(ann), 'POST', 'case', { body: 'a' }, 201);
  sql(stack, databaseOf(app.project), `insert into step (case_id, body) select '${mine.id}', 'x' from generate_series(1, 1500)`);
  const [ofAnn, ofBob] = [await listen('step', ann), await listen('step', bob)];
  await received(ofAnn, ofBob);
  await app.write(app.as(ann), 'DELETE', `case/${mine.id}`);
  const [some, none] = await received(ofAnn, ofBob);
  assert.deepEqual(none, nothing);
  assert.ok(some.includes('rights_changed'), JSON.stringify(some.slice(-3)));
});

// One transaction: when the row is deleted, the filter does not let it in any more.
test('a row that leaves a filter as it is deleted with the row above is deleted for who saw it', async () => {
  const mine = await app.write(app.as(ann), 'POST', 'case', { body: 'a' }, 201);
  const step = await make('step', { case_id: mine.id, body: 'in' });
  const filter = encodeURIComponent(JSON.stringify([{ field: 'body', op: 'eq', value: 'in' }]));
  const [ofAnn, ofBob] = await Promise.all([ann, bob].map((person) => app.listen(`row-changed:step/subscribe?filter=${filter}`, app.as(person))));
  sql(stack, databaseOf(app.project), `update step set body = 'out' where id = '${step.id}'; delete from "case" where id = '${mine.id}'`);
  assert.deepEqual(await ofAnn.first(1), [{ event: 'deleted', table: 'step', id: step.id }]);
  assert.deepEqual(ofBob.told, []);
});

// The client reads nothing until the row above is gone, which knew who could read the row that was deleted before.
test('a stream that is behind is told of a row whose row above is gone by then', async () => {
  const mine = await app.write(app.as(ann), 'POST', 'case', { body: 'a' }, 201);
  const kept = await make('step', { case_id: mine.id, body: 'b' }), gone = await make('step', { case_id: mine.id, body: 'c' });
  const first = await listen('step', ann);
  await received(first);
  first.close();
  const database = databaseOf(app.project);
  sql(stack, database, "select svc.publish('app:much', to_json(repeat('x', 60000))) from generate_series(1, 400)");
  sql(stack, database, `delete from step where id = '${gone.id}'`);
  let rests = false;
  const behind = await Events.open({
    port: stack.port, path: '/__svc/topics/subscribe?topic=row-changed:step&topic=app:much',
    headers: { host: app.host, ...app.as(ann), 'last-event-id': first.id },
    onFrame() {
      if (!rests) this.source.pause();
      rests = true;
    },
  });
  app.streams.push(behind);
  await until('the first frame', () => rests);
  await app.write(app.as(ann), 'DELETE', `case/${mine.id}`);
  behind.source.resume();
  const frames = () => behind.frames.filter(({ event, data }) => event === 'reset' || data?.topic === 'row-changed:step');
  await until('the row that went last', () => frames().some(({ data }) => data.payload?.id === kept.id), 30000);
  assert.ok(frames().some(({ event, data }) => event === 'reset' || data.payload.id === gone.id), JSON.stringify(frames()));
});
