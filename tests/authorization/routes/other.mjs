// Named queries, and the environment that nothing has been deployed to.
import { ident, literal } from '../../lib/sql.mjs';
import { fine, forbidden, refused } from '../outcomes.mjs';

const examples = { date: '2000-01-01', integer: 0, money: 0, number: 0, text: '', string: '' };

// The query over tables that hold what the caller may read, and nothing else.
function narrowed(app, asks, query, params) {
  const tables = app.entities.map(({ name }) => {
    const ids = app.policy.mayAtAll('read', name, asks) ? app.policy.readable(name, asks).map(({ id }) => literal(id)) : [];
    return `${ident(name)} as (select * from public.${ident(name)} where id = any(array[${ids}]::uuid[]))`;
  });
  const sql = query.sql.replace(/(?<!:):([a-z_]\w*)/g, (_all, name) => `${literal(params[name])}::${{ date: 'date', text: 'text', string: 'text' }[query.params[name].type] ?? 'numeric'}`);
  return `with ${tables.join(', ')} select coalesce(jsonb_agg(to_jsonb(q)), '[]') from (${sql}) q`;
}

const spelled = (rows) => JSON.stringify(rows, (_key, value) => (typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value) ? new Date(value).toISOString() : value));

export function* queries(app, { asks }) {
  for (const query of app.contract.queries ?? []) {
    const params = Object.fromEntries(Object.entries(query.params ?? {}).map(([name, { type }]) => [name, examples[type]]));
    const allow = [query.allow].flat();
    const allowed = allow.some((who) => who === 'end_user' || asks.principals.has(who));
    const rows = async (json) => {
      const wanted = await app.database.sql.json(narrowed(app, asks, query, params));
      const [is, should] = [json.rows, wanted].map((list) => list.map((row) => spelled(Object.entries(row).sort())).sort().join('\n'));
      return is === should ? null : `rows ${is}, expected ${should}`;
    };
    yield { method: 'POST', path: `/queries/${query.name}`, body: { params }, expected: [allowed ? fine(200, rows) : forbidden] };
  }
}

export function* production(app, _caller, entity) {
  const at = `/api/v1/${entity.name}`;
  const id = app.policy.rows.all(entity.name)[0].id;
  const calls = [['GET', at], ['GET', `${at}/${id}`], ['POST', at, {}], ['PATCH', `${at}/${id}`, {}], ['DELETE', `${at}/${id}`], ['PATCH', `${at}/${id}/transition`, {}], ['GET', '/queries']];
  for (const [method, path, body] of calls) yield { method, path, body, headers: { 'x-svc-env': 'prod' }, expected: [refused(404, 'NO_APP')] };
}
