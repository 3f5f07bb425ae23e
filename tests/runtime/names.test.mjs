// Names that an author may well choose, and that the database's functions could take for their own.
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { Stack } from '../lib/stack.mjs';
import { signUp } from '../lib/scenarios.mjs';

const names = ['r', 'm', 't', 'n', 'q', 'who', 'wanted', 'words', 'holder', 'known', 'p_id', 'p_words', 'p_classes', 'p_limit', 'p_transition',
  'p_versions', 'p_key', 'svc', 'old_rows', 'new_rows', 'made_row', 'result', 'value', 'key',
  'tg_name', 'tg_when', 'tg_level', 'tg_op', 'tg_relid', 'tg_relname', 'tg_table_name', 'tg_table_schema', 'tg_nargs', 'tg_argv', 'tg_event', 'tg_tag',
  'found', 'sqlstate', 'sqlerrm', 'excluded', 'row_count', 'table_name', 'event', 'row_id', 'transition'];
const variables = ['new', 'old', 'found', 't', 'row', 'words', 'new_rows', 'old_rows', 'record', 'transition', 'versions'];
const contract = {
  app: { name: 'Names' },
  personas: [{ id: 'member', kind: 'consumer', signup: true }, { id: 'boss', kind: 'staff' }],
  entities: [
    { name: 'odd', owner: 'user', search: ['q', 'wanted', 'r'],
      fields: [...names.map((name) => ({ name, type: 'text' })), { name: 'secret', type: 'text', read: ['boss'], write: ['boss'] }],
      lifecycle: { field: 'state', initial: 'open', states: ['open', 'done'], transitions: [{ name: 'end', from: 'open', to: 'done', by: ['member'] }] },
      access: { read: [{ to: 'member', if: 'user_id == user.id' }, 'staff'], create: 'member', update: 'member', delete: 'member' } },
    // An entity with the name of an alias, under a parent with a column of its own name.
    { name: 'box', owner: 'user', fields: [{ name: 'box_id', type: 'ref', to: 'box' }],
      access: { read: [{ to: 'member', if: 'user_id == user.id' }], create: 'member', update: [{ to: 'member', if: 'user_id == user.id' }] } },
    ...['p1', 'c1', 't1'].map((name) => ({ name, owner: 'parent:box_id', fields: [{ name: 'box_id', type: 'ref', to: 'box', required: true }, { name: 'line', type: 'text' }],
      access: { same_as: 'box_id' } })),
    { name: 'm', owner: 'none', search: ['r'], fields: [{ name: 'r', type: 'text' }], access: { read: '*', create: 'member' } },
    { name: 'tie', owner: 'none', fields: [{ name: 'm_id', type: 'ref', to: 'm' }], access: { read: '*', create: 'member' } },
    { name: 'r', owner: 'none', search: ['m'], fields: [{ name: 'm', type: 'text' }], access: { read: '*', create: 'member', update: 'member' },
      lifecycle: { field: 'state', initial: 'open', states: ['open', 'done'], transitions: [{ name: 'end', from: 'open', to: 'done', by: ['member'] }] } },
    // Entities with the names of variables, in functions that move, record and search their rows.
    ...variables.map((name) => ({ name, owner: 'user', search: ['title'], fields: [{ name: 'title', type: 'text', max: 9 }, { name: 'number', type: 'sequence' }],
      lifecycle: { field: 'state', initial: 'open', states: ['open', 'done'], transitions: [{ name: 'end', from: 'open', to: 'done', by: ['member'], set: { title: "'moved'" } }] },
      rules: [{ on: ['create', 'update'], refuse: "new.title == 'bad'", message: 'Bad.' }],
      access: { read: [{ to: 'member', if: 'user_id == user.id' }], create: 'member', update: [{ to: 'member', if: "user_id == user.id && state == 'open'" }], delete: 'member' } })),
  ],
  seeds: {},
};

let stack, host, ann, bob;

before(async () => {
  stack = await Stack.start();
  await stack.signIn();
  const project = await stack.project('Names');
  host = `preview-${project.slug}.localhost`;
  await stack.apply(project, contract);
  const enter = async (name) => {
    const { token } = await signUp(stack, project, host, `${name}.names`, 'member');
    return { authorization: `Bearer ${project.browser}`, origin: 'http://app.test', 'x-svc-data-api': '1', 'x-svc-app-session': token };
  };
  [ann, bob] = [await enter('ann'), await enter('bob')];
});
after(() => stack?.stop());

const call = async (headers, method, path, body, expect = 200) => {
  const { status, json, text } = await stack.fetch(method, `/__svc/api/v1/${path}`, { headers, host, body });
  assert.equal(status, expect, `${method} ${path}: ${text}`);
  return json;
};

test('every field is written, found, changed, moved and deleted', async () => {
  const { rows: [row] } = await call(ann, 'POST', 'odd', Object.fromEntries(names.map((name) => [name, 'apple'])), 201);
  for (const name of names) assert.equal(row[name], 'apple');
  const { results } = await call(ann, 'GET', 'search?q=apple&tables=odd,m,r&snippets=1');
  assert.equal(results[0].rows[0].id, row.id);
  assert.deepEqual((await call(bob, 'GET', 'search?q=apple&tables=odd')).results[0].rows, []);
  await call(ann, 'PATCH', `odd/${row.id}`, { r: 'pear', who: 'pear' });
  assert.equal((await call(ann, 'PATCH', `odd/${row.id}/transition`, { transition: 'end' })).rows[0].state, 'done');
  await call(ann, 'DELETE', `odd/${row.id}`);
  for (const name of ['m', 'r']) {
    await call(ann, 'POST', name, { [name === 'm' ? 'r' : 'm']: 'plum' }, 201);
    assert.equal((await call(bob, 'GET', `search?q=plum&tables=${name}`)).results[0].rows.length, 1);
  }
});

test('an entity is not taken for a variable', async () => {
  const { rows: [moved] } = await call(ann, 'POST', 'r', { m: 'fig' }, 201);
  assert.equal((await call(ann, 'PATCH', `r/${moved.id}/transition`, { transition: 'end' })).rows[0].state, 'done');
  for (const name of variables) {
    const { rows: [row] } = await call(ann, 'POST', name, { title: 'quince' }, 201);
    await call(ann, 'PATCH', `${name}/${row.id}`, { title: 'bad' }, 422);
    assert.equal((await call(ann, 'PATCH', `${name}/${row.id}`, { title: 'medlar' })).rows[0].title, 'medlar');
    assert.equal((await call(ann, 'GET', `search?q=medlar&tables=${name}`)).results[0].rows[0].id, row.id);
    assert.equal((await call(ann, 'PATCH', `${name}/${row.id}/transition`, { transition: 'end' })).rows[0].title, 'moved');
    await call(ann, 'DELETE', `${name}/${row.id}`);
  }
});

test('an entity is not taken for the alias of its parent', async () => {
  const { rows: [box] } = await call(ann, 'POST', 'box', {}, 201);
  const { rows: [own] } = await call(bob, 'POST', 'box', {}, 201);
  await call(bob, 'PATCH', `box/${own.id}`, { box_id: own.id });
  for (const name of ['p1', 'c1', 't1']) {
    await call(ann, 'POST', name, { box_id: box.id, line: 'secret' }, 201);
    assert.deepEqual((await call(bob, 'GET', name)).rows, []);
    assert.equal((await call(ann, 'GET', name)).rows.length, 1);
  }
});

test('a link leads to the row, whatever its fields are called', async () => {
  const { rows: [plum] } = await call(ann, 'POST', 'm', { r: 'damson' }, 201);
  const { rows: [tie] } = await call(ann, 'POST', 'tie', { m_id: plum.id }, 201);
  assert.deepEqual((await call(ann, 'GET', `tie/${tie.id}?select=m(r,id)`)).rows, [{ m: { r: 'damson', id: plum.id } }]);
});
