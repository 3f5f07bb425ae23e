-- Calls of connectors, and the tools of servers as they were at the apply. Run after ai.sql; every statement may run
-- again.

-- Calls of connectors: who called what, and how it ended, never the contents; of a failed one the first words of the
-- other side.
create table if not exists svc.connector_call (
    id         uuid primary key default svc.new_id(),
    account_id uuid references svc.account on delete set null,  -- null: a guest, a server, a workflow
    source     text not null,  -- route, workflow
    kind       text not null,  -- action, tool
    target     text not null,  -- <integration>/<action>, mcp_<server>_<tool>
    status     text not null,  -- done, failed
    http       integer,        -- status of the other side; null: it did not answer
    error      text not null default '',  -- in words, without any secret
    ms         integer not null,
    created_at timestamptz not null default now()
);
create index if not exists connector_call_created on svc.connector_call (created_at);
create index if not exists connector_call_account on svc.connector_call (account_id);

-- Nobody waits for the disk: if PostgreSQL is killed, rows of its last half second may be lost.
create or replace function svc.record_connector_call(p_account uuid, p_source text, p_kind text, p_target text,
    p_status text, p_http integer, p_error text, p_ms integer)
returns void language sql security definer set search_path = pg_catalog, pg_temp as $$
    select set_config('synchronous_commit', 'off', true);
    insert into svc.connector_call (account_id, source, kind, target, status, http, error, ms)
    values (p_account, p_source, p_kind, p_target, p_status, p_http, left(replace(p_error, e'\n', ' '), 300), p_ms);
$$;

create or replace function svc.purge_connector_calls() returns void language sql security definer
set search_path = pg_catalog, pg_temp as $$
    delete from svc.connector_call where created_at < now() - interval '90 days';
$$;

-- Hashes of the tools' schemas of servers whose tools are pinned, from the first listing after an apply.
create table if not exists svc.pinned_tool (
    server text not null,
    tool   text not null,
    hash   text not null,
    primary key (server, tool)
);
create table if not exists svc.pinned_server (
    server text primary key
);

-- What the tools of a server were; as these are, where an apply has just been.
create or replace function svc.pin_tools(p_server text, p_tools text[], p_hashes text[])
returns table (tool text, hash text) language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
    insert into svc.pinned_server values (p_server) on conflict do nothing;
    if found then
        insert into svc.pinned_tool (server, tool, hash)
        select p_server, t.tool, t.hash from unnest(p_tools, p_hashes) t (tool, hash) on conflict do nothing;
    end if;
    return query select p.tool, p.hash from svc.pinned_tool p where p.server = p_server;
end
$$;

-- At an apply: tools may be other ones from then on.
create or replace function svc.unpin_tools() returns void language sql set search_path = pg_catalog, pg_temp as $$
    delete from svc.pinned_tool;
    delete from svc.pinned_server;
$$;

revoke all on function svc.record_connector_call, svc.purge_connector_calls, svc.pin_tools, svc.unpin_tools from public;
grant execute on function svc.record_connector_call, svc.purge_connector_calls, svc.pin_tools to :system_role;
