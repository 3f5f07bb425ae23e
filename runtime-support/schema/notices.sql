-- Notifications: what an account is told, read in the app and heard live. Run after hooks.sql; every statement may run
-- again.

create table if not exists svc.notice (
    id         uuid primary key default svc.new_id(),
    account_id uuid not null references svc.account on delete cascade,
    title      text not null,
    body       text not null default '',
    link       text not null default '',  -- where it leads; empty: nowhere
    created_at timestamptz not null default now(),
    read_at    timestamptz                -- null: unread
);
create index if not exists notice_account on svc.notice (account_id, id);
create index if not exists notice_unread on svc.notice (account_id, id) where read_at is null;
create index if not exists notice_created on svc.notice (created_at);

-- A notification as the JSON of answers and feeds.
create or replace function svc.notice_json(n svc.notice) returns json language sql stable
return json_build_object('id', n.id, 'title', n.title, 'body', nullif(n.body, ''), 'link', nullif(n.link, ''),
    'readAt', svc.iso_time(n.read_at), 'createdAt', svc.iso_time(n.created_at));

-- Tells these accounts, and all accounts of these personas, each once and none that is disabled. They hear of it once
-- the transaction has committed. The ids of what was written.
create or replace function svc.notify(p_users uuid[], p_personas text[], p_title text, p_body text, p_link text)
returns uuid[] language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
    told svc.notice;
    ids uuid[] := '{}';
begin
    for told in
        insert into svc.notice (account_id, title, body, link)
        select a.id, coalesce(p_title, ''), coalesce(p_body, ''), coalesce(p_link, '') from svc.account a
        where not a.disabled and (a.id = any (p_users) or a.persona = any (p_personas)) order by a.id
        returning *
    loop
        ids := ids || told.id;
        perform svc.publish('app:notifications:' || told.account_id, svc.notice_json(told));
    end loop;
    return ids;
end
$$;

-- A page of the caller's own notifications as JSON, newest first. p_before: the last one of the page before.
create or replace function svc.my_notices(p_unread boolean, p_before uuid, p_limit integer)
returns table (id uuid, shown text) language sql stable security definer set search_path = pg_catalog, pg_temp as $$
    select n.id, svc.notice_json(n)::text from svc.notice n
    where n.account_id = svc.user_id() and (n.read_at is null or not p_unread) and (p_before is null or n.id < p_before)
    order by n.id desc limit p_limit;
$$;

create or replace function svc.my_unread() returns bigint language sql stable security definer
set search_path = pg_catalog, pg_temp as $$
    select count(*) from svc.notice n where n.account_id = svc.user_id() and n.read_at is null;
$$;

-- The notice as it is then; no row: it is not theirs. One that was read keeps when.
create or replace function svc.read_notice(p_id uuid, p_read boolean) returns table (shown text)
language sql security definer set search_path = pg_catalog, pg_temp as $$
    update svc.notice n set read_at = case when p_read then coalesce(n.read_at, now()) end
    where n.id = p_id and n.account_id = svc.user_id() returning svc.notice_json(n)::text;
$$;

-- Marks all as read. Returns how many were unread.
create or replace function svc.read_all_notices() returns bigint language sql security definer
set search_path = pg_catalog, pg_temp as $$
    with read as (update svc.notice n set read_at = now()
                  where n.account_id = svc.user_id() and n.read_at is null returning 1)
    select count(*) from read;
$$;

-- Read ones after ninety days, all after a year. A part at a time. How many.
select svc.drop_unless('svc.purge_notices()', 'bigint');
create or replace function svc.purge_notices() returns bigint language plpgsql security definer
set search_path = pg_catalog, pg_temp as $$
declare
    gone bigint;
begin
    delete from svc.notice where ctid = any (array(
        select n.ctid from svc.notice n
        where n.created_at < now() - interval '90 days'
            and (n.read_at < now() - interval '90 days' or n.created_at < now() - interval '1 year')
        limit 10000 for update skip locked));
    get diagnostics gone = row_count;
    return gone;
end
$$;

revoke all on function svc.notice_json, svc.notify, svc.my_notices, svc.my_unread, svc.read_notice,
    svc.read_all_notices, svc.purge_notices from public;
grant execute on function svc.my_notices, svc.my_unread, svc.read_notice, svc.read_all_notices to :data_role;
grant execute on function svc.purge_notices to :system_role;
