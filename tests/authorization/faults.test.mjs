// Checks that the matrix finds faults: each is planted into a running app, one at a time, and must be found.
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { postgres } from '../lib/postgres.mjs';
import { Stack } from '../lib/stack.mjs';
import { App, contractOf } from './app.mjs';
import { matrix, report, routes } from './matrix.mjs';

let database;
let stack;
let app;
before(async () => {
  database = await postgres();
  stack = await Stack.start({ DATABASE_URL: database.url });
  await stack.signIn();
  app = await App.start(stack, contractOf('desk'), database.url);
});
after(async () => {
  app?.close();
  await stack?.stop();
  await database?.stop();
});

const shipped = ['guest', 'server', 'client.1', 'client.2', 'agent.1', 'lead.1', 'staff auditor', 'client.1 of north as member', 'client.2 of south as owner'];

// The matrix of one table with the fault in it: it differs, in this route, and only with the fault.
async function caught(only, plant, restore) {
  const callers = shipped;
  const sound = await matrix(app, { ...only, callers });
  assert.equal(sound.mismatches.length, 0, report(sound));
  await plant();
  const faulty = await matrix(app, { ...only, callers }).finally(restore);
  assert.ok(faulty.mismatches.length > 0, `nobody noticed, in ${faulty.checks} checks`);
  await app.database.restore();
}

const sql = (statement) => app.database.sql.run(statement);

// A policy as it was made.
async function policy(name) {
  const [table, data, using, check] = await app.database.sql.json(`select jsonb_build_array(tablename, roles[1], qual, with_check) from pg_policies where policyname = '${name}'`);
  const command = name.replace(`${table}_`, '');
  const made = (with_using, with_check) => `create policy ${name} on public.${table} for ${command} to "${data}" ${with_using ? `using (${with_using})` : ''} ${with_check ? `with check (${with_check})` : ''}`;
  const drop = `drop policy if exists ${name} on public.${table}`;
  const wide = made(using && 'true', check && 'true');
  return { drop, widen: `${drop}; ${wide}`, restore: `${drop}; ${made(using, check)}` };
}

for (const [name, entity, route] of [['ticket_select', 'ticket', 'list'], ['ticket_insert', 'ticket', 'create'], ['place_update', 'place', 'update'], ['ticket_delete', 'ticket', 'remove']]) {
  test(`the policy ${name} is dropped`, async () => {
    const { drop, restore } = await policy(name);
    await caught({ entities: [entity], routes: [route] }, () => sql(drop), () => sql(restore));
  });
}

for (const [name, entity, route] of [['ticket_select', 'ticket', 'get'], ['diary_select', 'diary', 'list'], ['ticket_update', 'ticket', 'update'], ['ticket_delete', 'ticket', 'remove'],
  ['ticket_insert', 'ticket', 'direct'], ['place_insert', 'place', 'direct']]) {
  test(`the policy ${name} lets everybody`, async () => {
    const { widen, restore } = await policy(name);
    await caught({ entities: [entity], routes: [route] }, () => sql(widen), () => sql(restore));
  });
}

// Every way of reading shows it.
for (const route of Object.keys(routes.reads).filter((name) => !['list', 'get', 'production', 'direct', 'search'].includes(name))) {
  test(`the policy ticket_select lets everybody: ${route}`, async () => {
    const { widen, restore } = await policy('ticket_select');
    await caught({ entities: ['ticket'], routes: [route] }, () => sql(widen), () => sql(restore));
  });
}

for (const [name, entity, route] of [['note_select', 'note', 'list'], ['note_insert', 'note', 'create'], ['picture_update', 'picture', 'update'], ['note_delete', 'note', 'remove']]) {
  test(`same_as is lost: ${name} no longer asks the row above`, async () => {
    const { widen, restore } = await policy(name);
    await caught({ entities: [entity], routes: [route] }, () => sql(widen), () => sql(restore));
  });
}

test('row-level security is off', () =>
  caught({ entities: ['diary'], routes: ['list'] }, () => sql('alter table diary disable row level security'), () => sql('alter table diary enable row level security')));

// The guard protects moments of change, owners, states, and fields that grants leave out.
for (const route of ['update', 'direct']) {
  test(`the trigger that stamps and guards is skipped: ${route}`, () =>
    caught({ entities: ['ticket'], routes: [route] }, () => sql('alter table ticket disable trigger ticket_guard'), () => sql('alter table ticket enable trigger ticket_guard')));
}

test('a stamp is lost: a policy no longer asks whose the new row is', async () => {
  const { restore, drop } = await policy('diary_insert');
  const [data] = await sql("select roles[1] from pg_policies where policyname = 'diary_insert'");
  const signedIn = `create policy diary_insert on public.diary for insert to "${data}" with check ((select svc.acts_as('signed_in', 'server')))`;
  await caught({ entities: ['diary'], routes: ['direct'] }, () => sql(`${drop}; ${signedIn}`), () => sql(restore));
});

test('a transition no longer checks its caller', async () => {
  const [source] = await app.database.sql.json("select jsonb_build_array(pg_get_functiondef('svc.ticket_transition'::regproc))");
  const careless = source.replaceAll(/if not \(\s*select svc\.acts_as\([^)]*\)\s*\) then/gi, 'if false then');
  assert.notEqual(careless, source);
  await caught({ entities: ['ticket'], routes: ['transition'] }, () => sql(careless), () => sql(source));
});

// The app is made anew from a contract that hides less; the oracle goes on with the old one.
test('a column whose mask is lost is found', async () => {
  const wider = contractOf('desk');
  const { fields } = wider.entities[0];
  const secret = fields.find(({ name }) => name === 'secret');
  delete secret.read;
  delete secret.write;
  delete fields.find(({ name }) => name === 'origin').immutable;
  await stack.apply(app.project, wider);
  const callers = ['client.1', 'agent.1'];
  for (const [route, what] of [['list', /secret/], ['get', /secret/], ['create', /secret/], ['update', /secret|origin/]]) {
    const found = await matrix(app, { callers, entities: ['ticket'], routes: [route] });
    assert.ok(found.mismatches.some(({ call, wrong }) => what.test(call + wrong)), `${route}: nobody noticed, in ${found.checks} checks`);
  }
});
