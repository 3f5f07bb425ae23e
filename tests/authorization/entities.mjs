// A contract's entities as tables: their columns, and who may see and send each. From docs/contract.md alone.
const stamped = { user: ['user_id'], org: ['org_id'], 'user+org': ['user_id', 'org_id'] };
const list = (value) => (value === undefined ? [] : Array.isArray(value) ? value : [value]);

// Grants in all their spellings as [{to, if?, fields?}].
export const grants = (value) => list(value).map((one) => (typeof one === 'string' ? { to: one } : one));
export { list };

function columnsOf(entity) {
  const fixed = (name, type) => ({ name, type, write: 'nobody' });
  const owners = (stamped[entity.owner ?? 'user'] ?? []).map((name) => ({ name, type: 'uuid', owner: true }));
  const fields = entity.fields.map((field) => {
    const servers = field.type === 'sequence' || field.computed !== undefined;
    return { ...field, write: servers ? 'nobody' : field.write };
  });
  const { lifecycle } = entity;
  const state = lifecycle ? [{ ...fixed(lifecycle.field, 'enum'), values: lifecycle.states, default: lifecycle.initial }] : [];
  return [fixed('id', 'uuid'), ...owners, ...fields, ...state, fixed('created_at', 'datetime'), fixed('updated_at', 'datetime')];
}

function ofEntity(entity) {
  const columns = columnsOf(entity);
  const parent = /^parent:(.*)$/.exec(entity.owner ?? '')?.[1];
  const uniques = [...entity.fields.filter((field) => field.unique).map((field) => [field.name]), ...(entity.unique ?? [])];
  return { ...entity, columns, parent, uniques, column: Object.fromEntries(columns.map((column) => [column.name, column])) };
}

export function entitiesOf(contract) {
  return contract.entities.map(ofEntity);
}

// Each before those that refer to it.
export function inOrder(entities) {
  const out = [];
  const add = (entity) => {
    if (out.includes(entity)) return;
    for (const { type, to } of entity.fields) if (type === 'ref' && to !== entity.name) add(entities.find(({ name }) => name === to));
    out.push(entity);
  };
  entities.forEach(add);
  return out;
}
