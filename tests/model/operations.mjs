// What may be done to the shop, at random: each operation as plain data, so that it can be printed and played again. Rows are
// named by their number in the order in which they were made; what such a number names is known when it is run.
import { people, tables } from './shop.mjs';
import { matches, sorted } from './query.mjs';

const names = Object.keys(tables);
const unknown = '0198b6a0-0000-7000-8000-000000000000';

// Arbitraries of fast-check.
export function operations(fc) {
  // Mostly those who may.
  const by = (...some) => fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...some) }, { weight: 1, arbitrary: fc.constantFrom(...people) });
  const whoOf = { product: by('manager'), order: by('ann', 'bob'), order_line: by('ann', 'ann', 'manager') };
  const anybody = fc.constantFrom(...people);
  const row = fc.oneof({ weight: 4, arbitrary: fc.nat(2) }, { weight: 1, arbitrary: fc.nat(9) });
  const words = fc.constantFrom('tea', 'Tea', 'a%b_c', "o'clock", 'été', '', 'z\\', '日本');
  const whole = fc.oneof(fc.integer({ min: 0, max: 5 }), fc.constantFrom(-1, 41, 999, 1000));
  const ref = (table) => row.map((n) => ({ row: n, table }));
  const sometimes = (value) => fc.oneof({ weight: 12, arbitrary: value }, { weight: 1, arbitrary: fc.constantFrom(null, true, 'x', 1.5, [], {}) });
  const values = {
    product: { sku: fc.constantFrom('A', 'B', 'C-1', 'low'), title: words, description: fc.option(words), price: whole, cost: whole, stock: whole, active: fc.boolean() },
    order: { note: fc.oneof(words, fc.constant('n'.repeat(501))), user_id: fc.constant(unknown), status: fc.constant('shipped') },
    order_line: { order_id: ref('order'), product_id: ref('product'), quantity: whole },
  };
  const body = (table, requiredKeys) => fc.record(Object.fromEntries(Object.entries(values[table]).map(([name, value]) => [name, sometimes(value)])), { requiredKeys });
  const requires = { product: ['sku', 'title', 'price'], order: [], order_line: ['order_id', 'product_id'] };

  // Of columns that have a model.
  const texts = { product: ['sku', 'title', 'description'], order: ['note', 'status', 'number'], order_line: [] };
  const numbers = { product: ['price', 'stock', 'cost'], order: [], order_line: ['quantity'] };
  const clause = (table) => {
    const all = [];
    const add = (fields, ops, value) => fields.length && all.push(fc.record({ field: fc.constantFrom(...fields), op: fc.constantFrom(...ops), value }));
    add(texts[table], ['eq', 'neq'], fc.option(words));
    add(texts[table], ['lt', 'lte', 'gt', 'gte', 'contains', 'not_contains', 'starts_with', 'ends_with'], words);
    add(texts[table], ['in', 'not_in'], fc.array(fc.option(words), { maxLength: 3 }));
    add(numbers[table], ['eq', 'neq'], fc.option(whole));
    add(numbers[table], ['lt', 'lte', 'gt', 'gte'], whole);
    add(numbers[table], ['in', 'not_in'], fc.array(fc.option(whole), { maxLength: 3 }));
    add(numbers[table], ['between'], fc.tuple(whole, whole));
    add([...texts[table], ...numbers[table]], ['is_null', 'is_not_null'], fc.constant(undefined));
    return fc.letrec((tie) => ({
      tree: fc.oneof({ maxDepth: 2 }, { weight: 3, arbitrary: fc.oneof(...all) }, fc.record({ not: tie('tree') }), fc.record({ or: fc.array(tie('tree'), { minLength: 1, maxLength: 3 }) }), fc.record({ and: fc.array(tie('tree'), { minLength: 1, maxLength: 3 }) })),
    })).tree;
  };
  const sort = (table) => fc.option(fc.record({ field: fc.constantFrom(...texts[table], ...numbers[table], 'id'), dir: fc.constantFrom('asc', 'desc') }), { nil: undefined });
  const list = (table) => fc.record({ do: fc.constant('list'), who: anybody, table: fc.constant(table), filter: fc.array(clause(table), { maxLength: 2 }), sort: sort(table), limit: fc.integer({ min: 1, max: 4 }), offset: fc.nat(2) });
  const of = (make) => fc.oneof(...names.map(make));
  return fc.oneof(
    { weight: 4, arbitrary: of((table) => fc.record({ do: fc.constant('create'), who: whoOf[table], table: fc.constant(table), body: body(table, requires[table]) })) },
    { weight: 3, arbitrary: of((table) => fc.record({ do: fc.constant('update'), who: whoOf[table], table: fc.constant(table), row, body: body(table, []) })) },
    { weight: 1, arbitrary: of((table) => fc.record({ do: fc.constant('remove'), who: whoOf[table], table: fc.constant(table), row })) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('move'), who: by('ann', 'clerk'), row, move: fc.constantFrom('place', 'ship', 'cancel') }) },
    { weight: 1, arbitrary: of((table) => fc.record({ do: fc.constant('get'), who: anybody, table: fc.constant(table), row })) },
    { weight: 4, arbitrary: of(list) },
  );
}

// The id that a number names; one that nothing has where there is no such row yet.
const idOf = (shop, table, n) => shop.made[table][n] ?? unknown;

const filled = (shop, body) => Object.fromEntries(Object.entries(body).map(([name, value]) => [name, value?.table ? idOf(shop, value.table, value.row) : value]));

const usesHidden = (clause, hides) => (clause.field ? hides.includes(clause.field) : [clause.and, clause.or, [clause.not]].flat(2).filter(Boolean).some((one) => usesHidden(one, hides)));

function listed(shop, { who, table, filter, sort, limit, offset }) {
  const rows = shop.visible(table, who);
  if (rows === null) return { status: 403, codes: ['TABLE_FORBIDDEN'] };
  const hides = tables[table].hides(who);
  if (filter.some((clause) => usesHidden(clause, hides)) || hides.includes(sort?.field)) return { status: 400, codes: ['42703'] };
  const found = sorted(rows.filter((row) => filter.every((clause) => matches(clause, row))), sort);
  return { status: 200, rows: found.slice(offset, offset + limit).map((row) => shop.shown(table, row, who)), truncated: found.length > offset + limit };
}

// {method, path, body?} of an operation, and what the model says of it. A kind of operation that the server learns is a line here
// and an arbitrary above.
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
    const { table, filter, sort, limit, offset } = operation;
    const params = new URLSearchParams({ limit, offset, ...(filter.length ? { filter: JSON.stringify(filter) } : {}), ...(sort ? { sort: JSON.stringify(sort) } : {}) });
    return { table, method: 'GET', path: `/${table}?${params}`, expected: listed(shop, operation) };
  },
};
