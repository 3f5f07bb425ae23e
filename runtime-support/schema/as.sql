-- Runs a statement of a definition with the rights of a caller: row-level security binds it. Made by the data role, in
-- a schema that is the owner's and that nobody else may look into (migrate/caller_rights.cpp): the engine alone calls
-- it, which has said before whose statement it is (svc.enter).
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
