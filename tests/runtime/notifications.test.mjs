// Notifications of accounts: each account gets its own, on pages and live.
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { databaseOf, sql } from '../lib/admin_sql.mjs';
import { Events } from '../lib/events.mjs';
import { signUp } from '../lib/scenarios.mjs';
import { Stack, sample } from '../lib/stack.mjs';

let stack, project, host, ann, bob;
const open = [];

before(async () => {
  stack = await Stack.start();
  await stack.signIn();
  project = await stack.project('Noticed');
  host = `preview-${project.slug}.localhost`;
  await stack.apply(project, sample('shop'));
  ann = await signUp(stack, project, host, 'anna', 'customer');
  bob = await signUp(stack, project, host, 'bob', 'customer');
});
after(() => {
  for (const events of open) events.close();
  return stack?.stop();
});

const browser = () => ({ authorization: `Bearer ${project.browser}`, origin: 'http://app.test' });
const as = (person) => ({ ...browser(), 'x-svc-app-session': person.token });
const server = (person) => ({ authorization: `Bearer ${project.server}`, ...(person ? { 'x-svc-app-user': person.id } : {}) });

const call = (headers, method, path, body) => stack.fetch(method, `/__svc/${path}`, { headers, host, body });
async function ok(headers, method, path, body) {
  const answer = await call(headers, method, path, body);
  assert.equal(answer.status, 200, answer.text);
  return answer.json;
}
const run = (text) => sql(stack, databaseOf(project), text);
const list = (people) => `array[${people.map((person) => `'${person.id}'`).join()}]::uuid[]`;
const notify = (people, personas, title, body = null, link = null) => run(
  `select unnest(svc.notify(${list(people)}, array[${personas.map((one) => `'${one}'`).join()}]::text[], '${title}', ${body ? `'${body}'` : 'null'}, ${link ? `'${link}'` : 'null'}))`).flat();

async function listen(topic, headers) {
  const events = await Events.open({ port: stack.port, path: `/__svc/topics/${topic}/subscribe`, headers: { host, ...headers } });
  open.push(events);
  return events;
}

test('each account has its own', async () => {
  const [id] = notify([ann], [], 'Ready', 'Your order is ready.', '/orders/1');
  assert.equal(notify([bob], [], 'For bob').length, 1);
  const { notifications, unread, nextCursor } = await ok(as(ann), 'GET', 'notifications');
  assert.deepEqual(notifications.map(({ createdAt, ...rest }) => (assert.match(createdAt, /Z$/), rest)),
    [{ id, title: 'Ready', body: 'Your order is ready.', link: '/orders/1', readAt: null }]);
  assert.deepEqual([unread, nextCursor], [1, null]);
  assert.deepEqual((await ok(server(bob), 'GET', 'notifications')).notifications.map((one) => [one.title, one.body, one.link]), [['For bob', null, null]]);
  for (const headers of [browser(), server()]) assert.equal((await call(headers, 'GET', 'notifications')).json.error.code, 'UNAUTHORIZED');
  assert.equal((await call({}, 'GET', 'notifications')).status, 401);
});

test('a persona is all its accounts that may sign in, each once', async () => {
  const carol = await signUp(stack, project, host, 'carol', 'customer');
  run(`update svc.account set disabled = true where id = '${carol.id}'`);
  const ids = notify([ann], ['customer'], 'To all');
  const told = run(`select account_id from svc.notice where id = any ('{${ids.join()}}') order by 1`).flat();
  const customers = run("select id from svc.account where persona = 'customer' and not disabled order by 1").flat();
  assert.deepEqual(told, customers);
  assert.ok(customers.includes(bob.id) && !customers.includes(carol.id));
  assert.deepEqual(notify([], ['nobody_is'], 'To none'), []);
});

test('pages end, and show what is unread', async () => {
  for (let i = 0; i < 7; i++) notify([bob], [], `page ${i}`);
  const seen = [];
  for (let cursor = ''; cursor !== null;) {
    const page = await ok(as(bob), 'GET', `notifications?limit=3&cursor=${cursor}`);
    assert.ok(page.notifications.length <= 3);
    seen.push(...page.notifications.map((one) => one.id));
    cursor = page.nextCursor;
  }
  const all = await ok(as(bob), 'GET', 'notifications?limit=1000');
  assert.deepEqual(seen, all.notifications.map((one) => one.id));
  assert.deepEqual(seen, [...seen].sort().reverse());
  const first = seen[0];
  const read = await ok(as(bob), 'PATCH', `notifications/${first}`, { read: true });
  assert.ok(read.notification.readAt);
  const unread = await ok(as(bob), 'GET', 'notifications?unread=1&limit=500');
  assert.ok(!unread.notifications.some((one) => one.id === first));
  assert.equal(unread.unread, all.unread - 1);
  assert.equal((await ok(as(bob), 'PATCH', `notifications/${first}`, { read: false })).notification.readAt, null);
  assert.equal((await ok(as(bob), 'POST', 'notifications/read-all')).read, all.unread);
  assert.deepEqual([(await ok(as(bob), 'GET', 'notifications')).unread, (await ok(as(ann), 'GET', 'notifications')).unread > 0], [0, true]);
});

test('nobody touches those of another, and what is wrong is said', async () => {
  const [id] = notify([ann], [], 'Of ann');
  const status = async (headers, method, path, body) => (await call(headers, method, path, body)).status;
  assert.equal(await status(as(bob), 'PATCH', `notifications/${id}`, { read: true }), 404);
  assert.equal((await ok(as(ann), 'GET', 'notifications?limit=1')).notifications[0].readAt, null);
  for (const body of [{}, { read: 1 }, { read: true, title: 'x' }, [true], undefined]) assert.equal(await status(as(ann), 'PATCH', `notifications/${id}`, body), 400);
  for (const query of ['limit=0', 'limit=x', 'unread=2', 'cursor=x', 'unraed=1']) assert.equal(await status(as(ann), 'GET', `notifications?${query}`), 400, query);
  assert.equal(await status(as(ann), 'PATCH', 'notifications/x', { read: true }), 404);
});

test('a notification comes live, and only to its account', async () => {
  const topic = (person) => `app:notifications:${person.id}`;
  const [hers, as_server] = await Promise.all([listen(topic(ann), as(ann)), listen(topic(ann), server(ann))]);
  const [id] = notify([ann], [], 'Live', 'now');
  for (const events of [hers, as_server]) {
    const [told] = await events.first(1);
    assert.deepEqual([told.id, told.title, told.body, told.readAt], [id, 'Live', 'now', null]);
  }
  for (const headers of [as(bob), browser(), server(), server(bob)]) {
    const refused = await listen(topic(ann), headers);
    assert.deepEqual([refused.status, refused.answer?.error.code], [403, 'TOPIC_FORBIDDEN']);
  }
  for (const headers of [as(ann), as(bob), server(), server(ann)]) {
    const answer = await call({ ...headers, 'x-svc-data-api': '1' }, 'POST', `topics/${topic(ann)}/publish`, { payload: 'forged' });
    assert.deepEqual([answer.status, answer.json.error.code], [403, 'TOPIC_PUBLISH_FORBIDDEN']);
  }
});

test('a notification that is rolled back was never sent', async () => {
  const before = (await ok(as(ann), 'GET', 'notifications')).unread;
  run(`begin; select svc.notify(${list([ann])}, '{}', 'Never', null, null); rollback`);
  assert.equal((await ok(as(ann), 'GET', 'notifications')).unread, before);
});
