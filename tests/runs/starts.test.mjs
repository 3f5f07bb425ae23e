// The starts of runs: by changes, messages, accounts. Each happens once.
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { Engine, insert, set, step } from '../lib/engine.mjs';
import { literal } from '../lib/sql.mjs';

let it;
const add = (title) => it.sql(`insert into public.item (title) values ('${title}')`);
const publish = (topic, payload) => it.sql(`select svc.publish('${topic}', '${JSON.stringify(payload)}')`);
const read = async () => { let all = 0; for (let n; (n = await it.worker.json('select svc.start_runs(3)')) > 0;) all += n; return all; };
const runs = () => it.sql("select workflow || ' ' || coalesce(given #>> '{new,title}', given #>> '{old,title}', given #>> '{input,payload}', '') from svc.run order by id");
const on = (event, more = {}) => ({ trigger: { kind: 'event', table: 'item', event, ...more }, steps: [] });

before(async () => { it = await Engine.start(); await it.items(); });
after(() => it.stop());
test.beforeEach(() => it.empty());

test('a change starts its workflows once, one that was rolled back none', async () => {
  await it.flows({ made: on('created'), named: on('updated', { fields: ['title'] }), changed: on('updated'), gone: on('deleted'),
    some: { ...on('created'), if: "select $1 #>> '{new,title}' = 'b'" }, broken: { ...on('created'), if: 'select 1 / length($1 #>> \'{new,title}\') > 0 and ($1 #>> \'{new,title}\')::int > 0' } });
  await it.sql("insert into public.item (title) values ('a'), ('b')");
  await it.sql("begin; insert into public.item (title) values ('never'); rollback");
  await it.sql("update public.item set user_id = svc.new_id() where title = 'a'");
  await it.sql("update public.item set title = 'c' where title = 'b'");
  await it.sql("delete from public.item where title = 'c'");
  assert.equal(await read(), 5);
  assert.deepEqual((await runs()).sort(), ['broken a', 'broken b', 'changed a', 'changed c', 'gone c', 'made a', 'made b', 'named c', 'some b']);
  assert.equal(await read(), 0);
  assert.deepEqual(await it.sql("select distinct status, error_code from svc.run where workflow = 'broken'"), ['dead|22P02']);
});

test('a dead letter that never began is asked its condition, its key and its place when it is replayed', async () => {
  const k = "$1 #>> '{input,k}'";
  await it.flows({ w: { if: `select ${k} <> 'no'`, key: `select ${k}`, concurrency: { key: "select 'k'", limit: 1, overflow: 'queue' }, steps: [insert('a', k)] },
    odd: { if: `select 1 / (${k})::int > 0`, steps: [] } });
  for (const input of ['no', 'one', 'one', 'two']) await it.start('w', { k: input }, ', null, 9');
  await it.start('odd', { k: 0 });
  const fates = () => it.sql("select coalesce(error_code, status) from svc.run order by id");
  assert.deepEqual(await fates(), ['LOOP', 'LOOP', 'LOOP', 'LOOP', '22012']);
  assert.equal(await it.worker.json('select svc.replay_runs()'), 2);
  assert.deepEqual(await fates(), ['SKIPPED', 'queued', 'SKIPPED', 'queued', '22012']);
  assert.deepEqual(await it.sql("select distinct error from svc.run where status = 'cancelled' and error like '%condition%'"), ['Its condition does not hold.']);
  assert.equal((await it.sql('select count(*) from svc.slot where holds'))[0], '1');
  await it.work();
  assert.equal(await it.titles(), 'one,two');
});

test('a condition that finds a table locked is asked again, and so is the filter of a run that waits', async () => {
  await it.flows({ made: { ...on('created'), if: 'select exists (select from public.item)' },
    w: { steps: [step('waitFor', 'wait', "jsonb_build_object('topic', 'app:locked')", { timeout: 3600, filter: 'select exists (select from public.item)' })] } });
  const run = await it.start('w');
  await it.work();
  await read();
  await add('a');
  await publish('app:locked', 1);
  const holder = await it.connect();
  const poll = () => it.refused("set local lock_timeout = '50ms'; select svc.start_runs()", it.names.system);
  await holder.run('begin; lock table public.item in access exclusive mode');
  assert.equal((await poll()).code, '55P03');
  await holder.run('rollback');
  assert.equal(await read(), 2);
  await it.work();
  assert.deepEqual(await it.sql("select workflow || ' ' || status from svc.run order by id"), ['w succeeded', 'made succeeded']);
  assert.equal((await it.run(run)).steps[0].output.payload, 1);
});

test('a key as long as a row holds up nothing, and is still one key', async () => {
  const title = "select $1 #>> '{new,title}'";
  await it.flows({ keyed: { ...on('created'), key: title }, placed: { ...on('created'), concurrency: { key: title, limit: 1, overflow: 'skip' } } });
  const long = "(select string_agg(md5(n::text), '') from generate_series(1, 300) n)";
  for (const end of ['a', 'a', 'b']) await it.sql(`insert into public.item (title) values (${long} || '${end}')`);
  assert.equal(await read(), 3);
  assert.deepEqual(await it.sql("select workflow || ' ' || status from svc.run order by workflow, id"),
    ['keyed queued', 'keyed queued', 'placed queued', 'placed cancelled', 'placed queued']);
});

test('a message that jsonb cannot hold starts nothing and holds up nothing', async () => {
  await it.flows({ say: { trigger: { kind: 'topic', pattern: 'app:news' }, steps: [] } });
  await it.sql("select svc.publish('app:news', '[1e200000]')");
  await publish('app:news', 'later');
  assert.equal(await read(), 2);
  assert.deepEqual(await runs(), ['say later']);
});

test('a row that jsonb cannot hold is a dead letter of its own, and what comes after it starts', async () => {
  await it.flows({ made: { ...on('created'), steps: [insert('copy', "'copy of ' || ($1 #>> '{new,extra}')")] }, named: on('updated', { fields: ['extra'] }),
    paid: { trigger: { kind: 'payment', event: 'paid' }, steps: [] } });
  await it.sql('alter table public.item add column extra json');
  const bad = ['"\\u0000"', '[1, "a\\ud800b"]', '1e200000', '"\\\\\\u0000"'], good = ['"\\\\u0000"', '[1]'];
  for (const value of [...bad, ...good]) await it.sql(`insert into public.item (title, extra) values ('x', $$${value}$$)`);
  await it.sql("update public.item set extra = '2' where extra::text = '1e200000'");
  try {
    assert.equal(await read(), 7);
    const runs = await it.sql("select json_build_array(workflow, status, error_code, given #> '{new,extra}', given #> '{old,extra}') from svc.run order by id");
    const dead = (workflow, value, old = null) => [workflow, 'dead', 'ROW_UNREADABLE', value, old];
    assert.deepEqual(runs.map((one) => JSON.parse(one)), [dead('made', '\ufffd'), dead('made', [1, 'a\ufffdb']), dead('made', '1e200000'), dead('made', '\\\ufffd'),
      ['made', 'queued', null, '\\u0000', null], ['made', 'queued', null, [1], null], dead('named', 2, '1e200000')]);
    assert.match((await it.sql('select error from svc.run order by id limit 1'))[0],
      /^A run cannot hold this row because of extra: unsupported Unicode escape sequence\. Correct the row\. A replay of this start begins with a substitute\.$/);
    const by = (await it.sql(`select id from public.item where extra::text = '"\\u0000"'`))[0];
    const { code, message } = await it.refused(`select svc.start_by_hand('made', '{}', '{}', null, '${by}')`);
    assert.equal(code, 'SV400');
    assert.match(message, /because of extra/);
    // A payment ends all the same.
    await it.sql(`set role ${it.names.owner}; select svc.tell_payment(jsonb_populate_record(null::svc.payment, '{"table_name": "item", "order_id": "${by}", "status": "paid"}')); reset role`);
    assert.deepEqual(await it.sql("select status || ' ' || error_code || ' ' || (given #>> '{new,title}') from svc.run where workflow = 'paid'"), ['dead ROW_UNREADABLE x']);
    await it.worker.run('select svc.replay_runs()');
    await it.work();
    assert.ok((await it.titles()).includes('copy of \ufffd'));
  } finally {
    await it.sql('delete from public.item; alter table public.item drop column extra');
  }
});

test('the row that starts a run has its generated columns, and a change of one is a change', async () => {
  await it.sql("alter table public.item add column size integer generated always as (length(title) * 2) stored");
  try {
    await it.flows({ long: { ...on('created'), if: "select ($1 #>> '{new,size}')::int > 2", key: "select $1 #>> '{new,size}'", steps: [insert('a', "'size ' || ($1 #>> '{new,size}')")] },
      grew: { ...on('updated', { fields: ['size'] }), steps: [insert('b', "($1 #>> '{old,size}') || ' to ' || ($1 #>> '{new,size}')")] } });
    await it.sql("insert into public.item (title) values ('x'), ('xy')");
    await it.sql("update public.item set user_id = svc.new_id() where title = 'xy'");
    await it.sql("update public.item set title = 'xyz' where title = 'xy'");
    assert.equal(await read(), 4);
    await it.work();
    assert.equal(await it.titles(), 'x,xyz,size 4,4 to 6');
  } finally {
    await it.sql('delete from public.item; alter table public.item drop column size');
  }
});

test('a change that is read after its column got another name shows it by the new name, and so does a delivery', async () => {
  const rename = (was, becomes) => it.sql(`alter table public.item rename ${was} to ${becomes}; insert into svc.renamed (table_name, was, becomes) values ('item', '${was}', '${becomes}')`);
  await it.flows({ w: { ...on('created'), if: "select $1 #>> '{new,name}' = 'tea'" } },
    { hooksOut: [{ name: 'out', url: 'https://a.example', secret: 'S', on: [{ table: 'item', event: 'created' }] }] });
  await add('tea');
  await rename('title', 'name');
  await it.sql("insert into public.item (name) values ('tea')");
  await read();
  const names = () => it.sql("select (given #>> '{new,name}') || ' ' || (given -> 'new' ? 'title') from svc.run order by id");
  assert.deepEqual(await names(), ['tea false', 'tea false']);
  await rename('name', 'title');
  const sent = await it.worker.run('select (held::jsonb ->> \'title\') || \' \' || (held::jsonb ? \'name\') from svc.claim_deliveries(10)');
  assert.deepEqual(sent, ['tea false', 'tea false']);
});

test('changes of tables that start nothing are passed without being looked at', async () => {
  await it.sql(`create table public.other (like public.item including defaults);
    create trigger other_created after insert on public.other referencing new table as new_rows for each statement execute function svc.record_change()`);
  try {
    await it.flows({ made: on('created') });
    await it.sql("insert into public.other (title) select 'x' from generate_series(1, 20)");
    await add('a');
    await it.sql("insert into public.other (title) values ('x')");
    const looked = "select coalesce(pg_stat_get_xact_function_calls('svc.start_by_change'::regproc), 0)";
    const counted = (await it.sql(`set track_functions = 'pl'; begin; select svc.start_runs(); ${looked}; commit; reset track_functions`)).map(Number);
    assert.deepEqual(counted, [22, 1]);
    assert.deepEqual(await runs(), ['made a']);
    assert.equal(await read(), 0);
  } finally {
    await it.sql('drop table public.other');
  }
});

test('a poll that takes long leaves the rest to the next one', async () => {
  await it.flows({ made: on('created') });
  await it.sql("insert into public.item (title) values ('a'), ('b'), ('c')");
  await it.worker.run("set svc.look_for = '0 seconds'");
  const polls = [];
  for (let n; (n = await it.worker.json('select svc.start_runs(3)')) > 0;) polls.push(n);
  await it.worker.run('reset svc.look_for');
  assert.deepEqual(polls, [1, 1, 1]);
  assert.deepEqual(await runs(), ['made a', 'made b', 'made c']);
});

test('several read at the same time, and each change starts once', async () => {
  await it.flows({ made: on('created') });
  const others = await Promise.all([1, 2, 3].map(() => it.connect(it.names.system)));
  for (let n = 0; n < 30; n += 1) await add(String(n));
  await Promise.all(others.map(async (other) => { for (let n = 0; n < 30; n += 1) await other.run('select svc.start_runs(2)'); }));
  await read();
  assert.equal((await runs()).length, 30);
  assert.equal(new Set(await runs()).size, 30);
});

test('what was written before a workflow came does not start it', async () => {
  await it.flows({ w: { steps: [] } });
  await add('early');
  await it.flows({ made: on('created') });
  await add('late');
  await read();
  assert.deepEqual(await runs(), ['made late']);
});

test('a chain of runs that causes itself ends', async () => {
  await it.flows({ made: { ...on('created'), steps: [insert('again', "($1 #>> '{new,title}') || 'x'")] } });
  await add('');
  while (await read() > 0) await it.work();
  const depths = await it.sql("select depth || ' ' || status || coalesce(' ' || error_code, '') from svc.run order by id");
  assert.equal(depths.length, 10);
  assert.deepEqual([depths[0], depths[8], depths[9]], ['0 succeeded', '8 succeeded', '9 dead LOOP']);
});

test('workflows that wait for the failures of each other end', async () => {
  const fails = (workflow) => ({ trigger: { kind: 'failed', workflow }, steps: [step('fail', 'no', "to_jsonb('no'::text)")] });
  await it.flows({ a: fails('b'), b: fails('a') });
  await it.start('a');
  await it.work();
  const ended = await it.sql("select workflow || depth || ' ' || status || ' ' || error_code from svc.run order by id");
  assert.equal(ended.length, 10);
  assert.deepEqual(ended.slice(-2), ['a8 failed FAILED', 'b9 dead LOOP']);
});

test('a start by hand needs an account where the workflow has the rights of one', async () => {
  await it.flows({ own: { runAs: 'actor', steps: [] }, free: { steps: [] } });
  const start = (flow) => `select svc.start_by_hand('${flow}', '{}', '{"kind": "manual"}', null)`;
  assert.deepEqual(await it.refused(start('own')), { code: 'SV400', message: 'Workflow own has the rights of whoever starts it: start it as an account.' });
  await it.worker.run(start('free'));
  assert.deepEqual(await it.sql('select workflow from svc.run'), ['free']);
});

test('topics start workflows with the parts of their names', async () => {
  await it.flows({ say: { trigger: { kind: 'topic', pattern: 'app:order_x:{id}:{what}' }, steps: [insert('a', "($1 #>> '{input,id}') || ' ' || ($1 #>> '{input,what}') || ' ' || ($1 #>> '{input,payload,n}')")] } });
  await publish('app:order_x:7:paid', { n: 1 });
  await publish('app:order_x:7', { n: 2 });
  await publish('app:orderyx:7:paid', { n: 3 });
  await read();
  await it.work();
  assert.equal(await it.titles(), '7 paid 1');
});

test('sign-ups and sign-ins start workflows in their own transaction', async () => {
  const tell = (what) => ({ trigger: { kind: 'auth', event: what }, steps: [insert('a', `'${what} ' || ($1 #>> '{input,user,email}') || ' ' || ($1 #>> '{actor,persona}')`)] });
  await it.flows({ up: tell('signup'), into: tell('login') });
  const account = (email) => `insert into svc.account (email, persona) values ('${email}', 'member')`;
  const session = (email) => `insert into svc.session (hash, account_id, expires_at) select decode(md5(random()::text), 'hex'), id, now() + interval '1 day' from svc.account where email = '${email}'`;
  await it.worker.run(`begin; ${account('gone@example.test')}; rollback`);
  await it.worker.run(`begin; ${account('bea@example.test')}; ${session('bea@example.test')}; commit`);
  await it.worker.run(session('bea@example.test'));
  await it.sql(`begin; set local role ${it.names.owner}; ${account('seed@example.test')}; commit`);
  await it.work();
  assert.equal(await it.titles(), 'signup bea@example.test member,login bea@example.test member');
});

test('what nobody has read yet is not thrown away', async () => {
  await it.flows({ made: on('created') });
  const slot = (await it.sql("select 'change_' || (slot + 1) % 4 from svc.change_slot"))[0];
  await it.sql(`insert into svc.${slot} (table_name, event, row_id, new) values ('item', 'created', svc.new_id(), '{"title": "old"}')`);
  assert.equal((await it.worker.run('select svc.purge_changes()'))[0], 'f');
  await read();
  assert.deepEqual(await runs(), ['made old']);
  assert.equal((await it.worker.run('select svc.purge_changes()'))[0], 't');
});

test('input is what the workflow declares', async () => {
  await it.flows({ w: { steps: [set('a', "$1 #> '{input,x}'")] } });
  assert.equal((await it.refused("select svc.start_run('nothing', '{}', '{}')")).code, 'SV404');
  const run = await it.start('w', { x: [1, { y: null }] });
  await it.work();
  assert.deepEqual((await it.run(run)).steps[0].output, { value: [1, { y: null }] });
});

test('parameters have their defaults where the clock or a webhook starts a workflow', async () => {
  const params = { days: { type: 'integer', default: 7 } };
  const steps = [insert('a', "concat_ws(' ', $1 #>> '{input,days}', $1 #>> '{input,body,n}')")];
  await it.flows({ timed: { trigger: { kind: 'every', seconds: 60 }, params, steps }, called: { params, steps } }, { hooksIn: [{ name: 'till', workflow: 'called' }] });
  await it.worker.run("select svc.tick_schedule('timed', date_trunc('minute', now()) + interval '1 minute', '2100-01-01')");
  await it.worker.run(`select svc.take_hook('till', null, '{"body": {"n": 1}, "headers": {}}')`);
  await it.work();
  assert.equal(await it.titles(), '7,7 1');
});

test('a datetime with a zone that there is not is no datetime', async () => {
  const params = literal(JSON.stringify({ at: { type: 'datetime' } }));
  for (const at of ['2024-12-31T09:30 Foo/Bar', '2024-12-31T09:30+99:00', '2024-13-31', '2024-12-31T25:00']) {
    assert.deepEqual(await it.sql(`select svc.flow_timestamp(to_jsonb(${literal(at)}::text)) is null`), ['t'], at);
    assert.equal((await it.refused(`select svc.flow_input(${params}, ${literal(JSON.stringify({ at }))})`)).code, 'SV400', at);
  }
});

test('a key may count for a hundred years', async () => {
  await it.flows({ w: { ...on('created'), key: "select 'k'", keyFor: 36500 * 86400, steps: [step('fail', 'no', "to_jsonb('No.'::text)")] } });
  await add('a');
  await add('b');
  assert.equal(await read(), 2);
  await it.work();
  assert.deepEqual(await it.sql("select until > now() + interval '99 years' from svc.run_key"), ['t']);
  assert.equal(await it.worker.json('select svc.replay_runs()'), 1);
});
