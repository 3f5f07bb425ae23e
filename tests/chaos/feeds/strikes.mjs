// What happens to an app while its feeds are followed. Each strike is over once the app is to answer again.
import { until } from '../../lib/stack.mjs';
import { changed, renamed } from './contract.mjs';

const sigkill = (list) => { for (const { pid } of list) try { process.kill(pid, 'SIGKILL'); } catch { /* gone already */ } };

export const strikes = {
  kill: async ({ world }) => sigkill(world.servers()),
  'kill twice': async ({ world }) => {
    sigkill(world.servers());
    await world.answers();
    sigkill(world.servers());
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
  // The next server serves the same contract but for a name: streams go over.
  swap: async (trial) => apply(trial, renamed(trial.world.contract, trial.world.contract.app.name === 'First' ? 'Second' : 'First')),
  change: async (trial) => apply(trial, trial.changed ??= changed(trial.dice, trial.world.contract)),
  // It waits for whoever uses the old database, and so for the second server.
  restore: async ({ world, snapshot }) => {
    await world.stopSecond('SIGTERM');
    await world.stack.dev('POST', `/projects/${world.project.id}/snapshots/${snapshot}/restore`, { env: 'dev' }, { expect: 200 });
    world.findDatabase();
    for (const who of Object.keys(world.people)) await world.renew(who);
    await world.startSecond();
  },
  'cut off the database': async ({ world }) => world.sql(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${world.database}' and pid <> pg_backend_pid()`),
  'break streams': async ({ viewers, dice }) => { for (const viewer of dice.some(viewers, 0.5)) viewer.listening?.close(); },
  'kill svcd': async ({ world }) => {
    world.stack.child.kill('SIGKILL');
    await world.stack.ended;
    await world.stack.run();
  },
  // Rights of a person go and come back.
  disable: async ({ world, dice }) => {
    const { id } = world.people[dice.pick(Object.keys(world.people))];
    world.sql(`update svc.account set disabled = true where id = '${id}'`);
    await new Promise((done) => setTimeout(done, dice.below(200)));
    world.sql(`update svc.account set disabled = false where id = '${id}'`);
  },
};

// The second server is of the contract before, so it goes first.
async function apply({ world }, contract) {
  await world.stopSecond('SIGTERM');
  await world.stack.apply(world.project, contract);
  world.contract = contract;
  await world.startSecond();
}
