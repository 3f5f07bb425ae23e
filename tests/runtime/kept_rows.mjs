// An app that keeps deleted rows and what happened to rows, three people of it, and how to call it.
import assert from 'node:assert/strict';
import { databaseOf, sql as query } from '../faults/whole.mjs';
import { signUp } from '../lib/scenarios.mjs';
import { Stack } from '../lib/stack.mjs';

export const marker = { 'x-svc-data-api': '1' };
export const contract = (change = (it) => it) => change({
  app: { name: 'Kept' },
  personas: [{ id: 'member', kind: 'consumer', signup: true }, { id: 'clerk', kind: 'staff' }],
  auth: { signup: 'open' },
  entities: [
    { name: 'folder', owner: 'user', softDelete: { keep: '30d' }, audit: true,
      fields: [{ name: 'title', type: 'string', required: true, unique: true },
        { name: 'budget', type: 'money', read: ['clerk'], write: ['clerk'] },
        { name: 'opened', type: 'datetime' },
        { name: 'shout', type: 'string', computed: 'upper(title)' },
        { name: 'number', type: 'sequence', prefix: 'F-' }],
      search: ['title'],
      relations: { papers: { many: 'paper', by: 'folder_id' } },
      lifecycle: { field: 'status', initial: 'open', states: ['open', 'shut'],
        transitions: [{ name: 'shut', from: 'open', to: 'shut', by: ['member', 'clerk'] }] },
      access: { read: [{ to: 'member', if: 'user_id == user.id' }, 'clerk', 'server'], create: ['member', 'clerk', 'server'],
        update: [{ to: 'member', if: 'user_id == user.id' }, 'clerk', 'server'],
        delete: [{ to: 'member', if: "user_id == user.id && status == 'open'" }, 'server'] } },
    { name: 'paper', owner: 'none', softDelete: true,
      fields: [{ name: 'folder_id', type: 'ref', to: 'folder', required: true, onDelete: 'cascade' },
        { name: 'text', type: 'text' }],
      access: { read: ['member', 'clerk', 'server'], create: ['member', 'clerk', 'server'], update: ['clerk', 'server'], delete: ['member', 'clerk', 'server'] } },
    { name: 'mark', owner: 'none', softDelete: true,
      fields: [{ name: 'paper_id', type: 'ref', to: 'paper', required: true, onDelete: 'cascade' },
        { name: 'beside_id', type: 'ref', to: 'folder', onDelete: 'cascade' }, { name: 'ink', type: 'string' }],
      rules: [{ on: ['create'], refuse: "new.ink == 'red'", message: 'No red ink.' }],
      access: { read: ['*'], create: ['*'], update: ['*'], delete: ['*'] } },
    { name: 'stamp', owner: 'none', softDelete: true, unique: [['paper_id', 'ink']],
      fields: [{ name: 'paper_id', type: 'ref', to: 'paper', onDelete: 'null' }, { name: 'ink', type: 'string' },
        { name: 'folder_id', type: 'ref', to: 'folder', onDelete: 'restrict' }],
      rules: [{ on: ['create', 'update'], refuse: "new.ink == 'red'", message: 'No red ink.' }],
      access: { read: ['*'], create: ['*'], update: ['*'], delete: ['*'] } },
  ],
  queries: [{ name: 'papers', allow: ['end_user'], sql: 'select p.id, f.title from folder f left join paper p on p.folder_id = f.id order by f.title' }],
  seeds: {},
});

// The row of an answer that must be good.
export const one = async (answer) => {
  const it = await answer;
  assert.ok(it.status < 300, it.text ?? JSON.stringify(it.json));
  return it.json.rows[0];
};

export class KeptRows {
  static async start() {
    const world = new KeptRows();
    world.stack = await Stack.start();
    try {
      await world.stack.signIn();
      world.app = await world.stack.project('Kept');
      await world.stack.apply(world.app, contract());
      await world.people();
    } catch (error) {
      await world.stop();
      throw error;
    }
    return world;
  }

  async stop() { await this.stack.stop(); }

  // ann and bob are members; admin is a member who is an administrator.
  async people() {
    this.host = `preview-${this.app.slug}.localhost`;
    const browser = { authorization: `Bearer ${this.app.browser}`, origin: 'http://app.test' };
    const person = async (name) => {
      const { token, id } = await signUp(this.stack, this.app, this.host, `${name}.kept`, 'member');
      return { ...browser, ...marker, 'x-svc-app-session': token, id };
    };
    [this.ann, this.bob, this.admin] = [await person('ann'), await person('bob'), await person('root')];
    this.sql(`update svc.account set is_admin = true where id = '${this.admin.id}'`);
    const login = await this.stack.fetch('POST', '/__svc/auth/login', { host: this.host, headers: browser,
      body: { email: this.sql(`select email from svc.account where id = '${this.admin.id}'`), password: 'root.kept has a password' } });
    assert.equal(login.status, 200, login.text);
    this.admin['x-svc-app-session'] = login.json.token;
  }

  server = () => ({ authorization: `Bearer ${this.app.server}`, ...marker });
  clerk = () => ({ ...this.server(), 'x-svc-app-role': 'clerk' });
  call = (as, method, path, body, headers = {}) => {
    const { id: _id, ...own } = as;
    return this.stack.fetch(method, `/__svc${path}`, { headers: { ...own, ...headers }, host: this.host, body });
  };
  sql = (text) => query(this.stack, databaseOf(this.app), text).map((row) => row.join('|')).join('\n');
}
