// Builders' second factors: codes of an independent program (oathtool), every way in, and workspaces that demand one.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import test, { after, before } from 'node:test';
import { sql } from '../../lib/admin_sql.mjs';
import { Builder, refused } from '../../lib/builder.mjs';
import { totp as code } from '../../lib/oathtool.mjs';
import { Stack, bin, owner, until } from '../../lib/stack.mjs';
import { Client } from '../../cli/client.mjs';

let stack;
before(async () => {
  stack = await Stack.start();
  await stack.signIn();
});
after(() => stack?.stop());

const platform = (text) => sql(stack, 'svc_platform', text);

const builder = () => new Builder(stack);
const enrolled = () => builder().enrol();

test('enrolling asks for the password again, shows a secret and a picture, and ends the other sessions', async () => {
  const one = builder();
  const other = (await one.signIn()).token;
  await one.signIn();
  assert.deepEqual((await one.call('GET', '/mfa')).json, { totp: false, backupCodes: 0, passkeys: 0, shown: false });
  refused(await one.call('POST', '/mfa/enroll/start', {}), 400, 'BAD_REQUEST');
  refused(await one.call('POST', '/mfa/enroll/start', { password: 'another one' }), 401, 'UNAUTHENTICATED');
  refused(await one.call('POST', '/mfa/enroll/confirm', { code: '000000' }), 401, 'INVALID_CODE');
  const begun = (await one.call('POST', '/mfa/enroll/start', { password: owner.password })).json;
  assert.match(begun.secret, /^[A-Z2-7]{32}$/);
  const url = new URL(begun.otpauthUrl);
  assert.deepEqual([url.searchParams.get('secret'), url.searchParams.get('issuer')], [begun.secret, 'svc']);
  assert.match(begun.qrSvg, /^<svg /);
  assert.ok((await one.password()).json.token, 'what is not confirmed is no factor');
  refused(await one.call('POST', '/mfa/enroll/confirm', { code: '000000' }), 401, 'INVALID_CODE');
  const confirmed = await one.call('POST', '/mfa/enroll/confirm', { code: code(begun.secret) });
  assert.equal(new Set(confirmed.json.backupCodes).size, 10, confirmed.text);
  assert.equal((await one.call('GET', '/me', undefined, other)).status, 401);
  assert.deepEqual((await one.call('GET', '/mfa')).json, { totp: true, backupCodes: 10, passkeys: 0, shown: true });
  refused(await one.call('POST', '/mfa/enroll/start', { password: owner.password }), 409, 'CONFLICT');
  const kept = platform(`select encode(sealed, 'escape') from account_totp where user_id = '${one.id}'`).join();
  assert.ok(!kept.includes(begun.secret), 'the secret is sealed');
  const entries = platform(`select action || ' ' || status from audit where user_id = '${one.id}' and action like '%mfa%'`).map(([text]) => text);
  assert.ok(entries.includes('POST /mfa/enroll/confirm 401') && entries.includes('POST /mfa/enroll/confirm 200'), entries.join('; '));
});

test('a right password alone is no longer enough; codes and pending sign-ins work once', async () => {
  const one = await enrolled();
  const first = (await one.password()).json;
  assert.deepEqual([first.needsMfa, first.methods, first.token, first.workspaces], [true, ['totp'], undefined, undefined]);
  for (const path of ['/me', '/projects', '/mfa']) assert.equal((await one.call('GET', path, undefined, first.pending)).status, 401);
  refused(await one.show(first.pending, one.first), 401, 'INVALID_CODE');  // used to enrol
  const now = code(one.secret);
  const done = await one.show(first.pending, now);
  assert.equal(done.status, 200, done.text);
  assert.deepEqual(Object.keys(done.json), ['token', 'expiresAt', 'user', 'workspaces']);
  refused(await one.show(first.pending, code(one.secret, 1)), 401, 'INVALID_CODE');  // this sign-in is over
  refused(await one.show(await one.pending(), now), 401, 'INVALID_CODE');
  const [backup] = one.backup;
  assert.equal((await one.show(await one.pending(), backup.toUpperCase().replace('-', ' '))).status, 200);
  refused(await one.show(await one.pending(), backup), 401, 'INVALID_CODE');
  // Another's code, and another's half of a sign-in.
  const two = await enrolled();
  refused(await one.show(await one.pending(), two.backup[0]), 401, 'INVALID_CODE');
  refused(await stack.dev('POST', '/session/mfa', { pending: 'x'.repeat(43), code: one.backup[1] }, { token: null }), 401, 'INVALID_CODE');
  for (const body of [{}, { pending: 'x' }, { code: '123456' }]) refused(await stack.dev('POST', '/session/mfa', body, { token: null }), 400, 'BAD_REQUEST');
  const failures = () => platform(`select code from audit where workspace_id = '${one.workspace}' and action = 'POST /session/mfa' and status = 401`);
  await until('the record of the failures', () => failures().length >= 3);
});

test('of one right code in many sign-ins at a time, one gets a session', async () => {
  const one = await enrolled();
  const waiting = await Promise.all(Array.from({ length: 6 }, () => one.pending()));
  const now = code(one.secret);
  const answers = await Promise.all(waiting.map((pending) => one.show(pending, now)));
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 401, 401, 401, 401, 401]);
  const again = await one.pending();
  const [backup] = one.backup;
  const same = await Promise.all(Array.from({ length: 4 }, () => one.show(again, backup)));
  assert.equal(same.filter(({ status }) => status === 200).length, 1);
});

test('five tries a sign-in, at once or not; ten wrong codes an account and address', async () => {
  const one = await enrolled();
  const pending = await one.pending();
  const answers = await Promise.all(Array.from({ length: 12 }, () => one.show(pending, '000000')));
  assert.ok(answers.every(({ status }) => status === 401));
  assert.equal(answers.filter(({ text }) => text.includes('This sign-in has expired')).length, 7);
  refused(await one.show(pending, one.backup[0]), 401, 'INVALID_CODE');
  const next = await one.pending();
  for (let i = 0; i < 5; ++i) refused(await one.show(next, '000000'), 401, 'INVALID_CODE');
  const late = await one.show(await one.pending(), one.backup[0]);
  refused(late, 429, 'RATE_LIMITED');
  assert.ok(Number(late.headers['retry-after']) > 0);
  // A session that has shown a factor is not the guesser's.
  assert.equal((await one.call('POST', '/mfa/backup-codes/regenerate', { code: one.backup[0] })).status, 200);
  for (let i = 0; i < 10; ++i) refused(await one.call('POST', '/mfa/disable', { code: '000000' }), 401, 'INVALID_CODE');
  refused(await one.call('POST', '/mfa/disable', { code: one.backup[1] }), 429, 'RATE_LIMITED');
});

test('a factor is taken off and codes are renewed with a code alone', async () => {
  const one = await enrolled();
  refused(await one.call('POST', '/mfa/disable', {}), 400, 'BAD_REQUEST');
  refused(await one.call('POST', '/mfa/disable', { password: owner.password }), 400, 'BAD_REQUEST');
  refused(await one.call('POST', '/mfa/disable', { code: '000000' }), 401, 'INVALID_CODE');
  const renewed = (await one.call('POST', '/mfa/backup-codes/regenerate', { code: one.backup[0] })).json.backupCodes;
  refused(await one.show(await one.pending(), one.backup[1]), 401, 'INVALID_CODE');
  const other = (await one.show(await one.pending(), renewed[0])).json.token;
  assert.equal((await one.call('POST', '/mfa/disable', { code: renewed[1] })).status, 200);
  assert.equal((await one.call('GET', '/me', undefined, other)).status, 401, 'other sessions ended');
  assert.equal((await one.call('GET', '/mfa')).json.shown, false);
  assert.ok((await one.password()).json.token);
});

test('tokens cannot manage factors, and earlier tokens continue to work', async () => {
  const one = builder();
  await one.signIn();
  const token = await one.token();
  await one.enrol();
  assert.equal((await one.call('GET', '/me', undefined, token)).status, 200);
  assert.equal((await one.call('GET', '/projects', undefined, token)).status, 200);
  for (const [method, path] of [['GET', '/mfa'], ['POST', '/mfa/enroll/start'], ['POST', '/mfa/enroll/confirm'], ['POST', '/mfa/disable'],
    ['POST', '/mfa/backup-codes/regenerate'], ['GET', '/mfa/passkeys'], ['POST', '/mfa/passkeys/register/start'],
    ['POST', '/mfa/passkeys/register/finish'], ['DELETE', `/mfa/passkeys/${one.id}`], ['PATCH', `/workspaces/${one.workspace}`]]) {
    refused(await one.call(method, path, method === 'GET' ? undefined : { code: one.backup[0] }, token), 403, 'SESSION_REQUIRED');
  }
});

test('a workspace that demands a factor is shut to members, tokens, sessions and tools without one', async () => {
  const boss = builder();
  await boss.signIn();
  refused(await boss.call('PATCH', `/workspaces/${boss.workspace}`, { requireMfa: true }), 403, 'MFA_REQUIRED');
  await boss.enrol();
  const member = builder();
  member.join(boss.workspace, 'admin');
  await member.signIn();
  refused(await member.call('PATCH', `/workspaces/${boss.workspace}`, { requireMfa: true }), 403, 'FORBIDDEN_ROLE');
  refused(await boss.call('PATCH', `/workspaces/${boss.workspace}`, {}), 400, 'BAD_REQUEST');
  const project = (await boss.call('POST', '/projects', { name: 'Vault', workspaceId: boss.workspace })).json.project;
  const own = (await member.call('POST', '/projects', { name: 'Own', workspaceId: member.workspace })).json.project;
  const token = (await member.call('POST', '/tokens', { name: 'old', workspaceId: boss.workspace, scopes: ['read', 'apply', 'deploy'] })).json.token;
  const open = await member.call('GET', `/projects/${project.id}`);
  assert.equal(open.status, 200, open.text);

  const demanded = await boss.call('PATCH', `/workspaces/${boss.workspace}`, { requireMfa: true });
  assert.deepEqual([demanded.status, demanded.json], [200, { workspace: { id: boss.workspace, requireMfa: true } }]);
  const shown = (await member.call('GET', '/me')).json.workspaces.find(({ id }) => id === boss.workspace);
  assert.equal(shown.requireMfa, true, 'the session shows the workspace');
  const touching = [
    ['GET', `/projects/${project.id}`], ['DELETE', `/projects/${project.id}`], ['POST', `/projects/${project.id}/check`, {}],
    ['POST', `/projects/${project.id}/sql`, { sql: 'select 1' }], ['GET', `/projects/${project.id}/secrets`],
    ['GET', `/workspaces/${boss.workspace}/audit`], ['POST', '/projects', { name: 'New', workspaceId: boss.workspace }],
  ];
  const sessionOnly = [
    ['GET', `/workspaces/${boss.workspace}/members`], ['DELETE', `/workspaces/${boss.workspace}/members/${boss.id}`],
    ['POST', '/tokens', { name: 'new', workspaceId: boss.workspace, scopes: ['read'] }],
    ['PATCH', `/workspaces/${boss.workspace}`, { requireMfa: false }],
    ['GET', `/projects/${project.id}/keys`],
  ];
  const shut = async (who, calls) => {
    for (const [method, path, body] of calls) {
      const answer = await member.call(method, path, body, who);
      refused(answer, 403, 'MFA_REQUIRED');
      assert.match(answer.json.error, /svc mfa enroll/);
    }
  };
  await shut(member.session, [...touching, ...sessionOnly]);
  await shut(token, [...touching, ['GET', '/projects']]);
  const tool = await member.call('POST', '/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'run_sql', arguments: { project: project.id, sql: 'select 1' } } }, token);
  assert.equal(tool.json.result.isError, true, tool.text);
  assert.equal(tool.json.result.structuredContent.code, 'MFA_REQUIRED');
  const listed = (await member.call('GET', '/projects')).json.projects.map(({ id }) => id);
  assert.deepEqual(listed, [own.id], 'what is shut is not listed');
  assert.equal((await member.call('GET', `/projects/${own.id}`)).status, 200, 'other workspaces are open');

  const before = (await boss.call('GET', `/workspaces/${boss.workspace}/members`)).json.members;
  assert.deepEqual(Object.fromEntries(before.map(({ userId, mfa }) => [userId, mfa])), { [boss.id]: true, [member.id]: false });
  await member.enrol();
  assert.equal((await member.call('GET', `/projects/${project.id}`)).status, 200);
  assert.equal((await member.call('GET', `/projects/${project.id}`, undefined, token)).status, 200, 'its owner has a factor now');
  // A caller who may not change members does not see it.
  platform(`update member set role = 'viewer' where workspace_id = '${boss.workspace}' and user_id = '${member.id}'`);
  const told = (await member.call('GET', `/workspaces/${boss.workspace}/members`)).json.members;
  assert.ok(told.every((one) => !('mfa' in one)));
  const [[, target]] = platform(`select action, target from audit where workspace_id = '${boss.workspace}' and action like 'PATCH%' and status = 200`);
  assert.equal(target, 'requireMfa=true');
  // A session in which none was shown is shut out although its account has one by now.
  platform(`update session set second_factor = false where user_id = '${member.id}'`);
  await shut(member.session, [['GET', `/projects/${project.id}`]]);
  refused(await member.call('POST', '/mfa/enroll/start', { code: member.backup[0] }), 403, 'MFA_REQUIRED');
});

test('svc login and svc mfa ask for codes', async () => {
  const client = new Client(stack);
  try {
    const one = builder();
    const account = ['--email', one.email, '--password', '-'];
    assert.match((await client.svc(['mfa', ...account], { input: `${owner.password}\n` })).out, /Authenticator app: none/);
    assert.match((await client.svc(['mfa', 'status'])).err, /Give --email/);
    const child = spawn(join(bin, 'svc'), ['mfa', 'enroll', ...account], { cwd: client.folder, env: client.env });
    let out = '';
    child.stdout.on('data', (piece) => { out += piece; });
    child.stdin.write(`${owner.password}\n`);
    const [secret] = await until('the secret', () => /^ {2}([A-Z2-7]{32})$/m.exec(out)?.slice(1));
    child.stdin.end(`${code(secret, -1)}\n`);
    assert.equal(await new Promise((done) => child.on('close', done)), 0, out);
    const backup = out.match(/\b[a-z2-9]{5}-[a-z2-9]{5}\b/g);
    assert.equal(backup.length, 10, out);
    const login = (...more) => client.svc(['login', '--email', one.email, '--password', owner.password, ...more]);
    const without = await login();
    assert.equal(without.code, 1);
    assert.match(without.err, /second factor\. Give --code/);
    const wrong = await login('--code', '000000');
    assert.equal(wrong.code, 1);
    assert.match(wrong.err, /INVALID_CODE/);
    const done = await login('--code', code(secret));
    assert.equal(done.code, 0, done.err);
    assert.match(done.out, /Signed in as/);
    const renewed = await client.svc(['mfa', 'codes', '--password', owner.password, '--code', backup[0], '--next', backup[1], '--json']);
    assert.equal(renewed.code, 0, renewed.err);
    const [first, second] = JSON.parse(renewed.out).backupCodes;
    const off = await client.svc(['mfa', 'disable', '--password', owner.password, '--code', first, '--next', second]);
    assert.equal(off.code, 0, off.err);
    assert.equal((await login()).code, 0);
    assert.equal((await client.svc(['login', '--code', '1'])).code, 2);
  } finally {
    client.remove();
  }
});

// The page of `svc login`, without scripts.
const form = (fields) => stack.fetch('POST', '/cli-login', {
  headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: new URLSearchParams(fields).toString(),
});
const hidden = (answer, name) => new RegExp(`name="${name}" value="([^"]*)"`).exec(answer.text)?.[1];
const askedClient = async () => (await stack.dev('POST', '/cli/login', {}, { token: null, expect: 200 })).json;
const poll = (deviceCode) => until('the decision', async () => {
  const answer = await stack.dev('POST', '/cli/login/poll', { deviceCode }, { token: null });
  return ![428, 429].includes(answer.status) && answer;
});

test('the page of svc login asks for the factor; a ticket from before its enrolment is not valid', async () => {
  const one = builder();
  const early = await askedClient();
  const ticket = hidden(await form({ action: 'sign-in', code: early.userCode, email: one.email, password: owner.password }), 'ticket');
  assert.ok(ticket);
  await one.enrol();
  assert.equal((await form({ action: 'approve', ticket, workspace: one.workspace })).status, 404);

  const { userCode, deviceCode } = await askedClient();
  const asked = await form({ action: 'sign-in', code: userCode, email: one.email, password: owner.password });
  assert.equal(asked.status, 200);
  assert.equal(hidden(asked, 'ticket'), undefined);
  assert.ok(!asked.headers['content-security-policy'].includes('script-src'));
  const pending = hidden(asked, 'pending');
  const wrong = await form({ action: 'factor', code: userCode, pending, factor: '000000' });
  assert.equal(wrong.status, 401);
  assert.equal(hidden(wrong, 'ticket'), undefined);
  const right = await form({ action: 'factor', code: userCode, pending, factor: code(one.secret) });
  const decided = { action: 'approve', ticket: hidden(right, 'ticket'), workspace: one.workspace };
  assert.equal((await form({ action: 'factor', code: userCode, pending, factor: one.backup[0] })).status, 401, 'what waited is over');
  assert.match((await form(decided)).text, /Allowed/);
  const { token } = (await poll(deviceCode)).json;
  assert.equal((await stack.dev('GET', '/me', undefined, { token })).json.email, one.email);
});

test('the page of svc login offers an account without a factor no workspace that demands one', async () => {
  const boss = await enrolled();
  await boss.call('PATCH', `/workspaces/${boss.workspace}`, { requireMfa: true });
  const member = builder();
  member.join(boss.workspace, 'developer');
  const { userCode } = await askedClient();
  const offered = await form({ action: 'sign-in', code: userCode, email: member.email, password: owner.password });
  assert.ok(offered.text.includes(member.workspace) && !offered.text.includes(boss.workspace));
  assert.equal((await form({ action: 'approve', ticket: hidden(offered, 'ticket'), workspace: boss.workspace })).status, 404);
  platform(`delete from member where user_id = '${member.id}' and workspace_id = '${member.workspace}'`);
  const nothing = await form({ action: 'sign-in', code: userCode, email: member.email, password: owner.password });
  assert.equal(nothing.status, 403);
  assert.match(nothing.text, /svc mfa enroll/);
});

const run = (args) => {
  const child = spawn(join(bin, 'svcd'), args, {
    env: { ...process.env, DATABASE_URL: '', SVC_HOME: stack.home, SVC_LISTEN: `127.0.0.1:${stack.port}` }, stdio: ['ignore', 'pipe', 'pipe'],
  });
  let out = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece) => { out += piece; });
  return { child, ended: new Promise((done) => child.on('close', (status) => done({ status, out }))) };
};

test('a lost factor: the operator takes it off, beside a svcd that runs and without one', async () => {
  const one = await enrolled();
  const lost = await run(['--reset-factor', one.email.toUpperCase()]).ended;
  assert.deepEqual([lost.status, /removed the second factors of/.test(lost.out)], [0, true], lost.out);
  assert.equal((await one.call('GET', '/me')).status, 401, 'its sessions ended');
  assert.ok((await one.password()).json.token);
  assert.equal((await run(['--reset-factor', 'nobody@example.test']).ended).status, 1);
  assert.equal((await run(['--reset-factor', one.email, '--home', join(stack.home, 'elsewhere')]).ended).status, 2);
  const noted = platform(`select address from audit where action = 'svcd --reset-factor' and email = '${one.email}'`);
  assert.deepEqual(noted, [['local']]);
  await one.enrol();
  stack.child.kill('SIGTERM');
  await stack.ended;
  assert.equal((await run(['--reset-factor', one.email]).ended).status, 0);
  await stack.run();
  assert.ok((await one.password()).json.token);
});

test('another master key keeps the factor', { timeout: 120000 }, async () => {
  const one = await enrolled();
  const keyOf = () => platform(`select key_id from account_totp where user_id = '${one.id}'`)[0][0];
  const before = keyOf();
  stack.child.kill('SIGTERM');
  await stack.ended;
  const rotating = run(['--rotate-master-key']);
  await until('the new key', async () => (await stack.fetch('GET', '/readyz').catch(() => null))?.status === 200);
  rotating.child.kill('SIGTERM');
  await rotating.ended;
  await stack.run();
  assert.ok(!existsSync(join(stack.home, 'master.key.next')));
  assert.notEqual(keyOf(), before);
  const done = await one.show(await one.pending(), code(one.secret));
  assert.equal(done.status, 200, done.text);
});
