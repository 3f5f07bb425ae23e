// The script of pages: how large it is, that its types hold, and what it does in a real browser.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import test, { after, before } from 'node:test';
import { gzipSync } from 'node:zlib';
import { bin, root, Stack } from '../lib/stack.mjs';
import { png } from '../files/world.mjs';
import { Events } from '../lib/events.mjs';
import { Visitor } from './world.mjs';

const web = createRequire(join(bin, 'web/package.json'));
const { chromium } = web('playwright-core');
const own = { to: 'member', if: 'user_id == user.id' };
const contract = {
  app: { name: 'Scripted' },
  personas: [{ id: 'member', kind: 'consumer', signup: true }],
  entities: [{ name: 'note', display: '{title}', fields: [{ name: 'title', type: 'string', required: true }, { name: 'paper', type: 'file' }],
    access: { read: [own], create: ['member'], update: [own], delete: [own] } }],
};

let stack, project, host, ann, browser, context;
before(async () => {
  stack = await Stack.start();
  await stack.signIn();
  project = await stack.project('Scripted');
  await stack.apply(project, contract);
  host = `preview-${project.slug}.localhost`;
  ann = new Visitor(stack, host);
  await ann.submit('/sign-up', 'Create account', { email: 'ann@example.test', password: 'a long password' });
  browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox', '--host-resolver-rules=MAP *.localhost 127.0.0.1'] });
  context = await browser.newContext();
  const url = `http://${host}:${stack.port}`;
  await context.addCookies([...ann.cookies].map(([name, value]) => ({ name, value, url })));
});
after(async () => {
  await browser?.close();
  await stack?.stop();
});

// A page in the browser, and what it complained of.
async function open(path) {
  const page = await context.newPage();
  page.complaints = [];
  page.on('console', (message) => { if (message.type() === 'error') page.complaints.push(message.text()); });
  page.on('pageerror', (error) => page.complaints.push(String(error)));
  await page.goto(`http://${host}:${stack.port}${path}`);
  // Whether the page was ever left.
  await page.evaluate(() => { window.stayed = true; });
  return page;
}
const stayed = (page) => page.evaluate(() => window.stayed === true);

test('the script of pages is small, and its types are strict', async () => {
  const [, path] = /src="(\/assets\/[0-9a-f]+\.js)"/.exec((await ann.get('/')).text);
  const { text, headers } = await ann.get(path);
  assert.match(headers['content-type'], /^text\/javascript/);
  assert.match(headers['cache-control'], /immutable/);
  assert.ok(gzipSync(text, { level: 9 }).length <= 10 * 1024, `${gzipSync(text, { level: 9 }).length}`);
  execFileSync(process.execPath, [web.resolve('typescript/bin/tsc'), '-p', join(root, 'web/app/tsconfig.json')], { stdio: 'inherit' });
});

test('a form is sent without leaving the page, with history, focus and what was wrong', async () => {
  const page = await open('/note/new');
  await page.click('text=Create note');
  await page.waitForSelector('#f-title-problem');
  assert.ok(await stayed(page));
  assert.equal(await page.evaluate(() => document.activeElement.id), 'f-title');
  await page.fill('#f-title', 'Written');
  await page.click('text=Create note');
  await page.waitForSelector('h1:has-text("Written")');
  assert.ok(await stayed(page));
  assert.match(page.url(), /\/note\/[0-9a-f-]{36}\?done=created$/);
  assert.match(await page.title(), /^Written/);
  assert.deepEqual(page.complaints.filter((text) => !/422/.test(text)), []);
  await page.goBack();
  await page.waitForSelector('#f-title');
  await page.close();
});

test('a file is uploaded with the form, and keeps with it', async () => {
  const page = await open('/note/new');
  await page.setInputFiles('#f-paper', { name: 'mine.png', mimeType: 'image/png', buffer: png(500) });
  await page.click('text=Create note');
  await page.waitForSelector('.kept:has-text("mine.png")');
  await page.fill('#f-title', 'With a file');
  await page.click('text=Create note');
  await page.waitForSelector('.file-name:has-text("mine.png")');
  assert.ok(await stayed(page));
  await page.close();
});

test('a list shows what others write, and leaves alone what somebody works in', async () => {
  const page = await open('/note');
  const [list] = await Promise.all([
    page.waitForResponse((answer) => answer.request().resourceType() === 'xhr'),
    ann.submit('/note/new', 'Create note', { 'f.title': 'From elsewhere' }),
  ]);
  assert.equal(list.status(), 200);
  await page.waitForSelector('text=From elsewhere');
  assert.ok(await stayed(page));
  await page.focus('a:has-text("From elsewhere")');
  const again = page.waitForResponse((answer) => answer.request().resourceType() === 'xhr');
  await ann.submit('/note/new', 'Create note', { 'f.title': 'Later' });
  await again;
  assert.equal(await page.evaluate(() => document.activeElement.textContent.trim()), 'From elsewhere');
  assert.deepEqual(page.complaints, []);
  await page.close();
});

test('a row is a link wherever it is pressed', async () => {
  await ann.submit('/note/new', 'Create note', { 'f.title': 'Pressed' });
  const page = await open('/note');
  const made = page.locator('tr:has-text("Pressed") td:not(.lead)').last();
  await made.selectText();
  await made.dispatchEvent('click');
  assert.equal(new URL(page.url()).pathname, '/note', 'text that is selected is not pressed');
  await page.evaluate(() => getSelection().removeAllRanges());
  await made.click();
  await page.waitForSelector('h1:has-text("Pressed")');
  assert.match(new URL(page.url()).pathname, /^\/note\/[0-9a-f-]{36}$/);
  assert.deepEqual(page.complaints, []);
  await page.close();
});

test('a page says where its feeds were as it was made', async () => {
  const [, at] = /data-live-at="([^"]+)"/.exec((await ann.get('/note')).text);
  await ann.submit('/note/new', 'Create note', { 'f.title': 'Afterwards' });
  const cookie = [...ann.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const events = await Events.open({
    port: stack.port, path: '/__svc/topics/subscribe?topic=row-changed:note',
    headers: { host, cookie, 'x-svc-page': '1', 'sec-fetch-site': 'same-origin', 'last-event-id': at },
  });
  const [first] = await events.first(1);
  events.close();
  assert.deepEqual([first.payload?.event, first.payload?.row.title], ['created', 'Afterwards'], 'no reset, and nothing from before');
});

test('a list shows what was written before its script followed it', async () => {
  const page = await context.newPage();
  let written;
  await page.route('**/topics/subscribe?*', async (route) => {
    written ??= ann.submit('/note/new', 'Create note', { 'f.title': 'Between the two' });
    await written;
    await route.continue();
  });
  await page.goto(`http://${host}:${stack.port}/note`);
  await page.waitForSelector('text=Between the two');
  await page.close();
});

test('a server that is not there loses nothing', async () => {
  const page = await open('/note/new');
  await page.fill('#f-title', 'Kept');
  await page.route('**/*', (route) => route.abort());
  await page.click('text=Create note');
  await page.waitForSelector('text=This could not be sent.');
  assert.equal(await page.inputValue('#f-title'), 'Kept');
  await page.unroute('**/*');
  await page.click('text=Create note');
  await page.waitForSelector('h1:has-text("Kept")');
  await page.close();
});

test('typed text is not left without a question', async () => {
  const page = await open('/note/new');
  await page.fill('#f-title', 'Half');
  const asked = new Promise((done) => { page.once('dialog', (dialog) => { done(dialog.type()); dialog.dismiss(); }); });
  await page.click('.menu a >> nth=0', { noWaitAfter: true });
  assert.equal(await asked, 'beforeunload');
  assert.equal(await page.inputValue('#f-title'), 'Half');
  await page.close({ runBeforeUnload: false });
});

test('a page that is older than an apply says so, and loads the new one', async () => {
  const page = await context.newPage();
  await page.clock.install();
  await page.goto(`http://${host}:${stack.port}/note`);
  await page.clock.runFor(61_000);
  assert.equal(await page.locator('.new-version').count(), 0);
  await stack.apply(project, { ...contract, app: { name: 'Scripted', description: 'Another.' } });
  const heard = page.waitForResponse(/\/assets\/build$/);
  await page.clock.runFor(61_000);
  await heard;
  await page.click('.new-version a');
  await page.waitForLoadState();
  assert.equal(await page.locator('.new-version').count(), 0);
  await page.close();
});

test('a visitor who signs out leaves the page, as without a script', async () => {
  const page = await open('/account');
  await page.click('main >> text=Sign out');
  await page.waitForURL(/\/(\?|$)/);
  assert.equal(await page.evaluate(() => window.stayed), undefined);
  await page.close();
});
