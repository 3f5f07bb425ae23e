// Elements that the script makes, and what it says.

export function element(name: string, text: string, attributes: Record<string, string>): HTMLElement {
  const out = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) out.setAttribute(key, value);
  out.textContent = text;
  return out;
}

// One line above what it is about, in place of the one before.
export function say(place: Element, text: string): void {
  hush(place);
  place.prepend(element("p", text, { class: "notice red said-by-script", role: "alert" }));
}

export function hush(place: Element): void {
  place.querySelector(":scope > .said-by-script")?.remove();
}

// What a browser would send of a form.
export function bodyOf(form: HTMLFormElement, submitter: HTMLElement | null): FormData {
  const out = new FormData(form);
  const name = submitter?.getAttribute("name");
  if (name) out.append(name, submitter?.getAttribute("value") ?? "");
  return out;
}
