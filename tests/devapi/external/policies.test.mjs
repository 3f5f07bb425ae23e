// Whom policies bind where rows are kept in another database, what they compare, and what is answered where the
// other database refuses.
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { databaseOf, sql } from '../../lib/admin_sql.mjs';
import {
  address, as, call, contract as world, filter, legacy, list, people, project, psql, role, secret, stack, start, stop,
} from '../../lib/external.mjs';
import { appServers } from '../../lib/stack.mjs';

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

test('all conditions of access compare texts by their bytes', async () => {
  const seen = (await call('GET', `${fruits}?select=word&limit=50`, as.guest())).json.rows.map(({ word }) => word);
  const inOrder = words.toSorted(bytes);
  assert.deepEqual(seen, inOrder.slice(0, inOrder.findIndex((word) => bytes(word, 'b') >= 0)));
  const change = (word, headers, body) => call('PATCH', `${fruits}/${encodeURIComponent(word)}`, headers, body);
  for (const word of seen) assert.equal((await change(word, as.guest(), { more: 'eaten' })).status, 200, word);
  assert.equal((await change('bd', as.guest(), { more: 'eaten' })).status, 404);
  assert.equal((await change('Äpfel', as.staff('clerk'), { more: 'eaten' })).json.error.message, 'Äpfel is too far.');
  const [{ id }] = (await call('POST', '/api/v1/product', as.server(), { title: 'three' })).json.rows;
  psql(legacy, `update fruit set product_id = '${id}' where word in ('Zoo', 'apple')`);
  assert.equal((await call('PATCH', `/api/v1/product/${id}`, as.staff('manager'), { title: 'new' })).status, 200);
});

test('a list is not sorted by what two databases would order each in its way', async () => {
  const sorted = async (path, sort) => {
    const { status, json: { error } } = await call('GET', `${path}${path.includes('?') ? '&' : '?'}${sort}`, as.staff('clerk'));
    return `${status} ${error?.code} ${error?.field} ${error?.message}`;
  };
  const sort = (order) => `sort=${encodeURIComponent(JSON.stringify(order))}`;
  assert.equal(await sorted(fruits, sort({ field: 'marks' })), '400 PARAMS_INVALID marks Rows of another database cannot be sorted by marks, which is a list.');
  assert.equal(await sorted(fruits, sort([{ field: 'word' }, { field: 'more', dir: 'desc' }])), '400 PARAMS_INVALID more Rows of another database cannot be sorted by more, which is JSON.');
  assert.match(await sorted('/api/v1/product?select=fruits(word)', `links=${encodeURIComponent('{"fruits":{"sort":{"field":"marks"}}}')}`), /^400 PARAMS_INVALID .*marks, which is a list/);
});

test('a developer reads and writes past policies, and under the rules', async () => {
  const ask = async (path, body) => (await stack.dev('POST', `/projects/${project.id}/${path}`, body)).json;
  const orders = await ask('data/query', { table: 'legacy_order' });
  assert.deepEqual(orders.rows.map(({ note }) => note).sort(), ['first', 'his', 'second']);
  const { results } = await ask('sql', { sql: "select count(*) from legacy_order; update legacy_order set note = 'seen' where note = 'his' returning note; select code from legacy_tag order by code" });
  assert.deepEqual(results.map(({ rows }) => rows), [[{ count: 3 }], [{ note: 'seen' }], [{ code: 'a/b' }, { code: 'z' }]]);
  const write = async (body) => {
    const { results: [{ ok, error, row }] } = await ask('rows', body);
    return ok ? row ?? 'gone' : error.code;
  };
  const made = { table: 'legacy_tag', data: { code: 'd', words: 'made' } };
  assert.equal(await write({ op: 'insert', ...made, as: 'customer' }), 'ROW_FORBIDDEN');
  assert.deepEqual(await write({ op: 'insert', ...made }), { code: 'd', id: 'd', words: 'made' });
  assert.equal(await write({ op: 'update', table: 'legacy_tag', id: 'z', patch: { words: 'x' }, as: 'clerk' }), 'NOT_FOUND');
  assert.equal((await write({ op: 'update', table: 'legacy_tag', id: 'z', patch: { words: 'x' } })).words, 'x');
  assert.equal(await write({ op: 'update', table: 'legacy_fruit', id: 'Äpfel', patch: { more: 1 } }), 'RULE_REFUSED');
  for (const id of ['d', 'z']) assert.equal(await write({ op: 'delete', table: 'legacy_tag', id }), 'gone');
  assert.equal(psql(legacy, 'select string_agg(code, \',\') from tag').trim(), 'a/b');
});

test('a key is text, and its table the contract\'s', async () => {
  const { status, json: { error } } = await call('GET', `${fruits}/%ff`, as.staff('clerk'));
  assert.deepEqual([status, error.code, error.message], [400, 'BAD_REQUEST', 'Malformed request: the path is not UTF-8.']);
  const changed = await call('POST', '/data/migrate', as.server(), { sql: 'alter table legacy_fruit add column z int' });
  assert.match(changed.text, /legacy_fruit\W+ is an entity's table: change the contract and apply it/);
});

test('no role of the app is past policies, or becomes one that is', () => {
  const { env } = appServers(project)[0];
  const name = role(env.SVC_DATA_URL, 'select current_user').trim().replace(/_data$/, '_sql');
  assert.equal(sql(stack, databaseOf(project), `select rolbypassrls from pg_roles where rolname = '${name}'`)[0][0], 't');
  for (const url of [env.SVC_DATA_URL, env.DATABASE_URL].filter(Boolean)) {
    for (const become of [`set role "${name}"`, `set session authorization "${name}"`, `select set_config('role', '${name}', false)`]) {
      assert.match(role(url, become), /refused: .*permission denied/s, become);
    }
  }
  assert.equal(role(env.SVC_DATA_URL, 'select svc.past_policies()').trim(), 'f');
  assert.equal(role(env.SVC_DATA_URL, 'select count(*) from legacy_order').trim(), '0');
  assert.match(role(env.SVC_DATA_URL, "insert into legacy_tag (code) values ('no')"), /refused: .*policy/s);
});

// The ways to the same rows, as status, code and message of each answer.
async function refusals(more) {
  const clerk = as.staff('clerk');
  const answers = [
    await call('GET', `${fruits}/ab`, clerk), await call('GET', '/api/v1/product?select=fruits(code,more)', clerk),
    await call('PATCH', `${fruits}/ab`, clerk, { more }), await call('POST', '/queries/ripen', clerk, { more }),
    await call('POST', '/data/query', clerk, { sql: 'select more from legacy_fruit' }),
    await call('POST', '/data/exec', clerk, { sql: 'update legacy_fruit set more = to_jsonb($1::text)', params: [more] })];
  for (const { text } of answers) assert.doesNotMatch(text, /LEGACY/);
  return answers.map(({ status, headers, json: { error } }) => [status, error?.code, error?.message, headers['retry-after']].filter(Boolean).join(' '));
}

// The same of a developer's writes, as id, code and message of each row.
async function developed(ids, more) {
  const { json } = await stack.dev('POST', `/projects/${project.id}/rows`, { op: 'update', table: 'legacy_fruit', ids, patch: { more } }, { expect: 200 });
  return json.results.map(({ id, error }) => `${id} ${error?.code} ${error?.message}`);
}

test('a refusal of the other database gets the same answer on every route to its rows', async () => {
  psql(legacy, `create function ripe() returns trigger language plpgsql as $$ begin
    if new.more = '"boom"' then raise exception 'Boom is not taken'; end if; return new; end $$;
    create trigger ripe before update on fruit for each row execute function ripe()`);
  const boom = '422 RULE_REFUSED Boom is not taken';
  assert.deepEqual(await refusals('boom'), ['200', '200', boom, boom, '200', boom]);
  assert.deepEqual(await developed(['ab'], 'boom'), ['ab RULE_REFUSED Boom is not taken']);
  psql(legacy, `create or replace function ripe() returns trigger language plpgsql as $$ begin
    if new.more = '"boom"' then raise exception 'Boom is not taken' using errcode = 'SV401'; end if; return new; end $$`);
  assert.deepEqual(await refusals('boom'), ['200', '200', boom, boom, '200', boom], 'and ends no session');
  psql(legacy, 'alter table fruit rename column more to less');
  const told = await refusals('eaten');
  for (const each of told) assert.match(each, /^503 UNAVAILABLE The table in the other database does not match the contract: column .*more.* does not exist 1$/);
  psql(legacy, 'alter table fruit rename column less to more');
});

test('while the other database cannot be reached, no answer has its name', async () => {
  psql('postgres', `alter database ${legacy} allow_connections false`);
  psql('postgres', `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${legacy}'`);
  for (const each of await refusals('eaten')) assert.equal(each, '503 UNAVAILABLE The other database that holds these rows cannot be reached right now. Try again. 1');
  const away = 'UNAVAILABLE The other database that holds these rows cannot be reached right now. Try again.';
  assert.deepEqual(await developed(['ab', 'bd'], 'eaten'), [`ab ${away}`, `bd ${away}`], 'each row by itself');
  const guest = await call('POST', '/queries/words', as.guest(), {});
  assert.deepEqual([guest.status, guest.text.includes('LEGACY'), guest.text.includes(secret)], [503, false, false]);
  psql('postgres', `alter database ${legacy} allow_connections true`);
  assert.equal((await list(as.staff('clerk'), filter({ field: 'note', op: 'eq', value: 'first' }))).json.rows.length, 1);
});
