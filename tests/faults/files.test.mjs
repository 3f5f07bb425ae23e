// Uploads while servers, svcd and PostgreSQL are killed: each file is whole or not there, and none is lost that was
// acknowledged. `./run chaos files` does the same for longer.
//   SVC_SEED and SVC_KILLS choose others and more.
import test from 'node:test';
import { played } from '../chaos/files/trial.mjs';

const seed = Number(process.env.SVC_SEED ?? 1);
const kills = Number(process.env.SVC_KILLS ?? 20);

test(`${kills} strikes, seed ${seed}`, { timeout: 600_000 }, async (t) => {
  t.diagnostic(JSON.stringify(await played(seed, kills)));
});
