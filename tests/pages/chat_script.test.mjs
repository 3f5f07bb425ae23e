// A talk with the assistant with the script of pages: the answer comes piece by piece, can be stopped, and is remembered.
import assert from 'node:assert/strict';
import test, { after, before, beforeEach } from 'node:test';
import { Provider } from '../ai/provider.mjs';
import { World } from '../ai/world.mjs';
import { Browser } from './browser.mjs';
import { Visitor } from './world.mjs';

const pages = [
  { route: '/', title: 'Home', to: '*', body: [{ markdown: { text: 'Hello.' } }] },
  { route: '/help', title: 'Help', to: 'member', body: [{ chat: {} }] },
];

let provider, world, browser, context, page;
before(async () => {
  provider = await Provider.start();
  world = await World.start(provider, { model: 'small', maxInputChars: 2000, maxOutputTokens: 100 }, { pages });
  const ann = new Visitor(world.stack, world.app.host);
  await ann.submit('/sign-up', 'Create account', { email: 'ann@example.test', password: 'a long password' });
  browser = await Browser.start(world.stack, world.app.host);
  context = await browser.as(ann);
});
after(async () => {
  await browser?.close();
  await world?.stop();
  await provider?.stop();
});
beforeEach(async () => {
  provider.next = null;
  provider.words = ['Hel', 'lo', ' <b>there</b>'];
  provider.calls.length = 0;
  world.forget();
  page = await browser.open(context, '/help');
  await page.evaluate(() => { window.stayed = true; });
});

const say = async (text) => {
  await page.getByLabel('Your message').fill(text);
  await page.getByRole('button', { name: 'Send' }).click();
};
const said = () => page.locator('.said p').allTextContents();
const idle = () => page.locator('.ask:not([aria-busy])').waitFor();

test('the answer is text, and is known with the next message', async () => {
  await say('Who are you?');
  await page.getByText('Hello <b>there</b>').waitFor();
  await idle();
  assert.deepEqual(await said(), ['How can I help?', 'Who are you?', 'Hello <b>there</b>']);
  assert.equal(provider.last().body.stream, true);
  assert.equal(await page.getByLabel('Your message').inputValue(), '');
  await page.getByText('Start over').waitFor();
  provider.words = ['Fine.'];
  await say('And how?');
  await page.getByText('Fine.').waitFor();
  await idle();
  assert.deepEqual(provider.last().body.messages.slice(-3).map(({ content }) => content), ['Who are you?', 'Hello <b>there</b>', 'And how?']);
  assert.ok(await page.evaluate(() => window.stayed));
  assert.deepEqual(page.complaints, []);
  // Nothing typed is left, so the page goes without a question.
  await page.goto(`${browser.origin}/`);
});

test('what comes stands there before the rest does, and can be stopped', async () => {
  let end;
  provider.next = async ({ reply }) => {
    provider.begin(reply);
    provider.say(reply, 'The beginning');
    await new Promise((done) => { end = done; reply.on('close', done); });
  };
  await say('Tell me all');
  await page.getByText('The beginning').waitFor();
  assert.equal(await page.locator('.ask').getAttribute('aria-busy'), 'true');
  await page.getByRole('button', { name: 'Stop' }).click();
  await idle();
  end();
  assert.deepEqual(await said(), ['How can I help?', 'Tell me all', 'The beginning']);
  provider.next = null;
  await say('Go on');
  await page.getByText('Hello').waitFor();
  assert.deepEqual(provider.last().body.messages.slice(-3).map(({ content }) => content), ['Tell me all', 'The beginning', 'Go on']);
});

test('a refusal is a sentence, and the message stays', async () => {
  provider.next = ({ reply }) => provider.error(reply, 500, 'server_error');
  await say('Hello?');
  await page.getByText('The assistant did not answer. Try again in a moment.').waitFor();
  assert.equal(await page.getByLabel('Your message').inputValue(), 'Hello?');
  assert.deepEqual(await said(), ['How can I help?']);
  await page.close({ runBeforeUnload: false });
});

test('whoever has signed out meanwhile is led to the sign-in', async () => {
  await context.clearCookies();
  await say('Hello?');
  await page.waitForURL(/\/sign-in/);
});
