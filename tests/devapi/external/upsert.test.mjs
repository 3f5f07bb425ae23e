// Rows of another database that may be there already are met by their key: onConflict below /ext.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import test, { after, before } from 'node:test';
import { ann, as, bob, call, legacy, live, orders, psql, server, stack, stop } from '../../lib/external.mjs';
import { until } from '../../lib/stack.mjs';

before(live);
after(stop);

// "400 23514 total 1": status, code, field and index of an error; else the rows.
const told = ({ status, json: { error, rows } }) =>
  [status, ...error ? [error.code, error.field, error.index] : [rows.map((row) => Object.values(row).join(' ')).join(', ')]].join(' ').trim().replace(/ +/g, ' ');
const stored = () => psql(legacy, "select string_agg(concat_ws(' ', code, words), ', ' order by code) from tag where code like 'u%'").trim();

test('rows that may be there already are met by their key', async () => {
  const clerk = as.staff('clerk');
  const put = (query, body, headers = clerk) => call('POST', `/api/v1/ext/legacy_tag?${query}`, headers, body);
  const steps = [
    ['onConflict=code', { code: 'u1', words: 'new' }, '201 u1 u1 new'],
    ['onConflict=code', { code: 'u1', words: 'other' }, '200 u1 u1 other'],
    ['onConflict=id', { code: 'u1', words: 'by id' }, '200 u1 u1 by id'],
    ['onConflict=code&resolution=merge', { code: 'u1' }, '200 u1 u1 by id'],
    ['onConflict=code&resolution=ignore', { code: 'u1', words: 'ignored' }, '200 u1 u1 by id'],
    ['onConflict=id&resolution=ignore', { code: 'u2', words: 'second' }, '201 u2 u2 second'],
    ['onConflict=code', { code: 'u2', words: null }, '200 u2 u2'],
    ['onConflict=code', [{ code: 'u3', words: 'a' }, { code: 'u1', words: 'b' }, { code: 'u3', words: 'c' }], '201 u3 u3 a, u1 u1 b, u3 u3 c'],
    ['onConflict=code', [{ code: 'u3' }, { code: 'u1', words: 'd' }], '200 u3 u3 c, u1 u1 d'],
    ['onConflict=code', [], '200'],
    ['onConflict=code', { words: 'no key' }, '400 23502 code'],
    ['onConflict=code', { code: null, words: 'no key' }, '400 23502 code'],
    ['onConflict=code', [{ code: 'u1', words: 'lost' }, { code: null }], '400 23502 code 1'],
    ['onConflict=words', { code: 'u1', words: 'x' }, '400 PARAMS_INVALID onConflict'],
    ['onConflict=code,words', { code: 'u1', words: 'x' }, '400 PARAMS_INVALID onConflict'],
    ['onConflict=', { code: 'u1', words: 'x' }, '400 PARAMS_INVALID onConflict'],
    ['onConflict=code&resolution=replace', { code: 'u1', words: 'x' }, '400 PARAMS_INVALID'],
    ['resolution=merge', { code: 'u1', words: 'x' }, '400 PARAMS_INVALID']];
  for (const [query, body, answer] of steps) assert.equal(told(await put(query, body)), answer, `${query} ${JSON.stringify(body)}`);
  assert.equal(stored(), 'u1 d, u2, u3 c');
  assert.equal(told(await put('onConflict=code', { code: 'u1' }, as.guest())), '403 TABLE_FORBIDDEN');
  psql(legacy, 'truncate written');
  const many = Array.from({ length: 1000 }, (_, i) => ({ code: `v${i % 900}`, words: `${i}` }));
  assert.equal((await put('onConflict=code', many)).json.rowCount, 1000);
  assert.equal(psql(legacy, "select count(*), max(words) filter (where code = 'v99') from tag where code like 'v%'").trim(), '900|999');
  assert.equal(psql(legacy, 'select what, count(*) from written group by what order by what').trim(), 'INSERT|900\nUPDATE|100', 'each is written once');
  psql(legacy, "delete from tag where code ~ '^[uv]'");
});

test('a caller who meets an existing row may write it as by a change, or not at all', async () => {
  const put = (person, body, query = '') => call('POST', `${orders}?onConflict=id${query}`, person.authorization ? person : as.person(person), body);
  const row = (id) => psql(legacy, `select note, total, status, user_id = '${ann.id}' from legacy_order where id = ${id}`).trim();
  const made = await put(ann, { id: 900, note: 'mine', total: 7 });
  assert.deepEqual([made.status, made.json.rows[0].id, made.json.rows[0].note, made.json.rows[0].status], [201, 900, 'mine', 'new'], made.text);
  assert.ok(made.json.rows[0].placed_at);
  assert.equal((await call('GET', `${orders}/900`, as.person(ann))).headers.etag, made.headers.etag);
  const changed = await put(ann, { id: 900, total: 8 });
  assert.equal(changed.status, 200, changed.text);
  assert.deepEqual(changed.json.rows[0], { ...made.json.rows[0], total: 8 });
  assert.equal((await call('GET', `${orders}/900`, as.person(ann))).headers.etag, changed.headers.etag);
  const seen = (await put(ann, { id: 900, total: 9 }, '&resolution=ignore'));
  assert.deepEqual([seen.status, seen.json.rows], [200, changed.json.rows]);

  const hidden = '409 CONFLICT';
  for (const how of ['', '&resolution=ignore']) {
    assert.equal(told(await put(bob, { id: 900, note: 'stolen', total: 1 }, how)), hidden, how);
    assert.equal(told(await put(bob, [{ id: 901, total: 1 }, { id: 900, total: 1 }], how)), `${hidden} 1`, how);
  }
  assert.equal(told(await put(ann, { id: 2, note: 'paid', total: 20 })), '403 ROW_FORBIDDEN');
  assert.equal(told(await put(ann, [{ id: 902, total: 1 }, { id: 2, total: 20 }])), '403 ROW_FORBIDDEN 1');
  assert.equal(told(await put(ann, { id: 900, total: 1, cost: 1 })), '403 FIELD_FORBIDDEN cost');
  assert.equal(told(await put(ann, { id: 900, total: 1, user_id: bob.id })), '403 OWNER_STAMP user_id');
  assert.equal(told(await put(ann, { id: 900, total: 2000 })), '422 RULE_REFUSED total');
  assert.equal(told(await put(ann, { id: 900, total: -1 })), '400 23514 total');
  assert.equal(told(await put(ann, { total: 1 })), '400 PARAMS_INVALID id');
  assert.equal(told(await put(ann, { id: null, total: 1 })), '400 PARAMS_INVALID id');
  assert.match(told(await put(ann, { id: 'three', total: 1 })), /^400 22P02/);
  assert.equal(told(await put(as.staff('clerk'), { id: 900, total: 1 })), '403 TABLE_FORBIDDEN');
  assert.equal(row(900), 'mine|8|new|t');
  assert.equal(psql(legacy, 'select count(*) from legacy_order where id > 900').trim(), '0');

  const once = { ...as.person(ann), 'idempotency-key': 'met-1' };
  const first = await put(once, { id: 900, note: 'once', total: 8 });
  psql(legacy, "update legacy_order set note = 'theirs' where id = 900");
  const again = await put(once, { id: 900, note: 'once', total: 8 });
  assert.deepEqual([first.status, again.status, again.text, again.headers['idempotency-replayed']], [200, 200, first.text, 'true']);
  assert.equal(row(900), 'theirs|8|new|t');
  psql(legacy, 'delete from legacy_order where id = 900');

  const paper = { id: '0198b6a0-0000-7000-8000-000000000001', title: 'quiet', price: 1.234 };
  const papers = (body) => call('POST', '/api/v1/ext/legacy_paper?onConflict=id', as.person(ann), body);
  assert.equal((await papers(paper)).json.rows[0].price, 1.23);
  const kept = await papers({ id: paper.id, title: 'loud' });
  assert.deepEqual([kept.status, kept.json.rows[0].title, kept.json.rows[0].price], [200, 'LOUD', 1.23]);
  psql(legacy, `delete from paper where id = '${paper.id}'`);
});

test('a row that comes or changes while it is looked for is met after all', async () => {
  // Commits when another is seen to wait for it.
  const wait = `do $$ begin for i in 1..500 loop
    exit when exists (select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock');
    perform pg_sleep(0.02), pg_stat_clear_snapshot(); end loop; end $$`;
  const begun = `select count(*) from pg_stat_activity where datname = '${legacy}' and wait_event = 'PgSleep'`;
  const races = [
    ["insert into tag values ('u7', 'theirs')", { code: 'u7', words: 'ours' }, '200 u7 u7 ours'],
    ["insert into tag values ('u8', 'theirs')", [{ code: 'u9' }, { code: 'u8', words: 'ours' }], '201 u9 u9 , u8 u8 ours'],
    ["update tag set words = 'theirs' where code = 'u8'", { code: 'u8', words: 'ours again' }, '200 u8 u8 ours again']];
  for (const [theirs, body, answer] of races) {
    const other = spawn('psql', ['-Xq', '-v', 'ON_ERROR_STOP=1', '-c', 'begin', '-c', theirs, '-c', wait, '-c', 'commit',
      server.url.replace('/postgres?', `/${legacy}?`)], { stdio: 'inherit' });
    const ended = once(other, 'exit');
    await until('the other session to have begun', () => psql('postgres', begun).trim() !== '0');
    assert.equal(told(await call('POST', '/api/v1/ext/legacy_tag?onConflict=code', as.staff('clerk'), body)), answer, theirs);
    assert.deepEqual(await ended, [0, null]);
  }
  assert.equal(stored(), 'u7 ours, u8 ours again, u9');
  psql(legacy, "delete from tag where code like 'u%'");
});
