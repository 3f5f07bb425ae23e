// Pages in a real browser, on the clone: what it finds is told with its place; what passed is passed over until it changes;
// without Chromium the check says what to install.
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { sample } from '../../lib/stack.mjs';
import { Verifying, check, green, nothing } from './world.mjs';

let world;
before(async () => { world = await Verifying.start('Seen shop', sample('shop'), { browser: true }); });
after(() => world?.stop());

const component = (name, body) => ({ name, sample: {}, source: `import { useEffect } from "react";\nexport default function ${name}(props: { email?: string | null }) {\n${body}\n}\n` });
const unruly = () => {
  const contract = sample('hello');
  contract.personas.push({ id: 'clerk', kind: 'staff' });
  contract.pages = [
    { route: '/', title: 'Start', to: '*', body: [{ markdown: { text: 'Welcome.' } }] },
    { route: '/greeting', title: 'Greeting', to: 'signed_in', body: [{ component: { name: 'Greeting', props: { email: '{user.email}' } } }] },
    { route: '/photo', title: 'Photo', to: '*', body: [{ component: { name: 'Photo', props: {} } }] },
    { route: '/lost', title: 'Lost', to: 'clerk', body: [{ component: { name: 'Lost', props: {} } }] },
  ];
  contract.components = [
    component('Greeting', '  useEffect(() => { if (props.email?.startsWith("clerk")) setTimeout(() => { throw new Error("Not for clerks."); }); }, []);\n  return <p>Hello {props.email}</p>;'),
    component('Photo', '  useEffect(() => {}, []);\n  return <img width={40} height={40} />;'),
    component('Lost', '  useEffect(() => { void fetch("/assets/no-such.js"); }, []);\n  return <p>Where is it?</p>;'),
  ];
  return contract;
};

// {opened, unchanged, missed} as the report says them.
const counts = (report) => {
  const [, ...numbers] = /(\d+) opened in a browser, (\d+) passed over, .*, (\d+) not reached\./.exec(check(report, 'browser').detail.said) ?? [];
  assert.equal(numbers.length, 3, JSON.stringify(check(report, 'browser')));
  return Object.fromEntries(['opened', 'unchanged', 'missed'].map((name, i) => [name, Number(numbers[i])]));
};
// Verifications until every page was opened: how many one reaches depends on the machine.
async function allSeen(project) {
  for (;;) {
    const report = await world.verify(project);
    const { opened, missed } = counts(report);
    if (missed === 0) return report;
    assert.ok(opened > 0, JSON.stringify(check(report, 'browser')));
  }
}

test('the shop has no findings; what passed is passed over', async () => {
  const first = await world.verify();
  green(first);
  const { opened } = counts(first);
  assert.ok(opened > 0);
  const again = await world.verify();
  green(again);
  assert.equal(counts(again).unchanged, opened);
  assert.deepEqual(world.left(), nothing);
});

test('a script that fails for one persona, a request that fails, and an image without words', async () => {
  const project = await world.add('Unruly', unruly());
  const report = await allSeen(project);
  assert.equal(report.pass, false);
  const { detail, pass } = check(report, 'browser');
  assert.equal(pass, false);
  const { findings } = detail;
  assert.equal(findings[0], detail.counterExample);
  const of = (page) => findings.filter((one) => one.startsWith(`The page ${page}, opened by `));
  const by = (page) => new Set(of(page).map((one) => /opened by (.*?)(?: \(\d\))? at /.exec(one)[1]));

  assert.deepEqual([...by('/greeting')], ['clerk'], JSON.stringify(findings, null, 1));
  for (const one of of('/greeting')) assert.match(one, /at 1280 px: a script fails: Error: Not for clerks\. at .*\/assets\/[\w-]+\.js:\d+:\d+/);
  assert.deepEqual([...by('/lost')], ['clerk']);
  for (const one of of('/lost')) assert.match(one, /: a request fails: GET answered 404\. \(\/assets\/no-such\.js\)/);
  assert.ok(by('/photo').has('guest') && by('/photo').has('clerk'), JSON.stringify(findings, null, 1));
  for (const width of [1280, 390])
    assert.ok(of('/photo').some((one) => new RegExp(`^The page /photo, opened by guest at ${width} px: axe finds image-alt at \\S.*: Images must have alternative text\\. The element is in Photo\\.tsx\\.$`).test(one)), JSON.stringify(findings, null, 1));
  assert.deepEqual(findings.filter((one) => !/^The page \/(greeting|photo|lost),/.test(one)), []);

  const again = await world.verify(project);
  assert.deepEqual(check(again, 'browser').detail.findings.sort(), findings.sort(), 'what did not pass is opened again');
  const mended = unruly();
  mended.components[0].source = mended.components[0].source.replace('startsWith("clerk")', 'startsWith("nobody")');
  mended.components[1].source = mended.components[1].source.replace('<img ', '<img alt="A shelf" ');
  mended.components[2].source = mended.components[2].source.replace('/assets/no-such.js', '/');
  await world.stack.apply(project, mended);
  green(await allSeen(project));
  const last = await world.verify(project);
  green(last);
  const { opened, unchanged, missed } = counts(last);
  assert.deepEqual({ opened, missed }, { opened: 0, missed: 0 });
  assert.ok(unchanged >= 10, `${unchanged} pages`);
});

test('a browser that does not start, and none at all', async () => {
  const { stack } = world;
  for (const [program, why] of [['/bin/false', /^Pages were not opened in a browser\. The page cannot be shown: Chromium does not start/], ['/nowhere/chromium', /^Pages were not opened in a browser\. .*Install the Debian package chromium, or set SVC_CHROMIUM\.$/]]) {
    stack.child.kill('SIGTERM');
    await stack.ended;
    stack.env.SVC_CHROMIUM = program;
    await stack.run();
    await stack.signIn();
    const project = await world.add(`Unseen ${program}`, sample('hello'));
    const report = await world.verify(project);
    assert.ok(report.pass, report.summary);
    const { pass, detail } = check(report, 'browser');
    assert.equal(pass, null);
    assert.match(detail.notRun, why);
  }
});
