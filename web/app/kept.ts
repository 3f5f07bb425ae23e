// What was typed into the other forms of a page, when the answer to one of them takes the page's place.

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

// The controls that people fill in. Hidden ones hold what the server knows, and the new page has newer values.
function controls(form: HTMLFormElement): Control[] {
  return [...form.elements].filter((one): one is Control =>
    (one instanceof HTMLInputElement && one.type !== "hidden") || one instanceof HTMLTextAreaElement || one instanceof HTMLSelectElement);
}

function isTouched(one: Control): boolean {
  if (one instanceof HTMLSelectElement) return [...one.options].some((option) => option.selected !== option.defaultSelected);
  if (one instanceof HTMLTextAreaElement) return one.value !== one.defaultValue;
  if (one.type === "file") return (one.files?.length ?? 0) > 0;
  return one.type === "checkbox" || one.type === "radio" ? one.checked !== one.defaultChecked : one.value !== one.defaultValue;
}

function put(from: Control, to: Control): void {
  if (from instanceof HTMLInputElement && to instanceof HTMLInputElement) {
    if (from.type === "file") to.files = from.files;
    else if (from.type === "checkbox" || from.type === "radio") to.checked = from.checked;
    else to.value = from.value;
  } else to.value = from.value;
}

// Forms of a block are told apart by their place in it; those of no block by what their buttons do.
function signOf(form: HTMLFormElement): string {
  const block = form.closest("section[id]");
  const act = [...form.querySelectorAll("button[name]")].map((one) => `${one.getAttribute("name")}=${one.getAttribute("value")}`).join(" ");
  const inside = block ? [...block.querySelectorAll("form")].filter((one) => one.getAttribute("class") === form.getAttribute("class")) : [];
  return `${block?.id ?? ""} ${inside.indexOf(form)} ${act}`;
}

function twin(form: HTMLFormElement, main: HTMLElement): HTMLFormElement | undefined {
  const sign = signOf(form);
  return [...main.querySelectorAll<HTMLFormElement>("form")].find((one) => signOf(one) === sign);
}

export const isTyped = (form: HTMLFormElement): boolean => controls(form).some(isTouched);

// Can the page that comes hold what was typed into the one that goes? The two have the same address: the form of
// another row looks the same, and what was typed is not about that row.
export function holds(main: HTMLElement, forms: Iterable<HTMLFormElement>): boolean {
  return [...forms].every((form) => {
    const other = twin(form, main);
    const names = new Set(other ? controls(other).map(({ name }) => name) : []);
    return controls(form).every((one) => !isTouched(one) || names.has(one.name));
  });
}

// Writes it there, and answers which forms have it now.
export function carry(main: HTMLElement, forms: Iterable<HTMLFormElement>): HTMLFormElement[] {
  const out: HTMLFormElement[] = [];
  for (const form of forms) {
    const other = twin(form, main);
    if (!other || !isTyped(form)) continue;
    for (const one of controls(form).filter(isTouched)) {
      const place = controls(other).find(({ name, type, value }) => name === one.name && type === one.type &&
        (one.type !== "radio" || value === one.value));
      if (place) put(one, place);
    }
    out.push(other);
  }
  return out;
}
