// One page of a verification: its errors, and what axe finds on it, at several widths. It is loaded
// once, at the first width, and then made as wide as the others.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { visit } from './visit.mjs';

const kPageMs = 8000;   // until the page has loaded
const kMostMs = 15000;  // all together
const kHeight = 900;
const kMostFindings = 20;  // at a width
const kMostText = 300;

let source;
const axe = () => (source ??= readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8'));

// An element of a frame or a shadow tree has several selectors, from the outside in. `component`: the one that made it.
const judged = async (most) => {
  const { violations } = await globalThis.axe.run(document, { resultTypes: ['violations'], elementRef: true });
  return violations.flatMap(({ id, help, nodes }) => nodes.map(({ target, element }) => (
    { rule: id, help, selector: target.flat(3).join(' '), component: element?.closest('[data-component]')?.dataset.component ?? '' }))).slice(0, most);
};

const findings = async (page, width) => (await page.evaluate(judged, kMostFindings)).map((one) => (
  { width, ...Object.fromEntries(Object.entries(one).map(([name, text]) => [name, String(text).slice(0, kMostText)])) }));

async function look({ page, errors, open, again }, widths) {
  const found = [], told = [];
  const tell = (width) => { for (const one of errors.list().slice(told.length)) told.push({ width, ...one }); };
  await open(kPageMs);
  await page.evaluate(axe());
  for (const width of widths) {
    if (width !== widths[0]) {
      await page.setViewportSize({ width, height: kHeight });
      await again();
    }
    found.push(...await findings(page, width));
    tell(width);
  }
  const title = await page.evaluate((most) => document.title.slice(0, most), kMostText);
  return { title, errors: told, axe: found };
}

// A script of the page may never end, and whatever is asked of the page then waits for it.
function inTime(act) {
  let timer;
  const late = new Promise((done) => { timer = setTimeout(() => done({ late: true }), kMostMs); });
  return Promise.race([act, late]).finally(() => clearTimeout(timer));
}

// wanted: {url, cookies: [{name, value}], service: {host, port}, widths: [px]} → {title, errors: [{width, kind, message,
// url?}], axe: [{width, rule, help, selector, component}]}, or {late: true}. Throws where there is no page.
export function inspect(browser, wanted) {
  const { url, cookies, widths } = wanted;
  return visit(browser, wanted, { width: widths[0], height: kHeight }, async (visited) => {
    const whole = new URL('/', url).href;  // of the host, not of the page's folder alone
    await visited.context.addCookies(cookies.map(({ name, value }) => ({ name, value, url: whole })));
    return inTime(look(visited, widths));
  });
}
