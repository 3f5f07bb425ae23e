// Filters, order and pages over rows in memory.
const lower = (text) => text.toLowerCase();
const order = (one, other) => (typeof one === 'string' ? Buffer.compare(Buffer.from(one), Buffer.from(other)) : Number(one) - Number(other));

const simple = {
  eq: (value, with_) => (with_ === null ? value === null : value !== null && order(value, with_) === 0),
  lt: (value, with_) => value !== null && order(value, with_) < 0,
  lte: (value, with_) => value !== null && order(value, with_) <= 0,
  gt: (value, with_) => value !== null && order(value, with_) > 0,
  gte: (value, with_) => value !== null && order(value, with_) >= 0,
  in: (value, list) => list.some((one) => simple.eq(value, one)),
  contains: (value, part) => value !== null && lower(value).includes(lower(part)),
  starts_with: (value, part) => value !== null && lower(value).startsWith(lower(part)),
  ends_with: (value, part) => value !== null && lower(value).endsWith(lower(part)),
  is_null: (value) => value === null,
  between: (value, [low, high]) => simple.gte(value, low) && simple.lte(value, high),
};
const opposites = { neq: 'eq', not_in: 'in', not_contains: 'contains', is_not_null: 'is_null' };

export function matches(clause, row) {
  if (clause.and) return clause.and.every((one) => matches(one, row));
  if (clause.or) return clause.or.some((one) => matches(one, row));
  if (clause.not) return !matches(clause.not, row);
  const { field, op, value } = clause;
  return op in opposites ? !simple[opposites[op]](row[field], value) : simple[op](row[field], value);
}

// Nulls are last; rows that compare equal follow their ids. All of it the other way round for desc.
export function sorted(rows, { field = 'id', dir = 'asc' } = {}) {
  const by = (one, other) => {
    const [a, b] = [one[field], other[field]];
    const first = a === null || b === null ? Number(a === null) - Number(b === null) : order(a, b);
    return first || order(one.id, other.id);
  };
  return [...rows].sort((one, other) => (dir === 'desc' ? -by(one, other) : by(one, other)));
}
