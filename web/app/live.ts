// Blocks that show rows are loaded anew when one of their rows changes. The page names their tables (data-live) and the
// place in the feeds from which to follow them (data-live-at). A block that has the focus, or typed text in it, stays
// as it is.

const soon = 300, least = 3_000; // ms: after a change, and between two loadings
const patience = [1_000, 2_000, 5_000, 15_000, 60_000];
const blocks = ":scope > .metrics, :scope > .block:not(.metric, .form, .chat, .pay, .upload, .search, .component, .prose)";

export interface Place {
  main(): HTMLElement | null;
  // Is somebody at work in it?
  isHeld(block: Element): boolean;
}

export class Live {
  private line: AbortController | null = null;
  private loaded = 0;
  private timer = 0;
  private tries = 0;

  constructor(private readonly place: Place) {}

  // Follows the tables of the page that is shown now. A hidden page follows nothing.
  begin(): void {
    this.end();
    const tables = this.place.main()?.dataset.live ?? "";
    if (tables === "" || document.hidden) return;
    const line = new AbortController();
    this.line = line;
    void this.follow(tables.split(" "), line.signal).catch(() => undefined).then(() => this.again(line));
  }

  // Somebody looks at it again. It is followed from where it was loaded, so what came before is not sent.
  resume(): void {
    this.end();
    const line = new AbortController();
    this.line = line;
    void this.load().catch(() => undefined).then(() => {
      if (this.line === line) this.begin();
    });
  }

  end(): void {
    this.line?.abort();
    this.line = null;
    window.clearTimeout(this.timer);
    this.timer = 0;
  }

  private again(line: AbortController): void {
    if (this.line !== line || line.signal.aborted) return;
    const pause = patience[Math.min(this.tries, patience.length - 1)] ?? least;
    this.tries += 1;
    window.clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.resume(), pause * (0.5 + Math.random()));
  }

  private async follow(tables: string[], signal: AbortSignal): Promise<void> {
    const topics = tables.map((table) => `topic=row-changed:${table}`).join("&");
    const headers: Record<string, string> = { "x-svc-page": "1", Accept: "text/event-stream" };
    const at = this.place.main()?.dataset.liveAt;
    if (at) headers["Last-Event-ID"] = at;
    const answer = await fetch(`/__svc/topics/subscribe?${topics}`, { headers, cache: "no-store", signal });
    if (!answer.ok || !answer.body) {
      if (answer.status < 500 && answer.status !== 429) this.end(); // not for this visitor
      return;
    }
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    for (let text = ""; ;) {
      const { done, value } = await reader.read();
      if (done) return;
      this.tries = 0;
      text += value;
      const end = text.lastIndexOf("\n\n");
      if (/^event: (message|reset)$/m.test(text.slice(0, end + 1))) this.wait();
      text = text.slice(end + 1);
    }
  }

  private wait(): void {
    if (this.timer !== 0) return;
    const pause = Math.max(soon, this.loaded + least - Date.now());
    this.timer = window.setTimeout(() => {
      this.timer = 0;
      void this.load().catch(() => undefined);
    }, pause);
  }

  private async load(): Promise<void> {
    this.loaded = Date.now();
    const line = this.line;
    const now = await page(location.href);
    const main = this.place.main();
    if (!now || !main || this.line !== line) return;
    const [shown, fresh] = [main.querySelectorAll(blocks), now.querySelectorAll(blocks)];
    if (shown.length !== fresh.length) return;
    if (now.dataset.liveAt) main.dataset.liveAt = now.dataset.liveAt;
    shown.forEach((block, n) => {
      const other = fresh[n];
      if (other && !block.isEqualNode(other) && !this.place.isHeld(block)) block.replaceWith(document.adoptNode(other));
    });
  }
}

// The browser parses it: Trusted Types see no sink.
function page(address: string): Promise<HTMLElement | null> {
  return new Promise((done) => {
    const request = new XMLHttpRequest();
    request.open("GET", address.split("#")[0] ?? address);
    request.responseType = "document";
    request.setRequestHeader("Accept", "text/html");
    request.onload = () => done(request.status === 200 ? (request.response?.getElementById("content") ?? null) : null);
    request.onerror = request.onabort = () => done(null);
    request.send();
  });
}
