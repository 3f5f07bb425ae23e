// Compares the table of docs/design/layers.md, which says who may include whom, with every #include of the sources.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync, existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import test from 'node:test';
import { sources, trees } from '../lib/sources.mjs';
import { root } from '../lib/stack.mjs';

// Headers of a library, as the table names it.
const headersOf = {
  Boost: ['boost/'], 'c-ares': ['ares.h'], 'cmark-gfm': ['cmark-gfm.h'], CLI11: ['CLI/'], libcurl: ['curl/'], libfido2: ['fido'], liboath: ['liboath/'],
  libpg_query: ['pg_query.h'], libpq: ['libpq-fe.h'], libpqxx: ['pqxx/'], libpsl: ['libpsl.h'], libqrencode: ['qrencode.h'],
  libsodium: ['sodium.h'], mustache: ['kainjow/'], 'nlohmann/json': ['nlohmann/'], OpenSSL: ['openssl/'],
};

// "`generator/plan`, `base`" beside a folder of the runtime: whole paths, and folders of the same tree.
function row(line) {
  const cells = line.split('|').slice(1, -1).map((cell) => cell.trim());
  const folder = /^`([\w./-]+)`$/.exec(cells[0])?.[1];
  if (!folder || cells.length !== 4) return null;
  const tree = folder.split('/')[0];
  const names = [...cells[2].matchAll(/`([^`]+)`/g)].map(([, name]) => name);
  const own = names.map((name) => (existsSync(join(root, tree, name)) && !name.startsWith(`${tree}/`) ? `${tree}/${name}` : name));
  const libraries = cells[3] === '' ? [] : cells[3].split(', ').map((library) => {
    assert.ok(headersOf[library], `the table names ${library} beside ${folder}; which headers are that?`);
    return headersOf[library];
  });
  return { folder, own: [folder, ...own], libraries: libraries.flat() };
}

const table = readFileSync(join(root, 'docs/design/layers.md'), 'utf8').split('\n').filter((line) => line.startsWith('| `')).map(row).filter(Boolean);

// The row of a file: that of its own name, else of the innermost folder that has one.
const isIn = (file, folder) => file === folder || file.startsWith(`${folder}/`);
const rowOf = (file) => table.filter(({ folder }) => isIn(file, folder)).sort((a, b) => b.folder.length - a.folder.length)[0];

// Where a quoted include leads: the folders that a tree is compiled with, in their order.
const roots = {
  generator: ['generator', 'runtime-support'], 'runtime-support': ['runtime-support'],
  devapi: ['devapi', 'generator', 'runtime-support'], cli: ['.', 'generator', 'runtime-support'], generated: ['generated'],
};
const target = (file, name) => roots[file.split('/')[0]].map((folder) => join(folder, name)).find((path) => existsSync(join(root, path)));

// The lightest standard headers: what generated code includes decides what a build costs.
const lightHeaders = ['cstdint', 'initializer_list', 'span', 'string', 'string_view', 'type_traits', 'vector'];

const includes = (file) => [...readFileSync(join(root, file), 'utf8').matchAll(/^\s*#\s*include\s+([<"])([^>"]+)[>"]/gm)]
  .map(([, mark, name]) => ({ quoted: mark === '"', name }));

const isSystem = (name) => !name.includes('/') && !/\.(hpp|h)$/.test(name);
const isPosix = (name) => /^(sys|netinet|arpa|linux)\//.test(name) ||
  ['csignal', 'dlfcn.h', 'fcntl.h', 'poll.h', 'pwd.h', 'grp.h', 'signal.h', 'spawn.h', 'termios.h', 'unistd.h', 'netdb.h', 'sched.h', 'dirent.h'].includes(name);

for (const { folder, own, libraries } of table.filter(({ folder: name }) => trees.includes(name.split('/')[0]))) {
  test(`${folder} includes what its layer may`, () => {
    const files = trees.flatMap((tree) => sources(tree)).filter((file) => rowOf(file)?.folder === folder);
    assert.ok(files.length > 0, `the table has a row for ${folder}, where nothing stands`);
    for (const file of files) {
      for (const { quoted, name } of includes(file)) {
        const path = quoted ? target(file, name) : null;
        const fine = quoted
          ? path !== undefined && own.some((other) => isIn(path, other))
          : isSystem(name) || isPosix(name) || libraries.some((library) => name.startsWith(library));
        assert.ok(fine, `${file} includes ${name}`);
      }
    }
  });
}

// No two layers may allow each other, directly or through others.
test('no two rows of the table allow each other', () => {
  const reaches = (from, to, seen = new Set()) => {
    if (seen.has(from)) return false;
    seen.add(from);
    const allowed = table.filter(({ folder }) => folder === from)[0].own.filter((name) => name !== from);
    const next = table.map(({ folder }) => folder).filter((folder) => folder !== from && allowed.some((name) => isIn(folder, name)));
    return next.some((folder) => folder === to || reaches(folder, to, seen));
  };
  for (const { folder } of table) assert.ok(!reaches(folder, folder), `${folder} may include what may include it`);
});

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
  for (const file of sources('devapi').filter((f) => /verify\/(oracle|verify_caller)/.test(f))) {
    for (const { quoted, name } of includes(file)) {
      const fine = !quoted || ['model/', 'verify/oracle/oracle.hpp', 'verify/verify_caller.hpp', 'plan/names.hpp'].some((prefix) => name.startsWith(prefix));
      assert.ok(fine, `${file} includes ${name}`);
    }
  }
});

// A room: a folder without a row within a folder that has one.
const foldersIn = (folder) => readdirSync(join(root, folder), { withFileTypes: true }).filter((entry) => entry.isDirectory()).map(({ name }) => `${folder}/${name}`);
const inRows = table.map(({ folder }) => folder).filter((folder) => !folder.endsWith('.hpp'));
const rooms = inRows.flatMap(foldersIn).filter((room) => !inRows.includes(room) && sources(room).length > 0);
const roomOf = (file) => rooms.find((room) => isIn(file, room));

test('no two rooms of a folder include each other', () => {
  const next = new Map(rooms.map((room) => [room, new Set()]));
  for (const room of rooms) {
    for (const file of sources(room)) {
      for (const { name } of includes(file).filter(({ quoted }) => quoted)) {
        const other = roomOf(target(file, name) ?? '');
        if (other && other !== room && dirname(other) === dirname(room)) next.get(room).add(other);
      }
    }
  }
  const reaches = (from, to, seen = new Set()) => [...next.get(from)].some((room) => room === to ||
    (!seen.has(room) && reaches(room, to, seen.add(room))));
  assert.deepEqual(rooms.filter((room) => reaches(room, room)), []);
});

test('the page of rooms names every room, and no other', () => {
  const named = readFileSync(join(root, 'docs/design/rooms.md'), 'utf8').split('\n## `').slice(1).flatMap((part) => {
    const folder = part.slice(0, part.indexOf('`'));
    return [...part.matchAll(/^\| `([\w-]+)` \|/gm)].map(([, room]) => `${folder}/${room}`);
  });
  assert.deepEqual(named.sort(), [...rooms].sort());
});

test('every source has its row', () => {
  for (const file of trees.flatMap((tree) => sources(tree))) assert.ok(rowOf(file), `${file} is in no layer`);
});
