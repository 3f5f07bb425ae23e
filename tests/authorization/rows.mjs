// Every row of an app's database in memory, as the superuser sees them, and how expressions walk from one to others.
const days = (zone) => new Intl.DateTimeFormat('en-CA', { timeZone: zone, year: 'numeric', month: '2-digit', day: '2-digit' });

export class Rows {
  constructor(entities, zone, tables) {
    this.entities = Object.fromEntries(entities.map((entity) => [entity.name, entity]));
    this.zone = zone;
    this.tables = tables;
    this.ids = Object.fromEntries(Object.entries(tables).map(([name, rows]) => [name, new Map(rows.map((row) => [row.id, row]))]));
  }

  all(entity) { return this.tables[entity]; }

  get(entity, id) { return this.ids[entity].get(id); }

  today() { return days(this.zone).format(new Date()); }

  // From a row, by a field, a ref without its "_id", or a relation.
  step({ entity, row }, name) {
    const { column, relations = {} } = this.entities[entity];
    if (name in column) return read(column[name], row[name]);
    const ref = column[`${name}_id`];
    if (ref?.type === 'ref') {
      const found = this.get(ref.to, row[ref.name]);
      return found ? { entity: ref.to, row: found } : null;
    }
    const relation = relations[name];
    if (!relation) throw new Error(`${entity} has no ${name}`);
    return this.all(relation.many).filter((other) => other[relation.by] === row.id).map((other) => ({ entity: relation.many, row: other }));
  }
}

function read(column, value) {
  if (value === undefined) throw new Error(`a row without ${column.name}`);
  return column.type === 'datetime' && value !== null ? new Date(value) : value;
}

// Moments in one spelling: UTC, without zeros after the last digit.
const moment = (text) => new Date(text).toISOString().slice(0, 19) + (/\.(\d*?)0*(?:Z|[+-]\d\d:?\d\d)$/.exec(text)?.[1] ?? '').replace(/^(?=.)/, '.');

// The row in a form that can be compared with another reading of it.
export function settled(columns, row) {
  const spelled = (column) => {
    const value = row[column.name] ?? null;
    return column.type === 'datetime' && value !== null ? moment(value) : value;
  };
  return Object.fromEntries(columns.map((column) => [column.name, spelled(column)]));
}
