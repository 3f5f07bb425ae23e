// The closed list of error codes of app servers: the page describes each, and some test expects it of a server.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { root } from '../lib/stack.mjs';

const read = (path) => readFileSync(join(root, path), 'utf8');
const codes = [...new Set([...read('runtime-support/http/error.cpp').matchAll(/CodeRow\{Code::\w+, "(\w+)", \d+\}/g)].map(([, name]) => name))];

// These measure, or pick codes from what they see.
const others = ['bench', 'chaos', 'docs', 'fuzz', 'golden'];
const testsIn = (folder) => readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
  const path = `${folder}/${entry.name}`;
  if (entry.isDirectory()) return others.includes(entry.name) ? [] : testsIn(path);
  return entry.name.endsWith('.mjs') ? [path] : [];
});

test('the page describes each code', () => {
  assert.ok(codes.length > 70, 'the codes are found');
  const page = read('docs/http/app.md');
  assert.deepEqual(codes.filter((code) => !page.includes(`\`${code}\``)), []);
});

test('a test expects each code', () => {
  // What a comment says is no test.
  const expected = testsIn('tests').map((path) => read(path).replace(/^\s*\/\/.*$/gm, '')).join('\n');
  const words = new Set(expected.match(/\b[A-Z][A-Z_]+\b/g));
  assert.deepEqual(codes.filter((code) => !words.has(code)), []);
});

test('the OpenAPI document names codes of the list alone', () => {
  // {"codes": {"NOT_FOUND": "…"}}; a SQLSTATE has digits.
  const documented = [...read('templates/openapi_responses.json.mustache').matchAll(/"codes": (\{.*?\})\}/g)].flatMap(([, object]) => Object.keys(JSON.parse(object)));
  assert.ok(documented.length > 50, 'the codes are found');
  assert.deepEqual(documented.filter((code) => !/\d/.test(code) && !codes.includes(code)), []);
});
