// What follows a table that got another name, as an apply renames it: what was written before is found under the new
// name, and nothing of it reaches another table that has the old name later.
import assert from 'node:assert/strict';
import test, { after, before, beforeEach } from 'node:test';
import { Engine } from '../lib/engine.mjs';

let it;
const on = (table, event) => ({ trigger: { kind: 'event', table, event }, steps: [] });
const rename = (was, becomes) => it.sql(`begin; set local role ${it.names.owner}; alter table public.${was} rename to ${becomes};
  select svc.follow_table('${was}', '${becomes}'); commit`);
const read = async () => { for (let n; (n = await it.worker.json('select svc.start_runs(3)')) > 0;); };

before(async () => { it = await Engine.start(); await it.items(); });
after(() => it.stop());
beforeEach(async () => {
  await it.sql(`create trigger item_kept after delete on public.item for each row execute function svc.keep_deleted();
    create trigger item_history after insert or update or delete on public.item for each row execute function svc.note_history()`);
});
test.afterEach(async () => {
  for (const { name } of await it.json("select coalesce(json_agg(json_build_object('name', relname)), '[]') from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'"))
    await it.sql(`drop table public.${name} cascade`);
  await it.sql(`alter table svc.history disable trigger keep_history; truncate svc.history, svc.deleted, svc.renamed, svc.former_table, svc.keep_time;
    alter table svc.history enable trigger keep_history; truncate svc.run, svc.step, svc.delivery, svc.seed`);
  await it.items();
});

test('a change that nobody has read starts the workflows of the new name, and its delivery has it', async () => {
  const hooks = (table) => ({ hooksOut: [{ name: 'out', url: 'https://a.example', secret: 'S', on: [{ table, event: 'created' }] }] });
  await it.flows({ w: on('item', 'created') }, hooks('item'));
  await it.sql("insert into public.item (title) values ('early')");
  await read();
  await it.sql("insert into public.item (title) values ('late')");
  await it.sql("select svc.publish('row-changed:item', '1')");
  await rename('item', 'part');
  await it.flows({ w: on('part', 'created') }, hooks('part'));
  await read();
  assert.deepEqual(await it.sql("select (given #>> '{new,title}') || ' ' || (trigger ->> 'table') from svc.run order by id"), ['early item', 'late part']);
  assert.deepEqual(await it.worker.run("select event || ' ' || table_name || ' ' || (held::jsonb ->> 'title') from svc.claim_deliveries(10) order by 1"),
    ['part.created part early', 'part.created part late']);
  assert.deepEqual(await it.sql("select coalesce(table_name, topic) from svc.feed_since(null, 10, '{part}', '{row-changed:part}') where seq is not null"),
    ['part', 'part', 'row-changed:part']);
});

test('a deleted row is restored under the new name, for the time that the table has', async () => {
  await it.sql("insert into svc.keep_time values ('item', '1 day'), ('part', '1 second')");
  await it.sql("insert into public.item (title) values ('tea'), ('cup'); delete from public.item");
  await it.sql("alter table public.item rename title to name; insert into svc.renamed (table_name, was, becomes) values ('item', 'title', 'name')");
  await rename('item', 'part');
  await it.sql("alter table public.part rename name to label; insert into svc.renamed (table_name, was, becomes) values ('part', 'name', 'label')");
  assert.deepEqual(await it.sql("select table_name || ' ' || keep from svc.keep_time"), ['part 1 day']);
  await it.sql("select svc.put_back('part', row_id) from svc.deleted");
  assert.deepEqual(await it.sql('select label from public.part order by 1'), ['cup', 'tea']);
});

test('the history of a row is read by all names of its table, and of no other table', async () => {
  const told = (table, id) => it.sql(`set svc.principals = 'server'; select event || ' ' || coalesce(new, old) from svc.history_of('${table}', '${id}', '{title}', null, 10)`)
    .then((rows) => rows.filter(Boolean));
  const [id] = await it.sql("insert into public.item (title) values ('a') returning id");
  await rename('item', 'part');
  await it.sql("update public.part set title = 'b'");
  await rename('part', 'piece');
  await it.sql("update public.piece set title = 'c'");
  const all = ['updated {"title":"c"}', 'updated {"title":"b"}', 'created {"title":"a"}'];
  assert.deepEqual(await told('piece', id), all);
  await it.items();
  await it.sql('create trigger item_history after insert or update or delete on public.item for each row execute function svc.note_history()');
  await it.sql(`insert into public.item (id, title) values ('${id}', 'other')`);
  assert.deepEqual(await told('item', id), ['created {"title":"other"}']);
  assert.deepEqual(await told('part', id), []);
  assert.deepEqual(await told('piece', id), all);
  assert.deepEqual(await it.sql("select name from svc.former_names('piece')"), ['piece', 'part', 'item']);
});

test('a name of a moment is followed through all renames after it', async () => {
  const [first] = await it.sql('select clock_timestamp()');
  await rename('item', 'part');
  const [second] = await it.sql('select clock_timestamp()');
  await rename('part', 'piece');
  const name = async (table, at) => (await it.sql(`select svc.present_name('${table}', '${at}')`))[0];
  assert.deepEqual([await name('item', first), await name('item', second), await name('part', second), await name('piece', first), await name('other', first)],
    ['piece', 'item', 'piece', 'piece', 'other']);
});

test('seeds follow, and what a dropped table of the new name left does not stay in the way', async () => {
  await it.sql(`insert into svc.seed (entity, key, row_id, hash) values ('item', 'a', svc.new_id(), 'h'), ('part', 'a', svc.new_id(), 'old');
    insert into svc.renamed (table_name, was, becomes) values ('part', 'title', 'wrong')`);
  await rename('item', 'part');
  assert.deepEqual(await it.sql("select entity || ' ' || key || ' ' || hash from svc.seed"), ['part a h']);
  assert.deepEqual(await it.sql('select count(*) from svc.renamed'), ['0']);
});
