// A reference to one of many rows is found by words. The form finds them without a script too; here they are found while
// somebody types, and Enter finds instead of saving.
import { hush, say } from "./dom.js";

const pause = 300; // ms without a key

const boxOf = (target: EventTarget | null): HTMLInputElement | null =>
  target instanceof HTMLInputElement && target.dataset.find !== undefined ? target : null;

let timer = 0, last: XMLHttpRequest | null = null;

// Only what the search goes by, and no file: the rest of the form stays as it is.
function question(form: HTMLFormElement, box: HTMLInputElement): URLSearchParams {
  const all = new FormData(form);
  const out = new URLSearchParams({ _do: "find" });
  for (const name of ["_block", `f.${box.dataset.find}`, box.name]) out.set(name, String(all.get(name) ?? ""));
  return out;
}

function find(box: HTMLInputElement): void {
  window.clearTimeout(timer);
  const form = box.form;
  if (!form || form.getAttribute("aria-busy") === "true") return;
  last?.abort();
  const request = last = new XMLHttpRequest();
  request.open("POST", form.action);
  request.responseType = "document";
  request.setRequestHeader("Accept", "text/html");
  request.onload = () => take(box, request.response);
  request.onerror = () => say(placeOf(box), "This could not be found right now. Try again in a moment.");
  request.send(question(form, box));
}

const placeOf = (box: HTMLElement): Element => box.closest(".field") ?? box;

// The box stays, with the focus in it; what was found takes the place of what was found before.
function take(box: HTMLInputElement, answer: Document | null): void {
  const other = [...answer?.querySelectorAll<HTMLInputElement>("[data-find]") ?? []].find(({ name, value }) => name === box.name && value === box.value);
  const [old, now] = [placeOf(box).querySelector(".found"), other && placeOf(other).querySelector(".found")];
  if (!other || !old || !now) return;
  hush(placeOf(box));
  old.replaceChildren(...[...now.childNodes].map((one) => document.adoptNode(one)));
}

export function watchFinders(): void {
  document.addEventListener("input", ({ target }) => {
    const box = boxOf(target);
    if (!box) return;
    window.clearTimeout(timer);
    timer = window.setTimeout(() => find(box), pause);
  });
  document.addEventListener("keydown", (event) => {
    const box = event.key === "Enter" ? boxOf(event.target) : null;
    if (!box) return;
    event.preventDefault();
    find(box);
  });
  document.addEventListener("click", (event) => {
    const button = event.target instanceof Element ? event.target.closest("button[value=find]") : null;
    const box = boxOf(button?.parentElement?.querySelector("[data-find]") ?? null);
    if (!box) return;
    event.preventDefault();
    find(box);
  });
}
