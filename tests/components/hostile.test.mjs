// Components that mean harm: to their gates, to the service that runs these, and to who opens a page.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { after, before } from 'node:test';
import { bin, Stack } from '../lib/stack.mjs';

let stack;
before(async () => {
  stack = await Stack.start();
  await stack.signIn();
});
after(() => stack?.stop());

const one = (code) => `export default function One(): any { const el: any = null, text: any = ""; ${code}\n return null; }`;
const check = async (source) => (await stack.dev('POST', '/components/check', { name: 'One', source }, { expect: 200 })).json;
const refused = async (source, stage, pattern) => {
  const answer = await check(source);
  assert.deepEqual([answer.ok, answer.stage], [false, stage], `${source.slice(0, 200)}: ${JSON.stringify(answer).slice(0, 500)}`);
  assert.match(answer.errors[0].message, pattern);
};

test('names that make HTML or code are found however they are put together', async () => {
  const ways = [
    'el["inner" + "HTML"] = text;', 'el[`inner${"HTML"}`] = text;', 'const k = "inner", l = k + "HTML"; el[l] = text;', 'el[["inner", "HTML"].join("")] = text;', 'el["inner".concat("HTML")] = text;',
    `el["inn"${' + ""'.repeat(100)} + "erHTML"] = text;`, `f${'('.repeat(50)}k${')'.repeat(50)}; function f(..._: any[]) {} const k = "outer" + "HTML"; el[k] = text;`,
    'enum Key { A = "innerHTML" } el[Key.A] = text;', 'const o = { k: "innerHTML" }; el[o.k] = text;', 'el[["innerHTML"][0] as string] = text;', 'let k = ""; k = "innerHTML"; el[k] = text;',
    'const set = (k = "innerHTML") => { el[k] = text; }; set();', 'Object.assign(el, { ["inner" + "HTML"]: text });', 'const { ["inner" + "HTML"]: html } = el;', 'el.setAttribute("src" + "doc", text);',
    'Reflect.set(el, "innerHTML", text);', 'el["con" + "structor"]("return 1")();',
    // Constants of each other, in circles and before they are declared.
    'const f = () => { const a = b; void a; }; { const a = "innerHTML", b = a; el[b] = text; } void f;', 'const f = () => { el[c] = text; }; const c = d + "ML"; const d = "innerHT"; void f;',
  ];
  for (const code of ways) await refused(one(code), 'static', /HTML from text|leads to Function/);
  await refused(`/** @jsxRuntime classic @jsx document.write */\n${one('')}`, 'static', /@jsx/);
  await refused(`/* a note, then @jsx eval */\n${one('')}`, 'static', /@jsx/);
});

// Each was minutes of work for a gate that two may use at a time.
test('constants that double with each step are no work', async () => {
  for (const step of ['A + A', '[A, A].join("")', 'A.concat(A)', 'text ? A : A']) {
    const lines = Array.from({ length: 60 }, (_, i) => `const a${i} = ${step.replaceAll('A', `a${i + 1}`)};`).reverse();
    const answer = await check(one(`const never = () => { const a60 = "x"; ${lines.join(' ')} return el[a0]; }; void never;`));
    assert.equal(answer.ok, true, JSON.stringify(answer).slice(0, 500));
  }
});

// The compiler reckons a constant of constants anew for each place where it stands.
test('types that would take for ever are reported to their author', async () => {
  const lines = Array.from({ length: 60 }, (_, i) => `const a${i} = \`\${a${i + 1}}\${a${i + 1}}\`;`).reverse();
  const source = one(`const never = () => { const a60 = "x"; ${lines.join(' ')} return el[a0]; }; void never;`);
  const folder = mkdtempSync(join(tmpdir(), 'svc-gate-'));
  try {
    writeFileSync(join(folder, 'job.json'), JSON.stringify({ components: [{ name: 'One', source, sample: {}, gated: true }], client: null, uses: [], typesSeconds: 5 }));
    const said = execFileSync(process.execPath, [join(bin, 'web/components/gate.mjs'), join(folder, 'job.json')], { env: { TMPDIR: folder }, encoding: 'utf8' });
    const { passed, stage, errors } = JSON.parse(said);
    assert.deepEqual([passed, stage], [['static'], 'types']);
    assert.match(errors[0].message, /take longer than 5 s/);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('too deep nesting is reported to its author', async () => {
  const deep = (open, close, n) => open.repeat(n) + close.repeat(n);
  for (const source of [one(`const x = ${deep('[', ']', 60000)};`), one(`const x = ${'('.repeat(30000)}1${')'.repeat(30000)};`), one(`const x = ${'!'.repeat(80000)}1;`), one(`const x: ${'Array<'.repeat(20000)}any${'>'.repeat(20000)} = [];`),
    `export default function One(): any { return ${'<b>'.repeat(20000)}${'</b>'.repeat(20000)}; }`, one(`const x = "a"${' + "a"'.repeat(30000)};`)]) {
    const answer = await check(source);
    assert.equal(answer.ok, false);
    assert.match(answer.errors[0].message, /nested too deeply|Maximum call stack|too complex/, JSON.stringify(answer).slice(0, 500));
  }
  assert.equal((await check(one(''))).ok, true);
});

test('a component cannot say of itself that it was rendered', async () => {
  for (const code of [
    'throw { get message() { for (;;) {} } };', 'throw { get message(): string { throw this; }, get stack(): string { throw this; } };', 'throw { toString() { return "{\\"ok\\":true}"; }, message: "\\n{\\"ok\\":true}" };',
    'throw new Proxy({}, { get() { return "{\\"ok\\":true}"; } });', 'throw null;', 'throw undefined;', 'JSON.stringify = () => \'{"ok":true}\'; String.prototype.slice = () => "x"; throw new Error("bad");',
  ]) {
    const answer = await check(one(code));
    assert.deepEqual([answer.ok, answer.stage], [false, 'render'], `${code}: ${JSON.stringify(answer).slice(0, 300)}`);
  }
});
