// Every case of the JSONTestSuite in every place where a request holds JSON: `y_` is JSON and comes back, `n_` is none
// and is 400, `i_` may be either; nothing is ever the server's fault.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import test, { after, before } from 'node:test';
import { root } from '../lib/stack.mjs';
import { Notes } from './notes.mjs';

const folder = join(root, 'tests/data/json-test-suite');
const cases = readdirSync(folder).filter((name) => name.endsWith('.json')).map((name) => ({ name, bytes: readFileSync(join(folder, name)) }));

let notes;
before(async () => { notes = await Notes.start(); });
after(() => notes?.stop());

const around = (left, { bytes }, right) => Buffer.concat([Buffer.from(left), bytes, Buffer.from(right)]);
const percent = (bytes) => [...bytes].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');

// A refusal of the caller's, in the envelope.
function refused(answer, what) {
  assert.ok([400, 413, 414, 431].includes(answer.status), `${what}: ${answer.status} ${answer.text.slice(0, 300)}`);
  assert.equal(answer.json?.ok, false, `${what}: ${answer.text.slice(0, 300)}`);
  assert.match(answer.json.error.code, /^[A-Z_]+$|^[0-9A-Z]{5}$/, what);
}

const taken = (answer) => answer.status < 300 && answer.json?.ok === true;

function judged({ name }, answer) {
  const what = `${name}: ${answer.status} ${answer.text.slice(0, 300)}`;
  if (name.startsWith('n_') || !taken(answer)) refused(answer, name);
  if (name.startsWith('y_')) assert.ok(taken(answer), what);
}

// jsonb holds no U+0000 and no -0; everything else comes back as JSON.parse reads it.
const meant = (bytes) => JSON.parse(JSON.stringify(JSON.parse(bytes)));
function holdsNul({ bytes }) {
  let found = false;
  JSON.parse(bytes, (key, value) => {
    found ||= key.includes('\0') || (typeof value === 'string' && value.includes('\0'));
    return value;
  });
  return found;
}

test('JSON texts as the value of a field of JSON', async () => {
  for (const one of cases) {
    const answer = await notes.call('POST', '/note', { body: around('{"data":', one, '}') });
    if (one.name.startsWith('y_') && holdsNul(one)) {
      refused(answer, one.name);
      assert.equal(answer.json.error.code, '22P05', one.name);
      assert.equal(answer.json.error.field, 'data', one.name);
      continue;
    }
    judged(one, answer);
    if (one.name.startsWith('y_')) assert.deepEqual(answer.json.rows[0].data, meant(one.bytes), one.name);
  }
});

// As bodies these texts are not rows: text that is not JSON and JSON that is not a row are refused alike.
test('JSON texts as a whole body', async () => {
  for (const one of cases) {
    const answers = [await notes.call('POST', '/note', { body: one.bytes }), await notes.call('PATCH', '/note/0198b6a0-0000-7000-8000-000000000000', { body: one.bytes })];
    for (const answer of answers) {
      if (one.name.startsWith('n_')) assert.equal(answer.status, 400, `${one.name}: ${answer.text}`);
      if (!taken(answer) && answer.status !== 404) refused(answer, one.name);
    }
  }
});

test('JSON texts as parameters of a list', async () => {
  for (const one of cases) {
    for (const [key, left, right] of [['where', '', ''], ['filter', '', ''], ['sort', '', ''], ['where', '{"body":', '}'], ['filter', '[{"field":"body","op":"eq","value":', '}]'], ['filter', '[{"field":"data","op":"eq","value":', '}]']]) {
      const answer = await notes.call('GET', `/note?${key}=${percent(around(left, one, right))}`);
      if (one.name.startsWith('n_') || !taken(answer)) refused(answer, `${key} ${left}${one.name}`);
    }
  }
});

test('a text with U+0000 is refused by name, in every place', async () => {
  for (const body of ['{"body":"a\\u0000b"}', '{"labels":["a\\u0000"]}', '{"data":{"a":["\\u0000"]}}', '{"data":{"\\u0000":1}}']) {
    const { status, json, text } = await notes.call('POST', '/note', { body });
    assert.equal(status, 400, text);
    assert.equal(json.error.code, '22P05', text);
    assert.equal(json.error.field, Object.keys(JSON.parse(body))[0]);
    assert.match(json.error.message, /U\+0000/);
  }
  for (const [key, value] of [['where', { body: '\0' }], ['filter', [{ field: 'body', op: 'contains', value: 'a\0b' }]], ['filter', [{ field: 'labels', op: 'contains', value: '\0' }]]]) {
    const answer = await notes.list({ [key]: value });
    refused(answer, key);
    assert.match(answer.json.error.message, /U\+0000/);
  }
});
