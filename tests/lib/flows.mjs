// Workflows and functions as the generator writes them into a database, for tests of what works on them.
const retry = { max: 3, base: 0.02, factor: 1, cap: 0.05 };

export const step = (id, kind, more) => ({ id, kind, runAs: 'system', retry, ...more });

// A row of public.item, whose title is this expression of SQL over $1, the context.
export const addItem = (id, title) =>
  step(id, 'create', { sql: `with w as (insert into public.item (title) values (${title}) returning *) select to_jsonb(w) from w` });

// `request`: an expression of SQL.
export const http = (id, request, more = {}) => step(id, 'http', { sql: `select ${request}`, secrets: {}, accept: [], ...more });

export function workflow(name, steps, { trigger = { kind: 'manual' }, params = null, ...more } = {}) {
  const hash = `${name}:${JSON.stringify([steps, more])}`;
  return { kind: 'workflow', name, hash, trigger, params, allow: [], definition: { name, kind: 'workflow', runAs: 'system', steps, ...more } };
}

// The statement that makes these the flows of an app.
export function setFlows(flows) {
  const all = JSON.stringify({ flows, personas: {}, hooksOut: [], hooksIn: [] });
  return `select svc.set_flows('${all.replaceAll("'", "''")}')`;
}
