// Where a form leads afterwards: another page, or another site, to which no form may lead by itself.
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { Stack } from '../lib/stack.mjs';
import { seen, Visitor } from './world.mjs';

const contract = {
  app: { name: 'Onward' },
  personas: [{ id: 'member', kind: 'consumer', signup: true }],
  entities: [{ name: 'wish', owner: 'none', fields: [{ name: 'title', type: 'string', required: true }], access: { read: ['*'], create: ['*'] } }],
  pages: [
    { route: '/', title: 'Wishes', to: '*', body: [{ list: { entity: 'wish' } }] },
    { route: '/here', title: 'Here', to: '*', body: [{ form: { entity: 'wish', submit: 'Wish', then: '/' } }] },
    { route: '/away', title: 'Away', to: '*', body: [{ form: { entity: 'wish', submit: 'Wish', then: 'https://elsewhere.example/thanks?of=wish' } }] },
  ],
};

let stack, guest;
before(async () => {
  stack = await Stack.start();
  await stack.signIn();
  const project = await stack.project('Onward');
  await stack.apply(project, contract);
  guest = new Visitor(stack, `preview-${project.slug}.localhost`);
});
after(() => stack?.stop());

test('a page of the app comes by itself', async () => {
  assert.equal((await guest.submit('/here', 'Wish', { 'f.title': 'Near' })).headers.location, '/?done=created');
});

test('another site is a link on a page that says what is done', async () => {
  const { text, headers } = await guest.submit('/away', 'Wish', { 'f.title': 'Far' }, 200);
  assert.equal(headers.location, undefined);
  assert.match(seen(text), /Created\. Go on to elsewhere\.example/);
  assert.match(text, /href="https:\/\/elsewhere\.example\/thanks\?of=wish"/);
  assert.match(seen((await guest.get('/')).text), /Far/);
});
