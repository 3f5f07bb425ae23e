// Pages against people who try to do harm by what they store, ask for and send.
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { App } from '../lib/app.mjs';
import { Stack } from '../lib/stack.mjs';
import { seen, Visitor } from './world.mjs';

const contract = {
  app: { name: 'Harmed' },
  personas: [{ id: 'member', kind: 'consumer', signup: true }, { id: 'clerk', kind: 'staff' }],
  entities: [
    {
      name: 'piece', owner: 'none', display: 'name',
      fields: [
        { name: 'name', type: 'string', required: true }, { name: 'picture', type: 'url' }, { name: 'scan', type: 'file' }, { name: 'tags', type: 'tags' },
        { name: 'weight', type: 'float' }, { name: 'at', type: 'datetime' }, { name: 'hour', type: 'time' }, { name: 'about', type: 'text' }, { name: 'more', type: 'json' },
        { name: 'hidden', type: 'string', read: ['clerk'], write: ['clerk'] },
      ],
      access: { read: '*', create: '*', update: '*', delete: 'staff' },
    },
    { name: 'sheet', owner: 'none', display: 'name', fields: [{ name: 'name', type: 'string', required: true }], access: { read: '*', create: 'staff', update: ['staff'], delete: 'staff' } },
  ],
  pages: [
    { route: '/', title: 'Start', to: '*', body: [{ grid: { entity: 'piece', fields: ['name'], image: 'picture' } }] },
    { route: '/:slug', title: 'Any', to: '*', body: [{ form: { entity: 'piece', fields: ['name'] } }, { table: { entity: 'piece', fields: ['name'] } }] },
    { route: '/both/:id', title: 'Both', to: '*', body: [{ form: { entity: 'piece', fields: ['name', 'picture'] } }, { form: { entity: 'piece', id: '{route.id}' } }] },
    { route: '/linked/:id', title: 'Linked', to: '*', body: [{ table: { entity: 'piece', fields: ['name'], link: '/{hidden}' } }] },
  ],
};

let stack, project, host, app, guest;
const visitor = () => new Visitor(stack, host);
const write = (row, headers = app.server()) => app.write(headers, 'POST', 'piece', row, 201);
const read = async (id) => (await app.call(app.staff('clerk'), 'GET', `api/v1/piece/${id}`)).json.rows[0];

before(async () => {
  stack = await Stack.start();
  await stack.signIn();
  project = await stack.project('Harmed');
  await stack.apply(project, contract);
  host = `preview-${project.slug}.localhost`;
  app = new App(stack, project);
  guest = visitor();
});
after(() => stack?.stop());

test('a picture is a file of the app, and asks nothing else of it', async () => {
  const id = '0190a0a0-0000-7000-8000-000000000001';
  const bad = ['/__svc/auth/magic/consume?token=x', '/%5f_svc/auth/magic/consume?token=x', '/sign-out', `/__svc/files/${id}/../../auth/magic/consume`, `/__svc/files/${id}%2f..`, '/x/../__svc/auth/oauth/x/start',
    '//evil.test/x.png', 'https://evil.test/x.png', 'javascript:alert(1)', `/__svc/files/${id.slice(1)}`];
  const { id: row } = await write({ name: 'Bad' });
  for (const picture of bad) {
    const answer = await app.fetch(app.server(), 'PATCH', `api/v1/piece/${row}`, { picture });
    if (answer.status !== 200) continue;
    const { text } = await guest.get('/');
    assert.deepEqual([...text.matchAll(/<img[^>]* src="([^"]*)"/g)].map(([, src]) => src), [], picture);
  }
});

test('a form leads nowhere else, whatever the address of its page is', async () => {
  for (const slug of ['%5Cevil.test', '%0d%0aSet-Cookie:%20a=b', '%09%2e', 'a%20b', 'gr%C3%BCn', "%22%3E%3Cb%3E'"]) {
    const page = await guest.get(`/${slug}`);
    assert.doesNotMatch(page.text, /"><b>/);
    const answer = await guest.submit(`/${slug}`, 'Create piece', { 'f.name': 'Made' });
    const { location } = answer.headers;
    assert.equal(answer.headers['set-cookie'], undefined);
    const url = new URL(location, `http://${host}`);
    assert.equal(url.host, host, location);
    assert.equal(decodeURIComponent(url.pathname), `/${decodeURIComponent(slug)}`);
    await guest.get(location);
    // The order of a table is asked for at the same place.
    const [, sort] = /<th[^>]*><a href="([^"]*sort[^"]*)"/.exec(page.text) ?? [];
    assert.ok(sort, slug);
    assert.equal(new URL(sort, `http://${host}`).host, host);
  }
});

test('a form that fails leaves the other forms of its page as they were', async () => {
  const { id } = await write({ name: 'Kept', picture: 'https://kept.test/a', about: 'All of it', tags: ['a'] });
  const failed = await guest.submit(`/both/${id}`, 'Create piece', { 'f.name': '', 'f.picture': 'nonsense' }, 422);
  const forms = [...failed.text.matchAll(/<form[^>]*method="post"[^>]*class="fields"[^>]*>([^]*?)<\/form>/g)].map(([, inner]) => inner);
  assert.equal(forms.length, 2);
  assert.match(forms[0], /id="f-name-problem"/);
  assert.match(forms[1], /value="Kept"/);
  assert.match(forms[1], /All of it/);
  assert.doesNotMatch(forms[1], /-problem"/);
});

test('what an input cannot show whole stays as it is where nobody touches it', async () => {
  const row = { name: '  Spaced ', tags: ['red, dark', ' blue '], weight: 1e21, at: '2026-01-02T03:04:05.678901Z', hour: '03:04:05.678', about: 'line\nline', more: { n: 1.5, deep: [[1]] } };
  const { id } = await write(row);
  const before_ = await read(id);
  await guest.submit(`/both/${id}`, 'Save changes', { 'f.about': 'another' });
  const { updated_at: _, about, ...now } = await read(id);
  const { updated_at: __, about: ___, ...then } = before_;
  assert.equal(about, 'another');
  assert.deepEqual(now, then);
});

test('a field that one may not read shows nowhere: not in a form, a link, or an address', async () => {
  const { id } = await write({ name: 'Secretive', hidden: 'hush-hush' }, app.staff('clerk'));
  assert.equal((await read(id)).hidden, 'hush-hush');
  for (const path of [`/both/${id}`, `/linked/${id}`, '/', '/any?b2.sort=hidden', '/any?b2.q=hush']) assert.doesNotMatch((await guest.get(path)).text, /hush-hush/, path);
  await guest.submit(`/both/${id}`, 'Save changes', { 'f.hidden': 'mine', 'f.name': 'Still secretive' });
  assert.deepEqual([(await read(id)).hidden, (await read(id)).name], ['hush-hush', 'Still secretive']);
});

test('JSON of any depth and bytes of any kind in a form are answered, and the server goes on', async () => {
  const { id } = await write({ name: 'Deep' });
  for (const more of ['['.repeat(60000), '{"a":'.repeat(15000), `${'['.repeat(65)}${']'.repeat(65)}`, '\\', '"\\u0000"', '{"a":1,"a":2}', `{${Array.from({ length: 8000 }, (_, i) => `"k${i}":1`).join()},"k0":1}`]) {
    const { text } = await guest.submit(`/both/${id}`, 'Save changes', { 'f.more': more }, 422);
    assert.match(seen(text), /This is not JSON/);
  }
  for (const body of ['_block=1&_do=save&f.name=%ff%fe', '_block=1&_do=save&%ff=%00&f.name=x%00y', '_block=1&_do=save&f.name=%ED%A0%80', '_block=1&_do=save&f.name=%', '_block=99999999999999999999', '_block=-1', '&&&===', `${'a=b&'.repeat(5000)}_block=1`]) {
    const answer = await guest.ask('POST', `/both/${id}`, { body, headers: { 'content-type': 'application/x-www-form-urlencoded', origin: guest.origin } });
    assert.ok([303, 400, 422].includes(answer.status), `${body.slice(0, 40)}: ${answer.status}`);
  }
  for (const query of ['?b2.sort=%ff', '?b2.cursor=%ff%00', '?%ff', '?b2.q=%ED%A0%80', '?name=%ff'] ) await guest.get(`/any${query}`);
  assert.match(seen((await guest.get(`/both/${id}`)).text), /Both/);
});

test('a value as deep as any may be does not hide its row, nor others', async () => {
  const depth = 64;
  const { id } = await write({ name: 'Deepest', more: JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`) });
  const before_ = await read(id);
  await guest.submit(`/both/${id}`, 'Save changes', { 'f.name': 'Deepest of all' });
  const now = await read(id);
  assert.equal(now.name, 'Deepest of all');
  assert.deepEqual(now.more, before_.more);
});

test('pages of the server come before those with a parameter', async () => {
  for (const [path, words] of [['/sign-in', /Sign in/], ['/sign-up', /Create an account/], ['/reset', /Choose a new password/]]) {
    const { text } = await guest.get(path);
    assert.match(seen(text), words);
    assert.doesNotMatch(text, /Create piece/);
  }
  assert.equal((await guest.ask('GET', '/account')).status, 303);
});

test('staff who may change rows can open the page for it', async () => {
  const bare = await stack.project('Bare');
  const { pages: _, ...rest } = contract;
  await stack.apply(bare, rest);
  const own = new App(stack, bare);
  const { id } = await own.write(own.staff('clerk'), 'POST', 'sheet', { name: 'One' }, 201);
  const clerk = new Visitor(stack, own.host);
  await clerk.signInAs(bare, 'clerk');
  await clerk.submit(`/sheet/${id}/edit`, 'Save changes', { 'f.name': 'Two' });
  assert.match(seen((await clerk.get(`/sheet/${id}`)).text), /Two/);
  await new Visitor(stack, own.host).get('/sheet');
  assert.equal((await new Visitor(stack, own.host).ask('GET', `/sheet/${id}/edit`)).status, 303);
});

test('links in the form of routes and icons that are not there are refused', async () => {
  const check = async (pages) => (await stack.dev('POST', `/projects/${project.id}/check`, { contract: { ...contract, pages } }, { expect: 200 })).json.report;
  const table = (more) => [{ route: '/pieces', title: 'P', to: '*', body: [{ table: { entity: 'piece', ...more } }] }, { route: '/pieces/:id', title: 'Q', to: '*', body: [{ detail: { entity: 'piece' } }] }];
  const found = (report, code) => assert.ok(report.errors.some((one) => one.code === code), JSON.stringify(report.errors));
  found(await check(table({ link: '/pieces/:id' })), 'UNKNOWN_ROUTE');
  assert.equal((await check(table({ link: '/pieces/{id}' }))).ok, true);
  const [first, second] = table({});
  found(await check([{ ...first, nav: { icon: 'no-such-icon' } }, second]), 'BAD_PAGE');
});

test('a form of somebody whose session has ended is not sent as a guest\'s', async () => {
  const max = visitor();
  await max.submit('/sign-up', 'Create account', { email: 'max@example.test', password: 'a long password' });
  const elsewhere = visitor();
  elsewhere.cookies = new Map(max.cookies);
  const { id } = await write({ name: 'Before' });
  await elsewhere.post('/sign-out', {});
  for (const session of [...max.cookies.values(), 'svc_s_nonsense']) {
    max.cookies.set('svc_app_session', session);
    const late = await max.post(`/both/${id}`, { _block: '0', _do: 'save', 'f.name': 'Whose is it' });
    assert.equal(late.status, 303);
    assert.equal(late.headers.location, `/sign-in?next=%2Fboth%2F${id}`);
    assert.equal(max.cookies.size, 0);
  }
  const rows = async () => (await app.call(app.server(), 'GET', 'api/v1/piece?limit=500')).json.rows.filter(({ name }) => name === 'Whose is it').length;
  assert.equal(await rows(), 0);
  // From then on they are a guest, and see that they are.
  await max.submit(`/both/${id}`, 'Create piece', { 'f.name': 'Whose is it' });
  assert.equal(await rows(), 1);
});

test('passwords cannot be tried by pages more often than by calls', async () => {
  const strict = await Stack.start({ SVC_RATE_LOGIN: '5' });
  try {
    await strict.signIn();
    const own = await strict.project('Strict');
    await strict.apply(own, contract);
    const one = new Visitor(strict, `preview-${own.slug}.localhost`);
    await one.submit('/sign-up', 'Create account', { email: 'ada@example.test', password: 'a long password' });
    const next = new Visitor(strict, one.host);
    for (let i = 0; i < 6; i += 1) await next.post('/sign-in', { _do: 'login', email: 'ada@example.test', password: `wrong ${i}` });
    const late = await next.post('/sign-in', { _do: 'login', email: 'ada@example.test', password: 'a long password' });
    assert.equal(late.status, 422);
    assert.equal(next.cookies.size, 0);
    // Refused requests do not sign the visitor out.
    assert.equal((await one.ask('GET', '/account')).status, 200);
    await one.post('/sign-in', { _do: 'login', email: 'ada@example.test', password: 'wrong' });
    assert.equal((await one.ask('GET', '/account')).status, 200);
  } finally {
    await strict.stop();
  }
});

test('pages are counted as calls of the API are', async () => {
  const limited = await Stack.start({ SVC_RATE_BROWSER: '20' });
  try {
    await limited.signIn();
    const own = await limited.project('Limited');
    await limited.apply(own, contract);
    const host = `preview-${own.slug}.localhost`, one = new Visitor(limited, host);
    // Files that a page shows take nothing from what keys and pages have.
    for (let i = 0; i < 25; i += 1) {
      const file = await limited.fetch('GET', `/__svc/files/${own.id}`, { host, headers: { 'x-svc-page': '1' } });
      assert.equal(file.status, 401, file.text);
    }
    const answers = [];
    for (let i = 0; i < 12; i += 1) answers.push(await one.ask('GET', '/'));
    assert.equal(answers[0].status, 200);
    const last = answers.at(-1);
    assert.equal(last.status, 429);
    assert.ok(Number(last.headers['retry-after']) > 0);
    assert.match(seen(last.text), /Wait a minute/);
  } finally {
    await limited.stop();
  }
});
