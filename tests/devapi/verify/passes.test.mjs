// Correct apps pass: the samples, with rows of people, large tables, odd names and values. Dev does not change, and
// nothing remains.
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { owner, sample } from '../../lib/stack.mjs';
import { Client } from '../../cli/client.mjs';
import { Verifying, check, green, nothing, verifyPath } from './world.mjs';

let world, stack, shop, client;
before(async () => {
  world = await Verifying.start('Verified shop', sample('shop'));
  ({ stack, project: shop } = world);
  client = new Client(stack);
});
after(async () => {
  client?.remove();
  await world?.stop();
});

const dev = (...asked) => world.dev(...asked);
const verify = (...asked) => world.verify(...asked);
const left = () => world.left();
const content = (...asked) => world.content(...asked);

test('a project without an app, of another workspace, or of nobody', async () => {
  const empty = await stack.project('Empty');
  const answer = await stack.dev('POST', verifyPath(empty), {}, { expect: 404 });
  assert.equal(answer.json.code, 'NO_APP');
  await stack.dev('POST', verifyPath({ id: '0198b6a0-0000-7000-8000-00000000dead' }), {}, { expect: 404 });
  await stack.dev('POST', verifyPath(shop), {}, { token: null, expect: 401 });
});

test('the shop passes on its seeds alone, and leaves nothing behind', async () => {
  const was = content(shop);
  const report = await verify();
  green(report);
  assert.deepEqual(report.checks.map(({ name }) => name),
    ['schema', 'seeds', 'access', 'fields', 'rules', 'lifecycles', 'restores', 'statements', 'server', 'queries', 'search', 'openapi', 'topics', 'feeds', 'history', 'functions', 'workflows', 'external', 'pages', 'components', 'browser']);
  assert.match(check(report, 'pages').detail.said ?? '', /\d+ pages, opened by \d+ callers/);
  assert.match(check(report, 'external').detail.notRun, /no entities of other databases/);
  assert.ok(check(report, 'access').detail.cases > 1000, 'a matrix of a few rows says little');
  assert.match(report.summary, /Version 1 passes: \d+ cases in \d+ checks on \d+ rows of dev; 0 failed/);
  for (const name of ['rules', 'lifecycles']) assert.equal(check(report, name).detail.warnings, undefined, `${name}: each is reached`);
  assert.equal(content(shop), was);
  assert.deepEqual(left(), nothing);
});

test('a token that reads may ask', async () => {
  const { json } = await stack.dev('POST', '/tokens', { name: 'reader', workspaceId: stack.workspace, scopes: ['read'] }, { expect: 201 });
  const { json: report } = await stack.dev('POST', verifyPath(shop), {}, { token: json.token, expect: 200 });
  green(report);
});

test('an app with rows of real accounts passes, and keeps them as they were', async () => {
  await world.people();
  const was = content(shop);
  const report = await verify();
  green(report);
  assert.equal(content(shop), was);
  const [[hash]] = dev("select password_hash from svc.account where email = 'anna@example.test'");
  assert.ok(hash && !JSON.stringify(report).includes(hash));
});

test('the clinic and the smallest sample pass', async () => {
  for (const name of ['hello', 'clinic']) {
    const project = await stack.project(`Verified ${name}`);
    await stack.apply(project, sample(name));
    green(await verify(project));
  }
  assert.deepEqual(left(), nothing);
});

test('a seed row that was changed by hand stays as it is', async () => {
  dev("update product set title = 'Black tea'");
  green(await verify());
  assert.deepEqual(dev('select title from product'), [['Black tea']]);
});

test('a large table is read in part, and its plans are reported', async () => {
  const project = await stack.project('Large');
  const contract = sample('hello');
  contract.entities.push({ name: 'place', owner: 'none', fields: [{ name: 'title', type: 'string' }], access: { read: '*' } });
  contract.entities[0].fields.push({ name: 'place_id', type: 'ref', to: 'place' });
  await stack.apply(project, contract);
  dev(`insert into place (title) select 'p' || n from generate_series(1, 3000) n;
       insert into reading (day, value, place_id) select current_date, n, (select id from place order by id offset n % 2900 limit 1) from generate_series(1, 12000) n; analyze`, project);
  const was = content(project);
  const report = await verify(project);
  green(report);
  assert.match(report.summary, /; only the newest rows of/);
  assert.equal(content(project), was);
});

test('fields called as an SQL alias may be', async () => {
  const project = await stack.project('Letters');
  const contract = sample('hello');
  contract.personas.push({ id: 'clerk', kind: 'staff' });
  const names = ['t', 'r', 'b', 'x', 'n', 'own', 'other', 'at', 'place', 'may', 'sent', 'row'];
  contract.entities = [{
    name: 'letter', fields: names.map((name) => ({ name, type: 'string' })),
    access: { create: 'member', read: ['member', 'clerk'], update: 'member' },
  }];
  contract.seeds = { letter: [1, 2, 3].map((n) => Object.fromEntries(names.map((name) => [name, `${name} ${n}, "(x)"`]))) };
  await stack.apply(project, contract);
  green(await verify(project));
  const was = dev('select id from letter order by id limit 1', project)[0][0];
  dev(`update letter set x = 'changed' where id = '${was}'; update svc.seed set hash = 'another', said = '{}'`, project);
  const bad = check(await verify(project), 'seeds');
  assert.equal(bad.pass, false, 'a change of any column is seen');
});

test('a table whose policy looks at its own rows may reset its readers', async () => {
  const project = await stack.project('Chapters');
  const contract = sample('hello');
  contract.entities.push({
    name: 'chapter', owner: 'user',
    fields: [{ name: 'title', type: 'string' }, { name: 'parent_id', type: 'ref', to: 'chapter' }, { name: 'open', type: 'boolean' }],
    access: { create: 'member', read: [{ to: 'member', if: 'user_id == user.id || parent.user_id == user.id || parent.open' }], update: 'member' },
  });
  await stack.apply(project, contract);
  green(await verify(project));
});

test('what PostgreSQL prints in more than one way, and numbers that JSON has not', async () => {
  const project = await stack.project('Printed');
  const contract = sample('shop');
  const printed = {
    text: '(r.updated_at - r.created_at)::text as t', json: "to_json(r.updated_at - r.created_at + interval '1 day') as t",
    inside: "to_json(interval '2 days 3 hours')::text as t", format: "format('%s', r.updated_at - r.created_at) as t",
    joined: "interval '1 month' || ' and ' || (r.updated_at - r.created_at) as t",
    numeric: "'NaN'::numeric as t, 'Infinity'::numeric as u, '-Infinity'::numeric as v",
    float: "'NaN'::float8 as t, '-Infinity'::float8 as u, 'Infinity'::float4 as v, 1.5::float8 as w",
    moment: "r.created_at::text as t, r.created_at::date::text as u, '\\x00ff'::bytea::text as v",
  };
  contract.queries.push(...Object.entries(printed).map(([name, sql]) => ({ name, allow: ['end_user'], sql: `select ${sql} from product r` })));
  await stack.apply(project, contract);
  const report = await verify(project);
  green(report);
  assert.deepEqual(check(report, 'queries').detail.warnings ?? [], []);
});

test('svc verify: a table, the counter-example, exit codes', async () => {
  await client.svc(['login', '--email', owner.email, '--password', owner.password]);
  const on = ['--project', shop.id];
  const good = await client.svc(['verify', ...on]);
  assert.equal(good.code, 0, good.out + good.err);
  assert.match(good.out, /^✓ +access +\d+ /m);
  assert.match(good.out, /^✓ +pages +\d+ /m);
  assert.match(good.out, /^- +external .*not run/m);
  assert.ok(!good.out.includes('\x1b'));
  const raw = await client.svc(['verify', '--json', ...on]);
  assert.equal(JSON.parse(raw.out).pass, true);
  dev('alter policy order_select on "order" using (true)');
  const bad = await client.svc(['verify', ...on]);
  assert.equal(bad.code, 1);
  assert.match(bad.out, /✗ access, \d+ of \d+ cases\. The first: guest can read/);
  const shown = (await client.terminal(['verify', ...on])).out;
  assert.match(shown, /\r {2}access +running /);
  assert.match(shown, /\x1b\[31m✗/);
  assert.equal((await client.svc(['verify', '--json', ...on])).code, 1);
  assert.equal((await client.svc(['verify', '--project', '0198b6a0-0000-7000-8000-00000000dead'])).code, 1);
  assert.equal((await client.svc(['verify'])).code, 2);
  await stack.apply(shop, sample('shop'));
});
