// Verification of a live app: green on the samples, each planted fault told with its counter-example, dev as it was before, and
// nothing left behind, also after a kill in the middle.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import test, { after, before } from 'node:test';
import { databaseOf, sql } from '../lib/admin_sql.mjs';
import { Endpoint } from '../lib/endpoint.mjs';
import { signUp } from '../lib/scenarios.mjs';
import { Stack, appServers, owner, sample, until } from '../lib/stack.mjs';
import { Client } from '../cli/client.mjs';

let stack;
let shop;
let client;
before(async () => {
  stack = await Stack.start();
  await stack.signIn();
  shop = await stack.project('Verified shop');
  await stack.apply(shop, sample('shop'));
  client = new Client(stack);
});
after(async () => {
  client?.remove();
  outside?.stop();
  await stack?.stop();
});

const path = (project) => `/projects/${project.id}/verify`;
const admin = (text) => sql(stack, 'postgres', text).flat();
const dev = (text, project = shop) => sql(stack, databaseOf(project), text);

async function verify(project = shop, expect = 200) {
  const { json } = await stack.dev('POST', path(project), {}, { expect });
  return json;
}

const failed = (report) => report.checks.filter(({ pass }) => pass === false);
const check = (report, name) => report.checks.find((one) => one.name === name);

function green(report) {
  assert.ok(report.pass, JSON.stringify(failed(report), null, 1));
  for (const { name, pass, ms, detail } of report.checks) {
    assert.notEqual(pass, false, name);
    assert.ok(ms >= 0);
    if (pass === null) assert.ok(detail.notRun, name);
    else assert.ok(detail.cases > 0 && detail.said, `${name} looked at nothing`);
  }
}

// Databases, roles, processes and files that a verification has while it runs.
const verifiers = () => readdirSync('/proc').filter((name) => /^\d+$/.test(name)).filter((pid) => {
  try {
    return readFileSync(join('/proc', pid, 'cmdline'), 'latin1').includes(stack.home) &&
      readFileSync(join('/proc', pid, 'environ'), 'latin1').split('\0').includes('SVC_BACKGROUND=off');
  } catch {
    return false;
  }
});
const left = () => ({
  databases: admin("select datname from pg_database where datname ~ 'verify' order by 1"),
  roles: admin("select rolname from pg_roles where rolname ~ 'verify' order by 1"),
  processes: verifiers(),
  dumps: existsSync(join(stack.home, 'verify')) ? readdirSync(join(stack.home, 'verify')) : [],
  folders: readdirSync(join(stack.home, 'projects')).filter((id) => existsSync(join(stack.home, 'projects', id, 'verify'))),
});
const nothing = { databases: [], roles: [], processes: [], dumps: [], folders: [] };

// All that dev holds, rows and definitions. But for svc.process: the server of dev beats there.
const content = (project) => dev(`select string_agg(line, ',' order by line) from (
  select 'rows ' || c.relname || (xpath('/row/m/text()', query_to_xml(format('select md5(coalesce(string_agg(t::text, '''' order by t::text), '''')) as m from %s t', c.oid::regclass), true, true, '')))[1]::text as line
  from pg_class c where c.relkind = 'r' and c.relnamespace in ('public'::regnamespace, 'svc'::regnamespace) and c.oid <> 'svc.process'::regclass
  union all select 'policy ' || polname || coalesce(pg_get_expr(polqual, polrelid), '') from pg_policy
  union all select 'schema ' || nspname from pg_namespace where nspname !~ '^pg_') x`, project).flat().join();

test('a project without an app, of another workspace, or of nobody', async () => {
  const empty = await stack.project('Empty');
  const answer = await stack.dev('POST', path(empty), {}, { expect: 404 });
  assert.equal(answer.json.code, 'NO_APP');
  await stack.dev('POST', path({ id: '0198b6a0-0000-7000-8000-00000000dead' }), {}, { expect: 404 });
  await stack.dev('POST', path(shop), {}, { token: null, expect: 401 });
});

test('the shop passes on its seeds alone, and leaves nothing behind', async () => {
  const was = content(shop);
  const report = await verify();
  green(report);
  assert.deepEqual(report.checks.map(({ name }) => name),
    ['schema', 'seeds', 'access', 'fields', 'rules', 'lifecycles', 'restores', 'statements', 'server', 'queries', 'search', 'openapi', 'topics', 'feeds', 'history', 'functions', 'workflows', 'external', 'pages']);
  assert.equal(check(report, 'pages').pass, null);
  assert.match(check(report, 'external').detail.notRun, /no entities of other databases/);
  assert.ok(check(report, 'access').detail.cases > 1000, 'a matrix of a few rows says little');
  assert.match(report.summary, /Version 1 passes: \d+ cases in \d+ checks on \d+ rows of dev; 0 failed/);
  for (const name of ['rules', 'lifecycles']) assert.equal(check(report, name).detail.warnings, undefined, `${name}: each is reached`);
  assert.equal(content(shop), was);
  assert.deepEqual(left(), nothing);
});

test('a token that reads may ask', async () => {
  const { json } = await stack.dev('POST', '/tokens', { name: 'reader', workspaceId: stack.workspace, scopes: ['read'] }, { expect: 201 });
  const { json: report } = await stack.dev('POST', path(shop), {}, { token: json.token, expect: 200 });
  green(report);
});

test('with real rows of people', async () => {
  const host = `preview-${shop.slug}.localhost`;
  const ann = await signUp(stack, shop, host, 'anna', 'customer');
  const headers = { authorization: `Bearer ${shop.browser}`, origin: 'http://app.test', 'x-svc-data-api': '1', 'x-svc-app-session': ann.token };
  const product = dev('select id from product')[0][0];
  for (let n = 0; n < 5; n += 1) {
    const order = await stack.fetch('POST', '/__svc/api/v1/order', { headers, host, body: { note: `real ${n}` } });
    assert.equal(order.status, 201, order.text);
    const line = await stack.fetch('POST', '/__svc/api/v1/order_line', { headers, host, body: { order_id: order.json.rows[0].id, product_id: product, quantity: 1 } });
    assert.equal(line.status, 201, line.text);
  }
  const was = content(shop);
  const report = await verify();
  green(report);
  assert.equal(content(shop), was);
  const [[hash]] = dev("select password_hash from svc.account where email = 'anna@example.test'");
  assert.ok(hash && !JSON.stringify(report).includes(hash));
});

test('the clinic and the smallest sample pass', async () => {
  for (const name of ['hello', 'clinic']) {
    const project = await stack.project(`Verified ${name}`);
    await stack.apply(project, sample(name));
    green(await verify(project));
  }
  assert.deepEqual(left(), nothing);
});

test('two at a time of one project: the second is refused', async () => {
  const answers = await Promise.all([1, 2].map(() => stack.dev('POST', path(shop), {})));
  const statuses = answers.map(({ status }) => status).sort();
  assert.deepEqual(statuses, [200, 409]);
  assert.equal(answers.find(({ status }) => status === 409).json.code, 'PROJECT_BUSY');
});

test('an apply meanwhile goes through, and so does the verification', async () => {
  const wider = sample('shop');
  wider.entities[0].fields.push({ name: 'colour', type: 'text' });
  const [report, applied] = await Promise.all([stack.dev('POST', path(shop), {}), stack.apply(shop, wider)]);
  assert.equal(applied.status, 200);
  assert.equal(report.status, 200, report.text);
  green(report.json);
  green(await verify());
  await stack.apply(shop, sample('shop'));
});

// Definitions of functions with something else in them.
const replaced = (which, from, to) => `do $$ begin execute (select regexp_replace(pg_get_functiondef(p.oid), '${from}', '${to}', 'i') from pg_proc p where ${which}); end $$`;
const elevated = (from, to) => replaced("proname like 'elevated\\_%'", from, to);
const searching = (condition) => replaced("p.oid = 'svc.product_search'::regproc", 'and \\(.*\\)(\\s+order by _w)', `and (${condition})\\1`);

// {fault: [by hand in dev, check that must tell, what it must say]}; afterwards an apply mends it.
const faults = {
  'a policy is dropped': ['drop policy order_select on "order"', 'access', /cannot read the row \S+ of order.*although the contract lets them.*policies of order/],
  'a policy lets everybody read': ['alter policy order_select on "order" using (true)', 'access', /can read the row \S+ of order, which is .*'s, with status \w+; the contract does not let them/],
  'a policy lets everybody change': ['alter policy product_update on product using (true) with check (true)', 'access', /can update .* of product/],
  'a policy lets everybody delete': ['alter policy order_line_delete on order_line using (true)', 'access', /can delete .* of order_line/],
  'a new row may be anybody\'s': ['alter policy order_insert on "order" with check (true)', 'access', /can make a row of order/],
  'a changed row may become anything': ['alter policy order_update on "order" with check (true)', 'access', /can change a row of theirs into a row of order/],
  'row-level security is off': ['alter table "order" disable row level security', 'access', /guest can read the row/],
  'a right is gone': ['revoke delete on order_line from public; do $$ begin execute format(\'revoke delete on order_line from %I\', current_database() || \'_data\'); end $$', 'access', /cannot delete .* of order_line/],
  'the trigger that keeps fields is off': ['alter table product disable trigger product_guard_fields', 'fields', /can change cost of the row \S+ of product/],
  'the trigger that keeps states is off': ['alter table "order" disable trigger order_guard', 'fields', /can change (status|user_id) of the row/],
  'the trigger of the rules is off': ['alter table order_line disable trigger order_line_rules', 'rules', /rule 1 of order_line \(\/entities\/2\/rules\/0\) refuses it/],
  'a rule refuses everything': [`create or replace function svc.order_line_rules() returns trigger language plpgsql as 'begin raise exception using errcode = ''SV422'', message = ''no''; end'`, 'rules', /refused by a rule, although none/],
  'a transition is anybody\'s': [`do $$ begin execute replace(pg_get_functiondef('svc.order_transition'::regproc), 'svc.acts_as(''clerk'')', 'true'); end $$`, 'lifecycles', /can "ship" the row \S+ of order.*although the contract does not let them/],
  'a transition goes nowhere': [`do $$ begin execute replace(pg_get_functiondef('svc.order_transition'::regproc), 'set status = ''shipped''', 'set status = ''placed'''); end $$`, 'lifecycles', /cannot "ship"/],
  'a column is gone': ['alter table product drop column description cascade', 'schema', /at product: an apply would add column/],
  'a column has another type': ['alter table product alter column stock type numeric', 'schema', /at product/],
  'a policy is dropped, and a query misses rows': ['drop policy order_line_select on order_line', 'queries', /reports\/top_products, run by \w+ \(\w[^)]*\), gives 0 rows where its SQL finds [1-9]\d* in the rows that they may read/],
  'row-level security is off, and a query gives other rows': ['alter table order_line disable row level security', 'queries', /reports\/top_products, run by guest, gives [1-9]\d* rows where its SQL finds 0 in the rows that they may read/],
  'administrators do not read past row-level security': [elevated('security definer', 'security invoker'), 'queries', /reports\/top_products, run by admin \(\w+\) in a session past row-level security, answers \d+, although they are an administrator/],
  'administrators read past row-level security in part': [elevated('where l', 'where p.id is null and l'), 'queries', /run by admin \(\w+\) in a session past row-level security, gives 0 rows where its SQL finds [1-9]\d* in all rows/],
  'a search finds what is not to be read': [`alter policy product_select on product using (true); ${searching('true')}`, 'search', /guest finds the row \S+ of product by "[\w ]+"; the contract does not let them read it/],
  'a search does not find what is to be read': [searching('not r.active'), 'search', /guest does not find the row \S+ of product by ".*", although the words are in a field that they may read/],
  'words of new rows are not kept': ['alter table product disable trigger product_words_insert', 'search', /does not find the row \S+ of product/],
  'changes leave no record': ['alter table product disable trigger product_updated', 'feeds', /A change of product is not recorded/],
  'the history of a row is not written': ['alter table product disable trigger product_history', 'history', /asks for the history of a row of product and is not told that it was (deleted|updated)/],
  'an index is gone': ['drop index order_line_product_id_idx', 'statements', null],
};
for (const [name, [statement, where, words]] of Object.entries(faults)) {
  test(`${name}: ${where} tells it`, async () => {
    dev(statement);
    const report = await verify();
    await stack.apply(shop, sample('shop'));
    assert.equal(report.pass, false, JSON.stringify(report, null, 1));
    assert.equal(check(report, 'schema').pass, false, 'what an apply would mend is drift');
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

test('words that are gone: search tells it', async () => {
  dev('delete from svc.product_words');
  const report = await verify();
  dev('call svc.product_fill_words(false)');
  assert.deepEqual(failed(report).map(({ name }) => name), ['search']);
  assert.match(check(report, 'search').detail.counterExample, /does not find the row \S+ of product by "[\w ]*green[\w ]*".*svc\.product_words/);
});

test('whoever asks is taken for an administrator: queries tells it', async () => {
  const [[was]] = dev("select replace(pg_get_functiondef('svc.elevated'::regproc), e'\\n', ' ')");
  dev("create or replace function svc.elevated() returns boolean language sql stable security definer set search_path = pg_catalog, pg_temp as 'select true'");
  const told = check(await verify(), 'queries');
  dev(was);
  assert.match(told.detail.counterExample, /function that the query reports\/top_products uses past row-level security lets .* in/);
});

// {fault of what every app has: [by hand in dev, and back, check that alone must tell, what it must say]}
const publishing = (verb, preposition) => `do $$ begin execute format('${verb} execute on function svc.publish ${preposition} %I', current_database() || '_data'); end $$`;
const judging = (from, to) => replaced("p.oid = 'svc.may_read_rows'::regproc", from, to);
const telling = (from, to) => replaced("p.oid = 'svc.feed_since'::regproc", from, to);
const common = {
  'publish is refused': [publishing('revoke', 'from'), publishing('grant', 'to'), ['topics', 'feeds'], /may publish to [\w:.-]+, but is answered 403/],
  'a feed judges rows for everybody': [judging('\\(c\\.names', "(c.names || '',staff''"), judging("\\(c\\.names \\|\\| '',staff''", '(c.names'), ['feeds'], /listens to order_line and is told \w+ \S+ where the contract lets them see/],
  'a feed tells other values than a row has': [telling('c\\.new,', `case c.table_name when ''product'' then (c.new::jsonb || ''{"title": "Forged"}'')::json else c.new end,`), telling('case c\\.table_name when .* else c\\.new end,', 'c.new,'), ['feeds'],
    /listens to product and is told another title than the row had \((created|updated) \S+\)/],
  'a feed tells of a row that was not there': [telling('c\\.old, c', 'null::json, c'), telling('null::json, c\\.new', 'c.old, c.new'), ['feeds'], /listens to \w+ and is told created \S+ where the contract lets them see (updated|deleted) \S+/],
  'the history forgets what a row was': [`create or replace function svc.note_history_again() returns trigger language plpgsql as $$ begin new.old := null; return new; end $$; create trigger forget before insert on svc.history for each row execute function svc.note_history_again()`,
    'drop trigger forget on svc.history; drop function svc.note_history_again()', ['history'], /is not told of the row before a change, where there was one/],
};
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

test('once an apply has mended all of it, it passes', async () => green(await verify()));

test('a seed that a rule refuses by now', async () => {
  const project = await stack.project('Ruled');
  const contract = sample('shop');
  await stack.apply(project, contract);
  contract.entities[0].rules = [{ on: ['create'], refuse: 'new.price < 1000', message: 'Too cheap.' }];
  const [refused] = (await stack.apply(project, contract, 422)).json.report.errors;
  assert.deepEqual([refused.code, refused.path], ['BAD_SEED', '/seeds/product/0'], 'the row alone tells');
  // What the time has a say in is not told by a row.
  contract.entities[0].rules[0].refuse = "new.price < 1000 && today() > '2020-01-01'";
  await stack.apply(project, contract);
  const report = await verify(project);
  const told = check(report, 'seeds');
  assert.equal(told.pass, false, JSON.stringify(report, null, 1));
  assert.match(told.detail.counterExample, /Seeding a new database fails at \/seeds\/product\/0: .*Too cheap/);
  assert.deepEqual(failed(report).map(({ name }) => name), ['seeds']);
});

test('a seed row that was changed by hand stays as it is', async () => {
  dev("update product set title = 'Black tea'");
  green(await verify());
  assert.deepEqual(dev('select title from product'), [['Black tea']]);
});

test('a large table is read in part, and its plans are told', async () => {
  const project = await stack.project('Large');
  const contract = sample('hello');
  contract.entities.push({ name: 'place', owner: 'none', fields: [{ name: 'title', type: 'string' }], access: { read: '*' } });
  contract.entities[0].fields.push({ name: 'place_id', type: 'ref', to: 'place' });
  await stack.apply(project, contract);
  dev(`insert into place (title) select 'p' || n from generate_series(1, 3000) n;
       insert into reading (day, value, place_id) select current_date, n, (select id from place order by id offset n % 2900 limit 1) from generate_series(1, 12000) n; analyze`, project);
  const was = content(project);
  const report = await verify(project);
  green(report);
  assert.match(report.summary, /; only the newest rows of/);
  assert.equal(content(project), was);
});

test('fields called as an SQL alias may be', async () => {
  const project = await stack.project('Letters');
  const contract = sample('hello');
  contract.personas.push({ id: 'clerk', kind: 'staff' });
  const names = ['t', 'r', 'b', 'x', 'n', 'own', 'other', 'at', 'place', 'may', 'sent', 'row'];
  contract.entities = [{
    name: 'letter', fields: names.map((name) => ({ name, type: 'string' })),
    access: { create: 'member', read: ['member', 'clerk'], update: 'member' },
  }];
  contract.seeds = { letter: [1, 2, 3].map((n) => Object.fromEntries(names.map((name) => [name, `${name} ${n}, "(x)"`]))) };
  await stack.apply(project, contract);
  green(await verify(project));
  const was = dev('select id from letter order by id limit 1', project)[0][0];
  dev(`update letter set x = 'changed' where id = '${was}'; update svc.seed set hash = 'another'`, project);
  const bad = check(await verify(project), 'seeds');
  assert.equal(bad.pass, false, 'a change of any column is seen');
});

test('what PostgreSQL prints in more than one way, and numbers that JSON has not', async () => {
  const project = await stack.project('Printed');
  const contract = sample('shop');
  const printed = {
    text: '(r.updated_at - r.created_at)::text as t', json: "to_json(r.updated_at - r.created_at + interval '1 day') as t",
    inside: "to_json(interval '2 days 3 hours')::text as t", format: "format('%s', r.updated_at - r.created_at) as t",
    joined: "interval '1 month' || ' and ' || (r.updated_at - r.created_at) as t",
    numeric: "'NaN'::numeric as t, 'Infinity'::numeric as u, '-Infinity'::numeric as v",
    float: "'NaN'::float8 as t, '-Infinity'::float8 as u, 'Infinity'::float4 as v, 1.5::float8 as w",
    moment: "r.created_at::text as t, r.created_at::date::text as u, '\\x00ff'::bytea::text as v",
  };
  contract.queries.push(...Object.entries(printed).map(([name, sql]) => ({ name, allow: ['end_user'], sql: `select ${sql} from product r` })));
  await stack.apply(project, contract);
  const report = await verify(project);
  green(report);
  assert.deepEqual(check(report, 'queries').detail.warnings ?? [], []);
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

test('what is due in dev is not worked on by the clone', async (t) => {
  const endpoint = await Endpoint.start();
  t.after(() => endpoint.stop());
  const project = await stack.project('Due');
  const ask = (path) => [{ id: 'ask', http: { method: 'POST', url: `${endpoint.url}/${path}` } }];
  await stack.dev('PUT', `/projects/${project.id}/secrets/OUT_HOOK`, { value: `whsec_${Buffer.alloc(32).toString('base64')}` }, { expect: 201 });
  await stack.apply(project, {
    app: { name: 'Due' },
    entities: [{ name: 'item', owner: 'none', fields: [{ name: 'title', type: 'string' }], access: { read: ['*'], update: ['*'] } }],
    workflows: [{ id: 'often', on: { every: '1h' }, steps: ask('time') }, { id: 'once', on: { manual: true }, steps: ask('run') }],
    webhooks: { out: [{ name: 'told', on: ['item.created'], url: `${endpoint.url}/delivery`, secret: 'secret:OUT_HOOK' }] },
  });
  // Nobody but the clone could work on it meanwhile.
  const servers = appServers(project).map(({ pid }) => pid);
  for (const pid of servers) process.kill(pid, 'SIGSTOP');
  try {
    dev(`update svc.schedule set next_at = now(), after = now() - interval '2 hours', since = now() - interval '90 minutes';
         select svc.start_run('once', '{}', '{"kind": "manual"}'); insert into item (title) values ('told')`, project);
    dev('select svc.start_runs(500)', project);
    assert.deepEqual(dev('select count(*) from svc.delivery union all select count(*) from svc.run', project), [['1'], ['1']]);
    green(await verify(project));
    assert.deepEqual(endpoint.calls.map(({ path: called }) => called), []);
  } finally {
    for (const pid of servers) process.kill(pid, 'SIGCONT');
  }
  await until('dev to work on it', () => ['time', 'run', 'delivery'].every((one) => endpoint.to(one).length === 1));
});

// ---- functions and workflows ----

const put = (id, entity, data) => ({ id, create: { entity, data } });
const flowing = (url) => ({
  app: { name: 'Flowing' },
  personas: [{ id: 'member', kind: 'consumer', signup: true }, { id: 'clerk', kind: 'staff' }],
  entities: [
    { name: 'item', owner: 'none', fields: [{ name: 'title', type: 'string' }, { name: 'stock', type: 'integer', default: 1 }],
      lifecycle: { field: 'status', initial: 'open', states: ['open', 'sold'], transitions: [{ name: 'sell', from: 'open', to: 'sold', by: ['clerk'] }] },
      access: { read: ['*'], create: ['clerk'], update: ['clerk'] } },
    { name: 'note', owner: 'none', fields: [{ name: 'text', type: 'string' }], access: { read: ['*'], create: ['clerk'] } },
  ],
  topics: [{ name: 'app:go', publish: ['clerk'], subscribe: ['clerk'] }],
  functions: [
    { name: 'add', allow: ['clerk'], params: { title: { type: 'string', required: true } }, steps: [put('made', 'item', { title: '{input.title}' })],
      returns: { id: '{steps.made.id}', stock: '{steps.made.stock}', made: '{steps.made}' } },
    { name: 'sell', allow: ['member', 'clerk'], params: { item: { type: 'uuid', required: true } },
      steps: [{ id: 'sold', transition: { entity: 'item', id: '{input.item}', transition: 'sell' } }], returns: '{steps.sold}' },
    { name: 'quote', allow: ['server'], steps: [{ id: 'ask', http: { method: 'PUT', url: `${url}/quote?of=tea`, body: { a: 1 } } }, put('kept', 'note', { text: 'quoted' })],
      returns: { status: '{steps.ask.status}' } },
    { name: 'mine', allow: ['member'], runAs: 'actor', steps: [put('no', 'note', { text: 'not a clerk' })] },
    { name: 'never', allow: ['clerk'], steps: [{ id: 'no', fail: 'Not today.' }] },
    { name: 'inner', steps: [put('kept', 'note', { text: 'inner' })] },
  ],
  workflows: [
    { id: 'on_created', on: { entity: 'item', event: 'created' }, if: 'new.stock < 5', steps: [
      { id: 'ask', http: { method: 'POST', url: `${url}/created`, body: { title: '{new.title}' } } },
      { id: 'mail', email: { to: 'ann@example.test', subject: 'New', text: '{new.title}' } },
      put('kept', 'note', { text: 'answered {steps.ask.status}' })] },
    { id: 'on_sold', on: { entity: 'item', transition: 'sell' }, if: "old.status == 'open'", steps: [{ id: 'say', publish: { topic: 'app:go', payload: {} } }] },
    { id: 'on_signup', on: { auth: 'signup' }, runAs: 'actor', steps: [put('no', 'note', { text: '{input.user.email}' })] },
    { id: 'later', on: { manual: true }, steps: [
      { id: 'nap', sleep: '1h' }, { id: 'heard', waitFor: { topic: 'app:go', timeout: '1d' } },
      { id: 'again', if: 'steps.heard.timedOut', call: { workflow: 'each' } }, { id: 'tell', notify: { to: 'clerk', title: 'Woken' } }] },
    { id: 'each', on: { every: '1h' }, steps: [{ id: 'one', for: { entity: 'item', limit: 3 }, as: 'it', http: { method: 'GET', url: `${url}/each/{it.id}` } }] },
    { id: 'gone', on: { manual: true }, params: { text: { type: 'string' } }, steps: [{ id: 'change', retry: { max: 2 }, update: { entity: 'note', id: '{actor.id}', data: { text: '{input.text}' } } }] },
    { id: 'fails', on: { manual: true }, steps: [{ id: 'call', call: { function: 'inner' } }, { id: 'no', fail: 'This cannot be.' }] },
    { id: 'on_failed', on: { failed: 'fails' }, steps: [put('kept', 'note', { text: '{input.error}' })] },
    { id: 'unreached', on: { manual: true }, if: '1 > 2', steps: [put('kept', 'note', { text: 'no' })] },
  ],
});

let flows, outside;
async function withFlows() {
  if (flows) return;
  outside = await Endpoint.start();
  flows = await stack.project('Flowing');
  await stack.apply(flows, flowing(outside.url));
}
const runsOf = (report, name) => check(report, name).detail.runs.reduce((all, one) => {
  (all[one.of.split(' ')[1]] ??= []).push(one);
  return all;
}, {});
const told = ({ steps, ended }) => [...steps.map(({ kind, target }) => `${kind} ${target}`), ended];

test('functions and workflows say what they would do, and call nobody', async () => {
  await withFlows();
  const was = content(flows);
  const report = await verify(flows);
  green(report);
  const at = outside.url.slice('http://'.length);
  const functions = runsOf(report, 'functions');
  assert.deepEqual(Object.fromEntries(Object.entries(functions).map(([name, [one]]) => [name, told(one)])), {
    add: ['create item', 'succeeded'],
    sell: ['transition item sell', 'succeeded'],
    quote: [`http PUT ${at}/quote`, 'create note', 'succeeded'],
    mine: [functions.mine[0].ended],
    never: ['refused: Not today. (FUNCTION_FAILED)'],
    inner: ['create note', 'succeeded'],
  });
  assert.match(functions.mine[0].ended, /^refused: .*row-level security.*\(42501\)$/);
  assert.equal(functions.inner[0].by, 'another step');
  const workflows = runsOf(report, 'workflows');
  assert.deepEqual(told(workflows.on_created[0]), [`http POST ${at}/created`, 'email ann@example.test', 'create note', 'succeeded']);
  assert.equal(workflows.on_created[0].by, 'a row of item that was created');
  assert.deepEqual(told(workflows.on_sold[0]), ['publish app:go', 'succeeded']);
  assert.match(workflows.on_signup[0].ended, /^dead at no: .*\(42501\)$/);
  assert.deepEqual(told(workflows.later[0]), ['sleep 3600 s', 'waitFor app:go', 'start each', 'notify clerk.1@verify.invalid', 'notify clerk.2@verify.invalid', 'notify admin.clerk@verify.invalid', 'succeeded']);
  assert.equal(workflows.each[0].steps.length, 3);
  assert.match(told(workflows.each[0])[0], new RegExp(`^http GET ${at}/each/[0-9a-f-]{36}$`));
  assert.deepEqual(told(workflows.gone[0]), ['retry change', 'dead at change: There is no such row, or none that this step may change. (NOT_FOUND)']);
  assert.deepEqual(told(workflows.fails[0]), ['create note', 'start on_failed', 'failed at no: This cannot be. (FAILED)']);
  assert.deepEqual(told(workflows.on_failed[0]), ['create note', 'succeeded']);
  assert.deepEqual(check(report, 'workflows').detail.warnings, ['Not run, because no sample starts them: unreached.']);
  assert.deepEqual(outside.calls, []);
  assert.equal(content(flows), was);
});

// {fault: [what becomes of a definition in dev, whose, check that alone must tell, what it must say]}
const text = (sql) => `to_jsonb($q$${sql}$q$::text)`;
const broken = {
  'a result of another type': [`jsonb_set(body, '{returns}', ${text("select jsonb_build_object('id', null, 'made', null, 'stock', 'many')")})`, 'add', 'functions',
    /function add, called by clerk \(1\) with .* answers 200; result\.stock is a text and not a whole number/],
  'a member is missing': [`jsonb_set(body, '{returns}', ${text("select jsonb_build_object('id', null, 'made', null)")})`, 'add', 'functions', /result has no stock/],
  'a function fails for no reason': [`jsonb_set(body, '{steps,0}', jsonb_build_object('id', 'made', 'kind', 'fail', 'runAs', 'system', 'sql', ${text("select to_jsonb('No.'::text)")}))`, 'add', 'functions',
    /function add, called by clerk \(1\) with .* answers 422 FUNCTION_FAILED; nothing in the contract refuses that/],
  'a function refuses whom it must not': [`jsonb_set(body, '{steps,0,runAs}', '"actor"')`, 'quote', 'functions', null],
  'a function names what is not there': [`jsonb_set(body, '{steps,0,sql}', ${text('select to_jsonb(public.no_such_function())')})`, 'add', 'functions', /function add, begun by clerk \(1\), ends refused: .*no_such_function.* \(42883\)/],
  'a step names a column that is gone': [`jsonb_set(body, '{steps,2,sql}', ${text('select to_jsonb(n.gone) from public.note n')})`, 'on_created', 'workflows',
    /workflow on_created, begun by a row of item that was created, ends dead at kept: .*gone.*\(CONTRACT_CHANGED\)/],
  'a step is tried for ever': [`jsonb_set(body, '{steps,0,retry,max}', '1000000')`, 'gone', 'workflows', /workflow gone, begun by hand, ends never: it is at change again and again/],
  'a mail goes to somebody else': [`replace(body::text, 'ann@example.test', 'bob@example.test')::jsonb`, 'on_created', 'workflows', /definition of the workflow on_created in the database is not the one that the contract gives/],
};
for (const [name, [change, whose, where, words]] of Object.entries(broken)) {
  test(`${name}: ${where} tells it`, async () => {
    await withFlows();
    dev(`update svc.definition set body = ${change} where name = '${whose}'`, flows);
    const report = await verify(flows);
    await stack.apply(flows, flowing(outside.url));
    assert.deepEqual(failed(report).map((one) => one.name), [where], JSON.stringify(failed(report)));
    assert.match(check(report, where).detail.counterExample, words ?? /definition of the function quote in the database/);
    assert.deepEqual(outside.calls, []);
  });
}

test('an apply has mended all of them', async () => {
  await withFlows();
  green(await verify(flows));
});

test('a function that dev has lost', async () => {
  await withFlows();
  dev("update svc.flow set live = false where name = 'add'", flows);
  const report = await verify(flows);
  dev("update svc.flow set live = true where name = 'add'", flows);
  assert.match(check(report, 'functions').detail.counterExample, /There is no function add in the live contract/);
});

test('svc verify: a table, the counter-example, exit codes', async () => {
  await client.svc(['login', '--email', owner.email, '--password', owner.password]);
  const on = ['--project', shop.id];
  const good = await client.svc(['verify', ...on]);
  assert.equal(good.code, 0, good.out + good.err);
  assert.match(good.out, /^✓ +access +\d+ /m);
  assert.match(good.out, /^- +pages .*not run/m);
  assert.ok(!good.out.includes('\x1b'));
  const raw = await client.svc(['verify', '--json', ...on]);
  assert.equal(JSON.parse(raw.out).pass, true);
  dev('alter policy order_select on "order" using (true)');
  const bad = await client.svc(['verify', ...on]);
  assert.equal(bad.code, 1);
  assert.match(bad.out, /✗ access, \d+ of \d+ cases\. The first: guest can read/);
  assert.match((await client.terminal(['verify', ...on])).out, /\x1b\[31m✗/);
  assert.equal((await client.svc(['verify', '--json', ...on])).code, 1);
  assert.equal((await client.svc(['verify', '--project', '0198b6a0-0000-7000-8000-00000000dead'])).code, 1);
  assert.equal((await client.svc(['verify'])).code, 2);
  await stack.apply(shop, sample('shop'));
});

test('a project that is deleted meanwhile takes its clone along', async () => {
  const project = await stack.project('Gone');
  await stack.apply(project, sample('hello'));
  const asked = stack.dev('POST', path(project), {});
  await until('the clone', () => left().databases.length > 0);
  await stack.dev('DELETE', `/projects/${project.id}?confirm=${project.slug}`, undefined, { expect: 200 });
  await asked;
  assert.deepEqual(left(), nothing);
});

// At different moments: while it is cloned, filled, asked, and while its server runs.
for (const [moment, arrived] of Object.entries({
  'the clone is made': () => left().databases.length > 0,
  'rows are tried': () => left().databases.length > 0 && admin("select 1 from pg_stat_activity where datname ~ 'verify' and query ~ 'svc_verify'").length > 0,
  'its server runs': () => verifiers().length > 0,
})) {
  test(`killed while ${moment}: the next start clears it away`, async () => {
    const was = content(shop);
    // Asked again where a verification was over before the moment was seen.
    let killed = false;
    const ask = () => stack.dev('POST', path(shop), {}).catch(() => null).then(() => (killed ? null : ask()));
    const asked = ask();
    await until(moment, arrived);
    killed = true;
    stack.child.kill('SIGKILL');
    await stack.ended;
    await asked;
    await stack.run();
    assert.deepEqual(await until('what was left to go', () => {
      const now = left();
      return JSON.stringify(now) === JSON.stringify(nothing) ? now : null;
    }), nothing);
    assert.equal(content(shop), was);
    await stack.signIn();
    green(await verify());
  });
}
