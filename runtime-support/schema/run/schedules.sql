-- Workflows that start by the clock. The server computes the times (base/time/cron.hpp); a time is one row, whoever
-- comes first. Run after leases.sql.

-- Each poll asks for them, so it is no function in SQL: those with settings of their own are planned at every call.
create or replace function svc.schedules() returns setof svc.schedule language plpgsql stable security definer
set search_path = pg_catalog, pg_temp as $$
begin
    return query select * from svc.schedule order by workflow;
end
$$;

-- Starts a workflow for a planned time, unless that was done. True: by this call. Without a planned time it only says
-- when the next one is. `p_gives_up`: as in svc.open_run. `p_passes`: its start failed for good, so the time is over.
-- `p_spec`: the schedule by which both times were computed. This call may have waited for an apply that wrote another
-- one: then they mean nothing, and it does nothing.
drop function if exists svc.tick_schedule(text, timestamptz, timestamptz);
drop function if exists svc.tick_schedule(text, timestamptz, timestamptz, boolean);
drop function if exists svc.tick_schedule(text, timestamptz, timestamptz, boolean, boolean);
create or replace function svc.tick_schedule(p_workflow text, p_planned timestamptz, p_next timestamptz,
                                             p_gives_up boolean default false, p_passes boolean default false,
                                             p_spec jsonb default null)
returns boolean language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
    s svc.schedule;
begin
    select * into s from svc.schedule where workflow = p_workflow for update;
    if not found or s.spec <> p_spec then
        return false;
    end if;
    update svc.schedule set next_at = p_next, after = greatest(after, p_planned) where workflow = p_workflow;
    -- Times that a restore or a new schedule has passed are over.
    if p_passes or p_planned is null or p_planned <= s.after then
        return false;
    end if;
    insert into svc.tick (workflow, planned_at) values (p_workflow, p_planned) on conflict do nothing;
    if not found then
        return false;
    end if;
    update svc.tick t set run = svc.open_run(p_workflow,
        jsonb_build_object('kind', s.spec -> 'kind', 'at', svc.moment(p_planned)),
        jsonb_build_object('input', svc.filled_input(p_workflow, jsonb_build_object('at', svc.moment(p_planned)))),
        p_gives_up => p_gives_up)
    where t.workflow = p_workflow and t.planned_at = p_planned;
    return true;
end
$$;

-- The next time at which there is something to do that no change announces. Null: none is known. A mark that no longer
-- moves belongs to processes that ended, and runs may have become due behind it.
create or replace function svc.next_due() returns timestamptz language plpgsql stable security definer
set search_path = pg_catalog, pg_temp set jit = off set enable_seqscan = off set enable_sort = off as $$
begin
    return least(
        (select r.due_at from svc.run r
         where r.due_at > (select case when m.marked_at between clock_timestamp() - interval '2 seconds'
                                           and clock_timestamp() + interval '1 second'
                                       then m.low else '-infinity' end from svc.claim_mark m)
             and r.owner is null order by r.due_at limit 1),
        (select min(coalesce(s.next_at, '-infinity')) from svc.schedule s));
end
$$;

revoke all on function svc.schedules, svc.tick_schedule, svc.next_due from public;
grant execute on function svc.schedules, svc.tick_schedule, svc.next_due to :system_role;
