// Starts runs in every possible way, and retries until each start was answered: a key makes one start of all tries.
import { setTimeout as pause } from 'node:timers/promises';
import { request } from '../../lib/http.mjs';
import { until } from '../../lib/stack.mjs';

// {workflow: (n) => what is sent, in order}
const run = (workflow, n) => ({ path: `/runtime/workflows/${workflow}/run`, body: { input: { n } }, status: 202 });
const sends = {
  by_hand: (n) => [run('by_hand', n)],
  by_row: (n) => [{ path: '/api/v1/item', body: { n }, status: 201 }],
  by_key: (n) => [{ path: '/api/v1/once', body: [{ n }, { n }, { n }], status: 201 }],
  waits: (n) => [run('waits', n), { path: `/topics/app:go:${n}/publish`, body: { payload: {} }, status: 200 }],
  parent: (n) => [run('parent', n)],
};
export const workflows = Object.keys(sends);

export class Starter {
  started = Object.fromEntries(workflows.map((name) => [name, []]));  // numbers
  tries = 0;
  going = false;

  // Its numbers are those of nobody else.
  constructor(world, dice, first) { Object.assign(this, { world, dice, next: first }); }

  go() {
    this.going = true;
    this.done = this.loop();
  }
  async rest() {
    this.going = false;
    await this.done;
  }

  async loop() {
    while (this.going) {
      const workflow = this.dice.pick(workflows), n = this.next++;
      for (const [i, one] of sends[workflow](n).entries()) await this.persist(one, `${workflow}-${n}-${i}`);
      this.started[workflow].push(n);
      await pause(this.dice.below(40));
    }
  }

  async persist({ path, body, status }, key) {
    let last = null;
    await until(`${path} of ${key}`, async () => {
      last = await this.send(path, body, key);
      this.tries += 1;
      if (last?.status === status) return true;
      await pause(20);
      return false;
    }).catch((error) => { throw new Error(`${error.message}, last answered ${last?.status} ${last?.text}`); });
  }

  // Sends to one of the two servers.
  send(path, body, key) {
    const { world } = this;
    const at = world.second && this.dice.chance(0.3) ? { port: world.second.port } : { port: world.stack.port, host: world.app.host };
    const headers = { ...world.app.server(), 'x-svc-data-api': '1', 'idempotency-key': key, ...(at.host ? { host: at.host } : {}) };
    return request({ port: at.port, method: 'POST', path: `/__svc${path}`, headers, body }).catch(() => null);
  }
}
