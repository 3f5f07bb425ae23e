// The script of an app's pages. Pages work without it: it only sends their forms without leaving the page, shows how far
// an upload is, loads rows anew when they change, warns before typed text is lost, and says that the app has a new
// version. Where anything is not as the script expects, it leaves the browser to do what browsers do.

import { isDragging, watchBoards } from "./board.js";
import { Chat } from "./chat.js";
import { bodyOf, element, say } from "./dom.js";
import { watchFinders } from "./finder.js";
import { carry, holds, isTyped } from "./kept.js";
import { Live } from "./live.js";
import { asksPasskey, offerPasskeys } from "./passkey.js";
import { watchRows } from "./rows.js";

const content = "content";
const minute = 60_000;

interface Page {
  main: HTMLElement;
  build: string;
}

function pageOf(from: Document): Page | null {
  const main = from.getElementById(content);
  return main ? { main, build: from.documentElement.dataset.build ?? "" } : null;
}

// An address without the place in its page.
const bare = (address: string): string => address.split("#")[0] ?? "";

// Components of the page have scripts of their own, which a page that is put in place would not start.
const alone = (): boolean => document.scripts.length <= 1;

// Forms whose answer is a page of this app. A card provider's is not, and whoever signs in or out gets another frame.
function isOurs(form: HTMLFormElement): boolean {
  return form.method === "post" && form.closest(`#${content}:not(.alone)`) !== null && form.closest(".pay") === null &&
    new URL(form.action).origin === location.origin && !new URL(form.action).pathname.startsWith("/sign-") && alone();
}

// As its form says that it is sent.
function encoded(form: HTMLFormElement, submitter: HTMLElement | null): FormData | URLSearchParams {
  const data = bodyOf(form, submitter);
  if (form.enctype === "multipart/form-data") return data;
  const out = new URLSearchParams();
  for (const [key, value] of data) if (typeof value === "string") out.append(key, value);
  return out;
}

function hasFile(body: FormData | URLSearchParams): boolean {
  return body instanceof FormData && [...body.values()].some((value) => value instanceof File && value.size > 0);
}

class Sending {
  private readonly button: HTMLButtonElement | null;
  private progress: HTMLProgressElement | null = null;

  constructor(private readonly form: HTMLFormElement, submitter: HTMLElement | null) {
    this.button = submitter instanceof HTMLButtonElement ? submitter : null;
  }

  begin(body: FormData | URLSearchParams): void {
    const request = new XMLHttpRequest();
    request.open("POST", this.form.action);
    request.responseType = "document";
    request.setRequestHeader("Accept", "text/html");
    if (hasFile(body)) this.watch(request.upload);
    request.onload = () => this.take(request);
    // It may have arrived, and only its answer is lost.
    request.onerror = request.onabort = () =>
      this.fail("This could not be sent. What you typed is still here. Look whether it has arrived, then try again.");
    request.send(body);
    this.form.setAttribute("aria-busy", "true");
    if (this.button) this.button.disabled = true;
  }

  private watch(upload: XMLHttpRequestUpload): void {
    const progress = document.createElement("progress");
    progress.max = 1;
    progress.setAttribute("aria-label", "Upload");
    this.form.append(progress);
    this.progress = progress;
    upload.onprogress = ({ lengthComputable, loaded, total }) => {
      if (lengthComputable) progress.value = loaded / total;
    };
  }

  private end(): void {
    this.form.removeAttribute("aria-busy");
    if (this.button) this.button.disabled = false;
    this.progress?.remove();
  }

  private fail(words: string): void {
    this.end();
    say(this.form, words);
  }

  private take(request: XMLHttpRequest): void {
    const answer: Document | null = request.response;
    const page = answer && pageOf(answer);
    const place = new URL(request.responseURL || location.href);
    // A redirect was followed: the page has an address of its own.
    const followed = request.responseURL !== new URL(bare(this.form.action)).href;
    const moved = followed && request.status < 300;
    if (!page || !answer || place.origin !== location.origin) {
      if (moved) return location.assign(place);
      return this.fail("This did not work right now. Try again in a moment.");
    }
    // A page that only says what is wrong has no form: what was typed stays where it is.
    if (!followed && request.status >= 400 && request.status !== 422) {
      return this.fail(page.main.querySelector(".empty p")?.textContent ?? "This did not work. Try again in a moment.");
    }
    const signIn = page.main.classList.contains("alone");
    if (moved && (signIn || answer.scripts.length > 1)) {
      if (!signIn) changed.clear(); // it has arrived
      return location.assign(place);
    }
    this.end();
    changed.delete(this.form);
    // The browser asks before it leaves what was typed elsewhere on the page.
    const stays = place.pathname === location.pathname ? holds(page.main, changed) : ![...changed].some(isTyped);
    if (moved && !stays) return location.assign(place);
    put(answer, page);
    if (!moved) return;
    history.pushState(null, "", place);
    standing = bare(place.href);
  }
}

function put(answer: Document, page: Page): void {
  const style = 'link[rel="stylesheet"]';
  const [old, now] = [document.querySelector(style), answer.querySelector(style)];
  if (old && now && old.getAttribute("href") !== now.getAttribute("href")) old.replaceWith(document.adoptNode(now));
  const [menu, next] = [document.querySelector(".side nav"), answer.querySelector(".side nav")];
  if (menu && next) menu.replaceWith(document.adoptNode(next));
  document.title = answer.title;
  document.documentElement.dataset.build = page.build;
  const main = document.adoptNode(page.main);
  document.getElementById(content)?.replaceWith(main);
  const kept = carry(main, changed);
  changed.clear();
  for (const form of kept) changed.add(form);
  offerPasskeys();
  focus(main);
  live.begin();
}

function focus(main: HTMLElement): void {
  const target = main.querySelector<HTMLElement>("[aria-invalid=true], [autofocus]") ??
    main.querySelector<HTMLElement>(":scope > .notice, h1");
  if (!target) return;
  if (!target.matches("input, select, textarea")) target.tabIndex = -1;
  target.focus({ preventScroll: true });
  target.scrollIntoView({ block: "nearest" });
}

// Forms that somebody has typed into. A page that goes away would take it along.
const changed = new Set<HTMLFormElement>();

document.addEventListener("input", ({ target }) => {
  const form = target instanceof Element ? target.closest("form") : null;
  if (form?.method === "post") changed.add(form);
});

window.addEventListener("beforeunload", (event) => {
  for (const form of changed) if (form.isConnected) event.preventDefault();
});

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!(form instanceof HTMLFormElement) || event.defaultPrevented) return;
  if (form.getAttribute("aria-busy") === "true" || asksPasskey(form, event.submitter)) return event.preventDefault();
  if (!isOurs(form)) {
    changed.delete(form);
    return;
  }
  try {
    const chat = Chat.of(form, event.submitter);
    if (chat) void chat.ask(event.submitter).then((came) => came && changed.delete(form));
    else new Sending(form, event.submitter).begin(encoded(form, event.submitter));
    event.preventDefault();
  } catch {
    changed.delete(form);
  }
});

// The address of the page that stands there. A step to a place in it, such as #content, asks for no other page.
let standing = bare(location.href);

window.addEventListener("popstate", () => {
  if (bare(location.href) !== standing) location.reload();
});

// An apply has put another build in place of the one that made this page.
async function look(): Promise<void> {
  if (document.hidden) return;
  const answer = await fetch("/assets/build", { cache: "no-store" });
  const build = answer.ok ? (await answer.text()).trim() : "";
  const page = pageOf(document);
  if (!page || build === "" || build === page.build || page.main.querySelector(".new-version")) return;
  const line = element("p", "This page has a new version. ", { class: "notice new-version", role: "status" });
  // With a place in it, the address would be a step within the page.
  line.append(element("a", "Load it", { href: bare(location.href) }));
  page.main.prepend(line);
}

setInterval(() => void look().catch(() => undefined), minute);

const live = new Live({
  main: () => document.getElementById(content),
  isHeld: (block) => isDragging() || block.contains(document.activeElement) || [...changed].some((form) => block.contains(form)),
});
document.addEventListener("visibilitychange", () => (document.hidden ? live.end() : live.resume()));
live.begin();
offerPasskeys();
watchBoards();
watchFinders();
watchRows();
