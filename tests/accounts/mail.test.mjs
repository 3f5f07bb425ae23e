// Mails through a real mail server.
import assert from 'node:assert/strict';
import test, { after } from 'node:test';
import { freePort, until } from '../lib/stack.mjs';
import { databaseOf, sql } from '../lib/admin_sql.mjs';
import { bodyOf as body, startMailServer } from './mail_server.mjs';
import { World, contract } from './world.mjs';

const running = [];
after(async () => { for (const stop of running.reverse()) await stop(); });

async function mailServer(refuse) {
  const server = await startMailServer({ refuse, user: 'shop', password: 'p:w' });
  running.push(server.stop);
  return server;
}

async function worldWith(url) {
  const world = await World.start({ env: { SVC_SMTP_URL: url } });
  running.push(() => world.stop());
  return world;
}

test('a mail goes out with its link, and its text is kept no longer', async () => {
  const server = await mailServer();
  const world = await worldWith(`smtp://shop:p%3Aw@127.0.0.1:${server.port}/?from=Caf%C3%A9%20%3Cshop%40example.test%3E`);
  await world.call('POST', '/auth/magic/request', { email: 'ann@example.test' });
  await until('the mail', () => server.taken.length > 0);
  const [mail] = server.taken;
  assert.equal(mail.user, 'shop');
  assert.equal(mail.envelope.mailFrom.address, 'shop@example.test');
  assert.deepEqual(mail.envelope.rcptTo.map((to) => to.address), ['ann@example.test']);
  assert.match(mail.text, /^From: =\?utf-8\?B\?.+\?= <shop@example\.test>\r$/m);
  assert.match(mail.text, /^Auto-Submitted: auto-generated\r$/m);
  const [, link] = /(http:\S+token=\S+)/.exec(body(mail));
  const opened = await world.call('GET', new URL(link).pathname.replace('/__svc', '') + new URL(link).search, undefined, { key: null });
  assert.equal(opened.status, 302);
  await until('the outbox to be empty', async () => (await world.mails()).length === 0);
});

test('a mail that cannot be sent now waits; no request waits for it', async () => {
  const port = await freePort();
  const world = await worldWith(`smtp://127.0.0.1:${port}/`);
  const answer = await world.call('POST', '/auth/reset/request', { email: 'ann@example.test' });
  assert.equal(answer.status, 200);
  const tried = () => sql(world.stack, databaseOf(world.project), "select attempts, error from svc.mail where ended_at is null");
  await until('a try', () => tried().some(([attempts, error]) => Number(attempts) > 0 && error !== ''));
  assert.equal((await world.mails('ann@example.test')).length, 1);
});

test('what a server refuses for good ends; others are sent', async () => {
  const refused = Object.assign(new Error('no such mailbox'), { responseCode: 550 });
  const server = await mailServer((address) => (address === 'ann@example.test' ? refused : null));
  const world = await worldWith(`smtp://127.0.0.1:${server.port}/`);
  await world.call('POST', '/auth/magic/request', { email: 'ann@example.test' });
  await world.call('POST', '/auth/magic/request', { email: 'root@example.test' });
  await until('the outbox to be empty', async () => (await world.mails()).length === 0);
  assert.deepEqual(server.taken.map((mail) => mail.envelope.rcptTo[0].address), ['root@example.test']);
});

test('a mail of a workflow is sent, however long others were ahead of it; a link comes first, and not when it is over', async () => {
  const server = await mailServer();
  const world = await worldWith(`smtp://127.0.0.1:${server.port}/`);
  sql(world.stack, databaseOf(world.project), `insert into svc.mail (kind, recipient, subject, body, created_at, next_at)
    select kind, kind || '@example.test', 's', 'b', at, at from (values ('workflow', now() - interval '2 hours'), ('magic', now() - interval '2 hours'), ('reset', now())) m(kind, at)`);
  await world.call('POST', '/auth/magic/request', { email: 'ann@example.test' });
  await until('the mails', () => server.taken.length >= 3);
  const taken = server.taken.map((mail) => mail.envelope.rcptTo[0].address);
  assert.deepEqual(taken.filter((to) => to !== 'ann@example.test'), ['reset@example.test', 'workflow@example.test']);
});

test('a project brings its own mail server as a secret, and takes it away again, without a restart', async () => {
  const server = await mailServer();
  const world = await World.start();
  running.push(() => world.stop());
  const secret = (method, body) => world.stack.dev(method, `/projects/${world.project.id}/secrets/SMTP_URL`, body);
  await world.call('POST', '/auth/magic/request', { email: 'ann@example.test' });
  assert.equal((await world.mails()).length, 1);
  // Old waiting mails are never sent: somebody only tried the app.
  await world.call('POST', '/auth/magic/request', { email: 'root@example.test' });
  sql(world.stack, databaseOf(world.project), "insert into svc.mail (kind, recipient, subject, body) values ('workflow', 'bob@example.test', 's', 'b')");
  await until('the mailer to find no mail server', () => sql(world.stack, databaseOf(world.project), "select parked from svc.mail where recipient = 'bob@example.test'")[0][0] === 't');
  sql(world.stack, databaseOf(world.project), "update svc.mail set created_at = now() - interval '2 hours', next_at = now() - interval '2 hours' where recipient in ('root@example.test', 'bob@example.test')");
  assert.equal((await secret('PUT', { value: `smtp://127.0.0.1:${server.port}/` })).status, 201);
  await until('the mail that waited', () => server.taken.length === 1);
  assert.match(server.taken[0].envelope.mailFrom.address, /^no-reply@preview-/);
  assert.deepEqual(server.taken[0].envelope.rcptTo.map((to) => to.address), ['ann@example.test']);
  sql(world.stack, databaseOf(world.project), 'delete from svc.mail where ended_at is null');
  assert.equal((await secret('DELETE')).status, 200);
  const told = () => sql(world.stack, databaseOf(world.project), 'select name from svc.secret');
  assert.deepEqual(told(), []);
  await world.call('POST', '/auth/magic/request', { email: 'root@example.test' });
  assert.equal((await world.mails()).length, 1);
  await world.stack.apply(world.project, contract((c) => { c.app.description = 'applied again'; }));
  assert.equal((await world.mails()).length, 1);
});
