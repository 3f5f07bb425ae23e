// The same order in currencies with no, two and three decimals: the due amount, and the amount that the provider gets.
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { World, contract } from './world.mjs';

const price = { type: 'number' };
let world;
before(async () => { world = await World.start({ app: { currency: 'eur' }, price }); });
after(() => world?.stop());

// currency: of 12.345 and twice 7.5 whole units, the amount in smallest units that is due, that of a card, and that as the
// provider counts it
const amounts = { eur: [2735, 2735, 2735], huf: [2735, 2735, 2735], jpy: [27, 27, 27], isk: [27, 27, 2700], ugx: [27, 27, 2700], bhd: [27345, 27350, 27350], mga: [2735, 2700, 27] };

for (const [currency, [whole, amount, charge]] of Object.entries(amounts)) {
  test(`${currency}: ${amount} smallest units, charged as ${charge}`, async () => {
    if (currency !== 'eur') await world.stack.apply(world.project, contract({ app: { currency }, price }));
    const id = await world.order([12.345, 1], [7.5, 2]);
    const due = (await world.checkout(id)).json;
    // Each line half up: 12.345 is 1235 cents, 12 yen, 12345 fils; a card takes whole tens of those, and whole ariary.
    assert.deepEqual([due.status, due.amountCents], ['due', whole]);
    assert.equal((await world.call('GET', '/pay/methods')).json.currency, currency);
    if (amount < 50) {
      assert.equal((await world.card(id)).json.fallback, true);
      await world.create('order_line', { order_id: id, product_id: await world.product(100), quantity: 1 });
    }
    const { json } = await world.card(id);
    const more = amount < 50 ? 100 : 0;
    assert.deepEqual([json.status, json.amountCents], ['processing', amount + more]);
    const session = world.provider.sessions.get(world.provider.idOf(json.url));
    assert.deepEqual([session.amount_total, session.currency], [charge + more * (charge / amount), currency]);
    world.provider.pay(session.id);
    assert.equal((await world.confirm(id)).json.status, 'paid');
    assert.equal((await world.paymentOf(id)).currency, currency);
  });
}
