// The private PostgreSQL of a stack, as its administrator: past every policy.
import { execFileSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Sql } from './sql.mjs';

export const databaseOf = (project) => `svc_${project.id.replaceAll('-', '').slice(-12)}_dev`;

// How psql reaches it.
export function asAdmin(stack, database) {
  const key = Buffer.from(readFileSync(join(stack.home, 'master.key'), 'utf8').trim(), 'hex');
  const password = createHmac('sha256', key).update('postgres admin').digest('hex');
  return { args: ['-Xq', '-h', join(stack.home, 'run/pg'), '-U', 'svc_admin', '-d', database], env: { ...process.env, PGPASSWORD: password } };
}

// Rows of texts.
export function sql(stack, database, text) {
  const { args, env } = asAdmin(stack, database);
  // The SQL is psql's input: a list of ids may be longer than an argument.
  const out = execFileSync('psql', [...args, '-At1', '-v', 'ON_ERROR_STOP=1', '-F', '\t', '-f', '-'], { env, encoding: 'utf8', input: text, maxBuffer: 1 << 26 });
  return out.split('\n').filter(Boolean).map((line) => line.split('\t'));
}

// A session that stays, for transactions that a test holds open. Whoever has it closes it.
export function adminSession(stack, database) {
  const { args, env } = asAdmin(stack, database);
  return new Sql(`host=${args[args.indexOf('-h') + 1]} user=svc_admin dbname=${database} password=${env.PGPASSWORD}`);
}
