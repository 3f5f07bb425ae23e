// A shop whose orders are paid, its card provider, and how tests talk to both.
import { randomUUID } from 'node:crypto';
import { databaseOf, sql } from '../lib/admin_sql.mjs';
import { Stack, appServers, until } from '../lib/stack.mjs';
import { Provider, secretKey, webhookSecret } from './provider.mjs';

const origin = 'http://app.test';

export const contract = ({ app = {}, price = { type: 'money', read: ['clerk'] }, payments = {}, more = {} } = {}) => ({
  app: { name: 'Paid Shop', currency: 'eur', ...app },
  personas: [{ id: 'customer', kind: 'consumer', signup: true }, { id: 'clerk', kind: 'staff' }],
  entities: [
    { name: 'product', owner: 'none', fields: [{ name: 'title', type: 'string', required: true }, { name: 'price', ...price }],
      access: { read: ['*'], create: ['clerk', 'server'], update: ['clerk', 'server'] } },
    { name: 'order', owner: 'user', fields: [{ name: 'note', type: 'text' }], relations: { lines: { many: 'order_line', by: 'order_id' } },
      access: { read: [{ to: 'customer', if: 'user_id == user.id' }, 'clerk'], create: 'customer', update: [{ to: 'customer', if: 'user_id == user.id' }],
        delete: [{ to: 'customer', if: 'user_id == user.id' }] } },
    { name: 'order_line', owner: 'parent:order_id', access: { same_as: 'order_id' },
      fields: [{ name: 'order_id', type: 'ref', to: 'order', required: true, onDelete: 'cascade' }, { name: 'product_id', type: 'ref', to: 'product', required: true },
        { name: 'quantity', type: 'number', default: 1 }, { name: 'gift', type: 'boolean' }] },
    { name: 'receipt', owner: 'none', fields: [{ name: 'outcome', type: 'string' }, { name: 'order_id', type: 'uuid' }, { name: 'amount', type: 'integer' }],
      access: { read: ['clerk'] } },
  ],
  payments: { order: 'order', lines: 'order_line', link: 'order_id', quantity: 'quantity', item: 'product_id', price: 'price', settle: 'clerk', ...payments },
  workflows: ['paid', 'failed'].map((outcome) => ({
    id: `on_${outcome}`, on: { payment: outcome },
    steps: [{ id: 'keep', create: { entity: 'receipt', data: { outcome, order_id: '{new.id}', amount: '{input.payment.amount_cents}' } } }],
  })),
  seeds: { '@users': [
    { _key: 'ann', email: 'ann@example.test', name: 'Ann', persona: 'customer' }, { _key: 'bob', email: 'bob@example.test', name: 'Bob', persona: 'customer' },
    { _key: 'kim', email: 'kim@example.test', name: 'Kim', persona: 'clerk' },
  ] },
  ...more,
});

export class World {
  static async start({ connected = true, env, ...shape } = {}) {
    const world = new World();
    world.provider = await Provider.start();
    world.stack = await Stack.start(env);
    try {
      await world.stack.signIn();
      world.project = await world.stack.project('Paid Shop');
      if (connected) await world.connect();
      await world.stack.apply(world.project, contract(shape));
      world.host = `preview-${world.project.slug}.localhost`;
      for (const name of ['ann', 'bob', 'kim']) world[name] = (await world.demo(`${name}@example.test`)).token;
    } catch (error) {
      await world.stop();
      throw error;
    }
    return world;
  }

  async connect() {
    await this.setSecret('CARD_API_BASE', this.provider.url);
    await this.setSecret('CARD_SECRET_KEY', secretKey);
    await this.setSecret('CARD_WEBHOOK_SECRET', webhookSecret);
  }
  async setSecret(name, value) {
    const answer = await this.stack.dev('PUT', `/projects/${this.project.id}/secrets/${name}`, { value });
    if (answer.status > 201) throw new Error(answer.text);
  }

  get home() { return `http://${this.host}:${this.stack.port}/thanks`; }

  // `as`: a session's token; `key`: null sends none.
  call(method, path, body, { as = this.ann, key = this.project.browser, headers = {} } = {}) {
    const all = { ...headers };
    if (key) Object.assign(all, { authorization: `Bearer ${key}`, origin, 'x-svc-data-api': '1' });
    if (as) all['x-svc-app-session'] = as;
    return this.stack.fetch(method, `/__svc${path}`, { headers: all, body, host: this.host });
  }
  server(method, path, body, headers) { return this.call(method, path, body, { key: this.project.server, as: null, headers }); }
  hook({ body, headers }) { return this.stack.fetch('POST', `/hooks/${this.project.id}/card`, { body, headers }); }

  async demo(as) {
    const { json } = await this.stack.dev('POST', `/projects/${this.project.id}/sign-in`, { as }, { expect: 200 });
    const token = new URL(json.url).searchParams.get('token');
    const answer = await this.call('GET', `/auth/magic/consume?token=${token}`, undefined, { as: null, headers: { accept: 'application/json' } });
    return answer.json;
  }

  async create(table, row, how = {}) {
    const answer = await this.call('POST', `/api/v1/${table}`, row, how);
    if (answer.status !== 201) throw new Error(answer.text);
    return answer.json.rows[0].id;
  }
  product(price, title = 'Tea') { return this.create('product', { title, price }, { as: this.kim }); }
  // An order of Ann's: [price, quantity] of each line.
  async order(...lines) {
    const id = await this.create('order', { note: randomUUID() });
    for (const [price, quantity] of lines) await this.create('order_line', { order_id: id, product_id: await this.product(price), quantity });
    return id;
  }

  checkout(id, more = {}, how) { return this.call('POST', '/pay/checkout', { table: 'order', id, ...more }, how); }
  card(id, more = {}, how) { return this.checkout(id, { method: 'card', returnUrl: this.home, ...more }, how); }
  confirm(id, how) { return this.call('POST', '/pay/confirm', { table: 'order', id }, how); }
  settle(id, how = { as: this.kim }) { return this.call('POST', '/pay/settle', { table: 'order', id }, how); }
  async paymentOf(id, how) { return (await this.call('GET', `/pay/for/order/${id}`, undefined, how)).json.payment; }
  // A card checkout that went well: the session's id.
  async opened(id) {
    const answer = await this.card(id);
    if (answer.json?.status !== 'processing') throw new Error(answer.text);
    return this.provider.idOf(answer.json.url);
  }

  sql(text) { return sql(this.stack, databaseOf(this.project), text); }
  json(text) { return JSON.parse(this.sql(`select to_jsonb(x)::text from (${text}) as y(x)`)[0][0]); }
  count(text) { return Number(this.sql(`select count(*) from ${text}`)[0][0]); }
  // The runs that outcomes of this order started.
  events(id) { return this.sql(`select r.workflow from svc.run r join svc.payment p on p.id::text = r.trigger ->> 'payment' where p.order_id = '${id}' order by 1`).map(([name]) => name); }
  // The poller's time has come.
  pollNow(id) { this.sql(`update svc.payment set poll_at = now() where order_id = '${id}' and status = 'processing'`); }
  becomes(id, status) { return until(`the payment of ${id} to be ${status}`, async () => (await this.paymentOf(id))?.status === status, 60000); }
  servers() { return appServers(this.project); }
  async stop() {
    await this.stack?.stop();
    await this.provider?.stop();
  }
}

export const codeOf = ({ status, json }) => `${status} ${json?.error?.code ?? ''}`.trim();
