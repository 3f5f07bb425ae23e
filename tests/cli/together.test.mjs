// Several folders of one project, and everything else a day with the client takes: no curl, no sed.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import test, { after, before } from 'node:test';
import { Stack, owner, root, sample } from '../lib/stack.mjs';
import { Client } from './client.mjs';

let stack, client;
before(async () => {
  stack = await Stack.start();
  await stack.signIn();
  client = new Client(stack);
  await expect(0, ['login', '--email', owner.email, '--password', owner.password]);
});
after(async () => {
  client?.remove();
  await stack?.stop();
});

const expect = (...asked) => client.expect(...asked);

const inFolder = (name) => { client.folder = client.subfolder(name); };
const base = () => JSON.parse(client.read('.svc/project.json')).baseVersion;
const contract = () => JSON.parse(client.read('svc.json'));

// A project of the shop with two folders, both of its first version; the first one is where we are.
async function two(name) {
  inFolder(`${name}-a`);
  await expect(0, ['create', name]);
  client.write('svc.json', readFileSync(join(root, 'samples/shop/svc.json'), 'utf8'));
  await expect(0, ['apply']);
  const { project } = JSON.parse(client.read('.svc/project.json'));
  inFolder(`${name}-b`);
  await expect(0, ['link', project]);
  await expect(0, ['pull']);
  inFolder(`${name}-a`);
  return project;
}

const edit = (change) => {
  const all = contract();
  change(all);
  client.write('svc.json', all);
};
const addedCopy = (text) => {
  client.write('svc.json', text);
  addField('scripted');
};
const addField = (name) => edit((all) => all.entities[0].fields.push({ name, type: 'string' }));

test('pull gets the whole contract, with its seeds and as it was laid out', async () => {
  await two('seeds');
  const text = client.read('svc.json');
  inFolder('seeds-b');
  assert.equal(client.read('svc.json'), text);
  assert.ok(contract().seeds.product.length > 0);
  assert.equal(base(), 1);
});

test('lost update: the second folder applied, and the first one gets a message', async () => {
  await two('lost');
  inFolder('lost-b');
  addField('brand');
  assert.match((await expect(0, ['apply'])).out, /^The app answers at http:\/\/preview-lost\.localhost:\d+ and at http:\/\/127\.0\.0\.1:\d+\/preview\/[0-9a-f-]+\/$/m);
  assert.equal(base(), 2);
  inFolder('lost-a');
  addField('maker');
  const mine = client.read('svc.json');
  const stale = await expect(1, ['apply']);
  assert.match(stale.err, /Version 2 is live, which owner@example\.test applied at .*based on version 1.*STALE_CONTRACT/s);
  assert.match(stale.out, /^ {2}added \/entities\/product\/fields\/brand$/m);
  assert.match(stale.out, /svc pull --merge/);
  assert.equal(JSON.parse((await expect(1, ['apply', '--json'])).out).code, 'STALE_CONTRACT');
  assert.equal(client.read('svc.json'), mine);

  assert.match((await expect(1, ['pull'])).err, /changes that are not live.*svc pull --merge/);
  assert.match((await expect(0, ['pull', '--merge'])).out, /is now based on version 2 and has your changes/);
  assert.deepEqual(contract().entities[0].fields.slice(-2).map(({ name }) => name), ['maker', 'brand']);
  await expect(0, ['apply']);
  assert.equal(base(), 3);
  assert.match((await expect(0, ['pull', '--merge'])).out, /is now based on version 3\.$/m);
});

test('a folder that was linked and not pulled does not overwrite other work silently', async () => {
  const project = await two('fresh');
  const copy = client.read('svc.json');
  addField('brand');
  await expect(0, ['apply']);
  inFolder('fresh-c');
  await expect(0, ['link', project]);
  client.write('svc.json', copy);
  const live = async () => (await stack.dev('GET', `/projects/${project}`, undefined, { expect: 200 })).json.environments.dev.contractVersion;
  const refused = await expect(1, ['apply']);
  assert.match(refused.err, /Version 2 is live, and it is not known which version svc\.json comes from.*svc pull.*svc pull --merge.*--force/);
  assert.equal(JSON.parse((await expect(1, ['apply', '--json'])).out).code, 'STALE_CONTRACT');
  await expect(0, ['apply', '--dry-run']);
  assert.equal(await live(), 2);
  await expect(0, ['pull', '--force']);
  assert.ok(contract().entities[0].fields.some(({ name }) => name === 'brand'));
  await expect(0, ['apply']);

  inFolder('fresh-d');
  await expect(0, ['link', project]);
  client.write('svc.json', copy);
  await expect(0, ['apply', '--force']);
  assert.equal(await live(), 3);
  assert.equal(base(), 3);

  inFolder('fresh-ci');  // a script in a folder without a link says itself what counts
  addedCopy(copy);
  const scripted = await expect(0, ['apply'], { env: { SVC_PROJECT: project } });
  assert.match(scripted.out, /Version 4 is live/);
});

test('pull --merge: conflicts are shown, and nothing is written until the user chooses', async () => {
  await two('both');
  inFolder('both-b');
  edit((all) => { all.app.name = 'Theirs'; });
  await expect(0, ['apply']);
  inFolder('both-a');
  edit((all) => { all.app.name = 'Mine'; });
  const mine = client.read('svc.json');
  const told = await expect(1, ['pull', '--merge']);
  assert.match(told.out, /^ {2}\/app\/name\n {4}before: "Corner Shop"\n {4}here: {3}"Mine"\n {4}live: {3}"Theirs"\n/m);
  assert.equal(client.read('svc.json'), mine);
  assert.equal(base(), 1);
  await expect(2, ['pull', '--ours']);
  await expect(0, ['pull', '--merge', '--ours']);
  assert.equal(contract().app.name, 'Mine');
  await expect(0, ['apply']);
  inFolder('both-b');
  await expect(0, ['pull']);
  assert.equal(contract().app.name, 'Mine', 'a file without changes of its own is simply replaced');
  inFolder('both-a');
  edit((all) => { all.app.name = 'Old'; });
  const { project } = JSON.parse(client.read('.svc/project.json'));
  await stack.dev('POST', `/projects/${project}/patch`, { edits: [{ op: 'set_app', app: { name: 'New' } }] }, { expect: 200 });
  await expect(0, ['apply', '--force']);
  assert.equal((await stack.dev('GET', `/projects/${project}/contract`)).json.contract.app.name, 'Old');
  edit((all) => { all.app.name = 'Older'; });
  await stack.dev('POST', `/projects/${project}/patch`, { edits: [{ op: 'set_app', app: { name: 'New' } }] }, { expect: 200 });
  await expect(0, ['pull', '--merge', '--theirs']);
  assert.equal(contract().app.name, 'New');
});

test('patch writes what it changed into svc.json, and loses no change of its own', async () => {
  await two('patched');
  client.write('ops.json', { op: 'add_field', entity: 'product', field: { name: 'colour', type: 'string' } });
  assert.match((await expect(0, ['patch', 'ops.json'])).out, /^svc\.json has the patch too\.$/m);
  const fields = () => contract().entities[0].fields.map(({ name }) => name);
  assert.ok(fields().includes('colour'));
  assert.equal(base(), 2);
  assert.ok(client.read('svc.json').includes('"sku": "TEA-1"'), 'the layout is the author\'s');
  await expect(0, ['apply']);
  assert.equal(base(), 2, 'it is what is live');

  addField('mine');
  client.write('ops.json', { edits: [{ op: 'add_field', entity: 'product', field: { name: 'weight', type: 'integer' } }] });
  assert.match((await expect(0, ['patch', 'ops.json'])).out, /has the patch too, beside its own changes/);
  for (const name of ['mine', 'weight']) assert.ok(fields().includes(name), name);
  edit((all) => { all.app.description = 'Mine'; });
  client.write('ops.json', { op: 'set_app', app: { description: 'Patched' } });
  assert.match((await expect(0, ['patch', 'ops.json'])).out, /was not changed, because .*svc pull --merge/);
  assert.equal(contract().app.description, 'Mine');

  inFolder('patched-b');
  client.write('ops.json', { op: 'set_app', app: { description: 'Late' } });
  assert.match((await expect(1, ['patch', 'ops.json'])).err, /STALE_CONTRACT/);
});

test('--project applies to another project and leaves the folder\'s link as it was', async () => {
  const project = await two('own');
  inFolder('other');
  await expect(0, ['create', 'Other']);
  client.write('svc.json', sample('hello'));
  await expect(0, ['apply']);
  const before = client.read('.svc/project.json');
  client.write('shop.json', sample('shop'));
  await expect(0, ['apply', 'shop.json', '--project', project]);
  assert.equal(client.read('.svc/project.json'), before);
  client.write('ops.json', { op: 'set_app', app: { name: 'X' } });
  await expect(0, ['patch', 'ops.json', '--project', project]);
  assert.equal(contract().app.name, 'Hello');
});

test('keys: made once the password was given, listed, revoked', async () => {
  const project = await two('keys');
  assert.match((await expect(0, ['keys'])).out, /No keys yet/);
  const refused = await expect(1, ['keys', 'create', 'jobs', '--kind', 'server']);
  assert.match(refused.err, /--password/);
  assert.match((await expect(1, ['keys', 'create', 'jobs', '--kind', 'server', '--password', 'no'])).err, /UNAUTHENTICATED/);
  const made = await expect(0, ['keys', 'create', 'jobs', '--kind', 'server', '--password', '-'], { input: `${owner.password}\n` });
  assert.match(made.out, /^dpk_s_\S+\n$/, 'the value alone, for $(…)');
  const answer = await stack.fetch('GET', `/preview/${project}/__svc/api/v1/product`, { headers: { authorization: `Bearer ${made.out.trim()}`, 'x-svc-data-api': '1' } });
  assert.equal(answer.status, 200, answer.text);
  const page = JSON.parse((await expect(0, ['keys', 'create', 'page', '--kind', 'browser', '--origin', 'https://shop.example', '--password', owner.password, '--json'])).out);
  assert.deepEqual(page.origins, ['https://shop.example']);
  const { keys } = JSON.parse((await expect(0, ['keys', 'list', '--json'])).out);
  assert.equal(keys.length, 2);
  assert.match((await expect(0, ['keys', 'list'])).out, new RegExp(`^${page.id} +page +browser +dpk_c_`, 'm'));
  assert.match((await expect(0, ['keys', 'adopt', page.id, '--password', owner.password])).out, /^Key "page" now belongs to owner@example\.test\.$/m);
  assert.match((await expect(1, ['keys', 'create', 'jobs', '--kind', 'server', '--origin', 'https://shop.example', '--password', owner.password])).err, /Only browser keys have origins/);
  await expect(0, ['keys', 'revoke', page.id]);
  assert.equal(JSON.parse((await expect(0, ['keys', '--json'])).out).keys.length, 1);
  await expect(2, ['keys', 'create', 'x']);
  await expect(2, ['keys', 'create', 'x', '--kind', 'preview']);
  assert.equal((await stack.dev('GET', '/me', undefined, { token: client.saved().token })).json.auth, 'pat', 'no session is kept');
});

test('tokens: made once the password was given, listed, revoked', async () => {
  inFolder('tokens');
  const made = await expect(0, ['tokens', 'create', 'ci', '--scope', 'read', '--days', '30', '--password', owner.password]);
  assert.match(made.out, /^svc_pat_\S+\n$/);
  const token = made.out.trim();
  const me = (await stack.dev('GET', '/me', undefined, { token, expect: 200 })).json;
  assert.deepEqual(me.scopes, ['read']);
  const { tokens } = JSON.parse((await expect(0, ['tokens', '--json'])).out);
  const { id } = tokens.find(({ name }) => name === 'ci');
  assert.match((await expect(0, ['tokens', 'list'])).out, new RegExp(`^${id} +ci +svc_pat_\\S+ +read +`, 'm'));
  assert.match((await expect(1, ['tokens', 'revoke', id])).err, /This needs the password/);
  await expect(0, ['tokens', 'revoke', id, '--password', owner.password]);
  assert.equal((await stack.dev('GET', '/me', undefined, { token })).status, 401);
  await expect(2, ['tokens', 'create', 'ci', '--scope', 'all']);
  assert.match((await expect(1, ['tokens', 'create', 'ci', '--workspace', 'nowhere', '--password', 'x'])).err, /Which workspace\?/);
});

test('client and openapi of what is live; status of every environment', async () => {
  await two('files');
  assert.match((await expect(0, ['client', '--out', 'src/client'])).out, /^Wrote \d+ files of version 1 to src\/client\.$/m);
  const shown = readdirSync(join(client.folder, 'src/client')).sort();
  assert.deepEqual(shown, readdirSync(join(root, 'generated/shop/client')).sort());
  assert.equal(client.read('src/client/types.ts'), readFileSync(join(root, 'generated/shop/client/types.ts'), 'utf8'));
  const openapi = JSON.parse((await expect(0, ['openapi'])).out);
  assert.equal(openapi.openapi, '3.1.0');
  await expect(0, ['openapi', '--out', 'api.json']);
  assert.deepEqual(JSON.parse(client.read('api.json')), openapi);
  inFolder('nothing');
  await expect(0, ['create', 'Nothing']);
  for (const command of ['client', 'openapi']) assert.match((await expect(1, [command])).err, /NO_APP/);
  assert.match((await expect(0, ['status'])).out, /^dev +nothing is applied yet$/m);

  inFolder('files-a');
  await expect(0, ['deploy', '--skip-verify', '--subdomain', 'files-live']);
  await expect(0, ['deploy', '--skip-verify', '--preview']);
  const { out } = await expect(0, ['status']);
  assert.match(out, /^dev +1 +live +http:\/\/preview-files\.localhost:\d+$/m);
  assert.match(out, /^prod +1 +live +http:\/\/files-live\.localhost:\d+$/m);
  assert.match(out, /^preview +1 +live +http:\/\/files-preview\.localhost:\d+$/m);
});
