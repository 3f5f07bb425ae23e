// One visit of a page: a fresh context whose requests reach the app's own host alone, and what was wrong with the page.
import { Proxy } from './proxy.mjs';
import { Errors } from './errors.mjs';
import { settle, watch } from './settle.mjs';

export class PageFailed extends Error {
  kind = 'page';
}

// wanted: {url, service: {host, port}}. `act` gets {context, page, errors, open}: open() shows the page and lets it
// settle, patience in ms; again() lets it settle once more.
export async function visit(browser, wanted, viewport, act) {
  const proxy = new Proxy(wanted.url, wanted.service);
  let context;
  try {
    context = await browser.newContext({
      viewport, reducedMotion: 'reduce', locale: 'en-GB', timezoneId: 'UTC',
      acceptDownloads: false, serviceWorkers: 'block', proxy: { server: await proxy.start() },
    });
    const page = await context.newPage();
    const errors = new Errors(page, proxy), quiet = watch(page);
    const again = () => settle(page, quiet);
    const open = async (patience) => {
      await load(page, wanted.url, patience);
      await again();
      errors.ledTo(wanted.url, page.url());
    };
    return await act({ context, page, errors, open, again });
  } finally {
    await context?.close().catch(() => {});
    proxy.stop();
  }
}

async function load(page, url, timeout) {
  try {
    await page.goto(url, { waitUntil: 'load', timeout });
  } catch (error) {
    if (error.name !== 'TimeoutError') throw error;  // a page that never ends to load is taken as it is
  }
}
