// Resumable uploads, as the protocol's own client sends them, and what goes wrong with them.
import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import test, { after, before } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { packages } from '../lib/npm.mjs';
import { appServers, until } from '../lib/stack.mjs';
import { contract, png, World } from './world.mjs';

const tus = packages(dirname(fileURLToPath(import.meta.url)))('tus-js-client');

let world, ann, bob;
before(async () => {
  world = await World.start({ more: { files: { maxSize: '20MB' } } });
  [ann, bob] = [await world.person('ann'), await world.person('bob')];
});
after(() => world?.stop());

const version = { 'tus-resumable': '1.0.0' };
const base64 = (text) => Buffer.from(text).toString('base64');
const begin = (person, size, more = {}) => world.send(person.headers, 'POST', '/__svc/files/tus', Buffer.alloc(0), {
  ...version, 'upload-length': String(size), 'upload-metadata': `filename ${base64('a.png')},filetype ${base64('image/png')}`, ...more });
const patch = (person, path, offset, bytes, more = {}) => world.send(person.headers, 'PATCH', path, bytes, {
  ...version, 'content-type': 'application/offset+octet-stream', 'upload-offset': String(offset), ...more });
const head = (person, path) => world.send(person.headers, 'HEAD', path, undefined, version);
const code = (answer, status, name) => assert.deepEqual([answer.status, answer.json?.error?.code], [status, name], answer.text);

const upload = (bytes, options = {}) => new Promise((done, fail) => {
  const it = new tus.Upload(bytes, {
    endpoint: `http://127.0.0.1:${world.stack.port}/__svc/files/tus`, headers: { ...ann.headers, host: world.app.host },
    metadata: { filename: 'big.png', filetype: 'image/png' }, retryDelays: [0, 500, 1000, 2000, 4000, 8000, 8000, 8000],
    onError: fail, onSuccess: () => done(it), ...options,
  });
  it.start();
});
const idOf = (url) => url.slice(url.lastIndexOf('/') + 1);

test('the client of the protocol uploads in pieces', async () => {
  const bytes = png(3 * 1024 * 1024);
  const made = await upload(bytes, { chunkSize: 1024 * 1024 });
  const read = await world.get(ann.headers, idOf(made.url));
  assert.ok(read.bytes.equals(bytes));
  assert.match(read.headers['content-disposition'], /filename="big.png"/);
});

// No two pieces of it are alike.
const unlike = (size) => Buffer.concat([png(), randomBytes(size - png().length)]);

test('pieces of any size come whole and in order, also in chunks', async () => {
  const bytes = unlike(3 * 1024 * 1024 + 17), made = await begin(ann, bytes.length), path = made.headers.location;
  const half = 1024 * 1024 + 5;
  const slowly = async (call, from, to, step) => {
    for (let at = from; at < to; at += step) await new Promise((done) => { call.write(bytes.subarray(at, Math.min(at + step, to)), done); });
    call.end();
  };
  const first = await patch(ann, path, 0, (call) => slowly(call, 0, half, 300_007), { 'transfer-encoding': 'chunked' });
  assert.deepEqual([first.status, first.headers['upload-offset']], [204, String(half)], first.text);
  const rest = await patch(ann, path, half, (call) => slowly(call, half, bytes.length, 65_535), { 'content-length': bytes.length - half });
  assert.equal(rest.status, 204, rest.text);
  const read = await world.get(ann.headers, idOf(path));
  assert.ok(read.bytes.equals(bytes));
  assert.equal(read.headers.etag, `"${createHash('sha256').update(bytes).digest('hex')}"`);
});

test('a POST may name the method, where a network lets no PATCH through', async () => {
  const bytes = unlike(2 * 1024 * 1024), made = await upload(bytes, { chunkSize: 512 * 1024, overridePatchMethod: true });
  assert.ok((await world.get(ann.headers, idOf(made.url))).bytes.equals(bytes));
  const path = (await begin(ann, 10)).headers.location;
  const post = (more) => world.send(ann.headers, 'POST', path, Buffer.alloc(0), { ...version, ...more });
  const none = await post({});
  code(none, 405, 'METHOD_NOT_ALLOWED');
  assert.equal(none.headers.allow, 'GET, HEAD, PATCH, DELETE');
  code(await post({ 'x-http-method-override': 'PUT' }), 405, 'METHOD_NOT_ALLOWED');
  assert.equal((await post({ 'x-http-method-override': 'HEAD' })).headers['upload-offset'], '0');
  assert.equal((await post({ 'x-http-method-override': 'DELETE' })).status, 204);
  assert.equal((await head(ann, path)).status, 404);
});

test('what has come is recorded while more comes', async () => {
  const bytes = unlike(2 * 1024 * 1024), path = (await begin(ann, bytes.length)).headers.location;
  const received = () => Number(world.sql(`select received from svc.file where id = '${idOf(path)}'`)[0][0]);
  const before = [];
  const ended = await patch(ann, path, 0, async (call) => {
    for (let at = 0; at < bytes.length; at += 65_536) {
      call.write(bytes.subarray(at, at + 65_536));
      await pause(100);
      before.push(received());
    }
    call.end();
  }, { 'content-length': bytes.length });
  assert.equal(ended.status, 204, ended.text);
  assert.ok(before.some((size) => size > 0 && size < bytes.length), before.join());
  assert.deepEqual(before, [...before].sort((one, other) => one - other));
  const read = await world.get(ann.headers, idOf(path));
  assert.ok(read.bytes.equals(bytes));
});

test('an upload survives the swap to a new server, and a server that is killed', async () => {
  const bytes = png(6 * 1024 * 1024);
  let swapped, killed;
  const made = await upload(bytes, {
    chunkSize: 512 * 1024,
    onProgress: (sent) => {
      if (sent > 1024 * 1024) swapped ??= world.stack.apply(world.project, contract({ app: { name: 'Filed again' }, files: { maxSize: '20MB' } }));
    },
    onChunkComplete: (_size, sent) => {
      if (killed || sent < 4 * 1024 * 1024) return;
      killed = true;
      for (const { pid, env } of appServers(world.project)) if (env.SVC_ENV === 'dev') process.kill(pid, 'SIGKILL');
    },
  });
  await swapped;
  assert.ok(killed);
  const read = await until('the file', async () => {
    const answer = await world.get(ann.headers, idOf(made.url)).catch(() => null);
    return answer?.status === 200 && answer;
  });
  assert.ok(read.bytes.equals(bytes));
});

test('what one request left another goes on with, and takes over from one that hangs', async () => {
  const bytes = png(2 * 1024 * 1024);
  const { headers: { location } } = await begin(ann, bytes.length);
  assert.match(location, /^\/__svc\/files\/tus\/[0-9a-f-]{36}$/);
  // Sends a part of what it announces, and then nothing.
  let hanging;
  const hung = world.send(ann.headers, 'PATCH', location, (call) => { hanging = call; call.write(bytes.subarray(0, 1024 * 1024)); }, {
    ...version, 'content-type': 'application/offset+octet-stream', 'upload-offset': '0', 'content-length': String(bytes.length) }).catch(() => null);
  await until('some bytes on disk', () => readdirSync(join(world.folder, 'tmp')).some((name) => name.startsWith(idOf(location))));
  const told = await head(ann, location);
  assert.deepEqual([told.status, told.headers['upload-length']], [200, String(bytes.length)]);
  const offset = Number(told.headers['upload-offset']);
  const done = await patch(ann, location, offset, bytes.subarray(offset));
  assert.deepEqual([done.status, done.headers['upload-offset']], [204, String(bytes.length)], done.text);
  hanging.destroy();
  await hung;
  assert.ok((await world.get(ann.headers, idOf(location))).bytes.equals(bytes));
  assert.equal((await head(ann, location)).headers['upload-offset'], String(bytes.length));
});

test('offsets, sizes, versions and owners are checked', async () => {
  const bytes = png(1000);
  const { headers: { location } } = await begin(ann, bytes.length);
  code(await patch(ann, location, 5, bytes), 409, 'CONFLICT');
  code(await patch(ann, location, 0, bytes, { 'content-type': 'text/plain' }), 400, 'PARAMS_INVALID');
  assert.equal((await patch(ann, location, 0, bytes, { 'tus-resumable': '0.2' })).status, 412);
  code(await patch(bob, location, 0, bytes), 404, 'NOT_FOUND');
  assert.equal((await head(bob, location)).status, 404);
  code(await patch(ann, location, 0, Buffer.concat([bytes, bytes])), 413, 'TOO_LARGE');
  code(await begin(ann, 21 * 1024 * 1024), 413, 'TOO_LARGE');
  code(await begin(ann, 0), 400, 'INVALID_SIZE');
  code(await begin(ann, 10, { 'upload-metadata': `filetype ${base64('application/x-msdownload')}` }), 415, 'MIME_NOT_ALLOWED');
  code(await begin({ headers: world.app.browser() }, 10), 401, 'UNAUTHORIZED');
});

test('bytes that have not the checksum they were sent with do not count', async () => {
  const bytes = png(1024 * 1024), sum = (name, of) => `${name} ${createHash(name).update(of).digest('base64')}`;
  const { headers: { location } } = await begin(ann, bytes.length);
  const half = bytes.subarray(0, 600 * 1024), rest = bytes.subarray(600 * 1024);
  const wrong = await patch(ann, location, 0, half, { 'upload-checksum': sum('sha1', rest) });
  assert.deepEqual([wrong.status, wrong.headers['tus-resumable']], [460, '1.0.0'], wrong.text);
  assert.equal((await head(ann, location)).headers['upload-offset'], '0');
  assert.equal((await patch(ann, location, 0, half, { 'upload-checksum': sum('sha1', half) })).headers['upload-offset'], String(half.length));
  for (const said of ['sha1', 'md5 1B2M2Y8AsgTpgAmY7PhCfg==', 'sha256 AAAA', 'sha1 ?'])
    code(await patch(ann, location, half.length, rest, { 'upload-checksum': said }), 400, 'PARAMS_INVALID');
  code(await patch(ann, location, half.length, bytes, { 'upload-checksum': sum('sha256', bytes) }), 413, 'TOO_LARGE');
  // Of bytes that break off nothing counts, either.
  await world.send(ann.headers, 'PATCH', location, (call) => call.write(rest.subarray(0, 1000), () => call.destroy()), {
    ...version, 'content-type': 'application/offset+octet-stream', 'upload-offset': String(half.length), 'content-length': String(rest.length), 'upload-checksum': sum('sha1', rest) }).catch(() => null);
  assert.equal((await head(ann, location)).headers['upload-offset'], String(half.length));
  const done = await patch(ann, location, half.length, rest, { 'upload-checksum': sum('sha256', rest) });
  assert.deepEqual([done.status, done.headers['upload-offset']], [204, String(bytes.length)], done.text);
  assert.ok((await world.get(ann.headers, idOf(location))).bytes.equals(bytes));
  await until('nothing to be left', () => !readdirSync(join(world.folder, 'tmp')).some((name) => !name.endsWith('.tus')));
});

test('a row that cannot be written for now costs no byte: the next request stores the file', async () => {
  world.sql(`create function svc.busy() returns trigger language plpgsql as $$ begin raise exception 'busy' using errcode = '57014'; end $$;
    create trigger busy before update on svc.file for each row when (new.state = 'stored') execute function svc.busy()`);
  const bytes = png(5000);
  const { headers: { location } } = await begin(ann, bytes.length);
  const refused = await patch(ann, location, 0, bytes);
  world.sql('drop function svc.busy() cascade');
  code(refused, 500, 'META_INSERT_FAILED');
  const stands = await head(ann, location);
  assert.deepEqual([stands.status, stands.headers['upload-offset']], [200, String(bytes.length)]);
  const read = await world.get(ann.headers, idOf(location));
  assert.ok(read.bytes.equals(bytes), read.text.slice(0, 200));
});

test('what of the protocol is spoken is told', async () => {
  const { status, headers } = await world.send({}, 'OPTIONS', '/__svc/files/tus');
  const told = Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith('tus-')));
  assert.deepEqual([status, told], [204, {
    'tus-resumable': '1.0.0', 'tus-version': '1.0.0', 'tus-extension': 'creation,expiration,termination,checksum',
    'tus-checksum-algorithm': 'sha1,sha256', 'tus-max-size': String(20 * 1024 * 1024) }]);
});

test('an upload that is given up, or is not what it said, leaves nothing', async () => {
  const { headers: { location } } = await begin(ann, 1000);
  assert.equal((await patch(ann, location, 0, png(10))).status, 204);
  assert.equal((await world.send(bob.headers, 'DELETE', location, undefined, version)).status, 404);
  assert.equal((await world.send(ann.headers, 'DELETE', location, undefined, version)).status, 204);
  assert.equal((await head(ann, location)).status, 404);
  const text = Buffer.from('<html><script>alert(1)</script></html>');
  const other = (await begin(ann, text.length)).headers.location;
  code(await patch(ann, other, 0, text), 415, 'MIME_NOT_ALLOWED');
  assert.equal((await head(ann, other)).status, 404);
  for (const path of [location, other]) assert.ok(!readdirSync(join(world.folder, 'tmp')).some((name) => name.startsWith(idOf(path))));
  assert.ok(existsSync(world.folder));
});
