// One app with a contract at random, whose rows change while its servers are killed, swapped and restored: at every quiet
// moment each viewer shows what a list says. Everything follows from a seed, except the exact moments.
import { setTimeout as pause } from 'node:timers/promises';
import { until } from '../../lib/stack.mjs';
import { Dice } from '../lib/dice.mjs';
import { playedBy } from '../lib/played.mjs';
import { World } from '../lib/world.mjs';
import { contractOf, readsOtherRows } from './contract.mjs';
import { strikes } from './strikes.mjs';
import { Viewer } from './viewer.mjs';
import { Rows, Writer } from './writer.mjs';

export const usual = { kill: 8, 'kill twice': 1, 'kill the second': 2, 'end both': 1, swap: 4, change: 1, restore: 1, 'cut off the database': 2,
  'kill PostgreSQL': 1, 'kill a backend of PostgreSQL': 1, 'break streams': 2, 'kill svcd': 1, disable: 1 };

const writers = 3;

function filterOf(dice) {
  return dice.pick([[{ field: 'level', op: 'gte', value: 1 }], [{ field: 'flag', op: 'eq', value: true }], [{ field: 'label', op: 'starts_with', value: 'a' }],
    [{ or: [{ field: 'label', op: 'is_null' }, { field: 'level', op: 'in', value: [0, 3] }] }]]);
}

export class Trial {
  viewers = [];
  writers = [];
  struck = {};

  constructor(stack, seed) {
    Object.assign(this, { stack, seed, dice: new Dice(seed) });
    this.contract = contractOf(this.dice);
  }

  async start() {
    this.world = await World.start(this.stack, this.contract, `Feeds ${this.seed}`);
    const rows = new Rows();
    for (let n = 0; n < writers; n += 1) this.writers.push(new Writer(this.world, rows, this.seed * 100 + n));
    await this.write(400);
    this.snapshot = (await this.stack.dev('POST', `/projects/${this.world.project.id}/snapshots`, { env: 'dev' }, { expect: 201 })).json.snapshot.id;
    await this.enter();
  }

  // Each caller watches each table that they may; some with a filter, some from the second server, some several at once.
  async enter() {
    const { world, dice } = this;
    const looks = (table) => readsOtherRows(world.entity(table)) || readsOtherRows(this.contract.entities.find(({ name }) => name === table));
    const add = (what) => this.viewers.push(new Viewer(world, { stays: dice.chance(0.4), second: dice.chance(0.3), looks, ...what }));
    for (const who of Object.keys(world.callers)) {
      for (const table of world.tables) add({ name: `${who} at ${table}`, who, tables: [table] });
      const table = dice.pick(world.tables), filter = filterOf(dice);
      if (dice.chance(0.6)) add({ name: `${who} at ${table} where ${JSON.stringify(filter)}`, who, tables: [table], filter });
    }
    for (const who of ['server', 'ann', 'clerk of north']) {
      const tables = await this.readable(who);
      if (tables.length > 1) add({ name: `${who} at ${tables}`, who, tables });
    }
  }

  async readable(who) {
    const found = [];
    for (const table of this.world.tables) if ((await this.world.list(who, table, '')).status === 200) found.push(table);
    return found;
  }

  async write(ms) {
    for (const writer of this.writers) writer.go();
    await pause(ms);
    await Promise.all(this.writers.map((writer) => writer.rest()));
  }

  // Writes while this happens, and looks once nobody writes any more.
  async round(what) {
    for (const writer of this.writers) writer.go();
    await pause(this.dice.below(150));
    const cut = this.viewers.map((viewer) => viewer.counts.cut);
    await strikes[what](this);
    if (what === 'swap') this.lostAtSwaps = (this.lostAtSwaps ?? 0) + this.viewers.filter((viewer, n) => viewer.stays && !viewer.second && viewer.counts.cut !== cut[n]).length;
    await pause(this.dice.below(150));
    await Promise.all(this.writers.map((writer) => writer.rest()));
    this.struck[what] = (this.struck[what] ?? 0) + 1;
    await this.look(what);
  }

  // Throws what differs.
  async look(what) {
    const began = Date.now();
    await this.world.answers();
    let mark = await this.world.publishMark();
    const late = () => this.viewers.filter((viewer) => !viewer.isAt(mark));
    const came = async () => {
      const waiting = late();
      if (waiting.length > 0 && waiting.every((viewer) => viewer.isUnsure(mark))) mark = await this.world.publishMark();
      return waiting.length === 0;
    };
    await until('viewers to come to the mark', came, 30000).catch((error) => {
      const [one] = late();
      throw new Error(`after "${what}": ${error.message}: ${late().map(({ name }) => name)}; the first ${one.doing} and is at ${JSON.stringify([...one.mark])} of ${mark}, ${JSON.stringify(one.counts)}`);
    });
    this.slowest = Math.max(this.slowest ?? 0, Date.now() - began);
    for (const viewer of this.viewers) await this.compare(viewer, what);
  }

  async compare(viewer, what) {
    const fail = (words) => { throw new Error(`after "${what}", ${viewer.name} (${viewer.stays ? 'stays' : 'lists anew'}${viewer.second ? ', second server' : ''}): ${words}`); };
    if (viewer.wrong) fail(viewer.wrong);
    const lists = [];
    for (const table of viewer.tables) lists.push(await this.listed(viewer, table));
    const statuses = lists.map(({ status }) => status);
    const refused = statuses.includes(403);
    if (statuses.some((status) => ![200, 403].includes(status)) || refused !== (viewer.refused !== null))
      fail(`lists of ${viewer.tables} are answered ${statuses}, and it was ${viewer.refused === null ? 'not ' : ''}refused`);
    if (refused) return;
    for (const [n, table] of viewer.tables.entries()) {
      const wrong = viewer.pictures.get(table).difference(lists[n].json.rows);
      if (!wrong) continue;
      await pause(3000);
      const late = viewer.pictures.get(table).difference((await this.listed(viewer, table)).json.rows) ? 'still three seconds later' : 'and no more three seconds later';
      fail(`${wrong}\n  ${late}; marks ${JSON.stringify([...viewer.mark])} of ${this.world.mark}, counts ${JSON.stringify(viewer.counts)}`);
    }
  }

  async listed(viewer, table) {
    const answer = await this.world.list(viewer.who, table, viewer.query);
    if (answer.status !== 401) return answer;
    await this.world.renew(viewer.who);
    return this.world.list(viewer.who, table, viewer.query);
  }

  // Counts of all viewers together.
  told() {
    const sum = { frames: 0, connects: 0, lists: 0, resets: {} };
    for (const { counts } of this.viewers) {
      for (const of of ['frames', 'connects', 'lists']) sum[of] += counts[of];
      for (const [reason, n] of Object.entries(counts.resets)) sum.resets[reason] = (sum.resets[reason] ?? 0) + n;
    }
    const writes = this.writers.reduce((all, writer) => all + writer.done, 0);
    const comparisons = Object.values(this.struck).reduce((all, one) => all + one, 0) * this.viewers.length;
    return { ...sum, writes, viewers: this.viewers.length, pairs: writes * this.viewers.length, comparisons, strikes: this.struck, streamsLostAtSwaps: this.lostAtSwaps ?? 0, slowestMs: this.slowest };
  }

  about() { return `the contract: ${JSON.stringify(this.contract.entities)}`; }

  async stop() {
    for (const viewer of this.viewers) await viewer.close();
    for (const writer of this.writers) await writer.stop();
    await this.world?.stop();
  }
}

// A trial of this many rounds on a stack of its own: what it saw. Throws what differs, with the contract that it was.
export const played = (seed, rounds, weights = usual) => playedBy(Trial, { seed, rounds, weights });
