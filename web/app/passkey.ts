// Passkeys: the browser makes and shows them, and the form takes along what it says. The server leads on from there, as
// with every other form.
import { say } from "./dom.js";

const works = (): boolean => typeof PublicKeyCredential === "function" && "parseRequestOptionsFromJSON" in PublicKeyCredential;

// The stylesheet hides the forms where no script runs; a browser that knows no passkeys needs more.
export function offerPasskeys(): void {
  if (works()) return;
  for (const form of document.querySelectorAll<HTMLElement>("form[data-passkey]")) form.hidden = true;
  for (const line of document.querySelectorAll(".without-passkeys")) line.classList.add("shown");
}

class Refused extends Error {}

async function options(path: string): Promise<never> {
  const answer = await fetch(`/__svc/auth/passkeys/${path}/start`, {
    method: "POST", headers: { "x-svc-page": "1", "Content-Type": "application/json" }, body: "{}",
  });
  const said = (await answer.json()) as { options?: never; error?: { message?: string } };
  if (!said.options) throw new Refused(said.error?.message ?? "This did not work right now. Try again in a moment.");
  return said.options;
}

async function credential(what: string): Promise<string> {
  const asked = what === "register"
    ? navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(await options("register")) })
    : navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(await options("login")) });
  return JSON.stringify(await asked);
}

const words = (error: unknown): string =>
  error instanceof Refused ? error.message
    : error instanceof DOMException && error.name === "InvalidStateError" ? "This device has a passkey for your account already."
    : error instanceof DOMException && error.name === "NotAllowedError" ? "No passkey was used. Try again, or choose another way."
    : "Your browser could not do this. Choose another way.";

// True: the form waits for the browser, and is sent again with what that says.
export function asksPasskey(form: HTMLFormElement, submitter: HTMLElement | null): boolean {
  const what = form.dataset.passkey;
  const place = form.querySelector<HTMLInputElement>("input[name=credential]");
  if (what === undefined || !place || place.value !== "") return false;
  form.setAttribute("aria-busy", "true");
  void credential(what).then((said) => {
    form.removeAttribute("aria-busy");
    place.value = said;
    form.requestSubmit(submitter);
    place.value = ""; // each counts once
  }, (error: unknown) => {
    form.removeAttribute("aria-busy");
    say(form, words(error));
  });
  return true;
}
