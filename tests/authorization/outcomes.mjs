// Expected answers, and the check of a real one.
import { isDeepStrictEqual } from 'node:util';
import { settled } from './rows.mjs';

export const refused = (status, ...codes) => ({ status, codes });
export const forbidden = refused(403, 'TABLE_FORBIDDEN');
export const hidden = refused(404, 'NOT_FOUND');
export const notHis = refused(403, 'ROW_FORBIDDEN');
export const noField = refused(403, 'FIELD_FORBIDDEN');
// `verify` gets the answer's JSON and the answer, and returns the fault, or null.
export const fine = (status, verify = () => null) => ({ status, verify });

// The difference between an answer and what it may be, or null.
export async function difference(answer, outcomes) {
  const code = answer.json?.error?.code;
  const fits = outcomes.find((one) => one.status === answer.status && (one.codes === undefined || one.codes.includes(code)));
  const wanted = outcomes.map(({ status, codes }) => `${status}${codes ? ` ${codes.join('/')}` : ''}`).join(' or ');
  if (!fits) return `expected ${wanted}, got ${answer.status} ${answer.text.slice(0, 300)}`;
  return fits.verify ? fits.verify(answer.json, answer) : null;
}

// An envelope holds exactly these rows with exactly these columns, in any order.
export function sameRows(columns, rows, json) {
  const names = columns.map(({ name }) => name);
  if (json.truncated !== false || json.rowCount !== json.rows.length) return `truncated ${json.truncated}, rowCount ${json.rowCount}`;
  const told = json.fields.map(({ name }) => name);
  if (!isDeepStrictEqual([...told].sort(), [...names].sort())) return `fields ${told}, expected ${names}`;
  return sameObjects(columns, rows, json.rows);
}

export function sameObjects(columns, rows, given) {
  const names = columns.map(({ name }) => name).sort();
  const ids = (list) => list.map(({ id }) => id).sort();
  if (!isDeepStrictEqual(ids(given), ids(rows))) {
    const [got, want] = [new Set(ids(given)), new Set(ids(rows))];
    return `rows too many: ${[...got].filter((id) => !want.has(id))}, missing: ${[...want].filter((id) => !got.has(id))}`;
  }
  for (const row of given) {
    if (!isDeepStrictEqual(Object.keys(row).sort(), names)) return `columns ${Object.keys(row)}, expected ${names}`;
    const [one, other] = [settled(columns, row), settled(columns, rows.find(({ id }) => id === row.id))];
    if (!isDeepStrictEqual(one, other)) return `row ${JSON.stringify(one)}, expected ${JSON.stringify(other)}`;
  }
  return null;
}
