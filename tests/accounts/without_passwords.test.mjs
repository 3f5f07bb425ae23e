// Apps that know no passwords: what a sign-up, an invitation and a reset give there.
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { World, json, password, refused } from './world.mjs';

let world, root;
before(async () => {
  world = await World.start({ change: (c) => { c.auth = { signup: 'open', methods: ['magic'] }; } });
  root = await world.demo('root@example.test');
});
after(() => world?.stop());

const admin = (method, path, body) => world.call(method, path, body, { as: root.token });
const newest = async (to) => new URL((await world.mails(to))[0].links[0]);
const consume = (link) => world.call('GET', link.pathname.replace('/__svc', '') + link.search, undefined, { key: null, headers: json });

test('a sign-up is answered the same for every address; the link makes one at home', async () => {
  const first = await world.call('POST', '/auth/signup', { email: 'new@example.test', name: 'New' });
  assert.equal(first.status, 200, first.text);
  assert.equal(first.json.pending, true);
  assert.equal(first.headers['set-cookie'], undefined);
  const link = await newest('new@example.test');
  assert.equal(link.pathname, '/__svc/auth/magic/consume');
  const opened = await consume(link);
  assert.equal(opened.json.user.name, 'New', opened.text);
  assert.equal(opened.json.user.role, 'member');

  const again = await world.call('POST', '/auth/signup', { email: 'new@example.test', name: 'Somebody else' });
  const seeded = await world.call('POST', '/auth/signup', { email: 'root@example.test' });
  for (const answer of [again, seeded]) assert.deepEqual([answer.status, answer.text], [first.status, first.text]);
  const back = await consume(await newest('new@example.test'));
  assert.equal(back.json.user.id, opened.json.user.id);
  assert.equal(back.json.user.name, 'New');
  refused(await world.call('POST', '/auth/signup', { email: 'x@example.test', persona: 'clerk' }), 400, 'INVALID_ROLE');
  refused(await world.call('POST', '/auth/signup', { email: 'x@example.test', password }), 400, 'PARAMS_INVALID');
});

test('nobody sets a password, administrators included', async () => {
  const ways = [['/auth/login', { email: 'ann@example.test', password }], ['/auth/reset/confirm', { token: 'x', newPassword: password }], ['/auth/set-password', { token: 'x', password }]];
  for (const [path, body] of ways) refused(await world.call('POST', path, body), 404, 'NOT_FOUND');
  refused(await world.call('GET', '/auth/set-password?token=x', undefined, { key: null }), 404, 'NOT_FOUND');
  const answer = await admin('POST', '/auth/users', { email: 'pw@example.test', password });
  refused(answer, 400, 'PARAMS_INVALID');
  assert.equal(answer.json.error.field, 'password');
});

test('an account that is made needs no password; an invitation lets in, once', async () => {
  assert.equal((await admin('POST', '/auth/users', { email: 'made@example.test', role: 'clerk' })).status, 201);
  assert.equal((await world.mails('made@example.test')).length, 0);
  const invited = await admin('POST', '/auth/users', { email: 'invited@example.test', invite: true });
  assert.equal(invited.status, 201, invited.text);
  const [mail] = await world.mails('invited@example.test');
  assert.match(mail.text, /Sign in:/);
  const opened = await consume(new URL(mail.links[0]));
  assert.equal(opened.json.user.email, 'invited@example.test', opened.text);
  refused(await consume(new URL(mail.links[0])), 400, 'TOKEN_USED');
});

test('a reset is a link that lets in', async () => {
  const known = await world.call('POST', '/auth/reset/request', { email: 'ann@example.test' });
  const unknown = await world.call('POST', '/auth/reset/request', { email: 'nobody@example.test' });
  assert.deepEqual([known.status, known.text], [unknown.status, unknown.text]);
  assert.equal((await world.mails('nobody@example.test')).length, 0);
  assert.equal((await consume(await newest('ann@example.test'))).json.user.name, 'Ann');
});

test('an invitation to an organisation also signs its user in', async () => {
  const { org } = (await world.call('POST', '/orgs', { name: 'Elm' }, { as: root.token })).json;
  assert.equal((await world.call('POST', '/orgs/invite', { email: 'elm@example.test', role: 'admin' }, { as: root.token })).status, 201);
  const link = await newest('elm@example.test');
  const joined = await world.call('GET', link.pathname.replace('/__svc', '') + link.search, undefined, { key: null, headers: { accept: 'text/html' } });
  assert.equal(joined.status, 302, joined.text);
  const opened = await consume(new URL(joined.headers.location));
  assert.equal(opened.json.user.email, 'elm@example.test', opened.text);
  assert.deepEqual((await world.call('GET', '/orgs', undefined, { as: opened.json.token })).json.orgs, [{ id: org.id, name: 'Elm', role: 'admin' }]);
});

test('where people come by a provider alone there is nothing to reset, and no sign-up of ours', async () => {
  const own = await World.start({
    change: (c) => {
      c.auth = { signup: 'open', methods: ['oidc:work'], providers: [{ id: 'work', issuer: 'https://id.example.test', clientId: 'x', clientSecret: 'secret:WORK' }] };
    },
  });
  try {
    for (const path of ['/auth/signup', '/auth/reset/request', '/auth/magic/request'])
      refused(await own.call('POST', path, { email: 'x@example.test' }), 404, 'NOT_FOUND');
    const boss = await own.demo('root@example.test');
    const invited = await own.call('POST', '/auth/users', { email: 'invited@example.test', invite: true }, { as: boss.token });
    assert.equal(invited.status, 201, invited.text);
    assert.equal((await own.mails('invited@example.test')).length, 0);
  } finally {
    await own.stop();
  }
});
