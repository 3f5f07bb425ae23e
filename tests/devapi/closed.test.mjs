// Another unix user of the machine, and the database role of an app, find nothing of the service.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { appendFileSync, chmodSync, existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import test, { after, before } from 'node:test';
import { databaseOf } from '../lib/admin_sql.mjs';
import { Stack, appServers, until } from '../lib/stack.mjs';

const root = process.getuid() === 0;
const contract = {
  app: { name: 'Closed' },
  personas: [{ id: 'member', kind: 'consumer', signup: true }],
  entities: [{
    name: 'thing', owner: 'none',
    fields: [{ name: 'code', type: 'string', required: true, unique: true, pattern: '^[A-Za-z ]+$' }, { name: 'other', type: 'ref', to: 'thing' }],
    access: { read: '*', create: '*' },
  }],
};

let stack, one, two;
before(async () => {
  stack = await Stack.start();
  await stack.signIn();
  [one, two] = [await stack.project('One'), await stack.project('Two')];
  for (const project of [one, two]) await stack.apply(project, contract);
  await stack.dev('POST', `/projects/${one.id}/snapshots`, { env: 'dev' }, { expect: 201 });
});
after(() => stack?.stop());

// The `paths` to which nobody (uid 65534) has this right.
function open(paths, right) {
  const script = `while IFS= read -r path; do [ -${right} "$path" ] && echo "$path"; done; true`;
  const out = execFileSync('setpriv', ['--reuid=65534', '--regid=65534', '--clear-groups', 'sh', '-c', script], { input: `${paths.join('\n')}\n`, encoding: 'utf8' });
  return out.split('\n').filter(Boolean).map((path) => path.slice(stack.home.length));
}
const everything = () => execFileSync('find', [stack.home], { encoding: 'utf8', maxBuffer: 1 << 26 }).split('\n').filter(Boolean);

// An app's user passes these on the way to the files of its own app, whose folder is closed to every other user.
const toFiles = () => ['/files', ...[one, two].map(({ id }) => `/files/${id}`)];

test('another unix user reads nothing of the data folder, and enters only the ways to PostgreSQL and to files', { skip: !root }, async () => {
  const paths = everything();
  assert.ok(paths.some((path) => path.endsWith('.dump')), 'there is a snapshot');
  assert.deepEqual(open(paths, 'r').filter((path) => !path.startsWith('/run/pg/')), []);
  const folders = paths.filter((path) => statSync(path, { throwIfNoEntry: false })?.isDirectory());
  assert.deepEqual(open(folders, 'x').filter((path) => !path.startsWith('/run/apps')).sort(), ['', ...toFiles(), '/run', '/run/pg'].sort());
  assert.deepEqual(open(paths, 'w').filter((path) => !path.startsWith('/run/pg/')), []);
});

test('a folder that stood open is closed at the next start', { skip: !root }, async () => {
  for (const name of ['projects', 'cache']) chmodSync(join(stack.home, name), 0o755);
  stack.child.kill('SIGTERM');
  await stack.ended;
  await stack.run();
  for (const name of ['projects', 'cache']) assert.equal(statSync(join(stack.home, name)).mode & 0o777, 0o700);
  await until('the app to answer', async () => (await ask('GET', '')).status === 200);
});

const ask = (method, path, body) => stack.fetch(method, `/__svc/api/v1/thing${path}`, {
  host: `preview-${one.slug}.localhost`, body,
  headers: { authorization: `Bearer ${one.server}`, 'x-svc-data-api': '1' },
});

test('the role of an app may connect to no database but its own', async () => {
  const [{ env }] = appServers(one);
  for (const url of [env.DATABASE_URL, env.SVC_DATA_URL]) {
    const own = databaseOf(one);
    const connect = (database) => spawnSync('psql', ['-Xqw', '-At', '-c', 'select 1', `${url} dbname='${database}'`], { encoding: 'utf8' });
    assert.equal(connect(own).stdout.trim(), '1', connect(own).stderr);
    for (const database of ['postgres', 'template1', 'svc_platform', databaseOf(two)])
      assert.match(connect(database).stderr, /permission denied for database/, database);
    const temporary = spawnSync('psql', ['-Xqw', '-c', 'create temporary table t (a int)', url], { encoding: 'utf8' });
    assert.match(temporary.stderr, /permission denied/);
  }
});

test('PostgreSQL writes down nothing that callers said', async () => {
  const word = 'Kennwort';
  assert.equal((await ask('POST', '', { code: word })).status, 201);
  assert.equal((await ask('POST', '', { code: word })).status, 409);                           // a DETAIL
  assert.equal((await ask('POST', '', { code: `${word} 1` })).status, 400);                    // a failing row
  await ask('GET', `/${word}`);
  for (const sql of [`select '${word}'::int`, `select 1 / (length('${word}') - ${word.length})`, `select '${word}' from nowhere`])
    assert.equal((await stack.dev('POST', `/projects/${one.id}/sql`, { sql, env: 'dev' })).status, 400);
  const log = readFileSync(join(stack.home, 'postgres/server.log'), 'utf8');
  assert.match(log, /ready to accept connections/);
  assert.equal(log.includes(word), false, log);
});

test('PostgreSQL\'s log is cut, so that it takes a bounded room', async () => {
  const log = join(stack.home, 'postgres/server.log');
  appendFileSync(log, `${'a line of the log\n'.repeat(300000)}`);
  await until('it to be cut', () => statSync(log).size < 1 << 20 && existsSync(`${log}.1`));
  assert.equal(statSync(`${log}.1`).size, 1 << 20);
  assert.equal(statSync(`${log}.1`).mode & 0o777, 0o600);
  // What comes next is written where the file begins anew.
  assert.equal((await ask('GET', '')).status, 200);
});
