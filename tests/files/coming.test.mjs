// Bytes that come at the same time: what counts for a quota before it is stored, and who may write to one upload.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import test, { after, before } from 'node:test';
import { until } from '../lib/stack.mjs';
import { contract, png, World } from './world.mjs';

const mb = 1024 * 1024;
const files = { maxSize: '20MB', quota: { perUser: '20MB' } };
const version = { 'tus-resumable': '1.0.0' };

let world;
before(async () => { world = await World.start({ more: { files } }); });
after(() => world?.stop());

const sum = (bytes, name = 'sha256') => `${name} ${createHash(name).update(bytes).digest('base64')}`;
const code = (answer, status, name) => assert.deepEqual([answer.status, answer.json?.error?.code], [status, name], answer.text);
const begin = async (person, size) => (await world.send(person.headers, 'POST', '/__svc/files/tus', Buffer.alloc(0), { ...version, 'upload-length': String(size) })).headers.location;
const idOf = (path) => path.slice(-36);
const head = (person, path) => world.send(person.headers, 'HEAD', path, undefined, version);
const patch = (person, path, offset, bytes, more = {}) => world.send(person.headers, 'PATCH', path, bytes, {
  ...version, 'content-type': 'application/offset+octet-stream', 'upload-offset': String(offset), ...more });
// A request that has sent `first`, and sends the rest when it is told to. `answer`: null if its connection was cut.
const slowly = (method, person, path, first, rest, more) => {
  const it = {};
  const sent = new Promise((done) => {
    it.answer = world.send(person.headers, method, path, (call) => { it.call = call; call.write(first, done); }, { 'content-length': first.length + rest.length, ...more }).catch(() => null);
  });
  it.go = () => it.call.end(rest);
  return sent.then(() => it);
};
const coming = () => Number(world.sql('select coalesce(sum(bytes), 0) from svc.file_coming')[0][0]);
const parts = () => readdirSync(join(world.folder, 'tmp')).filter((name) => !name.endsWith('.tus'));

test('checked bytes count for the quota while they come, in each request', async () => {
  const ann = await world.person('ann'), bytes = png(15 * mb), path = await begin(ann, bytes.length);
  const checked = (first) => slowly('PATCH', ann, path, bytes.subarray(0, first), bytes.subarray(first), {
    ...version, 'content-type': 'application/offset+octet-stream', 'upload-offset': '0', 'upload-checksum': sum(bytes) });
  const one = await checked(12 * mb);
  await until('its bytes to count', () => coming() >= 8 * mb);
  const two = await checked(14 * mb);
  code(await two.answer, 413, 'QUOTA_EXCEEDED');
  one.call.destroy();
  await one.answer;
  await until('nothing to be left of them', () => coming() === 0 && parts().length === 0);
  const done = await patch(ann, path, 0, bytes, { 'upload-checksum': sum(bytes) });
  assert.equal(done.status, 204, done.text);
  const read = await world.get(ann.headers, idOf(path));
  assert.ok(read.bytes.equals(bytes));
  assert.equal(coming(), 0);
});

test('whole uploads count for the quota while they come', async () => {
  const bob = await world.person('bob'), edge = 'an-edge';
  const around = [`--${edge}\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\nContent-Type: image/png\r\n\r\n`, `\r\n--${edge}--\r\n`].map((text) => Buffer.from(text));
  const body = Buffer.concat([around[0], png(15 * mb), around[1]]);
  const direct = (first) => slowly('POST', bob, '/__svc/files/direct', body.subarray(0, first), body.subarray(first), { 'content-type': `multipart/form-data; boundary=${edge}` });
  const one = await direct(12 * mb);
  await until('its bytes to count', () => coming() >= 8 * mb);
  const two = await direct(14 * mb);
  code(await two.answer, 413, 'QUOTA_EXCEEDED');
  one.go();
  assert.equal((await one.answer).status, 200);
  await until('nothing to be left of them', () => coming() === 0 && parts().length === 0);
});

test('unfinished uploads count with what has come, and once', async () => {
  const cid = await world.person('cid'), bytes = png(12 * mb), path = await begin(cid, bytes.length);
  assert.equal((await patch(cid, path, 0, bytes.subarray(0, 9 * mb))).status, 204);
  const other = await begin(cid, 10 * mb);
  code(await patch(cid, other, 0, png(12 * mb).subarray(0, 10 * mb)), 204, undefined);
  const [[size]] = world.sql(`select svc.files_size('${cid.id ?? cid.user.id}')`);
  assert.equal(Number(size), 19 * mb);
  code(await patch(cid, path, 9 * mb, bytes.subarray(9 * mb)), 413, 'QUOTA_EXCEEDED');
});

test('what is stored is summed as it changes, not by looking at all files', async () => {
  const [lou, may] = [await world.person('lou'), await world.person('may')];
  const kept = await world.upload(lou, png(3000)), gone = await world.upload(lou, png(500)), left = await world.upload(may, png(70));
  assert.equal((await world.remove(lou, gone.fileId)).status, 200);
  // The account of its owner went.
  world.sql(`update svc.file set owner_id = null where id = '${left.fileId}'`);
  const summed = () => world.sql(`select svc.files_size('${lou.id ?? lou.user.id}'), svc.files_size('${may.id ?? may.user.id}'), svc.files_size(null)`)[0].map(Number);
  const [[all]] = world.sql(`select (select sum(case state when 'stored' then size else received end) from svc.file
    where state in ('stored', 'uploading')) + (select coalesce(sum(bytes), 0) from svc.file_coming)`);
  assert.deepEqual(summed(), [kept.size, 0, Number(all)]);
  world.sql('select svc.fold_file_sums()');
  assert.deepEqual(summed(), [kept.size, 0, Number(all)]);
  assert.equal(Number(world.sql('select count(*) from (select from svc.file_sum group by whose having count(*) > 1) several')[0][0]), 0);
  // The sums of a database whose files are older than they.
  world.sql("drop trigger sum_file on svc.file; delete from svc.file_sum; delete from svc.managed where name = 'system.sql'");
  await world.stack.apply(world.project, contract({ app: { name: 'Summed' }, files }));
  assert.deepEqual(summed(), [kept.size, 0, Number(all)]);
});

test('what an ended server had counted is forgotten, and an upload that still comes ends well', async () => {
  const jon = await world.person('jon'), bytes = png(15 * mb), path = await begin(jon, bytes.length);
  const one = await slowly('PATCH', jon, path, bytes.subarray(0, 6 * mb), bytes.subarray(6 * mb), {
    ...version, 'content-type': 'application/offset+octet-stream', 'upload-offset': '0', 'upload-checksum': sum(bytes) });
  await until('its bytes to count', () => coming() >= 4 * mb);
  world.sql("select svc.forget_coming(now() + interval '1 second')");
  assert.equal(coming(), 0);
  one.go();
  assert.equal((await one.answer).status, 204);
  await until('nothing to count any more', () => coming() === 0);
});

test('a writer that has lost its upload hears so, and nothing of a full quota', async () => {
  const kit = await world.person('kit'), path = await begin(kit, 100);
  await patch(kit, path, 0, Buffer.alloc(10));
  assert.equal(world.sql(`select svc.go_on_with_upload('${idOf(path)}', gen_random_uuid(), 50, 1, 1)`)[0][0], 'taken');
});

test('whoever was taken over changes no byte', async () => {
  const dan = await world.person('dan');
  const [mine, theirs] = [png(3 * mb), Buffer.concat([png(1 * mb), Buffer.alloc(2 * mb, 5)])];
  const path = await begin(dan, mine.length);
  const hung = await slowly('PATCH', dan, path, theirs.subarray(0, mb), theirs.subarray(mb), { ...version, 'content-type': 'application/offset+octet-stream', 'upload-offset': '0' });
  await until('a writer', () => world.sql(`select writer from svc.file where id = '${idOf(path)}'`)[0][0]);
  const first = await patch(dan, path, 0, mine.subarray(0, 2 * mb));
  assert.equal(first.status, 204, first.text);
  hung.go();
  code(await hung.answer, 409, 'CONFLICT');
  assert.equal((await patch(dan, path, 2 * mb, mine.subarray(2 * mb))).status, 204);
  const read = await world.get(dan.headers, idOf(path));
  assert.ok(read.bytes.equals(mine));
  assert.equal(read.headers.etag, `"${createHash('sha256').update(mine).digest('hex')}"`);
});

test('the hash is that of all bytes, however many requests and servers brought them', async () => {
  const eve = await world.person('eve'), bytes = png(5 * mb), path = await begin(eve, bytes.length);
  let at = 0;
  for (const step of [1, 300_000, mb]) {
    assert.equal((await patch(eve, path, at, bytes.subarray(at, at + step))).status, 204);
    at += step;
    assert.equal((await head(eve, path)).headers['upload-offset'], String(at));
  }
  // What broke off is not sent again.
  const cut = await slowly('PATCH', eve, path, bytes.subarray(at, at + mb), bytes.subarray(at + mb), { ...version, 'content-type': 'application/offset+octet-stream', 'upload-offset': String(at) });
  cut.call.destroy();
  await cut.answer;
  const received = () => Number(world.sql(`select received from svc.file where id = '${idOf(path)}'`)[0][0]);
  await until('it to be kept', () => received() > at);
  at = Number((await head(eve, path)).headers['upload-offset']);
  await world.stack.apply(world.project, contract({ app: { name: 'Filed again' }, files }));
  assert.equal((await patch(eve, path, at, bytes.subarray(at))).status, 204);
  const read = await world.get(eve.headers, idOf(path));
  assert.ok(read.bytes.equals(bytes));
  assert.equal(read.headers.etag, `"${createHash('sha256').update(bytes).digest('hex')}"`);
});
