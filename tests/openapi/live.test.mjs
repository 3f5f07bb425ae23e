// GET /api/v1/openapi.json of running apps: what it answers to whom, and that what the app answers to the calls of
// tests/runtime is what the document says.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import test, { after, before } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Document } from '../lib/openapi.mjs';
import { runScenarios, signUp } from '../lib/scenarios.mjs';
import { Stack, root, sample } from '../lib/stack.mjs';

const scenarios = join(dirname(fileURLToPath(import.meta.url)), '../runtime');
const route = '/__svc/api/v1/openapi.json';
let stack;

before(async () => {
  stack = await Stack.start();
  await stack.signIn();
});
after(() => stack?.stop());

const caller = (project, more = {}) => ({ authorization: `Bearer ${project.browser}`, origin: 'http://app.test', 'x-svc-data-api': '1', ...more });

test('the document is the same for every caller, and never older than the app', async () => {
  const project = await stack.project('Documented');
  const host = `preview-${project.slug}.localhost`;
  const get = (headers = {}, method = 'GET') => stack.fetch(method, route, { headers: caller(project, headers), host });

  const unbuilt = await get();
  assert.equal(unbuilt.status, 404);
  assert.equal(unbuilt.json.error.code, 'NO_APP');
  const byKey = await stack.fetch('GET', route, { headers: caller(project) });
  assert.equal(byKey.status, 404, 'on the platform\'s own host the key says which project is meant');
  assert.equal(byKey.json.error.code, 'NO_APP');

  await stack.apply(project, sample('shop'));
  const first = await get();
  assert.equal(first.status, 200);
  assert.equal(first.headers['content-type'], 'application/json');
  assert.equal(first.text, readFileSync(join(root, 'generated/shop/openapi.json'), 'utf8'));
  assert.equal(first.json.openapi, '3.1.0');
  assert.equal(first.json.info.version, '1');

  const ann = await signUp(stack, project, host, 'ann.documented', 'customer');
  for (const headers of [{ 'x-svc-app-session': ann.token }, { authorization: `Bearer ${project.server}`, 'x-svc-app-role': 'manager' }]) {
    assert.equal((await get(headers)).text, first.text);
  }
  assert.equal((await stack.fetch('GET', route, { headers: caller(project) })).text, first.text);
  const head = await get({}, 'HEAD');
  assert.deepEqual([head.status, head.text, head.headers.etag], [200, '', first.headers.etag]);

  const known = await get({ 'if-none-match': first.headers.etag });
  assert.deepEqual([known.status, known.text], [304, '']);
  const contract = sample('shop');
  contract.entities[0].fields.push({ name: 'colour', type: 'string' });
  await stack.apply(project, contract);
  const second = await get({ 'if-none-match': first.headers.etag });
  assert.equal(second.status, 200);
  assert.deepEqual(second.json.components.schemas.product.properties.colour, { type: ['string', 'null'] });
});

test('it takes what every data route takes', async () => {
  const project = await stack.project('Guarded');
  const host = `preview-${project.slug}.localhost`;
  await stack.apply(project, sample('hello'));
  const refused = async (headers, status, code, method = 'GET') => {
    const all = caller(project, headers);
    for (const [name, value] of Object.entries(all)) if (value === undefined) delete all[name];
    const answer = await stack.fetch(method, route, { headers: all, host });
    assert.deepEqual([answer.status, answer.json.error.code], [status, code]);
    return answer;
  };
  await refused({ authorization: undefined }, 401, 'UNAUTHORIZED');
  await refused({ authorization: 'Bearer dpk_c_none' }, 401, 'UNAUTHORIZED');
  await refused({ 'x-svc-data-api': undefined }, 400, 'PARAMS_INVALID');
  await refused({ origin: undefined }, 403, 'ORIGIN_REQUIRED');
  await refused({ 'x-svc-app-session': 'svc_s_none' }, 401, 'UNAUTHORIZED');
  await refused({ 'x-svc-env': 'prod' }, 404, 'NO_APP');
  assert.equal((await refused({}, 405, 'METHOD_NOT_ALLOWED', 'POST')).headers.allow, 'GET, HEAD');
});

for (const [name, persona] of [['shop', 'customer'], ['hello', 'member'], ['clinic', 'patient']]) {
  test(`the sample ${name} answers as documented`, async () => {
    const project = await stack.project(`${name} documented`);
    await stack.apply(project, sample(name));
    const host = `preview-${project.slug}.localhost`;
    const { json } = await stack.fetch('GET', route, { headers: caller(project), host });
    const document = new Document(json);
    const people = {};
    for (const person of ['ann', 'bob']) people[person] = await signUp(stack, project, host, `${person}.${name}`, persona);
    const seen = new Set();
    const observe = ({ method, path, answer }) => {
      const found = document.operation(method, path);
      if (!found || answer.json === undefined) return;
      // Errors of everything below a table that is none, or no JSON, are not an operation's own.
      const mistake = document.answerMistake(found.operation, answer);
      assert.equal(mistake, null, `${method} ${path}: ${answer.status} ${answer.text.slice(0, 600)}`);
      seen.add(`${found.operation.operationId} ${answer.status}`);
    };
    await runScenarios({ folder: join(scenarios, name), stack, project, host, people, kept: { project: project.id }, observe });
    assert.ok(seen.size >= { shop: 40, hello: 5, clinic: 30 }[name], `${seen.size} kinds of answers: ${[...seen].join(', ')}`);
  });
}
