// Faults of an app while its feeds are followed. A strike ends when the app should answer again.
import { setTimeout as pause } from 'node:timers/promises';
import { apply, strikes as general } from '../lib/strikes.mjs';
import { changed, renamed } from './contract.mjs';

export const strikes = {
  ...general,
  // The next server serves the same contract but for a name: streams go over.
  swap: async (trial) => apply(trial, renamed(trial.world.contract, trial.world.contract.app.name === 'First' ? 'Second' : 'First')),
  change: async (trial) => apply(trial, trial.changed ??= changed(trial.dice, trial.world.contract)),
  // A restore waits for all who use the old database, and so for the second server.
  restore: async ({ world, snapshot }) => {
    await world.stopSecond('SIGTERM');
    await world.stack.dev('POST', `/projects/${world.project.id}/snapshots/${snapshot}/restore`, { env: 'dev' }, { expect: 200 });
    world.findDatabase();
    for (const who of Object.keys(world.people)) await world.renew(who);
    await world.startSecond();
  },
  'break streams': async ({ viewers, dice }) => { for (const viewer of dice.some(viewers, 0.5)) viewer.leave(); },
  // Rights of a person go and come back.
  disable: async ({ world, dice }) => {
    const { id } = world.people[dice.pick(Object.keys(world.people))];
    await world.ask(`update svc.account set disabled = true where id = '${id}'`);
    await pause(dice.below(200));
    await world.ask(`update svc.account set disabled = false where id = '${id}'`);
  },
};
