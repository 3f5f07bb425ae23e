// The shop and the clinic with rows of every kind, and everybody who looks at them.
import assert from 'node:assert/strict';
import { databaseOf, sql } from '../lib/admin_sql.mjs';
import { Stack, sample } from '../lib/stack.mjs';
import { Browser } from './browser.mjs';
import { Visitor } from './world.mjs';

const idOf = ({ headers }) => /[0-9a-f-]{36}/.exec(headers.location)[0];
const long = 'A name that somebody has written without a thought for how wide a page may be, in one long line, and then some more of it';

class Sample {
  // `secrets` of the project, by name.
  static async start(name, secrets = {}) {
    const out = new this();
    out.stack = await Stack.start();
    try {
      await out.begin(name, secrets);
    } catch (error) {
      await out.stop();
      throw error;
    }
    return out;
  }
  async begin(name, secrets) {
    await this.stack.signIn();
    this.project = await this.stack.project(name);
    for (const [secret, value] of Object.entries(secrets)) await this.stack.dev('PUT', `/projects/${this.project.id}/secrets/${secret}`, { value }, { expect: 201 });
    await this.stack.apply(this.project, sample(name));
    this.host = `preview-${this.project.slug}.localhost`;
    this.people = { guest: null };
    await this.fill();
    this.browser = await Browser.start(this.stack, this.host);
  }
  async person(name, email) {
    const visitor = new Visitor(this.stack, this.host);
    await visitor.signInAs(this.project, email);
    this.people[name] = visitor;
    return visitor;
  }
  sql(text) { return sql(this.stack, databaseOf(this.project), text); }
  async stop() {
    await this.browser?.close();
    await this.stack.stop();
  }
}

export class Shop extends Sample {
  async fill() {
    await this.person('customer', 'ann@example.test');
    await this.person('clerk', 'kim@example.test');
    const mia = await this.person('manager', 'mia@example.test');
    for (const [sku, title] of [['LONG-1', long], ['ODD-1', 'مشروب الشاي 茶 <b>']]) {
      await mia.submit('/product/new', 'Create product', { 'f.sku': sku, 'f.title': title, 'f.price': '12.50', 'f.stock': '9', 'f.description': `${long}\n\n${long}` });
    }
    [[this.tea]] = this.sql("select id from public.product where sku = 'TEA-1'");
    this.draft = await this.order('');
    this.placed = await this.order(long, true);
  }

  // An order of the customer for two teas.
  async order(note, place = false) {
    const ann = this.people.customer;
    const id = idOf(await ann.submit('/order/new', 'Create order', { 'f.note': note }));
    await ann.submit(`/order_line/new?order_id=${id}`, 'Create order line', { 'f.product_id': this.tea, 'f.quantity': '2' });
    if (place) await ann.submit(`/order/${id}`, 'Place');
    return id;
  }
}

export class Clinic extends Sample {
  async fill() {
    const max = await this.person('manager', 'max@clinic.test');
    await max.submit('/account', 'Create', { name: 'Practice of the South' });
    this.sql(`insert into svc.member (org_id, account_id, role) select o.id, a.id, 'member' from svc.org o, svc.account a where a.email in ('dora@clinic.test', 'rita@clinic.test')`);
    const staff = { practitioner: await this.person('practitioner', 'dora@clinic.test'), receptionist: await this.person('receptionist', 'rita@clinic.test') };
    for (const one of Object.values(staff)) await one.submit('/account', 'Work for it');
    const room = idOf(await max.submit('/room/new', 'Create room', { 'f.name': 'Room 1', 'f.equipment': 'x-ray, chair' }));
    const doctor = idOf(await max.submit('/doctor/new', 'Create practitioner', { 'f.name': 'Dr. Diallo' }));
    const [[treatment]] = this.sql("select id from public.treatment where code = 'checkup'");
    const patient = idOf(await staff.receptionist.submit('/patient/new', 'Create patient', { 'f.name': long, 'f.born': '1980-05-06', 'f.email': 'pia@clinic.test' }));
    this.appointment = idOf(await staff.receptionist.submit('/appointment/new', 'Create appointment', {
      'f.patient_id': patient, 'f.doctor_id': doctor, 'f.treatment_id': treatment, 'f.room_id': room, 'f.starts_at': '2027-03-04T09:30', 'f.reason': long }));
    this.invoice = idOf(await staff.receptionist.submit('/invoice/new', 'Create invoice', { 'f.patient_id': patient }));
    assert.ok(this.invoice);
  }
}

// Those that a test asks for, by name.
export async function worldsOf(names) {
  const out = {};
  try {
    for (const name of names) out[name] = await ({ shop: Shop, clinic: Clinic })[name].start(name);
  } catch (error) {
    await end(out);
    throw error;
  }
  return out;
}
export const end = (worlds) => Promise.all(Object.values(worlds).map((world) => world.stop()));
