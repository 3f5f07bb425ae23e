// The Big List of Naughty Strings, byte for byte through every way in and out.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { after, before } from 'node:test';
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

test('changed into', async () => {
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

test('found by what it is', async () => {
  for (const text of texts) {
    assert.deepEqual(await found({ where: { body: text } }), those((other) => other === text), body(text));
    assert.deepEqual(await found({ filter: [{ field: 'body', op: 'in', value: [text] }] }), those((other) => other === text), body(text));
    const tagged = await found({ filter: [{ field: 'labels', op: 'contains', value: text }] });
    assert.deepEqual(tagged, text === '' ? [...ids].sort() : those((other) => other === text), body(text));
  }
});

// Letters' cases are PostgreSQL's business: whatever holds the text as it stands is found, and nothing that does not in either case.
test('found by a part of it', async () => {
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

test('in an order, page by page, none twice and none missing', async () => {
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
