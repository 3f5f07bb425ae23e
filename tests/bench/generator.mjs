// The time of the generator without compilers: a process from its start to its end.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { bin } from '../lib/stack.mjs';
import { many } from './contracts.mjs';
import { interleaved } from './lib.mjs';
import { row } from './table.mjs';

const run = promisify(execFile);

export async function generator(folder) {
  const work = mkdtempSync(join(folder, 'generator-'));
  try {
    const contract = (count) => {
      const file = join(work, `${count}.json`);
      writeFileSync(file, JSON.stringify(many(count), null, 1));
      return file;
    };
    const timed = (...words) => async () => {
      const from = performance.now();
      await run(join(bin, 'svcgen'), words, { maxBuffer: 1 << 26 });
      return performance.now() - from;
    };
    const files = [contract(100), contract(400)];
    // Into a new folder each time: nothing is left as it was.
    const emitted = (file) => async () => {
      const into = mkdtempSync(join(work, 'out-'));
      return timed('emit', file, into)();
    };
    for (const [word, bar, measure] of [['check', 300, (file) => timed('check', file)], ['emit', 500, emitted]]) {
      const [hundred, four] = await interleaved(files.map(measure));
      row(`${word} of 100 entities`, hundred, bar, 'ms (bar)', 1, false);
      row(`${word} of 400 entities against four times 100`, four, 4 * hundred, 'ms', 1, false);
    }
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}
