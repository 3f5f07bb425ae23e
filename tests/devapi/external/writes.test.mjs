// Writing rows of another database: held by policies, masks, rules and constraints, one or many, and under which key.
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { ann, as, bob, call, filter, legacy, live, orders, psql, stop } from '../../lib/external.mjs';

before(live);
after(stop);

test('writes are held by policies, masks, rules and constraints, and happen there', async () => {
  const made = await call('POST', orders, as.person(ann), { note: 'made', total: 5 });
  assert.equal(made.status, 201, made.text);
  const { id, ...row } = made.json.rows[0];
  assert.equal(id, 4);
  assert.equal(row.user_id, ann.id);
  assert.equal(row.status, 'new');
  assert.ok(row.placed_at, 'the other database made it');
  const refused = async (method, path, headers, body) => {
    const { json, status } = await call(method, path, headers, body);
    return `${status} ${json.error.code} ${json.error.field ?? ''}`.trim();
  };
  assert.equal(await refused('POST', orders, as.staff('clerk'), { total: 1 }), '403 TABLE_FORBIDDEN');
  assert.equal(await refused('POST', orders, as.person(ann), { total: 1, user_id: bob.id }), '403 OWNER_STAMP user_id');
  assert.equal(await refused('POST', orders, as.person(ann), { total: 1, cost: 1 }), '403 FIELD_FORBIDDEN cost');
  assert.equal(await refused('POST', orders, as.person(ann), { note: 'none' }), '400 23502 total');
  assert.equal(await refused('POST', orders, as.person(ann), { total: -1 }), '400 23514 total');
  assert.equal(await refused('POST', orders, as.person(ann), { total: 1, status: 'odd' }), '400 23514 status');
  assert.equal(await refused('POST', orders, as.person(ann), { total: 2000 }), '422 RULE_REFUSED total');
  assert.equal(await refused('POST', orders, as.person(ann), { total: 1, product_id: ann.id }), '409 CONFLICT product_id');
  assert.equal((await call('PATCH', `${orders}/4`, as.person(ann), { note: 'mine' })).json.rows[0].note, 'mine');
  assert.equal(await refused('PATCH', `${orders}/2`, as.person(ann), { note: 'paid' }), '403 ROW_FORBIDDEN');
  assert.equal(await refused('PATCH', `${orders}/3`, as.person(ann), { note: 'his' }), '404 NOT_FOUND');
  assert.equal(await refused('PATCH', `${orders}/1`, as.person(ann), { placed_at: '2020-01-01T00:00:00Z' }), '403 FIELD_FORBIDDEN placed_at');
  assert.equal(await refused('DELETE', `${orders}/4`, as.person(ann)), '403 TABLE_FORBIDDEN');
  assert.equal((await call('PATCH', `${orders}/4`, as.staff('manager'), { cost: 9 })).json.rows[0].cost, 9);
  assert.deepEqual((await call('DELETE', `${orders}/4`, as.staff('manager'))).json, { ok: true, deleted: 4 });
  assert.equal(psql(legacy, 'select string_agg(note, \',\' order by id) from legacy_order').trim(), 'first,second,his');
});

const notes = () => psql(legacy, 'select coalesce(string_agg(note, \',\' order by id), \'\') from legacy_order').trim();

test('several rows at once, all of them or none', async () => {
  const made = await call('POST', orders, as.person(ann), [{ total: 1, note: 'one' }, { total: 2, note: 'two' }]);
  assert.equal(made.status, 201, made.text);
  assert.deepEqual(made.json.rows.map((row) => row.note), ['one', 'two']);
  const bad = await call('POST', orders, as.person(ann), [{ total: 3, note: 'three' }, { total: 2000, note: 'dear' }]);
  assert.equal(bad.status, 422, bad.text);
  assert.equal(bad.json.error.index, 1);
  assert.equal((await call('POST', `${orders}?onConflict=note`, as.person(ann), [{ total: 1 }])).status, 400);
  assert.equal(notes(), 'first,second,his,one,two');
  for (const { id } of made.json.rows) assert.equal((await call('DELETE', `${orders}/${id}`, as.staff('manager'))).status, 200);
});

test('a request that is repeated with its key writes once', async () => {
  const once = { ...as.person(ann), 'idempotency-key': 'order-1' };
  const first = await call('POST', orders, once, { total: 1, note: 'once' });
  assert.equal(first.status, 201, first.text);
  const again = await call('POST', orders, once, { total: 1, note: 'once' });
  assert.deepEqual([again.status, again.text], [201, first.text]);
  assert.equal(again.headers['idempotency-replayed'], 'true');
  assert.equal((await call('POST', orders, once, { total: 2, note: 'other' })).json.error.code, 'IDEMPOTENCY_MISMATCH');
  assert.equal(notes(), 'first,second,his,once');
  assert.equal((await call('DELETE', `${orders}/${first.json.rows[0].id}`, as.staff('manager'))).status, 200);
});

test('a version that somebody changed meanwhile, here or there, is not written over', async () => {
  const path = `${orders}/1`;
  const seen = await call('GET', path, as.person(ann));
  const { etag } = seen.headers;
  assert.match(etag, /^"[0-9a-f]{32}/);
  assert.equal((await call('GET', path, { ...as.person(ann), 'if-none-match': etag })).status, 304);
  const changed = await call('PATCH', path, { ...as.person(ann), 'if-match': etag }, { note: 'mine' });
  assert.equal(changed.status, 200, changed.text);
  const stale = await call('PATCH', path, { ...as.person(ann), 'if-match': etag }, { note: 'lost' });
  assert.deepEqual([stale.status, stale.json.error.code], [412, 'STALE']);
  psql(legacy, "update legacy_order set note = 'theirs' where id = 1");
  assert.equal((await call('PATCH', path, { ...as.person(ann), 'if-match': changed.headers.etag }, { note: 'lost' })).status, 412);
  assert.equal((await call('DELETE', path, { ...as.staff('manager'), 'if-match': changed.headers.etag })).status, 412);
  const now = (await call('GET', path, as.person(ann))).headers.etag;
  const back = await call('PATCH', path, { ...as.person(ann), 'if-match': `${etag}, ${now}` }, { note: 'first' });
  assert.equal(back.status, 200, back.text);
  assert.equal((await call('GET', path, as.person(ann))).headers.etag, back.headers.etag);
});

test('a write answers the row as the other database made it', async () => {
  const papers = '/api/v1/ext/legacy_paper';
  const made = await call('POST', papers, as.person(ann), { title: 'small', price: 1.234 });
  assert.equal(made.status, 201, made.text);
  const path = `${papers}/${made.json.rows[0].id}`;
  const changed = await call('PATCH', path, as.person(ann), { title: 'quiet', price: 2.345 });
  assert.equal(changed.status, 200, changed.text);
  assert.equal(changed.json.rows[0].title, 'QUIET');
  const seen = await call('GET', path, as.person(ann));
  assert.deepEqual(changed.json.rows, seen.json.rows);
  assert.equal(changed.headers.etag, seen.headers.etag);
  const again = await call('PATCH', path, { ...as.person(ann), 'if-match': changed.headers.etag }, { price: 3 });
  assert.equal(again.status, 200, again.text);
});

test('one row with some of its fields, whatever its key is', async () => {
  const one = async (path, headers) => (await call('GET', `/api/v1/ext/${path}`, headers)).json.rows;
  assert.deepEqual(await one('legacy_order/1?select=note', as.person(ann)), [{ note: 'first' }]);
  assert.deepEqual(await one('legacy_tag/a%2Fb?select=words', as.staff('clerk')), [{ words: 'slash' }]);
  const [{ id }] = await one('legacy_paper', as.person(ann));
  assert.deepEqual(await one(`legacy_paper/${id}?select=title`, as.person(ann)), [{ title: 'QUIET' }]);
  assert.equal((await call('GET', `${orders}/three?select=note`, as.person(ann))).status, 400);
});

test('a key may be a text that its writer names', async () => {
  const tags = '/api/v1/ext/legacy_tag';
  const clerk = as.staff('clerk');
  assert.equal((await call('GET', `${tags}/a%2Fb`, clerk)).json.rows[0].words, 'slash');
  const made = await call('POST', tags, clerk, { code: 'm', words: 'middle' });
  assert.equal(made.status, 201, made.text);
  assert.deepEqual(made.json.rows[0], { id: 'm', code: 'm', words: 'middle' });
  assert.equal((await call('POST', tags, clerk, { code: 'm' })).json.error.code, 'CONFLICT');
  assert.equal((await call('PATCH', `${tags}/m`, clerk, { words: 'new' })).json.rows[0].words, 'new');
  assert.equal((await call('PATCH', `${tags}/m`, clerk, { code: 'n' })).json.error.code, 'FIELD_FORBIDDEN');
  assert.deepEqual((await call('DELETE', `${tags}/m`, clerk)).json, { ok: true, deleted: 'm' });
});

test('a field of the key\'s name tells its type', async () => {
  const made = await call('POST', '/api/v1/ext/legacy_street', as.staff('clerk'), { name: 'High Street' });
  assert.equal(made.status, 201, made.text);
  assert.deepEqual(made.json.rows[0], { id: 1, no: 1, name: 'High Street' });
  assert.deepEqual(made.json.fields.map(({ type }) => type), ['20', '20', '25']);
  const asked = await call('POST', '/queries/reports/street', as.guest(), { no: 1 });
  assert.deepEqual(asked.json.rows, [{ id: 1, next: 2, name: 'High Street' }], asked.text);
  assert.equal((await call('GET', '/api/v1/ext/legacy_street/none', as.guest())).json.error.code, '22P02');
});

test('an entity may be called as a trigger calls its rows', async () => {
  for (const name of ['old', 'new']) {
    const path = `/api/v1/ext/${name}`, clerk = as.staff('clerk');
    const made = await call('POST', path, clerk, { name });
    assert.equal(made.status, 201, made.text);
    const one = `${path}/${made.json.rows[0].id}`;
    assert.equal((await call('PATCH', one, clerk, { name: 'Low Street' })).json.rows?.[0].name, 'Low Street');
    assert.equal((await call('GET', `${path}${filter({ field: 'name', op: 'eq', value: 'Low Street' })}`, as.guest())).json.rowCount, 1);
    assert.equal((await call('DELETE', one, clerk)).status, 200);
  }
});

test('SQL that writes is stamped with its caller; a caller who may not read all columns must use the route', async () => {
  const exec = (person, sql) => call('POST', '/data/exec', as.person(person), { sql });
  const made = await exec(bob, "insert into legacy_paper (title) values ('mine') returning title, user_id");
  assert.equal(made.status, 200, made.text);
  assert.deepEqual(made.json.rows, [{ title: 'mine', user_id: bob.id }]);
  const stolen = await exec(bob, `insert into legacy_paper (title, user_id) values ('hers', '${ann.id}')`);
  assert.equal(stolen.json.error.code, 'ROW_FORBIDDEN');
  assert.match((await exec(bob, 'insert into legacy_order (total) values (1)')).json.error.message, /\/api\/v1\/ext\/legacy_order alone/);
});
