// Loads and what they measured. Every loop is bounded in time, every address is this machine's.
import { execFile, spawn } from 'node:child_process';
import { readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { request } from '../lib/http.mjs';
import { freePort } from '../lib/stack.mjs';

const run = promisify(execFile);
export const seconds = Number(process.env.SVC_BENCH_SECONDS ?? 3);
export const rounds = Number(process.env.SVC_BENCH_ROUNDS ?? 5);

export const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

// Requests a second of wrk over keep-alive connections. `paths` are asked in turn, and so are `headers` if there are several.
export async function wrk({ folder, port, paths, headers, method = 'GET', body, connections = 64 }) {
  const script = join(folder, 'wrk.lua');
  const lua = (text) => JSON.stringify(text);  // printable ASCII: the same literal in both
  const table = (head) => `{${Object.entries(head).map(([name, value]) => `[${lua(name)}]=${lua(value)}`).join(',')}}`;
  const heads = [headers].flat().map(table).join(',');
  const sent = body === undefined ? 'nil' : lua(JSON.stringify(body));
  writeFileSync(script, `local paths = {${paths.map(lua).join(',')}}\nlocal at = 0\nlocal heads = {${heads}}\nlocal body = ${sent}\n` +
    `local made = {}\ninit = function() for i, path in ipairs(paths) do made[i] = wrk.format(${lua(method)}, path, heads[i % #heads + 1], body) end end\n` +
    'request = function() at = at % #made + 1 return made[at] end\n' +
    'done = function(s, l, r) io.write(string.format("errors %d\\n", s.errors.status + s.errors.connect + s.errors.read + s.errors.write + s.errors.timeout)) end\n');
  const { stdout } = await run('wrk', ['-t1', `-c${connections}`, `-d${seconds}s`, '-s', script, `http://127.0.0.1:${port}`]);
  const errors = Number(/errors (\d+)/.exec(stdout)[1]);
  if (errors > 0) throw new Error(`wrk saw ${errors} failed requests:\n${stdout}`);
  return Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)[1]);
}

// The first request of a load, once.
export const probe = ({ port, paths, headers, method = 'GET', body }) =>
  request({ port, path: paths[0], headers: [headers].flat()[0], method, body });

// Transactions a second of pgbench: these statements pipelined in one implicit transaction, 8 clients.
export async function pgbench({ folder, url, script }) {
  const file = join(folder, 'pgbench.sql');
  writeFileSync(file, `\\startpipeline\n${script}\n\\endpipeline\n`);
  const { stdout } = await run(process.env.PGBENCH, ['-n', '-M', 'prepared', '-c8', '-j1', `-T${seconds}`, '-f', file, url]);
  return Number(/tps = ([\d.]+)/.exec(stdout)[1]);
}

export const psql = async (url, sql) =>
  (await run('psql', ['-X', '-q', '-A', '-t', '-v', 'ON_ERROR_STOP=1', '-c', sql, url], { maxBuffer: 1 << 26 })).stdout.trim();

// User and system time of a process so far, in microseconds.
export function cpuMicros(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10000;
}

export function residentMiB(pid) {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024;
}

// Until this holds; asked so seldom that asking costs little of what is measured.
export async function seldom(what, probe, ms = 120_000) {
  const end = performance.now() + ms;
  while (!await probe()) {
    if (performance.now() > end) throw new Error(`waited ${ms} ms for ${what}`);
    await pause(100);
  }
}

// Alternates the measures so that a drift of the machine meets all of them; medians.
export async function interleaved(measures) {
  const results = measures.map(() => []);
  for (let round = 0; round < rounds; ++round) {
    for (const [i, measure] of measures.entries()) results[i].push(await measure());
  }
  return results.map(median);
}

export function background(command, args, env) {
  const child = spawn(command, args, { env: { ...process.env, ...env }, stdio: 'ignore' });
  return { stop: () => new Promise((done) => { child.on('exit', done); child.kill('SIGTERM'); }) };
}

// libpq's key='value' words as the environment of another client.
export function connection(words) {
  const value = Object.fromEntries([...words.matchAll(/(\w+)='([^']*)'/g)].map(([, key, text]) => [key, text]));
  return { PGHOST: value.host, PGPORT: value.port, PGUSER: value.user, PGPASSWORD: value.password, PGDATABASE: value.dbname };
}

// Milliseconds from exec of a program that serves to its line "ready": as `pid` runs, on a port of its own.
export async function startedIn(pid, env) {
  const program = readlinkSync(`/proc/${pid}/exe`);
  const once = async () => {
    const port = await freePort();
    const from = performance.now();
    const child = spawn(program, ['--listen', `127.0.0.1:${port}`], { env, stdio: ['ignore', 'ignore', 'pipe'] });
    const ended = new Promise((done) => child.on('exit', done));
    const ready = new Promise((done, fail) => {
      let log = '';
      child.stderr.on('data', (data) => {
        log += data;
        if (log.includes('"event":"ready"')) done(performance.now() - from);
      });
      ended.then(() => fail(new Error(`the server ended:\n${log}`)));
    });
    try {
      return await ready;
    } finally {
      child.kill('SIGTERM');
      await ended;
    }
  };
  return (await interleaved([once]))[0];
}
