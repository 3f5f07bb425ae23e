// An entity whose rows are kept in another database: what its contract and its secret must say, what an apply makes of
// it, and what happens while the other database is away or when the contract changes. The other database is one of the
// PostgreSQL of the test run, the app's own is svcd's.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { after, before } from 'node:test';
import { databaseOf, sql } from '../../lib/admin_sql.mjs';
import {
  address, ann, as, bob, call, contract, legacy, list, orders, people, project, psql, role, secret, stack, start, stop,
} from '../../lib/external.mjs';
import { appServers } from '../../lib/stack.mjs';

before(start);
after(stop);

test('a contract passes its check before there is a secret; an apply says which one is missing', async () => {
  const { json } = await stack.dev('POST', `/projects/${project.id}/check`, { contract }, { expect: 200 });
  assert.deepEqual(json.report.errors ?? [], []);
  const refused = await stack.apply(project, contract, 422);
  assert.match(refused.text, /SECRET_MISSING/);
  assert.match(refused.text, /svc secrets set LEGACY/);
});

test('secrets: names are shown, values never', async () => {
  const path = `/projects/${project.id}/secrets`;
  const made = await stack.dev('PUT', `${path}/LEGACY`, { value: address() }, { expect: 201 });
  assert.deepEqual({ ...made.json, updatedAt: '' }, { name: 'LEGACY', env: 'all', created: true, hosts: null, updatedAt: '' });
  const again = await stack.dev('PUT', `${path}/LEGACY`, { value: address(), env: 'all' }, { expect: 200 });
  assert.equal(again.json.created, false);
  await stack.dev('PUT', `${path}/LEGACY`, { value: 'postgres://nobody@nowhere/x', env: 'prod' }, { expect: 201 });
  const told = await stack.dev('GET', path, undefined, { expect: 200 });
  assert.deepEqual(told.json.secrets.map(({ name, env }) => `${name} ${env}`), ['LEGACY all', 'LEGACY prod']);
  assert.ok(!told.text.includes(secret));
  for (const body of [{}, { value: '' }, { value: 1 }, { value: 'x'.repeat(10001) }, { value: 'x', env: 'test' }]) {
    assert.equal((await stack.dev('PUT', `${path}/OTHER`, body)).json.code, 'BAD_REQUEST');
  }
  assert.equal((await stack.dev('PUT', `${path}/no-name`, { value: 'x' })).status, 400);
  assert.deepEqual((await stack.dev('DELETE', `${path}/LEGACY?env=prod`, undefined, { expect: 200 })).json,
    { deleted: 'LEGACY', envs: ['prod'] });
  assert.equal((await stack.dev('DELETE', `${path}/NONE`)).json.code, 'SECRET_NOT_FOUND');
});

test('a column that is not there, or of another type, fails the apply at its field', async () => {
  const wrong = structuredClone(contract);
  wrong.entities[1].fields.push({ name: 'colour', type: 'string' }, { name: 'unseen', type: 'boolean' });
  const { json } = await stack.apply(project, wrong, 422);
  const found = json.report.errors.map(({ code, path }) => `${code} ${path}`);
  assert.deepEqual(found, ['EXTERNAL_MISMATCH /entities/1/fields/6', 'EXTERNAL_MISMATCH /entities/1/fields/7']);
  const unsaid = structuredClone(contract);
  unsaid.entities[2].fields.shift();
  assert.match((await stack.apply(project, unsaid, 422)).text, /EXTERNAL_MISMATCH.*"\/entities\/2\/external\/key".*name\W+code/);
  const nowhere = structuredClone(contract);
  nowhere.entities[1].external.table = 'public.nothing';
  assert.match((await stack.apply(project, nowhere, 422)).text, /EXTERNAL_MISMATCH.*public\.nothing/);
});

test('a column whose type only looks like the field\'s is refused with its fix', async () => {
  const wrong = structuredClone(contract);
  wrong.entities.push({ name: 'legacy_near', external: { kind: 'postgres', connection: 'secret:LEGACY', table: 'public.near', key: 'id' },
    fields: [{ name: 'size', type: 'float' }, { name: 'mark', type: 'string' }, { name: 'price', type: 'decimal' }, { name: 'exact', type: 'float' }],
    access: { read: '*' } });
  psql(legacy, 'create table near (id int primary key, size real, mark char(4), price int, exact double precision)');
  const { json } = await stack.apply(project, wrong, 422);
  const at = `/entities/${wrong.entities.length - 1}/fields/`;
  assert.deepEqual(json.report.errors.map(({ code, path }) => `${code} ${path}`), [0, 1, 2].map((field) => `EXTERNAL_MISMATCH ${at}${field}`));
  assert.deepEqual(json.report.errors.map(({ message, fix }) => `${message} ${fix}`.replace(/^The column | of public.near is/g, '')), [
    'size of type float4, but the field is of type double precision. Change the column in the other database: alter column size type double precision; or remove the field.',
    'mark of type bpchar, but the field is of type text. Change the column in the other database: alter column mark type text; or remove the field.',
    'price of type int4, but the field is of type numeric. Give the field the type of the column, or remove it.']);
});

test('a column by whose collation different texts are equal is refused', async () => {
  const wrong = structuredClone(contract);
  wrong.entities.push({ name: 'legacy_loose', external: { kind: 'postgres', connection: 'secret:LEGACY', table: 'public.loose', key: 'code' },
    fields: [{ name: 'code', type: 'string', required: true }, { name: 'email', type: 'string' }, { name: 'name', type: 'string' }], access: { read: '*' } });
  psql(legacy, `create collation careless (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
    create table loose (code text collate careless primary key, email text collate careless, name text collate "C")`);
  const { json } = await stack.apply(project, wrong, 422);
  const at = `/entities/${wrong.entities.length - 1}`;
  assert.deepEqual(json.report.errors.map(({ path, message }) => `${path} ${message}`), [
    `${at}/fields/0 The column code of public.loose has a nondeterministic collation, so different strings can be equal.`,
    `${at}/fields/1 The column email of public.loose has a nondeterministic collation, so different strings can be equal.`]);
  assert.match(json.report.errors[1].fix, /alter column email type text collate "default"/);
});

test('an app on another database goes live, and nothing shows the password of its address', async () => {
  const { text } = await stack.apply(project, contract);
  assert.ok(!text.includes(secret));
  assert.ok(!stack.log.includes(secret));
  const found = spawnSync('grep', ['-rl', '--exclude-dir=base', '--exclude-dir=pg_wal', '--', secret, stack.home], { encoding: 'utf8' });
  assert.equal(found.stdout, '');
  await people();
});

test('a verification says that rows of another database are not tried', async () => {
  const was = psql(legacy, 'select * from legacy_order; select * from tag');
  const { json } = await stack.dev('POST', `/projects/${project.id}/verify`, {}, { expect: 200 });
  assert.ok(json.pass, JSON.stringify(json));
  const detail = (name) => json.checks.find((check) => check.name === name).detail;
  assert.match(detail('external').notRun, /other databases.*legacy_order, legacy_tag/);
  assert.ok(detail('queries').warnings.includes('Not run, because they may read rows of another database: reports/orders, reports/street.'));
  assert.match(json.summary, /\d+ not run/);
  assert.equal(psql(legacy, 'select * from legacy_order; select * from tag'), was);
});

test('OpenAPI and the typed client know it', async () => {
  const { json } = await call('GET', '/api/v1/openapi.json', as.server());
  assert.deepEqual(Object.keys(json.paths[orders]).filter((key) => key !== 'parameters').sort(), ['get', 'post']);
  const takes = (path) => json.paths[`/api/v1/${path}`].post.parameters.map(({ $ref }) => $ref.split('/').at(-1)).join(' ');
  const answers = (path) => Object.keys(json.paths[`/api/v1/${path}`].post.responses).filter((status) => status < 300).join(' ');
  const [upserts, creates] = ['onConflict resolution idempotencyKey, 200 201', 'idempotencyKey, 201'];
  for (const [path, told] of Object.entries({ 'ext/legacy_order': upserts, 'ext/legacy_tag': upserts, 'ext/legacy_street': creates, product: creates }))
    assert.equal(`${takes(path)}, ${answers(path)}`, told, path);
  assert.ok(json.paths[`${orders}/{id}`].patch && json.paths[`${orders}/aggregate`].get);
  assert.ok(!json.paths['/api/v1/legacy_order']);
  const schema = readFileSync(join(stack.home, 'projects', project.id, 'dev/generated/client/schema.ts'), 'utf8');
  assert.match(schema, /export interface LegacyOrder/);
  assert.match(schema, /external.*"legacy_order"/);
});

test('the same contract again changes nothing; another secret makes the account anew', async () => {
  assert.deepEqual((await stack.apply(project, contract)).json.plan, []);
  psql('postgres', `create role legacy_reader_${process.pid} login superuser`);
  const other = address().replace('//postgres:', `//legacy_reader_${process.pid}:`);
  await stack.dev('PUT', `/projects/${project.id}/secrets/LEGACY`, { value: other }, { expect: 200 });
  const { text } = await stack.apply(project, contract);
  assert.ok(!text.includes(secret));
  assert.equal((await list(as.staff('clerk'))).json.rows.length, 3);
  assert.match(psql('postgres', "select string_agg(distinct usename, ',') from pg_stat_activity where application_name = 'postgres_fdw'"), /legacy_reader/);
});

test('what lists read is made anew where somebody changed it by hand', async () => {
  sql(stack, databaseOf(project), `create or replace view svc.legacy_order_rows as
    select id, user_id, note, total, status, cost, product_id, placed_at from svc_ext.legacy_order`);
  const { json } = await stack.apply(project, contract);
  assert.match(JSON.stringify(json.report.warnings), /CHANGED_BY_HAND.*legacy_order/);
  assert.equal((await list(as.guest())).status, 403);
  assert.deepEqual((await list(as.person(bob))).json.rows.filter((row) => row.user_id !== bob.id), []);
});

test('while the other database is away its rows answer 503, and nothing else suffers', async () => {
  psql('postgres', `alter database ${legacy} allow_connections false`);
  psql('postgres', `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${legacy}'`);
  for (const [method, path, body] of [['GET', orders], ['GET', `${orders}/1`], ['POST', orders, { total: 1 }],
    ['GET', `${orders}/aggregate?metric=count`]]) {
    const { status, headers, json } = await call(method, path, as.person(ann), body);
    assert.equal(status, 503, `${method} ${path} ${JSON.stringify(json)}`);
    assert.ok(headers['retry-after']);
  }
  assert.equal((await call('GET', '/api/v1/product', as.guest())).status, 200);
  const { json } = await stack.apply(project, contract, 422);
  assert.equal(json.report.errors[0].code, 'EXTERNAL_UNREACHABLE');
  psql('postgres', `alter database ${legacy} allow_connections true`);
  assert.equal((await list(as.staff('clerk'))).json.rows.length, 3);
});

test('what changes is made anew, what goes leaves no way in', async () => {
  const changed = structuredClone(contract);
  changed.entities[1].fields.push({ name: 'unseen', type: 'string' });
  await stack.apply(project, changed);
  assert.equal((await list(as.staff('clerk'))).json.rows[0].unseen, 'x');
  const gone = structuredClone(contract);
  gone.entities.splice(1);
  gone.queries = [];
  await stack.apply(project, gone);
  assert.equal((await list(as.staff('clerk'))).status, 403);
  const { env } = appServers(project)[0];
  assert.equal(role(env.SVC_DATA_URL, "select count(*) from pg_foreign_server").trim(), '0');
  assert.equal(psql(legacy, 'select count(*) from legacy_order').trim(), '3');
});
