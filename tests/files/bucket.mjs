// A store that speaks S3 (the npm package s3rver), and a line to it that breaks when a test asks for it.
import http from 'node:http';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packages } from '../lib/npm.mjs';

const S3rver = packages(dirname(fileURLToPath(import.meta.url)))('s3rver');
const suffix = '._S3rver_object';

export class Bucket {
  static async start(name = 'uploads') {
    const bucket = new Bucket();
    bucket.name = name;
    bucket.folder = mkdtempSync(join(tmpdir(), 'svc-bucket-'));
    bucket.store = new S3rver({ address: '127.0.0.1', port: 0, silent: true, directory: bucket.folder, configureBuckets: [{ name }] });
    bucket.behind = (await bucket.store.run()).port;
    bucket.calls = [];
    bucket.trouble = () => undefined;
    bucket.line = http.createServer((call, answer) => bucket.#pass(call, answer));
    await bucket.listen(0);
    bucket.port = bucket.line.address().port;
    return bucket;
  }

  // The settings of svcd. The store knows this account alone.
  get settings() {
    return { S3_ENDPOINT: `http://127.0.0.1:${this.port}`, S3_BUCKET: this.name, S3_ACCESS_KEY: 'S3RVER', S3_SECRET_KEY: 'S3RVER' };
  }

  // Each call is kept. `trouble` may say what becomes of one: a status, 'silence', 'break', or how many bytes of the answer come;
  // or a function that is called with the whole body of an answer, and gives another.
  async #pass(call, answer) {
    this.calls.push({ method: call.method, path: call.url });
    const trouble = await this.trouble(call);
    if (trouble === 'silence') return call.resume();
    if (trouble === 'break') return call.destroy();
    if (typeof trouble === 'number' && trouble >= 500) {
      call.resume();
      answer.writeHead(trouble, { 'content-type': 'application/xml' });
      return answer.end('<Error><Code>SlowDown</Code><Message>Reduce your request rate.</Message></Error>');
    }
    const on = http.request({ host: '127.0.0.1', port: this.behind, method: call.method, path: call.url, headers: call.headers, agent: false });
    on.on('error', () => answer.destroy());
    call.on('error', () => on.destroy());
    on.on('response', (came) => {
      const pieces = [];
      came.on('data', (piece) => pieces.push(piece));
      came.on('end', () => {
        const whole = Buffer.concat(pieces);
        const { 'transfer-encoding': _encoding, ...headers } = came.headers;
        const body = typeof trouble === 'function' ? Buffer.from(trouble(whole.toString())) : whole;
        if (call.method !== 'HEAD') headers['content-length'] = body.length;
        answer.writeHead(came.statusCode, headers);
        if (typeof trouble === 'number') answer.write(body.subarray(0, trouble), () => answer.destroy());
        else answer.end(body);
      });
    });
    call.pipe(on);
  }

  // What is stored: {<key>: <bytes>}.
  sizes() {
    const root = join(this.folder, this.name);
    return Object.fromEntries(readdirSync(root, { recursive: true })
      .filter((name) => name.endsWith(suffix))
      .map((name) => [name.slice(0, -suffix.length), statSync(join(root, name)).size]));
  }
  path(key) { return join(this.folder, this.name, `${key}${suffix}`); }

  listen(port = this.port) { return new Promise((done) => this.line.listen(port, '127.0.0.1', done)); }
  // Nobody listens until listen().
  async leave() {
    const left = new Promise((done) => this.line.close(done));
    this.line.closeAllConnections();
    await left;
  }

  async stop() {
    if (this.line.listening) await this.leave();
    await this.store.close();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
