// Calls every route of every table as every caller and compares the answers with the oracle.
import { inspect } from 'node:util';
import { serves } from '../lib/served.mjs';
import { randomFrom } from '../lib/sql.mjs';
import { seed } from './app.mjs';
import { difference } from './outcomes.mjs';
import { aggregate, search } from './routes/aggregate.mjs';
import { bulk, upsert } from './routes/bulk.mjs';
import { csv, embed } from './routes/embed.mjs';
import { pages } from './routes/pages.mjs';
import { list, get } from './routes/read.mjs';
import { create } from './routes/create.mjs';
import { update, remove, transition } from './routes/write.mjs';
import { direct } from './routes/direct.mjs';
import { queries, production } from './routes/other.mjs';
import { sql } from './routes/sql.mjs';

// A route yields checks: {method?, path, headers?, body?, expected: outcomes, restore?: tables that a success changes}, or {what,
// direct} that asks the database itself. A new route of the server joins the matrix by a line here.
const when = (word, group) => (serves(word) ? group : {});

export const routes = {
  reads: {
    list, get, production, direct,
    ...when('aggregate', { aggregate }), ...when('search', { search }), ...when('select', { embed }),
    ...when('csv', { csv }), ...when('cursor', { pages }), ...when('sql', { sql }),
  },
  writes: { create, update, remove, transition, ...when('bulk', { bulk }), ...when('upsert', { upsert }) },
  once: { queries },  // not of a table
};

async function asked(app, { asks, headers }, { route, entity }, check, found) {
  const { method = 'GET', path, body, expected, restore } = check;
  const answer = check.direct ? { status: 0 } : await app.call({ ...headers, ...check.headers }, method, path, body);
  const wrong = await (check.direct ? check.direct() : difference(answer, expected));
  found.checks += 1;
  found.routes[route] = (found.routes[route] ?? 0) + 1;
  if (answer.status >= 200 && answer.status < 300) found.granted += 1;
  if (wrong !== null) {
    const call = check.what ?? `${method} ${path} ${body ? inspect(body, { depth: 9, breakLength: Infinity }) : ''}`;
    found.mismatches.push({ route, entity, caller: asks.name, call, wrong });
  }
  if (restore && answer.status < 300) await app.database.restore(app.entities.filter(({ name }) => restore.includes(name)));
}

// Reads go side by side; writes one after the other, each restored before the next.
async function atOnce(tasks, width = 8) {
  const left = tasks[Symbol.iterator]();
  const worker = async () => { for (const task of left) await task(); };
  await Promise.all(Array.from({ length: width }, worker));
}

// A share of them, and of each outcome at least one.
function* some(checks, share, random) {
  const seen = new Set();
  for (const check of checks) {
    const kind = JSON.stringify(check.expected);
    if (seen.has(kind) && random() > share) continue;
    seen.add(kind);
    yield check;
  }
}

// `only` narrows it: {entities, routes, callers} by name. `share` of what has an outcome that was seen already is tried.
export async function matrix(app, { share = 1, ...only } = {}) {
  const found = { checks: 0, granted: 0, routes: {}, mismatches: [] };
  const wanted = (kind, name) => only[kind] === undefined || only[kind].includes(name);
  const callers = app.callers.filter(({ asks }) => wanted('callers', asks.name));
  const entities = app.entities.filter(({ name }) => wanted('entities', name));
  const chosen = (group) => Object.entries(group).filter(([name]) => wanted('routes', name));
  const random = randomFrom(seed);
  const each = function* (group, tables) {
    for (const caller of callers) {
      for (const entity of tables) {
        for (const [name, checks] of chosen(group)) {
          for (const check of some(checks(app, caller, entity, app.policy.rows), share, random)) yield () => asked(app, caller, { route: name, entity: entity?.name }, check, found);
        }
      }
    }
  };
  await atOnce(each(routes.reads, entities));
  await atOnce(each(routes.once, [undefined]));
  await atOnce(each(routes.writes, entities), 1);
  found.changed = await app.database.changed();
  return found;
}

// The first of each kind, and how many there are of it.
export function report(found) {
  const kinds = new Map();
  for (const one of found.mismatches) {
    const kind = `${one.route} of ${one.entity}: ${one.wrong.slice(0, 40)}`;
    kinds.set(kind, [...(kinds.get(kind) ?? []), one]);
  }
  const shown = [...kinds.values()].slice(0, 25).map(([{ caller, call, wrong }, ...more]) => `${caller}: ${call}\n    ${wrong}${more.length ? `\n    and ${more.length} more like it` : ''}`);
  return `${found.mismatches.length} of ${found.checks} checks differ (SVC_AUTHORIZATION_SEED chooses the rows)\n${shown.join('\n')}`;
}
