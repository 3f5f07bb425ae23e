// Shares compiled objects between tests: the build cache of a data folder is filled from a folder beside the programs,
// and new objects are kept there. The compiler is the same, and every contract is still compiled once; a new build
// starts with an empty folder. Objects that were not used for a day are deleted.
import { copyFileSync, linkSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

const parts = ['objects', 'bin', 'formatted'];
const dayMs = 24 * 3600 * 1000;

const names = (folder) => {
  try {
    return readdirSync(folder);
  } catch {
    return [];  // nothing was built
  }
};

// Whole or not at all: others read the folder meanwhile. Programs are large, and soon linked again: where /tmp is another
// file system they are not copied.
function place(from, to) {
  try {
    linkSync(from, to);
  } catch (error) {
    if (error.code !== 'EXDEV' && error.code !== 'EPERM') return;  // it is there already, or gone
    if (basename(dirname(from)) === 'bin') return;
    const part = `${to}.${process.pid}`;
    copyFileSync(from, part);
    renameSync(part, to);
  }
}

function share(from, to) {
  for (const part of parts) {
    mkdirSync(join(to, part), { recursive: true });
    const there = new Set(names(join(to, part)));
    for (const name of names(join(from, part)))
      if (!there.has(name)) place(join(from, part, name), join(to, part, name));
  }
}

function dropUnused(folder) {
  for (const part of parts)
    for (const name of names(join(folder, part))) {
      const path = join(folder, part, name);
      const used = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Infinity;
      if (Date.now() - used > dayMs) rmSync(path, { force: true });
    }
}

export function fill(kept, cache) {
  dropUnused(kept);
  share(kept, cache);
}

export const keep = (kept, cache) => share(cache, kept);
