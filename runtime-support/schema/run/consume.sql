-- Workflows that start from changes and messages. Run after heard.sql.

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

-- The place that the consumer has reached, as text.
create or replace function svc.read_place(c svc.consumer) returns text language sql immutable
return concat_ws(' ', 'read', c.cursor, c.part);

-- What had ended for the page of a cursor, which is within it or after it.
create or replace function svc.until_of(p_cursor text) returns text language sql immutable
return coalesce(nullif(split_part(p_cursor, '/', 2), ''), p_cursor);

-- One change: the workflows that start from it, in the order of their names, after `p_after`. Null: it is done; else
-- the name after which it continues. `p_gives_up`: the first of them does not ask its condition.
drop function if exists svc.start_by_change(pg_snapshot, bigint, timestamptz, text, text, uuid, uuid, text, jsonb,
                                            jsonb);
drop function if exists svc.start_by_change(text, timestamptz, boolean, pg_snapshot, bigint, timestamptz, text, text,
                                            uuid, uuid, text, jsonb, jsonb);
drop function if exists svc.start_by_change(text, timestamptz, boolean, pg_snapshot, bigint, timestamptz, text, text,
                                            uuid, uuid, text, json, json);
create or replace function svc.start_by_change(p_after text, p_stop timestamptz, p_gives_up boolean,
                                               p_began pg_snapshot, p_seq bigint, p_at timestamptz, p_table text,
                                               p_event text, p_row uuid, p_actor uuid, p_transition text, p_old json,
                                               p_new json, p_depth integer)
returns text language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
    started record;
    was_read boolean := false;
    given record;
    done text;
    run uuid;
begin
    for started in
        select f.name, f.trigger from svc.flow f
        where f.live and f.on_what = p_table and f.name collate "C" > coalesce(p_after, '')
            and (f.on_kind = 'event' and f.on_event = p_event or f.on_kind = 'transition' and f.on_event = p_transition)
        order by f.name collate "C"
    loop
        if not was_read then
            select o.held as old, n.held as new, coalesce(n.wrong, o.wrong) as wrong into given
            from svc.row_of_change(svc.change_by_new_names(p_table, p_seq, p_old)) o,
                svc.row_of_change(svc.change_by_new_names(p_table, p_seq, p_new)) n;
            was_read := true;
        end if;
        continue when p_event = 'updated' and jsonb_array_length(started.trigger -> 'fields') > 0 and not exists (
            select from jsonb_array_elements_text(started.trigger -> 'fields') n
            where given.old -> n.value is distinct from given.new -> n.value);
        if done is not null and clock_timestamp() >= p_stop then
            return done;
        end if;
        -- An assignment: as a statement of its own each start would cost more.
        run := svc.open_run(started.name,
            jsonb_strip_nulls(jsonb_build_object('kind', started.trigger -> 'kind', 'table', p_table, 'event', p_event,
                'transition', p_transition, 'rowId', p_row, 'seq', p_seq, 'at', svc.moment(p_at))),
            jsonb_build_object('new', given.new, 'old', given.old), p_actor, p_depth, null, p_seq, p_began,
            p_gives_up and done is null, given.wrong);
        done := started.name;
    end loop;
    return null;
end
$$;

-- One message: the workflows that start from its topic, and then the runs that wait for it, whose ids follow '~'.
drop function if exists svc.start_by_message(pg_snapshot, bigint, timestamptz, text, jsonb, uuid);
drop function if exists svc.start_by_message(text, timestamptz, boolean, pg_snapshot, bigint, timestamptz, text, jsonb,
                                             uuid);
drop function if exists svc.start_by_message(text, timestamptz, boolean, pg_snapshot, pg_snapshot, bigint, timestamptz,
                                             text, jsonb, uuid);
create or replace function svc.start_by_message(p_after text, p_stop timestamptz, p_gives_up boolean,
                                                p_began pg_snapshot, p_until pg_snapshot, p_seq bigint,
                                                p_at timestamptz, p_topic text, p_payload jsonb, p_actor uuid,
                                                p_depth integer)
returns text language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
    started record;
    done text;
    writer xid8 := case when exists (select from svc.waiter k where k.topic = p_topic and not k.woken)
        then (select m.xid from svc.topic_message m where m.seq = p_seq) end;
begin
    for started in
        select s.* from (
            select f.name collate "C" as place, svc.topic_parts(f.trigger ->> 'pattern', p_topic) as parts,
                null::uuid as run
            from svc.flow f where f.live and f.on_kind = 'topic' and p_topic like f.on_what
            union all
            select '~' || k.run, null, k.run from svc.waiter k join svc.run r on r.id = k.run
            -- Messages that were committed before the run read them are older than the run, or it has read them.
            where k.topic = p_topic and not k.woken and not k.fresh
                and not pg_visible_in_snapshot(writer, k.seen)
                and svc.comes_after(p_seq, writer, r.place #> array['heard', k.topic])) s
        where s.place > coalesce(p_after, '') and (s.parts is not null or s.run is not null) and p_payload is not null
        order by s.place
    loop
        if done is not null and clock_timestamp() >= p_stop then
            return done;
        end if;
        if started.run is not null then
            perform svc.offer(started.run, p_topic, p_payload, p_seq, null, p_until)
            where not (p_gives_up and done is null);
        else
            perform svc.open_run(started.place,
                jsonb_build_object('kind', 'topic', 'topic', p_topic, 'seq', p_seq, 'at', svc.moment(p_at)),
                jsonb_build_object('input',
                                   started.parts || jsonb_build_object('topic', p_topic, 'payload', p_payload)),
                p_actor, p_depth, null, p_seq, p_began, p_gives_up and done is null);
        end if;
        done := started.place;
    end loop;
    return null;
end
$$;

-- Reads a page of changes and messages and starts their workflows. The runs and the cursor are written in one
-- transaction, so each change starts a workflow once. Returns how many it read, 0 if there is nothing new, null if
-- another process is reading.
--
-- Conditions may be slow: what was done within the time of a poll counts, and the next one continues after it, also
-- within a change. So a poll fails only where a single condition takes longer than a statement may. Then a server
-- asks svc.next_starts() for places and tries them one at a time (`p_at`). It gives up a place that fails again
-- (`p_gives_up`), unless somebody else has passed it: the run becomes a dead letter, a waiting run goes on waiting.
--
-- `p_owner` takes the first `p_takes` runs as they begin, and svc.claim_runs gives them in the same transaction.
drop function if exists svc.start_runs(integer), svc.start_runs(integer, text, boolean);
create or replace function svc.start_runs(p_limit integer default 500, p_at text default null,
                                          p_gives_up boolean default false, p_owner bigint default null,
                                          p_takes integer default 0)
returns integer language plpgsql security definer set search_path = pg_catalog, pg_temp set jit = off as $$
#variable_conflict use_variable
declare
    c svc.consumer;
    page record;
    stop timestamptz := clock_timestamp() + case when p_at is null
        then coalesce(nullif(current_setting('svc.look_for', true), ''), '250 milliseconds')::interval  -- tests set it
        else '0' end;
    reached text;
    part jsonb;
    done text;
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
    if c.wanted then
        null;  -- the question below costs as much as a statement
    elsif not exists (select from svc.waiter) then
        if c.moved_at < now() - interval '1 minute' then
            update svc.consumer k set cursor = svc.change_cursor(), part = null, moved_at = now() where k.name = 'runs';
        end if;
        return 0;
    end if;
    if p_at is null or p_at like 'wait %' then
        n := (not svc.look_again(stop, p_at, p_gives_up))::integer;
        if p_at is not null then
            return n;
        end if;
    end if;
    if c.tables is null then
        perform svc.set_starters();
        select * into c from svc.consumer k where k.name = 'runs';
    end if;
    p_gives_up := p_gives_up and p_at = svc.read_place(c);
    for page in
        select f.*, f.table_name is null or f.table_name = any (c.tables) as counts
        from svc.feed_since(c.cursor, case when p_at is null then p_limit else 1 end) f
    loop
        exit when page.seq is null;
        n := n + 1;
        if not page.counts then
            reached := page.next;
            continue;
        end if;
        if p_takes > 0 then
            perform svc.take_starts(p_owner, p_takes);
            p_takes := 0;
        end if;
        done := case when (c.part ->> 'seq')::bigint = page.seq then c.part ->> 'after' end;
        if page.topic is not null then
            done := svc.start_by_message(done, stop, p_gives_up, split_part(c.cursor, '/', 1)::pg_snapshot,
                                         svc.until_of(page.next)::pg_snapshot, page.seq, page.at,
                                         page.topic, svc.message_of(page.payload), page.actor,
                                         coalesce(page.depth + 1, 0));
        else
            done := svc.start_by_change(done, stop, p_gives_up, split_part(c.cursor, '/', 1)::pg_snapshot, page.seq,
                                        page.at, page.table_name, page.event, page.row_id, page.actor, page.transition,
                                        page.old, page.new, coalesce(page.depth + 1, 0));
        end if;
        if done is not null then
            -- The page stays what it is, so this one comes first again.
            part := jsonb_build_object('seq', page.seq, 'after', done);
            reached := concat_ws('/', split_part(c.cursor, '/', 1),
                svc.until_of(page.next), page.seq - 1);
            exit;
        end if;
        if c.sends and page.topic is null then
            perform svc.queue_deliveries(page.table_name, page.event, page.transition, page.row_id,
                                         coalesce(page.new, page.old), page.at, page.seq);
        end if;
        reached := page.next;
        exit when clock_timestamp() >= stop;
    end loop;
    perform set_config('svc.takes', '', true);
    if n > 0 or c.moved_at < now() - interval '1 minute' then
        update svc.consumer k set cursor = coalesce(reached, page.next, c.cursor), part = part, moved_at = now()
        where k.name = 'runs';
    end if;
    return n;
end
$$;

-- The places at which the next start may fail: of changes and messages, and of runs that wait for messages. Null: there
-- is none. Of very many changes the first is looked for here, which may take longer than a statement otherwise may; a
-- page is found at once after that.
create or replace function svc.next_starts() returns table (reads text, waits text)
language plpgsql security definer set search_path = pg_catalog, pg_temp set jit = off as $$
#variable_conflict use_variable
declare
    c svc.consumer;
    present pg_snapshot := pg_current_snapshot();
    until pg_snapshot;
    first_xid xid8;
    first bigint;
begin
    select * into c from svc.consumer k where k.name = 'runs' for update skip locked;
    if not found then
        return;
    end if;
    if position('/' in c.cursor) = 0 then
        until := svc.cut_behind_all(present, c.cursor::pg_snapshot);
        first_xid := svc.first_new(c.cursor::pg_snapshot, until);
        select min(f.seq) into first from (
            select s.seq, s.xid from svc.change s union all select m.seq, m.xid from svc.topic_message m) f
        where f.xid >= first_xid and f.xid < pg_snapshot_xmax(until)
            and not pg_visible_in_snapshot(f.xid, c.cursor::pg_snapshot) and pg_visible_in_snapshot(f.xid, until);
        if first is not null then
            c.cursor := concat_ws('/', c.cursor, until, first - 1);
            update svc.consumer k set cursor = c.cursor where k.name = 'runs';
        end if;
    end if;
    if position('/' in c.cursor) > 0 then
        reads := svc.read_place(c);
    end if;
    select svc.wait_place(k) into waits from svc.waiter k where k.fresh order by k.run limit 1 for update skip locked;
    return next;
end
$$;

revoke all on function svc.read_place, svc.until_of, svc.start_by_change, svc.start_by_message, svc.start_runs,
    svc.next_starts from public;
grant execute on function svc.start_runs, svc.next_starts to :system_role;
