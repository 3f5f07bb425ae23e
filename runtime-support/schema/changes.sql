-- Records the writes to the app's tables, for feeds, workflows and webhooks. Triggers record each write in the
-- writer's own transaction, and it is kept for 24 hours at least. Run right after system.sql.

-- Taken when a write has its locks: whoever could see another's write has a greater one.
create sequence if not exists svc.change_seq;

-- Databases of an earlier compiler have partitions, to which PostgreSQL routes each row; they become slots as
-- they are, rows and all. Writers are kept out by their own tables, in which they come first: nobody meets the
-- change half made, or waits for us while we wait for them.
do $$
declare
    writers text;
    readers oid[];
    reader oid;
begin
    if (select relkind from pg_class where oid = to_regclass('svc.change')) is distinct from 'p' then
        return;
    end if;
    select string_agg(distinct t.tgrelid::regclass::text, ', ' order by t.tgrelid::regclass::text) into writers
    from pg_trigger t join pg_class c on c.oid = t.tgrelid
    where t.tgfoid = to_regproc('svc.record_change') and c.relkind in ('r', 'p');
    if writers is not null then
        execute 'lock table ' || writers || ' in share row exclusive mode';
    end if;
    readers := array(select a.grantee from pg_class, aclexplode(relacl) a
                     where oid = 'svc.change'::regclass and a.privilege_type = 'SELECT'
                         and a.grantee not in (0, relowner));
    for n in 0..3 loop
        execute format('alter table svc.change detach partition svc.%I', 'change_' || n);
        execute format('alter table svc.%I drop column slot', 'change_' || n);
    end loop;
    drop table svc.change;
    create table svc.change (like svc.change_0 including defaults, constraint in_slots check (false) no inherit);
    foreach reader in array readers loop
        execute format('grant select on svc.change to %s', reader::regrole);
    end loop;
end
$$;

-- Read as a whole. Rows are in slots that are filled in turn, each for at least twelve hours; rows of the next slot are
-- a day old. Slots are not partitions: a writer gets the slot's number. To find it anew for each row, by the clock, was
-- a fifth of what a record cost.
create table if not exists svc.change (
    seq        bigint not null default nextval('svc.change_seq'),
    xid        xid8 not null default pg_current_xact_id(),
    at         timestamptz not null default now(),  -- when the writer's transaction began
    table_name text not null,
    event      text not null,  -- created, updated, deleted
    row_id     uuid not null,
    actor      uuid,           -- account; null: a guest, a server, a seed, somebody at the database
    transition text,           -- of the lifecycle; null: none
    old        json,           -- the row before; null where created
    new        json,           -- the row after; null where deleted
    constraint in_slots check (false) no inherit
);
-- It has no rows, but without its indexes what is read in order would be sorted.
create index if not exists change_seq_idx on svc.change (seq);
create index if not exists change_xid_idx on svc.change (xid);

-- The four slots of a table that is read as a whole: change, or topic_message (topics.sql).
create or replace function svc.make_slots(p_table text) returns void language plpgsql
set search_path = pg_catalog, pg_temp as $$
declare
    slot text;
begin
    for n in 0..3 loop
        slot := p_table || '_' || n;
        execute format('create table if not exists svc.%I (like svc.%I including defaults)', slot, p_table);
        execute format('create index if not exists %I on svc.%I (seq)', slot || '_seq_idx', slot);
        execute format('create index if not exists %I on svc.%I (xid)', slot || '_xid_idx', slot);
        if not exists (select from pg_inherits where inhrelid = ('svc.' || slot)::regclass) then
            execute format('alter table svc.%I inherit svc.%I', slot, p_table);
        end if;
    end loop;
end
$$;
select svc.make_slots('change');

-- The slot that is written to. At first the one that partitions were written to by the clock.
create table if not exists svc.change_slot (
    only_one boolean primary key default true check (only_one),
    slot     smallint not null default date_part('epoch', now())::bigint / 43200 % 4,
    since    timestamptz not null default now()
);
insert into svc.change_slot default values on conflict do nothing;

-- The greatest transaction whose changes were thrown away.
create table if not exists svc.change_floor (
    only_one boolean primary key default true check (only_one),
    xid      xid8 not null
);
-- What had ended by then. Null: an earlier compiler threw it away.
alter table svc.change_floor add column if not exists ended pg_snapshot;

-- Makes the function of all triggers, which writes to this slot. That waits for nobody and nobody waits for it;
-- what is being written meanwhile may still go to the slot before.
--
-- After inserts and deletes it runs once a statement, which is cheap for many rows; after updates once a row,
-- which needs nothing to bring old and new together. No NOTIFY: it makes writers commit one after another.
--
-- Each name and operator in it says its schema, so whose search_path it runs under is all one; to fix one for the
-- call made a create a twelfth slower. A bare name in it means a variable, whatever the rows have for columns. Rows are
-- compared as they are stored: a column that somebody added may have a type without an equality, such as json.
create or replace function svc.record_in(p_slot integer) returns void language plpgsql
set search_path = pg_catalog, pg_temp as $make$
begin
    execute format($format$
create or replace function svc.record_change() returns trigger language plpgsql security definer as $$
#variable_conflict use_variable
begin
    if tg_op operator(pg_catalog.=) 'INSERT' then
        insert into svc.%1$I (table_name, event, row_id, actor, new)
        select tg_table_name, 'created', _row.id, svc.user_id(), pg_catalog.row_to_json(_row) from new_rows _row;
    elsif tg_op operator(pg_catalog.=) 'DELETE' then
        insert into svc.%1$I (table_name, event, row_id, actor, old)
        select tg_table_name, 'deleted', _row.id, svc.user_id(), pg_catalog.row_to_json(_row) from old_rows _row;
    elsif old operator(pg_catalog.*<>) new then
        insert into svc.%1$I (table_name, event, row_id, actor, transition, old, new)
        values (tg_table_name, 'updated', new.id, svc.user_id(), svc.transition(),
                pg_catalog.row_to_json(old), pg_catalog.row_to_json(new));
    end if;
    return null;
end
$$
$format$, 'change_' || p_slot);
end
$make$;
select svc.record_in(slot) from svc.change_slot for update;

-- Before TRUNCATE, which shows no rows that could be recorded.
create or replace function svc.refuse_truncate() returns trigger language plpgsql
set search_path = pg_catalog, pg_temp as $$
begin
    raise exception 'TRUNCATE is not allowed, because its deletes are not recorded. Use delete from %.%.',
        quote_ident(tg_table_schema), quote_ident(tg_table_name) using errcode = 'feature_not_supported';
end
$$;

-- The transactions that had ended at `p_snapshot`, without those that are newer than `p_last`.
--
-- A transaction that wrote nothing that lasts (it was rolled back, or did not wait for the disk) may be forgotten by a
-- crash, and then its number is given out once more: a cursor by which it has ended would hide what the second one
-- writes. So a cursor goes no further than to a record that its reader could see. That one was on the disk before.
create or replace function svc.cut_snapshot(p_snapshot pg_snapshot, p_last xid8) returns pg_snapshot language plpgsql
immutable set search_path = pg_catalog, pg_temp as $$
declare
    edge bigint := p_last::text::bigint + 1;
    open text[];
begin
    if pg_snapshot_xmax(p_snapshot)::text::bigint <= edge then
        return p_snapshot;
    end if;
    open := array(select x::text from pg_snapshot_xip(p_snapshot) x where x::text::bigint < edge
                  order by x::text::bigint);
    return coalesce(open[1], edge::text) || ':' || edge || ':' || array_to_string(open, ',');
end
$$;

-- The newest transaction of which a record or a message can be seen, or was. 0: there was none.
create or replace function svc.last_recorded(p_snapshot pg_snapshot) returns xid8 language plpgsql stable
set search_path = pg_catalog, pg_temp set enable_sort = off set enable_seqscan = off set jit = off
set plan_cache_mode = force_generic_plan as $$
begin
    return greatest('0'::xid8,
        (select c.xid from svc.change c
         where c.xid < pg_snapshot_xmax(p_snapshot) and pg_visible_in_snapshot(c.xid, p_snapshot)
         order by c.xid desc limit 1),
        (select m.xid from svc.topic_message m
         where m.xid < pg_snapshot_xmax(p_snapshot) and pg_visible_in_snapshot(m.xid, p_snapshot)
         order by m.xid desc limit 1),
        (select f.xid from svc.change_floor f where f.xid < pg_snapshot_xmax(p_snapshot)));
end
$$;

-- The snapshot of a reader from `p_since` at `p_present`, after it has read records and messages of transactions up to
-- `p_newest`, which are all that is new. null: there were none.
drop function if exists svc.cut_behind(pg_snapshot, pg_snapshot, bigint[]);
create or replace function svc.cut_behind(p_present pg_snapshot, p_since pg_snapshot, p_newest bigint)
returns pg_snapshot language plpgsql immutable set search_path = pg_catalog, pg_temp as $$
begin
    return svc.cut_snapshot(p_present, greatest(pg_snapshot_xmax(p_since)::text::bigint - 1, p_newest)::text::xid8);
end
$$;

-- The same where there is more than a page.
create or replace function svc.cut_behind_all(p_present pg_snapshot, p_since pg_snapshot) returns pg_snapshot
language plpgsql stable set search_path = pg_catalog, pg_temp as $$
begin
    return svc.cut_behind(p_present, p_since, svc.last_recorded(p_present)::text::bigint);
end
$$;

-- Is something new to a reader from `p_since` among what ended up to `p_xid`, and was thrown away when `p_ended` had
-- ended? Not because of a transaction that was under way then: nothing of it was thrown away. So none that stays open
-- for days takes a cursor away.
create or replace function svc.is_lost(p_since pg_snapshot, p_xid xid8, p_ended pg_snapshot) returns boolean
language plpgsql immutable set search_path = pg_catalog, pg_temp as $$
begin
    return p_xid >= pg_snapshot_xmax(p_since) or exists (
        select from pg_snapshot_xip(p_since) x
        where x <= p_xid and coalesce(pg_visible_in_snapshot(x, p_ended), true));
end
$$;

-- The least transaction that may be new to a reader from `p_since` at `p_until`. One that is still under way is not. So
-- a reader that begins here passes nothing that it knows, however long some transaction of this server stays open.
create or replace function svc.first_new(p_since pg_snapshot, p_until pg_snapshot) returns xid8 language plpgsql
immutable strict set search_path = pg_catalog, pg_temp as $$
begin
    if pg_snapshot_xmin(p_since) = pg_snapshot_xmax(p_since) then
        return pg_snapshot_xmax(p_since);
    end if;
    return coalesce((select x from pg_snapshot_xip(p_since) x where pg_visible_in_snapshot(x, p_until)
                     order by x limit 1), pg_snapshot_xmax(p_since));
end
$$;

-- What has ended by now, to be kept in a row: pg_current_snapshot() may say of its own transaction that it has ended,
-- which is still to write. It needs no cut: if a crash does not undo the row, it undoes nothing that ended before.
create or replace function svc.ended_now() returns pg_snapshot language plpgsql stable
set search_path = pg_catalog, pg_temp as $$
declare
    present pg_snapshot := pg_current_snapshot();
    own xid8 := pg_current_xact_id_if_assigned();
    open xid8[];
begin
    if own is null or not pg_visible_in_snapshot(own, present) then
        return present;
    end if;
    open := array(select x from pg_snapshot_xip(present) x union select own order by 1);
    return open[1] || ':' || pg_snapshot_xmax(present) || ':' || array_to_string(open, ',');
end
$$;

-- What has ended by now, and the present transaction as if it had.
--
-- A snapshot names every number below its end that has not ended. The present transaction may be far above the last
-- one that has, because a bulk write takes a number for each of its savepoints. If it is, a savepoint of this
-- transaction is rolled back first: its number is above all those and has ended, so the next snapshot reaches beyond
-- them. Of a transaction that is under way such a snapshot names one number, whatever its savepoints took.
create or replace function svc.ended_with_this() returns pg_snapshot language plpgsql volatile
set search_path = pg_catalog, pg_temp as $$
declare
    own bigint := pg_current_xact_id()::text::bigint;
    present pg_snapshot := pg_current_snapshot();
    edge bigint;
begin
    if own - pg_snapshot_xmax(present)::text::bigint > 200 then
        begin
            insert into svc.element (run, path, n) values (svc.new_id(), '', 0);  -- any write: it takes the number
            raise exception 'rolled back';
        exception when raise_exception then
            present := pg_current_snapshot();
        end;
    end if;
    edge := pg_snapshot_xmax(present)::text::bigint;
    if own < edge then
        return present;
    end if;
    return least(pg_snapshot_xmin(present)::text::bigint, own) || ':' || own + 1 || ':' || array_to_string(array(
        select x::text::bigint from pg_snapshot_xip(present) x
        union all select generate_series(edge, own - 1) order by 1), ',');
end
$$;

-- The cursor to read everything that is written from now on.
create or replace function svc.change_cursor() returns text language plpgsql stable
set search_path = pg_catalog, pg_temp as $$
declare
    present pg_snapshot := svc.ended_now();
begin
    return svc.cut_snapshot(present, svc.last_recorded(present));
end
$$;

-- The changes after a cursor, at most p_limit, each with the cursor to go on from: that of the last row
-- read. Where there is nothing new one row comes, which has only `next`. A null cursor reads from the oldest.
-- svc.feed_since reads messages of topics as well.
--
-- A cursor is a snapshot: which transactions had ended. What ended between two snapshots is read in order
-- of seq; within it (a page that was full) a cursor is both snapshots and the seq that was reached. So nothing is
-- missed or repeated however long a transaction takes, and none waits for another; and a write that could
-- see another comes after it. A cursor whose next changes were thrown away is refused: SV410.
--
-- A slot that was emptied fills faster than it is analysed. Whoever believes that there are few rows sorts all that
-- are left for each page; so an index is read wherever one has the order.
create or replace function svc.changes_since(p_cursor text, p_limit integer default 1000)
returns table (next text, seq bigint, at timestamptz, table_name text, event text, row_id uuid, actor uuid,
               transition text, old json, new json)
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
begin
    -- The index of xid finds what is new; that of seq goes on within it. "+ 0" keeps the second out of the first.
    if reached is null then
        select coalesce(array_agg(n.seq), '{}'), max(n.xid) into found_seqs, newest from (
            select c.seq, c.xid::text::bigint as xid from svc.change c
            where c.xid >= first and c.xid < pg_snapshot_xmax(until)
                and not pg_visible_in_snapshot(c.xid, since) and pg_visible_in_snapshot(c.xid, until)
            order by c.seq + 0 limit most + 1) n;
    else
        found_seqs := array(
            select c.seq from svc.change c
            where c.seq > reached
                and not pg_visible_in_snapshot(c.xid, since) and pg_visible_in_snapshot(c.xid, until)
            order by c.seq limit most + 1);
    end if;
    if parts[2] is null then
        -- Not always by last_recorded(): that passes all that a transaction has written which is still under way.
        until := case when cardinality(found_seqs) <= most then svc.cut_behind(present, since, newest)
            else svc.cut_behind_all(present, since) end;
    end if;
    if found_seqs <> '{}' then
        return query
        select case when c.seq = found_seqs[cardinality(found_seqs)] then until::text
                    else concat_ws('/', since, until, c.seq) end,
               c.seq, c.at, c.table_name, c.event, c.row_id, c.actor, c.transition, c.old, c.new
        from svc.change c where c.seq = any (found_seqs[:most]) order by c.seq;
    end if;
    if found_seqs = '{}' or not found then
        return query select until::text, null::bigint, null::timestamptz, null, null, null::uuid, null::uuid, null,
                            null::json, null::json;
    end if;
    -- Asked after the rows were read: what was thrown away meanwhile is known by now.
    if p_cursor is not null
            and (pg_snapshot_xmax(since) > pg_snapshot_xmax(present)
                 or exists (select from svc.change_floor f where f.xid >= pg_snapshot_xmin(since)
                                and svc.is_lost(since, f.xid, f.ended))) then
        raise exception 'The changes after this cursor are no longer kept.' using errcode = 'SV410';
    end if;
end
$$;

-- Drops changes and messages that have another server's transaction numbers, from a copy that was restored here. They
-- would look new once this server has come to these numbers. Each statement asks its own snapshot: to an earlier one,
-- what was written since would look like theirs.
create or replace function svc.drop_foreign_changes() returns void language plpgsql
set search_path = pg_catalog, pg_temp as $$
begin
    delete from svc.change where xid >= pg_snapshot_xmax(pg_current_snapshot());
    delete from svc.topic_message where xid >= pg_snapshot_xmax(pg_current_snapshot());
    delete from svc.change_floor where xid >= pg_snapshot_xmax(pg_current_snapshot());
end
$$;

-- Empties the slot that comes next: its changes are 24 hours old at least, and so are its topic messages
-- (topics.sql). True: there were some. A truncate costs the same for any number of rows; it waits for readers of
-- that slot, not for long, and for no writer. Moves on to that slot once the present one was written to for twelve
-- hours.
create or replace function svc.purge_changes() returns boolean language plpgsql security definer
set search_path = pg_catalog, pg_temp set lock_timeout = '50ms' as $$
declare
    present svc.change_slot;
    oldest integer;
    newest xid8;
    ended pg_snapshot;
begin
    -- Any number of servers call this. One is enough: another one leaves at once and waits for no lock.
    select * into present from svc.change_slot for update skip locked;
    if not found then
        return false;
    end if;
    perform svc.drop_foreign_changes();
    oldest := (present.slot + 1) % 4;
    if svc.newest_in(oldest) is not null then
        -- Whoever still wrote there has ended by then, and all of it is seen.
        execute format('lock table svc.%I, svc.%I in access exclusive mode', 'change_' || oldest,
                       'topic_message_' || oldest);
        newest := svc.newest_in(oldest);
        ended := pg_current_snapshot();
        -- Workflows and webhooks have not come to it yet (consume.sql).
        if svc.is_unread(oldest, newest, ended) then
            return false;
        end if;
        insert into svc.change_floor as f (xid, ended) values (newest, ended)
        on conflict (only_one) do update set xid = greatest(f.xid, excluded.xid), ended = excluded.ended;
        execute format('truncate svc.%I, svc.%I', 'change_' || oldest, 'topic_message_' || oldest);
    end if;
    if present.since <= now() - interval '12 hours' then
        update svc.change_slot set slot = oldest, since = now();
        perform svc.record_in(oldest);
        perform svc.publish_in(oldest);
    end if;
    return newest is not null;
exception when lock_not_available then
    return false;
end
$$;

-- The newest transaction of this slot; null: it is empty.
create or replace function svc.newest_in(p_slot integer) returns xid8 language plpgsql
set search_path = pg_catalog, pg_temp as $$
declare
    newest xid8;
begin
    execute format('select greatest((select xid from svc.%I order by xid desc limit 1),'
                   ' (select xid from svc.%I order by xid desc limit 1))',
                   'change_' || p_slot, 'topic_message_' || p_slot) into newest;
    return newest;
end
$$;

-- True while something in this slot, up to `p_newest`, is new to whoever consumes all changes. Also while a cursor of
-- theirs does not know yet of a transaction that has ended meanwhile: it would be refused for good.
drop function if exists svc.is_unread(integer);
create or replace function svc.is_unread(p_slot integer, p_newest xid8, p_ended pg_snapshot) returns boolean
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
    c record;
    since pg_snapshot;
    unread boolean;
begin
    for c in select k.cursor from svc.consumer k
        where k.wanted or exists (select from svc.waiter) loop
        since := split_part(c.cursor, '/', 1);
        execute format(
            'select exists (select from svc.%I s where s.xid >= $2 and not pg_visible_in_snapshot(s.xid, $1))'
            ' or exists (select from svc.%I s where s.xid >= $2 and not pg_visible_in_snapshot(s.xid, $1))',
            'change_' || p_slot, 'topic_message_' || p_slot)
            into unread using since, svc.first_new(since, p_ended);
        if unread or svc.is_lost(since, p_newest, p_ended) then
            return true;
        end if;
    end loop;
    return false;
end
$$;

revoke all on function svc.newest_in, svc.is_unread, svc.make_slots, svc.record_in, svc.record_change,
    svc.refuse_truncate, svc.cut_snapshot, svc.last_recorded, svc.cut_behind, svc.cut_behind_all, svc.is_lost,
    svc.first_new, svc.ended_now, svc.ended_with_this, svc.change_cursor, svc.changes_since, svc.drop_foreign_changes,
    svc.purge_changes from public;
grant select on svc.change, svc.change_floor to :system_role;
grant execute on function svc.cut_snapshot, svc.last_recorded, svc.cut_behind, svc.cut_behind_all, svc.is_lost,
    svc.first_new, svc.ended_now, svc.change_cursor, svc.changes_since, svc.purge_changes to :system_role;
