// "svc/client": the app's typed client, and the app of the page that the component stands on.
import { connect, type App } from "../client/index.js";

export * from "../client/index.js";

/** The app that serves this page, asked as the page's visitor: by the cookie of their session, without a key. */
export const app: App = connect({ url: typeof location === "undefined" ? "http://app.invalid" : location.origin, key: "" });
