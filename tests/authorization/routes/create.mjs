// POST: rows of the caller, of other accounts, of other organisations, and rows below other people's rows.
import { evaluated } from '../evaluate.mjs';
import { fine, forbidden, noField, notHis, refused, sameObjects } from '../outcomes.mjs';

const bodies = 6;
const stamp = { user_id: 'id', org_id: 'org' };

// The row that a body makes: what it leaves out is the default's, the server's and the caller's.
export function madeFrom({ policy }, asks, entity, body) {
  const row = { id: '', created_at: '', updated_at: '' };
  for (const column of entity.columns) {
    const own = column.owner ? asks.user[stamp[column.name]] : column.default;
    if (!(column.name in row)) row[column.name] = column.name in body ? body[column.name] : own ?? null;
  }
  for (const column of entity.columns) {
    if (column.computed) row[column.name] = evaluated(column.computed, { rows: policy.rows, entity: entity.name, row });
  }
  return row;
}

// A caller who may not read the new row gets the sent values and the id.
function shown(app, asks, entity, body) {
  const { policy, database } = app;
  return async (json) => {
    const [{ id } = {}] = json.rows;
    const row = await database.row(entity.name, id);
    if (row === null) return `no row ${id}`;
    const wanted = madeFrom(app, asks, entity, body);
    for (const { name, owner, type } of entity.columns) {
      if ((owner || name in body) && type !== 'datetime' && JSON.stringify(row[name]) !== JSON.stringify(wanted[name])) return `${name} is ${JSON.stringify(row[name])}, not ${JSON.stringify(wanted[name])}`;
    }
    const readable = policy.mayAtAll('read', entity.name, asks) && policy.may('read', entity.name, row, asks);
    const columns = readable ? policy.visible(entity.name, asks) : entity.columns.filter(({ name }) => name === 'id' || name in body);
    return sameObjects(columns, [row], json.rows);
  };
}

// The expected answer for a body, also as one of several.
export function outcome(app, asks, entity, body) {
  const { policy } = app;
  const row = madeFrom(app, asks, entity, body);
  if (!policy.may('create', entity.name, row, asks)) return notHis;
  if (policy.refusing('create', entity.name, undefined, row, asks)) return refused(422, 'RULE_REFUSED');
  if (app.fixtures.taken(entity, row)) return refused(409, 'CONFLICT');
  return fine(201, shown(app, asks, entity, body));
}

const sends = ({ policy }, asks, entity, column) => !column.owner && policy.maySend('create', entity.name, column, asks);

// A body of columns that they may send, for a row of their organisation's.
export function bodyOf(app, asks, entity) {
  const row = app.fixtures.row(entity, { org_id: asks.user.org ?? null });
  const sent = entity.columns.filter((column) => sends(app, asks, entity, column) && row[column.name] !== null);
  return Object.fromEntries(sent.map(({ name }) => [name, row[name]]));
}

export function* create(app, { asks }, entity) {
  const { policy, fixtures } = app;
  const allowed = policy.mayAtAll('create', entity.name, asks);
  const post = (body, expected) => ({ method: 'POST', path: `/api/v1/${entity.name}`, body, expected: allowed ? expected : [forbidden], restore: [entity.name] });
  for (let n = 0; n < bodies; n += 1) {
    const one = bodyOf(app, asks, entity);
    yield post(one, [outcome(app, asks, entity, one)]);
  }
  for (const column of entity.columns.filter((other) => !sends(app, asks, entity, other))) {
    const one = bodyOf(app, asks, entity);
    if (column.owner) yield* owned(app, asks, entity, column, one, post);
    else yield post({ ...one, [column.name]: fixtures.made(column.type === 'sequence' ? { type: 'text', name: column.name } : column, {}) }, [noField]);
  }
}

// Naming the owner: oneself is allowed, somebody else is not, a server may name anybody.
function* owned(app, asks, entity, column, body, post) {
  const own = asks.user[stamp[column.name]] ?? null;
  const all = [...new Set([...(column.name === 'user_id' ? app.fixtures.users : app.fixtures.orgs), own])];
  for (const owner of all) {
    const one = { ...body, [column.name]: owner };
    const foreign = owner !== own && !asks.server;
    yield post(one, [foreign ? refused(403, 'OWNER_STAMP') : outcome(app, asks, entity, one)]);
  }
}
