// The Big List of Naughty Strings, byte for byte through every way in and out.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { after, before } from 'node:test';
import { serves } from '../lib/served.mjs';
import { root } from '../lib/stack.mjs';
import { Notes } from './notes.mjs';

const texts = [...new Set(JSON.parse(readFileSync(join(root, 'tests/data/naughty-strings/blns.json'), 'utf8')))];

let notes;
const ids = [];
before(async () => { notes = await Notes.start(); });
after(() => notes?.stop());

const body = (text) => JSON.stringify(text).slice(0, 200);

test('created, and read by its id', async () => {
  for (const text of texts) {
    const row = { body: text, labels: [text, ''], data: { [text]: [text] } };
    const made = await notes.call('POST', '/note', { body: row });
    assert.equal(made.status, 201, `${body(text)}: ${made.text}`);
    const { id } = made.json.rows[0];
    ids.push(id);
    const read = await notes.call('GET', `/note/${id}`);
    for (const { json } of [made, read]) {
      const { body: kept, labels, data } = json.rows[0];
      assert.deepEqual({ body: kept, labels, data }, row);
    }
  }
});

test('a row takes each text in a change', async () => {
  const { json } = await notes.call('POST', '/note', { body: { body: 'before' } });
  const { id } = json.rows[0];
  for (const text of texts) {
    const answer = await notes.call('PATCH', `/note/${id}`, { body: { body: text } });
    assert.equal(answer.json?.rows?.[0].body, text, `${body(text)}: ${answer.text}`);
  }
  assert.equal((await notes.call('DELETE', `/note/${id}`)).status, 200);
});

const found = async (params) => {
  const answer = await notes.list({ limit: 500, ...params });
  assert.equal(answer.status, 200, `${JSON.stringify(params).slice(0, 200)}: ${answer.text}`);
  assert.equal(answer.json.truncated, false);
  return answer.json.rows.map(({ id }) => id).sort();
};
const those = (fits) => texts.flatMap((text, n) => (fits(text) ? [ids[n]] : [])).sort();

test('each text is found by equality', async () => {
  for (const text of texts) {
    assert.deepEqual(await found({ where: { body: text } }), those((other) => other === text), body(text));
    assert.deepEqual(await found({ filter: [{ field: 'body', op: 'in', value: [text] }] }), those((other) => other === text), body(text));
    const tagged = await found({ filter: [{ field: 'labels', op: 'contains', value: text }] });
    assert.deepEqual(tagged, text === '' ? [...ids].sort() : those((other) => other === text), body(text));
  }
});

// Letters' cases are PostgreSQL's business: whatever holds the text as it stands is found, and nothing that does not in either case.
test('each text is found by a part of it', async () => {
  for (const text of texts) {
    const part = [...text].slice(0, 40).join('');
    for (const [op, fits] of [['contains', (other, that) => other.includes(that)], ['starts_with', (other, that) => other.startsWith(that)], ['ends_with', (other, that) => other.endsWith(that)]]) {
      const value = op === 'ends_with' ? [...text].slice(-40).join('') : part;
      const got = await found({ filter: [{ field: 'body', op, value }] });
      const missing = those((other) => fits(other, value)).filter((id) => !got.includes(id));
      assert.deepEqual(missing, [], `${op} ${body(value)}`);
      const tooMany = got.filter((id) => !fits(texts[ids.indexOf(id)].toLowerCase(), value.toLowerCase()) && !fits(texts[ids.indexOf(id)].toUpperCase(), value.toUpperCase()));
      assert.deepEqual(tooMany, [], `${op} ${body(value)}`);
    }
  }
});

test('pages in the order of the texts have each of them once', async () => {
  const pages = [];
  for (let offset = 0; pages.length === 0 || pages.at(-1).length > 0; offset += 60) {
    const { json } = await notes.list({ sort: { field: 'body', dir: 'asc' }, limit: 60, offset });
    pages.push(json.rows);
  }
  const rows = pages.flat();
  assert.deepEqual(rows.map(({ id }) => id).sort(), [...ids].sort());
  const order = [...rows].sort((one, other) => Buffer.compare(Buffer.from(one.body), Buffer.from(other.body)));
  assert.deepEqual(rows.map(({ body: text }) => text), order.map(({ body: text }) => text), 'by code points');
});

test('each text is the key of a group', { skip: !serves('aggregate') }, async () => {
  const { json, text } = await notes.call('GET', '/note/aggregate?metric=count&groupBy=body');
  assert.ok(json?.ok, text);
  assert.deepEqual(json.groups.map(({ key }) => key).sort(), [...texts].sort());
  assert.ok(json.groups.every(({ value }) => value === 1));
});

// Whether a search finds them is a matter of words; that it answers, and with whole texts, is not.
test('a search for each text answers', { skip: !serves('search') }, async () => {
  let hits = 0;
  for (const q of texts) {
    const answer = await notes.call('GET', `/search?tables=note&limit=25&snippets=1&q=${encodeURIComponent(q)}`);
    if (answer.status === 400) {
      assert.equal(answer.json.error.code, 'MISSING_QUERY', body(q));
      assert.equal(q.trim(), '', body(q));
      continue;
    }
    assert.equal(answer.status, 200, `${body(q)}: ${answer.text}`);
    for (const row of answer.json.results[0].rows) assert.equal(row.body, texts[ids.indexOf(row.id)], body(q));
    hits += answer.json.results[0].rows.length;
  }
  assert.ok(hits > 100, `${hits} rows`);
});

// RFC 4180: cells of lines. Null is nothing, an empty text is "".
function cells(csv) {
  const lines = [[]];
  for (const [, quoted, plain, end] of csv.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|$)/g)) {
    lines.at(-1).push(quoted === undefined ? (plain === '' ? null : plain) : quoted.replaceAll('""', '"'));
    if (end === '\r\n') lines.push([]);
  }
  return lines.filter((line) => line.length > 1);
}

const kept = (row) => ({ body: row.body, labels: row.labels, data: row.data });
const all = new Map();
const expected = () => texts.map((text, n) => [ids[n], { body: text, labels: [text, ''], data: { [text]: [text] } }]);

test('each text comes back in CSV', { skip: !serves('csv') }, async () => {
  const { status, text } = await notes.call('GET', '/note?limit=500', { headers: { accept: 'text/csv' } });
  assert.equal(status, 200, text);
  const [head, ...lines] = cells(text);
  for (const line of lines) {
    const row = Object.fromEntries(head.map((name, n) => [name, line[n]]));
    all.set(row.id, kept({ ...row, labels: JSON.parse(row.labels), data: JSON.parse(row.data) }));
  }
  assert.deepEqual([...all].sort(), expected().sort());
});

test('each text comes back in NDJSON', { skip: !serves('csv') }, async () => {
  const { status, text } = await notes.call('GET', '/note?limit=500', { headers: { accept: 'application/x-ndjson' } });
  assert.equal(status, 200, text);
  const rows = text.split('\n').filter((line) => line !== '').map((line) => JSON.parse(line));
  assert.deepEqual(rows.map((row) => [row.id, kept(row)]).sort(), expected().sort());
});
