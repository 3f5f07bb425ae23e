// A row of a table leads where its link does, wherever it is pressed, as a card does. What else can be pressed in it
// stays what it is, and its text can be selected.

const own = "a, button, input, select, textarea, label, summary";

export function watchRows(): void {
  document.addEventListener("click", (event) => {
    const at = event.target instanceof Element ? event.target : null;
    const link = at?.closest("tbody tr")?.querySelector(".row-link");
    if (!link || at?.closest(own) || event.defaultPrevented || String(getSelection()) !== "") return;
    const { ctrlKey, metaKey, shiftKey } = event;
    link.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true, ctrlKey, metaKey, shiftKey }));
  });
}
