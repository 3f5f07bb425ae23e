// Deleted rows that are kept, and what happened to rows: nobody finds the first on any way, and nobody changes the second.
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { Stack } from '../lib/stack.mjs';
import { signUp } from '../lib/scenarios.mjs';
import { databaseOf, sql as query } from '../faults/whole.mjs';

const marker = { 'x-svc-data-api': '1' };
const contract = (change = (it) => it) => change({
  app: { name: 'Kept' },
  personas: [{ id: 'member', kind: 'consumer', signup: true }, { id: 'clerk', kind: 'staff' }],
  auth: { signup: 'open' },
  entities: [
    { name: 'folder', owner: 'user', softDelete: { keep: '30d' }, audit: true,
      fields: [{ name: 'title', type: 'string', required: true, unique: true },
        { name: 'budget', type: 'money', read: ['clerk'], write: ['clerk'] },
        { name: 'opened', type: 'datetime' },
        { name: 'shout', type: 'string', computed: 'upper(title)' },
        { name: 'number', type: 'sequence', prefix: 'F-' }],
      search: ['title'],
      relations: { papers: { many: 'paper', by: 'folder_id' } },
      lifecycle: { field: 'status', initial: 'open', states: ['open', 'shut'],
        transitions: [{ name: 'shut', from: 'open', to: 'shut', by: ['member', 'clerk'] }] },
      access: { read: [{ to: 'member', if: 'user_id == user.id' }, 'clerk', 'server'], create: ['member', 'clerk', 'server'],
        update: [{ to: 'member', if: 'user_id == user.id' }, 'clerk', 'server'],
        delete: [{ to: 'member', if: "user_id == user.id && status == 'open'" }, 'server'] } },
    { name: 'paper', owner: 'none', softDelete: true,
      fields: [{ name: 'folder_id', type: 'ref', to: 'folder', required: true, onDelete: 'cascade' },
        { name: 'text', type: 'text' }],
      access: { read: ['member', 'clerk', 'server'], create: ['member', 'clerk', 'server'], update: ['clerk', 'server'], delete: ['member', 'clerk', 'server'] } },
    { name: 'mark', owner: 'none', softDelete: true,
      fields: [{ name: 'paper_id', type: 'ref', to: 'paper', required: true, onDelete: 'cascade' },
        { name: 'beside_id', type: 'ref', to: 'folder', onDelete: 'cascade' }, { name: 'ink', type: 'string' }],
      rules: [{ on: ['create'], refuse: "new.ink == 'red'", message: 'No red ink.' }],
      access: { read: ['*'], create: ['*'], update: ['*'], delete: ['*'] } },
    { name: 'stamp', owner: 'none', softDelete: true, unique: [['paper_id', 'ink']],
      fields: [{ name: 'paper_id', type: 'ref', to: 'paper', onDelete: 'null' }, { name: 'ink', type: 'string' },
        { name: 'folder_id', type: 'ref', to: 'folder', onDelete: 'restrict' }],
      rules: [{ on: ['create', 'update'], refuse: "new.ink == 'red'", message: 'No red ink.' }],
      access: { read: ['*'], create: ['*'], update: ['*'], delete: ['*'] } },
  ],
  queries: [{ name: 'papers', allow: ['end_user'], sql: 'select p.id, f.title from folder f left join paper p on p.folder_id = f.id order by f.title' }],
  seeds: {},
});

let stack, app, host, ann, bob, admin;
const server = () => ({ authorization: `Bearer ${app.server}`, ...marker });
const clerk = () => ({ ...server(), 'x-svc-app-role': 'clerk' });
const call = (as, method, path, body, headers = {}) => {
  const { id: _id, ...own } = as;
  return stack.fetch(method, `/__svc${path}`, { headers: { ...own, ...headers }, host, body });
};
const sql = (text) => query(stack, databaseOf(app), text).map((row) => row.join('|')).join('\n');
const one = async (answer) => { const it = await answer; assert.ok(it.status < 300, it.text ?? JSON.stringify(it.json)); return it.json.rows[0]; };
const json = (value) => encodeURIComponent(JSON.stringify(value));

before(async () => {
  stack = await Stack.start();
  await stack.signIn();
  app = await stack.project('Kept');
  await stack.apply(app, contract());
  host = `preview-${app.slug}.localhost`;
  for (const [name, keep] of [['ann', (p) => { ann = p; }], ['bob', (p) => { bob = p; }], ['root', (p) => { admin = p; }]]) {
    const person = await signUp(stack, app, host, `${name}.kept`, 'member');
    keep({ authorization: `Bearer ${app.browser}`, origin: 'http://app.test', ...marker, 'x-svc-app-session': person.token, id: person.id });
  }
  sql(`update svc.account set is_admin = true where id = '${admin.id}'`);
  const login = await stack.fetch('POST', '/__svc/auth/login', { host, headers: { authorization: `Bearer ${app.browser}`, origin: 'http://app.test' },
    body: { email: sql(`select email from svc.account where id = '${admin.id}'`), password: 'root.kept has a password' } });
  assert.equal(login.status, 200, login.text);
  admin['x-svc-app-session'] = login.json.token;
});
after(() => stack?.stop());

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

test('who may delete a row may restore it, and it is as it was', async () => {
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

test('a row comes back in the state that it had, and only to who may delete it in that state', async () => {
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

test('administrators and servers read the history, without the columns that they may not read', async () => {
  const made = await one(call(ann, 'POST', '/api/v1/folder', { title: 'First', opened: '2026-01-02T03:04:05.5Z' }));
  const path = `/api/v1/folder/${made.id}`;
  await one(call(ann, 'PATCH', path, { title: 'Second' }));
  await one(call(ann, 'PATCH', path, { title: 'Second' }));
  await one(call(clerk(), 'PATCH', path, { budget: 99 }));
  await one(call(ann, 'PATCH', `${path}/transition`, { transition: 'shut' }));
  await call(server(), 'DELETE', path);
  for (const as of [ann, bob, clerk()]) {
    const refused = await call(as, 'GET', `${path}/history`);
    assert.deepEqual([refused.status, refused.json.error.message], [403, 'Admin required']);
  }
  const whole = await call(server(), 'GET', `${path}/history`);
  assert.equal(whole.status, 200, whole.text);
  const { history, hasMore, nextCursor } = whole.json;
  assert.deepEqual([hasMore, nextCursor], [false, null]);
  assert.deepEqual(history.map((each) => each.event), ['deleted', 'updated', 'updated', 'updated', 'created']);
  assert.deepEqual(history.map((each) => each.actorId), [null, ann.id, null, ann.id, ann.id]);
  assert.deepEqual(history.map((each) => each.transition), [null, 'shut', null, null, null]);
  assert.deepEqual(history.at(-1), { at: history.at(-1).at, actorId: ann.id, event: 'created', transition: null, old: null, new: { ...made, budget: null } });
  assert.match(history[0].at, /^\d{4}-\d\d-\d\dT.*Z$/);
  assert.deepEqual([history[3].old.title, history[3].new.title], ['First', 'Second']);
  assert.equal(history[2].new.budget, 99);
  const open = ({ budget: _clerks, ...rest }) => rest;
  const masked = history.map((each) => ({ ...each, old: each.old && open(each.old), new: each.new && open(each.new) }));
  const asAdmin = await call(admin, 'GET', `${path}/history`);
  assert.deepEqual(asAdmin.json.history, masked, 'an administrator is no clerk');
  await one(call(server(), 'POST', `${path}/restore`));
  assert.equal((await call(admin, 'GET', `${path}/history?limit=1`)).json.history[0].event, 'restored');

  const read = [];
  for (let cursor = ''; cursor !== null;) {
    const page = await call(admin, 'GET', `${path}/history?limit=2&cursor=${encodeURIComponent(cursor)}`);
    assert.equal(page.status, 200, page.text);
    read.push(...page.json.history);
    cursor = page.json.nextCursor;
  }
  assert.deepEqual(read.slice(1), masked);
  const first = (await call(admin, 'GET', `${path}/history?limit=2`)).json.nextCursor;
  assert.equal((await call(server(), 'GET', `${path}/history?cursor=${encodeURIComponent(first)}`)).status, 400, 'another caller\'s cursor');
  for (const wrong of ['limit=0', 'cursor=x', 'offset=2', 'limit=a'])
    assert.equal((await call(admin, 'GET', `${path}/history?${wrong}`)).status, 400, wrong);
  assert.deepEqual((await call(admin, 'GET', '/api/v1/folder/0198b6a0-0000-7000-8000-000000000001/history')).json.history, []);
  assert.equal((await call(admin, 'GET', `/api/v1/paper/${made.id}/history`)).status, 404, 'no audit, no route');
});

test('developers read the history of a row past policies, a page at a time', async () => {
  const made = await one(call(ann, 'POST', '/api/v1/folder', { title: 'Watched' }));
  await one(call(clerk(), 'PATCH', `/api/v1/folder/${made.id}`, { budget: 7 }));
  await call(ann, 'DELETE', `/api/v1/folder/${made.id}`);
  const path = `/projects/${app.id}/rows/folder/${made.id}/history`;
  const { json: whole } = await stack.dev('GET', path, undefined, { expect: 200 });
  assert.deepEqual(whole.history.map((each) => [each.event, each.actor]),
    [['deleted', 'ann.kept@example.test'], ['updated', null], ['created', 'ann.kept@example.test']]);
  assert.deepEqual([whole.history[1].old.budget, whole.history[1].new.budget, whole.hasMore, whole.next], [null, 7, false, null]);
  assert.equal(whole.history[2].actorId, ann.id);
  assert.match(whole.history[0].at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  const read = [];
  for (let next = ''; next !== null;) {
    const page = (await stack.dev('GET', `${path}?limit=2${next && `&before=${next}`}`, undefined, { expect: 200 })).json;
    assert.equal(page.hasMore, page.next !== null);
    read.push(...page.history);
    next = page.next;
  }
  assert.deepEqual(read, whole.history);
  const empty = await stack.dev('GET', `/projects/${app.id}/rows/folder/0198b6a0-0000-7000-8000-000000000001/history`, undefined, { expect: 200 });
  assert.deepEqual(empty.json.history, []);
  for (const table of ['paper', 'nothing', "fol'der"])
    await stack.dev('GET', `/projects/${app.id}/rows/${encodeURIComponent(table)}/${made.id}/history`, undefined, { expect: 404 });
  for (const wrong of ['limit=0', 'limit=501', 'before=x', 'before=-1', 'env=moon', 'offset=1'])
    await stack.dev('GET', `${path}?${wrong}`, undefined, { expect: 400 });
  await stack.dev('GET', `/projects/${app.id}/rows/folder/7/history`, undefined, { expect: 400 });
  await stack.dev('GET', `${path}?env=prod`, undefined, { expect: 404 });
  const writes = (await stack.dev('POST', '/tokens', { name: 'writer', workspaceId: stack.workspace, scopes: ['apply'] }, { expect: 201 })).json;
  await stack.dev('GET', path, undefined, { token: writes.token, expect: 403 });
});

test('nobody changes the history, developers neither', async () => {
  for (const text of ["update svc.history set actor = null", 'delete from svc.history', 'truncate svc.history']) {
    assert.throws(() => sql(text), /can only be added to/, text);
    const dev = await stack.dev('POST', `/projects/${app.id}/sql`, { sql: text });
    assert.notEqual(dev.status, 200, text);
  }
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

test('a renamed field is told and restored by its new name, and softDelete that ends brings nothing back', async () => {
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
