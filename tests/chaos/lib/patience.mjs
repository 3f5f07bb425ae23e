// Statements while PostgreSQL is killed.
import { until } from '../../lib/stack.mjs';

const away = /connection to server|the connection|terminating|starting up|shutting down|recovery/;

// The result of `act`, which runs statements. What was killed may be ending, or starting again.
export async function patiently(act) {
  const { result } = await until('PostgreSQL to answer', () => {
    try {
      return { result: act() };
    } catch (error) {
      if (!away.test(error.message)) throw error;
      return null;
    }
  });
  return result;
}
