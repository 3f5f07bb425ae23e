// Queues and engines of others on the PostgreSQL that the app has, each in a database of its own.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { psql, seldom } from './lib.mjs';

// libpq's words as a URL: what Node's clients take.
export function urlOf(words, database) {
  const { host, user, password } = Object.fromEntries([...words.matchAll(/(\w+)='([^']*)'/g)].map(([, key, text]) => [key, text]));
  return `postgresql://${user}:${encodeURIComponent(password)}@localhost/${database}?host=${encodeURIComponent(host)}`;
}

export class Peer {
  // `name`: of peer.mjs. `folder`: where its packages were installed.
  static async start(folder, admin, name) {
    const peer = new Peer();
    const database = `bench_${name}`;
    await psql(admin, `create database ${database}`);
    peer.name = name;
    peer.admin = admin.replace(/dbname='[^']*'/, `dbname='${database}'`);
    await psql(peer.admin, 'create table bench_row (id bigint generated always as identity primary key, text text, created_at timestamptz not null default clock_timestamp())');
    peer.child = spawn(process.execPath, [join(folder, 'runs/peer.mjs'), name], {
      env: { ...process.env, DATABASE_URL: urlOf(admin, database) }, stdio: ['pipe', 'pipe', 'inherit'] });
    peer.ended = new Promise((done) => peer.child.on('exit', done));
    const lines = createInterface({ input: peer.child.stdout });
    await new Promise((done, fail) => {
      lines.on('line', (line) => line === 'ready' && done());
      peer.ended.then(() => fail(new Error(`${name} ended before it was ready`)));
    });
    return peer;
  }

  // Jobs of three inserts a second, from the call that adds them to the last insert.
  async drain(n) {
    const rows = async () => Number(await psql(this.admin, 'select coalesce(max(id), 0) from bench_row'));
    const before = await rows(), from = performance.now();
    this.child.stdin.write(`enqueue ${n}\n`);
    await seldom(`${n} jobs of ${this.name}`, async () => await rows() >= before + 3 * n);
    return n / (performance.now() - from) * 1000;
  }

  async stop() {
    this.child.stdin.end();
    const timer = setTimeout(() => this.child.kill('SIGKILL'), 5000);
    await this.ended;
    clearTimeout(timer);
  }
}
