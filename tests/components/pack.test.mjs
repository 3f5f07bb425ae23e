// The scripts of components: the same bytes wherever they are made, and names by content.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { after } from 'node:test';
import { bin } from '../lib/stack.mjs';

const home = mkdtempSync(join(tmpdir(), 'svc-pack-'));
after(() => rmSync(home, { recursive: true, force: true }));

const component = (name, source) => ({ name, source });
const part = component('Part', 'export default function Part({ text }: { text: string }) { return <p>{text}</p>; }');
const show = (name, words) => component(name, `import Part from "./Part";
import { useState } from "react";
export default function ${name}() { const [text] = useState("${words}"); return <Part text={text} />; }`);

function pack(components, shown, below = '.') {
  const folder = join(home, below);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'job.json'), JSON.stringify({ components, client: null, shown }));
  execFileSync('node', [join(bin, 'web/components/pack.mjs'), join(folder, 'job.json')], { env: { PATH: process.env.PATH, TMPDIR: folder } });
  const { scripts } = JSON.parse(readFileSync(join(folder, 'scripts.json'), 'utf8'));
  rmSync(join(folder, 'src'), { recursive: true });
  return scripts;
}
const names = (scripts) => scripts.map(({ name }) => name);
const of = (scripts, name) => names(scripts).find((one) => one.startsWith(`${name}-`));

test('paths of the machine change nothing', () => {
  const all = [show('One', 'a'), show('Two', 'b'), part];
  const scripts = pack(all, ['One', 'Two']);
  assert.deepEqual(pack(all, ['One', 'Two'], 'much/deeper/than/that'), scripts);
  for (const { name } of scripts) assert.match(name, /^(mount|One|Two|chunk)-[0-9a-f]{12}\.js$/);
  assert.match(names(scripts)[0], /^mount-/);
  for (const { text } of scripts) {
    for (const [, other] of text.matchAll(/"\.\/([^"]+)"/g)) assert.ok(names(scripts).includes(other), other);
    assert.doesNotMatch(text, /svc-pack|node_modules/);
  }
});

test('only what changed has another name', () => {
  const before = pack([show('One', 'a'), show('Two', 'b'), part], ['One', 'Two']);
  const later = pack([show('One', 'a'), show('Two', 'c'), part], ['One', 'Two']);
  assert.equal(of(later, 'One'), of(before, 'One'));
  assert.notEqual(of(later, 'Two'), of(before, 'Two'));
  assert.notEqual(of(later, 'mount'), of(before, 'mount'));
  assert.equal(of(pack([show('One', 'a'), show('Two', 'b'), part], ['One']), 'Two'), undefined, 'what no page shows is not made');
});
