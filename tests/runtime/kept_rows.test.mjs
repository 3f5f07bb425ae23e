// Deleted rows that are kept: nobody finds them on any way, and who may delete a row brings it back.
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { KeptRows, contract, marker, one } from './kept_rows.mjs';

let world, stack, app, ann, bob, admin, call, sql, server, clerk;
before(async () => {
  world = await KeptRows.start();
  ({ stack, app, ann, bob, admin, call, sql, server, clerk } = world);
});
after(() => world?.stop());

const json = (value) => encodeURIComponent(JSON.stringify(value));

test('a deleted row is on no way that reads', async () => {
  const folder = await one(call(ann, 'POST', '/api/v1/folder', { title: 'Taxes' }));
  const paper = await one(call(ann, 'POST', '/api/v1/paper', { folder_id: folder.id, text: 'a' }));
  assert.equal((await call(ann, 'DELETE', `/api/v1/folder/${folder.id}`)).status, 200);
  for (const as of [ann, clerk(), server(), admin]) {
    assert.deepEqual((await call(as, 'GET', `/api/v1/folder/${folder.id}`)).json.rows, []);
    assert.deepEqual((await call(as, 'GET', '/api/v1/folder?count=exact')).json.rows, []);
    assert.deepEqual((await call(as, 'GET', `/api/v1/paper?where=${json({ id: paper.id })}`)).json.rows, []);
    assert.equal((await call(as, 'GET', '/api/v1/folder/aggregate?metric=count')).json.value, 0);
    const found = await call(as, 'GET', '/api/v1/search?q=taxes&tables=folder');
    assert.deepEqual([found.status, found.json.results[0].rows], [200, []], found.text);
    assert.equal((await call(as, 'PATCH', `/api/v1/folder/${folder.id}`, { title: 'X' })).status, 404);
    assert.equal((await call(as, 'PATCH', `/api/v1/folder/${folder.id}/transition`, { transition: 'shut' })).status, 404);
  }
  assert.equal((await call(server(), 'POST', '/data/query', { sql: 'select id from folder' })).json.rows.length, 0);
  for (const hidden of ['svc.deleted', 'svc.history', 'svc.keep_time'])
    assert.notEqual((await call(server(), 'POST', '/data/query', { sql: `select * from ${hidden}` })).status, 200);
  for (const text of [`select svc.put_back('folder', '${folder.id}')`, `select svc.deleted_row('folder', '${folder.id}')`,
    `select * from svc.folder_restore('${folder.id}')`, `select * from svc.history_of('folder', '${folder.id}', '{title}', null, 5)`])
    assert.notEqual((await call(server(), 'POST', '/data/query', { sql: text })).status, 200, text);
  assert.deepEqual((await call(ann, 'POST', '/queries/papers', {})).json.rows, []);
  const child = await call(clerk(), 'POST', '/api/v1/paper', { folder_id: folder.id });
  assert.deepEqual([child.status, child.json.error.code, child.json.error.field], [409, 'CONFLICT', 'folder_id']);
  const upsert = await call(ann, 'POST', '/api/v1/folder?onConflict=title', { title: 'Taxes' });
  assert.equal(upsert.status, 201, 'a deleted row is none that an upsert could meet');
  assert.notEqual(upsert.json.rows[0].id, folder.id);
  assert.equal((await call(ann, 'DELETE', `/api/v1/folder/${upsert.json.rows[0].id}`)).status, 200);
  // Change records have the delete with the whole row.
  assert.equal(sql(`select event, old->>'title' from svc.change where row_id = '${folder.id}' order by seq desc limit 1`), 'deleted|Taxes');
  assert.equal(sql(`select event from svc.change where row_id = '${paper.id}' order by seq desc limit 1`), 'deleted');
});

test('a caller who may delete a row may restore it, and it is as it was', async () => {
  const made = await one(call(ann, 'POST', '/api/v1/folder', { title: 'Letters', opened: '2026-01-02T03:04:05.678Z' }));
  await one(call(clerk(), 'PATCH', `/api/v1/folder/${made.id}`, { budget: 1250 }));
  const path = `/api/v1/folder/${made.id}/restore`;
  assert.equal((await call(ann, 'POST', path)).status, 404, 'it is not deleted');
  assert.equal((await call(ann, 'DELETE', `/api/v1/folder/${made.id}`)).status, 200);
  assert.equal((await call(bob, 'POST', path)).status, 404, 'it is not theirs to see');
  const guest = { authorization: `Bearer ${app.browser}`, origin: 'http://app.test', ...marker };
  assert.equal((await call(guest, 'POST', path)).status, 403);
  const seen = await call(clerk(), 'POST', path);
  assert.deepEqual([seen.status, seen.json.error.code], [403, 'TABLE_FORBIDDEN']);
  assert.equal((await call(ann, 'POST', '/api/v1/folder/1/restore')).status, 400);
  assert.equal((await call(ann, 'GET', path)).status, 405);
  const back = await call(ann, 'POST', path);
  assert.equal(back.status, 200, back.text);
  const { updated_at: then, ...was } = made;
  const { updated_at: now, ...is } = back.json.rows[0];
  assert.deepEqual(is, was);
  assert.ok(now >= then);
  assert.equal(back.headers.etag, (await call(ann, 'GET', `/api/v1/folder/${made.id}`)).headers.etag);
  assert.equal((await one(call(clerk(), 'GET', `/api/v1/folder/${made.id}`))).budget, 1250);
  assert.equal((await call(ann, 'POST', path)).status, 404, 'once');
  assert.equal(sql(`select event, new->>'title' from svc.change where row_id = '${made.id}' order by seq desc limit 1`), 'created|Letters');
  const found = await call(ann, 'GET', '/api/v1/search?q=letters&tables=folder');
  assert.ok(found.text.includes(made.id), found.text);
});

test('a restore with an Idempotency-Key that is repeated gets the first answer again', async () => {
  const made = await one(call(ann, 'POST', '/api/v1/folder', { title: 'Again' }));
  const path = `/api/v1/folder/${made.id}/restore`;
  const key = { 'idempotency-key': `restore-${made.id}` };
  assert.equal((await call({ ...ann, ...key }, 'POST', path)).status, 404, 'a refusal is not kept');
  assert.equal((await call(ann, 'DELETE', `/api/v1/folder/${made.id}`)).status, 200);
  const first = await call({ ...ann, ...key }, 'POST', path), second = await call({ ...ann, ...key }, 'POST', path);
  assert.deepEqual([first.status, second.status, second.headers['idempotency-replayed']], [200, 200, 'true']);
  assert.deepEqual([second.text, second.headers.etag], [first.text, first.headers.etag]);
  assert.equal((await call({ ...ann, ...key }, 'POST', '/api/v1/folder', { title: 'Other' })).json.error.code, 'IDEMPOTENCY_MISMATCH');
  const wrong = await call({ ...ann, ...key }, 'DELETE', `/api/v1/folder/${made.id}`);
  assert.deepEqual([wrong.status, wrong.json.error.code], [400, 'PARAMS_INVALID']);
});

test('a row comes back in the state that it had, and only for callers who may delete it in that state', async () => {
  const made = await one(call(ann, 'POST', '/api/v1/folder', { title: 'Done' }));
  await one(call(ann, 'PATCH', `/api/v1/folder/${made.id}/transition`, { transition: 'shut' }));
  assert.equal((await call(server(), 'DELETE', `/api/v1/folder/${made.id}`)).status, 200);
  const mine = await call(ann, 'POST', `/api/v1/folder/${made.id}/restore`);
  assert.deepEqual([mine.status, mine.json.error.code], [403, 'ROW_FORBIDDEN']);
  assert.equal((await one(call(server(), 'POST', `/api/v1/folder/${made.id}/restore`))).status, 'shut');
});

test('what was taken or is gone meanwhile refuses a restore and changes nothing', async () => {
  const folder = await one(call(ann, 'POST', '/api/v1/folder', { title: 'Twice' }));
  const paper = await one(call(ann, 'POST', '/api/v1/paper', { folder_id: folder.id }));
  assert.equal((await call(ann, 'DELETE', `/api/v1/folder/${folder.id}`)).status, 200);
  const gone = await call(clerk(), 'POST', `/api/v1/paper/${paper.id}/restore`);
  assert.deepEqual([gone.status, gone.json.error.code, gone.json.error.field], [409, 'CONFLICT', 'folder_id']);
  const other = await one(call(ann, 'POST', '/api/v1/folder', { title: 'Twice' }));
  const taken = await call(ann, 'POST', `/api/v1/folder/${folder.id}/restore`);
  assert.deepEqual([taken.status, taken.json.error.code, taken.json.error.field], [409, 'CONFLICT', 'title']);
  assert.equal((await call(bob, 'POST', `/api/v1/folder/${folder.id}/restore`)).status, 404, 'a stranger learns nothing of it');
  assert.equal((await call(ann, 'DELETE', `/api/v1/folder/${other.id}`)).status, 200);
  assert.equal((await call(ann, 'POST', `/api/v1/folder/${folder.id}/restore`)).status, 200);
  assert.equal((await one(call(clerk(), 'GET', `/api/v1/paper/${paper.id}`))).id, paper.id, 'its child with it');
});

test('rows come back with the row whose delete took them, and no others', async () => {
  const there = async (table, row) => (await call(clerk(), 'GET', `/api/v1/${table}/${row.id}`)).json.rows.length === 1;
  const [folder, beside] = [await one(call(ann, 'POST', '/api/v1/folder', { title: 'Whole' })), await one(call(ann, 'POST', '/api/v1/folder', { title: 'Beside' }))];
  const papers = [];
  for (const text of ['early', 'late']) papers.push(await one(call(ann, 'POST', '/api/v1/paper', { folder_id: folder.id, text })));
  const marks = [];
  for (const more of [{}, { beside_id: beside.id }]) marks.push(await one(call(ann, 'POST', '/api/v1/mark', { paper_id: papers[1].id, ...more })));
  await call(ann, 'DELETE', `/api/v1/paper/${papers[0].id}`);
  assert.equal((await call(ann, 'DELETE', `/api/v1/folder/${folder.id}`)).status, 200);
  for (const mark of marks) assert.ok(!await there('mark', mark));
  const before = Number(sql('select coalesce(max(seq), 0) from svc.change'));
  await one(call(ann, 'POST', `/api/v1/folder/${folder.id}/restore`));
  assert.deepEqual(await Promise.all([there('paper', papers[0]), there('paper', papers[1]), there('mark', marks[0]), there('mark', marks[1])]), [false, true, true, true]);
  assert.deepEqual(sql(`select table_name || ' ' || event from svc.change where seq > ${before} order by seq`).split('\n'), ['folder created', 'paper created', 'mark created', 'mark created']);
  assert.equal((await call(clerk(), 'POST', `/api/v1/paper/${papers[0].id}/restore`)).status, 200, 'what went before it comes by itself');

  // Both folders at once: the mark between them comes with the second.
  sql(`delete from folder where id in ('${folder.id}', '${beside.id}')`);
  await one(call(ann, 'POST', `/api/v1/folder/${folder.id}/restore`));
  assert.deepEqual([await there('mark', marks[0]), await there('mark', marks[1])], [true, false]);
  await one(call(ann, 'POST', `/api/v1/folder/${beside.id}/restore`));
  assert.ok(await there('mark', marks[1]));

  // A row below that is refused refuses all.
  await call(ann, 'DELETE', `/api/v1/folder/${folder.id}`);
  sql(`update svc.deleted set held = (held::jsonb || '{"ink": "red"}')::json where row_id = '${marks[0].id}'`);
  const refused = await call(ann, 'POST', `/api/v1/folder/${folder.id}/restore`);
  assert.deepEqual([refused.status, refused.json.error.code], [422, 'RULE_REFUSED']);
  assert.ok(!await there('paper', papers[1]));
  sql(`update svc.deleted set deleted_at = now() - interval '40 days' where row_id = '${papers[1].id}'; insert into svc.keep_time values ('paper', '30 days') on conflict (table_name) do update set keep = excluded.keep`);
  await one(call(ann, 'POST', `/api/v1/folder/${folder.id}/restore`));
  assert.deepEqual([await there('paper', papers[0]), await there('paper', papers[1])], [true, false], 'one whose time is over stays');
  sql("update svc.keep_time set keep = null where table_name = 'paper'");
});

test('references to a deleted row do what onDelete says', async () => {
  const folder = await one(call(ann, 'POST', '/api/v1/folder', { title: 'Refs' }));
  const paper = await one(call(ann, 'POST', '/api/v1/paper', { folder_id: folder.id }));
  const held = await one(call(ann, 'POST', '/api/v1/stamp', { paper_id: paper.id, ink: 'blue', folder_id: folder.id }));
  assert.equal((await call(ann, 'DELETE', `/api/v1/folder/${folder.id}`)).status, 409, 'restrict');
  assert.equal((await call(ann, 'DELETE', `/api/v1/stamp/${held.id}`)).status, 200);
  const pointed = await one(call(ann, 'POST', '/api/v1/stamp', { paper_id: paper.id, ink: 'blue' }));
  assert.equal((await call(ann, 'DELETE', `/api/v1/folder/${folder.id}`)).status, 200, 'a deleted row restricts nobody');
  assert.equal((await one(call(ann, 'GET', `/api/v1/stamp/${pointed.id}`))).paper_id, null);
  assert.deepEqual((await call(clerk(), 'GET', `/api/v1/paper/${paper.id}`)).json.rows, []);
  assert.equal((await call(ann, 'POST', `/api/v1/stamp/${held.id}/restore`)).status, 409);
});

test('ten restores at once bring one row back', async () => {
  const made = await one(call(ann, 'POST', '/api/v1/folder', { title: 'Race' }));
  for (let round = 0; round < 3; ++round) {
    assert.equal((await call(ann, 'DELETE', `/api/v1/folder/${made.id}`)).status, 200);
    const answers = await Promise.all(Array.from({ length: 10 }, () => call(ann, 'POST', `/api/v1/folder/${made.id}/restore`)));
    assert.deepEqual(answers.map((a) => a.status).sort(), [200, ...Array(9).fill(404)]);
  }
});

test('a row whose time is over is not restored, and is purged; without a time it stays', async () => {
  const made = await one(call(ann, 'POST', '/api/v1/folder', { title: 'Old' }));
  const stamp = await one(call(ann, 'POST', '/api/v1/stamp', { ink: 'green' }));
  await call(ann, 'DELETE', `/api/v1/folder/${made.id}`);
  await call(ann, 'DELETE', `/api/v1/stamp/${stamp.id}`);
  const aged = (days) => sql(`update svc.deleted set deleted_at = now() - interval '${days} days' where row_id in ('${made.id}', '${stamp.id}')`);
  const kept = () => sql(`select count(*) from svc.deleted where row_id in ('${made.id}', '${stamp.id}')`);
  aged(29);
  sql('select svc.purge_deleted()');
  assert.equal(kept(), '2');
  aged(31);
  assert.equal((await call(ann, 'POST', `/api/v1/folder/${made.id}/restore`)).status, 404);
  sql('select svc.purge_deleted()');
  assert.equal(kept(), '1');
  assert.equal((await call(ann, 'POST', `/api/v1/stamp/${stamp.id}/restore`)).status, 200);
});

test('developers restore rows past policies, or as one of the app\'s users', async () => {
  const rows = async (body) => (await stack.dev('POST', `/projects/${app.id}/rows`, { table: 'folder', ...body }, { expect: 200 })).json;
  const made = await one(call(ann, 'POST', '/api/v1/folder', { title: 'Theirs' }));
  const op = { op: 'restore', id: made.id };
  assert.equal((await rows(op)).results[0].error.code, 'NOT_FOUND', 'it is not deleted');
  assert.equal((await rows({ op: 'delete', id: made.id })).ok, true);
  assert.equal((await rows({ ...op, as: 'bob.kept@example.test' })).results[0].error.code, 'NOT_FOUND');
  assert.equal((await rows({ ...op, as: 'clerk' })).results[0].error.code, 'ROW_FORBIDDEN');
  const back = await rows({ ...op, as: 'ann.kept@example.test' });
  assert.deepEqual([back.ok, back.results[0].row?.title], [true, 'Theirs'], JSON.stringify(back));
  assert.equal((await rows({ op: 'delete', id: made.id })).ok, true);
  // The id again, of another row: that one is there, and the deleted one has no place any more.
  assert.equal((await rows({ op: 'insert', data: { id: made.id, title: 'Another', status: 'open' } })).ok, true);
  assert.equal((await call(server(), 'POST', `/api/v1/folder/${made.id}/restore`)).status, 409);
  assert.equal((await rows({ op: 'delete', id: made.id })).ok, true);
  assert.equal((await one(call(server(), 'POST', `/api/v1/folder/${made.id}/restore`))).title, 'Another', 'as it was last');
  const none = (await stack.dev('POST', `/projects/${app.id}/rows`, { op: 'restore', table: 'nothing', id: made.id })).json;
  assert.equal(none.code, '42P01');
});

test('SQL of a server deletes as the routes do, and restores nothing', async () => {
  const made = await one(call(server(), 'POST', '/api/v1/folder', { title: 'By SQL' }));
  assert.equal((await call(server(), 'POST', '/data/exec', { sql: "delete from folder where name = 'x'" })).status, 400);
  assert.equal((await call(server(), 'POST', '/data/exec', { sql: 'delete from folder where id = $1', params: [made.id] })).json.rowCount, 1);
  assert.notEqual((await call(server(), 'POST', '/data/exec', { sql: 'delete from svc.deleted' })).status, 200);
  assert.equal((await one(call(server(), 'POST', `/api/v1/folder/${made.id}/restore`))).title, 'By SQL');
});

test('a rule refuses a restore with its words', async () => {
  const stamp = await one(call(ann, 'POST', '/api/v1/stamp', { ink: 'brown' }));
  await call(ann, 'DELETE', `/api/v1/stamp/${stamp.id}`);
  sql(`update svc.deleted set held = jsonb_set(held::jsonb, '{ink}', '"red"')::json where row_id = '${stamp.id}'`);
  const refused = await call(ann, 'POST', `/api/v1/stamp/${stamp.id}/restore`);
  assert.deepEqual([refused.status, refused.json.error.code, refused.json.error.message], [422, 'RULE_REFUSED', 'No red ink.']);
});

test('a renamed field is shown and restored by its new name, and softDelete that ends brings nothing back', async () => {
  const made = await one(call(ann, 'POST', '/api/v1/folder', { title: 'Before' }));
  await call(ann, 'DELETE', `/api/v1/folder/${made.id}`);
  const renamed = (it) => {
    const folder = it.entities[0];
    folder.fields[0] = { ...folder.fields[0], name: 'name', renamedFrom: 'title' };
    folder.fields[3].computed = 'upper(name)';
    folder.fields.push({ name: 'colour', type: 'string', required: true, default: 'grey' });
    folder.search = ['name'];
    it.queries = [];
    return it;
  };
  await stack.apply(app, contract(renamed));
  const told = (await call(server(), 'GET', `/api/v1/folder/${made.id}/history`)).json.history;
  assert.deepEqual([told[0].old.name, told[1].new.name], ['Before', 'Before']);
  assert.ok(!('title' in told[0].old));
  const back = await one(call(ann, 'POST', `/api/v1/folder/${made.id}/restore`));
  assert.deepEqual([back.name, back.shout, back.colour], ['Before', 'BEFORE', 'grey']);

  await call(ann, 'DELETE', `/api/v1/folder/${made.id}`);
  const without = (it) => { const out = renamed(it); delete out.entities[0].softDelete; return out; };
  const report = await stack.apply(app, contract(without));
  assert.ok(JSON.stringify(report).includes('DELETED_ROWS_KEPT'));
  assert.deepEqual((await call(server(), 'GET', `/api/v1/folder/${made.id}`)).json.rows, []);
  assert.equal((await call(ann, 'POST', `/api/v1/folder/${made.id}/restore`)).status, 404);
  await stack.apply(app, contract(renamed));
  assert.equal((await call(ann, 'POST', `/api/v1/folder/${made.id}/restore`)).status, 200);
});

test('a snapshot has deleted rows and histories', async () => {
  const made = await one(call(ann, 'POST', '/api/v1/folder', { name: 'In the snapshot' }));
  await call(ann, 'DELETE', `/api/v1/folder/${made.id}`);
  const past = (await call(server(), 'GET', `/api/v1/folder/${made.id}/history`)).json.history;
  const { snapshot } = (await stack.dev('POST', `/projects/${app.id}/snapshots`, { env: 'dev' }, { expect: 201 })).json;
  assert.equal((await call(ann, 'POST', `/api/v1/folder/${made.id}/restore`)).status, 200);
  await stack.dev('POST', `/projects/${app.id}/snapshots/${snapshot.id}/restore`, {}, { expect: 200 });
  assert.deepEqual((await call(server(), 'GET', `/api/v1/folder/${made.id}`)).json.rows, []);
  assert.deepEqual((await call(server(), 'GET', `/api/v1/folder/${made.id}/history`)).json.history, past);
  assert.equal((await one(call(server(), 'POST', `/api/v1/folder/${made.id}/restore`))).name, 'In the snapshot');
  assert.equal((await call(server(), 'GET', `/api/v1/folder/${made.id}/history`)).json.history[0].event, 'restored');
});
