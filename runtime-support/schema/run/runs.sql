-- Runs of workflows: their tables, and how one begins and ends. Run after flows.sql. docs/design/runs.md says why.

-- Status: queued, running, waiting, succeeded, failed (by a `fail` step), dead, cancelled, held (after a restore).
--
-- An update that changes no indexed column costs no index entry, and most updates are such: to claim a run leaves
-- due_at as it is. Only while nobody owns it does due_at mean something.
create table if not exists svc.run (
    id         uuid primary key default svc.new_id(),  -- sorts by the time at which it began
    workflow   text not null,
    hash       text not null,              -- of its definition
    status     text not null default 'queued',
    due_at     timestamptz,                -- when it is to be worked on; null: by itself never
    owner      bigint,                     -- the process that works on it (svc.process)
    fence      bigint not null default 0,  -- of the last claim
    kills      smallint not null default 0, -- processes that died over it
    depth      smallint not null default 0, -- of the chain of runs that led to it
    actor      uuid,                       -- account that caused it; null: nobody, or a server
    key        text,
    slot       text,                       -- value of concurrency.key
    trigger    jsonb not null,
    given      jsonb not null,             -- input, old, new: never changed
    outputs    jsonb not null default '{}', -- of its steps so far
    place      jsonb,                      -- where it stands (svc.walk); null: at the beginning
    result     jsonb,
    began      pg_snapshot,                -- what had ended before it, where it may wait for messages
    since_seq  bigint,                     -- the change or message that it began with, or the last one before it
    error      text,
    error_code text,
    created_at timestamptz not null default clock_timestamp(),
    started_at timestamptz,
    ended_at   timestamptz
) with (fillfactor = 70);
-- What had ended when it was made, with the transaction that made it: of these, what has a greater number came later.
alter table svc.run add column if not exists opened pg_snapshot;
create index if not exists run_due on svc.run (due_at) where due_at is not null;
create index if not exists run_workflow on svc.run (workflow, id);
create index if not exists run_wrong on svc.run (id) where error_code is not null;
-- What is held, or waits for a place: few. Neither of the columns changes at a claim, nor does any other of this index.
create index if not exists run_idle on svc.run (workflow) where due_at is null and ended_at is null;

create table if not exists svc.step (
    run        uuid not null,
    path       text not null,              -- its id, after those of the steps around it: each[3].tell
    attempt    integer not null,
    kind       text not null,
    status     text not null,              -- running (something outside), succeeded, failed, skipped
    output     jsonb,
    error      text,
    error_code text,
    started_at timestamptz not null default clock_timestamp(),
    ended_at   timestamptz,
    primary key (run, path, attempt)
);

-- The elements of a loop that is under way, fixed when it began, and what came of them.
create table if not exists svc.element (
    run    uuid not null,
    path   text not null,
    n      integer not null,  -- from 0
    value  jsonb,
    output jsonb,
    primary key (run, path, n)
) with (fillfactor = 70);

-- Does this message come after a cursor (svc.changes_since)? One that was committed after `p_upto` does, whatever its
-- number.
drop function if exists svc.is_behind(bigint, xid8, pg_snapshot, pg_snapshot, bigint),
    svc.is_behind(bigint, xid8, jsonb);
create or replace function svc.comes_after(p_seq bigint, p_xid xid8, p_since pg_snapshot, p_upto pg_snapshot,
                                           p_reached bigint)
returns boolean language sql immutable
return not pg_visible_in_snapshot(p_xid, p_since)
    and (p_seq > p_reached or coalesce(not pg_visible_in_snapshot(p_xid, p_upto), false));

-- The same for the last message that a run has had: {"since", "upto", "reached"}, or of older runs its number.
create or replace function svc.comes_after(p_seq bigint, p_xid xid8, p_had jsonb) returns boolean language sql immutable
return case jsonb_typeof(p_had)
    when 'object' then svc.comes_after(p_seq, p_xid, (p_had ->> 'since')::pg_snapshot, (p_had ->> 'upto')::pg_snapshot,
                                       (p_had ->> 'reached')::bigint)
    when 'number' then p_seq > p_had::bigint
    else true end;

-- Runs that wait for a message of a topic.
create table if not exists svc.waiter (
    run     uuid primary key,
    path    text not null,
    topic   text not null,
    filter  text,
    run_as  text not null,
    names   text,
    context jsonb not null,
    seen    pg_snapshot not null,  -- messages of these transactions were read
    fresh   boolean not null default true,  -- what came meanwhile was not
    payload jsonb,                 -- what it was woken with
    seq     bigint,                -- of that message, between `seen` and `until`
    woken   boolean not null default false
);
-- Of the messages that came meanwhile, those of these transactions were read up to this number.
alter table svc.waiter add column if not exists until pg_snapshot, add column if not exists reached bigint;
create index if not exists waiter_topic on svc.waiter (topic) where not woken;
create index if not exists waiter_fresh on svc.waiter (run) where fresh;

-- Runs that hold one of the places of a concurrency key, and those that stand in line for one. They are in order of
-- their ids, so the oldest comes first.
create table if not exists svc.slot (
    workflow text not null,
    key      text not null,
    run      uuid not null,
    holds    boolean not null,
    primary key (workflow, key, run)
);
-- Another run took its place while somebody worked on it: it ends as soon as nobody does.
alter table svc.slot add column if not exists leaving boolean not null default false;
create index if not exists slot_leaving on svc.slot (run) where leaving;
-- Places are counted at each start and each end: a long line is not.
create index if not exists slot_holds on svc.slot (workflow, key) where holds;

-- One run for a key, while it lives and some time after its start.
create table if not exists svc.run_key (
    workflow text not null,
    key      text not null,
    run      uuid not null,
    until    timestamptz not null,
    primary key (workflow, key)
);

create or replace function svc.has_ended(p_status text) returns boolean language sql immutable parallel safe
return p_status in ('succeeded', 'failed', 'dead', 'cancelled');

-- A key as indexes hold it. They hold no long text, and whoever writes a row may make a key as long as the row.
create or replace function svc.short_key(p_key text) returns text language sql immutable parallel safe
return case when octet_length(p_key) <= 200 then p_key
            else 'sha256 ' || encode(sha256(convert_to(p_key, 'UTF8')), 'hex') end;

-- One at a time decides about the places of a concurrency key.
create or replace function svc.lock_slots(p_workflow text, p_slot text) returns void language sql
set search_path = pg_catalog, pg_temp as $$
    select pg_advisory_xact_lock(827002, hashtext(p_workflow || chr(31) || p_slot));
$$;

-- A place for a run that was just made, or one in line. False: there is none and it does not wait for one.
create or replace function svc.take_slot(p_run uuid, p_workflow text, p_slot text, p_limit integer, p_overflow text)
returns boolean language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
    free boolean;
    oldest uuid;
begin
    perform svc.lock_slots(p_workflow, p_slot);
    while p_overflow = 'replace' and (select count(*) from svc.slot s
            where s.workflow = p_workflow and s.key = p_slot and not s.leaving) >= p_limit loop
        select s.run into oldest from svc.slot s
        where s.workflow = p_workflow and s.key = p_slot and not s.leaving order by s.run limit 1;
        update svc.slot s set leaving = true where s.workflow = p_workflow and s.key = p_slot and s.run = oldest;
        perform svc.end_replaced(oldest);
    end loop;
    free := (select count(*) from svc.slot s where s.workflow = p_workflow and s.key = p_slot and s.holds) < p_limit;
    if not free and p_overflow = 'skip' then
        return false;
    end if;
    insert into svc.slot (workflow, key, run, holds) values (p_workflow, p_slot, p_run, free);
    if not free then
        update svc.run set due_at = null where id = p_run;
    end if;
    return true;
end
$$;

-- Ends a run whose place another one took. A start waits for no step: if somebody works on the run right now, that
-- transaction ends it (svc.advance), or the next poll does.
create or replace function svc.end_replaced(p_run uuid) returns void language plpgsql
set search_path = pg_catalog, pg_temp as $$
begin
    perform from svc.run r where r.id = p_run for update skip locked;
    if found then
        perform svc.end_run(p_run, 'cancelled', 'A newer run took its place.', 'REPLACED');
    end if;
end
$$;

-- Gives the free places of a key to those that stand in line, the oldest first. One that is held goes on standing
-- there.
create or replace function svc.give_places(p_workflow text, p_slot text) returns void language plpgsql
set search_path = pg_catalog, pg_temp as $$
declare
    next_one record;
begin
    perform svc.lock_slots(p_workflow, p_slot);
    loop
        select s.run, coalesce((d.body #>> '{concurrency,limit}')::integer, 1) as most into next_one
        from svc.slot s join svc.run r on r.id = s.run join svc.definition d on d.hash = r.hash
        where s.workflow = p_workflow and s.key = p_slot and not s.holds and not s.leaving and r.status <> 'held'
        order by s.run limit 1 for update of r skip locked;
        exit when not found or (select count(*) from svc.slot s
            where s.workflow = p_workflow and s.key = p_slot and s.holds) >= next_one.most;
        update svc.slot s set holds = true where s.workflow = p_workflow and s.key = p_slot and s.run = next_one.run;
        update svc.run set due_at = clock_timestamp() where id = next_one.run;
    end loop;
end
$$;

-- Takes a run out of the line. Its place, where it has one, is free then.
create or replace function svc.free_slot(p_run uuid, p_workflow text, p_slot text) returns void language plpgsql
set search_path = pg_catalog, pg_temp as $$
declare
    held boolean;
begin
    perform svc.lock_slots(p_workflow, p_slot);
    delete from svc.slot s where s.workflow = p_workflow and s.key = p_slot and s.run = p_run
    returning s.holds into held;
    if held then
        perform svc.give_places(p_workflow, p_slot);
    end if;
end
$$;

-- The run that has this key; null: `p_run` has it now.
drop function if exists svc.take_key(uuid, text, text, integer);
create or replace function svc.take_key(p_run uuid, p_workflow text, p_key text, p_keep bigint) returns uuid
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
    known svc.run_key;
    ends timestamptz := now() + make_interval(secs => coalesce(p_keep, 86400));
begin
    loop
        insert into svc.run_key (workflow, key, run, until) values (p_workflow, p_key, p_run, ends)
        on conflict do nothing;
        if found then
            return null;
        end if;
        select * into known from svc.run_key k where k.workflow = p_workflow and k.key = p_key for update;
        continue when not found;
        if known.until > now()
                or exists (select from svc.run r where r.id = known.run and not svc.has_ended(r.status)) then
            return known.run;
        end if;
        update svc.run_key k set run = p_run, until = ends where k.workflow = p_workflow and k.key = p_key;
        return null;
    end loop;
end
$$;

-- Ends a run: its place is free and whoever waits for its failure starts, in this statement; where svc.gives_up is on,
-- without asking conditions (svc.open_run), and where it is alone, nobody starts. False: it had ended.
create or replace function svc.end_run(p_run uuid, p_status text, p_error text default null, p_code text default null,
                                       p_result jsonb default null, p_outputs jsonb default null,
                                       p_place jsonb default null)
returns boolean language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
    r record;
    then_run text;
begin
    update svc.run set status = p_status, due_at = null, owner = null, ended_at = clock_timestamp(), error = p_error,
        error_code = p_code, result = p_result,
        outputs = case when p_status = 'succeeded' then '{}' else coalesce(p_outputs, outputs) end,
        place = case when p_status <> 'succeeded' then coalesce(p_place, place) end,
        fence = fence + case when p_status = 'cancelled' then 1 else 0 end
    where id = p_run and not svc.has_ended(status)
    returning workflow, slot, depth, actor, place ->> 'path' as path, trigger ->> 'kind' as kind into r;
    if not found then
        return false;
    end if;
    if r.slot is not null then
        perform svc.free_slot(p_run, r.workflow, r.slot);
    end if;
    if p_status = 'succeeded' then
        return true;
    end if;
    delete from svc.waiter w where w.run = p_run;
    -- What was under way ends with the run.
    update svc.step s set status = 'failed', ended_at = clock_timestamp(),
        error = case p_status when 'cancelled' then 'The run was cancelled.' else p_error end,
        error_code = case p_status when 'cancelled' then 'CANCELLED' else p_code end
    where s.run = p_run and s.status = 'running';
    if p_status = 'cancelled' then
        delete from svc.element e where e.run = p_run;
        return true;
    end if;
    -- Workflows that wait for each other's failures end here: nothing waits for the end of such a chain.
    if p_code = 'LOOP' and r.kind = 'failed' or current_setting('svc.gives_up', true) = 'alone' then
        return true;
    end if;
    for then_run in
        select f.name from svc.flow f where f.live and f.on_kind = 'failed' and f.on_what = r.workflow
    loop
        perform svc.open_run(then_run, jsonb_build_object('kind', 'failed', 'workflow', r.workflow, 'run', p_run),
            jsonb_build_object('input', jsonb_build_object('run', p_run, 'workflow', r.workflow, 'error', p_error,
                                                           'code', p_code, 'path', r.path)),
            r.actor, r.depth + 1);
    end loop;
    return true;
end
$$;

revoke all on function svc.comes_after(bigint, xid8, pg_snapshot, pg_snapshot, bigint),
    svc.comes_after(bigint, xid8, jsonb) from public;
revoke all on function svc.has_ended, svc.short_key, svc.lock_slots, svc.take_slot, svc.end_replaced, svc.give_places,
    svc.free_slot, svc.take_key, svc.end_run from public;
