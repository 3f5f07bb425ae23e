-- What a server asks each second, and after each commit: one statement, because each statement of an exchange costs as
-- much as a small query. Run after schedules.sql.

-- Reads what was committed, takes what is ready, and says what is due next.
--
-- Writes that are lost when PostgreSQL crashes are found again, so it waits for no disk. Nor does it wait long for a
-- lock that a condition needs: that would look like a condition that is slow.
--
-- `p_owner`: the process; null: it has no number and takes nothing. `p_doubts`: look for dead processes, for a server
-- on `p_machine`. `p_page`: read so many changes and messages; null: others do. `p_most`: take so many runs.
-- `p_begins`: of these so many may be runs that begin here. `p_asks`: say what is due, which is asked in any case if
-- nothing was taken. `p_beats`: send the heartbeat.
--
-- `in_doubt`: processes that may have died. `read`: how many changes and messages; null: another server reads. `runs`,
-- `fences`: what it took. `run_due`, `time_due`: seconds until the next one; null: none; not above 0: it was due before
-- the claim, and is not to be taken now. `alive`: see svc.beat.
create or replace function svc.poll(
    p_owner bigint, p_doubts boolean, p_machine text, p_page integer, p_most integer, p_begins integer, p_asks boolean,
    p_beats boolean, out in_doubt text, out read integer, out runs text, out fences text, out asked boolean,
    out run_due double precision, out time_due double precision, out alive boolean)
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_variable
declare
    was text := concat(set_config('synchronous_commit', 'off', true), set_config('lock_timeout', '3s', true));
    due timestamptz;
    looked timestamptz;  -- what was due then is taken, or cannot be
begin
    if p_doubts then
        select string_agg(concat_ws(' ', d.incarnation, d.dead, d.pid, d.ticks), ',') into in_doubt
        from svc.lives_in_doubt(p_machine) d;
    end if;
    if p_page is not null then
        read := svc.start_runs(p_page, p_owner => p_owner,
                               p_takes => case when p_owner is null then 0 else p_begins end);
    end if;
    looked := clock_timestamp();
    if p_owner is not null and p_most > 0 then
        select string_agg(c.run::text, ','), string_agg(c.fence::text, ',') into runs, fences
        from svc.claim_runs(p_owner, p_most, p_asks) c;
    end if;
    asked := p_asks or runs is null;
    if asked then
        due := svc.next_due();
        -- A schedule that nobody has planned yet is due at once, which next_due() says as -infinity.
        run_due := extract(epoch from case when due = '-infinity' then 'epoch' else due end - clock_timestamp());
        if due > looked then
            run_due := greatest(run_due, 0.001);
        end if;
        time_due := extract(epoch from (select min(coalesce(s.next_at, clock_timestamp())) from svc.schedules() s)
                            - clock_timestamp());
    end if;
    if p_beats then
        alive := svc.beat(p_owner);
    end if;
end
$$;

revoke all on function svc.poll from public;
grant execute on function svc.poll to :system_role;
