// `svc login` by way of a browser: a real client, a real browser, a real service; and what others may try.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import test, { after, before } from 'node:test';
import { fileURLToPath } from 'node:url';
import { sql } from '../../lib/admin_sql.mjs';
import { packages } from '../../lib/npm.mjs';
import { Stack, bin, owner, until } from '../../lib/stack.mjs';
import { Client } from '../../cli/client.mjs';

let stack, client, browser;
before(async () => {
  stack = await Stack.start();
  await stack.signIn();
  client = new Client(stack);
  const require = packages(join(dirname(fileURLToPath(import.meta.url)), '../../accounts'));
  browser = await require('playwright-core').chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu'] });
});
after(async () => {
  await browser?.close();
  client?.remove();
  await stack?.stop();
});

const begin = async (body = {}) => (await stack.dev('POST', '/cli/login', body, { token: null, expect: 200 })).json;
const poll = (deviceCode) => stack.dev('POST', '/cli/login/poll', { deviceCode }, { token: null });
// Once the interval is over; asked before, it says so.
const polled = (deviceCode) => until('an answer', async () => {
  const answer = await poll(deviceCode);
  return answer.status !== 429 && answer;
});
const platform = (text) => sql(stack, 'svc_platform', text);

// The page as a person uses it, without scripts; where it ends.
async function visit(url, decision, { email = owner.email, password = owner.password } = {}) {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  const wrongs = [];
  page.on('console', (message) => message.type() === 'error' && wrongs.push(message.text()));
  await page.goto(url);
  await page.fill('input[name=email]', email);
  await page.fill('input[name=password]', password);
  await page.click('button[value=sign-in]');
  const asked = await page.textContent('body');
  if (decision) await page.click(`button[value=${decision}]`);
  const said = await page.textContent('body');
  await context.close();
  return { asked, said, wrongs: wrongs.filter((text) => !/40[0-9]/.test(text)) };
}

// svc login as a process; `shown` is what it printed so far.
function login(args = [], env = {}) {
  const child = spawn(join(bin, 'svc'), ['login', ...args], { cwd: client.folder, env: { ...client.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  const run = { shown: '', child };
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece) => { run.shown += piece; });
  run.ended = new Promise((done) => child.on('close', done));
  return run;
}
const told = async (run) => {
  const [, url, code] = await until('the address and the code', () => /Open (\S+)\nand allow the code (\S+)\n/.exec(run.shown));
  return { url, code };
};

test('svc login: shows where to go, is let in, works, and logs out', async () => {
  const run = login(['--no-browser']);
  const { url, code } = await told(run);
  assert.match(code, /^[B-Z]{4}-[B-Z]{4}$/);
  assert.ok(url.endsWith(`?code=${code}`));
  const { asked, said, wrongs } = await visit(url, 'approve');
  assert.match(asked, /calls itself svc on /);
  assert.ok(asked.includes(code));
  assert.match(asked, /act as owner@example\.test/);
  assert.match(said, /Allowed/);
  assert.deepEqual(wrongs, []);
  assert.equal(await run.ended, 0, run.shown);
  assert.match(run.shown, /Signed in as owner@example\.test at http:/);
  const { token, tokenId } = client.saved();
  assert.match(token, /^svc_pat_/);
  const me = (await stack.dev('GET', '/me', undefined, { token, expect: 200 })).json;
  assert.deepEqual(me.scopes, ['read', 'apply', 'deploy']);
  assert.equal((await client.svc(['whoami'])).code, 0);
  assert.ok((await stack.dev('GET', '/tokens')).json.tokens.some(({ id }) => id === tokenId));
  const out = await client.svc(['logout']);
  assert.match(out.out, /the token is revoked/);
  assert.equal((await stack.dev('GET', '/me', undefined, { token })).status, 401);
});

test('a code is shown as its client shows it, however it was typed', async () => {
  const { userCode, verifyUrl } = await begin();
  const typed = verifyUrl.replace(userCode, ` ${userCode.replace('-', ' ').toLowerCase()}`.replaceAll(' ', '%20'));
  const { asked } = await visit(typed, 'refuse');
  assert.ok(asked.includes(`shows the code ${userCode}`), asked);
});

test('svc login: is refused', async () => {
  const run = login(['--no-browser']);
  const { url } = await told(run);
  assert.match((await visit(url, 'refuse')).said, /Refused/);
  assert.equal(await run.ended, 1, run.shown);
  assert.match(run.shown, /LOGIN_REFUSED/);
});

test('svc login opens a browser where there is a desktop, and none with --no-browser', async () => {
  const folder = join(client.home, 'fake');
  mkdirSync(folder, { recursive: true });
  const note = join(folder, 'opened');
  writeFileSync(join(folder, 'xdg-open'), `#!/bin/sh\nprintf '%s' "$1" > '${note}.new'; mv '${note}.new' '${note}'\n`);
  chmodSync(join(folder, 'xdg-open'), 0o755);
  const env = { DISPLAY: ':99', PATH: `${folder}:${client.env.PATH}` };
  const run = login([], env);
  const { url } = await told(run);
  const opened = await until('the browser', () => { try { return readFileSync(note, 'utf8'); } catch { return null; } });
  assert.equal(opened, url);
  await visit(url, 'refuse');
  assert.equal(await run.ended, 1);
});

test('with --json the answer alone is on standard output', async () => {
  const child = spawn(join(bin, 'svc'), ['login', '--no-browser', '--json'], { cwd: client.folder, env: client.env, stdio: ['ignore', 'pipe', 'pipe'] });
  let out = '', err = '';
  child.stdout.on('data', (piece) => { out += piece; });
  child.stderr.on('data', (piece) => { err += piece; });
  const ended = new Promise((done) => child.on('close', done));
  await visit(await until('the address', () => /Open (\S+)\n/.exec(err)?.[1]), 'approve');
  assert.equal(await ended, 0, err);
  assert.match(JSON.parse(out).token, /^svc_pat_/);
});

test('a device code: pending, held to its interval, used once', async () => {
  const { deviceCode, userCode, verifyUrl, interval } = await begin();
  assert.equal(interval, 2);
  const first = await poll(deviceCode);
  assert.deepEqual([first.status, first.json.code], [428, 'LOGIN_PENDING']);
  const soon = await poll(deviceCode);
  assert.deepEqual([soon.status, soon.headers['retry-after']], [429, '2']);
  await visit(verifyUrl, 'approve');
  const both = await Promise.all([poll(deviceCode), poll(deviceCode)]);
  assert.deepEqual(both.map(({ status }) => status).sort(), [200, 404]);
  assert.equal((await poll(deviceCode)).status, 404);
  assert.equal((await poll('nonsense')).status, 404);
  assert.equal((await poll('')).status, 400);
  assert.match((await visit(verifyUrl, null)).said, /This code is not known/);
  const kept = platform('select l::text from cli_login l').join('\n');
  for (const value of [deviceCode, userCode, both.find(({ status }) => status === 200).json.token]) assert.ok(!kept.includes(value));
});

test('codes end after ten minutes, tickets with them', async () => {
  const login = await begin();
  const [[left]] = platform('select extract(epoch from max(expires_at) - now()) from cli_login');
  assert.ok(left > 500 && left <= 600);
  platform("update cli_login set expires_at = now() - interval '1 second' where used_at is null");
  assert.equal((await poll(login.deviceCode)).status, 404);
  assert.match((await visit(login.verifyUrl, null)).said, /This code is not known/);
});

const form = (body, headers = {}) => stack.fetch('POST', '/cli-login', {
  headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers }, body: new URLSearchParams(body).toString() });
const signedIn = (code, headers) => form({ action: 'sign-in', code, email: owner.email, password: owner.password }, headers);
const ticketOf = (page) => /name="ticket" value="([^"]+)"/.exec(page.text)?.[1];

test('the page: no script, no frame, no cookie, no opener, no unescaped text', async () => {
  const { userCode } = await begin({ client: '<b>"x"</b>' });
  const shown = await stack.fetch('GET', '/cli-login?code=%22%3E%3Cscript%3E');
  assert.ok(!shown.text.includes('<script'));
  const page = await signedIn(userCode);
  assert.ok(page.text.includes('&lt;b&gt;') && !page.text.includes('<b>"x"'));
  for (const { headers } of [shown, page]) {
    assert.match(headers['content-security-policy'], /default-src 'none'.*form-action 'self'; frame-ancestors 'none'/);
    assert.equal(headers['cross-origin-opener-policy'], 'same-origin');
    assert.equal(headers['set-cookie'], undefined);
    assert.equal(headers['cache-control'], 'no-store');
  }
});

test('a form of another site is refused; a ticket is its maker\'s, of one use, and of one code', async () => {
  const login = await begin();
  assert.equal((await signedIn(login.userCode, { origin: 'https://evil.test' })).status, 403);
  assert.equal((await signedIn(login.userCode, { origin: 'null' })).status, 403);
  assert.equal((await stack.fetch('POST', '/cli-login', { body: { action: 'approve' } })).status, 403);
  const own = `http://127.0.0.1:${stack.port}`;
  const first = ticketOf(await signedIn(login.userCode, { origin: own }));
  const second = ticketOf(await signedIn(login.userCode.toLowerCase().replace('-', ' ')));
  assert.ok(first && second);
  const workspace = stack.workspace;
  const decide = (ticket, more = {}) => form({ action: 'approve', ticket, workspace, ...more });
  assert.equal((await decide(first)).status, 404, 'a later one ends it');
  assert.equal((await decide('')).status, 404);
  assert.equal((await decide(second, { workspace: '00000000-0000-4000-8000-000000000000' })).status, 404);
  assert.equal((await decide(second, { workspace: "x'" })).status, 404);
  assert.equal((await decide(second)).status, 200);
  assert.equal((await decide(second)).status, 404);
  assert.equal((await decide(second, { action: 'refuse' })).status, 404);
  assert.equal((await polled(login.deviceCode)).status, 200);
});

test('a member who is removed or lowered before the client asks gets only the rights of that time', async () => {
  const { json } = await stack.dev('POST', `/workspaces/${stack.workspace}/members`, { email: 'v@team.test', role: 'developer' }, { expect: 201 });
  await stack.fetch('POST', '/join', { body: { token: new URL(json.joinUrl).searchParams.get('token'), password: 'long enough' } });
  const person = { email: 'v@team.test', password: 'long enough' };
  const member = `/workspaces/${stack.workspace}/members/${json.userId}`;
  const lowered = await begin();
  await visit(lowered.verifyUrl, 'approve', person);
  await stack.dev('PUT', member, { role: 'viewer' }, { expect: 200 });
  assert.deepEqual((await polled(lowered.deviceCode)).json.scopes, ['read']);
  const removed = await begin();
  await visit(removed.verifyUrl, 'approve', person);
  await stack.dev('DELETE', member, undefined, { expect: 200 });
  assert.equal((await polled(removed.deviceCode)).status, 404);
});

test('the audit has the start and the end of a sign-in of the client', async () => {
  const { entries } = (await stack.dev('GET', `/workspaces/${stack.workspace}/audit?limit=200`)).json;
  for (const action of ['POST /cli-login', 'POST /cli/login/poll']) {
    const entry = entries.find((one) => one.action === action && one.status === 200);
    assert.ok(entry?.email && entry.address === '127.0.0.1', action);
  }
});

test('guessing is slowed down: passwords, codes, and clients that begin', async () => {
  let last;
  for (let i = 0; i < 11; ++i) last = await form({ action: 'sign-in', code: 'BBBB-BBBB', email: 'g@example.test', password: 'x' });
  assert.equal(last.status, 429);
  for (let i = 0; i < 11; ++i) last = await signedIn('BBBB-BBBB');
  assert.equal(last.status, 429);
  for (let i = 0; i < 70 && last.status !== 429 || i === 0; ++i) last = await stack.dev('POST', '/cli/login', {}, { token: null });
  assert.equal(last.status, 429);
  assert.ok(Number(last.headers['retry-after']) > 0);
});
