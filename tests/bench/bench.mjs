// ./run bench: requests against pgbench and against a hand-written Node server, applies by size, streams, runs, services,
// pages, and the memory of svcd.
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Stack, appServers, freePort, root, until } from '../lib/stack.mjs';
import { signUp } from '../lib/scenarios.mjs';
import { applies } from './applies.mjs';
import { articles } from './contracts.mjs';
import { data } from './data.mjs';
import { feeds } from './feeds.mjs';
import { generator } from './generator.mjs';
import { background, connection, cpuMicros, interleaved, pgbench, psql, residentMiB, wrk } from './lib.mjs';
import { memory } from './memory.mjs';
import { pages } from './pages.mjs';
import { runs } from './runs.mjs';
import { services } from './services.mjs';
import { finish, row } from './table.mjs';

Stack.durable = true;
const folder = join(root, 'build/bench');
mkdirSync(folder, { recursive: true });
process.env.PGBENCH ??= readdirSync('/usr/lib/postgresql').map((v) => `/usr/lib/postgresql/${v}/bin/pgbench`).at(-1);

async function requests() {
  const stack = await Stack.start({ SVC_RATE_BROWSER: '0', SVC_RATE_SERVER: '0' });
  try {
    await stack.signIn();
    const project = await stack.project('Articles');
    await stack.apply(project, articles());
    const host = `preview-${project.slug}.localhost`;
    const ann = await signUp(stack, project, host, 'ann', 'reader');
    const [{ pid, env }] = appServers(project);
    const server = { pid, data: env.SVC_DATA_URL, system: env.DATABASE_URL };
    const headers = {
      Host: host, Authorization: `Bearer ${project.browser}`, Origin: 'http://app.test',
      'x-svc-data-api': '1', 'x-svc-app-session': ann.token,
    };
    // Rows as the caller herself would write them, in one statement.
    const identity = `set_config('svc.user_id', '${ann.id}', true), set_config('svc.principals', 'reader,consumer,signed_in', true), set_config('svc.claims', '{}', true)`;
    const entrance = `select ${identity}`;
    await psql(server.data, `begin; ${entrance};
      insert into article (id, user_id, title, body, category, price, stock, rating, active, published_on, note)
      select gen_random_uuid(), '${ann.id}', 'Article ' || n, repeat('lorem ipsum ', 10), 'category ' || n % 20, n * 10, n % 50,
             n / 7.0, true, date '2026-01-01' + n % 300, 'a note' from generate_series(1, 10000) n; commit`);
    const found = await psql(server.data, `begin; ${entrance}; select id from article limit 200; commit`);
    const ids = found.split('\n').filter((line) => /^[0-9a-f-]{36}$/.test(line));
    const columns = 'id, user_id, title, body, category, price, stock, rating, active, published_on, note, created_at, updated_at';

    const one = { folder, port: stack.port, headers, paths: ids.map((id) => `/__svc/api/v1/article/${id}`) };
    const others = [];
    for (let i = 0; i < 16; ++i) others.push(await signUp(stack, project, host, `reader${i}`, 'reader'));
    const many = { ...one, headers: others.map(({ token }) => ({ ...headers, 'x-svc-app-session': token })) };
    const list = { folder, port: stack.port, headers, paths: ['/__svc/api/v1/article?limit=50'] };
    // The same work: session looked up, identity set, the statement, under the same policies.
    const session = await psql(server.system, "select '\\x' || encode(hash, 'hex') from svc.session limit 1");
    const entered = `select ${identity}, svc.require_session('${session}');`;
    const pgOne = { folder, url: server.data, script: `${entered}\nselect ${columns} from article where id = '${ids[0]}';` };
    const pgList = { folder, url: server.data, script: `${entered}\nselect ${columns} from article order by id limit 51;` };

    const port = await freePort();
    const node = background(process.execPath, [join(folder, 'fastify/server.mjs')], {
      PORT: String(port), BENCH_KEY: `Bearer ${project.browser}`, ...connection(server.data),
      BENCH_IDENTITY: JSON.stringify([ann.id, 'reader,consumer,signed_in', '{}', session]),
      // The bare routes have a fixed identity instead: the role is the data role, policies apply.
      PGOPTIONS: `-c svc.user_id=${ann.id} -c svc.principals=reader,consumer,signed_in`,
    });
    try {
      const nodeHeaders = { Authorization: `Bearer ${project.browser}` };
      await until('the reference server', () => fetch(`http://127.0.0.1:${port}/api/v1/article/${ids[0]}`, { headers: { authorization: `Bearer ${project.browser}` } }).then((r) => r.ok, () => false));
      const nodeOne = (prefix) => ({ folder, port, headers: nodeHeaders, paths: ids.map((id) => `${prefix}/article/${id}`) });
      const nodeList = (prefix) => ({ folder, port, headers: nodeHeaders, paths: [`${prefix}/article?limit=50`] });

      let cpu = 0;
      let served = 0;
      const measured = (load) => async () => {
        const before = cpuMicros(server.pid);
        const rate = await wrk(load);
        cpu += cpuMicros(server.pid) - before;
        served += rate * Number(process.env.SVC_BENCH_SECONDS ?? 3);
        return rate;
      };
      row('memory of the app server, idle', residentMiB(server.pid), 16, 'MiB (bar)', 1, false);
      const [get, getPg, getNode, getBare] = await interleaved(
        [measured(one), () => pgbench(pgOne), () => wrk(nodeOne('/api/v1')), () => wrk(nodeOne('/bare'))]);
      row('get by id against pgbench', get, getPg, 'requests/s', 0.9);
      row('get by id against fastify + pg', get, getNode, 'requests/s', 8);
      row('get by id against fastify + pg, no identity, no session', get, getBare, 'requests/s', null);
      row('server CPU of a get', cpu / served, 25, 'µs (prototype)', 1.2, false);
      const [getMany, getOne] = await interleaved([() => wrk(many), () => pgbench(pgOne)]);
      row('get by id of sixteen callers against pgbench', getMany, getOne, 'requests/s', 0.9);
      [cpu, served] = [0, 0];
      const [all, allPg, allNode, allBare] = await interleaved(
        [measured(list), () => pgbench(pgList), () => wrk(nodeList('/api/v1')), () => wrk(nodeList('/bare'))]);
      row('list 50 against pgbench', all, allPg, 'requests/s', 0.65);
      row('list 50 against fastify + pg', all, allNode, 'requests/s', 6);
      row('list 50 against fastify + pg, no identity, no session', all, allBare, 'requests/s', null);
      row('server CPU of a list of 50', cpu / served, 95, 'µs (bar)', 1, false);
      row('memory of the app server, after 64 connections', residentMiB(server.pid), 40, 'MiB (bar)', 1, false);
    } finally {
      await node.stop();
    }
  } finally {
    await stack.stop();
  }
}

// ./run bench [--hold <seconds>] [--projects <number>] [part…]
const options = { hold: { type: 'string', default: '5' }, projects: { type: 'string', default: '100' } };
const { values, positionals } = parseArgs({ allowPositionals: true, options });
const parts = {
  requests, data: () => data(folder), generator: () => generator(folder), applies: () => applies(folder),
  feeds: () => feeds(folder, Number(values.hold)), runs: () => runs(folder), services: () => services(folder),
  pages: () => pages(folder), memory: () => memory(Number(values.projects), 5),
};
for (const [name, part] of Object.entries(parts)) {
  if (positionals.length === 0 || positionals.includes(name)) await part();
}
finish(join(root, 'build/bench.json'));
