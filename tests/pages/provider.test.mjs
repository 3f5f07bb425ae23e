// Signing in with a provider on an app's pages, in a browser with JavaScript on and off: a real OpenID Connect provider, which an
// administrator has added.
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { startProvider } from '../accounts/oidc_provider.mjs';
import { Stack } from '../lib/stack.mjs';
import { Browser } from './browser.mjs';
import { seen, Visitor } from './world.mjs';

const pages = [
  { route: '/', title: 'Home', to: '*', body: [{ markdown: { text: 'Hello.' } }] },
  { route: '/mine', title: 'Mine', to: 'signed_in', body: [{ markdown: { text: 'Yours alone.' } }] },
  { route: '/by-link/:how', title: 'By a link', to: '*', body: [{ auth: { methods: ['magic'] } }] },
];
const contract = {
  app: { name: 'Provided' },
  personas: [{ id: 'member', kind: 'consumer', signup: true }, { id: 'chief', kind: 'staff' }],
  auth: { signup: 'open', methods: ['password', 'magic'] },
  entities: [{ name: 'note', fields: [{ name: 'title', type: 'string' }], access: { read: 'member', create: 'member' } }],
  seeds: { '@users': [{ _key: 'root', email: 'root@example.test', persona: 'chief', isAdmin: true }] },
};
const people = {
  ann: { email: 'ann@example.test', email_verified: true, name: 'Ann' },
  bob: { email: 'bob@example.test', email_verified: true, name: 'Bob' },
  unsure: { email: 'unsure@example.test', email_verified: false, name: 'Unsure' },
};

let stack, project, host, provider, browser;
before(async () => {
  stack = await Stack.start();
  await stack.signIn();
  project = await stack.project('Provided');
  await stack.apply(project, { ...contract, pages });
  host = `preview-${project.slug}.localhost`;
  browser = await Browser.start(stack, host);
  provider = await startProvider({ redirectUri: `${browser.origin}/__svc/auth/oauth/work/callback`, people });
  const root = new Visitor(stack, host);
  await root.signInAs(project, 'root@example.test');
  const { issuer, clientId, clientSecret } = provider;
  const set = await root.ask('POST', '/__svc/auth/oauth/config', {
    body: { id: 'work', label: 'Work', issuer, clientId, clientSecret },
    headers: { authorization: `Bearer ${project.browser}`, origin: root.origin, 'x-svc-data-api': '1' } });
  assert.equal(set.status, 200, set.text);
});
after(async () => {
  await browser?.close();
  await provider?.stop();
  await stack?.stop();
});

// Goes to the provider from this page, signs in there as `sub`, and comes back.
async function through(page, sub) {
  assert.deepEqual(page.complaints, []);
  await page.getByRole('link', { name: 'Continue with Work' }).click();
  await page.locator('input[name=login]').fill(sub);
  await page.locator('input[name=password]').fill('any');
  await page.locator('button[type=submit]').click();
  await page.locator('input[name=login]').waitFor({ state: 'detached' });
  await page.locator('button[type=submit]').click();  // what the app may know
  await page.waitForURL((url) => url.host === new URL(browser.origin).host);
  page.complaints.length = 0;  // the provider's own pages ask for fonts that are not here
}

for (const [script, who] of [[true, 'ann'], [false, 'bob']]) {
  const how = script ? 'with JavaScript' : 'without JavaScript';
  test(`the provider leads to the page that somebody wanted, ${how}`, async () => {
    const context = await browser.as(null, { script });
    const page = await browser.open(context, '/mine');
    await page.waitForURL(/\/sign-in\?next=/);
    await through(page, who);
    await page.getByText('Your provider knows you.').waitFor();
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL(/\/mine\?done=in$/);
    await page.getByText('Yours alone.').waitFor();
    await page.goto(`${browser.origin}/account`);
    await page.locator('main').getByText(people[who].email).waitFor();
    assert.deepEqual(page.complaints, []);
    await context.close();
  });

  test(`a person whom the provider does not vouch for is told so, ${how}`, async () => {
    const context = await browser.as(null, { script });
    const page = await browser.open(context, '/sign-in');
    await through(page, 'unsure');
    await page.getByText('Your provider has not confirmed that this address is yours.').waitFor();
    await page.getByRole('link', { name: 'Continue with Work' }).waitFor();
    await context.close();
  });
}

test('an answer that this browser did not ask for is a page that says so', async () => {
  const { status, text } = await new Visitor(stack, host).ask('GET', '/__svc/auth/oauth/work/callback?code=x&state=y');
  assert.equal(status, 400);
  assert.match(seen(text), /This sign-in was not started in this browser/);
});

test('a block offers the ways that it names', async () => {
  const { text } = await new Visitor(stack, host).get('/by-link/now');
  assert.match(text, /Mail me a link to sign in/);
  assert.doesNotMatch(text, /Continue with Work|type="password"|Forgot your password/);
  assert.match((await new Visitor(stack, host).get('/sign-in')).text, /Continue with Work/);
});
