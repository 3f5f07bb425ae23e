// The shop in memory, written by hand and kept simple: what every write does to its rows, what it refuses, and who sees what.
// An answer is {status, codes?} or {status, row} or {status, rows}. Where several things are wrong any of their codes will do.
const staff = ['clerk', 'manager'];
export const people = ['ann', 'bob', 'clerk', 'manager', 'guest', 'server'];
const customers = ['ann', 'bob'];

const no = (status, ...codes) => ({ status, codes });
const forbidden = no(403, 'TABLE_FORBIDDEN');
const hidden = no(404, 'NOT_FOUND');
const notHis = no(403, 'ROW_FORBIDDEN');

// A value's mistakes: codes of what is wrong with it.
const text = (max, pattern) => (value) => (typeof value !== 'string' ? ['22P02'] : [...value].length > max || (pattern && !pattern.test(value)) ? ['23514', '22001'] : []);
const whole = (min, max) => (value) => (!Number.isInteger(value) ? ['22P02'] : value < min || value > max ? ['23514'] : []);
const truth = (value) => (typeof value === 'boolean' ? [] : ['22P02']);
const id = (value) => (typeof value === 'string' && /^[0-9a-f-]{36}$/.test(value) ? [] : ['22P02']);
const everybody = () => true;

export const tables = {
  product: {
    columns: ['id', 'sku', 'title', 'description', 'picture', 'price', 'cost', 'stock', 'active', 'created_at', 'updated_at'],
    fields: {
      sku: { fits: text(255, /^[A-Z0-9-]+$/), required: true },
      title: { fits: text(255), required: true },
      description: { fits: text(Infinity) },
      picture: { fits: id },
      price: { fits: whole(0, Infinity), required: true },
      cost: { fits: whole(-Infinity, Infinity), writers: (who) => who === 'manager' },
      stock: { fits: whole(0, Infinity), default: 0 },
      active: { fits: truth, default: true },
    },
    uniques: [['sku']],
    grants: { read: people, create: ['manager'], update: staff, delete: ['manager'] },
    sees: (_shop, row, who) => row.active === true || staff.includes(who),
    changes: everybody,
    hides: (who) => (['manager', 'server'].includes(who) ? [] : ['cost']),
  },
  order: {
    columns: ['id', 'user_id', 'number', 'note', 'placed_at', 'status', 'created_at', 'updated_at'],
    fields: { note: { fits: text(500) } },
    uniques: [],
    grants: { read: [...customers, ...staff], create: customers, update: [...customers, 'manager'], delete: customers },
    sees: (_shop, row, who) => row.owner === who || staff.includes(who),
    changes: (_shop, row, who) => who === 'manager' || (row.owner === who && row.status === 'draft'),
    hides: () => [],
  },
  order_line: {
    columns: ['id', 'order_id', 'product_id', 'quantity', 'created_at', 'updated_at'],
    fields: {
      order_id: { fits: id, required: true, immutable: true },
      product_id: { fits: id, required: true },
      quantity: { fits: whole(1, 999), default: 1 },
    },
    uniques: [['order_id', 'product_id']],
    grants: { read: [...customers, ...staff], create: [...customers, 'manager'], update: [...customers, 'manager'], delete: [...customers, 'manager'] },
    sees: (shop, row, who) => shop.above(row, (order) => tables.order.sees(shop, order, who)),
    changes: (shop, row, who) => shop.above(row, (order) => tables.order.changes(shop, order, who)),
    hides: () => [],
  },
};

const moves = {
  place: { from: ['draft'], to: 'placed', by: customers, if: (shop, row) => shop.lines(row).length > 0 },
  ship: { from: ['placed'], to: 'shipped', by: staff },
  cancel: { from: ['draft', 'placed'], to: 'cancelled', by: [...customers, ...staff] },
};

// Are its values such that the rest may be asked?
const isRow = (wrong) => wrong.every(([, code]) => ['23514', '22001'].includes(code));

export class Shop {
  constructor() {
    this.rows = { product: new Map(), order: new Map(), order_line: new Map() };
    this.made = { product: [], order: [], order_line: [] };  // ids, those of deleted rows too
  }

  copy() {
    const shop = new Shop();
    for (const [table, rows] of Object.entries(this.rows)) shop.rows[table] = new Map(rows);
    return shop;
  }

  above(line, holds) {
    const order = this.rows.order.get(line.order_id);
    return order !== undefined && holds(order);
  }

  lines(order) { return [...this.rows.order_line.values()].filter((line) => line.order_id === order.id); }

  shown(table, row, who) {
    const { columns, hides } = tables[table];
    return Object.fromEntries(columns.filter((name) => !hides(who).includes(name)).map((name) => [name, row[name]]));
  }

  // The faults of the sent columns: [status, code] of each. A column that nobody may send may also have a wrong type.
  mistakes(table, body, who, creating) {
    const { fields, columns } = tables[table];
    const wrong = [];
    for (const [name, value] of Object.entries(body)) {
      const field = fields[name];
      if (!columns.includes(name)) wrong.push([400, '42703']);
      else if (!field || (field.immutable && !creating) || (field.writers && !field.writers(who))) wrong.push([403, 'FIELD_FORBIDDEN'], [403, 'OWNER_STAMP'], [400, '22P02']);
      else if (value === null) wrong.push(...(field.required ? [[400, '23502']] : []));
      else wrong.push(...field.fits(value).map((code) => [400, code]));
    }
    if (creating) {
      for (const [name, field] of Object.entries(fields)) if (field.required && !(name in body)) wrong.push([400, '23502']);
    }
    return wrong;
  }

  // The conflicts that the database finds in the new row: rules, references, unique values.
  conflicts(table, row) {
    const wrong = [];
    if (table === 'order_line') {
      const product = this.rows.product.get(row.product_id);
      if (product && product.stock !== null && row.quantity !== null && row.quantity > product.stock) wrong.push([422, 'RULE_REFUSED']);
      if (!product) wrong.push([409, 'CONFLICT']);
    }
    for (const columns of tables[table].uniques) {
      const same = (other) => other.id !== row.id && columns.every((name) => other[name] === row[name]);
      if ([...this.rows[table].values()].some(same)) wrong.push([409, 'CONFLICT']);
    }
    return wrong;
  }

  create(table, body, who) {
    const { grants, fields, changes } = tables[table];
    if (!grants.create.includes(who)) return forbidden;
    const row = { owner: who, status: table === 'order' ? 'draft' : undefined };
    for (const [name, field] of Object.entries(fields)) row[name] = name in body ? body[name] : field.default ?? null;
    const wrong = this.mistakes(table, body, who, true);
    if (table === 'order_line' && !(changes(this, row, who) && tables.order_line.sees(this, row, who))) wrong.push([403, 'ROW_FORBIDDEN']);
    else if (isRow(wrong)) wrong.push(...this.conflicts(table, row));
    return wrong.length ? { wrong } : { status: 201, row };
  }

  update(table, id, body, who) {
    const { grants, sees, changes } = tables[table];
    if (!grants.update.includes(who)) return forbidden;
    const row = this.rows[table].get(id);
    const visible = row && sees(this, row, who);
    const wrong = this.mistakes(table, body, who, false);
    const after = { ...row, ...body };
    if (!visible) wrong.push([404, 'NOT_FOUND']);
    else if (!changes(this, row, who)) wrong.push([403, 'ROW_FORBIDDEN']);
    else if (isRow(wrong)) wrong.push(...this.conflicts(table, after));
    return wrong.length ? { wrong } : { status: 200, row: after };
  }

  remove(table, id, who) {
    const { grants, sees, changes } = tables[table];
    if (!grants.delete.includes(who)) return forbidden;
    const row = this.rows[table].get(id);
    if (!row || !sees(this, row, who)) return hidden;
    if (!changes(this, row, who)) return notHis;
    if (table === 'product' && [...this.rows.order_line.values()].some((line) => line.product_id === id)) return no(409, 'CONFLICT');
    return { status: 200, gone: [[table, id], ...(table === 'order' ? this.lines(row).map((line) => ['order_line', line.id]) : [])] };
  }

  move(id, name, who) {
    if (!tables.order.grants.read.includes(who)) return forbidden;
    const row = this.rows.order.get(id);
    if (!row || !tables.order.sees(this, row, who)) return hidden;
    const move = moves[name];
    if (!move.by.includes(who)) return notHis;
    if (!move.from.includes(row.status) || (move.if && !move.if(this, row))) return no(409, 'TRANSITION_REFUSED');
    return { status: 200, row: { ...row, status: move.to }, open: name === 'place' ? ['placed_at'] : [] };
  }

  visible(table, who) {
    if (!tables[table].grants.read.includes(who)) return null;
    return [...this.rows[table].values()].filter((row) => tables[table].sees(this, row, who));
  }

  get(table, id, who) {
    const rows = this.visible(table, who);
    return rows === null ? forbidden : { status: 200, rows: rows.filter((row) => row.id === id).map((row) => this.shown(table, row, who)) };
  }
}
