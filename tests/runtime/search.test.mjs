// Full-text search: ranking, what a caller may not read, the index, hostile words, and a contract whose
// list of fields changes.
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { databaseOf, sql } from '../lib/admin_sql.mjs';
import { Stack, until } from '../lib/stack.mjs';
import { signUp } from '../lib/scenarios.mjs';

const contract = (search) => ({
  app: { name: 'Library', locale: 'en-GB' },
  personas: [{ id: 'member', kind: 'consumer', signup: true }, { id: 'boss', kind: 'staff' }],
  entities: [{
    name: 'book', ...(search ? { search } : {}),
    fields: [
      { name: 'title', type: 'string' }, { name: 'body', type: 'text' },
      { name: 'secret', type: 'text', read: ['boss'], write: ['boss'] }, { name: 'shared', type: 'boolean', default: false }],
    access: { read: [{ to: 'member', if: 'user_id == user.id || shared' }, 'staff'], create: ['member', 'boss'], update: 'boss', delete: [] },
  }, {
    name: 'diary', search: ['line'], fields: [{ name: 'line', type: 'text' }], access: { read: 'boss', create: 'boss' },
  }, {
    name: 'plain', fields: [{ name: 'line', type: 'text' }], access: { read: '*' },
  }],
  seeds: {},
});

let stack, project, host, ann, boss;

const admin = (text) => sql(stack, databaseOf(project), text)[0]?.[0] ?? '';
const ask = (headers, params) => stack.fetch('GET', `/__svc/api/v1/search?${new URLSearchParams(params)}`, { headers, host });
const found = async (headers, q, more = {}) => {
  const { status, json, text } = await ask(headers, { q, tables: 'book', ...more });
  assert.equal(status, 200, text);
  return json.results[0].rows.map((row) => row.title);
};
const make = (headers, body) => stack.fetch('POST', '/__svc/api/v1/book', { headers, host, body });

before(async () => {
  stack = await Stack.start();
  await stack.signIn();
  project = await stack.project('Library');
  host = `preview-${project.slug}.localhost`;
  await stack.apply(project, contract(['body', 'title^3', 'secret']));
  const member = await signUp(stack, project, host, 'ann.library', 'member');
  const data = { 'x-svc-data-api': '1' };
  ann = { authorization: `Bearer ${project.browser}`, origin: 'http://app.test', ...data, 'x-svc-app-session': member.token };
  boss = { authorization: `Bearer ${project.server}`, ...data, 'x-svc-app-role': 'boss' };
  for (const [headers, body] of [
    [ann, { title: 'On tea', body: 'Nothing of dragons here.' }],
    [ann, { title: 'A dragon', body: 'It sleeps.' }],
    [ann, { title: 'Walks', body: 'Green hills, and one dragon & "more" isn\'t.' }],
    [boss, { title: 'Ledger', body: 'A dragon in the cellar', secret: 'treasure', shared: true }],
    [boss, { title: 'Hidden', body: 'A dragon, a dragon, a dragon', secret: 'hoard' }],
  ]) assert.equal((await make(headers, body)).status, 201);
});
after(() => stack?.stop());

test('ranks by weight, in the words of the language', async () => {
  const dragons = await found(ann, 'Dragons');
  assert.equal(dragons[0], 'A dragon');
  assert.deepEqual(dragons.sort(), ['A dragon', 'Ledger', 'On tea', 'Walks']);
  assert.deepEqual(await found(ann, '"green hills"'), ['Walks']);
  assert.deepEqual((await found(ann, 'cellar or tea')).sort(), ['Ledger', 'On tea']);
  assert.deepEqual(await found(ann, 'dragon -sleep -tea -cellar'), ['Walks']);
  assert.deepEqual(await found(ann, 'the and of'), [], 'stop words find nothing');
});

test('a field that its reader may not see neither finds nor hides nor ranks', async () => {
  assert.deepEqual(await found(ann, 'treasure'), []);
  assert.deepEqual(await found(boss, 'treasure'), ['Ledger']);
  assert.deepEqual(await found(ann, 'cellar -treasure'), ['Ledger'], 'what she cannot see does not take it away');
  assert.deepEqual(await found(boss, 'cellar -treasure'), []);
  assert.deepEqual(await found(ann, '-treasure -dragon'), []);
  assert.deepEqual((await found(ann, '-sleep')).sort(), ['Ledger', 'On tea', 'Walks']);
  assert.deepEqual(await found(ann, 'cellar treasure'), []);
  assert.deepEqual(await found(ann, 'cellar or treasure'), ['Ledger']);
  assert.equal((await ask(ann, { q: 'cellar', tables: 'book' })).json.results[0].rows[0].secret, undefined);
});

test('snippets show what was found, and only that', async () => {
  const { json } = await ask(ann, { q: 'dragon walks', tables: 'book', snippets: '1' });
  assert.deepEqual(json.results[0].snippets,
    [{ body: 'Green hills, and one <mark>dragon</mark> &amp; &quot;more&quot; isn&#39;t', title: '<mark>Walks</mark>' }]);
  const secret = await ask(boss, { q: 'treasure or cellar', tables: 'book', snippets: '1' });
  assert.deepEqual(Object.keys(secret.json.results[0].snippets[0]).sort(), ['body', 'secret']);
  const hers = await ask(ann, { q: 'treasure or cellar', tables: 'book', snippets: '1' });
  assert.deepEqual(Object.keys(hers.json.results[0].snippets[0]), ['body']);
});

test('snippets leave out nothing of a text that looks like HTML', async () => {
  const made = await make(ann, { title: 'Code', body: 'Vector<int> walrus a <b and c> d <!-- e --> &lt; \u0004f' });
  assert.equal(made.status, 201, made.text);
  const { json } = await ask(ann, { q: 'walrus', tables: 'book', snippets: '1' });
  assert.deepEqual(json.results[0].snippets,
    [{ body: 'Vector&lt;int&gt; <mark>walrus</mark> a &lt;b and c&gt; d &lt;!-- e --&gt; &amp;lt; f' }]);
  admin("delete from book where title = 'Code'");
});

test('tables that are not hers are left out', async () => {
  const tables = async (headers, list) => (await ask(headers, { q: 'x', tables: list })).json.results.map(({ table }) => table);
  assert.deepEqual(await tables(ann, 'diary, book,plain,nothing,book'), ['book']);
  assert.deepEqual(await tables(boss, 'diary,book'), ['diary', 'book']);
  assert.deepEqual(await tables(ann, 'diary'), []);
});

test('a search without words or tables, or with too many tables, is refused', async () => {
  const code = async (params) => (await ask(ann, params)).json.error?.code;
  assert.equal(await code({ tables: 'book' }), 'MISSING_QUERY');
  assert.equal(await code({ q: ' \t', tables: 'book' }), 'MISSING_QUERY');
  assert.equal(await code({ q: 'tea' }), 'MISSING_TABLES');
  assert.equal(await code({ q: 'tea', tables: ' , ' }), 'MISSING_TABLES');
  assert.equal(await code({ q: 'tea', tables: Array.from({ length: 21 }, (_, i) => `t${i}`).join() }), 'PARAMS_INVALID');
  for (const limit of ['0', '-1', 'many', '']) assert.equal(await code({ q: 'tea', tables: 'book', limit }), 'PARAMS_INVALID');
  assert.equal(await code({ q: 'tea', tables: 'book', snippets: 'yes' }), 'PARAMS_INVALID');
  assert.equal((await stack.fetch('POST', '/__svc/api/v1/search?q=tea&tables=book', { headers: ann, host, body: {} })).status, 405);
});

test('hostile words never break the server', async () => {
  const words = [
    '-', '---', '- - - -', '"', '""', '"""""', '" "', 'or', 'or or or', 'OR '.repeat(300), '-'.repeat(3000), '- '.repeat(2000),
    '"-" '.repeat(500), '-"'.repeat(400), '"a" -'.repeat(300), 'a -'.repeat(300), 'a or '.repeat(300), '"a or b" '.repeat(100), '-a '.repeat(500),
    '-or '.repeat(200), '-('.repeat(900), '-\u2003'.repeat(300), '-«'.repeat(300), '-"" '.repeat(300), "-' ".repeat(400), '-\u00A0'.repeat(400), 'a'.repeat(1900), 'a b '.repeat(400), '&|!()<>:*', "' \\ '' \\\\", '<->', 'a:*', 'a:A', '!!!!a', '((((((', 'tea\0cup', '%', '_',
    "'; drop table book; --", '\u{1F600}'.repeat(300), 'é'.repeat(600), '\u202E\u0000\uFEFF', 'ſ\u0301'.repeat(200), '١٢٣', '$1 $2 :name', '{{7*7}}', 'a\u0002b\u0003c'];
  for (const q of words) {
    for (const headers of [ann, boss]) {
      const { status, text } = await ask(headers, { q, tables: 'book,diary', snippets: '1' });
      assert.equal(status, 200, `${JSON.stringify(q.slice(0, 40))}: ${text}`);
    }
  }
  for (const raw of ['%ff%fe', '%C3%28', '%ED%A0%80', '%00', '%F8%88%80%80%80']) {
    const { status, text } = await stack.fetch('GET', `/__svc/api/v1/search?q=a${raw}&tables=book`, { headers: ann, host });
    assert.ok(status === 200 || status === 400, `${raw}: ${status} ${text}`);
  }
  assert.equal((await ask(ann, { q: 'x '.repeat(50_000), tables: 'book' })).status, 431, 'a head has its limit');
});

test('rows that are hidden displace none, and the index is used', async () => {
  admin("insert into book (title, body, secret) select 'dragon dragon ' || n, 'dragon', 'x' from generate_series(1, 20000) n;" +
    "insert into book (title, body) select 'other ' || n, 'words ' || n from generate_series(1, 20000) n; analyze book; analyze svc.book_words");
  const seen = await found(ann, 'dragon', { limit: '4' });
  assert.equal(seen[0], 'A dragon');
  assert.deepEqual(seen.sort(), ['A dragon', 'Ledger', 'On tea', 'Walks']);
  assert.equal((await found(boss, 'dragon', { limit: '1000' })).length, 25);
  const scans = () => Number(admin("select idx_scan from pg_stat_user_indexes where indexrelname = 'book_words_gin'"));
  for (const headers of [ann, boss]) {
    const had = scans();
    for (let i = 0; i < 8; ++i) assert.deepEqual(await found(headers, 'words 777'), headers === boss ? ['other 777'] : []);
    await until('the index to be counted', () => scans() >= had + 8, 15000);
  }
});

test('a very long text is kept and found', async () => {
  const long = Array.from({ length: 90_000 }, (_, i) => `w${i.toString(36)}`).join(' ');
  assert.equal((await make(ann, { title: 'Long', body: long })).status, 201);
  assert.deepEqual(await found(ann, 'w1 w2'), ['Long']);
  assert.equal((await make(ann, { title: 'Wide', body: '語'.repeat(250_000) })).status, 201);
});

test('an apply that changes the searched fields makes the words of rows again', async () => {
  const kept = () => admin("select obj_description(to_regclass('svc.book_words'))");
  const first = kept();
  await stack.apply(project, contract(['body']));
  assert.notEqual(kept(), first);
  assert.ok(!kept().includes('title'));
  assert.deepEqual(await found(ann, 'sleeps'), ['A dragon']);
  assert.deepEqual(await found(ann, 'ledger'), []);
  await stack.apply(project, contract());
  assert.equal(admin("select to_regclass('svc.book_words') is null"), 't');
  assert.deepEqual((await ask(ann, { q: 'sleeps', tables: 'book' })).json.results, []);
});
