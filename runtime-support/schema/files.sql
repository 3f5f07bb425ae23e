-- Files that people upload: what is known of each. Its bytes are on disk, under its id. Run after accounts.sql; every
-- statement may run again.

create table if not exists svc.file (
    id         uuid primary key default svc.new_id(),
    owner_id   uuid references svc.account on delete set null,
    name       text not null default '',
    mime       text not null,
    size       bigint not null,  -- bytes; as announced until it is stored
    received   bigint not null default 0,  -- bytes of an unfinished resumable upload
    sha256     bytea,            -- of a stored one
    state      text not null check (state in ('signed', 'uploading', 'stored', 'deleted')),
    part       text not null default '',  -- its temporary name: it has that until it is renamed
    created_at timestamptz not null default now(),
    stored_at  timestamptz,
    deleted_at timestamptz
);
-- The present writer of a resumable upload. The next writer takes it over, and the one before stops.
alter table svc.file add column if not exists writer uuid;
-- What the client of a resumable upload said of it (Upload-Metadata), to be told again.
alter table svc.file add column if not exists metadata text not null default '';
-- It came with a form: whoever sent that and never saved it knows nothing of the file.
alter table svc.file add column if not exists of_form boolean not null default false;
create index if not exists file_of_form on svc.file (stored_at) where of_form and state = 'stored';
create index if not exists file_owner on svc.file (owner_id);
create index if not exists file_unfinished on svc.file (created_at) where state in ('signed', 'uploading');
create index if not exists file_deleted on svc.file (deleted_at) where state = 'deleted';

-- Bytes that requests bring now and that no row of a file counts yet.
create table if not exists svc.file_coming (
    key        uuid primary key,     -- of the request; for a resumable upload that of its writer
    file_id    uuid not null,
    owner_id   uuid,
    bytes      bigint not null,
    apart      boolean not null,     -- they are in a file of their own until the request ends
    created_at timestamptz not null default now()
);

-- One row: whoever has it locked counts what is stored, and stores.
create table if not exists svc.file_lock (only_one boolean primary key default true check (only_one));
insert into svc.file_lock default values on conflict do nothing;

-- How many bytes are stored, so that nobody adds up all files: an entry for each file that is stored or deleted, which
-- svc.fold_file_sums makes one of. An entry is only added, so writers of files wait for nobody.
create table if not exists svc.file_sum (
    whose  uuid not null,   -- an account, or svc.whose(null): all files
    bytes  bigint not null,
    folded boolean not null default false
);
create index if not exists file_sum_whose on svc.file_sum (whose);
create index if not exists file_sum_loose on svc.file_sum (whose) where not folded;
create index if not exists file_uploading on svc.file (owner_id) where state = 'uploading';

-- Null: all files.
create or replace function svc.whose(p_owner uuid) returns uuid language sql immutable as $$
    select coalesce(p_owner, '00000000-0000-0000-0000-000000000000'::uuid);
$$;

create or replace function svc.sum_file() returns trigger language plpgsql security definer
set search_path = pg_catalog, pg_temp as $$
begin
    if tg_op <> 'INSERT' and old.state = 'stored' then
        insert into svc.file_sum (whose, bytes)
        select w, -old.size from unnest(array[old.owner_id, svc.whose(null)]) w where w is not null;
    end if;
    if tg_op <> 'DELETE' and new.state = 'stored' then
        insert into svc.file_sum (whose, bytes)
        select w, new.size from unnest(array[new.owner_id, svc.whose(null)]) w where w is not null;
    end if;
    return null;
end
$$;

-- The trigger locks the table against writers until the end of the transaction, so the first sums miss nobody's file.
do $$
begin
    if not exists (select from pg_trigger where tgrelid = 'svc.file'::regclass and tgname = 'sum_file') then
        create trigger sum_file after insert or delete or update of state, size, owner_id on svc.file
            for each row execute function svc.sum_file();
        delete from svc.file_sum;
        insert into svc.file_sum (whose, bytes, folded)
        select f.owner_id, sum(f.size), true from svc.file f
        where f.state = 'stored' and f.owner_id is not null group by f.owner_id;
        insert into svc.file_sum (whose, bytes, folded)
        select svc.whose(null), coalesce(sum(f.size), 0), true from svc.file f where f.state = 'stored';
    end if;
end
$$;

-- Whether the caller may read a row that holds the file, in a column that they may read; and whether any row holds it.
-- An apply replaces both where the contract has fields for files.
do $$
begin
    if to_regprocedure('svc.sees_file(uuid)') is null then
        create function svc.sees_file(p_file uuid) returns boolean language plpgsql stable
        as 'begin return false; end';
    end if;
    if to_regprocedure('svc.file_held(uuid)') is null then
        create function svc.file_held(p_file uuid) returns boolean language plpgsql stable security definer
        set search_path = pg_catalog, pg_temp as 'begin return false; end';
    end if;
end
$$;

-- A caller sees what is their own, and what a row holds that they may read.
alter table svc.file enable row level security;
do $$
begin
    if not exists (select from pg_policy where polrelid = 'svc.file'::regclass and polname = 'file_read') then
        create policy file_read on svc.file for select
            using (state = 'stored' and (owner_id = svc.user_id() or svc.sees_file(id)));
    end if;
end
$$;

-- The caller may put this file into a row. A file that is about to be deleted is waited for.
create or replace function svc.may_hold_file(p_file uuid) returns boolean language plpgsql security definer
set search_path = pg_catalog, pg_temp as $$
begin
    perform from svc.file f where f.id = p_file and f.state = 'stored'
        and (f.owner_id = svc.user_id() or svc.past_policies()) for share;
    if not found then
        return false;
    end if;
    -- A file that a row has held is no file of an abandoned form any more, also if the row is deleted and comes back.
    update svc.file f set of_form = false where f.id = p_file and f.of_form;
    return true;
end
$$;

-- Bytes of one account, or of all where it is null.
create or replace function svc.files_size(p_owner uuid) returns bigint language sql stable security definer
set search_path = pg_catalog, pg_temp as $$
    select (select coalesce(sum(s.bytes), 0) from svc.file_sum s where s.whose = svc.whose(p_owner))::bigint
         + (select coalesce(sum(f.received), 0) from svc.file f
            where f.state = 'uploading' and (p_owner is null or f.owner_id = p_owner))::bigint
         + (select coalesce(sum(c.bytes), 0) from svc.file_coming c
            where p_owner is null or c.owner_id = p_owner)::bigint;
$$;

-- One entry for whoever has several. Of those who fold only one does it at a time, and whoever counts meanwhile sees
-- either what was or what is.
create or replace function svc.fold_file_sums() returns void language plpgsql security definer
set search_path = pg_catalog, pg_temp as $$
declare
    one uuid;
begin
    perform from svc.file_lock for update;
    for one in select distinct s.whose from svc.file_sum s where not s.folded loop
        with gone as (delete from svc.file_sum s where s.whose = one returning s.bytes)
        insert into svc.file_sum (whose, bytes, folded)
        select one, sum(g.bytes), true from gone g having sum(g.bytes) <> 0;
    end loop;
end
$$;

-- Of these bytes of a request so many count.
create or replace function svc.coming(p_key uuid) returns bigint language sql stable security definer
set search_path = pg_catalog, pg_temp as $$
    select coalesce(sum(c.bytes), 0)::bigint from svc.file_coming c where c.key = p_key;
$$;

-- So many bytes more fit; 0: no quota.
create or replace function svc.file_fits(p_owner uuid, p_size bigint, p_user bigint, p_project bigint) returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
    return (p_user = 0 or svc.files_size(p_owner) + p_size <= p_user)
        and (p_project = 0 or svc.files_size(null) + p_size <= p_project);
end
$$;

-- So many bytes of a request have come. False: they do not fit. If PostgreSQL is killed the count may be lost; the
-- bytes of the request are then given up, or a row of their file counts them.
create or replace function svc.count_coming(p_key uuid, p_file uuid, p_owner uuid, p_bytes bigint, p_apart boolean,
    p_user bigint, p_project bigint) returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
    perform set_config('synchronous_commit', 'off', true);
    perform from svc.file_lock for update;
    if not svc.file_fits(p_owner, p_bytes - svc.coming(p_key), p_user, p_project) then
        return false;
    end if;
    insert into svc.file_coming as c (key, file_id, owner_id, bytes, apart)
    values (p_key, p_file, p_owner, p_bytes, p_apart)
    on conflict (key) do update set bytes = excluded.bytes;
    return true;
end
$$;

-- Whether a file that has come would fit now, without the lock: svc.store_file decides. Bytes of it that count already
-- as those of an upload, or of the request `p_key`, are taken off. One that is stored takes no more room.
drop function if exists svc.file_would_fit(uuid, uuid, bigint, bigint, bigint);
create or replace function svc.file_would_fit(p_id uuid, p_owner uuid, p_size bigint, p_user bigint, p_project bigint,
    p_key uuid default null)
returns boolean language sql stable security definer set search_path = pg_catalog, pg_temp as $$
    select exists (select from svc.file f where f.id = p_id and f.state in ('stored', 'deleted'))
        or svc.file_fits(p_owner, p_size - svc.coming(p_key) - coalesce((
            select f.received from svc.file f where f.id = p_id and f.state = 'uploading'), 0), p_user, p_project);
$$;

-- A file that the caller is going to upload. Null: it does not fit the quota.
create or replace function svc.sign_file(p_mime text, p_size bigint, p_user bigint, p_project bigint) returns uuid
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
    made uuid;
begin
    if not svc.file_fits(svc.user_id(), p_size, p_user, p_project) then
        return null;
    end if;
    insert into svc.file (owner_id, mime, size, state) values (svc.user_id(), p_mime, p_size, 'signed')
    returning id into made;
    return made;
end
$$;

-- The same for a file that comes with a form.
create or replace function svc.sign_form_file(p_mime text, p_user bigint, p_project bigint) returns uuid
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
    made uuid := svc.sign_file(p_mime, 0, p_user, p_project);
begin
    update svc.file set of_form = true where id = made;
    return made;
end
$$;

-- What the caller was let upload under this id; no row: nothing, or it has been uploaded.
create or replace function svc.signed_file(p_id uuid) returns table (mime text, size bigint, state text)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
    select f.mime, f.size, f.state from svc.file f where f.id = p_id and f.owner_id = svc.user_id();
$$;

-- This very part is the file: a request whose server was killed has stored it.
create or replace function svc.is_part_of(p_id uuid, p_part text) returns boolean
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
    select exists (select from svc.file f where f.id = p_id and f.part = p_part and f.state in ('stored', 'deleted'));
$$;

-- The bytes are on disk under their temporary name. `stored`, `quota`, or `taken`: the id is no longer to be uploaded,
-- and no row names the part. Concurrent calls are counted one after the other. `p_key`: of the request that brought
-- them, as svc.count_coming has it.
drop function if exists svc.store_file(uuid, uuid, text, text, bigint, bytea, text, bigint, bigint);
create or replace function svc.store_file(p_id uuid, p_owner uuid, p_name text, p_mime text, p_size bigint,
    p_sha256 bytea, p_part text, p_user bigint, p_project bigint, p_key uuid default null) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
    counted bigint;
begin
    if p_user > 0 or p_project > 0 then
        perform from svc.file_lock for update;
    end if;
    select coalesce(max(f.received), 0) into counted from svc.file f where f.id = p_id and f.state = 'uploading';
    if not svc.is_part_of(p_id, p_part)
            and not svc.file_fits(p_owner, p_size - counted - svc.coming(p_key), p_user, p_project) then
        return 'quota';
    end if;
    delete from svc.file_coming c where c.key = p_key;
    update svc.file f set state = 'stored', name = p_name, mime = p_mime, size = p_size, sha256 = p_sha256,
        part = p_part, received = 0, stored_at = now()
    where f.id = p_id and f.owner_id = p_owner and f.state in ('signed', 'uploading');
    -- Asked after the row: whoever held that may have stored the part.
    return case when found or svc.is_part_of(p_id, p_part) then 'stored' else 'taken' end;
end
$$;

-- A resumable upload of the caller's. Null: it does not fit the quota.
drop function if exists svc.begin_upload(text, text, bigint, bigint, bigint);
create or replace function svc.begin_upload(p_mime text, p_name text, p_size bigint, p_user bigint, p_project bigint,
                                            p_metadata text default '')
returns uuid language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
    made uuid := svc.sign_file(p_mime, p_size, p_user, p_project);
begin
    update svc.file set state = 'uploading', name = p_name, metadata = p_metadata where id = made;
    return made;
end
$$;

-- The caller goes on with it, and nobody else does from now on. `before`: who did; empty: nobody. It does not wait for
-- the disk: if PostgreSQL is killed and forgets it, what that writer records is refused, and its client asks again.
drop function if exists svc.take_upload(uuid, uuid);
create or replace function svc.take_upload(p_id uuid, p_writer uuid)
returns table (mime text, name text, size bigint, received bigint, state text, expires text, before text, metadata text)
language sql security definer set search_path = pg_catalog, pg_temp as $$
    select set_config('synchronous_commit', 'off', true);
    with last as (
        select f.id, f.writer from svc.file f where f.id = p_id and f.owner_id = svc.user_id()
            and f.state in ('uploading', 'stored') for update),
    -- What it had not recorded is written again.
    given_up as (delete from svc.file_coming c using last where c.key = last.writer and not c.apart)
    update svc.file f set writer = p_writer from last where f.id = last.id
    returning f.mime, f.name, f.size, f.received, f.state,
        to_char((f.created_at + interval '24 hours') at time zone 'UTC', 'Dy, DD Mon YYYY HH24:MI:SS "GMT"'),
        coalesce(last.writer::text, ''), f.metadata;
$$;

-- False: somebody else has taken it over.
create or replace function svc.advance_upload(p_id uuid, p_writer uuid, p_received bigint) returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
    update svc.file f set received = p_received where f.id = p_id and f.writer = p_writer and f.state = 'uploading';
    return found;
end
$$;

-- `advanced`, `taken`: somebody else has taken it over, or `quota`: what has come of it no longer fits.
-- Concurrent calls are counted one after the other.
create or replace function svc.go_on_with_upload(p_id uuid, p_writer uuid, p_received bigint, p_user bigint,
    p_project bigint) returns text language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
    entry svc.file;
begin
    if p_user > 0 or p_project > 0 then
        perform from svc.file_lock for update;
    end if;
    select * into entry from svc.file f where f.id = p_id for update;
    if not found or entry.writer is distinct from p_writer or entry.state <> 'uploading' then
        return 'taken';
    elsif not svc.file_fits(entry.owner_id, p_received - entry.received - svc.coming(p_writer), p_user, p_project) then
        return 'quota';
    end if;
    -- The row counts them from now on.
    update svc.file_coming c set bytes = greatest(c.bytes - (p_received - entry.received), 0) where c.key = p_writer;
    return case when svc.advance_upload(p_id, p_writer, p_received) then 'advanced' else 'taken' end;
end
$$;

-- Its owner gives it up, or what came was refused. One that was signed has its size before it comes, so size 0 is that
-- of an upload which made its row itself.
create or replace function svc.drop_upload(p_id uuid, p_owner uuid) returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
    delete from svc.file f where f.id = p_id and f.owner_id = p_owner
        and (f.state = 'uploading' or f.state = 'signed' and f.size = 0);
    return found;
end
$$;

create or replace function svc.give_up_upload(p_id uuid) returns boolean language sql security definer
set search_path = pg_catalog, pg_temp as $$ select svc.drop_upload(p_id, svc.user_id()) $$;

-- For whoever has a ticket, which the server has checked.
create or replace function svc.stored_file(p_id uuid)
returns table (id text, name text, mime text, size text, sha256 text, part text) language sql stable security definer
set search_path = pg_catalog, pg_temp as $$
    select f.id::text, f.name, f.mime, f.size::text, encode(f.sha256, 'hex'), f.part from svc.file f
    where f.id = p_id and f.state = 'stored';
$$;

-- Of these temporary names, each of which begins with its id: those of files that are stored, and those of uploads that
-- have all their bytes and are not stored yet.
drop function if exists svc.stored_parts(text[]);
create or replace function svc.known_parts(p_ids uuid[], p_parts text[]) returns table (part text, stored boolean)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
    select p.part, f.state <> 'uploading' from unnest(p_ids, p_parts) p (id, part) join svc.file f on f.id = p.id
    where f.state = 'uploading' or (f.state in ('stored', 'deleted') and f.part = p.part);
$$;

-- Deletes a file of the caller. Returns `deleted`, `held` (by a row) or `missing`.
create or replace function svc.delete_file(p_id uuid) returns text language plpgsql security definer
set search_path = pg_catalog, pg_temp as $$
begin
    perform from svc.file f where f.id = p_id and f.owner_id = svc.user_id() and f.state = 'stored' for update;
    if not found then
        return 'missing';
    elsif svc.file_held(p_id) then
        return 'held';
    end if;
    update svc.file f set state = 'deleted', deleted_at = now() where f.id = p_id;
    return 'deleted';
end
$$;

-- Deletes files that came with a form a day ago and that no row has; the others are like any other file from now on.
-- Each is locked before rows are looked at, as svc.may_hold_file does.
create or replace function svc.let_form_files_go() returns void language plpgsql security definer
set search_path = pg_catalog, pg_temp as $$
declare
    one uuid;
begin
    for one in select f.id from svc.file f where f.of_form and f.state = 'stored'
        and f.stored_at < now() - interval '24 hours' order by f.stored_at limit 200 for update skip locked
    loop
        if svc.file_held(one) then
            update svc.file f set of_form = false where f.id = one;
        else
            update svc.file f set of_form = false, state = 'deleted', deleted_at = now() where f.id = one;
        end if;
    end loop;
end
$$;

-- Forgets uploads that nobody finished within a day. Their temporary files go by their age.
create or replace function svc.purge_files() returns void language sql security definer
set search_path = pg_catalog, pg_temp as $$
    delete from svc.file where state in ('signed', 'uploading') and created_at < now() - interval '24 hours';
    -- Of servers that were killed: their temporary files are gone by now.
    delete from svc.file_coming where created_at < now() - interval '26 hours';
    select svc.let_form_files_go();
$$;

-- Bytes that were counted before a server began belong to servers that have ended, or are about to: uploads that still
-- run are counted again with their next bytes.
create or replace function svc.forget_coming(p_before timestamptz) returns void language sql security definer
set search_path = pg_catalog, pg_temp as $$ delete from svc.file_coming where created_at < p_before $$;

-- When the oldest snapshot of the database was taken, as svcd says with each new one. No row: nothing is removed.
create table if not exists svc.file_horizon (
    only_one boolean primary key default true check (only_one),
    oldest   timestamptz not null
);

-- Files whose bytes nobody may ask for any more: deleted a month ago, and before the oldest snapshot. Their rows go
-- once their bytes have.
create or replace function svc.files_to_forget() returns table (id uuid, part text) language sql stable
security definer set search_path = pg_catalog, pg_temp as $$
    select f.id, f.part from svc.file f, svc.file_horizon h where f.state = 'deleted'
        and f.deleted_at < least(now() - interval '30 days', h.oldest) order by f.deleted_at limit 1000;
$$;
drop function if exists svc.forgotten_files();

create or replace function svc.forget_files(p_ids uuid[]) returns void language sql security definer
set search_path = pg_catalog, pg_temp as $$
    delete from svc.file f where f.id = any (p_ids) and f.state = 'deleted';
$$;

-- One row: the last check of rows against bytes, which svcd makes, and of which database it was: a copy has another
-- number. Without numbers while it is made.
create table if not exists svc.file_check (
    only_one      boolean primary key default true check (only_one),
    database      oid not null,
    begun_at      timestamptz not null,
    checked_at    timestamptz,
    missing       bigint,  -- files without bytes
    unknown       bigint,  -- bytes without a row, and how many bytes they are
    unknown_bytes bigint,
    stored        bigint   -- files
);

revoke all on function svc.files_to_forget, svc.forget_files from public;
grant execute on function svc.files_to_forget, svc.forget_files to :system_role;
revoke all on function svc.whose, svc.sum_file, svc.fold_file_sums from public;
grant execute on function svc.fold_file_sums to :system_role;
revoke all on function svc.sign_form_file, svc.let_form_files_go from public;
grant execute on function svc.sign_form_file to :data_role;
revoke all on function svc.sees_file, svc.file_held, svc.may_hold_file, svc.files_size, svc.file_fits,
    svc.file_would_fit, svc.sign_file, svc.signed_file, svc.is_part_of, svc.store_file, svc.delete_file,
    svc.purge_files, svc.begin_upload, svc.take_upload, svc.advance_upload, svc.go_on_with_upload, svc.drop_upload,
    svc.give_up_upload, svc.stored_file, svc.known_parts, svc.coming, svc.count_coming, svc.forget_coming from public;
grant execute on function svc.sees_file, svc.may_hold_file, svc.sign_file, svc.signed_file, svc.delete_file,
    svc.begin_upload, svc.take_upload, svc.give_up_upload to :data_role;
grant execute on function svc.sees_file, svc.file_would_fit, svc.store_file, svc.purge_files, svc.advance_upload,
    svc.go_on_with_upload, svc.drop_upload, svc.stored_file, svc.known_parts, svc.count_coming,
    svc.forget_coming to :system_role;
grant select, delete on svc.file_coming to :system_role;
grant select (id, owner_id, name, mime, size, sha256, state, part) on svc.file to :data_role;
