// A viewer of tables: lists them, follows their feed through all faults, and lists them again after a reset.
import { setTimeout as pause } from 'node:timers/promises';
import { Events } from '../../lib/events.mjs';
import { Picture } from './picture.mjs';

export class Viewer {
  id = null;        // of the last frame
  mark = new Map();  // by table: the number of the last mark
  counts = { frames: 0, resets: {}, connects: 0, cut: 0, lists: 0 };  // cut: streams that ended and that it did not leave
  marking = 0;      // the last mark that may have been there before the list from which it follows
  wrong = null;
  refused = null;   // the mark at which a list was refused last; null if it was not
  listening = null;
  closed = false;

  // `world`: who reaches the app (world.mjs). `tables`: entities; several share one stream. `filter`: clauses, of one table.
  // `stays`: at a reset it lists beside its stream; others list, and follow from there.
  constructor(world, { name, who, tables, filter, stays, second, looks }) {
    Object.assign(this, { world, name, who, tables, filter, stays, second });
    this.pictures = new Map(tables.map((table) => [table, new Picture(table, !looks(table))]));
    this.done = this.run();
  }

  get address() { return this.second && this.world.second ? { port: this.world.second.port } : { port: this.world.stack.port, host: this.world.app.host }; }
  get query() { return this.filter ? `filter=${encodeURIComponent(JSON.stringify(this.filter))}` : ''; }
  get path() {
    if (this.tables.length === 1) return `row-changed:${this.tables[0]}/subscribe?${this.query}`;
    return `subscribe?${this.tables.map((table) => `topic=row-changed:${table}`).join('&')}`;
  }

  async run() {
    while (!this.closed && !this.wrong) {
      try {
        this.doing = this.id === null ? 'lists' : 'follows';
        await (this.id === null ? this.begin() : this.follow());
      } catch (error) {
        if (!['ECONNREFUSED', 'ECONNRESET', 'EPIPE'].includes(error.code) && !/socket hang up|no answer|aborted/.test(error.message)) this.wrong = error.stack;
      }
      if (!this.closed) await pause(10);
    }
  }

  // Lists, and is to follow from there.
  async begin() {
    this.mark.clear();  // what came between the cursor and the list comes again
    const cursor = await this.list();
    if (cursor) Object.assign(this, { id: cursor, marking: this.world.marking });
    else await pause(50);
  }

  // The cursor from before the first list; null if there was none.
  async list() {
    let first = null;
    const marked = this.world.mark;
    for (const table of this.tables) {
      const { status, headers, json } = await this.world.list(this.who, table, this.query, this.address, true);
      this.refused = status === 403 ? marked : null;
      if (status === 401) await this.world.renew(this.who);
      if (status !== 200) return null;
      first ??= headers['x-svc-cursor'];
      this.pictures.get(table).replace(json.rows);
    }
    this.counts.lists += 1;
    return first;
  }

  async follow() {
    this.counts.connects += 1;
    const headers = { ...(this.address.host ? { host: this.address.host } : {}), ...this.world.headers(this.who), 'last-event-id': this.id };
    const events = await Events.open({ port: this.address.port, path: `/__svc/topics/${this.path}`, headers, onFrame: (frame) => this.take(frame) });
    if (events.status !== 200) return this.turnedAway(events);
    this.listening = events;
    if (this.closed || this.id === null) this.leave();
    await new Promise((done) => { events.source.on('close', done); if (events.ended) done(); });
    this.listening = null;
    if (!events.left) this.counts.cut += 1;
    await this.listing;
    if (events.id && this.id !== null) this.id = events.id;
  }

  leave() {
    if (!this.listening) return;
    this.listening.left = true;
    this.listening.close();
  }

  async turnedAway({ status, answer }) {
    if (status === 401) await this.world.renew(this.who);
    else if (status === 403) this.id = null;
    else if (status !== 503) this.wrong ??= `is answered ${status} ${JSON.stringify(answer)} by ${this.path}`;
  }

  take(frame) {
    if (this.id === null) return;  // it will list again: later frames are older than the list
    this.id = frame.id;
    if (frame.event === 'ping') return;
    this.counts.frames += 1;
    if (frame.event === 'reset') return this.reset(frame.data.reason);
    const wide = this.tables.length > 1;
    const [table, change] = wide ? [frame.data.topic.slice('row-changed:'.length), frame.data.payload] : [this.tables[0], frame.data];
    if (this.held) this.held.push([table, change]);
    else this.apply(table, change);
  }

  apply(table, change) {
    if ('mark' in change) return this.mark.set(table, change.mark);
    const picture = this.pictures.get(table);
    picture.take(change);
    if (picture.wrong) this.wrong ??= picture.wrong;
  }

  reset(reason) {
    this.counts.resets[reason] = (this.counts.resets[reason] ?? 0) + 1;
    for (const picture of this.pictures.values()) picture.note({ reset: reason });
    if (!this.stays) {
      this.id = null;
      this.leave();
      return;
    }
    this.again = true;
    if (this.held) this.held = [];  // the list that comes has seen it, as it is by now
    this.listing ??= this.listBeside().finally(() => { this.listing = null; });
  }

  // Frames that come meanwhile are applied after the list.
  async listBeside() {
    this.held = [];
    try {
      while (this.again && !this.closed) {
        this.again = false;
        const cursor = await this.list().catch(() => null);
        if (cursor) continue;
        this.id = null;  // it cannot be listed now: from the beginning
        this.leave();
        break;
      }
    } finally {
      const held = this.held;
      this.held = null;
      if (this.id !== null) for (const [table, change] of held) this.apply(table, change);
    }
  }

  // True if the viewer has reached this mark in all its tables, and is not reading its list again.
  isAt(mark) {
    if (this.wrong || (this.refused ?? -1) >= mark) return true;
    return this.id !== null && !this.listing && this.tables.every((table) => (this.mark.get(table) ?? 0) >= mark);
  }
  // True if the viewer follows from a list that may be older than the mark. Only a later mark shows whether it got
  // every change since.
  isUnsure(mark) { return this.marking >= mark && this.listening !== null; }

  async close() {
    this.closed = true;
    this.leave();
    await this.done;
  }
}
