-- Rows that were deleted and can be brought back (softDelete), and what happened to rows (audit). Both are written
-- by triggers, in the writer's own transaction. Run right after changes.sql.
--
-- A deleted row leaves its table and stands here until it is restored or its time is over. So nothing that reads the
-- table can show it: no list, link, aggregate, search, query or SQL; no reference finds it, and its unique values are
-- free. References to it do what `onDelete` says.

-- Orders deletions, history entries and renamed columns by time.
create sequence if not exists svc.history_seq;

create table if not exists svc.deleted (
    table_name text not null,
    row_id     uuid not null,
    seq        bigint not null default nextval('svc.history_seq'),
    deleted_at timestamptz not null default now(),
    actor      uuid,          -- account; null: a guest, a server, somebody at the database
    held       json not null, -- the row, by the names that its columns had then
    primary key (table_name, row_id)
);
-- The transaction that deleted it.
alter table svc.deleted add column if not exists deed xid8;
create index if not exists deleted_deed on svc.deleted (deed);
create index if not exists deleted_at_idx on svc.deleted (table_name, deleted_at);

-- For how long a table's deleted rows are kept. Null: until they are restored.
create table if not exists svc.keep_time (
    table_name text primary key,
    keep       interval
);

-- Columns that got another name, after what has a smaller seq was written.
create table if not exists svc.renamed (
    seq        bigint primary key default nextval('svc.history_seq'),
    table_name text not null,
    was        text not null,
    becomes    text not null
);
create index if not exists renamed_table on svc.renamed (table_name, seq);
-- Changes that were recorded before have a smaller number. Null: an earlier compiler did not note it.
alter table svc.renamed add column if not exists change_seq bigint;
alter table svc.renamed alter column change_seq set default nextval('svc.change_seq');

-- Tables that got another name, after what has a smaller seq was written.
create table if not exists svc.former_table (
    seq     bigint primary key default nextval('svc.history_seq'),
    was     text not null,
    becomes text not null,
    at      timestamptz not null default clock_timestamp()
);

-- Nothing that an app server or a developer may do changes or removes an entry.
create table if not exists svc.history (
    seq        bigint primary key default nextval('svc.history_seq'),
    at         timestamptz not null default now(),  -- when the writer's transaction began
    table_name text not null,
    row_id     uuid not null,
    event      text not null,  -- created, updated, deleted, restored
    actor      uuid,           -- as in svc.deleted; no reference: it outlives the account
    transition text,           -- of the lifecycle; null: none
    old        json,           -- the row before; null where created or restored
    new        json            -- the row after; null where deleted
);
create index if not exists history_row on svc.history (table_name, row_id, seq);
create or replace function svc.keep_history() returns trigger language plpgsql as $$
begin
    raise exception 'The history of rows can only be added to, not changed or deleted.' using errcode = '42501';
end
$$;
create or replace trigger keep_history before update or delete or truncate on svc.history
    for each statement execute function svc.keep_history();

-- After a delete of softDelete. An id that was deleted before (it was sent with a new row) is kept as it was last.
create or replace function svc.keep_deleted() returns trigger language plpgsql security definer
set search_path = pg_catalog, pg_temp as $$
begin
    insert into svc.deleted (table_name, row_id, actor, held, deed)
    values (tg_table_name, old.id, svc.user_id(), row_to_json(old), pg_current_xact_id())
    on conflict (table_name, row_id) do update set
        seq = excluded.seq, deleted_at = excluded.deleted_at, actor = excluded.actor, held = excluded.held,
        deed = excluded.deed;
    return null;
end
$$;

-- After each write of audit.
create or replace function svc.note_history() returns trigger language plpgsql security definer
set search_path = pg_catalog, pg_temp as $$
begin
    if tg_op = 'INSERT' then
        insert into svc.history (table_name, row_id, event, actor, new)
        values (tg_table_name, new.id,
                case when current_setting('svc.restoring', true) = tg_table_name then 'restored' else 'created' end,
                svc.user_id(), row_to_json(new));
    elsif tg_op = 'DELETE' then
        insert into svc.history (table_name, row_id, event, actor, old)
        values (tg_table_name, old.id, 'deleted', svc.user_id(), row_to_json(old));
    elsif old *<> new then  -- as they are stored: not each type has an equality
        insert into svc.history (table_name, row_id, event, actor, transition, old, new)
        values (tg_table_name, new.id, 'updated', svc.user_id(), svc.transition(), row_to_json(old), row_to_json(new));
    end if;
    return null;
end
$$;

-- A row whose column got another name.
create or replace function svc.with_name(p_row json, p_was text, p_becomes text) returns json language sql immutable
set search_path = pg_catalog, pg_temp as $$
    select json_object_agg(case when e.key = p_was then p_becomes else e.key end, e.value) from json_each(p_row) e
$$;

-- A row as it was written at `p_seq`, by the names that its columns have now.
create or replace function svc.by_new_names(p_table text, p_seq bigint, p_row json) returns json
language plpgsql stable set search_path = pg_catalog, pg_temp as $$
declare
    renamed record;
begin
    for renamed in
        select r.was, r.becomes from svc.renamed r where r.table_name = p_table and r.seq > p_seq order by r.seq
    loop
        p_row := svc.with_name(p_row, renamed.was, renamed.becomes);
    end loop;
    return p_row;
end
$$;

-- The same for the row of a change, by the number of the change. What reads changes may be late, and webhooks are
-- called for days. A row that cannot be read stays as it is.
create or replace function svc.change_by_new_names(p_table text, p_seq bigint, p_row json) returns json
language plpgsql stable set search_path = pg_catalog, pg_temp as $$
declare
    renamed record;
begin
    if p_row is null then
        return null;
    end if;
    for renamed in
        select r.was, r.becomes from svc.renamed r where r.table_name = p_table and r.change_seq > p_seq order by r.seq
    loop
        begin
            p_row := svc.with_name(p_row, renamed.was, renamed.becomes);
        exception when data_exception then
            return p_row;
        end;
    end loop;
    return p_row;
end
$$;

-- An apply has renamed a table, whose lock it holds: all that was written under the former name is committed. What may
-- change gets the new name: changes and messages that are still to be read, calls that are still to be made, deleted
-- rows, seeds. The history and the ledger of payments never change; they are read by svc.former_names and
-- svc.present_name. A table of the new name that somebody dropped may have left something, which is not of this one.
create or replace function svc.follow_table(p_was text, p_becomes text) returns void language plpgsql
set search_path = pg_catalog, pg_temp as $$
begin
    insert into svc.former_table (was, becomes) values (p_was, p_becomes);
    delete from svc.renamed r where r.table_name = p_becomes;
    update svc.renamed r set table_name = p_becomes where r.table_name = p_was;
    delete from svc.keep_time k where k.table_name = p_becomes;
    update svc.keep_time k set table_name = p_becomes where k.table_name = p_was;
    delete from svc.seed s where s.entity = p_becomes;
    update svc.seed s set entity = p_becomes where s.entity = p_was;
    update svc.deleted d set table_name = p_becomes where d.table_name = p_was;
    update svc.change c set table_name = p_becomes where c.table_name = p_was;
    update svc.topic_message m set topic = 'row-changed:' || p_becomes where m.topic = 'row-changed:' || p_was;
    update svc.delivery d set table_name = p_becomes, event = p_becomes || substr(d.event, length(p_was) + 1)
    where d.table_name = p_was;
end
$$;

-- The names under which a table's entries of the history stand, each between two numbers. An entity that got a name
-- which another table had before does not get the entries of that one.
create or replace function svc.former_names(p_table text, out name text, out after bigint, out before bigint)
returns setof record language plpgsql stable rows 1 set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_variable
declare
    last svc.former_table;
begin
    name := p_table;
    before := 9223372036854775807;
    loop
        select r.* into last from svc.former_table r
        where (r.becomes = name or r.was = name) and r.seq < before order by r.seq desc limit 1;
        after := coalesce(last.seq, 0);
        return next;
        exit when last.becomes is distinct from name;
        name := last.was;
        before := last.seq;
    end loop;
end
$$;

-- The name that a table of then has now.
create or replace function svc.present_name(p_table text, p_at timestamptz) returns text language plpgsql stable
security definer set search_path = pg_catalog, pg_temp as $$
declare
    renamed record;
begin
    for renamed in select r.was, r.becomes from svc.former_table r where r.at > p_at order by r.seq loop
        if renamed.was = p_table then
            p_table := renamed.becomes;
        end if;
    end loop;
    return p_table;
end
$$;

-- A deleted row that can be restored, which nobody else restores until the transaction ends; null: none.
create or replace function svc.deleted_row(p_table text, p_id uuid) returns json language plpgsql
set search_path = pg_catalog, pg_temp as $$
declare
    kept svc.deleted;
begin
    select d.* into kept from svc.deleted d
    where d.table_name = p_table and d.row_id = p_id
        and not exists (select from svc.keep_time k where k.table_name = p_table and d.deleted_at < now() - k.keep)
    for update of d;
    return svc.by_new_names(kept.table_name, kept.seq, kept.held);
end
$$;

-- Puts it into its table again, as it was. Columns that came later have their defaults. With it come the rows that
-- were deleted because it was, and are kept still; one that refers to another row that is gone waits for that one.
create or replace function svc.put_back(p_table text, p_id uuid) returns void language plpgsql
set search_path = pg_catalog, pg_temp as $$
declare
    held json := svc.deleted_row(p_table, p_id);
    deed_of_it xid8;
    seq_of_it bigint;
    columns text;
    child record;
begin
    if held is null then
        return;
    end if;
    delete from svc.deleted d where d.table_name = p_table and d.row_id = p_id
        returning d.deed, d.seq into deed_of_it, seq_of_it;
    select string_agg(quote_ident(a.attname), ', ' order by a.attnum) into columns
    from pg_attribute a
    where a.attrelid = format('public.%I', p_table)::regclass and a.attnum > 0 and not a.attisdropped
        and a.attgenerated = '' and a.attname <> 'updated_at'
        and a.attname in (select json_object_keys(held));
    perform set_config('svc.restoring', p_table, true);
    execute format('insert into public.%1$I (%2$s) select %2$s from json_populate_record(null::public.%1$I, $1)',
                   p_table, columns) using held;
    perform set_config('svc.restoring', '', true);
    -- A cascade deletes after the row that it follows from.
    for child in
        select d.table_name, d.row_id
        from pg_constraint k
        join pg_class c on c.oid = k.conrelid and c.relnamespace = 'public'::regnamespace
        join pg_attribute a on a.attrelid = k.conrelid and a.attnum = k.conkey[1]
        join svc.deleted d on d.table_name = c.relname and d.deed = deed_of_it and d.seq > seq_of_it
        where k.contype = 'f' and k.confdeltype = 'c' and k.confrelid = format('public.%I', p_table)::regclass
            and svc.by_new_names(d.table_name, d.seq, d.held) ->> a.attname = p_id::text
        order by d.seq
    loop
        begin
            perform svc.put_back(child.table_name, child.row_id);
        exception when foreign_key_violation then
            perform set_config('svc.restoring', '', true);
        end;
    end loop;
end
$$;

-- Throws away deleted rows whose time is over. Any number of servers may do it at the same time.
create or replace function svc.purge_deleted() returns bigint language plpgsql security definer
set search_path = pg_catalog, pg_temp as $$
declare
    gone bigint;
begin
    delete from svc.deleted where ctid = any (array(
        select d.ctid from svc.deleted d join svc.keep_time k on k.table_name = d.table_name
        where d.deleted_at < now() - k.keep limit 10000 for update of d skip locked));
    get diagnostics gone = row_count;
    return gone;
end
$$;

-- A moment as JSON. A column that had another type before may hold any text then, which is shown as it is: also
-- one that PostgreSQL would take for a moment, such as 'tomorrow'.
create or replace function svc.shown_moment(p_text text) returns text language plpgsql stable
set search_path = pg_catalog, pg_temp set timezone = 'UTC' as $$
begin
    if p_text !~ '^[0-9]' then
        return to_json(p_text)::text;
    end if;
    return replace(to_json(p_text::timestamptz)::text, '+00:00"', 'Z"');
exception when data_exception then
    return to_json(p_text)::text;
end
$$;

-- Writes these columns of a row, in their order, as the data API writes them; null if there is no row.
create or replace function svc.shown_row(p_table text, p_row json, p_columns text[]) returns text
language sql stable set search_path = pg_catalog, pg_temp set timezone = 'UTC' as $$
    select case when p_row is not null then '{' || coalesce(string_agg(
        to_json(c.name)::text || ':' || case
            when a.atttypid = 'timestamptz'::regtype and json_typeof(e.value) = 'string'
                then svc.shown_moment(e.value #>> '{}')
            else e.value::text end,
        ',' order by c.place), '') || '}' end
    from unnest(p_columns) with ordinality c (name, place)
    join json_each(p_row) e on e.key = c.name
    left join pg_attribute a on a.attrelid = to_regclass(format('public.%I', p_table)) and a.attname = c.name;
$$;

-- The history of a row, the latest entry first, before `p_before` if that is given. Only administrators and servers get
-- it.
create or replace function svc.history_of(p_table text, p_id uuid, p_columns text[], p_before bigint, p_limit integer)
returns table (seq bigint, at timestamptz, actor uuid, event text, transition text, old text, new text)
language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_column
begin
    if not svc.acts_as('server')
            and not exists (select from svc.account a where a.id = svc.user_id() and a.is_admin and not a.disabled) then
        raise exception 'Admin required' using errcode = 'SV403';
    end if;
    return query
    select h.seq, h.at, h.actor, h.event, h.transition,
           svc.shown_row(p_table, svc.by_new_names(p_table, h.seq, h.old), p_columns),
           svc.shown_row(p_table, svc.by_new_names(p_table, h.seq, h.new), p_columns)
    from svc.former_names(p_table) n
    join svc.history h on h.table_name = n.name and h.seq > n.after and h.seq < n.before
    where h.row_id = p_id and (p_before is null or h.seq < p_before)
    order by h.seq desc limit p_limit;
end
$$;

revoke all on function svc.keep_history, svc.keep_deleted, svc.note_history, svc.with_name, svc.by_new_names,
    svc.change_by_new_names, svc.follow_table, svc.former_names, svc.present_name, svc.deleted_row, svc.put_back,
    svc.purge_deleted, svc.shown_moment, svc.shown_row, svc.history_of from public;
grant execute on function svc.history_of, svc.present_name to :data_role;
grant execute on function svc.purge_deleted to :system_role;
