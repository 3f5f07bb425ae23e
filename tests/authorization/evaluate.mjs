// Evaluates an expression of a contract for one caller and one row: a small interpreter over rows in memory. Moments
// are Dates, days are texts "2026-01-31", null is null. It throws for everything that it does not know, so no case is
// skipped silently.
import { parse } from './expression.mjs';

// `scope`: {rows: every row by entity (world.mjs), caller, entity, row} or, in rules, {…, entity, new, old}.
export function holds(text, scope) {
  return value(parse(text), scope) === true;
}

export function evaluated(text, scope) {
  return value(parse(text), scope);
}

const dayMs = 24 * 60 * 60 * 1000;
const units = { s: 1000, m: 60 * 1000, h: 60 * 60 * 1000, d: dayMs };

// The value of the text `other` in a comparison with a moment.
function alike(a, b) {
  const read = (one, other) => (one instanceof Date && typeof other === 'string' ? new Date(other) : other);
  const [left, right] = [read(b, a), read(a, b)];
  const plain = (one) => (one instanceof Date ? one.getTime() : one);
  if (left instanceof Date !== right instanceof Date) throw new Error(`a moment beside ${JSON.stringify([a, b])}`);
  return [plain(left), plain(right)];
}

function compare(operator, a, b) {
  if (a === null || b === null) return false;
  const [left, right] = alike(a, b);
  if (typeof left !== typeof right) throw new Error(`${typeof left} ${operator} ${typeof right}`);
  switch (operator) {
    case '==': return left === right;
    case '<': return left < right;
    case '<=': return left <= right;
    case '>': return left > right;
    default: return left >= right;
  }
}

// The one null test: beside the word null.
function equal([, left, right], scope) {
  const isNull = (node) => node[0] === 'literal' && node[1] === null;
  if (isNull(left) || isNull(right)) return value(isNull(left) ? right : left, scope) === null;
  return compare('==', value(left, scope), value(right, scope));
}

function reckon(operator, a, b) {
  if (a === null || b === null) return null;
  if (typeof a === 'string' && operator === '+') return a + b;
  if (a instanceof Date && typeof b === 'object' && 'ms' in b) return new Date(a.getTime() + (operator === '+' ? b.ms : -b.ms));
  if (typeof a !== 'number' || typeof b !== 'number') throw new Error(`${JSON.stringify(a)} ${operator} ${JSON.stringify(b)}`);
  switch (operator) {
    case '+': return a + b;
    case '-': return a - b;
    case '*': return a * b;
    default: throw new Error('no division yet');
  }
}

// Rows of a relation are an array; a path over one maps it.
function walk(start, names, scope) {
  let at = start;
  for (const name of names) {
    if (at === null) return null;
    at = Array.isArray(at) ? at.map((one) => scope.rows.step(one, name)) : scope.rows.step(at, name);
  }
  return at;
}

function path([first, ...rest], scope) {
  if (first === 'user') return scope.caller.user[rest[0]] ?? null;
  if (scope.row === undefined) {
    if (first !== 'new' && first !== 'old') throw new Error(`${first} in a rule`);
    return walk(scope[first] ? { entity: scope.entity, row: scope[first] } : null, rest, scope);
  }
  return walk({ entity: scope.entity, row: scope.row }, [first, ...rest], scope);
}

const sum = (list) => list.filter((one) => one !== null).reduce((total, one) => total + one, 0);

const calls = {
  now: () => new Date(),
  today: (_args, scope) => scope.rows.today(),
  duration: ([text]) => ({ ms: Number(text.slice(0, -1)) * units[text.at(-1)] }),
  exists: ([of]) => (Array.isArray(of) ? of.length > 0 : of !== null),
  count: ([of]) => of.length,
  sum: ([of]) => sum(of),
  all: ([of]) => of.every((one) => one === true),
  lower: ([text]) => text?.toLowerCase() ?? null,
  upper: ([text]) => text?.toUpperCase() ?? null,
  size: ([of]) => (of === null ? null : Array.isArray(of) ? of.length : [...of].length),
  startsWith: ([text, part]) => text !== null && text.startsWith(part),
  endsWith: ([text, part]) => text !== null && text.endsWith(part),
  contains: ([text, part]) => text !== null && text.includes(part),
  coalesce: (args) => args.find((one) => one !== null) ?? null,
};

function value(node, scope) {
  const [kind, a, b] = node;
  switch (kind) {
    case 'literal': return a;
    case 'list': return a.map((one) => value(one, scope));
    case 'path': return path(a, scope);
    case 'not': return value(a, scope) !== true;
    case 'negative': return reckon('*', value(a, scope), -1);
    case '||': return value(a, scope) === true || value(b, scope) === true;
    case '&&': return value(a, scope) === true && value(b, scope) === true;
    case '==': return equal(node, scope);
    case '!=': return !equal(node, scope);
    case 'in': return value(b, scope).some((one) => compare('==', value(a, scope), one));
    case 'call': {
      if (a === 'changed') return changed(b[0], scope);
      if (!(a in calls)) throw new Error(`${a}() is not known here`);
      return calls[a](b.map((one) => value(one, scope)), scope);
    }
    case '<': case '<=': case '>': case '>=': return compare(kind, value(a, scope), value(b, scope));
    default: return reckon(kind, value(a, scope), value(b, scope));
  }
}

function changed([, names], scope) {
  const [before, after] = ['old', 'new'].map((which) => JSON.stringify(path([which, ...names.slice(1)], scope)));
  return before !== after;
}
