// Random rows, filters and operations: arbitraries of fast-check.
import { serves } from '../lib/served.mjs';
import { people, tables } from './shop.mjs';

const names = Object.keys(tables);
const requires = { product: ['sku', 'title', 'price'], order: [], order_line: ['order_id', 'product_id'] };
const texts = { product: ['sku', 'title', 'description'], order: ['note', 'status', 'number'], order_line: [] };
const numbers = { product: ['price', 'stock', 'cost'], order: [], order_line: ['quantity'] };

// Few values, so that they meet.
const simple = (fc) => ({
  words: fc.constantFrom('tea', 'Tea', 'a%b_c', "o'clock", 'été', '', 'z\\', '日本'),
  whole: fc.oneof(fc.integer({ min: 0, max: 5 }), fc.constantFrom(-1, 41, 999, 1000)),
  row: fc.oneof({ weight: 4, arbitrary: fc.nat(2) }, { weight: 1, arbitrary: fc.nat(9) }),
});

// Columns of each table, now and then with a value of another kind.
function bodies(fc) {
  const { words, whole, row } = simple(fc);
  const ref = (table) => row.map((n) => ({ row: n, table }));
  const sometimes = (value) => fc.oneof({ weight: 12, arbitrary: value }, { weight: 1, arbitrary: fc.constantFrom(null, true, 'x', 1.5, [], {}) });
  const values = {
    product: { sku: fc.constantFrom('A', 'B', 'C-1', 'low'), title: words, description: fc.option(words), price: whole, cost: whole, stock: whole, active: fc.boolean() },
    order: { note: fc.oneof(words, fc.constant('n'.repeat(501))), user_id: fc.uuid(), status: fc.constant('shipped') },
    order_line: { order_id: ref('order'), product_id: ref('product'), quantity: whole },
  };
  const each = (table) => Object.fromEntries(Object.entries(values[table]).map(([name, value]) => [name, sometimes(value)]));
  return { whole: (table) => fc.record(each(table), { requiredKeys: requires[table] }), part: (table) => fc.record(each(table), { requiredKeys: [] }) };
}

// Clauses of every operator, in trees.
function clauses(fc, table) {
  const { words, whole } = simple(fc);
  const all = [];
  const add = (fields, ops, value) => fields.length && all.push(fc.record({ field: fc.constantFrom(...fields), op: fc.constantFrom(...ops), value }));
  add(texts[table], ['lt', 'lte', 'gt', 'gte', 'contains', 'not_contains', 'starts_with', 'ends_with'], words);
  add(numbers[table], ['lt', 'lte', 'gt', 'gte'], whole);
  add(numbers[table], ['between'], fc.tuple(whole, whole));
  for (const [fields, value] of [[texts[table], words], [numbers[table], whole]]) {
    add(fields, ['eq', 'neq'], fc.option(value));
    add(fields, ['in', 'not_in'], fc.array(fc.option(value), { maxLength: 3 }));
    add(fields, ['is_null', 'is_not_null'], fc.constant(undefined));
  }
  const some = (tie) => fc.array(tie('tree'), { minLength: 1, maxLength: 3 });
  return fc.letrec((tie) => ({
    tree: fc.oneof({ maxDepth: 2 }, { weight: 3, arbitrary: fc.oneof(...all) }, fc.record({ not: tie('tree') }), fc.record({ or: some(tie) }), fc.record({ and: some(tie) })),
  })).tree;
}

// Mostly by those who may.
const writers = { product: ['manager'], order: ['ann', 'bob'], order_line: ['ann', 'ann', 'manager'] };
const by = (fc, some) => fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...some) }, { weight: 1, arbitrary: fc.constantFrom(...people) });

function writes(fc) {
  const { row } = simple(fc);
  const body = bodies(fc);
  const write = (kind, more) => fc.oneof(...names.map((table) => fc.record({ do: fc.constant(kind), who: by(fc, writers[table]), table: fc.constant(table), ...more(table) })));
  const move = fc.record({ do: fc.constant('move'), who: by(fc, ['ann', 'clerk']), row, move: fc.constantFrom('place', 'ship', 'cancel') });
  return [
    { weight: 4, arbitrary: write('create', (table) => ({ body: body.whole(table) })) },
    { weight: 3, arbitrary: write('update', (table) => ({ row, body: body.part(table) })) },
    { weight: 1, arbitrary: write('remove', () => ({ row })) },
    { weight: 2, arbitrary: move },
    ...(serves('bulk') ? [{ weight: 1, arbitrary: write('bulk', (table) => ({ bodies: fc.array(body.whole(table), { minLength: 1, maxLength: 3 }) })) }] : []),
  ];
}

function reads(fc) {
  const { row } = simple(fc);
  const filter = (table) => fc.array(clauses(fc, table), { maxLength: 2 });
  const sort = (table) => fc.option(fc.record({ field: fc.constantFrom(...texts[table], ...numbers[table], 'id'), dir: fc.constantFrom('asc', 'desc') }), { nil: undefined });
  const limit = fc.integer({ min: 1, max: 4 });
  const read = (kind, more) => fc.oneof(...names.map((table) => fc.record({ do: fc.constant(kind), who: fc.constantFrom(...people), table: fc.constant(table), ...more(table) })));
  return [
    { weight: 1, arbitrary: read('get', () => ({ row })) },
    { weight: 4, arbitrary: read('list', (table) => ({ filter: filter(table), sort: sort(table), limit, offset: fc.nat(2) })) },
    ...(serves('cursor') ? [{ weight: 1, arbitrary: read('pages', (table) => ({ filter: filter(table), sort: sort(table), limit })) }] : []),
    ...(serves('aggregate') ? [{ weight: 1, arbitrary: read('count', (table) => ({ filter: filter(table) })) }] : []),
  ];
}

export const operations = (fc) => fc.oneof(...writes(fc), ...reads(fc));
