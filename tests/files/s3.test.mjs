// Files in an S3-compatible store, as another implementation of it keeps them: what is there, and what becomes of
// uploads and reads when the store, the line to it or a server fails.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import test, { after, before } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Client, password } from '../cli/client.mjs';
import { packages } from '../lib/npm.mjs';
import { appServers, bin, until } from '../lib/stack.mjs';
import { Bucket } from './bucket.mjs';
import { png, World } from './world.mjs';

const tus = packages(dirname(fileURLToPath(import.meta.url)))('tus-js-client');
const big = 17 * 1024 * 1024;  // three parts of a multipart upload
const nobody = '00000000-0000-4000-8000-000000000000';

let bucket, world, ann, bob;
before(async () => {
  bucket = await Bucket.start();
  world = await World.start({ env: bucket.settings, more: { files: { maxSize: '40MB', quota: { perUser: '1GB' } } } });
  [ann, bob] = [await world.person('ann'), await world.person('bob')];
});
after(async () => {
  bucket && (bucket.trouble = () => undefined);
  await world?.stop();
  await bucket?.stop();
});

const code = (answer, status, name) => assert.deepEqual([answer.status, answer.json?.error?.code], [status, name], answer.text);
// 503, and when to come again.
const later = (answer) => {
  code(answer, 503, 'UNAVAILABLE');
  assert.ok(Number(answer.headers['retry-after']) > 0);
};
const keyOf = (id) => {
  const [[part]] = world.sql(`select part from svc.file where id = '${id}'`);
  return `${world.project.id}/dev/${part}`;
};
const stateOf = (id) => world.sql(`select state from svc.file where id = '${id}'`)[0][0];
const parts = () => (existsSync(join(world.folder, 'tmp')) ? readdirSync(join(world.folder, 'tmp')) : []);
const writes = (call) => ['PUT', 'POST'].includes(call.method);
// The store takes it, whatever its answer will be.
const take = (call) => new Promise((done) => {
  call.pipe(http.request({ host: '127.0.0.1', port: bucket.behind, method: call.method, path: call.url, headers: call.headers, agent: false }, (came) => came.resume().on('end', () => done(502))));
});
const during = async (trouble, act) => {
  bucket.trouble = trouble;
  try { return await act(); } finally { bucket.trouble = () => undefined; }
};
const sent = (json, bytes) => world.send(ann.headers, 'POST', json.uploadUrl, ...body(bytes));
const body = (bytes) => {
  const edge = 'an-edge';
  const whole = Buffer.concat([Buffer.from(`--${edge}\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\nContent-Type: image/png\r\n\r\n`), bytes, Buffer.from(`\r\n--${edge}--\r\n`)]);
  return [whole, { 'content-type': `multipart/form-data; boundary=${edge}` }];
};
const serverLog = () => readFileSync(join(world.stack.home, 'projects', world.project.id, 'dev', 'server.log'), 'utf8');
const server = () => appServers(world.project).find(({ env }) => env.SVC_ENV === 'dev');
const kill = async () => {
  process.kill(server().pid, 'SIGKILL');
  await until('the next server', async () => (await world.get(ann.headers, nobody).catch(() => null))?.status === 404);
};

test('settings that say half of it are refused, and no secret is told', () => {
  const home = mkdtempSync(join(tmpdir(), 'svc-home-'));
  const told = (more) => {
    const { status, stderr } = spawnSync(join(bin, 'svcd'), { env: { PATH: process.env.PATH, SVC_HOME: home, SVC_LISTEN: '127.0.0.1:1', ...more }, encoding: 'utf8' });
    assert.notEqual(status, 0);
    assert.doesNotMatch(stderr, /very-secret/);
    return stderr;
  };
  const keys = { S3_BUCKET: 'uploads', S3_ACCESS_KEY: 'me', S3_SECRET_KEY: 'very-secret' };
  assert.match(told({ S3_ENDPOINT: 'https://s3.example.com' }), /S3_ENDPOINT: is set, but S3_BUCKET is not/);
  assert.match(told({ S3_BUCKET: 'uploads', S3_ACCESS_KEY: 'me' }), /S3_SECRET_KEY: is missing/);
  assert.match(told({ ...keys, S3_ENDPOINT: 's3.example.com' }), /S3_ENDPOINT: takes an address/);
  assert.match(told({ ...keys, S3_BUCKET: 'Up/../loads' }), /S3_BUCKET: takes the name/);
  assert.match(told({ ...keys, S3_SECRET_KEY: 'very-secret\n' }), /S3_SECRET_KEY: contains a space/);
  assert.match(told({ ...keys, S3_ENDPOINT: 'http://127.0.0.1:9', S3_PATH_STYLE: 'off' }), /S3_PATH_STYLE: must be on/);
  rmSync(home, { recursive: true, force: true });
});

test('a signed upload is in the store, and nowhere else', async () => {
  const bytes = png(5000);
  const { json } = await world.sign(ann, 'image/png', bytes.length);
  assert.equal((await sent(json, bytes)).status, 200);
  const key = keyOf(json.fileId);
  assert.ok(readFileSync(bucket.path(key)).equals(bytes));
  assert.deepEqual(parts(), []);
  assert.ok(!existsSync(join(world.folder, json.fileId.slice(-2), json.fileId)));
  const read = await world.get(ann.headers, json.fileId);
  assert.deepEqual([read.status, read.headers['content-type'], read.headers.location], [200, 'image/png', undefined]);
  assert.ok(read.bytes.equals(bytes));
  assert.equal((await world.get(bob.headers, json.fileId)).status, 404);
});

test('ranges, 304 and HEAD are as those of a disk', async () => {
  const bytes = png(100_000);
  const { fileId } = await world.upload(ann, bytes);
  const range = await world.get(ann.headers, fileId, '', { range: 'bytes=1000-1999' });
  assert.deepEqual([range.status, range.headers['content-range']], [206, `bytes 1000-1999/${bytes.length}`]);
  assert.ok(range.bytes.equals(bytes.subarray(1000, 2000)));
  const end = await world.get(ann.headers, fileId, '', { range: 'bytes=-7' });
  assert.ok(end.bytes.equals(bytes.subarray(-7)));
  assert.equal((await world.get(ann.headers, fileId, '', { range: 'bytes=999999-' })).status, 416);
  const etag = `"${createHash('sha256').update(bytes).digest('hex')}"`;
  assert.equal(range.headers.etag, etag);
  bucket.calls.length = 0;
  assert.equal((await world.get(ann.headers, fileId, '', { 'if-none-match': etag })).status, 304);
  const head = await world.get(ann.headers, fileId, '', {}, 'HEAD');
  assert.deepEqual([head.status, head.headers['content-length'], head.headers.etag], [200, String(bytes.length), etag]);
  assert.deepEqual(bucket.calls, []);
});

test('a large file goes in parts', async () => {
  const bytes = png(big);
  bucket.calls.length = 0;
  const { fileId } = await world.upload(ann, bytes);
  assert.deepEqual(bucket.calls.filter(writes).map(({ method, path }) => `${method} ${/(uploads|partNumber=\d+|uploadId)/.exec(path.split('?')[1])[0]}`),
    ['POST uploads', 'PUT partNumber=1', 'PUT partNumber=2', 'PUT partNumber=3', 'POST uploadId']);
  const read = await world.get(ann.headers, fileId);
  assert.ok(read.bytes.equals(bytes));
  const seam = 8 * 1024 * 1024;
  const range = await world.get(ann.headers, fileId, '', { range: `bytes=${seam - 5}-${seam + 5}` });
  assert.ok(range.bytes.equals(bytes.subarray(seam - 5, seam + 6)));
});

test('neither uploads nor reads stand in memory, however large they are', async () => {
  const { pid } = server();
  const most = () => Number(/VmHWM:\s*(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024;  // MB
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
  const before = most();
  const bytes = png(39 * 1024 * 1024);
  const made = await Promise.all([1, 2, 3, 4, 5].map(() => world.upload(ann, bytes)));
  // Somebody who reads nothing: the store waits as well.
  const path = `/__svc/files/${made[0].fileId}`;
  const slow = await new Promise((done, fail) => {
    http.get({ host: '127.0.0.1', port: world.stack.port, path, headers: { ...ann.headers, host: world.app.host }, agent: false }, done).on('error', fail);
  });
  slow.pause();
  const reads = await Promise.all(made.map(({ fileId }) => world.get(ann.headers, fileId)));
  assert.ok(reads.every((read) => read.bytes.equals(bytes)));
  slow.destroy();
  assert.ok(most() - before < 90, `${before} MB, then ${most()} MB`);
  assert.equal(server().pid, pid);
});

test('the client of resumable uploads does not notice', async () => {
  const bytes = png(3 * 1024 * 1024);
  const made = await new Promise((done, fail) => {
    const it = new tus.Upload(bytes, {
      endpoint: `http://127.0.0.1:${world.stack.port}/__svc/files/tus`, headers: { ...ann.headers, host: world.app.host },
      metadata: { filename: 'big.png', filetype: 'image/png' }, chunkSize: 1024 * 1024, onError: fail, onSuccess: () => done(it),
    });
    it.start();
  });
  const id = made.url.slice(made.url.lastIndexOf('/') + 1);
  assert.ok((await world.get(ann.headers, id)).bytes.equals(bytes));
  assert.equal(bucket.sizes()[keyOf(id)], bytes.length);
  assert.deepEqual(parts(), []);
});

test('one hiccup of the store is nobody\'s concern', async () => {
  let hiccups = 0;
  const bytes = png(big);
  const { fileId } = await during((call) => (call.method === 'PUT' && hiccups++ === 1 ? 503 : undefined), () => world.upload(ann, bytes));
  assert.ok((await world.get(ann.headers, fileId)).bytes.equals(bytes));
  // Nor is a call that gets no answer.
  let breaks = 0;
  await during((call) => (call.method === 'PUT' && breaks++ === 0 ? 'break' : undefined), () => world.upload(ann, png(10)));
});

test('a store that fails, is silent or is gone: 503, and the same upload works later', async () => {
  const bytes = png(9000);
  const { json } = await world.sign(ann, 'image/png', bytes.length);
  later(await during(() => 500, () => sent(json, bytes)));
  later(await during(() => 'silence', () => sent(json, bytes)));
  await bucket.leave();
  later(await sent(json, bytes));
  assert.equal(stateOf(json.fileId), 'signed');
  await bucket.listen();
  const done = await until('the store is asked again', async () => {
    const answer = await sent(json, bytes);
    return answer.status !== 503 && answer;
  });
  assert.equal(done.status, 200, done.text);
  assert.ok((await world.get(ann.headers, json.fileId)).bytes.equals(bytes));
});

test('what the quota has no room for never reaches the store', async () => {
  const carol = await world.person('carol');
  const { fileId } = await world.upload(carol, png(1000));
  world.sql(`update svc.file set size = 1024 * 1024 * 1024 - 10 where id = '${fileId}'`);
  bucket.calls.length = 0;
  code(await world.direct(carol, [{ name: 'file', file: 'a.png', type: 'image/png', bytes: png(1000) }]), 413, 'QUOTA_EXCEEDED');
  assert.deepEqual(bucket.calls.filter(writes), []);
  world.sql(`update svc.file set size = 1000 where id = '${fileId}'`);
});

test('a multipart upload that fails is given up, and keeps no parts', async () => {
  bucket.calls.length = 0;
  const answer = await during((call) => (/partNumber=2/.test(call.url) ? 500 : undefined), () => world.direct(ann, [{ name: 'file', file: 'b.png', type: 'image/png', bytes: png(big) }]));
  later(answer);
  assert.equal(bucket.calls.filter(({ method, path }) => method === 'DELETE' && /uploadId=/.test(path)).length, 1);
});

test('a read of a store that is away is 503; what breaks in the middle is no whole answer', async () => {
  const bytes = png(2 * 1024 * 1024);
  const { fileId } = await world.upload(ann, bytes);
  later(await during(() => 500, () => world.get(ann.headers, fileId)));
  await assert.rejects(during(() => 100, () => world.get(ann.headers, fileId)));
  rmSync(bucket.path(keyOf(fileId)));
  code(await world.get(ann.headers, fileId), 500, 'STORAGE_ERROR');
});

test('a resumable upload that the store did not take is finished by the next HEAD', async () => {
  const bytes = png(7000), version = { 'tus-resumable': '1.0.0' };
  const { headers: { location } } = await world.send(ann.headers, 'POST', '/__svc/files/tus', Buffer.alloc(0), { ...version, 'upload-length': String(bytes.length) });
  const id = location.slice(-36);
  later(await during(() => 500, () => world.send(ann.headers, 'PATCH', location, bytes, { ...version, 'content-type': 'application/offset+octet-stream', 'upload-offset': '0' })));
  const head = await until('the store is asked again', async () => {
    const answer = await world.send(ann.headers, 'HEAD', location, undefined, version);
    return answer.status !== 503 && answer;
  });
  assert.deepEqual([head.status, head.headers['upload-offset'], stateOf(id)], [200, String(bytes.length), 'stored']);
  assert.ok((await world.get(ann.headers, id)).bytes.equals(bytes));
});

test('a resumable upload that the store did not take and that is given up leaves nothing', async () => {
  const bytes = png(7000), version = { 'tus-resumable': '1.0.0' };
  const { headers: { location } } = await world.send(ann.headers, 'POST', '/__svc/files/tus', Buffer.alloc(0), { ...version, 'upload-length': String(bytes.length) });
  // The store has it and says that it has not.
  const taken = async (call) => writes(call) && take(call);
  later(await during(taken, () => world.send(ann.headers, 'PATCH', location, bytes, { ...version, 'content-type': 'application/offset+octet-stream', 'upload-offset': '0' })));
  const left = () => [...parts(), ...Object.keys(bucket.sizes())].filter((name) => name.includes(location.slice(-36)));
  assert.equal(left().length, 2);
  const gone = await world.send(ann.headers, 'DELETE', location, undefined, version);
  assert.equal(gone.status, 204, gone.text);
  assert.deepEqual(left(), []);
});

test('a resumable upload that is given up while the store is away is found later', async () => {
  const bytes = png(7000), version = { 'tus-resumable': '1.0.0' };
  const { headers: { location } } = await world.send(ann.headers, 'POST', '/__svc/files/tus', Buffer.alloc(0), { ...version, 'upload-length': String(bytes.length) });
  const id = location.slice(-36);
  const taken = async (call) => writes(call) && take(call);
  later(await during(taken, () => world.send(ann.headers, 'PATCH', location, bytes, { ...version, 'content-type': 'application/offset+octet-stream', 'upload-offset': '0' })));
  const gone = await during(() => 500, () => world.send(ann.headers, 'DELETE', location, undefined, version));
  assert.equal(gone.status, 204, gone.text);
  // The name is left, without bytes: it says which object nobody wants.
  const left = () => [...parts(), ...Object.keys(bucket.sizes())].filter((name) => name.includes(id));
  assert.equal(left().length, 2, left().join());
  const [name] = left(), path = join(world.folder, 'tmp', name), yesterday = Date.now() / 1000 - 25 * 3600;
  assert.equal(readFileSync(path).length, 0);
  utimesSync(path, yesterday, yesterday);
  await kill();
  await until('both to go', () => left().length === 0);
});

test('what the store takes while a server ends is found later', async () => {
  const bytes = png(3000), { json } = await world.sign(ann, 'image/png', bytes.length);
  const count = (event) => serverLog().split(`"${event}"`).length;
  const [stops, drains, { pid }] = [count('stopped'), count('draining'), server()];
  // The server waits for the answer of the store for as long as it waits for anything.
  const held = async (call) => {
    if (!writes(call)) return undefined;
    await take(call);
    await until('the server to wait no longer', () => count('stopped') > stops, 30000);
    return 'break';
  };
  const [whole, type] = body(bytes);
  await during(held, () => world.send(ann.headers, 'POST', json.uploadUrl, async (call) => {
    call.write(whole.subarray(0, 1000));
    await until('the server to have the request', () => parts().some((name) => name.includes(json.fileId)));
    process.kill(pid, 'SIGTERM');
    await until('the server to end', () => count('draining') > drains);
    call.end(whole.subarray(1000));
  }, { ...type, 'content-length': whole.length }).catch(() => null));
  const left = () => [...parts(), ...Object.keys(bucket.sizes())].filter((name) => name.includes(json.fileId));
  assert.equal(left().length, 2, left().join());
  await until('the next server', async () => (await world.get(ann.headers, nobody).catch(() => null))?.status === 404);
  assert.equal((await world.get(ann.headers, json.fileId)).status, 404);
  const [name] = left(), yesterday = Date.now() / 1000 - 25 * 3600;
  utimesSync(join(world.folder, 'tmp', name), yesterday, yesterday);
  await kill();
  await until('both to go', () => left().length === 0);
});

test('a server that is killed while the store takes a file leaves a whole file or none', async () => {
  const bytes = png(big);
  for (const at of ['uploads', 'partNumber=2', 'uploadId']) {
    const { json } = await world.sign(ann, 'image/png', bytes.length);
    let killed;
    await during(async (call) => {
      if (writes(call) && call.url.includes(at) && !killed) {
        killed = server().pid;
        process.kill(killed, 'SIGKILL');
      }
    }, () => sent(json, bytes).catch(() => null));
    assert.ok(killed, at);
    await until('the next server', async () => (await world.get(ann.headers, nobody).catch(() => null))?.status === 404);
    assert.equal(stateOf(json.fileId), 'signed', at);
    assert.equal((await world.get(ann.headers, json.fileId)).status, 404);
    assert.equal((await sent(json, bytes)).status, 200, at);
    assert.ok((await world.get(ann.headers, json.fileId)).bytes.equals(bytes), at);
  }
  // What was left of them goes later; the files stay.
  const left = parts();
  assert.ok(left.length >= 3);
  const stored = world.sql("select id from svc.file where state = 'stored'").length;
  const yesterday = Date.now() / 1000 - 25 * 3600;
  for (const name of left) utimesSync(join(world.folder, 'tmp', name), yesterday, yesterday);
  await kill();
  await until('what was left to go', () => parts().length === 0);
  const keys = Object.keys(bucket.sizes());
  for (const name of left) assert.ok(!keys.some((key) => key.endsWith(name)), name);
  assert.equal(world.sql("select id from svc.file where state = 'stored'").length, stored);
});

test('a server that died between the row and its end leaves its temporary file, which goes', async () => {
  const bytes = png(300);
  const { fileId } = await world.upload(ann, bytes);
  const path = join(world.folder, 'tmp', keyOf(fileId).split('/').at(-1));
  writeFileSync(path, bytes);
  utimesSync(path, 1, 1);
  await kill();
  await until('it to go', () => parts().length === 0);
  assert.ok((await world.get(ann.headers, fileId)).bytes.equals(bytes));
});

test('two that upload under one signature at the same time do not mix', async () => {
  const [one, two] = [png(6000), Buffer.concat([png(5000), Buffer.alloc(1000, 1)])];
  const { json } = await world.sign(ann, 'image/png', one.length);
  const answers = await Promise.all([one, two, one, two].map((bytes) => sent(json, bytes)));
  assert.equal(answers.filter(({ status }) => status === 200).length, 1, answers.map(({ text }) => text).join());
  const read = await world.get(ann.headers, json.fileId);
  assert.equal(read.headers.etag, `"${createHash('sha256').update(read.bytes).digest('hex')}"`);
  assert.deepEqual(Object.keys(bucket.sizes()).filter((key) => key.includes(json.fileId)), [keyOf(json.fileId)]);
});

test('a deleted file keeps its bytes for a while, and then they go', async () => {
  const { fileId } = await world.upload(ann, png(40));
  const key = keyOf(fileId);
  assert.equal((await world.remove(ann, fileId)).status, 200);
  assert.ok(existsSync(bucket.path(key)));
  world.sql(`update svc.file set deleted_at = now() - interval '40 days' where id = '${fileId}'`);
  world.sql("insert into svc.file_horizon (oldest) values (now()) on conflict (only_one) do update set oldest = now()");
  await during((call) => (call.method === 'DELETE' ? 500 : undefined), async () => {
    await kill();
    await until('the store to be asked', () => bucket.calls.some(({ method, path }) => method === 'DELETE' && path.endsWith(key.split('/').at(-1))));
  });
  assert.equal(stateOf(fileId), 'deleted');
  await until('the store is asked again', async () => {
    await kill();
    return !existsSync(bucket.path(key));
  });
  await until('the row to go', () => world.sql(`select from svc.file where id = '${fileId}'`).length === 0);
});

test('what was stored on the disk before is still read, and found by the check', async () => {
  const bytes = png(123);
  const { fileId } = await world.upload(ann, bytes);
  mkdirSync(join(world.folder, fileId.slice(-2)), { recursive: true });
  writeFileSync(join(world.folder, fileId.slice(-2), fileId), bytes);
  rmSync(bucket.path(keyOf(fileId)));
  assert.ok((await world.get(ann.headers, fileId)).bytes.equals(bytes));
});

test('the check asks the store, page by page, and `svc status` keeps what it said', async () => {
  const check = () => world.stack.dev('GET', `/projects/${world.project.id}/files/check`, undefined);
  // Only two keys are listed at a time.
  const inPages = (call) => call.url.includes('list-type=2') && ((xml) => {
    const [...found] = xml.matchAll(/<Contents>.*?<\/Contents>/gs);
    return found.length <= 2 ? xml : xml.replace(/<Contents>.*<\/Contents>/s, found.slice(0, 2).join('')).replace(/<IsTruncated>.*?<\/IsTruncated>/, '<IsTruncated>true</IsTruncated>');
  });
  const { json: first } = await during(inPages, check);
  assert.deepEqual(first.missing.files.map(({ name }) => name), ['a.png']);  // of which the bytes were removed above
  assert.equal(first.unknown.count, 0);
  const { fileId } = await world.upload(ann, png(50), { name: 'gone.png' });
  rmSync(bucket.path(keyOf(fileId)));
  const nobodys = '0198b6a0-0000-7000-8000-0000000000aa';
  writeFileSync(bucket.path(`${world.project.id}/dev/${nobodys}.0123456789abcdef`), 'lost');
  const { json } = await during(inPages, check);
  assert.deepEqual([json.missing.count, json.missing.files.at(-1).name], [2, 'gone.png']);
  assert.deepEqual(json.unknown, { count: 1, bytes: 4, files: [{ id: nobodys, size: 4 }] });
  const client = new Client(world.stack);
  try {
    await client.expect(0, ['login', ...password]);
    const { out } = await client.expect(0, ['status', '--project', world.project.id]);
    assert.match(out, /Files of dev, checked \d{4}-[^:]+:\d\d[^\n]*: \d+ stored, 2 without bytes, 1 whose bytes no row knows \(4 bytes\)\.\n {2}To see which: svc files check\n/);
  } finally {
    client.remove();
  }
  const away = await during(() => 500, check);
  assert.deepEqual([away.status, away.json.code], [503, 'UNAVAILABLE'], away.text);
});

test('a verification keeps its files to itself', async () => {
  const keys = Object.keys(bucket.sizes()).length;
  const { json } = await world.stack.dev('POST', `/projects/${world.project.id}/verify`, {}, { expect: 200 });
  assert.equal(json.pass, true, JSON.stringify(json.checks?.filter(({ pass }) => pass === false)));
  assert.equal(Object.keys(bucket.sizes()).length, keys);
});

test('no log has the credentials of the store', () => {
  const log = serverLog();
  assert.match(log, /file_not_taken/);
  for (const text of [log, world.stack.log]) assert.doesNotMatch(text, /S3RVER|AWS4|Signature|X-Amz/i);
});

test('a project that is deleted leaves nothing in the store', async () => {
  assert.ok(Object.keys(bucket.sizes()).length > 0);
  const deleted = await world.stack.dev('DELETE', `/projects/${world.project.id}?confirm=${world.project.slug}`);
  assert.ok(deleted.status < 300, deleted.text);
  await until('its files to go', () => Object.keys(bucket.sizes()).length === 0);
});
