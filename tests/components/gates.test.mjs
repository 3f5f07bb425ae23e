// The gates of components, by every way that leads to them: check, apply, verify, and a component on its own.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { after, before } from 'node:test';
import { Stack } from '../lib/stack.mjs';
import { contractOf, hasFinding, page } from './job.mjs';

const list = {
  name: 'ThingList', sample: { title: 'Things' },
  source: `import { useEffect, useState } from "react";
import { app, type schema } from "svc/client";
import Row from "./Row";
export default function ThingList(props: { title: string; most?: number }) {
  const [rows, setRows] = useState<schema.Thing[]>([]);
  useEffect(() => { void app.tables.thing.list({ limit: props.most ?? 10 }).then((page) => setRows(page.rows)); }, []);
  return <section><h2>{props.title}</h2>{rows.map((one) => <Row key={one.id} thing={one} />)}</section>;
}
`,
};
const row = {
  name: 'Row', sample: { thing: { id: '1', title: 'Tea', price: 1, created_at: '', updated_at: '' } },
  source: `import type { schema } from "svc/client";
export default function Row({ thing }: { thing: schema.Thing }) {
  return <p>{thing.title.toUpperCase()} {thing.price}</p>;
}
`,
};
const good = () => contractOf([list, row], [page('ThingList', { title: 'All of them', most: 5 })]);
const with_ = (component, changes) => ({ ...component, ...changes });

let stack, project;
before(async () => {
  stack = await Stack.start();
  await stack.signIn();
  project = await stack.project('Shown');
});
after(() => stack?.stop());

const check = async (contract) => (await stack.dev('POST', `/projects/${project.id}/check`, { contract }, { expect: 200 })).json.report;
const alone = async (body, path = '/components/check') => (await stack.dev('POST', path, body, { expect: 200 })).json;
const component = (source, name = 'One') => ({ name, source });

test('a contract whose components pass is applied and verified; one whose components do not is not', async () => {
  await stack.apply(project, good());
  const report = (await stack.dev('POST', `/projects/${project.id}/verify`, {}, { expect: 200 })).json;
  assert.deepEqual(report.checks.find(({ name }) => name === 'components').pass, true, JSON.stringify(report.checks.at(-1)));
  const bad = good();
  bad.components[1] = with_(row, { source: row.source.replace('thing.price', 'thing.prize') });
  const answer = (await stack.apply(project, bad, 422)).json;
  assert.equal(answer.code, 'CONTRACT_INVALID');
  const told = hasFinding(answer.report, 'COMPONENT_TYPES', /^Row\.tsx:3:48: Property 'prize' does not exist on type 'Thing'\. Did you mean 'price'\?/);
  assert.equal(told.path, '/components/1/source');
  const dry = await stack.dev('POST', `/projects/${project.id}/apply`, { contract: bad, dryRun: true });
  assert.ok(JSON.stringify(dry.json).includes('COMPONENT_TYPES'));
});

test('props of pages and samples are typed as well', async () => {
  const contract = contractOf([with_(list, { sample: { title: 7 } }), row], [page('ThingList', { title: 'x', most: 'many' })]);
  const report = await check(contract);
  assert.equal(hasFinding(report, 'COMPONENT_TYPES', /number.*string/).path, '/components/0/sample');
  assert.match(report.errors.find(({ path }) => path.startsWith('/pages/0/body/0')).message, /string.*number/);
  const caller = (props, to) => check(contractOf([list, row], [page('ThingList', props, { to })]));
  assert.equal((await caller({ title: '{user.email}' }, 'member')).ok, true);
  hasFinding(await caller({ title: '{user.email}' }, '*'), 'COMPONENT_TYPES', /null/);
  hasFinding(await caller({}, '*'), 'COMPONENT_TYPES', /title/);
});

test('what has passed is not asked about again, and without components nobody is', async () => {
  const marks = () => readdirSync(join(stack.home, 'cache/components')).length;
  await check(good());
  const before = marks();
  assert.ok(before >= 3);
  // Gates that nobody can run: what passed before still passes.
  const gate = join(stack.home, 'nothing');
  stack.child.kill('SIGTERM');
  await stack.ended;
  const path = process.env.PATH;
  stack.env.PATH = gate;
  await stack.run();
  await stack.signIn();
  assert.equal((await check(good())).ok, true);
  assert.equal((await check(contractOf([]))).ok, true);
  const changed = good();
  changed.components[1] = with_(row, { source: `${row.source}// changed\n` });
  hasFinding(await check(changed), 'COMPONENT_NOT_CHECKED', /Node\.js.*Install the Debian package nodejs/);
  assert.equal((await stack.dev('POST', '/components/check', component('export default function One() { return null; }'))).status, 503);
  stack.child.kill('SIGTERM');
  await stack.ended;
  stack.env.PATH = path;
  await stack.run();
  await stack.signIn();
  assert.equal((await check(changed)).ok, true);
  assert.ok(marks() > before);
});

test('a component alone: what passes, what each gate says, and where', async () => {
  assert.deepEqual(await alone({ ...component('export default function One({ n }: { n: number }) { return <b>{n}</b>; }'), sample: { n: 1 } }),
    { ok: true, passed: ['static', 'types', 'compile', 'render'] });
  for (const [source, stage, line, column, pattern] of [
    ['import fs from "fs";\nexport default function One() { return <p>{String(fs)}</p>; }', 'static', 1, 16, /"fs" cannot be imported/],
    ['import x from "./Other";\nexport default function One() { return <p>{x}</p>; }', 'static', 1, 15, /no component Other/],
    ['export default function One(): number { return <p />; }', 'types', 1, 41, /not assignable to type 'number'/],
    ['export default function One() {\n  return <p>; }', 'compile', 2, 15, /not valid inside a JSX element/],
    ['export default function One(): any {\n  throw new Error("no sample");\n}', 'render', 2, 9, /no sample/],
    ['export default function One(): any {\n  for (;;) {}\n}', 'render', 1, 1, /longer than 5 s/],
    ['export default function One(): any {\n  const all: number[][] = [];\n  for (;;) all.push(new Array(100000).fill(1.5));\n}', 'render', 1, 1, /more than 256 MB/],
    ['export default function One(): any {\n  return <One />;\n}', 'render', 2, null, /call stack/],
  ]) {
    const answer = await alone(component(source));
    assert.equal(answer.ok, false, source);
    assert.equal(answer.stage, stage, JSON.stringify(answer));
    assert.match(answer.errors[0].message, pattern);
    const { file, column: at } = answer.errors[0];
    // Where a stack ends is the engine's choice.
    assert.deepEqual([file, answer.errors[0].line, column === null ? null : at], ['One.tsx', line, column], JSON.stringify(answer));
  }
});

test('a component alone is checked against the app that is live', async () => {
  const source = 'import { app } from "svc/client";\nimport Row from "./Row";\nexport default function One() { void app.tables.thing; return <>{[Row].length}</>; }';
  const path = `/projects/${project.id}/components/check`;
  assert.equal((await alone(component(source), path)).ok, true);
  const wrong = await alone(component(source.replace('tables.thing', 'tables.thingy')), path);
  assert.match(wrong.errors[0].message, /'thingy' does not exist/);
});

test('what a call must be', async () => {
  for (const [body, field] of [[{ source: 'x' }, 'name'], [{ name: 'One' }, 'source'], [{ name: 'one', source: 'x' }, 'name'], [{ name: 'O-ne', source: 'x' }, 'name'],
    [{ name: 'One', source: 'x', sample: [] }, 'sample'], [{ name: 'One', source: 'x'.repeat(200001) }, 'source']]) {
    const { json } = await stack.dev('POST', '/components/check', body, { expect: 400 });
    assert.deepEqual(json.details.map((one) => one.field), [field], JSON.stringify(body).slice(0, 80));
  }
});

test('a component that tries to get out of its room finds nothing there', async () => {
  const secret = join(stack.home, 'secret.txt');
  writeFileSync(secret, 'a secret of the service', { mode: 0o644 });
  const { port } = stack;
  // Each is said in a way that the static gate lets pass; the types are nobody's business here.
  const tries = {
    'the process of the renderer': 'const g: any = globalThis; if (g.process || g.require || g.module) throw new Error("node is here");',
    'what it prints is not the result': 'const g: any = globalThis; g.console.log(JSON.stringify({ ok: true })); g.process?.stdout.write("{}"); g.process?.send?.({ ok: true });',
  };
  for (const [what, code] of Object.entries(tries)) assert.equal((await alone(component(`export default function One(): any { ${code} return null; }`))).ok, true, what);
  // Tries to leave the context through objects of the engine, which the gate does not pass in.
  const out = `const seen: string[] = [];
    const grab = (value: any) => { try { const key = ["const", "ructor"]; let word = ""; for (const part of key) word += part; return value[word][word]; } catch { return null; } };
    for (const value of [globalThis, (globalThis as any).console, (globalThis as any).fetch, (globalThis as any).setTimeout, new Error("x"), Promise.resolve()]) {
      try { const made = grab(value)?.("return typeof process")(); if (made && made !== "undefined") seen.push(made); } catch {}
    }
    if (seen.length > 0) throw new Error("out: " + seen.join());`;
  const answer = await alone(component(`export default function One(): any { ${out} return null; }`));
  assert.equal(answer.ok, true, JSON.stringify(answer));
  // To say that it passed it would have to say so in its own process, where the word is not to be found.
  const forged = await alone(component('const g: any = globalThis;\ng.svcRender = () => "forged";\nJSON.stringify = () => \'{"ok":true}\';\nexport default function One(): any { throw new Error("really wrong"); }'));
  assert.equal(forged.ok, false, JSON.stringify(forged));
  assert.ok(readFileSync(secret, 'utf8') && port);
});
