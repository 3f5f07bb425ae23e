-- Functions for people who cancel, replay and read runs, and for deleting old ones. Run after schedules.sql.

-- False: there is none, or it had ended.
create or replace function svc.cancel_run(p_run uuid) returns boolean language plpgsql security definer
set search_path = pg_catalog, pg_temp as $$
begin
    return svc.end_run(p_run, 'cancelled', 'Somebody cancelled it.', 'CANCELLED');
end
$$;

-- A dead letter that never began, because its start was refused: its condition, its key and its place are asked for
-- now. False: it stays ended, and its error says why.
create or replace function svc.begins_again(r svc.run, def jsonb) returns boolean language plpgsql
set search_path = pg_catalog, pg_temp as $$
declare
    asked record;
    known uuid;
begin
    select * into asked from svc.ask_start(def, r.given, r.actor, true, r.key);
    if asked.code is null and asked.starts and asked.its_key is not null then
        known := svc.take_key(r.id, r.workflow, asked.its_key, (def ->> 'keyFor')::integer);
    end if;
    if asked.code is null and asked.starts and known is null then
        update svc.run set key = asked.its_key, slot = asked.its_slot where id = r.id;
        return true;
    end if;
    update svc.run set ended_at = clock_timestamp(), error_code = coalesce(asked.code, 'SKIPPED'),
        status = case when asked.code is null then 'cancelled' else 'dead' end,
        error = coalesce(asked.failure, 'The run ' || known || ' has its key.', 'Its condition does not hold.')
    where id = r.id;
    return false;
end
$$;

-- Dead letters go on as the same runs from the step that failed, with attempts of their own. All of them, or these. How
-- many go on. One whose condition took too long begins without it: to ask it would hold up all the others.
create or replace function svc.replay_runs(p_runs uuid[] default null) returns integer language plpgsql security definer
set search_path = pg_catalog, pg_temp as $$
declare
    r svc.run;
    def jsonb;
    n integer := 0;
begin
    for r in
        select * from svc.run d where d.error_code is not null and d.status in ('dead', 'failed')
            and (p_runs is null or d.id = any (p_runs)) order by d.id for update
    loop
        select d.body into def from svc.definition d where d.hash = r.hash;
        if r.started_at is null and r.error_code <> 'TIMEOUT' and def ?| '{if,key,concurrency}' then
            continue when not svc.begins_again(r, def);
            select d.slot into r.slot from svc.run d where d.id = r.id;
        elsif r.key is not null and svc.take_key(r.id, r.workflow, r.key, (def ->> 'keyFor')::integer) <> r.id then
            continue;  -- another run has its key by now, and stands for it
        end if;
        n := n + 1;
        update svc.run set status = 'queued', due_at = clock_timestamp(), ended_at = null, error = null,
            error_code = null, kills = 0, started_at = null, depth = least(depth, 8),
            -- The innermost frame counts its attempts from here on.
            place = case when jsonb_array_length(r.place -> 'frames') > 0 then
                jsonb_set(r.place, '{frames,-1,f}', r.place #> '{frames,-1,a}') end
        where id = r.id;
        if r.slot is not null and not svc.take_slot(r.id, r.workflow, r.slot,
                coalesce((def #>> '{concurrency,limit}')::integer, 1), 'queue') then
            raise exception 'No place for run %.', r.id;
        end if;
    end loop;
    return n;
end
$$;

create or replace function svc.run_json(r svc.run) returns jsonb language sql stable
set search_path = pg_catalog, pg_temp
return jsonb_build_object('id', r.id, 'workflow', r.workflow, 'status', r.status, 'trigger', r.trigger,
    'input', r.given -> 'input', 'actor', r.actor, 'depth', r.depth, 'key', r.key, 'result', r.result,
    'error', r.error, 'errorCode', r.error_code,
    'failedStep', case when r.error_code is not null then r.place -> 'path' end,
    'dueAt', svc.iso_time(case when r.owner is null then r.due_at end), 'createdAt', svc.iso_time(r.created_at),
    'startedAt', svc.iso_time(r.started_at), 'endedAt', svc.iso_time(r.ended_at));

create or replace function svc.run_steps(p_run uuid) returns jsonb language sql stable security definer
set search_path = pg_catalog, pg_temp as $$
    select coalesce(jsonb_agg(jsonb_build_object('path', s.path, 'attempt', s.attempt, 'kind', s.kind,
        'status', s.status, 'output', s.output, 'error', s.error, 'errorCode', s.error_code,
        'startedAt', svc.iso_time(s.started_at),
        'endedAt', svc.iso_time(s.ended_at)) order by s.started_at, s.path, s.attempt), '[]')
    from (select * from svc.step t where t.run = p_run order by t.started_at, t.path, t.attempt limit 1000) s;
$$;

-- The newest first, before `p_before` where that is given. Status dlq: what stands in the dead-letter queue.
create or replace function svc.list_runs(p_workflow text default null, p_status text default null,
                                         p_before uuid default null, p_limit integer default 50)
returns setof jsonb language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
    if p_status = 'dlq' then
        return query select svc.run_json(r) from svc.run r
            where r.error_code is not null and r.status in ('dead', 'failed')
                and (p_workflow is null or r.workflow = p_workflow) and (p_before is null or r.id < p_before)
            order by r.id desc limit p_limit;
        return;
    end if;
    return query select svc.run_json(r) from svc.run r
        where (p_workflow is null or r.workflow = p_workflow) and (p_status is null or r.status = p_status)
            and (p_before is null or r.id < p_before)
        order by r.id desc limit p_limit;
end
$$;

create or replace function svc.read_run(p_run uuid) returns jsonb language sql stable security definer
set search_path = pg_catalog, pg_temp as $$
    select svc.run_json(r) || jsonb_build_object('steps', svc.run_steps(r.id)) from svc.run r where r.id = p_run;
$$;

-- Counts of what lives, by status, of what a restore holds, of the dead-letter queue, and how far behind the oldest due
-- run is, in seconds.
create or replace function svc.runs_metrics() returns jsonb language sql stable security definer
set search_path = pg_catalog, pg_temp as $$
    select jsonb_build_object(
        'live', (select coalesce(jsonb_object_agg(s.status, s.n), '{}') from (
            select r.status, count(*) as n from svc.run r where r.due_at is not null group by r.status) s),
        'held', (select count(*) from svc.run r where r.due_at is null and r.ended_at is null and r.status = 'held'),
        'inLine', (select count(*) from svc.slot s join svc.run r on r.id = s.run
                   where not s.holds and r.status = 'queued'),
        'dead', (select count(*) from svc.run r where r.error_code is not null and r.status in ('dead', 'failed')),
        'deliveries', (select count(*) from svc.delivery d where d.status in ('waiting', 'sending')),
        'lag', (select coalesce(extract(epoch from clock_timestamp() - min(r.due_at)), 0) from svc.run r
                where r.due_at <= clock_timestamp() and r.owner is null),
        'processes', (select count(*) from svc.process))
$$;

-- The least id that could have been made then.
create or replace function svc.id_of(p_at timestamptz) returns uuid language sql immutable
set search_path = pg_catalog, pg_temp
return (encode(int8send((extract(epoch from p_at) * 1000)::bigint << 16), 'hex') || '0000000000000000')::uuid;

-- Runs that ended thirty days ago, dead letters that nobody replayed for ninety, and what belonged to them. A part at a
-- time, which stops after five seconds: a run may have very many steps. Any number of servers may do it at the same
-- time. How many. After the last part goes what else is over.
create or replace function svc.purge_runs() returns integer language plpgsql security definer
set search_path = pg_catalog, pg_temp as $$
declare
    most constant integer := 2000;
    one uuid;
    n integer := 0;
begin
    for one in
        select r.id from svc.run r
        where r.ended_at < now()
                - case when r.status in ('dead', 'failed') then interval '90 days' else interval '30 days' end
            and r.id < svc.id_of(now() - interval '30 days')
        order by r.id limit most for update skip locked
    loop
        delete from svc.step where run = one;
        delete from svc.element where run = one;
        delete from svc.run where id = one;
        n := n + 1;
        exit when clock_timestamp() > statement_timestamp() + interval '5 seconds';
    end loop;
    if n = 0 then
        perform svc.purge_beside_runs();
    end if;
    return n;
end
$$;

-- A definition goes a day after nobody needed it any more: a transaction that is under way may begin a run of it.
create or replace function svc.purge_beside_runs() returns void language plpgsql
set search_path = pg_catalog, pg_temp as $$
declare
    quick text;
begin
    delete from svc.run_key k where k.until < now() and not exists (select from svc.run r where r.id = k.run);
    delete from svc.tick where planned_at < now() - interval '30 days';
    with needed as (
        select d.hash, exists (select from svc.flow f where f.hash = d.hash)
            or exists (select from svc.run r where r.workflow = d.name and r.hash = d.hash) as it_is
        from svc.definition d)
    update svc.definition d set idle_since = case when not n.it_is then now() end
    from needed n where n.hash = d.hash and (d.idle_since is null) <> n.it_is;
    for quick in
        delete from svc.definition d where d.idle_since < now() - interval '1 day' returning d.quick ->> 'name'
    loop
        continue when quick is null;
        execute format('drop function if exists svc.%I(jsonb, uuid)', quick);
    end loop;
end
$$;

revoke all on function svc.cancel_run, svc.begins_again, svc.replay_runs, svc.run_json,
    svc.run_steps, svc.list_runs, svc.read_run, svc.runs_metrics, svc.id_of, svc.purge_runs,
    svc.purge_beside_runs from public;
grant execute on function svc.cancel_run, svc.replay_runs, svc.run_steps, svc.list_runs, svc.read_run,
    svc.runs_metrics, svc.purge_runs to :system_role;
-- Elements of loops that belong to no run: an earlier version left those of functions behind. It looks at one of each
-- run, and stops after five seconds.
create or replace function svc.purge_elements() returns void language plpgsql
set search_path = pg_catalog, pg_temp as $$
declare
    one uuid := '00000000-0000-0000-0000-000000000000';
begin
    loop
        select e.run into one from svc.element e where e.run > one order by e.run limit 1;
        exit when not found or clock_timestamp() > statement_timestamp() + interval '5 seconds';
        if not exists (select from svc.run r where r.id = one) then
            delete from svc.element e where e.run = one;
        end if;
    end loop;
end
$$;

    perform svc.purge_elements();
