// "svc/client" where no contract is known: everything is there, and nothing is typed.
export type App = any;
export type Settings = any;
export declare namespace schema {
  type Any = any;
}
export const connect = (_settings: Settings): App => ({});
export const app: App = connect({});
export class SvcError extends Error {
  code = "";
  status = 0;
  details: any = {};
}
