// Rows of every kind for any contract: owners, organisations, states and conditions in all their mixtures, chosen by a seed.
// The superuser writes them past policies and triggers.
import { evaluated } from './evaluate.mjs';
import { inOrder } from './entities.mjs';

const dayMs = 24 * 60 * 60 * 1000;
// Texts to try where a pattern says what one looks like.
const candidates = [(n) => `AB-${n}`, (n) => `ab-${n}`, (n) => String(10_000_000 + n), (n) => `Ab${n}`];

export class Fixtures {
  // `users` are ids that rows may belong to, null among them; `orgs` too.
  constructor({ entities, rows, random, users, orgs }) {
    Object.assign(this, { entities, rows, random, users, orgs });
    this.count = 0;
  }

  pick(list) { return list[Math.floor(this.random() * list.length)]; }

  id() {
    const hex = () => Math.floor(this.random() * 16).toString(16);
    return '0198b6a0-0000-7000-8000-xxxxxxxxxxxx'.replace(/x/g, hex);
  }

  // A moment in one of the sixty days around now, never in this hour or the next.
  moment() {
    const minutes = 180 + Math.floor(this.random() * 60 * 24 * 60);
    return new Date(Math.floor(Date.now() / 60000) * 60000 + (this.random() < 0.5 ? -1 : 1) * minutes * 60000).toISOString();
  }

  day() {
    const away = (2 + Math.floor(this.random() * 60)) * dayMs;
    return new Date(Date.now() + (this.random() < 0.5 ? -away : away)).toISOString().slice(0, 10);
  }

  number(field) {
    const least = field.min ?? 0;
    return Math.floor(least + this.random() * (Math.min(field.max ?? least + 50, least + 50) - least + 1));
  }

  text(field) {
    const n = this.count += 1;
    if (!field.pattern) return `${field.name} ${n}`;
    const found = candidates.map((make) => make(n)).find((one) => new RegExp(field.pattern).test(one));
    if (found === undefined) throw new Error(`${field.name}: no text for ${field.pattern}`);
    return found;
  }

  // Mostly of the row's own organisation.
  ref(field, row) {
    const all = this.rows.all(field.to);
    const near = all.filter((other) => other.org_id === undefined || row.org_id === undefined || other.org_id === row.org_id);
    return this.pick(near.length && this.random() < 0.8 ? near : all)?.id ?? null;
  }

  made(field, row) {
    const n = this.count += 1;
    switch (field.type) {
      case 'ref': return this.ref(field, row);
      case 'user': return field.unique ? this.users[n % this.users.length] : this.pick(this.users);
      case 'file': return null;  // nobody has uploaded any
      case 'boolean': return this.random() < 0.6;
      case 'enum': return this.pick(field.values);
      case 'date': return this.day();
      case 'datetime': return this.moment();
      case 'time': return `${String(n % 24).padStart(2, '0')}:30:00`;
      case 'integer': case 'money': case 'number': case 'decimal': case 'float': return this.number(field);
      case 'email': return `x${n}@example.test`;
      case 'url': return `https://example.test/${n}`;
      case 'phone': return `+33 1 ${1000 + n}`;
      case 'slug': return `slug-${n}`;
      case 'tags': return this.random() < 0.5 ? [] : ['x-ray', `tag-${n}`];
      case 'json': return { n };
      case 'uuid': return this.id();
      default: return this.text(field);
    }
  }

  value(field, row) {
    const maybe = !field.required && field.type !== 'boolean' && field.name !== this.lifecycle;
    return maybe && this.random() < 0.15 ? null : this.made(field, row);
  }

  // A whole row. `given` decides some of its columns.
  row(entity, given = {}) {
    this.lifecycle = entity.lifecycle?.field;
    const out = { id: this.id() };
    for (const column of entity.columns) {
      if (column.name in given) out[column.name] = given[column.name];
      else if (column.name === 'user_id' && column.owner) out.user_id = this.pick(this.users);
      else if (column.name === 'org_id' && column.owner) out.org_id = this.pick(this.orgs);
      else if (['created_at', 'updated_at'].includes(column.name)) out[column.name] = new Date(Date.now() - dayMs).toISOString();
      else if (column.name !== 'id' && !column.computed && column.type !== 'sequence') out[column.name] = this.value(column, out);
    }
    for (const column of entity.columns) {
      if (column.computed) out[column.name] = evaluated(column.computed, { rows: this.rows, entity: entity.name, row: out });
    }
    return out;
  }

  // Do two rows have the same values in all of these?
  same(columns, one, other) { return columns.every((name) => one[name] !== null && one[name] === other[name]); }

  taken(entity, row) {
    return entity.uniques.find((columns) => this.rows.all(entity.name).some((other) => other.id !== row.id && this.same(columns, row, other)));
  }

  // `each` rows an entity, beside those that are there; what a unique constraint would refuse is left out. By entity.
  fill(each) {
    const added = {};
    for (const entity of inOrder(this.entities)) {
      added[entity.name] = [];
      for (let n = 0; n < each; n += 1) {
        const row = this.row(entity);
        if (entity.fields.some((field) => field.required && row[field.name] === null) || this.taken(entity, row)) continue;
        this.rows.all(entity.name).push(row);
        this.rows.ids[entity.name].set(row.id, row);
        added[entity.name].push(row);
      }
    }
    return added;
  }
}
