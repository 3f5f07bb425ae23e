// What people see first: the newest rows of each list with their number; and, in forms and lists, what helps where there are many rows or
// little room.
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { databaseOf, sql } from '../lib/admin_sql.mjs';
import { Stack } from '../lib/stack.mjs';
import { holds } from './axe.mjs';
import { Browser } from './browser.mjs';
import { decoded, markup, seen, Visitor } from './world.mjs';

const own = { to: 'member', if: 'user_id == user.id' };
const contract = {
  app: { name: 'Parcels' },
  personas: [{ id: 'member', kind: 'consumer', signup: true }],
  entities: [
    { name: 'place', owner: 'none', display: '{name} {code}', fields: [{ name: 'name', type: 'string', required: true }, { name: 'code', type: 'string' }], access: { read: '*', create: 'member' } },
    { name: 'notice', owner: 'none', display: 'title', fields: [{ name: 'title', type: 'string', required: true }], access: { read: '*' } },
    { name: 'parcel', owner: 'user', display: 'label',
      fields: [{ name: 'label', type: 'string', required: true, max: 400 }, { name: 'place_id', type: 'ref', to: 'place', required: true }, { name: 'back_id', type: 'ref', to: 'place' }, { name: 'weight', type: 'integer' },
        { name: 'paper', type: 'file' }],
      lifecycle: { field: 'state', initial: 'packed', states: ['packed', 'delivered'], transitions: [{ name: 'deliver', from: 'packed', to: 'delivered', by: 'member' }] },
      access: { read: [own], create: 'member', update: [own], delete: [own] } },
    { name: 'secret', owner: 'user', fields: [{ name: 'text', type: 'string', required: true }], access: { read: [own], create: 'member' } },
  ],
};
const hostile = '<img src=x onerror=alert(1)>', many = 10_050;

let stack, project, ann, ben, guest, browser;
const rows = (text) => sql(stack, databaseOf(project), text);
const idOf = ({ headers }) => /[0-9a-f-]{36}/.exec(headers.location)[0];

before(async () => {
  stack = await Stack.start();
  await stack.signIn();
  project = await stack.project('Parcels');
  await stack.apply(project, contract);
  const host = `preview-${project.slug}.localhost`;
  [ann, ben, guest] = [new Visitor(stack, host), new Visitor(stack, host), new Visitor(stack, host)];
  for (const [who, email] of [[ann, 'ann@example.test'], [ben, 'ben@example.test']]) await who.submit('/sign-up', 'Create account', { email, password: 'a long password' });
  rows(`insert into public.place (name, code) select 'Place', n::text from generate_series(1, ${many}) as n`);
  rows(`insert into public.place (name, code) values ('${hostile}', 'odd')`);
  browser = await Browser.start(stack, host);
});
after(async () => {
  await browser?.close();
  await stack?.stop();
});

const place = (code) => rows(`select id from public.place where code = '${code}'`)[0][0];
const parcel = (who, label, more = {}) => who.post('/parcel/new', { _block: '0', _do: 'save', 'f.label': label, 'f.place_id': place('1'), ...more });
const cards = async (who) => [...(await who.get('/')).text.matchAll(/<section class="block metric card-of-rows">([^]*?)<\/section>/g)].map(([, inner]) => ({
  title: decoded(/<h2><a href="[^"]*">([^<]*)/.exec(inner)[1]), link: /<h2><a href="([^"]*)"/.exec(inner)[1], count: /class="number">([^<]*)/.exec(inner)?.[1],
  rows: [...inner.matchAll(/<li>([^]*?)<\/li>/g)].map(([, row]) => ({ link: /href="([^"]*)"/.exec(row)?.[1], words: seen(row).trim() })), words: seen(inner) }));

test('the first page has the newest rows of each list that its visitor may read, and how many there are', async () => {
  const guests = await cards(guest);
  assert.deepEqual(guests.map(({ title, link }) => [title, link]), [['Places', '/place'], ['Notices', '/notice']]);
  assert.match(guests[0].count, /^about 10,\d{3}$/);
  assert.equal(guests[0].rows.length, 4);
  for (const label of ['One', 'Two', 'Three', 'Four', 'Five']) assert.equal((await parcel(ann, label)).status, 303);
  const [, , own] = await cards(ann);
  assert.deepEqual([own.title, own.link, own.count], ['Parcels', '/parcel', '5']);
  assert.deepEqual(own.rows.map(({ words }) => words.split(' ').slice(0, 2).join(' ')), ['Five Packed', 'Four Packed', 'Three Packed', 'Two Packed']);
  assert.match(own.rows[0].words, /just now|second|minute/);
  assert.match(own.rows[0].link, /^\/parcel\/[0-9a-f-]{36}$/);
});

test('where there are no rows the card says so, and offers the first to whoever may make it', async () => {
  const [, notices, parcels] = await cards(ben);
  assert.deepEqual([notices.count, notices.rows, parcels.count], ['0', [], '0']);
  assert.match(notices.words, /No notices yet\./);
  assert.doesNotMatch(notices.words, /New notice/);
  assert.match(parcels.words, /No parcels yet\. New parcel/);
});

test('names of rows stay texts on the first page', async () => {
  assert.equal((await parcel(ann, hostile)).status, 303);
  assert.equal((await parcel(ann, 'x'.repeat(300))).status, 303);
  const { text } = await ann.get('/');
  assert.doesNotMatch(markup(text), /<img|<script/);
  assert.ok(seen(text).includes(hostile));
  assert.ok(!text.includes('x'.repeat(100)), 'a long name is cut');
});

test('a list has its order as a choice too, which narrow screens show', async () => {
  const { text } = await ann.get('/parcel');
  const order = /<label class="filter order">([^]*?)<\/label>/.exec(text)[1];
  assert.match(order, /<option value="" selected>Created, newest first</);
  assert.match(order, /<option value="-weight">Weight, highest first</);
  const sorted = (await ann.get('/parcel?b1.q=&b1.sort=label&b1.f.state=packed')).text;
  assert.match(sorted, /<option value="label" selected>Label, A to Z</);
  assert.match(seen(sorted), /Five .*Four .*One .*Three .*Two/);
  assert.equal(sorted.match(/name="b1\.sort"/g).length, 1, 'the form has it once');
  for (const [width, shown] of [[390, true], [1280, false]]) {
    const context = await browser.as(ann, { width });
    const page = await browser.open(context, '/parcel');
    assert.equal(await page.locator('.order select').isVisible(), shown);
    assert.equal(await page.locator('th a').first().isVisible() && width > 640, !shown);
    await context.close();
  }
});

const found = (html, name) => [...(new RegExp(`<select id="f-${name}"[^>]*>([^]*?)</select>`).exec(html)?.[1] ?? '').matchAll(/<option value="([^"]*)"( selected)?>([^<]*)/g)]
  .map(([, id, selected, words]) => ({ id, selected: selected !== undefined, words: decoded(words) }));

test('a reference to one of many rows is found by words, and the form keeps what was entered', async () => {
  const { text } = await ann.get('/parcel/new');
  assert.deepEqual(found(text, 'place_id').map(({ words }) => words), ['—']);
  assert.match(text, /<input type="search"[^>]* name="q\.place_id"/);
  const some = await ann.submit('/parcel/new', 'Find', { 'f.label': 'Kept', 'f.weight': '12', 'q.place_id': 'place 77' }, 200);
  assert.match(some.text, /name="f\.label"[^>]* value="Kept"/);
  assert.match(some.text, /name="f\.weight"[^>]* value="12"/);
  const options = found(some.text, 'place_id');
  assert.equal(options[0].words, '—');
  assert.equal(options.length, 51);
  assert.ok(options.slice(1).every(({ words }) => /Place \d*77\d*/.test(words)));
  assert.match(seen(some.text), /The first 50\. More words find fewer\./);
  assert.doesNotMatch(some.text, /role="alert"/);
  const one = await ann.press('/parcel/new', some, 'Find', { 'q.place_id': 'place 7731' }, 200);
  assert.deepEqual(found(one.text, 'place_id').filter(({ selected }) => selected), [{ id: place('7731'), selected: true, words: 'Place 7731' }]);
  const id = idOf(await ann.press('/parcel/new', one, 'Create parcel', {}));
  assert.deepEqual(rows(`select label, place_id, weight from public.parcel where id = '${id}'`), [['Kept', place('7731'), '12']]);
  const edit = await ann.get(`/parcel/${id}/edit`);
  assert.deepEqual(found(edit.text, 'place_id').map(({ words }) => words), ['Place 7731'], 'the chosen one stands there');
  assert.match((await ann.submit(`/parcel/${id}/edit`, 'Save changes', { 'f.label': 'Kept too' })).headers.location, /done=saved/);
  assert.deepEqual(rows(`select label, place_id from public.parcel where id = '${id}'`), [['Kept too', place('7731')]]);
});

test('words that nothing was chosen by save nothing', async () => {
  const before = rows('select count(*) from public.parcel');
  const enter = await ann.submit('/parcel/new', 'Create parcel', { 'f.label': 'Entered', 'q.place_id': '4242' }, 200);
  assert.deepEqual(found(enter.text, 'place_id').map(({ words }) => words), ['Place 4242']);
  const none = await ann.submit('/parcel/new', 'Find', { 'f.label': 'None', 'q.place_id': 'no such' }, 200);
  assert.match(seen(none.text), /Nothing was found\. Try other words\./);
  const still = await ann.press('/parcel/new', none, 'Create parcel', {}, 422);
  assert.match(seen(still.text), /Choose one that was found, or clear the words\./);
  const optional = await ann.submit('/parcel/new', 'Find', { 'f.label': 'Optional', 'f.place_id': place('1'), 'q.back_id': 'place 9' }, 200);
  assert.equal((await ann.press('/parcel/new', optional, 'Create parcel', {}, 422)).status, 422);
  assert.deepEqual(rows('select count(*) from public.parcel'), before);
  assert.equal((await ann.press('/parcel/new', optional, 'Create parcel', { 'q.back_id': '' })).status, 303);
});

test('what is found stays text, and words are no pattern', async () => {
  const odd = await ann.submit('/parcel/new', 'Find', { 'q.place_id': '"><img src=x> odd' }, 200);
  assert.doesNotMatch(markup(odd.text), /<img|<script/);
  const named = await ann.submit('/parcel/new', 'Find', { 'q.place_id': 'onerror odd' }, 200);
  assert.deepEqual(found(named.text, 'place_id').at(-1).words, `${hostile} odd`);
  assert.doesNotMatch(markup(named.text), /<img|<script/);
  for (const words of ['%', '_', '\\', '%%% ___']) assert.match(seen((await ann.submit('/parcel/new', 'Find', { 'q.place_id': words }, 200)).text), /Nothing was found/);
});

test('with a script rows are found while somebody types, and Enter does not save', async () => {
  const context = await browser.as(ann, {});
  const page = await browser.open(context, '/parcel/new');
  await page.fill('#f-label', 'Typed');
  await page.getByLabel('Find place').pressSequentially('place 5150');
  await page.waitForSelector('select#f-place_id option:has-text("Place 5150")', { state: 'attached' });
  assert.equal(await page.evaluate(() => document.activeElement.name), 'q.place_id');
  await page.keyboard.press('Enter');
  assert.equal(await page.inputValue('#f-label'), 'Typed');
  assert.equal(await page.inputValue('#f-place_id'), place('5150'));
  await page.click('.buttons .button.primary');
  await page.waitForSelector('h1:has-text("Typed")');
  assert.deepEqual(page.complaints, []);
  await context.close();
});

test('axe finds nothing on the first page and on forms that find rows', async () => {
  const wrong = [], known = new Set();
  for (const who of [ann, ben, null]) {
    for (const width of [390, 1280]) {
      const context = await browser.as(who, { width });
      const page = await browser.open(context, '/');
      await holds(page, `/ at ${width} px`, wrong, known);
      if (who === ann) {
        await holds(await browser.go(page, '/parcel/new'), `/parcel/new at ${width} px`, wrong, known);
        await page.fill('[name="q.place_id"]', 'place 77');
        await page.waitForSelector('select#f-place_id option:nth-child(2)', { state: 'attached' });
        await holds(page, `/parcel/new with rows at ${width} px`, wrong, known);
      }
      await context.close();
    }
  }
  assert.deepEqual(wrong, []);
});
