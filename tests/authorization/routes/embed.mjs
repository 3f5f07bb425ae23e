// select= with linked rows: each read under its own policy. And the same rows as a table.
import { fine, forbidden, refused, sameObjects } from '../outcomes.mjs';

const unknown = refused(400, '42703', 'PARAMS_INVALID');

// {name, to, of: row → rows, many}: refs by their field without "_id", relations by their name.
function* links({ policy }, entity) {
  for (const field of entity.fields.filter(({ type }) => type === 'ref')) {
    const of = (row) => [policy.rows.get(field.to, row[field.name])].filter(Boolean);
    yield { name: field.name.replace(/_id$/, ''), field, to: field.to, of, many: false };
  }
  for (const [name, { many, by }] of Object.entries(entity.relations ?? {})) {
    yield { name, to: many, of: (row) => policy.rows.all(many).filter((other) => other[by] === row.id), many: true };
  }
}

function behind({ policy }, asks, link, rows) {
  const columns = policy.visible(link.to, asks);
  return (json) => {
    for (const row of rows) {
      const shown = json.rows.find(({ id }) => id === row.id);
      if (!shown) return `row ${row.id} is missing`;
      const wanted = link.of(row).filter((other) => policy.may('read', link.to, other, asks));
      const given = shown[link.name];
      if (link.many !== Array.isArray(given)) return `${link.name} is ${JSON.stringify(given)}`;
      const wrong = sameObjects(columns, wanted, link.many ? given : given === null ? [] : [given]);
      if (wrong) return `${row.id}.${link.name}: ${wrong}`;
    }
    return json.rows.length === rows.length ? null : `${json.rows.length} rows, expected ${rows.length}`;
  };
}

export function* embed(app, { asks }, entity) {
  const { policy } = app;
  if (!policy.mayAtAll('read', entity.name, asks)) return void (yield { path: `/api/v1/${entity.name}?select=id`, expected: [forbidden] });
  const rows = policy.readable(entity.name, asks);
  const visible = policy.visible(entity.name, asks).map(({ name }) => name);
  const at = `/api/v1/${entity.name}?limit=500&select=`;
  for (const column of entity.columns) {
    const only = visible.includes(column.name) ? fine(200, (json) => sameObjects([...new Set(['id', column.name])].map((name) => entity.column[name]), rows, json.rows)) : unknown;
    yield { path: `${at}${[...new Set(['id', column.name])]}`, expected: [only] };
  }
  for (const link of links(app, entity)) {
    const known = !link.field || visible.includes(link.field.name);
    const outcome = !known ? unknown : policy.mayAtAll('read', link.to, asks) ? fine(200, behind(app, asks, link, rows)) : forbidden;
    yield { path: `${at}id,${link.name}(*)`, expected: known ? [outcome] : [unknown, forbidden] };
  }
}

// Ids need no quotes, so the first cells of the lines tell the rows.
export function* csv({ policy }, { asks }, entity) {
  const allowed = policy.mayAtAll('read', entity.name, asks);
  const names = policy.visible(entity.name, asks).map(({ name }) => name);
  const ids = allowed ? policy.readable(entity.name, asks).map(({ id }) => id).sort() : [];
  const verify = (_json, { text, headers }) => {
    const [head, ...lines] = text.split('\r\n');
    if (head !== names.join()) return `columns ${head}, expected ${names}`;
    const given = lines.filter((line) => /^[0-9a-f]{8}-/.test(line)).map((line) => line.slice(0, 36)).sort();
    return given.join() === ids.join() && Number(headers['x-svc-row-count']) === ids.length ? null : `rows ${given}, expected ${ids}`;
  };
  yield { path: `/api/v1/${entity.name}?limit=500`, headers: { accept: 'text/csv' }, expected: [allowed ? fine(200, verify) : forbidden] };
}
