// svc pages eject: the standard pages in the contract are the pages that the app had.
import assert from 'node:assert/strict';
import test from 'node:test';
import { sample } from '../lib/stack.mjs';
import { markup, Visitor } from '../pages/world.mjs';
import { served } from './client.mjs';

let stack, client;
served((made) => { ({ stack, client } = made); });

const expect = (...asked) => client.expect(...asked);
const contractOf = () => JSON.parse(client.read('svc.json'));

// Visits every page that links from the first one lead to, at most `most` of a kind.
async function walk(visitor, most = 60) {
  const pages = new Map();
  const open = ['/'];
  while (open.length > 0 && pages.size < most) {
    const path = open.shift();
    if (pages.has(path)) continue;
    const answer = await visitor.ask('GET', path);
    pages.set(path, `${answer.status} ${answer.headers.location ?? ''} ${markup(answer.text).replace(/ data-(build|live-at)="[^"]*"/g, '').replace(/(name="_version" value=)"[^"]*"/g, '$1')}`);
    for (const [, next] of answer.text.matchAll(/href="(\/[^"#]*)"/g)) {
      if (!/^\/(assets|__svc|account|sign|reset)/.test(next)) open.push(next.replaceAll('&amp;', '&'));
    }
  }
  return pages;
}

for (const [name, people] of [['shop', ['ann@example.test', 'mia@example.test']], ['clinic', []], ['hello', []]]) {
  test(`the pages of ${name} are the same before and after`, async () => {
    const project = await client.linked(`Pages of ${name}`);
    const { pages: _own, ...contract } = sample(name);
    client.write('svc.json', contract);
    await expect(0, ['apply']);
    const { json } = await stack.dev('GET', `/projects/${project}`, undefined, { expect: 200 });
    const host = `preview-${json.project.slug}.localhost`;
    const visitors = [new Visitor(stack, host)];
    for (const email of people) {
      const visitor = new Visitor(stack, host);
      await visitor.signInAs({ id: project }, email);
      visitors.push(visitor);
    }
    const before = [];
    for (const visitor of visitors) before.push(await walk(visitor));

    const warnings = (text) => [...text.matchAll(/^svc\.json:.*warning: .*$/gm)].map(([line]) => line.replace(/^svc\.json:\d+:\d+: /, ''));
    const had = warnings((await expect(0, ['check'])).out);
    const { out } = await expect(0, ['pages', 'eject']);
    assert.match(out, /^Wrote \d+ pages into svc\.json\./);
    const { pages, ...rest } = contractOf();
    assert.deepEqual(rest, contract, 'nothing else has changed');
    assert.ok(pages.some(({ route }) => route === '/'));
    const checked = await expect(0, ['check']);
    assert.deepEqual(warnings(checked.out), had, 'it brings no warning');
    await expect(0, ['apply']);
    for (const [i, visitor] of visitors.entries()) {
      const now = await walk(visitor);
      assert.deepEqual([...now.keys()], [...before[i].keys()]);
      for (const [path, page] of now) assert.equal(page, before[i].get(path), path);
    }
    assert.match((await expect(1, ['pages', 'eject'])).err, /svc\.json has pages of its own/);
  });
}

test('the file keeps its own layout, and an empty list is filled', async () => {
  await client.linked('Layout');
  const text = JSON.stringify(sample('hello')).replace(/}$/, '\n , "pages" : [ ] }\n');
  client.write('odd.json', text);
  await expect(0, ['pages', 'eject', 'odd.json']);
  const now = client.read('odd.json');
  assert.ok(now.startsWith(text.slice(0, text.indexOf('[ ]'))));
  assert.ok(now.endsWith('] }\n'));
  assert.ok(JSON.parse(now).pages.length > 1);
  assert.ok(now.split('\n').every((line) => line.length <= 140 || line.startsWith('{"app"')), now);
});

test('a contract with mistakes is not written, and they are reported', async () => {
  await client.linked('Wrong');
  const bad = sample('hello');
  bad.entities[0].fields[0].type = 'nunber';
  client.write('svc.json', bad);
  const before = client.read('svc.json');
  assert.match((await expect(1, ['pages', 'eject'])).out, /\[UNKNOWN_VALUE\]/);
  assert.equal(client.read('svc.json'), before);
  await expect(2, ['pages']);
});
