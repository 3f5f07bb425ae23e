// One picture: a fresh context, signed in where that is asked for, the page settled, and what was wrong with it.
import { Proxy } from './proxy.mjs';
import { Errors } from './errors.mjs';
import { settle, watch } from './settle.mjs';

const kPageMs = 20000;      // until the page has loaded
const kMostPixels = 12000;  // height of a picture of the whole page
const kMostText = 20000;    // characters of visible text

class PageFailed extends Error {
  kind = 'page';
}

// The link signs in once and leaves its cookie in the context; where it leads to is not followed.
async function signIn(context, link) {
  if (!link) return;
  const answer = await context.request.get(link, { maxRedirects: 0, timeout: kPageMs });
  if (answer.status() >= 400) throw new PageFailed(`The demo sign-in was refused: ${(await answer.text()).slice(0, 200)}`);
}

async function open(page, url) {
  try {
    await page.goto(url, { waitUntil: 'load', timeout: kPageMs });
  } catch (error) {
    if (error.name !== 'TimeoutError') throw error;  // a page that never ends to load is shown as it is
  }
}

const measured = (page) => page.evaluate((most) => {
  const root = document.scrollingElement ?? document.documentElement;
  const px = Math.max(0, root.scrollWidth - root.clientWidth);
  return { overflow: { horizontal: px > 0, px }, height: root.scrollHeight, text: (document.body?.innerText ?? '').slice(0, most) };
}, kMostText);

function picture(page, { width, height, fullPage }, whole) {
  const usual = { type: 'png', animations: 'disabled', caret: 'hide', timeout: kPageMs };
  if (!fullPage) return page.screenshot(usual);
  return page.screenshot({ ...usual, fullPage: true, clip: { x: 0, y: 0, width, height: Math.min(Math.max(whole, height), kMostPixels) } });
}

async function lookAt(page, wanted, proxy, errors) {
  const quiet = watch(page);
  await open(page, wanted.url);
  await settle(page, quiet);
  errors.ledTo(wanted.url, page.url());
  const { overflow, height, text } = await measured(page);
  const png = await picture(page, wanted, height);
  return { png: png.toString('base64'), errors: errors.list(proxy.refused), overflow, text };
}

// wanted: {url, link?, service: {host, port}, width, height, fullPage}. Throws where there is no picture.
export async function shoot(browser, wanted) {
  const began = performance.now();
  const proxy = new Proxy(wanted.url, wanted.service);
  let context;
  try {
    context = await browser.newContext({
      viewport: { width: wanted.width, height: wanted.height }, reducedMotion: 'reduce', locale: 'en-GB', timezoneId: 'UTC',
      acceptDownloads: false, serviceWorkers: 'block', proxy: { server: await proxy.start() },
    });
    await signIn(context, wanted.link);
    const page = await context.newPage();
    const errors = new Errors(page, proxy);
    return { ...await lookAt(page, wanted, proxy, errors), ms: Math.round(performance.now() - began) };
  } finally {
    await context?.close().catch(() => {});
    proxy.stop();
  }
}
