// Boards: a card is moved by its menu, by keyboard and by drag, as far as its caller may move it; rows without a value have a column,
// and a board that does not show all rows says so.
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { databaseOf, sql } from '../lib/admin_sql.mjs';
import { Stack } from '../lib/stack.mjs';
import { holds } from './axe.mjs';
import { Browser } from './browser.mjs';
import { Keys } from './keys.mjs';
import { decoded, markup, seen, Visitor } from './world.mjs';

const contract = {
  app: { name: 'Desk' },
  personas: [{ id: 'member', kind: 'consumer', signup: true }, { id: 'chief', kind: 'staff' }],
  entities: [{
    name: 'ticket', owner: 'user', display: '{title}',
    fields: [{ name: 'title', type: 'string', required: true }, { name: 'team', type: 'enum', values: ['red', 'high'], labels: { red: 'Red team' } },
      { name: 'size', type: 'enum', values: ['small', 'large'], default: 'small', required: true }],
    lifecycle: { field: 'state', initial: 'fresh', states: ['fresh', 'doing', 'done'], transitions: [
      { name: 'start_work', from: 'fresh', to: 'doing', by: ['member', 'chief'] },
      { name: 'finish', from: 'doing', to: 'done', by: 'chief', if: 'team != null', else: 'Give it to a team first.' }] },
    access: { read: ['member', 'chief'], create: ['member', 'chief'], update: [{ to: 'member', if: 'user_id == user.id' }, 'chief'], delete: 'chief' },
  }],
  pages: [
    { route: '/states', title: 'States', to: 'signed_in', body: [{ board: { entity: 'ticket', fields: ['title', 'team'] } }] },
    { route: '/teams', title: 'Teams', to: 'signed_in', body: [{ board: { title: 'By team', entity: 'ticket', by: 'team', fields: ['title'] } }] },
    { route: '/sizes', title: 'Sizes', to: 'signed_in', body: [{ board: { entity: 'ticket', by: 'size', fields: ['title'], limit: 3, sort: { field: 'title' } } }] },
    { route: '/ticket', title: 'Tickets', to: 'signed_in', body: [{ table: { entity: 'ticket', fields: ['title', 'state', 'team'] } }] },
    { route: '/ticket/:id', title: 'Ticket', to: 'signed_in', body: [{ detail: { entity: 'ticket' } }] },
    { route: '/ticket/new', title: 'New', to: 'signed_in', body: [{ form: { entity: 'ticket' } }] },
  ],
};
const hostile = '<img src=x onerror=alert(1)> "quoted"';

let stack, project, host, ann, chief, browser;
const idOf = ({ headers }) => /[0-9a-f-]{36}/.exec(headers.location)[0];
const make = async (who, title, team = '') => idOf(await who.submit('/ticket/new', 'Create ticket', { 'f.title': title, 'f.team': team }));
const row = (id) => sql(stack, databaseOf(project), `select state, coalesce(team, '-'), size from public.ticket where id = '${id}'`)[0];

before(async () => {
  stack = await Stack.start();
  await stack.signIn();
  project = await stack.project('Desk');
  await stack.apply(project, contract);
  host = `preview-${project.slug}.localhost`;
  [ann, chief] = [new Visitor(stack, host), new Visitor(stack, host)];
  await ann.submit('/sign-up', 'Create account', { email: 'ann@example.test', password: 'a long password' });
  await chief.signInAs(project, 'chief');
  browser = await Browser.start(stack, host);
});
after(async () => {
  await browser?.close();
  await stack?.stop();
});

// The columns of a board: what they are called, and their cards with the words of their buttons.
const columns = (html) => [...html.matchAll(/<section class="column" data-to="([^"]*)">([^]*?)<\/section>/g)].map(([, to, inner]) => ({
  to, name: seen(/<h[23]>([^]*?)<span class="count">/.exec(inner)[1]).trim(), look: /class="(badge [a-z]+)"/.exec(inner)[1], count: Number(/class="count">(\d+)/.exec(inner)[1]),
  cards: [...inner.matchAll(/<li class="card">([^]*?)<\/li>/g)].map(([, card]) => ({
    title: decoded(/class="row-link"[^>]*>([^<]*)/.exec(card)[1]), focused: /<a[^>]* autofocus/.test(card), steps: [...card.matchAll(/<button[^>]*>([^<]*)/g)].map(([, words]) => words) })),
}));
const board = async (who, path) => columns((await who.get(path)).text);
const cardOf = (all, title) => all.flatMap(({ cards }) => cards).find((card) => card.title === title);
// The form of a card, sent.
const move = (who, path, id, to, more = {}) => who.post(path, { _block: '0', _do: 'move', _row: id, _move: to, ...more });

test('a card offers the transitions that its caller may make, and moves', async () => {
  const id = await make(ann, 'Leak');
  assert.deepEqual(cardOf(await board(ann, '/states'), 'Leak').steps, ['Start work']);
  const moved = await move(ann, '/states', id, 'start_work');
  assert.equal(moved.status, 303);
  assert.match(moved.headers.location, new RegExp(`^/states\\?b1\\.moved=${id}&done=moved$`));
  assert.deepEqual(row(id).slice(0, 1), ['doing']);
  const { text } = await ann.get(moved.headers.location);
  const after = columns(text);
  assert.deepEqual(after.map(({ to, name }) => [to, name]), [['fresh', 'Fresh'], ['doing', 'Doing'], ['done', 'Done']]);
  assert.deepEqual(after[1].cards.map(({ title, focused, steps }) => [title, focused, steps]), [['Leak', true, []]]);
  assert.deepEqual(cardOf(await board(chief, '/states'), 'Leak').steps, ['Finish']);
  const refused = await move(chief, '/states', id, 'finish');
  assert.equal(refused.status, 422);
  assert.match(seen(refused.text), /Give it to a team first\./);
  assert.ok(cardOf(columns(refused.text), 'Leak').focused);
  // Whoever sends what is not offered is refused by the route.
  assert.equal((await move(ann, '/states', id, 'finish')).status, 422);
  assert.deepEqual(row(id).slice(0, 1), ['doing']);
});

test('a card is moved to another value of a field, and back to none', async () => {
  const own = await make(ann, 'Noise'), other = await make(chief, 'Smell');
  const before = await board(ann, '/teams');
  assert.deepEqual(before.map(({ to, name }) => [to, name]), [['', 'None'], ['red', 'Red team'], ['high', 'High']]);
  assert.deepEqual(cardOf(before, 'Noise').steps, ['Red team', 'High']);
  assert.deepEqual(cardOf(before, 'Smell').steps, [], "the policy leaves others' rows alone");
  assert.deepEqual(cardOf(await board(chief, '/teams'), 'Noise').steps, ['Red team', 'High']);
  assert.equal((await move(ann, '/teams', own, 'red')).status, 303);
  assert.equal(row(own)[1], 'red');
  assert.deepEqual(cardOf(await board(ann, '/teams'), 'Noise').steps, ['High', 'None']);
  assert.equal((await move(ann, '/teams', own, '')).status, 303);
  assert.equal(row(own)[1], '-');
  assert.equal((await move(ann, '/teams', other, 'red')).status, 422);
  assert.deepEqual(cardOf(await board(ann, '/sizes'), 'Noise')?.steps ?? ['Large'], ['Large'], 'a required field has no none');
});

test('a forged form moves nothing', async () => {
  const id = await make(ann, 'Forged');
  const before = row(id);
  for (const [path, row_, to] of [['/teams', id, 'violet'], ['/teams', `${id}/transition`, 'red'], ['/teams', '', 'red'], ['/sizes', id, ''],
    ['/states', id, 'team'], ['/states', id, 'x"}'], ['/teams', '00000000-0000-7000-8000-000000000000', 'red']]) {
    const answer = await move(ann, path, row_, to);
    assert.equal(answer.status, 422, `${path} ${row_} ${to}`);
    assert.match(answer.text, /role="alert"/);
  }
  assert.equal((await move(ann, '/teams', id, 'red', { _do: 'other' })).status, 200);
  assert.equal((await ann.post('/teams', { _block: '0', _do: 'move', _row: id, _move: 'red' }, { origin: 'http://other.test' })).status, 403);
  assert.deepEqual(row(id), before);
});

test('a board that does not show all rows says how many there are, and where', async () => {
  for (const name of ['A', 'B', 'C', 'D']) await make(ann, `Many ${name}`);
  const [[all]] = sql(stack, databaseOf(project), 'select count(*) from public.ticket');
  const { text } = await ann.get('/sizes');
  assert.match(seen(text), new RegExp(`Shown here: 3 of ${all} tickets\\. All tickets`));
  assert.match(text, /<a href="\/ticket">All tickets<\/a>/);
  assert.equal(columns(text).reduce((sum, { count }) => sum + count, 0), 3);
  assert.doesNotMatch((await ann.get('/teams')).text, /class="rest"/);
});

test('a value looks the same in a list, on a page of a row, and above a column', async () => {
  const id = await make(ann, 'Looks', 'high');
  const looks = (html) => Object.fromEntries([...html.matchAll(/<span class="(badge [a-z]+)">([^<]*)/g)].map(([, look, word]) => [word, look]));
  const [list, detail] = [looks((await ann.get('/ticket')).text), looks((await ann.get(`/ticket/${id}`)).text)];
  const above = Object.fromEntries([...await board(ann, '/teams'), ...await board(ann, '/states')].map(({ name, look }) => [name, look]));
  for (const word of ['High', 'Fresh']) assert.deepEqual([list[word], detail[word]], [above[word], above[word]], word);
  assert.equal(above.High, 'badge amber');
  assert.equal(above['Red team'], 'badge grey', 'a word without a known meaning has no colour');
  assert.equal(above.Fresh, 'badge blue');
});

test('texts of rows stay texts on a board', async () => {
  await make(ann, hostile, 'red');
  const { text } = await ann.get('/states');
  assert.doesNotMatch(markup(text), /<img|<script/);
  assert.ok(cardOf(columns(text), hostile));
  assert.ok(decoded(text).includes(`aria-label="Move ${hostile}"`));
});

test('axe finds nothing on boards, and they are no wider than the screen', async () => {
  const wrong = [], known = new Set();
  for (const width of [390, 1280]) {
    const context = await browser.as(chief, { width });
    const page = await browser.open(context, '/states');
    await page.click('.steps summary');
    for (const path of ['/states', '/teams', '/sizes']) {
      if (path !== '/states') await browser.go(page, path);
      await holds(page, `${path} at ${width} px`, wrong, known);
    }
    await context.close();
  }
  assert.deepEqual(wrong, []);
});

const where = (page, title) => page.evaluate((name) => [...document.querySelectorAll('.card')].find((card) => card.querySelector('.row-link')?.textContent === name)?.closest('.column').dataset.to, title);

test('a card is moved by keyboard, with and without a script', async () => {
  for (const script of [true, false]) {
    const title = `Keys ${script}`;
    await make(ann, title);
    const context = await browser.as(ann, { script });
    const page = await browser.open(context, '/states');
    const keys = new Keys(page);
    await keys.to(`Move ${title}`, 'summary');
    await keys.press('Enter');
    await keys.to('Start work', 'button');
    await keys.press('Enter');
    await page.waitForSelector('.column[data-to=doing] a[autofocus]:focus');
    assert.equal(await where(page, title), 'doing');
    assert.match(await page.textContent('.notice.green'), /Done\./);
    assert.deepEqual(page.complaints, []);
    await context.close();
  }
});

test('a card is dragged to the columns that it may go to, and to no other', async () => {
  const id = await make(ann, 'Dragged');
  const context = await browser.as(ann, {});
  const page = await browser.open(context, '/states');
  await page.evaluate(() => { window.stayed = true; });
  const card = page.locator('.card', { hasText: 'Dragged' });
  await card.dragTo(page.locator('.column[data-to=done]'));
  assert.equal(await where(page, 'Dragged'), 'fresh');
  await card.dragTo(page.locator('.column[data-to=doing]'));
  await page.waitForSelector('.column[data-to=doing] .card:has-text("Dragged")');
  assert.equal(row(id)[0], 'doing');
  assert.ok(await page.evaluate(() => window.stayed), 'the page was not left');
  assert.equal(await page.locator('.column.takes, .column.over, .dragged').count(), 0);
  assert.deepEqual(page.complaints, []);
  await context.close();
});
