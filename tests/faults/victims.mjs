// The processes to kill: those of one svcd and its data folder, found through /proc.
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../lib/stack.mjs';

const read = (path) => {
  try { return readFileSync(path, 'utf8'); } catch { return ''; }
};

export function processes() {
  return readdirSync('/proc').filter((name) => /^\d+$/.test(name)).flatMap((name) => {
    const [, state, parent] = /^\d+ \(.*\) (\S) (\d+)/s.exec(read(`/proc/${name}/stat`)) ?? [];
    if (!parent || state === 'Z') return [];
    const words = read(`/proc/${name}/cmdline`).split('\0');
    return [{ pid: Number(name), parent: Number(parent), words }];
  });
}

export function below(pid, all = processes()) {
  const found = all.filter((process) => process.parent === pid);
  return found.flatMap((process) => [process, ...below(process.pid, all)]);
}

export const executable = (pid) => {
  try { return readlinkSync(`/proc/${pid}/exe`); } catch { return ''; }
};

export function appServers(home, all = processes()) {
  return all.filter((p) => p.words[1] === '--control' && p.words[2]?.startsWith(`${home}/run/apps/`));
}

// Compilers, linkers, formatters, and what they run in.
const tools = /\/(cc1plus|as|(mold|ld)|[gc]\+\+(-\d+)?|collect2|bwrap|clang-format(-\d+)?)$/;
export function compilers(svcd, all = processes()) {
  return below(svcd, all).filter((p) => tools.test(p.words[0]));
}
export function strayCompilers(home, all = processes()) {
  return all.filter((p) => tools.test(p.words[0]) && p.words.some((word) => word.includes(home)));
}

export function postmaster(home) {
  return Number(read(join(home, 'postgres/data/postmaster.pid')).split('\n')[0]) || 0;
}
// The children of a killed postmaster answer for a moment longer: that is not another PostgreSQL.
export const postgresAfter = (home, killed) => until('another PostgreSQL', () => ![0, killed].includes(postmaster(home)), 60000);
// Server processes of client connections.
export function backends(home, all = processes()) {
  return all.filter((p) => p.parent === postmaster(home) && /^postgres: \w+ \w+ \[local\]/.test(p.words[0]));
}

export function kill(list) {
  let killed = 0;
  for (const { pid } of list) {
    try {
      process.kill(pid, 'SIGKILL');
      killed += 1;
    } catch {
      // gone already
    }
  }
  return killed;
}
