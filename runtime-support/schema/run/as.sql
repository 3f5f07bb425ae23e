-- Runs a statement of a definition with the rights of a caller: row-level security binds it. The data role creates
-- it. Its schema belongs to the owner, and no other role may use the schema (migrate/caller_rights.cpp). Only the
-- engine calls it, after svc.enter has set the caller.
create or replace function svc_as.exec(p_sql text, p_context jsonb) returns jsonb language plpgsql security definer
set search_path = pg_catalog, pg_temp as $$
declare
    answer jsonb;
begin
    execute p_sql into answer using p_context;
    return answer;
end
$$;
revoke all on function svc_as.exec from public;
