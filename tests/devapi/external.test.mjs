// An entity whose rows are kept in another database: served below /ext under the same access, sorts and
// aggregates as a table of the app. The other database is one of the PostgreSQL of the test run, the app's own is svcd's.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { after, before } from 'node:test';
import { databaseOf, sql } from '../lib/admin_sql.mjs';
import {
  address, ann, as, bob, call, contract, filter, legacy, list, orders, people, project, psql, role, secret, stack, start, stop,
} from '../lib/external.mjs';
import { signUp } from '../lib/scenarios.mjs';
import { appServers } from '../lib/stack.mjs';

before(start);
after(stop);

test('a contract passes its check before there is a secret; an apply says which one is missing', async () => {
  const { json } = await stack.dev('POST', `/projects/${project.id}/check`, { contract }, { expect: 200 });
  assert.deepEqual(json.report.errors ?? [], []);
  const refused = await stack.apply(project, contract, 422);
  assert.match(refused.text, /SECRET_MISSING/);
  assert.match(refused.text, /svc secrets set LEGACY/);
});

test('secrets: names are told, values never', async () => {
  const path = `/projects/${project.id}/secrets`;
  const made = await stack.dev('PUT', `${path}/LEGACY`, { value: address() }, { expect: 201 });
  assert.deepEqual({ ...made.json, updatedAt: '' }, { name: 'LEGACY', env: 'all', created: true, hosts: null, updatedAt: '' });
  const again = await stack.dev('PUT', `${path}/LEGACY`, { value: address(), env: 'all' }, { expect: 200 });
  assert.equal(again.json.created, false);
  await stack.dev('PUT', `${path}/LEGACY`, { value: 'postgres://nobody@nowhere/x', env: 'prod' }, { expect: 201 });
  const told = await stack.dev('GET', path, undefined, { expect: 200 });
  assert.deepEqual(told.json.secrets.map(({ name, env }) => `${name} ${env}`), ['LEGACY all', 'LEGACY prod']);
  assert.ok(!told.text.includes(secret));
  for (const body of [{}, { value: '' }, { value: 1 }, { value: 'x'.repeat(10001) }, { value: 'x', env: 'test' }]) {
    assert.equal((await stack.dev('PUT', `${path}/OTHER`, body)).json.code, 'BAD_REQUEST');
  }
  assert.equal((await stack.dev('PUT', `${path}/no-name`, { value: 'x' })).status, 400);
  assert.deepEqual((await stack.dev('DELETE', `${path}/LEGACY?env=prod`, undefined, { expect: 200 })).json,
    { deleted: 'LEGACY', envs: ['prod'] });
  assert.equal((await stack.dev('DELETE', `${path}/NONE`)).json.code, 'SECRET_NOT_FOUND');
});

test('a column that is not there, or of another type, fails the apply at its field', async () => {
  const wrong = structuredClone(contract);
  wrong.entities[1].fields.push({ name: 'colour', type: 'string' }, { name: 'unseen', type: 'boolean' });
  const { json } = await stack.apply(project, wrong, 422);
  const found = json.report.errors.map(({ code, path }) => `${code} ${path}`);
  assert.deepEqual(found, ['EXTERNAL_MISMATCH /entities/1/fields/6', 'EXTERNAL_MISMATCH /entities/1/fields/7']);
  const unsaid = structuredClone(contract);
  unsaid.entities[2].fields.shift();
  assert.match((await stack.apply(project, unsaid, 422)).text, /EXTERNAL_MISMATCH.*"\/entities\/2\/external\/key".*name\W+code/);
  const nowhere = structuredClone(contract);
  nowhere.entities[1].external.table = 'public.nothing';
  assert.match((await stack.apply(project, nowhere, 422)).text, /EXTERNAL_MISMATCH.*public\.nothing/);
});

test('a column whose type only looks like the field\'s is refused with what mends it', async () => {
  const wrong = structuredClone(contract);
  wrong.entities.push({ name: 'legacy_near', external: { kind: 'postgres', connection: 'secret:LEGACY', table: 'public.near', key: 'id' },
    fields: [{ name: 'size', type: 'float' }, { name: 'mark', type: 'string' }, { name: 'price', type: 'decimal' }, { name: 'exact', type: 'float' }],
    access: { read: '*' } });
  psql(legacy, 'create table near (id int primary key, size real, mark char(4), price int, exact double precision)');
  const { json } = await stack.apply(project, wrong, 422);
  const at = `/entities/${wrong.entities.length - 1}/fields/`;
  assert.deepEqual(json.report.errors.map(({ code, path }) => `${code} ${path}`), [0, 1, 2].map((field) => `EXTERNAL_MISMATCH ${at}${field}`));
  assert.deepEqual(json.report.errors.map(({ message, fix }) => `${message} ${fix}`.replace(/^The column | of public.near is/g, '')), [
    'size of type float4, but the field is of type double precision. Change the column in the other database: alter column size type double precision; or remove the field.',
    'mark of type bpchar, but the field is of type text. Change the column in the other database: alter column mark type text; or remove the field.',
    'price of type int4, but the field is of type numeric. Give the field the type of the column, or remove it.']);
});

test('a column by whose collation different texts are equal is refused', async () => {
  const wrong = structuredClone(contract);
  wrong.entities.push({ name: 'legacy_loose', external: { kind: 'postgres', connection: 'secret:LEGACY', table: 'public.loose', key: 'code' },
    fields: [{ name: 'code', type: 'string', required: true }, { name: 'email', type: 'string' }, { name: 'name', type: 'string' }], access: { read: '*' } });
  psql(legacy, `create collation careless (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
    create table loose (code text collate careless primary key, email text collate careless, name text collate "C")`);
  const { json } = await stack.apply(project, wrong, 422);
  const at = `/entities/${wrong.entities.length - 1}`;
  assert.deepEqual(json.report.errors.map(({ path, message }) => `${path} ${message}`), [
    `${at}/fields/0 The column code of public.loose has a nondeterministic collation, so different strings can be equal.`,
    `${at}/fields/1 The column email of public.loose has a nondeterministic collation, so different strings can be equal.`]);
  assert.match(json.report.errors[1].fix, /alter column email type text collate "default"/);
});

test('it goes live, and the password stands nowhere', async () => {
  const { text } = await stack.apply(project, contract);
  assert.ok(!text.includes(secret));
  assert.ok(!stack.log.includes(secret));
  const found = spawnSync('grep', ['-rl', '--exclude-dir=base', '--exclude-dir=pg_wal', '--', secret, stack.home], { encoding: 'utf8' });
  assert.equal(found.stdout, '');
  await people();
});

test('each persona reads its own rows, and the fields that are its to read', async () => {
  const hers = await list(as.person(ann));
  assert.equal(hers.status, 200, hers.text);
  assert.deepEqual(hers.json.rows.map((row) => row.note), ['first', 'second']);
  assert.equal(hers.json.rows[0].id, 1);
  assert.ok(!('cost' in hers.json.rows[0]) && !('unseen' in hers.json.rows[0]));
  assert.equal((await list(as.staff('manager'))).json.rows[0].cost, 3);
  assert.equal((await list(as.staff('clerk'))).json.rows.length, 3);
  assert.equal((await list(as.guest())).json.error.code, 'TABLE_FORBIDDEN');
  assert.equal((await call('GET', `${orders}/3`, as.person(bob))).json.rows[0].note, 'his');
  assert.deepEqual((await call('GET', `${orders}/3`, as.person(ann))).json.rows, []);
  assert.equal((await call('GET', `${orders}/three`, as.person(ann))).status, 400);
  assert.equal((await call('GET', '/api/v1/legacy_order', as.staff('clerk'))).status, 404);
  assert.equal((await call('GET', '/api/v1/ext/nothing', as.staff('clerk'))).status, 403);
});

test('filters, sorts, pages, counts and aggregates are those of other tables', async () => {
  const clerk = as.staff('clerk');
  const notes = async (query) => (await list(clerk, query)).json.rows.map((row) => row.note);
  assert.deepEqual(await notes(filter({ field: 'total', op: 'gt', value: 10 })), ['second', 'his']);
  assert.deepEqual(await notes(filter({ field: 'note', op: 'contains', value: 'IR' })), ['first']);
  assert.deepEqual(await notes(filter({ field: 'id', op: 'in', value: [1, 3] })), ['first', 'his']);
  assert.deepEqual(await notes(`?sort=${encodeURIComponent('{"field":"total","dir":"desc"}')}&limit=2`), ['his', 'second']);
  const page = (await list(clerk, '?cursor=&limit=2&count=exact')).json;
  assert.equal(page.count, 3);
  const next = (await list(clerk, `?limit=2&cursor=${page.nextCursor}`)).json;
  assert.deepEqual(next.rows.map((row) => row.note), ['his']);
  assert.equal((await list(as.person(ann), filter({ field: 'cost', op: 'eq', value: 3 }))).status, 400);
  const sum = await call('GET', `${orders}/aggregate?metric=sum&column=total`, as.person(ann));
  assert.equal(sum.json.value, 30, sum.text);
  const groups = await call('GET', `${orders}/aggregate?metric=count&groupBy=status`, clerk);
  assert.deepEqual(groups.json.groups.map(({ key, value }) => `${key} ${value}`).sort(), ['new 2', 'paid 1']);
});

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

test('texts have one order, however the other database collates them', async () => {
  const words = '/api/v1/ext/legacy_word';
  const found = JSON.parse(psql(legacy, 'select json_agg(json_build_array(word, kind)) from word'));
  const bytes = (a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b));
  const behindNulls = (a, b) => (a[1] === null) - (b[1] === null) || bytes(a[1] ?? '', b[1] ?? '') || bytes(a[0], b[0]);
  const pages = async (headers, sort) => {
    const seen = [];
    for (let cursor = ''; cursor !== null;) {
      const { json, text } = await call('GET', `${words}?limit=3&cursor=${encodeURIComponent(cursor)}${sort}`, headers);
      assert.ok(json.rows, text);
      seen.push(...json.rows.map((row) => row.id));
      cursor = json.nextCursor;
    }
    return seen;
  };
  const inOrder = found.map(([word]) => word).sort(bytes);
  for (const headers of [as.guest(), as.staff('clerk'), as.person(ann)]) {
    assert.deepEqual(await pages(headers, ''), inOrder);
    assert.deepEqual(await pages(headers, `&sort=${encodeURIComponent('{"field":"word","dir":"desc"}')}`), inOrder.toReversed());
    assert.deepEqual(await pages(headers, `&sort=${encodeURIComponent('{"field":"kind"}')}`), found.toSorted(behindNulls).map(([word]) => word));
  }
  const kept = await call('GET', `${words}${filter({ field: 'word', op: 'gte', value: 'a' }, { field: 'word', op: 'lt', value: 'b' })}`, as.guest());
  assert.deepEqual(kept.json.rows.map((row) => row.id), ['a b', 'ab', 'apple']);
  const ends = await call('GET', `${words}/aggregate?metrics=min:word,max:word`, as.guest());
  assert.deepEqual(ends.json.values, { 'min:word': inOrder[0], 'max:word': inOrder.at(-1) }, ends.text);
});

test('the other database sorts, cuts and counts what a list asks for, and SQL of callers does not reach that way', async () => {
  const url = appServers(project)[0].env.SVC_DATA_URL;
  const remote = (sql) => /Remote SQL: (.*)/.exec(role(url, `explain (verbose) ${sql}`))[1];
  assert.match(remote('select id, word, kind from svc.legacy_word_rows order by id using ~<~ limit 4'), /ORDER BY word USING ~<~ NULLS LAST LIMIT 4/);
  assert.match(remote("select id from svc.legacy_order_rows where total > 5 order by total, id limit 4"), /WHERE .*total > 5.* ORDER BY total ASC NULLS LAST, id ASC NULLS LAST LIMIT 4/);
  assert.match(remote('select count(*), sum(total) from svc.legacy_order_rows'), /^SELECT count\(\*\), sum\(total\)/);
  for (const sql of ['select * from svc.legacy_word_rows', 'select * from legacy_word_rows', 'select * from "svc"."legacy_word_rows"']) {
    assert.equal((await call('POST', '/data/query', as.server(), { sql })).status, 400, sql);
  }
  const developer = await stack.dev('POST', `/projects/${project.id}/sql`, { sql: 'select 1 from svc.legacy_order_rows where 1 / (total - 30) > 0' });
  assert.match(developer.json.error, /legacy_order_rows is only for lists/);
  const named = structuredClone(contract);
  named.queries.push({ name: 'reports/words', allow: ['*'], sql: 'select id from svc.legacy_word_rows' });
  assert.equal((await stack.dev('POST', `/projects/${project.id}/check`, { contract: named })).json.report.ok, false);
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

test('no role of the app comes past the view, to the account, or to the key of versions', () => {
  const { env } = appServers(project)[0];
  for (const url of [env.SVC_DATA_URL, env.DATABASE_URL].filter(Boolean)) {
    for (const table of ['svc_ext.legacy_order', 'svc_ext.svc_new_legacy_order', 'svc_ext.svc_keyed_legacy_order']) {
      assert.match(role(url, `select * from ${table}`), /refused: .*permission denied/s);
    }
    assert.ok(!role(url, 'select umoptions from pg_user_mappings').includes(secret));
    assert.match(role(url, 'select umoptions from pg_user_mapping'), /refused: .*permission denied/s);
    assert.match(role(url, 'create user mapping for current_user server "svc_ext_LEGACY"'), /refused/);
    assert.match(role(url, 'drop view public.legacy_order'), /refused/);
    assert.match(role(url, 'select key from svc.tag_key'), /refused: .*permission denied/s);
  }
});

test('a condition that fails on what it sees sees no hidden row', async () => {
  const { env } = appServers(project)[0];
  for (const which of ['note::integer = 1', '1 / (length(note) - 5) > 0', "note like '%' and total / (total - 10) > 0"]) {
    assert.equal(role(env.SVC_DATA_URL, `select note from public.legacy_order where ${which}`), '', which);
  }
  assert.deepEqual((await list(as.person(ann), filter({ field: 'total', op: 'gt', value: 29 }))).json.rows, []);
});

test('SQL of a server reads it under the same policy', async () => {
  const query = (headers) => call('POST', '/data/query', headers, { sql: 'select note from legacy_order order by total' });
  assert.deepEqual((await query(as.person(bob))).json.rows, [{ note: 'his' }]);
  assert.equal((await query(as.staff('clerk'))).json.rows.length, 3);
});

test('SQL that writes is stamped with its caller; whoever may not read all is sent to the route', async () => {
  const exec = (person, sql) => call('POST', '/data/exec', as.person(person), { sql });
  const made = await exec(bob, "insert into legacy_paper (title) values ('mine') returning title, user_id");
  assert.equal(made.status, 200, made.text);
  assert.deepEqual(made.json.rows, [{ title: 'mine', user_id: bob.id }]);
  const stolen = await exec(bob, `insert into legacy_paper (title, user_id) values ('hers', '${ann.id}')`);
  assert.equal(stolen.json.error.code, 'ROW_FORBIDDEN');
  assert.match((await exec(bob, 'insert into legacy_order (total) values (1)')).json.error.message, /\/api\/v1\/ext\/legacy_order alone/);
});

test('an administrator reads across users in a query that says so, and nowhere else', async () => {
  const eve = await signUp(stack, project, undefined, 'eve');
  const session = async (name) => {
    const body = { email: `${name}@example.test`, password: `${name} has a password` };
    const { json } = await call('POST', '/auth/login', as.guest(), body);
    return { ...as.guest(), 'x-svc-app-session': json.token };
  };
  const across = { 'x-svc-admin': '1' };
  const counted = async (headers) => {
    const { status, json } = await call('POST', '/queries/reports/orders', headers, {});
    return json.rows?.[0].orders ?? status;
  };
  const hers = await session('eve');
  assert.deepEqual([await counted(hers), await counted({ ...hers, ...across })], [0, 403]);
  sql(stack, databaseOf(project), `update svc.account set is_admin = true where id = '${eve.id}'`);
  const admins = await session('eve');
  assert.deepEqual([await counted(admins), await counted({ ...admins, ...across })], [0, 3]);
  assert.deepEqual((await list({ ...admins, ...across })).json.rows, []);
  assert.equal(await counted({ ...await session('bob'), ...across }), 403);
  const { env } = appServers(project)[0];
  for (const { id } of [eve, ann]) {
    const become = `set svc.user_id = '${id}'; set svc.principals = 'customer'; set svc.elevated = 'yes'; `;
    assert.equal(role(env.SVC_DATA_URL, `${become}select count(*) from public.legacy_order where user_id <> '${id}'`).trim(), '0');
    assert.equal(role(env.SVC_DATA_URL, `${become}select svc.reads_across()`).trim(), 'f');
  }
});

test('a verification says that rows of another database are not tried', async () => {
  const was = psql(legacy, 'select * from legacy_order; select * from tag');
  const { json } = await stack.dev('POST', `/projects/${project.id}/verify`, {}, { expect: 200 });
  assert.ok(json.pass, JSON.stringify(json));
  const detail = (name) => json.checks.find((check) => check.name === name).detail;
  assert.match(detail('external').notRun, /other databases.*legacy_order, legacy_tag/);
  assert.ok(detail('queries').warnings.includes('Not run, because they may read rows of another database: reports/orders, reports/street.'));
  assert.match(json.summary, /\d+ not run/);
  assert.equal(psql(legacy, 'select * from legacy_order; select * from tag'), was);
});

test('OpenAPI and the typed client know it', async () => {
  const { json } = await call('GET', '/api/v1/openapi.json', as.server());
  assert.deepEqual(Object.keys(json.paths[orders]).filter((key) => key !== 'parameters').sort(), ['get', 'post']);
  const takes = (path) => json.paths[`/api/v1/${path}`].post.parameters.map(({ $ref }) => $ref.split('/').at(-1)).join(' ');
  const answers = (path) => Object.keys(json.paths[`/api/v1/${path}`].post.responses).filter((status) => status < 300).join(' ');
  const [upserts, creates] = ['onConflict resolution idempotencyKey, 200 201', 'idempotencyKey, 201'];
  for (const [path, told] of Object.entries({ 'ext/legacy_order': upserts, 'ext/legacy_tag': upserts, 'ext/legacy_street': creates, product: creates }))
    assert.equal(`${takes(path)}, ${answers(path)}`, told, path);
  assert.ok(json.paths[`${orders}/{id}`].patch && json.paths[`${orders}/aggregate`].get);
  assert.ok(!json.paths['/api/v1/legacy_order']);
  const schema = readFileSync(join(stack.home, 'projects', project.id, 'dev/generated/client/schema.ts'), 'utf8');
  assert.match(schema, /export interface LegacyOrder/);
  assert.match(schema, /external.*"legacy_order"/);
});

test('the same contract again changes nothing; another secret makes the account anew', async () => {
  assert.deepEqual((await stack.apply(project, contract)).json.plan, []);
  psql('postgres', `create role legacy_reader_${process.pid} login superuser`);
  const other = address().replace('//postgres:', `//legacy_reader_${process.pid}:`);
  await stack.dev('PUT', `/projects/${project.id}/secrets/LEGACY`, { value: other }, { expect: 200 });
  const { text } = await stack.apply(project, contract);
  assert.ok(!text.includes(secret));
  assert.equal((await list(as.staff('clerk'))).json.rows.length, 3);
  assert.match(psql('postgres', "select string_agg(distinct usename, ',') from pg_stat_activity where application_name = 'postgres_fdw'"), /legacy_reader/);
});

test('what lists read is made anew where somebody changed it by hand', async () => {
  sql(stack, databaseOf(project), `create or replace view svc.legacy_order_rows as
    select id, user_id, note, total, status, cost, product_id, placed_at from svc_ext.legacy_order`);
  const { json } = await stack.apply(project, contract);
  assert.match(JSON.stringify(json.report.warnings), /CHANGED_BY_HAND.*legacy_order/);
  assert.equal((await list(as.guest())).status, 403);
  assert.deepEqual((await list(as.person(bob))).json.rows.filter((row) => row.user_id !== bob.id), []);
});

test('while the other database is away its rows answer 503, and nothing else suffers', async () => {
  psql('postgres', `alter database ${legacy} allow_connections false`);
  psql('postgres', `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${legacy}'`);
  for (const [method, path, body] of [['GET', orders], ['GET', `${orders}/1`], ['POST', orders, { total: 1 }],
    ['GET', `${orders}/aggregate?metric=count`]]) {
    const { status, headers, json } = await call(method, path, as.person(ann), body);
    assert.equal(status, 503, `${method} ${path} ${JSON.stringify(json)}`);
    assert.ok(headers['retry-after']);
  }
  assert.equal((await call('GET', '/api/v1/product', as.guest())).status, 200);
  const { json } = await stack.apply(project, contract, 422);
  assert.equal(json.report.errors[0].code, 'EXTERNAL_UNREACHABLE');
  psql('postgres', `alter database ${legacy} allow_connections true`);
  assert.equal((await list(as.staff('clerk'))).json.rows.length, 3);
});

test('what changes is made anew, what goes leaves no way in', async () => {
  const changed = structuredClone(contract);
  changed.entities[1].fields.push({ name: 'unseen', type: 'string' });
  await stack.apply(project, changed);
  assert.equal((await list(as.staff('clerk'))).json.rows[0].unseen, 'x');
  const gone = structuredClone(contract);
  gone.entities.splice(1);
  gone.queries = [];
  await stack.apply(project, gone);
  assert.equal((await list(as.staff('clerk'))).status, 403);
  const { env } = appServers(project)[0];
  assert.equal(role(env.SVC_DATA_URL, "select count(*) from pg_foreign_server").trim(), '0');
  assert.equal(psql(legacy, 'select count(*) from legacy_order').trim(), '3');
});
