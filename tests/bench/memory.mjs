// The memory of svcd with many projects: what many contracts and many applies leave behind, and an app server each.
import { Stack, appServers, sample } from '../lib/stack.mjs';
import { median, residentMiB } from './lib.mjs';
import { row } from './table.mjs';

const kTurns = 3;

function contract(number, entities) {
  const out = sample('shop');
  for (let i = 0; i < entities; ++i) {
    const fields = Array.from({ length: 8 }, (_, n) => ({ name: `f_${number}_${n}`, type: 'string' }));
    out.entities.push({ name: `extra_${i}`, fields });
  }
  return { ...out, app: { name: `App ${number}` } };
}

// What is held after the last of some turns against what is held after the first.
async function grown(work, pid, turn) {
  const held = [];
  for (let i = 0; i < kTurns; ++i) {
    await turn();
    held.push(residentMiB(pid));
  }
  row(`memory of svcd: ${work}, turn ${kTurns} against turn 1`, held.at(-1), held[0], 'MiB', null, false);
}

export async function memory(projects, applied) {
  const stack = await Stack.start();
  try {
    await stack.signIn();
    const svcd = stack.child.pid;
    const started = residentMiB(svcd);
    const all = [];
    for (let i = 0; i < projects; ++i) all.push(await stack.project(`Project ${i}`));
    row(`memory of svcd: ${projects} projects against none`, residentMiB(svcd), started, 'MiB', null, false);
    await grown(`${projects} contracts checked`, svcd, async () => {
      for (const [i, project] of all.entries())
        await stack.dev('POST', `/projects/${project.id}/check`, { contract: contract(i, 20) }, { expect: 200 });
    });
    const live = all.slice(0, applied);
    await grown(`${live.length} projects applied`, svcd, async () => {
      for (const project of live) await stack.apply(project, contract(0, 0));
    });
    const servers = live.flatMap((project) => appServers(project).map(({ pid }) => residentMiB(pid)));
    row(`memory of an app server, one of ${servers.length}`, median(servers), 40, 'MiB (bar)', 1, false);
  } finally {
    await stack.stop();
  }
}
