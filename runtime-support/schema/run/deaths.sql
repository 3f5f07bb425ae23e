-- Which processes died or left, and what becomes of their runs. Run after leases.sql.

-- Gives the runs of a process back. `p_killed`: it died while it worked on them. A run over which a third process died
-- becomes a dead letter. PostgreSQL may still execute a statement of the dead process. The run of that statement is
-- left for the next call: the caller has runs of its own to work on, and does not wait. Whether they are due by the
-- clock is not asked: it may have been set back since they were claimed.
create or replace function svc.give_back(p_incarnation bigint, p_killed boolean) returns integer language plpgsql
set search_path = pg_catalog, pg_temp set jit = off set enable_seqscan = off as $$
declare
    r record;
    n integer := 0;
begin
    -- This waits for claims that are under way, so that the runs that they took are given back as well.
    perform from svc.process where incarnation = p_incarnation for update;
    for r in
        select d.id, d.kills from svc.run d
        where d.due_at is not null and d.owner = p_incarnation for update skip locked
    loop
        n := n + 1;
        if p_killed and r.kills >= 2 then
            perform svc.end_run(r.id, 'dead', 'The server died three times while it worked on this run.', 'POISON');
        else
            update svc.run set owner = null, fence = fence + 1, status = 'queued', due_at = clock_timestamp(),
                kills = kills + case when p_killed then 1 else 0 end
            where id = r.id;
        end if;
    end loop;
    delete from svc.process where incarnation = p_incarnation and not exists (
        select from svc.run d where d.due_at is not null and d.owner = p_incarnation);
    return n;
end
$$;

-- A process that ends on purpose.
create or replace function svc.leave(p_incarnation bigint) returns integer language plpgsql security definer
set search_path = pg_catalog, pg_temp as $$
begin
    return svc.give_back(p_incarnation, false);
end
$$;

-- A process whose connection broke calls this for its earlier number, once it has another one. Other processes would
-- see it only after some seconds. Runs that waited for an answer from outside did not break the connection, so this is
-- not counted against them.
create or replace function svc.lose(p_incarnation bigint) returns integer language plpgsql security definer
set search_path = pg_catalog, pg_temp set jit = off set enable_seqscan = off as $$
declare
    n integer;
begin
    perform from svc.process where incarnation = p_incarnation for update;
    update svc.run set owner = null, fence = fence + 1, status = 'queued', due_at = clock_timestamp()
    where due_at is not null and owner = p_incarnation
        and place #>> '{frames,-1,w,kind}' = 'outside';
    get diagnostics n = row_count;
    return n + svc.give_back(p_incarnation, true);
end
$$;

-- Has it sent no heartbeat for ten seconds? The time in which PostgreSQL was away does not count.
create or replace function svc.is_silent(p svc.process) returns boolean language sql stable
return greatest(p.beat_at, case when p.began_at < pg_postmaster_start_time() then pg_postmaster_start_time() end)
    < clock_timestamp() - interval '10 seconds';

create or replace function svc.has_lock(p svc.process) returns boolean language sql stable
return exists (
    select from pg_locks l
    where l.locktype = 'advisory' and l.classid = 827001 and l.objid = (p.incarnation % 2147483647)::oid
        and l.objsubid = 2 and l.granted
        and l.database = (select d.oid from pg_database d where d.datname = current_database()));

-- Can a process of the machine `p_machine` see whether this one has ended? Not for a number that its process has
-- replaced by a later one: that the process lives says nothing of the earlier number.
create or replace function svc.is_near(p svc.process, p_machine text) returns boolean language sql stable
return coalesce(p.machine = p_machine, false) and not exists (
    select from svc.process n
    where n.machine = p.machine and n.pid = p.pid and n.ticks = p.ticks and n.incarnation > p.incarnation);

-- Does the database take it for dead? It does if the process is silent, or if the lock of its connection is gone. A
-- start of PostgreSQL takes the locks of all earlier processes, which may be alive: they have five seconds to return. A
-- process that began after the start had its lock. For a process on the caller's machine (`p_near`) a lock that is
-- gone does not count: the caller asks the kernel whether it lives.
create or replace function svc.seems_dead(p svc.process, p_near boolean) returns boolean language plpgsql stable
set search_path = pg_catalog, pg_temp as $$
begin
    return svc.is_silent(p) or not p_near and not svc.has_lock(p)
        and pg_postmaster_start_time() < greatest(p.began_at, clock_timestamp() - interval '5 seconds');
end
$$;

-- Processes that are dead or may be. If a row has a pid, the caller can ask its own machine whether that process lives.
create or replace function svc.lives_in_doubt(p_machine text)
returns table (incarnation bigint, dead boolean, pid integer, ticks bigint) language plpgsql stable security definer
set search_path = pg_catalog, pg_temp as $$
begin
    return query
    select p.incarnation, svc.seems_dead(p, q.near), case when q.near then p.pid end, case when q.near then p.ticks end
    from svc.process p, svc.is_near(p, p_machine) q (near) where svc.is_silent(p) or not svc.has_lock(p);
end
$$;

-- Gives back the runs of processes that died: those that seem dead, and those of this machine that the caller found
-- dead (`p_seen`).
drop function if exists svc.reap();
create or replace function svc.reap(p_machine text default null, p_seen bigint[] default '{}') returns integer
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
    dead bigint;
    n integer := 0;
begin
    for dead in
        select p.incarnation from svc.process p, svc.is_near(p, p_machine) q (near)
        where svc.seems_dead(p, q.near) or q.near and p.incarnation = any (p_seen)
        for update of p skip locked
    loop
        n := n + svc.give_back(dead, true);
    end loop;
    return n;
end
$$;

revoke all on function svc.give_back, svc.leave, svc.lose, svc.is_silent, svc.has_lock, svc.is_near, svc.seems_dead,
    svc.lives_in_doubt, svc.reap from public;
grant execute on function svc.leave, svc.lose, svc.lives_in_doubt, svc.reap to :system_role;
