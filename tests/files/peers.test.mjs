// Beside those of others: a server of resumable uploads that is told the same, and another client of HTTP.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import test, { after, before } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { request } from '../lib/http.mjs';
import { packages } from '../lib/npm.mjs';
import { multipart, png, World } from './world.mjs';

const require = packages(dirname(fileURLToPath(import.meta.url)));
const undici = require('undici');
const load = (name) => import(pathToFileURL(require.resolve(name)).href);

let world, ann, peer, folder;
before(async () => {
  const [{ Server }, { FileStore }] = await Promise.all([load('@tus/server'), load('@tus/file-store')]);
  folder = mkdtempSync(join(tmpdir(), 'svc-tus-'));
  const tus = new Server({ path: '/files', datastore: new FileStore({ directory: folder }), maxSize: 1_000_000, respectForwardedHeaders: false });
  peer = createServer((call, answer) => tus.handle(call, answer));
  await new Promise((done) => peer.listen(0, '127.0.0.1', done));
  world = await World.start({ more: { files: { maxSize: '1MB' } } });
  ann = await world.person('ann');
});
after(async () => {
  await world?.stop();
  peer?.closeAllConnections();
  peer?.close();
  if (folder) rmSync(folder, { recursive: true, force: true });
});

const base64 = (text) => Buffer.from(text).toString('base64');
// Who is asked, and how an upload is begun there.
const servers = () => [
  { port: world.stack.port, path: '/__svc/files/tus', headers: { ...ann.headers, host: world.app.host } },
  { port: peer.address().port, path: '/files', headers: {} },
];
// What both say of the protocol: the rest of an answer is their own.
const said = ({ status, headers }) => [status, headers['tus-resumable'], headers['upload-offset'], headers['upload-length']];

async function talk({ port, path, headers }) {
  const told = [];
  const ask = async (method, at, more, body = Buffer.alloc(0)) => {
    const answer = await request({ port, method, path: at, headers: { ...headers, 'tus-resumable': '1.0.0', ...more }, body: method === 'HEAD' || method === 'DELETE' ? undefined : body });
    told.push([method, ...said(answer), ...(method === 'HEAD' ? [answer.headers['cache-control'], answer.headers['upload-metadata']] : [])]);
    return answer;
  };
  const begin = async (more) => {
    const { headers: { location } } = await ask('POST', path, { 'upload-metadata': `filename ${base64('a.png')},filetype ${base64('image/png')}`, ...more });
    return location && new URL(location, `http://127.0.0.1:${port}`).pathname;
  };
  const bytes = png(5000), type = { 'content-type': 'application/offset+octet-stream' };
  const at = await begin({ 'upload-length': String(bytes.length) });
  await ask('HEAD', at, {});
  await ask('PATCH', at, { ...type, 'upload-offset': '5' }, bytes.subarray(5));
  await ask('PATCH', at, { ...type, 'upload-offset': '0' }, bytes.subarray(0, 1000));
  await ask('HEAD', at, {});
  await ask('PATCH', at, { ...type, 'upload-offset': '0' }, bytes.subarray(0, 1000));
  await ask('PATCH', at, { ...type, 'upload-offset': '1000' }, bytes.subarray(1000));
  await ask('HEAD', at, {});
  await begin({ 'upload-length': '2000000' });
  await begin({});
  const other = await begin({ 'upload-length': '100' });
  await ask('DELETE', other, {});
  return told;
}

test('a server of the protocol\'s own package says the same', async () => {
  const [ours, theirs] = await Promise.all(servers().map(talk));
  assert.deepEqual(ours, theirs);
});

const url = (path) => `http://127.0.0.1:${world.stack.port}/__svc/${path}`;
const headers = () => ({ ...ann.headers, host: world.app.host });

test('undici uploads a form, in one piece and in chunks of no known length', async () => {
  const bytes = png(300_000);
  const form = new undici.FormData();
  form.set('note', 'before the file');
  form.set('file', new File([bytes], 'a "quoted" näme.png', { type: 'image/png' }));
  const made = await undici.request(url('files/direct'), { method: 'POST', headers: headers(), body: form });
  const json = await made.body.json();
  assert.deepEqual([made.statusCode, json.originalName, json.size], [200, 'a "quoted" näme.png', bytes.length], JSON.stringify(json));
  const { body, type } = multipart([{ name: 'file', file: 'b.png', type: 'image/png', bytes }]);
  const pieces = Readable.from((function* () { for (let i = 0; i < body.length; i += 7777) yield body.subarray(i, i + 7777); })());
  const chunked = await undici.request(url('files/direct'), { method: 'POST', headers: { ...headers(), 'content-type': type }, body: pieces });
  assert.equal(chunked.statusCode, 200, await chunked.body.text());
});

test('undici reads files and ranges of them, ten answers ahead on one connection', async () => {
  const bytes = png(100_000), { fileId } = await world.upload(ann, bytes);
  const client = new undici.Client(`http://127.0.0.1:${world.stack.port}`, { pipelining: 10 });
  try {
    const get = async (more, method = 'GET') => {
      const { statusCode, headers: told, body } = await client.request({ path: `/__svc/files/${fileId}`, method, headers: { ...headers(), ...more } });
      return { status: statusCode, told, bytes: Buffer.from(await body.arrayBuffer()) };
    };
    const { told: { etag } } = await get({});
    const kinds = [{}, { range: 'bytes=10-19' }, { 'if-none-match': etag }, { range: 'bytes=5-18446744073709551615' }, { range: 'bytes=100000000-' }];
    const answers = await Promise.all(Array.from({ length: 50 }, (_, n) => get(kinds[n % kinds.length])));
    for (const [n, { status, bytes: got }] of answers.entries()) {
      const wanted = [[200, bytes], [206, bytes.subarray(10, 20)], [304, Buffer.alloc(0)], [206, bytes.subarray(5)], [416, Buffer.alloc(0)]][n % kinds.length];
      assert.equal(status, wanted[0]);
      assert.ok(got.equals(wanted[1]), `answer ${n}: ${got.length} bytes`);
    }
  } finally {
    await client.close();
  }
});
