// A svcd of a test's own: an empty data folder, a private PostgreSQL, a free port; and what is needed
// to talk to it. Everything is stopped by stop().
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, readFileSync, readdirSync, chmodSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { fill, keep } from './build_cache.mjs';
import { fillHome } from './first_home.mjs';
import { request } from './http.mjs';

export const root = resolve(fileURLToPath(import.meta.url), '../../..');
export const bin = process.env.SVC_BIN ?? join(root, 'build/bin');
const builds = join(bin, '../test-builds');
const firstHomes = join(bin, '../test-homes');
// Programs of the newest PostgreSQL are found there. Debian's own psql is a script that looks for this one, which takes
// seven times as long as what it then does.
const newest = readdirSync('/usr/lib/postgresql').sort((a, b) => a - b).at(-1);
process.env.PATH = `/usr/lib/postgresql/${newest}/bin:${process.env.PATH}`;
// Settings that a first start leaves its marks by.
const ofFirstStart = ['DATABASE_URL', 'SVC_MASTER_KEY_FILE', 'SVC_OWNER_EMAIL'];
const kVerifySeconds = 600;  // opens every page in a browser, where there is one
export const owner = { email: 'owner@example.test', password: 'correct horse battery' };

export async function freePort() {
  const server = createServer();
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address();
  await new Promise((done) => server.close(done));
  return port;
}

export async function until(what, probe, ms = 60000) {
  const end = Date.now() + ms;
  for (;;) {
    const value = await probe();
    if (value) return value;
    if (Date.now() > end) throw new Error(`waited ${ms} ms for ${what}`);
    await pause(25);
  }
}

export class Stack {
  // Set it where PostgreSQL is killed or measured, before stacks start: svcd makes each data folder itself, and a commit
  // waits for the disk.
  static durable = false;

  // `env` adds settings of svcd. Where building is what is tried, it starts `cold`: with nothing that another one built.
  // Verifications and screenshots open a `browser` only where that is said: it takes its time.
  static async start(env = {}, { cold = false, durable = cold || Stack.durable, browser = false } = {}) {
    const stack = new Stack();
    stack.home = mkdtempSync(join(tmpdir(), 'svc-test-'));
    chmodSync(stack.home, 0o711);
    stack.port = await freePort();
    stack.env = { ...(browser ? {} : { SVC_CHROMIUM: '/nowhere/chromium' }), ...env };
    stack.cold = cold;
    if (!durable && !ofFirstStart.some((name) => name in env)) await fillHome(firstHomes, join(bin, 'svcd'), stack.home, withFirst);
    if (!cold) fill(builds, join(stack.home, 'cache'));
    await stack.run();
    return stack;
  }

  async run(flags = []) {
    this.log = '';
    const { DATABASE_URL: _inherited, ...inherited } = process.env;
    const env = {
      ...inherited, SVC_HOME: this.home, SVC_LISTEN: `127.0.0.1:${this.port}`,
      SVC_OWNER_EMAIL: owner.email, SVC_OWNER_PASSWORD: owner.password,
      SVC_RATE_BROWSER: '1000000', SVC_RATE_SERVER: '1000000', SVC_RATE_SIGNUP: '1000', ...this.env,
    };
    this.child = spawn(join(bin, 'svcd'), flags, { env, stdio: ['ignore', 'pipe', 'pipe'] });
    this.ended = new Promise((done) => this.child.on('exit', (code, signal) => done({ code, signal })));
    for (const stream of [this.child.stdout, this.child.stderr]) stream.on('data', (d) => { this.log += d; });
    await until('svcd to be ready', async () => {
      if (this.child.exitCode !== null) throw new Error(`svcd ended:\n${this.log}`);
      return (await this.fetch('GET', '/readyz').catch(() => null))?.status === 200;
    });
  }

  fetch(method, path, { headers = {}, body, host, seconds } = {}) {
    return request({ port: this.port, method, path, headers: { ...headers, ...(host ? { host } : {}) }, body, seconds });
  }

  // A call of the developer API; throws where the status is not `expect`.
  async dev(method, path, body, { token = this.session, expect } = {}) {
    const headers = token ? { authorization: `Bearer ${token}` } : {};
    const seconds = path.endsWith('/verify') ? kVerifySeconds : undefined;
    const answer = await this.fetch(method, `/dev/v1${path}`, { headers, body, seconds });
    if (expect && answer.status !== expect) {
      throw new Error(`${method} ${path}: ${answer.status} ${answer.text}\n${this.log.slice(-2000)}`);
    }
    return answer;
  }

  async signIn() {
    const { json } = await this.dev('POST', '/session', owner, { token: null, expect: 200 });
    this.session = json.token;
    this.workspace = json.workspaces[0].id;
    return json;
  }

  // A project with a browser key for any origin, a server key and a preview token.
  async project(name) {
    const body = { name, workspaceId: this.workspace };
    const { json } = await this.dev('POST', '/projects', body, { expect: 201 });
    const id = json.project.id;
    const key = async (kind, origins) =>
      (await this.dev('POST', `/projects/${id}/keys`, { name: kind, kind, origins }, { expect: 201 })).json;
    const browser = await key('browser', ['*']);
    const server = await key('server', []);
    return { ...json.project, browser: browser.key, browserId: browser.id, server: server.key, serverId: server.id };
  }

  apply(project, contract, expect = 200) {
    return this.dev('POST', `/projects/${project.id}/apply`, { contract }, { expect });
  }

  // Ends svcd. The data folder stays until stop().
  end() {
    if (this.child.exitCode === null && this.child.signalCode === null) this.child.kill('SIGTERM');
    return this.ended;
  }

  async stop() {
    const end = await this.end();
    if (!this.cold) keep(builds, join(this.home, 'cache'));
    rmSync(this.home, { recursive: true, force: true });
    return end;
  }
}

// A data folder after its first start and an orderly end.
async function withFirst(use) {
  const stack = await Stack.start({}, { durable: true });
  try {
    const { code } = await stack.end();
    if (code !== 0) throw new Error(`svcd did not end well: ${code}\n${stack.log}`);
    use(stack.home);
  } finally {
    await stack.stop();
  }
}

// Processes that serve a project, with their environment: it holds the project's id and the URLs of its roles.
export function appServers(project) {
  return readdirSync('/proc').filter((name) => /^\d+$/.test(name)).flatMap((pid) => {
    try {
      const words = readFileSync(join('/proc', pid, 'environ'), 'utf8').split('\0');
      const env = Object.fromEntries(words.map((word) => word.split(/=(.*)/s).slice(0, 2)));
      return env.SVC_PROJECT_ID === project.id ? [{ pid: Number(pid), env }] : [];
    } catch {
      return [];  // gone, or not a process of this stack
    }
  });
}

export const sample = (name) => JSON.parse(readFileSync(join(root, 'samples', name, 'svc.json'), 'utf8'));
