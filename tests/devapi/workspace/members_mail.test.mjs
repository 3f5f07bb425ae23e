// Invitations where svcd has a mail server: the link goes only to the mailbox, so opening it proves the address.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import test, { after, before } from 'node:test';
import { fileURLToPath } from 'node:url';
import { sql } from '../../lib/admin_sql.mjs';
import { packages } from '../../lib/npm.mjs';
import { Stack, bin, freePort, until } from '../../lib/stack.mjs';
import { Team, outcome } from '../../lib/team.mjs';

const { SMTPServer } = packages(join(dirname(fileURLToPath(import.meta.url)), '../../accounts'))('smtp-server');
const taken = [];
let stack, team, server, port;

async function listen() {
  server = new SMTPServer({
    authOptional: true, disabledCommands: ['STARTTLS'], logger: false,
    onRcptTo: (address, _session, done) => done(address.address === 'nobox@team.test' ? Object.assign(new Error('no such mailbox'), { responseCode: 550 }) : null),
    onData(stream, session, done) {
      const pieces = [];
      stream.on('data', (piece) => pieces.push(piece));
      stream.on('end', () => { taken.push({ to: session.envelope.rcptTo[0].address, from: session.envelope.mailFrom.address, text: Buffer.concat(pieces).toString() }); done(); });
    },
  });
  await new Promise((ready) => server.listen(port, '127.0.0.1', ready));
}
const mailTo = (email, count = 1) => until(`mail ${count} to ${email}`, () => taken.filter(({ to }) => to === email)[count - 1]);
const linkIn = (mail) => /(http:\S+token=\S+)/.exec(Buffer.from(mail.text.split('\r\n\r\n')[1], 'base64').toString())[1];
// Invites the owner of the mailbox. Returns the link, which only they can read.
async function mailed(email, role, options = {}) {
  const before = taken.filter(({ to }) => to === email).length;
  const { json } = await team.invite(email, role, { expect: 201, ...options });
  assert.deepEqual(json, { userId: json.userId, joinUrl: null, setupUrl: null, pending: true, mailed: true });
  return { id: json.userId, link: linkIn(await mailTo(email, before + 1)) };
}
const memberOf = async (email, workspace) => (await team.list({ workspace })).find((one) => one.email === email);

before(async () => {
  port = await freePort();
  await listen();
  stack = await Stack.start({ SVC_SMTP_URL: `smtp://127.0.0.1:${port}/?from=svc%20%3Csvc%40example.test%3E` });
  await stack.signIn();
  team = new Team(stack);
});
after(async () => {
  await stack?.stop();
  await new Promise((done) => server.close(done));
});

test('the link is mailed, shown to nobody else, proves the address, and is kept no longer than it waits', async () => {
  const { link, id } = await mailed('ann@team.test', 'developer');
  assert.equal(taken[0].from, 'svc@example.test');
  const waiting = await memberOf('ann@team.test');
  assert.deepEqual([waiting.userId, waiting.pending, waiting.joinedAt], [id, true, null]);
  await until('the mail to be gone', () => sql(stack, 'svc_platform', 'select count(*) from outgoing_mail')[0][0] === '0');
  assert.equal((await memberOf('ann@team.test')).mail, 'sent');
  const token = new URL(link).searchParams.get('token');
  for (const { text } of [await stack.dev('GET', team.path()), await stack.dev('GET', `/workspaces/${stack.workspace}/audit`)]) assert.ok(!text.includes(token));
  assert.equal((await team.joinPage(link, 'of ann herself')).status, 200);
  assert.deepEqual(sql(stack, 'svc_platform', "select proven_at is not null from account where email = 'ann@team.test'"), [['t']]);
});

// An account of an earlier svcd without mail: its inviter set the password.
function claimed(email, workspace, role = 'viewer') {
  const rows = sql(stack, 'svc_platform', `with a as (insert into account (id, email, password_hash) select gen_random_uuid(), '${email}', password_hash
    from account where email = 'owner@example.test' returning id) insert into member (workspace_id, user_id, role) select '${workspace}', id, '${role}' from a returning user_id`);
  return rows[0][0];
}

test('the person who opens the mailed link gets their address back, and nothing of the account that somebody else made', async () => {
  const trap = await team.workspace('Trap');
  const old = claimed('cto@bigcorp.test', trap);
  const { token: session } = (await team.signIn('cto@bigcorp.test', 'correct horse battery')).json;
  const own = await team.workspace('Of the stranger', session);
  const { token } = (await stack.dev('POST', '/tokens', { name: 't', workspaceId: trap, scopes: ['read'] }, { token: session, expect: 201 })).json;

  const { link } = await mailed('cto@bigcorp.test', 'admin');
  const page = await team.open(link);
  assert.match(page.text, /Is the account not yours\?/);
  assert.equal(outcome(await team.joinPage(link, 'of the real cto')), '401 UNAUTHENTICATED', 'not by a mistyped password');
  assert.equal((await team.joinPage(link, 'of the real cto', { anew: true })).status, 200);

  for (const credential of [session, token]) assert.equal((await stack.dev('GET', '/me', undefined, { token: credential })).status, 401);
  assert.equal((await team.signIn('cto@bigcorp.test', 'correct horse battery', {})).status, 401);
  const real = (await team.signIn('cto@bigcorp.test', 'of the real cto')).json;
  assert.notEqual(real.user.id, old);
  assert.deepEqual(real.workspaces.map(({ id, role }) => [id, role]), [[stack.workspace, 'admin']]);
  assert.equal(await memberOf('cto@bigcorp.test', trap), undefined);
  assert.deepEqual(sql(stack, 'svc_platform', `select role from member where workspace_id = '${own}'`), [['owner']], 'a workspace keeps its owner');
});

test('an account that was proven gives way to nobody', async () => {
  const { link } = await mailed('bob@team.test', 'viewer');
  await team.joinPage(link, 'of bob himself');
  const other = await team.workspace('Other');
  const again = await mailed('bob@team.test', 'viewer', { workspace: other });
  assert.equal(outcome(await team.joinPage(again.link, 'of somebody who reads along', { anew: true })), '401 UNAUTHENTICATED');
  assert.equal((await team.joinPage(again.link, 'of bob himself')).status, 200);
});

test('a person who has the mailbox and the password keeps the account', async () => {
  const mine = await team.workspace('Mine');
  const id = claimed('eve@team.test', mine, 'owner');
  const { link } = await mailed('eve@team.test', 'viewer');
  const { token } = (await team.signIn('eve@team.test', 'correct horse battery')).json;
  assert.equal((await team.join(link, token)).status, 200);
  assert.deepEqual((await stack.dev('GET', '/me', undefined, { token })).json.workspaces.map((one) => one.id).sort(), [mine, stack.workspace].sort());
  assert.deepEqual(sql(stack, 'svc_platform', `select proven_at is not null from account where id = '${id}'`), [['t']]);
});

test('a mailbox that is refused, a server that is away, a member who is removed meanwhile', async () => {
  await team.invite('nobox@team.test', 'viewer', { expect: 201 });
  await until('the failure', async () => (await memberOf('nobox@team.test')).mail === 'failed');
  assert.deepEqual(sql(stack, 'svc_platform', "select body from outgoing_mail where recipient = 'nobox@team.test'"), []);
  await new Promise((done) => server.close(done));
  const gone = (await team.invite('gone@team.test', 'viewer', { expect: 201 })).json;
  await team.invite('waits@team.test', 'viewer', { expect: 201 });
  await until('both tries', () => sql(stack, 'svc_platform', "select count(*) from outgoing_mail where error <> '' and ended_at is null")[0][0] === '2');
  assert.equal((await memberOf('waits@team.test')).mail, 'waiting');
  await team.remove(gone.userId, { expect: 200 });
  await listen();
  sql(stack, 'svc_platform', 'update outgoing_mail set next_at = now() where ended_at is null');
  await mailTo('waits@team.test');
  assert.deepEqual(taken.filter(({ to }) => to === 'gone@team.test'), []);
});

test('a mail that an earlier svcd had not sent yet is sent', async () => {
  await new Promise((done) => server.close(done));
  await team.invite('earlier@team.test', 'viewer', { expect: 201 });
  await until('the first try', () => sql(stack, 'svc_platform', "select count(*) from outgoing_mail where recipient = 'earlier@team.test' and error <> ''")[0][0] === '1');
  // As the table was.
  sql(stack, 'svc_platform', 'create table letter (like outgoing_mail including all)');
  sql(stack, 'svc_platform', 'with moved as (delete from outgoing_mail returning *) insert into letter select * from moved');
  stack.child.kill('SIGTERM');
  await stack.ended;
  await stack.run();
  assert.deepEqual(sql(stack, 'svc_platform', "select to_regclass('letter') is null"), [['t']]);
  await listen();
  sql(stack, 'svc_platform', 'update outgoing_mail set next_at = now() where ended_at is null');
  await mailTo('earlier@team.test');
});

test('a malformed address of a mail server is refused at the start, by the setting\'s name', () => {
  const { status, stderr } = spawnSync(join(bin, 'svcd'), [], { encoding: 'utf8', env: { ...process.env, SVC_HOME: '/nowhere', SVC_SMTP_URL: 'http://mail.example' } });
  assert.notEqual(status, 0);
  assert.match(stderr, /SVC_SMTP_URL: The mail server's URL must begin with smtp:/);
});

test('nobody is flooded with mails', async () => {
  let last;
  for (let i = 0; i < 7; ++i) last = await team.invite('often@team.test', 'viewer');
  assert.equal(outcome(last), '429 RATE_LIMITED');
  assert.ok(Number(last.headers['retry-after']) > 0);
});
