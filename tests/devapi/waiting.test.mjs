// A long call that waits for its place is carried out for who may still ask for it then.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import test, { after, before } from 'node:test';
import { asAdmin, databaseOf, sql } from '../lib/admin_sql.mjs';
import { Stack, sample, until } from '../lib/stack.mjs';
import { Team, outcome } from '../lib/team.mjs';

let stack, team, project;
before(async () => {
  stack = await Stack.start({ SVC_LONG_CALLS: '1' });
  await stack.signIn();
  team = new Team(stack);
  project = await stack.project('Waits');
  await stack.apply(project, sample('hello'));
});
after(() => stack?.stop());

const at = (rest) => `/projects/${project.id}${rest}`;
const platform = (text) => sql(stack, 'svc_platform', text);
const mint = async ({ session }) => (await stack.dev('POST', '/tokens',
  { name: 'waits', workspaceId: stack.workspace, scopes: ['read', 'apply', 'deploy'] }, { token: session, expect: 201 })).json;

// No apply begins until the answer is called; or what else waits for the lock.
async function hold(database = 'svc_platform', lock = 'apply_run in share mode') {
  const { args, env } = asAdmin(stack, database);
  const holder = spawn('psql', args, { env, stdio: ['pipe', 'pipe', 'inherit'] });
  holder.stdin.write(`begin; lock table ${lock}; select 'held';\n`);
  await new Promise((done) => holder.stdout.once('data', done));
  return async () => {
    const gone = new Promise((done) => holder.once('exit', done));
    holder.stdin.end('rollback;\n');
    await gone;
  };
}

test('a caller who is removed or lowered, or whose token is revoked, while a call waits is refused', async () => {
  const [removed, lowered, stays] = [await team.person('removed@team.test', 'developer'), await team.person('lowered@team.test', 'developer'),
    await team.person('stays@team.test', 'developer')];
  const revoked = await mint(stays), lost = await mint(removed), kept = await mint(stays);
  const release = await hold();
  const first = stack.dev('POST', at('/apply'), { contract: sample('hello') });
  await until('the apply to be held', () => platform("select 1 from pg_locks where relation = 'apply_run'::regclass and not granted").length);
  const deploy = (token) => stack.dev('POST', at('/deploy'), { skipVerify: true }, { token });
  const write = (token) => stack.dev('POST', at('/sql'), { sql: 'select count(*) as n from reading' }, { token });
  const waiting = [deploy(removed.session), deploy(lowered.session), ...[revoked, lost, kept].map(({ token }) => write(token))];
  await until('all to wait', () => platform('select 1 from token where last_used_at is not null').length === 3);
  await team.remove(removed.id, { expect: 200 });
  await stack.dev('PUT', team.path(`/${lowered.id}`), { role: 'viewer' }, { expect: 200 });
  await stack.dev('DELETE', `/tokens/${revoked.id}`, undefined, { token: stays.session, expect: 200 });
  await release();
  assert.equal((await first).status, 200);
  const answers = await Promise.all(waiting);
  assert.deepEqual(answers.map(outcome), ['404', '403 FORBIDDEN_ROLE', '401 UNAUTHENTICATED', '401 UNAUTHENTICATED', '200']);
  assert.deepEqual((await stack.dev('GET', at('/deploys'), undefined, { expect: 200 })).json.deployments, [], 'nothing was published');
  const noted = platform("select email, status, code from audit where action = 'POST /projects/:id/deploy' order by email");
  assert.deepEqual(noted, [['lowered@team.test', '403', 'FORBIDDEN_ROLE'], ['removed@team.test', '404', '']], 'each of them once');
});

test('a check of files has a place among the long calls, and reads wait for none', async () => {
  const database = databaseOf(project);
  const second = await mint(await team.person('second@team.test', 'developer'));
  const release = await hold(database, 'svc.file in access exclusive mode');
  const waiting = () => sql(stack, database, "select 1 from pg_locks where relation = 'svc.file'::regclass and not granted").length;
  const check = (how) => stack.dev('GET', at('/files/check'), undefined, how);
  const first = check();
  await until('the check to be held', () => waiting() === 1);
  const other = check({ token: second.token });
  await until('the other one to have come', () => platform(`select 1 from token where id = '${second.id}' and last_used_at is not null`).length === 1);
  assert.equal((await stack.dev('GET', at(''))).status, 200);
  assert.equal(waiting(), 1);
  await release();
  assert.deepEqual([(await first).status, (await other).status], [200, 200]);
});
