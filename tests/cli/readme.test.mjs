// README's "A first contract in five minutes", as it stands there: its commands in its order. Only the
// address and the home differ; `./run serve` is the stack and `./run svc` the client as built.
import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { Stack, bin, root } from '../lib/stack.mjs';
import { Client, run } from './client.mjs';

const readme = readFileSync(join(root, 'README.md'), 'utf8');
const section = /^## A first contract in five minutes\n([\s\S]*?)^## /m.exec(readme)[1];
const blocks = (language) =>
  [...section.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm'))].map((match) => match[1]);

// A copy of what the commands need of the repository, where ./run starts what has been built.
function repository(client) {
  const folder = client.subfolder('repository');
  mkdirSync(join(folder, 'samples/hello'), { recursive: true });
  copyFileSync(join(root, 'samples/hello/svc.json'), join(folder, 'samples/hello/svc.json'));
  symlinkSync(join(bin, 'svc'), join(folder, 'client'));
  writeFileSync(join(folder, 'run'), `#!/bin/sh\nshift\nexec ${join(folder, 'client')} "$@"\n`, { mode: 0o755 });
  return folder;
}

// The page shows two lines as they are afterwards: one that is there, now with a comma, and the new one
// with what stood after the old.
function withField(contract, shown) {
  const [before, added] = shown.trimEnd().split('\n');
  const line = contract.split('\n').find((text) => text.startsWith(before.replace(/,$/, '')));
  assert.ok(line, 'the page shows a line of samples/hello');
  assert.ok(added.endsWith(line.slice(before.length - 1)), 'and what follows it');
  return contract.replace(line, `${before}\n${added}`);
}

test('the first five minutes of README.md', async (t) => {
  const [serve, first, keys, loop, publish] = blocks('sh');
  const [field] = blocks('json');
  const [, email] = /SVC_OWNER_EMAIL=(\S+)/.exec(serve);
  const [, password] = /SVC_OWNER_PASSWORD='([^']*)'/.exec(serve);
  assert.match(serve, /\.\/run serve$/m);
  assert.match(loop, /sleep 0\.2/);

  const stack = await Stack.start({ SVC_OWNER_EMAIL: email, SVC_OWNER_PASSWORD: password });
  t.after(() => stack.stop());
  const client = new Client(stack);
  t.after(() => client.remove());
  const folder = repository(client);
  const hello = join(client.home, 'hello');
  const here = (text) => text.replaceAll(/(127\.0\.0\.1|hello\.localhost):7878/g, `$1:${stack.port}`);

  // An alias holds from the next line on, which is how the page uses it; scripts must ask for that.
  const shell = async (text, cwd) => {
    const end = await run('bash', ['-c', `shopt -s expand_aliases\nset -e\n${here(text)}`], { cwd, env: client.env });
    assert.equal(end.code, 0, `${text}\n${end.out}${end.err}`);
    return end.out;
  };
  const started = await shell(first, folder);
  assert.match(started, /^ {2}swap +done/m);
  assert.match(started, /^The app answers at http:\/\/preview-hello\.localhost:\d+ and at /m);
  assert.doesNotMatch(section, /\bsed\b|\$dev|\/session/, 'nothing but the client and calls of the app');

  const alias = `cd ${folder} && alias svc="$PWD/run svc" && cd ${hello}\n`;
  const asked = await shell(`${alias}${keys}\nhello "$app/api/v1/reading?limit=1"`, hello);
  const answers = asked.trim().split('\n').map((line) => JSON.parse(line));
  assert.equal(answers.length, 3);
  for (const answer of answers) assert.equal(answer.ok, true, asked);
  assert.equal(answers[1].rows[0].value, 36.6);
  assert.ok(!('note' in answers[1].rows[0]));

  const contract = readFileSync(join(hello, 'svc.json'), 'utf8');
  const changed = withField(contract, field);
  writeFileSync(join(hello, 'svc.json'), changed);
  await shell(`${alias}svc apply`, hello);
  const loopOnce = `${alias}${keys}\n${loop.replace('while', 'if').replace('do sleep 0.2; done &', 'then true; fi')}`;
  const later = (await shell(loopOnce, hello)).trim().split('\n').map((line) => JSON.parse(line));
  assert.equal(later.at(-1).rows[0].note, null);

  writeFileSync(join(hello, 'svc.json'), changed.replace('"type": "text"', '"type": "tekst"'));
  const checked = await shell(`${alias}svc check || true`, hello);
  assert.match(checked, /svc\.json:\d+:\d+: error/);
  assert.match(checked, /fix: .*text/);

  const published = await shell(`${alias}${keys}\n${publish}`, hello);
  assert.match(published, /Version 2 is live at http:\/\/hello\.localhost:/);
  const rows = published.split('\n').filter((line) => line.startsWith('{"ok"')).at(-1);
  assert.deepEqual(JSON.parse(rows).rows, [], 'prod has rows of its own');
  assert.match(published, /^prod +2 +live +http:\/\/hello\.localhost:/m);
});
