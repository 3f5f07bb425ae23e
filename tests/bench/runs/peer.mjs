// Runs another job queue or workflow engine as its documentation shows it: `node peer.mjs <name>`, with the database in
// DATABASE_URL. It works until its standard input ends. A line `enqueue <n>` adds so many jobs of three inserts.
import { createInterface } from 'node:readline';
import pg from 'pg';

const url = process.env.DATABASE_URL;
const pool = new pg.Pool({ connectionString: url, max: 10 });
const insert = 'insert into bench_row (text) values ($1)';
const insertAll = async (run) => { for (const step of ['a', 'b', 'c']) await run(insert, [step]); };

async function graphile() {
  const { makeWorkerUtils, run } = await import('graphile-worker');
  const utils = await makeWorkerUtils({ connectionString: url });
  await utils.migrate();
  await run({
    connectionString: url, concurrency: 10, noHandleSignals: true, logger: undefined,
    taskList: {
      three: (_, { query }) => insertAll(query),
      one: ({ at }, { query }) => query('insert into bench_row (text) values ($1)', [String(at)]),
    },
  });
  return (n) => utils.withPgClient((client) => client.query(
    "select graphile_worker.add_jobs(array(select row('three', '{}', null, null, null, null, null, null)::graphile_worker.job_spec from generate_series(1, $1)))", [n]));
}

async function boss() {
  const { default: PgBoss } = await import('pg-boss');
  const queue = new PgBoss({ connectionString: url });
  await queue.start();
  await queue.createQueue('three');
  for (let worker = 0; worker < 10; worker += 1)
    await queue.work('three', { pollingIntervalSeconds: 0.5, batchSize: 50 }, async (jobs) => { for (const _ of jobs) await insertAll((sql, values) => pool.query(sql, values)); });
  return (n) => queue.insert(Array.from({ length: n }, () => ({ name: 'three' })));
}

async function dbos() {
  const { DBOS } = await import('@dbos-inc/dbos-sdk');
  DBOS.setConfig({ name: 'bench', systemDatabaseUrl: url, runAdminServer: false, logLevel: 'error' });
  const three = DBOS.registerWorkflow(async () => {
    for (const step of ['a', 'b', 'c']) await DBOS.runStep(() => pool.query(insert, [step]).then(() => null), { name: step });
  }, { name: 'three' });
  await DBOS.launch();
  return async (n) => {
    for (let left = n; left > 0; left -= 50) await Promise.all(Array.from({ length: Math.min(left, 50) }, async () => (await DBOS.startWorkflow(three)()).getResult()));
  };
}

const enqueue = await { graphile, boss, dbos }[process.argv[2]]();
console.log('ready');
for await (const line of createInterface({ input: process.stdin })) {
  const [word, n] = line.split(' ');
  if (word === 'enqueue') await enqueue(Number(n));
}
process.exit(0);
