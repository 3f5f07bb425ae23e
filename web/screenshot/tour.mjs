// Pages of a verification that one visitor opens one after another, in one tab: a context and a process of the browser
// cost as much as a page. Each page finds the tab as if it were the first.
import { inspect, kHeight } from './inspect.mjs';
import { unlessSilent } from './silence.mjs';
import { saidBy, visit } from './visit.mjs';

const kLeaveMs = 2000;
const kStored = 'cookies,local_storage,indexeddb,cache_storage,file_systems';

class Tour {
  constructor(browser, { url, cookies, widths, pages, until, service }) {
    Object.assign(this, { browser, url, cookies, widths, pages, until, service });
    this.answers = pages.map(() => null);
    this.late = new Set();  // names of pages
    this.at = 0;
  }

  // The browser may end on the way; what was opened before counts.
  async run() {
    const viewport = { width: this.widths[0], height: kHeight };
    while (this.goesOn()) {
      try {
        await visit(this.browser, this, viewport, (tab) => this.walk(tab));
      } catch (error) {
        if (this.at === 0) throw error;
        break;
      }
    }
    return { pages: this.answers };
  }

  // The first page is opened in any case, so that each tour has come further.
  goesOn() {
    while (this.late.has(this.pages[this.at]?.name)) ++this.at;
    return this.at < this.pages.length && (this.at === 0 || Date.now() < this.until);
  }

  // Until the tab can be used no more.
  async walk(tab) {
    tab.protocol = await tab.context.newCDPSession(tab.page);
    await this.signIn(tab);
    for (let used = false; this.goesOn(); used = true) {
      if (used && !await this.swept(tab)) return;
      const answer = await this.open(tab, this.pages[this.at].url);
      if (answer.late) this.late.add(this.pages[this.at].name);
      this.answers[this.at++] = answer;
      if (!answer.axe) return;
    }
  }

  signIn({ context }) {
    return context.addCookies(this.cookies.map(({ name, value }) => ({ name, value, url: this.url })));
  }

  async open(tab, url) {
    try {
      return await unlessSilent(tab.page, (patience) => inspect(tab, url, this.widths, patience));
    } catch (error) {
      if (!this.browser.isConnected()) throw error;
      return { trouble: saidBy(error) };
    }
  }

  // The tab without what the last page left there. False where the page does not let go of it, or has opened others.
  async swept(tab) {
    const { context, page, rest, protocol } = tab;
    if (context.pages().length > 1) return false;
    try {
      await page.goto(rest, { timeout: kLeaveMs });
      await page.evaluate(() => { sessionStorage.clear(); window.name = ''; });
      await protocol.send('Storage.clearDataForOrigin', { origin: new URL(rest).origin, storageTypes: kStored });
      await this.signIn(tab);
      await page.setViewportSize({ width: this.widths[0], height: kHeight });
      await page.emulateMedia({ colorScheme: 'light' });
      return true;
    } catch {
      return false;
    }
  }
}

// wanted: {url: of the host, cookies: [{name, value}], service: {host, port}, widths: [px], pages: [{name, url}], until:
// ms since 1970}. → {pages: [answer]}, each that of inspect(), {late: true} where a script of it may never end, {trouble}
// where it is not shown, or null where it was not opened: there was no time left, or a page of its name was late.
export const tour = (browser, wanted) => new Tour(browser, wanted).run();
