// A viewer's copy of one table: the list, and every frame since.
import { isDeepStrictEqual } from 'node:util';

export class Picture {
  rows = new Map();
  told = new Map();  // by id: the last frame since the last list
  lately = [];       // frames, to find a mistake
  wrong = null;      // a frame that cannot have been right

  // `strict`: no other row decides who sees these, so each frame fits the one before it.
  constructor(table, strict) {
    this.table = table;
    this.strict = strict;
  }

  replace(rows) {
    this.rows = new Map(rows.map((row) => [row.id, row]));
    this.told.clear();
    this.note({ list: rows.length });
  }

  take(change) {
    const { event, id, row } = change;
    this.note(change);
    const before = this.told.get(id);
    if (before) this.wrong ??= this.mistake(before, change);
    this.told.set(id, change);
    if (event === 'deleted') this.rows.delete(id);
    else this.rows.set(id, row);
  }

  mistake(before, { event, id, row }) {
    const was = before.event === 'deleted' ? 'gone' : 'there';
    const fits = was === 'gone' ? event === 'created' : event !== 'created';
    if (this.strict && !fits) return `${this.table} ${id} is ${event}, and was ${before.event} before`;
    if (was === 'there' && row && isDeepStrictEqual(row, before.row)) return `${this.table} ${id} is told twice: ${JSON.stringify(row)}`;
    return null;
  }

  note(what) {
    this.lately.push(what);
    if (this.lately.length > 400) this.lately.splice(0, 200);
  }

  // How it differs from these rows, in words; null if it does not.
  difference(rows) {
    const there = new Map(rows.map((row) => [row.id, row]));
    for (const id of new Set([...there.keys(), ...this.rows.keys()])) {
      const [is, shown] = [there.get(id), this.rows.get(id)];
      if (isDeepStrictEqual(is, shown)) continue;
      const frames = this.lately.filter((one) => one.id === id || !one.id).slice(-12).map((one) => `\n    ${JSON.stringify(one)}`);
      return `${this.table} ${id} is shown as ${JSON.stringify(shown)}\n  a list has ${JSON.stringify(is)}\n  what came:${frames.join('')}`;
    }
    return null;
  }
}
