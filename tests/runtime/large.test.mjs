// Rows that are larger than anybody shows at once: what one caller asks for must not fill the server's memory.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test, { after, before } from 'node:test';
import { databaseOf, sql } from '../lib/admin_sql.mjs';
import { signUp } from '../lib/scenarios.mjs';
import { Stack, appServers } from '../lib/stack.mjs';

const MiB = 1 << 20;
const texts = Array.from({ length: 6 }, (_, i) => ({ name: `text_${i}`, type: 'text' }));
const contract = {
  app: { name: 'Large' },
  personas: [{ id: 'reader', kind: 'consumer', signup: true }],
  entities: [
    { name: 'shelf', owner: 'none', fields: [{ name: 'name', type: 'string', required: true }],
      relations: { books: { many: 'book', by: 'shelf_id' } }, access: { read: '*' } },
    { name: 'book', owner: 'none', fields: [{ name: 'shelf_id', type: 'ref', to: 'shelf' }, { name: 'text', type: 'text' }], access: { read: '*' } },
    { name: 'tome', owner: 'none', fields: [{ name: 'number', type: 'integer', unique: true, required: true }, { name: 'text', type: 'text' }], access: { read: '*', create: '*', update: '*' } },
    { name: 'page', owner: 'none', search: ['title'], fields: [{ name: 'title', type: 'string' }, ...texts], access: { read: '*' } },
    { name: 'loan', owner: 'none', fields: [{ name: 'page_id', type: 'ref', to: 'page' }], access: { read: '*' } },
    { name: 'leaf', owner: 'none', search: ['title'], fields: [{ name: 'title', type: 'string' }, ...texts], access: { read: '*' } }],
  queries: [{ name: 'all', allow: ['*'], sql: 'select text from book' }],
};

let stack, project, host, headers, pid;
before(async () => {
  stack = await Stack.start();
  await stack.signIn();
  project = await stack.project('Large');
  await stack.apply(project, contract);
  host = `preview-${project.slug}.localhost`;
  [{ pid }] = appServers(project);
  sql(stack, databaseOf(project), `insert into shelf (name) values ('one');
    insert into book (shelf_id, text) select (select id from shelf), repeat(md5(n::text), 30000) from generate_series(1, 150) n`);
  const ann = await signUp(stack, project, host, 'ann.large', 'reader');
  headers = { authorization: `Bearer ${project.browser}`, origin: 'http://app.test', 'x-svc-data-api': '1', 'x-svc-app-session': ann.token };
});
after(() => stack?.stop());

const peak = () => Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024;
const get = async (path, method = 'GET', body = undefined, status = 200) => {
  const answer = await stack.fetch(method, `/__svc${path}`, { headers, host, body });
  assert.ok(peak() < 120, `${path}: ${peak()} MiB`);
  assert.ok(answer.text.length < 20 * MiB, `${path}: ${answer.text.length} bytes`);
  assert.equal(answer.status, status, answer.text.slice(0, 300));
  return answer.json;
};

test('pages, queries and groups are cut, and what is cut off is never kept', async () => {
  for (const path of ['/api/v1/book?limit=500', '/api/v1/book?limit=150&sort={"field":"text"}', '/api/v1/book/aggregate?metric=count&groupBy=text']) {
    const json = await get(path);
    assert.equal(json.truncated, true, path);
  }
  assert.equal((await get('/queries/all', 'POST', {})).truncated, true);
  const page = await get('/api/v1/book?limit=500&cursor=');
  assert.ok(page.hasMore && page.nextCursor && page.rows.length > 10);
});

test('a page of fifty is taken row by row where its rows are wide', async () => {
  for (const table of ['page', 'leaf'])
    sql(stack, databaseOf(project), `insert into ${table} (title, ${texts.map(({ name }) => name)})
      select 'find me', ${texts.map((_, i) => `repeat(md5(n::text || '${i}'), 30000)`)} from generate_series(1, 51) n`);
  for (const query of ['', '?limit=7', '?select=id,text_1,text_2', '?sort={"field":"title"}&count=exact']) {
    assert.equal((await get(`/api/v1/page${query}`)).truncated, true, query);
  }
});

test('a search is cut off at the size of a page', async () => {
  const { results } = await get('/api/v1/search?q=find&tables=page,leaf,book&limit=25');
  assert.deepEqual(results.map(({ table, rows, truncated }) => [table, rows.length, truncated]), [['page', 3, true], ['leaf', 0, true]]);
  const few = await get('/api/v1/search?q=find&tables=page,leaf&limit=1&snippets=1');
  assert.deepEqual(few.results.map(({ rows, snippets, truncated }) => [rows.length, snippets.length, truncated]), [[1, 1, undefined], [1, 1, undefined]]);
});

test('a link to more than 4 MB says so, and shows what a limit leaves of it', async () => {
  const links = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((name) => `${name}:books(text)`).join(',');
  const large = await get(`/api/v1/shelf?select=name,${links}`);
  assert.deepEqual([large.rows[0].name, large.rows[0].a, large.linksTruncated], ['one', [], true]);
  const few = await get(`/api/v1/shelf?select=name,books(id,text)&links=${encodeURIComponent('{"books":{"limit":3}}')}`);
  assert.equal(few.rows[0].books.length, 3);
  assert.equal((await get('/api/v1/shelf?select=name,books(id)')).rows[0].books.length, 100);
});

test('the links of a row have so many bytes together', async () => {
  const names = Array.from({ length: 16 }, (_, i) => `a${i}`);
  for (const [count, shown] of [[8, 1], [16, 0]]) {
    const some = names.slice(0, count);
    const links = encodeURIComponent(JSON.stringify(Object.fromEntries(some.map((name) => [name, { limit: 1 }]))));
    const { rows: [row], linksTruncated } = await get(`/api/v1/shelf?select=${some.map((name) => `${name}:books(text)`)}&links=${links}`);
    assert.deepEqual([some.map((name) => row[name].length), linksTruncated], [Array(count).fill(shown), true]);
  }
  sql(stack, databaseOf(project), 'insert into loan (page_id) select id from page limit 1');
  const all = texts.map(({ name }) => name).join(',');
  const large = await get(`/api/v1/loan?select=page(${all}),again:page(text_1,text_2),page_id`);
  assert.deepEqual([large.rows[0].page, large.rows[0].again.text_1.length, large.linksTruncated], [null, 960_000, true]);
  const many = await get(`/api/v1/loan?select=${names.map((name) => `${name}:page(title,text_0,text_1)`).join(',')}`);
  assert.deepEqual([Object.values(many.rows[0]), many.linksTruncated], [Array(16).fill(null), true]);
  assert.equal((await get('/api/v1/loan?select=page(title)')).linksTruncated, undefined);
});

test('an upsert that shows fewer rows than it wrote counts them all', async () => {
  sql(stack, databaseOf(project), 'insert into tome (number, text) select n, repeat(md5(n::text), 30000) from generate_series(1, 40) n');
  const there = Array.from({ length: 40 }, (_, i) => ({ number: i + 1 }));
  for (const [resolution, last] of [['merge', 41], ['ignore', 42]]) {
    const path = `/api/v1/tome?onConflict=number&resolution=${resolution}`;
    const made = await get(path, 'POST', [...there, { number: last }], 201);
    assert.deepEqual([made.rowCount, made.rows.length, made.truncated], [41, 18, true]);
    const again = await get(path, 'POST', [...there, { number: last }], 200);
    assert.deepEqual([again.rowCount, again.rows.length, again.truncated], [41, 18, true]);
  }
  assert.deepEqual(sql(stack, databaseOf(project), 'select count(*) from tome'), [['42']]);
});
