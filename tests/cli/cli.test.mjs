// The client `svc` against a real service: every command, its exit code, and what it says.
import assert from 'node:assert/strict';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import test, { after, before } from 'node:test';
import { Stack, freePort, owner, sample } from '../lib/stack.mjs';
import { Client } from './client.mjs';

const escapes = /\x1b\[/;
let stack, client;
before(async () => {
  stack = await Stack.start();
  await stack.signIn();
  client = new Client(stack);
});
after(async () => {
  client?.remove();
  await stack?.stop();
});

const password = ['--email', owner.email, '--password', owner.password];

async function expect(code, args, options) {
  const end = await client.svc(args, options);
  assert.equal(end.code, code, `svc ${args.join(' ')}: ${end.code}\n${end.out}${end.err}`);
  return end;
}

// A signed-in client in a new folder that is linked to a new project; its id.
async function linked(name) {
  if (!existsSync(client.config) || !client.saved().token) await expect(0, ['login', ...password]);
  client.folder = client.subfolder(name);
  await expect(0, ['create', name]);
  return JSON.parse(client.read('.svc/project.json')).project;
}

const misspelt = () => {
  const contract = sample('hello');
  contract.entities[0].fields[1].type = 'nunber';
  return contract;
};

test('version, help, and command lines that are wrong', async () => {
  assert.equal((await expect(0, ['--version'])).out, 'svc 0.1.0\n');
  assert.equal((await expect(0, ['version'])).out, 'svc 0.1.0\n');
  const help = (await expect(0, ['--help'])).out;
  for (const command of ['login', 'logout', 'whoami', 'projects', 'create', 'link', 'pull', 'check', 'apply', 'status', 'query', 'deploy', 'deploys', 'snapshots', 'keys', 'tokens', 'client', 'openapi', 'docs', 'version']) {
    assert.match(help, new RegExp(`^  ${command} `, 'm'));
  }
  assert.match((await expect(2, ['aply'])).err, /Unknown command "aply"\. Did you mean "apply"\?/);
  assert.match((await expect(2, ['apply', '--forse'])).err, /Unknown option "--forse"\. Did you mean "--force"\?/);
  assert.match((await expect(2, ['whoami', 'me'])).err, /Unexpected "me" after svc whoami/);
  await expect(2, []);
  await expect(2, ['create']);
});

test('nobody is signed in', async () => {
  const end = await expect(1, ['whoami']);
  assert.match(end.err, /UNAUTHENTICATED/);
  assert.match(end.err, /svc login --email/);
  assert.match((await expect(1, ['logout'])).err, /Nobody is signed in/);
  assert.match((await expect(1, ['members', 'join', 'http://127.0.0.1:1/join?token=x'])).err, /Open the link in a browser/);
});

test('login: wrong, incomplete, with a password, and read from standard input', async () => {
  assert.match((await expect(2, ['login', '--email', owner.email])).err, /--password/);
  await expect(2, ['login', '--password', 'x']);
  await expect(2, ['login', '--token', 'x', ...password]);
  assert.match((await expect(1, ['login', '--email', owner.email, '--password', 'no'])).err, /UNAUTHENTICATED/);
  assert.ok(!existsSync(client.config), 'a refused sign-in leaves nothing');

  const end = await expect(0, ['login', ...password]);
  assert.match(end.out, /Signed in as owner@example\.test at http:/);
  assert.equal(statSync(client.config).mode & 0o777, 0o600);
  assert.equal(statSync(join(client.config, '..')).mode & 0o777, 0o700);
  assert.ok(!end.out.includes(client.saved().token));
  await expect(0, ['login', '--email', owner.email, '--password', '-'], { input: `${owner.password}\n` });
  const typed = await client.terminal(['login', '--email', owner.email], {}, { input: `${owner.password}\n`, when: /Password of / });
  assert.equal(typed.code, 0, typed.out);
  assert.ok(!typed.out.includes(owner.password));
});

test('whoami, and logout, which revokes the token', async () => {
  await expect(0, ['login', ...password]);
  const { out } = await expect(0, ['whoami']);
  assert.match(out, /owner@example\.test at /);
  assert.match(out, /signed in with pat, scopes read, apply, deploy/);
  assert.match(out, /^workspace +role +id$/m);

  const { token } = client.saved();
  assert.match((await expect(0, ['logout'])).out, /token is revoked/);
  assert.equal(client.saved().token, undefined);
  assert.equal(statSync(client.config).mode & 0o777, 0o600);
  assert.equal((await stack.dev('GET', '/me', undefined, { token })).status, 401);
});

test('login with a token, which logout forgets and does not revoke', async () => {
  const body = { name: 'mine', workspaceId: stack.workspace, scopes: ['read'] };
  const { token } = (await stack.dev('POST', '/tokens', body, { expect: 201 })).json;
  await expect(1, ['login', '--token', 'svc_pat_wrong']);
  await expect(0, ['login', '--token', token]);
  assert.equal(client.saved().token, token);
  await expect(0, ['login', '--token', '-'], { input: `${token}\n` });
  const refused = await expect(1, ['create', 'No']);
  assert.match(refused.err, /FORBIDDEN_SCOPE/);
  assert.match((await expect(0, ['logout'])).out, /stays valid/);
  assert.equal((await stack.dev('GET', '/me', undefined, { token })).status, 200);
});

test('a saved sign-in is sent to the service that gave it, and to no other', async () => {
  await expect(0, ['login', ...password]);
  await expect(0, ['whoami'], { env: { SVC_API: '' } });
  const sameOtherwise = `http://localhost:${stack.port}/dev/v1`;
  assert.match((await expect(1, ['whoami'], { env: { SVC_API: sameOtherwise } })).err, /UNAUTHENTICATED/);
});

test('SVC_TOKEN stands before the saved sign-in', async () => {
  await expect(0, ['login', ...password]);
  await expect(1, ['whoami'], { env: { SVC_TOKEN: 'svc_pat_wrong' } });
  const { out } = await expect(0, ['whoami'], { env: { SVC_TOKEN: stack.session } });
  assert.match(out, /signed in with session/);
});

test('projects, create, link', async () => {
  const id = await linked('First');
  const link = JSON.parse(client.read('.svc/project.json'));
  assert.deepEqual(link, { project: id, name: 'First' });
  const { out } = await expect(0, ['projects']);
  assert.match(out, /^name +slug +updated +id$/m);
  assert.match(out, new RegExp(`^First +first .*${id}$`, 'm'));

  client.folder = client.subfolder('elsewhere');
  assert.match((await expect(2, ['check'])).err, /svc link/);
  assert.match((await expect(1, ['link', '00000000-0000-4000-8000-000000000000'])).err, /Project not found/);
  assert.ok(!existsSync(join(client.folder, '.svc')));
  assert.match((await expect(0, ['link', id])).out, /linked to First/);
  assert.equal(JSON.parse(client.read('.svc/project.json')).project, id);
});

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

test('check and apply tell who may do more or less than in what is live', async () => {
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

test('query: rows in columns, --where and --limit', async () => {
  const id = await linked('Query');
  client.write('svc.json', sample('hello'));
  await expect(0, ['apply']);
  const body = { name: 'server', kind: 'server' };
  const { key } = (await stack.dev('POST', `/projects/${id}/keys`, body, { expect: 201 })).json;
  for (const value of [1.5, 2.5, 20]) {
    const answer = await stack.fetch('POST', `/preview/${id}/__svc/api/v1/reading`, {
      headers: { authorization: `Bearer ${key}`, 'x-svc-data-api': '1' }, body: { day: '2026-01-31', value },
    });
    assert.equal(answer.status, 201, answer.text);
  }
  const all = (await expect(0, ['query', 'reading'])).out;
  assert.match(all, /^id .*day .*value/m);
  assert.match(all, /^3 rows$/m);
  const one = (await expect(0, ['query', 'reading', '--where', 'value=2.5', '--where', 'day=2026-01-31'])).out;
  assert.match(one, /2\.5/);
  assert.match(one, /^1 row$/m);
  assert.match((await expect(0, ['query', 'reading', '--limit', '2'])).out, /^2 rows, and there are more \(--limit\)$/m);
  assert.match((await expect(1, ['query', 'nothing'])).err, /There is no table .nothing./);
  assert.match((await expect(2, ['query', 'reading', '--where', 'value'])).err, /column=value/);
  await expect(2, ['query', 'reading', '--limit', '0']);
  await expect(2, ['query']);
});

test('secrets: kept, listed by name, forgotten; a value is never shown', async () => {
  await linked('Secrets');
  const kept = await expect(0, ['secrets', 'set', 'OLD_DB', '-'], { input: 'postgres://me:hidden@db/old\n' });
  assert.match(kept.out, /OLD_DB is set for all/);
  await expect(0, ['secrets', 'set', 'OLD_DB', 'x', '--env', 'dev']);
  const { out } = await expect(0, ['secrets', 'list']);
  assert.match(out, /OLD_DB +all/);
  assert.match(out, /OLD_DB +dev/);
  assert.ok(!out.includes('hidden'));
  assert.equal((await expect(0, ['secrets'])).out, out);
  await expect(0, ['secrets', 'set', 'LIVE', 'x', '--env', 'prod']);
  for (const [env, names] of Object.entries({ dev: ['OLD_DB all', 'OLD_DB dev'], prod: ['LIVE prod', 'OLD_DB all'], all: ['OLD_DB all'] })) {
    for (const words of [['secrets', 'list', '--env', env], ['secrets', '--env', env], ['secrets', `--env=${env}`, 'list']]) {
      const { secrets } = JSON.parse((await expect(0, ['--json', ...words])).out);
      assert.deepEqual(secrets.map((one) => `${one.name} ${one.env}`).sort(), names, words.join(' '));
      const listed = (await expect(0, words)).out;
      assert.equal(/LIVE/.test(listed), env === 'prod', listed);
      assert.equal(/OLD_DB +dev/.test(listed), env === 'dev', listed);
    }
  }
  await expect(0, ['secrets', 'delete', 'LIVE']);
  await expect(2, ['secrets', 'list', '--env', 'test']);
  await expect(0, ['secrets', 'delete', 'OLD_DB']);
  assert.match((await expect(1, ['secrets', 'delete', 'OLD_DB'])).err, /SECRET_NOT_FOUND/);
  assert.match((await expect(0, ['secrets', '--env', 'prod'])).out, /No secrets for prod yet/);
  await expect(2, ['secrets', 'set', 'OLD_DB', 'x', '--env', 'test']);
  await expect(2, ['secrets', 'set', 'OLD_DB']);
});

test('--api names the service before a command and behind it; an option of a command says where it belongs', async () => {
  await linked('Elsewhere');
  const api = `http://127.0.0.1:${stack.port}/dev/v1`, closed = `http://127.0.0.1:${await freePort()}/dev/v1`;
  for (const words of [['--api', api, 'login', ...password], ['login', '--api', api, ...password], ['whoami', `--api=${api}`], ['--api', api, 'projects']])
    await expect(0, words);
  for (const words of [['--api', closed, 'projects'], ['projects', '--api', closed]])
    assert.match((await expect(1, words)).err, /Nothing answers at .* or name another with --api or SVC_API/);
  await expect(0, ['whoami']);
  assert.match((await expect(2, ['--email', owner.email, 'login'])).err, /The option --email belongs behind the command: svc login --email\./);
  assert.match((await expect(2, ['--input', '{}', 'run', 'workflow', 'x'])).err, /svc run workflow --input\./);
  assert.match((await expect(2, ['--emial', 'x', 'login'])).err, /Unknown option "--emial"\. Did you mean "--email"\?/);
});

test('docs', async () => {
  const { out } = await expect(0, ['docs']);
  assert.match(out, /^# /m);
  assert.match(out, /entities/);
});

test('SVC_PROJECT and --project name another project than the folder', async () => {
  const first = await linked('Named');
  client.write('svc.json', sample('hello'));
  await expect(0, ['apply']);
  const second = await linked('Empty');
  assert.match((await expect(1, ['pull', '-'])).err, /no live contract yet/);
  await expect(0, ['pull', '-'], { env: { SVC_PROJECT: first } });
  await expect(0, ['pull', '-', '--project', first], { env: { SVC_PROJECT: second } });
});

test('--json: the bytes of the service and nothing else, refusals too', async () => {
  const id = await linked('Bytes');
  client.write('svc.json', sample('hello'));
  const { token } = client.saved();
  const same = async (args, method, path, code = 0) => {
    const { out, err } = await expect(code, [...args, '--json']);
    const answer = await stack.dev(method, path, undefined, { token });
    assert.equal(out, answer.text);
    assert.equal(err, '');
  };
  await same(['whoami'], 'GET', '/me');
  await same(['projects'], 'GET', '/projects');
  await same(['pull', '-'], 'GET', `/projects/${id}/contract`, 1);
  await same(['link', 'nonsense'], 'GET', '/projects/nonsense', 1);

  assert.equal(JSON.parse((await expect(0, ['check', '--json'])).out).report.ok, true);
  const applied = JSON.parse((await expect(0, ['apply', '--json'])).out);
  assert.equal(applied.report.ok, true);
  client.write('svc.json', misspelt());
  const refused = JSON.parse((await expect(1, ['--json', 'apply'])).out);
  assert.equal(refused.code, 'CONTRACT_INVALID');
  assert.equal(JSON.parse((await expect(1, ['check', '--json'])).out).report.ok, false);
  assert.deepEqual(JSON.parse((await expect(0, ['query', 'reading', '--json'])).out).rows, []);
});

test('a service that is not there', async () => {
  const SVC_API = `http://127.0.0.1:${await freePort()}/dev/v1`;
  assert.match((await expect(1, ['projects'], { env: { SVC_API } })).err, /Nothing answers at /);
  const { out } = await expect(1, ['projects', '--json'], { env: { SVC_API } });
  assert.equal(JSON.parse(out).code, 'UNREACHABLE');
  assert.match((await expect(1, ['projects'], { env: { SVC_API: 'nonsense' } })).err, /is not the URL/);
});

test('colours on a terminal, unless NO_COLOR says otherwise; none in a pipe', async () => {
  await linked('Colours');
  client.write('svc.json', misspelt());
  const plain = await expect(1, ['check']);
  assert.ok(!escapes.test(plain.out + plain.err));
  const coloured = await client.terminal(['check']);
  assert.equal(coloured.code, 1, coloured.out + coloured.err);
  assert.match(coloured.out, /\x1b\[1;31merror:/);
  const asked = await client.terminal(['check'], { NO_COLOR: '1' });
  assert.ok(!/\x1b\[[0-9;]*m/.test(asked.out), asked.out);
  assert.ok(!/\x1b\[[0-9;]*m/.test((await client.terminal(['check'], { TERM: 'dumb' })).out));

  client.write('svc.json', sample('hello'));
  const applied = await client.terminal(['apply']);
  assert.equal(applied.code, 0, applied.out);
  assert.match(applied.out, /\r {2}build +running /, 'the running stage is shown as it runs');
  assert.match(applied.out, /build +\x1b\[32mdone/);
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
  assert.match(restored.out, /^Restored\. The replaced database is kept as snapshot /m);
  await expect(1, ['snapshots', 'restore', '01900000-0000-7000-8000-000000000000', '--yes']);
  await expect(2, ['snapshots', 'create', '--env', 'all']);
  const preview = await expect(0, ['deploy', '--preview', '--skip-verify', '--project', project]);
  assert.match(preview.out, /published-preview\.localhost/);
  assert.match((await expect(0, ['deploys', '--preview'])).out, /published-preview/);
  assert.match((await expect(0, ['preview', 'delete', '--yes'])).out, /preview environment and its rows are deleted/);
  assert.match((await expect(1, ['preview', 'delete', '--yes'])).err, /Preview environment not found/);
  await expect(2, ['preview']);
});
