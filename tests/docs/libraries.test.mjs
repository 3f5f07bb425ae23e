// Every dependency has a line that says why it is there (docs/design/libraries.md): the packages of npm, and the
// libraries that the table of layers allows.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { root } from '../lib/stack.mjs';

const lines = (page) => readFileSync(join(root, page), 'utf8').split('\n').filter((line) => line.startsWith('| '));
const cells = (line) => line.split('|').slice(1, -1).map((cell) => cell.trim());
const known = lines('docs/design/libraries.md').map(cells).filter(([, why]) => why && why !== 'why')
  .flatMap(([names]) => names.split(/, | with | \(/));

const foldersIn = (folder) => readdirSync(join(root, folder), { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && entry.name !== 'node_modules').flatMap(({ name }) => [`${folder}/${name}`, ...foldersIn(`${folder}/${name}`)]);
const manifests = ['web', ...foldersIn('tests')].map((folder) => join(root, folder, 'package.json')).filter((path) => existsSync(path));

test('packages of npm have their line', () => {
  assert.ok(manifests.length > 5, 'the packages are found');
  const packages = manifests.flatMap((path) => {
    const { dependencies, devDependencies } = JSON.parse(readFileSync(path, 'utf8'));
    return Object.keys({ ...dependencies, ...devDependencies });
  });
  assert.deepEqual(packages.filter((name) => !known.includes(name)), []);
});

test('libraries of the table of layers have their line', () => {
  const libraries = lines('docs/design/layers.md').map(cells).filter((row) => row.length === 4 && row[0].startsWith('`'))
    .flatMap((row) => (row[3] ? row[3].split(', ') : []));
  assert.ok(libraries.length > 20, 'the libraries are found');
  const missing = (name) => !known.some((line) => line === name || line.startsWith(`${name}.`) || line.endsWith(name));
  assert.deepEqual([...new Set(libraries.filter(missing))], []);
});
