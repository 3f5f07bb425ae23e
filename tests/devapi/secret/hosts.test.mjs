// A secret goes where somebody who may set secrets said, and nowhere else.
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { Stack } from '../../lib/stack.mjs';

const contract = (issuer) => ({
  app: { name: 'Wages' },
  personas: [{ id: 'customer', kind: 'consumer', signup: true }],
  auth: { methods: ['password', 'oidc:work'],
    providers: [{ id: 'work', label: 'Work', issuer, clientId: 'wages', clientSecret: 'secret:PAYROLL' }] },
  entities: [{ name: 'note', fields: [{ name: 'text', type: 'string' }] }],
});

let stack, project, developer;
const path = (rest) => `/projects/${project.id}${rest}`;
const put = (body, expect) => stack.dev('PUT', path('/secrets/PAYROLL'), body, { expect });
const as = (token, issuer, expect) => stack.dev('POST', path('/apply'), { contract: contract(issuer) }, { token, expect });
const found = (answer) => answer.json.report.errors.map((each) => `${each.code} ${each.path} ${each.message} ${each.fix ?? ''}`).join('\n');

// Somebody of the workspace who may apply and may not set secrets.
async function colleague(role) {
  const email = `${role}@example.test`;
  const { json } = await stack.dev('POST', `/workspaces/${stack.workspace}/members`, { email, role }, { expect: 201 });
  const url = new URL(json.joinUrl ?? json.setupUrl);
  const body = { token: url.searchParams.get('token'), password: 'correct horse battery' };
  const made = await stack.fetch('POST', url.pathname, { body });
  assert.ok(made.status < 300, made.text);
  return (await stack.dev('POST', '/session', { email, password: body.password }, { token: null, expect: 200 })).json.token;
}

before(async () => {
  stack = await Stack.start();
  await stack.signIn();
  project = await stack.project('Wages');
  developer = await colleague('developer');
});
after(() => stack?.stop());

test('a developer who names an issuer of their own does not get the secret', async () => {
  await put({ value: 'hunter2hunter2' }, 201);
  const refused = await as(developer, 'https://evil.example', 422);
  assert.match(found(refused), /^SECRET_NOT_FOR_HOST \/auth\/providers\/0\/clientSecret .*PAYROLL.*evil\.example/);
  assert.match(refused.text, /svc secrets allow PAYROLL --host evil\.example/);
  const checked = await stack.dev('POST', path('/check'), { contract: contract('https://evil.example') }, { token: developer, expect: 200 });
  assert.match(found(checked), /SECRET_NOT_FOR_HOST/);
  const dry = await stack.dev('POST', path('/apply'), { contract: contract('https://evil.example'), dryRun: true }, { token: developer });
  assert.match(dry.text, /SECRET_NOT_FOR_HOST/);
});

test('an owner\'s apply binds it to the hosts of that apply', async () => {
  assert.equal((await stack.dev('POST', path('/check'), { contract: contract('https://login.example') })).json.report.ok, true);
  await as(stack.session, 'https://login.example', 200);
  const { secrets } = (await stack.dev('GET', path('/secrets'))).json;
  assert.deepEqual(secrets.map(({ name, hosts }) => ({ name, hosts })), [{ name: 'PAYROLL', hosts: ['login.example'] }]);
  await as(developer, 'https://login.example/tenant', 200);
  for (const token of [developer, stack.session])
    for (const issuer of ['https://evil.example', 'https://login.example.evil.example', 'https://login.example@evil.example', 'https://xlogin.example'])
      assert.match((await as(token, issuer, 422)).text, /SECRET_NOT_FOR_HOST|BAD_URL/, issuer);
});

test('only a member who may set secrets can allow a host', async () => {
  const allow = (token, body) => stack.dev('PATCH', path('/secrets/PAYROLL'), body, { token });
  assert.equal((await allow(developer, { allow: ['evil.example'] })).json.code, 'FORBIDDEN_ROLE');
  for (const body of [{}, { allow: [] }, { allow: ['https://a.example'] }, { allow: ['a.example:443'] }, { allow: ['A.example'] }, { allow: ['a/b'] }])
    assert.equal((await allow(stack.session, body)).status, 400, JSON.stringify(body));
  assert.equal((await stack.dev('PATCH', path('/secrets/OTHER'), { allow: ['a.example'] })).json.code, 'SECRET_NOT_FOUND');
  const { json } = await allow(stack.session, { allow: ['second.example', 'login.example'] });
  assert.deepEqual(json.hosts, ['login.example', 'second.example']);
  await as(developer, 'https://second.example', 200);
});

test('another value keeps the hosts, and hosts can be said with it', async () => {
  await put({ value: 'another value' }, 200);
  assert.match((await as(developer, 'https://evil.example', 422)).text, /SECRET_NOT_FOR_HOST/);
  await put({ value: 'another value', hosts: [] }, 200);
  assert.match((await as(stack.session, 'https://second.example', 422)).text, /SECRET_NOT_FOR_HOST/);
  await put({ value: 'another value', hosts: ['second.example'] }, 200);
});

test('a deploy goes by the secret of its environment', async () => {
  await stack.dev('PUT', path('/secrets/PAYROLL'), { value: 'the real one', env: 'prod', hosts: ['pay.example'] }, { expect: 201 });
  const refused = await stack.dev('POST', path('/deploy'), { skipVerify: true });
  assert.match(refused.text, /SECRET_NOT_FOR_HOST/);
  await stack.dev('PATCH', path('/secrets/PAYROLL'), { allow: ['second.example'], env: 'prod' }, { expect: 200 });
  await stack.dev('POST', path('/deploy'), { skipVerify: true }, { expect: 200 });
});

test('a secret in a header of a step, and one that signs a webhook, go to their hosts alone', async () => {
  const other = await stack.project('Calls');
  const sends = (step, hook) => ({
    ...contract('https://login.example'), auth: undefined,
    workflows: [{ id: 'tell', on: { manual: true }, steps: [{ id: 'which', switch: { on: "'a'", cases: { a: [{ id: 'call', http: { method: 'POST', url: `https://${step}/v1`, headers: { 'x-api-key': 'secret:CALL' } } }] } } }] }],
    webhooks: { out: [{ name: 'books', on: ['note.created'], url: `https://${hook}/in`, secret: 'secret:SIGN' }] },
  });
  for (const name of ['CALL', 'SIGN']) await stack.dev('PUT', `/projects/${other.id}/secrets/${name}`, { value: 'hunter2hunter2' }, { expect: 201 });
  await stack.dev('POST', `/projects/${other.id}/apply`, { contract: sends('api.example', 'books.example') }, { expect: 200 });
  const { secrets } = (await stack.dev('GET', `/projects/${other.id}/secrets`)).json;
  assert.deepEqual(secrets.map(({ name, hosts }) => [name, hosts]).sort(), [['CALL', ['api.example']], ['SIGN', ['books.example']]]);
  const refused = await stack.dev('POST', `/projects/${other.id}/apply`, { contract: sends('evil.example', 'evil.example') }, { expect: 422 });
  assert.match(found(refused), /SECRET_NOT_FOR_HOST \/webhooks\/out\/0\/secret/);
  assert.match(found(refused), /SECRET_NOT_FOR_HOST \/workflows\/0\/steps\/0\/switch\/cases\/a\/0\/http\/headers\/x-api-key/);
});
