// A trial of so many rounds on a stack of its own: what it saw. Throws what cannot be, with the seed and svcd's last words.
//
// `Trial` is made with the stack and the seed. It has start(), round(strike), told(), stop(), the `dice`, what was `struck`,
// and if needed end(), which looks at the whole once more, and about(), words for the report.
import { Stack } from '../../lib/stack.mjs';

export async function playedBy(Trial, { seed, rounds, weights, settings }) {
  Stack.durable = true;
  const stack = await Stack.start(settings);
  const trial = new Trial(stack, seed);
  try {
    await stack.signIn();
    await trial.start();
    for (let left = rounds; left > 0; left -= 1) await trial.round(trial.dice.weighted(weights));
    await trial.end?.();
    return trial.told();
  } catch (error) {
    error.stack += `\n  seed ${seed}, ${JSON.stringify(trial.struck)}\n  ${trial.about?.() ?? ''}\n  svcd: ${stack.log.slice(-1000)}`;
    throw error;
  } finally {
    await trial.stop();
    await stack.stop();
  }
}
