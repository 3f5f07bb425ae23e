// Builders' passkeys in a real browser, with an authenticator of the browser's own (Chrome DevTools Protocol, domain WebAuthn).
import assert from 'node:assert/strict';
import { dirname, join } from 'node:path';
import test, { after, before } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Device, forged } from '../../lib/authenticator.mjs';
import { refused } from '../../lib/builder.mjs';
import { packages } from '../../lib/npm.mjs';
import { Stack, owner, until } from '../../lib/stack.mjs';

let stack, browser, device;
const site = () => `http://localhost:${stack.port}`;
before(async () => {
  stack = await Stack.start();
  stack.child.kill('SIGTERM');
  await stack.ended;
  stack.env = { SVC_PUBLIC_ORIGIN: site() };
  await stack.run();
  await stack.signIn();
  const require = packages(join(dirname(fileURLToPath(import.meta.url)), '../../accounts'));
  browser = await require('playwright-core').chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu'] });
  device = await Device.open(browser, `${site()}/cli-login`);
});
after(async () => {
  await browser?.close();
  await stack?.stop();
});

const password = () => stack.dev('POST', '/session', owner, { token: null, expect: 200 }).then(({ json }) => json);
const show = (pending, passkey) => stack.dev('POST', '/session/mfa', { pending, passkey }, { token: null });

const forge = (parts) => forged({ origin: site(), rpId: 'localhost', ...parts });

test('a passkey is made with the password, is the factor of a sign-in, and counts once', async () => {
  refused(await stack.dev('POST', '/mfa/passkeys/register/start', {}), 400, 'BAD_REQUEST');
  refused(await stack.dev('POST', '/mfa/passkeys/register/start', { password: 'wrong one' }), 401, 'UNAUTHENTICATED');
  const other = (await password()).token;
  const begin = () => stack.dev('POST', '/mfa/passkeys/register/start', { password: owner.password }, { expect: 200 }).then(({ json }) => json.options);
  const options = await begin();
  assert.deepEqual([options.rp.id, options.user.name, options.excludeCredentials], ['localhost', owner.email, []]);
  const credential = await device.create(options);
  const made = await stack.dev('POST', '/mfa/passkeys/register/finish', { credential, name: 'My phone' });
  assert.equal(made.status, 201, made.text);
  const { passkey } = made.json;
  assert.deepEqual(passkey, { id: passkey.id, name: 'My phone', createdAt: passkey.createdAt, lastUsedAt: null });
  refused(await stack.dev('POST', '/mfa/passkeys/register/finish', { credential }), 400, 'INVALID_TOKEN');
  assert.equal((await stack.dev('GET', '/me', undefined, { token: other })).status, 401, 'other sessions ended');
  assert.deepEqual((await stack.dev('GET', '/mfa/passkeys')).json, { passkeys: [passkey] });
  assert.equal((await begin()).excludeCredentials.length, 1);

  const asked = await password();
  assert.deepEqual([asked.needsMfa, asked.methods, asked.token], [true, ['passkey'], undefined]);
  assert.equal(asked.passkeyOptions.allowCredentials.length, 1);
  const used = await device.get(asked.passkeyOptions);
  const done = await show(asked.pending, used);
  assert.equal(done.status, 200, done.text);
  assert.equal((await stack.dev('GET', '/mfa', undefined, { token: done.json.token })).json.shown, true);
  refused(await show(asked.pending, used), 401, 'INVALID_CODE');
  refused(await show((await password()).pending, used), 400, 'INVALID_TOKEN');
  refused(await stack.dev('POST', '/session/mfa', { pending: (await password()).pending, code: '123456' }, { token: null }), 401, 'INVALID_CODE');
  assert.ok((await stack.dev('GET', '/mfa/passkeys')).json.passkeys[0].lastUsedAt);
});

test('an answer that was made elsewhere, without its owner, by a copy or for another sign-in opens nothing', async () => {
  const [credential] = await device.credentials();
  let count = credential.signCount + 100;
  const finish = async (lies) => {
    const { pending, passkeyOptions } = await password();
    return show(pending, forge({ credential, challenge: passkeyOptions.challenge, count: ++count, ...lies }));
  };
  assert.equal((await finish({})).status, 200, 'made by hand as it should be');
  for (const origin of ['https://evil.test', `https://localhost:${stack.port}`, 'http://localhost', `http://preview-shop.localhost:${stack.port}`, `http://127.0.0.1:${stack.port}`, 'null', ''])
    refused(await finish({ origin }), 403, 'ORIGIN_NOT_ALLOWED');
  assert.equal((await finish({})).status, 200);
  refused(await finish({ cross: true }), 403, 'ORIGIN_NOT_ALLOWED');
  refused(await finish({ type: 'webauthn.create' }), 400, 'BAD_REQUEST');
  for (const lie of [{ rpId: 'evil.test' }, { flags: 0x01 }, { flags: 0x04 }]) refused(await finish(lie), 401, 'INVALID_CODE');
  refused(await finish({ count: credential.signCount }), 401, 'INVALID_CODE');
  assert.equal((await finish({})).status, 200);
  const mine = await password(), others = await password();
  refused(await show(mine.pending, forge({ credential, challenge: others.passkeyOptions.challenge, count: ++count })), 400, 'INVALID_TOKEN');
  const many = await Promise.all(Array.from({ length: 5 }, (_, i) => show(others.pending, forge({ credential, challenge: others.passkeyOptions.challenge, count: count + 1 + i }))));
  assert.equal(many.filter(({ status }) => status === 200).length, 1);
  // The browser's own counts on from here.
  await device.cdp.send('WebAuthn.removeCredential', { authenticatorId: device.id, credentialId: credential.credentialId });
  await device.cdp.send('WebAuthn.addCredential', { authenticatorId: device.id, credential: { ...credential, signCount: count + 50 } });
});

test('the page of svc login takes a passkey, with the one script that it allows', async () => {
  const { userCode, deviceCode } = (await stack.dev('POST', '/cli/login', {}, { token: null, expect: 200 })).json;
  const { page } = device;
  const wrongs = [];
  page.on('console', (message) => message.type() === 'error' && wrongs.push(message.text()));
  page.on('pageerror', (error) => wrongs.push(error.message));
  await page.goto(`${site()}/cli-login?code=${userCode}`);
  await page.fill('input[name=email]', owner.email);
  await page.fill('input[name=password]', owner.password);
  const [answer] = await Promise.all([page.waitForResponse((one) => one.request().method() === 'POST'), page.click('button[value=sign-in]')]);
  assert.match(answer.headers()['content-security-policy'], /^default-src 'none'; script-src 'sha256-[^']+'; /);
  await page.click('text=Use a passkey');
  await page.click('button[value=approve]');
  assert.match(await page.textContent('body'), /Allowed/);
  assert.deepEqual(wrongs, []);
  const { json } = await until('the token', async () => {
    const polled = await stack.dev('POST', '/cli/login/poll', { deviceCode }, { token: null });
    return ![428, 429].includes(polled.status) && polled;
  });
  assert.equal(json.user.email, owner.email);
});

test('a person registers another passkey at the page, with the one that there is', async () => {
  const { page } = device;
  await page.goto(`${site()}/passkeys`);
  await page.fill('input[name=email]', owner.email);
  await page.fill('input[name=password]', 'a wrong one');
  await page.click('button');
  await page.waitForSelector('text=E-mail or password is wrong.');
  await page.fill('input[name=password]', owner.password);
  await page.fill('input[name=name]', 'By hand');
  // An authenticator makes no second passkey, so another one replaces it after the first has signed.
  const other = await device.cdp.send('WebAuthn.addVirtualAuthenticator', { options: { protocol: 'ctap2', transport: 'usb', hasResidentKey: true, hasUserVerification: true, isUserVerified: true, automaticPresenceSimulation: true } });
  await page.click('button');
  await page.waitForSelector('text=The passkey is registered.');
  await device.cdp.send('WebAuthn.removeVirtualAuthenticator', other);
  const { pending, passkeyOptions } = await password();
  const done = await show(pending, await device.get(passkeyOptions));
  stack.session = done.json.token;  // those of before have ended
  const { passkeys } = (await stack.dev('GET', '/mfa/passkeys', undefined, { expect: 200 })).json;
  assert.deepEqual(passkeys.map(({ name }) => name), ['My phone', 'By hand']);
});

test('a passkey is removed with the password; on a bare address there are none', async () => {
  const [{ id }, { id: second }] = (await stack.dev('GET', '/mfa/passkeys')).json.passkeys;
  refused(await stack.dev('DELETE', `/mfa/passkeys/${id}`), 400, 'BAD_REQUEST');
  refused(await stack.dev('DELETE', `/mfa/passkeys/${id}`, { password: 'wrong one' }), 401, 'UNAUTHENTICATED');
  assert.equal((await stack.dev('DELETE', '/mfa/passkeys/nothing', { password: owner.password })).status, 404);
  assert.equal((await stack.dev('DELETE', `/mfa/passkeys/${id}`, { password: owner.password })).status, 200);
  assert.equal((await password()).token, undefined, 'one is left');
  assert.equal((await stack.dev('DELETE', `/mfa/passkeys/${second}`, { password: owner.password })).status, 200);
  assert.ok((await password()).token);
  stack.child.kill('SIGTERM');
  await stack.ended;
  stack.env = {};
  await stack.run();
  const answer = await stack.dev('POST', '/mfa/passkeys/register/start', { password: owner.password });
  refused(answer, 400, 'BAD_REQUEST');
  assert.match(answer.json.error, /SVC_PUBLIC_ORIGIN/);
});
