-- Messages of topics. They are kept, ordered and read as changes are (changes.sql), with the same cursors.
-- Run right after changes.sql.

-- Read as a whole. Its slots are those of svc.change, filled and emptied with them. The numbers are those of changes
-- too, so a reader of both has one order.
create table if not exists svc.topic_message (
    seq     bigint not null default nextval('svc.change_seq'),
    xid     xid8 not null default pg_current_xact_id(),
    at      timestamptz not null default now(),
    topic   text not null,
    payload json not null,  -- in one line, at most 64 KiB
    actor   uuid,           -- account; null: a guest, a server
    constraint in_slots check (false) no inherit
);
create index if not exists topic_message_seq_idx on svc.topic_message (seq);  -- as those of svc.change
create index if not exists topic_message_xid_idx on svc.topic_message (xid);
select svc.make_slots('topic_message');

-- Makes the function that publishes, which writes to this slot. The server has asked before who may publish there.
create or replace function svc.publish_in(p_slot integer) returns void language plpgsql
set search_path = pg_catalog, pg_temp as $make$
begin
    execute format($format$
create or replace function svc.publish(p_topic text, p_payload json) returns void
language plpgsql security definer as $$
begin
    insert into svc.%I (topic, payload, actor) values (p_topic, p_payload, svc.user_id());
end
$$
$format$, 'topic_message_' || p_slot);
end
$make$;
select svc.publish_in(slot) from svc.change_slot for update;

-- An earlier compiler made it without the last two parameters. With both, nobody could say which one a call means.
drop function if exists svc.feed_since(text, integer);
select svc.drop_unless('svc.feed_since(text, integer, text[], text[])', 'depth');

-- Changes and topic messages after a cursor in one order, at most p_limit: as svc.changes_since, whose cursors are
-- good here and the other way about. A message has topic and payload, a change the rest; the row that has only
-- `next` neither. p_tables, p_topics: only changes of these tables, and messages of these topics. null: all. depth: of
-- the chain of runs that wrote it (run/consume.sql); null: no run did.
create or replace function svc.feed_since(p_cursor text, p_limit integer default 1000, p_tables text[] default null,
                                          p_topics text[] default null)
returns table (next text, seq bigint, at timestamptz, table_name text, event text, row_id uuid, actor uuid,
               transition text, old json, new json, topic text, payload json, depth smallint)
language plpgsql set search_path = pg_catalog, pg_temp set enable_sort = off set enable_seqscan = off set jit = off
set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
    present pg_snapshot := pg_current_snapshot();
    parts text[] := string_to_array(p_cursor, '/');
    since pg_snapshot := coalesce(parts[1], '1:1:');
    until pg_snapshot := coalesce(parts[2], present::text);
    reached bigint := parts[3];
    most integer := greatest(coalesce(p_limit, 1000), 1);
    first xid8 := svc.first_new(since, until);
    found_seqs bigint[];
    newest bigint;
    messages boolean := true;  -- there are some among them
    page bigint[];
begin
    -- The indexes as in svc.changes_since.
    if reached is null then
        select coalesce(array_agg(n.seq), '{}'), max(n.xid), bool_or(n.message) into found_seqs, newest, messages from (
            select f.seq, f.xid::text::bigint as xid, f.message from (
                select c.seq, c.xid, false as message from svc.change c
                where p_tables is null or c.table_name = any (p_tables)
                union all
                select m.seq, m.xid, true from svc.topic_message m
                where p_topics is null or m.topic = any (p_topics)) f
            where f.xid >= first and f.xid < pg_snapshot_xmax(until)
                and not pg_visible_in_snapshot(f.xid, since) and pg_visible_in_snapshot(f.xid, until)
            order by f.seq + 0 limit most + 1) n;
    else
        found_seqs := array(
            select f.seq from (
                select c.seq, c.xid from svc.change c where p_tables is null or c.table_name = any (p_tables)
                union all
                select m.seq, m.xid from svc.topic_message m where p_topics is null or m.topic = any (p_topics)) f
            where f.seq > reached
                and not pg_visible_in_snapshot(f.xid, since) and pg_visible_in_snapshot(f.xid, until)
            order by f.seq limit most + 1);
    end if;
    if parts[2] is null then
        until := case when cardinality(found_seqs) <= most then svc.cut_behind(present, since, newest)
            else svc.cut_behind_all(present, since) end;
    end if;
    page := found_seqs[:most];
    if page <> '{}' and not messages then
        -- Half as many tables, each of which costs what a row costs.
        return query
        select case when c.seq = found_seqs[cardinality(found_seqs)] then until::text
                    else concat_ws('/', since, until, c.seq) end,
               c.seq, c.at, c.table_name, c.event, c.row_id, c.actor, c.transition, c.old, c.new, null::text, null::json,
               c.depth
        from svc.change c where c.seq = any (page) order by c.seq;
    elsif page <> '{}' then
        return query
        select case when f.seq = found_seqs[cardinality(found_seqs)] then until::text
                    else concat_ws('/', since, until, f.seq) end, f.*
        from (select c.seq, c.at, c.table_name, c.event, c.row_id, c.actor, c.transition, c.old, c.new,
                     null::text, null::json, c.depth
              from svc.change c where c.seq = any (page)
              union all
              select m.seq, m.at, null, null, null, m.actor, null, null, null, m.topic, m.payload, m.depth
              from svc.topic_message m where m.seq = any (page)) f
        order by f.seq;
    end if;
    if page = '{}' or not found then
        return query select until::text, null::bigint, null::timestamptz, null, null, null::uuid, null::uuid, null,
                            null::json, null::json, null, null::json, null::smallint;
    end if;
    if p_cursor is not null
            and (pg_snapshot_xmax(since) > pg_snapshot_xmax(present)
                 or exists (select from svc.change_floor f where f.xid >= pg_snapshot_xmin(since)
                                and svc.is_lost(since, f.xid, f.ended))) then
        raise exception 'The changes after this cursor are no longer kept.' using errcode = 'SV410';
    end if;
end
$$;

-- Which of these rows, as they are here and not as the table has them, each of these callers may read: pairs of
-- places, from 0. p_rows and p_callers are arrays; a caller has what an exchange sets (id, names, claims). One call a
-- row judges all callers, by a function that is generated from each policy that feeds use.
create or replace function svc.may_read_rows(p_table text, p_rows json, p_callers json)
returns table (caller integer, place integer) language plpgsql stable set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_variable
declare
    callers svc.caller[] := array(
        select row(c.n - 1, nullif(c.id, ''), string_to_array(c.names, ','), nullif(c.claims, ''))::svc.caller
        from rows from (json_to_recordset(p_callers) as (id text, names text, claims text))
            with ordinality c(id, names, claims, n) order by c.n);
begin
    return query execute format(
        'select r.reader, (k.n - 1)::integer from json_array_elements($1) with ordinality k(v, n)'
        ' cross join lateral svc.%I(json_populate_record(null::public.%I, k.v), $2) r(reader)',
        p_table || '_readers', p_table) using p_rows, callers;
end
$$;

-- Which of these rows (p_ids is an array of their ids) were deleted after a page of changes that shows what had ended
-- at p_until. Feeds ask it together with svc.may_read_rows, which no longer finds these rows.
create or replace function svc.deleted_behind(p_until text, p_table text, p_ids json) returns setof text
language plpgsql stable security definer set search_path = pg_catalog, pg_temp set enable_seqscan = off set jit = off
set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_variable
declare
    until pg_snapshot := p_until;
    first xid8 := svc.first_new(until, pg_current_snapshot());
    ids uuid[] := array(select e.id::uuid from json_array_elements_text(p_ids) e(id));
begin
    return query
    select c.row_id::text from svc.change c
    where c.xid >= first and not pg_visible_in_snapshot(c.xid, until)
        and c.event = 'deleted' and c.table_name = p_table and c.row_id = any (ids);
end
$$;

-- Streams end with the right to them: who holds one is told what changes who its caller is. No more than whose it is
-- stands there.
create or replace function svc.tell_accounts() returns trigger language plpgsql security definer
set search_path = pg_catalog, pg_temp as $$
begin
    if tg_op = 'INSERT' then
        perform svc.publish('svc:account', to_json(new.account_id));
    else
        perform svc.publish('svc:account', to_json(old.account_id));
    end if;
    return null;
end
$$;
create or replace trigger tell_session after delete or update of org_id on svc.session for each row
    execute function svc.tell_accounts();
create or replace trigger tell_member after insert or delete or update on svc.member for each row
    execute function svc.tell_accounts();
create or replace function svc.tell_account() returns trigger language plpgsql security definer
set search_path = pg_catalog, pg_temp as $$
begin
    perform svc.publish('svc:account', to_json(old.id));
    return null;
end
$$;
create or replace trigger tell_account after delete or update of persona, is_admin, disabled, email on svc.account
    for each row execute function svc.tell_account();

revoke all on function svc.publish_in, svc.publish, svc.feed_since, svc.may_read_rows, svc.deleted_behind,
    svc.tell_accounts, svc.tell_account from public;
grant select on svc.topic_message to :system_role;
grant execute on function svc.feed_since to :system_role;
grant execute on function svc.publish, svc.may_read_rows, svc.deleted_behind to :data_role;
