// One visit of an app: a fresh context whose requests reach the app's own host alone, a tab in it, and what was wrong
// with the pages that are opened there.
import { Proxy } from './proxy.mjs';
import { Errors } from './errors.mjs';
import { settle, watch } from './settle.mjs';

export class PageFailed extends Error {
  kind = 'page';
}

// What an error says, for those who wait for an answer.
export const saidBy = (error) => String(error.message ?? error).split('\n')[0].slice(0, 500);

// wanted: {url, service: {host, port}}. `act` gets {context, page, rest, watched}: `rest` is the address of an empty
// page, watched() listens to the tab from then on.
export async function visit(browser, wanted, viewport, act) {
  const proxy = new Proxy(wanted.url, wanted.service);
  let context;
  try {
    context = await browser.newContext({
      viewport, reducedMotion: 'reduce', locale: 'en-GB', timezoneId: 'UTC',
      acceptDownloads: false, serviceWorkers: 'block', proxy: { server: await proxy.start() },
    });
    const page = await context.newPage();
    return await act({ context, page, rest: proxy.rest, watched: () => watched(page, proxy) });
  } finally {
    await context?.close().catch(() => {});
    proxy.stop();
  }
}

// {errors, open, again, stop}: open() shows a page and lets it settle, patience in ms; again() lets it settle once more,
// for so many ms at most.
function watched(page, proxy) {
  proxy.refused.clear();
  const errors = new Errors(page, proxy), { quiet, stop } = watch(page);
  const again = (most) => settle(page, quiet, most);
  const open = async (url, patience) => {
    await load(page, url, patience);
    await again();
    errors.ledTo(url, page.url());
  };
  return { errors, open, again, stop: () => { stop(); errors.stop(); } };
}

async function load(page, url, timeout) {
  try {
    await page.goto(url, { waitUntil: 'load', timeout });
  } catch (error) {
    if (error.name !== 'TimeoutError') throw error;  // a page that never ends to load is taken as it is
  }
}
