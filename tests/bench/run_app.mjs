// The app whose runs are measured, and what is asked of its database.
import { Agent } from 'node:http';
import { request } from '../lib/http.mjs';
import { Sql } from '../lib/sql.mjs';
import { Stack, appServers } from '../lib/stack.mjs';
import { administrator } from './data.mjs';
import { memoryMiB } from './feed_peers.mjs';
import { cpuMicros, psql, seldom } from './lib.mjs';

const row = (id, text) => ({ id, create: { entity: 'note', data: { text } } });
const contract = (url, name = 'Runs') => ({
  app: { name },
  entities: [
    { name: 'item', owner: 'none', fields: [{ name: 'text', type: 'string' }], access: { read: ['server'], create: ['server'] } },
    { name: 'note', owner: 'none', fields: [{ name: 'text', type: 'string' }], access: { read: ['server'] } },
  ],
  workflows: [
    { id: 'three', on: { manual: true }, steps: [row('a', 'a'), row('b', 'b'), row('c', 'c')] },
    { id: 'one', on: { manual: true }, steps: [row('a', 'one')] },
    { id: 'nap', on: { manual: true }, steps: [{ id: 'rest', sleep: '45s' }, row('rested', 'rested')] },
    { id: 'by_row', on: { entity: 'item', event: 'created' }, steps: [row('one', '{new.text}')] },
    { id: 'sleeper', on: { manual: true }, params: { n: { type: 'integer' } }, steps: [{ id: 'nap', sleep: '9d' }, row('awake', 'awake {input.n}')] },
    { id: 'call', on: { manual: true }, params: { at: { type: 'string' } }, steps: [
      { id: 'ask', http: { method: 'POST', url: `${url}/well` } }, row('called', 'called {input.at}')] },
    { id: 'hang', on: { manual: true }, steps: [{ id: 'ask', http: { method: 'POST', url: `${url}/hang` } }] },
  ],
  seeds: {},
});

export class RunApp {
  agent = new Agent({ keepAlive: true });

  static async start(url) {
    const app = new RunApp();
    app.stack = await Stack.start({ SVC_RATE_SERVER: '0' });
    await app.stack.signIn();
    app.project = await app.stack.project('Runs');
    app.url = url;
    await app.apply('Runs');
    app.admin = administrator(app.stack, app.project);
    return app;
  }

  apply(name) { return this.stack.apply(this.project, contract(this.url, name)); }

  // As an app's own server does it, over connections that it keeps; the text is one of its own.
  write(text) { return this.post('api/v1/item', { text }, 201); }
  startOne(workflow, input) { return this.post(`runtime/workflows/${workflow}/run`, { input }, 202); }
  async post(path, body, expected) {
    const headers = { host: `preview-${this.project.slug}.localhost`, authorization: `Bearer ${this.project.server}`, 'x-svc-data-api': '1' };
    const { status, text } = await request({ port: this.stack.port, method: 'POST', path: `/__svc/${path}`, headers, body, agent: this.agent });
    if (status !== expected) throw new Error(text);
  }

  get server() { return appServers(this.project)[0]; }
  memory() { return memoryMiB(this.server.pid); }
  cpu() { return cpuMicros(this.server.pid); }
  psql(sql) { return psql(this.admin, sql); }
  number(sql) { return this.psql(sql).then(Number); }
  // In the database: no server hears of it before it looks.
  begin(workflow, n, input = "'{}'") { return this.psql(`select count(svc.start_run('${workflow}', ${input}::jsonb, '{"kind": "manual"}')) from generate_series(1, ${n}) n`); }

  // Runs a second, from the statement that starts them to the end of the last one. The last one is started at the server,
  // which knows of it at once, as of every run that somebody starts.
  async drain(n) {
    const sql = new Sql(this.admin);  // a connection for each question would cost much of what is measured
    try {
      await sql.run('select 1');
      const from = performance.now();
      await this.begin('three', n - 1);
      await this.startOne('three', {});
      await seldom(`${n} runs`, () => sql.json("select (not exists (select from svc.run where due_at is not null and workflow = 'three'))::text"));
      return n / (performance.now() - from) * 1000;
    } finally {
      sql.close();
    }
  }

  stop() {
    this.agent.destroy();
    return this.stack.stop();
  }
}
