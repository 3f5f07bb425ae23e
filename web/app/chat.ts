// A talk with the assistant: the answer stands on the page as it comes. The form keeps what was said, as it does without
// a script, because the server keeps none of it.
import { bodyOf, element, hush, say } from "./dom.js";

const most = { messages: 60, characters: 100_000 }; // of what goes along with the next message; the server takes less, never more
const lost = "The answer did not arrive completely. Try again.";

interface Event {
  type: string;
  data: unknown;
}

async function* events(body: ReadableStream<Uint8Array>): AsyncGenerator<Event> {
  const reader = body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader();
  for (let text = ""; ;) {
    const { done, value } = await reader.read();
    if (done) return;
    const frames = (text + value).split("\n\n");
    text = frames.pop() ?? "";
    for (const frame of frames) if (frame.startsWith("data: {")) yield JSON.parse(frame.slice(6)) as Event;
  }
}

class Refused extends Error {}

export class Chat {
  private readonly left = new AbortController();
  private readonly button: HTMLButtonElement | null;
  private readonly words: string;
  private readonly mine: HTMLElement;
  private readonly theirs: HTMLElement;
  private readonly answer = element("p", "", {});
  private came = false;

  private constructor(private readonly form: HTMLFormElement, private readonly talk: HTMLElement,
                      private readonly field: HTMLTextAreaElement, submitter: HTMLElement | null) {
    this.button = submitter instanceof HTMLButtonElement ? submitter : form.querySelector("button");
    this.words = this.button?.textContent ?? "";
    this.mine = this.said("mine", "You: ", element("p", field.value.trim(), {}));
    this.theirs = this.said("theirs waiting", "Assistant: ", this.answer);
  }

  // Null: this form is no talk, or nothing was written.
  static of(form: HTMLFormElement, submitter: HTMLElement | null): Chat | null {
    const talk = form.closest(".chat")?.querySelector<HTMLElement>(".talk");
    const field = form.querySelector("textarea");
    return talk && field && field.value.trim() !== "" ? new Chat(form, talk, field, submitter) : null;
  }

  private said(look: string, who: string, text: HTMLElement): HTMLElement {
    const out = element("li", "", { class: `said ${look}` });
    out.append(element("span", who, { class: "hidden" }), text);
    return out;
  }

  // True: it was answered, or at least in part.
  async ask(submitter: HTMLElement | null): Promise<boolean> {
    const body = bodyOf(this.form, submitter);
    this.begin();
    let words = "";
    try {
      await this.follow(body);
    } catch (error) {
      if (!this.left.signal.aborted) words = error instanceof Refused ? error.message : lost;
    }
    this.end(words);
    return this.came;
  }

  private begin(): void {
    this.form.setAttribute("aria-busy", "true");
    this.talk.setAttribute("aria-busy", "true"); // it is read out once it is whole
    this.answer.textContent = "…";
    this.talk.append(this.mine, this.theirs);
    hush(this.form);
    if (this.button) {
      this.button.textContent = "Stop";
      this.button.addEventListener("click", this.stop);
    }
    this.theirs.scrollIntoView({ block: "nearest" });
  }

  private readonly stop = (event: MouseEvent): void => {
    event.preventDefault();
    this.left.abort();
  };

  private async follow(body: FormData): Promise<void> {
    const answer = await fetch(this.form.action, {
      method: "POST", body, headers: { Accept: "text/event-stream" }, signal: this.left.signal,
    });
    if (answer.redirected) return location.assign(answer.url);
    const type = answer.headers.get("content-type") ?? "";
    if (!answer.body || !type.startsWith("text/event-stream")) throw new Refused(type.startsWith("text/plain") ? await answer.text() : lost);
    let whole = false;
    for await (const { type: kind, data } of events(answer.body)) {
      if (kind === "text_delta") this.add(String(data));
      if (kind === "error") throw new Refused("The assistant did not answer. Try again in a moment.");
      whole = whole || kind === "done";
    }
    if (!whole) throw new Refused(lost);
  }

  private add(text: string): void {
    this.answer.textContent = (this.came ? this.answer.textContent ?? "" : "") + text;
    this.came = true;
    this.theirs.scrollIntoView({ block: "nearest" });
  }

  private end(words: string): void {
    this.form.removeAttribute("aria-busy");
    this.theirs.classList.remove("waiting");
    if (this.button) {
      this.button.textContent = this.words;
      this.button.removeEventListener("click", this.stop);
    }
    if (this.came) this.keep();
    else this.forget();
    this.talk.removeAttribute("aria-busy");
    if (words !== "") say(this.form, words);
    this.field.focus({ preventScroll: true });
  }

  private forget(): void {
    this.mine.remove();
    this.theirs.remove();
  }

  // The oldest pairs go where there are too many.
  private keep(): void {
    const old = [...this.form.querySelectorAll<HTMLInputElement>("input[type=hidden]")].filter(({ name }) => /^[ua]\d+$/.test(name));
    const all = old.map(({ name, value }) => ({ who: name.charAt(0), value }));
    all.push({ who: "u", value: this.field.value }, { who: "a", value: this.answer.textContent ?? "" });
    const size = (): number => all.reduce((sum, { value }) => sum + value.length, 0);
    while (all.length > 2 && (all.length > most.messages || size() > most.characters)) all.splice(0, 2);
    for (const one of old) one.remove();
    all.forEach(({ who, value }, n) => this.form.append(element("input", "", { type: "hidden", name: `${who}${n}`, value })));
    this.field.value = "";
    this.form.closest(".chat")?.querySelector(".start-over")?.removeAttribute("hidden");
  }
}
