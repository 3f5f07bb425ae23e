// "svc/client": the app's typed client, and the app of the page that the component stands on.
import { connect, type App } from "../client/index.js";

export * from "../client/index.js";

interface PageSettings {
  key?: string;
}

function settings(): PageSettings {
  const place = typeof document === "undefined" ? null : document.getElementById("svc-settings");
  return place?.textContent ? (JSON.parse(place.textContent) as PageSettings) : {};
}

/** The app that serves this page, asked as the page's visitor. */
export const app: App = connect({
  url: typeof location === "undefined" ? "http://app.invalid" : location.origin,
  key: settings().key ?? "",
});
