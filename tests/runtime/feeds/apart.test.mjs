// While the database is asked who may read a row, streams that need no answer go on.
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { adminSession, databaseOf, sql } from '../../lib/admin_sql.mjs';
import { App } from '../../lib/app.mjs';
import { Stack, until } from '../../lib/stack.mjs';

const contract = {
  app: { name: 'Apart' },
  personas: [{ id: 'reader', kind: 'consumer', signup: true }, { id: 'clerk', kind: 'staff' }],
  entities: [
    { name: 'news', owner: 'none', fields: [{ name: 'body', type: 'string' }], access: { read: '*', create: 'clerk' } },
    { name: 'note', owner: 'user', fields: [{ name: 'body', type: 'string' }], access: { read: [{ to: 'reader', if: 'user_id == user.id' }], create: 'reader' } },
    { name: 'room', owner: 'none', fields: [{ name: 'keeper', type: 'user' }], access: { read: ['reader', 'clerk'], create: 'clerk' } },
    { name: 'entry', owner: 'none', fields: [{ name: 'body', type: 'string' }, { name: 'room_id', type: 'ref', to: 'room' }],
      access: { read: ['clerk', { to: 'reader', if: 'room_id.keeper == user.id' }], create: 'clerk' } },
    { name: 'line', owner: 'none', fields: [{ name: 'body', type: 'string' }, { name: 'entry_id', type: 'ref', to: 'entry', required: true, onDelete: 'cascade' }], access: { same_as: 'entry_id' } },
  ],
};

let stack, app, ann, entry, holder;
before(async () => {
  stack = await Stack.start();
  await stack.signIn();
  app = new App(stack, await stack.project('Apart'));
  await stack.apply(app.project, contract);
  ann = await app.signUp('anna', 'reader');
  const room = await app.write(app.staff('clerk'), 'POST', 'room', { keeper: ann.id }, 201);
  entry = await app.write(app.staff('clerk'), 'POST', 'entry', { room_id: room.id, body: 'first' }, 201);
  const database = databaseOf(app.project);
  holder = adminSession(stack, database);
});
after(() => {
  holder?.close();
  app?.close();
  return stack?.stop();
});

const asked = () => holder.json(`select count(*) from pg_locks where not granted and relation = 'public.room'::regclass
  and database = (select oid from pg_database where datname = current_database())`);

test('a question holds up the streams that may need its answer, and no others', async () => {
  const reader = app.as(ann), clerk = app.staff('clerk');
  const rows = (table) => `row-changed:${table}/subscribe`;
  const filter = encodeURIComponent(JSON.stringify([{ field: 'body', op: 'contains', value: 'oo' }]));
  const [news, note, entries, clerks, lines, both, messages, filtered] = await Promise.all([
    app.listen(rows('news'), app.browser()), app.listen(rows('note'), reader), app.listen(rows('entry'), reader), app.listen(rows('entry'), clerk),
    app.listen(rows('line'), reader), app.listen('subscribe?topic=row-changed:news&topic=row-changed:entry', reader), app.listen('app:hello/subscribe', reader),
    app.listen(`${rows('news')}?filter=${filter}`, reader)]);
  await holder.run('begin; lock table public.room in access exclusive mode');
  try {
    sql(stack, databaseOf(app.project), `update entry set body = 'second' where id = '${entry.id}'`);  // past policies, which look at rooms
    await until('the question', async () => await asked() > 0);
    await app.write(clerk, 'POST', 'news', { body: 'flood' }, 201);
    await app.write(reader, 'POST', 'note', { body: 'mine' }, 201);
    await app.publish(reader, 'app:hello', 'there');
    assert.deepEqual((await news.first(1)).map((one) => one.row.body), ['flood']);
    assert.deepEqual((await note.first(1)).map((one) => one.row.body), ['mine']);
    assert.deepEqual((await clerks.first(1)).map((one) => one.row.body), ['second'], 'who reads all rows is asked about by nobody');
    assert.deepEqual(await messages.first(1), ['there']);
    const late = await app.listen(rows('news'), app.browser());
    await app.write(clerk, 'POST', 'news', { body: 'ebb' }, 201);
    assert.deepEqual((await late.first(1)).map((one) => one.row.body), ['ebb']);
    assert.deepEqual([entries.told, both.told, lines.told], [[], [], []]);
    assert.deepEqual(filtered.told, [], 'the database is asked about filters where it is asked about rows');
  } finally {
    await holder.run('rollback');
  }
  assert.deepEqual((await entries.first(1)).map((one) => one.row.body), ['second']);
  assert.deepEqual((await filtered.first(1)).map((one) => one.row.body), ['flood']);
  assert.deepEqual((await both.first(3)).map((one) => one.payload.row.body), ['second', 'flood', 'ebb'], 'in the order of changes');
});

test('a stream that was held up gets nothing that came after the end of its session', async () => {
  const database = databaseOf(app.project), cleo = await app.signUp('cleo', 'reader');
  const { id: room } = await app.write(app.staff('clerk'), 'POST', 'room', { keeper: cleo.id }, 201);
  const { id } = await app.write(app.staff('clerk'), 'POST', 'entry', { room_id: room, body: 'first' }, 201);
  const change = (body) => sql(stack, database, `update entry set body = '${body}' where id = '${id}'`);
  const events = await app.listen('row-changed:entry/subscribe', app.as(cleo));
  await holder.run('begin; lock table public.room in access exclusive mode');
  try {
    change('second');
    await until('the question', async () => await asked() > 0);
    sql(stack, database, `delete from svc.session where account_id = '${cleo.id}'`);
    change('third');
  } finally {
    await holder.run('rollback');
  }
  await until('the stream to end', () => events.ended);
  assert.ok(events.told.every((one) => one.row.body === 'second'), JSON.stringify(events.told));
});
