// A sign-in with an unknown address costs the server as much as one with a wrong password. It is measured in the
// server's own CPU time, which other load does not change.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test, { after, before } from 'node:test';
import { appServers } from '../lib/stack.mjs';
import { World } from './world.mjs';

let world;
before(async () => { world = await World.start({ env: { SVC_RATE_LOGIN: '0', SVC_RATE_MAIL: '0' } }); });
after(() => world?.stop());

// Ticks of 10 ms, of all threads.
function ticks() {
  const fields = readFileSync(`/proc/${appServers(world.project)[0].pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return Number(fields[11]) + Number(fields[12]);
}
async function work(times, act) {
  const before = ticks();
  for (let i = 0; i < times; ++i) await act(i);
  return ticks() - before;
}
const ratio = (a, b) => Math.max(a, b) / Math.max(1, Math.min(a, b));

test('a sign-in costs the same for known and unknown; the measure would see an early answer', async () => {
  await world.signUp('known@example.test');
  const wrong = (email) => () => world.call('POST', '/auth/login', { email, password: 'a wrong password' });
  const known = await work(40, wrong('known@example.test'));
  const unknown = await work(40, wrong('unknown@example.test'));
  const early = await work(40, () => world.call('POST', '/auth/login', { email: 'known@example.test', password: '' }));
  assert.ok(known >= 20, `40 sign-ins took ${known} ticks`);
  assert.ok(ratio(known, unknown) < 1.5, `${known} and ${unknown} ticks`);
  assert.ok(ratio(known, early) > 3, `${known} and ${early} ticks`);
});
