// Streams of people whose rights change: each ends, or goes on with the new rights; nobody else's does.
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { World, json, origin } from '../../accounts/world.mjs';
import { Events } from '../../lib/events.mjs';
import { until } from '../../lib/stack.mjs';

let world, root;
const open = [], people = {};
before(async () => {
  world = await World.start({ change: (contract) => { contract.topics = [{ name: 'app:desk', subscribe: 'org:admin' }]; } });
  for (const name of ['olga', 'adam', 'gus', 'mia', 'nell', 'ned']) {
    const email = `${name}@example.test`;
    people[name] = (await world.signUp(email, { name })).json;
    await world.prove(email);
  }
  root = await world.demo('root@example.test');
});
after(() => {
  for (const events of open) events.close();
  return world?.stop();
});

async function call(who, method, path, body, status = 200) {
  const answer = await world.call(method, path, body, { as: who.token });
  assert.equal(answer.status, status, answer.text);
  return answer.json;
}
async function listen(who, topic = 'row-changed:note', id) {
  const headers = { host: world.host, authorization: `Bearer ${world.project.browser}`, origin, 'x-svc-app-session': who.token, ...(id && { 'last-event-id': id }) };
  const events = await Events.open({ port: world.stack.port, path: `/__svc/topics/${topic}/subscribe`, headers });
  open.push(events);
  assert.equal(events.status, 200, JSON.stringify(events.answer));
  return events;
}
async function join(inviter, who, role) {
  await call(inviter, 'POST', '/orgs/invite', { email: who.user.email, role }, 201);
  await world.call('GET', `/orgs/invite/accept?token=${await world.mailedToken(who.user.email)}`, undefined, { key: null, headers: json });
}
const note = async (text) => (await call(people.olga, 'POST', '/api/v1/note', { text }, 201)).rows[0];
const ids = (events) => events.told.map((each) => each.id);

// The stream has ended, and its client comes back to a reset.
async function ended(events, who, topic) {
  await until('the stream to end', () => events.ended);
  const again = await listen(who, topic, events.id);
  assert.deepEqual((await again.first(1))[0].data, { reason: 'rights_changed' });
  return again;
}

let oak;
test('a stream ends when its account gets another persona', async () => {
  const mine = await listen(people.mia, 'row-changed:diary'), others = await listen(people.gus, 'row-changed:diary');
  await call(root, 'PATCH', `/auth/users/${people.mia.user.id}`, { role: 'clerk' });
  // A change of persona ends the earlier sessions.
  await until('the stream to end', () => mine.ended);
  people.mia.token = (await world.demo('mia@example.test')).token;
  const again = await listen(people.mia, 'row-changed:diary', mine.id);
  assert.deepEqual((await again.first(1))[0].data, { reason: 'rights_changed' });
  const { rows: [entry] } = await call(people.gus, 'POST', '/api/v1/diary', { text: 'mine' }, 201);
  assert.deepEqual((await others.first(1)).map((each) => each.id), [entry.id]);
  assert.ok(!others.ended);
});

test('another organisation', async () => {
  oak = (await call(people.olga, 'POST', '/orgs', { name: 'Oak' }, 201)).org;
  await call(people.olga, 'POST', '/orgs', { name: 'Elm' }, 201);  // acts for it at once
  const events = await listen(people.olga);
  await call(people.olga, 'POST', '/orgs/switch', { orgId: oak.id });
  const again = await ended(events, people.olga);
  const made = await note('of the oak');
  await again.first(2);
  assert.equal(ids(again).at(-1), made.id);
  assert.equal(again.told.at(-1).row.org_id, oak.id);
});

test('another role in it, and the end of a membership', async () => {
  for (const name of ['adam', 'gus']) {
    await join(people.olga, people[name], 'guest_worker');
    await call(people[name], 'POST', '/orgs/switch', { orgId: oak.id });
  }
  let events = await listen(people.gus);
  const others = await listen(people.adam);
  const first = await note('for both');
  assert.deepEqual([(await events.first(1))[0].id, (await others.first(1))[0].id], [first.id, first.id]);
  await call(people.olga, 'PATCH', `/orgs/members/${people.gus.user.id}`, { role: 'admin' });
  events = await ended(events, people.gus);
  await call(people.olga, 'DELETE', `/orgs/members/${people.gus.user.id}`);
  const after = await ended(events, people.gus);
  const second = await note('for one');
  await others.first(2);
  await call(people.gus, 'POST', '/topics/app:mark/publish', { payload: 1 });
  assert.deepEqual(ids(others), [first.id, second.id]);
  const late = await listen(people.gus, 'row-changed:note', after.id);
  assert.deepEqual([...after.told.slice(1), ...late.told], [], 'nothing of an organisation that they are not in');
  assert.ok(!others.ended);
});

test('a stream begins with the rights of its account as they are, not as they were remembered', async () => {
  // Nell could not listen there before, and Ned could, as who he was.
  for (const [name, topic] of [['nell', 'app:desk'], ['ned', 'row-changed:note']]) {
    await join(people.olga, people[name], 'guest_worker');
    await call(people[name], 'POST', '/orgs/switch', { orgId: oak.id });
    await call(people[name], 'GET', '/api/v1/note');
    await call(people.olga, 'PATCH', `/orgs/members/${people[name].user.id}`, { role: 'admin' });
    await listen(people[name], topic);
  }
});
