// Components on pages, in a real Chromium: their data, the caller of their requests, the effect of a failing component
// on the others, and an open page while the app changes.
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import test, { after, before } from 'node:test';
import { Stack, bin } from '../lib/stack.mjs';
import { decoded, seen, Visitor } from './world.mjs';

const memos = (words) => ({
  name: 'Memos', sample: { title: 'Memos' },
  source: `import { useEffect, useState } from "react";
import { app, SvcError, type schema } from "svc/client";
import Line from "./Line";
export default function Memos(props: { title: string }) {
  const [rows, setRows] = useState<schema.Memo[]>([]);
  const [told, setTold] = useState("");
  const load = () => app.tables.memo.list({ sort: { field: "title", dir: "asc" } })
    .then((page) => { setRows(page.rows); setTold(page.rows.length + " read"); })
    .catch((error) => setTold(error instanceof SvcError ? error.code : String(error)));
  useEffect(() => { void load(); }, []);
  const add = () => void app.tables.memo.create({ title: "Written here" }).then(load, (error) => setTold(error.code));
  return <section style={{ borderTop: "3px solid rgb(1, 2, 3)" }}><h2>{props.title} ${words}</h2>
    <ul>{rows.map((row) => <Line key={row.id} text={row.title} />)}</ul>
    <button onClick={add}>Add</button><output>{told}</output></section>;
}
`,
});
const others = [
  { name: 'Line', sample: { text: 'x' }, source: 'export default function Line({ text }: { text: string }) { return <li>{text}</li>; }\n' },
  {
    name: 'Echo', sample: {},
    source: `export default function Echo(props: { text?: string; list?: unknown; who?: string | null; admin?: boolean; both?: string; id?: string }) {
  return <pre>{JSON.stringify(props)}</pre>;
}
`,
  },
  {
    name: 'Watch', sample: {},
    source: `import { useEffect, useState } from "react";
import { app, type schema } from "svc/client";
export default function Watch() {
  const [rows, setRows] = useState<readonly schema.Memo[]>([]);
  useEffect(() => {
    const list = app.tables.memo.live({ sort: { field: "title" } }, setRows);
    void list.then((one) => setRows(one.rows));
    return () => void list.then((one) => one.close());
  }, []);
  return <output>{rows.length + " seen"}</output>;
}
`,
  },
  {
    name: 'Fragile', sample: { breaks: false },
    source: `export default function Fragile(props: { breaks: boolean }) {
  if (props.breaks) throw new Error("It broke on purpose.");
  return <p>whole</p>;
}
`,
  },
];
const hostile = '</script><script>alert(1)</script><!-- "\'`&amp; \u2028\u2029 \\u003c {}';
const props = { text: hostile.replace('{}', ''), list: [1, { a: null }], who: '{user.id}', admin: '{user.isAdmin}', both: 'I am {user.email}.' };
const contract = (words = 'of today') => ({
  app: { name: 'Memo board' },
  personas: [{ id: 'member', kind: 'consumer', signup: true }],
  auth: { methods: ['password'] },
  entities: [{
    name: 'memo', owner: 'user', fields: [{ name: 'title', type: 'string', required: true }, { name: 'open', type: 'boolean', default: false }],
    access: { read: [{ to: '*', if: 'open' }, { to: 'member', if: 'user_id == user.id' }], create: 'member' },
  }],
  seeds: {
    '@users': [{ _key: 'ann', email: 'ann@example.test', persona: 'member' }],
    memo: [{ _key: 'a', title: 'For all', open: true, _as: 'ann' }, { _key: 'b', title: 'Of Ann', open: false, _as: 'ann' }],
  },
  pages: [
    { route: '/', title: 'Board', to: '*', body: [{ component: { name: 'Memos', props: { title: 'Memos' } } }, { markdown: { text: 'Below the component.' } }] },
    { route: '/echo', title: 'Echo', to: '*', body: [{ component: { name: 'Echo', props } }] },
    { route: '/echo/:id', title: 'Echo of one', to: '*', component: 'Echo' },
    {
      route: '/fragile', title: 'Fragile', to: '*',
      body: [{ component: { name: 'Fragile', props: { breaks: true } } }, { component: { name: 'Fragile', props: { breaks: false } } }, { list: { entity: 'memo' } }],
    },
    { route: '/watch', title: 'Watch', to: '*', component: 'Watch' },
    { route: '/plain', title: 'Plain', to: '*', body: [{ markdown: { text: 'No script.' } }] },
  ],
  components: [memos(words), ...others],
});

let stack, project, host, browser;
before(async () => {
  stack = await Stack.start({}, { browser: true });
  await stack.signIn();
  project = await stack.project('Board');
  await stack.apply(project, contract());
  host = `preview-${project.slug}.localhost`;
  const { chromium } = createRequire(join(bin, 'web/package.json'))('playwright-core');
  browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu'] });
});
after(async () => {
  await browser?.close();
  await stack?.stop();
});

const origin = () => `http://${host}:${stack.port}`;

// A person at a browser; `errors` has all that its console and its policy complain about.
async function person(email) {
  const page = await (await browser.newContext()).newPage();
  page.errors = [];
  page.on('pageerror', (error) => page.errors.push(String(error)));
  page.on('console', (message) => { if (message.type() === 'error') page.errors.push(message.text()); });
  if (!email) return page;
  const { json } = await stack.dev('POST', `/projects/${project.id}/sign-in`, { as: email }, { expect: 200 });
  const { pathname, search } = new URL(json.url);
  await page.goto(origin() + pathname + search);
  return page;
}
// All scripts of a page are modules of the app with the nonce of its policy, which this gives.
function onlyModules({ text, headers }) {
  const [, nonce] = /script-src 'nonce-([A-Za-z0-9+/=]{24})';/.exec(headers['content-security-policy']);
  const tags = text.match(/<script[^>]*>/g);
  for (const tag of tags) assert.match(tag.replace(nonce, 'N'), /^<script type="module" nonce="N" src="\/assets\/[\w-]+\.js">$/);
  return nonce;
}
const add = (page) => page.getByRole('button', { name: 'Add' }).click();
const lines = (page) => page.locator('li', { hasText: /./ }).filter({ has: page.locator('xpath=ancestor::section') }).allTextContents();
const told = (page, words) => page.locator('output', { hasText: words }).waitFor();
const echoed = async (page, path) => {
  await page.goto(origin() + path);
  return JSON.parse(await page.locator('pre').textContent());
};

test('the page is whole without a script, and says what it cannot show', async () => {
  const { text, headers } = await new Visitor(stack, host).get('/');
  assert.match(text, /<div class="block component" data-component="Memos" data-props="\{&quot;title&quot;:&quot;Memos&quot;\}"><noscript>/);
  assert.match(seen(text), /needs JavaScript.*Below the component\./);
  const nonce = onlyModules({ text, headers });
  assert.match(text, /src="\/assets\/mount-[0-9a-f]+\.js"/);
  assert.notEqual(onlyModules(await new Visitor(stack, host).get('/')), nonce);
  assert.doesNotMatch((await new Visitor(stack, host).get('/plain')).text, /\/assets\/mount-/);
});

test('a component calls the API as the visitor of the page', async () => {
  const guest = await person();
  await guest.goto(`${origin()}/`);
  await told(guest, '1 read');
  assert.deepEqual(await lines(guest), ['For all']);
  assert.equal(await guest.locator('section').first().evaluate((node) => getComputedStyle(node).borderTopColor), 'rgb(1, 2, 3)');
  await add(guest);
  await told(guest, 'TABLE_FORBIDDEN');
  const ann = await person('ann@example.test');
  await ann.goto(`${origin()}/`);
  await told(ann, '2 read');
  await add(ann);
  await told(ann, '3 read');
  assert.deepEqual(await lines(ann), ['For all', 'Of Ann', 'Written here']);
  assert.deepEqual(ann.errors, []);
  assert.deepEqual(guest.errors.filter((words) => !/403/.test(words)), [], 'the refusal alone is an error');
});

test('props are what the contract says, whatever they hold', async () => {
  const guest = await person();
  assert.deepEqual(await echoed(guest, '/echo'), { ...props, who: null, admin: false, both: 'I am .' });
  const ann = await person('ann@example.test');
  const { who, admin, both } = await echoed(ann, '/echo');
  assert.match(who, /^[0-9a-f-]{36}$/);
  assert.deepEqual([admin, both], [false, 'I am ann@example.test.']);
  const { text, headers } = await new Visitor(stack, host).get('/echo');
  onlyModules({ text, headers });
  assert.equal(JSON.parse(decoded(/data-props="([^"]*)"/.exec(text)[1])).text, props.text);
  assert.deepEqual([...guest.errors, ...ann.errors], []);
});

test('a list that a component follows goes on through a swap', async () => {
  const ann = await person('ann@example.test');
  const other = await ann.context().newPage();
  await ann.goto(`${origin()}/watch`);
  await other.goto(`${origin()}/`);
  await told(ann, '3 seen');
  await told(other, '3 read');
  await add(other);
  await told(ann, '4 seen');
  const next = contract();
  next.pages[1].title = 'An echo';
  await stack.apply(project, next);
  await add(other);
  await told(ann, '5 seen');
  assert.deepEqual(ann.errors, []);
});

test('a component that is a page gets the parameters of its route', async () => {
  const guest = await person();
  for (const id of ['7', 'a b', '"><script>alert(1)<script>', '\u2028é'])
    assert.deepEqual(await echoed(guest, `/echo/${encodeURIComponent(id)}`), { id });
  assert.deepEqual(guest.errors, []);
});

test('what one component throws stays in its place', async () => {
  const page = await person();
  await page.goto(`${origin()}/fragile`);
  await page.getByText('This part of the page does not work right now.').waitFor();
  await page.getByText('whole').waitFor();
  assert.match(await page.locator('main').textContent(), /For all/);
  assert.ok(page.errors.some((words) => /The component Fragile failed.*It broke on purpose/s.test(words)), JSON.stringify(page.errors));
});

test('a picture of a page with a component has no errors', async () => {
  const take = async (route, as) => (await stack.dev('POST', `/projects/${project.id}/screenshot`, { route, as }, { expect: 200 })).json;
  for (const as of [undefined, 'member']) {
    const { errors, text, overflow } = await take('/', as);
    assert.deepEqual(errors, []);
    assert.match(text, /For all/);
    assert.equal(overflow.horizontal, false);
  }
  assert.ok((await take('/fragile')).errors.some(({ message }) => /Fragile/.test(message)));
});

// Attempts of a script that is not the page's own.
test('no other script runs, and nothing speaks for a visitor from elsewhere', async () => {
  const ann = await person('ann@example.test');
  await ann.goto(`${origin()}/`);
  await told(ann, 'read');
  const tried = await ann.evaluate(async () => {
    const run = (make) => new Promise((done) => {
      const script = document.createElement('script');
      window.ran = false;
      script.onload = script.onerror = () => done(window.ran);
      try { make(script); document.body.append(script); setTimeout(() => done(window.ran), 300); } catch (error) { done(error.name); }
    });
    const html = (() => { try { document.body.insertAdjacentHTML('beforeend', '<b>x</b>'); return 'done'; } catch (error) { return error.name; } })();
    // Later: what a debugger evaluates itself may do more.
    const text = await new Promise((done) => setTimeout(() => { try { done(String(eval('1 + 1'))); } catch (error) { done(error.name); } }));
    return { html, text, address: await run((script) => { script.src = '/assets/none.js'; }), inline: await run((script) => { script.textContent = 'window.ran = true'; }) };
  });
  assert.deepEqual(tried, { html: 'TypeError', text: 'EvalError', address: 'TypeError', inline: 'TypeError' });
  // The request that a browser would send for a page of another site that knows the header.
  const cookie = (await ann.context().cookies()).map(({ name, value }) => `${name}=${value}`).join('; ');
  const write = (headers) => stack.fetch('POST', '/__svc/api/v1/memo', { host, body: { title: 'Forged' }, headers: { cookie, 'x-svc-data-api': '1', ...headers } });
  const own = { origin: `http://${host}`, 'x-svc-page': '1' };
  for (const headers of [{ ...own, origin: 'https://evil.test' }, { ...own, origin: 'null' }, { ...own, 'sec-fetch-site': 'cross-site' }, { 'x-svc-page': '1' }, { origin: own.origin }])
    assert.equal((await write(headers)).status, 401, JSON.stringify(headers));
  assert.equal((await write(own)).status, 201);
  const preflight = await stack.fetch('OPTIONS', '/__svc/api/v1/memo', {
    host, headers: { origin: 'https://evil.test', 'access-control-request-method': 'POST', 'access-control-request-headers': 'x-svc-page' },
  });
  assert.doesNotMatch(preflight.headers['access-control-allow-headers'] ?? '', /x-svc-page/);
  // On a host that others share nobody calls without a key.
  const shared = await stack.fetch('GET', `/preview/${project.id}/__svc/api/v1/memo`, { headers: { 'x-svc-data-api': '1', 'x-svc-page': '1' } });
  assert.equal(shared.status, 401);
});

const scripts = async (path, at = host) => {
  const visitor = new Visitor(stack, at);
  const [, mount] = /src="(\/assets\/mount-[^"]+)"/.exec((await visitor.get(path)).text);
  const { text, headers } = await visitor.get(mount);
  assert.match(headers['content-type'], /^text\/javascript/);
  assert.match(headers['cache-control'], /immutable/);
  return [mount, ...[...text.matchAll(/"\.\/([\w-]+\.js)"/g)].map(([, name]) => `/assets/${name}`)];
};

test('what did not change keeps its name, and an open page goes on after a swap', async () => {
  const first = await scripts('/');
  const made = () => readdirSync(join(stack.home, 'cache/scripts')).length;
  const before = made();
  const renamed = contract();
  renamed.pages[0].title = 'The board';
  await stack.apply(project, renamed);
  assert.equal(made(), before, 'a contract with the same components is not bundled again');
  assert.deepEqual(await scripts('/'), first);

  // This page's component arrives only after the next apply.
  const slow = await person();
  const go = {};
  const held = new Promise((done) => { go.on = done; });
  const asked = new Promise((done) => { go.asked = done; });
  await slow.route('**/assets/Memos-*.js', async (route) => { go.asked(); await held; await route.continue(); });
  await slow.goto(`${origin()}/`, { waitUntil: 'commit' });
  await asked;
  await stack.apply(project, contract('of tomorrow'));
  const second = await scripts('/');
  assert.notEqual(second[0], first[0]);
  const [echo] = first.filter((path) => path.includes('/Echo-'));
  assert.ok(second.includes(echo), 'a component that did not change keeps its name');
  go.on();
  await slow.getByRole('heading', { name: 'Memos of today' }).waitFor();
  await told(slow, '1 read');
  assert.deepEqual(slow.errors, []);
  const next = await person();
  await next.goto(`${origin()}/`);
  await next.getByRole('heading', { name: 'Memos of tomorrow' }).waitFor();
  for (const path of ['/assets/Memos-000000000000.js', '/assets/x.js', '/assets/.js']) await new Visitor(stack, host).get(path, 404);
});

test('what is published has the same scripts', async () => {
  await stack.dev('POST', `/projects/${project.id}/deploy`, { skipVerify: true }, { expect: 200 });
  assert.deepEqual(await scripts('/', `${project.slug}.localhost`), await scripts('/'));
  const page = await person();
  await page.goto(`http://${project.slug}.localhost:${stack.port}/`);
  await told(page, '1 read');
  assert.deepEqual(page.errors, []);
});
