// docs/contract.md: each example compiles, every key of the table stands in it and no other, and what does
// not run yet is marked.
import assert from 'node:assert/strict';
import test from 'node:test';
import { checked } from '../lib/check_lines.mjs';
import { examples, expressions, keyTables } from '../lib/contract_page.mjs';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../lib/stack.mjs';

const schema = JSON.parse(readFileSync(join(root, 'docs/svc.schema.json'), 'utf8'));
const shapes = { contract: schema, ...schema.$defs };

// What does not run yet is said in the tables; other findings only where the page says so.
function told(cases) {
  const answers = checked(cases.map(({ contract }) => contract));
  return cases.map((example, i) => ({ ...example, codes: answers[i].findings.filter(({ code }) => code !== 'NOT_RUNNING_YET').map(({ code, path }) => `${code} ${path}`) }));
}

test('every example compiles, with the findings that the page says', () => {
  for (const { what, warns, codes } of told(examples)) {
    assert.deepEqual(codes.map((code) => code.split(' ')[0]).sort(), warns, `${what}: ${codes}`);
  }
});

test('every expression compiles where the page says that it may stand', () => {
  assert.ok(expressions.length > 15);
  for (const { what, codes } of told(expressions)) assert.deepEqual(codes, [], what);
});

for (const [name, shape] of Object.entries(shapes)) {
  if (!shape.properties) continue;
  test(`the keys of ${name}`, () => {
    const rows = keyTables[name];
    assert.ok(rows, `no table <!-- keys: ${name} -->`);
    assert.deepEqual(Object.keys(rows).sort(), Object.keys(shape.properties).sort());
    for (const [key, row] of Object.entries(rows)) {
      const { description } = shape.properties[key];
      assert.equal(row.includes('*not yet*'), description.endsWith('(not running yet)'), `${key}: *not yet*`);
      assert.equal(row.includes(', required |'), (shape.required ?? []).includes(key), `${key}: required`);
    }
  });
}
