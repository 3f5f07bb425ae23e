// Every page of a sample as everybody sees it, narrow and wide, light and dark: axe finds nothing, the console has no error, nothing
// shifts, and a page is small.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import test, { after, before } from 'node:test';
import { bin } from '../lib/stack.mjs';
import { shifts } from './browser.mjs';
import { crawl } from './crawl.mjs';
import { end, worldsOf } from './samples.mjs';

const axe = readFileSync(createRequire(join(bin, 'web/package.json')).resolve('axe-core/axe.min.js'), 'utf8');
const most = 14 * 1024;  // bytes of a page, compressed

async function findings(page, options) {
  const { violations } = await page.evaluate((more) => globalThis.axe.run(document, { resultTypes: ['violations'], ...more }), options);
  return violations.flatMap(({ id, help, nodes }) => nodes.map(({ target, failureSummary }) => `${id}: ${help}: ${target}: ${failureSummary}`));
}

const wider = (page) => page.evaluate(() => document.scrollingElement.scrollWidth - document.scrollingElement.clientWidth);

// What axe judges of a page: elements, attributes, and where there is text, not which. Much is the same for several people,
// but for ids and for the place of the feed, which is sealed anew at each visit.
const shape = (page) => page.evaluate(() => {
  const copy = document.documentElement.cloneNode(true);
  for (const texts = document.createTreeWalker(copy, NodeFilter.SHOW_TEXT); texts.nextNode();)
    if (texts.currentNode.data.trim() !== '') texts.currentNode.data = 'text';
  return `${innerWidth} ${copy.outerHTML}`.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, ':id').replace(/data-live-at="[^"]*"/g, 'data-live-at');
});

async function judged(page, say) {
  await page.evaluate(axe);
  for (const one of await findings(page)) say(one);
  // Only colours differ in the dark.
  await page.emulateMedia({ colorScheme: 'dark' });
  for (const one of await findings(page, { runOnly: ['color-contrast'] })) say(`dark: ${one}`);
  await page.emulateMedia({ colorScheme: 'light' });
}

export async function holds(page, path, wrong, known) {
  const say = (what) => wrong.push(`${path}: ${what}`);
  for (const one of await shifts(page)) say(`shifts by ${one}`);
  const seen = await shape(page);
  if (!known.has(seen)) await judged(page, say);
  known.add(seen);
  if (await wider(page) > 0) say(`is ${await wider(page)} px too wide`);
  for (const one of page.complaints) say(`complains: ${one}`);
  if (page.bytes > most) say(`has ${page.bytes} bytes`);
  if (page.answered >= 500) say(`answers ${page.answered}`);
}

export function everyPage(name, people) {
  let worlds = {};
  const known = new Set();
  before(async () => { worlds = await worldsOf([name]); });
  after(() => end(worlds));
  for (const who of people) {
    test(`${name}, ${who}`, async () => {
      const { browser, people: visitors } = worlds[name];
      const wrong = [];
      const wide = await browser.as(visitors[who], { width: 1280 }), narrow = await browser.as(visitors[who], { width: 390 });
      const paths = await crawl(browser, wide, (page, path) => holds(page, path, wrong, known));
      const tab = await browser.open(narrow, '/');
      for (const path of paths) await holds(await browser.go(tab, path), `${path} at 390 px`, wrong, known);
      await wide.close();
      await narrow.close();
      assert.deepEqual(wrong, []);
      assert.ok(paths.length > (who === 'guest' ? 6 : 10), paths.join(' '));
    });
  }
}
