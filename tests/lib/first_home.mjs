// What a first start of svcd leaves in its data folder: the master key, a PostgreSQL with the platform's tables, the
// first account. A first start costs a second of a processor, so it happens once a build, and stacks get copies of it.
// No test switches the machine off, so PostgreSQL does not wait for the disk in a copy.
import { execFileSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';

const parts = ['master.key', 'postgres'];
const copy = (from, to) => execFileSync('cp', ['-a', '--reflink=auto', ...parts.map((part) => join(from, part)), to]);

// Another svcd or another PostgreSQL makes another one.
function nameOf(program) {
  const { size, mtimeMs } = statSync(program);
  return [size, mtimeMs, ...readdirSync('/usr/lib/postgresql').sort()].join('-');
}

function keep(home, place) {
  const fresh = `${place}.${process.pid}`, postgres = join(fresh, 'postgres');
  if (existsSync(join(home, 'postgres/data/postmaster.pid'))) throw new Error('PostgreSQL still runs on the first data folder');
  rmSync(fresh, { recursive: true, force: true });  // of a test that was killed while it copied
  mkdirSync(fresh, { recursive: true });
  copy(home, fresh);
  rmSync(join(postgres, 'server.log'), { force: true });
  appendFileSync(join(postgres, 'data/postgresql.conf'), 'fsync = off\n');
  try {
    renameSync(fresh, place);  // whole or not at all
  } catch {
    rmSync(fresh, { recursive: true });  // another test was sooner
  }
}

function dropOthers(folder, name) {
  for (const other of readdirSync(folder))
    if (!other.startsWith(name)) rmSync(join(folder, other), { recursive: true, force: true });
}

// Fills `home` from `kept`. Where there is none for this `program`, `withFirst` calls its argument with a data folder
// whose svcd has ended.
export async function fillHome(kept, program, home, withFirst) {
  const place = join(kept, nameOf(program));
  if (!existsSync(place)) {
    await withFirst((first) => keep(first, place));
    dropOthers(kept, basename(place));
  }
  copy(place, home);
}
