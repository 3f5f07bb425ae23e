// kill -9 of the app server in the middle of runs, by seed: no run is lost, none writes a row twice, and what others are
// asked again carries the same key. SVC_KILLS says how many times, SVC_SEED with which number it begins.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import test, { after, before } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { databaseOf, sql as query } from '../lib/admin_sql.mjs';
import { addItem, http, setFlows, step, workflow } from '../lib/flows.mjs';
import { Stack, appServers, until } from '../lib/stack.mjs';

const kills = Number(process.env.SVC_KILLS ?? 20);
const seed = Number(process.env.SVC_SEED ?? 1);
const runsOfEach = Math.max(100, kills * 5);

const contract = {
  app: { name: 'Killed' },
  personas: [{ id: 'member', kind: 'consumer', signup: true }],
  entities: [{ name: 'item', owner: 'none', fields: [{ name: 'title', type: 'string' }],
    access: { read: ['*'], create: ['*'], update: ['*'], delete: ['*'] } }],
  seeds: {},
};

// Numbers in [0, 1), the same for the same seed.
let state = seed * 7919;
const random = () => { state = (state * 1103515245 + 12345) % 2147483648; return state / 2147483648; };

let stack, app, host, listener;
const ledger = [];  // keys of the calls, in order
const sql = (text) => query(stack, databaseOf(app), text);
const call = (path, body, headers = {}) => stack.fetch('POST', `/__svc${path}`, {
  host, body, headers: { authorization: `Bearer ${app.server}`, 'x-svc-data-api': '1', ...headers } }).catch(() => null);

// Until it is answered: the key makes one of all tries.
async function persist(path, body, key, status) {
  const answer = await until(`${path} of ${key}`, async () => {
    const one = await call(path, body, { 'idempotency-key': key });
    if (one?.status === status) return one;
    await pause(20);
    return null;
  });
  return answer.json;
}

before(async () => {
  listener = createServer((request, answer) => {
    ledger.push(request.headers['idempotency-key']);
    request.resume().on('end', () => setTimeout(() => answer.writeHead(200, { 'content-type': 'application/json' }).end('{}'), random() * 30));
  });
  await new Promise((done) => listener.listen(0, '127.0.0.1', done));
  stack = await Stack.start();
  await stack.signIn();
  app = await stack.project('Killed');
  await stack.apply(app, contract);
  host = `preview-${app.slug}.localhost`;
  const tell = http('call', `jsonb_build_object('method', 'POST', 'url', 'http://127.0.0.1:${listener.address().port}/')`);
  sql(setFlows([
    workflow('by_hand', [addItem('begin', "'begin ' || ($1 #>> '{input,n}')"), tell, step('rest', 'sleep', { seconds: 0.05 }), addItem('end', "'end ' || ($1 #>> '{input,n}')")]),
    workflow('by_row', [tell, addItem('end', "'end of ' || ($1 #>> '{new,title}')")], {
      trigger: { kind: 'event', table: 'item', event: 'created', fields: [] }, if: "select coalesce($1 #>> '{new,title}', '') like 'row %'" }),
  ]));
});
after(async () => {
  listener?.closeAllConnections();
  listener?.close();
  await stack?.stop();
});

test(`${kills} kills of the app server, seed ${seed}`, { timeout: 600_000 }, async () => {
  let over = false;
  const killing = (async () => {
    for (let i = 0; i < kills; ++i) {
      // A server that is killed during its start works on no run, and svcd waits longer before each next start.
      await until('a server that is ready', async () => (await stack.fetch('GET', '/readyz', { host }).catch(() => null))?.status === 200);
      await pause(100 + random() * 500);
      const found = appServers(app);
      for (const { pid } of found) process.kill(pid, 'SIGKILL');
    }
    over = true;
  })();
  const ids = [];
  for (let n = 0; n < runsOfEach || !over; ++n) {
    const { runId } = await persist('/runtime/workflows/by_hand/run', { input: { n } }, `run-${n}`, 202);
    ids.push(runId);
    await persist('/api/v1/item', { title: `row ${n}` }, `row-${n}`, 201);
  }
  await killing;
  const count = ids.length;
  assert.equal(new Set(ids).size, count);
  await until('all runs to end', () => sql("select count(*) from svc.run where not svc.has_ended(status)")[0][0] === '0');
  assert.deepEqual(sql('select workflow, status, error_code, count(*) from svc.run group by 1, 2, 3 order by 1'),
    [['by_hand', 'succeeded', '', String(count)], ['by_row', 'succeeded', '', String(count)]]);
  assert.deepEqual(sql("select title, count(*) from item group by 1 having count(*) <> 1"), [], 'no row is there twice');
  assert.equal(sql('select count(*) from item')[0][0], String(4 * count), 'and none is missing');
  const keys = new Set(sql("select id || '/call' from svc.run").flat());
  assert.deepEqual(new Set(ledger), keys, 'each run has called, by its own key');
});
