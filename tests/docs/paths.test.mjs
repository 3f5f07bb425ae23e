// A file of the source that the pages name is there: its path is the end of a path in the tree.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { root } from '../lib/stack.mjs';

const kSources = ['runtime-support', 'generator', 'devapi', 'cli', 'web', 'tests', 'tools', 'templates', 'toolchain', 'generated', 'docs', 'samples', 'cmake'];
const kNamed = /`([\w.-]+(?:\/[\w.-]+)+\.(?:cpp|hpp|sql|mjs|ts|tsx|mustache|sh|md|json))`/g;

const filesIn = (folder, wanted) => readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
  const path = `${folder}/${entry.name}`;
  if (entry.name === 'node_modules') return [];
  if (entry.isDirectory()) return filesIn(path, wanted);
  return wanted(path) ? [path] : [];
});
const pages = ['README.md', ...filesIn('docs', (path) => path.endsWith('.md'))];
const sources = kSources.flatMap((folder) => filesIn(folder, () => true));

// What an app or a developer has, and this repository has not.
const ofOthers = (path) => path.startsWith('.') || path.startsWith('node_modules/');

function missingIn(page) {
  return [...readFileSync(join(root, page), 'utf8').matchAll(kNamed)]
    .map(([, path]) => path)
    .filter((path) => !ofOthers(path) && !sources.some((known) => known === path || known.endsWith(`/${path}`)))
    .map((path) => `${page}: ${path}`);
}

test('files that the pages name are there', () => {
  assert.ok(pages.length > 10 && sources.length > 1000, 'pages and sources are found');
  assert.deepEqual(pages.flatMap(missingIn), []);
});
