-- Functions for the server's own statements about runs and functions. Run after held.sql.

-- Takes back what an exchange did before it (an Idempotency-Key that it claimed) where its function waits for an answer
-- from outside: the exchange says so by the setting svc.outside. The function begins again with that answer.
create or replace function svc.require_done() returns void language plpgsql
set search_path = pg_catalog, pg_temp as $$
begin
    if current_setting('svc.outside', true) = 'yes' then
        raise exception 'The function waits for an answer from outside.' using errcode = 'SV303';
    end if;
end
$$;

-- A run that the engine itself could not go on with. False: it is somebody else's by now.
create or replace function svc.fail_run(p_run uuid, p_owner bigint, p_fence bigint, p_error text, p_code text)
returns boolean language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
    perform from svc.run r where r.id = p_run and r.owner = p_owner and r.fence = p_fence for update;
    return found and svc.end_run(p_run, 'dead', p_error, p_code);
end
$$;

-- Functions are called and runs are started on the server's own connections, as somebody, and once for a key.
revoke all on function svc.require_done, svc.fail_run from public;
grant execute on function svc.require_done, svc.fail_run, svc.require_session, svc.claim_key, svc.keep_answer,
    svc.saved_answer to :system_role;
