// One episode: some orders, and everything that may happen to their payments at once.
import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { postgresAfter, postmaster } from '../../faults/victims.mjs';
import { Stack, until } from '../../lib/stack.mjs';
import { World } from '../../pay/world.mjs';
import { Dice } from '../lib/dice.mjs';
import { patiently } from '../lib/patience.mjs';
import { strikes } from '../lib/strikes.mjs';

const deeds = { checkout: 5, offline: 1, confirm: 4, webhook: 4, forged: 1, poll: 2, pay: 2, expire: 1, transfer: 1, arrive: 1, 'fail late': 1, line: 2, settle: 1 };
const victims = { kill: 6, 'kill svcd': 2, 'kill a backend of PostgreSQL': 1, 'kill PostgreSQL': 1 };
const steps = 12;  // a round
const types = ['completed', 'expired', 'async_payment_succeeded', 'async_payment_failed'].map((word) => `checkout.session.${word}`);

const open = ({ status }) => status === 'open';

class Trial {
  constructor(world, dice) {
    Object.assign(this, { world, dice, seen: {}, calls: [], sent: [] });
    // An answer of the provider's may be late, broken or lost.
    world.provider.before = async () => {
      if (dice.chance(0.03)) return { status: 500, body: { error: { type: 'api_error' } } };
      if (dice.chance(0.2)) await pause(dice.below(40));
      return null;
    };
    world.provider.after = async () => (dice.chance(0.03) ? 'cut' : null);
  }

  note(what) { this.seen[what] = (this.seen[what] ?? 0) + 1; }
  // While servers are killed, answers of calls do not matter; records do.
  send(what, call) {
    this.calls.push(call.then(({ status }) => this.note(`${what} ${status}`), () => this.note(`${what} lost`)));
  }
  sessionsOf(order) { return [...this.world.provider.sessions.values()].filter((one) => one.client_reference_id.endsWith(order.id)); }
  // A transfer that is under way: neither arrived nor refused.
  waits = (session) => this.world.provider.intents.get(session.payment_intent)?.status === 'processing';
  // Moves as the provider would allow them.
  move(order, from, act) {
    for (const one of this.sessionsOf(order)) if (from(one)) act(one.id);
  }

  async act(what, order) {
    const { world, dice } = this, { provider } = world;
    const session = dice.pick(this.sessionsOf(order));
    if (what === 'checkout') this.send(what, world.card(order.id));
    if (what === 'offline') this.send(what, world.checkout(order.id));
    if (what === 'confirm') this.send(what, world.confirm(order.id));
    if (what === 'settle') this.send(what, world.settle(order.id));
    if (what === 'line') this.send(what, world.call('PATCH', `/api/v1/order_line/${order.line}`, { quantity: 1 + dice.below(3) }));
    if (what === 'poll') await patiently(() => world.pollNow(order.id));
    if (what === 'pay') this.move(order, open, (id) => provider.pay(id));
    if (what === 'expire') this.move(order, open, (id) => provider.expire(id));
    if (what === 'transfer') this.move(order, open, (id) => provider.transfer(id));
    if (what === 'arrive') this.move(order, this.waits, (id) => provider.pay(id));
    if (what === 'fail late') this.move(order, this.waits, (id) => provider.failTransfer(id));
    if (what === 'webhook' && session) {
      // A new event, or an earlier one; sometimes twice.
      const fresh = provider.event(dice.pick(types.slice(0, 3)), session.id);
      this.sent.push(fresh);
      const event = dice.chance(0.7) ? fresh : dice.pick(this.sent);
      for (let times = dice.chance(0.3) ? 2 : 1; times > 0; times -= 1) this.send(what, world.hook(event));
    }
    if (what === 'forged' && session) this.send(what, world.hook(provider.event(types[0], session.id, { secret: 'whsec_forged' })));
  }

  async strike() {
    const { world, dice } = this, { home } = world.stack;
    const what = dice.weighted(victims), master = postmaster(home);
    await strikes[what](this);
    this.note(what);
    if (what === 'kill PostgreSQL') await postgresAfter(home, master);
    await until('the app to answer', async () => (await world.call('GET', '/pay/methods').catch(() => null))?.status === 200);
  }

  // Everything ends well once the provider does.
  async end(orders) {
    await Promise.all(this.calls);
    const { provider } = this.world;
    provider.before = provider.after = async () => null;
    for (const order of orders) {
      this.move(order, open, (id) => provider.expire(id));
      this.move(order, this.waits, (id) => provider.pay(id));
      await patiently(() => this.world.pollNow(order.id));
    }
    const none = (rows) => patiently(() => this.world.count(rows) === 0);
    await until('all payments to end', () => none("svc.payment where status = 'processing'"));
    const going = "svc.run where status not in ('succeeded', 'failed', 'dead')";
    await until('all runs to end', () => none(going)).catch((error) => {
      throw new Error(`${error.message}; still there: ${JSON.stringify(this.world.json(`select jsonb_agg(r) from (select * from ${going}) r`))}`);
    });
  }

  check(order) {
    const { world } = this;
    const entries = world.json(`select coalesce(jsonb_agg(p order by p.seq), '[]') from svc.payment p where p.order_id = '${order.id}'`);
    const paid = entries.filter(({ status }) => status === 'paid');
    const all = `order ${order.id}: ${JSON.stringify(entries)}`;
    assert.ok(paid.length <= 1, `paid ${paid.length} times; ${all}`);
    for (const entry of entries.filter(({ method }) => method === 'card')) {
      const session = world.provider.sessions.get(entry.session);
      assert.ok(session, all);
      assert.equal(entry.status, session.payment_status === 'paid' ? 'paid' : 'failed', all);
    }
    // Money that was taken is in the ledger, and nothing else is paid by card.
    const taken = this.sessionsOf(order).filter((one) => one.payment_status === 'paid').map(({ id }) => id);
    assert.deepEqual(paid.filter(({ method }) => method === 'card').map(({ session }) => session), taken.filter((id) => entries.some((entry) => entry.session === id)), all);
    const events = entries.filter(({ status }) => status === 'paid' || status === 'failed').map(({ status }) => `on_${status}`).sort();
    assert.deepEqual(world.events(order.id), events, all);
    assert.equal(world.count(`receipt where order_id = '${order.id}'`), events.length, all);
    if (paid.length === 1) {
      const quantity = Number(world.sql(`select quantity from order_line where id = '${order.line}'`)[0][0]);
      assert.ok(quantity <= paid[0].lines[0].quantity, `more than what was paid for; ${all}`);
    }
  }
}

export async function played(seed, rounds) {
  const dice = new Dice(seed);
  Stack.durable = true;
  const world = await World.start();
  try {
    const trial = new Trial(world, dice);
    const orders = [];
    for (let made = 0; made < rounds; made += 1) {
      const id = await world.order([100 + dice.below(900), 1 + dice.below(3)]);
      orders.push({ id, line: world.sql(`select id from order_line where order_id = '${id}'`)[0][0] });
    }
    for (let step = 0; step < rounds * steps; step += 1) {
      await trial.act(dice.weighted(deeds), dice.pick(orders));
      if (dice.chance(1 / (3 * steps))) await trial.strike();  // in every third round
      if (trial.calls.length % 16 === 0) await Promise.all(trial.calls);
    }
    await trial.end(orders);
    for (const order of orders) trial.check(order);
    return { ...trial.seen, paid: world.count("svc.payment where status = 'paid'"), failed: world.count("svc.payment where status = 'failed'") };
  } finally {
    await world.stop();
  }
}
