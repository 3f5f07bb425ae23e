// Files by the typed client, compiled by TypeScript at its strictest.
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import test, { after, before } from 'node:test';
import { pathToFileURL } from 'node:url';
import { compiled, work } from '../client/compile.mjs';
import { png, World } from './world.mjs';

let world;
before(async () => { world = await World.start(); });
after(() => world?.stop());

test('upload, read, show and delete', async () => {
  const { json } = await world.stack.dev('GET', `/projects/${world.project.id}/client`, undefined, { expect: 200 });
  for (const [path, text] of Object.entries(json.files)) {
    const file = join(work, 'given', path.replace(/^(client\/)?/, 'client/'));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  const { status, told, folder } = compiled('files', join(work, 'given/client'));
  assert.equal(status, 0, told);
  const { connect, SvcError } = await import(pathToFileURL(join(folder, 'out/index.js')));
  const ann = await world.app.signUp('ann', 'member');
  const url = `http://127.0.0.1:${world.stack.port}/preview/${world.project.id}`;
  const app = connect({ url, key: world.project.browser, session: ann.token, headers: { origin: 'http://app.test', 'x-svc-files': '1' } });
  const bytes = png(5000);
  const seen = [];
  const made = await app.files.upload(new Blob([bytes], { type: 'image/png' }), { name: 'a.png', onProgress: (sent, total) => seen.push([sent, total]) });
  assert.deepEqual({ ...made, fileId: '' }, { ok: true, fileId: '', size: bytes.length, mime: 'image/png', originalName: 'a.png' });
  assert.deepEqual(seen.at(-1), [bytes.length, bytes.length]);
  assert.ok(Buffer.from(await (await app.files.get(made.fileId)).arrayBuffer()).equals(bytes));
  assert.equal((await app.files.get(made.fileId, { range: [1, 4] })).size, 3);
  const album = await app.tables.album.create({ title: 'x', open: true, cover: made.fileId });
  const shown = await fetch(app.files.url(album.cover_url, { download: true }));
  assert.deepEqual([shown.status, shown.headers.get('content-disposition').slice(0, 10)], [200, 'attachment']);
  await assert.rejects(app.files.delete(made.fileId), (error) => error instanceof SvcError && error.code === 'CONFLICT');
  await app.tables.album.update(album.id, { cover: null });
  await app.files.delete(made.fileId);
  await assert.rejects(app.files.get(made.fileId), (error) => error.code === 'NOT_FOUND');

  // In pieces: the line breaks once, and another object goes on with what the first one began.
  const large = png(1024 * 1024);
  let breaks = true, begun;
  const shaky = (input, init) => (breaks && init.method === 'PATCH' ? ((breaks = false), Promise.reject(new TypeError('broken'))) : fetch(input, init));
  const other = connect({ url, key: world.project.browser, session: ann.token, headers: { origin: 'http://app.test' }, fetch: shaky });
  const progress = [];
  const whole = await other.files.uploadResumable(new Blob([large], { type: 'image/png' }), { name: 'groß.png', onBegun: (id) => { begun = id; }, onProgress: (sent) => progress.push(sent) });
  assert.deepEqual([whole, breaks], [{ fileId: begun, size: large.length }, false]);
  assert.deepEqual([progress[0], progress.at(-1)], [0, large.length]);
  const read = await app.files.get(begun);
  assert.ok(Buffer.from(await read.arrayBuffer()).equals(large));
  assert.equal((await app.files.uploadResumable(new Blob([large]), { resume: begun })).size, large.length);
  await assert.rejects(app.files.uploadResumable(new Blob([large], { type: 'application/x-msdownload' })), (error) => error.code === 'MIME_NOT_ALLOWED');

  // A server that takes nothing is not asked for ever, though it says how much it has.
  let refused = 0;
  const full = (input, init) => (init.method === 'PATCH' ? ((refused += 1), Promise.resolve(new Response('{"ok":false,"error":{"code":"STORAGE_ERROR","message":"Full."}}', { status: 500, headers: { 'retry-after': '0.01' } }))) : fetch(input, init));
  const stuck = connect({ url, key: world.project.browser, session: ann.token, headers: { origin: 'http://app.test' }, fetch: full });
  await assert.rejects(stuck.files.uploadResumable(new Blob([large], { type: 'image/png' })), (error) => error.code === 'STORAGE_ERROR');
  assert.equal(refused, 8);
  // Whoever stops does not wait for the next try.
  const never = connect({ url, key: world.project.browser, session: ann.token, headers: { origin: 'http://app.test' }, fetch: (input, init) => (init.method === 'PATCH' ? Promise.resolve(new Response('{}', { status: 503, headers: { 'retry-after': '600' } })) : fetch(input, init)) });
  await assert.rejects(never.files.uploadResumable(new Blob([large], { type: 'image/png' }), { signal: AbortSignal.timeout(500) }), { name: 'TimeoutError' });
});
