// One app whose runs continue while its servers, svcd and PostgreSQL are killed. In the end nothing was lost and
// nothing was done twice. Everything follows from a seed, except the exact moments.
import { setTimeout as pause } from 'node:timers/promises';
import { until } from '../../lib/stack.mjs';
import { Dice } from '../lib/dice.mjs';
import { playedBy } from '../lib/played.mjs';
import { apply, strikes as general } from '../lib/strikes.mjs';
import { World } from '../lib/world.mjs';
import { Called } from './called.mjs';
import { contractOf } from './contract.mjs';
import { settle } from './ledger.mjs';
import { Starter, workflows } from './starter.mjs';

const usual = { kill: 12, 'kill twice': 2, 'kill the second': 5, 'end both': 1, swap: 2, 'cut off the database': 2,
  'kill a backend of PostgreSQL': 1, 'kill PostgreSQL': 1.5, 'kill svcd': 1 };
const starters = 4;
// The lock that an app server holds for as long as it lives.
const lives = "select from pg_locks l where l.locktype = 'advisory' and l.classid = 827001 and l.objid = (r.owner % 2147483647)::oid and l.granted";

const strikes = {
  ...general,
  swap: (trial) => apply(trial, contractOf(trial.called.url, trial.world.contract.app.name === 'First' ? 'Second' : 'First')),
};

class Trial {
  struck = {};
  resumed = {};  // milliseconds, by what happened

  constructor(stack, seed) { Object.assign(this, { stack, seed, dice: new Dice(seed) }); }

  async start() {
    this.called = await Called.start(new Dice(this.seed + 0.5));
    this.world = await World.start(this.stack, contractOf(this.called.url), `Runs ${this.seed}`);
    this.starters = Array.from({ length: starters }, (_, n) => new Starter(this.world, new Dice(this.seed * 100 + n), (n + 1) * 1e6));
    for (const starter of this.starters) starter.go();
  }

  async round(what) {
    await pause(50 + this.dice.below(250));
    const owned = await this.owned();
    await strikes[what](this);
    this.struck[what] = (this.struck[what] ?? 0) + 1;
    await this.world.answers();
    await this.resume(owned, what);
  }

  // Runs that some process works on, each with the number of its claim.
  owned() { return this.world.ask("select id, fence from svc.run where owner is not null and not svc.has_ended(status)"); }

  // How long it takes until somebody has taken up each run that was being worked on, once the app answers.
  async resume(owned, what) {
    if (owned.length === 0) return;
    const began = Date.now();
    const same = owned.map(([id, fence]) => `('${id}'::uuid, ${fence})`).join(', ');
    await until('runs to be taken up', () => this.world.ask(`select count(*) from svc.run r join (values ${same}) o (id, fence) on o.id = r.id and o.fence = r.fence
      where not svc.has_ended(r.status) and r.owner is not null and not exists (${lives})`).then(([[left]]) => left === '0'))
      .catch((error) => { throw new Error(`${error.message}\n  ${this.stuck().map((row) => row.join(' ')).join('\n  ')}`); });
    (this.resumed[what] ??= []).push(Date.now() - began);
  }

  stuck() {
    return this.world.sql(`select 'process', p.incarnation, p.host, clock_timestamp() - p.beat_at, exists (${lives.replace('r.owner', 'p.incarnation')}) from svc.process p
      union all select 'runs of', owner, status, max(clock_timestamp() - started_at), count(*) > 0 from svc.run where owner is not null group by 2, 3`);
  }

  get started() {
    return Object.fromEntries(workflows.map((name) => [name, this.starters.flatMap((starter) => starter.started[name])]));
  }

  async end() {
    await Promise.all(this.starters.map((starter) => starter.rest()));
    await this.world.answers();
    await this.allEnded();
    await this.replayPoison();
    settle(this.world, this.started, this.called);
  }

  allEnded() {
    return until('all runs to end', async () => (await this.world.ask("select count(*) from svc.run where workflow <> 'ticks' and not svc.has_ended(status)"))[0][0] === '0', 180_000);
  }

  // Whoever is killed three times in a row, without a step between them, is taken for who does it: a dead letter, which people
  // replay. Nothing of it is lost or done twice.
  async replayPoison() {
    const poisoned = await this.world.ask("select svc.replay_runs(array_agg(id)) from svc.run where error_code = 'POISON' having count(*) > 0");
    this.poisoned = Number(poisoned[0]?.[0] ?? 0);
    if (this.poisoned > 0) await this.allEnded();
  }

  told() {
    const of = (list) => ({ median: list[list.length >> 1], p99: list[Math.floor(list.length * 0.99)], most: list.at(-1) });
    const resumedMs = Object.fromEntries(Object.entries(this.resumed).map(([what, list]) => [what, of(list.toSorted((a, b) => a - b))]));
    const runs = Number(this.world.sql('select count(*) from svc.run')[0][0]);
    return { runs, tries: this.starters.reduce((sum, one) => sum + one.tries, 0), calls: this.called.answered.length, callsRefused: this.called.refused,
      strikes: this.struck, poisoned: this.poisoned, resumedMs };
  }

  async stop() {
    for (const starter of this.starters ?? []) {
      starter.going = false;
      starter.done?.catch(() => {});  // what it waits for has ended
    }
    await this.world?.stop();
    this.called?.stop();
  }
}

// A trial of this many rounds on a stack of its own: what it saw. Throws what differs.
export const played = (seed, rounds, weights = usual) => playedBy(Trial, { seed, rounds, weights });
