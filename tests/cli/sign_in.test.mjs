// Signing the client in and out: passwords, tokens, and where a sign-in is kept and sent.
import assert from 'node:assert/strict';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { owner } from '../lib/stack.mjs';
import { password, served } from './client.mjs';

let stack, client;
served((made) => { ({ stack, client } = made); });

const expect = (...asked) => client.expect(...asked);

test('nobody is signed in', async () => {
  const end = await expect(1, ['whoami']);
  assert.match(end.err, /UNAUTHENTICATED/);
  assert.match(end.err, /svc login --email/);
  assert.match((await expect(1, ['logout'])).err, /Nobody is signed in/);
  assert.match((await expect(1, ['members', 'join', 'http://127.0.0.1:1/join?token=x'])).err, /Open the link in a browser/);
});

test('login: wrong, incomplete, with a password, and read from standard input', async () => {
  assert.match((await expect(2, ['login', '--email', owner.email])).err, /--password/);
  await expect(2, ['login', '--password', 'x']);
  await expect(2, ['login', '--token', 'x', ...password]);
  assert.match((await expect(1, ['login', '--email', owner.email, '--password', 'no'])).err, /UNAUTHENTICATED/);
  assert.ok(!existsSync(client.config), 'a refused sign-in leaves nothing');

  const end = await expect(0, ['login', ...password]);
  assert.match(end.out, /Signed in as owner@example\.test at http:/);
  assert.equal(statSync(client.config).mode & 0o777, 0o600);
  assert.equal(statSync(join(client.config, '..')).mode & 0o777, 0o700);
  assert.ok(!end.out.includes(client.saved().token));
  await expect(0, ['login', '--email', owner.email, '--password', '-'], { input: `${owner.password}\n` });
  const typed = await client.terminal(['login', '--email', owner.email], {}, { input: `${owner.password}\n`, when: /Password of / });
  assert.equal(typed.code, 0, typed.out);
  assert.ok(!typed.out.includes(owner.password));
});

test('whoami, and logout, which revokes the token', async () => {
  await expect(0, ['login', ...password]);
  const { out } = await expect(0, ['whoami']);
  assert.match(out, /owner@example\.test at /);
  assert.match(out, /signed in with pat, scopes read, apply, deploy/);
  assert.match(out, /^workspace +role +id$/m);

  const { token } = client.saved();
  assert.match((await expect(0, ['logout'])).out, /token is revoked/);
  assert.equal(client.saved().token, undefined);
  assert.equal(statSync(client.config).mode & 0o777, 0o600);
  assert.equal((await stack.dev('GET', '/me', undefined, { token })).status, 401);
});

test('login with a token, which logout forgets and does not revoke', async () => {
  const body = { name: 'mine', workspaceId: stack.workspace, scopes: ['read'] };
  const { token } = (await stack.dev('POST', '/tokens', body, { expect: 201 })).json;
  await expect(1, ['login', '--token', 'svc_pat_wrong']);
  await expect(0, ['login', '--token', token]);
  assert.equal(client.saved().token, token);
  await expect(0, ['login', '--token', '-'], { input: `${token}\n` });
  const refused = await expect(1, ['create', 'No']);
  assert.match(refused.err, /FORBIDDEN_SCOPE/);
  assert.match((await expect(0, ['logout'])).out, /stays valid/);
  assert.equal((await stack.dev('GET', '/me', undefined, { token })).status, 200);
});

test('a saved sign-in is sent to the service that gave it, and to no other', async () => {
  await expect(0, ['login', ...password]);
  await expect(0, ['whoami'], { env: { SVC_API: '' } });
  const sameOtherwise = `http://localhost:${stack.port}/dev/v1`;
  assert.match((await expect(1, ['whoami'], { env: { SVC_API: sameOtherwise } })).err, /UNAUTHENTICATED/);
});

test('SVC_TOKEN comes before the saved sign-in', async () => {
  await expect(0, ['login', ...password]);
  await expect(1, ['whoami'], { env: { SVC_TOKEN: 'svc_pat_wrong' } });
  const { out } = await expect(0, ['whoami'], { env: { SVC_TOKEN: stack.session } });
  assert.match(out, /signed in with session/);
});
