// Pages: a list of fifty rows against the JSON of the same rows, and against what somebody writes with fastify and Preact.
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { signUp } from '../lib/scenarios.mjs';
import { Stack, appServers, freePort, until } from '../lib/stack.mjs';
import { request } from '../lib/http.mjs';
import { articles } from './contracts.mjs';
import { background, connection, cpuMicros, psql, seconds, wrk } from './lib.mjs';
import { compare, row } from './table.mjs';

const principals = 'reader,consumer,signed_in';

async function filled(server, ann) {
  await psql(server.data, `begin; select set_config('svc.user_id', '${ann.id}', true), set_config('svc.principals', '${principals}', true), set_config('svc.claims', '{}', true);
    insert into article (id, user_id, title, body, category, price, stock, rating, active, published_on, note)
    select gen_random_uuid(), '${ann.id}', 'Article ' || n, repeat('lorem ipsum ', 10), 'category ' || n % 20, n * 10, n % 50,
           n / 7.0, true, date '2026-01-01' + n % 300, 'a note' from generate_series(1, 2000) n; commit`);
}

async function preact(folder, server, ann) {
  const port = await freePort();
  const session = await psql(server.system, "select '\\x' || encode(hash, 'hex') from svc.session limit 1");
  const node = background(process.execPath, [join(folder, 'pages/server.mjs')], {
    PORT: String(port), ...connection(server.data), BENCH_IDENTITY: JSON.stringify([ann.id, principals, '{}', session]),
  });
  await until('the reference server', () => fetch(`http://127.0.0.1:${port}/article`).then((answer) => answer.ok, () => false));
  return { ...node, load: { folder, port, headers: {}, paths: ['/article'] } };
}

export async function pages(folder) {
  const stack = await Stack.start({ SVC_RATE_BROWSER: '0', SVC_RATE_SERVER: '0' });
  try {
    await stack.signIn();
    const project = await stack.project('Articles');
    await stack.apply(project, articles());
    const host = `preview-${project.slug}.localhost`;
    const ann = await signUp(stack, project, host, 'ann', 'reader');
    const [{ pid, env }] = appServers(project);
    const server = { data: env.SVC_DATA_URL, system: env.DATABASE_URL };
    await filled(server, ann);
    const headers = { Host: host, Cookie: `svc_app_session=${ann.token}`, Accept: 'text/html' };
    const page = (path) => ({ folder, port: stack.port, headers, paths: [path] });
    const json = { folder, port: stack.port, paths: ['/__svc/api/v1/article?limit=50'], headers: {
      Host: host, Authorization: `Bearer ${project.browser}`, Origin: 'http://app.test', 'x-svc-data-api': '1', 'x-svc-app-session': ann.token } };
    const { text } = await request({ port: stack.port, path: '/article', headers });
    row('a list page of 50 rows, compressed', gzipSync(text, { level: 6 }).length / 1024, 14, 'KB (bar)', 1, false);
    await compare('a list page of 50 rows against its JSON', { load: page('/article'), has: 'row-link', ours: () => wrk(page('/article')), reference: () => wrk(json), bar: 0.5 });
    const node = await preact(folder, server, ann);
    try {
      await compare('a list page of 50 rows against fastify + Preact', { load: page('/article'), has: 'row-link', ours: () => wrk(page('/article')), reference: () => wrk(node.load), bar: 5 });
    } finally {
      await node.stop();
    }
    const [, one] = /class="row-link" href="([^"]+)"/.exec(text);
    const before = cpuMicros(pid);
    const rate = await wrk(page(one));
    row('the page of one row', rate, rate, 'requests/s', null);
    row('server CPU of the page of one row', (cpuMicros(pid) - before) / (rate * seconds), 1, 'µs', null);
  } finally {
    await stack.stop();
  }
}
