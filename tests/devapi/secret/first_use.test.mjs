// A secret that has no value yet: who names it in a contract first says where it goes, if they may.
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { databaseOf, sql } from '../../lib/admin_sql.mjs';
import { Stack } from '../../lib/stack.mjs';
import { Team } from '../../lib/team.mjs';

const contract = (...issuers) => ({
  app: { name: 'Wages' },
  personas: [{ id: 'customer', kind: 'consumer', signup: true }],
  auth: { methods: ['password', ...issuers.map((_, i) => `oidc:work${i}`)],
    providers: issuers.map((issuer, i) => ({ id: `work${i}`, label: 'Work', issuer, clientId: 'wages', clientSecret: 'secret:PAYROLL' })) },
  entities: [{ name: 'note', fields: [{ name: 'text', type: 'string' }] }],
});
const [login, evil, second] = ['login', 'evil', 'second'].map((name) => `https://${name}.example`);

let stack, developer, count = 0;
before(async () => {
  stack = await Stack.start();
  await stack.signIn();
  developer = (await new Team(stack).person('dev@example.test', 'developer')).session;
});
after(() => stack?.stop());

// A project, and what its owner and its developer do there.
async function wages() {
  const project = await stack.project(`Wages ${++count}`);
  const call = (method, rest, body, options) => stack.dev(method, `/projects/${project.id}${rest}`, body, options);
  return {
    project, call,
    apply: (issuers, token = stack.session) => call('POST', '/apply', { contract: contract(...issuers) }, { token }),
    label: (text) => call('POST', '/patch', { edits: [{ op: 'set_app', app: { description: text } }] }, { expect: 200 }),
    put: (body = {}) => call('PUT', '/secrets/PAYROLL', { value: 'hunter2hunter2', ...body }),
    hosts: async () => (await call('GET', '/secrets')).json.secrets.map(({ env, hosts }) => `${env} ${hosts}`),
    told: (env = 'dev') => sql(stack, databaseOf(project).replace(/_dev$/, `_${env}`), 'select name, hosts from svc.secret').map((row) => row.join(' ')),
  };
}
const applied = (answer) => assert.equal(answer.status, 200, answer.text);
const refused = (answer, host) => {
  assert.notEqual(answer.status, 200, answer.text);
  assert.match(answer.text, /SECRET_NOT_FOR_HOST/);
  assert.match(answer.text, new RegExp(`svc secrets allow PAYROLL --host ${host}`));
};

test('a host that a developer named first is not bound by what an owner does later', async () => {
  const { apply, label, put, hosts, told, call } = await wages();
  applied(await apply([evil], developer));
  await label('The pay of all');
  const kept = await put();
  assert.equal(kept.status, 201);
  assert.deepEqual([kept.json.hosts, await hosts(), told()], [null, ['all null'], []]);
  for (const token of [developer, stack.session]) refused(await apply([evil], token), 'evil.example');
  assert.deepEqual([await hosts(), told()], [['all null'], []]);
  await call('PATCH', '/secrets/PAYROLL', { allow: ['evil.example'] }, { expect: 200 });
  applied(await apply([evil], developer));
  assert.deepEqual(told(), ['PAYROLL {evil.example}']);
});

test('nor where the value is of prod alone', async () => {
  const { apply, label, put, hosts, call } = await wages();
  assert.equal((await put({ env: 'prod' })).status, 201);
  applied(await apply([evil], developer));
  await label('The pay of all');
  applied(await apply([evil]));
  assert.deepEqual(await hosts(), ['prod null']);
  for (const token of [developer, stack.session]) {
    const { status, text } = await call('POST', '/deploy', { skipVerify: true }, { token });
    refused({ status, text }, 'evil.example --env prod');
  }
});

test('an owner alone applies and sets, or sets and applies, and it works', async () => {
  for (const first of ['apply', 'put']) {
    const { apply, put, hosts, told } = await wages();
    if (first === 'put') await put();
    applied(await apply([login]));
    if (first === 'apply') assert.deepEqual((await put()).json.hosts, ['login.example']);
    assert.deepEqual([await hosts(), told()], [['all login.example'], ['PAYROLL {login.example}']], first);
  }
});

test('an owner\'s change binds what it brings in, and nothing that was live before', async () => {
  const { apply, put, hosts, told } = await wages();
  applied(await apply([evil], developer));
  applied(await apply([evil, login]));
  await put();
  assert.deepEqual([await hosts(), told()], [['all login.example'], ['PAYROLL {login.example}']]);
  refused(await apply([evil, login]), 'evil.example');
  applied(await apply([login]));
});

test('what an owner brought in counts for as long as it is live', async () => {
  const { apply, put, hosts } = await wages();
  applied(await apply([login]));
  applied(await apply([evil], developer));
  applied(await apply([login], developer));
  await put();
  assert.deepEqual(await hosts(), ['all null'], 'the developer brought it in this time');
  applied(await apply([second]));
  assert.deepEqual(await hosts(), ['all second.example']);
});

test('a value that is deleted and set anew goes where the owner said before', async () => {
  const { apply, put, hosts, call } = await wages();
  await put();
  applied(await apply([login]));
  await call('DELETE', '/secrets/PAYROLL', undefined, { expect: 200 });
  await put({ env: 'dev' });
  assert.deepEqual(await hosts(), ['dev login.example']);
});

test('a secret that the project has not is said at check, apply and deploy', async () => {
  const { apply, put, call } = await wages();
  const missing = (warnings) => warnings.filter((each) => each.code === 'SECRET_MISSING' && each.path === '/auth/providers/0/clientSecret');
  const said = async () => (await call('POST', '/check', { contract: contract(login) }, { expect: 200 })).json.report;
  assert.equal((await said()).ok, true);
  const [first] = missing((await said()).warnings);
  assert.match(`${first?.message} ${first?.fix}`, /PAYROLL.*svc secrets set PAYROLL <value> --host login\.example/);
  const live = await apply([login]);
  applied(live);
  assert.match(live.text, /SECRET_MISSING/);
  await put({ env: 'dev' });
  assert.deepEqual(missing((await said()).warnings), []);
  const deployed = await call('POST', '/deploy', { skipVerify: true }, { expect: 200 });
  assert.equal(deployed.json.warnings.length, 1);
  assert.match(deployed.json.warnings[0], /no secret PAYROLL for prod.*svc secrets set PAYROLL <value> --host login\.example --env prod/);
});

test('the missing secret of an incoming webhook is reported, without a host to send it to', async () => {
  const { call } = await wages();
  const hooked = { ...contract(), webhooks: { in: [{ name: 'bank', secret: 'secret:BANK' }] } };
  const missing = async () => (await call('POST', '/check', { contract: hooked }, { expect: 200 })).json.report.warnings.filter(({ code }) => code === 'SECRET_MISSING');
  const [{ path, message, fix }] = await missing();
  assert.equal(path, '/webhooks/in/0/secret');
  assert.match(`${message} ${fix}`, /no secret BANK for dev.*svc secrets set BANK <value>$/);
  await call('PUT', '/secrets/BANK', { value: 'shared', env: 'all' }, { expect: 201 });
  assert.deepEqual(await missing(), []);
});

test('secrets that models and cards need are reported, though the contract does not name them', async () => {
  const { call } = await wages();
  const entities = [{ name: 'order', fields: [{ name: 'number', type: 'string' }] }, { name: 'tea', fields: [{ name: 'price', type: 'money', required: true }] },
    { name: 'line', fields: [{ name: 'order_id', type: 'ref', to: 'order', required: true }, { name: 'tea_id', type: 'ref', to: 'tea', required: true }, { name: 'pieces', type: 'integer', required: true }] }];
  const payments = { order: 'order', lines: 'line', link: 'order_id', quantity: 'pieces', item: 'tea_id', price: 'price' };
  const missing = async (more) => (await call('POST', '/check', { contract: { ...contract(), entities, ...more } }, { expect: 200 })).json.report.warnings
    .filter(({ code }) => code === 'SECRET_MISSING').map(({ path, message }) => `${path} ${/no secret (\S+) for dev/.exec(message)[1]}`).sort();
  const cards = ['/payments CARD_API_BASE', '/payments CARD_SECRET_KEY', '/payments CARD_WEBHOOK_SECRET'];
  assert.deepEqual(await missing({ ai: { model: 'small' } }), ['/ai AI_API_KEY', '/ai AI_BASE_URL']);
  assert.deepEqual(await missing({ payments }), cards);
  assert.deepEqual(await missing({ payments: { ...payments, methods: ['offline', 'card'] } }), cards);
  assert.deepEqual(await missing({ payments: { ...payments, methods: ['offline'] } }), []);
  await call('PUT', '/secrets/AI_BASE_URL', { value: 'https://models.example.test/v1' }, { expect: 201 });
  assert.deepEqual(await missing({ ai: { model: 'small' } }), ['/ai AI_API_KEY']);
});

test('secrets from before there were hosts go where each environment sent them', async () => {
  const { project, apply, put, hosts, told, call } = await wages();
  for (const env of ['dev', 'prod', 'all']) await put({ env, hosts: ['old.example'] });
  applied(await apply(['https://old.example']));
  await call('POST', '/deploy', { skipVerify: true }, { expect: 200 });
  for (const env of ['dev', 'prod', 'all']) await put({ env, hosts: ['new.example', 'old.example'] });
  applied(await apply(['https://new.example']));
  const age = (where) => sql(stack, 'svc_platform', `update project_secret set hosts = null, older = true where project_id = '${project.id}' and ${where}`);
  const again = async () => {
    stack.child.kill('SIGTERM');
    await stack.ended;
    await stack.run();
  };
  age('true');
  await again();
  assert.deepEqual(await hosts(), ['all null', 'dev new.example', 'prod old.example']);
  assert.deepEqual([told(), told('prod')], [['PAYROLL {new.example}'], ['PAYROLL {old.example}']]);
  for (const env of ['dev', 'prod']) await call('DELETE', `/secrets/PAYROLL?env=${env}`, undefined, { expect: 200 });
  age('true');
  await again();
  assert.deepEqual(await hosts(), ['all new.example,old.example']);
});

test('of two parallel changes the app gets the later one', async () => {
  const { apply, put, told, call } = await wages();
  applied(await apply([login]));
  for (let round = 0; round < 25; ++round) {
    await put();
    const puts = [1, 2, 3].map((each) => call('PUT', '/secrets/SMTP_URL', { value: `smtp://127.0.0.1:${1000 * each + round}` }));
    await Promise.all([...puts.slice(0, 2), call('DELETE', '/secrets/PAYROLL'), ...puts.slice(2)]);
    assert.deepEqual(told().map((row) => row.split(' ')[0]), ['SMTP_URL'], `round ${round}`);
  }
});
