// Charts: drawn by the server, with their numbers beside them.
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { Stack } from '../lib/stack.mjs';
import { seen, Visitor } from './world.mjs';

const contract = {
  app: { name: 'Drawn' },
  personas: [{ id: 'member', kind: 'consumer' }],
  entities: [{ name: 'train', owner: 'none', access: { read: ['*'] },
    fields: [{ name: 'title', type: 'string' }, { name: 'state', type: 'enum', values: ['waiting', 'moving', 'arrived'] }] }],
  pages: [{ route: '/', title: 'Trains', to: '*', body: [
    { chart: { title: 'By state', entity: 'train', groupBy: 'state' } },
    { chart: { title: 'By name', entity: 'train', groupBy: 'title', kind: 'line' } }] }],
  seeds: { train: ['arrived', 'waiting', 'moving', 'waiting', 'arrived', 'arrived', 'moving', 'waiting', 'waiting', 'waiting'].map((state, i) => ({ title: `A rather long name ${i}`, state })) },
};

let stack, text;
before(async () => {
  stack = await Stack.start();
  await stack.signIn();
  const project = await stack.project('Drawn');
  await stack.apply(project, contract);
  ({ text } = await new Visitor(stack, `preview-${project.slug}.localhost`).get('/'));
});
after(() => stack?.stop());

test('values of an enum are in the order of the contract', () => {
  assert.match(seen(text), /By state .* State Count Waiting 5 Moving 2 Arrived 3/);
});

test('names at the edges are not cut off', () => {
  const drawing = text.slice(text.lastIndexOf('<svg role="img"'));
  const anchors = [...drawing.matchAll(/<text class="tick" text-anchor="(\w+)"/g)].map(([, anchor]) => anchor);
  assert.deepEqual(anchors, ['start', 'middle', 'middle', 'middle', 'middle']);
});
