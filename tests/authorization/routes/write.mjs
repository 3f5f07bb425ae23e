// PATCH and DELETE of rows, and moves through a lifecycle.
import { evaluated, holds } from '../evaluate.mjs';
import { list } from '../entities.mjs';
import { fine, forbidden, hidden, noField, notHis, refused, sameRows } from '../outcomes.mjs';
import { settled } from '../rows.mjs';

const nobody = '0198b6a0-0000-7000-8000-ffffffffffff';
const conflict = refused(409, 'CONFLICT');
const noOwner = refused(403, 'OWNER_STAMP', 'FIELD_FORBIDDEN');
const byRule = refused(422, 'RULE_REFUSED');
const noMove = refused(409, 'TRANSITION_REFUSED');

const computed = (policy, entity, row) => {
  for (const column of entity.columns) {
    if (column.computed) row[column.name] = evaluated(column.computed, { rows: policy.rows, entity: entity.name, row });
  }
  return row;
};

const differs = (one, other, name) => JSON.stringify(one[name]) !== JSON.stringify(other[name]);

// The expected answers for a change of a row.
function changing(app, asks, entity, row, after) {
  const { policy } = app;
  if (!policy.may('read', entity.name, row, asks)) return [hidden];
  if (!policy.may('update', entity.name, row, asks)) return [notHis];
  if (!policy.may('update', entity.name, after, asks)) return [notHis, noField];
  const changed = entity.fields.filter((field) => !field.computed && field.type !== 'sequence' && differs(row, after, field.name));
  if (!changed.every((field) => policy.mayChange(entity.name, field, row, after, asks))) return [noField];
  if (policy.refusing('update', entity.name, row, after, asks)) return [byRule];
  return [app.fixtures.taken(entity, after) ? conflict : fine(200, written(app, asks, entity, row, after))];
}

// The row in the database is what was to be, was stamped anew, and is what the answer shows.
function written(app, asks, entity, row, after) {
  const { policy, database } = app;
  return async (json) => {
    const now = await database.row(entity.name, row.id);
    const touched = entity.columns.some(({ name }) => name !== 'updated_at' && differs(row, after, name));
    if (touched && !(new Date(now.updated_at) > new Date(row.updated_at))) return 'updated_at stands still';
    const kept = entity.columns.filter(({ name }) => name !== 'updated_at');
    const [is, wanted] = [settled(kept, now), settled(kept, after)];
    const wrong = kept.find(({ name }) => !(name in (after.open ?? {})) && differs(is, wanted, name));
    if (wrong) return `${wrong.name} is ${JSON.stringify(is[wrong.name])}, not ${JSON.stringify(wanted[wrong.name])}`;
    return sameRows(policy.visible(entity.name, asks), [now], json);
  };
}

export function* update(app, { asks }, entity, rows) {
  const { policy, fixtures } = app;
  const allowed = policy.mayAtAll('update', entity.name, asks);
  const patch = (row, body, expected) => ({ method: 'PATCH', path: `/api/v1/${entity.name}/${row.id}`, body, expected: allowed ? expected : [forbidden], restore: [entity.name] });
  yield patch({ id: nobody }, {}, [hidden]);
  for (const row of app.sampled(entity, asks)) {
    yield patch(row, {}, changing(app, asks, entity, row, row));
    for (const column of entity.columns) {
      const value = fixtures.made(column.type === 'sequence' ? { type: 'text', name: column.name } : column, row);
      const after = computed(policy, entity, { ...row, [column.name]: value });
      const stranger = policy.may('read', entity.name, row, asks) ? [] : [hidden];
      const masked = column.owner || !policy.maySend('update', entity.name, column, asks);
      if (masked) yield patch(row, { [column.name]: value }, [column.owner ? noOwner : noField, ...stranger]);
      else yield patch(row, { [column.name]: value }, changing(app, asks, entity, row, after));
    }
  }
}

// Rows that go with this one, or null if one of them cannot.
function goesWith({ policy, entities }, entity, row, asks) {
  const gone = [{ entity, row }];
  for (const other of entities) {
    for (const ref of other.fields.filter(({ type, to }) => type === 'ref' && to === entity.name)) {
      const children = policy.rows.all(other.name).filter((child) => child[ref.name] === row.id);
      if (children.length && (ref.onDelete ?? 'restrict') === 'restrict') return null;
      if (ref.onDelete !== 'cascade') continue;
      for (const child of children) {
        const more = goesWith({ policy, entities }, other, child, asks);
        if (more === null) return null;
        gone.push(...more);
      }
    }
  }
  return gone;
}

export function* remove(app, { asks }, entity) {
  const { policy, database } = app;
  const allowed = policy.mayAtAll('delete', entity.name, asks);
  const remove = (row, expected) => ({ method: 'DELETE', path: `/api/v1/${entity.name}/${row.id}`, expected: allowed ? expected : [forbidden], restore: app.entities.map(({ name }) => name) });
  yield remove({ id: nobody }, [hidden]);
  for (const row of app.sampled(entity, asks)) {
    const gone = goesWith(app, entity, row, asks);
    const ruled = (gone ?? [{ entity, row }]).some((one) => policy.refusing('delete', one.entity.name, one.row, undefined, asks));
    const outcome = !policy.may('read', entity.name, row, asks) ? [hidden]
      : !policy.may('delete', entity.name, row, asks) ? [notHis]
      : ruled ? [byRule]
      : gone === null ? [conflict]
      : [fine(200, async (json) => (json.deleted !== row.id || await database.row(entity.name, row.id) ? 'it is still there' : null))];
    yield remove(row, outcome);
  }
}

function moved(app, asks, entity, row, transition) {
  const { policy } = app;
  const { field } = entity.lifecycle;
  if (!policy.may('read', entity.name, row, asks)) return hidden;
  if (!list(transition.by).some((who) => asks.principals.has(who))) return notHis;
  const scope = { rows: policy.rows, caller: asks, entity: entity.name, row };
  const fits = list(transition.from).includes(row[field]) && (transition.if === undefined || holds(transition.if, scope));
  if (!fits) return noMove;
  const after = { ...row, [field]: transition.to, open: transition.set };  // what it sets is of this moment
  if (policy.refusing('update', entity.name, row, after, asks)) return byRule;
  return fine(200, written(app, asks, entity, row, after));
}

export function* transition(app, { asks }, entity) {
  const allowed = app.policy.mayAtAll('read', entity.name, asks);
  const move = (row, body, expected) => ({ method: 'PATCH', path: `/api/v1/${entity.name}/${row.id}/transition`, body, expected: allowed ? expected : [forbidden], restore: [entity.name] });
  const [any] = app.policy.rows.all(entity.name);
  // Without a lifecycle there is no such route.
  if (!entity.lifecycle) return void (yield { ...move(any, { transition: 'place' }), expected: [hidden] });
  for (const one of entity.lifecycle.transitions) {
    yield move({ id: nobody }, { transition: one.name }, [hidden]);
    for (const row of app.policy.rows.all(entity.name)) yield move(row, { transition: one.name }, [moved(app, asks, entity, row, one)]);
  }
}
