// Calls that others make: signed by their own packages, taken once, refused where anything is not as it was signed.
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { dirname } from 'node:path';
import test, { after, before } from 'node:test';
import { fileURLToPath } from 'node:url';
import { packages } from '../lib/npm.mjs';
import { Document } from '../lib/openapi.mjs';
import { until } from '../lib/stack.mjs';
import { World } from './world.mjs';

const require = packages(dirname(fileURLToPath(import.meta.url)));
const Stripe = require('stripe');
const { Webhook } = require('standardwebhooks');
const github = require('@octokit/webhooks-methods');

const secrets = { CARRIED_HOOK: 'Carried secret', GIT_HOOK: 'git secret', CARD_HOOK: 'whsec_card', CHAT_HOOK: 'chat secret', SHOP_HOOK: 'shop secret', OPEN_HOOK: `whsec_${Buffer.from('open secret of ours').toString('base64')}` };
const schemes = { git: ['github', 'GIT_HOOK'], card: ['stripe', 'CARD_HOOK'], chat: ['slack', 'CHAT_HOOK'], store: ['shopify', 'SHOP_HOOK'], open: ['standard', 'OPEN_HOOK'] };
const workflows = [{ id: 'arrived', on: { webhook: 'starts' }, steps: [{ id: 'keep', create: { entity: 'parcel', data: { label: '{input.body.label}' } } }] }, { id: 'carries', on: { manual: true }, steps: [{ id: 'keep', set: { a: '{input.headers}' } }] }];
const hooks = [
  { name: 'starts' }, { name: 'ours' }, { name: 'by_path', dedupe: 'event.key' }, { name: 'unsigned', scheme: 'none' }, { name: 'unset', secret: 'secret:NOT_SET' }, { name: 'carried', secret: 'secret:CARRIED_HOOK', run: 'carries' },
  { name: 'vendors', scheme: 'stripe' },
  ...Object.entries(schemes).map(([name, [scheme, secret]]) => ({ name, scheme, secret: `secret:${secret}` })),
];

let world, root, own;
before(async () => {
  world = await World.start({ secrets, more: { webhooks: { in: hooks }, workflows } });
  root = await world.demo('root@example.test');
  own = await secretOf('ours');
});
after(() => world?.stop());

const now = (shift = 0) => Math.floor(Date.now() / 1000) + shift;
const hex = (secret, text) => createHmac('sha256', secret).update(text).digest('hex');
const base64 = (secret, text) => createHmac('sha256', secret).update(text).digest('base64');

async function secretOf(name) {
  const answer = await world.call('GET', `/runtime/webhooks/${name}/secret`, undefined, { as: root.token });
  assert.equal(answer.status, 200, answer.text);
  return answer.json.secret;
}

// Headers of a call with this body, made at `at`.
const signers = {
  ours: (body, at) => ({ 'x-svc-signature': `t=${at},v1=${hex(own, `${at}.${body}`)}` }),
  git: async (body) => ({ 'x-hub-signature-256': await github.sign(secrets.GIT_HOOK, body) }),
  card: (body, at) => ({ 'stripe-signature': new Stripe('sk_test_none').webhooks.generateTestHeaderString({ payload: body, secret: secrets.CARD_HOOK, timestamp: at }) }),
  chat: (body, at) => ({ 'x-slack-request-timestamp': `${at}`, 'x-slack-signature': `v0=${hex(secrets.CHAT_HOOK, `v0:${at}:${body}`)}` }),
  store: (body) => ({ 'x-shopify-hmac-sha256': base64(secrets.SHOP_HOOK, body) }),
  open: (body, at) => ({
    'webhook-id': 'msg_1', 'webhook-timestamp': `${at}`,
    'webhook-signature': new Webhook(secrets.OPEN_HOOK).sign('msg_1', new Date(at * 1000), body),
  }),
};
const timed = ['ours', 'card', 'chat', 'open'];

for (const name of Object.keys(signers)) {
  test(`${name}: what its sender signed is taken, and nothing else`, async () => {
    const body = JSON.stringify({ text: 'caf\u00e9', n: 1 });
    const send = async (sent, at = now(), change = (headers) => headers) => world.hook(name, sent, change(await signers[name](body, at)));
    const taken = await send(body);
    assert.equal(taken.status, 202, taken.text);
    assert.match(taken.json.id, /^[0-9a-f-]{36}$/);
    const refused = [
      await send(`${body} `), await world.hook(name, body), await send(body, now(), (headers) => Object.fromEntries(Object.entries(headers).map(([key, value]) => [key, `${value}`.slice(0, -2)]))),
      await send(body, now(), (headers) => Object.fromEntries(Object.keys(headers).map((key) => [key, '']))),
    ];
    if (timed.includes(name)) refused.push(await send(body, now(-320)), await send(body, now(320)));
    for (const answer of refused) {
      assert.equal(answer.status, 401, answer.text);
      assert.equal(answer.json.error.code, 'BAD_SIGNATURE');
    }
    if (timed.includes(name)) for (const shift of [-280, 280]) assert.equal((await send(body, now(shift))).status, 202);
  });
}

test('the document of the app says what callers send and are answered', async () => {
  const answer = await world.call('GET', '/api/v1/openapi.json');
  const document = new Document(answer.json);
  assert.deepEqual(Object.keys(answer.json.paths).filter((path) => path.startsWith('/hooks/')).sort(), hooks.map(({ name }) => `/hooks/{project}/${name}`).sort());
  const body = '{"n":2}';
  for (const name of Object.keys(signers)) {
    const { operation } = document.operation('POST', `/hooks/${world.project.id}/${name}`);
    const signed = await signers[name](body, now());
    const told = operation.parameters.map((each) => document.resolve(each).name);
    for (const header of Object.keys(signed)) assert.ok(told.includes(header), `${name}: ${header}`);
    for (const [sent, headers, status] of [[body, signed, 202], [body, {}, 401]]) {
      const came = await world.hook(name, sent, headers);
      assert.equal(came.status, status);
      assert.equal(document.answerMistake(operation, came), null, `${name}: ${came.text}`);
    }
  }
  const { operation } = document.operation('POST', `/hooks/${world.project.id}/chat`);
  const asks = JSON.stringify({ type: 'url_verification', challenge: 'say it' });
  assert.equal(document.answerMistake(operation, await world.hook('chat', asks, signers.chat(asks, now()))), null);
  const unset = document.operation('POST', `/hooks/${world.project.id}/unset`).operation;
  assert.equal(document.answerMistake(unset, await world.hook('unset', body)), null);
});

test('our own secret signs in each of the ways', async () => {
  const body = '{"a":1}', at = now();
  assert.match(own, /^whsec_/);
  const bytes = Buffer.from(own.slice(6), 'base64');
  const standard = { 'webhook-id': 'msg_2', 'webhook-timestamp': `${at}`, 'webhook-signature': new Webhook(own).sign('msg_2', new Date(at * 1000), body) };
  const ways = [
    { 'x-svc-signature': hex(own, body) }, { 'x-svc-signature': hex(own, body).toUpperCase() }, { 'x-svc-signature': hex(bytes, body) },
    { 'x-svc-signature': `t=${at},v1=${'0'.repeat(64)},v1=${hex(own, `${at}.${body}`).toUpperCase()}` }, standard,
    { ...standard, 'webhook-signature': `v1,AAAA v2,x ${standard['webhook-signature']}` },
  ];
  for (const headers of ways) assert.equal((await world.hook('ours', body, headers)).status, 202, JSON.stringify(headers));
});

test('who cannot sign sends the secret of the project itself, and no other', async () => {
  const send = async (name, secret) => (await world.hook(name, '{"a":1}', { 'x-svc-webhook-secret': secret })).status;
  assert.equal(await send('carried', secrets.CARRIED_HOOK), 202);
  assert.equal(await send('carried', ` ${secrets.CARRIED_HOOK}  `), 202, 'blanks around a header are none of it');
  for (const wrong of ['', 'carried', `${secrets.CARRIED_HOOK}x`, secrets.CARRIED_HOOK.toUpperCase()]) assert.equal(await send('carried', wrong), 401, wrong);
  assert.equal(await send('ours', own), 401, 'a secret that svc has made signs');
  assert.equal(await send('git', secrets.GIT_HOOK), 401, 'as does that of a service with a scheme of its own');
  await world.setSecret('CARRIED_HOOK', 'another one');
  for (const either of [secrets.CARRIED_HOOK, 'another one']) await until('either is taken', async () => await send('carried', either) === 202);
  const [input] = world.sql("select given::text from svc.run where trigger ->> 'name' = 'carried' limit 1");
  assert.ok(!String(input).includes(secrets.CARRIED_HOOK), 'no run knows it');
  const document = new Document((await world.call('GET', '/api/v1/openapi.json')).json);
  const told = (name) => document.operation('POST', `/hooks/${world.project.id}/${name}`).operation.parameters.map((each) => document.resolve(each).name);
  assert.deepEqual([told('carried').includes('x-svc-webhook-secret'), told('ours').includes('x-svc-webhook-secret')], [true, false]);
});

test('an event that comes again does nothing, and is answered the same', async () => {
  const send = async (name, body, headers) => (await world.hook(name, body, { ...await signers[name](body, now()), ...headers })).json;
  const cases = [
    ['git', '{"ref":"main"}', { 'x-github-delivery': 'd-1' }, { 'x-github-delivery': 'd-2' }],
    ['store', '{"id":1}', { 'x-shopify-webhook-id': 's-1' }, { 'x-shopify-webhook-id': 's-2' }],
    ['card', '{"id":"evt_1","type":"charge"}', {}, null, '{"id":"evt_2","type":"charge"}'],
    ['chat', '{"event_id":"Ev1"}', {}, null, '{"event_id":"Ev2"}'],
    ['ours', '{"id":"evt_1","event":"order.created"}', {}, null, '{"id":"evt_2","event":"order.created"}'],
  ];
  for (const [name, body, headers, others, other = body] of cases) {
    const first = await send(name, body, headers);
    assert.ok(first.ok, JSON.stringify(first));
    assert.equal((await send(name, body, headers)).id, first.id, name);
    assert.notEqual((await send(name, other, others ?? headers)).id, first.id, name);
  }
  // The signature covers the body alone: another id in a header is not the sender's.
  const [body] = cases.at(-1).slice(1);
  assert.equal((await send('ours', body, { 'webhook-id': 'other' })).id, (await send('ours', body)).id);
  // A row that comes twice may be two events.
  const row = '{"id":"7","status":"paid"}';
  assert.notEqual((await send('ours', row)).id, (await send('ours', row)).id);
  assert.equal(world.json("select count(*) from svc.hook_seen where hook = 'card'"), 2);
});

test('the contract says where the event has its id', async () => {
  const secret = await secretOf('by_path');
  const send = async (body) => (await world.hook('by_path', JSON.stringify(body), { 'x-svc-signature': hex(secret, JSON.stringify(body)) })).json.id;
  const first = await send({ event: { key: 'a' }, n: 1 });
  assert.equal(await send({ n: 2, event: { key: 'a' } }), first);
  assert.notEqual(await send({ event: { key: 7 } }), first);
  assert.equal(await send({ event: { key: 7 }, n: 3 }), await send({ event: { key: 7 } }));
});

test('calls of one event at the same time are one', async () => {
  const headers = await signers.git('{}');
  const answers = await Promise.all(Array.from({ length: 12 }, () => world.hook('git', '{}', { ...headers, 'x-github-delivery': 'at-once' })));
  assert.deepEqual([...new Set(answers.map((one) => one.status))], [202]);
  assert.equal(new Set(answers.map((one) => one.json.id)).size, 1);
});

test('an event starts its workflow once', async () => {
  const secret = await secretOf('starts');
  const send = async (label, id) => {
    const body = JSON.stringify({ label });
    const at = now();
    return (await world.hook('starts', body, { 'webhook-id': id, 'webhook-timestamp': `${at}`, 'webhook-signature': new Webhook(secret).sign(id, new Date(at * 1000), body) })).json.id;
  };
  const run = await send('first', 'msg_a');
  assert.equal(await send('first', 'msg_a'), run);
  const second = await send('second', 'msg_b');
  const kept = () => world.sql('select label from public.parcel order by label').flat();
  await until('the rows of the runs', () => kept().length >= 2);
  assert.deepEqual(kept(), ['first', 'second']);
  const runs = world.json("select json_agg(r) from (select id, status, given #> '{input,body}' as body, given #>> '{input,headers,webhook-id}' as event from svc.run where workflow = 'arrived' order by id) r");
  assert.deepEqual(runs.map(({ id, body, event }) => [id, body.label, event]), [[run, 'first', 'msg_a'], [second, 'second', 'msg_b']]);
});

test('Slack is answered its challenge, once it has signed', async () => {
  const body = JSON.stringify({ type: 'url_verification', challenge: 'a "word"' });
  const answer = await world.hook('chat', body, signers.chat(body, now()));
  assert.equal(answer.status, 200);
  assert.deepEqual(answer.json, { challenge: 'a "word"' });
  assert.equal((await world.hook('chat', body)).status, 401);
});

test('bodies are JSON or forms', async () => {
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  const status = async (body, headers) => (await world.hook('unsigned', body, headers)).status;
  assert.equal(await status('a=1&a=2&b=%C3%A9+x', form), 202);
  assert.equal(await status(`payload=${encodeURIComponent('{"ok":true}')}`, form), 202);
  assert.equal(await status(''), 202);
  for (const body of ['{', '{"a":1} x', '"\\u0000"', '[1e999999]', 'text']) assert.equal(await status(body), 400, body);
  assert.equal(await status('a=%00', form), 400);
  assert.equal(await status(JSON.stringify('x'.repeat(1024 * 1024))), 413);
  assert.equal(await status(JSON.stringify('x'.repeat(1024 * 1024 - 2))), 202);
  // Many members cost no more than their bytes.
  assert.equal(await status(JSON.stringify(Object.fromEntries(Array.from({ length: 60000 }, (_, i) => [`m${i}`, 1])))), 202);
});

test('the last call is shown, also of a webhook whose calls have no id', async () => {
  const last = async () => (await world.stack.dev('GET', `/projects/${world.project.id}/hooks`, undefined, { expect: 200 })).json.in.find((hook) => hook.name === 'unsigned').lastAt;
  const before = Date.now();
  await until('a second after the call before', () => world.json("select coalesce(last_at < now() - interval '1 second', true) from svc.hook_in where name = 'unsigned'"));
  assert.equal((await world.hook('unsigned', '{}')).status, 202);
  assert.ok(Date.parse(await last()) >= before - 1000);
});

test('a webhook is found by its project and name alone', async () => {
  const headers = await signers.git('{}');
  const to = (path, more) => world.stack.fetch('POST', path, { headers: { ...headers, ...more }, body: '{}' });
  for (const path of [`/hooks/${world.project.id}/git`, `/__svc/hooks/${world.project.id}/git`, `/preview/${world.project.id}/__svc/hooks/${world.project.id}/git`])
    assert.equal((await to(path)).status, 202, path);
  for (const path of [`/hooks/${world.project.id}/git`, `/__svc/hooks/${world.project.id}/git`])
    assert.equal((await to(path, { host: world.host })).status, 202, path);
  for (const path of [`/hooks/${world.project.id}/none`, `/hooks/${world.project.id}`, `/hooks/${world.project.id}/git/more`, '/hooks/0198b6a0-0000-7000-8000-00000000000a/git'])
    assert.equal((await to(path)).status, 404, path);
  assert.equal((await world.stack.fetch('GET', `/hooks/${world.project.id}/git`)).status, 405);
  assert.equal((await to(`/hooks/${world.project.id}/git`, { 'x-svc-env': 'prod' })).json.error.code, 'NO_APP');
});

test('without its secret a webhook takes nothing until it is set, and developers are told', async () => {
  const body = '{}';
  const send = () => world.hook('unset', body, { 'x-svc-signature': hex('set now', body) });
  const path = `/projects/${world.project.id}`;
  const dev = async (rest) => (await world.stack.dev('GET', path + rest, undefined, { expect: 200 })).json;
  const lacking = async () => (await dev('')).environments.dev.hooksLackingSecret;
  const vendors = { name: 'vendors', scheme: 'stripe', secret: null };
  assert.equal((await send()).status, 503);
  assert.deepEqual(await lacking(), [{ name: 'unset', scheme: 'svc', secret: 'NOT_SET' }, vendors]);
  await world.setSecret('NOT_SET', 'set now');
  assert.equal((await send()).status, 202);
  assert.deepEqual(await lacking(), [vendors]);
  assert.deepEqual((await dev('/hooks')).in.filter((hook) => hook.lacksSecret).map(({ name }) => name), ['vendors']);
});

test('who asks for our secret of a service that makes its own is told what to do', async () => {
  const note = /^This secret cannot verify calls of stripe, .*svc secrets set NAME <value>/;
  const [app, developer] = [await world.call('GET', '/runtime/webhooks/vendors/secret', undefined, { as: root.token }),
    await world.stack.dev('GET', `/projects/${world.project.id}/hooks/vendors/secret`, undefined, { expect: 200 })];
  for (const { json } of [app, developer]) assert.match(json.note, note);
  const { json } = await world.call('GET', '/runtime/webhooks/ours/secret', undefined, { as: root.token });
  assert.deepEqual(Object.keys(json), ['ok', 'secret']);
});

test('administrators see our secrets, and none of the project', async () => {
  const ann = await world.demo('ann@example.test');
  for (const as of [ann.token, undefined]) {
    for (const [method, path] of [['GET', '/runtime/webhooks/ours/secret'], ['POST', '/runtime/webhooks/ours/rotate'], ['GET', '/runtime/webhooks'], ['GET', '/runtime/deliveries']]) {
      const answer = await world.call(method, path, undefined, { as });
      assert.deepEqual([answer.status, answer.json.error.message], [403, 'Admin required'], path);
    }
  }
  const asked = (name) => world.call('GET', `/runtime/webhooks/${name}/secret`, undefined, { as: root.token });
  assert.deepEqual([(await asked('git')).status, (await asked('unsigned')).status, (await asked('nothing')).status], [409, 409, 404]);
  assert.ok(!(await asked('git')).text.includes(secrets.GIT_HOOK));
  const kept = world.sql('select sealed from svc.hook_secret').flat().join();
  assert.ok(!kept.includes(own) && !kept.includes(own.slice(6)));
});

test('a secret that was replaced holds for a day', async () => {
  const body = '{}';
  const status = async (secret) => (await world.hook('ours', body, { 'x-svc-signature': hex(secret, body) })).status;
  const first = await secretOf('ours');
  const rotated = await world.call('POST', '/runtime/webhooks/ours/rotate', undefined, { as: root.token });
  assert.equal(rotated.status, 200, rotated.text);
  assert.notEqual(rotated.json.secret, first);
  assert.equal(await secretOf('ours'), rotated.json.secret);
  assert.deepEqual([await status(first), await status(rotated.json.secret)], [202, 202]);
  world.sql("update svc.hook_secret set until = now() - interval '1 second' where until is not null");
  assert.deepEqual([await status(first), await status(rotated.json.secret)], [401, 202]);
  const third = (await world.call('POST', '/runtime/webhooks/ours/rotate', undefined, { as: root.token })).json.secret;
  assert.deepEqual([await status(first), await status(rotated.json.secret), await status(third)], [401, 202, 202]);
});

test('a replaced secret of the project is valid for a day, and then no longer', async () => {
  const status = async (secret) => (await world.hook('git', '{}', { 'x-hub-signature-256': await github.sign(secret, '{}') })).status;
  await world.setSecret('GIT_HOOK', 'another one');
  assert.deepEqual([await status('git secret'), await status('another one')], [202, 202]);
  await world.setSecret('SHOP_HOOK', 'and another');  // that others change ends nothing
  assert.deepEqual([await status('git secret'), await status('another one')], [202, 202]);
  world.sql("update svc.secret_before set until = now() - interval '1 second'");
  assert.deepEqual([await status('git secret'), await status('another one')], [401, 202]);
});

test('calls without a valid signature have a budget, for each webhook and address', async () => {
  const few = await World.start({ env: { SVC_RATE_HOOK: '3', SVC_TRUSTED_PROXIES: '127.0.0.1' }, secrets, more: { webhooks: { in: hooks }, workflows } });
  try {
    const body = '{"n":1}';
    const call = async (name, good, from = '192.0.2.1') => (await few.hook(name, body, { ...good && await signers[name](body, now()), 'x-forwarded-for': from }));
    for (let i = 0; i < 8; ++i) assert.equal((await call('git', true)).status, 202, 'a good one does not count');
    for (let i = 0; i < 3; ++i) assert.equal((await call('git')).status, 401);
    for (const good of [false, true]) {
      const full = await call('git', good);
      assert.deepEqual([full.status, full.json.error.code], [429, 'RATE_LIMITED']);
      assert.ok(Number(full.headers['retry-after']) >= 1 && Number(full.headers['retry-after']) <= 60);
    }
    assert.equal((await call('store', true)).status, 202, 'another webhook');
    assert.equal((await call('git', true, '192.0.2.2')).status, 202, 'another address');
    const nobody = async (name, from) => (await call(name, false, from)).status;
    assert.deepEqual([await nobody('unsigned', '192.0.2.3'), await nobody('unsigned', '192.0.2.3'), await nobody('unsigned', '192.0.2.3'), await nobody('unsigned', '192.0.2.3')], [202, 202, 202, 429]);
    assert.deepEqual([await nobody('nix', '192.0.2.4'), await nobody('no', '192.0.2.4'), await nobody('none', '192.0.2.4'), await nobody('nobody', '192.0.2.4')], [404, 404, 404, 429]);
  } finally {
    await few.stop();
  }
});

test('developers read and replace the secret that svc made, and no other', async () => {
  const { stack, project } = world;
  const path = (name, what) => `/projects/${project.id}/hooks/${name}/${what}`;
  const { json: shown } = await stack.dev('GET', path('ours', 'secret'), undefined, { expect: 200 });
  assert.equal(shown.secret, await secretOf('ours'));
  const { json: replaced } = await stack.dev('POST', path('ours', 'rotate'), {}, { expect: 200 });
  assert.match(replaced.secret, /^whsec_/);
  assert.notEqual(replaced.secret, shown.secret);
  assert.equal(await secretOf('ours'), replaced.secret);
  for (const [name, status, code] of [['git', 409, 'CONFLICT'], ['unsigned', 409, 'CONFLICT'], ['nobody', 404, 'NOT_FOUND']]) {
    assert.equal((await stack.dev('GET', path(name, 'secret'), undefined, { expect: status })).json.code, code);
    assert.equal((await stack.dev('POST', path(name, 'rotate'), {}, { expect: status })).json.code, code);
  }
  const { json: reader } = await stack.dev('POST', '/tokens', { name: 'reads', workspaceId: stack.workspace, scopes: ['read'] }, { expect: 201 });
  await stack.dev('GET', path('ours', 'secret'), undefined, { token: reader.token, expect: 403 });
});
