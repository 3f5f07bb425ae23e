// A field's type changes: the plan has the objects that depend on that column, and nothing of other tables. Also: dates
// some days from now, and the day of a moment, in all expressions.
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { Stack } from '../lib/stack.mjs';

const library = () => ({
  app: { name: 'Library', timezone: 'Europe/Paris' },
  personas: [{ id: 'reader', kind: 'consumer' }, { id: 'clerk', kind: 'staff' }],
  entities: [
    { name: 'book', owner: 'none', search: ['title'],
      fields: [{ name: 'title', type: 'string', required: true }, { name: 'shelf', type: 'integer' }, { name: 'price', type: 'integer', min: 0 }],
      access: { read: [{ to: 'reader', if: 'price < 100' }, 'clerk', 'server'], create: ['clerk', 'server'] } },
    { name: 'member', owner: 'none', fields: [{ name: 'name', type: 'string' }], access: { read: ['clerk'], create: ['clerk'] } },
    { name: 'loan', owner: 'none',
      fields: [{ name: 'book_id', type: 'ref', to: 'book' }, { name: 'due', type: 'date' }, { name: 'taken_at', type: 'datetime' }, { name: 'taken_on', type: 'date', computed: 'date(taken_at)' }],
      lifecycle: { field: 'state', initial: 'asked', states: ['asked', 'lent'],
        transitions: [{ name: 'lend', from: 'asked', to: 'lent', by: ['clerk', 'server'], set: { due: "today() + duration('21d')" } }] },
      access: { read: ['clerk', 'server', { to: 'reader', if: "due <= today() + duration('7d') && book.price < 100" }], create: ['clerk', 'server'] },
      rules: [{ on: ['create'], refuse: "new.due > date(now()) + duration('21d')", message: 'At most three weeks.' }] }],
});
const field = (contract, entity, name) => contract.entities.find((one) => one.name === entity).fields.find((one) => one.name === name);

let stack, project;
before(async () => {
  stack = await Stack.start();
  await stack.signIn();
  project = await stack.project('Library');
  await stack.apply(project, library());
});
after(() => stack?.stop());

const planned = async (contract) => (await stack.dev('POST', `/projects/${project.id}/apply`, { contract, dryRun: true }, { expect: 200 })).json.plan;
const day = (ms) => new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Paris' }).format(ms);
// Days from today where the app lives.
const away = (days) => {
  const noon = new Date(`${day(Date.now())}T12:00:00Z`);
  noon.setUTCDate(noon.getUTCDate() + days);
  return noon.toISOString().slice(0, 10);
};
const call = async (method, path, body) => {
  const headers = { authorization: `Bearer ${project.server}`, 'x-svc-data-api': '1' };
  return stack.fetch(method, `/__svc/api/v1${path}`, { headers, host: `preview-${project.slug}.localhost`, body });
};

test('a type that nothing depends on changes alone', async () => {
  const contract = library();
  field(contract, 'book', 'shelf').type = 'decimal';
  assert.deepEqual((await planned(contract)).map(({ kind, table, column }) => [kind, table, column]), [['alter_type', 'book', 'shelf']]);
});

test('dependent objects are made again: its limit, the conditions that read it, and no other table\'s', async () => {
  const contract = library();
  field(contract, 'book', 'price').type = 'decimal';
  const plan = await planned(contract);
  assert.ok(plan.some(({ kind, column }) => kind === 'alter_type' && column === 'price'));
  const made = plan.filter(({ kind }) => kind === 'policy').map(({ sql }) => /create policy (\w+)/.exec(sql)[1]);
  assert.deepEqual(made, ['book_select']);
  for (const { kind, sql } of plan) assert.ok(/price/.test(sql) || /book_select/.test(sql), `${kind}: ${sql}`);
  await stack.apply(project, contract);
  assert.deepEqual(await planned(contract), []);
});

test('21 days from now is a date, and so is the day of a moment', async () => {
  const { json } = await call('POST', '/loan', { taken_at: '2026-06-30T22:30:00Z' });
  assert.equal(json.rows[0].taken_on, '2026-07-01');
  const early = away(21);
  const lent = await call('PATCH', `/loan/${json.rows[0].id}/transition`, { transition: 'lend' });
  assert.equal(lent.status, 200, lent.text);
  assert.ok([early, away(21)].includes(lent.json.rows[0].due), lent.text);
  const late = await call('POST', '/loan', { due: away(30) });
  assert.deepEqual([late.status, late.json.error.code], [422, 'RULE_REFUSED']);
});
