// Runs of workflows: of three database steps, how soon the first step follows a commit, a transaction that stays open, sleepers,
// an endpoint that hangs, applies, kills.
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { played } from '../chaos/runs/trial.mjs';
import { Sql } from '../lib/sql.mjs';
import { until } from '../lib/stack.mjs';
import { interleaved, pgbench, seconds } from './lib.mjs';
import { RunApp } from './run_app.mjs';
import { Peer } from './run_peers.mjs';
import { row } from './table.mjs';

const run = promisify(execFile);
const kRuns = Number(process.env.SVC_BENCH_RUNS ?? 3000);
const kSleepers = Number(process.env.SVC_BENCH_SLEEPERS ?? 100_000);
const kWoken = 500;
const kOpen = Number(process.env.SVC_BENCH_OPEN ?? 30);    // seconds; the bar is of 900
const kKills = Number(process.env.SVC_BENCH_KILLS ?? 20);  // of servers; the bar is of 1,000

// Three inserts of the app's own table, as its steps make them, each a transaction.
async function transactions(folder, url) {
  const file = join(folder, 'three.sql');
  writeFileSync(file, "insert into note (text) values ('p');\n".repeat(3));
  const { stdout } = await run(process.env.PGBENCH, ['-n', '-M', 'prepared', '-c8', '-j1', `-T${seconds}`, '-f', file, url]);
  return Number(/tps = ([\d.]+)/.exec(stdout)[1]);
}

async function throughput(folder, app, peers) {
  let cpu = 0, done = 0;
  const ours = async () => {
    const before = app.cpu();
    const rate = await app.drain(kRuns);
    cpu += app.cpu() - before;
    done += kRuns;
    return rate;
  };
  const one = { folder, url: app.admin, script: "insert into note (text) values ('p');\n".repeat(3) };
  const [rate, three, single, ...others] = await interleaved(
    [ours, () => transactions(folder, app.admin), () => pgbench(one), ...peers.map((peer) => () => peer.drain(peer.name === 'dbos' ? kRuns / 5 : kRuns))]);
  row('runs of three database steps against pgbench, a transaction each', rate, three, 'runs/s', 0.8);
  row('runs of three database steps against pgbench, one transaction', rate, single, 'runs/s', null);
  const bars = { graphile: 1.5, boss: null, dbos: 5 };
  for (const [i, { name }] of peers.entries()) row(`runs of three database steps against ${name}`, rate, others[i], 'runs/s', bars[name]);
  row('server CPU of a run', cpu / done, cpu / done, 'µs', null);
}

const quantiles = async (url, ms) => {
  const { stdout } = await run('psql', ['-XAtq', '-F', ' ', '-c', `select percentile_disc(0.5) within group (order by ms), percentile_disc(0.99) within group (order by ms) from (${ms}) t(ms)`, url]);
  const [p50, p99] = stdout.trim().split(' ').map(Number);
  return { p50, p99 };
};
const stamp = '(extract(epoch from clock_timestamp()) * 1000000)::bigint';

// 100 a second, at even times. Of the transaction of the row and that of the first step, each as it began.
async function lateOfApp(app) {
  const writes = [];
  for (let n = 0; n < 100 * seconds; n += 1) {
    writes.push(app.write(`late ${n}`));
    await pause(10);
  }
  await Promise.all(writes);
  await until('the first steps', async () => await app.number("select count(*) from note where text like 'late %'") >= writes.length);
  return quantiles(app.admin, "select extract(epoch from n.created_at - i.created_at) * 1e3 from note n join item i on i.text = n.text where i.text like 'late %'");
}

async function lateOfGraphile(folder, url) {
  const file = join(folder, 'late.sql');
  writeFileSync(file, `select graphile_worker.add_job('one', json_build_object('at', ${stamp}));\n`);
  await run(process.env.PGBENCH, ['-n', '-M', 'simple', '-c4', '-j1', '-R100', `-T${seconds}`, '-f', file, url]);
  await pause(500);
  return quantiles(url, "select extract(epoch from created_at) * 1e3 - text::numeric / 1e3 from bench_row where text ~ '^[0-9]{10,}$'");
}

async function latency(folder, app, graphile) {
  const ours = await lateOfApp(app);
  const of = await lateOfGraphile(folder, graphile.admin);
  row('from a commit to the first step, 100 a second, p50', ours.p50, 3, 'ms (bar)', 1, false);
  row('from a commit to the first step, 100 a second, p99', ours.p99, 15, 'ms (bar)', 1, false);
  row('from a commit to the first step, p50 against graphile-worker', ours.p50, of.p50, 'ms', 0.75, false);
}

async function sleepers(app) {
  const before = app.memory();
  for (let left = kSleepers; left > 0; left -= 10_000) await app.begin('sleeper', Math.min(left, 10_000), "jsonb_build_object('n', n)");
  await until('sleepers to sleep', async () => await app.number("select count(*) from svc.run where workflow = 'sleeper' and status <> 'waiting'") === 0, 600_000);
  await pause(15_000);  // until PostgreSQL has counted what was before
  row(`memory of ${kSleepers} sleepers`, app.memory() - before, 1, 'MiB (bar)', 1, false);
  const commits = () => app.number('select xact_commit from pg_stat_database where datname = current_database()');
  const from = await commits();
  await pause(10_000);
  row('statements a second of an idle app with sleepers', (await commits() - from - 1) / 10, 2, 'statements/s (bar)', 1, false);
  await wake(app);
}

// Each at a time of its own, two seconds ahead and two milliseconds apart.
async function wake(app) {
  await app.psql(`create table if not exists public.bench_due as select r.id, (r.given #>> '{input,n}') as n, clock_timestamp() + interval '2 seconds' + row_number() over () * interval '2 ms' as due
    from svc.run r where r.workflow = 'sleeper' and r.status = 'waiting' limit ${kWoken};
    update svc.run r set due_at = d.due, place = regexp_replace(r.place::text, '"until": "[^"]*"', '"until": "' || d.due || '"', 'g')::jsonb from public.bench_due d where d.id = r.id`);
  await until('the woken', async () => await app.number("select count(*) from note where text like 'awake %'") >= kWoken, 60_000).catch(() => {});
  const p99 = await app.number(`select percentile_disc(0.99) within group (order by extract(epoch from o.created_at - d.due) * 1000) from public.bench_due d
    join note o on o.text = 'awake ' || d.n`);
  row('from the end of a sleep to the next step, p99', p99, 100, 'ms (bar)', 1, false);
}

// `hung`: how many calls the endpoint holds.
async function hanging(app, hung) {
  const wave = async (name) => {
    const started = [];
    for (let n = 0; n < 100; n += 1) {
      started.push(app.startOne('call', { at: `${name} ${Math.round((performance.timeOrigin + performance.now()) * 1000)}` }));
      await pause(10);
    }
    await Promise.all(started);
    await until('the calls', async () => await app.number(`select count(*) from note where text like 'called ${name} %'`) >= 100);
    return app.number(`select percentile_disc(0.99) within group (order by extract(epoch from created_at) * 1e3 - split_part(text, ' ', 3)::numeric / 1e3) from note where text like 'called ${name} %'`);
  };
  const alone = await wave('alone');
  await app.begin('hang', 200);
  await until('200 calls that hang', () => hung() >= 200);
  row('calls while 200 runs wait for an endpoint that hangs, p99', await wave('beside'), alone, 'ms', 1.1, false);
}

// From the moment at which runs are ready to their claims, of the last seconds of 500 runs a second.
async function claims(folder, app, duration) {
  const file = join(folder, 'one.sql');
  writeFileSync(file, `select svc.start_run('one', '{}', '{"kind": "manual"}');\n`);
  await run(process.env.PGBENCH, ['-n', '-M', 'prepared', '-c4', '-j1', '-R500', `-T${duration}`, '-f', file, app.admin]);
  await until('the runs to end', async () => await app.number("select count(*) from svc.run where workflow = 'one' and due_at is not null") === 0);
  return quantiles(app.admin, "select extract(epoch from started_at - created_at) * 1e3 from svc.run where workflow = 'one' and created_at > (select max(created_at) from svc.run where workflow = 'one') - interval '10 seconds'");
}

async function openTransaction(folder, app) {
  const alone = await claims(folder, app, 15);
  const open = new Sql(app.admin);
  try {
    await open.run('begin isolation level repeatable read; select count(*) from svc.run');
    const beside = await claims(folder, app, kOpen);
    row(`claims beside a transaction that is open for ${kOpen} s, 500 runs a second, p99`, beside.p99, alone.p99, 'ms', 2, false);
  } finally {
    open.close();
  }
}

async function applies(app) {
  await app.begin('nap', 1000);
  for (let n = 1; n <= 20; n += 1) await app.apply(`Runs ${n}`);
  const ended = () => app.number("select count(*) from svc.run where workflow = 'nap' and status = 'succeeded'");
  await until('the sleepers', async () => await ended() === 1000, 120_000).catch(() => {});
  row('sleepers that went on after 20 applies', await ended(), 1000, 'runs (bar)', 1);
}

// What is lost or done twice ends the trial.
async function kills() {
  const told = await played(1, kKills + Math.ceil(kKills / 20), { kill: 20, 'kill PostgreSQL': 1 }).catch((error) => console.error(error.stack));
  row(`runs with each effect once, through ${kKills} kills`, told?.runs ?? 0, told?.runs ?? 1, 'runs', 1);
  if (told) row('from the answer of the next server to the next claim, the longest', told.resumedMs.kill.most, 2000, 'ms (bar)', 1, false);
}

export async function runs(folder) {
  let hung = 0;
  const endpoint = createServer((request, answer) => {
    request.resume().on('end', () => {
      if (request.url === '/well') answer.writeHead(200, { 'content-type': 'application/json' }).end('{}');
      else hung += 1;
    });
  });
  await new Promise((done) => endpoint.listen(0, '127.0.0.1', done));
  const app = await RunApp.start(`http://127.0.0.1:${endpoint.address().port}`);
  const peers = [];
  try {
    for (const name of ['graphile', 'boss', 'dbos']) peers.push(await Peer.start(folder, app.admin, name));
    await throughput(folder, app, peers);
    await latency(folder, app, peers[0]);
    for (const peer of peers.splice(0)) await peer.stop();
    await openTransaction(folder, app);
    await sleepers(app);
    await hanging(app, () => hung);
    await applies(app);
  } finally {
    for (const peer of peers) await peer.stop();
    endpoint.closeAllConnections();
    endpoint.close();
    await app.stop();
  }
  await kills();
}
