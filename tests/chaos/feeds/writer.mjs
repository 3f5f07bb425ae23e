// Parallel writers, over HTTP and by SQL, until they pause. Refused writes do not matter.
import { spawn } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { Dice } from '../lib/dice.mjs';
import { ident, literal } from '../../lib/sql.mjs';
import { orgs } from '../../lib/scenarios.mjs';

const kinds = { create: 5, update: 9, remove: 2, restore: 2, bulk: 1, by_hand: 2, flood: 0.3 };
const most = 60;  // rows of a table, or so

// The shared knowledge of the rows.
export class Rows {
  ids = {};  // by table: those that were made
  gone = {};
  n = 0;

  of(table) { return (this.ids[table] ??= []); }
  pick(dice, table) { return dice.pick(this.of(table)); }
}

export class Writer {
  constructor(world, rows, seed) {
    Object.assign(this, { world, rows, dice: new Dice(seed), paused: true, over: false, done: 0 });
    this.ended = this.run();
  }

  async run() {
    while (!this.over) {
      if (this.paused) {
        this.resting?.();
        await pause(5);
      } else {
        await this.step().catch(() => pause(20));
      }
    }
  }

  // Resolves when nothing of it is under way.
  rest() {
    this.paused = true;
    return new Promise((done) => { this.resting = done; });
  }
  go() {
    this.paused = false;
    this.resting = null;
  }
  async stop() {
    this.over = true;
    await this.ended;
  }

  // Columns at random; all that a caller may not write is the server's alone.
  values(table, { making, who }) {
    const { dice, rows } = this;
    const entity = this.world.entity(table);
    const words = () => dice.pick(['a', 'b', 'c', 'd', 'ab', 'a\n"b', 'été', null]);
    const of = {
      string: words, integer: () => dice.pick([null, 0, 1, 2, 3]), boolean: () => dice.chance(0.6), money: () => dice.below(3),
      json: () => dice.pick([null, { a: [1, 'x'] }, 'text', 3]), tags: () => dice.pick([null, [], ['x'], ['x', 'y"']]),
      ref: (field) => (dice.chance(0.1) ? null : rows.pick(dice, field.to) ?? null),
    };
    const body = { n: (rows.n += 1) };
    for (const field of entity.fields) {
      if (field.name === 'n' || field.computed || (field.read && who !== 'server')) continue;
      if (dice.chance(making ? 0.8 : 0.3)) body[field.name] = of[field.type](field);
    }
    const { ann, bob } = this.world.people;
    if (who === 'server' && entity.owner.includes('user') && dice.chance(making ? 0.8 : 0.15)) body.user_id = dice.pick([ann.id, bob.id]);
    if (who === 'server' && entity.owner.includes('org') && dice.chance(making ? 0.8 : 0.15)) body.org_id = dice.pick([orgs.north, orgs.south]);
    return body;
  }

  async step() {
    const { dice } = this;
    const table = dice.pick(this.world.tables);
    const who = dice.chance(0.75) ? 'server' : dice.pick(['ann', 'bob', 'clerk', 'clerk of north', 'chief of south']);
    const full = this.rows.of(table).length > most;
    await this[full ? 'remove' : dice.weighted(kinds)](table, who);
    this.done += 1;
    if (dice.chance(0.3)) await pause(dice.below(30));
  }

  send(who, method, path, body) { return this.world.app.fetch(this.world.headers(who), method, `api/v1/${path}`, body); }
  keep(table, answer) {
    if (answer.status === 201) for (const row of answer.json.rows) this.rows.of(table).push(row.id);
  }

  async create(table, who) { this.keep(table, await this.send(who, 'POST', table, this.values(table, { making: true, who }))); }
  async bulk(table, who) {
    const bodies = Array.from({ length: 1 + this.dice.below(5) }, () => this.values(table, { making: true, who }));
    this.keep(table, await this.send(who, 'POST', table, bodies));
  }
  async update(table, who) {
    const id = this.rows.pick(this.dice, table);
    if (id) await this.send(who, 'PATCH', `${table}/${id}`, this.values(table, { making: false, who }));
  }
  async remove(table, who) {
    const id = this.rows.pick(this.dice, table);
    if (!id) return;
    const { status } = await this.send(who, 'DELETE', `${table}/${id}`);
    if (status !== 200) return;
    this.rows.ids[table] = this.rows.of(table).filter((one) => one !== id);
    (this.rows.gone[table] ??= []).push(id);
  }
  async restore(table, who) {
    const id = this.dice.pick(this.rows.gone[table] ??= []);
    if (!id || !this.world.entity(table).softDelete) return;
    const { status } = await this.send(who, 'POST', `${table}/${id}/restore`);
    if (status === 200) this.rows.of(table).push(id);
  }

  // More changes than readers take at once, all of one moment.
  flood(table) {
    const all = () => `update ${ident(table)} set n = ${(this.rows.n += 1)}, flag = ${this.dice.pick(['flag', 'not flag', 'true'])}`;
    return this.psql(['begin', ...Array.from({ length: 3 + this.dice.below(6) }, all), 'commit']);
  }

  // One slow transaction over several rows and tables, which is sometimes rolled back.
  by_hand() {
    const { dice, rows } = this;
    const statements = ['begin'];
    for (let left = 1 + dice.below(4); left > 0; left -= 1) {
      const table = dice.pick(this.world.tables);
      const id = rows.pick(dice, table);
      if (!id) continue;
      const set = dice.pick([`flag = not flag`, `level = ${dice.below(4)}`, `label = 'a', flag = true`]);
      statements.push(`update ${ident(table)} set n = ${(rows.n += 1)}, ${set} where id = ${literal(id)}`);
      if (dice.chance(0.4)) statements.push(`select pg_sleep(${dice.below(60) / 1000})`);
    }
    statements.push(dice.chance(0.8) ? 'commit' : 'rollback');
    return this.psql(statements);
  }

  psql(statements) {
    const { args, env } = this.world.admin();
    const child = spawn('psql', [...args, '-At', '-v', 'ON_ERROR_STOP=1', '-c', statements.join('; ')], { env, stdio: 'ignore' });
    return new Promise((done) => child.on('exit', done));
  }
}
