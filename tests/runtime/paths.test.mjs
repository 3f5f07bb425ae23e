// All spellings of a path are one path: percent-encoding is taken off once, before anything is compared.
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { Stack, sample } from '../lib/stack.mjs';

let stack, project, other, host;

const headers = (of = project) => ({ authorization: `Bearer ${of.server}`, 'x-svc-data-api': '1', 'x-svc-app-role': 'manager' });
const call = (path, { method = 'GET', body, on = host, of } = {}) => stack.fetch(method, path, { host: on, headers: headers(of), body });

before(async () => {
  stack = await Stack.start();
  await stack.signIn();
  project = await stack.project('Spelled');
  other = await stack.project('Other');
  host = `preview-${project.slug}.localhost`;
  await stack.apply(project, sample('shop'));
});
after(() => stack?.stop());

test('an encoded letter is that letter', async () => {
  const plain = await call('/__svc/api/v1/product?limit=1');
  assert.equal(plain.status, 200, plain.text);
  for (const path of ['/__svc/api/v1/%70roduct', '/__%73vc/api/v1/product', '/__svc/%61pi/v%31/%70%72oduct']) {
    const answer = await call(`${path}?limit=1`);
    assert.equal(answer.text, plain.text, path);
  }
  const [id] = plain.json.rows.map((row) => row.id);
  assert.equal((await call(`/__svc/api/v1/product/%${id.charCodeAt(0).toString(16)}${id.slice(1)}`)).json.rows[0].id, id);
});

test('which app is meant is read from the path as that app reads it', async () => {
  const on = `127.0.0.1:${stack.port}`;
  const first = `%${project.id.charCodeAt(0).toString(16)}${project.id.slice(1)}`;
  assert.equal((await call(`/%70review/${first}/__svc/api/v1/product`, { on })).status, 200);
  assert.equal((await call('/%5f_svc/api/v1/product', { on })).status, 200, 'by its key');
  const migrate = await call('/__svc/data/%6digrate', { method: 'POST', body: { sql: 'create table spelled (id uuid primary key)' } });
  assert.equal(migrate.status, 200, migrate.text);
  // Taken off twice, this would be another project's path.
  const twice = await call(`/preview/%25${other.id.charCodeAt(0).toString(16)}${other.id.slice(1)}/__svc/api/v1/product`, { on });
  assert.equal(twice.status, 404, twice.text);
  assert.equal((await call('/__svc/api/v1/%2570roduct')).status, 403, 'a table whose name has a percent sign');
});

test('attack: slashes, dots, NUL and broken escapes are refused by every reader', async () => {
  const refused = ['/__svc/api/v1/product%2F', '/__svc/api%2fv1/product', '/__svc%2Fapi/v1/product', '/__svc/api/v1/product%00', '/__svc/api/v1/%zz',
    '/__svc/api/v1/prod%7', '/__svc/api/v1/product%', '/__svc/api/v1/./product', '/__svc/api/v1/../v1/product', '/__svc/api/v1/%2e%2E/product',
    '/__svc/api/v1/product/.%2e', '/__svc/queries/reports/%2e%2e', '/__svc/api/v1/%ff', '/healthz%2F'];
  for (const path of refused) {
    const answer = await call(path);
    assert.equal(answer.status, 400, `${path}: ${answer.text}`);
    assert.equal(answer.json.error.code, 'BAD_REQUEST', path);
    assert.equal(answer.json.ok, false, path);
  }
  for (const path of ['/projects/..', '/projects/%2e%2e/keys', `/projects/${project.id}%2Fkeys`, `/projects/${project.id}%00`, '/projects/%zz']) {
    const answer = await stack.dev('GET', path);
    assert.deepEqual([answer.status, answer.json.code, typeof answer.json.error], [400, 'BAD_REQUEST', 'string'], `${path}: ${answer.text}`);
  }
  const page = await stack.fetch('GET', '/setup/%2e%2e/');
  assert.equal(page.status, 400);
});

test('the developer API takes one spelling off, too', async () => {
  const first = `%${project.id.charCodeAt(0).toString(16)}${project.id.slice(1)}`;
  assert.equal((await stack.dev('GET', `/%70rojects/${first}`)).json.project.id, project.id);
  const name = 'A%2542';  // the name "A%42", which is none
  assert.equal((await stack.dev('PUT', `/projects/${project.id}/secrets/${name}`, { value: 'x' })).status, 400);
});

test('a query with folders is called by either spelling of its slash, and by no other trick', async () => {
  const run = (name) => call(`/__svc/queries/${name}`, { method: 'POST', body: { since: '2020-01-01' } });
  for (const name of ['reports/top_products', 'reports%2Ftop_products', 'reports%2ftop_products', '%72eports%2Ftop%5Fproducts']) {
    assert.equal((await run(name)).status, 200, name);
  }
  assert.equal((await run('reports%252Ftop_products')).status, 400, 'once, not twice');
  assert.equal((await run('..%2Freports%2Ftop_products')).status, 400);
  assert.equal((await call('/__svc/queries%2Freports/top_products', { method: 'POST', body: {} })).status, 400);
});
