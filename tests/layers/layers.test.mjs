// Who may include whom: the table of docs/ARCHITECTURE.md, held against every #include of the sources.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { root } from '../lib/stack.mjs';

// Folder -> what its quoted includes may begin with, and which outside libraries it may name.
const runtime = ['base/', 'svc/', 'sql/', 'log/', 'http/', 'db/', 'json/', 'data/', 'identity/', 'auth/', 'outgoing/', 'ops/'];
const generator = ['diag/', 'contract/', 'model/', 'check/', 'plan/', 'query/', 'emit/', 'build/', 'migrate/', 'pipeline.hpp'];
const runtimeLibraries = ['liboath/', 'qrencode.h', 'fido', 'boost/', 'libpq-fe.h', 'openssl/', 'sodium.h', 'nlohmann/'];
const layers = {
  'generator/diag': { own: ['diag/', 'base/'], libraries: [] },
  'generator/contract': { own: ['base/', 'contract/', 'diag/'], libraries: ['nlohmann/'] },
  'generator/model': { own: ['base/', 'model/', 'contract/', 'diag/'], libraries: [] },
  'generator/check': { own: ['base/', 'check/', 'plan/', 'model/', 'diag/'], libraries: ['nlohmann/'] },
  'generator/plan': { own: ['base/', 'plan/', 'model/', 'diag/'], libraries: [] },
  'generator/query': { own: ['base/', 'query/', 'plan/', 'diag/', 'sql/allowed.hpp'], libraries: ['nlohmann/', 'pg_query.h', 'libpq-fe.h'] },
  'generator/emit': { own: ['base/', 'emit/', 'plan/', 'diag/'], libraries: ['kainjow/', 'nlohmann/'] },
  'generator/build': { own: ['base/', 'build/', 'emit/', 'diag/'], libraries: [] },
  'generator/migrate': { own: ['base/', 'migrate/', 'plan/', 'diag/'], libraries: ['pqxx/'] },
  'runtime-support/base': { own: ['base/'], libraries: ['sodium.h', 'openssl/'] },
  'runtime-support/svc': { own: ['svc/'], libraries: [] },
  'runtime-support/sql': { own: [], libraries: [] },
  'runtime-support/log': { own: ['log/', 'base/'], libraries: [] },
  'runtime-support/http': { own: ['base/', 'svc/', 'log/', 'http/'], libraries: ['boost/'] },
  'runtime-support/db': { own: ['base/', 'svc/', 'log/', 'http/', 'db/'], libraries: ['boost/', 'libpq-fe.h'] },
  'runtime-support/json': { own: ['base/', 'svc/', 'json/', 'http/', 'db/'], libraries: ['nlohmann/', 'libpq-fe.h'] },
  'runtime-support/data': { own: ['base/', 'svc/', 'sql/', 'http/', 'db/', 'json/', 'identity/', 'log/', 'data/'], libraries: ['boost/', 'nlohmann/', 'sodium.h', 'libpq-fe.h'] },
  'runtime-support/identity': { own: ['base/', 'svc/', 'http/', 'db/', 'json/', 'log/', 'identity/', 'data/', 'ops/'], libraries: runtimeLibraries },
  'runtime-support/outgoing': { own: ['base/', 'http/', 'outgoing/'], libraries: ['boost/', 'sodium.h', 'curl/'] },
  'runtime-support/auth': { own: runtime, libraries: runtimeLibraries },
  'runtime-support/ops': { own: runtime, libraries: runtimeLibraries },
  'devapi': { own: [...generator, ...runtime, 'devapi/', ''], libraries: ['boost/', 'pqxx/', 'openssl/', 'sodium.h', 'nlohmann/', 'libpq-fe.h', 'CLI/', 'ares.h', 'libpsl.h'] },
  'cli': { own: ['base/', 'diag/', 'cli/', 'outgoing/curl.hpp'], libraries: ['curl/', 'nlohmann/', 'CLI/'] },
};
// The lightest standard headers: what generated code includes decides what a build costs.
const lightHeaders = ['cstdint', 'initializer_list', 'span', 'string', 'string_view', 'type_traits', 'vector'];

function sources(folder, found = []) {
  for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) sources(path, found);
    else if (/\.(cpp|hpp)$/.test(entry.name)) found.push(path);
  }
  return found;
}

const includes = (file) => [...readFileSync(join(root, file), 'utf8').matchAll(/^\s*#\s*include\s+([<"])([^>"]+)[>"]/gm)]
  .map(([, mark, name]) => ({ quoted: mark === '"', name }));

const isSystem = (name) => !name.includes('/') && !/\.(hpp|h)$/.test(name);
const isPosix = (name) => /^(sys|netinet|arpa|linux)\//.test(name) ||
  ['csignal', 'dlfcn.h', 'fcntl.h', 'poll.h', 'pwd.h', 'grp.h', 'signal.h', 'spawn.h', 'termios.h', 'unistd.h', 'netdb.h', 'sched.h', 'dirent.h'].includes(name);

for (const [folder, { own, libraries }] of Object.entries(layers)) {
  test(`${folder} includes what its layer may`, () => {
    for (const file of sources(folder)) {
      for (const { quoted, name } of includes(file)) {
        const fine = quoted
          ? own.some((prefix) => prefix !== '' && name.startsWith(prefix)) || (own.includes('') && existsSync(join(root, folder, name)))
          : isSystem(name) || isPosix(name) || libraries.some((library) => name.startsWith(library));
        assert.ok(fine, `${file} includes ${name}`);
      }
    }
  });
}

test('generated code sees only the light headers and itself', () => {
  for (const file of sources('generated')) {
    for (const { quoted, name } of includes(file)) {
      assert.ok(quoted ? !name.includes('..') : name.startsWith('svc/'), `${file} includes ${name}`);
    }
  }
});

test('the headers that generated code sees name no heavy one', () => {
  for (const file of sources('runtime-support/svc').filter((f) => f.endsWith('.hpp'))) {
    for (const { quoted, name } of includes(file)) {
      assert.ok(quoted || lightHeaders.includes(name) || name === 'svc/app.hpp', `${file} includes <${name}>`);
    }
  }
});

test('what a verification holds the app against shares nothing with what makes the app', () => {
  for (const file of sources('devapi').filter((f) => /verify\/(oracle|asker)/.test(f))) {
    for (const { quoted, name } of includes(file)) {
      const fine = !quoted || ['model/', 'verify/oracle.hpp', 'verify/asker.hpp', 'plan/names.hpp'].some((prefix) => name.startsWith(prefix));
      assert.ok(fine, `${file} includes ${name}`);
    }
  }
});

test('every source folder has its row', () => {
  for (const file of [...sources('generator'), ...sources('runtime-support'), ...sources('devapi'), ...sources('cli')]) {
    const known = Object.keys(layers).some((folder) => file.startsWith(`${folder}/`));
    const top = /^(generator\/(pipeline\w*|svcgen\w*)\.(cpp|hpp)|runtime-support\/pch\.hpp)$/.test(file);
    assert.ok(known || top, `${file} is in no layer`);
  }
});
