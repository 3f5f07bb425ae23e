// The history of rows: who may read it, without hidden columns, and that nobody can change it.
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { KeptRows, one } from './kept_rows.mjs';

let world, stack, app, ann, bob, admin, call, sql, server, clerk;
before(async () => {
  world = await KeptRows.start();
  ({ stack, app, ann, bob, admin, call, sql, server, clerk } = world);
});
after(() => world?.stop());

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
