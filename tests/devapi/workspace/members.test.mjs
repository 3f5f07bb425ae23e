// Members of a workspace: invited, pending, and joined only by the account of the invited address.
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { sql } from '../../lib/admin_sql.mjs';
import { Stack, owner, sample, until } from '../../lib/stack.mjs';
import { Client } from '../../cli/client.mjs';
import { Team, outcome } from '../../lib/team.mjs';

let stack, team, project;
before(async () => {
  stack = await Stack.start();
  await stack.signIn();
  team = new Team(stack);
  project = await stack.project('Secret plans');
});
after(() => stack?.stop());

const workspacesOf = async (session) => (await stack.dev('GET', '/me', undefined, { token: session, expect: 200 })).json.workspaces;
const pending = async (email, options) => (await team.list(options)).find((one) => one.email === email && one.pending);

test('an account that a stranger made by their own invitation does not join where its address is invited later', async () => {
  const stranger = await team.person('stranger@evil.test', 'viewer');
  const theirs = await team.workspace('Trap', stranger.session);
  const trap = (await team.invite('cto@bigcorp.test', 'viewer', { workspace: theirs, token: stranger.session, expect: 201 })).json;
  assert.equal((await team.joinPage(trap.joinUrl, 'set by the stranger')).status, 200);
  const taken = (await team.signIn('cto@bigcorp.test', 'set by the stranger')).json;

  const { json } = await team.invite('cto@bigcorp.test', 'admin', { expect: 201 });
  assert.ok(json.joinUrl && json.pending);
  assert.deepEqual((await workspacesOf(taken.token)).map(({ id }) => id), [theirs], 'invited is not joined');
  for (const [method, path, body] of [['GET', team.path()], ['POST', team.path(), { email: 'x@evil.test', role: 'viewer' }], ['GET', `/projects/${project.id}`],
    ['GET', `/projects/${project.id}/keys`], ['GET', `/workspaces/${stack.workspace}/audit`], ['POST', '/tokens', { name: 'x', workspaceId: stack.workspace, scopes: ['read'] }],
    ['POST', '/projects', { name: 'x', workspaceId: stack.workspace }]]) {
    assert.equal((await stack.dev(method, path, body, { token: taken.token })).status, 404, `${method} ${path}`);
  }
  const tools = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'get_project', arguments: { project: project.id } } };
  assert.ok(!(await stack.dev('POST', '/mcp', tools, { token: taken.token })).text.includes('Secret plans'));
  const login = (await stack.dev('POST', '/cli/login', {}, { token: null, expect: 200 })).json;
  const page = await stack.fetch('POST', '/cli-login', { headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ action: 'sign-in', code: login.userCode, email: 'cto@bigcorp.test', password: 'set by the stranger' }).toString() });
  assert.ok(page.text.includes('Trap') && !page.text.includes(stack.workspace));

  // BigCorp has the link. A person who opens it without that password gets a refusal, and joins nothing.
  const refused = await team.joinPage(json.joinUrl, 'of the real cto');
  assert.equal(outcome(refused), '401 UNAUTHENTICATED');
  assert.ok(await pending('cto@bigcorp.test'));
  assert.equal(outcome(await team.joinPage(json.joinUrl, 'of the real cto', { anew: true })), '401 UNAUTHENTICATED', 'without mail nobody proves an address');
});

test('the answer to an invitation is the same whether the address has an account or none', async () => {
  const known = await team.person('known@team.test', 'viewer');
  const other = await team.workspace('Asks');
  const answers = [];
  for (const email of ['known@team.test', 'unknown@team.test']) answers.push(await team.invite(email, 'developer', { workspace: other, expect: 201 }));
  const shapes = answers.map(({ json }) => Object.entries(json).map(([key, value]) => [key, typeof value === 'string' ? typeof value : value]));
  assert.deepEqual(shapes[0], shapes[1]);
  assert.deepEqual(shapes[0], [['userId', 'string'], ['joinUrl', 'string'], ['setupUrl', 'string'], ['pending', true], ['mailed', false]]);
  for (const { json } of answers) {
    assert.equal(json.setupUrl, json.joinUrl);
    assert.match(json.joinUrl, /^http:\/\/127\.0\.0\.1:\d+\/join\?token=/);
    assert.notEqual(json.userId, known.id, 'nor by an id that is older');
  }
  const pages = [];
  for (const { json } of answers) pages.push((await team.open(json.joinUrl)).text.replaceAll(/known@|unknown@|value="[^"]+"/g, ''));
  assert.equal(pages[0].replaceAll('un', ''), pages[1].replaceAll('un', ''));
  const rows = await team.list({ workspace: other });
  assert.deepEqual(rows.filter((one) => one.pending).map((one) => Object.keys(one)), Array(2).fill(['userId', 'email', 'role', 'joinedAt', 'pending', 'linkExpiresAt']));
});

test('a link is opened without effect, joins once, and is for its address alone', async () => {
  const { json } = await team.invite('Once@Team.test', 'viewer', { expect: 201 });
  for (let i = 0; i < 2; ++i) {
    const page = await team.open(json.joinUrl);
    assert.equal(page.status, 200);
    assert.match(page.headers['content-security-policy'], /default-src 'none'.*frame-ancestors 'none'/);
    assert.ok(!page.text.includes('<script') && page.headers['set-cookie'] === undefined);
    assert.ok(page.text.includes('once@team.test') && page.text.includes('Personal') && page.text.includes(owner.email));
  }
  assert.ok(await pending('once@team.test'));
  const other = await team.person('other@team.test', 'viewer');
  assert.equal(outcome(await team.join(json.joinUrl, other.session)), '403 FORBIDDEN_ROLE');
  assert.equal(outcome(await team.join(json.joinUrl, null)), '401 UNAUTHENTICATED');
  assert.equal(outcome(await team.joinPage(json.joinUrl, 'short')), '400 BAD_REQUEST');
  const token = new URL(json.joinUrl).searchParams.get('token');
  const form = (more) => stack.fetch('POST', '/join', { headers: { 'content-type': 'application/x-www-form-urlencoded', ...more }, body: new URLSearchParams({ token, password: 'long enough', action: 'join' }).toString() });
  assert.equal((await form({ origin: 'https://evil.test' })).status, 403);
  const both = await Promise.all([form({}), form({})]);
  assert.deepEqual(both.map(({ status }) => status).sort(), [200, 404]);
  assert.ok(both.find(({ status }) => status === 200).text.includes(`<code>svc login --api http://127.0.0.1:${stack.port}</code>`));
  assert.match(both.find(({ status }) => status === 200).text, new RegExp(`<code>svc login --api http://127\\.0\\.0\\.1:${stack.port}</code>`));
  assert.equal((await team.joinPage(json.joinUrl, 'another one')).status, 404);
  assert.equal((await team.open(json.joinUrl)).status, 404);
  const session = (await team.signIn('once@team.test', 'long enough')).json;
  assert.deepEqual(session.workspaces, [{ id: stack.workspace, name: 'Personal', role: 'viewer' }]);
  assert.equal((await team.join(json.joinUrl, session.token)).status, 404);
  assert.deepEqual(sql(stack, 'svc_platform', `select count(*) from invitation where hash = '${token}'`), [['0']], 'links are kept as hashes');
  assert.equal(outcome(await team.invite('once@team.test', 'admin')), '409 CONFLICT');
});

test('a person with an account joins with a session, or with the password at the page', async () => {
  const person = await team.person('has@team.test', 'viewer');
  const first = await team.workspace('First'), second = await team.workspace('Second');
  const one = (await team.invite(person.email, 'developer', { workspace: first, expect: 201 })).json;
  const joined = await team.join(one.joinUrl, person.session);
  assert.deepEqual([joined.status, joined.json], [200, { workspace: { id: first, name: 'First', role: 'developer' } }]);
  const two = (await team.invite(person.email, 'admin', { workspace: second, expect: 201 })).json;
  const tries = [];
  for (let i = 0; i < 12; ++i) tries.push((await team.joinPage(two.joinUrl, 'guessed by somebody')).status);
  assert.deepEqual(tries, [...Array(10).fill(401), 429, 429], 'guesses count as at a sign-in');
  assert.equal((await team.signIn(person.email, person.password, {})).status, 429);
  assert.equal((await team.join(two.joinUrl, person.session)).status, 200);
  // The id of the invitation also names the member.
  assert.equal(outcome(await stack.dev('PUT', team.path(`/${two.userId}`, second), { role: 'viewer' })), '200');
  assert.equal(outcome(await team.remove(two.userId, { workspace: second })), '200');
  assert.ok(!(await workspacesOf(person.session)).some(({ id }) => id === second));
});

test('the page of an invitation does not bypass a second factor', async () => {
  const person = await team.person('safe@team.test', 'viewer');
  sql(stack, 'svc_platform', `insert into account_passkey (id, user_id, credential, algorithm, public_key, sign_count) values (gen_random_uuid(), '${person.id}', 'c', -7, 'k', 0)`);
  const other = await team.workspace('Another');
  const { joinUrl } = (await team.invite(person.email, 'admin', { workspace: other, expect: 201 })).json;
  assert.equal(outcome(await team.joinPage(joinUrl, person.password)), '403 MFA_REQUIRED');
  assert.equal((await pending(person.email, { workspace: other })).role, 'admin');
});

test('again: the role is the new one, and the earlier link has ended; so it has after seven days, and for who is removed', async () => {
  const first = (await team.invite('twice@team.test', 'viewer', { expect: 201 })).json;
  const second = (await team.invite('twice@team.test', 'developer', { expect: 201 })).json;
  assert.equal(second.userId, first.userId);
  assert.equal((await team.joinPage(first.joinUrl, 'long enough')).status, 404);
  assert.equal((await pending('twice@team.test')).role, 'developer');
  sql(stack, 'svc_platform', "update invitation set expires_at = now() - interval '1 second' where email = 'twice@team.test'");
  assert.equal((await team.joinPage(second.joinUrl, 'long enough')).status, 404);
  const third = (await team.invite('twice@team.test', 'viewer', { expect: 201 })).json;
  assert.equal(outcome(await team.remove(third.userId)), '200');
  assert.equal((await team.joinPage(third.joinUrl, 'long enough')).status, 404);
  assert.equal(await pending('twice@team.test'), undefined);
});

test('an invitation gives no more than its inviter may give', async () => {
  const admin = await team.person('admin@team.test', 'admin');
  const invite = async (email, role = 'admin') => (await team.invite(email, role, { token: admin.session, expect: 201 })).json;
  const lowered = await invite('friend@evil.test');
  await stack.dev('PUT', team.path(`/${admin.id}`), { role: 'developer' }, { expect: 200 });
  assert.equal((await team.joinPage(lowered.joinUrl, 'long enough')).status, 404);
  await stack.dev('PUT', team.path(`/${admin.id}`), { role: 'admin' }, { expect: 200 });
  const removed = await invite('friend@evil.test');
  await team.remove(admin.id, { expect: 200 });
  assert.equal((await team.joinPage(removed.joinUrl, 'long enough')).status, 404);
  assert.equal(await pending('friend@evil.test'), undefined);
  assert.deepEqual(sql(stack, 'svc_platform', "select count(*) from account where email = 'friend@evil.test'"), [['0']]);
});

test('a member with a lower role loses for good the invitations that this role cannot make', async () => {
  const admin = await team.person('once-admin@team.test', 'admin');
  const put = (role) => stack.dev('PUT', team.path(`/${admin.id}`), { role }, { expect: 200 });
  const invite = async (email, role) => (await team.invite(email, role, { token: admin.session, expect: 201 })).json;
  const slept = await invite('sleeper@evil.test', 'viewer');
  await put('developer');
  assert.equal(await pending('sleeper@evil.test'), undefined, 'the list shows no link as good that is not');
  await put('admin');
  assert.equal((await team.joinPage(slept.joinUrl, 'long enough')).status, 404);
  await put('owner');
  const above = await invite('above@evil.test', 'owner'), below = await invite('below@team.test', 'admin');
  await put('admin');
  assert.equal(await pending('above@evil.test'), undefined);
  await put('owner');
  assert.equal((await team.joinPage(above.joinUrl, 'long enough')).status, 404);
  assert.equal((await team.joinPage(below.joinUrl, 'long enough')).status, 200);
});

const odd = ['cto@B\u0130GCORP.test', 'cto@b\u00fcro.test', '\u00c9mile@corp.test', 'a@evil.test>', '<a@evil.test>', '<a@evil.test', 'a,b@evil.test', 'a@evil.test,b', 'a b@evil.test', 'a\u00a0b@evil.test',
  'a\u2028@evil.test', 'a@evil\r\n.test', 'a@evil.test\u0000', 'a\u007f@evil.test', '"a"@evil.test', 'a@b@evil.test', 'a@', '@evil.test', 'a@evil..test', 'a@[127.0.0.1]'];
test('an address that is not plain is refused with a reason', async () => {
  for (const email of odd) {
    const answer = await team.invite(email, 'viewer');
    assert.equal(outcome(answer), '400 BAD_REQUEST', `${JSON.stringify(email)}: ${answer.text}`);
    assert.match(answer.text, /email/);
  }
  assert.match((await team.invite('a@evil.test>', 'viewer')).text, /Must be an e-mail address of ASCII characters, such as ann@example\.com/);
  for (const email of ["o'neil+svc@sub.team.test", 'root@localhost']) await team.invite(email, 'viewer', { expect: 201 });
});

test('the log of a failed call has PostgreSQL\'s code and message, and nothing of the row', async (t) => {
  sql(stack, 'svc_platform', "alter table workspace add constraint not_wanted check (name <> 'private words')");
  t.after(() => sql(stack, 'svc_platform', 'alter table workspace drop constraint not_wanted'));
  assert.equal(outcome(await stack.dev('POST', '/workspaces', { name: 'private words' })), '500 INTERNAL');
  const line = await until('the line', () => stack.log.split('\n').find((one) => one.includes('dev_handler_failed')));
  assert.match(line, /23514: new row for relation .*workspace.* violates check constraint .*not_wanted/);
  assert.ok(!/private words|DETAIL|insert into/i.test(stack.log));
});

test('a pending role reaches up to its changer\'s, who answers for it from then on', async () => {
  const admin = await team.person('chief@team.test', 'admin');
  const { userId, joinUrl } = (await team.invite('rises@team.test', 'viewer', { token: admin.session, expect: 201 })).json;
  const put = (role, token) => stack.dev('PUT', team.path(`/${userId}`), { role }, { token });
  assert.equal(outcome(await put('owner', admin.session)), '403 FORBIDDEN_ROLE');
  assert.equal(outcome(await put('owner', stack.session)), '200');
  assert.equal(outcome(await put('viewer', admin.session)), '403 FORBIDDEN_ROLE');
  assert.equal(outcome(await team.remove(userId, { token: admin.session })), '403 FORBIDDEN_ROLE');
  assert.equal((await team.joinPage(joinUrl, 'long enough')).json.workspace.role, 'owner');
});

test('a link of an earlier svcd, at the page that it names, and a member who had not set up the account', async () => {
  const { joinUrl } = (await team.invite('late@team.test', 'viewer', { expect: 201 })).json;
  const old = joinUrl.replace('/join?', '/setup?');
  assert.match((await team.open(old)).text, /Join a workspace/);
  // As the tables were.
  const lowered = await team.person('lowered@team.test', 'admin');
  const asleep = (await team.invite('asleep@evil.test', 'admin', { token: lowered.session, expect: 201 })).json;
  sql(stack, 'svc_platform', `update member set role = 'viewer' where user_id = '${lowered.id}'`);
  sql(stack, 'svc_platform', `with gone as (delete from invitation where email = 'late@team.test' returning hash, workspace_id),
    a as (insert into account (id, email) values (gen_random_uuid(), 'late@team.test') returning id),
    s as (insert into setup_link (hash, user_id, expires_at) select gone.hash, a.id, now() + interval '1 day' from gone, a)
    insert into member (workspace_id, user_id, role) select gone.workspace_id, a.id, 'developer' from gone, a`);
  stack.child.kill('SIGTERM');
  await stack.ended;
  await stack.run();
  assert.equal((await pending('late@team.test')).role, 'developer');
  assert.equal(await pending('asleep@evil.test'), undefined);
  await stack.dev('PUT', team.path(`/${lowered.id}`), { role: 'admin' }, { expect: 200 });
  assert.equal((await team.joinPage(asleep.joinUrl, 'long enough')).status, 404);
  assert.equal((await team.joinPage(old, 'long enough')).status, 200);
  assert.equal((await team.signIn('late@team.test', 'long enough')).json.workspaces[0].role, 'developer');
});

test('svc members: invites, lists, changes, removes and joins', async (t) => {
  const client = new Client(stack);
  t.after(() => client.remove());
  const svc = async (code, session, ...args) => {
    const end = await client.svc(['members', ...args], { env: { SVC_TOKEN: session } });
    assert.equal(end.code, code, end.out + end.err);
    return end;
  };
  const person = await team.person('cli@team.test', 'viewer');
  const asked = await team.workspace('Asked by svc');
  const link = (await svc(0, stack.session, 'add', person.email, 'developer', '--workspace', asked)).out.trim();
  assert.match(link, /\/join\?token=/);
  assert.match((await svc(0, stack.session, 'list', '--workspace', asked)).out, /cli@team\.test +developer +pending/);
  assert.match((await svc(1, stack.session, 'join', link)).err, /FORBIDDEN_ROLE/);
  assert.match((await svc(0, person.session, 'join', link)).out, /You are now a member of Asked by svc, as developer/);
  const as = ['--workspace', asked, '--email', owner.email, '--password', owner.password];
  assert.match((await svc(0, stack.session, 'role', person.email, 'viewer', ...as)).out, /cli@team\.test is viewer now/);
  assert.match((await svc(0, stack.session, 'remove', person.email, ...as)).out, /is removed/);
  assert.match((await svc(1, stack.session, 'remove', person.email, ...as)).err, /no member "cli@team\.test"/);
  await svc(2, stack.session, 'add', person.email, 'root');

  // Without --workspace: that of the folder's project, and none by chance.
  for (const args of [['list'], ['add', 'lost@team.test', 'viewer'], ['remove', owner.email, '--email', owner.email, '--password', owner.password]]) {
    assert.match((await svc(1, stack.session, ...args)).err, /Which workspace\? Give --workspace, one of: .*Asked by svc \(/, args[0]);
  }
  const twin = await team.workspace('Asked by svc');
  assert.match((await svc(1, stack.session, 'list', '--workspace', 'Asked by svc')).err, /Which workspace\?/);
  const theirs = (await stack.dev('POST', '/projects', { name: 'Of the twin', workspaceId: twin }, { expect: 201 })).json.project.id;
  const env = { SVC_TOKEN: stack.session };
  assert.equal((await client.svc(['link', theirs], { env })).code, 0);
  assert.match((await svc(0, stack.session, 'add', 'linked@team.test', 'viewer')).out, /\/join\?token=/);
  assert.ok(await pending('linked@team.test', { workspace: twin }));
  assert.equal((await client.svc(['audit'], { env })).code, 0);
  const made = await client.svc(['tokens', 'create', 'linked', '--json'], { env });
  assert.equal(JSON.parse(made.out).workspaceId, twin);
  assert.match((await svc(1, person.session, 'list')).err, /is not in a workspace that you can reach\. Give --workspace/);
});

test('the operator takes an address away from an unproven account; its owner then joins', async () => {
  const mine = await team.workspace('Ours');
  const { joinUrl } = (await team.invite('taken@bigcorp.test', 'viewer', { workspace: mine, expect: 201 })).json;
  await team.joinPage(joinUrl, 'of somebody else');
  const { token } = (await team.signIn('taken@bigcorp.test', 'of somebody else')).json;
  const again = (await team.invite('taken@bigcorp.test', 'admin', { expect: 201 })).json;
  stack.child.kill('SIGTERM');
  await stack.ended;
  await stack.run(['--release-address', 'Taken@bigcorp.test']);
  await until('svcd to say so', () => /nobody can sign in any more/.test(stack.log));
  assert.equal((await stack.dev('GET', '/me', undefined, { token })).status, 401);
  assert.equal((await team.signIn('taken@bigcorp.test', 'of somebody else', {})).status, 401);
  assert.equal((await team.joinPage(again.joinUrl, 'of the real one')).status, 200);
  assert.deepEqual((await team.signIn('taken@bigcorp.test', 'of the real one')).json.workspaces.map(({ id }) => id), [stack.workspace]);
  assert.ok(!(await team.list({ workspace: mine })).some(({ email }) => email !== owner.email), 'what the other one had is no more');
});

test('the first account is set up by the link that svcd prints', async (t) => {
  const fresh = await Stack.start({ SVC_OWNER_EMAIL: '', SVC_OWNER_PASSWORD: '' });
  t.after(() => fresh.stop());
  const token = /\/setup\?token=(\S+)/.exec(fresh.log)[1];
  assert.match((await fresh.fetch('GET', `/setup?token=${token}`)).text, /Set up your account/);
  const set = (body) => fresh.fetch('POST', '/setup', { body: { token, ...body } });
  for (const email of [undefined, ...odd]) assert.equal((await set({ email, password: 'long enough' })).status, 400, email);
  assert.equal((await set({ email: owner.email, password: owner.password })).status, 200);
  assert.equal((await set({ email: 'second@example.test', password: 'long enough' })).status, 404);
  assert.equal((await fresh.signIn()).workspaces[0].role, 'owner');
  await fresh.apply(await fresh.project('First'), sample('hello'));
});
