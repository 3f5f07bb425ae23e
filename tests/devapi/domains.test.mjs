// A domain is a project's once a TXT record says so, and leads nowhere before.
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { sql } from '../lib/admin_sql.mjs';
import { dns } from '../lib/dns.mjs';
import { Stack, sample } from '../lib/stack.mjs';

const records = {};
let names, stack, ours, theirs;

const set = (project, domains) => stack.dev('PATCH', `/projects/${project.id}`, { domains });
const domainsOf = (answer) => Object.fromEntries(answer.json.project.domains.map((each) => [each.host, each]));
const verify = async (project, host) => (await stack.dev('POST', `/projects/${project.id}/domains/${host}/verify`, {}, { expect: 200 })).json.domain;
const answers = async (project, host) =>
  (await stack.fetch('GET', '/__svc/api/v1/reading', { host, headers: { authorization: `Bearer ${project.server}`, 'x-svc-data-api': '1' } })).status;
const deploy = async (project) => (await stack.dev('POST', `/projects/${project.id}/deploy`, { skipVerify: true }, { expect: 200 })).json;
const host = 'shop.bigcorp.test';

before(async () => {
  names = await dns(records);
  stack = await Stack.start({ SVC_DNS_SERVER: names.server });
  await stack.signIn();
  [ours, theirs] = [await stack.project('Big Corp'), await stack.project('Squatter')];
  for (const project of [ours, theirs]) {
    await stack.apply(project, sample('hello'));
    await deploy(project);
  }
});
after(async () => {
  await stack?.stop();
  names?.stop();
});

test('a claim alone leads nowhere, and is in nobody\'s way', async () => {
  const claimed = domainsOf(await set(theirs, [host]))[host];
  assert.deepEqual([claimed.verified, claimed.proof, claimed.record.name, claimed.record.type], [false, null, `_svc.${host}`, 'TXT']);
  assert.match((await verify(theirs, host)).missing, /no TXT record at _svc\.shop\.bigcorp\.test/);
  assert.equal(await answers(theirs, host), 404);

  const owned = domainsOf(await set(ours, [host]))[host];
  assert.notEqual(owned.record.value, claimed.record.value);
  records[`_svc.${host}`] = [owned.record.value];
  assert.equal((await verify(ours, host)).verified, true);
  assert.equal(await answers(ours, host), 200);
  const late = await verify(theirs, host);
  assert.equal(late.verified, false);
  assert.match(late.missing, /holds another value/);
  assert.equal(await answers(theirs, host), 401, 'that app does not know their key');
});

test('a name that changes hands goes to the one whose record stands', async () => {
  const theirToken = domainsOf(await set(theirs, [host]))[host].record.value;
  const ourToken = domainsOf(await set(ours, [host]))[host].record.value;
  records[`_svc.${host}`] = [ourToken, theirToken];
  assert.match((await verify(theirs, host)).missing, /Another project/);
  records[`_svc.${host}`] = [theirToken];
  const warned = await deploy(ours);
  assert.match(warned.warnings.join('\n'), /shop\.bigcorp\.test: The TXT record .* holds another value/);
  assert.equal(await answers(ours, host), 200, 'until somebody else shows a record');
  assert.equal((await verify(theirs, host)).verified, true);
  assert.equal(await answers(theirs, host), 200);
  assert.notEqual(await answers(ours, host), 200);
  await set(theirs, []);
  await set(ours, []);
});

test('records come in many forms', async () => {
  const token = domainsOf(await set(ours, ['form.test.example']))['form.test.example'].record.value;
  const name = '_svc.form.test.example';
  const refused = { 'no record': 3, 'a server that fails': 2, 'no answer': 'silent', 'another value': ['x'], 'no value': [],
    'a part of it': [token.slice(1)], 'more than it': [`${token} `], 'a name that leads nowhere': { cname: 'nowhere.example' } };
  for (const [what, form] of Object.entries(refused)) {
    records[name] = form;
    const answer = await verify(ours, 'form.test.example');
    assert.deepEqual([answer.verified, typeof answer.missing], [false, 'string'], what);
  }
  records['elsewhere.example'] = [token];
  for (const form of [{ cname: 'elsewhere.example' }, ['v=spf1 -all', token, 'x'], [[token.slice(0, 5), token.slice(5)]], [token]]) {
    records[name] = form;
    assert.equal((await verify(ours, 'form.test.example')).verified, true, JSON.stringify(form));
  }
});

test('the switch that skips the proof takes none away', async () => {
  const restart = async (more) => {
    stack.child.kill('SIGTERM');
    await stack.ended;
    stack.env = { SVC_DNS_SERVER: names.server, ...more };
    await stack.run();
  };
  const proofs = async () => (await stack.dev('GET', `/projects/${ours.id}`)).json.project.domains.map(({ host, proof }) => `${host} ${proof}`);
  const value = domainsOf(await set(ours, ['dns.test.example', 'old.test.example']))['dns.test.example'].record.value;
  records['_svc.dns.test.example'] = [value];
  assert.equal((await verify(ours, 'dns.test.example')).verified, true);
  sql(stack, 'svc_platform', "update project_domain set proof = 'before' where host = 'old.test.example'");
  const before = await proofs();
  await restart({ SVC_DOMAINS_UNPROVEN: '1' });
  await verify(ours, 'dns.test.example');
  await deploy(ours);
  await restart({});
  assert.deepEqual(await proofs(), before);
  for (const each of ['dns.test.example', 'old.test.example']) assert.equal(await answers(ours, each), 200, each);
});

test('names that are nobody\'s own are refused', async () => {
  for (const bad of ['co.uk', 'github.io', 'com', '*.shop.example', 'shop.example.', '192.0.2.7', 'shop_1.example', 'münchen.example', 'xn--.example.', 'localhost'])
    assert.equal((await set(ours, [bad])).status, 400, bad);
  assert.ok(domainsOf(await set(ours, ['XN--Mnchen-3ya.Example']))['xn--mnchen-3ya.example']);
});

test('the switch that skips the proof is for a loopback address alone', async () => {
  const open = await Stack.start({ SVC_DOMAINS_UNPROVEN: '1', SVC_DNS_SERVER: '127.0.0.1:1' });
  try {
    await open.signIn();
    const project = await open.project('Open');
    const { json } = await open.dev('PATCH', `/projects/${project.id}`, { domains: ['a.example'] }, { expect: 200 });
    assert.deepEqual([json.project.domains[0].verified, json.project.domains[0].proof], [true, 'skipped']);
    open.child.kill('SIGTERM');
    await open.ended;
    open.env = { SVC_DNS_SERVER: '127.0.0.1:1' };
    await open.run();
    const later = (await open.dev('GET', `/projects/${project.id}`, undefined, { expect: 200 })).json.project.domains[0];
    assert.deepEqual([later.verified, later.proof], [false, null], 'without the switch a record is asked for');
  } finally {
    await open.stop();
  }
  await assert.rejects(Stack.start({ SVC_DOMAINS_UNPROVEN: '1', SVC_LISTEN: '0.0.0.0:0' }), /SVC_DOMAINS_UNPROVEN is for a loopback/);
});
