// Lists by cursor, with counts, and by fields of rows behind refs.
import { fine, forbidden, refused, sameRows } from '../outcomes.mjs';

const unknown = refused(400, '42703', 'PARAMS_INVALID');

// All pages together are their rows, each once.
function walked(app, caller, path, rows) {
  return async () => {
    const ids = [];
    for (let cursor = ''; cursor !== null;) {
      const { status, json, text } = await app.call(caller.headers, 'GET', `${path}&cursor=${encodeURIComponent(cursor)}`);
      if (status !== 200) return text;
      ids.push(...json.rows.map(({ id }) => id));
      if (json.hasMore !== (json.nextCursor !== null)) return `hasMore ${json.hasMore}, nextCursor ${json.nextCursor}`;
      cursor = json.nextCursor;
    }
    const wanted = rows.map(({ id }) => id).sort();
    return ids.sort().join() === wanted.join() ? null : `rows ${ids}, expected ${wanted}`;
  };
}

export function* pages(app, caller, entity) {
  const { policy } = app;
  const { asks } = caller;
  const at = `/api/v1/${entity.name}`;
  if (!policy.mayAtAll('read', entity.name, asks)) return void (yield { path: `${at}?cursor=`, expected: [forbidden] });
  const rows = policy.readable(entity.name, asks);
  const columns = policy.visible(entity.name, asks);
  const [by] = columns.filter(({ name, type }) => name !== 'id' && !['json', 'tags'].includes(type));
  for (const dir of ['asc', 'desc']) {
    const path = `${at}?limit=3&sort=${encodeURIComponent(JSON.stringify({ field: by.name, dir }))}`;
    yield { what: `all pages of ${path}`, direct: walked(app, caller, path, rows), expected: dir };
  }
  yield { path: `${at}?limit=500&count=exact`, expected: [fine(200, (json) => (json.count === rows.length ? sameRows(columns, rows, json) : `count ${json.count}, expected ${rows.length}`))] };
  for (const field of entity.fields.filter(({ type }) => type === 'ref')) yield* byPath(app, asks, entity, field, rows);
}

// A field of a row that they may not read is null to them; one that they may not see is none.
function* byPath({ policy }, asks, entity, field, rows) {
  const columns = policy.visible(entity.name, asks);
  const known = columns.some(({ name }) => name === field.name);
  const behind = (row) => policy.rows.get(field.to, row[field.name]);
  const readable = policy.mayAtAll('read', field.to, asks);
  for (const column of policy.entities[field.to].columns) {
    const sees = known && policy.visible(field.to, asks).some(({ name }) => name === column.name);
    const kept = rows.filter((row) => behind(row) && policy.may('read', field.to, behind(row), asks) && behind(row)[column.name] !== null);
    const filter = encodeURIComponent(JSON.stringify([{ field: `${field.name}.${column.name}`, op: 'is_not_null' }]));
    const outcomes = [...(readable ? [] : [forbidden, unknown]), sees ? fine(200, (json) => sameRows(columns, kept, json)) : unknown];
    yield { path: `/api/v1/${entity.name}?limit=500&filter=${filter}`, expected: outcomes };
  }
}
