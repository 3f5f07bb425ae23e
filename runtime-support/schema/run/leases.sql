-- Which process works on which run. Run after consume.sql.
--
-- The lease belongs to the process: it has a number, holds an advisory lock on a connection of its own, and sends a
-- heartbeat every two seconds. Its runs need no heartbeats of their own. A write of a run counts only with the owner
-- and the fence of its claim.

create sequence if not exists svc.incarnation_seq;
create table if not exists svc.process (
    incarnation bigint primary key,
    beat_at     timestamptz not null default clock_timestamp(),
    host        text not null default ''
) with (fillfactor = 50);
alter table svc.process add column if not exists began_at timestamptz not null default clock_timestamp(),
                        add column if not exists suspect uuid,  -- the run over which two died before it
                        -- By these a process of the same machine sees that it ended (run/engine/process_life.hpp).
                        -- Null: none can.
                        add column if not exists machine text,
                        add column if not exists pid integer,
                        add column if not exists ticks bigint;
-- Runs over which two processes died: svc.take_suspect gives them out, and nothing else does.
create index if not exists run_suspect on svc.run (due_at) where due_at is not null and kills >= 2;

-- Below `low` nothing is due that nobody works on. While a transaction stays open, index entries of runs that were
-- worked on long ago stay too; a claim begins after them.
create table if not exists svc.claim_mark (
    only_one  boolean primary key default true check (only_one),
    low       timestamptz not null default '-infinity',
    marked_at timestamptz not null default clock_timestamp(),
    next_xid  xid8 not null default pg_snapshot_xmax(pg_current_snapshot()),
    late      boolean not null default true,  -- a transaction that is older than the mark may still make runs due
    swept_at  timestamptz not null default '-infinity'
) with (fillfactor = 50);
insert into svc.claim_mark default values on conflict do nothing;

-- A number for a process. Its connection has the lock that shows others that it lives.
drop function if exists svc.new_incarnation(text);
create or replace function svc.new_incarnation(p_host text, p_machine text default null, p_pid integer default null,
                                               p_ticks bigint default null) returns bigint
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
    fresh bigint := nextval('svc.incarnation_seq');
begin
    perform pg_advisory_lock(827001, (fresh % 2147483647)::integer);
    insert into svc.process (incarnation, host, machine, pid, ticks)
    values (fresh, coalesce(p_host, ''), p_machine, p_pid, p_ticks);
    return fresh;
end
$$;

-- False: another process took this one for dead, and its runs belong to others by now.
create or replace function svc.beat(p_incarnation bigint) returns boolean language plpgsql security definer
set search_path = pg_catalog, pg_temp as $$
begin
    perform set_config('synchronous_commit', 'off', true);
    update svc.process set beat_at = clock_timestamp() where incarnation = p_incarnation;
    return found;
end
$$;

-- The moment from which a claim must read. It moves once a second at most.
--
-- A run is due at the clock of the transaction that makes it so, and is seen when that commits. So the mark stays
-- behind its previous value. Now and then a transaction that is older than the mark still runs. While there is one, a
-- claim reads everything every five seconds; the first claim after its end does so as well. A mark of a clock that was
-- ahead is not used.
--
-- This and svc.take_suspect have the settings of svc.claim_runs, which alone calls them. Each claim would pay for
-- settings of their own.
create or replace function svc.claim_from() returns timestamptz language plpgsql as $$
declare
    m svc.claim_mark;
    right_now timestamptz := clock_timestamp();
    snap pg_snapshot := pg_current_snapshot();
    late_now boolean;
    sweep boolean;
    first_due timestamptz;
begin
    select * into m from svc.claim_mark;
    if m.marked_at between right_now - interval '1 second' and right_now + interval '1 second' then
        return m.low;
    end if;
    select * into m from svc.claim_mark for update skip locked;
    if not found or m.marked_at between right_now - interval '1 second' and right_now + interval '1 second' then
        return (select k.low from svc.claim_mark k);
    end if;
    -- Another server's numbers, from a copy that was restored here.
    late_now := m.next_xid > pg_snapshot_xmax(snap)
        or exists (select from pg_snapshot_xip(snap) x where x < m.next_xid);
    sweep := m.marked_at > right_now or m.late and not late_now
        or late_now and m.swept_at < right_now - interval '5 seconds';
    select r.due_at into first_due from svc.run r
    where r.due_at > case when sweep then '-infinity' else m.low end and r.due_at <= right_now and r.owner is null
    order by r.due_at limit 1;
    m.low := least(coalesce(first_due, right_now), m.marked_at) - interval '1 second';
    update svc.claim_mark k set low = case when sweep then m.low else greatest(k.low, m.low) end, marked_at = right_now,
        next_xid = pg_snapshot_xmax(snap), late = late_now or (k.late and not sweep),
        swept_at = case when sweep then right_now else k.swept_at end;
    return case when sweep then m.low else greatest(m.low, (select k.low from svc.claim_mark k)) end;
end
$$;

-- Takes a run over which two processes died, after five seconds of life, and one at a time. So the third death is that
-- run's own doing, and not that of a run beside it, nor of a machine that ends its processes as they start.
create or replace function svc.take_suspect(p_owner bigint) returns table (run uuid, fence bigint)
language plpgsql as $$
#variable_conflict use_column
declare
    right_now timestamptz := clock_timestamp();
begin
    if not exists (select from svc.run d
                   where d.due_at is not null and d.kills >= 2 and d.due_at <= right_now and d.owner is null)
        or not exists (
            select from svc.process p where p.incarnation = p_owner and p.began_at < right_now - interval '5 seconds'
                and not exists (select from svc.run s where s.id = p.suspect and s.owner = p_owner)) then
        return;
    end if;
    update svc.run r set owner = p_owner, fence = r.fence + 1, status = 'running',
        started_at = coalesce(r.started_at, right_now)
    where r.id = any (array(
        select d.id from svc.run d
        where d.due_at is not null and d.kills >= 2 and d.due_at <= right_now and d.owner is null
        order by d.due_at limit 1 for update skip locked))
    returning r.id, r.fence into run, fence;
    if run is not null then
        update svc.process set suspect = run where incarnation = p_owner;
        return next;
    end if;
end
$$;

-- From now on this process takes runs that this transaction starts, so many at most, without a claim.
create or replace function svc.take_starts(p_owner bigint, p_most integer) returns void language plpgsql
set search_path = pg_catalog, pg_temp as $$
begin
    -- Its connection may outlive the process: what it took after its runs were given back, nobody would give back.
    perform from svc.process where incarnation = p_owner for key share;
    if found then
        perform set_config('svc.taker', p_owner::text, true), set_config('svc.takes', p_most::text, true);
    end if;
end
$$;

-- Claims due runs, the longest due first, after those that the process took as they began (svc.take_starts). If there
-- are such, and not `p_all`, only these.
--
-- If PostgreSQL crashes, a claim may be lost, and others claim the run again. So the commit does not wait for the disk:
-- never call this in one transaction with anything else but the poll.
drop function if exists svc.claim_runs(bigint, integer);
create or replace function svc.claim_runs(p_owner bigint, p_limit integer, p_all boolean default true)
returns table (run uuid, fence bigint) language plpgsql security definer
set search_path = pg_catalog, pg_temp
set jit = off set enable_seqscan = off set enable_sort = off set enable_bitmapscan = off as $$
#variable_conflict use_column
declare
    low timestamptz;
    right_now timestamptz := clock_timestamp();
    taken uuid[] := string_to_array(nullif(current_setting('svc.taken', true), ''), ',');
begin
    if taken is not null then
        return query select t, 1::bigint from unnest(taken) t;
        if not p_all then
            return;
        end if;
        p_limit := greatest(p_limit - cardinality(taken), 0);
    end if;
    if current_setting('synchronous_commit') <> 'off' then
        perform set_config('svc.commits', current_setting('synchronous_commit'), true),
            set_config('synchronous_commit', 'off', true);
    end if;
    perform from svc.process where incarnation = p_owner for key share;  -- as in svc.take_starts
    if not found then
        return;
    end if;
    low := svc.claim_from();
    return query
    update svc.run r set owner = p_owner, fence = r.fence + 1, status = 'running',
        started_at = coalesce(r.started_at, right_now)
    where r.id = any (array(
        select d.id from svc.run d
        where d.due_at > low and d.due_at <= right_now and d.owner is null and d.kills < 2
        order by d.due_at limit p_limit for update skip locked))
    returning r.id, r.fence;
    return query select t.run, t.fence from svc.take_suspect(p_owner) t;
end
$$;

-- The runs that a process has. It asks if the answer to a claim was lost.
create or replace function svc.claimed_by(p_owner bigint) returns table (run uuid, fence bigint)
language plpgsql stable security definer set search_path = pg_catalog, pg_temp set jit = off set enable_seqscan = off
as $$
begin
    return query select r.id, r.fence from svc.run r
    where r.due_at is not null and r.owner = p_owner and r.status = 'running';
end
$$;

revoke all on function svc.new_incarnation, svc.beat, svc.claim_from, svc.take_starts, svc.claim_runs, svc.claimed_by,
    svc.take_suspect from public;
grant execute on function svc.new_incarnation, svc.beat, svc.claim_runs, svc.claimed_by to :system_role;
