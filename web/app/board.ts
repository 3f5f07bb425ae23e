// Cards of a board can be dragged to another column. A card has a button for each column that it may go to; what is
// dropped there presses it. So dragging does nothing that the card's menu does not do.

let dragged: HTMLElement | null = null;

const cardOf = (target: EventTarget | null): HTMLElement | null =>
  target instanceof Element && target.closest(".board .steps") === null ? target.closest<HTMLElement>(".board .card:has(.steps)") : null;

// The button of the card that leads to the column.
function stepTo(card: HTMLElement, column: HTMLElement | null): HTMLButtonElement | null {
  const to = column?.dataset.to;
  return to === undefined ? null : [...card.querySelectorAll<HTMLButtonElement>("button[data-to]")].find((one) => one.dataset.to === to) ?? null;
}

function columnAt(target: EventTarget | null): HTMLElement | null {
  const column = target instanceof Element ? target.closest<HTMLElement>(".column") : null;
  return column && dragged && dragged.closest(".board") === column.closest(".board") ? column : null;
}

function mark(name: string, holds: (column: HTMLElement) => boolean): void {
  for (const column of document.querySelectorAll<HTMLElement>(".board .column")) column.classList.toggle(name, holds(column));
}

function end(): void {
  dragged?.classList.remove("dragged");
  dragged = null;
  mark("takes", () => false);
  mark("over", () => false);
}

// Is a card in somebody's hand? Then the board stays as it is.
export const isDragging = (): boolean => dragged !== null;

export function watchBoards(): void {
  document.addEventListener("pointerdown", ({ target }) => {
    const card = cardOf(target);
    if (card) card.draggable = true;
  });
  document.addEventListener("dragstart", (event) => {
    const card = cardOf(event.target);
    if (!card || !event.dataTransfer) return;
    dragged = card;
    event.dataTransfer.effectAllowed = "move";
    event.dataTransfer.setDragImage(card, 20, 20);
    card.classList.add("dragged");
    mark("takes", (column) => columnAt(column) !== null && stepTo(card, column) !== null);
  });
  document.addEventListener("dragover", (event) => {
    const column = columnAt(event.target);
    const takes = dragged !== null && stepTo(dragged, column) !== null;
    if (takes) {
      event.preventDefault();
      if (event.dataTransfer) event.dataTransfer.dropEffect = "move";
    }
    mark("over", (one) => takes && one === column);
  });
  document.addEventListener("drop", (event) => {
    const button = dragged && stepTo(dragged, columnAt(event.target));
    if (!button) return;
    event.preventDefault();
    end();
    button.form?.requestSubmit(button);
  });
  document.addEventListener("dragend", end);
}
