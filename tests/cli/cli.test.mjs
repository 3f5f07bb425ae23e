// The client `svc` against a real service: its help, its projects, its output, and which service and project it means.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { freePort, owner, sample } from '../lib/stack.mjs';
import { misspelt, password, served } from './client.mjs';

const escapes = /\x1b\[/;
let stack, client;
served((made) => { ({ stack, client } = made); });

const expect = (...asked) => client.expect(...asked);
const linked = (name) => client.linked(name);

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

test('--api names the service before a command and after it; an option of a command says where it belongs', async () => {
  await linked('Elsewhere');
  const api = `http://127.0.0.1:${stack.port}/dev/v1`, closed = `http://127.0.0.1:${await freePort()}/dev/v1`;
  for (const words of [['--api', api, 'login', ...password], ['login', '--api', api, ...password], ['whoami', `--api=${api}`], ['--api', api, 'projects']])
    await expect(0, words);
  for (const words of [['--api', closed, 'projects'], ['projects', '--api', closed]])
    assert.match((await expect(1, words)).err, /Nothing answers at .* or name another with --api or SVC_API/);
  await expect(0, ['whoami']);
  assert.match((await expect(2, ['--email', owner.email, 'login'])).err, /The option --email belongs after the command: svc login --email\./);
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
