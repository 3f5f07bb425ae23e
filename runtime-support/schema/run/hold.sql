-- Functions for people who cancel, replay and read runs, and for deleting old ones. Run after schedules.sql.

-- False: there is none, or it had ended.
create or replace function svc.cancel_run(p_run uuid) returns boolean language plpgsql security definer
set search_path = pg_catalog, pg_temp as $$
begin
    return svc.end_run(p_run, 'cancelled', 'Somebody cancelled it.', 'CANCELLED');
end
$$;

-- A dead letter that never began, because its start was refused: its condition, its key and its place are asked for
-- now. False: it stays ended, and its error says why. Once one has taken too long in this statement, no other is asked:
-- no limit would hold for it.
create or replace function svc.begins_again(r svc.run, def jsonb) returns boolean language plpgsql
set search_path = pg_catalog, pg_temp as $$
declare
    asked record;
    known uuid;
begin
    if current_setting('svc.gives_up', true) = 'on' then
        return false;
    end if;
    select * into asked from svc.ask_start(def, r.given, r.actor, r.error_code <> 'NOT_ASKED', r.key);
    if asked.code is null and asked.starts and asked.its_key is not null then
        known := svc.take_key(r.id, r.workflow, asked.its_key, (def ->> 'keyFor')::bigint);
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

-- A dead letter goes on as the same run from the step that failed, with attempts of its own. False: it does not. One
-- whose condition took too long begins without it: to ask it would hold up all the others.
create or replace function svc.replay_run(r svc.run) returns boolean language plpgsql
set search_path = pg_catalog, pg_temp as $$
declare
    def jsonb;
begin
    select d.body into def from svc.definition d where d.hash = r.hash;
    if r.started_at is null and r.error_code <> 'TIMEOUT' and def ?| '{if,key,concurrency}' then
        if not svc.begins_again(r, def) then
            return false;
        end if;
        select d.slot into r.slot from svc.run d where d.id = r.id;
    elsif r.key is not null and svc.take_key(r.id, r.workflow, r.key, (def ->> 'keyFor')::bigint) <> r.id then
        return false;  -- another run has its key by now, and stands for it
    end if;
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
    return true;
end
$$;

-- Dead letters, all of them or these, go on. How many do.
create or replace function svc.replay_runs(p_runs uuid[] default null) returns integer language plpgsql security definer
set search_path = pg_catalog, pg_temp as $$
declare
    r svc.run;
    n integer := 0;
begin
    for r in
        select * from svc.run d where d.error_code is not null and d.status in ('dead', 'failed')
            and (p_runs is null or d.id = any (p_runs)) order by d.id for update
    loop
        n := n + svc.replay_run(r)::integer;
    end loop;
    return n;
end
$$;

-- The same for the next thousand dead letters after `p_after` (null: from the first). Whoever replays all asks for one
-- part after the other, a transaction each: each place of a concurrency key is a lock until its end, and PostgreSQL
-- has room for some thousands. `replayed`: how many go on. `reached`: the last one; null: no more come after it.
-- `p_leaves_last`: if no more than this part would come, nothing is done.
create or replace function svc.replay_part(p_after uuid, p_leaves_last boolean default false, out replayed integer,
                                           out reached uuid)
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
    most constant integer := 1000;
    r svc.run;
    seen integer := 0;
begin
    replayed := 0;
    if p_leaves_last and (select count(*) from (
            select from svc.run d where d.error_code is not null and d.status in ('dead', 'failed')
                and (p_after is null or d.id > p_after) limit most) s) < most then
        return;
    end if;
    for r in
        select * from svc.run d where d.error_code is not null and d.status in ('dead', 'failed')
            and (p_after is null or d.id > p_after) order by d.id limit most for update
    loop
        seen := seen + 1;
        replayed := replayed + svc.replay_run(r)::integer;
        reached := r.id;
    end loop;
    if seen < most then
        reached := null;
    end if;
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

-- The output of a step as people see it. A run may have a thousand steps, each with a megabyte.
create or replace function svc.shown_output(p_output jsonb) returns jsonb language plpgsql immutable
set search_path = pg_catalog, pg_temp as $$
declare
    size integer := octet_length(p_output::text);
begin
    if size > 65536 then
        return jsonb_build_object('omitted', format('This output has %s bytes. At most 65536 are shown.', size));
    end if;
    return p_output;
end
$$;

create or replace function svc.run_steps(p_run uuid) returns jsonb language sql stable security definer
set search_path = pg_catalog, pg_temp as $$
    select coalesce(jsonb_agg(jsonb_build_object('path', s.path, 'attempt', s.attempt, 'kind', s.kind,
        'status', s.status, 'output', svc.shown_output(s.output), 'error', s.error, 'errorCode', s.error_code,
        'startedAt', svc.iso_time(s.started_at),
        'endedAt', svc.iso_time(s.ended_at)) order by s.started_at, s.path, s.attempt), '[]')
    from (select * from svc.step t where t.run = p_run order by t.started_at, t.path, t.attempt limit 1000) s;
$$;

-- The newest first, before `p_before` where that is given. Status dlq: what stands in the dead-letter queue, with the
-- number of attempts at the step that failed.
create or replace function svc.list_runs(p_workflow text default null, p_status text default null,
                                         p_before uuid default null, p_limit integer default 50)
returns setof jsonb language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
    if p_status = 'dlq' then
        return query select svc.run_json(r) || jsonb_build_object('attempts',
                (select count(*) from svc.step s where s.run = r.id and s.path = r.place ->> 'path'))
            from svc.run r
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

create or replace function svc.has_run(p_run uuid) returns boolean language sql stable security definer
set search_path = pg_catalog, pg_temp as $$
    select exists (select from svc.run r where r.id = p_run);
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

-- A definition goes a day after nobody needed it any more: a transaction that is under way may begin a run of it.
create or replace function svc.purge_beside_runs() returns void language plpgsql
set search_path = pg_catalog, pg_temp as $$
declare
    quick text;
begin
    perform svc.purge_elements();
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

revoke all on function svc.cancel_run, svc.begins_again, svc.replay_run, svc.replay_runs, svc.replay_part, svc.run_json,
    svc.shown_output, svc.run_steps, svc.list_runs, svc.has_run, svc.read_run, svc.runs_metrics, svc.id_of,
    svc.purge_runs, svc.purge_elements, svc.purge_beside_runs from public;
grant execute on function svc.cancel_run, svc.replay_runs, svc.replay_part, svc.run_steps, svc.list_runs, svc.has_run,
    svc.read_run, svc.runs_metrics, svc.purge_runs to :system_role;
