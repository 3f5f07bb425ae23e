// Every page that somebody can reach by links from the first one, one of each kind.
import { links } from './browser.mjs';

const always = ['/', '/sign-in', '/sign-up', '/reset', '/account', '/no/such/page'];

// Pages of two rows are the same page; so are two orders of a list.
const kind = (path) => path.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, ':id').replace(/=[^&]*/g, '=').replace(/(b\d+\.(sort|cursor|q|f\.\w+)=&?)+/g, 'list');

// All in one tab: a new one for each page would start a process of the browser.
export async function crawl(browser, context, look) {
  const tab = await browser.open(context, '/');
  const seen = new Set(), next = [...always];
  const paths = [];
  while (next.length > 0) {
    const path = next.shift();
    if (seen.has(kind(path))) continue;
    seen.add(kind(path));
    await browser.go(tab, path);
    next.push(...await links(tab));
    paths.push(path);
    await look(tab, path);
  }
  await tab.close();
  return paths;
}
