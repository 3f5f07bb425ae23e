// The runtime API of both samples, through svcd on a real socket and a real PostgreSQL: every file of
// shop/ and hello/ is a list of steps as data (lib/scenarios.mjs).
import test, { after, before } from 'node:test';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Stack, sample } from '../lib/stack.mjs';
import { runScenarios, signUp } from '../lib/scenarios.mjs';

const here = dirname(fileURLToPath(import.meta.url));
let stack;

before(async () => {
  stack = await Stack.start();
  await stack.signIn();
});
after(() => stack?.stop());

for (const [name, persona] of [['shop', 'customer'], ['hello', 'member']]) {
  test(`the sample ${name}`, async () => {
    const project = await stack.project(name);
    await stack.apply(project, sample(name));
    const host = `preview-${project.slug}.localhost`;
    const people = {};
    for (const person of ['ann', 'bob']) {
      people[person] = await signUp(stack, project, host, `${person}.${name}`, persona);
    }
    await runScenarios({ folder: join(here, name), stack, project, host, people, kept: { project: project.id } });
  });
}
