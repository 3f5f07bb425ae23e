// Each planted fault is reported, with its counter-example.
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { App } from '../../lib/app.mjs';
import { sample } from '../../lib/stack.mjs';
import { common, faults, replaced } from './faults.mjs';
import { Verifying, check, failed, green, nothing } from './world.mjs';

let world, stack, shop;
before(async () => {
  world = await Verifying.start('Faulty shop', sample('shop'));
  ({ stack, project: shop } = world);
  await world.people();
});
after(() => world?.stop());

const dev = (...asked) => world.dev(...asked);
const verify = (...asked) => world.verify(...asked);
const left = () => world.left();

for (const [name, [statement, where, words]] of Object.entries(faults)) {
  test(`${name}: ${where} tells it`, async () => {
    dev(statement);
    const report = await verify();
    await stack.apply(shop, sample('shop'));
    assert.equal(report.pass, false, JSON.stringify(report, null, 1));
    assert.equal(check(report, 'schema').pass, false, 'what an apply would repair is drift');
    const told = check(report, where);
    if (words) {
      assert.equal(told.pass, false, JSON.stringify(report, null, 1));
      assert.match(told.detail.counterExample, words);
      assert.ok(told.detail.failures >= 1 && told.detail.failures <= told.detail.cases);
      assert.ok(report.summary.includes('fails'));
    } else {
      assert.ok(told.detail.warnings.some((warning) => /product_id of order_line/.test(warning)), JSON.stringify(told));
    }
    assert.deepEqual(left(), nothing);
  });
}

test('missing words: search reports it', async () => {
  dev('delete from svc.product_words');
  const report = await verify();
  dev('call svc.product_fill_words(false)');
  assert.deepEqual(failed(report).map(({ name }) => name), ['search']);
  assert.match(check(report, 'search').detail.counterExample, /does not find the row \S+ of product by "[\w ]*green[\w ]*".*svc\.product_words/);
});

test('every caller counts as an administrator: queries reports it', async () => {
  const [[was]] = dev("select replace(pg_get_functiondef('svc.elevated'::regproc), e'\\n', ' ')");
  dev("create or replace function svc.elevated() returns boolean language sql stable security definer set search_path = pg_catalog, pg_temp as 'select true'");
  const told = check(await verify(), 'queries');
  dev(was);
  assert.match(told.detail.counterExample, /function that the query reports\/top_products uses past row-level security lets .* in/);
});

for (const [name, [statement, back, where, words]] of Object.entries(common)) {
  test(`${name}: ${where.join(' and ')} ${where.length > 1 ? 'tell' : 'tells'} it`, async () => {
    dev(statement);
    const report = await verify();
    dev(back);
    assert.deepEqual(failed(report).map((one) => one.name), where, JSON.stringify(failed(report)));
    assert.match(check(report, where[0]).detail.counterExample, words);
  });
}

test('words of a field that some may not read', async () => {
  const project = await stack.project('Masked');
  const contract = sample('shop');
  contract.entities[0].fields.push({ name: 'notes', type: 'text', read: ['manager'] });
  contract.entities[0].search.push('notes');
  contract.seeds.product[0].notes = 'Ordered from overseas';
  await stack.apply(project, contract);
  green(await verify(project));
  dev(replaced("p.oid = 'svc.product_search'::regproc", '_classes is not null', 'false').replace("'i'", "'g'"), project);
  const told = check(await verify(project), 'search');
  assert.equal(told.pass, false);
  assert.match(told.detail.counterExample, /guest finds the row \S+ of product by "[\w ]*ordered[\w ]*", but the words are not in a field that they may read/);
});

test('a stream is not told to read again, although it shows other rows by now', async () => {
  const contract = {
    app: { name: 'Owed' },
    personas: [{ id: 'reader', kind: 'consumer', signup: true }, { id: 'clerk', kind: 'staff' }],
    entities: [
      { name: 'room', owner: 'none', fields: [{ name: 'keeper', type: 'user' }], access: { create: 'clerk' } },
      { name: 'entry', owner: 'none', fields: [{ name: 'body', type: 'string' }, { name: 'room_id', type: 'ref', to: 'room', required: true }],
        access: { create: 'clerk', read: [{ to: 'reader', if: 'room_id.keeper == user.id' }] } },
    ],
  };
  const project = await world.add('Owed', contract);
  const app = new App(stack, project);
  for (const name of ['anna', 'bobby']) {
    const { id } = await app.signUp(name, 'reader');
    dev(`with one as (insert into room (keeper) values ('${id}') returning id) insert into entry (body, room_id) select 'first', id from one`, project);
  }
  assert.deepEqual(failed(await verify(project)), []);
  // The record of a room says that the room was always as it is now.
  dev(replaced("p.oid = 'svc.feed_since'::regproc", 'c\\.old, c', `case c.table_name when ''room'' then c.new else c.old end, c`), project);
  const report = await verify(project);
  assert.deepEqual(failed(report).map(({ name }) => name), ['feeds'], JSON.stringify(failed(report)));
  assert.match(check(report, 'feeds').detail.counterExample,
    /\w+ \(\w+\) listens to tables that depend on room and gets no reset, although a change of the row \S+ of room shows or hides rows to them/);
});

test('once an apply has repaired all of it, it passes', async () => green(await verify()));

test('a seed that a rule refuses by now', async () => {
  const project = await stack.project('Ruled');
  const contract = sample('shop');
  await stack.apply(project, contract);
  contract.entities[0].rules = [{ on: ['create'], refuse: 'new.price < 1000', message: 'Too cheap.' }];
  const [refused] = (await stack.apply(project, contract, 422)).json.report.errors;
  assert.deepEqual([refused.code, refused.path], ['BAD_SEED', '/seeds/product/0'], 'the row alone tells');
  // A rule that depends on the time cannot be checked by a row.
  contract.entities[0].rules[0].refuse = "new.price < 1000 && today() > '2020-01-01'";
  await stack.apply(project, contract);
  const report = await verify(project);
  const told = check(report, 'seeds');
  assert.equal(told.pass, false, JSON.stringify(report, null, 1));
  assert.match(told.detail.counterExample, /Seeding a new database fails at \/seeds\/product\/0: .*Too cheap/);
  assert.deepEqual(failed(report).map(({ name }) => name), ['seeds']);
});

test('rows that cannot be copied are a red check, also of a deploy', async () => {
  const project = await stack.project('Orphans');
  const contract = sample('hello');
  contract.entities.push({ name: 'place', owner: 'none', fields: [{ name: 'title', type: 'string' }], access: { read: '*' } });
  contract.entities[0].fields.push({ name: 'place_id', type: 'ref', to: 'place' });
  await stack.apply(project, contract);
  dev(`insert into place (title) values ('Here'); insert into reading (day, value, place_id) select current_date, 1, id from place;
       set session_replication_role = replica; delete from place`, project);
  const report = await verify(project);
  assert.equal(report.pass, false);
  assert.deepEqual(failed(report).map(({ name }) => name), ['rows']);
  assert.match(check(report, 'rows').detail.counterExample, /could not be copied.*foreign key/s);
  assert.equal(check(report, 'access').pass, null);
  const { json } = await stack.dev('POST', `/projects/${project.id}/deploy`, {}, { expect: 422 });
  assert.equal(json.code, 'VERIFY_FAILED');
  assert.deepEqual(left(), nothing);
});
