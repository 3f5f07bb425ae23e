// A workspace that asks for what takes long, as often as it can: its checks end in time and say what took it, and another
// workspace signs in, checks and applies meanwhile.
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { sql } from '../lib/admin_sql.mjs';
import { Stack, owner } from '../lib/stack.mjs';

const seconds = 3;
let stack, hostile, calm;

const contract = (fields, more = {}) => ({
  app: { name: 'Stall' },
  personas: [{ id: 'customer', kind: 'consumer' }],
  entities: [{ name: 'thing', owner: 'none', fields }],
  ...more,
});
const harmless = contract([{ name: 'sku', type: 'string', pattern: '^[A-Z]+$' }]);
// PostgreSQL tries every way of parting the text into pieces that come twice: an odd number of letters has none.
const slow = `^${'(a+)'.repeat(7)}\\1\\2\\3\\4\\5\\6\\7$`;
const odd = 'a'.repeat(201);
const stalling = (count = 1) => contract(Array.from({ length: count }, (_none, n) =>
  ({ name: `f${n}`, type: 'string', pattern: slow, default: odd })));

const check = (project, body, token) => stack.dev('POST', `/projects/${project.id}/check`, { contract: body }, { token });
const codes = ({ json }) => json.report.errors.map((one) => one.code);

// A second account, whose password is the first one's, in a workspace of its own.
async function another() {
  const ids = ['0190a1b2-0000-7000-8000-000000000001', '0190a1b2-0000-7000-8000-000000000002'];
  sql(stack, 'svc_platform', `
    insert into account (id, email, password_hash) select '${ids[0]}', 'calm@example.test', password_hash from account limit 1;
    insert into workspace (id, name) values ('${ids[1]}', 'Calm');
    insert into member (workspace_id, user_id, role) values ('${ids[1]}', '${ids[0]}', 'owner')`);
  const token = await signIn('calm@example.test');
  const { json } = await stack.dev('POST', '/projects', { name: 'Calm', workspaceId: ids[1] }, { token, expect: 201 });
  return { project: json.project, token };
}
const signIn = async (email) =>
  (await stack.dev('POST', '/session', { email, password: owner.password }, { token: null, expect: 200 })).json.token;

before(async () => {
  stack = await Stack.start({ SVC_CHECK_SECONDS: String(seconds) });
  await stack.signIn();
  hostile = (await stack.dev('POST', '/projects', { name: 'Hostile', workspaceId: stack.workspace }, { expect: 201 })).json.project;
  calm = await another();
});
after(() => stack?.stop());

test('a pattern that PostgreSQL does not decide in time is a finding that names it', async () => {
  const answer = await check(hostile, stalling());
  assert.equal(answer.status, 200);
  assert.deepEqual(codes(answer), ['CHECK_TOO_SLOW']);
  const [finding] = answer.json.report.errors;
  assert.match(finding.path, /^\/entities\/0\/fields\/0\/pattern/);
  assert.ok(finding.message.includes('(a+)(a+)'), finding.message);
});

test('one budget is for all of a contract: of many such patterns the first one ends it', async () => {
  const answer = await check(hostile, stalling(40));
  assert.deepEqual(codes(answer), ['CHECK_TOO_SLOW']);
  assert.match(answer.json.report.errors[0].path, /^\/entities\/0\/fields\/0\/pattern/);
});

// None of these queries reaches PostgreSQL: they name no entity.
test('the budget counts what it takes to read SQL, too', async () => {
  const sql = `update nowhere set (${Array(32).fill('a').join(',')}) = (select ${Array(3300).fill('1').join(',')})`;
  const queries = Array.from({ length: 200 }, (_, i) => ({ name: `q${i}`, mode: 'write', sql, allow: ['server'] }));
  const answer = await check(hostile, contract([{ name: 'sku', type: 'string' }], { queries }));
  const slow = codes(answer).filter((code) => code === 'CHECK_TOO_SLOW');
  assert.deepEqual([answer.status, slow.length], [200, 1], answer.text.slice(0, 500));
});

test('matches() in a condition, and the pattern of a value of the seeds, are held to it too', async () => {
  const seeds = { thing: [{ sku: odd }] };
  const field = { name: 'sku', type: 'string', pattern: slow };
  assert.deepEqual(codes(await check(hostile, contract([field], { seeds }))), ['CHECK_TOO_SLOW']);
  const ruled = contract([{ name: 'sku', type: 'string' }], { seeds });
  ruled.entities[0].rules = [{ on: ['create'], refuse: `matches(new.sku, '${slow.replaceAll('\\', '\\\\')}')`, message: 'No.' }];
  assert.deepEqual(codes(await check(hostile, ruled)), ['CHECK_TOO_SLOW']);
});

test('a contract of very many names is refused before each is compared with all; seeds may have many rows', async () => {
  const many = Array.from({ length: 6000 }, (_none, n) => ({ name: `f${n}`, type: 'integer' }));
  const answer = await check(hostile, contract(many));
  assert.deepEqual([codes(answer), answer.json.report.errors[0].path], [['TOO_MANY_ITEMS'], '/entities/0/fields']);
  const seeds = { thing: many.map(({ name }) => ({ _key: name, sku: name })) };
  assert.deepEqual(codes(await check(hostile, contract([{ name: 'sku', type: 'string' }], { seeds }))), []);
  const wrong = contract([{ name: 'sku', type: 'string' }]);
  wrong.entities[0].access = { read: Array.from({ length: 1500 }, (_none, n) => ({ to: 'customer', if: `g${n} > 1` })) };
  const told = codes(await check(hostile, wrong));
  assert.deepEqual([told.length, told.filter((code) => code === 'TOO_MANY_FINDINGS').length], [1001, 1]);
});

test('the role that tries it is not there afterwards', async () => {
  await check(hostile, harmless);
  assert.deepEqual(sql(stack, 'postgres', "select count(*) from pg_roles where rolname like 'svc\\_check%'"), [['0']]);
});

test('twenty stalling checks at once: another workspace signs in, checks and looks meanwhile', async () => {
  const ended = [];
  const attack = Array.from({ length: 20 }, (_none, n) =>
    check(hostile, stalling(3)).then((answer) => { ended.push(`hostile ${n}`); return answer; }));
  const others = (async () => {
    const token = await signIn('calm@example.test');
    const answer = await check(calm.project, harmless, token);
    assert.deepEqual([answer.status, answer.json.report.ok], [200, true]);
    assert.equal((await stack.dev('GET', '/me', undefined, { token })).status, 200);
    ended.push('calm');
  })();
  await others;
  assert.ok(ended.indexOf('calm') < 8, `the calm one came after ${ended.indexOf('calm')} of the hostile ones`);
  const answers = await Promise.all(attack);
  for (const answer of answers) {
    if (answer.status === 429) {
      assert.equal(answer.json.code, 'RATE_LIMITED');
      assert.ok(Number(answer.headers['retry-after']) > 0);
    } else {
      assert.deepEqual([answer.status, codes(answer)], [200, ['CHECK_TOO_SLOW']]);
    }
  }
  assert.ok(answers.some(({ status }) => status === 200));
  assert.deepEqual(codes(await check(hostile, harmless)), []);
});
