// An app that keeps whatever it is given, for tests of what it may be given.
import { Agent } from 'node:http';
import { request } from '../lib/http.mjs';
import { Stack } from '../lib/stack.mjs';

const contract = {
  app: { name: 'Notes' },
  personas: [{ id: 'member', kind: 'consumer' }],
  entities: [{
    name: 'note', owner: 'none', search: ['body'],
    fields: [{ name: 'body', type: 'text' }, { name: 'labels', type: 'tags' }, { name: 'data', type: 'json' }],
    access: { read: '*', create: '*', update: '*', delete: '*' },
  }],
  seeds: {},
};

export class Notes {
  static async start() {
    const notes = new Notes();
    notes.agent = new Agent({ keepAlive: true, maxSockets: 4 });
    notes.stack = await Stack.start();
    await notes.stack.signIn();
    notes.project = await notes.stack.project('Notes');
    await notes.stack.apply(notes.project, contract);
    return notes;
  }

  // `path` is a part of a URL; `body` text, bytes or a value.
  call(method, path, { body, headers = {} } = {}) {
    const all = { authorization: `Bearer ${this.project.server}`, 'x-svc-data-api': '1', host: `preview-${this.project.slug}.localhost`, ...headers };
    return request({ port: this.stack.port, method, path: `/__svc/api/v1${path}`, headers: all, body, agent: this.agent });
  }

  list(params) {
    return this.call('GET', `/note?${new URLSearchParams(Object.entries(params).map(([key, value]) => [key, typeof value === 'object' ? JSON.stringify(value) : value]))}`);
  }

  async stop() {
    this.agent.destroy();
    await this.stack?.stop();
  }
}
