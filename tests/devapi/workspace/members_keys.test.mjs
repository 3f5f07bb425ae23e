// The keys that members make end with them; what of prod is read is written down.
import assert from 'node:assert/strict';
import { get as httpGet } from 'node:http';
import test, { after, before } from 'node:test';
import { sql } from '../../lib/admin_sql.mjs';
import { Stack, sample, until } from '../../lib/stack.mjs';
import { Team, outcome } from '../../lib/team.mjs';

let stack, team, project;
before(async () => {
  stack = await Stack.start();
  await stack.signIn();
  team = new Team(stack);
  project = await stack.project('Keys');
  await stack.apply(project, sample('hello'));
});
after(() => stack?.stop());

const at = (rest) => `/projects/${project.id}${rest}`;
const make = async (person, kind, name = kind) => (await stack.dev('POST', at('/keys'), { name, kind, origins: kind === 'browser' ? ['*'] : undefined }, { token: person.session, expect: 201 })).json;
const preview = async (person) => (await stack.dev('POST', at('/preview-token'), {}, { token: person.session, expect: 200 })).json.token;
const keys = async () => (await stack.dev('GET', at('/keys'), undefined, { expect: 200 })).json.keys;
// A request to the app server, over its own connection.
const asks = async (key) => (await stack.fetch('GET', '/__svc/api/v1/reading', {
  host: `preview-${project.slug}.localhost`, headers: { authorization: `Bearer ${key}`, origin: 'http://app.test', 'x-svc-data-api': '1' } })).status;
// A request that svcd answers itself.
const migrates = async (key) => (await stack.fetch('POST', `/preview/${project.id}/__svc/data/migrate`, {
  headers: { authorization: `Bearer ${key}`, 'x-svc-data-api': '1' }, body: { sql: 'create table if not exists own_one (id uuid primary key)' } })).status;
// True if the key is valid, whatever a guest may do with it.
const taken = async (key) => (await asks(key)) !== 401;
const open = (options) => new Promise((done) => { httpGet({ host: '127.0.0.1', ...options }, done); });
const audit = async () => (await stack.dev('GET', `/workspaces/${stack.workspace}/audit?limit=50`, undefined, { expect: 200 })).json.entries;

test('keys of a member who is removed end at once in the running app; the answer names them', async () => {
  const person = await team.person('leaves@team.test', 'developer');
  const server = await make(person, 'server', 'jobs'), browser = await make(person, 'browser', 'page'), token = await preview(person);
  for (const key of [server.key, browser.key, token]) assert.ok(await taken(key), key.slice(0, 6));
  const listed = await keys();
  assert.deepEqual(listed.find(({ id }) => id === server.id).createdBy, { userId: person.id, email: person.email });
  assert.deepEqual(server.createdBy, { userId: person.id, email: person.email });
  const { json } = await team.remove(person.id, { expect: 200 });
  assert.deepEqual(json.keysEnded.map(({ name, kind, projectId, project: of }) => [name, kind, projectId, of]).sort(),
    [['jobs', 'server', project.id, 'Keys'], ['page', 'browser', project.id, 'Keys']]);
  for (const key of [server.key, browser.key, token]) assert.ok(!await taken(key), key.slice(0, 6));
  assert.ok(!(await keys()).some(({ id }) => [server.id, browser.id].includes(id)));
  assert.equal(await asks(project.server), 200, 'nobody else\'s');
  assert.deepEqual([await migrates(server.key), await migrates(project.server)], [401, 200]);
  const removed = (await audit()).find(({ action }) => action === 'DELETE /workspaces/:workspace/members/:user');
  assert.equal(removed.status, 200);
});

test('a key that an admin takes over stays; nobody else may, and a preview token is nobody else\'s', async () => {
  const person = await team.person('hands@team.test', 'developer'), admin = await team.person('admin@team.test', 'admin');
  const kept = await make(person, 'server', 'kept'), ends = await make(person, 'server', 'ends');
  const adopt = (key, token) => stack.dev('POST', at(`/keys/${key.id}/adopt`), {}, { token });
  assert.equal(outcome(await adopt(kept, person.session)), '403 FORBIDDEN_ROLE');
  const adopted = await adopt(kept, admin.session);
  assert.deepEqual([adopted.status, adopted.json.createdBy, adopted.json.name], [200, { userId: admin.id, email: admin.email }, 'kept']);
  assert.ok(!('key' in adopted.json));
  await preview(person);
  const [[token]] = sql(stack, 'svc_platform', `select id from project_key where kind = 'preview' and created_by = '${person.id}'`);
  for (const id of [token, project.id, 'nonsense']) assert.equal((await adopt({ id }, admin.session)).status, 404);
  const { json } = await team.remove(person.id, { expect: 200 });
  assert.deepEqual(json.keysEnded.map(({ name }) => name), ['ends']);
  assert.deepEqual([await asks(kept.key), await asks(ends.key)], [200, 401]);
});

test('a new viewer loses keys, a new developer none; the keys of a member who leaves end', async () => {
  const person = await team.person('lowered@team.test', 'admin');
  const server = await make(person, 'server');
  const put = async (role) => (await stack.dev('PUT', team.path(`/${person.id}`), { role }, { expect: 200 })).json;
  assert.deepEqual((await put('developer')).keysEnded, []);
  assert.equal(await asks(server.key), 200);
  assert.deepEqual((await put('viewer')).keysEnded.map(({ id }) => id), [server.id]);
  assert.equal(await asks(server.key), 401);
  const token = await preview(person);
  assert.ok(await taken(token));
  assert.equal((await team.remove(person.id, { token: person.session })).status, 200);
  assert.equal(await asks(token), 401);
});

test('a key that is made while its maker is removed is not left over', async () => {
  for (let round = 0; round < 5; ++round) {
    const person = await team.person(`races${round}@team.test`, 'developer');
    const tries = Array.from({ length: 4 }, () => stack.dev('POST', at('/keys'), { name: 'race', kind: 'server' }, { token: person.session }));
    await Promise.all([...tries, team.remove(person.id)]);
    assert.deepEqual(sql(stack, 'svc_platform', `select id from project_key where created_by = '${person.id}'`), []);
    for (const { json } of await Promise.all(tries)) if (json.key) assert.deepEqual([await asks(json.key), await migrates(json.key)], [401, 401]);
  }
});

test('reading mails and what happens in prod is in the audit; dev is not', async () => {
  const person = await team.person('reads@team.test', 'developer');
  await stack.dev('POST', at('/deploy'), { skipVerify: true }, { expect: 200 });
  const get = (path) => stack.dev('GET', at(path), undefined, { token: person.session, expect: 200 });
  for (const path of ['/mail', '/mail?env=dev', '/tail', '/schema?env=prod', '/mail?env=prod&to=ann%40shop.test', '/tail?env=prod&kind=requests']) await get(path);
  const viewer = await team.person('looks@team.test', 'viewer');
  assert.equal(outcome(await stack.dev('GET', at('/mail?env=prod'), undefined, { token: viewer.session })), '403 FORBIDDEN_ROLE');
  const { token } = (await stack.dev('POST', '/tokens', { name: 't', workspaceId: stack.workspace, scopes: ['read'] }, { token: person.session, expect: 201 })).json;
  await stack.dev('POST', '/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'tail', arguments: { project: project.id, env: 'prod' } } }, { token, expect: 200 });
  const followed = await open({ port: stack.port, path: `/dev/v1${at('/tail?env=prod&kind=errors')}`, headers: { authorization: `Bearer ${person.session}`, accept: 'text/event-stream' } });
  await until('the note of what goes on', async () => (await audit()).some(({ target }) => target === 'env=prod kind=errors'));
  followed.destroy();
  const reads = (await audit()).filter(({ action }) => action.startsWith('GET ')).reverse();
  assert.deepEqual(reads.map(({ email, action, target, status, auth }) => [email, action, target, status, auth]), [
    ['reads@team.test', 'GET /projects/:id/mail', 'env=prod to=ann@shop.test', 200, 'session'],
    ['reads@team.test', 'GET /projects/:id/tail', 'env=prod kind=requests', 200, 'session'],
    ['looks@team.test', 'GET /projects/:id/mail', 'env=prod', 403, 'session'],
    ['reads@team.test', 'GET /projects/:id/tail', 'env=prod', 200, 'pat'],
    ['reads@team.test', 'GET /projects/:id/tail', 'env=prod kind=errors', 200, 'session'],
  ]);
});
