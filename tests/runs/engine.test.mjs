// Checks the effect of svc.advance for each kind of step, and that it happens once.
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { Engine, insert, set, step } from '../lib/engine.mjs';
import { literal } from '../lib/sql.mjs';

let it;
const outputs = async (run) => Object.fromEntries((await it.run(run)).steps.map((s) => [s.path, s.output]));
const paths = async (run) => (await it.run(run)).steps.map((s) => `${s.path} ${s.attempt} ${s.status}`);

before(async () => {
  it = await Engine.start();
  await it.items();
  await it.sql("insert into svc.account (id, email, persona) values ('00000000-0000-7000-8000-000000000001', 'ann@example.test', 'member')");
});
after(() => it.stop());
test.beforeEach(() => it.empty());

test('steps on the database are one transaction with their records', async () => {
  await it.flows({ three: { steps: [insert('a', "$1 #>> '{input,title}'"), insert('b', "($1 #>> '{steps,a,title}') || 'b'"), insert('c', "($1 #>> '{steps,b,title}') || 'c'")] } });
  const run = await it.start('three', { title: 'x' });
  const [claim] = await it.claim();
  assert.deepEqual(await it.advance(claim), { state: 'ended', status: 'succeeded' });
  assert.equal(await it.titles(), 'x,xb,xbc');
  assert.deepEqual(await paths(run), ['a 1 succeeded', 'b 1 succeeded', 'c 1 succeeded']);
  assert.deepEqual(await it.advance(claim), { state: 'lost' });
});

test('a step that fails takes its own writes back, is tried again, and ends as a dead letter that can be replayed', async () => {
  await it.sql('create table if not exists public.gate (open boolean); truncate public.gate; alter table public.gate owner to ' + it.names.owner);
  const careful = { max: 2, base: 36000, factor: 2, cap: 36000 };
  await it.flows({ w: { steps: [insert('a', "'a'"),
    insert('b', "case when exists (select from public.gate) then 'b' end", { retry: careful }), insert('c', "'c'")] } });
  const run = await it.start('w');
  await it.work();
  assert.equal(await it.status(run), 'waiting');
  assert.equal(await it.titles(), 'a');
  await it.hurry();
  await it.work();
  const dead = await it.run(run);
  assert.equal(`${dead.status} ${dead.errorCode} ${dead.failedStep}`, 'dead 23502 b');
  assert.deepEqual(await paths(run), ['a 1 succeeded', 'b 1 failed', 'b 2 failed']);
  assert.match(dead.steps[1].error, /null value in column "title"/);
  assert.deepEqual((await it.worker.run("select id from (select (j ->> 'id') as id from svc.list_runs(null, 'dlq') j) x")), [run]);
  // With attempts of its own.
  assert.deepEqual(await it.worker.run('select svc.replay_runs()'), ['1']);
  await it.work();
  assert.equal(await it.status(run), 'waiting');
  await it.sql('insert into public.gate values (true)');
  await it.hurry();
  await it.work();
  assert.equal(await it.status(run), 'succeeded');
  assert.equal(await it.titles(), 'a,b,c');
  assert.deepEqual((await paths(run)).slice(-3), ['b 3 failed', 'b 4 succeeded', 'c 1 succeeded']);
});

test('what no attempt would change ends at once, and starts who waits for failures', async () => {
  await it.flows({
    gone: { steps: [step('set', 'a', 'to_jsonb(nothing) from public.item')] },
    over: { steps: [insert('a', "'kept'"), step('fail', 'no', "to_jsonb('Not ' || ($1 #>> '{steps,a,title}'))"), insert('c', "'never'")] },
    after: { trigger: { kind: 'failed', workflow: 'over' }, steps: [insert('tell', "($1 #>> '{input,workflow}') || ' ' || ($1 #>> '{input,code}') || ' ' || ($1 #>> '{input,error}')")] },
  });
  const gone = await it.start('gone');
  const over = await it.start('over');
  await it.work();
  const [first, second] = [await it.run(gone), await it.run(over)];
  assert.equal(`${first.status} ${first.errorCode}`, 'dead CONTRACT_CHANGED');
  assert.equal(`${second.status} ${second.errorCode} ${second.error}`, 'failed FAILED Not kept');
  assert.equal(await it.titles(), 'kept,over FAILED Not kept');
});

test('an attempt on the database that takes longer than it may is cancelled, and no other step with it', async () => {
  const slow = (id, seconds, more) => step('set', id, `jsonb_build_object('slept', pg_sleep(${seconds})::text)`, { timeout: 1, ...more });
  await it.flows({
    never: { steps: [insert('a', "'before'"), slow('b', 600, { retry: { max: 2, base: 0, factor: 1, cap: 0 } }), insert('c', "'never'")] },
    quick: { steps: [insert('a', "'x'", { timeout: 1 }), step('set', 'each', "$1 -> 'local' -> 'one'", { timeout: 1, for: { as: 'one', list: "select '[1, 2]'::jsonb" } }), slow('b', 0), set('c', 1)] },
    called: { kind: 'function', steps: [slow('b', 1.1)] },
    caller: { steps: [step('call', 'ask', "'{}'::jsonb", { function: 'called', retry: { max: 1 } })] },
  });
  const [never, quick, caller] = [await it.start('never'), await it.start('quick'), await it.start('caller')];
  await it.work();
  await it.hurry();
  await it.work();
  const dead = await it.run(never);
  assert.deepEqual([dead.status, dead.errorCode, dead.failedStep], ['dead', 'TIMEOUT', 'b']);
  assert.deepEqual(await paths(never), ['a 1 succeeded', 'b 1 failed', 'b 2 failed']);
  assert.deepEqual([await it.status(quick), await paths(quick)], ['succeeded', ['a 1 succeeded', 'each[0] 1 succeeded', 'each[1] 1 succeeded', 'b 1 succeeded', 'c 1 succeeded']]);
  assert.equal((await it.run(caller)).errorCode, 'TIMEOUT', 'a function is one statement: its step is refused when it is done');
});

test('conditions skip, switches choose, return ends', async () => {
  await it.flows({ w: { steps: [
    set('no', '1', { if: "select $1 #>> '{input,x}' = 'never'" }),
    step('switch', 'pick', "$1 #> '{input,x}'", { cases: [{ value: 'one', steps: [insert('first', "'1'")] },
      { value: 'two', steps: [insert('second', "'2'"), step('return', 'stop', "to_jsonb('out'::text)", { if: "select $1 #>> '{steps,second,title}' = '2'" })] }],
    else: [insert('other', "'else'")] }),
    insert('end', "coalesce($1 #>> '{steps,no}', 'null') || ' ' || coalesce($1 #>> '{steps,pick}', 'null')")] } });
  const [one, two, three, none] = [await it.start('w', { x: 'one' }), await it.start('w', { x: 'two' }), await it.start('w', { x: 'three' }), await it.start('w')];
  await it.work();
  assert.deepEqual(await paths(one), ['no 1 skipped', 'pick 1 succeeded', 'pick.first 1 succeeded', 'end 1 succeeded']);
  assert.deepEqual(await paths(two), ['no 1 skipped', 'pick 1 succeeded', 'pick.second 1 succeeded', 'pick.stop 1 succeeded']);
  assert.equal((await it.run(two)).result, 'out');
  assert.deepEqual((await paths(three))[2], 'pick.other 1 succeeded');
  assert.equal(await it.status(none), 'succeeded');
  assert.equal(await it.titles(), '1,null one,2,else,null three,else,null null');
});

test('a loop fixes its elements first, keeps what came of each, and goes on after one that failed', async () => {
  const list = { as: 'x', list: "select $1 #> '{input,all}'" };
  await it.flows({ w: { steps: [
    insert('each', "nullif($1 #>> '{local,x}', 'bad')", { for: list, onError: 'continue', retry: { max: 1, base: 1, factor: 1, cap: 1 }, if: "select $1 #>> '{local,x}' <> 'skip'" }),
    step('switch', 'both', "$1 #> '{local,x}'", { for: list, cases: [{ value: 'a', steps: [set('inner', "$1 #> '{local,x}'")] }], else: [] }),
    set('none', '1', { for: { as: 'y', list: "select '[]'::jsonb" } }),
    step('set', 'sum', "jsonb_build_object('titles', (select jsonb_agg(e -> 'title') from jsonb_array_elements($1 #> '{steps,each}') e), 'inner', $1 #> '{steps,inner}', 'none', $1 #> '{steps,none}', 'local', $1 -> 'local')")] } });
  const run = await it.start('w', { all: ['a', 'bad', 'skip', 'b'] });
  await it.work();
  assert.deepEqual((await outputs(run)).sum, { titles: ['a', null, null, 'b'], inner: null, none: [], local: {} });
  assert.deepEqual((await paths(run)).slice(0, 4), ['each[0] 1 succeeded', 'each[1] 1 failed', 'each[2] 1 skipped', 'each[3] 1 succeeded']);
  assert.equal((await it.sql('select count(*) from svc.element'))[0], '0');
});

test('an advance that has taken long stops after a step, and the next one continues there', async () => {
  await it.flows({ w: { steps: [insert('each', "$1 #>> '{local,n}'", { for: { as: 'n', list: "select '[1, 2, 3]'::jsonb" } })] } });
  const run = await it.start('w');
  const [claim] = await it.claim();
  await it.worker.run("set svc.walk_for = '0 seconds'");
  let again = 0;
  for (let answer = await it.advance(claim); answer.state === 'again'; answer = await it.advance(claim)) again += 1;
  await it.worker.run('reset svc.walk_for');
  assert.equal(again, 4, 'the list was fixed, and each of the elements was done');
  assert.deepEqual([await it.status(run), await it.titles()], ['succeeded', '1,2,3']);
});

test('ten thousand elements are done in order, a checkpoint each; one more are too many', async () => {
  await it.flows({ w: { steps: [insert('each', "$1 #>> '{local,n}'", { for: { as: 'n', list: "select jsonb_agg(g) from generate_series(1, ($1 #>> '{input,n}')::int) g" }, retry: { max: 1, base: 1, factor: 1, cap: 1 } }),
    set('count', "jsonb_array_length($1 #> '{steps,each}')")] } });
  const run = await it.start('w', { n: 10000 });
  const [claim] = await it.claim();
  let again = 0;
  for (let answer = await it.advance(claim); answer.state === 'again'; answer = await it.advance(claim)) again += 1;
  assert.equal(again, 50);
  assert.equal((await it.sql("select output from svc.step where path = 'count'"))[0], '{"value": 10000}');
  assert.equal((await it.sql('select bool_and(title::int = n) from (select title, row_number() over (order by id) n from public.item) x'))[0], 't');
  const over = await it.start('w', { n: 10001 });
  await it.work();
  assert.equal((await it.run(over)).errorCode, 'TOO_LARGE');
  assert.equal(await it.status(run), 'succeeded');
});

test('something outside is asked for with one key, before anything else goes on', async () => {
  await it.flows({ w: { steps: [set('a', "'1'::jsonb"),
    step('http', 'ask', "jsonb_build_object('method', 'GET', 'url', 'http://x/' || ($1 #>> '{steps,a,value}'), 'body', null)", { accept: [404], timeout: 7, secrets: { authorization: 'KEY' } }),
    insert('end', "$1 #>> '{steps,ask,body}'")] } });
  const run = await it.start('w');
  const [claim] = await it.claim();
  const asked = await it.advance(claim);
  assert.deepEqual(asked, { state: 'outside', path: 'ask', kind: 'http', request: { method: 'GET', url: 'http://x/1', body: null },
    idempotencyKey: `${run}/ask`, attempt: 1, timeout: 7, accept: [404], secrets: { authorization: 'KEY' } });
  assert.deepEqual(await paths(run), ['a 1 succeeded', 'ask 1 running']);
  const failed = await it.advance(claim, { path: 'ask', ok: false, error: 'down', code: 'HTTP_503', retryAfter: 100 });
  assert.equal(failed.state, 'waiting');
  assert.ok(new Date(failed.dueAt) > Date.now() + 90_000, failed.dueAt);
  await it.hurry();
  const [second] = await it.claim();
  const again = await it.advance(second);
  assert.deepEqual({ ...again, attempt: 1 }, asked);
  assert.equal(again.attempt, 2);
  // A result of another request does not count.
  assert.deepEqual(await it.advance(second, { path: 'other', ok: true, output: {} }), again);
  assert.deepEqual(await it.advance(second, { path: 'ask', ok: true, output: { status: 200, body: 'yes' } }), { state: 'ended', status: 'succeeded' });
  assert.equal(await it.titles(), 'yes');
  const final = await it.start('w');
  await it.work(() => ({ ok: false, error: 'no', code: 'HTTP_400', retryable: false }));
  assert.equal((await it.run(final)).errorCode, 'HTTP_400');
});

test('sleeping is a row, and so is the time after which a run takes too long', async () => {
  await it.flows({ w: { steps: [step('sleep', 'rest', undefined, { seconds: 3600 }), insert('end', "'awake'")] },
    short: { timeout: 60, steps: [step('sleep', 'rest', undefined, { seconds: 3600 })] } });
  const [run, short] = [await it.start('w'), await it.start('short')];
  await it.work();
  assert.equal(await it.status(run), 'waiting');
  const wait = async (id) => Math.round(Number((await it.sql(`select extract(epoch from due_at - created_at) from svc.run where id = '${id}'`))[0]));
  assert.deepEqual([await wait(run), await wait(short)], [3600, 60]);
  // Too early: it goes on waiting.
  await it.sql(`update svc.run set due_at = clock_timestamp() where id = '${run}'`);
  await it.work();
  assert.equal(await it.titles(), '');
  await it.hurry();
  await it.sql(`update svc.run set started_at = started_at - interval '2 minutes', due_at = clock_timestamp() where id = '${short}'`);
  await it.work();
  assert.equal(await it.titles(), 'awake');
  const late = await it.run(short);
  assert.deepEqual([late.errorCode, late.steps[0].status, late.steps[0].errorCode], ['TIMEOUT', 'failed', 'TIMEOUT']);
  assert.ok(late.steps[0].endedAt, 'no step is under way in a run that has ended');
  await it.worker.run(`select svc.replay_runs('{${short}}')`);
  await it.work();
  assert.deepEqual([await it.status(short), await paths(short)], ['succeeded', ['rest 1 succeeded']]);
});

test('the time of a run counts from its start, and anew from its release after a restore held it', async () => {
  await it.flows({ w: { timeout: 60, steps: [step('sleep', 'rest', undefined, { seconds: 3600 })] } });
  const [late, early] = [await it.start('w'), await it.start('w')];
  await it.work();
  const unbegun = await it.start('w');
  await it.sql('select svc.hold_runs()');
  await it.sql(`update svc.run set started_at = started_at - interval '2 minutes' where id = '${late}'`);
  await it.sql(`update svc.run set created_at = created_at - interval '2 minutes' where id = '${unbegun}'`);
  await it.worker.run('select svc.release_runs()');
  await it.work();
  assert.deepEqual([await it.status(late), await it.status(early), await it.status(unbegun)], ['waiting', 'waiting', 'waiting']);
  await it.sql(`update svc.run set started_at = started_at - interval '2 minutes', due_at = now() where id = '${late}'`);
  await it.work();
  assert.equal((await it.run(late)).errorCode, 'TIMEOUT');
});

test('functions run inline, as a whole or not at all, and may ask outside first', async () => {
  await it.flows({
    twice: { kind: 'function', returns: "select jsonb_build_object('sum', $1 #> '{steps,b,title}')",
      steps: [insert('a', "$1 #>> '{input,x}'"), insert('b', "nullif(($1 #>> '{input,x}') || '2', 'bad2')")] },
    asks: { kind: 'function', steps: [step('http', 'get', "jsonb_build_object('url', 'u')"), insert('a', "$1 #>> '{steps,get,body}'"), step('return', 'r', "$1 #> '{steps,a,title}'")] },
    refuses: { kind: 'function', steps: [insert('a', "'gone'"), step('fail', 'no', "to_jsonb('Not today.'::text)")] },
    deep: { kind: 'function', steps: [step('call', 'again', "'{}'::jsonb", { function: 'deep' })] },
    w: { steps: [step('call', 'f', "jsonb_build_object('x', $1 #> '{input,x}')", { function: 'twice', retry: { max: 1, base: 1, factor: 1, cap: 1 } }),
      step('call', 'g', "'{}'::jsonb", { function: 'asks' }), insert('end', "$1 #>> '{steps,g}'")] },
    bad: { steps: [step('call', 'f', "'{}'::jsonb", { function: 'refuses' })] },
    down: { steps: [step('call', 'f', "'{}'::jsonb", { function: 'deep' })] },
    starts: { steps: [step('call', 'f', "jsonb_build_object('x', 'y')", { workflow: 'w' })] },
  });
  assert.deepEqual(await it.worker.json(`select svc.run_function('twice', '{"input": {"x": "q"}}')`), { done: true, result: { sum: 'q2' } });
  assert.deepEqual(await it.refused(`select svc.run_function('refuses', '{}')`), { code: 'SV422', message: 'Not today.' });
  assert.equal((await it.refused(`select svc.run_function('nothing', '{}')`)).code, 'SV404');
  assert.equal(await it.titles(), 'q,q2');
  await it.sql('truncate public.item');
  const asked = await it.worker.json(`select svc.run_function('asks', '{"input": {}}')`);
  assert.equal(asked.outside.path, 'get');
  const state = JSON.stringify({ ...asked.state, result: { path: 'get', ok: true, output: { body: 'B' } } });
  assert.deepEqual(await it.worker.json(`select svc.run_function('asks', '${state}')`), { done: true, result: 'B' });
  // Its definition was deleted meanwhile: it is not taken for one that has nothing to do.
  assert.equal((await it.refused(`select svc.run_function('asks', '${JSON.stringify({ ...asked.state, hash: 'gone' })}')`)).code, 'SV404');
  const [run, broken, bad, down] = [await it.start('w', { x: 'v' }), await it.start('w', { x: 'bad' }), await it.start('bad'), await it.start('down')];
  const keys = [];
  await it.work(({ idempotencyKey, path }) => { keys.push(`${idempotencyKey} ${path}`); return { ok: true, output: { body: 'in' } }; });
  assert.deepEqual(keys, [`${run}/g/get g.get`]);
  assert.equal(await it.titles(), 'B,v,v2,in,in');
  assert.equal((await it.run(broken)).errorCode, '23502');
  assert.deepEqual([(await it.run(bad)).status, (await it.run(bad)).errorCode], ['dead', 'FUNCTION_FAILED']);
  assert.equal((await it.run(down)).errorCode, 'CALL_DEPTH');
  const starts = await it.start('starts');
  await it.work(() => ({ ok: true, output: { body: 'in' } }));
  const { runId } = (await outputs(starts)).f;
  assert.deepEqual([await it.status(runId), (await it.run(runId)).depth], ['succeeded', 1]);
});

test('what a function was answered before its writes is at most 8 MiB', async () => {
  const get = step('http', 'get', "jsonb_build_object('url', 'u')", { for: { as: 'n', list: "select '[1, 2, 3, 4, 5, 6, 7, 8, 9]'::jsonb" } });
  await it.flows({ many: { kind: 'function', steps: [get, insert('a', "'a'")] } });
  let asked = await it.worker.json(`select svc.run_function('many', '{"input": {}}')`);
  const answered = () => `svc.run_function('many', ${literal(JSON.stringify(asked.state))}::jsonb || jsonb_build_object('result',
    jsonb_build_object('path', '${asked.outside.path}', 'ok', true, 'output', jsonb_build_object('body', repeat('x', 1000000)))))`;
  for (let n = 0; n < 8; n += 1) asked = await it.worker.json(`select ${answered()}`);
  assert.equal(asked.outside.path, 'get[8]');
  await it.flows({ many: { kind: 'function', steps: [get, { ...get, id: 'more' }] } });
  asked.state.hash = `many ${it.version}`;
  const { code, message } = await it.refused(`select ${answered()}`);
  assert.deepEqual([code, /8 MiB/.test(message)], ['SVBIG', true]);
});

test('mails and messages are rows of the step', async () => {
  await it.flows({ w: { steps: [step('email', 'mail', `'{"to": ["a@example.test", "b@example.test"], "subject": "Hi\\nBcc: c", "text": "t"}'::jsonb`),
    step('publish', 'say', `'{"topic": "app:x", "payload": {"a": 1}}'::jsonb`)] } });
  const run = await it.start('w');
  await it.work();
  assert.equal(await it.status(run), 'succeeded');
  assert.deepEqual(await it.sql("select recipient || '|' || subject from svc.mail order by id"), ['a@example.test|Hi Bcc: c', 'b@example.test|Hi Bcc: c']);
  assert.deepEqual(await it.sql("select topic || payload::text || seq from svc.topic_message"), [`app:x{"a": 1}${(await outputs(run)).say.id}`]);
});

test('no step publishes to a topic of the servers, whatever its name is made of', async () => {
  const say = step('publish', 'say', "jsonb_build_object('topic', ($1 #>> '{input,a}') || ':' || ($1 #>> '{input,b}'), 'payload', 1)");
  await it.flows({ w: { steps: [say] }, f: { kind: 'function', steps: [say] } });
  const reserved = [['app:notifications', '00000000-0000-7000-8000-000000000001'], ['row-changed', 'item'], ['svc', 'account']];
  const before = await it.count('svc.topic_message');
  for (const [a, b] of reserved) {
    const dead = await it.run(await it.start('w', { a, b }).then(async (id) => { await it.work(); return id; }));
    assert.deepEqual([dead.status, dead.errorCode], ['dead', 'PARAMS_INVALID']);
    assert.match(dead.error, new RegExp(`^A step may not publish to "${a}:${b}"\\.`));
    assert.equal((await it.refused(`select svc.run_function('f', '{"input": {"a": "${a}", "b": "${b}"}}')`, it.names.system)).code, 'SV400');
  }
  assert.equal(await it.count('svc.topic_message'), before);
  const run = await it.start('w', { a: 'app:notification', b: 's' });
  await it.work();
  assert.equal(await it.status(run), 'succeeded');
});

test('a mail to nobody, or to what is no address, is a failed step', async () => {
  const mail = (to) => ({ steps: [step('email', 'mail', `'{"to": ${to}, "subject": "Hi", "text": "t"}'::jsonb`)] });
  await it.flows({ nobody: mail('[]'), wrong: mail('["a@example.test", "nowhere"]'),
    call: { kind: 'function', ...mail('[]') }, calls: { steps: [step('call', 'sub', "'{}'::jsonb", { function: 'call' })] } });
  await it.sql('delete from svc.mail');
  const ends = [];
  for (const name of ['nobody', 'wrong', 'calls']) {
    const run = await it.start(name);
    await it.work();
    const { status, errorCode, steps } = await it.run(run);
    ends.push([status, errorCode, steps.map((one) => one.status).join()]);
  }
  assert.deepEqual(ends, Array(3).fill(['dead', 'PARAMS_INVALID', 'failed']));
  assert.deepEqual(await it.sql('select recipient from svc.mail'), []);
});

test('a refusal has the code that a caller gets', async () => {
  const once = { retry: { max: 1, base: 1, factor: 1, cap: 1 } };
  await it.sql('create table if not exists public.one (n integer unique); insert into public.one values (1) on conflict do nothing; alter table public.one owner to ' + it.names.owner);
  await it.flows({
    stranger: { steps: [insert('no', "'of nobody'", { runAs: 'persona:clerk', principals: 'clerk,staff,signed_in', ...once })] },
    taken: { steps: [step('create', 'no', "with w as (insert into public.one values (1) returning *) select to_jsonb(w) from w", once)] },
  });
  const runs = [await it.start('stranger'), await it.start('taken')];
  await it.work();
  const ends = [];
  for (const id of runs) ends.push(`${await it.status(id)} ${(await it.run(id)).errorCode}`);
  assert.deepEqual(ends, ['dead ROW_FORBIDDEN', 'dead CONFLICT']);
});

test('steps have the rights of whom they run as', async () => {
  const ann = '00000000-0000-7000-8000-000000000001';
  const all = "jsonb_build_object('rows', (select count(*) from public.item), 'user', svc.user_id(), 'names', current_setting('svc.principals'), 'claims', current_setting('svc.claims')::jsonb)";
  await it.flows({ w: { steps: [insert('own', "'of nobody'"), step('set', 'system', all), step('set', 'actor', all, { runAs: 'actor' }),
    step('set', 'persona', all, { runAs: 'persona:clerk', principals: 'clerk,staff,signed_in' })] } }, { personas: { member: 'member,consumer,signed_in' } });
  const run = await it.start('w', {}, `, '${ann}'`);
  const nobody = await it.start('w');
  await it.work();
  const seen = await outputs(run);
  assert.deepEqual(seen.system, { rows: 1, user: ann, names: 'server', claims: {} });
  assert.deepEqual(seen.actor, { rows: 0, user: ann, names: 'member,consumer,signed_in', claims: { isAdmin: false, persona: 'member', email: 'ann@example.test' } });
  assert.deepEqual(seen.persona, { rows: 0, user: null, names: 'clerk,staff,signed_in', claims: { isAdmin: false, persona: 'clerk' } });
  assert.equal((await it.run(nobody)).errorCode, 'ACTOR_GONE');
  const late = await it.start('w', {}, `, '${ann}'`);
  await it.sql('update svc.account set disabled = true');
  await it.work();
  assert.equal((await it.run(late)).errorCode, 'ACTOR_GONE');
  await it.sql('update svc.account set disabled = false');
});

test('a write that the rights of a step do not allow is refused in plain words', async () => {
  const ann = '00000000-0000-7000-8000-000000000001';
  await it.flows({ w: { steps: [insert('a', "'of nobody'", { runAs: 'actor', retry: { max: 1, base: 1, factor: 1, cap: 1 } })] } }, { personas: { member: 'member' } });
  const id = await it.start('w', {}, `, '${ann}'`);
  await it.work();
  const run = await it.run(id);
  assert.deepEqual([run.status, run.errorCode, run.error, run.steps[0].error],
    ['dead', 'ROW_FORBIDDEN', ...Array(2).fill('Whoever this step runs as may not write this row of item.')]);
});
