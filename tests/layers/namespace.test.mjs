// Every header declares names in its folder's namespace (docs/design/rooms.md, "Namespaces").
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import test from 'node:test';
import { sources, trees } from '../lib/sources.mjs';
import { root } from '../lib/stack.mjs';

// Folders whose namespace is not `svc` and their name, and everything below them.
const named = {
  cli: 'svc::cli', devapi: 'svc::devapi', 'devapi/verify': 'svc::devapi::verification',
  'devapi/patch': 'svc::devapi::patch', 'devapi/versions': 'svc::devapi::versions',
  generator: 'svc::pipeline', 'runtime-support': 'svc', 'runtime-support/svc': 'svc',
};

// Folders whose rooms have namespaces of their own, because names repeat in them.
const roomy = ['runtime-support/auth', 'runtime-support/data'];

// Headers with another namespace, and why.
const exceptions = {
  'runtime-support/base/env.hpp': ['svc', 'a word of every layer'],
  'runtime-support/base/sql_state.hpp': ['svc::base::sqlstate', 'its constants have general names'],
  'runtime-support/http/error.hpp': ['svc', 'a word of every layer'],
  'runtime-support/http/task.hpp': ['svc', 'a word of every layer'],
  'runtime-support/identity/caller.hpp': ['svc', 'a word of every layer'],
  'runtime-support/identity/key_kind.hpp': ['svc', 'a word of every layer'],
  'runtime-support/page/asset/app_script.hpp': ['svc::page::script', 'cmake/embed.cmake gives every folder of embedded files the same function'],
  'runtime-support/svc/page.hpp': ['svc::page', 'pages have fields, filters and values, as rows do'],
  'generator/emit/data/client_types.hpp': ['svc::emit::typescript', 'its functions say a type of TypeScript by general names'],
};

function namespaceOf(folder) {
  if (named[folder]) return named[folder];
  const parent = dirname(folder);
  if (roomy.includes(parent)) return `${namespaceOf(parent)}::${folder.slice(parent.length + 1)}`;
  return ['generator', 'runtime-support'].includes(parent) ? `svc::${folder.slice(parent.length + 1)}` : namespaceOf(parent);
}

// A namespace in which a header only announces types of others does not count.
const isAnnouncement = (line) => /^((class|struct) \w+;|enum class \w+( : [\w:]+)?;|namespace \w+ \{|\}.*)?$/.test(line.trim().replace(/\s*\/\/.*$/, ''));

function declaredIn(header) {
  const blocks = [...readFileSync(join(root, header), 'utf8').matchAll(/^namespace ([\w:]+) \{(.*\}$|.*\n[^]*?^\}(?:  \/\/ namespace \1)$|.*\n[^]*?^\}$)/gm)];
  return blocks.filter(([, , body]) => !body.split('\n').every(isAnnouncement)).map(([, name]) => name);
}

test('every header has the namespace of its folder', () => {
  const others = [];
  for (const header of trees.flatMap((tree) => sources(tree)).filter((file) => file.endsWith('.hpp'))) {
    const [own] = exceptions[header] ?? [namespaceOf(dirname(header))];
    for (const name of declaredIn(header)) if (name !== own) others.push(`${header} declares names in ${name}; its folder has ${own}`);
  }
  assert.deepEqual(others, []);
});

test('no exception is left over', () => {
  for (const [header, [name]] of Object.entries(exceptions)) {
    assert.ok(existsSync(join(root, header)), `${header} is gone`);
    assert.ok(declaredIn(header).includes(name) && name !== namespaceOf(dirname(header)), `${header} needs no exception`);
  }
});
