// Files: uploaded in both ways, read by who may, with what HTTP has for that.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import test, { after, before } from 'node:test';
import { png, World } from './world.mjs';

let world, ann, bob;
before(async () => {
  world = await World.start();
  [ann, bob] = [await world.person('ann'), await world.person('bob')];
});
after(() => world?.stop());

const guest = () => world.app.browser();
const row = (person, method, path, body, status) => world.app.write(person.headers ?? person, method, path, body, status);
const code = (answer, status, name) => assert.deepEqual([answer.status, answer.json?.error?.code], [status, name], answer.text);

test('sign, upload, read: the bytes come back with their type, name and tag', async () => {
  const bytes = png(300000);
  const signed = await world.sign(ann, 'image/png', bytes.length);
  assert.equal(signed.status, 200, signed.text);
  assert.match(signed.json.uploadUrl, /^\/__svc\/files\/direct\?fileId=[0-9a-f-]{36}&sig=[\w-]+&mime=image%2Fpng$/);
  assert.equal(signed.json.method, 'POST');
  const query = signed.json.uploadUrl.slice(signed.json.uploadUrl.indexOf('?'));
  const made = await world.direct(ann, [{ name: 'file', file: 'sun set.png', type: 'image/png', bytes }], query);
  assert.deepEqual(made.json, { ok: true, fileId: signed.json.fileId, size: bytes.length, mime: 'image/png', originalName: 'sun set.png' });
  const read = await world.get(ann.headers, made.json.fileId);
  assert.equal(read.status, 200);
  assert.ok(read.bytes.equals(bytes));
  assert.equal(read.headers.etag, `"${createHash('sha256').update(bytes).digest('hex')}"`);
  assert.equal(read.headers['content-type'], 'image/png');
  assert.equal(read.headers['x-content-type-options'], 'nosniff');
  assert.equal(read.headers['content-security-policy'], "sandbox; default-src 'none'");
  assert.equal(read.headers['content-disposition'], `inline; filename="sun set.png"; filename*=UTF-8''sun%20set.png`);
  assert.match((await world.get(ann.headers, made.json.fileId, '?download=1')).headers['content-disposition'], /^attachment; /);
  code(await world.direct(ann, [{ name: 'file', file: 'again.png', type: 'image/png', bytes }], query), 409, 'CONFLICT');
});

test('conditions and ranges', async () => {
  const bytes = png(1000);
  const { fileId } = await world.upload(ann, bytes);
  const head = await world.get(ann.headers, fileId, '', {}, 'HEAD');
  assert.deepEqual([head.status, head.headers['content-length'], head.bytes.length], [200, String(bytes.length), 0]);
  const same = await world.get(ann.headers, fileId, '', { 'if-none-match': head.headers.etag });
  assert.deepEqual([same.status, same.bytes.length], [304, 0]);
  const size = bytes.length;
  for (const [range, from, to] of [['bytes=0-9', 0, 10], ['bytes=10-', 10, size], ['bytes=-7', size - 7, size], [`bytes=5-${size * 2}`, 5, size]]) {
    const part = await world.get(ann.headers, fileId, '', { range });
    assert.equal(part.status, 206, range);
    assert.ok(part.bytes.equals(bytes.subarray(from, to)), range);
    assert.equal(part.headers['content-range'], `bytes ${from}-${to - 1}/${size}`);
  }
  for (const range of ['bytes=0-9', `bytes=${size}-`]) {
    const whole = await world.get(ann.headers, fileId, '', { range }, 'HEAD');
    assert.deepEqual([whole.status, whole.headers['content-length'], whole.headers['content-range']], [200, String(size), undefined], range);
  }
  const outside = await world.get(ann.headers, fileId, '', { range: `bytes=${size}-` });
  assert.deepEqual([outside.status, outside.headers['content-range']], [416, `bytes */${size}`]);
  for (const range of ['bytes=1-2,4-5', 'bytes=9-3', 'lines=1-2', 'bytes=x-']) assert.equal((await world.get(ann.headers, fileId, '', { range })).status, 200, range);
  assert.equal((await world.get(ann.headers, fileId, '', { range: 'bytes=0-1', 'if-range': '"other"' })).status, 200);
});

test('what is refused before a byte is kept', async () => {
  const small = [{ name: 'file', file: 'a.png', type: 'image/png', bytes: png() }];
  code(await world.sign({ headers: guest() }, 'image/png', 10), 401, 'UNAUTHORIZED');
  code(await world.sign(ann, 'application/x-msdownload', 10), 415, 'MIME_NOT_ALLOWED');
  for (const size of [0, -1, 1.5, undefined, 'x']) code(await world.sign(ann, 'image/png', size), 400, 'INVALID_SIZE');
  code(await world.sign(ann, 'image/png', 2 * 1024 * 1024 + 1), 413, 'TOO_LARGE');
  const { json } = await world.sign(ann, 'image/png', 20);
  const query = json.uploadUrl.slice(json.uploadUrl.indexOf('?'));
  code(await world.direct(bob, small, query), 403, 'SIGNATURE_INVALID');
  code(await world.direct(ann, small, query.replace(/sig=[^&]+/, 'sig=AAAA')), 403, 'SIGNATURE_INVALID');
  code(await world.direct(ann, small, `?fileId=${json.fileId}`), 403, 'SIGNATURE_INVALID');
  code(await world.direct(ann, small, query), 413, 'TOO_LARGE');
  code(await world.direct(ann, [{ name: 'other', bytes: 'x' }]), 400, 'MISSING_FILE');
  code(await world.direct(ann, [{ name: 'file', file: 'a.exe', type: 'application/x-msdownload', bytes: 'MZ' }]), 415, 'MIME_NOT_ALLOWED');
  code(await world.direct(ann, [{ name: 'file', file: 'a.png', type: 'image/png', bytes: '<svg xmlns="http://www.w3.org/2000/svg"/>' }]), 415, 'MIME_NOT_ALLOWED');
  code(await world.direct(ann, [{ name: 'file', file: 'a.png', type: 'image/png', bytes: png(2 * 1024 * 1024) }]), 413, 'TOO_LARGE');
  code(await world.send(ann.headers, 'POST', '/__svc/files/direct', Buffer.from('{}'), { 'content-type': 'application/json' }), 400, 'INVALID_MULTIPART');
  code(await world.get(ann.headers, 'no-uuid'), 400, 'INVALID_ID');
  assert.deepEqual(existsSync(join(world.folder, 'tmp')) ? readdirSync(join(world.folder, 'tmp')) : [], []);
  assert.deepEqual(world.sql("select id from svc.file where state = 'signed' and size = 0"), [], 'no upload without a signature left a row');
  assert.equal(world.sql(`select id from svc.file where id = '${json.fileId}'`).length, 1, 'the signature stays');
});

test('a file is its owner\'s, and of whoever may read a row and the field that holds it', async () => {
  const cover = (await world.upload(ann, png(1))).fileId, scan = (await world.upload(ann, png(2))).fileId;
  code(await world.get(bob.headers, cover), 404, 'NOT_FOUND');
  code(await world.get(guest(), cover), 401, 'UNAUTHORIZED');
  const album = await row(ann, 'POST', 'album', { title: 'one', cover, scan: null }, 201);
  code(await world.get(bob.headers, cover), 404, 'NOT_FOUND');
  await row(ann, 'PATCH', `album/${album.id}`, { open: true, scan }, 200);
  assert.equal((await world.get(bob.headers, cover)).status, 200);
  assert.equal((await world.get(guest(), cover)).status, 200);
  code(await world.get(bob.headers, scan), 404, 'NOT_FOUND');
  assert.equal((await world.get(world.app.staff('clerk'), scan)).status, 200);
  await row(ann, 'PATCH', `album/${album.id}`, { open: false }, 200);
  code(await world.get(bob.headers, cover), 404, 'NOT_FOUND');
  code(await world.remove(bob, cover), 404, 'NOT_FOUND');
  code(await world.remove(ann, cover), 409, 'CONFLICT');
  await row(ann, 'PATCH', `album/${album.id}`, { cover: null }, 200);
  assert.deepEqual((await world.remove(ann, cover)).json, { ok: true });
  code(await world.get(ann.headers, cover), 404, 'NOT_FOUND');
  code(await world.remove(ann, cover), 404, 'NOT_FOUND');
});

test('attack: nobody puts another\'s file into a row, whoever holds it', async () => {
  const theirs = (await world.upload(ann, png(3))).fileId;
  await row(ann, 'POST', 'album', { title: 'shown', open: true, cover: theirs }, 201);
  const none = '00000000-0000-4000-8000-000000000000';
  const refused = async (headers, method, path, body) => {
    const answer = await world.app.fetch(headers, method, path, body);
    code(answer, 409, 'CONFLICT');
    assert.equal(answer.json.error.field, 'cover');
    return answer.text;
  };
  assert.equal(await refused(bob.headers, 'POST', 'api/v1/album', { title: 'x', cover: theirs }), await refused(bob.headers, 'POST', 'api/v1/album', { title: 'x', cover: none }));
  const own = await row(bob, 'POST', 'album', { title: 'own' }, 201);
  await refused(bob.headers, 'PATCH', `api/v1/album/${own.id}`, { cover: theirs });
  const deleted = (await world.upload(bob, png(4))).fileId;
  await world.remove(bob, deleted);
  await refused(bob.headers, 'PATCH', `api/v1/album/${own.id}`, { cover: deleted });
});

test('a row that is read with x-svc-files gives addresses that need nothing else', async () => {
  const cover = (await world.upload(ann, png(5))).fileId;
  const made = await world.app.call({ ...ann.headers, 'x-svc-files': '1' }, 'POST', 'api/v1/album', { title: 'linked', open: true, cover }, 201);
  assert.match(made.json.rows[0].cover_url, new RegExp(`^/__svc/files/${cover}\\?ticket=`));
  const list = await world.app.call({ ...guest(), 'x-svc-files': '1' }, 'GET', 'api/v1/album?select=title,cover');
  const found = list.json.rows.find(({ title }) => title === 'linked');
  assert.deepEqual(Object.keys(found), ['title', 'cover', 'cover_url']);
  assert.equal(list.json.rows.find((each) => each.cover === null)?.cover_url ?? null, null);
  const read = await world.send({}, 'GET', found.cover_url);
  assert.equal(read.status, 200, read.text);
  assert.ok(read.bytes.equals(png(5)));
  const plain = await world.app.call(guest(), 'GET', 'api/v1/album');
  assert.ok(!('cover_url' in plain.json.rows[0]));
  const other = (await world.upload(ann, png(6))).fileId;
  code(await world.send({}, 'GET', found.cover_url.replace(cover, other)), 403, 'SIGNATURE_INVALID');
  code(await world.send({}, 'GET', found.cover_url.replace(/ticket=\d+/, 'ticket=9999999999')), 403, 'SIGNATURE_INVALID');
  code(await world.send({}, 'GET', `/__svc/files/${cover}`), 401, 'UNAUTHORIZED');
});

test('two uploads that race for a quota do not pass it together', async () => {
  const eve = await world.person('eve');
  const one = () => world.direct(eve, [{ name: 'file', file: 'b.png', type: 'image/png', bytes: png(1024 * 1024) }]);
  const answers = await Promise.all(Array.from({ length: 8 }, one));
  const stored = answers.filter(({ status }) => status === 200).length;
  assert.equal(stored, 4);
  for (const answer of answers) if (answer.status !== 200) code(answer, 413, 'QUOTA_EXCEEDED');
  const [[size]] = world.sql(`select sum(size) from svc.file where owner_id = '${eve.id ?? eve.user.id}' and state = 'stored'`);
  assert.ok(Number(size) <= 5 * 1024 * 1024);
});

test('many uploads that were begun while there was room do not pass the quota together', async () => {
  const gus = await world.person('gus');
  const bytes = png(1900 * 1024), version = { 'tus-resumable': '1.0.0' };
  const begun = [];
  for (let i = 0; i < 6; i += 1) begun.push(await world.send(gus.headers, 'POST', '/__svc/files/tus', Buffer.alloc(0), { ...version, 'upload-length': String(bytes.length) }));
  assert.ok(begun.every(({ status }) => status === 201));
  const sent = await Promise.all(begun.map(({ headers }) => world.send(gus.headers, 'PATCH', headers.location, bytes.subarray(0, bytes.length - 1), { ...version, 'content-type': 'application/offset+octet-stream', 'upload-offset': '0' })));
  assert.equal(sent.filter(({ status }) => status === 204).length, 2);
  for (const [i, answer] of sent.entries()) {
    if (answer.status === 204) continue;
    code(answer, 413, 'QUOTA_EXCEEDED');
    const id = begun[i].headers.location.slice(-36);
    assert.ok(!readdirSync(join(world.folder, 'tmp')).some((name) => name.startsWith(id)));
  }
  const [[received]] = world.sql(`select sum(received) from svc.file where owner_id = '${gus.id ?? gus.user.id}'`);
  assert.ok(Number(received) <= 5 * 1024 * 1024, received);
});

test('a file that came with a form goes after a day, unless a row holds it', async () => {
  const { bytes } = { bytes: png(77) };
  const sent = async (query) => (await world.direct(ann, [{ name: 'file', file: 'f.png', type: 'image/png', bytes }], query)).json.fileId;
  const [held, loose, plain, fresh] = [await sent('?form=1'), await sent('?form=1'), await sent(''), await sent('?form=1')];
  await world.app.call(ann.headers, 'POST', 'api/v1/album', { title: 'Held', cover: held }, 201);
  const states = () => world.sql(`select state, of_form from svc.file where id in ('${held}', '${loose}', '${plain}', '${fresh}') order by id`);
  world.sql(`update svc.file set stored_at = now() - interval '25 hours' where id <> '${fresh}'`);
  world.sql('select svc.purge_files()');
  assert.deepEqual(states(), [['stored', 'f'], ['deleted', 'f'], ['stored', 'f'], ['stored', 't']]);
  assert.equal((await world.get(ann.headers, loose)).status, 404);
  assert.equal((await world.get(ann.headers, held)).status, 200);
});

test('metrics count uploads, answers and their bytes', async () => {
  const read = async () => {
    const { text } = await world.stack.fetch('GET', '/metrics', { headers: { authorization: `Bearer ${world.stack.session}` } });
    const lines = text.split('\n').filter((line) => line.startsWith('svc_files_') && line.includes('environment="dev"'));
    return Object.fromEntries(lines.map((line) => [/svc_files_(\w+)/.exec(line)[1], Number(line.split(' ').at(-1))]));
  };
  const before = await read();
  const { fileId, size } = await world.upload(ann, png(3000));
  await world.get(ann.headers, fileId);
  code(await world.direct(ann, [{ name: 'file', file: 'x.png', type: 'image/png', bytes: Buffer.from('no picture') }]), 415, 'MIME_NOT_ALLOWED');
  const after = await read();
  const more = Object.fromEntries(Object.entries(after).map(([name, value]) => [name, value - before[name]]));
  assert.deepEqual(more, {
    begun_total: 2, stored_total: 1, stored_bytes_total: size, refused_total: 1, received_bytes_total: size + 10, sent_total: 1, sent_bytes_total: size,
    store_failures_total: 0, uploads: 0 });
});

test('a verification keeps rows that hold files, and uploads to a folder of its own', async () => {
  const { fileId } = await world.upload(ann, png());
  const row = { title: 'Verified', cover: fileId };
  await world.app.call(ann.headers, 'POST', 'api/v1/album', row, 201);
  const stored = world.sql('select count(*) from svc.file')[0][0];
  const { json } = await world.stack.dev('POST', `/projects/${world.project.id}/verify`, {}, { expect: 200 });
  assert.equal(json.pass, true, JSON.stringify(json.checks?.filter(({ pass }) => pass === false)));
  assert.equal(world.sql('select count(*) from svc.file')[0][0], stored);
});
