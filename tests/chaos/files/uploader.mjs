// One who uploads, reads and deletes files of their own, at either server, and knows what each of them must be: `stored` and
// `deleted` were acknowledged, of what is `open` the answer was lost. What cannot be is a fault, which ends the loop.
import { setTimeout as pause } from 'node:timers/promises';
import { request } from '../../lib/http.mjs';
import { multipart } from '../../files/world.mjs';
import { bytesOf, hashOf } from './contract.mjs';

const version = { 'tus-resumable': '1.0.0' };
const base64 = (text) => Buffer.from(text).toString('base64');
const deeds = { direct: 4, resumable: 4, read: 8, remove: 2, hold: 1, giveUp: 0.5 };

export class Uploader {
  files = [];  // {id, number, size, sha, state, held}
  seen = {};
  going = false;

  // Its numbers are those of nobody else.
  constructor(world, dice, who, first) { Object.assign(this, { world, dice, who, next: first }); }

  go() {
    this.going = true;
    this.done = this.loop().catch((error) => { this.fault = error; });
  }
  async rest() {
    this.going = false;
    await this.done;
    if (this.fault) throw this.fault;
  }

  async loop() {
    while (this.going) {
      const what = this.dice.weighted(deeds);
      await this[what]();
      await pause(this.dice.below(20));
    }
  }

  note(what) { this.seen[what] = (this.seen[what] ?? 0) + 1; }
  demand(holds, what, file, answer) {
    if (!holds) throw new Error(`${what}: ${JSON.stringify(file)}, answered ${answer?.status} ${answer?.text.slice(0, 300)}`);
  }

  // Null: the answer was lost.
  async send(method, path, { body, headers = {} } = {}) {
    const { world } = this;
    const at = world.second && this.dice.chance(0.3) ? { port: world.second.port } : { port: world.stack.port, host: world.app.host };
    const all = { ...world.headers(this.who), 'x-svc-data-api': '1', ...(at.host ? { host: at.host } : {}), ...headers };
    const answer = await request({ port: at.port, method, path, headers: all, body }).catch(() => null);
    this.note(`${method} ${answer ? `${answer.status} ${answer.json?.error?.code ?? ''}`.trim() : 'lost'}`);
    return answer;
  }

  make() {
    const number = this.next++;
    const size = this.dice.chance(0.15) ? 1_000_000 + this.dice.below(2_500_000) : 100 + this.dice.below(200_000);
    const bytes = bytesOf(number, size);
    return { bytes, file: { number, size: bytes.length, sha: hashOf(bytes), state: 'open', held: null } };
  }
  some(...states) {
    const fit = this.files.filter(({ state }) => states.includes(state));
    return fit.length > 0 ? this.dice.pick(fit) : null;
  }

  async direct() {
    const { bytes, file } = this.make();
    const signed = await this.send('POST', '/__svc/files/sign', { body: { mime: 'image/png', size: file.size } });
    if (signed?.status !== 200) return;
    this.files.push(Object.assign(file, { id: signed.json.fileId }));
    const { body, type } = multipart([{ name: 'file', file: `${file.number}.png`, type: 'image/png', bytes }]);
    for (let tries = 0; tries < 3 && this.going; tries += 1) {
      const answer = await this.send('POST', signed.json.uploadUrl.replace(/^(\/__svc)?/, '/__svc'), { body, headers: { 'content-type': type } });
      this.demand(!answer || ![400, 403, 413, 415].includes(answer.status), 'an upload that is sound was refused', file, answer);
      if (answer?.status === 200) file.state = 'stored';
      if (answer?.status === 200 || answer?.status === 409) return;
      await pause(30);
    }
  }

  async begin(file) {
    const answer = await this.send('POST', '/__svc/files/tus', { body: Buffer.alloc(0), headers: {
      ...version, 'upload-length': String(file.size), 'upload-metadata': `filename ${base64(`${file.number}.png`)},filetype ${base64('image/png')}` } });
    if (answer?.status !== 201) return null;
    const path = answer.headers.location;
    this.files.push(Object.assign(file, { id: path.slice(path.lastIndexOf('/') + 1) }));
    return path;
  }
  patch(path, offset, bytes) {
    return this.send('PATCH', path, { body: bytes, headers: { ...version, 'content-type': 'application/offset+octet-stream', 'upload-offset': String(offset) } });
  }
  head(path) { return this.send('HEAD', path, { headers: version }); }

  // In pieces. Where an answer is lost, or the client is impatient, it asks how much is there.
  async resumable() {
    const { bytes, file } = this.make();
    const path = await this.begin(file);
    if (!path) return;
    const piece = Math.ceil(file.size / (1 + this.dice.below(5)));
    let offset = 0;  // that was acknowledged
    while (offset < file.size) {
      const sent = this.patch(path, offset, bytes.subarray(offset, offset + piece));
      if (this.dice.chance(0.2)) {
        await pause(this.dice.below(30));
        await this.head(path);
      }
      let answer = await sent;
      if (answer?.status !== 204) {
        await pause(20);
        if (!this.going) return;
        answer = await this.head(path);
        this.demand(answer?.status !== 404, 'an upload that was begun is gone', file, answer);
        if (answer?.status !== 200) continue;
      }
      const now = Number(answer.headers['upload-offset']);
      this.demand(now >= offset && now <= file.size, `acknowledged bytes are lost, ${offset} were there and ${now} are`, file, answer);
      offset = now;
    }
    file.state = 'stored';
  }

  async giveUp() {
    const { bytes, file } = this.make();
    const path = await this.begin(file);
    if (!path) return;
    await this.patch(path, 0, bytes.subarray(0, file.size >> 1));
    const answer = await this.send('DELETE', path, { headers: version });
    if (answer?.status === 204) file.state = 'deleted';
  }

  async hold() {
    const file = this.some('stored');
    if (!file || file.held) return;
    file.held = 'perhaps';
    const answer = await this.send('POST', '/__svc/api/v1/album', { body: { title: String(file.number), cover: file.id } });
    this.demand(!answer || answer.status < 400 || answer.status >= 500 || answer.status === 429, 'a row does not take a file that is there', file, answer);
    if (answer?.status === 201) file.held = 'yes';
  }

  async remove() {
    const file = this.some('stored');
    if (!file) return;
    file.state = 'going';
    const answer = await this.send('DELETE', `/__svc/files/${file.id}`);
    this.demand(answer?.status !== 404, 'a file that was stored is gone', file, answer);
    this.demand(answer?.status !== 200 || file.held !== 'yes', 'a file was deleted that a row holds', file, answer);
    if (answer?.status === 200) file.state = 'deleted';
    if (answer?.status === 409) file.state = 'stored';
  }

  async read() {
    const file = this.some('stored', 'deleted', 'open', 'going');
    if (file) await this.check(file, this.dice.chance(0.4));
  }

  // Whole or a range: the bytes are those that were sent.
  async check(file, partly = false) {
    const from = partly ? this.dice.below(file.size) : 0;
    const answer = await this.send('GET', `/__svc/files/${file.id}`, { headers: partly ? { range: `bytes=${from}-` } : {} });
    if (answer?.status === 404) this.demand(file.state !== 'stored', 'a file that was stored is gone', file, answer);
    if (answer?.status !== 200 && answer?.status !== 206) return answer;
    this.demand(file.state !== 'deleted', 'a file that was deleted is there', file, answer);
    const wanted = bytesOf(file.number, file.size).subarray(from);
    if (!answer.bytes.equals(wanted)) throw new Error(`other bytes than were sent, ${answer.bytes.length} of ${wanted.length} from ${from}: ${JSON.stringify(file)}`);
    return answer;
  }
}
