// What the generator prints, held against what is committed: the samples' code in generated/, and the
// findings of contracts with one mistake each. `./run goldens` rewrites both.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync, existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { after } from 'node:test';
import { postgres } from '../lib/postgres.mjs';
import { bin, root } from '../lib/stack.mjs';

const svcgen = join(bin, 'svcgen');
const database = await postgres();  // proves named queries
after(() => database.stop());
const env = { ...process.env, SVC_DATABASE_URL: database.url };
const mend = 'If the change is meant: ./run goldens, then review the difference.';

function files(folder, below = '') {
  return readdirSync(join(folder, below), { withFileTypes: true }).flatMap((entry) => {
    const path = below ? `${below}/${entry.name}` : entry.name;
    return entry.isDirectory() ? files(folder, path) : [path];
  }).sort();
}

function emitted(sample) {
  const folder = mkdtempSync(join(tmpdir(), 'svc-golden-'));
  execFileSync(svcgen, ['emit', join(root, 'samples', sample, 'svc.json'), folder], { stdio: 'pipe', env });
  return folder;
}

for (const sample of readdirSync(join(root, 'samples'))) {
  test(`generated/${sample} is what the generator makes of the sample`, () => {
    const folder = emitted(sample);
    try {
      const committed = join(root, 'generated', sample);
      assert.deepEqual(files(folder), files(committed), mend);
      for (const file of files(folder)) {
        assert.equal(readFileSync(join(folder, file), 'utf8'), readFileSync(join(committed, file), 'utf8'), `${sample}/${file}: ${mend}`);
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
  assert.equal(schema, readFileSync(join(root, 'docs/svc.schema.json'), 'utf8'), mend);
});

const errors = join(root, 'tests/golden/errors');
for (const name of existsSync(errors) ? readdirSync(errors).sort() : []) {
  test(`errors/${name}`, () => {
    const cwd = join(errors, name);
    const run = spawnSync(svcgen, ['check', '--colour', 'never', 'svc.json'], { cwd, env, encoding: 'utf8' });
    assert.equal(run.stderr, readFileSync(join(cwd, 'errors.txt'), 'utf8'), mend);
    assert.ok(run.status === 0 || run.status === 1, `exit ${run.status}`);
  });
}
