// Organisations: who is in one, who acts for it, and what that opens.
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { World, json, refused } from './world.mjs';

let world, olga, adam, gus;
before(async () => {
  world = await World.start();
  for (const [name, keep] of [['olga', (p) => { olga = p; }], ['adam', (p) => { adam = p; }], ['gus', (p) => { gus = p; }]])
    keep(await proven(name));
});
after(() => world?.stop());

async function proven(name) {
  const email = `${name}@example.test`;
  const { json: who } = await world.signUp(email, { name });
  await world.prove(email);
  return who;
}
const call = (who, method, path, body) => world.call(method, path, body, { as: who.token });
async function join(inviter, who, role) {
  const email = who.user.email;
  assert.equal((await call(inviter, 'POST', '/orgs/invite', { email, role })).status, 201);
  const token = await world.mailedToken(email);
  return world.call('GET', `/orgs/invite/accept?token=${token}`, undefined, { key: null, headers: json });
}

let org;
test('the creator of an organisation owns it, and acts for it at once', async () => {
  refused(await call(olga, 'POST', '/orgs', { name: ' ' }), 400, 'PARAMS_INVALID');
  const made = await call(olga, 'POST', '/orgs', { name: 'Oak' });
  assert.equal(made.status, 201, made.text);
  org = made.json.org;
  assert.deepEqual(org, { id: org.id, name: 'Oak', role: 'owner' });
  assert.deepEqual((await call(olga, 'GET', '/orgs')).json.orgs, [org]);
  assert.deepEqual((await call(olga, 'GET', '/orgs/current')).json.org, org);
  assert.equal((await call(olga, 'GET', '/auth/me')).json.user.orgId, org.id);
  const note = await call(olga, 'POST', '/api/v1/note', { text: 'ours' });
  assert.equal(note.status, 201, note.text);
  assert.equal(note.json.rows[0].org_id, org.id);
  assert.equal((await call(adam, 'GET', '/orgs/current')).json.org, null);
  assert.equal((await call(adam, 'GET', '/api/v1/note')).json.rowCount, 0);
});

test('an account makes a number of organisations an hour, and reads them in pages', async () => {
  const many = await proven('many');
  const made = [];
  for (let number = 1; number <= 20; ++number) {
    const { status, json: answer, text } = await call(many, 'POST', '/orgs', { name: `Number ${number}` });
    assert.equal(status, 201, text);
    made.push(answer.org);
  }
  refused(await call(many, 'POST', '/orgs', { name: 'One more' }), 429, 'RATE_LIMITED');
  assert.equal((await call(gus, 'POST', '/orgs', { name: 'Of somebody else' })).status, 201);
  assert.deepEqual((await call(many, 'GET', '/orgs')).json.orgs, made);
  assert.deepEqual((await call(many, 'GET', '/orgs?limit=3&offset=2')).json.orgs, made.slice(2, 5));
  refused(await call(many, 'GET', '/orgs?limit=0'), 400, 'PARAMS_INVALID');
});

test('an invitation is accepted with the link alone; roles open what access says', async () => {
  refused(await call(adam, 'POST', '/orgs/invite', { email: 'x@example.test', role: 'admin' }), 403, 'ORG_FORBIDDEN');
  refused(await call(olga, 'POST', '/orgs/invite', { email: 'x@example.test', role: 'king' }), 400, 'INVALID_ROLE');
  const joined = await join(olga, adam, 'admin');
  assert.deepEqual(joined.json, { ok: true, org: { id: org.id, name: 'Oak', role: 'admin' } });
  refused(await call(olga, 'POST', '/orgs/invite', { email: adam.user.email, role: 'admin' }), 409, 'CONFLICT');
  assert.equal((await call(adam, 'GET', '/api/v1/note')).json.rowCount, 0);  // not switched yet
  assert.deepEqual((await call(adam, 'POST', '/orgs/switch', { orgId: org.id })).json.org.role, 'admin');
  assert.equal((await call(adam, 'GET', '/api/v1/note')).json.rowCount, 1);
  assert.equal((await call(adam, 'POST', '/api/v1/note', { text: 'by adam' })).status, 201);
  refused(await call(gus, 'POST', '/orgs/switch', { orgId: org.id }), 403, 'ORG_FORBIDDEN');
  await join(adam, gus, 'guest_worker');
  await call(gus, 'POST', '/orgs/switch', { orgId: org.id });
  assert.equal((await call(gus, 'GET', '/api/v1/note')).json.rowCount, 2);
  refused(await call(gus, 'POST', '/api/v1/note', { text: 'no' }), 403, 'TABLE_FORBIDDEN');
  const members = (await call(gus, 'GET', '/orgs/members')).json.members;
  assert.deepEqual(members.map((m) => [m.name, m.role]), [['olga', 'owner'], ['adam', 'admin'], ['gus', 'guest_worker']]);
  assert.deepEqual(Object.keys(members[0]), ['userId', 'email', 'name', 'role', 'joinedAt']);
});

test('another role counts with the next request', async () => {
  const path = `/orgs/members/${gus.user.id}`;
  refused(await call(gus, 'PATCH', path, { role: 'admin' }), 403, 'ORG_FORBIDDEN');
  refused(await call(adam, 'PATCH', path, { role: 'owner' }), 403, 'ORG_FORBIDDEN');
  const changed = await call(adam, 'PATCH', path, { role: 'admin' });
  assert.equal(changed.json.member.role, 'admin', changed.text);
  assert.equal((await call(gus, 'POST', '/api/v1/note', { text: 'now I may' })).status, 201);
  await call(adam, 'PATCH', path, { role: 'guest_worker' });
  refused(await call(gus, 'POST', '/api/v1/note', { text: 'no more' }), 403, 'TABLE_FORBIDDEN');
});

test('an organisation is never without an owner', async () => {
  const own = `/orgs/members/${olga.user.id}`;
  refused(await call(adam, 'DELETE', own), 403, 'ORG_FORBIDDEN');
  refused(await call(olga, 'DELETE', own), 409, 'LAST_OWNER');
  refused(await call(olga, 'PATCH', own, { role: 'admin' }), 409, 'LAST_OWNER');
  assert.equal((await call(olga, 'PATCH', `/orgs/members/${adam.user.id}`, { role: 'owner' })).status, 200);
  // If two owners leave at the same time, one stays.
  const answers = await Promise.all([call(olga, 'DELETE', own), call(adam, 'DELETE', `/orgs/members/${adam.user.id}`)]);
  assert.deepEqual(answers.map((a) => a.status).sort(), [200, 409]);
});

test('a removed member no longer sees anything of it', async () => {
  const keeper = (await call(olga, 'GET', '/orgs/current')).json.org ? olga : adam;
  assert.equal((await call(gus, 'GET', '/api/v1/note')).json.rowCount, 3);
  assert.equal((await call(keeper, 'DELETE', `/orgs/members/${gus.user.id}`)).status, 200);
  assert.equal((await call(gus, 'GET', '/api/v1/note')).json.rowCount, 0);
  assert.equal((await call(gus, 'GET', '/auth/me')).json.user.orgId, null);
  refused(await call(keeper, 'DELETE', `/orgs/members/${gus.user.id}`), 404, 'NOT_FOUND');
});

test('older invitations end with the right to invite, and with the membership', async () => {
  const oona = (await world.signUp('oona@example.test')).json;
  const paul = await proven('paul');
  await call(oona, 'POST', '/orgs', { name: 'Pine' });
  assert.equal((await join(oona, paul, 'owner')).json.org.role, 'owner');
  const { id } = (await call(oona, 'GET', '/orgs/current')).json.org;
  await call(paul, 'POST', '/orgs/switch', { orgId: id });
  assert.equal((await call(paul, 'POST', '/orgs/invite', { email: 'spare@example.test', role: 'owner' })).status, 201);
  const spare = await world.mailedToken('spare@example.test');
  assert.equal((await call(oona, 'PATCH', `/orgs/members/${paul.user.id}`, { role: 'guest_worker' })).status, 200);
  const accept = (token) => world.call('GET', `/orgs/invite/accept?token=${token}`, undefined, { key: null, headers: json });
  assert.equal((await accept(spare)).status, 400);
  assert.equal((await call(oona, 'DELETE', `/orgs/members/${paul.user.id}`)).status, 200);
  refused(await call(paul, 'POST', '/orgs/switch', { orgId: id }), 403, 'ORG_FORBIDDEN');
});

test('an invitation to an address without an account makes one', async () => {
  const keeper = (await call(olga, 'GET', '/orgs/current')).json.org ? olga : adam;
  await call(keeper, 'POST', '/orgs/invite', { email: 'fresh@example.test', role: 'guest_worker' });
  const token = await world.mailedToken('fresh@example.test');
  const path = `/orgs/invite/accept?token=${token}`;
  assert.equal((await world.call('HEAD', path, undefined, { key: null })).status, 200);
  const opened = await world.call('GET', path, undefined, { key: null, headers: { accept: 'text/html' } });
  assert.equal(opened.status, 302);
  const link = new URL(opened.headers.location);
  assert.equal(link.pathname, '/__svc/auth/set-password');
  const secret = 'chosen by the fresh one';
  const chosen = { token: link.searchParams.get('token'), password: secret };
  assert.equal((await world.call('POST', '/auth/set-password', chosen, { key: null })).status, 200);
  const fresh = (await world.login('fresh@example.test', secret)).json;
  assert.deepEqual((await call(fresh, 'GET', '/orgs')).json.orgs.map((o) => o.role), ['guest_worker']);
  refused(await world.call('GET', path, undefined, { key: null, headers: json }), 400, 'TOKEN_USED');
});
