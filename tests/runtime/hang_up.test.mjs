// A client that disconnects leaves no statement running.
import assert from 'node:assert/strict';
import net from 'node:net';
import test, { after, before } from 'node:test';
import { databaseOf, sql } from '../lib/admin_sql.mjs';
import { Stack, until } from '../lib/stack.mjs';

let stack, project, host;

const contract = {
  app: { name: 'Left' },
  personas: [{ id: 'clerk', kind: 'staff' }],
  entities: [{ name: 'note', owner: 'none', fields: [{ name: 'title', type: 'string' }], access: { read: '*', create: '*' } }],
  queries: [
    { name: 'slow', allow: ['guest', 'clerk'], sql: 'select count(*) as n from generate_series(1, 50000) a, generate_series(1, 50000) b, generate_series(1, 50000) c' },
    { name: 'writes', mode: 'write', allow: ['guest', 'clerk'],
      sql: "insert into note (title) select 'left behind' from generate_series(1, 50000) a, generate_series(1, 50000) b, generate_series(1, 50000) c where a + b + c = 3 or a * b * c = -1 returning id" },
    { name: 'quick', allow: ['guest', 'clerk'], sql: 'select 1 as n' },
  ],
  seeds: {},
};

before(async () => {
  stack = await Stack.start();
  await stack.signIn();
  project = await stack.project('Left');
  host = `preview-${project.slug}.localhost`;
  await stack.apply(project, contract);
});
after(() => stack?.stop());

const running = () => Number(sql(stack, databaseOf(project), "select count(*) from pg_stat_activity where datname = current_database() and state = 'active' and (query like '%generate_series(1, 50000)%' or application_name = 'svc-operate') and pid <> pg_backend_pid()")[0][0]);

// Sends a request and, once its statement runs, hangs up; ends when nothing of it runs any more. PostgreSQL itself
// would end it after 30 seconds.
async function leave(path, headers, body) {
  const text = JSON.stringify(body);
  const lines = Object.entries({ ...headers, 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) })
    .map(([name, value]) => `${name}: ${value}\r\n`).join('');
  const socket = net.connect({ host: '127.0.0.1', port: stack.port });
  socket.on('error', () => {});
  socket.write(`POST ${path} HTTP/1.1\r\n${lines}\r\n${text}`);
  await until('the statement to run', () => running() === 1);
  socket.destroy();
  await until('the statement to have ended', () => running() === 0, 12000);
}

const app = () => ({ host, authorization: `Bearer ${project.browser}`, origin: 'http://app.test', 'x-svc-data-api': '1' });

test('attack: a named query that counts for long ends with its caller', async () => {
  for (let i = 0; i < 6; i += 1) await leave('/__svc/queries/slow', app(), {});
  const quick = await stack.fetch('POST', '/__svc/queries/quick', { headers: app(), host, body: {} });
  assert.deepEqual([quick.status, quick.json.rows], [200, [{ n: 1 }]], 'its connections serve again');
});

test('a statement that writes is undone if its caller leaves', async () => {
  await leave('/__svc/queries/writes', app(), {});
  assert.deepEqual(sql(stack, databaseOf(project), "select 1 from note where title = 'left behind'"), []);
});

test('what waits for a connection is taken out of the queue', async () => {
  const sockets = Array.from({ length: 12 }, () => {
    const socket = net.connect({ host: '127.0.0.1', port: stack.port });
    socket.on('error', () => {});
    const lines = Object.entries({ ...app(), 'content-length': 2 }).map(([name, value]) => `${name}: ${value}\r\n`).join('');
    socket.write(`POST /__svc/queries/slow HTTP/1.1\r\n${lines}\r\n{}`);
    return socket;
  });
  await until('one to run', () => running() === 1);
  for (const socket of sockets) socket.destroy();
  await until('none to run', () => running() === 0, 12000);
  const quick = await stack.fetch('POST', '/__svc/queries/quick', { headers: app(), host, body: {} });
  assert.equal(quick.status, 200, quick.text);
  assert.equal(running(), 0);
});

test('a developer\'s SQL ends with who asked', async () => {
  const text = 'select count(*) as n from generate_series(1, 50000) a, generate_series(1, 50000) b, generate_series(1, 50000) c';
  await leave(`/dev/v1/projects/${project.id}/sql`, { host: `127.0.0.1:${stack.port}`, authorization: `Bearer ${stack.session}` }, { sql: text });
  const again = await stack.dev('POST', `/projects/${project.id}/sql`, { sql: 'select 1 as one' });
  assert.equal(again.status, 200, again.text);
});

test('a client that sends its next request meanwhile is answered both', async () => {
  const socket = net.connect({ host: '127.0.0.1', port: stack.port });
  let answered = '';
  socket.on('data', (piece) => { answered += piece; });
  const lines = Object.entries({ ...app(), 'content-length': 2 }).map(([name, value]) => `${name}: ${value}\r\n`).join('');
  const one = `POST /__svc/queries/quick HTTP/1.1\r\n${lines}\r\n{}`;
  socket.write(one + one + one);
  await until('three answers', () => answered.split('HTTP/1.1 200').length === 4);
  socket.destroy();
});
