// Builds and applies by size: a contract's first one, and one after a field was added.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Stack } from '../lib/stack.mjs';
import { many, withField } from './contracts.mjs';
import { median } from './lib.mjs';
import { row } from './table.mjs';

const run = promisify(execFile);
const rounds = 3;

// Seconds: [first, one field added]; null: no bar.
const bars = {
  1: { build: [1, 0.6], apply: [2, 1] },
  10: { build: [1, 0.6], apply: [2, 1] },
  40: { build: [2.5, 0.6], apply: [4, 1.5] },
  100: { build: [4, 0.6], apply: [null, null] },
};
// The seconds that the yardstick took to compile on the machine of the bars.
const yardstickSeconds = 0.67;

// How much slower than that machine this one is now.
async function slowness(folder) {
  const from = performance.now();
  const source = join(import.meta.dirname, 'yardstick.cpp');
  await run('g++', ['-O2', '-g0', '-std=c++20', '-c', source, '-o', join(folder, 'yardstick.o')]);
  return (performance.now() - from) / 1000 / yardstickSeconds;
}

async function round(folder, count) {
  const stack = await Stack.start({}, { cold: true });
  try {
    await stack.signIn();
    const project = await stack.project(`Many ${count}`);
    const timed = async (contract) => {
      const before = await slowness(folder);
      const from = performance.now();
      const { json } = await stack.apply(project, contract);
      const apply = (performance.now() - from) / 1000;
      return { apply, build: json.build.seconds, slowness: (before + await slowness(folder)) / 2 };
    };
    return [await timed(many(count)), await timed(withField(many(count)))];
  } finally {
    await stack.stop();
  }
}

export async function applies(folder) {
  for (const [count, of] of Object.entries(bars)) {
    const all = [];
    for (let i = 0; i < rounds; ++i) all.push(await round(folder, Number(count)));
    for (const work of ['build', 'apply']) {
      for (const [i, kind] of ['first', 'one field added'].entries()) {
        const bar = of[work][i];
        const took = median(all.map((one) => one[i][work]));
        const reference = median(all.map((one) => one[i].slowness)) * (bar ?? 1);
        row(`${work}, ${count} entities, ${kind}`, took, reference, 's (the bar on this machine)', bar === null ? null : 1, false);
      }
    }
  }
}
