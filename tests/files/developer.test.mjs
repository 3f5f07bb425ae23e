// Developers see uploaded files: the list, its sum, and files that do not match their bytes.
import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { after, before } from 'node:test';
import { Client, password } from '../cli/client.mjs';
import { until } from '../lib/stack.mjs';
import { png, World } from './world.mjs';

let world, ann, client;
const ids = [];
before(async () => {
  world = await World.start();
  ann = await world.person('ann');
  for (const name of ['held.png', 'loose.png', 'gone.png']) ids.push((await world.upload(ann, png(100), { name })).fileId);
  await world.app.write(ann.headers, 'POST', 'album', { title: 'Ours', cover: ids[0] }, 201);
  client = new Client(world.stack);
  await client.expect(0, ['login', ...password]);
});
after(async () => {
  client?.remove();
  await world?.stop();
});

const ask = (rest, status = 200) => world.stack.dev('GET', `/projects/${world.project.id}/files${rest}`, undefined, { expect: status });
const svc = (code, ...args) => client.expect(code, [...args, '--project', world.project.id]);

test('the list says what is stored, by whom, and whether a row names it', async () => {
  const { json } = await ask('');
  assert.deepEqual(json.files.map(({ id, name, mime, state, held, ownerId }) => [id, name, mime, state, held, ownerId]), [
    [ids[2], 'gone.png', 'image/png', 'stored', false, ann.id],
    [ids[1], 'loose.png', 'image/png', 'stored', false, ann.id],
    [ids[0], 'held.png', 'image/png', 'stored', true, ann.id]]);
  assert.deepEqual(json.total, { files: 3, bytes: 3 * png(100).length });
  assert.deepEqual((await ask(`?before=${ids[1]}&limit=1`)).json.files.map(({ id }) => id), [ids[0]]);
  await world.remove(ann, ids[1]);
  assert.deepEqual((await ask('?state=deleted')).json.files.map(({ id }) => id), [ids[1]]);
  assert.match((await svc(0, 'files', 'list', '--state', 'stored')).out, /held\.png[^]*Stored: 2 files of \d+ bytes/);
  assert.equal((await svc(0, 'files', 'list', '--state', 'uploading')).out, `There are no such files.\nStored: 2 files of ${2 * png(100).length} bytes.\n`);
});

test('malformed requests are refused with a reason', async () => {
  for (const rest of ['?state=lost', '?before=no-id', '?limit=0']) assert.equal((await ask(rest, 400)).json.code, 'BAD_REQUEST', rest);
});

test('files without bytes and bytes without a file are found', async () => {
  assert.match((await svc(0, 'files', 'check')).out, /Every stored file has its bytes/);
  rmSync(join(world.folder, ids[2].slice(-2), ids[2]));
  const nobodys = '0198b6a0-0000-7000-8000-0000000000aa';
  mkdirSync(join(world.folder, 'aa'), { recursive: true });
  writeFileSync(join(world.folder, 'aa', nobodys), 'lost');
  const { json } = await ask('/check');
  assert.deepEqual(json, {
    missing: { count: 1, files: [{ id: ids[2], name: 'gone.png' }] },
    unknown: { count: 1, bytes: 4, files: [{ id: nobodys, size: 4 }] } });
  const told = await svc(1, 'files', 'check');
  assert.match(told.out, /Files without bytes: 1[^]*gone\.png[^]*Bytes without a file: 1/);
  assert.equal(JSON.parse((await svc(1, 'files', 'check', '--json')).out).unknown.bytes, 4);
  assert.match((await svc(0, 'status')).out, /: 2 stored, 1 without bytes, 1 whose bytes no row knows \(4 bytes\)\.\n {2}To see which: svc files check\n/);
});

test('svcd checks by itself, once a day, and only the database in which it did', async () => {
  const checked = async () => (await world.stack.dev('GET', `/projects/${world.project.id}`, undefined, { expect: 200 })).json.environments.dev.filesCheck;
  const again = async () => {
    world.stack.child.kill('SIGTERM');
    await world.stack.ended;
    await world.stack.run();
    await until('the app', async () => (await world.get(ann.headers, ids[0]).catch(() => null))?.status === 200);
  };
  const before = await checked();
  world.sql("update svc.file_check set begun_at = now() - interval '2 hours', checked_at = now() - interval '25 hours', missing = 99");
  assert.equal((await checked()).missing, 99);
  await again();
  await until('a check', async () => (await checked())?.missing === 1);
  assert.deepEqual({ ...(await checked()), checkedAt: '' }, { ...before, checkedAt: '' });
  // A restored database has the row, and was not looked at.
  world.sql('update svc.file_check set database = 1');
  assert.equal(await checked(), null);
});

test('an app without files has none', async () => {
  const other = await world.stack.project('No files');
  await world.stack.apply(other, { app: { name: 'Bare' } });
  const { json } = await world.stack.dev('GET', `/projects/${other.id}/files/check`, undefined, { expect: 200 });
  assert.equal(json.missing.count + json.unknown.count, 0);
});
