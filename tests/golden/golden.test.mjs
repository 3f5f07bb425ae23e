// Compares the output of the generator with the committed code of the samples in generated/. `./run goldens`
// rewrites it.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { after } from 'node:test';
import { postgres } from '../lib/postgres.mjs';
import { bin, root } from '../lib/stack.mjs';

const svcgen = join(bin, 'svcgen');
const database = await postgres();  // proves named queries
after(() => database.stop());
const env = { ...process.env, SVC_DATABASE_URL: database.url };
const fix = 'If the change is meant: ./run goldens, then review the difference.';

function files(folder, below = '') {
  return readdirSync(join(folder, below), { withFileTypes: true }).flatMap((entry) => {
    const path = below ? `${below}/${entry.name}` : entry.name;
    return entry.isDirectory() ? files(folder, path) : [path];
  }).sort();
}

function emitted(sample, place = 'samples') {
  const folder = mkdtempSync(join(tmpdir(), 'svc-golden-'));
  execFileSync(svcgen, ['emit', join(root, place, sample, 'svc.json'), folder], { stdio: 'pipe', env });
  return folder;
}

for (const sample of readdirSync(join(root, 'samples'))) {
  test(`samples/${sample} is checked without findings`, () => {
    const { stderr } = spawnSync(svcgen, ['check', join(root, 'samples', sample, 'svc.json')], { encoding: 'utf8', env });
    assert.match(stderr, /^\S+: 0 errors, 0 warnings\n$/);
  });

  test(`generated/${sample} is what the generator makes of the sample`, () => {
    const folder = emitted(sample);
    try {
      const committed = join(root, 'generated', sample);
      assert.deepEqual(files(folder), files(committed), fix);
      for (const file of files(folder)) {
        assert.equal(readFileSync(join(folder, file), 'utf8'), readFileSync(join(committed, file), 'utf8'), `${sample}/${file}: ${fix}`);
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test(`${sample}: the same contract gives the same bytes`, () => {
    const [one, two] = [emitted(sample), emitted(sample)];
    for (const file of files(one)) assert.deepEqual(readFileSync(join(one, file)), readFileSync(join(two, file)), file);
    for (const folder of [one, two]) rmSync(folder, { recursive: true });
  });
}

test('a contract with every kind of step gives these statements, and these types of a client', () => {
  const folder = emitted('flows', 'tests/golden');
  for (const file of ['flows.sql', 'flows.cpp', 'client/schema.ts']) {
    const expected = readFileSync(join(root, 'tests/golden/flows', file), 'utf8');
    assert.equal(readFileSync(join(folder, file), 'utf8'), expected, `${file}: ${fix}`);
  }
  rmSync(folder, { recursive: true });
});

test('queries are not emitted unproved', () => {
  const { SVC_DATABASE_URL: _none, ...without } = env;
  const folder = mkdtempSync(join(tmpdir(), 'svc-golden-'));
  const run = spawnSync(svcgen, ['emit', join(root, 'samples/shop/svc.json'), folder], { env: without, encoding: 'utf8' });
  assert.equal(run.status, 2);
  assert.match(run.stderr, /QUERIES_NOT_PROVED/);
  assert.match(run.stderr, /--database URL/);
  assert.deepEqual(files(folder), []);
  rmSync(folder, { recursive: true });
});

test('docs/svc.schema.json is made from the table of keys', () => {
  const schema = execFileSync(svcgen, ['schema'], { encoding: 'utf8' });
  assert.equal(schema, readFileSync(join(root, 'docs/svc.schema.json'), 'utf8'), fix);
});
