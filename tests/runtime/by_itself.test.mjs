// The functions and workflows of the samples: the shop's functions, its notes of low stock and its supplier's
// deliveries; the clinic's reminders.
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import test, { after, before } from 'node:test';
import { databaseOf, sql } from '../lib/admin_sql.mjs';
import { orgs, signUp } from '../lib/scenarios.mjs';
import { Stack, sample, until } from '../lib/stack.mjs';

let stack;
before(async () => {
  stack = await Stack.start();
  await stack.signIn();
});
after(() => stack?.stop());

class App {
  static async of(name) {
    const app = new App();
    app.project = await stack.project(name);
    await stack.apply(app.project, sample(name));
    app.host = `preview-${app.project.slug}.localhost`;
    return app;
  }

  // `who`: headers that say for whom a server asks.
  call(who, method, path, body) {
    const headers = { authorization: `Bearer ${this.project.server}`, 'x-svc-data-api': '1', ...who };
    return stack.fetch(method, `/__svc${path}`, { headers, host: this.host, body });
  }
  async ok(who, method, path, body) {
    const { status, json, text } = await this.call(who, method, path, body);
    assert.ok(status < 300, `${method} ${path}: ${status} ${text}`);
    return json;
  }
  async make(who, table, row) { return (await this.ok(who, 'POST', `/api/v1/${table}`, row)).rows[0]; }
  move(who, table, id, transition) { return this.ok(who, 'PATCH', `/api/v1/${table}/${id}/transition`, { transition }); }
  sql(text) { return sql(stack, databaseOf(this.project), text); }

  account(email) { return { 'x-svc-app-user': this.sql(`select id from svc.account where email = '${email}'`)[0][0] }; }
  async told(who) { return (await this.ok(who, 'GET', '/notifications')).notifications.map(({ title, body }) => [title, body]); }
  async mails(to) { return (await stack.dev('GET', `/projects/${this.project.id}/mail?to=${to}`, undefined, { expect: 200 })).json.mails; }

  run(id) { return this.ok({}, 'GET', `/runtime/runs/${id}`).then(({ run }) => run); }
  ended(id) { return until('the run to end', async () => { const run = await this.run(id); return run.endedAt && run; }); }
  runOf(workflow) {
    return until(`a run of ${workflow}`, async () => (await this.ok({}, 'GET', `/runtime/runs?workflow=${workflow}`)).runs[0]);
  }
}

test('the shop', async (t) => {
  const shop = await App.of('shop');
  const ann = shop.account('ann@example.test'), kim = shop.account('kim@example.test'), mia = shop.account('mia@example.test');
  const tea = (await shop.ok({}, 'GET', '/api/v1/product')).rows[0].id;
  const call = (who, name, params) => shop.call(who, 'POST', `/functions/${name}`, { params });
  const stock = () => Number(shop.sql('select stock from product')[0][0]);

  await t.test('an order in one call, all of it or nothing', async () => {
    const { json } = await call(ann, 'place_order', { product: tea, pieces: 2, note: 'A gift' });
    assert.equal(json.result.total, 1300);
    const { rows: [order] } = await shop.ok(ann, 'GET', `/api/v1/order/${json.result.order}?select=number,status,note,lines(quantity)`);
    assert.deepEqual(order, { number: json.result.number, status: 'placed', note: 'A gift', lines: [{ quantity: 2 }] });
    const refused = await call(ann, 'place_order', { product: tea, pieces: 41 });
    assert.deepEqual([refused.status, refused.json.error.code, refused.json.error.message], [422, 'RULE_REFUSED', 'Only 40 left.']);
    assert.equal((await shop.ok(ann, 'GET', '/api/v1/order')).rowCount, 1);
    assert.equal((await call(ann, 'place_order', { pieces: 1 })).json.error.field, 'product');
    assert.equal((await call(kim, 'place_order', { product: tea })).json.error.code, 'TABLE_FORBIDDEN');
  });

  await t.test('what is sold leaves the shelf, and who works there hears once that little is left', async () => {
    assert.deepEqual((await call(kim, 'sell', { product: tea, pieces: 35 })).json.result, [{ title: 'Green tea', stock: 5, total: 22750 }]);
    assert.deepEqual((await call(mia, 'sell', { product: tea, pieces: 2 })).json.result, [{ title: 'Green tea', stock: 3, total: 1300 }]);
    assert.equal((await call(ann, 'sell', { product: tea })).json.error.code, 'TABLE_FORBIDDEN');
    for (const pieces of [4, 0, -1]) {
      const { status, json: { error } } = await call(kim, 'sell', { product: tea, pieces });
      assert.deepEqual([status, error.code, error.message], [422, 'FUNCTION_FAILED', `There are not ${pieces} of it on the shelf.`]);
    }
    assert.equal(stock(), 3);
    await call(kim, 'sell', { product: tea });
    await shop.ended((await shop.runOf('low_stock')).id);
    for (const who of [kim, mia]) assert.deepEqual(await shop.told(who), [['Low stock: Green tea', '3 left.']]);
    assert.deepEqual(await shop.told(ann), []);
  });

  await t.test('what the supplier delivers is put on the shelf, each delivery once', async () => {
    const session = await shop.ok({}, 'POST', '/auth/magic/request', { email: 'mia@example.test' })
      .then(() => shop.mails('mia@example.test'))
      .then(([mail]) => stack.fetch('GET', `/__svc/auth/magic/consume${new URL(mail.links[0]).search}`, { headers: { accept: 'application/json' }, host: shop.host }));
    const headers = { authorization: `Bearer ${shop.project.browser}`, origin: 'http://app.test', 'x-svc-app-session': session.json.token };
    const { secret } = (await stack.fetch('GET', '/__svc/runtime/webhooks/supplier/secret', { headers, host: shop.host })).json;
    const deliver = (delivery) => {
      const body = JSON.stringify(delivery);
      const signature = createHmac('sha256', secret).update(body).digest('hex');
      return stack.fetch('POST', `/hooks/${shop.project.id}/supplier`, { headers: { 'x-svc-signature': signature, 'webhook-id': delivery.id, 'content-type': 'application/json' }, body });
    };
    const first = await deliver({ id: 'd1', sku: 'TEA-1', pieces: 20 });
    assert.equal(first.status, 202, first.text);
    assert.equal((await shop.ended(first.json.id)).status, 'succeeded');
    assert.equal((await deliver({ id: 'd1', sku: 'TEA-1', pieces: 20 })).json.id, first.json.id);
    assert.equal(stock(), 22);
    assert.deepEqual((await shop.told(kim))[0], ['Delivered: Green tea', '22 in stock.']);
    const unknown = await shop.ended((await deliver({ id: 'd2', sku: 'MUD', pieces: 1 })).json.id);
    assert.deepEqual([unknown.status, unknown.error], ['failed', 'No product MUD, or no pieces.']);
  });
});

test('the clinic', async (t) => {
  const clinic = await App.of('clinic');
  const at = { 'x-svc-app-org': orgs.north };
  const desk = { 'x-svc-app-role': 'receptionist', ...at }, manager = { 'x-svc-app-role': 'manager', ...at };
  const ann = await signUp(stack, clinic.project, clinic.host, 'ann.patient', 'patient');
  const room = (await clinic.make(manager, 'room', { name: 'One' })).id;
  const treatment = (await clinic.ok({}, 'GET', '/api/v1/treatment?where={"code":"checkup"}')).rows[0].id;
  const doctor = (await clinic.make(manager, 'doctor', { name: 'Dr. Diallo' })).id;
  const patient = (name, more) => clinic.make(desk, 'patient', { name, born: '1990-01-01', ...more });
  const known = await patient('Ann', { email: 'ann@home.test', account: ann.id });
  const unreachable = await patient('Bob');
  // A time of a day from today on, as the clinic's clock shows it.
  const when = (days, time) => clinic.sql(`select to_json(((now() at time zone 'Europe/Paris')::date + ${days} + time '${time}') at time zone 'Europe/Paris')#>>'{}'`)[0][0];
  const visit = (who, days, time) => clinic.make(desk, 'appointment', { patient_id: who.id, doctor_id: doctor, treatment_id: treatment, room_id: room, starts_at: when(days, time) });

  await t.test('at eight in the morning', async () => {
    const { workflows } = (await stack.dev('GET', `/projects/${clinic.project.id}/workflows`, undefined, { expect: 200 })).json;
    const { zone, next } = workflows.find(({ id }) => id === 'remind');
    assert.equal(zone, 'Europe/Paris');
    assert.equal(next.length, 10);
    for (const time of next) assert.match(time, /T08:00:00\+0[12]:00$/);
  });

  await t.test('patients are reminded of tomorrow, once', async () => {
    for (const [who, days, time] of [[known, 1, '09:15'], [unreachable, 1, '10:00'], [known, 2, '09:15']]) {
      await clinic.move(desk, 'appointment', (await visit(who, days, time)).id, 'confirm');
    }
    await visit(known, 1, '16:00');  // asked for, and not confirmed
    const start = () => clinic.ok({}, 'POST', '/runtime/workflows/remind/run', {});
    const { runId } = await start();
    const run = await clinic.ended(runId);
    assert.equal(run.status, 'succeeded', JSON.stringify(run));
    assert.deepEqual(await clinic.told({ 'x-svc-app-user': ann.id }), [['Tomorrow at 09:15: Check-up', 'Dr. Diallo expects you.']]);
    const mails = await clinic.mails('ann@home.test');
    assert.deepEqual(mails.map(({ subject }) => subject), ['Tomorrow at 09:15: Check-up']);
    assert.match(mails[0].text, /^Dear Ann,\n\nDr\. Diallo expects you tomorrow at 09:15\.\n/);
    assert.equal((await start()).runId, runId, 'one run a day');
  });

  await t.test('who has not paid a month later is reminded', async () => {
    const invoice = async (end) => {
      const { id } = await clinic.make(desk, 'invoice', { patient_id: known.id });
      await clinic.make(desk, 'invoice_line', { invoice_id: id, treatment_id: treatment, price: 4500 });
      await clinic.move(desk, 'invoice', id, 'send');
      if (end) await clinic.move(desk, 'invoice', id, end);
      return id;
    };
    const paid = await invoice('settle');
    const open = await invoice();
    await until('both to wait', () => clinic.sql("select count(*) from svc.run where workflow = 'overdue' and status = 'waiting'")[0][0] === '2');
    assert.equal((await clinic.mails('ann@home.test')).length, 1);
    clinic.sql(`update svc.run set due_at = clock_timestamp(), place = regexp_replace(place::text, '"until": "[^"]*"', '"until": "2000-01-01"', 'g')::jsonb where workflow = 'overdue'`);
    await until('both to end', () => clinic.sql("select count(*) from svc.run where workflow = 'overdue' and status = 'succeeded'")[0][0] === '2');
    const reminders = (id) => Number(clinic.sql(`select reminders from invoice where id = '${id}'`)[0][0]);
    assert.deepEqual([reminders(paid), reminders(open)], [0, 1]);
    const [{ subject, text }, ...earlier] = await clinic.mails('ann@home.test');
    assert.equal(earlier.length, 1);
    const [number, due] = clinic.sql(`select number, (due_at at time zone 'Europe/Paris')::date from invoice where id = '${open}'`)[0];
    assert.deepEqual([subject, text], [`Invoice ${number} is not paid`, `Dear Ann,\n\ninvoice ${number} was due on ${due}. Please pay it, or call us.`]);
  });
});
