// Plays operations against the API and the model side by side, and returns the first difference.
import { isDeepStrictEqual } from 'node:util';
import { kinds } from './operations.mjs';
import { tables } from './shop.mjs';

// Columns that only the server sets.
const servers = ['id', 'number', 'created_at', 'updated_at', 'user_id'];

function mismatch(answer, expected) {
  const code = answer.json?.error?.code;
  const got = `got ${answer.status} ${answer.text.slice(0, 400)}`;
  if (expected.wrong) {
    const fits = expected.wrong.some(([status, one]) => status === answer.status && one === code);
    return fits ? null : `expected ${expected.wrong.map((one) => one.join(' ')).join(' or ')}, ${got}`;
  }
  if (answer.status !== expected.status) return `expected ${expected.status} ${expected.codes ?? ''}, ${got}`;
  if (expected.codes && !expected.codes.includes(code)) return `expected ${expected.codes}, ${got}`;
  return null;
}

// A row that was written: its own columns are the model's; what the server decides is taken from it.
function written(shop, table, { row, open = [] }, given, who, creating) {
  const columns = tables[table].columns.filter((name) => name in given);
  const wanted = shop.shown(table, row, who);
  if (columns.length !== Object.keys(wanted).length) return `columns ${columns}, expected ${Object.keys(wanted)}`;
  for (const name of columns) {
    const free = open.includes(name) || name === 'updated_at' || (creating && (servers.includes(name) || (name === 'placed_at' && given[name] === null)));
    if (!free && !isDeepStrictEqual(given[name], row[name])) return `${name} is ${JSON.stringify(given[name])}, expected ${JSON.stringify(row[name])}`;
  }
  const kept = { ...row, ...given };
  if (creating) shop.made[table].push(kept.id);
  shop.rows[table].set(kept.id, kept);
  return null;
}

function compared(shop, operation, { table, expected }, answer) {
  const wrong = mismatch(answer, expected);
  if (wrong || answer.status >= 400) return wrong;
  if (expected.gone) {
    for (const [of, id] of expected.gone) shop.rows[of].delete(id);
    return null;
  }
  if (expected.made) {
    const wrongs = expected.made.map((one, n) => written(shop, table, one, answer.json.rows[n] ?? {}, operation.who, true));
    return answer.json.rows.length === wrongs.length ? wrongs.find((one) => one !== null) ?? null : `${answer.json.rows.length} rows`;
  }
  if ('value' in expected) return answer.json.value === expected.value ? null : `value ${answer.json.value}, expected ${expected.value}`;
  if (expected.row) return written(shop, table, expected, answer.json.rows[0], operation.who, operation.do === 'create');
  const { rows, rowCount, truncated } = answer.json;
  if (rowCount !== rows.length || truncated !== (expected.truncated ?? false)) return `rowCount ${rowCount}, truncated ${truncated}, expected ${expected.truncated}`;
  return isDeepStrictEqual(rows, expected.rows) ? null : `rows ${JSON.stringify(rows)}\n  expected ${JSON.stringify(expected.rows)}`;
}

// Follows the cursor of a first page; gives all pages as one without it.
async function walked(call, who, { path }, first) {
  let answer = first;
  const rows = [];
  for (;;) {
    if (answer.status !== 200) return answer;
    rows.push(...answer.json.rows);
    const { nextCursor, hasMore } = answer.json;
    if (hasMore !== (nextCursor !== null)) return { ...answer, status: 0, text: `hasMore ${hasMore} beside ${nextCursor}` };
    if (nextCursor === null) return { ...answer, json: { ok: true, rows, rowCount: rows.length, truncated: false } };
    answer = await call(who, 'GET', path.replace(/cursor=$/, `cursor=${encodeURIComponent(nextCursor)}`));
  }
}

// `call(who, method, path, body)`. Gives null, or {at, wrong, calls}: the number of the operation that differs.
export async function play(operations, shop, call) {
  const calls = [];
  for (const [at, operation] of operations.entries()) {
    const step = kinds[operation.do](shop, operation);
    const first = await call(operation.who, step.method, step.path, step.body);
    const answer = step.walks ? await walked(call, operation.who, step, first) : first;
    calls.push(`${operation.who}: ${step.method} ${decodeURIComponent(step.path)} ${step.body ? JSON.stringify(step.body) : ''}`);
    const wrong = compared(shop, operation, step, answer);
    if (wrong) return { at, wrong, calls };
  }
  return null;
}
