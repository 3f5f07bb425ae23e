// Two people and one contract: nobody's change is lost without a word, and what was written comes back as
// it was written.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import test, { after, before } from 'node:test';
import { sql } from '../lib/admin_sql.mjs';
import { Stack, root, sample } from '../lib/stack.mjs';

let stack;
before(async () => {
  stack = await Stack.start();
  await stack.signIn();
});
after(() => stack?.stop());

const call = (project, method, path, body, options) => stack.dev(method, `/projects/${project.id}${path}`, body, options);
const apply = (project, contract, more = {}) => call(project, 'POST', '/apply', { contract, ...more });
const named = (name) => ({ ...sample('hello'), app: { name } });
const withField = (contract, name) => {
  const out = structuredClone(contract);
  out.entities[0].fields.push({ name, type: 'text' });
  return out;
};

test('lost update: an older contract does not go over what another one made live', async () => {
  const project = await stack.project('Lost');
  const first = sample('hello');
  const { version } = (await stack.apply(project, first)).json;
  const second = await apply(project, withField(first, 'note'), { baseVersion: version });
  assert.equal(second.status, 200, second.text);

  const stale = await apply(project, named('Mine'), { baseVersion: version });
  assert.equal(stale.status, 409, stale.text);
  const { code, live, by, at, diff, error } = stale.json;
  assert.deepEqual([code, live, by], ['STALE_CONTRACT', second.json.version, 'owner@example.test']);
  assert.match(at, /^20.*Z$/);
  assert.deepEqual(diff, [{ path: '/entities/reading/fields/note', kind: 'added' }]);
  assert.match(error, /Version 2 is live, which owner@example\.test applied/);
  const dry = await apply(project, named('Mine'), { baseVersion: version, dryRun: true });
  assert.equal(dry.json.code, 'STALE_CONTRACT');
  const edits = [{ op: 'set_app', app: { name: 'Mine' } }];
  assert.equal((await call(project, 'POST', '/patch', { edits, baseVersion: version })).json.code, 'STALE_CONTRACT');
  const { contract } = (await call(project, 'GET', '/contract')).json;
  assert.deepEqual([contract.app.name, contract.entities[0].fields.at(-1).name], ['Hello', 'note']);
  const { applies } = (await call(project, 'GET', '')).json.state;
  assert.equal(applies[0].status, 'refused');

  const patched = await call(project, 'POST', '/patch', { edits, baseVersion: live });
  assert.equal(patched.status, 200, patched.text);
  assert.deepEqual(patched.json.warnings.filter((one) => one.code === 'NOT_BASED_ON_LIVE'), []);
});

test('without a base an apply succeeds, and the answer says what it reverted', async () => {
  const project = await stack.project('Plain');
  const first = sample('hello');
  assert.deepEqual(await notices(project, first), [], 'nothing was live');
  assert.deepEqual(await notices(project, withField(first, 'note')), [], 'what only adds takes nothing back');
  const [told] = await notices(project, named('Mine'));
  assert.match(told.message, /It reverts changes of version 2, which owner@example\.test applied at 20.*: \/app\/name \(changed\), \/entities\/reading\/fields\/note \(removed\)/);
  assert.match(told.fix, /baseVersion/);
});

async function notices(project, contract) {
  return (await stack.apply(project, contract)).json.warnings.filter((one) => one.code === 'NOT_BASED_ON_LIVE');
}

test('of two applies from the same version one wins, whenever they come', async () => {
  const project = await stack.project('Race');
  const { version } = (await stack.apply(project, sample('hello'))).json;
  const wanted = ['a', 'b', 'c', 'd'].map((name) => withField(sample('hello'), name));
  const ends = await Promise.all(wanted.map(async (contract) => {
    for (;;) {
      const end = await apply(project, contract, { baseVersion: version });
      if (end.json.code !== 'PROJECT_BUSY') return end;
    }
  }));
  assert.deepEqual(ends.map((end) => end.status).sort(), [200, 409, 409, 409]);
  for (const end of ends.filter(({ status }) => status === 409)) assert.equal(end.json.code, 'STALE_CONTRACT');
});

test('a base is checked for what it is', async () => {
  const project = await stack.project('Bases');
  for (const baseVersion of [-1, 1.5, '1']) {
    const refused = await apply(project, sample('hello'), { baseVersion });
    assert.equal(refused.json.code, 'BAD_REQUEST', refused.text);
  }
  const nothing = await apply(project, sample('hello'), { baseVersion: 3 });
  assert.deepEqual([nothing.json.code, nothing.json.live, nothing.json.diff], ['STALE_CONTRACT', 0, null]);
  assert.equal((await apply(project, sample('hello'), { baseVersion: 0 })).status, 200);
  const first = await apply(project, sample('hello'), { baseVersion: 0 });
  assert.deepEqual([first.status, first.json.live], [409, 1]);
  assert.ok(first.json.diff.some((one) => one.path === '/entities' && one.kind === 'added'), first.text);
});

test('members who may read get the whole contract as its author wrote it', async () => {
  const project = await stack.project('Whole');
  const text = readFileSync(join(root, 'samples/shop/svc.json'), 'utf8').trim();
  assert.match(text, /"seeds": \{/);
  const sent = await stack.fetch('POST', `/dev/v1/projects/${project.id}/apply`,
    { headers: { authorization: `Bearer ${stack.session}` }, body: `{"contract": ${text}}` });
  assert.equal(sent.status, 200, sent.text);
  const whole = () => call(project, 'GET', '/contract?seeds=1', undefined, { expect: 200 });
  assert.equal((await whole()).text, `{"contract":${text},"built":true,"version":1}`);
  const plain = (await call(project, 'GET', '/contract')).json;
  assert.deepEqual([Object.keys(plain), plain.contract.seeds], [['contract', 'built'], 'UNCHANGED']);

  const body = { name: 'writes', workspaceId: stack.workspace, scopes: ['apply'] };
  const { token } = (await stack.dev('POST', '/tokens', body, { expect: 201 })).json;
  for (const query of ['?seeds=1', '?version=1']) assert.equal((await call(project, 'GET', `/contract${query}`, undefined, { token })).json.code, 'FORBIDDEN_SCOPE');
  assert.equal((await call(project, 'GET', '/contract', undefined, { token })).status, 200);

  await call(project, 'POST', '/patch', { edits: [{ op: 'set_app', app: { description: 'Tea' } }] }, { expect: 200 });
  const contract = (await whole()).json.contract;
  assert.deepEqual([contract.seeds, contract.app.description], [JSON.parse(text).seeds, 'Tea']);
  contract.seeds = 'UNCHANGED';
  await stack.apply(project, withField(contract, 'brand'));
  assert.deepEqual((await whole()).json.contract.seeds, JSON.parse(text).seeds);

  const older = (await call(project, 'GET', '/contract?version=1&seeds=1', undefined, { expect: 200 })).text;
  assert.equal(older, `{"contract":${text},"built":true,"version":1}`);
  assert.equal((await call(project, 'GET', '/contract?version=1')).json.contract.seeds, 'UNCHANGED');
  assert.equal((await call(project, 'GET', '/contract?version=9')).status, 404);
  for (const query of ['version=0', 'version=x', 'seeds=maybe']) assert.equal((await call(project, 'GET', `/contract?${query}`)).status, 400, query);
});

test('what is live is known as a version where its apply was before versions were kept', async () => {
  const project = await stack.project('Upgraded');
  await stack.apply(project, sample('hello'));
  sql(stack, 'svc_platform', `delete from contract_version where project_id = '${project.id}'`);
  await apply(project, withField(sample('hello'), 'note'), { baseVersion: 1 });
  const { json } = await apply(project, named('Mine'), { baseVersion: 1 });
  assert.deepEqual(json.diff, [{ path: '/entities/reading/fields/note', kind: 'added' }]);
});

test('a version that was never live is not a base', async () => {
  const project = await stack.project('Never');
  await stack.apply(project, sample('hello'));
  const bad = withField(sample('hello'), 'note');
  bad.entities[0].fields.at(-1).type = 'tekst';
  assert.equal((await apply(project, bad, { baseVersion: 1 })).json.code, 'CONTRACT_INVALID');
  assert.equal((await call(project, 'GET', '/contract?version=2')).status, 404);
  assert.equal((await apply(project, named('Mine'), { baseVersion: 2 })).json.live, 1);
});

test('merge: what does not overlap, and what does', async () => {
  const project = await stack.project('Merge');
  const base = sample('hello');
  await stack.apply(project, base);
  await apply(project, withField(base, 'note'), { baseVersion: 1 });
  const merge = (body) => call(project, 'POST', '/contract/merge', body);
  const merged = (await merge({ contract: { ...base, app: { name: 'Mine' } }, baseVersion: 1 })).json;
  assert.deepEqual([merged.version, merged.conflicts, merged.contract.app.name, merged.contract.entities[0].fields.at(-1).name], [2, [], 'Mine', 'note']);
  const taken = await apply(project, merged.contract, { baseVersion: merged.version });
  assert.equal(taken.status, 200, taken.text);

  const mine = { contract: { ...base, app: { name: 'Another' } }, baseVersion: 1 };
  const conflict = (await merge(mine)).json;
  assert.deepEqual([conflict.contract, conflict.conflicts], [null, [{ path: '/app/name', base: 'Hello', mine: 'Another', theirs: 'Mine' }]]);
  for (const [prefer, name] of [['mine', 'Another'], ['theirs', 'Mine']]) assert.equal((await merge({ ...mine, prefer })).json.contract.app.name, name);
  assert.equal((await merge({ contract: base })).json.code, 'BAD_REQUEST');
  assert.equal((await merge({ ...mine, prefer: 'both' })).json.code, 'BAD_REQUEST');
  assert.equal((await merge({ ...mine, baseVersion: 9 })).status, 404);
});

test('a rollback names the host that answers', async () => {
  const project = await stack.project('Hosts');
  await stack.apply(project, sample('hello'));
  const deploy = async (subdomain) => (await call(project, 'POST', '/deploy', { subdomain, skipVerify: true }, { expect: 200 })).json.deployment;
  const first = await deploy('first-host');
  await stack.apply(project, withField(sample('hello'), 'note'));
  await deploy('second-host');
  const back = (await call(project, 'POST', `/deploys/${first.id}/rollback`, {}, { expect: 200 })).json.deployment;
  const { deployments } = (await call(project, 'GET', '/deploys')).json;
  const shown = [back, ...deployments].map(({ url }) => url);
  assert.deepEqual([...new Set(shown)], [`http://second-host.localhost:${stack.port}`]);
  assert.deepEqual(deployments.map(({ subdomain, status }) => `${subdomain} ${status}`), ['second-host rolled_back', 'first-host live']);
  const answer = await stack.fetch('GET', '/__svc/api/v1/reading', { host: new URL(back.url).host, headers: { authorization: `Bearer ${project.server}`, 'x-svc-data-api': '1' } });
  assert.equal(answer.status, 200, answer.text);
  const { key, origins } = (await call(project, 'POST', '/keys', { name: 'page', kind: 'browser' }, { expect: 201 })).json;
  assert.ok(key && origins.includes(back.url), `a key of the app's own hosts: ${origins}`);
});

test('the typed client and the OpenAPI document of what is live', async () => {
  const project = await stack.project('Files');
  for (const path of ['/client', '/openapi']) assert.equal((await call(project, 'GET', path)).json.code, 'NO_APP');
  await stack.apply(project, sample('shop'));
  const { version, files } = (await call(project, 'GET', '/client', undefined, { expect: 200 })).json;
  assert.equal(version, 1);
  const folder = join(root, 'generated/shop/client');
  assert.deepEqual(Object.keys(files).sort(), readdirSync(folder).sort());
  assert.equal(files['types.ts'], readFileSync(join(folder, 'types.ts'), 'utf8'));
  const own = await stack.fetch('GET', `/preview/${project.id}/__svc/api/v1/openapi.json`, { headers: { authorization: `Bearer ${project.server}`, 'x-svc-data-api': '1' } });
  assert.deepEqual((await call(project, 'GET', '/openapi')).json, own.json);
});

test('a token without the scope read is shown no value of seeds', async () => {
  const project = await stack.project('Unseen');
  const seeded = (title) => {
    const contract = sample('shop');
    return { ...contract, seeds: { product: [{ _key: 'a', sku: 'A', title, price: 1 }] } };
  };
  const { version } = (await stack.apply(project, seeded('Ann Private'))).json;
  await stack.apply(project, seeded('Bob Private'));
  const body = { name: 'writes', workspaceId: stack.workspace, scopes: ['apply'] };
  const { token } = (await stack.dev('POST', '/tokens', body, { expect: 201 })).json;
  const patch = { dryRun: true, edits: [{ op: 'set_app', app: { description: 'other' } }] };
  const asked = async (options) => [await call(project, 'POST', '/patch', patch, options),
    await call(project, 'POST', '/apply', { contract: seeded('Carol'), baseVersion: version }, options)];
  const [shown, stale] = await asked();
  assert.match(shown.json.contractText, /Bob Private/);
  assert.deepEqual(stale.json.diff, [{ path: '/seeds/product/a/title', kind: 'changed', was: '"Ann Private"', is: '"Bob Private"' }]);
  const [hidden, told] = await asked({ token });
  assert.deepEqual([shown.status, hidden.status, told.status], [200, 200, 409], hidden.text);
  assert.equal(JSON.parse(hidden.json.contractText).seeds, 'UNCHANGED');
  assert.deepEqual(told.json.diff, [{ path: '/seeds/product/a/title', kind: 'changed' }]);
  for (const { text } of [hidden, told]) assert.doesNotMatch(text, /Private/);
  assert.equal((await call(project, 'POST', '/data/query', { table: 'product' }, { token })).json.code, 'FORBIDDEN_SCOPE');
});
