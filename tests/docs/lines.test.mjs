// Prose ends its lines at 120 columns; tables and blocks of code may be wider.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { root } from '../lib/stack.mjs';

const kColumns = 120;

const pagesIn = (folder) => readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
  const path = `${folder}/${entry.name}`;
  if (entry.isDirectory()) return pagesIn(path);
  return path.endsWith('.md') ? [path] : [];
});
const pages = ['README.md', ...pagesIn('docs')];

function wideLines(page) {
  let code = false;
  return readFileSync(join(root, page), 'utf8').split('\n').flatMap((line, at) => {
    const fence = line.trimStart().startsWith('```');
    if (fence) code = !code;
    const prose = !code && !fence && !line.trimStart().startsWith('|');
    return prose && [...line].length > kColumns ? [`${page}:${at + 1}`] : [];
  });
}

test('lines of prose end at 120 columns', () => {
  assert.ok(pages.length > 10, 'the pages are found');
  assert.deepEqual(pages.flatMap(wideLines), []);
});
