// kill -9 of everything, at each stage of an apply, by seed: afterwards old or new serves whole, no write
// that was acknowledged is lost, nothing is left behind, and the next apply works. SVC_KILLS says how many
// times, SVC_SEED with which number it begins: a round that failed is repeated with SVC_SEED=<its number>.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { after, before } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { Stack, bin, root, sample } from '../lib/stack.mjs';
import { appServers, backends, compilers, kill, postmaster } from './victims.mjs';
import { databaseOf, nothingIsLeft, sql, whole } from './whole.mjs';

const rounds = Number(process.env.SVC_KILLS ?? 24);
const first = Number(process.env.SVC_SEED ?? 1);
const stages = ['check', 'emit', 'build', 'provision', 'start', 'start', 'migrate', 'migrate', 'migrate', 'swap', 'swap', 'done'];
const victims = ['svcd', 'svcd', 'compiler', 'app', 'postmaster', 'backend'];

// Numbers in [0, 1), the same for the same seed.
function random(seed) {
  let state = (seed * 0x9e3779b9) >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

let stack;
let standing;  // a project that lives through all rounds
const built = [];  // projects that have an app
before(async () => {
  stack = await Stack.start({}, { cold: true });
  await stack.signIn();
  standing = await stack.project('Standing');
  await stack.apply(standing, sample('hello'));
  standing.contract = sample('hello');
  built.push(standing);
});
after(() => stack?.stop());

// Writes rows until it is stopped; `acknowledged` are the ids of those that were answered 201.
function writer(project) {
  const state = { over: false, acknowledged: [] };
  const headers = { authorization: `Bearer ${project.server}`, 'x-svc-data-api': '1' };
  const host = `preview-${project.slug}.localhost`;
  state.ended = (async () => {
    while (!state.over) {
      const answer = await stack.fetch('POST', '/__svc/api/v1/reading', { headers, host, body: { value: 1 } }).catch(() => null);
      if (answer?.status === 201) state.acknowledged.push(answer.json.rows[0].id);
      else await pause(10);
    }
  })();
  return state;
}

const asked = async (project) => {
  const headers = { authorization: `Bearer ${project.server}`, 'x-svc-data-api': '1' };
  const { status } = await stack.fetch('GET', '/__svc/api/v1/reading?limit=1', { headers, host: `preview-${project.slug}.localhost` });
  return status;
};

// Applies, and calls `at` with each stage as it begins; resolves to what the apply was answered, or null.
function apply(project, contract, at) {
  return new Promise((done) => {
    let text = '';
    const finish = () => {
      const data = /event: done\ndata: (.*)\n/.exec(text)?.[1];
      done(data ? JSON.parse(data) : null);
    };
    const call = http.request({
      host: '127.0.0.1', port: stack.port, method: 'POST', path: `/dev/v1/projects/${project.id}/apply`, agent: false,
      headers: { authorization: `Bearer ${stack.session}`, accept: 'text/event-stream', 'content-type': 'application/json' },
    }, (answer) => {
      let seen = 0;
      answer.on('data', (piece) => {
        text += piece;
        const frames = [...text.matchAll(/event: stage\ndata: (.*)\n/g)].map((match) => JSON.parse(match[1]));
        for (const stage of frames.slice(seen)) if (stage.status === 'running') at(stage.name);
        seen = frames.length;
      });
      answer.on('end', finish);
      answer.on('error', finish);
    });
    call.on('error', finish);
    call.end(JSON.stringify({ contract }));
  });
}

const find = {
  svcd: () => [stack.child],
  compiler: () => compilers(stack.child.pid),
  app: () => appServers(stack.home),
  postmaster: () => [{ pid: postmaster(stack.home) }],
  backend: (project, roll) => {
    const all = backends(stack.home);
    const own = all.filter((p) => p.words[0].includes(databaseOf(project)));
    const some = own.length > 0 ? own : all;
    return some.length > 0 ? [some[Math.floor(roll() * some.length)]] : [];
  },
};

// A compiler lives for a moment only: it is looked for until the apply is over.
async function strike(plan, project, roll, state) {
  await pause(plan.delay);
  do {
    if (kill(find[plan.victim](project, roll)) > 0) return true;
    await pause(2);
  } while (plan.victim === 'compiler' && !state.over);
  return false;
}

function planOf(seed) {
  const roll = random(seed);
  const victim = victims[Math.floor(roll() * victims.length)];
  const stage = victim === 'compiler' ? 'build' : stages[Math.floor(roll() * stages.length)];
  return { roll, victim, stage, delay: roll() * roll() * (victim === 'compiler' ? 400 : 40), first: roll() < 0.25 };
}

const withField = (name) => {
  const contract = sample('hello');
  contract.entities[0].fields.push({ name, type: 'integer' });
  return contract;
};

async function round(seed) {
  const plan = planOf(seed);
  const project = plan.first ? await stack.project(`First ${seed}`) : standing;
  const old = project.contract ?? null;
  // Only who is to meet a compiler needs sources that nobody compiled before.
  const next = plan.victim === 'compiler' ? withField(`f_${seed}`) : withField(old?.entities[0].fields[2]?.name === 'even' ? 'odd' : 'even');
  const writes = writer(standing);
  try {
    return await struckRound(plan, project, old, next, writes);
  } finally {
    writes.over = true;
  }
}

async function struckRound(plan, project, old, next, writes) {
  const state = { over: false, struck: null };
  const hit = (stage) => { if (stage === plan.stage) state.struck ??= strike(plan, project, plan.roll, state); };
  const answer = await apply(project, next, hit);
  state.over = true;
  hit('done');
  const struck = await (state.struck ?? false);
  if (stack.child.exitCode !== null || stack.child.signalCode !== null || (struck && plan.victim === 'svcd')) {
    await stack.ended;
    assert.equal(await asked(standing), 200, 'a new connection while svcd is away');
    await stack.run();
  }
  const now = await whole(stack, project, old, next);
  if (answer?.version) assert.equal(now, next, 'an apply that was acknowledged is undone');
  // The next apply works, and is what serves then.
  await stack.apply(project, next);
  assert.equal(await whole(stack, project, next, next), next);
  project.contract = next;
  if (!built.includes(project)) built.push(project);
  writes.over = true;
  await writes.ended;
  const ids = writes.acknowledged;
  const list = ids.map((id) => `'${id}'`).join(',') || 'null';
  const [[kept]] = sql(stack, databaseOf(standing), `select count(*) from public.reading where id in (${list})`);
  assert.equal(Number(kept), ids.length, 'acknowledged rows are lost');
  await nothingIsLeft(stack, built);
  if (project !== standing) {
    await stack.dev('DELETE', `/projects/${project.id}?confirm=${project.slug}`, undefined, { expect: 200 });
    built.splice(built.indexOf(project), 1);
  }
  return { ...plan, struck, went: now === next ? 'new' : 'old', rows: ids.length };
}

test(`${rounds} kills: old or new serves whole`, { timeout: 1200000 }, async () => {
  const told = {};
  for (let seed = first; seed < first + rounds; ++seed) {
    const { victim, stage, delay, first: made } = planOf(seed);
    const name = `seed ${seed}: ${victim} at ${stage} + ${delay.toFixed(1)} ms${made ? ', first apply' : ''}`;
    try {
      const { struck, went, rows } = await round(seed);
      if (process.env.SVC_KILLS) console.log(`${name}: ${struck ? 'killed' : 'missed'}, ${went} serves, ${rows} rows written`);
      const key = `${victim} ${struck ? 'killed' : 'missed'}, ${went}`;
      told[key] = (told[key] ?? 0) + 1;
    } catch (error) {
      error.message = `${name}: ${error.message}\n${stack.log.slice(-3000)}`;
      throw error;
    }
  }
  console.log(JSON.stringify(told));
});

test('a generator that is killed leaves a folder that the next one makes whole', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-generator-'));
  const emit = (name, where) => ['emit', join(folder, `${name}.json`), join(folder, where), '--cache', join(folder, 'cache')];
  try {
    for (const name of ['hello', 'shop']) {
      // Queries and steps want a PostgreSQL, which has no part in this.
      const { queries, functions, workflows, webhooks, ...contract } = JSON.parse(readFileSync(join(root, 'samples', name, 'svc.json'), 'utf8'));
      writeFileSync(join(folder, `${name}.json`), JSON.stringify(contract));
    }
    execFileSync(join(bin, 'svcgen'), emit('shop', 'clean'), { stdio: 'ignore' });
    const roll = random(first);
    for (let i = 0; i < 12; ++i) {
      const child = spawn(join(bin, 'svcgen'), emit(i % 2 ? 'shop' : 'hello', 'out'), { stdio: 'ignore' });
      const ended = new Promise((done) => child.on('exit', done));
      await pause(roll() * 40);
      child.kill('SIGKILL');
      await ended;
    }
    execFileSync(join(bin, 'svcgen'), emit('shop', 'out'), { stdio: 'ignore' });
    execFileSync('diff', ['-r', join(folder, 'clean'), join(folder, 'out')], { stdio: 'pipe' });
  } finally {
    // A killed generator's formatter ends a moment after it, and may still write until then.
    rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  }
});
