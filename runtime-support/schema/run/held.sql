-- What a restore holds: runs, mails and deliveries of webhooks. People release or drop them. Run after hold.sql.

-- After a restore nothing goes on that may have been done since the snapshot, and nothing starts twice. Runs that have
-- not ended are held, and so are mails and deliveries that were not sent. Changes, messages and scheduled times count
-- from now on. Returns the number of runs.
create or replace function svc.hold_runs() returns integer language plpgsql security definer
set search_path = pg_catalog, pg_temp as $$
declare
    n integer;
begin
    update svc.run set status = 'held', due_at = null, owner = null, fence = fence + 1,
        began = case when began is not null then svc.ended_now() end, opened = null,
        place = place || '{"heard": {}}'
    where not svc.has_ended(status) and status <> 'held';
    get diagnostics n = row_count;
    update svc.waiter set seen = svc.ended_now(), until = null, reached = null, fresh = not woken;
    delete from svc.process;
    perform svc.drop_foreign_changes();
    update svc.consumer set cursor = svc.change_cursor(), part = null, moved_at = now();
    update svc.schedule set after = now(), next_at = null;
    update svc.claim_mark set low = '-infinity', late = true, swept_at = '-infinity',
        next_xid = pg_snapshot_xmax(pg_current_snapshot());
    update svc.mail set held = true, next_at = 'infinity' where ended_at is null;
    update svc.delivery set status = 'held' where status in ('waiting', 'sending');
    return n;
end
$$;

-- The next held runs, of these or of all. Each place of a concurrency key is a lock until the end of the transaction, and
-- PostgreSQL has room for some thousands.
create or replace function svc.held_part(p_runs uuid[]) returns setof uuid language sql
set search_path = pg_catalog, pg_temp as $$
    select r.id from svc.run r
    where r.due_at is null and r.ended_at is null and r.status = 'held' and (p_runs is null or r.id = any (p_runs))
    order by r.id limit 1000 for update;
$$;

create or replace function svc.release_runs(p_runs uuid[] default null) returns integer
language plpgsql security definer
set search_path = pg_catalog, pg_temp as $$
declare
    released uuid[] := array(select svc.held_part(p_runs));
    line record;
begin
    update svc.run r set status = 'queued', due_at = case when not exists (
        select from svc.slot s where s.workflow = r.workflow and s.key = r.slot and s.run = r.id and not s.holds)
        then clock_timestamp() end,
        -- Its `timeout` counts anew: whoever releases a run of an old snapshot wants it to go on.
        started_at = case when r.started_at is not null then clock_timestamp() end
    where r.id = any (released);
    -- A place that came free while the runs that waited for it were held was given to none of them.
    for line in
        select distinct r.workflow, r.slot from svc.run r
        where r.id = any (released) and r.slot is not null and r.due_at is null order by r.workflow, r.slot
    loop
        perform svc.give_places(line.workflow, line.slot);
    end loop;
    return cardinality(released);
end
$$;

-- The mail counts as written now: otherwise the time for its attempts would be over.
create or replace function svc.release_mails(p_mails uuid[] default null) returns integer language plpgsql
set search_path = pg_catalog, pg_temp as $$
declare
    n integer;
begin
    update svc.mail m set held = false, parked = false, created_at = now(), next_at = now()
    where m.held and m.ended_at is null and (p_mails is null or m.id = any (p_mails));
    get diagnostics n = row_count;
    return n;
end
$$;

-- A delivery of a webhook that is off becomes a dead one, because nothing is sent there.
create or replace function svc.release_deliveries(p_deliveries uuid[] default null) returns integer language plpgsql
set search_path = pg_catalog, pg_temp as $$
declare
    n integer;
begin
    update svc.delivery d set next_at = now(), status = case when s.off_at is null then 'waiting' else 'dead' end,
        ended_at = case when s.off_at is not null then now() end,
        error = case when s.off_at is not null then 'The webhook is off.' else d.error end
    from svc.hook_out_state s
    where s.hook = d.hook and d.status = 'held' and (p_deliveries is null or d.id = any (p_deliveries));
    get diagnostics n = row_count;
    return n;
end
$$;

-- Releases runs, mails or deliveries (`p_kind`): all, or only `p_ids`. Returns how many. Of runs
-- at most a thousand: the caller asks again until there are fewer, a transaction each.
create or replace function svc.release_held(p_kind text, p_ids uuid[] default null) returns integer language plpgsql
security definer set search_path = pg_catalog, pg_temp as $$
begin
    return case p_kind when 'runs' then svc.release_runs(p_ids) when 'mails' then svc.release_mails(p_ids)
        when 'deliveries' then svc.release_deliveries(p_ids) end;
end
$$;

-- Drops them, with the same parameters: they end without being done.
create or replace function svc.drop_held(p_kind text, p_ids uuid[] default null) returns integer language plpgsql
security definer set search_path = pg_catalog, pg_temp as $$
declare
    n integer := 0;
    held uuid;
begin
    case p_kind
    when 'runs' then
        for held in select svc.held_part(p_ids) loop
            n := n + svc.end_run(held, 'cancelled', 'Somebody dropped it after a restore.', 'CANCELLED')::integer;
        end loop;
    when 'mails' then
        -- The text is not kept, because its links are credentials.
        update svc.mail m set held = false, ended_at = now(), error = 'Dropped after a restore.', body = '',
            links = '{}'
        where m.held and m.ended_at is null and (p_ids is null or m.id = any (p_ids));
        get diagnostics n = row_count;
    when 'deliveries' then
        update svc.delivery d set status = 'dead', ended_at = now(), error = 'Dropped after a restore.'
        where d.status = 'held' and (p_ids is null or d.id = any (p_ids));
        get diagnostics n = row_count;
    end case;
    return n;
end
$$;

create or replace function svc.held_counts() returns jsonb language sql stable security definer
set search_path = pg_catalog, pg_temp as $$
    select jsonb_build_object(
        'runs', (select count(*) from svc.run r where r.due_at is null and r.ended_at is null and r.status = 'held'),
        'mails', (select count(*) from svc.mail m where m.held and m.ended_at is null),
        'deliveries', (select count(*) from svc.delivery d where d.status = 'held'));
$$;

-- The oldest `p_limit` of each kind, and the numbers of all.
create or replace function svc.held(p_limit integer) returns jsonb language sql stable security definer
set search_path = pg_catalog, pg_temp as $$
    select jsonb_build_object('counts', svc.held_counts(),
        'runs', (select coalesce(jsonb_agg(jsonb_build_object('id', r.id, 'workflow', r.workflow,
                'trigger', r.trigger -> 'kind',
                'createdAt', svc.iso_time(r.created_at)) order by r.id), '[]')
            from (select * from svc.run d where d.due_at is null and d.ended_at is null and d.status = 'held'
                  order by d.id limit p_limit) r),
        'mails', (select coalesce(jsonb_agg(jsonb_build_object('id', m.id, 'to', m.recipient, 'subject', m.subject,
                'createdAt', svc.iso_time(m.created_at)) order by m.id), '[]')
            from (select * from svc.mail h where h.held and h.ended_at is null order by h.id limit p_limit) m),
        'deliveries', (select coalesce(jsonb_agg(jsonb_build_object('id', d.id, 'hook', d.hook, 'event', d.event,
                'table', d.table_name, 'rowId', d.row_id, 'createdAt', svc.iso_time(d.created_at)) order by d.id), '[]')
            from (select * from svc.delivery h where h.status = 'held' order by h.id limit p_limit) d));
$$;

revoke all on function svc.hold_runs, svc.held_part, svc.release_runs, svc.release_mails, svc.release_deliveries,
    svc.release_held, svc.drop_held, svc.held_counts, svc.held from public;
grant execute on function svc.release_runs, svc.release_held, svc.drop_held, svc.held_counts, svc.held to :system_role;
