// One app whose files come and go while its servers, svcd and PostgreSQL are killed. In the end each file is bit for bit what
// was sent, or not there, and none is missing that was acknowledged. Everything follows from a seed, except the exact
// moments.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { until } from '../../lib/stack.mjs';
import { Dice } from '../lib/dice.mjs';
import { playedBy } from '../lib/played.mjs';
import { apply, strikes as general } from '../lib/strikes.mjs';
import { World } from '../lib/world.mjs';
import { contractOf, hashOf } from './contract.mjs';
import { Uploader } from './uploader.mjs';

const usual = { kill: 12, 'kill twice': 2, 'kill the second': 5, 'end both': 1, swap: 2, 'cut off the database': 2,
  'kill a backend of PostgreSQL': 1, 'kill PostgreSQL': 0.5, 'kill svcd': 1 };
const uploaders = 6;

const strikes = {
  ...general,
  swap: (trial) => apply(trial, contractOf(trial.world.contract.app.name === 'First' ? 'Second' : 'First')),
};

class Trial {
  struck = {};

  constructor(stack, seed) { Object.assign(this, { stack, seed, dice: new Dice(seed) }); }

  async start() {
    this.world = await World.start(this.stack, contractOf(), `Files ${this.seed}`);
    this.uploaders = Array.from({ length: uploaders }, (_, n) =>
      new Uploader(this.world, new Dice(this.seed * 100 + n), n % 2 ? 'ann' : 'bob', (n + 1) * 1e6));
    for (const uploader of this.uploaders) uploader.go();
  }

  async round(what) {
    await pause(50 + this.dice.below(250));
    await strikes[what](this);
    this.struck[what] = (this.struck[what] ?? 0) + 1;
    await this.world.answers();
    const { fault } = this.uploaders.find((one) => one.fault) ?? {};
    if (fault) throw fault;
  }

  get files() { return this.uploaders.flatMap(({ files }) => files); }

  async end() {
    for (const uploader of this.uploaders) await uploader.rest();
    await this.world.answers();
    for (const uploader of this.uploaders)
      for (const file of uploader.files) await until(`an answer about ${file.id}`, async () => [200, 404].includes((await uploader.check(file))?.status));
    this.checkDisk();
    const { json } = await this.stack.dev('GET', `/projects/${this.world.project.id}/files/check`, undefined, { expect: 200 });
    assert.deepEqual([json.missing.count, json.unknown.count], [0, 0], JSON.stringify(json));
  }

  // What the database says is stored is what was sent, and so is what lies there.
  checkDisk() {
    const folder = join(this.stack.home, 'files', this.world.project.id, 'dev');
    const sent = new Map(this.files.map((file) => [file.id, file]));
    for (const [id, size, sha] of this.world.sql("select id, size, encode(sha256, 'hex') from svc.file where state = 'stored'")) {
      const file = sent.get(id);
      if (!file) continue;  // the answer that named it was lost
      assert.deepEqual([Number(size), sha], [file.size, file.sha], `the row of ${id}`);
      assert.equal(hashOf(readFileSync(join(folder, id.slice(-2), id))), sha, `the bytes of ${id}`);
    }
  }

  told() {
    const files = {}, answers = {};
    for (const { state } of this.files) files[state] = (files[state] ?? 0) + 1;
    for (const { seen } of this.uploaders) for (const [what, count] of Object.entries(seen)) answers[what] = (answers[what] ?? 0) + count;
    return { files, strikes: this.struck, answers };
  }

  async stop() {
    for (const uploader of this.uploaders ?? []) uploader.going = false;
    await Promise.all((this.uploaders ?? []).map(({ done }) => done));
    await this.world?.stop();
  }
}

// A trial of this many rounds on a stack of its own: what it saw. Throws what cannot be.
export const played = (seed, rounds, weights = usual) => playedBy(Trial, { seed, rounds, weights, settings: { SVC_RATE_UPLOAD: '1000000' } });
