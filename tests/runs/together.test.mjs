// Several runs in one transaction: who shares it, who is left out, and what one of them may do to the others.
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { Engine, http, insert, step } from '../lib/engine.mjs';

let it;
before(async () => { it = await Engine.start(); await it.items(); });
after(() => it.stop());
test.beforeEach(() => it.empty());

async function together(claims, slow = '{}', by = it.worker) {
  const list = (name) => `'{${claims.map((claim) => claim[name])}}'`;
  const rows = await by.run(`select a.run || '|' || coalesce(a.answer::text, to_jsonb(a.hash)::text)
    from svc.advance_all(${claims[0].owner}, ${list('run')}, ${list('fence')}, '${slow}') a`);
  return new Map(rows.map((row) => row.split(/\|(.*)/)).map(([run, answer]) => [run, JSON.parse(answer)]));
}
const states = (answers, runs) => runs.map((run) => answers.get(run)?.state ?? 'left out');

test('runs in one transaction advance as far as each would alone', async () => {
  await it.flows({
    ends: { steps: [insert('a', "'a'")] },
    asks: { steps: [insert('b', "'b'"), http('ask')] },
    fails: { steps: [insert('c', "'c'"), step('fail', 'no', "to_jsonb('No.'::text)")] },
  });
  const runs = [await it.start('ends'), await it.start('asks'), await it.start('fails')];
  const claims = await it.claim();
  const answers = await together(claims);
  assert.deepEqual(states(answers, runs), ['ended', 'outside', 'ended']);
  assert.equal(answers.get(runs[1]).path, 'ask');
  assert.deepEqual(await Promise.all(runs.map((run) => it.status(run))), ['succeeded', 'running', 'failed']);
  assert.equal(await it.titles(), 'a,b,c');
  const asks = claims.find(({ run }) => run === runs[1]);
  assert.equal((await it.advance(asks, { path: 'ask', ok: true, output: {} })).status, 'succeeded');
});

test('one that others have by now is lost, and changes nothing for the rest', async () => {
  await it.flows({ w: { steps: [insert('a', "'a'")] } });
  const runs = [await it.start('w'), await it.start('w')];
  const claims = await it.claim();
  await it.sql(`update svc.run set fence = fence + 1 where id = '${runs[0]}'`);
  assert.deepEqual(states(await together(claims), runs), ['lost', 'ended']);
  assert.equal(await it.titles(), 'a');
});

test('slow definitions and runs with a place of a concurrency key are left out', async () => {
  await it.flows({
    slow: { steps: [insert('a', "'a'")] },
    placed: { steps: [insert('b', "'b'")], concurrency: { key: "select 'k'", limit: 2 } },
    quick: { steps: [insert('c', "'c'")] },
  });
  const runs = [await it.start('slow'), await it.start('placed'), await it.start('quick')];
  const [hash] = await it.sql("select hash from svc.flow where name = 'slow'");
  const claims = await it.claim();
  const answers = await together(claims, `{"${hash}"}`);
  assert.deepEqual(states(answers, runs), ['left out', 'left out', 'ended']);
  assert.deepEqual([answers.get(runs[0]), answers.has(runs[1])], [hash, false], 'the server learns which one is slow');
  assert.deepEqual(await it.worker.run(`select svc.definition_of('${runs[0]}')`), [hash]);
  for (const claim of claims.filter(({ run }) => run !== runs[2])) assert.equal((await it.advance(claim)).status, 'succeeded');
});

test('a step that would wait for a lock makes nobody wait: its run goes on alone', async () => {
  await it.flows({
    locked: { steps: [insert('a', "'a'"), step('update', 'b', "with u as (update public.item set title = 'mine' where title = 'theirs' returning *) select to_jsonb(u) from u")] },
    free: { steps: [insert('c', "'c'")] },
  });
  await it.sql("insert into public.item (title) values ('theirs')");
  const runs = [await it.start('locked'), await it.start('free')];
  const claims = await it.claim();
  const holder = await it.connect();
  await holder.run("begin; select * from public.item where title = 'theirs' for update");
  const answers = await together(claims);
  assert.deepEqual(states(answers, runs), ['again', 'ended']);
  assert.equal(await it.status(runs[1]), 'succeeded');
  const { steps } = await it.run(runs[0]);
  assert.deepEqual(steps.map(({ path, status, attempt }) => ({ path, status, attempt })), [{ path: 'a', status: 'succeeded', attempt: 1 }]);
  await holder.run('rollback');
  assert.equal((await it.advance(claims.find(({ run }) => run === runs[0]))).status, 'succeeded');
  assert.equal(await it.titles(), 'mine,a,c');
});

test('a run that somebody is changing is left out', async () => {
  await it.flows({ w: { steps: [insert('a', "'a'")] } });
  const runs = [await it.start('w'), await it.start('w')];
  const claims = await it.claim();
  const holder = await it.connect();
  await holder.run(`begin; select from svc.run where id = '${runs[0]}' for update`);
  assert.deepEqual(states(await together(claims), runs), ['left out', 'ended']);
  await holder.run('rollback');
});

test('a start that would wait for a lock makes nobody wait, and its run goes on alone', async () => {
  await it.sql('create table if not exists public.gate (open boolean); alter table public.gate owner to ' + it.names.owner);
  const asks = { if: 'not exists (select from public.gate)', steps: [insert('b', "'begun'")] };
  await it.flows({
    calls: { steps: [insert('a', "'a'"), step('call', 'go', "'{}'::jsonb", { workflow: 'asks' })] }, asks,
    fails: { steps: [step('fail', 'no', "to_jsonb('No.'::text)")] }, sorry: { ...asks, trigger: { kind: 'failed', workflow: 'fails' } },
  });
  const holder = await it.connect();
  const tries = async (name, look) => {
    const run = await it.start(name);
    const claim = (await it.claim()).find((one) => one.run === run);
    await holder.run('begin; lock table public.gate');
    await look(claim);
    await holder.run('rollback');
    assert.equal((await it.advance(claim)).state, 'ended');
  };
  await tries('calls', async (claim) => assert.deepEqual(states(await together([claim]), [claim.run]), ['again']));
  // The transaction as a whole: each run of it goes on alone.
  await tries('fails', async ({ run, fence, owner }) =>
    assert.equal((await it.refused(`select svc.advance_all(${owner}, '{${run}}', '{${fence}}', '{}')`, it.names.system))?.code, '55P03'));
  assert.deepEqual(await it.sql("select workflow || ' ' || status from svc.run order by workflow"), ['asks running', 'calls succeeded', 'fails failed', 'sorry queued']);
});
