// Pages in a real browser, on the clone: what it finds is told with its place; what passed is passed over until it changes;
// whoever asks for a verification has all pages opened, and sees it; without Chromium the check says what to install.
import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { after, before } from 'node:test';
import { Client, password } from '../../cli/client.mjs';
import { deploy, staged } from '../../lib/published.mjs';
import { sample, until } from '../../lib/stack.mjs';
import { Verifying, check, green, nothing, verifyPath } from './world.mjs';

// The service's Chromium is a script of this test's, which is not there yet.
const folder = mkdtempSync(join(tmpdir(), 'svc-test-chromium-')), program = join(folder, 'chromium');
chmodSync(folder, 0o755);
const chromium = (script) => writeFileSync(program, `#!/bin/sh\n${script}\n`, { mode: 0o755 });

const page = (name, to, props = {}) => ({ route: `/${name.toLowerCase()}`, title: name, to, body: [{ component: { name, props } }] });
const component = (name, effect, shown) => ({ name, sample: {}, source: `import { useEffect } from "react";\nexport default function ${name}(props: { email?: string | null }) {\n  useEffect(() => { ${effect} }, []);\n  return ${shown};\n}\n` });

function unruly() {
  const contract = sample('hello');
  contract.orgs = { enabled: true, roles: ['owner'] };
  contract.personas.push({ id: 'clerk', kind: 'staff' });
  contract.pages = [
    { route: '/', title: 'Start', to: '*', body: [{ markdown: { text: 'Welcome.' } }] },
    page('Greeting', 'signed_in', { email: '{user.email}' }), page('Photo', ['guest', 'clerk']), page('Lost', 'clerk'), page('Desk', 'org:owner'),
    page('Endless', 'clerk'),
  ];
  contract.components = [
    component('Greeting', 'if (props.email?.startsWith("clerk")) setTimeout(() => { throw new Error("Not for clerks."); });', '<p>Hello {props.email}</p>'),
    component('Photo', '', '<p style={{ color: "#222" }}><img width={40} height={40} /> A shelf</p>'),
    component('Lost', 'void fetch("/assets/no-such.js");', '<p>Where is it?</p>'),
    component('Desk', 'setTimeout(() => { throw new Error("Not for owners."); });', '<p>Papers</p>'),
    component('Endless', 'for (;;);', '<p>Round and round</p>'),
  ];
  return contract;
}
const mended = () => JSON.parse([
  ['startsWith(\\"clerk\\")', 'startsWith(\\"nobody\\")'], ['\\"#222\\"', '\\"light-dark(#222, #ddd)\\"'], ['<img ', '<img alt=\\"Jars\\" '], ['/assets/no-such.js', '/'],
  ['throw new Error(\\"Not for owners.\\");', ''], ['for (;;);', ''],
].reduce((text, [fault, mend]) => {
  assert.ok(text.includes(fault), fault);
  return text.replace(fault, mend);
}, JSON.stringify(unruly())));
const endless = 2;  // who sees this page: a clerk, and a clerk who is an owner

let world, client;
before(async () => { world = await Verifying.start('Unruly', unruly(), { SVC_CHROMIUM: program }); });
after(async () => {
  client?.remove();
  await world?.stop();
  rmSync(folder, { recursive: true });
});

// {opened, unchanged, missed} as the report says them.
const counts = (report) => {
  const [, ...numbers] = /(\d+) opened in a browser, (\d+) passed over, .*, (\d+) not reached\./.exec(check(report, 'browser').detail.said) ?? [];
  assert.equal(numbers.length, 3, JSON.stringify(check(report, 'browser')));
  return Object.fromEntries(['opened', 'unchanged', 'missed'].map((name, i) => [name, Number(numbers[i])]));
};
// Verifications until every page was opened, but those that are `late`: how many one reaches depends on the machine.
async function allSeen(late = 0) {
  for (;;) {
    const report = await world.verify();
    const { opened, missed } = counts(report);
    if (missed === late) return report;
    assert.ok(opened > 0, JSON.stringify(check(report, 'browser')));
  }
}

test('no browser, and one that does not start', async () => {
  for (const [script, why] of [[null, /^Pages were not opened in a browser\. .*Install the Debian package chromium, or set SVC_CHROMIUM\.$/], ['exit 1', /^Pages were not opened in a browser\. The page cannot be shown: Chromium does not start/]]) {
    if (script) chromium(script);
    const report = await world.verify();
    assert.ok(report.pass, report.summary);
    const { pass, detail } = check(report, 'browser');
    assert.equal(pass, null);
    assert.match(detail.notRun, why);
  }
  chromium('exec /usr/bin/chromium "$@"');
});

test('scripts that fail for some, or never end; a request that fails; an image without words; a text that the dark hides', async () => {
  const report = await allSeen(endless);
  assert.equal(report.pass, false);
  const { detail: { findings, warnings, counterExample }, pass } = check(report, 'browser');
  const all = JSON.stringify(findings, null, 1);
  assert.equal(pass, false);
  assert.equal(findings[0], counterExample);
  const of = (route) => findings.filter((one) => one.startsWith(`The page ${route}, opened by `));
  const by = (route) => [...new Set(of(route).map((one) => /opened by (.*?)(?: \(\d\))? at /.exec(one)[1]))].sort();
  const each = (route, visitors, words) => {
    assert.deepEqual(by(route), visitors, all);
    for (const one of of(route)) assert.match(one, words);
  };
  each('/greeting', ['clerk', 'clerk (org:owner)'], /at 1280 px: a script fails: Error: Not for clerks\. at .*\/assets\/[\w-]+\.js:\d+:\d+/);
  each('/desk', ['clerk (org:owner)', 'member (org:owner)'], /at 1280 px: a script fails: Error: Not for owners\./);
  each('/lost', ['clerk', 'clerk (org:owner)'], /: a request fails: GET answered 404\. \(\/assets\/no-such\.js\)/);
  each('/photo', ['clerk', 'clerk (org:owner)', 'guest'], /px: axe finds image-alt at \S.*: Images must have alternative text\. The element is in Photo\.tsx\.$|px, dark: axe finds color-contrast at \S.* The element is in Photo\.tsx\.$/);
  for (const at of ['1280 px: axe finds image-alt', '390 px: axe finds image-alt', '1280 px, dark: axe finds color-contrast', '390 px, dark: axe finds color-contrast'])
    assert.equal(of('/photo').filter((one) => one.includes(`opened by guest at ${at}`)).length, 1, all);
  assert.deepEqual(findings.filter((one) => !/^The page \/(greeting|desk|lost|photo),/.test(one)), []);
  const late = warnings.filter((one) => one.startsWith('The page /endless did not come to rest, as clerk'));
  assert.equal(late.length, 1, JSON.stringify(warnings));
  assert.match(late[0], /: the machine is busy, or a script of it never ends\. So this verification did not open it as others\.$/);
  assert.match(report.summary, new RegExp(` \\d+ of \\d+ pages opened; ${endless} not reached: run svc verify to open all\\.$`));
  assert.ok(warnings.some((one) => /^2 pages were not reached: .*\. A page that does not come to rest is not opened as others; the rest was done after \d+ seconds\. /.test(one)), JSON.stringify(warnings));

  const again = await allSeen(endless);
  assert.deepEqual(check(again, 'browser').detail.findings.sort(), findings.sort(), 'what did not pass is opened again');
  assert.equal(counts(again).opened, new Set(findings.map((one) => one.split(' at ')[0])).size, 'and nothing else');
  assert.ok(counts(again).unchanged >= 10, JSON.stringify(counts(again)));
  await world.stack.apply(world.project, mended());
  green(await allSeen());
});

// Asks for a verification and goes away as soon as pages are opened; how many there are.
const givenUp = ({ port, session }, project) => new Promise((done, fail) => {
  let text = '';
  const call = http.request({
    host: '127.0.0.1', port, method: 'POST', path: `/dev/v1${verifyPath(project)}`, agent: false,
    headers: { authorization: `Bearer ${session}`, accept: 'text/event-stream', 'content-type': 'application/json' },
  }, (answer) => answer.on('error', fail).on('end', () => fail(new Error(text))).on('data', (piece) => {
    text += piece;
    const [, pages] = /opening (\d+) pages in Chromium/.exec(text) ?? [];
    if (!pages) return;
    done(Number(pages));
    call.destroy();
  }));
  call.on('error', fail);
  call.end('{}');
});

test('the shop has no findings: all pages are opened for whoever waits, and it is seen; nothing of the browser is left', async () => {
  const { stack } = world, shop = await world.add('Seen shop', sample('shop'));
  const all = await givenUp(stack, shop);
  assert.ok(all > 50, `${all} pages`);
  await until('it to end', () => world.left().databases.length === 0, 300_000);
  client = new Client(stack);
  await client.svc(['login', ...password]);
  const { code, out, err } = await client.svc(['verify', '--project', shop.id]);
  assert.equal(code, 0, out + err);
  const [, left] = /^ {2}browser +opening (\d+) pages in Chromium$/m.exec(out) ?? [];
  assert.ok(left > 0 && left < all, `${left} of ${all} are left: ${out}`);
  const [, opened, unchanged, missed] = /^✓ +browser .* (\d+) opened in a browser, (\d+) passed over, .*, (\d+) not reached\.$/m.exec(out) ?? [];
  assert.deepEqual([opened, missed], [left, '0'], out);
  assert.deepEqual(world.left(), nothing);

  const again = { opened: 0, unchanged: Number(left) + Number(unchanged), missed: 0 };
  const stages = [];
  const report = await staged(stack, verifyPath(shop), {}, (name) => stages.push(name));
  green(report);
  assert.deepEqual(counts(report), again);
  assert.deepEqual(stages, report.checks.map(({ name }) => name));
  const published = await deploy(stack, shop, { skipVerify: false });
  assert.deepEqual(counts(published.verify), again);
});
