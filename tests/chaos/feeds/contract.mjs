// Contracts at random, small and sound: a chain of tables whose policies, masks and references differ, and what an apply
// makes of them later. Each row has a number `n` of its last writer's, which everybody may read.
const names = ['shelf', 'box', 'card', 'slip'];

export const personas = [
  { id: 'member', kind: 'consumer', signup: true }, { id: 'clerk', kind: 'staff' }, { id: 'chief', kind: 'staff', extends: ['clerk'] }];

const owners = { none: [], user: ['user_id == user.id'], org: ['org_id == user.org', 'member(org_id)'], 'user+org': ['user_id == user.id', 'org_id == user.org'] };

// The possible conditions of a policy on a row.
function conditions(dice, entity, above, below) {
  const own = ['flag', '!flag', `level > ${dice.below(3)}`, 'level == null || level < 2', "label != 'b'", "label in ['a', 'c']",
    "startsWith(label, 'a')", "lower(label) == 'a'", 'flag && level > 0'];
  const all = [dice.pick(own), dice.pick(own), ...owners[entity.owner]];
  if (above) all.push(...['above.flag', 'above.level > 0', "above.label == 'a' || flag", "can('read', above_id)"], ...(above.owner.startsWith('user') ? ['above.user_id == user.id', 'above.user_id == user.id && above.flag'] : []));
  if (above?.above) all.push('above.above.flag');
  if (below) all.push('exists(kids)', 'count(kids) > 1', 'all(kids.flag)', ...(below.owner.startsWith('user') ? ['user.id in kids.user_id'] : []));
  return all;
}

const readers = ['*', 'staff', 'signed_in', 'member', 'clerk', 'chief', 'guest', 'org:admin'];

function grants(dice, entity, above, below) {
  const some = conditions(dice, entity, above, below);
  const count = 1 + dice.below(3);
  return Array.from({ length: count }, () => {
    const to = dice.pick(readers);
    return dice.chance(0.2) ? to : { to, if: dice.pick(some) };
  });
}

function fields(dice, above) {
  const masks = [['chief'], ['clerk'], ['member'], ['member', 'chief']];
  const all = [{ name: 'n', type: 'integer', default: 0 }, { name: 'label', type: 'string' }, { name: 'flag', type: 'boolean', default: true },
    { name: 'level', type: 'integer' }, { name: 'hint', type: 'string', read: dice.pick(masks) }];
  if (dice.chance(0.5)) all.push({ name: 'price', type: 'money', read: dice.pick(masks) });
  if (dice.chance(0.4)) all.push({ name: 'about', type: 'json' }, { name: 'marks', type: 'tags' });
  if (dice.chance(0.4)) all.push({ name: 'shout', type: 'string', computed: 'upper(label)' });
  if (above) all.push({ name: 'above_id', type: 'ref', to: above.name, ...dice.pick([{ onDelete: 'cascade' }, { onDelete: 'cascade' }, { onDelete: 'null' }, {}]) });
  return all;
}

const writers = ['server', 'signed_in'];

function access(dice, entity, above, below) {
  if (above && dice.chance(0.4)) return { same_as: 'above_id' };
  const deny = dice.chance(0.25) ? { deny: { read: [{ to: dice.pick(['clerk', 'member', 'guest']), if: dice.pick(['level == 3', "label == 'd'"]) }] } } : {};
  return { read: ['server', ...grants(dice, entity, above, below)], create: writers, update: writers, delete: writers, ...deny };
}

function entitiesOf(dice) {
  const all = [];
  for (const name of names.slice(0, 2 + dice.below(3))) {
    const above = all.length > 0 && dice.chance(0.85) ? all.at(-1) : null;
    all.push({ name, above, owner: dice.pick(Object.keys(owners)) });
  }
  return all.map((entity) => {
    const { name, above, owner } = entity;
    const below = all.find((one) => one.above === entity);
    return { name, owner, ...(dice.chance(0.4) ? { softDelete: true } : {}), fields: fields(dice, above),
      ...(below ? { relations: { kids: { many: below.name, by: 'above_id' } } } : {}), access: access(dice, entity, above, below) };
  });
}

export function contractOf(dice) {
  return { app: { name: 'First' }, personas, auth: { signup: 'open', verifyEmail: false }, orgs: { enabled: true, roles: ['owner', 'admin', 'member'] },
    entities: entitiesOf(dice), seeds: {} };
}

export const renamed = (contract, name) => ({ ...contract, app: { ...contract.app, name } });

// Another policy, mask or field, as an apply brings them to an app that has rows.
export function changed(dice, contract) {
  const next = structuredClone(contract);
  const entity = dice.pick(next.entities);
  const hint = entity.fields.find((field) => field.name === 'hint');
  const change = dice.pick(['read', 'mask', 'field', 'kept']);
  if (change === 'read' && entity.access.read) entity.access.read = ['server', dice.pick(readers), { to: dice.pick(readers), if: dice.pick(['flag', 'level > 1']) }];
  else if (change === 'mask') hint.read = hint.read.includes('member') ? ['chief'] : ['member'];
  else if (change === 'kept') entity.softDelete = !entity.softDelete;
  else entity.fields.push({ name: `more_${entity.fields.length}`, type: 'string', default: 'new' });
  return next;
}

// Does the policy for reading ask other rows than the one at hand?
export const readsOtherRows = ({ access }) => 'same_as' in access || /above|kids/.test(JSON.stringify(access.read));
