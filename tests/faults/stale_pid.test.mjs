// The private PostgreSQL where its postmaster was killed together with svcd: the number in its pid file may be a dead
// process's that nobody has asked for, or another program's by now.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { after, before } from 'node:test';
import { Stack } from '../lib/stack.mjs';
import { kill, postmaster } from './victims.mjs';

let stack;
Stack.durable = true;
before(async () => { stack = await Stack.start(); });
after(() => stack?.stop());

const file = () => join(stack.home, 'postgres', 'data', 'postmaster.pid');
// PostgreSQL can only signal processes of its own user.
const owner = () => (process.getuid() === 0 ? { uid: Number(execFileSync('id', ['-u', 'postgres'])), gid: Number(execFileSync('id', ['-g', 'postgres'])) } : {});

async function killTogether() {
  const victim = { pid: postmaster(stack.home) };
  stack.child.kill('SIGKILL');
  kill([victim]);
  await stack.ended;
}

test('svcd starts right after both were killed', async () => {
  await killTogether();
  await stack.run();
});

test('svcd starts where the number is another program\'s', async () => {
  const left = readFileSync(file(), 'utf8').split('\n');
  await killTogether();
  const other = spawn('sleep', ['1000'], { ...owner(), cwd: '/', stdio: 'ignore' });
  try {
    writeFileSync(file(), [other.pid, ...left.slice(1)].join('\n'));
    await stack.run();
    assert.notEqual(postmaster(stack.home), other.pid);
  } finally {
    other.kill('SIGKILL');
  }
});
