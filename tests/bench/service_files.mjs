// Files: one large upload, many at once, downloads, and answers without bytes.
import { closeSync, copyFileSync, fdatasyncSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs';
import http from 'node:http';
import { join } from 'node:path';
import { multipart, png, World } from '../files/world.mjs';
import { appServers } from '../lib/stack.mjs';
import { memoryMiB } from './feed_peers.mjs';
import { interleaved, wrk } from './lib.mjs';
import { nginx, servicePeer } from './service_peers.mjs';
import { row } from './table.mjs';

const kBytes = Number(process.env.SVC_BENCH_FILE_MB ?? 1000) * 1_000_000;
const kUploads = 100;
const version = { 'tus-resumable': '1.0.0' };
const base64 = (text) => Buffer.from(text).toString('base64');

// A request whose body is `size` bytes that begin as a picture does.
function sent({ port, path, method, headers, size }) {
  const piece = Buffer.alloc(1 << 20, 7);
  return new Promise((done, fail) => {
    const call = http.request({ host: '127.0.0.1', port, path, method, headers: { ...headers, 'content-length': size }, agent: false }, (answer) => {
      answer.resume().on('end', () => done(answer));
    });
    call.on('error', fail);
    let left = size - png().length;
    call.write(png());
    const go = () => {
      while (left > 0) {
        const some = piece.subarray(0, Math.min(left, piece.length));
        left -= some.length;
        if (!call.write(some)) return void call.once('drain', go);
      }
      call.end();
    };
    go();
  });
}

// Megabytes a second of a resumable upload in one piece; gives back its path as well.
async function resumable({ port, path, headers }) {
  const from = performance.now();
  const begun = await sentNothing({ port, path, headers: { ...headers, ...version, 'upload-length': String(kBytes), 'upload-metadata': `filename ${base64('a.png')},filetype ${base64('image/png')}` } });
  if (begun.statusCode !== 201) throw new Error(`an upload is not begun: ${begun.statusCode}`);
  const made = new URL(begun.headers.location, `http://127.0.0.1:${port}`).pathname;
  const ended = await sent({ port, path: made, method: 'PATCH', size: kBytes, headers: { ...headers, ...version, 'content-type': 'application/offset+octet-stream', 'upload-offset': '0' } });
  if (ended.statusCode !== 204) throw new Error(`an upload is not taken: ${ended.statusCode}`);
  const rate = kBytes / 1e6 / (performance.now() - from) * 1000;
  await deleted({ port, path: made.replace('/files/tus/', '/files/'), headers: { ...headers, ...version } });
  return rate;
}
const plain = (options) => new Promise((done, fail) => {
  http.request({ host: '127.0.0.1', agent: false, ...options }, (answer) => answer.resume().on('end', () => done(answer))).on('error', fail).end();
});
const sentNothing = (options) => plain({ ...options, method: 'POST', headers: { ...options.headers, 'content-length': 0 } });
const deleted = (options) => plain({ ...options, method: 'DELETE' });

// Megabytes a second of a file that is written by itself until it is safely on the disk, as an upload is.
function written(path) {
  const piece = Buffer.alloc(1 << 20, 7), file = openSync(path, 'w');
  const from = performance.now();
  for (let left = kBytes; left > 0; left -= piece.length) writeSync(file, piece, 0, Math.min(left, piece.length));
  fdatasyncSync(file);
  const rate = kBytes / 1e6 / (performance.now() - from) * 1000;
  closeSync(file);
  rmSync(path);
  return rate;
}

// @tus/server leaves it to the kernel when bytes go to the disk. What it would cost it to wait for that as svc does is a
// row of its own.
async function large(folder, world, ann) {
  const own = join(folder, 'tus'), peers = [];
  mkdirSync(own, { recursive: true });
  const start = async (name) => {
    const peer = await servicePeer(folder, name, { FOLDER: own });
    peers.push(peer);
    return () => resumable({ port: peer.port, path: '/files', headers: {} });
  };
  try {
    const theirs = await start('tus'), synced = await start('tusSynced');
    const [ours, unsafe, safe, alone] = await interleaved([
      () => resumable({ port: world.stack.port, path: '/__svc/files/tus', headers: { ...ann.headers, host: world.app.host } }),
      theirs, synced, () => written(join(own, 'alone'))]);
    row(`upload of ${kBytes / 1e6} MB against @tus/server`, ours, unsafe, 'MB/s', 2);
    row(`upload of ${kBytes / 1e6} MB against @tus/server that waits for the disk`, ours, safe, 'MB/s', null);
    row(`upload of ${kBytes / 1e6} MB against writing and syncing as much`, ours, alone, 'MB/s', null);
  } finally {
    for (const peer of peers) await peer.stop();
  }
}

// All have sent the first half of two megabytes before any sends the rest.
async function many(world, ann) {
  const { pid } = appServers(world.project).find(({ env }) => env.SVC_ENV === 'dev');
  const { body, type } = multipart([{ name: 'file', file: 'a.png', type: 'image/png', bytes: png(2_000_000) }]);
  const half = body.length >> 1;
  let begun = 0, go, most = memoryMiB(pid);
  const all = new Promise((done) => { go = done; });
  const upload = () => world.send(ann.headers, 'POST', '/__svc/files/direct', (call) => {
    call.write(body.subarray(0, half), async () => {
      if ((begun += 1) === kUploads) go();
      await all;
      call.end(body.subarray(half));
    });
  }, { 'content-type': type, 'content-length': body.length });
  const watch = setInterval(() => { most = Math.max(most, memoryMiB(pid)); }, 20);
  const answers = await Promise.all(Array.from({ length: kUploads }, upload));
  clearInterval(watch);
  const bad = answers.find(({ status }) => status !== 200);
  if (bad) throw new Error(`an upload is not taken: ${bad.status} ${bad.text}`);
  row(`memory of the app server, ${kUploads} uploads at once`, most, 64, 'MiB (bar)', 1, false);
}

async function downloads(folder, world, ann) {
  const { fileId } = await world.upload(ann, png(16 << 20));
  const album = await world.app.write(ann.headers, 'POST', 'album', { title: 'x', cover: fileId }, 201);
  const files = join(folder, 'served');
  mkdirSync(files, { recursive: true });
  copyFileSync(join(world.folder, fileId.slice(-2), fileId), join(files, 'a.png'));
  const peer = await nginx(folder, files);
  const headers = { ...ann.headers, Host: world.app.host };
  const { headers: { etag } } = await world.get(ann.headers, fileId, '', {}, 'HEAD');
  const load = (path, more = {}) => ({ folder, port: world.stack.port, paths: [path], headers: { ...headers, ...more } });
  try {
    const [ours, theirs, unchanged, byId] = await interleaved([
      () => wrk({ ...load(`/__svc/files/${fileId}`), connections: 8 }),
      () => wrk({ folder, port: peer.port, paths: ['/a.png'], headers: {}, connections: 8 }),
      () => wrk(load(`/__svc/files/${fileId}`, { 'if-none-match': etag })),
      () => wrk(load(`/__svc/api/v1/album/${album.id}`, { 'x-svc-data-api': '1' }))]);
    row('downloads of 16 MiB against nginx', ours, theirs, 'downloads/s', 0.8);
    row('304 of a file against a row by id', unchanged, byId, 'requests/s', 0.9);
  } finally {
    await peer.stop();
  }
}

export async function files(folder) {
  const env = { SVC_RATE_UPLOAD: '0', SVC_RATE_BROWSER: '0', SVC_RATE_SERVER: '0' };
  const world = await World.start({ more: { files: { maxSize: '1GB' } }, env });
  try {
    const ann = await world.person('ann');
    await large(folder, world, ann);
    await many(world, ann);
    await downloads(folder, world, ann);
  } finally {
    await world.stop();
  }
}
