// Blocks that show named queries: to guests and to people who are signed in, whose browser sends no Origin with a page.
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { databaseOf, sql } from '../lib/admin_sql.mjs';
import { Stack } from '../lib/stack.mjs';
import { seen, Visitor } from './world.mjs';

const contract = {
  app: { name: 'Asked' },
  personas: [{ id: 'member', kind: 'consumer', signup: true }],
  entities: [{ name: 'thing', owner: 'none', fields: [{ name: 'title', type: 'string' }, { name: 'weight', type: 'integer' }], access: { read: ['*'], create: ['member'] } },
  { name: 'letter', fields: [{ name: 'text', type: 'text' }], access: { read: [{ to: 'member', if: 'user_id == user.id' }], create: ['member'] } }],
  queries: [
    { name: 'titles', allow: ['*'], sql: 'select t.title as title, t.weight as weight from thing t order by t.title' },
    { name: 'letters', allow: ['*'], sql: 'select l.text as text from letter l' },
    { name: 'ours', allow: ['signed_in'], sql: 'select count(*) as things from thing t' },
  ],
  pages: [{ route: '/', title: 'Start', to: '*', body: [
    { table: { title: 'All', query: 'titles' } },
    { chart: { title: 'Weights', query: 'titles', groupBy: 'title', column: 'weight' } },
    { metric: { title: 'Ours', to: ['signed_in'], query: 'ours', column: 'things' } },
    { detail: { title: 'First', query: 'titles' } },
    { list: { title: 'Letters', query: 'letters' } }] }],
  seeds: { thing: [{ title: 'Anvil', weight: 70 }, { title: 'Bellows', weight: 12 }] },
};

let stack, project, host;
before(async () => {
  stack = await Stack.start();
  await stack.signIn();
  project = await stack.project('Asked');
  await stack.apply(project, contract);
  host = `preview-${project.slug}.localhost`;
});
after(() => stack?.stop());

test('a guest sees the rows of a query that is for everybody', async () => {
  const text = seen((await new Visitor(stack, host).get('/')).text);
  assert.match(text, /All Title Weight Anvil 70 Bellows 12/);
  assert.doesNotMatch(text, /could not be loaded|Nothing to see here|Ours/);
});

test('so does somebody who is signed in, and what is for them besides', async () => {
  const mo = new Visitor(stack, host);
  await mo.submit('/sign-up', 'Create account', { email: 'mo@example.test', password: 'a long password' });
  const text = seen((await mo.get('/')).text);
  assert.match(text, /All Title Weight Anvil 70 Bellows 12/);
  assert.match(text, /Ours 2/);
  assert.doesNotMatch(text, /could not be loaded|Nothing to see here/);
});

test('a verification reports a text that its reader may not read', async () => {
  const dev = (text) => sql(stack, databaseOf(project), text);
  dev("insert into letter (user_id, text) select id, 'Not for the eyes of others' from svc.account where email = 'mo@example.test'");
  dev('alter policy letter_select on letter using (true)');
  const { json: report } = await stack.dev('POST', `/projects/${project.id}/verify`, {}, { expect: 200 });
  assert.match(report.checks.find(({ name }) => name === 'pages').detail.counterExample,
    /^The page \/, opened by guest, shows "Not for the eyes of others" of letter\.text, which they may not read\.$/);
  await stack.apply(project, contract);
});

test('a verification reports a block that cannot be loaded', async () => {
  const { json: sound } = await stack.dev('POST', `/projects/${project.id}/verify`, {}, { expect: 200 });
  assert.equal(sound.checks.find(({ name }) => name === 'pages').pass, true);
  // It divides by nothing once there are rows.
  const broken = structuredClone(contract);
  broken.queries[0].sql = 'select t.title as title, t.weight / (t.weight - t.weight) as weight from thing t';
  await stack.apply(project, broken);
  const { json: report } = await stack.dev('POST', `/projects/${project.id}/verify`, {}, { expect: 200 });
  assert.match(report.checks.find(({ name }) => name === 'pages').detail.counterExample, /^The page \/, opened by guest, cannot load a part of what it shows\.$/);
});
