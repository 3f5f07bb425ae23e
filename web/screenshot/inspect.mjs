// One page of a verification: its errors, and what axe finds on it, at several widths, light and dark. It is loaded
// once, light and at the first width.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

export const kHeight = 900;
const kPageMs = 5000;    // until the page has loaded
const kChangeMs = 1000;  // until it has settled again after a change of width or colours
const kAxeMs = 8000;     // in which the page is silent, as axe is at work
const kMostFindings = 20;  // at a width, light or dark
const kMostText = 300;
const kOnlyInTheDark = ['color-contrast'];  // only colours differ there

let source;
const axe = () => (source ??= readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8'));

// Of V8 itself, which keeps the compiled script for the next page; an eval by the page would compile it anew.
async function addAxe(protocol) {
  const { exceptionDetails } = await protocol.send('Runtime.evaluate', { expression: axe() });
  if (exceptionDetails) throw new Error(`axe does not start: ${exceptionDetails.exception?.description ?? exceptionDetails.text}`);
}

// An element of a frame or a shadow tree has several selectors, from the outside in. `component`: the one that made it.
// A colour that is between two would be judged as it is just then.
const judged = async ({ most, rules }) => {
  for (const one of document.getAnimations()) if (one instanceof CSSTransition) one.finish();
  const { violations } = await globalThis.axe.run(document, { resultTypes: ['violations'], elementRef: true, ...(rules ? { runOnly: rules } : {}) });
  return violations.flatMap(({ id, help, nodes }) => nodes.map(({ target, element }) => (
    { rule: id, help, selector: target.flat(3).join(' '), component: element?.closest('[data-component]')?.dataset.component ?? '' }))).slice(0, most);
};

async function findings(page, { width, scheme }) {
  const rules = scheme === 'dark' ? kOnlyInTheDark : null;
  return (await page.evaluate(judged, { most: kMostFindings, rules })).map((one) => (
    { width, scheme, ...Object.fromEntries(Object.entries(one).map(([name, text]) => [name, String(text).slice(0, kMostText)])) }));
}

// Each width light and dark, in an order in which one of both changes at a time.
const looksAt = (widths) => widths.flatMap((width, i) => (i % 2 === 0 ? ['light', 'dark'] : ['dark', 'light']).map((scheme) => ({ width, scheme })));

// What is wrong in the light is said once.
const alsoInTheLight = (all, { scheme, width, rule, selector }) => scheme === 'dark' && all.some((one) => (
  one.scheme === 'light' && one.width === width && one.rule === rule && one.selector === selector));

// tab: of visit(), with `protocol`, its CDP session. → {title, errors: [{width, scheme, kind, message, url?}], axe:
// [{width, scheme, rule, help, selector, component}]}. Throws where there is no page.
export async function inspect({ page, protocol, watched }, url, widths, patience) {
  const { errors, open, again, stop } = watched();
  try {
    const found = [], told = [];
    await open(url, kPageMs);
    await addAxe(protocol);
    let shown = { width: widths[0], scheme: 'light' };
    for (const next of looksAt(widths)) {
      if (next.width !== shown.width) await page.setViewportSize({ width: next.width, height: kHeight });
      if (next.scheme !== shown.scheme) await page.emulateMedia({ colorScheme: next.scheme });
      if (next.width !== shown.width || next.scheme !== shown.scheme) await again(kChangeMs);
      shown = next;
      const { ms } = patience;
      patience.ms = kAxeMs;
      found.push(...await findings(page, next));
      patience.ms = ms;
      for (const one of errors.list().slice(told.length)) told.push({ ...next, ...one });
    }
    const title = await page.evaluate((most) => document.title.slice(0, most), kMostText);
    return { title, errors: told, axe: found.filter((one) => !alsoInTheLight(found, one)) };
  } finally {
    stop();
  }
}
