// A domain is a project's once a TXT record says so, and leads nowhere before.
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { sql } from '../lib/admin_sql.mjs';
import { dns } from '../lib/dns.mjs';
import { Stack, sample } from '../lib/stack.mjs';
import { Client } from '../cli/client.mjs';

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

test('a claim alone leads nowhere, and blocks nobody', async () => {
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
  assert.match(late.missing, /has another value/);
  assert.equal(await answers(theirs, host), 401, 'that app does not know their key');
});

test('a name that changes hands goes to the project with the record', async () => {
  const theirToken = domainsOf(await set(theirs, [host]))[host].record.value;
  const ourToken = domainsOf(await set(ours, [host]))[host].record.value;
  records[`_svc.${host}`] = [ourToken, theirToken];
  assert.match((await verify(theirs, host)).missing, /Another project/);
  records[`_svc.${host}`] = [theirToken];
  const warned = await deploy(ours);
  assert.match(warned.warnings.join('\n'), /shop\.bigcorp\.test: The TXT record .* has another value/);
  assert.equal(await answers(ours, host), 200, 'until somebody else shows a record');
  assert.equal((await verify(theirs, host)).verified, true);
  assert.equal(await answers(theirs, host), 200);
  assert.notEqual(await answers(ours, host), 200);
  await set(theirs, []);
  await set(ours, []);
});

test('a TXT record proves a domain only if it has the whole value', async () => {
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

test('names that no project can own are refused', async () => {
  for (const bad of ['co.uk', 'github.io', 'com', '*.shop.example', 'shop.example.', '192.0.2.7', 'shop_1.example', 'münchen.example', 'xn--.example.', 'localhost'])
    assert.equal((await set(ours, [bad])).status, 400, bad);
  assert.ok(domainsOf(await set(ours, ['XN--Mnchen-3ya.Example']))['xn--mnchen-3ya.example']);
});

const one = (method, name, project = ours, options = {}) => stack.dev(method, `/projects/${project.id}/domains/${name}`, undefined, options);
const hostsOf = async (project) => (await stack.dev('GET', `/projects/${project.id}`, undefined, { expect: 200 })).json.project.domains.map((each) => each.host);

test('hosts are added and let go one by one, and none gets lost between two people', async () => {
  await set(ours, ['kept.test.example']);
  const kept = domainsOf(await stack.dev('GET', `/projects/${ours.id}`))['kept.test.example'];
  records['_svc.kept.test.example'] = [kept.record.value];
  assert.equal((await verify(ours, 'kept.test.example')).verified, true);
  const names = Array.from({ length: 12 }, (_, i) => `n${i}.test.example`);
  const made = await Promise.all(names.map((name) => one('PUT', name.toUpperCase())));
  assert.deepEqual(made.map(({ status, json }) => `${status} ${json.domain.host} ${json.domain.proof}`), names.map((name) => `201 ${name} null`));
  assert.deepEqual((await hostsOf(ours)).sort(), ['kept.test.example', ...names].sort());
  const again = await one('PUT', names[0]);
  assert.deepEqual([again.status, again.json.domain.record.value], [200, made[0].json.domain.record.value], 'with the token that it has');
  const more = await Promise.all(Array.from({ length: 9 }, (_, i) => one('PUT', `m${i}.test.example`)));
  assert.deepEqual(more.map(({ status, json }) => `${status}${json.code ? ` ${json.code}` : ''}`).sort(), [...Array(7).fill('201'), ...Array(2).fill('409 CONFLICT')]);
  assert.equal(await answers(ours, 'kept.test.example'), 200);
  for (const name of names) assert.deepEqual((await one('DELETE', name, ours, { expect: 200 })).json, { removed: name });
  assert.equal((await one('DELETE', names[0])).status, 404);
  assert.equal((await one('DELETE', 'kept.test.example', theirs)).status, 404, 'another project has nothing to do with it');
  assert.equal(await answers(ours, 'kept.test.example'), 200);
  await one('DELETE', 'kept.test.example', ours, { expect: 200 });
  assert.equal(await answers(ours, 'kept.test.example'), 404, 'at once');
  for (const bad of ['co.uk', '192.0.2.7', 'localhost', 'shop_1.example']) {
    const refused = await one('PUT', bad);
    assert.deepEqual([refused.status, refused.json.code], [400, 'BAD_REQUEST'], bad);
  }
});

test('svc domains: adds hosts, shows their status, and removes one', async (t) => {
  const client = new Client(stack);
  t.after(() => client.remove());
  const svc = async (code, ...args) => {
    const end = await client.svc(['domains', ...args], { env: { SVC_TOKEN: stack.session, SVC_PROJECT: theirs.id } });
    assert.equal(end.code, code, end.out + end.err);
    return end;
  };
  await set(theirs, ['stays.test.example']);
  const value = domainsOf(await stack.dev('GET', `/projects/${theirs.id}`))['stays.test.example'].record.value;
  assert.match((await svc(0, 'add', 'New.test.example')).out, /^new\.test\.example: not verified\.\n.*svc domains verify new\.test\.example\n +_svc\.new\.test\.example TXT \S+\n$/s);
  sql(stack, 'svc_platform', "update project_domain set proof = 'before' where host = 'new.test.example'");
  const list = (await svc(0)).out;
  assert.match(list, /^new\.test\.example +answers; not verified yet +_svc\./m);
  assert.match(list, new RegExp(`^stays\\.test\\.example +not verified +_svc\\.stays\\.test\\.example +${value}`, 'm'));
  assert.match((await svc(0, 'remove', 'new.test.example')).out, /no longer has new\.test\.example/);
  assert.match((await svc(1, 'remove', 'new.test.example')).err, /Domain not found/);
  assert.match((await svc(1, 'add', 'co.uk')).err, /Anybody can register names below 'co\.uk'/);
  assert.deepEqual(await hostsOf(theirs), ['stays.test.example']);
});

test('the switch that skips the proof is for a loopback address alone', async () => {
  const open = await Stack.start({ SVC_DOMAINS_UNPROVEN: '1', SVC_DNS_SERVER: '127.0.0.1:1' });
  try {
    await open.signIn();
    const project = await open.project('Open');
    const { json } = await open.dev('PATCH', `/projects/${project.id}`, { domains: ['a.example'] }, { expect: 200 });
    assert.deepEqual([json.project.domains[0].verified, json.project.domains[0].proof], [true, 'skipped']);
    const added = await open.dev('PUT', `/projects/${project.id}/domains/b.example`, undefined, { expect: 201 });
    assert.equal(added.json.domain.proof, 'skipped');
    open.child.kill('SIGTERM');
    await open.ended;
    open.env = { SVC_DNS_SERVER: '127.0.0.1:1' };
    await open.run();
    const later = (await open.dev('GET', `/projects/${project.id}`, undefined, { expect: 200 })).json.project.domains[0];
    assert.deepEqual([later.verified, later.proof], [false, null], 'without the switch a record is asked for');
  } finally {
    await open.stop();
  }
  await assert.rejects(Stack.start({ SVC_DOMAINS_UNPROVEN: '1', SVC_LISTEN: '0.0.0.0:0' }), /SVC_DOMAINS_UNPROVEN is allowed only with a loopback/);
});
