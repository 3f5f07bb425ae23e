// What was wrong with a page: {kind, message, url?}. Kinds: page (it was not shown), console, exception, request, csp,
// refused.
import { hear } from './hear.mjs';

const kMost = 50;
const kMostText = 500;
// A console says of each failed request what the request itself says better.
const kSaidByRequest = /^Failed to load resource:/;
// Asked by the browser itself where a page has a form.
const kOfTheBrowser = ['content-autofill.googleapis.com:443'];
const kPolicy = /Content Security Policy|violates the following|TrustedTypes|Trusted Type/i;

export class Errors {
  constructor(page, proxy) {
    this.proxy = proxy;
    this.page = page;
    this.found = [];
    this.stop = hear(page, {
      console: (message) => this.console(message),
      pageerror: (error) => this.add('exception', error.stack?.split('\n').slice(0, 2).map((line) => line.trim()).join(' ') || error.message),
      requestfailed: (request) => this.failed(request),
      response: (response) => this.answered(response),
      crash: () => this.add('exception', 'The page crashed.'),
      dialog: (dialog) => dialog.dismiss().catch(() => {}),
    });
  }

  add(kind, message, url) {
    if (this.found.length >= kMost) return;
    const entry = { kind, message: String(message).slice(0, kMostText), ...(url ? { url: url.slice(0, kMostText) } : {}) };
    if (!this.found.some((one) => one.kind === entry.kind && one.message === entry.message && one.url === entry.url)) this.found.push(entry);
  }

  console(message) {
    if (message.type() !== 'error' || kSaidByRequest.test(message.text())) return;
    this.add(kPolicy.test(message.text()) ? 'csp' : 'console', message.text(), message.location()?.url);
  }

  isOwn(url) {
    return !URL.canParse(url) || /^(data|blob|about|chrome-error):/.test(url) || this.proxy.isOwn(new URL(url));
  }

  failed(request) {
    const url = request.url(), why = request.failure()?.errorText ?? 'failed';
    if (why === 'csp' || why === 'net::ERR_BLOCKED_BY_CSP') return this.add('csp', `The page's policy blocks a ${request.resourceType()}.`, url);
    if (!this.isOwn(url)) return this.refused(url);
    if (why === 'net::ERR_ABORTED') return;  // the page itself gave it up
    this.add('request', `${request.method()} failed: ${why}`, url);
  }

  answered(response) {
    if (!this.isOwn(response.url())) return this.refused(response.url());
    const request = response.request();
    const itself = request.isNavigationRequest() && request.frame() === this.page.mainFrame();
    if (itself && response.status() >= 400) this.add('page', `The page itself answered ${response.status()}.`, response.url());
    if (response.status() >= 400) this.add('request', `${response.request().method()} answered ${response.status()}.`, response.url());
  }

  // An app leads who may not open a page to where one signs in, and says there what was wanted.
  ledTo(asked, shown) {
    if (!URL.canParse(asked) || !URL.canParse(shown)) return;
    const { pathname, searchParams } = new URL(shown);
    if (pathname === new URL(asked).pathname || !searchParams.has('next')) return;
    this.add('page', `The page led on to ${pathname}: whoever looks at it has to sign in first.`, shown);
  }

  refused(url) {
    this.add('refused', 'The page asked a host that is not the app\'s own; this browser reaches no other.', url);
  }

  // With what the proxy refused and no request of the page told, such as a WebSocket.
  list() {
    const told = (what) => this.found.some(({ kind, url }) => kind === 'refused' && url.includes(what.replace(/:443$/, '')));
    for (const what of this.proxy.refused) if (!kOfTheBrowser.includes(what) && !told(what)) this.refused(what);
    return this.found;
  }
}
