// How the browser's program opens pages of one visitor one after another: by itself, with pages of the test's own.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import test, { after, before } from 'node:test';
import { pathToFileURL } from 'node:url';
import { bin } from '../../lib/stack.mjs';

const load = (name) => import(pathToFileURL(join(bin, 'web/screenshot', name)).href);

const whole = (body, style = '') => `<!doctype html><html lang="en"><title>Page</title><style>${style}</style><main><h1>Page</h1>${body}</main></html>`;
const pages = {
  '/fine': whole(''),
  '/leaves': whole('<script>document.cookie = "left=1"; localStorage.left = sessionStorage.left = window.name = "left"; indexedDB.open("left");</script>'),
  '/finds': whole(`<script>
    const found = [document.cookie, localStorage.left, sessionStorage.left, window.name].filter((one) => one && one !== 'who=ann');
    if (!matchMedia('(prefers-color-scheme: light)').matches || innerWidth !== 1280) found.push('how the last page was shown');
    indexedDB.databases().then((all) => { for (const { name } of all) found.push(name); if (found.length > 0) throw new Error('Found ' + found); });
  </script>`),
  '/opens': whole('<script>open("/leaves");</script>'),
  '/fails': whole('<script>setInterval(() => { throw new Error("Again."); }, 5);</script>'),
  '/endless': whole('<script>setTimeout(() => { for (;;); });</script>'),
  '/colours': whole('<p class="dim">Dim</p><p class="slow">Slow</p><p class="pale">Pale</p>', `
    p { background: #fff; color: #111; } .pale { background: #fff; color: #ddd; } .slow { transition: color 1h; }
    @media (prefers-color-scheme: dark) { body { background: #111; color: #eee; } .dim { background: #111; color: #333; } .slow { background: #111; color: #eee; } }`),
};
const asked = [];
const server = createServer((req, res) => {
  if (req.url === '/favicon.ico') return res.writeHead(204).end();
  asked.push({ path: req.url, cookie: req.headers.cookie });
  const page = pages[req.url];
  if (!page) return req.socket.destroy();
  res.writeHead(200, { 'content-type': 'text/html', 'cross-origin-opener-policy': 'same-origin' }).end(page);
});

let warm, tour;
before(async () => {
  const { WarmBrowser } = await load('browser.mjs');
  ({ tour } = await load('tour.mjs'));
  warm = new WarmBrowser({ program: '/usr/bin/chromium' });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
});
after(async () => {
  await warm?.close();
  server.closeAllConnections();
  server.close();
});

// The answers to pages of a tour, which are named by their paths.
async function opened(paths, until = Infinity) {
  asked.length = 0;
  const host = 'http://verify.localhost';
  const answers = (await tour(await warm.get(), {
    url: `${host}/`, cookies: [{ name: 'who', value: 'ann' }], service: { host: '127.0.0.1', port: server.address().port }, widths: [1280, 390],
    pages: paths.map((path) => ({ name: path, url: host + path })), until,
  })).pages;
  assert.ok(asked.every(({ cookie }) => cookie === 'who=ann'), JSON.stringify(asked));
  return answers;
}
const times = (path) => asked.filter((one) => one.path === path).length;

// The command line of the browser that this process started.
function commandLine() {
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) try {
    if (Number(/^PPid:\t(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) !== process.pid) continue;
    const line = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
    if (line.includes('--disable-features=')) return line;
  } catch { /* it has ended */ }
  return '';
}

test('the browser has no pages of its own, and what playwright turns off stays off', async () => {
  const browser = await warm.get(), context = await browser.newContext();
  await context.newPage();
  const protocol = await browser.newBrowserCDPSession();
  const { targetInfos } = await protocol.send('Target.getTargets', { filter: [{}] });
  await context.close();
  assert.deepEqual(targetInfos.map(({ url }) => url).filter((url) => url.startsWith('chrome://')), []);
  const lists = [...commandLine().matchAll(/--disable-features=([^\0 ]*)/g)].map(([, names]) => names.split(','));
  assert.ok(lists.length > 1, commandLine());
  assert.deepEqual(lists.flat().filter((name) => !lists.at(-1).includes(name)), []);
});

test('a page finds nothing of the one before it, and is told nothing of its errors', async () => {
  const [, fine, ...rest] = await opened(['/fails', '/fine', '/leaves', '/finds', '/opens', '/finds']);
  for (const { errors } of [fine, ...rest]) assert.deepEqual(errors, []);
  assert.equal(times('/fine'), 1);
});

test('what is wrong with colours in the dark alone is said of the dark', async () => {
  const [{ axe }] = await opened(['/colours']);
  assert.deepEqual(axe.map(({ scheme, width, rule, selector }) => `${width} ${scheme}: ${rule} at ${selector}`), [
    '1280 light: color-contrast at .pale', '1280 dark: color-contrast at .dim', '390 dark: color-contrast at .dim', '390 light: color-contrast at .pale',
  ]);
});

test('a page whose script never ends is opened once, and the tour goes on', async () => {
  const [late, again, fine] = await opened(['/endless', '/endless', '/fine']);
  assert.deepEqual([late, again], [{ late: true }, null]);
  assert.equal(times('/endless'), 1);
  assert.deepEqual(fine.errors, []);
});

test('a page that cannot be shown; and a tour whose time is over', async () => {
  const [gone, fine] = await opened(['/gone', '/fine']);
  assert.match(gone.trouble, /ERR_EMPTY_RESPONSE/);
  assert.deepEqual(fine.errors, []);
  const [first, second] = await opened(['/fine', '/fine'], 0);
  assert.deepEqual([first.errors, second], [[], null]);
});
