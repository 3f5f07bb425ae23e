// What is answered where the disk or the database fails, and that nothing is left of it.
import assert from 'node:assert/strict';
import { readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { after, before } from 'node:test';
import { png, World } from './world.mjs';

let world, ann;
before(async () => {
  world = await World.start();
  ann = await world.person('ann');
});
after(() => world?.stop());

const version = { 'tus-resumable': '1.0.0' };
const code = (answer, status, name) => assert.deepEqual([answer.status, answer.json?.error?.code], [status, name], answer.text);
const one = (name = 'a.png') => [{ name: 'file', file: name, type: 'image/png', bytes: png(5000) }];
const parts = () => readdirSync(join(world.folder, 'tmp'));
const begin = (size) => world.send(ann.headers, 'POST', '/__svc/files/tus', Buffer.alloc(0), { ...version, 'upload-length': String(size) });
const patch = (path, bytes) => world.send(ann.headers, 'PATCH', path, bytes, { ...version, 'content-type': 'application/offset+octet-stream', 'upload-offset': '0' });

test('a file whose bytes are gone cannot be read, and says so', async () => {
  const { fileId } = await world.upload(ann, png(100));
  const { headers: { etag } } = await world.get(ann.headers, fileId);
  rmSync(join(world.folder, fileId.slice(-2), fileId));
  const answer = await world.get(ann.headers, fileId);
  code(answer, 500, 'STORAGE_ERROR');
  assert.equal(answer.headers.etag, undefined);
  // Whoever has them already is told so by the row alone.
  const known = await world.get(ann.headers, fileId, '', { 'if-none-match': etag });
  assert.deepEqual([known.status, known.headers.etag], [304, etag]);
});

test('where nothing can be written nothing is stored, and an upload that was begun goes on later', async () => {
  await world.upload(ann, png(100));
  const { headers: { location } } = await begin(png(100).length);
  const tmp = join(world.folder, 'tmp'), aside = join(world.folder, 'aside');
  renameSync(tmp, aside);
  writeFileSync(tmp, 'no folder');
  try {
    code(await world.direct(ann, one()), 500, 'STORAGE_ERROR');
    code(await begin(100), 500, 'STORAGE_ERROR');
    code(await patch(location, png(100)), 500, 'STORAGE_ERROR');
  } finally {
    rmSync(tmp);
    renameSync(aside, tmp);
  }
  assert.equal((await patch(location, png(100))).status, 204);
  assert.equal((await world.direct(ann, one())).status, 200);
});

test('a file that cannot be recorded is not kept', async () => {
  world.sql("alter table svc.file add constraint refused check (name <> 'refused.png')");
  try {
    code(await world.direct(ann, one('refused.png')), 500, 'META_INSERT_FAILED');
    assert.deepEqual(parts(), []);
  } finally {
    world.sql('alter table svc.file drop constraint refused');
  }
  assert.equal((await world.direct(ann, one('refused.png'))).status, 200);
});

test('a row that the database fails to write is a fault of the server, which does not say more', async () => {
  world.sql(`create function public.broken() returns trigger language plpgsql as $$ begin raise exception 'quite broken' using errcode = 'XX001'; end $$;
    create trigger broken before insert on album for each row execute function public.broken()`);
  const answer = await world.app.fetch(ann.headers, 'POST', 'api/v1/album', { title: 'x' });
  code(answer, 500, 'DB_ERROR');
  assert.ok(!answer.text.includes('broken'), answer.text);
  world.sql('drop trigger broken on album; drop function public.broken()');
  assert.equal((await world.app.fetch(ann.headers, 'POST', 'api/v1/album', { title: 'x' })).status, 201);
});
