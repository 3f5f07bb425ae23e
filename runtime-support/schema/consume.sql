-- Workflows that start from changes and messages, and runs that wait for messages. Run after advance.sql.

-- Chains of runs are counted by what they write. A plain default: whoever writes names the other columns.
do $$
declare
    writers text;
begin
    if exists (select from pg_attribute where attrelid = 'svc.change'::regclass and attname = 'depth') then
        return;
    end if;
    -- Their own tables first, as writers have them.
    select string_agg(distinct t.tgrelid::regclass::text, ', ' order by t.tgrelid::regclass::text) into writers
    from pg_trigger t join pg_class c on c.oid = t.tgrelid
    where t.tgfoid = to_regproc('svc.record_change') and c.relkind in ('r', 'p');
    if writers is not null then
        execute 'lock table ' || writers || ' in share row exclusive mode';
    end if;
    alter table svc.change add column if not exists depth smallint;
    alter table svc.topic_message add column if not exists depth smallint;
    for n in 0..3 loop
        execute format('alter table svc.%I alter column depth set default'
                       ' nullif(current_setting(''svc.depth'', true), '''')::smallint', 'change_' || n);
        execute format('alter table svc.%I alter column depth set default'
                       ' nullif(current_setting(''svc.depth'', true), '''')::smallint', 'topic_message_' || n);
    end loop;
end
$$;

create or replace function svc.wake(p_run uuid, p_payload jsonb, p_seq bigint) returns void language sql
set search_path = pg_catalog, pg_temp as $$
    update svc.waiter set woken = true, fresh = false, payload = p_payload, seq = p_seq where run = p_run and not woken;
    update svc.run set due_at = clock_timestamp() where id = p_run and status = 'waiting' and owner is null;
$$;

-- Messages that came while a run began to wait: it looked before others could see that it waits.
create or replace function svc.look_again() returns void language plpgsql
set search_path = pg_catalog, pg_temp as $$
declare
    w record;
    m record;
begin
    for w in
        select k.*, r.actor, r.place #>> array['heard', k.topic] as after from svc.waiter k join svc.run r on r.id = k.run
        where k.fresh for update of k skip locked
    loop
        update svc.waiter set fresh = false where run = w.run;
        for m in
            select t.seq, svc.message_of(t.payload) as payload from svc.topic_message t
            where t.xid >= pg_snapshot_xmin(w.seen) and not pg_visible_in_snapshot(t.xid, w.seen)
                and t.topic = w.topic and t.seq > coalesce(w.after::bigint, 0)
            order by t.seq
        loop
            continue when m.payload is null;
            if svc.lets_through(w.filter, w.run_as, w.names, w.actor, w.context, m.payload) then
                perform svc.wake(w.run, m.payload, m.seq);
                exit;
            end if;
        end loop;
    end loop;
end
$$;

-- One change: the workflows that start from it.
create or replace function svc.start_by_change(p_began pg_snapshot, p_seq bigint, p_at timestamptz, p_table text,
                                               p_event text, p_row uuid, p_actor uuid, p_transition text, p_old jsonb,
                                               p_new jsonb)
returns void language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
    started record;
begin
    for started in
        select f.name, f.trigger from svc.flow f
        where f.live and f.on_what = p_table
            and (f.on_kind = 'event' and f.on_event = p_event or f.on_kind = 'transition' and f.on_event = p_transition)
    loop
        continue when p_event = 'updated' and jsonb_array_length(started.trigger -> 'fields') > 0 and not exists (
            select from jsonb_array_elements_text(started.trigger -> 'fields') n
            where p_old -> n.value is distinct from p_new -> n.value);
        perform svc.open_run(started.name,
            jsonb_strip_nulls(jsonb_build_object('kind', started.trigger -> 'kind', 'table', p_table, 'event', p_event,
                'transition', p_transition, 'rowId', p_row, 'seq', p_seq, 'at', p_at)),
            jsonb_build_object('new', p_new, 'old', p_old), p_actor,
            coalesce((select c.depth + 1 from svc.change c where c.seq = p_seq), 0), null, p_seq, p_began);
    end loop;
end
$$;

-- One message: the workflows that start from its topic, and the runs that wait for it.
create or replace function svc.start_by_message(p_began pg_snapshot, p_seq bigint, p_at timestamptz, p_topic text,
                                                p_payload jsonb, p_actor uuid)
returns void language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
    started record;
    parts jsonb;
    w record;
begin
    if p_payload is null then
        return;
    end if;
    for started in
        select f.name, f.trigger from svc.flow f where f.live and f.on_kind = 'topic' and p_topic like f.on_what
    loop
        parts := svc.topic_parts(started.trigger ->> 'pattern', p_topic);
        continue when parts is null;
        perform svc.open_run(started.name,
            jsonb_build_object('kind', 'topic', 'topic', p_topic, 'seq', p_seq, 'at', p_at),
            jsonb_build_object('input', parts || jsonb_build_object('topic', p_topic, 'payload', p_payload)), p_actor,
            coalesce((select m.depth + 1 from svc.topic_message m where m.seq = p_seq), 0), null, p_seq, p_began);
    end loop;
    for w in
        select k.*, r.actor from svc.waiter k join svc.run r on r.id = k.run
        where k.topic = p_topic and not k.woken and not k.fresh
            and p_seq > coalesce((r.place #>> array['heard', k.topic])::bigint, r.since_seq, 0)
    loop
        if svc.lets_through(w.filter, w.run_as, w.names, w.actor, w.context, p_payload) then
            perform svc.wake(w.run, p_payload, p_seq);
        end if;
    end loop;
end
$$;

-- Reads one page of changes and messages and starts their workflows. The runs and the cursor are written in one
-- transaction, so each change starts a workflow once. Returns how many it read, 0 if there is nothing new, null if
-- another process is reading.
create or replace function svc.start_runs(p_limit integer default 500) returns integer
language plpgsql security definer set search_path = pg_catalog, pg_temp set jit = off as $$
#variable_conflict use_variable
declare
    c svc.consumer;
    began pg_snapshot;
    hooks boolean;
    page record;
    reached text;
    started_at timestamptz := clock_timestamp();
    look_for interval := coalesce(nullif(current_setting('svc.look_for', true), ''), '5 seconds');  -- tests set it
    n integer := 0;
begin
    select * into c from svc.consumer k where k.name = 'runs' for update skip locked;
    if not found then
        if not exists (select from svc.consumer k where k.name = 'runs') then
            perform svc.set_wanted(false);
            return 0;
        end if;
        return null;
    end if;
    perform svc.end_replaced(s.run) from svc.slot s where s.leaving;
    if not c.wanted and not exists (select from svc.waiter) then
        if c.moved_at < now() - interval '1 minute' then
            update svc.consumer k set cursor = svc.change_cursor(), moved_at = now() where k.name = 'runs';
        end if;
        return 0;
    end if;
    perform svc.look_again();
    began := split_part(c.cursor, '/', 1)::pg_snapshot;
    hooks := exists (select from svc.hook_out);
    for page in select * from svc.feed_since(c.cursor, p_limit) loop
        reached := page.next;
        exit when page.seq is null;
        n := n + 1;
        if page.topic is not null then
            perform svc.start_by_message(began, page.seq, page.at, page.topic, svc.message_of(page.payload), page.actor);
            continue;
        end if;
        perform svc.start_by_change(began, page.seq, page.at, page.table_name, page.event, page.row_id, page.actor,
                                    page.transition, page.old::jsonb, page.new::jsonb);
        if hooks then
            perform svc.queue_deliveries(page.table_name, page.event, page.transition, page.row_id,
                                         coalesce(page.new, page.old), page.at, page.seq);
        end if;
        -- Slow conditions: what was done so far counts, and the next look goes on behind it. A page that takes longer
        -- than a statement may would be cancelled, and begun anew, for ever.
        exit when clock_timestamp() > started_at + look_for;
    end loop;
    if n > 0 or c.moved_at < now() - interval '1 minute' then
        update svc.consumer k set cursor = reached, moved_at = now() where k.name = 'runs';
    end if;
    return n;
end
$$;

revoke all on function svc.wake, svc.look_again, svc.start_by_change, svc.start_by_message, svc.start_runs
    from public;
grant execute on function svc.start_runs to :system_role;
