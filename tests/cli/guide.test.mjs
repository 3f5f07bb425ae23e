// The chapter "What happens by itself" of docs/contract-guide.md, as it stands there: its contract is sound after each
// piece, its commands are typed in their order into one shell, and what they show is what the page shows. Only ports
// differ; `./run svc` is the client as built.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { checked } from '../lib/check_lines.mjs';
import { contracts, pieces, settled } from '../lib/guide_page.mjs';
import { Stack, bin, freePort, until } from '../lib/stack.mjs';
import { Client } from './client.mjs';

test('each contract of the chapter is checked without findings', () => {
  const all = contracts();
  assert.ok(all.length > 4);
  for (const [i, { findings }] of checked(all.map(({ contract }) => contract)).entries()) assert.deepEqual(findings, [], all[i].piece.text);
});

// A shell that goes on from one piece to the next.
class Shell {
  constructor(client) {
    this.out = '';
    this.child = spawn('bash', ['--norc'], { cwd: client.home, env: client.env, stdio: ['pipe', 'pipe', 'pipe'], detached: true });
    for (const stream of [this.child.stdout, this.child.stderr]) stream.on('data', (piece) => { this.out += piece; });
    this.ended = new Promise((done) => this.child.on('close', done));
  }
  // Types the lines, which must all succeed, and returns their output.
  async type(text) {
    this.out = '';
    this.child.stdin.write(`${text}\nprintf '\\nend %s\\n' $?\n`);
    const [, shown, code] = await until(`the end of ${text}`, () => /^([\s\S]*)\nend (\d+)\n$/.exec(this.out), 300_000);
    assert.equal(code, '0', `${text}\n${shown}`);
    return shown;
  }
  start(text) { this.child.stdin.write(`${text}\n`); }
  stop() {
    process.kill(-this.child.pid);  // with what it left running
    return this.ended;
  }
}

const endsWith = (shown, wanted) => settled(shown).endsWith(settled(wanted));

// The order of followed runs differs, and so does whether one is seen waiting.
function wasSeen(shown, wanted) {
  const lines = settled(shown).split('\n');
  return settled(wanted).split('\n').every((line) => / (queued|running|waiting)$/.test(line) || lines.includes(line));
}

test('the commands of the chapter show what it shows', async (t) => {
  const serve = pieces.find(({ mark }) => mark === 'serve').text;
  const settings = Object.fromEntries([...serve.matchAll(/(SVC_\w+)=(?:'([^']*)'|(\S+))/g)].map(([, name, quoted, plain]) => [name, quoted ?? plain]));
  const stack = await Stack.start(settings);
  t.after(() => stack.stop());
  const client = new Client(stack);
  t.after(() => client.remove());
  symlinkSync(join(bin, 'svc'), join(client.home, 'svc'));
  client.env.PATH = `${client.home}:${client.env.PATH}`;
  const other = await freePort();
  const here = (text) => text.replaceAll(/(127\.0\.0\.1|\.localhost):7878/g, `$1:${stack.port}`).replaceAll('9009', other);
  const folder = join(client.home, 'repairs');
  const [shell, beside] = [new Shell(client), new Shell(client)];
  t.after(() => Promise.all([shell.stop(), beside.stop()]));

  const made = contracts();
  let shown = '', last;
  const play = {
    json: (piece) => {
      writeFileSync(join(folder, 'svc.json'), here(JSON.stringify(made.find((one) => one.piece === piece).contract, null, 2)));
    },
    js: ({ mark, text }) => writeFileSync(join(folder, mark), here(text)),
    sh: async ({ mark, text }) => {
      if (mark === 'serve') return;
      if (mark === 'beside') {
        await beside.type('cd ~/repairs');
        beside.start(here(text));
        return;
      }
      last = { mark, text };
      shown = await shell.type(here(text));
    },
    text: async ({ mark, text }) => {
      const found = mark === 'beside'
        ? () => wasSeen(beside.out, text)
        : async () => endsWith(shown, text) || (last.mark === 'again' && endsWith(shown = await shell.type(here(last.text)), text));
      await until('what the page shows', found, mark === 'beside' || last.mark === 'again' ? 30_000 : 0)
        .catch((error) => assert.fail(`${error.message}\n${last.text}\n${settled(mark === 'beside' ? beside.out : shown)}\n\nThe page shows:\n${settled(text)}`));
    },
  };
  for (const piece of pieces) await play[piece.language](piece);
});
