// docs/svc.schema.json in the hands of an independent validator: it takes what the parser takes and
// refuses what the parser refuses, over the samples, the examples of docs/contract.md, the contracts with one mistake
// each, and thousands of mutations.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import { checked } from '../lib/check_lines.mjs';
import { examples } from '../lib/contract_page.mjs';
import { packages } from '../lib/npm.mjs';
import { bin, root } from '../lib/stack.mjs';
import { mutations } from './mutations.mjs';

const json = (...path) => JSON.parse(readFileSync(join(root, ...path), 'utf8'));
const Ajv = packages(dirname(fileURLToPath(import.meta.url)))('ajv/dist/2020.js').default;
const validate = new Ajv({ strict: true, strictTypes: false, strictRequired: false }).compile(json('docs/svc.schema.json'));

const samples = readdirSync(join(root, 'samples')).map((name) => ({ what: `samples/${name}`, contract: json('samples', name, 'svc.json') }));

// Contracts with a mistake of syntax are left out: they are not JSON.
const listed = execFileSync(join(bin, 'svc_mistakes'), [join(root, 'tests/golden/errors'), '--list'], { encoding: 'utf8', maxBuffer: 1 << 26 });
const goldens = listed.trim().split('\n').map((line) => JSON.parse(line)).flatMap(({ name, contract, said }) => {
  const codes = [...said.matchAll(/\[([A-Z_]+)\]/g)].map(([, code]) => code);
  if (codes.some((code) => ['SYNTAX', 'DUPLICATE_KEY', 'TOO_DEEP', 'BAD_TEXT'].includes(code))) return [];
  return [{ what: `golden/errors/${name}`, contract: JSON.parse(contract), codes }];
});

const shown = () => JSON.stringify(validate.errors?.slice(0, 3));

// The schema refuses every contract that breaks the table of keys, and every refused contract has an error.
function agree(cases) {
  const told = checked(cases.map(({ contract }) => contract));
  const disagreements = cases.flatMap(({ what, contract }, i) => {
    const fine = validate(contract);
    const errors = told[i].findings.filter(({ severity }) => severity === 'error');
    if (told[i].shape && fine) return [`${what}: the schema lets pass ${JSON.stringify(errors)}`];
    if (!fine && errors.length === 0) return [`${what}: only the schema refuses: ${shown()}`];
    return [];
  });
  assert.deepEqual(disagreements.slice(0, 20), [], `${disagreements.length} of ${cases.length}`);
  return told;
}

test('the samples and examples pass both', () => {
  const sound = [...samples, ...examples];
  const told = agree(sound);
  for (const [i, { what, contract }] of sound.entries()) {
    assert.ok(validate(contract), `${what}: ${shown()}`);
    assert.deepEqual(told[i].findings.filter(({ severity }) => severity === 'error'), [], what);
  }
});

// A table of keys cannot check rules that depend on another part of the contract, or on the grammar of a text.
test('contracts with one mistake: the schema refuses those that break the table, and no other', () => {
  const codes = ['UNKNOWN_KEY', 'MISSING_KEY', 'WRONG_TYPE', 'UNKNOWN_VALUE', 'BAD_NAME', 'CONFLICTING_KEYS', 'BAD_DURATION', 'BAD_SIZE', 'BAD_SECRET'];
  agree(goldens);
  const refused = goldens.filter(({ contract }) => !validate(contract));
  assert.ok(refused.length > 10, `${refused.length} of ${goldens.length}`);
  for (const { what, codes: found } of refused) assert.ok(found.some((code) => codes.includes(code)), `${what}: ${found}`);
});

// A place that an earlier contract has is not taken again, so the small ones come first.
const seen = new Set();
let broken = 0;
for (const { what, contract } of [...examples, ...samples.toReversed()]) {
  test(`${what}: every mutation is judged alike`, () => {
    broken += agree(mutations(contract, seen)).filter(({ shape }) => shape).length;
  });
}
test('the mutations break something', () => assert.ok(broken > 2000, `${broken}`));
