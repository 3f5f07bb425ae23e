// Statements of the data role itself as one of the callers, without the server. The database must also refuse what no
// request can send: rows for others, other owners, another state, columns that are set once.
import { ident, literal } from '../../lib/sql.mjs';

const table = (name) => `public.${ident(name)}`;

// Runs a statement and takes it back: how many rows it reached, or the SQLSTATE that refused it.
export const tried = `create function proof.tried(statement text) returns text language plpgsql as $$
declare reached bigint;
begin
    execute statement;
    get diagnostics reached = row_count;
    raise exception using errcode = 'SVOK0', message = reached;
exception
    when sqlstate 'SVOK0' then return sqlerrm;
    when others then return sqlstate;
end $$;
grant usage on schema proof to public`;

// Sets the caller as the server does at the start of each request.
function as({ name }, { user, principals }, statement) {
  const names = [...principals].filter((who) => who !== '*').join();
  const claims = JSON.stringify({ isAdmin: user.isAdmin, persona: user.persona, org: user.org, email: user.email });
  const set = (key, value) => `set_config('svc.${key}', ${literal(value ?? '')}, true)`;
  return `begin; set local role ${ident(`${name}_data`)};
    select proof.tried(${literal(statement)}) from (select ${set('user_id', user.id)}, ${set('principals', names)}, ${set('claims', claims)} offset 0) as entered
      where entered is not null; rollback`;
}

const refusals = ['42501', 'SV432', '0'];

function check(app, asks, what, statement, allowed) {
  const verify = async () => {
    const answer = (await app.database.sql.run(as(app, asks, statement))).at(-1);
    if (allowed === true && answer !== '1') return `it is refused (${answer})`;
    if (allowed === false && !refusals.includes(answer)) return `it works (${answer})`;
    return null;
  };
  return { what, direct: verify, expected: what };
}

function* inserts(app, asks, entity) {
  const { policy, fixtures } = app;
  const owners = entity.columns.filter((column) => column.owner);
  for (const { name } of owners) {
    const own = { user_id: asks.user.id, org_id: asks.user.org };
    const given = Object.fromEntries(owners.map((column) => [column.name, own[column.name] ?? null]));
    const foreign = (name === 'user_id' ? fixtures.users : fixtures.orgs).find((id) => id !== given[name]);
    for (const owner of [given[name], foreign]) {
      const row = fixtures.row(entity, { ...given, [name]: owner, ...(entity.lifecycle ? { [entity.lifecycle.field]: entity.lifecycle.initial } : {}) });
      const may = policy.may('create', entity.name, row, asks) && (owner === given[name] || asks.server);
      if (fixtures.taken(entity, row) || policy.refusing('create', entity.name, undefined, row, asks)) continue;
      yield check(app, asks, `insert into ${entity.name} with ${name} ${owner === foreign ? 'of another' : 'of his own'}`, insertion(app, asks, entity, row), may);
    }
  }
}

// With what they may send, and this column.
function insertion({ policy }, asks, entity, row, also) {
  const columns = entity.columns.filter((column) => column.name in row && !column.computed &&
    (column.name === 'id' || column.name === also || column.owner || policy.maySend('create', entity.name, column, asks)));
  const value = (one) => (one !== null && typeof one === 'object' ? literal(JSON.stringify(one)) : literal(one));
  const spelled = ({ name, type }) => (type === 'tags' && row[name] !== null ? `array(select jsonb_array_elements_text(${value(row[name])}))` : value(row[name]));
  return `insert into ${table(entity.name)} (${columns.map(({ name }) => ident(name))}) values (${columns.map(spelled)})`;
}

// Columns that only other callers may send.
function* masked(app, asks, entity) {
  const { policy, fixtures } = app;
  const own = { user_id: asks.user.id ?? null, org_id: asks.user.org ?? null };
  for (const column of entity.columns.filter((one) => Array.isArray(one.write) && !policy.maySend('create', entity.name, one, asks))) {
    const row = fixtures.row(entity, { ...own, [column.name]: fixtures.made(column, {}) });
    if (row[column.name] === null || row[column.name] === (column.default ?? null)) continue;
    if (fixtures.taken(entity, row) || policy.refusing('create', entity.name, undefined, row, asks)) continue;
    yield check(app, asks, `insert into ${entity.name} with ${column.name}`, insertion(app, asks, entity, row, column.name), false);
  }
}

// Columns that nobody may change but, of owners, the server.
function* updates(app, asks, entity) {
  const { policy, fixtures } = app;
  const row = policy.rows.all(entity.name).find((one) => policy.may('read', entity.name, one, asks) && policy.may('update', entity.name, one, asks));
  if (!row) return;
  const set = (name, value) => `update ${table(entity.name)} set ${ident(name)} = ${literal(value)} where id = ${literal(row.id)}`;
  const bound = entity.columns.filter((column) => column.owner || column.immutable || column.name === entity.lifecycle?.field || column.name === 'id');
  for (const column of bound) {
    if (column.owner && asks.server) continue;
    const others = { user_id: fixtures.users, org_id: fixtures.orgs, id: [fixtures.id()] }[column.name] ?? column.values ?? [fixtures.made(column, {})];
    const value = others.find((one) => one !== null && one !== row[column.name]);
    if (value === undefined) continue;
    yield check(app, asks, `update of ${column.name} of ${entity.name}`, set(column.name, value), false);
  }
}

export function* direct(app, { asks }, entity) {
  yield* inserts(app, asks, entity);
  yield* masked(app, asks, entity);
  yield* updates(app, asks, entity);
}
