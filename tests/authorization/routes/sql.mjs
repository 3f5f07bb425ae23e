// SQL of servers: the same rows and columns as on other routes, for every asserted caller.
import { ident } from '../../lib/sql.mjs';
import { fine, refused } from '../outcomes.mjs';

const reserved = ['order'];

export function* sql(app, { asks, headers }, entity) {
  const { policy } = app;
  const name = reserved.includes(entity.name) ? ident(entity.name) : entity.name;
  const query = (text, expected) => ({ method: 'POST', path: '/data/query', body: { sql: text }, expected });
  if (headers.authorization !== app.server.authorization) return void (yield query(`select id from ${name}`, [refused(403, 'SERVER_KEY_REQUIRED')]));
  const allowed = policy.mayAtAll('read', entity.name, asks);
  const ids = allowed ? policy.readable(entity.name, asks).map(({ id }) => id).sort() : [];
  const same = (json) => (json.rows.map(({ id }) => id).sort().join() === ids.join() ? null : `rows ${json.rows.map(({ id }) => id)}, expected ${ids}`);
  const none = [refused(403, 'TABLE_FORBIDDEN'), refused(400, '42P01', '42703', 'PARAMS_INVALID')];
  // A table without a grant does not exist for the caller.
  yield query(`select id from ${name}`, [fine(200, same), ...(allowed ? [] : none)]);
  yield query(`with mine as (select * from ${name}) select id from mine`, [fine(200, same), ...(allowed ? [] : none)]);
  for (const column of entity.columns) {
    const sees = policy.visible(entity.name, asks).some((one) => one.name === column.name);
    yield query(`select id, ${ident(column.name)} as shown from ${name}`, [sees ? fine(200, same) : refused(400, '42703'), ...(allowed ? [] : none)]);
  }
}
