// The PostgreSQL of a test run: the one that is offered, or a private one until stop().
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { root } from './stack.mjs';

export async function postgres() {
  const url = process.env.SVC_TEST_DATABASE_URL;
  if (url) return { url, stop() {} };
  // PostgreSQL runs as long as this command, which ends with its input.
  const command = ['-c', 'echo "$SVC_TEST_DATABASE_URL"; exec cat'];
  const child = spawn(join(root, 'tests/lib/with_postgres'), ['bash', ...command], { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  const first = createInterface(child.stdout)[Symbol.asyncIterator]().next();
  const told = await Promise.race([first, ended.then(() => ({ done: true }))]);
  if (told.done) throw new Error('with_postgres ended');
  return { url: told.value, stop: async () => { child.stdin.end(); await ended; } };
}
