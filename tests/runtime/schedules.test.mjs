// Schedules of a contract over live app servers: each time starts one run, whichever servers run.
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { adminSession, databaseOf, sql as query } from '../lib/admin_sql.mjs';
import { Stack, appServers, until } from '../lib/stack.mjs';

const steps = [{ id: 'row', create: { entity: 'item', data: { title: 'ticked' } } }];
const contract = {
  app: { name: 'Schedules', timezone: 'Europe/Paris' },
  entities: [{ name: 'item', owner: 'none', fields: [{ name: 'title', type: 'string' }], access: { read: ['*'] } }],
  workflows: [
    { id: 'often', on: { every: '1s' }, steps },
    { id: 'all_of_them', on: { every: '1s' }, catchUp: 'all', steps },
    { id: 'daily', on: { cron: '0 9 * * *' }, steps },
    { id: 'never_late', on: { cron: '* * * * *', tz: 'UTC' }, catchUp: 'skip', steps },
  ],
  seeds: {},
};

let stack, app;
const sql = (text) => query(stack, databaseOf(app), text);
const ticks = (workflow) => sql(`select extract(epoch from planned_at), run from svc.tick where workflow = '${workflow}' order by planned_at`);
const gaps = (of) => of.slice(1).map(([at], i) => Math.round((at - of[i][0]) * 1e6));

before(async () => {
  stack = await Stack.start();
  await stack.signIn();
  app = await stack.project('Schedules');
  await stack.apply(app, contract);
});
after(() => stack?.stop());

test('each time of a schedule starts one run', async () => {
  await until('four ticks', () => ticks('often').length >= 4);
  const found = ticks('often');
  assert.deepEqual([...new Set(gaps(found))], [1e6]);
  assert.equal(new Set(found.map(([, run]) => run)).size, found.length);
});

test('the next time of cron is that of its zone', () => {
  const [[hour, ahead]] = sql(`select extract(hour from next_at at time zone 'Europe/Paris'), next_at > now() and next_at < now() + interval '25 hours'
    from svc.schedule where workflow = 'daily'`);
  assert.deepEqual([hour, ahead], ['9', 't']);
});

test('developers are shown the next ten times, on the clocks of the zone', async () => {
  const { workflows } = (await stack.dev('GET', `/projects/${app.id}/workflows`, undefined, { expect: 200 })).json;
  const { schedules } = (await stack.dev('POST', `/projects/${app.id}/check`, { contract }, { expect: 200 })).json;
  const of = (list, key, id) => list.find((one) => one[key] === id);
  assert.deepEqual(schedules.map((s) => [s.workflow, s.cron ?? s.every, s.zone, s.next.length]), [
    ['often', 1, 'UTC', 10], ['all_of_them', 1, 'UTC', 10], ['daily', '0 9 * * *', 'Europe/Paris', 10], ['never_late', '* * * * *', 'UTC', 10]]);
  for (const { next } of [of(schedules, 'workflow', 'daily'), of(workflows, 'id', 'daily')]) {
    assert.ok(next.every((time) => /^20\d\d-\d\d-\d\dT09:00:00\+0[12]:00$/.test(time)), next.join());
    const [[planned]] = sql("select extract(epoch from next_at)::bigint from svc.schedule where workflow = 'daily'");
    assert.equal(Date.parse(next[0]) / 1000, Number(planned));
  }
  assert.deepEqual([of(workflows, 'id', 'often').zone, of(workflows, 'id', 'often').next.length], ['UTC', 10]);
  const hourly = { ...contract, workflows: [{ id: 'hourly', on: { every: '1h' }, steps }, { id: 'by_hand', on: { manual: true }, steps }] };
  const [only, ...others] = (await stack.dev('POST', `/projects/${app.id}/check`, { contract: hourly })).json.schedules;
  assert.deepEqual([only.workflow, only.every, others], ['hourly', 3600, []]);
  assert.ok(Date.parse(only.next[1]) - Date.parse(only.next[0]) === 3.6e6);
});

test('missed times: the newest once, all, or none', async () => {
  // Moves the schedules back, as if no server had run: the next server finds the times of an hour. Times of "every"
  // count from the first apply, which moves back too.
  const back = "update svc.schedule set since = since - interval '200 seconds', after = now() - interval '150 seconds', next_at = now() - interval '150 seconds' where workflow in ('often', 'all_of_them');"
    + "update svc.schedule set after = now() - interval '1 hour', next_at = now() - interval '1 hour' where workflow = 'never_late'";
  for (const { pid } of appServers(app)) process.kill(pid, 'SIGSTOP');
  const stopped = appServers(app).map(({ pid }) => pid);
  sql(`delete from svc.tick; ${back}`);
  for (const pid of stopped) process.kill(pid, 'SIGKILL');
  await until('the missed ticks of all', () => ticks('all_of_them').length > 100);
  await until('ticks again', () => ticks('often').length > 3);
  assert.deepEqual([...new Set(gaps(ticks('all_of_them')))], [1e6]);
  assert.deepEqual([...new Set(gaps(ticks('often')))], [1e6], 'of the missed ones the newest, then each');
  assert.ok(ticks('often').length < 60);
  assert.ok(ticks('never_late').length <= 2);
});

// The first of many times waits for a lock, and its connection ends meanwhile: nobody knows whether it started a run.
test('a time whose start got no answer is not passed over by the times after it', async () => {
  const [{ pid }] = appServers(app);
  const holder = adminSession(stack, databaseOf(app));
  let begin;
  const waiting = "from pg_stat_activity where wait_event_type = 'Lock' and query like '%svc.tick_schedule%' and datname = current_database()";
  try {
    process.kill(pid, 'SIGSTOP');
    const [[after]] = sql(`delete from svc.tick; update svc.schedule set since = since - interval '40 seconds', after = now() - interval '20 seconds',
      next_at = now() - interval '20 seconds' where workflow = 'all_of_them' returning extract(epoch from after)`);
    begin = Number(after);
    await holder.run("begin; select from svc.schedule where workflow = 'all_of_them' for update");
    process.kill(pid, 'SIGCONT');
    await until('a start that waits', () => sql(`select pid ${waiting}`).length > 0);
    sql(`select pg_terminate_backend(pid) ${waiting}`);
    await holder.run('commit');
  } finally {
    process.kill(pid, 'SIGCONT');
    holder.close();
  }
  await until('the times after it', () => ticks('all_of_them').length > 20);
  assert.deepEqual([...new Set(gaps(ticks('all_of_them')))], [1e6]);
  assert.ok(ticks('all_of_them')[0][0] - begin <= 1, 'the first one as well');
});

test('a time whose start finds the disk full is kept', async () => {
  const after = Number(sql(`create sequence public.tried;
    create function public.disk_full() returns trigger language plpgsql security definer as $$ begin
      perform nextval('public.tried'); raise exception 'the disk is full' using errcode = '53100'; end $$;
    lock table svc.tick in access exclusive mode; delete from svc.tick;
    create trigger disk_full before insert on svc.tick for each row when (new.workflow = 'all_of_them') execute function public.disk_full();
    select extract(epoch from after) from svc.schedule where workflow = 'all_of_them'`).at(-1)[0]);
  try {
    await until('two starts that fail', () => Number(sql('select last_value from public.tried')[0][0]) >= 2);
  } finally {
    sql('drop trigger disk_full on svc.tick; drop function public.disk_full(); drop sequence public.tried');
  }
  await until('the times after it', () => ticks('all_of_them').length > 3);
  assert.deepEqual([...new Set(gaps(ticks('all_of_them')))], [1e6]);
  assert.ok(ticks('all_of_them')[0][0] - after <= 1, 'the first one as well');
});

test('a time whose start fails for good passes, and is not asked for again', async () => {
  sql(`create sequence public.tried;
    create function public.refuse() returns trigger language plpgsql security definer as $$ begin
      perform nextval('public.tried'); raise exception 'never'; end $$;
    lock table svc.tick in access exclusive mode; delete from svc.tick;
    create trigger refuse before insert on svc.tick for each row when (new.workflow = 'all_of_them') execute function public.refuse()`);
  const tried = () => Number(sql('select last_value from public.tried')[0][0]);
  let seconds, count;
  try {
    await until('three starts that fail', () => tried() >= 3);
    const [from, began] = [tried(), Date.now()];
    await until('three more', () => tried() >= from + 3);
    [count, seconds] = [tried() - from, (Date.now() - began) / 1000];
  } finally {
    sql('drop trigger refuse on svc.tick; drop function public.refuse(); drop sequence public.tried');
  }
  assert.ok(count <= seconds + 2, `${count} starts in ${seconds} s: each time is asked for once`);
  await until('the times after it', () => ticks('all_of_them').length > 2);
  assert.deepEqual([...new Set(gaps(ticks('all_of_them')))], [1e6]);
});
