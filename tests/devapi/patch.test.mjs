// Patches over a real service: what an operation makes live, that they go whole or not at all, tables that are
// adopted with their rows, and who may.
import assert from 'node:assert/strict';
import http from 'node:http';
import test, { after, before } from 'node:test';
import { databaseOf, sql } from '../lib/admin_sql.mjs';
import { Stack, sample, until } from '../lib/stack.mjs';
import { Client } from '../cli/client.mjs';
import { settled, whole } from '../faults/whole.mjs';

let stack, project;
before(async () => {
  stack = await Stack.start();
  await stack.signIn();
  project = await stack.project('Patched');
});
after(() => stack?.stop());

const patch = (edits, more = {}, options = {}) =>
  stack.dev('POST', `/projects/${(options.project ?? project).id}/patch`, { edits, ...more }, options);
const contract = async (of = project) => (await stack.dev('GET', `/projects/${of.id}/contract`, undefined, { expect: 200 })).json.contract;
const admin = (text) => sql(stack, databaseOf(project), text).map((row) => row.join('|')).join('\n');
const asOwner = (text) => admin(`set role ${databaseOf(project)}_owner; ${text}`);
const rows = async (table) => {
  const headers = { authorization: `Bearer ${project.server}`, 'x-svc-data-api': '1' };
  return stack.fetch('GET', `/__svc/api/v1/${table}`, { headers, host: `preview-${project.slug}.localhost` });
};
const create = (table, body) => stack.fetch('POST', `/__svc/api/v1/${table}`,
  { headers: { authorization: `Bearer ${project.server}`, 'x-svc-data-api': '1' }, host: `preview-${project.slug}.localhost`, body });
const field = (name, type = 'integer') => ({ op: 'add_field', entity: 'reading', field: { name, type } });

test('there is nothing to patch before the first apply', async () => {
  const answer = await patch([field('a')]);
  assert.equal(answer.status, 404);
  assert.equal(answer.json.code, 'NO_APP');
  assert.equal((await patch([field('a')], { dryRun: true })).status, 404);
  await stack.apply(project, sample('hello'));
});

test('what a patch must be', async () => {
  for (const edits of [undefined, [], {}, 'x', Array(51).fill(field('a'))]) {
    const { status, json } = await patch(edits);
    assert.equal(status, 400);
    assert.equal(json.code, 'BAD_REQUEST');
    assert.equal(json.details[0].field, 'edits');
  }
  assert.equal((await patch([field('a')], { dryRun: 'yes' })).json.details[0].field, 'dryRun');
  assert.equal((await patch([field('a')], { force: 1 })).status, 400);
  assert.equal((await patch([field('a')], {}, { project: { id: '00000000-0000-4000-8000-000000000000' } })).status, 404);
});

test('a dry run says what would change, and changes nothing', async () => {
  const before = await contract();
  const { json } = await patch([field('seen')], { dryRun: true }, { expect: 200 });
  assert.equal(json.dryRun, true);
  assert.equal(json.report.ok, true);
  assert.deepEqual(json.plan.filter(({ kind }) => kind === 'add_column').map(({ table, column }) => [table, column]), [['reading', 'seen']]);
  assert.match(json.contractText, /"seen"/);
  assert.deepEqual(await contract(), before);
  assert.equal((await rows('reading')).json.rows.some((row) => 'seen' in row), false);
});

test('an operation is live when it is answered, and the author\'s order and digits stay', async () => {
  const text = '{"seeds":{},"entities":[{"fields":[{"type":"number","name":"value","max":1.50}],"name":"reading","owner":"none"}],\n "personas":[],"app":{"name":"Kept"}}';
  const body = `{"contract":${text}}`;
  const other = await stack.project('Kept');
  await stack.dev('POST', `/projects/${other.id}/apply`, body, { expect: 200 });
  const { json } = await patch([{ op: 'add_field', entity: 'reading', field: { name: 'unit', type: 'string' } }], {}, { project: other, expect: 200 });
  assert.equal(json.version, 2);
  assert.ok(json.summary);
  const { text: now } = await stack.dev('GET', `/projects/${other.id}/contract`);
  assert.ok(now.includes('"entities":[{"fields":[{"type":"number","name":"value","max":1.50}, {"name":"unit","type":"string"}],"name":"reading","owner":"none"}],\n "personas":[]'), now);
});

test('fifty operations in one patch; one bad one of many changes nothing', async () => {
  const version = (await stack.dev('GET', `/projects/${project.id}`)).json.environments.dev.contractVersion;
  const many = Array.from({ length: 49 }, (_, i) => field(`f_${i}`));
  const refused = await patch([...many, { op: 'add_field', entity: 'raeding', field: { name: 'x', type: 'text' } }]);
  assert.equal(refused.status, 400);
  assert.equal(refused.json.index, 49);
  assert.equal(refused.json.details[0].field, 'edits/49/entity');
  assert.match(refused.json.error, /no entity "raeding"\. Did you mean "reading"\?/);
  const invalid = await patch([...many, { op: 'add_field', entity: 'reading', field: { name: 'x', type: 'nunber' } }]);
  assert.equal(invalid.status, 422);
  assert.equal(invalid.json.code, 'CONTRACT_INVALID');
  assert.equal(invalid.json.report.errors[0].code, 'UNKNOWN_VALUE');
  const { line, column } = invalid.json.report.errors[0];
  assert.ok(invalid.json.contractText.split('\n')[line - 1].slice(column - 1).startsWith('"nunber"'));
  const now = (await stack.dev('GET', `/projects/${project.id}`)).json;
  assert.equal(now.environments.dev.contractVersion, version);
  assert.deepEqual(now.state.applies.slice(0, 2).map(({ status }) => status), ['invalid', 'refused']);
  await patch([...many, field('f_49')], {}, { expect: 200 });
  assert.equal((await contract()).entities[0].fields.length, sample('hello').entities[0].fields.length + 50);
  const gone = Array.from({ length: 50 }, (_, i) => ({ op: 'remove_field', entity: 'reading', field: `f_${i}` }));
  await patch(gone, {}, { expect: 200 });
});

test('each kind of operation, live', async () => {
  const edits = [
    { op: 'set_app', app: { description: 'Measured' } },
    { op: 'set_persona', persona: { id: 'boss', kind: 'staff' } },
    { op: 'add_entity', entity: { name: 'device', owner: 'none', fields: [{ name: 'label', type: 'string' }], access: { read: '*', create: '*' } } },
    { op: 'add_field', entity: 'reading', field: { name: 'device_id', type: 'ref', to: 'device' } },
    { op: 'update_field', entity: 'device', field: { name: 'label', required: true } },
    { op: 'set_access', entity: 'device', access: { read: '*', create: ['server', 'boss'] } },
    { op: 'update_entity', entity: 'device', set: { label: 'Devices' } },
    { op: 'set_query', query: { name: 'devices', allow: ['end_user'], sql: 'select label from device order by label' } },
  ];
  await patch(edits, {}, { expect: 200 });
  const made = await create('device', { label: 'Door' });
  assert.equal(made.status, 201, made.text);
  assert.equal((await create('device', {})).status, 400);
  await patch([{ op: 'update_field', entity: 'device', field: { name: 'title', renamedFrom: 'label' } },
    { op: 'set_query', query: { name: 'devices', allow: ['end_user'], sql: 'select title from device' } }], {}, { expect: 200 });
  assert.deepEqual((await rows('device')).json.rows.map(({ title }) => title), ['Door']);
  await patch([{ op: 'remove_query', name: 'devices' }, { op: 'remove_field', entity: 'reading', field: 'device_id' }, { op: 'remove_entity', entity: 'device' }], {}, { expect: 200 });
  assert.equal((await rows('device')).status, 403);
  assert.equal(admin('select count(*) from device'), '1', 'rows of what left the contract stay');
});

test('an unmanaged table becomes an entity, with its rows and limits', async () => {
  asOwner(`create table shelf (id uuid primary key default gen_random_uuid(), code varchar(12) not null unique check (code ~ '^[A-Z]'),
      place text check (place in ('left', 'right')) default 'left', stars int not null default 3 check (stars between 1 and 5),
      price numeric(8,2) check (price >= 0), seen timestamptz not null default now(), more jsonb, words text[], note varchar, unique (place, stars));
    create index shelf_place_stars on shelf (place, stars);
    create table book (id uuid primary key, shelf_id uuid not null references shelf on delete cascade, isbn text unique, user_id uuid, made date default current_date,
      created_at timestamptz not null default now());
    create index book_shelf_id_idx on book (shelf_id);
    insert into shelf (id, code, price, words) values ('00000000-0000-4000-8000-000000000001', 'AB', 9.50, '{a,b}');
    insert into book (id, shelf_id, isbn) values ('00000000-0000-4000-8000-000000000002', '00000000-0000-4000-8000-000000000001', 'i-1')`);
  const wrong = await patch([{ op: 'adopt_table', table: 'book' }]);
  assert.equal(wrong.status, 400);
  assert.match(wrong.json.error, /"shelf_id" refers to "shelf", which is not an entity. Adopt that table first/);
  const adopt = [{ op: 'adopt_table', table: 'shelf' }, { op: 'adopt_table', table: 'book' },
    { op: 'set_access', entity: 'shelf', access: { read: '*', create: 'server', update: 'server', delete: 'server' } }];
  const dry = await patch(adopt, { dryRun: true }, { expect: 200 });
  assert.deepEqual(dry.json.warnings.filter(({ code }) => code === 'TABLE_ADOPTED').map(({ path }) => path), ['/entities/1', '/entities/2']);
  assert.equal(admin("select count(*) from pg_constraint where conrelid = 'shelf'::regclass and conname = 'shelf_stars_check'"), '1');
  const done = await patch(adopt, {}, { expect: 200 });
  assert.deepEqual(done.json.unmanaged.filter(({ table }) => ['shelf', 'book'].includes(table)), []);
  const [, shelf, book] = (await contract()).entities;
  assert.deepEqual(shelf.fields, [
    { name: 'code', type: 'string', max: 12, pattern: '^[A-Z]', required: true, unique: true },
    { name: 'place', type: 'enum', values: ['left', 'right'], default: 'left' },
    { name: 'stars', type: 'integer', min: 1, max: 5, required: true, default: 3 },
    { name: 'price', type: 'decimal', scale: 2, min: 0 },
    { name: 'seen', type: 'datetime', required: true, default: 'now()' },
    { name: 'more', type: 'json' }, { name: 'words', type: 'tags' }, { name: 'note', type: 'text' }]);
  assert.deepEqual([shelf.owner, shelf.unique], ['none', [['place', 'stars']]]);
  assert.deepEqual(book, { name: 'book', owner: 'user', fields: [
    { name: 'shelf_id', type: 'ref', to: 'shelf', onDelete: 'cascade', required: true },
    { name: 'isbn', type: 'text', unique: true }, { name: 'made', type: 'date', default: 'today()' }] });
  const kept = (await rows('shelf')).json.rows;
  assert.deepEqual(kept.map(({ code, place, stars, price, words }) => ({ code, place, stars, price, words })), [{ code: 'AB', place: 'left', stars: 3, price: 9.5, words: ['a', 'b'] }]);
  assert.equal(admin('select isbn, shelf_id from book'), 'i-1|00000000-0000-4000-8000-000000000001');
  assert.equal((await create('shelf', { code: 'CD', stars: 9 })).status, 400);
  assert.equal((await create('shelf', { code: 'AB', stars: 4 })).status, 409);
  // What the table had of its own is the contract's now: a wider limit is wide.
  await patch([{ op: 'update_field', entity: 'shelf', field: { name: 'stars', max: 10 } }, { op: 'update_field', entity: 'shelf', field: { name: 'place', values: ['left', 'right', 'top'] } }], {}, { expect: 200 });
  const wide = await create('shelf', { code: 'CD', stars: 9, place: 'top' });
  assert.equal(wide.status, 201, wide.text);
  assert.equal((await patch([{ op: 'adopt_table', table: 'shelf' }])).status, 400);
});

test('a large table is adopted too, and what its rows take time for is done while the app serves', async () => {
  asOwner(`create table crowd (id uuid primary key default gen_random_uuid(), code varchar(20) not null unique, stars int check (stars between 0 and 9));
    insert into crowd (code, stars) select 'c' || i, i % 10 from generate_series(1, 120000) i; analyze crowd`);
  const { json } = await patch([{ op: 'adopt_table', table: 'crowd' }], {}, { expect: 200 });
  assert.ok(json.plan.some(({ when }) => when), 'part of it is done before or after');
  await until('nothing to be pending', async () => (await stack.dev('GET', `/projects/${project.id}`)).json.state.pending.length === 0);
  assert.equal(admin('select count(*) from crowd'), '120000');
  assert.equal(admin("select conname || ' ' || convalidated from pg_constraint where conrelid = 'crowd'::regclass and contype in ('u', 'c') order by conname"),
    'crowd_code_key true\ncrowd_code_long true\ncrowd_stars_max true\ncrowd_stars_min true');
  assert.deepEqual(asOwner("select indexname from pg_indexes where tablename = 'crowd' order by 1").split('\n').filter((name) => /code/.test(name)), ['crowd_code_key']);
});

test('tables that cannot be entities are refused by name and reason', async () => {
  const refusals = [
    ['(id int primary key, a text)', /primary key must be id, a uuid/],
    ['(id uuid primary key, a serial)', /column "a" has the default nextval\(/],
    ['(id uuid primary key, a int generated always as identity)', /column "a" is an identity column/],
    ['(id uuid primary key, a int, b int generated always as (a + 1) stored)', /column "b" is computed by the database/],
    ['(id uuid primary key, a bytea)', /column "a" has the type bytea/],
    ['(id uuid primary key, a timestamp)', /timestamp without time zone, which no field can have. Change it to timestamptz/],
    ['(id uuid primary key, a int check (a % 2 = 0))', /column "a" has the check "odd_a_check", which a field cannot express/],
    ['(id uuid primary key, a int, b int, check (a < b))', /"odd_check" cannot be written in a contract.*write it as a rule/],
    ['(id uuid primary key, a int references svc.contract (version))', /column "a" refers to rows in a way/, true],
    ['(id uuid primary key, "A b" int)', /column "A b" has a name that no field can have/],
    ['(id uuid primary key, a text, unique nulls not distinct (a))', /"odd_a_key" cannot be written/],
    ['(id uuid primary key, a text default upper(\'x\'))', /has the default upper\('x'::text\)/],
    ['(id uuid primary key, a text collate "C")', /has a collation of its own/],
    ['(id uuid primary key) partition by hash (id)', /not an ordinary table/],
  ];
  for (const [columns, reason, skip] of refusals) {
    if (skip) continue;
    asOwner(`create table odd ${columns}`);
    const { status, json } = await patch([field('never'), { op: 'adopt_table', table: 'odd' }], { dryRun: true });
    assert.equal(status, 400, columns);
    assert.equal(json.index, 1);
    assert.match(json.error, reason);
    asOwner('drop table odd');
  }
  asOwner('create table odd (id uuid primary key, a text); create unique index one_a on odd (a) where a > \'b\'');
  assert.match((await patch([{ op: 'adopt_table', table: 'odd' }])).json.error, /"one_a" cannot be written/);
  asOwner('drop index one_a; create policy all_see on odd for select using (true)');
  assert.match((await patch([{ op: 'adopt_table', table: 'odd' }])).json.error, /policies of its own/);
  admin('alter table odd owner to svc_admin');
  assert.match((await patch([{ op: 'adopt_table', table: 'odd' }])).json.error, /belongs to the role svc_admin/);
  admin('drop table odd');
  assert.match((await patch([{ op: 'adopt_table', table: 'odd' }])).json.error, /has no table "odd"/);
  assert.match((await patch([{ op: 'adopt_table', table: 'pg_class' }])).json.error, /has no table/);
});

test('rows that do not fit stop the adoption, and keep the table as it was', async () => {
  asOwner("create table tall (id uuid primary key, a text); insert into tall values (gen_random_uuid(), 'x')");
  const before = admin("select string_agg(conname, ',') from pg_constraint where conrelid = 'tall'::regclass");
  const { status, json } = await patch([{ op: 'adopt_table', table: 'tall' }, { op: 'update_field', entity: 'tall', field: { name: 'a', type: 'integer' } }]);
  assert.equal(status, 422);
  assert.equal(json.report.errors[0].code, 'CANNOT_CAST');
  assert.equal(admin("select string_agg(conname, ',') from pg_constraint where conrelid = 'tall'::regclass"), before);
  assert.equal(admin('select a from tall'), 'x');
});

test('the right to patch', async () => {
  const mint = async (scopes) => (await stack.dev('POST', '/tokens', { name: 't', workspaceId: stack.workspace, scopes }, { expect: 201 })).json.token;
  assert.equal((await patch([field('never')], {}, { token: await mint(['read']) })).json.code, 'FORBIDDEN_SCOPE');
  assert.equal((await patch([field('never')], {}, { token: await mint(['deploy']) })).json.code, 'FORBIDDEN_SCOPE');
  assert.equal((await patch([field('never')], { dryRun: true }, { token: await mint(['read']) })).json.code, 'FORBIDDEN_SCOPE');
  assert.equal((await patch([field('never')], {}, { token: null })).status, 401);
  assert.equal((await patch([field('by_token')], {}, { token: await mint(['apply']) })).status, 200);
});

test('svc patch: a list or one operation, dry runs, refusals', async (t) => {
  const client = new Client(stack);
  t.after(() => client.remove());
  const env = { SVC_TOKEN: (await stack.dev('POST', '/tokens', { name: 'c', workspaceId: stack.workspace }, { expect: 201 })).json.token, SVC_PROJECT: project.id };
  const svc = async (code, ...args) => {
    const end = await client.svc(['patch', ...args], { env });
    assert.equal(end.code, code, `svc patch ${args.join(' ')}: ${end.code}\n${end.out}${end.err}`);
    return end;
  };
  client.write('one.json', field('by_hand'));
  const dry = await svc(0, 'one.json', '--dry-run', '--sql');
  assert.match(dry.out, /add column by_hand/);
  assert.ok(!(await contract()).entities[0].fields.some(({ name }) => name === 'by_hand'));
  const done = await svc(0, 'one.json');
  assert.match(done.out, /Version \d+ is live/);
  assert.match(done.out, /migrate/);
  assert.ok((await contract()).entities[0].fields.some(({ name }) => name === 'by_hand'));
  assert.match((await svc(1, 'one.json')).err, /edits\/0\/field: The field "by_hand" already exists\. \(BAD_REQUEST\)/);
  client.write('list.json', [{ op: 'remove_field', entity: 'reading', field: 'by_hand' }, field('odd', 'nunber')]);
  const wrong = await svc(1, 'list.json');
  assert.match(wrong.out, /the patched contract:\d+:\d+: error: .*\[UNKNOWN_VALUE\]\n.*"nunber"/);
  assert.match(wrong.err, /CONTRACT_INVALID/);
  assert.equal(JSON.parse((await svc(1, 'one.json', '--dry-run', '--json')).out).code, 'BAD_REQUEST');
  client.write('broken.json', '[{]');
  await svc(1, 'broken.json');
  await svc(2, 'none.json');
  await svc(2);
});

// The answer, and its stages as they come.
function streamed(of, edits, at = () => {}) {
  return new Promise((done) => {
    let text = '';
    const finish = () => done({ text, answer: JSON.parse(/event: (?:done|error)\ndata: (.*)\n/.exec(text)?.[1] ?? 'null') });
    const call = http.request({
      host: '127.0.0.1', port: stack.port, method: 'POST', path: `/dev/v1/projects/${of.id}/patch`, agent: false,
      headers: { authorization: `Bearer ${stack.session}`, accept: 'text/event-stream', 'content-type': 'application/json' },
    }, (answer) => {
      let seen = 0;
      answer.on('data', (piece) => {
        text += piece;
        const stages = [...text.matchAll(/event: stage\ndata: (.*)\n/g)].map(([, data]) => JSON.parse(data));
        for (const { name, status } of stages.slice(seen)) if (status === 'running') at(name);
        seen = stages.length;
      });
      answer.on('end', finish);
      answer.on('error', finish);
    });
    call.on('error', finish);
    call.end(JSON.stringify({ edits }));
  });
}

test('two patches at once: none is lost, the second must wait or is applied after the first', async () => {
  const before = (await contract()).entities[0].fields.length;
  const names = Array.from({ length: 6 }, (_, i) => `side_${i}`);
  const answers = await Promise.all(names.map((name) => patch([field(name)])));
  assert.deepEqual([...new Set(answers.map(({ status }) => status))].filter((status) => ![200, 409].includes(status)), []);
  for (const { status, json } of answers) if (status === 409) assert.equal(json.code, 'PROJECT_BUSY');
  const taken = names.filter((_, i) => answers[i].status === 200);
  assert.ok(taken.length > 0);
  const now = (await contract()).entities[0].fields.map(({ name }) => name);
  assert.equal(now.length, before + taken.length);
  for (const name of taken) assert.ok(now.includes(name), name);
});

test('killed at a stage: the old contract or the patched one, whole', async () => {
  const victim = await stack.project('Struck');
  const hello = sample('hello');
  await stack.apply(victim, hello);
  let old = hello;
  for (const [i, stage] of ['build', 'migrate', 'swap'].entries()) {
    const next = structuredClone(old);
    const extra = { name: `after_${i}`, type: 'integer' };
    next.entities[0].fields.push(extra);
    await streamed(victim, [{ op: 'add_field', entity: 'reading', field: extra }], (name) => {
      if (name === stage && stack.child.signalCode === null) stack.child.kill('SIGKILL');
    });
    await stack.ended;
    await stack.run();
    await settled(stack, victim);
    old = await whole(stack, victim, old, next);
  }
  const { answer } = await streamed(victim, [{ op: 'add_field', entity: 'reading', field: { name: 'last', type: 'text' } }]);
  assert.ok(answer.version, JSON.stringify(answer));
});
