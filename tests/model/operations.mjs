// Operations on the shop, as plain data that can be printed and repeated. Rows are named by their number in the order
// of their creation; the number is resolved when the operation runs.
import { matches, sorted } from './query.mjs';
import { tables } from './shop.mjs';

const unknown = '0198b6a0-0000-7000-8000-000000000000';

// The id that a number names; one that nothing has if there is no such row yet.
const idOf = (shop, table, n) => shop.made[table][n] ?? unknown;

const filled = (shop, body) => Object.fromEntries(Object.entries(body).map(([name, value]) => [name, value?.table ? idOf(shop, value.table, value.row) : value]));

const usesHidden = (clause, hides) => (clause.field ? hides.includes(clause.field) : [clause.and, clause.or, [clause.not]].flat(2).filter(Boolean).some((one) => usesHidden(one, hides)));

// The rows of a filter, in their order, or the refusal.
function found(shop, { who, table, filter, sort }) {
  const rows = shop.visible(table, who);
  if (rows === null) return { status: 403, codes: ['TABLE_FORBIDDEN'] };
  const hides = tables[table].hides(who);
  if (filter.some((clause) => usesHidden(clause, hides)) || hides.includes(sort?.field)) return { status: 400, codes: ['42703'] };
  const kept = sorted(rows.filter((row) => filter.every((clause) => matches(clause, row))), sort);
  return { status: 200, rows: kept.map((row) => shop.shown(table, row, who)) };
}

function paged(all, limit, offset = 0) {
  const { rows } = all;
  return rows ? { ...all, rows: rows.slice(offset, offset + limit), truncated: rows.length > offset + limit } : all;
}

const params = ({ filter, sort }, more) =>
  new URLSearchParams({ ...more, ...(filter.length ? { filter: JSON.stringify(filter) } : {}), ...(sort ? { sort: JSON.stringify(sort) } : {}) });

// {method, path, body?} of an operation, and what the model says of it. A kind of operation that the server learns is a line here
// and one in random.mjs.
export const kinds = {
  create: (shop, { who, table, body }) => {
    const sent = filled(shop, body);
    return { table, method: 'POST', path: `/${table}`, body: sent, expected: shop.create(table, sent, who) };
  },
  update: (shop, { who, table, row, body }) => {
    const [id, sent] = [idOf(shop, table, row), filled(shop, body)];
    return { table, method: 'PATCH', path: `/${table}/${id}`, body: sent, expected: shop.update(table, id, sent, who) };
  },
  remove: (shop, { who, table, row }) => {
    const id = idOf(shop, table, row);
    return { table, method: 'DELETE', path: `/${table}/${id}`, expected: shop.remove(table, id, who) };
  },
  move: (shop, { who, row, move }) => {
    const id = idOf(shop, 'order', row);
    return { table: 'order', method: 'PATCH', path: `/order/${id}/transition`, body: { transition: move }, expected: shop.move(id, move, who) };
  },
  get: (shop, { who, table, row }) => {
    const id = idOf(shop, table, row);
    return { table, method: 'GET', path: `/${table}/${id}`, expected: shop.get(table, id, who) };
  },
  list: (shop, operation) => {
    const { table, limit, offset } = operation;
    return { table, method: 'GET', path: `/${table}?${params(operation, { limit, offset })}`, expected: paged(found(shop, operation), limit, offset) };
  },
  // All pages, one after the other.
  pages: (shop, operation) => {
    const { table, limit } = operation;
    return { table, method: 'GET', path: `/${table}?${params(operation, { limit })}&cursor=`, walks: true, expected: found(shop, operation) };
  },
  count: (shop, operation) => {
    const { status, codes, rows } = found(shop, operation);
    return { table: operation.table, method: 'GET', path: `/${operation.table}/aggregate?${params(operation, { metric: 'count' })}`, expected: { status, codes, value: rows?.length } };
  },
  // Each row finds those before it; nothing is written where one of them is wrong.
  bulk: (shop, { who, table, bodies }) => {
    const sent = bodies.map((body) => filled(shop, body));
    const trial = shop.copy();
    const each = sent.map((body, n) => {
      const made = trial.create(table, body, who);
      if (made.row) trial.rows[table].set(`new ${n}`, { ...made.row, id: `new ${n}` });
      return made;
    });
    const wrong = each.flatMap((made) => made.wrong ?? []);
    const refused = each.find(({ codes }) => codes);
    return { table, method: 'POST', path: `/${table}`, body: sent, expected: refused ?? (wrong.length ? { wrong } : { status: 201, made: each }) };
  },
};
