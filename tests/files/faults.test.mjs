// What is answered where the disk or the database fails, and that nothing is left of it.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { after, before } from 'node:test';
import { adminSession, databaseOf } from '../lib/admin_sql.mjs';
import { until } from '../lib/stack.mjs';
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
const head = (path) => world.send(ann.headers, 'HEAD', path, undefined, version);
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

// An upload that has all its bytes and is not stored: the name of its part.
async function unstored(bytes) {
  world.sql(`create function svc.busy() returns trigger language plpgsql as $$ begin raise exception 'busy' using errcode = '57014'; end $$;
    create trigger busy before update on svc.file for each row when (new.state = 'stored') execute function svc.busy()`);
  const { headers: { location } } = await begin(bytes.length);
  code(await patch(location, bytes), 500, 'META_INSERT_FAILED');
  world.sql('drop function svc.busy() cascade');
  const id = location.slice(location.lastIndexOf('/') + 1);
  return { location, id, part: parts().find((name) => name.startsWith(id)) };
}

// What a server asks PostgreSQL for is done also if the server is killed, and the next one asks meanwhile.
for (const [room, others] of [['room for more', 0], ['no room for a second one', 1_900_000]]) {
  test(`a server that is killed while it stores an upload, and the next one, in a quota with ${room}: the bytes stay`, async () => {
    const size = 1_900_000;
    if (others) await world.upload(ann, png(others));
    const bytes = png(size - png().length), { location, id, part } = await unstored(bytes);
    const killed = adminSession(world.stack, databaseOf(world.project));
    try {
      await killed.run('begin; select from svc.file_lock for update');
      const next = head(location);
      await until('the next one to wait', () => world.sql("select pid from pg_stat_activity where wait_event_type = 'Lock' and query like '%svc.store_file%'").length > 0);
      await killed.run(`select svc.store_file('${id}', owner_id, 'a.png', 'image/png', ${size}, '\\x${createHash('sha256').update(bytes).digest('hex')}', '${part}', 5242880, 0)
        from svc.file where id = '${id}'; commit`);
      assert.equal((await next).status, 200);
    } finally {
      killed.close();
    }
    assert.equal((await head(location)).headers['upload-offset'], String(size));
    const read = await world.get(ann.headers, id);
    assert.ok(read.bytes.equals(bytes), read.text.slice(0, 200));
    assert.deepEqual(parts(), []);
    await world.remove(ann, id);
  });
}

test('a row that the database fails to write is a fault of the server, which does not say more', async () => {
  world.sql(`create function public.broken() returns trigger language plpgsql as $$ begin raise exception 'quite broken' using errcode = 'XX001'; end $$;
    create trigger broken before insert on album for each row execute function public.broken()`);
  const answer = await world.app.fetch(ann.headers, 'POST', 'api/v1/album', { title: 'x' });
  code(answer, 500, 'DB_ERROR');
  assert.ok(!answer.text.includes('broken'), answer.text);
  world.sql('drop trigger broken on album; drop function public.broken()');
  assert.equal((await world.app.fetch(ann.headers, 'POST', 'api/v1/album', { title: 'x' })).status, 201);
});
