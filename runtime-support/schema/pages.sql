-- Scripts of pages. Run after connectors.sql; every statement may run again.

-- A page that somebody has open loads the scripts of the build that served it, also after another one has taken its
-- place. A name holds a hash of the text.
create table if not exists svc.page_script (
    name      text primary key,
    body      text not null,
    served_at timestamptz not null default now()  -- last; by servers about every six hours
);

create or replace function svc.keep_script(p_name text, p_body text) returns void language sql security definer
set search_path = pg_catalog, pg_temp as $$
    insert into svc.page_script (name, body) values (p_name, p_body)
    on conflict (name) do update set served_at = now();
$$;

create or replace function svc.kept_script(p_name text) returns text language sql stable security definer
set search_path = pg_catalog, pg_temp as $$
    select body from svc.page_script where name = p_name;
$$;

create or replace function svc.purge_scripts() returns void language sql security definer
set search_path = pg_catalog, pg_temp as $$
    delete from svc.page_script where served_at < now() - interval '7 days';
$$;

revoke all on function svc.keep_script, svc.kept_script, svc.purge_scripts from public;
grant execute on function svc.keep_script, svc.kept_script, svc.purge_scripts to :system_role;
