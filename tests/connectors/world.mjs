// An app with connectors, and how its tests talk to it.
import { App } from '../lib/app.mjs';
import { databaseOf, sql } from '../lib/admin_sql.mjs';
import { Stack } from '../lib/stack.mjs';

export const contract = (connectors, more = {}) => ({
  app: { name: 'Joined' },
  personas: [{ id: 'member', kind: 'consumer', signup: true }, { id: 'clerk', kind: 'staff' }],
  entities: [{ name: 'note', fields: [{ name: 'text', type: 'text' }, { name: 'data', type: 'json' }], access: { read: '*', create: '*' } }],
  seeds: {},
  connectors,
  ...more,
});

export class World {
  static async start(connectors, { secrets = {}, more } = {}) {
    const world = new World();
    world.stack = await Stack.start();
    try {
      await world.stack.signIn();
      world.project = await world.stack.project('Joined');
      for (const [name, value] of Object.entries(secrets)) await world.secret(name, value);
      await world.apply(connectors, more);
      world.app = new App(world.stack, world.project);
    } catch (error) {
      await world.stop();
      throw error;
    }
    return world;
  }

  apply(connectors, more) { return this.stack.apply(this.project, contract(connectors, more)); }
  async secret(name, value, more = {}) {
    const answer = await this.stack.dev('PUT', `/projects/${this.project.id}/secrets/${name}`, { value, ...more });
    if (answer.status > 201) throw new Error(answer.text);
  }
  async key(more) {
    const body = { name: `k${Math.random()}`, kind: 'server', origins: [], ...more };
    const { json } = await this.stack.dev('POST', `/projects/${this.project.id}/keys`, body, { expect: 201 });
    return { authorization: `Bearer ${json.key}` };
  }
  act(name, props, headers = this.app.server()) { return this.app.fetch(headers, 'POST', `connector-proxy/${name}`, { props }); }
  tool(name, props, headers) { return this.act(`mcp/${name}`, props, headers); }
  get(path, headers = this.app.server()) { return this.app.fetch(headers, 'GET', `connector-proxy/${path}`); }

  sql(text) { return sql(this.stack, databaseOf(this.project), text); }
  calls() {
    return this.sql('select coalesce(account_id::text, \'\'), source, kind, target, status, coalesce(http::text, \'\'), error from svc.connector_call order by id')
      .map(([account, source, kind, target, status, http, error]) => ({ account, source, kind, target, status, http, error: error ?? '' }));
  }
  async stop() { await this.stack?.stop(); }
}
