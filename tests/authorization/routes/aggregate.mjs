// Aggregates and search: numbers and words of the rows that are theirs, and of nobody else's.
import { isDeepStrictEqual } from 'node:util';
import { ident, literal } from '../../lib/sql.mjs';
import { fine, forbidden, refused, sameObjects } from '../outcomes.mjs';

const numbers = ['integer', 'money', 'number', 'decimal', 'float'];
const ordered = [...numbers, 'string', 'text', 'date', 'datetime', 'enum', 'email'];
const unknown = refused(400, 'PARAMS_INVALID');

// Their rows, as a table of SQL.
const his = ({ policy }, asks, entity) => {
  const ids = policy.readable(entity.name, asks).map(({ id }) => literal(id));
  return `(select * from public.${ident(entity.name)} where id = any(array[${ids}]::uuid[])) t`;
};

// Averages have as many digits as each side likes.
const near = (one, other) => one === other || (typeof one === 'number' && Math.abs(one - other) <= 1e-9 * Math.max(1, Math.abs(other)));
const spelled = (value) => (typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value) ? new Date(value).getTime() : value);

function* ofColumn(app, asks, entity, column, at) {
  const table = his(app, asks, entity);
  const name = ident(column.name);
  const visible = app.policy.visible(entity.name, asks).some((one) => one.name === column.name);
  const metrics = [...(numbers.includes(column.type) ? ['sum', 'avg'] : []), ...(ordered.includes(column.type) ? ['min', 'max'] : [])];
  for (const metric of metrics) {
    const verify = async (json) => {
      const wanted = await app.database.sql.json(`select to_jsonb(${metric === 'sum' ? `coalesce(sum(${name}), 0)` : `${metric}(${name})`}) from ${table}`);
      return near(spelled(json.value), spelled(wanted)) ? null : `${metric} ${json.value}, expected ${wanted}`;
    };
    yield { path: `${at}?metric=${metric}&column=${column.name}`, expected: [visible ? fine(200, verify) : unknown] };
  }
  if (['json', 'tags'].includes(column.type)) return;
  const groups = async (json) => {
    const wanted = await app.database.sql.json(`select coalesce(jsonb_agg(jsonb_build_array(key, value)), '[]') from (select ${name} as key, count(*) as value from ${table} group by 1) g`);
    const [is, should] = [json.groups.map(({ key, value }) => [key, value]), wanted].map((list) => list.map(([key, value]) => JSON.stringify([spelled(key), value])).sort());
    return isDeepStrictEqual(is, should) ? null : `groups ${is}, expected ${should}`;
  };
  yield { path: `${at}?metric=count&groupBy=${column.name}`, expected: [visible ? fine(200, groups) : unknown] };
}

export function* aggregate(app, { asks }, entity) {
  const at = `/api/v1/${entity.name}/aggregate`;
  const allowed = app.policy.mayAtAll('read', entity.name, asks);
  const count = allowed ? app.policy.readable(entity.name, asks).length : 0;
  yield { path: `${at}?metric=count`, expected: [allowed ? fine(200, ({ value }) => (value === count ? null : `count ${value}, expected ${count}`)) : forbidden] };
  for (const column of entity.columns) {
    if (allowed) yield* ofColumn(app, asks, entity, column, at);
  }
}

// Words of rows that they may read and of rows that they may not.
export function* search(app, { asks }, entity) {
  const { policy } = app;
  const fields = (entity.search ?? []).map((field) => field.split('^')[0]);
  const allowed = fields.length > 0 && policy.mayAtAll('read', entity.name, asks);
  const columns = policy.visible(entity.name, asks);
  const searched = fields.filter((field) => columns.some(({ name }) => name === field));
  const words = policy.rows.all(entity.name).flatMap((row) => fields.map((field) => row[field])).filter(Boolean);
  for (const q of [fields[0] ?? 'word', ...words.slice(0, 12)]) {
    const verify = async (json) => {
      const [found] = json.results;
      if (!allowed) return found === undefined ? null : `results ${JSON.stringify(found)}`;
      const document = searched.map((field) => `coalesce(${ident(field)}, '')`).join(" || ' ' || ") || "''";
      const ids = await app.database.sql.json(`select coalesce(jsonb_agg(id), '[]') from ${his(app, asks, entity)} where to_tsvector('english', ${document}) @@ websearch_to_tsquery('english', ${literal(q)})`);
      return sameObjects(columns, ids.map((id) => policy.rows.get(entity.name, id)), found?.rows ?? []);
    };
    yield { path: `/api/v1/search?tables=${entity.name}&limit=25&q=${encodeURIComponent(q)}`, expected: [fine(200, verify)] };
  }
}
