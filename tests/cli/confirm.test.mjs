// Destructive commands ask first on a terminal, and need --yes without one; ids are shortened.
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { Stack, owner, sample } from '../lib/stack.mjs';
import { Client } from './client.mjs';

let stack, client, project;
before(async () => {
  stack = await Stack.start();
  await stack.signIn();
  client = new Client(stack);
  client.env.SVC_TOKEN = stack.session;
  project = await stack.project('Asked');
  await stack.apply(project, sample('shop'));
  for (const body of [{ skipVerify: true }, { skipVerify: true, preview: true }])
    await stack.dev('POST', `/projects/${project.id}/deploy`, body, { expect: 200 });
  client.env.SVC_PROJECT = project.id;
});
after(async () => {
  client?.remove();
  await stack?.stop();
});

const expect = (...asked) => client.expect(...asked);
const count = async (env) => Number((await stack.dev('POST', `/projects/${project.id}/sql`, { sql: 'select count(*) as n from product', env })).json.results[0].rows[0].n);
const yes = { input: 'y\n', when: /\[y\/N\]/ };
const snapshots = async () => (await stack.dev('GET', `/projects/${project.id}/snapshots`)).json.snapshots;

test('without a terminal and without --yes nothing is done', async () => {
  const taken = (await stack.dev('POST', `/projects/${project.id}/snapshots`, { env: 'dev' }, { expect: 201 })).json.snapshot;
  const before = (await snapshots()).length, rows = await count('prod');
  for (const args of [['demo-reset'], ['preview', 'delete'], ['snapshots', 'restore', taken.id], ['sql', 'delete from product', '--env', 'prod']]) {
    const { err } = await expect(2, args);
    assert.match(err, /Without a terminal it needs --yes/, args.join(' '));
    if (args[0] === 'snapshots') assert.match(err, /This replaces the dev database of .* with snapshot \S+ of 20/m);
    assert.equal(JSON.parse((await expect(2, [...args, '--json'])).out).code, 'BAD_REQUEST');
  }
  await expect(2, ['demo-reset'], { input: 'y\n' });
  assert.equal((await snapshots()).length, before);
  assert.equal(await count('prod'), rows);
});

test('on a terminal it asks, and takes only yes for a yes', async () => {
  const rows = await count('prod');
  for (const answer of ['n', '', 'nonsense']) {
    const end = await client.terminal(['demo-reset'], {}, { input: `${answer}\n`, when: /\[y\/N\]/ });
    assert.equal(end.code, 1, end.out);
    assert.match(end.out, /This deletes all rows of the contract's tables on dev .* Go on\? \[y\/N\]/);
    assert.match(end.out, /Nothing was changed/);
  }
  assert.match((await client.terminal(['demo-reset'], {}, yes)).out, /reset to the seeds/);
  const asked = await client.terminal(['sql', "insert into product (sku, title, price) values ('X-1', 'X', 1)", '--env', 'prod'], {}, yes);
  assert.equal(asked.code, 0, asked.out);
  assert.match(asked.out, /may write to prod/);
  assert.equal(await count('prod'), rows + 1);
});

test('what only reads, and dev, is not asked for', async () => {
  await expect(0, ['sql', "select 'delete' as word -- drop it", '--env', 'prod']);
  await expect(0, ['sql', 'select updated_at from product', '--env', 'prod']);
  await expect(0, ['sql', "update product set stock = 1"]);
  for (const sql of ["select $$ ' $$; delete from product; select ''", "select E'\\'; delete from product; --'", 'with a as (delete from product returning 1) select * from a'])
    await expect(2, ['sql', sql, '--env', 'prod']);
  await expect(0, ['demo-reset', '--status']);
});

test('--yes is enough', async () => {
  await expect(0, ['sql', 'delete from product', '--env', 'prod', '--yes']);
  await expect(0, ['demo-reset', '--yes']);
  await expect(0, ['preview', 'delete', '--yes']);
  const taken = (await stack.dev('POST', `/projects/${project.id}/snapshots`, { env: 'dev' }, { expect: 201 })).json.snapshot;
  await expect(0, ['snapshots', 'restore', taken.id, '--yes']);
});

// The shortest beginning that is unique among these.
const shortened = (id, others) => {
  let length = 4;
  while (others.some((other) => other !== id && other.startsWith(id.slice(0, length)))) ++length;
  return id.slice(0, length);
};

test('ids may be shortened as far as they are unique', async () => {
  for (let i = 0; i < 2; ++i) await stack.dev('POST', `/projects/${project.id}/snapshots`, { env: 'dev' }, { expect: 201 });
  const ids = (await snapshots()).filter(({ env }) => env === 'dev').map(({ id }) => id);
  const several = await expect(2, ['snapshots', 'restore', ids[0].slice(0, 4), '--yes']);
  assert.match(several.err, /Several ids of a snapshot begin with/);
  assert.ok(ids.some((id) => several.err.includes(id)), several.err);
  const all = (await snapshots()).map(({ id }) => id);
  await expect(0, ['snapshots', 'restore', shortened(ids[0], all), '--yes']);
  assert.match((await expect(1, ['snapshots', 'restore', 'ffff', '--yes'])).err, /not found/i);

  await stack.apply(project, { ...sample('shop'), app: { name: 'Second' } });
  await stack.dev('POST', `/projects/${project.id}/deploy`, { skipVerify: true }, { expect: 200 });
  const { deployments } = (await stack.dev('GET', `/projects/${project.id}/deploys?limit=100`)).json;
  const deploys = deployments.map(({ id }) => id);
  const { deployments: previews } = (await stack.dev('GET', `/projects/${project.id}/deploys?preview=true`)).json;
  assert.match((await expect(0, ['deploys', 'rollback', shortened(deploys.at(-1), [...deploys, ...previews.map(({ id }) => id)])])).out, /is live again at/);

  const { keys } = (await stack.dev('GET', `/projects/${project.id}/keys`)).json;
  await expect(0, ['keys', 'revoke', shortened(keys[0].id, keys.map(({ id }) => id))]);
  assert.equal((await stack.dev('GET', `/projects/${project.id}/keys`)).json.keys.length, keys.length - 1);
  const projects = (await stack.dev('GET', '/projects')).json.projects.map(({ id }) => id);
  await expect(0, ['link', shortened(project.id, projects)]);
  assert.equal(JSON.parse(client.read('.svc/project.json')).project, project.id);
});

test('the password is asked on a terminal, and not shown', async () => {
  const { token } = (await stack.dev('POST', '/tokens', { name: 'cli', workspaceId: stack.workspace }, { expect: 201 })).json;
  const end = await client.terminal(['tokens', 'create', 'asked'], { SVC_TOKEN: token }, { input: `${owner.password}\n`, when: /Password of/ });
  assert.equal(end.code, 0, end.out);
  assert.match(end.out, /Password of owner@example\.test: /);
  assert.match(end.out, /svc_pat_/);
  assert.ok(!end.out.includes(owner.password));
});
