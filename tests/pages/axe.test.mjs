// Every page of the shop and the clinic as everybody sees it, narrow and wide, light and dark: axe finds nothing, the console has
// no error, nothing shifts, and a page is small.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import test, { after, before } from 'node:test';
import { fileURLToPath } from 'node:url';
import { packages } from '../lib/npm.mjs';
import { Browser, shift } from './browser.mjs';
import { crawl } from './crawl.mjs';
import { Clinic, Shop } from './samples.mjs';

const axe = readFileSync(packages(dirname(fileURLToPath(import.meta.url))).resolve('axe-core/axe.min.js'), 'utf8');
const most = 14 * 1024;  // bytes of a page, compressed

const worlds = {};
before(async () => {
  for (const [name, Kind] of [['shop', Shop], ['clinic', Clinic]]) {
    const world = worlds[name] = await Kind.start(name);
    world.browser = await Browser.start(world.stack, world.host);
  }
});
after(async () => {
  for (const world of Object.values(worlds)) {
    await world.browser?.close();
    await world.stop();
  }
});

async function findings(page) {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ['violations'] }));
  return violations.flatMap(({ id, help, nodes }) => nodes.map(({ target, failureSummary }) => `${id}: ${help}: ${target}: ${failureSummary}`));
}

const wider = (page) => page.evaluate(() => document.scrollingElement.scrollWidth - document.scrollingElement.clientWidth);

async function holds(page, path, wrong) {
  const say = (what) => wrong.push(`${path}: ${what}`);
  for (const one of await findings(page)) say(one);
  for (const one of page.complaints) say(`complains: ${one}`);
  if (await shift(page) > 0) say(`shifts by ${await shift(page)}`);
  if (await wider(page) > 0) say(`is ${await wider(page)} px too wide`);
  if (page.bytes > most) say(`has ${page.bytes} bytes`);
  if (page.answered >= 500) say(`answers ${page.answered}`);
}

for (const [name, who] of [['shop', 'guest'], ['shop', 'customer'], ['shop', 'clerk'], ['shop', 'manager'], ['clinic', 'guest'], ['clinic', 'practitioner'],
  ['clinic', 'receptionist'], ['clinic', 'manager']]) {
  for (const [width, dark] of [[390, false], [390, true], [1280, false], [1280, true]]) {
    test(`${name}, ${who}, ${width} px, ${dark ? 'dark' : 'light'}`, async () => {
      const { browser, people } = worlds[name];
      const context = await browser.as(people[who], { width, dark });
      const wrong = [];
      const paths = await crawl(browser, context, (page, path) => holds(page, path, wrong));
      await context.close();
      assert.deepEqual(wrong, []);
      assert.ok(paths.length > (who === 'guest' ? 6 : 10), paths.join(' '));
    });
  }
}
