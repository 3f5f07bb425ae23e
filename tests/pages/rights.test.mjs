// A page offers what the policy of the row lets its visitor do, and nothing else; what the values decide is refused in a sentence.
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { databaseOf, sql } from '../lib/admin_sql.mjs';
import { Stack } from '../lib/stack.mjs';
import { Browser } from './browser.mjs';
import { seen, Visitor } from './world.mjs';

const open = { to: 'member', if: "user_id == user.id && state == 'open'" };
const contract = {
  app: { name: 'Bounded' },
  personas: [{ id: 'member', kind: 'consumer', signup: true }, { id: 'chief', kind: 'staff' }],
  entities: [
    { name: 'task', display: '{title}', owner: 'user',
      fields: [{ name: 'title', type: 'string', required: true }, { name: 'level', type: 'integer', default: 1 }, { name: 'paper', type: 'file' },
        { name: 'state', type: 'enum', values: ['open', 'closed'], default: 'open' }],
      access: { read: [{ to: 'member', if: 'user_id == user.id' }, 'chief'], create: { to: 'member', if: 'level < 5' },
        update: [{ to: 'member', if: "user_id == user.id && state == 'open' && level < 5" }, 'chief'], delete: [open] } },
    { name: 'remark', owner: 'none', fields: [{ name: 'task_id', type: 'ref', to: 'task', required: true, immutable: true }, { name: 'text', type: 'string', required: true }],
      access: { read: { to: '*', if: 'task.user_id == user.id' }, create: { to: 'member', if: "task.user_id == user.id && task.state == 'open'" } } },
    { name: 'part', owner: 'parent:task_id', fields: [{ name: 'task_id', type: 'ref', to: 'task', required: true, immutable: true }, { name: 'name', type: 'string', required: true }],
      access: { same_as: 'task_id' } },
  ],
  pages: [],
};
const own = [
  { route: '/tasks', title: 'Tasks', to: 'member', body: [{ chart: { title: 'Parts by task', entity: 'part', groupBy: 'task_id' } }] },
  { route: '/tasks/:id', title: 'Task', to: 'signed_in', body: [
    { detail: { entity: 'task' } }, { upload: { entity: 'task', field: 'paper' } }, { actions: { entity: 'task', delete: true } },
    { form: { title: 'Change', entity: 'task', id: '{route.id}', fields: ['title', 'level'] } },
    { form: { title: 'Remark', entity: 'remark', fields: ['text'], set: { task_id: '{route.id}' } } },
    { form: { title: 'Next', entity: 'task', fields: ['level'], set: { title: 'Another' }, submit: 'Begin another', then: '/tasks/{id}' } }] },
];

let stack, project, ann, chief;
const idOf = ({ headers }) => /[0-9a-f-]{36}/.exec(headers.location)[0];
before(async () => {
  stack = await Stack.start();
  await stack.signIn();
  project = await stack.project('Bounded');
  await stack.apply(project, contract);
  const host = `preview-${project.slug}.localhost`;
  [ann, chief] = [new Visitor(stack, host), new Visitor(stack, host)];
  await ann.submit('/sign-up', 'Create account', { email: 'ann@example.test', password: 'a long password' });
  await chief.signInAs(project, 'chief');
});
after(() => stack?.stop());
const rows = (text) => sql(stack, databaseOf(project), text);

const offers = { edit: /\/edit"/, remove: />Delete</, remark: /\/remark\/new\?/, part: /\/part\/new\?/ };
const offered = async (who, id) => {
  const { text } = await who.get(`/task/${id}`);
  return Object.keys(offers).filter((name) => offers[name].test(text));
};

test('a standard page offers what this row allows', async () => {
  const id = idOf(await ann.submit('/task/new', 'Create task', { 'f.title': 'One' }));
  assert.deepEqual(await offered(ann, id), ['edit', 'remove', 'remark', 'part']);
  await chief.submit(`/task/${id}/edit`, 'Save changes', { 'f.state': 'closed' });
  assert.deepEqual(await offered(ann, id), []);
  assert.deepEqual(await offered(chief, id), ['edit', 'part'], 'rights that no row limits');
  const { text } = await ann.get(`/task/${id}/edit`);
  assert.match(seen(text), /You may not change this task\./);
  assert.doesNotMatch(text, /Save changes/);
  // Whoever has the form of before is told the same.
  const late = await ann.post(`/task/${id}/edit`, { _block: '0', _do: 'save', 'f.title': 'Two' });
  assert.equal(late.status, 422);
  assert.match(seen(late.text), /You may not change this task\./);
  assert.match(late.text, /value="Two"/);
});

test('what the values decide is said after they were sent', async () => {
  const made = await ann.submit('/task/new', 'Create task', { 'f.title': 'High', 'f.level': '7' }, 422);
  assert.match(seen(made.text), /You may not create this task with these values\./);
  assert.match(made.text, /value="High"/);
  const id = idOf(await ann.submit('/task/new', 'Create task', { 'f.title': 'Low' }));
  const saved = await ann.submit(`/task/${id}/edit`, 'Save changes', { 'f.level': '8' }, 422);
  assert.match(seen(saved.text), /You may not save this task with these values\./);
});

test('blocks of a contract\'s own page do the same', async () => {
  await stack.apply(project, { ...contract, pages: own });
  const [[id]] = rows("select id from public.task where state = 'open'"), [[closed]] = rows("select id from public.task where state = 'closed'");
  const page = await ann.get(`/tasks/${id}`);
  for (const words of [/>Upload</, />Delete</, />Save changes</, />Create remark</]) assert.match(page.text, words);
  const shut = await ann.get(`/tasks/${closed}`);
  for (const words of [/>Upload</, />Delete</, />Save changes</, />Create remark</]) assert.doesNotMatch(shut.text, words);
  assert.match(seen(shut.text), /You may not change this task\..*Nothing can be added here right now\./);
  const gone = await ann.post(`/tasks/${closed}`, { _block: '2', _do: 'delete' });
  assert.match(seen(gone.text), /You may not delete this task\./);
});

test('a chart by a ref has the names of the rows behind it', async () => {
  const [[id]] = rows("select id from public.task where title = 'Low'");
  await stack.apply(project, { ...contract, pages: [] });
  await ann.submit(`/part/new?task_id=${id}`, 'Create part', { 'f.name': 'Wheel' });
  await stack.apply(project, { ...contract, pages: own });
  const { text } = await ann.get('/tasks');
  assert.match(seen(text), /Parts by task .*Low 1/);
  assert.ok(!text.includes(id));
});

test('buttons lead only to pages that the visitor may open', async () => {
  const closed = (route, title, block) => ({ route, title, to: 'chief', body: [block] });
  const pages = [
    { route: '/task', title: 'Tasks', to: 'signed_in', body: [{ table: { entity: 'task' } }] },
    { route: '/task/:id', title: 'Task', to: 'signed_in', body: [{ detail: { entity: 'task' } }] },
    closed('/task/:id/edit', 'Edit', { form: { entity: 'task', id: '{route.id}' } }),
  ];
  const [[id]] = rows("select id from public.task where title = 'Low'");
  await stack.apply(project, { ...contract, pages });
  assert.doesNotMatch((await ann.get(`/task/${id}`)).text, /\/edit"/, 'the policy lets her change it, but the page is not hers');
  assert.match((await chief.get(`/task/${id}`)).text, /\/edit"/);
  await ann.get(`/task/${id}/edit`, 403);
  assert.doesNotMatch((await ann.get('/task')).text, /\/task\/new/);
  await stack.apply(project, { ...contract, pages: own });
});

test('what was typed about one row does not come to stand in the form of another', async (t) => {
  const browser = await Browser.start(stack, ann.host);
  t.after(() => browser.close());
  const [[id]] = rows("select id from public.task where title = 'Low'");
  const page = await browser.open(await browser.as(ann), `/tasks/${id}`);
  await page.getByLabel('Text').fill('About the first one');
  const asked = new Promise((done) => { page.once('dialog', (dialog) => { done(dialog.type()); dialog.accept(); }); });
  await page.getByRole('button', { name: 'Begin another' }).click({ noWaitAfter: true });
  assert.equal(await asked, 'beforeunload', 'it is not left without a question');
  await page.getByText('Created.').waitFor();
  const second = page.url();
  assert.ok(!second.includes(id));
  assert.equal(await page.getByLabel('Text').inputValue(), '');
  assert.deepEqual(rows('select text from public.remark'), []);
  // With nothing typed the next row comes without leaving the page.
  await page.evaluate(() => { window.stayed = true; });
  await page.getByRole('button', { name: 'Begin another' }).click();
  await page.waitForURL((url) => url.href !== second);
  assert.ok(await page.evaluate(() => window.stayed));
  assert.deepEqual(page.complaints, []);
});

test('what was typed into another form of the page stays, and is not left without a question', async (t) => {
  const browser = await Browser.start(stack, ann.host);
  t.after(() => browser.close());
  const [[id]] = rows("select id from public.task where title = 'Low'");
  const page = await browser.open(await browser.as(ann), `/tasks/${id}`);
  await page.getByLabel('Text').fill('Half a remark');
  await page.getByLabel('Title').fill('Lower');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await page.getByText('Your changes are saved.').waitFor();
  assert.equal(await page.getByLabel('Text').inputValue(), 'Half a remark');
  assert.equal(await page.getByLabel('Title').inputValue(), 'Lower');
  const asked = new Promise((done) => { page.once('dialog', (dialog) => { done(dialog.type()); dialog.dismiss(); }); });
  await page.locator('.menu a').first().click({ noWaitAfter: true });
  assert.equal(await asked, 'beforeunload');
  await page.getByRole('button', { name: 'Create remark' }).click();
  await page.getByText('Created.').waitFor();
  assert.deepEqual(rows('select text from public.remark'), [['Half a remark']]);
  // What has been sent holds nobody back.
  await page.locator('.menu a').first().click();
  await page.waitForURL(/\/tasks$/);
  assert.deepEqual(page.complaints, []);
});
