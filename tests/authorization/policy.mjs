// The oracle decides who may do what from the contract and the rows themselves. It uses no policies, masks or generated
// code; it is a second reading of docs/contract.md.
import { holds } from './evaluate.mjs';
import { entitiesOf, grants, list } from './entities.mjs';

// The principals of a persona: itself, those that it extends, their kinds, and everybody who has signed in.
function actsAs(contract, id) {
  const persona = contract.personas.find((one) => one.id === id);
  return [id, persona.kind, 'signed_in', ...(persona.extends ?? []).flatMap((other) => actsAs(contract, other))];
}

// {name, principals, user} of who asks; `user` as expressions see it.
export function caller(contract, name, { persona, role, server, id, org, email, isAdmin = false, signedIn = persona !== undefined }) {
  const who = server ? ['server'] : signedIn ? actsAs(contract, persona) : ['guest'];
  const names = new Set(['*', ...who, ...(role ? [`org:${role}`] : [])]);
  return { name, server: Boolean(server), principals: names, user: { id, persona, org, email, isAdmin } };
}

const own = { user: 'user_id == user.id', org: 'org_id == user.org', 'user+org': 'user_id == user.id && org_id == user.org' };

// The default access block for an entity without one.
function defaulted(entity) {
  if (entity.parent) return { same_as: entity.parent };
  const all = [{ to: 'signed_in', if: own[entity.owner ?? 'user'] }, { to: 'staff' }, { to: 'server' }];
  return { read: all, create: all, update: all, delete: all };
}

export class Policy {
  constructor(contract, rows) {
    this.contract = contract;
    this.rows = rows;
    this.known = new Map();  // answers for rows as they are in the database
    this.entities = Object.fromEntries(entitiesOf(contract).map((entity) => [entity.name, { ...entity, access: entity.access ?? defaulted(entity) }]));
  }

  // The entity whose policy decides through `same_as`.
  above(entity) {
    return this.entities[entity.column[entity.access.same_as].to];
  }

  matches(grant, asks) {
    return asks.principals.has(grant.to);
  }

  applies(grant, entity, row, asks) {
    return this.matches(grant, asks) && (grant.if === undefined || holds(grant.if, { rows: this.rows, caller: asks, entity: entity.name, row }));
  }

  // True if the caller may do the operation on this row. An update must be allowed before and after it. A caller cannot
  // write a row that they cannot read, nor a row below it; a row that they create they need not be able to read.
  may(operation, name, row, asks) {
    if (this.rows.get(name, row.id) !== row) return this.judged(operation, name, row, asks);
    const question = `${operation} ${name} ${row.id} ${asks.name}`;
    if (!this.known.has(question)) this.known.set(question, this.judged(operation, name, row, asks));
    return this.known.get(question);
  }

  judged(operation, name, row, asks) {
    const reads = operation === 'read' || operation === 'create' || this.may('read', name, row, asks);
    return reads && this.allows(operation, name, row, asks);
  }

  allows(operation, name, row, asks) {
    const entity = this.entities[name];
    const { access } = entity;
    if (access.same_as) {
      const above = this.above(entity);
      const parent = this.rows.get(above.name, row[access.same_as]);
      return parent !== undefined && this.may(operation === 'read' ? 'read' : 'update', above.name, parent, asks);
    }
    const granted = grants(access[operation]).some((grant) => this.applies(grant, entity, row, asks));
    return granted && !grants(access.deny?.[operation]).some((deny) => this.applies(deny, entity, row, asks));
  }

  // Is there anything of the kind for them, whatever the row?
  mayAtAll(operation, name, asks) {
    const entity = this.entities[name];
    const { access } = entity;
    if (access.same_as) return this.mayAtAll(operation === 'read' ? 'read' : 'update', this.above(entity).name, asks);
    const denied = grants(access.deny?.[operation]).some((deny) => deny.if === undefined && this.matches(deny, asks));
    return !denied && grants(access[operation]).some((grant) => this.matches(grant, asks));
  }

  listed(personas, asks) {
    return personas === undefined || asks.server || personas.some((persona) => asks.principals.has(persona));
  }

  // Columns that they see of a row that they may read.
  visible(name, asks) {
    return this.entities[name].columns.filter((column) => this.listed(column.read, asks));
  }

  // May they send this column at all? Owner columns are a matter of their own.
  maySend(operation, name, column, asks) {
    if (column.write === 'nobody' || (operation === 'update' && column.immutable)) return false;
    return this.listed(column.write, asks);
  }

  // Where grants name fields, one that fits the row must name this one.
  mayChange(name, column, before, after, asks) {
    const entity = this.entities[name];
    if (entity.access.same_as) return true;
    return grants(entity.access.update).some((grant) => (grant.fields === undefined || grant.fields.includes(column.name)) &&
      this.applies(grant, entity, before, asks) && this.applies(grant, entity, after, asks));
  }

  // The first rule that refuses the write, if any.
  refusing(operation, name, before, after, asks) {
    const scope = { rows: this.rows, caller: asks, entity: name, new: after, old: before };
    return (this.entities[name].rules ?? []).find((rule) => list(rule.on).includes(operation) && holds(rule.refuse, scope));
  }

  readable(name, asks) {
    return this.rows.all(name).filter((row) => this.may('read', name, row, asks));
  }
}
