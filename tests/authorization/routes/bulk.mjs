// Several rows at once, and rows that may be there already: nothing by this way that is not by the others.
import { fine, forbidden, refused } from '../outcomes.mjs';
import { bodyOf, madeFrom, outcome } from './create.mjs';

const tries = 6;

// All of them or none: what is wrong with one is answered for all.
export function* bulk(app, { asks }, entity) {
  const { policy, fixtures } = app;
  const allowed = policy.mayAtAll('create', entity.name, asks);
  for (let n = 0; n < tries; n += 1) {
    const bodies = [bodyOf(app, asks, entity), bodyOf(app, asks, entity)];
    const each = bodies.map((body) => outcome(app, asks, entity, body));
    const wrong = each.filter(({ status }) => status !== 201);
    const [one, other] = bodies.map((body) => madeFrom(app, asks, entity, body));
    const twice = entity.uniques.some((columns) => fixtures.same(columns, one, other));
    const expected = twice ? [...wrong, refused(409, 'CONFLICT')] : wrong.length ? wrong
      : [fine(201, ({ rows }) => (rows.length === 2 ? null : `${rows.length} rows`))];
    yield { method: 'POST', path: `/api/v1/${entity.name}`, body: bodies, expected: allowed ? expected : [forbidden], restore: [entity.name] };
  }
}

// The answer for a row whose key exists: the caller must be allowed to read and update this row and to create one like
// it.
function merged(app, asks, entity, row, body) {
  const { policy } = app;
  const after = { ...row, ...body };
  const may = ['read', 'update'].every((operation) => policy.may(operation, entity.name, row, asks) && policy.may(operation, entity.name, after, asks));
  const changed = entity.fields.filter((field) => field.name in body && JSON.stringify(row[field.name]) !== JSON.stringify(body[field.name]));
  const fields = changed.every((field) => policy.maySend('update', entity.name, field, asks) && policy.mayChange(entity.name, field, row, after, asks));
  const made = outcome(app, asks, entity, { ...body, id: row.id });
  const ruled = policy.refusing('update', entity.name, row, after, asks) || made.status === 422;
  if (may && fields && !ruled && (made.status === 409 || made.status === 201)) {
    return [fine(200, async () => {
      const now = await app.database.row(entity.name, row.id);
      const wrong = changed.find(({ name, type }) => type !== 'datetime' && JSON.stringify(now[name]) !== JSON.stringify(body[name]));
      return wrong ? `${wrong.name} is ${now[wrong.name]}` : null;
    })];
  }
  return [refused(403, 'ROW_FORBIDDEN', 'FIELD_FORBIDDEN', 'OWNER_STAMP'), refused(409, 'CONFLICT'), refused(422, 'RULE_REFUSED')];
}

export function* upsert(app, { asks }, entity) {
  const { policy } = app;
  const allowed = ['read', 'create', 'update'].every((operation) => policy.mayAtAll(operation, entity.name, asks));
  for (const key of entity.uniques) {
    if (!key.every((name) => entity.fields.some((field) => field.name === name))) continue;
    for (const row of app.sampled(entity, asks)) {
      if (key.some((name) => row[name] === null)) continue;
      const body = { ...bodyOf(app, asks, entity), ...Object.fromEntries(key.map((name) => [name, row[name]])) };
      if (key.some((name) => !policy.maySend('create', entity.name, entity.column[name], asks))) continue;
      yield { method: 'POST', path: `/api/v1/${entity.name}?onConflict=${key}`, body, expected: allowed ? merged(app, asks, entity, row, body) : [forbidden], restore: [entity.name] };
    }
  }
}
