// Guessing the passwords of builders: what a burst gets through, and what owners and admins read of it afterwards.
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { sql } from '../lib/admin_sql.mjs';
import { Stack, owner, until } from '../lib/stack.mjs';

let stack;
before(async () => {
  stack = await Stack.start({ SVC_TRUSTED_PROXIES: '127.0.0.1' });
  await stack.signIn();
});
after(() => stack?.stop());

// Whoever guesses, from an address of their own.
const from = (address) => ({ 'x-forwarded-for': address });
const session = (email, password, address) => stack.fetch('POST', '/dev/v1/session', { headers: from(address), body: { email, password } });
const form = (path, body, address) => stack.fetch('POST', path, {
  headers: { 'content-type': 'application/x-www-form-urlencoded', ...from(address) }, body: new URLSearchParams(body).toString() });
const burst = async (count, one) => {
  const all = await Promise.all(Array.from({ length: count }, (_, i) => one(i)));
  return all.map(({ status }) => status).sort();
};
const tenOf = (count, refused) => [...Array(10).fill(refused), ...Array(count - 10).fill(429)].sort();
const entries = async () => (await stack.dev('GET', `/workspaces/${stack.workspace}/audit?limit=200`, undefined, { expect: 200 })).json.entries;
const notesFrom = async (address) => (await entries()).filter((entry) => entry.address === address);

test('a burst of parallel tries gets ten passwords through, whichever way a password is shown', async () => {
  assert.deepEqual(await burst(40, () => session(owner.email, 'wrong', '203.0.113.1')), tenOf(40, 401));
  const code = (await stack.dev('POST', '/cli/login', {}, { token: null, expect: 200 })).json.userCode;
  const page = () => form('/cli-login', { action: 'sign-in', code, email: owner.email, password: 'wrong' }, '203.0.113.2');
  assert.deepEqual(await burst(40, page), tenOf(40, 401));
  const link = () => stack.fetch('POST', '/setup', { headers: from('203.0.113.3'), body: { token: 'guessed', password: 'long enough' } });
  assert.deepEqual(await burst(40, link), tenOf(40, 404));
  const codes = (i) => form('/cli-login', { action: 'sign-in', code: `BBBB-BBB${'BCDFGHJKLMNPQRSTVWXZ'[i % 20]}`, ...owner }, '203.0.113.4');
  assert.deepEqual(await burst(40, codes), tenOf(40, 404));
});

test('what was right counts nowhere, however many at once', async () => {
  for (let round = 0; round < 3; ++round) {
    assert.deepEqual(await burst(8, () => session(owner.email, owner.password, '203.0.113.9')), Array(8).fill(200));
  }
});

test('failed and locked-out sign-ins are in the audit, a lock-out once', async () => {
  for (const [address, action] of [['203.0.113.1', 'POST /session'], ['203.0.113.2', 'POST /cli-login']]) {
    const told = await until('the notes', async () => {
      const found = await notesFrom(address);
      return found.length === 11 && found;
    });
    assert.ok(told.every((entry) => entry.action === action && entry.email === owner.email && entry.userId));
    const codes = told.map(({ status, code }) => `${status} ${code}`).sort();
    assert.deepEqual(codes, [...Array(10).fill('401 UNAUTHENTICATED'), '429 RATE_LIMITED']);
  }
});

test('an outsider cannot fill the audit, and writes nothing for an address that is nobody\'s', async () => {
  const count = () => Number(sql(stack, 'svc_platform', "select count(*) from audit where action = 'POST /session' and status <> 200")[0][0]);
  for (let i = 0; i < 12; ++i) await burst(12, () => session(owner.email, 'wrong', `198.51.100.${i}`));
  await burst(5, (i) => session(`nobody${i}@example.test`, 'wrong', '198.51.100.99'));
  await session(owner.email, 'wrong', '192.0.2.1');
  await until('the last note', async () => (await entries()).some(({ target }) => target === 'more of this hour are not written'));
  assert.ok(count() <= 61, `${count()} rows`);
  assert.deepEqual(sql(stack, 'svc_platform', "select count(*) from audit where email like 'nobody%'"), [['0']]);
});
