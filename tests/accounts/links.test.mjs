// Signing up and in, and what is mailed for it.
import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { Agent } from 'node:http';
import test, { after, before } from 'node:test';
import { databaseOf, sql } from '../lib/admin_sql.mjs';
import { request } from '../lib/http.mjs';
import { World, json, password, refused } from './world.mjs';

let world;
before(async () => { world = await World.start(); });
after(() => world?.stop());

test('a sign-up signs in; the session ends with a logout, at once', async () => {
  const made = await world.signUp('one@example.test', { name: 'One' });
  assert.equal(made.status, 200, made.text);
  assert.deepEqual(Object.keys(made.json), ['ok', 'token', 'user']);
  assert.match(made.headers['set-cookie'][0], /^svc_app_session=svc_s_[^;]+; Path=\/; HttpOnly; SameSite=Lax; Max-Age=\d+$/);
  const as = made.json.token;
  assert.equal((await world.call('GET', '/auth/me', undefined, { as })).json.user.email, 'one@example.test');
  assert.equal((await world.call('POST', '/api/v1/diary', { text: 'mine' }, { as })).status, 201);
  assert.equal((await world.call('POST', '/auth/logout', {}, { as })).status, 200);
  assert.equal((await world.call('GET', '/auth/me', undefined, { as })).json.user, null);
  refused(await world.call('GET', '/api/v1/diary', undefined, { as }), 401, 'UNAUTHORIZED');
});

test('a sign-up refuses bad addresses, weak passwords and unknown personas', async () => {
  refused(await world.signUp('nobody'), 400, 'INVALID_EMAIL');
  refused(await world.signUp('two@example.test', { password: 'short' }), 400, 'WEAK_PASSWORD');
  refused(await world.signUp('two@example.test', { password: 'Password123' }), 400, 'WEAK_PASSWORD');
  refused(await world.signUp('two@example.test', { persona: 'clerk' }), 400, 'INVALID_ROLE');
  refused(await world.signUp('two@example.test', { name: 'n'.repeat(201) }), 400, 'PARAMS_INVALID');
  await world.signUp('two@example.test');
  refused(await world.signUp('Two@Example.Test'), 409, 'EMAIL_TAKEN');
  refused(await world.login('two@example.test', 'wrong password'), 401, 'INVALID_CREDENTIALS');
  refused(await world.call('POST', '/auth/login', { email: 'two@example.test' }), 400, 'INVALID_CREDENTIALS');
});

test('a reset is asked for by anybody, the same for who is there and who is not; it ends every session', async () => {
  const { token: as } = (await world.signUp('three@example.test')).json;
  const known = await world.call('POST', '/auth/reset/request', { email: 'three@example.test' });
  const unknown = await world.call('POST', '/auth/reset/request', { email: 'nobody@example.test' });
  assert.deepEqual([known.status, known.text], [unknown.status, unknown.text]);
  assert.equal(known.text, '{"ok":true}');
  assert.equal((await world.mails('nobody@example.test')).length, 0);
  const token = await world.mailedToken('three@example.test');

  refused(await world.call('POST', '/auth/reset/confirm', { newPassword: password }), 400, 'MISSING_TOKEN');
  refused(await world.call('POST', '/auth/reset/confirm', { token, newPassword: 'short' }), 400, 'WEAK_PASSWORD');
  refused(await world.call('POST', '/auth/reset/confirm', { token: `${token}x`, newPassword: password }), 400, 'INVALID_TOKEN');
  const other = 'another long secret';
  assert.equal((await world.call('POST', '/auth/reset/confirm', { token, newPassword: other })).status, 200);
  refused(await world.call('POST', '/auth/reset/confirm', { token, newPassword: other }), 400, 'TOKEN_USED');
  refused(await world.call('GET', '/api/v1/diary', undefined, { as }), 401, 'UNAUTHORIZED');
  refused(await world.login('three@example.test'), 401, 'INVALID_CREDENTIALS');
  assert.equal((await world.login('three@example.test', other)).status, 200);
});

test('a link in a mail has the app\'s origin, whatever Host the request had', async () => {
  await world.signUp('host@example.test');
  await world.stack.fetch('POST', '/__svc/auth/magic/request', {
    headers: { authorization: `Bearer ${world.project.browser}`, origin: 'http://evil.test', 'x-forwarded-host': 'evil.test' },
    body: { email: 'host@example.test' }, host: world.host,
  });
  const [mail] = await world.mails('host@example.test');
  assert.equal(new URL(mail.links[0]).origin, `http://${world.host}:${world.stack.port}`);
  assert.ok(mail.text.includes(mail.links[0]));
  assert.match(mail.subject, /Accounts & more/);
});

test('a magic link signs in once; a preview does not use it up', async () => {
  await world.signUp('magic@example.test');
  await world.call('POST', '/auth/magic/request', { email: 'magic@example.test' });
  const token = await world.mailedToken('magic@example.test');
  const path = `/auth/magic/consume?token=${token}`;
  const lookers = [
    ['HEAD', {}], ['GET', { 'user-agent': 'Slackbot-LinkExpanding 1.0' }], ['GET', { 'user-agent': 'facebookexternalhit/1.1' }],
    ['GET', { 'sec-purpose': 'prefetch;prerender' }], ['GET', { purpose: 'prefetch' }], ['GET', { 'x-purpose': 'preview' }],
  ];
  for (const [method, headers] of lookers) {
    const answer = await world.call(method, path, undefined, { key: null, headers });
    assert.equal(answer.status, 200);
    assert.equal(answer.headers['set-cookie'], undefined);
  }
  const opened = await world.call('GET', path, undefined, { key: null, headers: { accept: 'text/html' } });
  assert.equal(opened.status, 302);
  assert.equal(opened.headers.location, `http://${world.host}:${world.stack.port}/?magic=1`);
  assert.match(opened.headers['set-cookie'][0], /svc_app_session=svc_s_/);
  refused(await world.call('GET', path, undefined, { key: null, headers: json }), 400, 'TOKEN_USED');
  refused(await world.call('GET', '/auth/magic/consume', undefined, { key: null, headers: json }), 400, 'MISSING_TOKEN');
  refused(await world.call('GET', '/auth/magic/consume?token=svc_t_forged', undefined, { key: null, headers: json }), 400, 'INVALID_TOKEN');
});

test('of thirty-two uses of a link at the same time one succeeds, a thousand times', async () => {
  const { user } = (await world.signUp('race@example.test')).json;
  const tokens = Array.from({ length: 1000 }, () => `svc_t_${randomBytes(32).toString('base64url')}`);
  const rows = tokens.map((token) => `('\\x${createHash('sha256').update(token).digest('hex')}', 'magic', '${user.id}', 'race@example.test', now() + interval '1 hour')`);
  sql(world.stack, databaseOf(world.project), `insert into svc.token (hash, purpose, account_id, email, expires_at) values ${rows.join(',')}`);
  const agent = new Agent({ keepAlive: true, maxSockets: 32 });
  const use = (token) => request({
    port: world.stack.port, method: 'GET', path: `/__svc/auth/magic/consume?token=${token}`, headers: { ...json, host: world.host }, agent,
  });
  for (const token of tokens) {
    const answers = await Promise.all(Array.from({ length: 32 }, () => use(token)));
    const codes = answers.map((a) => (a.status === 200 ? 'in' : a.json.error.code)).sort();
    assert.deepEqual(codes, [...Array(31).fill('TOKEN_USED'), 'in']);
  }
  agent.destroy();
});

test('a sign-in with a password that is being changed opens nothing afterwards', async () => {
  const { user } = (await world.signUp('flight@example.test')).json;
  for (let round = 0; round < 3; ++round) {
    const old = round === 0 ? password : `password number ${round}`;
    await world.call('POST', '/auth/reset/request', { email: 'flight@example.test' });
    const token = await world.mailedToken('flight@example.test');
    const logins = Array.from({ length: 12 }, () => world.login('flight@example.test', old));
    const reset = await world.call('POST', '/auth/reset/confirm', { token, newPassword: `password number ${round + 1}` });
    assert.equal(reset.status, 200, reset.text);
    const answers = await Promise.all(logins);
    assert.deepEqual(sql(world.stack, databaseOf(world.project), `select count(*) from svc.session where account_id = '${user.id}'`), [['0']]);
    for (const { json: answer } of answers.filter((a) => a.status === 200))
      refused(await world.call('GET', '/api/v1/diary', undefined, { as: answer.token }), 401, 'UNAUTHORIZED');
  }
});

test('a button goes on where a program was taken for one that only looks', async () => {
  await world.signUp('button@example.test');
  await world.call('POST', '/auth/magic/request', { email: 'button@example.test' });
  const token = await world.mailedToken('button@example.test');
  const headers = { 'user-agent': 'Mozilla/5.0 (Linux; CUBOT_X30)' };
  const page = await world.call('GET', `/auth/magic/consume?token=${token}`, undefined, { key: null, headers });
  assert.match(page.text, /<button>Continue<\/button>/);
  const gone = await world.call('GET', `/auth/magic/consume?token=${token}&go=1`, undefined, { key: null, headers });
  assert.equal(gone.status, 302);
});

test('a token of one purpose does not work for another', async () => {
  await world.signUp('purpose@example.test');
  await world.call('POST', '/auth/reset/request', { email: 'purpose@example.test' });
  const token = await world.mailedToken('purpose@example.test');
  refused(await world.call('GET', `/auth/magic/consume?token=${token}`, undefined, { key: null, headers: json }), 400, 'INVALID_TOKEN');
  refused(await world.call('GET', `/auth/verify/confirm?token=${token}`, undefined, { key: null, headers: json }), 400, 'INVALID_TOKEN');
  assert.equal((await world.call('POST', '/auth/reset/confirm', { token, newPassword: password })).status, 200);
});

test('the page of a set-password link takes a form, and says what is wrong with it', async () => {
  await world.signUp('form@example.test');
  await world.call('POST', '/auth/reset/request', { email: 'form@example.test' });
  const [mail] = await world.mails('form@example.test');
  const link = new URL(mail.links[0]);
  assert.equal(link.pathname, '/__svc/auth/set-password');
  const page = await world.stack.fetch('GET', link.pathname + link.search, { host: world.host });
  assert.equal(page.status, 200);
  assert.match(page.headers['content-type'], /^text\/html/);
  assert.match(page.headers['content-security-policy'], /default-src 'none'/);
  assert.ok(page.text.includes('autocomplete="new-password"'));
  const send = (form) => world.stack.fetch('POST', link.pathname, {
    host: world.host, headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: new URLSearchParams(form).toString(),
  });
  const token = link.searchParams.get('token');
  const weak = await send({ token, password: 'short' });
  assert.equal(weak.status, 400);
  assert.match(weak.text, /role="alert"/);
  const strange = await send({ token: '"><script>alert(1)</script>', password });
  assert.ok(!strange.text.includes('<script>'));
  assert.equal((await send({ token, password: 'chosen on the page' })).status, 200);
  assert.equal((await world.login('form@example.test', 'chosen on the page')).status, 200);
});

test('mails are few: an account and an address have so many an hour', async () => {
  const own = await World.start({ env: { SVC_RATE_MAIL: '2', SVC_RATE_SIGNUP: '1' } });
  try {
    const ask = (email) => own.call('POST', '/auth/magic/request', { email });
    assert.equal((await ask('ann@example.test')).status, 200);
    assert.equal((await ask('ann@example.test')).status, 200);
    const third = await ask('ann@example.test');
    refused(third, 429, 'RATE_LIMITED');
    assert.ok(Number(third.headers['retry-after']) > 0);
    assert.equal((await ask('other@example.test')).status, 200);
    assert.equal((await own.signUp('first@example.test')).status, 200);
    refused(await own.signUp('second@example.test'), 429, 'RATE_LIMITED');
  } finally {
    await own.stop();
  }
});

test('where an address must be confirmed, nobody learns whether it has an account', async () => {
  const own = await World.start({ change: (c) => { c.auth.verifyEmail = true; } });
  try {
    const first = await own.signUp('pending@example.test');
    assert.deepEqual(first.json, { ok: true, pending: true, message: first.json.message });
    refused(await own.login('pending@example.test'), 403, 'EMAIL_NOT_VERIFIED');
    const token = await own.mailedToken('pending@example.test');
    const again = await own.signUp('pending@example.test', { password: 'of somebody else' });
    assert.deepEqual([again.status, again.text], [first.status, first.text]);
    assert.match((await own.mails('pending@example.test'))[0].subject, /have an account/);
    const confirmed = await own.call('GET', `/auth/verify/confirm?token=${token}`, undefined, { key: null });
    assert.equal(confirmed.status, 302);
    assert.match(confirmed.headers.location, /\/\?verified=1$/);
    refused(await own.login('pending@example.test', 'of somebody else'), 401, 'INVALID_CREDENTIALS');
    assert.equal((await own.login('pending@example.test')).status, 200);
    refused(await own.call('GET', `/auth/verify/confirm?token=${token}`, undefined, { key: null, headers: json }), 400, 'TOKEN_USED');

    // A person who claimed an address before its owner loses everything that they set there.
    await own.signUp('victim@example.test');
    await own.call('POST', '/auth/magic/request', { email: 'victim@example.test' });
    const link = await own.mailedToken('victim@example.test');
    const opened = await own.call('GET', `/auth/magic/consume?token=${link}`, undefined, { key: null, headers: json });
    assert.equal(opened.status, 200, opened.text);
    refused(await own.login('victim@example.test'), 401, 'INVALID_CREDENTIALS');
    assert.equal((await own.call('GET', '/api/v1/diary', undefined, { as: opened.json.token })).status, 200);
  } finally {
    await own.stop();
  }
});

test('policies and texts are the contract\'s', async () => {
  const own = await World.start({
    change: (c) => {
      c.auth.signup = 'invite_only';
      c.auth.mails = { magic: { subject: 'Komm rein zu {app}', text: 'Hier: {link} {unknown}' } };
    },
  });
  try {
    refused(await own.signUp('x@example.test'), 403, 'SIGNUP_INVITE_ONLY');
    assert.deepEqual((await own.call('GET', '/auth/signup-options')).json, { ok: true, signupPolicy: 'invite_only', personas: ['member'] });
    await own.call('POST', '/auth/magic/request', { email: 'ann@example.test' });
    const [mail] = await own.mails('ann@example.test');
    assert.equal(mail.subject, 'Komm rein zu Accounts & more');
    assert.equal(mail.text, `Hier: ${mail.links[0]} {unknown}`);
  } finally {
    await own.stop();
  }
});
