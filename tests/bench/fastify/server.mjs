// The reference: what a careful person writes by hand on the same routes. A process a core, prepared
// statements, the session looked up and row-level security under the caller's identity, which takes a
// transaction a request. /bare/… is the least one could do: one statement, nobody's identity looked up.
import cluster from 'node:cluster';
import { cpus } from 'node:os';
import Fastify from 'fastify';
import pg from 'pg';

const columns = 'id, user_id, title, body, category, price, stock, rating, active, published_on, note, created_at, updated_at';

if (cluster.isPrimary) {
  for (let i = 0; i < cpus().length; ++i) cluster.fork();
} else {
  const pool = new pg.Pool({ max: 8 });
  const app = Fastify();
  const one = { name: 'one', text: `select ${columns} from article where id = $1` };
  const list = { name: 'list', text: `select ${columns} from article order by id limit $1` };
  const enter = {
    name: 'enter',
    text: "select set_config('svc.user_id', $1, true), set_config('svc.principals', $2, true), " +
      "set_config('svc.claims', $3, true), svc.require_session($4)",
  };
  const identity = JSON.parse(process.env.BENCH_IDENTITY);

  app.addHook('onRequest', async (request, reply) => {
    if (request.headers.authorization !== process.env.BENCH_KEY) reply.code(401).send({ ok: false });
  });

  async function underIdentity(statement, values) {
    const client = await pool.connect();
    try {
      await client.query('begin');
      await client.query({ ...enter, values: identity });
      const { rows } = await client.query({ ...statement, values });
      await client.query('commit');
      return rows;
    } catch (error) {
      await client.query('rollback');
      throw error;
    } finally {
      client.release();
    }
  }
  const bare = async (statement, values) => (await pool.query({ ...statement, values })).rows;
  const answer = (rows) => ({ ok: true, rows, rowCount: rows.length, truncated: false });

  for (const [prefix, ask] of [['/api/v1', underIdentity], ['/bare', bare]]) {
    app.get(`${prefix}/article/:id`, async (request) => answer(await ask(one, [request.params.id])));
    app.get(`${prefix}/article`, async (request) => answer(await ask(list, [Number(request.query.limit ?? 50)])));
  }
  await app.listen({ host: '127.0.0.1', port: Number(process.env.PORT) });
}
