// Uploads that nobody's browser sends, files that want to be programs, and servers that die in the middle.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { after, before } from 'node:test';
import { appServers, until } from '../lib/stack.mjs';
import { multipart, png, World } from './world.mjs';

let world, ann;
before(async () => {
  world = await World.start({ more: { files: { maxSize: '200MB' } } });
  ann = await world.person('ann');
});
after(() => world?.stop());

const code = (answer, status, name) => assert.deepEqual([answer.status, answer.json?.error?.code], [status, name], answer.text);
const type = { 'content-type': 'multipart/form-data; boundary=a-boundary' };
const raw = (body, more = {}) => world.send(ann.headers, 'POST', '/__svc/files/direct', body, { ...type, ...more });
const parts = () => (existsSync(join(world.folder, 'tmp')) ? readdirSync(join(world.folder, 'tmp')) : []);
const server = () => appServers(world.project).find(({ env }) => env.SVC_ENV === 'dev');
const memory = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server().pid}/status`, 'utf8'))[1]) * 1024;

// Writes `piece` again and again until the server answers. It looks for the answer between two writes: where each write is taken
// at once, Node would otherwise never read.
const endless = (first, piece) => (call) => {
  let answered = false;
  call.on('response', () => { answered = true; });
  call.on('close', () => { answered = true; });
  const more = () => {
    while (!answered) if (!call.write(piece)) return call.once('drain', () => setImmediate(more));
  };
  call.write(first);
  more();
};

test('endless preambles, headers, fields and parts end soon, whatever they send', async () => {
  const filler = Buffer.alloc(64 * 1024, 'x');
  const disposition = 'Content-Disposition: form-data; name="a"\r\n\r\n';
  code(await raw(endless('', filler)), 413, 'PAYLOAD_TOO_LARGE');
  code(await raw(endless('--a-boundary\r\nX: ', filler)), 413, 'PAYLOAD_TOO_LARGE');
  code(await raw(endless(`--a-boundary\r\n${disposition}`, filler)), 413, 'PAYLOAD_TOO_LARGE');
  code(await raw(endless('', Buffer.from(`--a-boundary\r\n${disposition}x\r\n`.repeat(100)))), 413, 'PAYLOAD_TOO_LARGE');
  const { body } = multipart([{ name: 'file', file: 'a.png', type: 'image/png', bytes: png() }]);
  code(await raw(endless(body, filler)), 413, 'PAYLOAD_TOO_LARGE');
  assert.deepEqual(parts(), []);
});

test('a body that is not multipart is refused with a reason', async () => {
  const { body } = multipart([{ name: 'file', file: 'a.png', type: 'image/png', bytes: png() }]);
  code(await raw(body.subarray(0, body.length - 8)), 400, 'INVALID_MULTIPART');
  code(await raw(Buffer.from('--a-boundary--\r\n')), 400, 'MISSING_FILE');
  code(await raw(Buffer.alloc(0)), 400, 'INVALID_MULTIPART');
  code(await raw(Buffer.concat([body.subarray(0, body.length - 16), body])), 400, 'INVALID_MULTIPART');
  code(await world.direct(ann, [{ name: 'file', file: 'a.png', type: 'image/png', bytes: '' }]), 400, 'INVALID_SIZE');
  assert.deepEqual(parts(), []);
});

test('names cannot break headers or leave their folder', async () => {
  for (const [sent, told, header] of [
    ['../../../etc/passwd', 'passwd', 'passwd'], ['a\\r\\n\\"x.png', 'n"x.png', 'n_x.png'], ['%0d%0aSet-Cookie: a=b.png', 'Set-Cookie: a=b.png', 'Set-Cookie: a=b.png'],
    ['\u00e9t\u00e9 \u65e5\u672c.png', '\u00e9t\u00e9 \u65e5\u672c.png', '_t_ __.png'], ['a\u202egnp.exe', 'agnp.exe', 'agnp.exe'], ['', 'file', 'file']]) {
    const made = await world.upload(ann, png(), { name: sent });
    assert.equal(made.originalName, told);
    const { headers } = await world.get(ann.headers, made.fileId);
    assert.equal(headers['set-cookie'], undefined);
    assert.ok(headers['content-disposition'].startsWith(`inline; filename="${header}"; filename*=UTF-8''`), headers['content-disposition']);
  }
});

test('scripts, styles and markup are never served as what they are', async () => {
  const html = '<!doctype html><script>alert(1)</script>';
  const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
  for (const [name, mime, bytes] of [
    ['a.html', 'text/html', html], ['a.js', 'text/javascript', 'alert(1)'], ['a.css', 'text/css', 'body { color: red }'], ['a.xml', 'application/xml', `<?xml version="1.0"?>${svg}`],
    ['a.xml', 'text/xml', '<?xml version="1.0"?><a/>'], ['a.svg', 'image/svg+xml', svg]]) {
    const { fileId } = await world.upload(ann, Buffer.from(bytes), { name, type: mime });
    for (const query of ['', '?download=0']) {
      const { headers } = await world.get(ann.headers, fileId, query);
      assert.match(headers['content-disposition'], /^attachment;/, mime);
      assert.match(headers['content-type'], mime === 'image/svg+xml' ? /^image\/svg\+xml$/ : /^text\/plain; charset=utf-8$/, mime);
      assert.equal(headers['x-content-type-options'], 'nosniff');
      assert.equal(headers['content-security-policy'], "sandbox; default-src 'none'");
    }
  }
  for (const [mime, bytes] of [['image/png', html], ['image/png', svg], ['application/pdf', html], ['application/zip', html], ['image/png', 'MZ\x90\0']])
    code(await world.direct(ann, [{ name: 'file', file: 'a', type: mime, bytes }]), 415, 'MIME_NOT_ALLOWED');
});

test('a large upload, chunked or not, takes little memory', async () => {
  await world.upload(ann, png());
  const before = memory();
  const bytes = png(100 * 1024 * 1024);
  const { body } = multipart([{ name: 'file', file: 'a.png', type: 'image/png', bytes }]);
  const whole = await raw(body);
  assert.equal(whole.status, 200, whole.text);
  const chunked = await raw((call) => call.end(body), { 'transfer-encoding': 'chunked' });
  assert.equal(chunked.status, 200, chunked.text);
  assert.ok(memory() - before < 16 * 1024 * 1024, `${(memory() - before) / 1024} KiB more`);
  const read = await world.get(ann.headers, chunked.json.fileId);
  assert.ok(read.bytes.equals(bytes));
});

test('a server that is killed in the middle leaves a whole file or none', async () => {
  const bytes = png(3 * 1024 * 1024);
  const { body } = multipart([{ name: 'file', file: 'a.png', type: 'image/png', bytes }]);
  const before = new Set(world.sql("select id from svc.file where state = 'stored'").map(([id]) => id));
  for (let n = 0; n < 6; n += 1) {
    const { pid } = await until('the server', server);
    const ended = raw((call) => {
      const half = Math.floor((body.length * (n + 1)) / 6);
      call.write(body.subarray(0, half), () => process.kill(pid, 'SIGKILL'));
      call.end(body.subarray(half));
    }).catch(() => null);
    await ended;
    await until('the next server', async () => (await world.get(ann.headers, '00000000-0000-4000-8000-000000000000').catch(() => null))?.status === 404);
  }
  for (const [id] of world.sql("select id from svc.file where state = 'stored'")) {
    if (before.has(id)) continue;
    const read = await world.get(ann.headers, id);
    assert.ok(read.status === 200 && read.bytes.equals(bytes), id);
  }
  const after = await world.upload(ann, bytes);
  assert.ok((await world.get(ann.headers, after.fileId)).bytes.equals(bytes));
});

test('a file whose server died between its row and its name is found', async () => {
  const bytes = png(10);
  const { fileId } = await world.upload(ann, bytes);
  const [[part]] = world.sql(`select part from svc.file where id = '${fileId}'`);
  const { renameSync } = await import('node:fs');
  renameSync(join(world.folder, fileId.slice(-2), fileId), join(world.folder, 'tmp', part));
  assert.ok((await world.get(ann.headers, fileId)).bytes.equals(bytes));
  assert.ok(existsSync(join(world.folder, fileId.slice(-2), fileId)));
});
