// The reference: what a careful person writes by hand on the same routes. A process a core, prepared
// statements, the owner checked in the query; no row-level security, no session look-up.
import cluster from 'node:cluster';
import { cpus } from 'node:os';
import Fastify from 'fastify';
import pg from 'pg';

const columns = 'id, user_id, title, body, category, price, stock, rating, active, published_on, note, created_at, updated_at';

if (cluster.isPrimary) {
  for (let i = 0; i < cpus().length; ++i) cluster.fork();
} else {
  const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 8 });
  const app = Fastify();
  const user = process.env.BENCH_USER;
  app.addHook('onRequest', async (request, reply) => {
    if (request.headers.authorization !== process.env.BENCH_KEY) reply.code(401).send({ ok: false });
  });
  app.get('/api/v1/article/:id', async (request) => {
    const { rows } = await pool.query({
      name: 'get', text: `select ${columns} from article where id = $1 and user_id = $2`, values: [request.params.id, user],
    });
    return { ok: true, rows, rowCount: rows.length, truncated: false };
  });
  app.get('/api/v1/article', async (request) => {
    const { rows } = await pool.query({
      name: 'list', text: `select ${columns} from article where user_id = $1 order by id limit $2`,
      values: [user, Number(request.query.limit ?? 50)],
    });
    return { ok: true, rows, rowCount: rows.length, truncated: false };
  });
  await app.listen({ host: '127.0.0.1', port: Number(process.env.PORT) });
}
