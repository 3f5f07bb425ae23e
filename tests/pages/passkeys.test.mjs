// The pages of accounts in Chromium, with an authenticator of the browser's own: passkeys, the second factor, and what /account
// says of them.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import test, { after, before } from 'node:test';
import { databaseOf, sql } from '../lib/admin_sql.mjs';
import { Stack } from '../lib/stack.mjs';
import { Browser } from './browser.mjs';
import { seen, Visitor } from './world.mjs';

const contract = {
  app: { name: 'Keyed' },
  personas: [{ id: 'member', kind: 'consumer', signup: true }, { id: 'chief', kind: 'staff', mfa: 'required' }],
  auth: { signup: 'open', verifyEmail: false, methods: ['password', 'magic', 'passkey'] },
  entities: [{ name: 'note', fields: [{ name: 'title', type: 'string' }], access: { read: ['member', 'chief'], create: ['member'] } }],
};

let stack, project, host, browser, context, page, cdp, authenticator;
before(async () => {
  stack = await Stack.start();
  await stack.signIn();
  project = await stack.project('Keyed');
  await stack.apply(project, contract);
  host = `preview-${project.slug}.localhost`;
  browser = await Browser.start(stack, host);
  context = await browser.as(null);
  page = await browser.open(context, '/sign-up');
  cdp = await context.newCDPSession(page);
  await cdp.send('WebAuthn.enable');
  ({ authenticatorId: authenticator } = await cdp.send('WebAuthn.addVirtualAuthenticator', { options: {
    protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: true, isUserVerified: true, automaticPresenceSimulation: true } }));
});
after(async () => {
  await browser?.close();
  await stack?.stop();
});
const at = (path) => page.goto(browser.origin + path);
const press = (words) => page.getByRole('button', { name: words, exact: true }).click();
const stands = (words) => page.getByText(words).first().waitFor();

test('an account is made, and gets a passkey', async () => {
  await page.getByLabel('E-mail').fill('ann@example.test');
  await page.getByLabel('Password').fill('a long password');
  await press('Create account');
  await stands('You are signed in.');
  await at('/account');
  await page.getByLabel('Name of this device').fill('My laptop');
  await press('Add a passkey');
  await stands('The passkey is added.');
  await page.getByRole('heading', { name: 'My laptop' }).waitFor();
  assert.equal((await cdp.send('WebAuthn.getCredentials', { authenticatorId: authenticator })).credentials.length, 1);
});

test('the passkey signs in and leads to where one wanted to go', async () => {
  await at('/account');
  await page.locator('main').getByRole('button', { name: 'Sign out' }).click();
  await stands('You are signed out.');
  await at('/sign-in?next=%2Fnote');
  await press('Use a passkey');
  await page.waitForURL(/\/note\?done=in$/);
});

test('a passkey that is refused, or of nobody, is said on the page', async () => {
  await context.clearCookies();
  await cdp.send('WebAuthn.setUserVerified', { authenticatorId: authenticator, isUserVerified: false });
  await at('/sign-in');
  await press('Use a passkey');
  await stands('No passkey was used. Try again, or choose another way.');
  await cdp.send('WebAuthn.setUserVerified', { authenticatorId: authenticator, isUserVerified: true });
  const { text } = await new Visitor(stack, host).post('/sign-in', { _do: 'passkey', credential: '{"id":"x"}' });
  assert.match(text, /role="alert"/);
  assert.match(seen((await new Visitor(stack, host).post('/sign-in', { _do: 'passkey', credential: 'x' })).text), /Your browser has shown no passkey/);
});

test('the passkey is taken away, also without a script', async () => {
  await at('/sign-in');
  await press('Use a passkey');
  await page.waitForURL(/done=in$/);
  const ann = new Visitor(stack, host);
  for (const { name, value } of await context.cookies()) ann.cookies.set(name, value);
  const still = await browser.open(await browser.as(ann, { script: false }), '/account');
  await still.getByText('To add one, use a browser that runs scripts and knows passkeys.').waitFor();
  assert.ok(!await still.getByText('Add a passkey').isVisible());
  await ann.submit('/account', 'Remove');
  assert.doesNotMatch(seen((await ann.get('/account')).text), /My laptop/);
});

test('who must have a second factor and has a passkey shows that one', async () => {
  await context.clearCookies();
  await cdp.send('WebAuthn.clearCredentials', { authenticatorId: authenticator });
  await at('/sign-up');
  await page.getByLabel('E-mail').fill('cara@example.test');
  await page.getByLabel('Password').fill('a long password');
  await press('Create account');
  await stands('You are signed in.');
  await at('/account');
  await press('Add a passkey');
  await stands('The passkey is added.');
  sql(stack, databaseOf(project), "update svc.account set persona = 'chief' where email = 'cara@example.test'");
  await context.clearCookies();
  await at('/sign-in?next=%2Fnote');
  await page.getByLabel('E-mail').fill('cara@example.test');
  await page.getByLabel('Password').fill('a long password');
  await press('Sign in');
  await stands('Show your passkey to go on.');
  assert.equal(await page.getByLabel('Code').count(), 0, 'there is no app whose code it could be');
  await press('Use a passkey');
  await page.waitForURL(/\/note\?done=in$/);
});

test('the session of a developer\'s link may get a passkey', async () => {
  await context.clearCookies();
  await cdp.send('WebAuthn.clearCredentials', { authenticatorId: authenticator });
  const { json } = await stack.dev('POST', `/projects/${project.id}/sign-in`, { as: 'chief' }, { expect: 200 });
  await page.goto(json.url.replace(/^http:\/\/[^/]+/, browser.origin));
  await at('/account');
  await stands('A code of an app on your phone');
  await page.getByLabel('Name of this device').fill('Key');
  await press('Add a passkey');
  await stands('The passkey is added.');
});

test('the page of an account says what is true of its second factor', async () => {
  const bob = new Visitor(stack, host);
  await bob.submit('/sign-up', 'Create account', { email: 'bob@example.test', password: 'a long password' });
  assert.doesNotMatch(seen((await bob.get('/account')).text), /authenticator app\. Whoever/);
  const begun = await bob.submit('/account', 'Set up', {}, 200);
  const [, secret] = /<code>([A-Z2-7]+)<\/code>/.exec(begun.text);
  const code = () => execFileSync('oathtool', ['--totp', '-b', secret], { encoding: 'utf8' }).trim();
  const on = await bob.press('/account', begun, 'Turn on', { code: code() }, 200);
  assert.equal([...on.text.matchAll(/<li>([^<]+)<\/li>/g)].length, 10);
  assert.match(seen((await bob.get('/account')).text), /Your account has an authenticator app\. Whoever signs in without a passkey is asked for its code\./);
  // A link of a developer lets in without a code, which changes nothing of what the account asks others for.
  const demo = new Visitor(stack, host);
  await demo.signInAs(project, 'bob@example.test');
  assert.match(seen((await demo.get('/account')).text), /Your account has an authenticator app\./);
  const member = new Visitor(stack, host);
  await member.signInAs(project, 'member');
  assert.doesNotMatch(seen((await member.get('/account')).text), /authenticator app\. Whoever/);
  assert.match(seen((await member.get('/account')).text), /Set up/);
});
