// An app with webhooks, and how its tests talk to it.
import { createServer } from 'node:http';
import { databaseOf, sql } from '../lib/admin_sql.mjs';
import { Stack, until } from '../lib/stack.mjs';

const origin = 'http://app.test';

const contract = (more) => ({
  app: { name: 'Hooked' },
  personas: [{ id: 'member', kind: 'consumer', signup: true }, { id: 'clerk', kind: 'staff' }],
  entities: [
    {
      name: 'parcel',
      fields: [
        { name: 'label', type: 'text' }, { name: 'open', type: 'boolean', default: true },
        { name: 'note', type: 'text', read: ['clerk'] },
      ],
      access: { read: ['clerk', { to: 'server', if: 'open' }], create: ['clerk', 'server'], update: ['clerk', 'server'], delete: ['clerk', 'server'] },
    },
    { name: 'diary', fields: [{ name: 'text', type: 'text' }], access: { read: 'clerk', create: ['clerk', 'server'] } },
  ],
  seeds: { '@users': [
    { _key: 'root', email: 'root@example.test', name: 'Root', persona: 'clerk', isAdmin: true },
    { _key: 'ann', email: 'ann@example.test', name: 'Ann', persona: 'member' },
  ] },
  ...more,
});

export class World {
  static async start({ secrets = {}, more = {}, env } = {}) {
    const world = new World();
    world.stack = await Stack.start(env);
    try {
      await world.stack.signIn();
      world.project = await world.stack.project('Hooked');
      for (const [name, value] of Object.entries(secrets)) await world.setSecret(name, value);
      await world.apply(more);
      world.host = `preview-${world.project.slug}.localhost`;
    } catch (error) {
      await world.stop();
      throw error;
    }
    return world;
  }

  apply(more) { return this.stack.apply(this.project, contract(more)); }
  async setSecret(name, value) {
    const answer = await this.stack.dev('PUT', `/projects/${this.project.id}/secrets/${name}`, { value });
    if (answer.status > 201) throw new Error(answer.text);
  }

  // `as`: a session's token; `key`: null sends none.
  call(method, path, body, { as, key = this.project.browser, headers = {} } = {}) {
    const all = { ...headers };
    if (key) Object.assign(all, { authorization: `Bearer ${key}`, origin, 'x-svc-data-api': '1' });
    if (as) all['x-svc-app-session'] = as;
    return this.stack.fetch(method, `/__svc${path}`, { headers: all, body, host: this.host });
  }
  server(method, path, body) { return this.call(method, path, body, { key: this.project.server }); }

  // Sends a call as another service, to its address.
  hook(name, body, headers = {}) {
    return this.stack.fetch('POST', `/hooks/${this.project.id}/${name}`, { headers, body });
  }

  // Signs in without a password, as who builds the app may.
  async demo(as) {
    const { json } = await this.stack.dev('POST', `/projects/${this.project.id}/sign-in`, { as }, { expect: 200 });
    const token = new URL(json.url).searchParams.get('token');
    const answer = await this.call('GET', `/auth/magic/consume?token=${token}`, undefined, { headers: { accept: 'application/json' } });
    return answer.json;
  }

  sql(text) { return sql(this.stack, databaseOf(this.project), text); }
  // The one value of a statement, which is JSON.
  json(text) { return JSON.parse(this.sql(`select to_jsonb(x)::text from (${text}) as y(x)`)[0][0]); }
  stop() { return this.stack?.stop(); }
}

// A receiver of another service: it records requests and gives prepared answers. An answer that is a promise is sent
// when it resolves.
export class Receiver {
  static async start(answer = () => ({ status: 200 })) {
    const receiver = new Receiver();
    receiver.answer = answer;
    receiver.server = createServer((request, reply) => {
      const pieces = [];
      request.on('data', (piece) => pieces.push(piece));
      request.on('end', async () => {
        const text = Buffer.concat(pieces).toString('utf8');
        const call = { path: request.url, headers: request.headers, text, body: JSON.parse(text), method: request.method };
        receiver.calls.push(call);
        const { status, headers = {}, body = '' } = await receiver.answer(call, receiver.calls.length);
        reply.writeHead(status, headers).end(body);
      });
    });
    await new Promise((done) => receiver.server.listen(0, '127.0.0.1', done));
    receiver.url = `http://127.0.0.1:${receiver.server.address().port}`;
    return receiver;
  }

  calls = [];

  async first(count, path) {
    const here = () => this.calls.filter((call) => !path || call.path === path);
    await until(`${count} calls, of which came ${here().length}`, () => here().length >= count, 30000);
    return here();
  }

  stop() {
    this.server.closeAllConnections();
    return new Promise((done) => this.server.close(done));
  }
}
