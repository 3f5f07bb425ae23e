// The reference: a list of fifty rows as a careful person writes it with fastify and Preact. A process a core, prepared
// statements, the session looked up and row-level security under the caller's identity, and the page rendered by Preact.
import cluster from 'node:cluster';
import { cpus } from 'node:os';
import Fastify from 'fastify';
import pg from 'pg';
import { h } from 'preact';
import { renderToString } from 'preact-render-to-string';

const fields = ['title', 'category', 'price', 'stock', 'rating', 'active', 'published_on'];
const list = { name: 'list', text: `select id, ${fields.join(', ')} from article order by created_at desc, id limit 51` };
const enter = {
  name: 'enter',
  text: "select set_config('svc.user_id', $1, true), set_config('svc.principals', $2, true), set_config('svc.claims', $3, true), svc.require_session($4)",
};
const entries = ['Overview', 'Articles'];

const Cell = ({ row, name, at }) => h('td', { 'data-label': name, class: at === 0 ? 'lead' : 'cell' },
  at === 0 ? h('a', { class: 'row-link', href: `/article/${row.id}` }, row[name]) : String(row[name] ?? '—'));
const Row = ({ row }) => h('tr', null, fields.map((name, at) => h(Cell, { row, name, at })));
const Page = ({ rows }) => h('html', { lang: 'en' },
  h('head', null, h('meta', { charset: 'utf-8' }), h('title', null, 'Articles'), h('link', { rel: 'stylesheet', href: '/style.css' })),
  h('body', null, h('nav', null, h('ul', null, entries.map((one) => h('li', null, h('a', { href: `/${one}` }, one))))),
    h('main', null, h('h1', null, 'Articles'), h('form', { role: 'search' }, h('input', { type: 'search', name: 'q' })),
      h('table', null, h('thead', null, h('tr', null, fields.map((name) => h('th', { scope: 'col' }, h('a', { href: `?sort=${name}` }, name))))),
        h('tbody', null, rows.map((row) => h(Row, { row })))))));

if (cluster.isPrimary) {
  for (let i = 0; i < cpus().length; ++i) cluster.fork();
} else {
  const pool = new pg.Pool({ max: 8 });
  const app = Fastify();
  const identity = JSON.parse(process.env.BENCH_IDENTITY);
  app.get('/article', async (request, reply) => {
    const client = await pool.connect();
    try {
      await client.query('begin');
      await client.query({ ...enter, values: identity });
      const { rows } = await client.query(list);
      await client.query('commit');
      return reply.type('text/html; charset=utf-8').send(`<!doctype html>${renderToString(h(Page, { rows: rows.slice(0, 50) }))}`);
    } catch (error) {
      await client.query('rollback');
      throw error;
    } finally {
      client.release();
    }
  });
  await app.listen({ host: '127.0.0.1', port: Number(process.env.PORT) });
}
