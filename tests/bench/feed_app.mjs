// The app that streams are measured with, its accounts, and the writers beside it.
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Stack, appServers } from '../lib/stack.mjs';
import { administrator } from './data.mjs';
import { memoryMiB } from './feed_peers.mjs';
import { psql } from './lib.mjs';

const run = promisify(execFile);

// `at`: when a change was made, in microseconds since 1970.
const told = [{ name: 'at', type: 'integer' }, { name: 'body', type: 'text' }];
const contract = {
  app: { name: 'Feeds' },
  personas: [{ id: 'reader', kind: 'consumer', signup: true }],
  entities: [
    { name: 'news', owner: 'none', fields: told, access: { read: '*', create: 'reader' } },
    { name: 'note', owner: 'user', fields: told, access: { read: [{ to: 'reader', if: 'user_id == user.id' }] } },
    { name: 'room', owner: 'none', fields: [{ name: 'keeper', type: 'user' }], access: { read: 'reader' } },
    {
      name: 'entry', owner: 'none', fields: [...told, { name: 'room_id', type: 'ref', to: 'room' }],
      access: { read: [{ to: 'reader', if: 'room_id.keeper == user.id' }] },
    },
  ],
  seeds: {},
};

export const kUsers = 1000;

export async function feedApp(folder) {
  const stack = await Stack.start({ SVC_RATE_BROWSER: '0', SVC_RATE_SERVER: '0', SVC_STREAMS: '0' });
  await stack.signIn();
  const project = await stack.project('Feeds');
  await stack.apply(project, contract);
  const admin = administrator(stack, project);
  await psql(admin, `
    insert into svc.account (email, persona, verified_at) select 'user' || n || '@example.test', 'reader', now() from generate_series(1, ${kUsers}) n;
    create table public.bench_user as select row_number() over (order by id) as n, id from svc.account;
    alter table public.bench_user add primary key (n);
    insert into room (keeper) select id from bench_user`);
  const users = (await psql(admin, 'select id from bench_user order by n')).split('\n');
  const host = `preview-${project.slug}.localhost`;
  const head = (path, user) => `GET /__svc/${path} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${project.server}\r\n` +
    `${user ? `x-svc-app-user: ${user}\r\n` : ''}x-svc-data-api: 1\r\n\r\n`;
  const [{ pid }] = appServers(project);
  return {
    name: 'svc', stack, project, admin, port: stack.port,
    memory: () => memoryMiB(pid),
    heads: [head('topics/row-changed:news/subscribe')],
    headsOf: (table) => users.map((user) => head(`topics/row-changed:${table}/subscribe`, user)),
    publish: ({ at, body }) => stack.fetch('POST', '/__svc/api/v1/news', {
      host, headers: { authorization: `Bearer ${project.server}`, 'x-svc-app-user': users[0], 'x-svc-data-api': '1' }, body: { at, body },
    }).then(({ status, text }) => { if (status !== 201) throw new Error(text); }),
    write: (sql, options) => write(folder, admin, sql, options),
    // Transactions of the app's server and of everybody else in its database, so far.
    transactions: async () => Number(await psql(admin, 'select pg_stat_clear_snapshot(), xact_commit from pg_stat_database where datname = current_database()').then((text) => text.split('|')[1])),
    metric: async (name) => {
      const { text } = await stack.fetch('GET', '/metrics', { headers: { authorization: `Bearer ${stack.session}` } });
      return Number(new RegExp(`^${name}(?:\\{[^}]*\\})? (.+)$`, 'm').exec(text)[1]);
    },
    stop: () => stack.stop(),
  };
}

// Runs this statement `rate` times a second at even intervals. Returns how many times it ran.
async function write(folder, url, sql, { rate, seconds }) {
  const file = join(folder, 'writes.sql');
  writeFileSync(file, `\\set n random(1, ${kUsers})\n${sql};\n`);
  const { stdout } = await run(process.env.PGBENCH, ['-n', '-M', 'prepared', '-c4', '-j1', `-R${rate}`, `-T${seconds}`, '-f', file, url]);
  return Number(/actually processed: (\d+)/.exec(stdout)[1]);
}
