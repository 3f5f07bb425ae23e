// Feeds of apps with contracts at random: each viewer, which uses only its feed, shows the rows of a list, whatever
// happened to the servers meanwhile. `./run chaos feeds` does the same for longer.
//   SVC_FEEDS_SEED and SVC_FEEDS_ROUNDS choose others and more.
import test from 'node:test';
import { played } from '../chaos/feeds/trial.mjs';

const seed = Number(process.env.SVC_FEEDS_SEED ?? 1);
const rounds = Number(process.env.SVC_FEEDS_ROUNDS ?? 10);

for (const one of [seed, seed + 1])
  test(`seed ${one}`, async (t) => {
    const told = await played(one, rounds);
    t.diagnostic(JSON.stringify(told));
  });
