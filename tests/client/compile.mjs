// The typed client as a project has it, compiled by TypeScript at its strictest.
import { spawnSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after } from 'node:test';
import { fileURLToPath } from 'node:url';
import { packages } from '../lib/npm.mjs';

export const here = dirname(fileURLToPath(import.meta.url));
const tsc = packages(here).resolve('typescript/bin/tsc');
export const work = mkdtempSync(join(tmpdir(), 'svc-client-'));
after(() => rmSync(work, { recursive: true }));

// A folder of its own: client/, the named sources of this folder, and what TypeScript says of them.
export function compiled(name, client, sources = [], types = []) {
  const folder = join(work, name);
  cpSync(client, join(folder, 'client'), { recursive: true });
  for (const source of sources) copyFileSync(join(here, source), join(folder, source));
  const { compilerOptions } = JSON.parse(readFileSync(join(here, 'tsconfig.json'), 'utf8'));
  writeFileSync(join(folder, 'package.json'), '{"type": "module"}');
  const files = ['client/index.ts', ...sources, ...types];
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: { ...compilerOptions, outDir: 'out' }, files }));
  const run = spawnSync(process.execPath, [tsc, '-p', folder], { encoding: 'utf8', cwd: folder });
  return { folder, status: run.status, told: run.stdout };
}
