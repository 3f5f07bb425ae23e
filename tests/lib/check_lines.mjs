// Many contracts through the generator in one run.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { bin } from './stack.mjs';

// For each contract: does it break the table of keys, and its findings {severity, code, path}. `database` is the
// URL of a PostgreSQL that proves named queries.
export function checked(contracts, database = '') {
  const input = contracts.map((contract) => `${JSON.stringify(contract)}\n`).join('');
  const run = spawnSync(join(bin, 'svcgen'), ['check-lines'], { input, encoding: 'utf8', maxBuffer: 1 << 29, env: { ...process.env, SVC_DATABASE_URL: database } });
  if (run.status !== 0) throw new Error(`svcgen check-lines: ${run.status ?? run.signal} ${run.stderr}`);
  const lines = run.stdout.split('\n').slice(0, -1);
  if (lines.length !== contracts.length) throw new Error(`${contracts.length} contracts, ${lines.length} answers`);
  return lines.map((line) => {
    const [shape, ...findings] = line.split('\t');
    const read = (word) => {
      const [, severity, code, path] = /^(error|warning):([A-Z_]+):(.*)$/s.exec(word);
      return { severity, code, path };
    };
    return { shape: shape === 'shape', findings: findings.map(read) };
  });
}
