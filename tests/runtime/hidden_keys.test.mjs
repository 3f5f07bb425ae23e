// Unique keys do not reveal values that a caller may not read.
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { Stack } from '../lib/stack.mjs';

let stack, project, host;

const contract = {
  app: { name: 'Patients' },
  personas: [{ id: 'doctor', kind: 'staff' }, { id: 'desk', kind: 'staff' }],
  entities: [{
    name: 'patient', owner: 'none',
    fields: [
      { name: 'name', type: 'string' },
      { name: 'insurance', type: 'string', unique: true, read: ['doctor'] },
      { name: 'ward', type: 'string' },
      { name: 'bed', type: 'string', read: ['doctor'] },
    ],
    unique: [['ward', 'bed']],
    access: { read: '*', create: ['doctor', 'desk'], update: ['doctor', 'desk'] },
  }],
  seeds: {},
};

const as = (role, method, path, body) => stack.fetch(method, `/__svc/api/v1/patient${path}`, {
  host, body, headers: { authorization: `Bearer ${project.server}`, 'x-svc-data-api': '1', 'x-svc-app-role': role },
});

before(async () => {
  stack = await Stack.start();
  await stack.signIn();
  project = await stack.project('Patients');
  host = `preview-${project.slug}.localhost`;
  await stack.apply(project, contract);
  const made = await as('doctor', 'POST', '', { name: 'Ann', insurance: 'X-1', ward: 'north', bed: '7' });
  assert.equal(made.status, 201, made.text);
});
after(() => stack?.stop());

test('attack: onConflict over a hidden unique column does not show which row has a guessed value', async () => {
  for (const [key, row] of [['insurance', { insurance: 'X-1' }], ['ward,bed', { ward: 'north', bed: '7' }], ['bed,ward', { ward: 'north', bed: '7' }]]) {
    for (const resolution of ['ignore', 'merge']) {
      for (const body of [row, [row]]) {
        const answer = await as('desk', 'POST', `?onConflict=${key}&resolution=${resolution}`, body);
        assert.equal(answer.status, 400, `${key} ${resolution}: ${answer.text}`);
        assert.equal(answer.json.error.code, '42703');
        assert.doesNotMatch(answer.text, /Ann/);
      }
    }
  }
  const doctor = await as('doctor', 'POST', '?onConflict=ward,bed&resolution=ignore', { ward: 'north', bed: '7' });
  assert.deepEqual([doctor.status, doctor.json.rows[0].name], [200, 'Ann']);
});

test('attack: hidden columns are not listed as keys, and look like missing columns', async () => {
  const hidden = await as('desk', 'POST', '?onConflict=insurance', { insurance: 'X-1' });
  const none = await as('desk', 'POST', '?onConflict=inseranse', { insurance: 'X-1' });
  assert.equal(hidden.text, none.text.replaceAll('inseranse', 'insurance'));
  const wrong = await as('desk', 'POST', '?onConflict=name', { name: 'Bob' });
  assert.equal(wrong.json.error.code, 'PARAMS_INVALID');
  assert.doesNotMatch(wrong.text, /insurance|bed/);
});

test('a refusal of a value that is taken shows nothing that its caller did not send', async () => {
  const taken = await as('desk', 'POST', '', { name: 'Bob', insurance: 'X-1' });
  assert.equal(taken.status, 409, taken.text);
  assert.doesNotMatch(taken.text, /Ann|X-1|north/);
  const [ann] = (await as('doctor', 'GET', '?where={"name":"Ann"}')).json.rows;
  const moved = await as('desk', 'POST', '', { name: 'Bob', ward: 'north' });
  assert.equal(moved.status, 201, moved.text);
  const bob = moved.json.rows[0].id;
  const change = await as('desk', 'PATCH', `/${bob}`, { insurance: 'X-1' });
  assert.equal(change.status, 409, change.text);
  assert.doesNotMatch(change.text, new RegExp(`Ann|X-1|${ann.id}`));
});

test('attack: no other parameter reaches the hidden column', async () => {
  const value = encodeURIComponent('X-1');
  const asked = [
    `?where={"insurance":"${value}"}`, `?filter=[{"field":"insurance","op":"starts_with","value":"X"}]`,
    `?filter=[{"not":{"or":[{"field":"insurance","op":"is_null"}]}}]`, '?sort={"field":"insurance"}', '?sort=[{"field":"name"},{"field":"insurance"}]&cursor=',
    '?select=insurance', '/aggregate?metric=count&groupBy=insurance', '/aggregate?metric=max&column=insurance', '/aggregate?metrics=count,min:insurance',
    `/aggregate?metric=count&where={"insurance":"${value}"}`,
  ];
  for (const query of asked) {
    const answer = await as('desk', 'GET', query);
    assert.equal(answer.status, 400, `${query}: ${answer.text}`);
    assert.match(answer.json.error.code, /^(42703|PARAMS_INVALID)$/, query);
  }
});
