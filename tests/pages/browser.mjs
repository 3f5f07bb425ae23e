// Pages of an app in Chromium: as whom, how wide, in which colours, with or without JavaScript; what a page complains of, how
// far its layout shifts, how many bytes it is.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { bin } from '../lib/stack.mjs';

const { chromium } = createRequire(join(bin, 'web/package.json'))('playwright-core');

// Of every page: shifts that no key or click has brought about, with what moved and from where to where.
const watchShifts = () => {
  const at = ({ left, top, width, height }) => [left, top, width, height].map(Math.round).join(' ');
  globalThis.shifts = [];
  new PerformanceObserver((list) => {
    for (const { hadRecentInput, value, sources } of list.getEntries()) {
      if (hadRecentInput) continue;
      const moved = sources.map(({ node, previousRect, currentRect }) => `${node?.nodeName} "${node?.textContent.trim().slice(0, 40)}" from ${at(previousRect)} to ${at(currentRect)}`);
      globalThis.shifts.push(`${value}: ${moved.join(', ')}`);
    }
  }).observe({ type: 'layout-shift', buffered: true });
};

export class Browser {
  static async start(stack, host) {
    const out = new Browser();
    out.origin = `http://${host}:${stack.port}`;
    out.browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu', '--host-resolver-rules=MAP *.localhost 127.0.0.1'] });
    return out;
  }
  close() { return this.browser.close(); }

  // A context with the cookies of a Visitor (none: a guest).
  async as(visitor, { width = 1280, height = 900, dark = false, script = true } = {}) {
    const context = await this.browser.newContext({
      viewport: { width, height }, colorScheme: dark ? 'dark' : 'light', javaScriptEnabled: script, reducedMotion: 'reduce', locale: 'en-GB', timezoneId: 'UTC',
    });
    await context.addInitScript(watchShifts);
    if (visitor) await context.addCookies([...visitor.cookies].map(([name, value]) => ({ name, value, url: this.origin })));
    return context;
  }

  // A tab with a page.
  async open(context, path) {
    const tab = await context.newPage();
    tab.on('console', (message) => { if (message.type() === 'error' && !/status of (403|404|422)/.test(message.text())) tab.complaints.push(message.text()); });
    tab.on('pageerror', (error) => tab.complaints.push(String(error)));
    tab.on('requestfailed', (request) => { if (!/ERR_ABORTED/.test(request.failure()?.errorText ?? '')) tab.complaints.push(`${request.url()}: ${request.failure()?.errorText}`); });
    return this.go(tab, path);
  }

  // The next page in a tab, with `complaints`: errors of its console, exceptions, requests that failed. `answered` and `bytes` are of
  // the page itself.
  async go(page, path) {
    page.complaints = [];
    const answer = await page.goto(this.origin + path);
    page.answered = answer.status();
    page.bytes = gzipSync(await answer.body(), { level: 6 }).length;
    return page;
  }
}

export const shifts = (page) => page.evaluate(() => globalThis.shifts);

// Addresses of the app that a page links to.
export const links = (page) => page.evaluate(() => [...document.querySelectorAll('a[href]')].map((one) => new URL(one.href))
  .filter((url) => url.origin === location.origin && !url.pathname.startsWith('/__svc') && !url.pathname.startsWith('/assets')).map((url) => url.pathname + url.search));
