// An app with files, and how its tests upload and read them: over real sockets, byte by byte where that matters.
import http from 'node:http';
import { join } from 'node:path';
import { databaseOf, sql } from '../lib/admin_sql.mjs';
import { App } from '../lib/app.mjs';
import { Stack } from '../lib/stack.mjs';

const own = { to: 'member', if: 'user_id == user.id' };

export const contract = (more = {}) => ({
  app: { name: 'Filed' },
  personas: [{ id: 'member', kind: 'consumer', signup: true }, { id: 'clerk', kind: 'staff' }],
  entities: [
    {
      name: 'album',
      fields: [
        { name: 'title', type: 'text' }, { name: 'open', type: 'boolean', default: false },
        { name: 'cover', type: 'file' }, { name: 'scan', type: 'file', read: ['clerk'] },
      ],
      access: { read: [own, { to: '*', if: 'open' }, 'clerk'], create: ['member'], update: [own, 'clerk'], delete: [own] },
    },
  ],
  files: { maxSize: '2MB', quota: { perUser: '5MB' } },
  ...more,
});

export class World {
  static async start({ more, env } = {}) {
    const world = new World();
    world.stack = await Stack.start({ SVC_RATE_UPLOAD: '100000', ...env });
    try {
      await world.stack.signIn();
      world.project = await world.stack.project('Filed');
      await world.stack.apply(world.project, contract(more));
      world.app = new App(world.stack, world.project);
      world.folder = join(world.stack.home, 'files', world.project.id, 'dev');
    } catch (error) {
      await world.stop();
      throw error;
    }
    return world;
  }

  async person(name) {
    const person = await this.app.signUp(name, 'member');
    return { ...person, headers: this.app.as(person) };
  }

  // `body`: bytes, or a function that writes to the request. Gives the answer with its bytes.
  send(headers, method, path, body, more = {}) {
    return new Promise((done, fail) => {
      const all = { ...headers, ...more, host: this.app.host };
      if (Buffer.isBuffer(body) && !all['transfer-encoding']) all['content-length'] = body.length;
      const call = http.request({ host: '127.0.0.1', port: this.stack.port, method, path, headers: all, agent: false }, (answer) => {
        const pieces = [];
        answer.on('data', (piece) => pieces.push(piece));
        answer.on('error', fail);
        answer.on('end', () => {
          const bytes = Buffer.concat(pieces);
          let json;
          try { json = JSON.parse(bytes.toString()); } catch { json = undefined; }
          done({ status: answer.statusCode, headers: answer.headers, bytes, text: bytes.toString(), json });
        });
      });
      call.setTimeout(60000, () => call.destroy(new Error(`${method} ${path}: no answer in 60 s`)));
      call.on('error', fail);
      if (typeof body === 'function') body(call);
      else call.end(body);
    });
  }

  sign(person, mime, size) {
    return this.send(person.headers, 'POST', '/__svc/files/sign', Buffer.from(JSON.stringify({ mime, size })), { 'content-type': 'application/json' });
  }
  direct(person, parts, query = '') {
    const { body, type } = multipart(parts);
    return this.send(person.headers, 'POST', `/__svc/files/direct${query}`, body, { 'content-type': type });
  }
  // A whole upload; the answer's JSON.
  async upload(person, bytes, { name = 'a.png', type = 'image/png' } = {}) {
    const answer = await this.direct(person, [{ name: 'file', file: name, type, bytes }]);
    if (answer.status !== 200) throw new Error(`${answer.status} ${answer.text}`);
    return answer.json;
  }
  get(headers, id, query = '', more = {}, method = 'GET') { return this.send(headers, method, `/__svc/files/${id}${query}`, undefined, more); }
  remove(person, id) { return this.send(person.headers, 'DELETE', `/__svc/files/${id}`); }

  sql(text) { return sql(this.stack, databaseOf(this.project), text); }
  stop() { return this.stack?.stop(); }
}

export function multipart(parts, boundary = 'a-boundary') {
  const pieces = parts.flatMap((part) => [
    `--${boundary}\r\nContent-Disposition: form-data; name="${part.name}"${part.file === undefined ? '' : `; filename="${part.file}"`}\r\n`,
    part.type ? `Content-Type: ${part.type}\r\n` : '', '\r\n', part.bytes, '\r\n']);
  const body = Buffer.concat([...pieces, `--${boundary}--\r\n`].map((piece) => Buffer.from(piece)));
  return { body, type: `multipart/form-data; boundary=${boundary}` };
}

// A picture of one pixel, and as many bytes after it as are asked for.
export const png = (more = 0) => Buffer.concat([
  Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64'),
  Buffer.alloc(more, 7)]);
