-- The objects of every app's database beside the app's own tables. Run by the schema owner at each apply,
-- in the same transaction as the app's own changes; every statement may run again.
-- :data_role and :system_role are replaced by quoted role names.

create schema if not exists svc;

-- A uuid of version 7: rows sort by it in the order in which they were made, to the microsecond. In plpgsql,
-- which keeps its plan: a function in SQL is planned anew by each statement, which cost more than the insert.
create or replace function svc.new_id() returns uuid language plpgsql volatile parallel safe as $$
declare
    us bigint := date_part('epoch', clock_timestamp()) * 1000000;  -- extract() counts in numeric, which takes longer
begin
    return encode(
        int8send((us / 1000) << 16 | 28672 | (us % 1000) * 4096 / 1000)
            || substring(uuid_send(gen_random_uuid()) from 9), 'hex')::uuid;
end
$$;

-- Drops a function of an earlier compiler whose result lacks this: "create or replace" cannot let it give something
-- else. Not dropped each time, because that would keep those waiting who call it.
create or replace function svc.drop_unless(p_function text, p_gives text) returns void language plpgsql
set search_path = pg_catalog, pg_temp as $$
begin
    if position(p_gives in pg_get_function_result(to_regprocedure(p_function))) = 0 then
        execute 'drop function ' || p_function;
    end if;
end
$$;
revoke all on function svc.drop_unless from public;

-- The contract that this database follows, and the binary that was built from it. One row.
create table if not exists svc.contract (
    only_one   boolean primary key default true check (only_one),
    version    bigint not null,
    contract   text not null,
    hash       text not null,
    binary_path text not null,
    applied_at timestamptz not null default now()
);
-- Which apply made it so, and the greatest token of a lease that was seen: an apply with a smaller one
-- was overtaken, and may not commit.
alter table svc.contract add column if not exists apply_id uuid,
                         add column if not exists fence bigint not null default 0;

-- Definitions that the compiler owns, by hash: what did not change is not made anew.
create table if not exists svc.managed (
    kind text not null,  -- table, policy, trigger, function, constraint, index, default, …
    name text not null,
    hash text not null,
    drop_sql text not null default '',  -- how it is removed once no contract speaks of it
    place bigint not null default 0,    -- of making: what was made later may depend on it
    primary key (kind, name)
);
-- A hash of the object as PostgreSQL printed it when it was made, to notice changes by hand.
alter table svc.managed add column if not exists printed text not null default '';

-- Work on large tables that is done without locking them: indexes to build, constraints to validate,
-- words to index. The next server that starts continues it.
create table if not exists svc.pending (
    kind       text not null,  -- index, constraint, not_null, words
    name       text not null,  -- as in svc.managed
    table_name text not null,
    sql        text not null,  -- as it would run at once
    path       text not null,  -- in the contract
    error      text not null default '',  -- why it could not be done
    since      timestamptz not null default now(),
    primary key (kind, name)
);

-- Rows that seeds made, so that seeding twice makes them once.
create table if not exists svc.seed (
    entity text not null,
    key    text not null,
    row_id uuid not null,
    hash   text not null,
    primary key (entity, key)
);
-- False: of an account that somebody else had made. Seeds give it no rights, then or later.
alter table svc.seed add column if not exists made boolean not null default true;
-- By column: a hash of what the contract said of it. A new version of the seed writes only the columns that it changes.
alter table svc.seed add column if not exists said jsonb not null default '{}';

create table if not exists svc.app_key (
    id         uuid primary key,
    kind       text not null check (kind in ('browser', 'server', 'preview')),
    hash       bytea not null unique,  -- SHA-256 of the whole value
    prefix     text not null,
    origins    text[] not null default '{}',  -- {*}: any
    tools      text[],                        -- null: all
    models     text[],
    expires_at timestamptz,
    created_at timestamptz not null default now()
);
-- Requests of all keys of this kind; null: as the server is set.
alter table svc.app_key add column if not exists per_minute integer;

create table if not exists svc.account (
    id            uuid primary key default svc.new_id(),
    email         text not null unique check (email = lower(email)),
    name          text not null default '',
    password_hash text,  -- argon2id; null: no password, signs in by link
    persona       text not null,
    is_admin      boolean not null default false,
    disabled      boolean not null default false,
    verified_at   timestamptz,
    created_at    timestamptz not null default now(),
    updated_at    timestamptz not null default now()
);

create table if not exists svc.session (
    hash         bytea primary key,  -- SHA-256 of the token
    account_id   uuid not null references svc.account on delete cascade,
    org_id       uuid,
    created_at   timestamptz not null default now(),
    last_used_at timestamptz not null default now(),
    expires_at   timestamptz not null
);
create index if not exists session_account on svc.session (account_id);

-- Ends the sessions of an account when its identity or its right to sign in changes, whoever changes it.
create or replace function svc.end_sessions() returns trigger language plpgsql as $$
begin
    delete from svc.session where account_id = new.id;
    -- Tokens of sign-ins that were not finished.
    delete from svc.token where account_id = new.id and purpose in ('mfa', 'oauth_code');
    return null;
end
$$;
create or replace trigger end_sessions
    after update of persona, is_admin, disabled, password_hash, email on svc.account for each row
    when ((old.persona, old.is_admin, old.disabled, old.password_hash, old.email)
          is distinct from (new.persona, new.is_admin, new.disabled, new.password_hash, new.email))
    execute function svc.end_sessions();

-- The server sets a caller's identity (svc.user_id, svc.principals, svc.claims) as the first statement of
-- each implicit transaction, and asks there whether the caller's session still stands: a sign-out or a
-- disabled account counts at once, everywhere. Null: nothing to ask.
create or replace function svc.require_session(p_hash bytea) returns boolean
language plpgsql strict security definer as $$
declare
    of_account uuid;
    of_org uuid;
begin
    -- Two scalars: a whole row made a call take half as long again. Each operator says its schema: to fix a
    -- search_path for the call would cost as much.
    select s.account_id, s.org_id into of_account, of_org
    from svc.session s
    where s.hash operator(pg_catalog.=) p_hash and s.expires_at operator(pg_catalog.>) pg_catalog.now();
    if found and of_org is null
            and pg_catalog.strpos(pg_catalog.current_setting('svc.claims', true), '"org"') operator(pg_catalog.=) 0 then
        return true;
    end if;
    -- Their organisation and their role there are as the server remembers them: of who was removed, switched, or got
    -- another role, it reads the session again.
    if found and svc.same_member(of_account, of_org) then
        return true;
    end if;
    raise exception 'The session has ended.' using errcode = 'SV401';
end
$$;

-- A caller that a function judges instead of the caller of the exchange: its settings and its index in the list.
do $$
begin
    if to_regtype('svc.caller') is null then
        create type svc.caller as (place integer, id uuid, principals text[], claims jsonb);
    end if;
end
$$;
-- Their rows. PostgreSQL takes an array for ten of them and would go through the rows beside them anew for each; being
-- strict, this is no part of the statement around it, and says how many they are.
create or replace function svc.each_caller(p_callers svc.caller[]) returns setof svc.caller
language sql stable strict parallel safe rows 1000
set search_path = pg_catalog, pg_temp
as $$ select * from unnest(p_callers) $$;
revoke all on function svc.each_caller from public;

-- The caller's account, null for guests and servers. After a local setting ends it reads as ''.
create or replace function svc.user_id() returns uuid language sql stable parallel safe
return nullif(current_setting('svc.user_id', true), '')::uuid;

-- The transition of a lifecycle that the present write is part of, null for none.
create or replace function svc.transition() returns text language sql stable parallel safe
return nullif(current_setting('svc.transition', true), '');

-- True when the caller is any of these principals.
create or replace function svc.acts_as(variadic names text[]) returns boolean
language sql stable parallel safe
return coalesce(string_to_array(current_setting('svc.principals', true), ',') && names, false);

-- Other facts about the caller, by key: persona, org, isAdmin, email. Null if a fact is not known.
create or replace function svc.claim(key text) returns text language sql stable parallel safe
return nullif(current_setting('svc.claims', true), '')::jsonb ->> key;

-- The caller is an administrator who reads across users, in this statement alone: the server has said
-- so beside it. Asked by functions of the owner only.
create or replace function svc.elevated() returns boolean language sql stable security definer
set search_path = pg_catalog, pg_temp
as $$
    select coalesce(current_setting('svc.elevated', true) = 'yes', false)
        and exists (select from svc.account a where a.id = svc.user_id() and a.is_admin and not a.disabled)
$$;

-- Policies do not bind the caller's role: that of what developers do past them, none of the app's. Asked
-- where rows are external, of the role that the caller came in as, whoever's rights a function has.
-- A function of the owner's: callers may not read who there is.
create or replace function svc.past_policies() returns boolean language sql stable security definer
set search_path = pg_catalog, pg_temp
return coalesce((select r.rolbypassrls or r.rolsuper from pg_catalog.pg_roles r
    where r.rolname = coalesce(nullif(current_setting('role'), 'none')::name, session_user)), false);

-- External rows are read across users, asked by the views over them: past policies, or by the
-- functions of the owner, who alone comes into the schema of foreign tables, where an administrator has said so.
-- False for a caller's own SQL in the app, whatever settings it has changed.
create or replace function svc.reads_across() returns boolean language plpgsql stable as $$
begin
    if svc.past_policies() then
        return true;
    end if;
    if not pg_catalog.has_schema_privilege('svc_ext', 'usage') then
        return false;
    end if;
    return svc.elevated();  -- apart: callers may not even name it
end
$$;

-- Answers to requests that carried an Idempotency-Key, written in the transaction that they tell of. A key
-- is its caller's own, in the role that they had: nobody reads an answer that was another's, or that they may no longer
-- read.
create table if not exists svc.idempotency (
    caller  text not null,   -- svc.key_holder()
    key     text not null,
    request bytea not null,  -- SHA-256 of route and body
    status  integer,
    headers text,
    body    text,
    made_at timestamptz not null default now(),
    primary key (caller, key)
);
create index if not exists idempotency_made_at on svc.idempotency (made_at);

create or replace function svc.key_holder() returns text language sql stable parallel safe
return coalesce(svc.user_id()::text, '') || ' ' || coalesce(current_setting('svc.principals', true), '') || ' '
    || coalesce(svc.claim('org'), '');

-- Takes the key for this transaction. A second request with the same key waits here for the first.
create or replace function svc.claim_key(p_key text, p_request bytea) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
    holder text := svc.key_holder();
    known bytea;
begin
    delete from svc.idempotency where caller = holder and key = p_key and made_at < now() - interval '24 hours';
    delete from svc.idempotency where ctid = any (array(
        select ctid from svc.idempotency where made_at < now() - interval '24 hours' limit 100 for update skip locked));
    insert into svc.idempotency (caller, key, request) values (holder, p_key, p_request) on conflict do nothing;
    if found then
        return;
    end if;
    select i.request into known from svc.idempotency i where i.caller = holder and i.key = p_key;
    if not found then
        raise exception 'This Idempotency-Key was just released. Try again.' using errcode = '40001';
    elsif known <> p_request then
        raise exception 'This Idempotency-Key was already used for a different request.' using errcode = 'SV410';
    end if;
    raise exception 'Answered before.' using errcode = 'SV208';
end
$$;

create or replace function svc.keep_answer(p_key text, p_status integer, p_headers text, p_body text) returns void
language sql security definer set search_path = pg_catalog, pg_temp as $$
    update svc.idempotency set status = p_status, headers = p_headers, body = p_body
    where caller = svc.key_holder() and key = p_key;
$$;

create or replace function svc.saved_answer(p_key text)
returns table (status integer, headers text, body text)
language sql stable security definer set search_path = pg_catalog, pg_temp as $$
    select i.status, i.headers, i.body from svc.idempotency i where i.caller = svc.key_holder() and i.key = p_key;
$$;

-- A write that left alone a row which its caller cannot see must not seem to have found their own.
create or replace function svc.must_see(p_seen boolean, p_key text) returns void language plpgsql as $$
begin
    if not p_seen then
        raise exception using errcode = '23505', message = 'A row with the same ' || p_key || ' already exists.',
            column = case when p_key like '%,%' then '' else p_key end;
    end if;
end
$$;

-- The version of an external row. With a key that nobody reads: who sees a part of the row could
-- else try what the rest may be until the hash is right.
create table if not exists svc.tag_key (
    only_one boolean primary key default true check (only_one),
    key      bytea not null default uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())
);
insert into svc.tag_key default values on conflict do nothing;

create or replace function svc.row_tag(p_row text) returns text language plpgsql stable security definer
set search_path = pg_catalog, pg_temp as $$
begin
    return left(encode(sha256((select t.key from svc.tag_key t) || convert_to(p_row, 'UTF8')), 'hex'), 32);
end
$$;

revoke all on schema svc from public;
revoke all on all functions in schema svc from public;
grant usage on schema svc to :data_role, :system_role;
grant execute on function svc.require_session, svc.user_id, svc.acts_as, svc.claim, svc.new_id, svc.reads_across,
    svc.past_policies, svc.key_holder, svc.claim_key, svc.keep_answer, svc.saved_answer, svc.must_see,
    svc.row_tag to :data_role;
grant select on svc.contract, svc.app_key to :system_role;
grant select, insert, update, delete on svc.account, svc.session to :system_role;
revoke create on schema public from public;
grant usage on schema public to :data_role, :system_role;
