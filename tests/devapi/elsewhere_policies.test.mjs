// Whom policies bind where rows are kept in another database, what they compare, and what is answered where the
// other database refuses.
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { databaseOf, sql } from '../lib/admin_sql.mjs';
import {
  address, as, call, contract as world, filter, legacy, list, people, project, psql, role, secret, stack, start, stop,
} from '../lib/elsewhere.mjs';
import { appServers } from '../lib/stack.mjs';

const external = (table, key) => ({ kind: 'postgres', connection: 'secret:LEGACY', table: `public.${table}`, key });
const below = "word < 'b'";
const contract = structuredClone(world);
contract.entities[0].relations = { fruits: { many: 'legacy_fruit', by: 'product_id' } };
contract.entities[0].access.update = [{ to: 'clerk', if: "'z' in fruits.code" }, { to: 'manager', if: "max(fruits.word) == 'apple'" }];
contract.entities.find(({ name }) => name === 'legacy_tag').access.read = [{ to: 'staff', if: "code != 'z'" }];
contract.entities.push(
  { name: 'legacy_fruit', external: external('fruit', 'code'),
    fields: [{ name: 'code', type: 'string', required: true }, { name: 'word', type: 'string' }, { name: 'marks', type: 'tags' },
      { name: 'more', type: 'json' }, { name: 'product_id', type: 'ref', to: 'product' }],
    access: { read: [{ to: '*', if: below }, 'staff'], create: 'staff', update: [{ to: '*', if: below }, 'clerk'], delete: 'staff' },
    rules: [{ on: ['update'], refuse: "new.word > 'zz'", message: '{new.word} is too far.' }] });
contract.queries = [
  { name: 'ripen', mode: 'write', allow: ['staff'], params: { more: { type: 'string' } }, sql: "update legacy_fruit set more = to_jsonb(:more) where code = 'ab'" },
  { name: 'words', allow: ['*'], sql: 'select word, kind from legacy_word' }];

const words = ['apple', 'Banana', 'cherry', 'Date', 'Äpfel', 'äpfel', 'zebra', 'Zoo', 'a b', 'ab', 'B-c', 'bd'];
const fruits = '/api/v1/ext/legacy_fruit', tags = '/api/v1/ext/legacy_tag';
const bytes = (a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b));

before(async () => {
  await start();
  psql(legacy, `create table fruit (code text primary key, word text collate "en-x-icu", marks text[], more jsonb, product_id uuid);
    insert into fruit select w, w, array[w], to_jsonb(w) from unnest(array['${words.join("','")}']) w`);
  await stack.dev('PUT', `/projects/${project.id}/secrets/LEGACY`, { value: address() }, { expect: 201 });
  await stack.apply(project, contract);
  await people();
});
after(stop);

test('a policy may name the key by its field, and so may one that comes over a relation', async () => {
  const clerk = as.staff('clerk');
  const codes = async () => (await call('GET', `${tags}?select=code`, clerk)).json.rows.map(({ code }) => code);
  assert.deepEqual(await codes(), ['a/b']);
  assert.equal((await call('PATCH', `${tags}/z`, clerk, { words: 'seen' })).status, 404);
  assert.deepEqual((await call('POST', tags, clerk, { code: 'm', words: 'middle' })).json.rows, [{ id: 'm', code: 'm', words: 'middle' }]);
  assert.deepEqual((await call('PATCH', `${tags}/m`, clerk, { words: 'new' })).json.rows, [{ id: 'm', code: 'm', words: 'new' }]);
  assert.deepEqual(await codes(), ['a/b', 'm']);
  assert.equal((await call('DELETE', `${tags}/m`, clerk)).status, 200);
  const [one, two] = (await call('POST', '/api/v1/product', as.server(), [{ title: 'one' }, { title: 'two' }])).json.rows.map(({ id }) => id);
  psql(legacy, `insert into fruit (code, word, product_id) values ('z', 'last', '${one}'), ('y', 'first', '${two}')`);
  const changed = async (id) => (await call('PATCH', `/api/v1/product/${id}`, clerk, { title: 'new' })).status;
  assert.deepEqual([await changed(one), await changed(two)], [200, 403]);
  psql(legacy, "delete from fruit where code in ('y', 'z')");
});

test('a list is not sorted by what two databases would order each in its way', async () => {
  const sorted = async (path, sort) => {
    const { status, json: { error } } = await call('GET', `${path}${path.includes('?') ? '&' : '?'}${sort}`, as.staff('clerk'));
    return `${status} ${error?.code} ${error?.field} ${error?.message}`;
  };
  const sort = (order) => `sort=${encodeURIComponent(JSON.stringify(order))}`;
  assert.equal(await sorted(fruits, sort({ field: 'marks' })), '400 PARAMS_INVALID marks Rows of another database are not sorted by marks, which is a list.');
  assert.equal(await sorted(fruits, sort([{ field: 'word' }, { field: 'more', dir: 'desc' }])), '400 PARAMS_INVALID more Rows of another database are not sorted by more, which is JSON.');
  assert.match(await sorted('/api/v1/product?select=fruits(word)', `links=${encodeURIComponent('{"fruits":{"sort":{"field":"marks"}}}')}`), /^400 PARAMS_INVALID .*marks, which is a list/);
});
