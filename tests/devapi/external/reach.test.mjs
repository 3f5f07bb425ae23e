// Where a secret of `external` may lead: never to svc's own PostgreSQL, and through a door without a password only
// where the operator named it.
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import test, { after, before } from 'node:test';
import { postgres } from '../../lib/postgres.mjs';
import { Stack } from '../../lib/stack.mjs';

const contract = {
  app: { name: 'Reach' },
  personas: [{ id: 'customer', kind: 'consumer', signup: true }],
  entities: [{ name: 'old_row', external: { kind: 'postgres', connection: 'secret:OLD', table: 'pg_catalog.pg_authid', key: 'oid' },
    fields: [{ name: 'rolname', type: 'string' }], access: { read: '*' } }],
};

let server;
const socketOf = (url) => /host=([^&]+)/.exec(url)[1];
// The folder of the private PostgreSQL's socket.
function ownSocket(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.name.startsWith('.s.PGSQL.') && !entry.name.endsWith('.lock')) return folder;
    const below = entry.isDirectory() ? ownSocket(join(folder, entry.name)) : null;
    if (below) return below;
  }
  return null;
}

// The answer of an apply about the secret.
async function told(stack, url) {
  stack.seen ??= await stack.signIn();
  stack.reached ??= await stack.project('Reach');
  await stack.dev('PUT', `/projects/${stack.reached.id}/secrets/OLD`, { value: url });
  const { json } = await stack.apply(stack.reached, contract, 422);
  return json.report.errors.map((each) => `${each.code} ${each.path} ${each.message}`).join('\n');
}

async function withStack(env, act) {
  const stack = await Stack.start(env);
  try {
    await act(stack);
  } finally {
    await stack.stop();
  }
}

before(async () => { server = await postgres(); });
after(async () => { await server?.stop(); });

const socketUrls = (folder) => [
  `postgres://postgres@${encodeURIComponent(folder)}/postgres`,
  `postgres://postgres@/postgres?host=${encodeURIComponent(folder)}`,
  `postgres://postgres:guess@/postgres?host=${encodeURIComponent(`${folder}/../${folder.split('/').pop()}`)}`,
];

test('a socket without a password is not reached behind a proxy, nor on a local machine', async () => {
  for (const env of [{}, { SVC_PUBLIC_ORIGIN: 'https://svc.example' }, { SVC_ALLOW_PRIVATE_HOSTS: '*' }])
    await withStack(env, async (stack) => {
      for (const url of socketUrls(socketOf(server.url)))
        assert.match(await told(stack, url), /BAD_CONNECTION \/entities\/0\/external\/connection .*socket.*SVC_ALLOW_PRIVATE_HOSTS/, url);
    });
});

test('behind a proxy no private host is reached without its name', async () => {
  for (const env of [{ SVC_PUBLIC_ORIGIN: 'https://svc.example' }, { SVC_APPS_ORIGIN: 'https://*.apps.example' },
    { SVC_TRUSTED_PROXIES: '127.0.0.1' }])
    await withStack(env, async (stack) => {
      for (const host of ['127.0.0.1', 'localhost', '[::1]', '0x7f.1', '[::ffff:127.0.0.1]'])
        assert.match(await told(stack, `postgres://postgres:guess@${host}/postgres`), /BAD_CONNECTION .*private/, host);
    });
});

test('an account without a password is not used', () => withStack({}, async (stack) => {
  assert.match(await told(stack, 'postgres://postgres@127.0.0.1/postgres'), /BAD_CONNECTION .*no password/);
}));

test('svc\'s own PostgreSQL is not reached, whatever the operator named', async () => {
  await withStack({ SVC_ALLOW_PRIVATE_HOSTS: '*' }, async (stack) => {
    const own = ownSocket(stack.home);
    assert.ok(own);
    for (const url of socketUrls(own)) assert.match(await told(stack, url), /BAD_CONNECTION .*svc's own PostgreSQL/, url);
  });
});

test('nothing of a secret\'s password is told, wherever an unescaped character puts it', () => withStack({}, async (stack) => {
  for (const url of ['postgres://u:top@hidden@127.0.0.1:1/db', 'postgres://u:top/hidden@127.0.0.1/db', 'postgres://127.0.0.1:1/hidden@x', 'postgres://u:top@@hidden@127.0.0.1:1/db',
    'postgres://u:x@127.0.0.1:hidden/db', 'postgres://u:x@127.0.0.1:1/db?sslmode=hidden', 'postgres://u:x@127.0.0.1:1/db?channel_binding=hidden']) {
    const words = await told(stack, url);
    assert.match(words, /^BAD_CONNECTION \/entities\/0\/external\/connection /, url);
    assert.ok(!words.includes('hidden'), words);
  }
  assert.match(await told(stack, 'postgres://u:top@hidden@127.0.0.1:1/db'), /Write @ as %40/);
  const away = await told(stack, 'postgres://hidden:top%40hidden@127.0.0.1:1/hidden');
  assert.match(away, /^EXTERNAL_UNREACHABLE .* does not answer\. What PostgreSQL says: nothing listens at its host and port\.$/);
  const lost = await told(stack, 'postgres://u:x@hidden.invalid/db');
  assert.match(lost, /EXTERNAL_UNREACHABLE .*its host is not known/);
  assert.ok(!`${away}${lost}`.includes('hidden'));
}));

// A forwarded port: its address does not show the server, but its databases do.
test('svc\'s own PostgreSQL is known by its databases', async () => {
  const forward = createServer((near) => {
    const far = connect(join(socketOf(server.url), '.s.PGSQL.5432'));
    for (const end of [near, far]) end.on('error', () => { near.destroy(); far.destroy(); });
    near.pipe(far).pipe(near);
  });
  await new Promise((done) => forward.listen(0, '127.0.0.1', done));
  const url = `postgres://postgres@127.0.0.1:${forward.address().port}/postgres`;
  try {
    await withStack({ DATABASE_URL: server.url, SVC_ALLOW_PRIVATE_HOSTS: '127.0.0.1' }, async (stack) =>
      assert.match(await told(stack, url), /BAD_CONNECTION .*svc's own PostgreSQL/));
  } finally {
    forward.close();
  }
});
