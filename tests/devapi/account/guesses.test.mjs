// Guessing the passwords of builders: what a burst gets through, and what owners and admins read of it afterwards.
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { sql } from '../../lib/admin_sql.mjs';
import { totp } from '../../lib/oathtool.mjs';
import { Stack, owner, until } from '../../lib/stack.mjs';

let stack;
before(async () => {
  stack = await Stack.start({ SVC_TRUSTED_PROXIES: '127.0.0.1' });
  await stack.signIn();
});
after(() => stack?.stop());

// Headers of a guesser with this address.
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

test('an outsider cannot fill the audit, and writes nothing for an unknown address', async () => {
  const count = () => Number(sql(stack, 'svc_platform', "select count(*) from audit where action = 'POST /session' and status <> 200")[0][0]);
  for (let i = 0; i < 12; ++i) await burst(12, () => session(owner.email, 'wrong', `198.51.100.${i}`));
  await burst(5, (i) => session(`nobody${i}@example.test`, 'wrong', '198.51.100.99'));
  await session(owner.email, 'wrong', '192.0.2.1');
  await until('the last note', async () => (await entries()).some(({ target }) => target === 'further ones in this hour are not recorded'));
  assert.ok(count() <= 61, `${count()} rows`);
  assert.deepEqual(sql(stack, 'svc_platform', "select count(*) from audit where email like 'nobody%'"), [['0']]);
});

// Somebody with the owner's password.
function builder(email) {
  const [[id]] = sql(stack, 'svc_platform', `with a as (insert into account (id, email, password_hash) select gen_random_uuid(), '${email}', password_hash
    from account where email = '${owner.email}' returning id) insert into member (workspace_id, user_id, role) select '${stack.workspace}', id, 'viewer' from a returning user_id`);
  return id;
}

test('an attacker with many networks can try a hundred passwords of an account', async () => {
  builder('wide@example.test');
  const guess = (i) => session('wide@example.test', 'wrong', `2001:db8:7:${i.toString(16)}::1`);
  const answers = [];
  for (let i = 0; i < 104; i += 8) answers.push(...await burst(8, (j) => guess(i + j)));
  assert.deepEqual([401, 429].map((code) => answers.filter((one) => one === code).length), [100, 4]);
  const late = await session('wide@example.test', owner.password, '192.0.2.77');
  assert.deepEqual([late.status, Number(late.headers['retry-after']) > 0], [429, true]);
  builder('beside@example.test');
  assert.equal((await session('beside@example.test', owner.password, '192.0.2.77')).status, 200, 'no other account waits');
  // Links and codes of clients are nobody's account: who guesses them from everywhere locks nobody out.
  const link = (i) => stack.fetch('POST', '/setup', { headers: from(`2001:db8:8:${i.toString(16)}::1`), body: { token: 'guessed', password: 'long enough' } });
  const links = [];
  for (let i = 0; i < 104; i += 8) links.push(...await burst(8, (j) => link(i + j)));
  assert.ok(links.every((one) => one === 404));
});

test('an attacker who knows a password needs many networks to block the second factor', async () => {
  const email = 'factor@example.test', id = builder(email);
  const call = (method, path, body, token) => stack.dev(method, path, body, { token, expect: 200 });
  const { token } = (await session(email, owner.password, '192.0.2.80')).json;
  const { secret } = (await call('POST', '/mfa/enroll/start', { password: owner.password }, token)).json;
  const code = totp(secret, -1);
  const { backupCodes } = (await call('POST', '/mfa/enroll/confirm', { code }, token)).json;
  const show = async (given, address) => {
    const { pending } = (await session(email, owner.password, address)).json;
    return (await stack.fetch('POST', '/dev/v1/session/mfa', { headers: from(address), body: { pending, code: given } })).status;
  };
  const tries = async (count, address) => {
    const out = [];
    for (let i = 0; i < count; ++i) out.push(await show('000000', address));
    return out;
  };
  assert.deepEqual(await tries(12, '192.0.2.81'), [...Array(10).fill(401), 429, 429]);
  assert.equal(await show(backupCodes[0], '192.0.2.80'), 200, 'the owner is elsewhere');
  assert.deepEqual(await tries(10, '192.0.2.82'), Array(10).fill(401));
  assert.deepEqual(await tries(11, '192.0.2.83'), [...Array(10).fill(401), 429]);
  assert.equal(await show(backupCodes[1], '192.0.2.80'), 429, 'thirty of the account are many');
  assert.deepEqual(await call('POST', '/mfa/disable', { code: backupCodes[1] }, token).then(({ json }) => json), { disabled: true });
  assert.ok(id && (await session(email, owner.password, '192.0.2.80')).json.token);
});

test('the start warns of an untrusted proxy and of apps that nobody can reach', async (t) => {
  const said = async (env) => {
    const other = await Stack.start(env);
    t.after(() => other.stop());
    return other.log;
  };
  const apps = 'https://*.apps.example.test';
  assert.match(await said({ SVC_APPS_ORIGIN: apps }), /apps_domain_differs.*Set SVC_APPS_DOMAIN/);
  assert.ok(!(await said({ SVC_APPS_ORIGIN: apps, SVC_APPS_DOMAIN: 'apps.example.test' })).includes('apps_domain_differs'));
  const log = await said({ SVC_PUBLIC_ORIGIN: 'https://svc.example.test' });
  assert.match(log, /proxy_not_trusted.*failed sign-ins lock everybody out.*Set SVC_TRUSTED_PROXIES to the address/);
  for (const env of [{}, { SVC_PUBLIC_ORIGIN: 'https://svc.example.test', SVC_TRUSTED_PROXIES: '127.0.0.1' }, { SVC_PUBLIC_ORIGIN: 'http://localhost:7878' }]) {
    assert.ok(!(await said(env)).includes('proxy_not_trusted'), JSON.stringify(env));
  }
});
