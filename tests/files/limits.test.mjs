// How many uploads an account may begin, and how many files an address may read without a key.
import assert from 'node:assert/strict';
import http from 'node:http';
import test, { after, before } from 'node:test';
import { png, World } from './world.mjs';

let world;
before(async () => { world = await World.start({ env: { SVC_RATE_UPLOAD: '3', SVC_RATE_BROWSER: '60' } }); });
after(() => world?.stop());

const full = (answer) => {
  assert.deepEqual([answer.status, answer.json?.error?.code], [429, 'RATE_LIMITED'], answer.text);
  assert.ok(Number(answer.headers['retry-after']) >= 1);
};

test('an account has its share of uploads, in whatever way they begin', async () => {
  const ann = await world.person('ann'), bob = await world.person('bob');
  const sign = (person) => world.sign(person, 'image/png', png().length);
  const direct = (person, query) => world.direct(person, [{ name: 'file', file: 'a.png', type: 'image/png', bytes: png() }], query);
  const resumable = (person) => world.send(person.headers, 'POST', '/__svc/files/tus', Buffer.alloc(0), { 'tus-resumable': '1.0.0', 'upload-length': '5' });
  const signed = await sign(ann);
  assert.deepEqual([signed.status, (await direct(ann)).status, (await resumable(ann)).status], [200, 200, 201]);
  for (const begin of [sign, direct, resumable]) full(await begin(ann));
  // What was signed counts already, and others have their own share.
  const { uploadUrl } = signed.json;
  assert.equal((await direct(ann, uploadUrl.slice(uploadUrl.indexOf('?')))).status, 200);
  assert.equal((await sign(bob)).status, 200);
});

test('each address has its share of what it reads without a key, and keys have theirs', async () => {
  const eve = await world.person('eve'), { fileId } = await world.upload(eve, png());
  const { json } = await world.app.call({ ...eve.headers, 'x-svc-files': '1' }, 'POST', 'api/v1/album', { title: 'x', open: true, cover: fileId }, 201);
  const read = (localAddress) => new Promise((done, fail) => {
    http.get({ host: '127.0.0.1', port: world.stack.port, path: json.rows[0].cover_url, headers: { host: world.app.host }, localAddress, agent: false }, (answer) => {
      let text = '';
      answer.setEncoding('latin1').on('data', (piece) => { text += piece; }).on('end', () => done({ status: answer.statusCode, headers: answer.headers, text, json: answer.statusCode === 200 ? undefined : JSON.parse(text) }));
    }).on('error', fail);
  });
  let count = 0, last = await read('127.0.0.2');
  for (; last.status === 200 && count < 3000; count += 1) last = await read('127.0.0.2');
  full(last);
  assert.ok(count >= 300, `${count}`);
  assert.equal((await read('127.0.0.3')).status, 200);
  assert.equal((await world.get(eve.headers, fileId)).status, 200);
});
