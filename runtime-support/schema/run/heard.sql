-- Runs that wait for messages. Run after advance.sql.

drop function if exists svc.wake(uuid, jsonb, bigint), svc.offer(uuid, jsonb, bigint),
    svc.wake(uuid, text, jsonb, bigint), svc.offer(uuid, text, jsonb, bigint);

-- Wakes a run at the step that its filter was asked for. False: it waits there no more. A filter may be slow, and the
-- run may wait for something else by now.
create or replace function svc.wake(p_run uuid, p_path text, p_payload jsonb, p_seq bigint, p_seen pg_snapshot,
                                    p_until pg_snapshot) returns boolean
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
    update svc.waiter set woken = true, fresh = false, payload = p_payload, seq = p_seq, seen = p_seen, until = p_until
    where run = p_run and path = p_path and not woken;
    if not found then
        return false;
    end if;
    update svc.run set due_at = clock_timestamp() where id = p_run and status = 'waiting' and owner is null;
    return true;
end
$$;

-- Wakes a run if it waits for this message, which was committed between the two snapshots. True: it did. Null `p_seen`:
-- the snapshot by which the run last read messages.
create or replace function svc.offer(p_run uuid, p_topic text, p_payload jsonb, p_seq bigint, p_seen pg_snapshot,
                                     p_until pg_snapshot) returns boolean
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
    w record;
begin
    select k.*, r.actor into w from svc.waiter k join svc.run r on r.id = k.run
    where k.run = p_run and k.topic = p_topic and not k.woken;
    if not found or not svc.lets_through(w.filter, w.run_as, w.names, w.actor, w.context, p_payload) then
        return false;
    end if;
    return svc.wake(p_run, w.path, p_payload, p_seq, coalesce(p_seen, w.seen), p_until);
end
$$;

-- The place that svc.look_again has reached with this run, as text.
create or replace function svc.wait_place(w svc.waiter) returns text language sql immutable
return concat_ws(' ', 'wait', w.run, w.seen, w.until, w.reached);

-- Offers a run the messages that came while it began to wait: it read messages before others could see that it waits.
-- Stops at the time `p_stop`, and keeps what was offered until then. False: there may be more. `p_gives_up`: the first
-- message is left out.
create or replace function svc.look_again_for(w svc.waiter, p_stop timestamptz, p_gives_up boolean) returns boolean
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
    had jsonb := (select r.place #> array['heard', w.topic] from svc.run r where r.id = w.run);
    resumed boolean;
    first xid8;
    m record;
begin
    loop
        resumed := w.until is not null;
        w.until := coalesce(w.until, svc.ended_now());
        first := svc.first_new(w.seen, w.until);
        for m in
            select t.seq, svc.message_of(t.payload) as payload from svc.topic_message t
            where t.xid >= first and t.xid < pg_snapshot_xmax(w.until)
                and not pg_visible_in_snapshot(t.xid, w.seen) and pg_visible_in_snapshot(t.xid, w.until)
                and t.topic = w.topic and svc.comes_after(t.seq, t.xid, had) and t.seq > coalesce(w.reached, 0)
            order by t.seq
        loop
            continue when m.payload is null;
            if p_gives_up then
                p_gives_up := false;
            elsif svc.offer(w.run, w.topic, m.payload, m.seq, w.seen, w.until) then
                return true;
            end if;
            if clock_timestamp() >= p_stop then
                update svc.waiter k set seen = w.seen, until = w.until, reached = m.seq where k.run = w.run;
                return false;
            end if;
        end loop;
        exit when not resumed;
        w.seen := w.until; w.until := null; w.reached := null;
    end loop;
    update svc.waiter k set fresh = false, seen = w.until, until = null, reached = null where k.run = w.run;
    return true;
end
$$;

-- The same for all runs that began to wait, or for the one at this place. Others wait for the next poll: until then no
-- message wakes them, and they miss none.
drop function if exists svc.look_again();
create or replace function svc.look_again(p_stop timestamptz, p_at text default null, p_gives_up boolean default false)
returns boolean language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
    w svc.waiter;
begin
    for w in
        select k.* from svc.waiter k
        where k.fresh and (p_at is null or k.run = split_part(p_at, ' ', 2)::uuid) order by k.run for update skip locked
    loop
        if not svc.look_again_for(w, p_stop, p_gives_up and p_at = svc.wait_place(w)) then
            return false;
        end if;
    end loop;
    return true;
end
$$;

revoke all on function svc.wake, svc.offer, svc.wait_place, svc.look_again_for, svc.look_again from public;
