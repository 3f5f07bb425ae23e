// Files that want to be programs, in Chromium: in each place of a page that would run one, on the app's own host.
import assert from 'node:assert/strict';
import test, { after, before, beforeEach } from 'node:test';
import { until } from '../lib/stack.mjs';
import { Browser } from '../pages/browser.mjs';
import { png, World } from './world.mjs';

// What each file would do first. Nothing in it needs an escape in XML.
const said = (name) => `fetch('/ran/${name}'); try { globalThis.postMessage('ran'); } catch (e) {}`;
const page = (name) => `<!doctype html><body onload="${said(`${name}-onload`)}"><script>${said(name)}</script><img src="data:," onerror="${said(`${name}-onerror`)}">`;
const xhtml = (name) => `<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><body><script>${said(name)}</script></body></html>`;
const svg = (name) => `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" onload="${said(`${name}-onload`)}"><script>${said(name)}</script>`
  + `<foreignObject width="9" height="9"><body xmlns="http://www.w3.org/1999/xhtml"><iframe srcdoc="&lt;script&gt;${said(`${name}-inner`)}&lt;/script&gt;"></iframe></body></foreignObject></svg>`;
const pdf = (name) => '%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R/OpenAction<</S/JavaScript/JS(app.alert\\(1\\))>>>>endobj\n'
  + `2 0 obj<</Type/Pages/Count 1/Kids[3 0 R]>>endobj\n3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n${page(name)}`;
// The width of the picture is the begin of a comment, which ends before the script.
const gif = (name) => Buffer.concat([Buffer.from('GIF89a/*\x01\x00\x80\x00\x00', 'latin1'), Buffer.from([0, 0, 0, 255, 255, 255, 0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0, 0x3b]), Buffer.from(`*/=1;${said(name)}`)]);
const corpus = {
  html: ['text/html', page], xml: ['text/xml', xhtml], 'application-xml': ['application/xml', xhtml], svg: ['image/svg+xml', svg], js: ['text/javascript', said],
  css: ['text/css', (name) => `@import '/ran/${name}'; body { background: url(/ran/${name}-url) }`], txt: ['text/plain', page], csv: ['text/csv', (name) => `a,b\n=HYPERLINK("x"),<script>${said(name)}</script>\n`],
  json: ['application/json', (name) => `{"a": "<script>${said(name).replaceAll('"', '')}</script>"}`], pdf: ['application/pdf', pdf], gif: ['image/gif', gif],
  png: ['image/png', (name) => Buffer.concat([png(), Buffer.from(page(name))])],
};
const places = {
  frame: (url) => `<iframe src="${url}"></iframe>`, object: (url) => `<object data="${url}"></object>`, embed: (url) => `<embed src="${url}">`, image: (url) => `<img src="${url}">`,
  script: (url) => `<script src="${url}"></script>`, module: (url) => `<script type="module" src="${url}"></script>`, style: (url) => `<link rel="stylesheet" href="${url}">`,
  typed: (url) => `<object data="${url}" type="text/html"></object>`, video: (url) => `<video src="${url}"></video>`,
};

let world, browser, context;
const files = {}, ran = [];
before(async () => {
  world = await World.start();
  const ann = await world.person('ann');
  for (const [name, [type, bytes]] of Object.entries(corpus)) {
    const { fileId } = await world.upload(ann, Buffer.from(bytes(name)), { name: `a.${name}`, type });
    const { json } = await world.app.call({ ...ann.headers, 'x-svc-files': '1' }, 'POST', 'api/v1/album', { title: name, cover: fileId }, 201);
    files[name] = json.rows[0].cover_url;
  }
  browser = await Browser.start(world.stack, world.app.host);
  context = await browser.as(null);
  await context.route('**/ran/**', (route) => {
    ran.push(new URL(route.request().url()).pathname.slice(5));
    return route.fulfill({ status: 204 });
  });
});
after(async () => {
  await browser?.close();
  await world?.stop();
});

beforeEach(() => { ran.length = 0; });

// A page of the app's own host that an attacker has written, and that no policy keeps from anything.
async function attack(html) {
  const tab = await context.newPage();
  await tab.route('**/attack', (route) => route.fulfill({ contentType: 'text/html', body: `<!doctype html><title>Attack</title>${html}` }));
  await tab.goto(`${browser.origin}/attack`);
  return tab;
}

test('what runs is noticed: the same bytes as their own server would send them', async () => {
  const bare = { html: 'text/html', svg: 'image/svg+xml', js: 'text/javascript' };
  await context.route('**/bare/*', (route) => {
    const name = route.request().url().split('/').at(-1);
    return route.fulfill({ contentType: bare[name], body: corpus[name][1](`bare-${name}`) });
  });
  const tab = await attack(`${places.frame('/bare/html')}${places.frame('/bare/svg')}${places.script('/bare/js')}`);
  await until('them to run', () => Object.keys(bare).every((name) => ran.includes(`bare-${name}`)));
  await tab.close();
});

for (const [where, element] of Object.entries(places)) {
  test(`nothing of a file runs as ${where}`, async () => {
    const tab = await attack(Object.values(files).map(element).join('\n'));
    // Whatever began when the page was read has been asked for by now, and this asks after it.
    assert.equal(await tab.evaluate(() => fetch('/ran/last').then(({ status }) => status)), 204);
    assert.deepEqual(ran, ['last']);
    await tab.close();
  });
}

test('no worker and no module is made of a file', async () => {
  const tab = await attack('');
  for (const [name, url] of Object.entries(files)) {
    const outcome = await tab.evaluate(async (address) => {
      const refused = (promise) => promise.then(() => 'taken', () => 'refused');
      const worker = new Promise((done) => {
        const made = new Worker(address);
        made.onerror = () => done('refused');
        made.onmessage = () => done('taken');
      });
      return [await refused(navigator.serviceWorker.register(address)), await refused(import(address)), await worker];
    }, url);
    assert.deepEqual(outcome, ['refused', 'refused', 'refused'], name);
  }
  assert.deepEqual(ran, []);
  await tab.close();
});

test('a file that is opened by itself runs nothing, and markup is saved', async () => {
  for (const [name, url] of Object.entries(files)) {
    const tab = await context.newPage();
    const saved = tab.waitForEvent('download', { timeout: 30000 }).catch(() => null);
    const shown = await tab.goto(browser.origin + url).then(() => true, () => false);
    const isShown = ['png', 'gif', 'pdf'].includes(name);
    if (!isShown) assert.equal((await saved)?.suggestedFilename(), `a.${name}`, name);
    assert.ok(isShown || !shown, name);
    assert.deepEqual(ran, [], name);
    await tab.close();
  }
});
