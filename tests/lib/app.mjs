// An app of a stack as its callers see it: the headers of each of them, calls, and event streams, which close() ends.
import assert from 'node:assert/strict';
import { Events } from './events.mjs';
import { signUp } from './scenarios.mjs';

const data = { 'x-svc-data-api': '1' };

export class App {
  streams = [];

  constructor(stack, project) {
    this.stack = stack;
    this.project = project;
    this.host = `preview-${project.slug}.localhost`;
  }

  // Callers, as headers.
  browser() { return { authorization: `Bearer ${this.project.browser}`, origin: 'http://app.test' }; }
  as(person) { return { ...this.browser(), 'x-svc-app-session': person.token }; }
  server() { return { authorization: `Bearer ${this.project.server}` }; }
  staff(role) { return { ...this.server(), 'x-svc-app-role': role }; }

  signUp(name, persona) { return signUp(this.stack, this.project, this.host, name, persona); }

  // `path` below /__svc/.
  fetch(headers, method, path, body) {
    return this.stack.fetch(method, `/__svc/${path}`, { headers: { ...headers, ...data }, host: this.host, body });
  }
  async call(headers, method, path, body, status = 200) {
    const answer = await this.fetch(headers, method, path, body);
    assert.equal(answer.status, status, answer.text);
    return answer;
  }
  // The row that was written, if there is one.
  async write(headers, method, path, body, status) {
    return (await this.call(headers, method, `api/v1/${path}`, body, status)).json.rows?.[0];
  }
  publish(headers, topic, payload) { return this.call(headers, 'POST', `topics/${topic}/publish`, { payload }); }

  // `path` below /__svc/topics/; `at`: another address of the app.
  async listen(path, headers, at = { port: this.stack.port, host: this.host }) {
    const host = at.host ? { host: at.host } : {};
    const events = await Events.open({ port: at.port, path: `/__svc/topics/${path}`, headers: { ...host, ...headers } });
    this.streams.push(events);
    return events;
  }

  close() {
    for (const events of this.streams) events.close();
  }
}
