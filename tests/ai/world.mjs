// An app that asks models, and how its tests talk to it.
import http from 'node:http';
import { App } from '../lib/app.mjs';
import { databaseOf, sql } from '../lib/admin_sql.mjs';
import { Stack, until } from '../lib/stack.mjs';

export const contract = (ai, more = {}) => ({
  app: { name: 'Asking' },
  personas: [{ id: 'member', kind: 'consumer', signup: true }],
  entities: [{ name: 'note', fields: [{ name: 'text', type: 'text' }, { name: 'data', type: 'json' }], access: { read: '*', create: '*' } }],
  seeds: {},
  ...(ai ? { ai } : {}),
  ...more,
});

export class World {
  static async start(provider, ai, more) {
    const world = new World();
    world.stack = await Stack.start();
    try {
      await world.stack.signIn();
      world.project = await world.stack.project('Asking');
      world.provider = provider;
      if (provider) await world.secret('AI_BASE_URL', provider.url);
      if (provider) await world.secret('AI_API_KEY', 'sk-test-key-of-ours');
      await world.apply(ai, more);
      world.app = new App(world.stack, world.project);
    } catch (error) {
      await world.stop();
      throw error;
    }
    return world;
  }

  async apply(ai, more) { return this.stack.apply(this.project, contract(ai, more)); }
  async secret(name, value, more = {}) {
    const answer = await this.stack.dev('PUT', `/projects/${this.project.id}/secrets/${name}`, { value, ...more });
    if (answer.status > 201) throw new Error(answer.text);
  }
  async unset(name) { await this.stack.dev('DELETE', `/projects/${this.project.id}/secrets/${name}`, undefined, { expect: 200 }); }
  async key(more) {
    const body = { name: `k${Math.random()}`, kind: 'server', origins: [], ...more };
    const { json } = await this.stack.dev('POST', `/projects/${this.project.id}/keys`, body, { expect: 201 });
    return { authorization: `Bearer ${json.key}` };
  }

  chat(body, headers = this.app.server()) { return this.app.fetch(headers, 'POST', 'ai/chat', { messages: [{ role: 'user', content: 'Hello?' }], ...body }); }
  embed(texts, headers = this.app.server()) { return this.app.fetch(headers, 'POST', 'ai/embed', { texts }); }
  // A stream as it comes. `from`: an address of this machine.
  stream(body = {}, headers = this.app.server(), from = '127.0.0.1') {
    return Talk.open({ from, port: this.stack.port, host: this.app.host, headers, body: { messages: [{ role: 'user', content: 'Hello?' }], ...body } });
  }

  sql(text) { return sql(this.stack, databaseOf(this.project), text); }
  calls() {
    return this.sql('select coalesce(account_id::text, \'\'), source, kind, model, status, prompt_tokens, completion_tokens, reserved, estimated, error from svc.ai_call order by id')
      .map(([account, source, kind, model, status, prompt, completion, reserved, estimated, error]) => ({
        account, source, kind, model, status, prompt: Number(prompt), completion: Number(completion), reserved: Number(reserved), estimated: estimated === 't', error,
      }));
  }
  async settled(count) {
    await until('calls to be settled', () => this.calls().length >= count && this.calls().every(({ status }) => status !== 'running'), 30000);
    return this.calls();
  }
  spent(who = 'project') {
    const [row] = this.sql(`select spent, reserved from svc.ai_day where who = '${who}' order by day desc limit 1`);
    return row ? { spent: Number(row[0]), reserved: Number(row[1]) } : { spent: 0, reserved: 0 };
  }
  forget() { this.sql('delete from svc.ai_call; delete from svc.ai_day'); }
  async stop() { await this.stack?.stop(); }
}

// A POST that is answered by a stream of data lines.
export class Talk {
  static open({ from, port, host, headers, body }) {
    const talk = new Talk();
    const text = JSON.stringify(body);
    return new Promise((done, fail) => {
      const all = { ...headers, host, 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) };
      talk.request = http.request({ host: '127.0.0.1', localAddress: from, port, method: 'POST', path: '/__svc/ai/chat', headers: all, agent: false }, (answer) => {
        Object.assign(talk, { status: answer.statusCode, headers: answer.headers, text: '' });
        answer.setEncoding('utf8').on('data', (piece) => { talk.text += piece; });
        answer.on('error', () => {}).on('close', () => { talk.ended = true; });
        done(talk);
      });
      talk.request.on('error', fail);
      talk.request.end(text);
    });
  }

  get frames() { return [...this.text.matchAll(/^data: (.*)$/gm)].map(([, data]) => (data === '[DONE]' ? data : JSON.parse(data))); }
  get words() { return this.frames.filter(({ type }) => type === 'text_delta').map(({ data }) => data).join(''); }
  async first(count) {
    if (this.status !== 200) throw new Error(`no stream: ${this.status} ${await this.whole()}`);
    return until(`${count} frames`, () => this.frames.length >= count, 30000);
  }
  async whole() {
    await until('the stream to end', () => this.ended, 90000);
    return this.text;
  }
  async end() {
    await this.whole();
    return this.frames;
  }
  leave() { this.request.destroy(); }
}
