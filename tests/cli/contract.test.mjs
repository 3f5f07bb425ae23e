// A contract's way through the client: check, apply, pull; then deploys, snapshots and going back.
import assert from 'node:assert/strict';
import test from 'node:test';
import { sample } from '../lib/stack.mjs';
import { misspelt, served } from './client.mjs';

const escapes = /\x1b\[/;
let stack, client;
served((made) => { ({ stack, client } = made); });

const expect = (...asked) => client.expect(...asked);
const linked = (name) => client.linked(name);

test('check: a good contract and bad ones', async () => {
  await linked('Check');
  assert.match((await expect(2, ['check'])).err, /There is no file "svc\.json"/);
  client.write('svc.json', sample('hello'));
  assert.match((await expect(0, ['check'])).out, /svc\.json is valid\.$/m);

  const bad = misspelt();
  delete bad.entities[0].access;  // which is warned of
  client.write('bad.json', bad);
  const { out, err } = await expect(1, ['check', 'bad.json']);
  const lines = client.read('bad.json').split('\n');
  const line = lines.findIndex((text) => text.includes('nunber'));
  const place = /^bad\.json:(\d+):(\d+): error: .*\[[A-Z_]+\]$/m.exec(out);
  assert.ok(place, out + err);
  assert.equal(Number(place[1]), line + 1);
  const shown = out.split('\n');
  const caret = shown.indexOf(place[0]) + 2;  // a warning may stand before it
  assert.equal(shown[caret - 1], `  ${lines[line]}`);
  assert.equal(shown[caret].indexOf('^') - 2, Number(place[2]) - 1);
  assert.equal(lines[line][Number(place[2]) - 1], '"');
  assert.match(out, /^ *fix: .*number/m);
  assert.match(out, /^1 error, 1 warning$/m);

  client.write('bad.json', '{"app": {"name": "Hello",}}\n');
  assert.match((await expect(1, ['check', 'bad.json'])).out, /^bad\.json:1:\d+: error: This is not JSON.*\[SYNTAX\]$/m);
});

test('check and workflows show when the clock starts what', async () => {
  await linked('Clock');
  const contract = sample('hello');
  contract.workflows = [
    { id: 'morning', on: { cron: '30 7 * * *', tz: 'Asia/Tokyo' }, steps: [{ id: 'note', set: { done: true } }] },
    { id: 'tick', on: { every: '2h' }, steps: [{ id: 'note', set: { done: true } }] }];
  client.write('svc.json', contract);
  const morning = /^morning starts next, by the clocks of Asia\/Tokyo:\n(?:  (?:20\S+ 07:30 \+09:00(?:,  )?){1,3}\n){4}tick starts next, by the clocks of UTC:\n  20/m;
  assert.match((await expect(0, ['check'])).out, morning);
  await expect(0, ['apply']);
  const { out } = await expect(0, ['workflows']);
  assert.match(out, /^morning +at 30 7 \* \* \* Asia\/Tokyo +0 +0/m);
  assert.match(out, morning);
});

test('apply: stages, what changed, and refusals', async () => {
  await linked('Apply');
  client.write('svc.json', sample('hello'));
  const { out } = await expect(0, ['apply']);
  assert.match((await expect(0, ['status'])).out, /^dev +1 +live +http:[^]*\n20\S+ +apply +applied +1\b/m);
  for (const stage of ['check', 'emit', 'build', 'start', 'migrate', 'swap']) {
    assert.match(out, new RegExp(`^  ${stage} +done +[0-9.]+ m?s`, 'm'));
  }
  assert.match(out, /^ {2}reading: create table/m);
  assert.ok(!escapes.test(out));

  client.write('svc.json', misspelt());
  const refused = await expect(1, ['apply']);
  assert.match(refused.out, /^svc\.json:\d+:\d+: error: /m);
  assert.match(refused.err, /CONTRACT_INVALID/);
  assert.ok(!escapes.test(refused.out + refused.err));
});

test('apply writes who may call which connector into the folder', async () => {
  await linked('Allowed');
  const place = '.svc/connector-allowlist.json', contract = sample('hello');
  const applied = async (more) => {
    client.write('svc.json', { ...contract, ...more });
    await expect(0, ['apply']);
  };
  await applied({});
  assert.throws(() => client.read(place), { code: 'ENOENT' });
  const allow = ['crm/find', { action: 'crm/add', to: ['server'] }];
  const action = (name) => ({ name, method: 'GET', path: `/${name}` });
  await applied({ connectors: { integrations: [{ id: 'crm', baseUrl: 'https://crm.example', actions: ['find', 'add'].map(action) }], allow } });
  assert.deepEqual(JSON.parse(client.read(place)), { allow });
  await applied({ app: { ...contract.app, name: 'Alone' } });
  assert.deepEqual(JSON.parse(client.read(place)), { allow: [] });
});

test('check and apply report who may do more or less than in the live contract', async () => {
  await linked('Exposure');
  const contract = sample('hello');
  client.write('svc.json', contract);
  const table = (await expect(0, ['check', '--exposure'])).out;
  assert.match(table, /^  member  read     user_id == user\.id  every field$/m);
  assert.doesNotMatch(table, /compared with the live contract/, 'nothing is live yet');
  await expect(0, ['apply']);
  contract.entities[0].access = { read: '*', create: 'member' };
  client.write('svc.json', contract);
  for (const command of ['check', 'apply']) {
    const { out } = await expect(0, [command]);
    assert.match(out, /Who may do what, compared with the live contract:\n  widened: guest may now read all rows of reading \(before: no rows\)\.\n/);
    assert.match(out, /\n  narrowed: member may no longer update reading/);
  }
  assert.doesNotMatch((await expect(0, ['check'])).out, /compared with the live contract/);
});

test('apply --dry-run: what would change, with its statements, and nothing else', async () => {
  const id = await linked('Dry');
  client.write('svc.json', sample('hello'));
  const shown = (await expect(0, ['apply', '--dry-run'])).out;
  assert.match(shown, /^ {2}reading: create table/m);
  assert.match(shown, /Nothing was done\./);
  assert.match((await expect(0, ['apply', '--dry-run', '--sql'])).out, /^create table public\.reading \($/m);
  assert.equal((await stack.dev('GET', `/projects/${id}`)).json.state.built, false);
  client.write('svc.json', misspelt());
  assert.match((await expect(1, ['apply', '--dry-run'])).out, /UNKNOWN_VALUE/);
});

test('apply: one at a time', async () => {
  await linked('Busy');
  client.write('svc.json', sample('shop'));
  const ends = await Promise.all(Array.from({ length: 4 }, () => client.svc(['apply'])));
  assert.equal(ends.filter((end) => end.code === 0).length, 1, JSON.stringify(ends));
  for (const end of ends.filter((e) => e.code !== 0)) {
    assert.equal(end.code, 1);
    assert.match(end.err, /PROJECT_BUSY/);
  }
});

test('pull: gets the contract, and keeps a file that has changes of its own', async () => {
  const id = await linked('Pull');
  assert.match((await expect(1, ['pull'])).err, /no live contract yet/);
  client.write('svc.json', sample('hello'));
  await expect(0, ['apply']);

  client.folder = client.subfolder('pulled');
  await expect(0, ['link', id]);
  assert.match((await expect(0, ['pull'])).out, /Wrote svc\.json/);
  const contract = JSON.parse(client.read('svc.json'));
  assert.deepEqual(contract.entities, sample('hello').entities);
  await expect(0, ['pull']);
  await expect(0, ['apply']);

  const changed = client.read('svc.json').replace('Hello', 'My own');
  client.write('svc.json', changed);
  assert.match((await expect(1, ['pull'])).err, /changes that are not live/);
  assert.equal(client.read('svc.json'), changed);
  await expect(0, ['pull', '--force']);
  assert.match(client.read('svc.json'), /Hello/);
  assert.deepEqual(JSON.parse((await expect(0, ['pull', '-'])).out), JSON.parse(client.read('svc.json')));
});

test('deploy shows what the answer warns of', async () => {
  await linked('Warned');
  const contract = sample('hello');
  contract.auth = { providers: [{ id: 'work', issuer: 'https://login.example', clientId: 'club', clientSecret: 'secret:WORK_SECRET' }] };
  client.write('svc.json', contract);
  await expect(0, ['apply']);
  const end = await expect(0, ['deploy', '--skip-verify']);
  assert.match(end.err, /^svc: warning: .*no secret WORK_SECRET for prod/m);
});

test('deploy, deploys, rollback, snapshots and restore', async () => {
  const project = await linked('Published');
  assert.match((await expect(1, ['deploy', '--skip-verify'])).err, /Apply a contract first/);
  client.write('svc.json', sample('hello'));
  await expect(0, ['apply']);
  const first = await expect(0, ['deploy', '--skip-verify']);
  assert.match(first.out, /^ {2}promote +done .*already compiled on dev$/m);
  assert.match(first.out, /^Version 1 is live at http:\/\/published\.localhost:\d+$/m);
  assert.doesNotMatch(first.out, escapes);
  assert.match((await expect(1, ['deploy', '--skip-verify', '--subdomain', 'preview-x'])).err, /DNS label/);
  const json = JSON.parse((await expect(0, ['--json', 'deploy', '--skip-verify', '--subdomain', 'shown'])).out);
  assert.equal(json.deployment.status, 'live');
  const { deployments } = JSON.parse((await expect(0, ['deploys', '--json'])).out);
  const listed = (await expect(0, ['deploys', 'list', '--limit', '5'])).out;
  for (const { id, status } of deployments) assert.match(listed, new RegExp(`^${id} +${status} `, 'm'));
  const back = await expect(0, ['deploys', 'rollback', deployments[1].id]);
  assert.match(back.out, /is live again at/);
  await expect(1, ['deploys', 'rollback', deployments[1].id]);
  await expect(2, ['deploys', '--limit', '0']);
  await expect(2, ['deploys', 'rollback']);

  const made = await expect(0, ['snapshots', 'create', '--note', 'By hand']);
  const [, id] = /Snapshot (\S+) of prod/.exec(made.out);
  assert.match((await expect(0, ['snapshots', '--env', 'prod'])).out, new RegExp(`^${id} +prod +manual .*By hand`, 'm'));
  assert.match((await expect(0, ['snapshots', 'list', '--env', 'dev'])).out, /^No snapshots yet/);
  const restored = await expect(0, ['snapshots', 'restore', id, '--yes']);
  assert.match(restored.out, /^Restored prod\. The replaced database is kept as snapshot /m);
  await expect(1, ['snapshots', 'restore', '01900000-0000-7000-8000-000000000000', '--yes']);
  await expect(2, ['snapshots', 'create', '--env', 'all']);
  const preview = await expect(0, ['deploy', '--preview', '--skip-verify', '--project', project]);
  assert.match(preview.out, /published-preview\.localhost/);
  assert.match((await expect(0, ['deploys', '--preview'])).out, /published-preview/);
  assert.match((await expect(0, ['preview', 'delete', '--yes'])).out, /preview environment and its rows are deleted/);
  assert.match((await expect(1, ['preview', 'delete', '--yes'])).err, /Preview environment not found/);
  await expect(2, ['preview']);
});
