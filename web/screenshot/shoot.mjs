// One picture: a page that is signed in where that is asked for and settled, and what was wrong with it.
import { PageFailed, visit } from './visit.mjs';

const kPageMs = 20000;      // until the page has loaded
const kMostPixels = 12000;  // height of a picture of the whole page
const kMostText = 20000;    // characters of visible text

// The link signs in once and leaves its cookie in the context; where it leads to is not followed.
async function signIn(context, link) {
  if (!link) return;
  const answer = await context.request.get(link, { maxRedirects: 0, timeout: kPageMs });
  if (answer.status() >= 400) throw new PageFailed(`The demo sign-in was refused: ${(await answer.text()).slice(0, 200)}`);
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

// wanted: {url, link?, service: {host, port}, width, height, fullPage, colorScheme?}. Throws where there is no picture.
export async function shoot(browser, wanted) {
  const began = performance.now();
  const { width, height } = wanted;
  return visit(browser, wanted, { width, height }, async ({ context, page, watched }) => {
    await signIn(context, wanted.link);
    await page.emulateMedia({ colorScheme: wanted.colorScheme ?? 'light' });
    const { errors, open } = watched();
    await open(wanted.url, kPageMs);
    const { overflow, height: whole, text } = await measured(page);
    const png = await picture(page, wanted, whole);
    return { png: png.toString('base64'), errors: errors.list(), overflow, text, ms: Math.round(performance.now() - began) };
  });
}
