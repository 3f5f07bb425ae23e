// docs/contract.md: each example compiles, and the page has exactly the keys of the table.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { after } from 'node:test';
import { checked } from '../lib/check_lines.mjs';
import { examples, expressions, keyTables, settings } from '../lib/contract_page.mjs';
import { postgres } from '../lib/postgres.mjs';
import { root } from '../lib/stack.mjs';

const schema = JSON.parse(readFileSync(join(root, 'docs/svc.schema.json'), 'utf8'));
const shapes = { contract: schema, ...schema.$defs };

const database = await postgres();  // proves named queries
after(() => database.stop());

// Findings come only where the page says so.
function told(cases) {
  const answers = checked(cases.map(({ contract }) => contract), database.url);
  return cases.map((example, i) => ({ ...example, codes: answers[i].findings.map(({ code, path }) => `${code} ${path}`) }));
}

test('every example compiles, with the findings that the page says', () => {
  for (const { what, warns, codes } of told(examples)) {
    assert.deepEqual(codes.map((code) => code.split(' ')[0]).sort(), warns, `${what}: ${codes}`);
  }
});

test('every expression compiles in the places that the page names', () => {
  assert.ok(expressions.length > 15);
  for (const { what, codes } of told(expressions)) assert.deepEqual(codes, [], what);
});

// Tables with a key in each row: <!-- keys: shape -->.
for (const [name, shape] of Object.entries(shapes)) {
  if (!shape.properties || settings.some((row) => `#/$defs/${name}` === shapes[row.shape]?.properties[row.key]?.$ref)) continue;
  test(`the keys of ${name}`, () => {
    const rows = keyTables[name];
    assert.ok(rows, `no table <!-- keys: ${name} -->`);
    assert.deepEqual(Object.keys(rows).sort(), Object.keys(shape.properties).sort());
    for (const [key, row] of Object.entries(rows)) {
      assert.equal(row.includes(', required |'), (shape.required ?? []).includes(key), `${key}: required`);
    }
  });
}

// Tables that list the keys of a key's object within its row: <!-- settings: shape -->.
for (const row of settings) {
  const reference = shapes[row.shape]?.properties[row.key]?.$ref;
  const shape = shapes[reference?.split('/').at(-1)];
  if (!shape?.properties) continue;
  test(`the settings of ${row.key} of ${row.shape}`, () => {
    assert.deepEqual(row.keys.toSorted(), Object.keys(shape.properties).sort());
    assert.deepEqual(row.required.toSorted(), (shape.required ?? []).toSorted());
  });
}
