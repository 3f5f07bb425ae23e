// A sample, live and full of rows, with everybody who may ask it something.
import { readFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { join } from 'node:path';
import { request } from '../lib/http.mjs';
import { signUp, orgs } from '../lib/scenarios.mjs';
import { randomFrom, literal } from '../lib/sql.mjs';
import { root, sample } from '../lib/stack.mjs';
import { Database } from './database.mjs';
import { entitiesOf } from './entities.mjs';
import { Fixtures } from './fixtures.mjs';
import { Policy, caller } from './policy.mjs';

export const seed = Number(process.env.SVC_AUTHORIZATION_SEED ?? 20261121);
const rowsEach = 12;
const rowsTried = 3;

// Ids of accounts that say whose they are.
const account = (persona, n) => `0198b6a0-0000-7000-8000-${String(100 + 10 * persona + n).padStart(12, '0')}`;

// A sample, or the unit tests' contract of every way of granting and denying.
export function contractOf(name) {
  if (name !== 'desk') return sample(name);
  const text = readFileSync(join(root, 'tests/unit/check/contracts.hpp'), 'utf8');
  return JSON.parse(/kDesk = R"json\(([\s\S]*?)\)json"/.exec(text)[1]);
}

export class App {
  static async start(stack, contract, superuser) {
    const app = new App();
    Object.assign(app, { stack, contract, entities: entitiesOf(contract), agent: new Agent({ keepAlive: true, maxSockets: 8 }) });
    app.project = await stack.project(contract.app.name);
    await stack.apply(app.project, contract);
    app.host = `preview-${app.project.slug}.localhost`;
    app.name = `svc_${app.project.id.replaceAll('-', '').slice(-12)}_dev`;  // of its database
    app.database = new Database(superuser.replace(/\/postgres(?=\?)/, `/${app.name}`), app.entities, contract.app.timezone ?? 'UTC');
    await app.makeCallers();
    await app.fill();
    return app;
  }

  async fill() {
    const { database, entities } = this;
    const rows = await database.rows();
    const users = [...new Set(this.callers.map(({ asks }) => asks.user.id).filter(Boolean))];
    const inUse = this.contract.orgs?.enabled ? [...Object.values(orgs), null] : [null];
    this.fixtures = new Fixtures({ entities, rows, random: randomFrom(seed), users: [...users, null], orgs: inUse });
    await database.insert(this.fixtures.fill(rowsEach));
    await database.keep();
    await this.look();
  }

  // Reads the rows anew, for the oracle too.
  async look() {
    this.fixtures.rows = await this.database.rows();
    this.policy = new Policy(this.contract, this.fixtures.rows);
  }

  // Callers are {asks, headers}: who it is for the oracle, and how they say so.
  async makeCallers() {
    const data = { 'x-svc-data-api': '1' };
    this.browser = { authorization: `Bearer ${this.project.browser}`, origin: 'http://app.test', ...data };
    this.server = { authorization: `Bearer ${this.project.server}`, ...data };
    this.callers = [];
    this.add('guest', {}, this.browser);
    this.add('server', { server: true }, this.server);
    for (const [index, persona] of this.contract.personas.entries()) await this.addPersona(persona, index);
    const [first] = this.contract.personas;
    await this.addAccount(account(0, 9), 'admin', first.id, true);
    this.addUser('admin', { persona: first.id, id: account(0, 9), email: 'admin@example.test', isAdmin: true });
    if (this.contract.orgs?.enabled) this.add('server of north', { server: true, org: orgs.north }, { ...this.server, 'x-svc-app-org': orgs.north });
  }

  add(name, who, headers) {
    this.callers.push({ asks: caller(this.contract, name, who), headers });
  }

  addUser(name, who) {
    const member = who.org && { 'x-svc-app-org': who.org };
    const role = who.role && { 'x-svc-app-role': `${who.persona},org:${who.role}` };
    this.add(name, who, { ...this.server, 'x-svc-app-user': who.id, ...member, ...role });
  }

  addAccount(id, name, persona, admin) {
    const values = [id, `${name}@example.test`, name, persona, admin].map(literal);
    return this.database.sql.run(`insert into svc.account (id, email, name, persona, is_admin) values (${values})`);
  }

  offered(persona) {
    const named = this.contract.personas.filter((one) => one.signup);
    return named.length ? named.includes(persona) : this.contract.personas.find((one) => one.kind === 'consumer') === persona;
  }

  // Two users of it: by their own sessions where people may sign up as it, else by a server that speaks for them; and
  // such a server that names no user.
  async addPersona(persona, index) {
    const people = [];
    for (const n of [1, 2]) {
      const name = `${persona.id}.${n}`;
      const email = `${name}@example.test`;
      if (this.offered(persona)) {
        const person = await signUp(this.stack, this.project, this.host, name, persona.id);
        people.push({ persona: persona.id, id: person.id, email });
        this.add(name, people.at(-1), { ...this.browser, 'x-svc-app-session': person.token });
      } else {
        await this.addAccount(account(index, n), name, persona.id, false);
        people.push({ persona: persona.id, id: account(index, n), email });
        this.addUser(name, people.at(-1));
      }
    }
    this.add(`staff ${persona.id}`, { persona: persona.id }, { ...this.server, 'x-svc-app-role': persona.id });
    if (this.contract.orgs?.enabled) this.addMembers(persona, people);
  }

  // The first of them works for north, the second for south, in each role and in none.
  addMembers(persona, people) {
    for (const [n, [org, id]] of Object.entries(orgs).entries()) {
      for (const role of [undefined, ...(this.contract.orgs.roles ?? [])]) {
        this.addUser(`${persona.id}.${n + 1} of ${org}${role ? ` as ${role}` : ''}`, { ...people[n], org: id, role });
      }
    }
  }

  // Rows to try writes on: of each kind of relation to the caller some, and all that they may not only look at.
  sampled(entity, asks) {
    const seen = {};
    return this.policy.rows.all(entity.name).filter((row) => {
      const kind = ['read', 'update', 'delete'].map((operation) => this.policy.may(operation, entity.name, row, asks)).join();
      seen[kind] = (seen[kind] ?? 0) + 1;
      return seen[kind] <= rowsTried;
    });
  }

  call(headers, method, path, body) {
    const { host, agent } = this;
    return request({ port: this.stack.port, method, path: `/__svc${path}`, headers: { ...headers, host }, body, agent });
  }

  close() {
    this.agent.destroy();
    this.database?.close();
  }
}
