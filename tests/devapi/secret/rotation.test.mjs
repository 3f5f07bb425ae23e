// Another master key: what was sealed opens under it, whenever svcd is killed meanwhile; and the listening
// socket in somebody else's hands.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { after, before } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { bin, until } from '../../lib/stack.mjs';
import { databaseOf, sql } from '../../lib/admin_sql.mjs';
import { totp as code } from '../../lib/oathtool.mjs';
import { World } from '../../accounts/world.mjs';

let world;
let stack;
before(async () => {
  world = await World.start();
  ({ stack } = world);
});
after(() => world?.stop());

const keyFile = () => join(stack.home, 'master.key');

// Until it has ended, or is killed after `ms`.
async function rotate(ms) {
  const child = spawn(join(bin, 'svcd'), ['--rotate-master-key'], {
    env: { ...process.env, DATABASE_URL: '', SVC_HOME: stack.home, SVC_LISTEN: `127.0.0.1:${stack.port}` }, stdio: 'ignore',
  });
  const ended = new Promise((done) => child.on('exit', done));
  if (ms === undefined) {
    await until('the new key', async () => (await stack.fetch('GET', '/readyz').catch(() => null))?.status === 200);
    child.kill('SIGTERM');
  } else {
    await pause(ms);
    child.kill('SIGKILL');
  }
  await ended;
}

test('a rotation that is killed again and again loses nothing that was sealed', { timeout: 300000 }, async () => {
  const email = 'factor@example.test';
  const as = (await world.signUp(email)).json.token;
  const { secret } = (await world.call('POST', '/auth/mfa/enroll/start', {}, { as })).json;
  assert.equal((await world.call('POST', '/auth/mfa/enroll/confirm', { code: code(secret, -1) }, { as })).status, 200);
  await stack.dev('PUT', `/projects/${world.project.id}/secrets/SMTP_URL`, { value: 'smtp://127.0.0.1:1' }, { expect: 201 });
  const first = readFileSync(keyFile(), 'utf8');
  const [[keyId]] = sql(stack, 'svc_platform', 'select distinct key_id from project_secret');
  await stack.child.kill('SIGTERM');
  await stack.ended;

  for (const ms of [5, 20, 60, 150, 300, 500, 800, 1200]) await rotate(ms);
  await rotate();
  await stack.run();
  assert.ok(!existsSync(`${keyFile()}.next`), 'no rotation is left under way');
  assert.notEqual(readFileSync(keyFile(), 'utf8'), first);
  const [[now]] = sql(stack, 'svc_platform', 'select distinct key_id from project_secret');
  assert.notEqual(now, keyId);
  // The secret was sent to the app's servers again, so it was opened.
  assert.deepEqual(sql(stack, databaseOf(world.project), 'select name from svc.secret'), [['SMTP_URL']]);

  const login = (await world.login(email)).json;
  assert.equal(login.needsMfa, true, JSON.stringify(login));
  const done = await world.call('POST', '/auth/mfa/verify', { pending: login.pending, code: code(secret) });
  assert.equal(done.status, 200, done.text);
  const ended = await stack.dev('GET', '/me');
  assert.equal(ended.status, 401, 'sessions of builders ended');
  await stack.signIn();
});

// Holds the socket as systemd does, and starts svcd on it on each request.
const holder = `
use Socket;
use POSIX ();
my ($port, $svcd) = @ARGV;
$^F = 10; $| = 1;  # before the socket, or it is closed on exec
socket(my $s, PF_INET, SOCK_STREAM, 0) or die; setsockopt($s, SOL_SOCKET, SO_REUSEADDR, 1);
bind($s, sockaddr_in($port, INADDR_LOOPBACK)) or die $!; listen($s, 128) or die;
POSIX::dup2(fileno($s), 3) if fileno($s) != 3;
while (<STDIN>) {
  my $pid = fork();
  if (!$pid) { $ENV{LISTEN_PID} = $$; $ENV{LISTEN_FDS} = 1; exec $svcd; exit 127; }
  print "$pid\\n";
}`;

test('a socket that is held for svcd: clients that connect meanwhile wait and get an answer', { timeout: 120000 }, async () => {
  stack.child.kill('SIGTERM');
  await stack.ended;
  const env = { ...process.env, SVC_HOME: stack.home, SVC_LISTEN: `127.0.0.1:${stack.port}` };
  delete env.DATABASE_URL;
  const perl = spawn('perl', ['-e', holder, String(stack.port), join(bin, 'svcd')], { env, stdio: ['pipe', 'pipe', 'ignore'] });
  const start = () => new Promise((done) => {
    perl.stdout.once('data', (data) => done(Number(String(data).split('\n')[0])));
    perl.stdin.write('start\n');
  });
  try {
    let pid = await start();
    assert.equal((await stack.fetch('GET', '/readyz')).status, 200);
    const ask = () => world.call('GET', '/auth/signup-options');
    assert.equal((await ask()).status, 200);
    process.kill(pid, 'SIGKILL');
    const waiting = [ask(), ask(), ask()];
    pid = await start();
    for (const answer of await Promise.all(waiting)) assert.equal(answer.status, 200);
    process.kill(pid, 'SIGTERM');
    await until('svcd to end', () => !existsSync(`/proc/${pid}`) || readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z '));
  } finally {
    perl.stdin.end();
    perl.kill();
  }
  await stack.run();
});
