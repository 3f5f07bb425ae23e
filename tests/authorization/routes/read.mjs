// GET of lists and of single rows: exactly the rows and columns that are the caller's, and no other way to find out.
import { fine, forbidden, refused, sameRows } from '../outcomes.mjs';

const nobody = '0198b6a0-0000-7000-8000-ffffffffffff';

export function* list({ policy }, { asks }, entity) {
  const path = `/api/v1/${entity.name}?limit=500`;
  const allowed = policy.mayAtAll('read', entity.name, asks);
  const columns = policy.visible(entity.name, asks);
  const rows = allowed ? policy.readable(entity.name, asks) : [];
  yield { path, expected: [allowed ? fine(200, (json) => sameRows(columns, rows, json)) : forbidden] };
  for (const column of entity.columns) yield* byColumn({ path, allowed, columns, rows }, column);
}

// A column that is not theirs is not a column to them, by whichever parameter they ask.
function* byColumn({ path, allowed, columns, rows }, column) {
  const { name } = column;
  const kept = rows.filter((row) => row[name] !== null);
  const unknown = refused(400, '42703', 'PARAMS_INVALID');
  const outcome = (some) => [!allowed ? forbidden : columns.some((one) => one.name === name) ? fine(200, (json) => sameRows(columns, some, json)) : unknown];
  const param = (key, value) => `${path}&${key}=${encodeURIComponent(JSON.stringify(value))}`;
  yield { path: param('filter', [{ field: name, op: 'is_not_null' }]), expected: outcome(kept) };
  if (['json', 'tags'].includes(column.type)) return;
  yield { path: param('sort', { field: name, dir: 'desc' }), expected: outcome(rows) };
  const [some] = rows.filter((row) => row[name] !== null);
  const value = some?.[name] ?? (column.type === 'boolean' ? true : null);
  const equal = rows.filter((row) => row[name] === value);
  yield { path: param('where', { [name]: value }), expected: outcome(equal) };
}

// A row that is hidden or absent is an empty page.
export function* get({ policy }, { asks }, entity, rows) {
  const allowed = policy.mayAtAll('read', entity.name, asks);
  const columns = policy.visible(entity.name, asks);
  const one = (id, found) => ({ path: `/api/v1/${entity.name}/${id}`, expected: [allowed ? fine(200, (json) => sameRows(columns, found, json)) : forbidden] });
  for (const row of rows.all(entity.name)) yield one(row.id, policy.may('read', entity.name, row, asks) ? [row] : []);
  yield one(nobody, []);
}
