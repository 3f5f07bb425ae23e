// A campaign of `./run chaos <name>`: rounds in episodes, each with its own seed. A failed episode is reported with the
// command that repeats it, and the next one begins.
import { parseArgs } from 'node:util';

function numbersOf(name, rounds) {
  try {
    const { values } = parseArgs({ options: { seed: { type: 'string', default: '1' }, rounds: { type: 'string', default: String(rounds) } } });
    const [seed, most] = [values.seed, values.rounds].map(Number);
    if (!Number.isInteger(seed) || !Number.isInteger(most) || most < 1) throw new Error('--seed and --rounds are whole numbers.');
    return { seed, most };
  } catch (error) {
    console.error(`${error.message}\nusage: ./run chaos ${name} [--seed n] [--rounds n]    ${rounds} rounds by default`);
    process.exit(2);
  }
}

// `episode(seed, rounds)` plays that many rounds and returns what it saw, or throws. An episode has `length` rounds.
export async function campaign({ name, rounds, length, episode }) {
  const { seed, most } = numbersOf(name, rounds);
  let failed = 0;
  for (let at = seed, left = most; left > 0; at += 1, left -= length) {
    const some = Math.min(left, length), began = Date.now();
    const tell = (words) => console.log(`seed ${at}, ${some} rounds, ${((Date.now() - began) / 1000).toFixed(1)} s: ${words}`);
    try {
      tell(JSON.stringify(await episode(at, some)));
    } catch (error) {
      failed += 1;
      tell(`FAILED\n${error.stack}\nplay it again: ./run chaos ${name} --seed ${at} --rounds ${some}`);
    }
  }
  console.log(failed === 0 ? `${most} rounds, nothing was found.` : `${failed} episodes failed.`);
  process.exitCode = failed === 0 ? 0 : 1;
}
