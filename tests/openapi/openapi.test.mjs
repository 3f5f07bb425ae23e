// The OpenAPI documents of the samples: valid to an independent linter, complete beside the routes that are
// served, and true of what a running app answers.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import test, { after } from 'node:test';
import { fileURLToPath } from 'node:url';
import { hostile } from '../lib/hostile_contract.mjs';
import { Document, requirePackage } from '../lib/openapi.mjs';
import { bin, root } from '../lib/stack.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const samples = readdirSync(join(root, 'samples'));
const work = mkdtempSync(join(tmpdir(), 'svc-openapi-'));
after(() => rmSync(work, { recursive: true }));

const text = (...path) => readFileSync(join(root, ...path), 'utf8');
const documentOf = (sample) => JSON.parse(text('generated', sample, 'openapi.json'));

writeFileSync(join(work, 'svc.json'), JSON.stringify(hostile));
execFileSync(join(bin, 'svcgen'), ['emit', join(work, 'svc.json'), join(work, 'hostile')], { stdio: 'pipe' });
const schemes = ['svc', 'standard', 'github', 'stripe', 'slack', 'shopify', 'none'];
const hooked = { app: { name: 'Hooked' }, entities: [], webhooks: { in: schemes.map((scheme) => ({ name: `by_${scheme}`, scheme, ...scheme === 'none' ? {} : { secret: 'secret:SIGNS' } })) }, seeds: {} };
writeFileSync(join(work, 'hooked.json'), JSON.stringify(hooked));
execFileSync(join(bin, 'svcgen'), ['emit', join(work, 'hooked.json'), join(work, 'hooked')], { stdio: 'pipe' });
const filed = { app: { name: 'Filed' }, entities: [{ name: 'album', fields: [{ name: 'cover', type: 'file' }] }], seeds: {} };
writeFileSync(join(work, 'filed.json'), JSON.stringify(filed));
execFileSync(join(bin, 'svcgen'), ['emit', join(work, 'filed.json'), join(work, 'filed')], { stdio: 'pipe' });
const documents = [...samples.map((name) => ({ name, file: join(root, 'generated', name, 'openapi.json') })),
  { name: 'hostile names and texts', file: join(work, 'hostile/openapi.json') },
  { name: 'files', file: join(work, 'filed/openapi.json') },
  { name: 'incoming webhooks', file: join(work, 'hooked/openapi.json') }];

function lint(file) {
  const program = join(dirname(requirePackage.resolve('@redocly/cli/package.json')), 'bin/cli.js');
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', CI: '1' };
  const run = spawnSync(process.execPath, [program, 'lint', file, '--config', join(here, 'redocly.yaml'), '--format', 'json', '--max-problems', '20'], { env, encoding: 'utf8' });
  return JSON.parse(run.stdout.slice(run.stdout.indexOf('{')));
}

for (const { name, file } of documents) {
  test(`${name}: an independent linter finds nothing`, () => {
    const { totals, problems } = lint(file);
    assert.deepEqual({ ...totals }, { errors: 0, warnings: 0, ignored: 0 }, JSON.stringify(problems.slice(0, 3), null, 1));
  });

  test(`${name}: every schema compiles, and every example fits its schema`, () => {
    const document = new Document(JSON.parse(readFileSync(file, 'utf8')));
    for (const [schema, { examples = [] }] of Object.entries(document.document.components.schemas)) {
      for (const example of examples) {
        const reference = { $ref: `#/components/schemas/${schema}` };
        assert.equal(document.mistake(reference, example), null, `${schema}: ${JSON.stringify(example)}`);
      }
    }
    for (const { path, method, operation } of document.operations()) {
      assert.ok(Object.keys(operation.responses).some((status) => /^(2|30[23])/.test(status)), `${method} ${path} only fails`);
      for (const status of Object.keys(operation.responses)) {
        const { content = {} } = document.resolve(operation.responses[status]);  // redirects and 304 have none
        for (const { value } of Object.values(content['application/json']?.examples ?? {})) {
          assert.equal(document.mistake(content['application/json'].schema, value), null, `${method} ${path} ${status}`);
        }
      }
    }
  });
}

for (const sample of samples) {
  const document = new Document(documentOf(sample));
  const contract = JSON.parse(text('samples', sample, 'svc.json'));

  test(`${sample}: every data route that is served is documented`, () => {
    const routes = [...text('generated', sample, 'routes.cpp').matchAll(/\{Method::(\w+), "([^"]+)"/g)];
    assert.ok(routes.length >= 5);
    for (const [, method, path] of routes) {
      const verb = method === 'remove' ? 'DELETE' : method.toUpperCase();
      assert.equal(document.operation(verb, path.replace('<id>', 'x'))?.path, path.replace('<id>', '{id}'), `${verb} ${path}`);
    }
    for (const { name } of contract.queries ?? []) assert.ok(document.operation('POST', `/queries/${name}`), name);
  });

  test(`${sample}: operations say who may use them, as the matrix does`, () => {
    const matrix = document.document['x-svc-roles'];
    assert.deepEqual(matrix.entities.map(({ name }) => name), contract.entities.map(({ name }) => name));
    const callers = matrix.callers.map(({ name }) => name);
    for (const persona of contract.personas) assert.ok(callers.includes(persona.id));
    for (const { name, callers: cells } of matrix.entities) {
      const may = (operation) => Object.keys(cells).filter((caller) => cells[caller][operation].rows !== 'none');
      const roles = (method, path) => document.document.paths[path][method]['x-svc-roles'];
      assert.deepEqual(roles('get', `/api/v1/${name}`), may('read'));
      assert.deepEqual(roles('post', `/api/v1/${name}`), may('create'));
      assert.deepEqual(roles('patch', `/api/v1/${name}/{id}`), may('update'));
      assert.deepEqual(roles('delete', `/api/v1/${name}/{id}`), may('delete'));
    }
  });
}

test('incoming webhooks: the headers of each scheme, and its answers', () => {
  const document = new Document(JSON.parse(readFileSync(join(work, 'hooked/openapi.json'), 'utf8')));
  const signs = {
    svc: [], standard: ['webhook-id', 'webhook-timestamp', 'webhook-signature'], github: ['x-hub-signature-256'], stripe: ['stripe-signature'],
    slack: ['x-slack-signature', 'x-slack-request-timestamp'], shopify: ['x-shopify-hmac-sha256'], none: [],
  };
  for (const scheme of schemes) {
    const path = `/hooks/{project}/by_${scheme}`, { post } = document.document.paths[path];
    const headers = post.parameters.map((each) => document.resolve(each)).filter((each) => each.in === 'header');
    assert.deepEqual(headers.filter((each) => each.required).map((each) => each.name), signs[scheme], scheme);
    assert.deepEqual(post.security, [], 'no key');
    assert.deepEqual(Object.keys(post.requestBody.content).sort(), ['application/json', 'application/x-www-form-urlencoded']);
    const answers = [...scheme === 'slack' ? ['200'] : [], '202', '400', ...scheme === 'none' ? [] : ['401'], '404', '413', '429', '500', '503'];
    assert.deepEqual(Object.keys(post.responses).sort(), answers, scheme);
    assert.ok(document.resolve(post.responses['429']).headers['Retry-After']);
  }
  assert.ok(!Object.keys(documentOf('hello').paths).some((path) => path.startsWith('/hooks')));
});

test('files: every route is documented, and no other; resumable uploads with the headers and answers of their protocol', () => {
  const document = new Document(JSON.parse(readFileSync(join(work, 'filed/openapi.json'), 'utf8')));
  const routes = [...text('runtime-support/file/routes.cpp').matchAll(/\.method = Method::(\w+),\s+\.path = "([^"]+)"/g)];
  assert.ok(routes.length >= 9);
  // A GET of an upload is its HEAD with a body.
  const served = routes.map(([, method, path]) => `${{ remove: 'delete', get: path.includes('tus') ? 'head' : 'get' }[method] ?? method} ${path.replace('<id>', '{id}')}`);
  const documented = [...document.operations()].filter(({ path }) => path.startsWith('/files')).map(({ method, path }) => `${method} ${path}`);
  assert.deepEqual(documented.sort(), served.sort());

  const upload = document.document.paths['/files/tus/{id}'], begin = document.document.paths['/files/tus'].post;
  const needs = (...lists) => lists.flat().map((each) => document.resolve(each)).filter((each) => each.in === 'header' && each.required).map((each) => each.name);
  assert.deepEqual(needs(begin.parameters), ['Tus-Resumable', 'Upload-Length']);
  assert.deepEqual(needs(upload.parameters, upload.patch.parameters), ['Tus-Resumable', 'Upload-Offset']);
  assert.deepEqual(Object.keys(upload.patch.requestBody.content), ['application/offset+octet-stream']);
  assert.ok(begin.responses['201'].headers.Location);
  for (const answer of [upload.head.responses['200'], upload.patch.responses['204']]) {
    assert.ok(answer.headers['Upload-Offset'] && answer.headers['Tus-Resumable']);
    assert.equal(answer.content, undefined);
  }
  for (const status of ['409', '412', '413', '415', '460']) assert.ok(upload.patch.responses[status], status);
});

// The account routes of the server's own tables: /auth/oauth/<id>/start.
function accountRoutes() {
  const folder = join(root, 'runtime-support/auth');
  const sources = readdirSync(folder, { recursive: true }).filter((name) => name.endsWith('.cpp')).map((name) => readFileSync(join(folder, name), 'utf8'));
  return sources.flatMap((source) => [...source.matchAll(/\{Method::(\w+), "(\/[^"]+)", Need::(\w+)/g)])
    .map(([, method, path, need]) => ({ verb: method === 'remove' ? 'delete' : method, path, need }));
}

test('every account route is documented, with the credentials that it needs, and no other', () => {
  const document = new Document(documentOf('clinic'));
  const of = (path) => Object.keys(document.document.paths).find((each) => each.replace(/\{\w+\}/g, '<id>') === path);
  const routes = accountRoutes();
  assert.ok(routes.length >= 40);
  for (const { verb, path, need } of routes) {
    const operation = document.document.paths[of(path)]?.[verb];
    assert.ok(operation, `${verb} ${path}`);
    const session = operation.security.map((each) => Object.keys(each).includes('appSession'));
    const wanted = { nothing: [], key: [false], session: [true, false], enrolment: [true, false], admin: [true, false] }[need];
    const any = ['/auth/me', '/auth/logout'].includes(path) ? [false, true, false] : wanted;
    assert.deepEqual(session, any, `${verb} ${path}`);
  }
  const served = new Set(routes.map(({ verb, path }) => `${verb} ${path}`));
  for (const { path, method } of document.operations()) {
    if (!/^\/(auth|orgs)(\/|$)/.test(path)) continue;
    assert.ok(served.has(`${method} ${path.replace(/\{\w+\}/g, '<id>')}`), `${method} ${path} is not served`);
  }
});

test('an app documents the ways to sign in that it has', () => {
  const paths = (auth) => {
    const folder = mkdtempSync(join(work, 'ways-'));
    const contract = { app: { name: 'Ways' }, personas: [{ id: 'member', kind: 'consumer' }], auth, entities: [{ name: 'note', fields: [{ name: 'text', type: 'text' }] }], seeds: {} };
    writeFileSync(join(folder, 'svc.json'), JSON.stringify(contract));
    execFileSync(join(bin, 'svcgen'), ['emit', join(folder, 'svc.json'), join(folder, 'out')], { stdio: 'pipe' });
    const { totals, problems } = lint(join(folder, 'out/openapi.json'));
    assert.deepEqual({ ...totals }, { errors: 0, warnings: 0, ignored: 0 }, JSON.stringify(problems.slice(0, 3), null, 1));
    return JSON.parse(readFileSync(join(folder, 'out/openapi.json'), 'utf8'));
  };
  const has = ({ paths: all }, path) => path in all;
  const magic = paths({ methods: ['magic'] });
  assert.ok(has(magic, '/auth/magic/request') && has(magic, '/auth/reset/request') && !has(magic, '/auth/login') && !has(magic, '/auth/passkeys'));
  assert.deepEqual(magic.components.schemas.SignUp.required, ['email']);
  assert.ok(!('password' in magic.components.schemas.SignUp.properties));
  assert.ok(!has(magic, '/orgs'));
  const password = paths({ methods: ['password'] });
  assert.ok(has(password, '/auth/login') && !has(password, '/auth/magic/request') && !has(password, '/auth/passkeys/login/start'));
  const passkey = paths({ methods: ['passkey'] });
  assert.ok(has(passkey, '/auth/passkeys/login/start') && !has(passkey, '/auth/login') && has(passkey, '/auth/signup'));
  const provider = paths({ methods: ['oidc:work'], providers: [{ id: 'work', issuer: 'https://id.example.test', clientId: 'x', clientSecret: 'secret:WORK' }] });
  assert.ok(!has(provider, '/auth/signup') && !has(provider, '/auth/reset/request') && has(provider, '/auth/oauth/complete'));
});

test('columns are as the contract has them', () => {
  const { schemas } = documentOf('shop').components;
  assert.deepEqual(schemas['product.create'].required, ['sku', 'title', 'price']);
  assert.equal(schemas['product.create'].properties.sku.pattern, '^[A-Z0-9-]+$');
  assert.equal(schemas['product.create'].properties.sku.maxLength, 255);
  assert.equal(schemas['product.create'].properties.price.minimum, 0);
  assert.equal(schemas['product.create'].properties.stock.default, 0);
  assert.deepEqual(schemas['product.create'].properties.cost['x-svc-writers'], ['server', 'manager']);
  assert.deepEqual(schemas.product.properties.cost['x-svc-readers'], ['server', 'manager']);
  assert.ok(!schemas.product.required.includes('cost') && schemas.product.required.includes('price'));
  assert.deepEqual(schemas.order.properties.status.enum, ['draft', 'placed', 'shipped', 'cancelled']);
  assert.equal(schemas.order.properties.number.readOnly, true);
  assert.deepEqual(schemas.order.properties.note.type, ['string', 'null']);
  assert.ok(!('order_id' in schemas['order_line.update'].properties), 'immutable');
  assert.equal(schemas['order_line.create'].properties.order_id['x-svc-ref'], 'order');
  assert.deepEqual(schemas['order.transition'].anyOf[0].properties.transition.enum, ['place', 'ship', 'cancel']);
});
