// Streams: memory of those that wait, changes that many are told of, changes that few of many are told of, policies
// that the database decides, readers that read nothing, kills and swaps. What is counted is what came to the clients.
import { execFileSync, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { played } from '../chaos/feeds/trial.mjs';
import { Sql } from '../lib/sql.mjs';
import { feedApp, kUsers } from './feed_app.mjs';
import { betterSse, nchan } from './feed_peers.mjs';
import { median, rounds, seconds } from './lib.mjs';
import { row } from './table.mjs';

const kStreams = Number(process.env.SVC_BENCH_STREAMS ?? 10_000);
const kStrikes = Number(process.env.SVC_BENCH_KILLS ?? 20);  // the bars are of 200
const kBurst = 20;
const nowMicros = () => Math.round((performance.timeOrigin + performance.now()) * 1000);
const stamp = '(extract(epoch from clock_timestamp()) * 1000000)::bigint';

class Listeners {
  static async open(folder, { port, heads, count, mute }) {
    const file = join(folder, `heads-${port}-${mute ? 'mute' : 'all'}`);
    writeFileSync(file, heads.map((head) => `${head}\0`).join(''));
    const out = new Listeners();
    out.child = spawn(join(folder, 'listeners'), [String(port), file, String(count), ...(mute ? ['mute'] : [])], { stdio: ['pipe', 'pipe', 'inherit'] });
    out.ended = new Promise((done) => out.child.on('exit', done));
    out.lines = createInterface({ input: out.child.stdout })[Symbol.asyncIterator]();
    if ((await out.lines.next()).done) throw new Error('the listeners ended');
    return out;
  }

  async ask(word) {
    this.child.stdin.write(`${word}\n`);
    return JSON.parse((await this.lines.next()).value);
  }

  // Waits for this many deliveries, or until none comes for ten seconds. Returns what came.
  async all(count) {
    let { frames } = await this.ask('count');
    for (let quiet = 0; frames < count && quiet < 200; ++quiet) {
      await pause(50);
      const before = frames;
      frames = (await this.ask('count')).frames;
      if (frames > before) quiet = 0;
    }
    return this.ask('tell');
  }

  async close() {
    this.child.stdin.end();
    await this.ended;
  }
}

const delivered = (work, told, sent) => row(`${work}: delivered of what was sent`, told.frames, sent, 'frames', 1);

// The same text for all servers: about as many bytes as a row of svc.
const payload = () => ({ at: nowMicros(), body: 'x'.repeat(300) });

async function manyOf(folder, server, hold) {
  const idle = server.memory();
  const listeners = await Listeners.open(folder, { ...server, count: kStreams });
  try {
    await pause(Math.min(hold, 20) * 1000);  // a ping for each
    const soon = server.memory() - idle;
    await pause(Math.max(0, hold - 20) * 1000);
    const memory = server.memory() - idle;
    const late = [];
    for (let round = 0; round < rounds; ++round) {
      await listeners.ask('begin');
      await server.publish(payload());
      late.push((await listeners.all(kStreams)).p99 / 1000);
    }
    await listeners.ask('begin');
    const from = nowMicros();
    for (let i = 0; i < kBurst; ++i) await server.publish(payload());
    const told = await listeners.all(kBurst * kStreams);
    delivered(`${kBurst} changes to ${kStreams}, ${server.name}`, told, kBurst * kStreams);
    return { memory, soon, late: median(late), rate: told.frames / (told.last - from) * 1e6 };
  } finally {
    await listeners.close();
  }
}

async function many(folder, app, hold) {
  const ours = await manyOf(folder, app, hold);
  const peers = [];
  for (const start of [nchan, betterSse]) {
    const server = await start(folder);
    try {
      peers.push(await manyOf(folder, server, Math.min(hold, 20)));  // whose memory stays flat is ours to show
    } finally {
      await server.stop();
    }
  }
  const [of, node] = peers;
  const waiting = `memory of ${kStreams} streams that wait, after ${hold} s`;
  row(waiting, ours.memory, 80 * kStreams / 10_000, 'MiB (bar)', 1, false);
  if (hold > 20) row(`${waiting}, against what they took after 20 s`, ours.memory, ours.soon, 'MiB', 1.05, false);
  row(`${waiting}, against nchan`, ours.memory, of.memory, 'MiB', 1, false);
  row(`${waiting}, against better-sse`, ours.memory, node.memory, 'MiB', 0.25, false);
  row(`one change to ${kStreams}, p99`, ours.late, 150, 'ms (bar)', 1, false);
  row(`one change to ${kStreams}, p99 against nchan`, ours.late, of.late, 'ms', null, false);
  row(`one change to ${kStreams}, p99 against better-sse`, ours.late, node.late, 'ms', null, false);
  row(`${kBurst} changes to ${kStreams} against nchan`, ours.rate, of.rate, 'deliveries/s', 0.8);
  row(`${kBurst} changes to ${kStreams} against better-sse`, ours.rate, node.rate, 'deliveries/s', null);
}

async function own(folder, app) {
  const listeners = await Listeners.open(folder, { ...app, heads: app.headsOf('note'), count: kStreams });
  try {
    await listeners.ask('begin');
    await pause(1500);  // until the database has counted what the streams asked as they began
    const before = await app.transactions();
    const sent = await app.write(`insert into note (user_id, at, body) select id, ${stamp}, 'mine' from bench_user where n = :n`, { rate: 1000, seconds });
    const each = kStreams / kUsers;
    const told = await listeners.all(sent * each);
    await pause(1500);  // until the database has counted
    const asked = await app.transactions() - before - sent;
    const work = `1,000 changes a second, each for ${each} of ${kStreams}`;
    row(`${work}: changes a second`, sent / seconds, 1000, 'changes/s (bar)', 0.95);
    delivered(work, told, sent * each);
    row(`${work}, p99`, told.p99 / 1000, 50, 'ms (bar)', 1, false);
    row(`${work}: statements a delivery`, asked / told.frames, 0.05, 'exchanges (bar)', 1, false);
  } finally {
    await listeners.close();
  }
}

async function asked(folder, app) {
  const listeners = await Listeners.open(folder, { ...app, heads: app.headsOf('entry'), count: kUsers });
  try {
    await listeners.ask('begin');
    const before = await app.metric('svc_feed_questions_total');
    const sent = await app.write(`insert into entry (room_id, at) select r.id, ${stamp} from bench_user u join room r on r.keeper = u.id where u.n = :n`, { rate: 50, seconds });
    const told = await listeners.all(sent);
    const work = `50 changes a second for ${kUsers} viewers whom the database judges`;
    delivered(work, told, sent);
    row(`${work}: questions`, (await app.metric('svc_feed_questions_total') - before) / seconds, 20, 'a second (bar)', 1, false);
    row(`${work}, p99`, told.p99 / 1000, 150, 'ms', null, false);
  } finally {
    await listeners.close();
  }
}

// At even times. Returns how late the slowest hundredth came to these listeners, in milliseconds.
async function lateOf(listeners, sql, what) {
  await listeners.ask('begin');
  const sent = 20 * seconds;
  for (let n = 0, from = performance.now(); n < sent; n += 1) {
    await pause(Math.max(0, from + n * 50 - performance.now()));
    await sql.run(`insert into news (at, body) values (${stamp}, repeat('x', 2000))`);
  }
  const told = await listeners.all(sent * kUsers);
  delivered(what, told, sent * kUsers);
  return told.p99 / 1000;
}

// New readers that read nothing in each round: before they come, as they come, and after that.
async function mute(folder, app) {
  const others = await Listeners.open(folder, { ...app, count: kUsers });
  const sql = new Sql(app.admin);
  const late = { alone: [], first: [], later: [] };
  const memory = [];
  try {
    for (let round = 0; round < rounds; ++round) {
      late.alone.push(await lateOf(others, sql, `${kUsers} readers`));
      const before = app.memory();
      const silent = await Listeners.open(folder, { ...app, count: kUsers, mute: true });
      try {
        late.first.push(await lateOf(others, sql, `${kUsers} readers beside ${kUsers} new ones that read nothing`));
        late.later.push(await lateOf(others, sql, `${kUsers} readers beside ${kUsers} that read nothing`));
        memory.push(app.memory() - before);
      } finally {
        await silent.close();
      }
    }
    row(`memory that ${kUsers} readers take that read nothing`, Math.max(...memory), 16, 'MiB (bar)', 1, false);
    row('p99 of the others beside them against before', median(late.later), median(late.alone), 'ms', 1.1, false);
    row(`the same, in the ${seconds} s after they have come`, median(late.first), median(late.alone), 'ms', 1.1, false);
  } finally {
    sql.close();
    await others.close();
  }
}

// Viewers of an app with a contract at random, whose servers are killed, or swapped, while others write. What one of them shows
// and a list does not say, or is told twice, ends a trial.
async function struck(what, seed) {
  const told = await played(seed, kStrikes, { [what]: 1 }).catch((error) => console.error(error.stack));
  const work = `${kStrikes} times "${what}" under load`;
  row(`${work}: pictures of viewers that equal a list`, told?.comparisons ?? 0, told?.comparisons ?? 1, 'pictures', 1);
  if (!told) return 0;
  row(`${work}: the slowest was behind for`, told.slowestMs, 5000, 'ms (bar)', 1, false);
  if (what === 'swap') row(`${work}: streams that went over`, told.comparisons - told.streamsLostAtSwaps, told.comparisons, 'streams', 1);
  return told.pairs;
}

async function strikes() {
  const pairs = await struck('kill', 1) + await struck('swap', 2);
  row('pairs of a change and a viewer', pairs, 1e6, 'pairs (bar)', kStrikes < 200 ? null : 1);
}

// `hold`: seconds that the streams wait before their memory is measured.
export async function feeds(folder, hold) {
  const source = join(import.meta.dirname, 'listeners.cpp');
  execFileSync('g++', ['-O2', '-std=c++20', source, '-o', join(folder, 'listeners')]);
  const app = await feedApp(folder);
  try {
    await many(folder, app, hold);
    await own(folder, app);
    await asked(folder, app);
    await mute(folder, app);
  } finally {
    await app.stop();
  }
  await strikes();
}
