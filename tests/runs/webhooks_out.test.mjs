// Deliveries of webhooks that are off, and what turns one off.
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { Engine } from '../lib/engine.mjs';

let it;

before(async () => { it = await Engine.start(); await it.items(); });
after(() => it.stop());
test.beforeEach(() => it.empty());

test('deliveries of a webhook that is off end in parts', async () => {
  await it.flows({}, { hooksOut: ['on', 'off'].map((name) => ({ name, url: 'https://a.example', secret: 'S', on: [{ table: 'item', event: 'created' }] })) });
  await it.sql(`truncate svc.delivery; update svc.hook_out_state set off_at = now() where hook = 'off';
    insert into svc.delivery (hook, event, table_name, row_id, at, seq, status, next_at)
    select 'off', 'item.created', 'item', svc.new_id(), now(), n, case when n > 6990 then 'sending' else 'waiting' end, now() + interval '1 hour' * (n % 2) - interval '1 minute'
    from generate_series(1, 7000) n`);
  const claim = () => it.worker.run('select count(*) from svc.claim_deliveries(10)');
  const left = () => it.sql("select count(*) from svc.delivery where status in ('waiting', 'sending')");
  const all = [];
  for (let n = 0; n < 3; n += 1) all.push((await claim())[0], (await left())[0]);
  assert.deepEqual(all, ['0', '2000', '0', '5', '0', '5'], 'five are on their way');
  assert.deepEqual(await it.sql('select distinct error from svc.delivery where ended_at is not null'), ['The webhook is off.']);
});

test('five days of failures are those of one time, and a new failure after an old one is none of them', async () => {
  await it.flows({}, { hooksOut: [{ name: 'h', url: 'https://a.example', secret: 'S', on: [{ table: 'item', event: 'created' }] }] });
  await it.sql('truncate svc.delivery');
  const queue = async (seq, attempts, status = 'sending') => (await it.sql(`insert into svc.delivery (hook, event, table_name, row_id, at, seq, status, attempts)
    values ('h', 'item.created', 'item', svc.new_id(), now(), ${seq}, '${status}', ${attempts}) returning id`))[0];
  const fail = async (id, attempt) => (await it.worker.run(`select svc.end_delivery('${id}', ${attempt}, 500, 'no', 0)`))[0];
  const since = (days) => it.sql(`update svc.hook_out_state set off_at = null, failing_since = now() - interval '${days} days'`);
  const failing = async () => (await it.sql("select now() - failing_since < interval '1 day' from svc.hook_out_state where hook = 'h'"))[0];
  await since(6);
  assert.equal(await fail(await queue(1, 10), 10), 'off', 'it was tried for all that time');
  await since(6);
  const fresh = await queue(2, 1);
  await queue(3, 0, 'waiting');
  await queue(4, 1);
  assert.deepEqual([await fail(fresh, 1), await failing()], ['waiting', 't'], 'nothing else has failed and is tried again');
  await since(6);
  assert.equal(await fail(await queue(5, 1), 1), 'off', 'the one before is');
});
