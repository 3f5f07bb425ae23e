// Measures the memory of svcd with many projects: node tests/faults/memory.mjs [projects]. Checks as many contracts,
// each another one; applies to some of the projects; prints its resident memory as it goes.
// Measures; asserts nothing.
import { readFileSync } from 'node:fs';
import { Stack, sample } from '../lib/stack.mjs';
import { appServers } from './victims.mjs';

const projects = Number(process.argv[2] ?? 500);
const applied = Number(process.argv[3] ?? 10);

const stack = await Stack.start();
await stack.signIn();
const held = (pid) => Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024;
const report = (what) => console.log(`${held(stack.child.pid).toFixed(1)} MB  ${what}`);

function contract(number, entities) {
  const out = sample('shop');
  for (let i = 0; i < entities; ++i) {
    const fields = Array.from({ length: 8 }, (_, n) => ({ name: `f_${number}_${n}`, type: 'string' }));
    out.entities.push({ name: `extra_${i}`, fields });
  }
  return { ...out, app: { name: `App ${number}` } };
}

report('after the start');
const all = [];
for (let i = 0; i < projects; ++i) {
  all.push((await stack.dev('POST', '/projects', { name: `Project ${i}`, workspaceId: stack.workspace }, { expect: 201 })).json.project);
  if ((i + 1) % 100 === 0) report(`${i + 1} projects`);
}
for (let turn = 0; turn < 3; ++turn) {
  for (const [i, project] of all.entries())
    await stack.dev('POST', `/projects/${project.id}/check`, { contract: contract(i, 20) }, { expect: 200 });
  report(`${projects} contracts checked, ${turn + 1}. time`);
}
for (let turn = 0; turn < 3; ++turn) {
  for (const project of all.slice(0, applied)) await stack.apply(project, contract(0, 0));
  report(`${applied} projects applied, ${turn + 1}. time`);
}
const servers = appServers(stack.home).map((server) => held(server.pid));
console.log(`${(servers.reduce((sum, one) => sum + one, 0) / servers.length).toFixed(1)} MB  an app server, ${servers.length} of them`);
await stack.stop();
