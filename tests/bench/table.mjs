// The table of measurements and their bars.
import { writeFileSync } from 'node:fs';
import { interleaved, probe } from './lib.mjs';

const table = [];
const digits = (value) => (value === null ? null : Number(value.toFixed(3)));

// `bar`: svc's number / the reference must be at least it ("atLeast") or at most it; null: only for comparison.
export function row(work, ours, reference, unit, bar, atLeast = true) {
  const ratio = ours / reference;
  const holds = bar === null ? null : atLeast ? ratio >= bar : ratio <= bar;
  table.push({ work, ours: digits(ours), reference: digits(reference), unit, ratio: digits(ratio), bar: digits(bar), holds });
  console.error(`${work}: ${ours.toFixed(2)} ${unit}, reference ${reference.toFixed(2)}, ratio ${ratio.toFixed(2)} (${bar === null ? 'no bar' : `bar ${atLeast ? '>=' : '<='} ${bar.toFixed(2)}`})`);
}

// A row of requests a second against what `reference` measures. Where the server does not answer the load, or
// without `has` in it, the table says so: a row that is missing must show, and none may be of other work.
export async function compare(work, { ours, load, has = '"ok":true', reference, unit = 'requests/s', bar }) {
  const answer = await probe(load);
  if (answer.status >= 300 || !answer.text.includes(has)) {
    table.push({ work, ours: null, reference: null, unit: `not answered: ${answer.status}`, ratio: null, bar: digits(bar), holds: false });
    console.error(`${work}: not answered, ${answer.status} ${answer.text.slice(0, 200)}`);
    return;
  }
  const [first, second] = await interleaved([ours, reference]);
  row(work, first, second, unit, bar);
}

export function finish(file) {
  writeFileSync(file, `${JSON.stringify(table, null, 2)}\n`);
  console.table(table);
}
