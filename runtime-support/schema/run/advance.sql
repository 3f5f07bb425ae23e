-- Work on a run by the process that claimed it, and functions. Run after walk.sql.

-- Ends a run, which this transaction works on, where another one took its place. True: it did.
create or replace function svc.leaves(r svc.run) returns boolean language plpgsql
set search_path = pg_catalog, pg_temp as $$
begin
    if r.slot is null or not exists (select from svc.slot s
            where s.workflow = r.workflow and s.key = r.slot and s.run = r.id and s.leaving) then
        return false;
    end if;
    perform svc.end_replaced(r.id);
    return true;
end
$$;

-- All that the database can do of a run whose row this transaction has locked: see svc.advance.
create or replace function svc.go_on(r svc.run, p_result jsonb) returns jsonb language plpgsql
set search_path = pg_catalog, pg_temp as $$
declare
    def jsonb;
    quick jsonb;
    walked record;
    walks boolean := true;
    done jsonb;  -- outputs, where a step ended
    deadline timestamptz;
begin
    if r.slot is not null and svc.leaves(r) then
        return '{"state": "ended", "status": "cancelled"}';
    end if;
    select d.body, d.quick into def, quick from svc.definition d where d.hash = r.hash;
    deadline := r.started_at + make_interval(secs => (def ->> 'timeout')::float8);
    if deadline <= clock_timestamp() then
        perform svc.end_run(r.id, 'dead', 'It took longer than the workflow may.', 'TIMEOUT');
        return '{"state": "ended", "status": "dead"}';
    end if;
    perform set_config('svc.depth', r.depth::text, true);
    if r.place is null and quick ? 'name' then
        walked := svc.go_quick(r, quick);
        done := walked.outputs;
        r.place := walked.place;
        walks := walked.answer is null;
    end if;
    if walks then
        select * into walked from svc.walk(r.id, def, r.given, r.actor, null, r.id::text, true, r.depth, p_result,
                                           coalesce(done, r.outputs), r.place);
        done := coalesce(walked.outputs, done);
    end if;
    perform set_config('svc.depth', '', true);
    case walked.answer ->> 'state'
    when 'ended' then
        perform svc.end_run(r.id, walked.answer ->> 'status', walked.answer ->> 'error', walked.answer ->> 'code',
                            walked.answer -> 'result', done, walked.place);
        return walked.answer - '{result,error,code}'::text[];
    when 'waiting' then
        update svc.run u set status = 'waiting', owner = null, place = walked.place, kills = 0,
            outputs = coalesce(done, u.outputs),
            due_at = least((walked.answer ->> 'dueAt')::timestamptz, deadline)
        where u.id = r.id;
    else
        -- The run finished a step, so it is no longer suspected of ending processes.
        update svc.run u set place = walked.place, outputs = coalesce(done, u.outputs),
            kills = case when done is null then u.kills else 0 end
        where u.id = r.id;
    end case;
    if r.slot is not null and svc.leaves(r) then
        return '{"state": "ended", "status": "cancelled"}';
    end if;
    return walked.answer;
end
$$;

-- A claim does not wait for the disk; what is done with a run does, also in the transaction of its claim.
create or replace function svc.wait_for_disk() returns void language plpgsql
set search_path = pg_catalog, pg_temp as $$
begin
    if current_setting('svc.commits', true) <> '' then
        perform set_config('synchronous_commit', current_setting('svc.commits'), true),
            set_config('svc.commits', '', true);
    end if;
end
$$;

-- Goes on with a run: all that the database can do of it, in this transaction, which is worth nothing without the
-- claim. {"state": "outside", …}: what is to be done before it goes on (p_result is what came of it); "waiting": until
-- dueAt or a message; "ended"; "again": there is more to do, within "bound" seconds where it says so; "lost": somebody
-- else has the run by now, and nothing was done.
create or replace function svc.advance(p_run uuid, p_owner bigint, p_fence bigint, p_result jsonb default null)
returns jsonb language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
    r svc.run;
begin
    perform svc.wait_for_disk();
    select * into r from svc.run
    where id = p_run and owner = p_owner and fence = p_fence and status = 'running' for no key update;
    return case when found then svc.go_on(r, p_result) else '{"state": "lost"}' end;
end
$$;

-- The definition of a run, which a server counts as slow (run/engine/pace.hpp).
create or replace function svc.definition_of(p_run uuid) returns text language sql stable security definer
set search_path = pg_catalog, pg_temp as $$
    select r.hash from svc.run r where r.id = p_run;
$$;

-- Advances several runs in one transaction, which waits for the disk once. Left out, and to be advanced alone: runs of
-- slow definitions, those that hold a place of a concurrency key (its lock would last as long as the transaction), and
-- all once it has taken 50 ms. A step that would wait for a lock stops its run instead ("again"). Those of slow
-- definitions have no answer.
create or replace function svc.advance_all(p_owner bigint, p_runs uuid[], p_fences bigint[], p_slow text[])
returns table (run uuid, hash text, ms double precision, answer jsonb)
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_column
declare
    r svc.run;
    since timestamptz := clock_timestamp();
    before timestamptz := since;
    after timestamptz;
begin
    if p_slow <> '{}' then
        return query select d.id, d.hash, null::double precision, null::jsonb from svc.run d
        where d.id = any (p_runs) and d.hash = any (p_slow);
    end if;
    perform svc.wait_for_disk(), set_config('lock_timeout', '10ms', true), set_config('svc.together', 'on', true);
    for n in 1..cardinality(p_runs) loop
        select d.* into r from svc.run d
        where d.id = p_runs[n] and d.slot is null and d.hash <> all (p_slow) for no key update skip locked;
        continue when not found;
        run := r.id;
        hash := r.hash;
        answer := case when r.owner = p_owner and r.fence = p_fences[n] and r.status = 'running'
            then svc.go_on(r, null) else '{"state": "lost"}' end;
        after := clock_timestamp();
        ms := extract(epoch from after - before) * 1000;
        before := after;
        return next;
        exit when after > since + interval '50 ms';
    end loop;
end
$$;

-- Runs a function: {"done": true, "result"}, or {"outside", "state"} where something outside comes before its writes.
-- The state comes back, with "result". What it refuses is raised, and nothing of it stays.
create or replace function svc.run_function(p_name text, p_state jsonb) returns jsonb
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
    state jsonb := p_state - 'result';
    of_flow svc.flow;
    def jsonb;
    walked record;
    id uuid := coalesce((p_state ->> 'id')::uuid, gen_random_uuid());
begin
    if not state ? 'id' then
        select * into of_flow from svc.flow f where f.kind = 'function' and f.name = p_name and f.live;
        if not found then
            raise exception 'There is no function % in the live contract.', p_name using errcode = 'SV404';
        elsif (state ->> 'level')::integer > 8 then
            raise exception 'Functions call one another more than 8 deep.' using errcode = 'SVDEP';
        end if;
        state := state || jsonb_build_object('id', id, 'hash', of_flow.hash,
                                             'input', svc.fit_input(of_flow.params, state -> 'input'));
    end if;
    select d.body into def from svc.definition d where d.hash = state ->> 'hash';
    if not found then
        raise exception 'The function % was changed while it waited for an answer. Call it again.', p_name
            using errcode = 'SV404';
    end if;
    insert into svc.element (run, path, n, value, output)
    select id, e.path, e.n, e.value, e.output
    from jsonb_to_recordset(state -> 'elements') e (path text, n integer, value jsonb, output jsonb);
    select * into walked from svc.walk(id, def, state, coalesce((state ->> 'account')::uuid,
            nullif(state #>> '{caller,id}', '')::uuid), nullif(state -> 'caller', 'null'),
        coalesce(state ->> 'sign', id::text), false, coalesce((state ->> 'depth')::integer, 0),
        nullif(p_state -> 'result', 'null'), coalesce(state -> 'outputs', '{}'), state -> 'place');
    if walked.answer ->> 'state' = 'ended' then
        return jsonb_build_object('done', true, 'result', walked.answer -> 'result');
    elsif walked.answer ->> 'state' = 'waiting' then
        raise exception 'A function cannot wait.' using errcode = '0A000';
    end if;
    state := state || jsonb_build_object('place', walked.place, 'elements', (
        select coalesce(jsonb_agg(to_jsonb(e) - 'run'), '[]') from svc.element e where e.run = id))
        || case when walked.outputs is null then '{}' else jsonb_build_object('outputs', walked.outputs) end;
    delete from svc.element e where e.run = id;
    -- It goes to the server and comes back with each call to others.
    if pg_column_size(state) > 8 << 20 then
        raise exception 'The function holds more than 8 MiB before its calls to others are done.'
            ' Ask for less, or start a workflow.'
            using errcode = 'SVBIG';
    end if;
    return jsonb_build_object('outside', walked.answer - 'state', 'state', state);
end
$$;

revoke all on function svc.leaves, svc.go_on, svc.wait_for_disk, svc.advance, svc.definition_of,
    svc.advance_all, svc.run_function from public;
grant execute on function svc.advance, svc.definition_of, svc.advance_all, svc.run_function to :system_role;
