// Workspaces and who works in them: roles, what they may, how people come and go, what is written down of it.
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { databaseOf, sql } from '../../lib/admin_sql.mjs';
import { Stack, owner, sample } from '../../lib/stack.mjs';
import { Client } from '../../cli/client.mjs';

const nowhere = '00000000-0000-4000-8000-000000000000';
let stack, project, me;
const people = {};  // by role: {id, email, session}
before(async () => {
  stack = await Stack.start({ SVC_DOMAINS_UNPROVEN: '1' });
  me = (await stack.signIn()).user;
  for (const role of ['viewer', 'developer', 'admin', 'owner']) people[role] = await join(role, `${role}@team.test`);
  project = await stack.project('Teamwork');
  await stack.apply(project, sample('hello'));
});
after(() => stack?.stop());

const members = (path = '', workspace = stack.workspace) => `/workspaces/${workspace}/members${path}`;
const invite = (email, role, options = {}) => stack.dev('POST', members('', options.workspace), { email, role }, options);
const signIn = async (email, password) => (await stack.dev('POST', '/session', { email, password }, { token: null, expect: 200 })).json;

// Chooses a password at the page of the link.
function setUp(joinUrl, password) {
  const { pathname, searchParams } = new URL(joinUrl);
  return stack.fetch('POST', pathname, { body: { token: searchParams.get('token'), password } });
}
async function join(role, email, options = {}) {
  const { json } = await invite(email, role, { expect: 201, ...options });
  const password = `${role} has a password`;
  assert.equal((await setUp(json.joinUrl, password)).status, 200);
  return { id: json.userId, email, password, session: (await signIn(email, password)).token };
}
const mint = async (person, scopes) => (await stack.dev('POST', '/tokens', { name: 't', workspaceId: stack.workspace, scopes }, { token: person.session, expect: 201 })).json;
const outcome = ({ status, json }) => `${status}${json?.code ? ` ${json.code}` : ''}`;

test('what an invitation must be', async () => {
  for (const body of [{}, { email: 'no', role: 'viewer' }, { email: 'a@b.test', role: 'root' }, { email: 'a@b.test' }, { role: 'viewer' }]) {
    assert.equal(outcome(await stack.dev('POST', members(), body)), '400 BAD_REQUEST', JSON.stringify(body));
  }
  assert.equal(outcome(await stack.dev('POST', '/workspaces', { name: '' })), '400 BAD_REQUEST');
  assert.equal((await stack.dev('POST', members('', nowhere), { email: 'a@b.test', role: 'viewer' })).status, 404);
  assert.equal((await stack.dev('PUT', members('/nonsense'), { role: 'viewer' })).status, 404);
  assert.equal((await stack.dev('PUT', members(`/${nowhere}`), { role: 'viewer' })).status, 404);
  assert.equal((await stack.dev('DELETE', members(`/${nowhere}`))).status, 404);
});

// The least role for each route, and the answer to a smaller role.
test('each role at each route', async () => {
  const ranks = ['viewer', 'developer', 'admin', 'owner'];
  const p = `/projects/${project.id}`;
  const calls = [
    ['GET', p, undefined, 'viewer'], ['GET', `${p}/contract`, undefined, 'viewer'], ['POST', `${p}/check`, { contract: sample('hello') }, 'viewer'],
    ['POST', `${p}/data/query`, { table: 'reading' }, 'viewer'], ['GET', `${p}/keys`, undefined, 'viewer'], ['GET', `${p}/secrets`, undefined, 'viewer'],
    ['POST', `${p}/apply`, {}, 'developer'], ['POST', `${p}/patch`, {}, 'developer'], ['PATCH', p, { description: 'x' }, 'developer'],
    ['POST', `${p}/keys`, {}, 'developer'], ['DELETE', `${p}/keys/${nowhere}`, undefined, 'developer'], ['GET', `${p}/mail`, undefined, 'developer'],
    ['PUT', `${p}/secrets/A`, { value: 'x' }, 'admin'], ['DELETE', `${p}/secrets/NONE`, undefined, 'admin'], ['DELETE', p, undefined, 'admin'],
    ['POST', '/projects', { name: 'Made', workspaceId: stack.workspace }, 'developer'],
    ['GET', members(), undefined, 'viewer'], ['POST', members(), {}, 'admin'], ['PUT', members(`/${nowhere}`), { role: 'viewer' }, 'admin'],
    ['DELETE', members(`/${nowhere}`), undefined, 'admin'], ['GET', `/workspaces/${stack.workspace}/audit`, undefined, 'admin'],
  ];
  for (const [method, path, body, least] of calls) {
    for (const role of ranks) {
      const got = await stack.dev(method, path, body, { token: people[role].session });
      const refused = outcome(got) === '403 FORBIDDEN_ROLE';
      assert.equal(refused, ranks.indexOf(role) < ranks.indexOf(least), `${role} ${method} ${path}: ${outcome(got)}`);
      assert.notEqual(got.status, 401);
    }
    const stranger = (people.stranger ??= await outsider());
    const out = await stack.dev(method, path, body, { token: stranger.session });
    assert.equal(out.status, 404, `a stranger at ${method} ${path}: ${outcome(out)}`);
    assert.equal((await stack.dev(method, path, body, { token: null })).status, 401);
  }
  for (const [method, path, body] of [['POST', '/workspaces', { name: 'x' }], ['GET', members()], ['POST', members(), {}], ['PUT', members(`/${nowhere}`), {}], ['DELETE', members(`/${nowhere}`)]]) {
    assert.equal(outcome(await stack.dev(method, path, body, { token: (await mint(people.owner, ['read', 'apply', 'deploy'])).token })), '403 SESSION_REQUIRED');
  }
});

// Somebody with an account and a workspace of their own.
async function outsider() {
  const { json } = await stack.dev('POST', '/workspaces', { name: 'Elsewhere' }, { expect: 201 });
  return join('admin', 'stranger@else.test', { workspace: json.workspace.id });
}

test('roles reach up to their own: owners alone make and touch owners', async () => {
  const as = (person) => ({ token: person.session });
  const put = (id, role, person) => stack.dev('PUT', members(`/${id}`), { role }, as(person));
  assert.equal(outcome(await invite('boss@team.test', 'owner', as(people.admin))), '403 FORBIDDEN_ROLE');
  assert.equal(outcome(await invite('later@team.test', 'owner')), '201');
  assert.equal(outcome(await invite('later@team.test', 'viewer', as(people.admin))), '403 FORBIDDEN_ROLE', 'nor by the link of somebody above');
  assert.equal(outcome(await put(people.admin.id, 'owner', people.admin)), '403 FORBIDDEN_ROLE');
  assert.equal(outcome(await put(people.owner.id, 'viewer', people.admin)), '403 FORBIDDEN_ROLE');
  assert.equal(outcome(await stack.dev('DELETE', members(`/${people.owner.id}`), undefined, as(people.admin))), '403 FORBIDDEN_ROLE');
  assert.equal(outcome(await put(people.viewer.id, 'developer', people.admin)), '200');
  assert.equal(outcome(await put(people.viewer.id, 'viewer', people.owner)), '200');
});

test('the last owner can be neither removed nor lowered, by two at once neither', async () => {
  const { json } = await stack.dev('POST', '/workspaces', { name: 'Lonely' }, { expect: 201 });
  const workspace = json.workspace.id;
  const gone = () => stack.dev('DELETE', members(`/${me.id}`, workspace));
  assert.equal(outcome(await gone()), '409 LAST_OWNER');
  assert.equal(outcome(await stack.dev('PUT', members(`/${me.id}`, workspace), { role: 'admin' })), '409 LAST_OWNER');
  const second = await join('owner', 'second@team.test', { workspace });
  const lower = (id, token) => stack.dev('PUT', members(`/${id}`, workspace), { role: 'viewer' }, { token });
  const both = await Promise.all([lower(second.id, stack.session), lower(me.id, second.session)]);
  const owners = sql(stack, 'svc_platform', `select count(*) from member where workspace_id = '${workspace}' and role = 'owner'`);
  assert.deepEqual(owners, [['1']], both.map(outcome).join());
});

test('tokens of a member who is lowered or removed lose what the role has not, at once', async () => {
  const person = await join('developer', 'comes@team.test');
  const { token } = await mint(person, ['read', 'apply', 'deploy']);
  const rename = () => stack.dev('PATCH', `/projects/${project.id}`, { description: 'y' }, { token });
  assert.equal(outcome(await rename()), '200');
  await stack.dev('PUT', members(`/${person.id}`), { role: 'viewer' }, { expect: 200 });
  assert.equal(outcome(await rename()), '403 FORBIDDEN_ROLE');
  assert.equal(outcome(await stack.dev('POST', '/projects', { name: 'No' }, { token })), '403 FORBIDDEN_ROLE');
  assert.equal(outcome(await stack.dev('GET', `/projects/${project.id}`, undefined, { token })), '200');
  assert.deepEqual((await stack.dev('GET', '/me', undefined, { token })).json.scopes, ['read']);
  assert.equal(outcome(await stack.dev('POST', '/tokens', { name: 'x', workspaceId: stack.workspace, scopes: ['apply'] }, { token: person.session })), '400 INVALID_SCOPE');
  await stack.dev('PUT', members(`/${person.id}`), { role: 'developer' }, { expect: 200 });
  assert.equal(outcome(await rename()), '200');
  await stack.dev('DELETE', members(`/${person.id}`), undefined, { expect: 200 });
  assert.equal(outcome(await rename()), '401 UNAUTHENTICATED');
  assert.equal((await stack.dev('GET', `/projects/${project.id}`, undefined, { token: person.session })).status, 404);
  assert.equal(outcome(await invite(person.email, 'owner')), '201');
  assert.equal(outcome(await rename()), '401 UNAUTHENTICATED', 'a token that was revoked stays so');
});

test('every member may leave a workspace', async () => {
  const person = await join('viewer', 'leaves@team.test');
  assert.equal(outcome(await stack.dev('DELETE', members(`/${person.id}`), undefined, { token: person.session })), '200');
  assert.equal((await stack.dev('GET', members(), undefined, { token: person.session })).status, 404);
});

test('the audit says who did what, from where and how it went, without secrets', async () => {
  await stack.dev('PUT', `/projects/${project.id}/secrets/QUIET`, { value: 'never to be seen' }, { token: people.admin.session, expect: 201 });
  const minted = await mint(people.admin, ['read']);
  assert.equal((await stack.dev('POST', `/projects/${project.id}/apply`, { contract: sample('hello') }, { token: minted.token })).status, 403);
  const read = async (query = '', token = people.admin.session) => (await stack.dev('GET', `/workspaces/${stack.workspace}/audit${query}`, undefined, { token, expect: 200 })).json.entries;
  const entries = await read();
  const [apply, token, secret] = entries;
  assert.deepEqual([apply.action, apply.status, apply.code, apply.auth, apply.projectId], ['POST /projects/:id/apply', 403, 'FORBIDDEN_SCOPE', 'pat', null]);
  assert.deepEqual([token.action, token.status, token.target], ['POST /tokens', 201, `id=${minted.id}`]);
  assert.deepEqual([secret.action, secret.target, secret.email, secret.userId, secret.projectId, secret.address, secret.status],
    ['PUT /projects/:id/secrets/:name', 'name=QUIET', 'admin@team.test', people.admin.id, project.id, '127.0.0.1', 201]);
  assert.match(secret.at, /Z$/);
  const all = sql(stack, 'svc_platform', 'select audit::text from audit').join('\n');
  for (const hidden of ['never to be seen', minted.token, people.admin.password, owner.password]) assert.ok(!all.includes(hidden));
  const page = await read('?limit=2');
  const next = await read(`?limit=2&before=${page[1].id}`);
  assert.deepEqual([...page, ...next].map(({ id }) => id), (await read('?limit=4')).map(({ id }) => id));
  assert.ok((await read(`?project=${project.id}`)).every(({ projectId }) => projectId === project.id));
  for (const query of ['?limit=0', '?limit=201', '?limit=x', '?before=0', '?before=-1', '?project=1']) {
    assert.equal(outcome(await stack.dev('GET', `/workspaces/${stack.workspace}/audit${query}`)), '400 BAD_REQUEST', query);
  }
  assert.equal(outcome(await stack.dev('GET', `/workspaces/${stack.workspace}/audit`, undefined, { token: minted.token })), '200', 'an admin\'s token');
  const other = (await stack.dev('POST', '/workspaces', { name: 'Apart' }, { expect: 201 })).json.workspace.id;
  assert.equal((await stack.dev('GET', `/workspaces/${other}/audit`, undefined, { token: minted.token })).status, 404);
});

test('svc audit shows it', async (t) => {
  const client = new Client(stack);
  t.after(() => client.remove());
  const svc = async (code, person, ...args) => {
    const end = await client.svc(['audit', ...args], { env: { SVC_TOKEN: person.session } });
    assert.equal(end.code, code, end.out + end.err);
    return end;
  };
  assert.match((await svc(0, people.admin, '--limit', '200')).out, /admin@team\.test +PUT \/projects\/:id\/secrets\/:name +name=QUIET +127\.0\.0\.1 +201/);
  assert.equal(JSON.parse((await svc(0, people.admin, '--json', '--limit', '2')).out).entries.length, 2);
  assert.match((await svc(1, people.viewer, '--workspace', 'Personal')).err, /FORBIDDEN_ROLE/);
  assert.match((await svc(1, people.viewer, '--workspace', 'Nowhere')).err, /not a member of any workspace "Nowhere"/);
  await svc(2, people.admin, '--limit', '0');
});

test('rows of the audit are only added, also with direct access to the database', () => {
  for (const statement of ['delete from audit', 'update audit set status = 200', 'truncate audit']) {
    assert.throws(() => sql(stack, 'svc_platform', statement), /can only be added/, statement);
  }
});

test('limits and domains of a project', async () => {
  const path = `/projects/${project.id}`;
  const patch = (body, options) => stack.dev('PATCH', path, body, options);
  const host = `preview-${project.slug}.localhost`;
  const ask = async (times) => {
    const all = [];
    for (let i = 0; i < times; ++i) {
      all.push((await stack.fetch('GET', '/__svc/api/v1/reading', { host, headers: { authorization: `Bearer ${project.server}`, 'x-svc-data-api': '1' } })).status);
    }
    return all;
  };
  assert.deepEqual(await ask(5), Array(5).fill(200));
  const limited = (await patch({ rateLimits: { server: 3 } }, { expect: 200 })).json.project;
  assert.deepEqual(limited.rateLimits, { browser: null, server: 3 });
  assert.ok((await ask(5)).includes(429), 'the running server holds to it');
  // A database that was last applied to by an older svcd.
  sql(stack, databaseOf(project), 'alter table svc.app_key drop column per_minute');
  await patch({ rateLimits: { server: 2 } }, { expect: 200 });
  assert.deepEqual(sql(stack, databaseOf(project), "select per_minute from svc.app_key where kind = 'server'"), [['2']]);
  assert.deepEqual((await patch({ rateLimits: { server: null, browser: 7 } }, { expect: 200 })).json.project.rateLimits, { browser: 7, server: null });
  assert.deepEqual(await ask(5), Array(5).fill(200));
  assert.deepEqual((await patch({ name: 'Still' }, { expect: 200 })).json.project.rateLimits, { browser: 7, server: null });
  assert.deepEqual((await patch({ rateLimits: null }, { expect: 200 })).json.project.rateLimits, { browser: null, server: null });
  for (const rateLimits of [{ server: 0 }, { server: 1.5 }, { server: '9' }, { sever: 1 }, [], 5]) {
    assert.equal(outcome(await patch({ rateLimits })), '400 BAD_REQUEST', JSON.stringify(rateLimits));
  }

  const set = (domains, options) => patch({ domains }, options);
  const hosts = (answer) => answer.json.project.domains.map(({ host, verified, proof }) => `${host} ${verified} ${proof}`);
  assert.deepEqual(hosts(await set(['Shop.Example.com', 'a.example'], { expect: 200 })), ['a.example true skipped', 'shop.example.com true skipped']);
  for (const bad of ['localhost', 'x.localhost', '127.0.0.1', 'a', 'a..b', '-a.b', 'a.b:80', 'http://a.b', '*.a.b', 'a.b.', `${'a'.repeat(64)}.b`, 'é.fr', 'a b.c', 'co.uk', 'github.io']) {
    assert.equal(outcome(await set([bad])), '400 BAD_REQUEST', bad);
  }
  assert.equal(outcome(await set(Array.from({ length: 21 }, (_, i) => `h${i}.example`))), '400 BAD_REQUEST');
  const other = await stack.project('Second');
  const asked = await stack.dev('PATCH', `/projects/${other.id}`, { domains: ['free.example', 'a.example'] }, { expect: 200 });
  assert.deepEqual(hosts(asked), ['a.example false null', 'free.example true skipped'], 'what another one has is asked for in vain');
  await set([], { expect: 200 });
  const rivals = await Promise.all([project, other].map(({ id }) => stack.dev('PATCH', `/projects/${id}`, { domains: ['race.example'] }, { expect: 200 })));
  assert.equal(rivals.filter((answer) => answer.json.project.domains[0].verified).length, 1);
  const { slug } = other;
  await stack.dev('DELETE', `/projects/${other.id}?confirm=${slug}`, undefined, { expect: 200 });
  assert.deepEqual(hosts(await set(['a.example', 'race.example'])), ['a.example true skipped', 'race.example true skipped'], 'a deleted project lets go of its hosts');
});

test('too many calls are refused for a while', async () => {
  const person = await join('viewer', 'eager@team.test');
  let last;
  for (let i = 0; i < 60 && last?.status !== 429; ++i) last = await stack.dev('POST', '/workspaces', { name: `w${i}` }, { token: person.session });
  assert.equal(outcome(last), '429 RATE_LIMITED');
  assert.ok(Number(last.headers['retry-after']) > 0);
});
