// The typed client: compiled by TypeScript at its strictest for every sample and for hostile names, checked against
// wrong uses, and run against a shop.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { pathToFileURL } from 'node:url';
import { databaseOf, sql } from '../lib/admin_sql.mjs';
import { hostile } from '../lib/hostile_contract.mjs';
import { totp } from '../lib/oathtool.mjs';
import { Stack, bin, root, sample } from '../lib/stack.mjs';
import { compiled, work } from './compile.mjs';

for (const name of readdirSync(join(root, 'samples'))) {
  test(`${name}: its client compiles`, () => {
    const { status, told } = compiled(name, join(root, 'generated', name, 'client'));
    assert.equal(status, 0, told);
  });
}

test('names that are words of TypeScript, and texts that try to end their literals, compile', () => {
  const contract = join(work, 'svc.json');
  writeFileSync(contract, JSON.stringify(hostile));
  execFileSync(join(bin, 'svcgen'), ['emit', contract, join(work, 'emitted')], { stdio: 'pipe' });
  const { status, told, folder } = compiled('hostile', join(work, 'emitted/client'));
  assert.equal(status, 0, told);
  const schema = readFileSync(join(folder, 'client/schema.ts'), 'utf8');
  for (const value of hostile.entities[0].fields[0].values) assert.ok(schema.includes(JSON.stringify(value)), value);
});

test('wrong uses do not compile', () => {
  const { status, told } = compiled('misuse', join(root, 'generated/shop/client'), ['misuse.ts']);
  assert.equal(status, 0, told);  // each expected error is one
});

test('the client against a running shop', async () => {
  writeFileSync(join(work, 'node.d.ts'), `declare module "node:assert/strict" {
  interface Assert { ok(value: unknown, message?: string): asserts value; equal(a: unknown, b: unknown, message?: string): void;
    deepEqual(a: unknown, b: unknown, message?: string): void; rejects(run: Promise<unknown>, check: (error: any) => boolean): Promise<void> }
  const assert: Assert; export default assert; }`);
  const { status, told, folder } = compiled('shop', join(root, 'generated/shop/client'), ['shop.ts'], ['../node.d.ts']);
  assert.equal(status, 0, told);
  const { run } = await import(pathToFileURL(join(folder, 'out/shop.js')));
  const stack = await Stack.start();
  try {
    await stack.signIn();
    const project = await stack.project('Client');
    await stack.apply(project, sample('shop'));
    const [[clerk]] = sql(stack, databaseOf(project), "select id from svc.account where email = 'kim@example.test'");
    await run({ clerk, url: `http://127.0.0.1:${stack.port}/preview/${project.id}`, browserKey: project.browser, serverKey: project.server, code: totp });
  } finally {
    await stack.stop();
  }
});
