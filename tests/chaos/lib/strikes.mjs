// Faults of a working app. A strike ends when the app should answer again.
import { backends, kill, postmaster } from '../../faults/victims.mjs';
import { until } from '../../lib/stack.mjs';

export const strikes = {
  kill: async ({ world }) => kill(world.servers()),
  'kill twice': async ({ world }) => {
    kill(world.servers());
    await world.answers();
    kill(world.servers());
  },
  'kill the second': async ({ world }) => {
    await world.stopSecond('SIGKILL');
    await world.startSecond();
  },
  'end both': async ({ world }) => {
    const ending = world.servers().map(({ pid }) => pid);
    for (const pid of ending) process.kill(pid, 'SIGTERM');
    await world.stopSecond('SIGTERM');
    await until('the servers to end', () => world.servers().every(({ pid }) => !ending.includes(pid)));
    await world.startSecond();
  },
  'cut off the database': async ({ world }) => world.ask(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${world.database}' and pid <> pg_backend_pid()`),
  // A backend that dies ends all other connections too.
  'kill a backend of PostgreSQL': async ({ world, dice }) => {
    const found = backends(world.stack.home);
    if (found.length > 0) kill([dice.pick(found)]);
  },
  'kill PostgreSQL': async ({ world }) => {
    kill([{ pid: postmaster(world.stack.home) }]);
  },
  'kill svcd': async ({ world }) => {
    world.stack.child.kill('SIGKILL');
    await world.stack.ended;
    await world.stack.run();
  },
};

// The second server is of the contract before, so it goes first.
export async function apply({ world }, contract) {
  await world.stopSecond('SIGTERM');
  await world.stack.apply(world.project, contract);
  world.contract = contract;
  await world.startSecond();
}
