// An app with every kind of account in it, and how tests talk to it.
import assert from 'node:assert/strict';
import { Stack, sample } from '../lib/stack.mjs';

export const origin = 'http://app.test';
export const password = 'a long enough secret';

// The clinic has organisations; its sign-in settings and personas are the tests' own.
export function contract(change = () => {}) {
  const out = {
    app: { name: 'Accounts & more' },
    personas: [
      { id: 'member', kind: 'consumer', signup: true },
      { id: 'clerk', kind: 'staff', label: 'Clerk' },
      { id: 'keeper', kind: 'staff', mfa: 'required' },
    ],
    auth: { signup: 'open', methods: ['password', 'magic'], password: { refuseCommon: true } },
    orgs: { enabled: true, roles: ['owner', 'admin', 'guest_worker'] },
    entities: [
      {
        name: 'note', owner: 'org', fields: [{ name: 'text', type: 'text', required: true }],
        access: {
          read: [{ to: 'signed_in', if: 'member(org_id)' }],
          create: ['org:owner', 'org:admin'],
          delete: 'org:owner',
        },
      },
      { name: 'diary', fields: [{ name: 'text', type: 'text' }], access: { read: { to: 'signed_in', if: 'user_id == user.id' }, create: 'signed_in' } },
    ],
    seeds: {
      '@users': [
        { _key: 'root', email: 'root@example.test', name: 'Root', persona: 'clerk', isAdmin: true },
        { _key: 'ann', email: 'ann@example.test', name: 'Ann', persona: 'member' },
      ],
    },
  };
  change(out);
  return out;
}

export class World {
  static async start({ change, env } = {}) {
    const world = new World();
    world.stack = await Stack.start({ SVC_RATE_MAIL: '1000', ...env });
    try {
      await world.stack.signIn();
      await world.add('Accounts', contract(change));
    } catch (error) {
      await world.stop();
      throw error;
    }
    return world;
  }

  async add(name, text) {
    this.project = await this.stack.project(name);
    await this.stack.apply(this.project, text);
    this.host = `preview-${this.project.slug}.localhost`;
  }

  // `as`: a session's token; `key`: null sends none.
  call(method, path, body, { as, key = this.project.browser, headers = {} } = {}) {
    const all = { ...headers };
    if (key) Object.assign(all, { authorization: `Bearer ${key}`, origin, 'x-svc-data-api': '1' });
    if (as) all['x-svc-app-session'] = as;
    return this.stack.fetch(method, `/__svc${path}`, { headers: all, body, host: this.host });
  }

  async mails(to) {
    const query = to ? `?to=${encodeURIComponent(to)}` : '';
    return (await this.stack.dev('GET', `/projects/${this.project.id}/mail${query}`, undefined, { expect: 200 })).json.mails;
  }

  // The token of the newest mail to this address.
  async mailedToken(to) {
    const [mail] = await this.mails(to);
    return mail && new URL(mail.links[0]).searchParams.get('token');
  }

  signUp(email, more = {}) { return this.call('POST', '/auth/signup', { email, password, ...more }); }
  login(email, secret = password) { return this.call('POST', '/auth/login', { email, password: secret }); }

  // Its owner says that the sign-up was theirs.
  async prove(email) {
    await this.call('POST', '/auth/verify/request', { email });
    await this.call('GET', `/auth/verify/confirm?token=${await this.mailedToken(email)}`, undefined, { key: null });
  }

  // Signs in without a password, as who builds the app may.
  async demo(as) {
    const { json } = await this.stack.dev('POST', `/projects/${this.project.id}/sign-in`, { as }, { expect: 200 });
    const token = new URL(json.url).searchParams.get('token');
    const answer = await this.call('GET', `/auth/magic/consume?token=${token}`, undefined, { headers: { accept: 'application/json' } });
    return answer.json;
  }

  stop() { return this.stack?.stop(); }
}

// The answer is a refusal of this status and code.
export function refused(answer, status, code) {
  assert.equal(answer.status, status, answer.text);
  assert.equal(answer.json.error.code, code, answer.text);
}

export const json = { accept: 'application/json' };
