// What leads over a mail, in a browser with JavaScript on and off: confirming an address, a forgotten password, a link to sign in,
// and links that work no more.
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { mailedLink, startMailServer } from '../accounts/mail_server.mjs';
import { totp } from '../lib/oathtool.mjs';
import { Stack } from '../lib/stack.mjs';
import { Browser } from './browser.mjs';
import { Visitor } from './world.mjs';

const contract = {
  app: { name: 'Mailed', description: 'Notes of yours', theme: { accent: '#0a7d5a' } },
  personas: [{ id: 'member', kind: 'consumer', signup: true }],
  auth: { signup: 'open', verifyEmail: true, methods: ['password', 'magic'] },
  entities: [{ name: 'note', fields: [{ name: 'title', type: 'string' }], access: { read: { to: 'member', if: 'user_id == user.id' }, create: 'member' } }],
};
const password = 'a long password', other = 'quite another one';

let mails, stack, host, browser;
before(async () => {
  mails = await startMailServer();
  stack = await Stack.start({ SVC_SMTP_URL: mails.url, SVC_RATE_MAIL: '1000', SVC_RATE_LOGIN: '1000' });
  await stack.signIn();
  const project = await stack.project('Mailed');
  await stack.apply(project, contract);
  host = `preview-${project.slug}.localhost`;
  browser = await Browser.start(stack, host);
});
after(async () => {
  await browser?.close();
  await stack?.stop();
  await mails?.stop();
});

class Person {
  static async come(name, script, path = '/sign-in') {
    const out = new this();
    out.email = `${name}-${script ? 'with' : 'without'}@example.test`;
    out.context = await browser.as(null, { script });
    out.page = await browser.open(out.context, path);
    out.mails = 0;
    return out;
  }
  shows(words) { return this.page.getByText(words).first().waitFor(); }
  press(name) { return this.page.getByRole('button', { name, exact: true }).click(); }
  type(label, text) { return this.page.getByLabel(label, { exact: true }).fill(text); }
  go(path) { return this.page.goto(browser.origin + path); }
  async link() {
    const link = await mailedLink(mails, this.email, this.mails);
    this.mails += 1;
    return link;
  }
  async signIn(secret) {
    await this.go('/sign-in');
    await this.type('E-mail', this.email);
    await this.type('Password', secret);
    await this.press('Sign in');
  }
  async signUp() {
    await this.go('/sign-up');
    await this.type('E-mail', this.email);
    await this.type('Password', password);
    await this.press('Create account');
    await this.shows('Check your mail');
    const link = await this.link();
    await this.page.goto(link);
    await this.shows('Your address is confirmed.');
    return link;
  }
  async enters() {
    await this.shows('You are signed in.');
    assert.deepEqual(this.page.complaints, []);
  }
  async refused(words) {
    await this.shows('This link does not work');
    await this.shows(words);
    await this.page.getByRole('link', { name: 'Go to the sign-in' }).click();
    await this.page.waitForURL(/\/sign-in$/);
  }
  end() { return this.context.close(); }
}

for (const script of [true, false]) {
  const how = script ? 'with JavaScript' : 'without JavaScript';

  test(`an address is confirmed by its link, once, ${how}`, async () => {
    const ann = await Person.come('ann', script);
    const link = await ann.signUp();
    await ann.signIn(password);
    await ann.enters();
    await ann.page.goto(link);
    await ann.refused('This link was already used.');
    await ann.end();
  });

  test(`a forgotten password is chosen anew, ${how}`, async () => {
    const bob = await Person.come('bob', script);
    await bob.signUp();
    await bob.go('/sign-in');
    await bob.page.getByRole('link', { name: 'Forgot your password?' }).click();
    await bob.page.waitForURL(/\/reset$/);
    await bob.type('E-mail', bob.email);
    await bob.press('Send the link');
    await bob.shows('a mail is on its way');
    const link = await bob.link();
    await bob.page.goto(link);
    await bob.type('New password', other);
    await bob.press('Set password');
    await bob.shows('Your password is set');
    await bob.page.getByRole('link', { name: 'Sign in' }).click();
    await bob.page.waitForURL(/\/sign-in$/);
    await bob.signIn(password);
    await bob.shows('E-mail or password is wrong');
    await bob.signIn(other);
    await bob.enters();
    await bob.page.goto(link);
    await bob.type('New password', 'a third one of mine');
    await bob.press('Set password');
    await bob.refused('This link was already used.');
    await bob.end();
  });

  test(`a link signs in, once, ${how}`, async () => {
    const cara = await Person.come('cara', script);
    await cara.signUp();
    await cara.go('/sign-in');
    await cara.type('E-mail', cara.email);
    await cara.press('Mail me a link to sign in');
    await cara.shows('a mail is on its way');
    const link = await cara.link();
    await cara.page.goto(link);
    await cara.enters();
    assert.match(cara.page.url(), /\/\?magic=1$/);
    await cara.page.goto(link);
    await cara.refused('This link was already used.');
    await cara.page.goto(`${browser.origin}/__svc/auth/magic/consume?token=nothing`);
    await cara.refused('This link is not valid.');
    await cara.end();
  });

  test(`whoever has a second factor shows it behind the link too, ${how}`, async () => {
    const dan = await Person.come('dan', script);
    await dan.signUp();
    const same = new Visitor(stack, host);
    await same.submit('/sign-in', 'Sign in', { email: dan.email, password });
    const begun = await same.submit('/account', 'Set up', {}, 200);
    const [, secret] = /<code>([A-Z2-7]+)<\/code>/.exec(begun.text);
    const code = totp(secret);
    const on = await same.press('/account', begun, 'Turn on', { code }, 200);
    const [, backup] = /<li>([^<]+)<\/li>/.exec(on.text.slice(on.text.indexOf('class="codes"')));
    await dan.go('/sign-in');
    await dan.type('E-mail', dan.email);
    await dan.press('Mail me a link to sign in');
    await dan.page.goto(await dan.link());
    await dan.shows('One more step');
    await dan.type('Code', '000000');
    await dan.press('Continue');
    await dan.shows('The code is wrong');
    await dan.type('Code', backup);
    await dan.press('Continue');
    await dan.enters();
    await dan.end();
  });
}

test('programs that follow a link are told in JSON', async () => {
  const { status, json } = await stack.fetch('GET', '/__svc/auth/magic/consume?token=nothing', { host, headers: { accept: 'application/json' } });
  assert.deepEqual([status, json.error.code], [400, 'INVALID_TOKEN']);
});
