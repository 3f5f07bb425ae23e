// Reading rows of another database: whose rows and fields a caller sees, lists, orders and aggregates, and that no way
// leads past the policies.
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { databaseOf, sql } from '../../lib/admin_sql.mjs';
import {
  ann, as, bob, call, contract, filter, legacy, list, live, orders, project, psql, role, secret, stack, stop,
} from '../../lib/external.mjs';
import { signUp } from '../../lib/scenarios.mjs';
import { appServers } from '../../lib/stack.mjs';

before(live);
after(stop);

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
