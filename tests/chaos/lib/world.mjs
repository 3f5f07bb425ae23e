// An app with a random contract, its users, and a second server that its stack does not know.
import { spawn } from 'node:child_process';
import { readlinkSync, statSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { asAdmin, databaseOf, sql } from '../../lib/admin_sql.mjs';
import { App } from '../../lib/app.mjs';
import { request } from '../../lib/http.mjs';
import { orgs } from '../../lib/scenarios.mjs';
import { appServers, freePort, until } from '../../lib/stack.mjs';
import { patiently } from './patience.mjs';

const data = { 'x-svc-data-api': '1' };
const people = ['ann', 'bob'];

export class World {
  mark = 0;     // the last that was published
  marking = 0;  // and the last that may have been
  people = {};
  second = null;  // {port, child}

  static async start(stack, contract, name) {
    const world = new World();
    world.stack = stack;
    world.project = await stack.project(name);
    world.contract = contract;
    await stack.apply(world.project, contract);
    world.app = new App(stack, world.project);
    for (const person of people) world.people[person] = await world.app.signUp(person, 'member');
    world.findDatabase();
    await world.startSecond();
    return world;
  }

  get tables() { return this.contract.entities.map(({ name }) => name); }
  entity(name) { return this.contract.entities.find((entity) => entity.name === name); }

  // All callers that policies may distinguish.
  callers = {
    guest: () => this.app.browser(), server: () => this.app.server(),
    ann: () => this.app.as(this.people.ann), bob: () => this.app.as(this.people.bob),
    clerk: () => this.app.staff('clerk'), chief: () => this.app.staff('chief'),
    'clerk of north': () => this.of('north', this.app.staff('clerk')), 'chief of south': () => this.of('south', this.app.staff('chief')),
    'admin of north': () => this.of('north', this.app.staff('clerk,org:admin')), 'server as ann': () => ({ ...this.app.server(), 'x-svc-app-user': this.people.ann.id }),
  };
  of(org, headers) { return { ...headers, 'x-svc-app-org': orgs[org] }; }
  headers(who) { return this.callers[who](); }

  // Signs in again after the session has ended.
  async renew(who) {
    const person = this.people[who];
    if (!person) return;
    const body = { email: `${who}@example.test`, password: `${who} has a password` };
    const { json } = await this.app.fetch(this.app.browser(), 'POST', 'auth/login', body);
    if (json?.token) person.token = json.token;
  }

  list(who, table, query, { port, host } = { port: this.stack.port, host: this.app.host }, withCursor = false) {
    const headers = { ...this.headers(who), ...data, ...(host ? { host } : {}), ...(withCursor ? { 'x-svc-feed': '1' } : {}) };
    return request({ port, method: 'GET', path: `/__svc/api/v1/${table}?limit=500&${query}`, headers });
  }

  // Waits until the app answers, then publishes a number to every feed, which comes after all earlier writes.
  async publishMark() {
    const number = (this.marking += 1);
    for (const table of this.tables)
      await until(`a mark on ${table}`, async () => (await this.app.fetch(this.app.server(), 'POST', `topics/row-changed:${table}/publish`, { payload: { mark: number } }).catch(() => null))?.status === 200);
    this.mark = number;
    return number;
  }

  servers() { return appServers(this.project).filter(({ pid }) => pid !== this.second?.child.pid); }
  async answers() {
    await until('the app to answer', async () => (await this.app.fetch(this.app.server(), 'GET', `api/v1/${this.tables[0]}?limit=1`).catch(() => null))?.status === 200);
  }

  // The second server has the environment and the unix account of the first, and so its database, secrets and files.
  async startSecond() {
    await this.answers();
    const [{ pid, env }] = await until('a server', () => { const found = this.servers(); return found.length === 1 && found; });
    const port = await freePort();
    const { uid, gid } = statSync(`/proc/${pid}`);
    const program = readlinkSync(`/proc/${pid}/exe`);
    // From its folder: that account may not go the way there.
    const child = spawn(`./${basename(program)}`, ['--listen', `127.0.0.1:${port}`],
      { cwd: dirname(program), env: { ...env, SVC_HOSTS: '', SVC_PLATFORM_HOSTS: '' }, stdio: 'ignore', uid, gid });
    const ended = new Promise((done) => child.on('exit', done));
    await until('the second server', async () => (await request({ port, method: 'GET', path: '/readyz' }).catch(() => null))?.status === 200);
    this.second = { port, child, ended };
  }
  async stopSecond(signal = 'SIGTERM') {
    const { child, ended } = this.second ?? {};
    if (!child) return;
    child.kill(signal);
    await ended;
    this.second = null;
  }

  // Finds the database by its name, because a restore changes the name.
  findDatabase() {
    this.database = sql(this.stack, 'postgres', `select datname from pg_database where datname ~ '^${databaseOf(this.project)}(_g[0-9]+)?$'`)[0][0];
  }
  sql(text) { return sql(this.stack, this.database, text); }
  ask(text) { return patiently(() => this.sql(text)); }
  admin() { return asAdmin(this.stack, this.database); }

  async stop() {
    await this.stopSecond('SIGKILL');
  }
}
