-- What becomes of one step: it is recorded, it goes over a list, it waits, it asks for something outside, it failed.
-- Run after effects.sql. Functions that may replace a step return how it stands as "verb": 'done', 'wait' or 'ask',
-- with an "answer" for whoever advances the run, or 'fail'. "w" is what the step waits for; it stays with its place.

-- A step that was tried: its record. One that stood there as running is brought to its end.
create or replace function svc.note_step(p_run uuid, p_path text, p_attempt integer, p_kind text, p_status text,
                                         p_output jsonb, p_since timestamptz, p_error text, p_code text)
returns void language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
    insert into svc.step as s (run, path, attempt, kind, status, output, error, error_code, started_at, ended_at)
    values (p_run, p_path, p_attempt, p_kind, p_status, p_output, p_error, p_code, p_since,
            case when p_status <> 'running' then clock_timestamp() end)
    on conflict (run, path, attempt) do update set status = excluded.status, output = excluded.output,
        error = excluded.error, error_code = excluded.error_code, ended_at = excluded.ended_at;
end
$$;

-- The record of a step that its savepoint did not record: it was skipped, it failed, it led into a list of steps, or it
-- goes on later. One that waits for its next attempt has its record.
create or replace function svc.note_halt(
    p_run uuid, p_path text, p_attempt integer, p_step jsonb, p_verb text, p_status text, p_output jsonb,
    p_since timestamptz, p_w jsonb, p_error text, p_code text)
returns void language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
    if p_verb = 'wait' and p_w ->> 'kind' = 'retry' then
        return;
    end if;
    perform svc.note_step(p_run, p_path, p_attempt, p_step ->> 'kind',
        case p_verb when 'fail' then 'failed' when 'ask' then 'running' when 'wait' then 'running' else p_status end,
        case p_verb when 'enter' then p_output end, p_since, p_error, p_code);
end
$$;

-- A step on the database whose attempts may take so long and no longer. PostgreSQL counts the time of a statement from
-- its beginning, so in a run such an attempt is a statement of its own: whoever advances the run is told the time
-- beforehand ("bound"), sets it as statement_timeout and as svc.bound, and advances it once more. A function is one
-- statement. Its steps wait for locks no longer than they may, and else are looked at when they are done.
create or replace function svc.is_bounded(p_step jsonb) returns boolean language sql immutable
return p_step ? 'timeout' and p_step ->> 'kind' in ('create', 'update', 'delete', 'transition', 'query', 'set',
    'switch', 'return', 'fail', 'email', 'notify', 'publish');

-- The answer of a run that waits until then.
create or replace function svc.waiting(p_until text) returns jsonb language sql stable
return jsonb_build_object('state', 'waiting', 'dueAt', p_until);

create or replace function svc.succeeded(p_result jsonb) returns jsonb language sql stable
return jsonb_build_object('state', 'ended', 'status', 'succeeded', 'result', p_result);

-- The elements of a loop, kept until it is done.
create or replace function svc.begin_loop(p_run uuid, p_path text, p_list jsonb) returns void language plpgsql
set search_path = pg_catalog, pg_temp as $$
begin
    if jsonb_array_length(p_list) > 10000 then
        raise exception 'A loop may go over at most 10,000 elements.' using errcode = 'SVBIG';
    end if;
    insert into svc.element (run, path, n, value)
    select p_run, p_path, e.ordinality - 1, e.value from jsonb_array_elements(p_list) with ordinality e;
end
$$;

-- What came of each element, in order. Null: that is too large for the steps that follow, each of which gets it. It is
-- added up before it is put together, which could take all of the memory.
create or replace function svc.end_loop(p_run uuid, p_path text) returns jsonb language plpgsql
set search_path = pg_catalog, pg_temp as $$
begin
    if exists (select from (select sum(octet_length(e.output::text)) over (order by e.n) as bytes from svc.element e
                            where e.run = p_run and e.path = p_path) s where s.bytes > 32 << 20) then
        return null;
    end if;
    return (select jsonb_agg(coalesce(e.output, 'null') order by e.n) from svc.element e
            where e.run = p_run and e.path = p_path);
end
$$;

-- The context without the results of what is within a switch: the next element of its loop may take another branch.
create or replace function svc.without_branches(p_context jsonb, p_switch jsonb) returns jsonb
language plpgsql immutable
set search_path = pg_catalog, pg_temp as $$
begin
    return jsonb_set(p_context, '{steps}', (p_context -> 'steps')
        - array(select k #>> '{}' from jsonb_path_query(p_switch, '$.**.steps[*].id') k)
        - array(select k #>> '{}' from jsonb_path_query(p_switch, '$.**.else[*].id') k));
end
$$;

-- A step found no row to write. Definitions of an earlier compiler do not say which one it was to be.
create or replace function svc.no_row(p_step jsonb, p_as text, p_context jsonb) returns void language plpgsql
set search_path = pg_catalog, pg_temp as $$
declare
    its_id text := case when p_step ? 'row' then svc.ask_value(p_as, p_step ->> 'row', p_context) end;
begin
    raise exception '%', case
        when not p_step ? 'row' then 'There is no such row, or none that this step may change.'
        when its_id is null then format('This step names no %s: its id is null.', p_step ->> 'entity')
        else format('There is no %s with the id %s, or none that this step may change.', p_step ->> 'entity',
                    its_id) end
        using errcode = 'SVNOF';
end
$$;

create or replace function svc.do_sleep(p_step jsonb, p_since timestamptz, inout w jsonb, out verb text,
                                        out answer jsonb)
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
    due text := case w ->> 'kind' when 'sleep' then w ->> 'until'
                else (p_since + make_interval(secs => (p_step ->> 'seconds')::float8))::text end;
begin
    verb := 'done';
    if due::timestamptz > p_since then
        verb := 'wait';
        w := jsonb_build_object('kind', 'sleep', 'until', due);
        answer := svc.waiting(due);
    end if;
end
$$;

-- May a message have been thrown away that the run has not had? Messages are kept for a day (svc.purge_changes), and the
-- run may have slept longer. `p_had`: the last one of the topic that it has had. What else was kept as long counts as
-- well: what is gone does not say whether it was of this topic.
create or replace function svc.may_lack(p_run uuid, p_had jsonb) returns boolean language sql stable
set search_path = pg_catalog, pg_temp
return exists (select from svc.run r, svc.change_floor f
               where r.id = p_run and svc.is_lost(
                   coalesce(p_had ->> 'upto', p_had ->> 'since', r.began::text)::pg_snapshot, f.xid, f.ended));

-- Waits for a message. `heard`: the last one of each topic that the run has had.
create or replace function svc.do_wait(
    p_run uuid, p_path text, p_step jsonb, p_context jsonb, p_since timestamptz, inout w jsonb, inout heard jsonb,
    out verb text, out got jsonb, out answer jsonb)
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
    topic text;
begin
    verb := 'done';
    if w ->> 'kind' is distinct from 'wait' then
        w := jsonb_build_object('kind', 'wait',
            'topic', svc.ask(p_step ->> 'runAs', p_step ->> 'sql', p_context) ->> 'topic',
            'until', p_since + make_interval(secs => (p_step ->> 'timeout')::float8));
        w := w || jsonb_build_object('lost', svc.may_lack(p_run, heard -> (w ->> 'topic')));
    end if;
    topic := w ->> 'topic';
    got := svc.hear(p_run, p_path, p_step, p_context, topic, heard -> topic, (w ->> 'until')::timestamptz);
    if got is null then
        verb := 'wait';
        answer := svc.waiting(w ->> 'until');
        return;
    elsif got ? 'had' then
        heard := jsonb_set(heard, array[topic], got -> 'had');
        got := got - 'had';
    end if;
    got := got || jsonb_build_object('lost', got -> 'timedOut' = 'true' and coalesce((w ->> 'lost')::boolean, false));
end
$$;

-- Refuses a call of a function whose "allow" does not name whoever was entered last. One without "allow" is there for
-- steps. The system is not asked: it may call any.
create or replace function svc.check_call(p_function text) returns void language plpgsql stable
set search_path = pg_catalog, pg_temp as $$
begin
    perform from svc.flow f
    where f.kind = 'function' and f.name = p_function and f.live and f.allow <> '{}'
        and not ('*' = any (f.allow) or svc.acts_as(variadic f.allow));
    if found then
        raise exception 'Whoever this step runs as may not call the function %.', p_function using errcode = 'SVSET';
    end if;
end
$$;

-- Starts a workflow, or calls a function. That one may ask for something outside, as the step then does: paths within
-- it begin with the step's.
create or replace function svc.do_call(
    p_run uuid, p_path text, p_step jsonb, p_context jsonb, p_given jsonb, p_actor uuid, p_caller jsonb, p_sign text,
    p_records boolean, p_depth integer, p_result jsonb, inout w jsonb, out verb text, out got jsonb, out answer jsonb)
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
    request jsonb;
begin
    verb := 'done';
    if p_step ? 'workflow' then
        got := jsonb_build_object('runId', svc.start_run(p_step ->> 'workflow',
            svc.ask(p_step ->> 'runAs', p_step ->> 'sql', p_context),
            jsonb_build_object('kind', 'call', 'run', case when p_records then p_run end, 'path', p_path), p_actor,
            p_depth + 1));
        -- Its condition took all of the time, which was the function's too. Nothing would end the steps after it.
        if not p_records and current_setting('svc.gives_up', true) = 'on' then
            raise exception 'The condition or a key of the workflow % took longer than a statement may.',
                p_step ->> 'workflow' using errcode = '57014';
        end if;
        return;
    end if;
    if p_step ->> 'runAs' <> 'system' and w ->> 'kind' is distinct from 'outside' then
        perform svc.check_call(p_step ->> 'function');
    end if;
    request := case when w ->> 'kind' = 'outside'
        then w -> 'state' || jsonb_build_object('result', case when starts_with(p_result ->> 'path', p_path || '.')
            then jsonb_set(p_result, '{path}', to_jsonb(substr(p_result ->> 'path', length(p_path) + 2))) end)
        else jsonb_build_object('input', svc.ask(p_step ->> 'runAs', p_step ->> 'sql', p_context), 'account', p_actor,
            'actor', p_context -> 'actor', 'caller', p_caller, 'sign', p_sign || '/' || p_path, 'depth', p_depth,
            'level', coalesce((p_given ->> 'level')::integer, 0) + 1) end;
    got := svc.run_function(p_step ->> 'function', request);
    if got ? 'done' then
        got := got -> 'result';
        return;
    end if;
    verb := 'ask';
    w := jsonb_build_object('kind', 'outside', 'state', got -> 'state');
    answer := jsonb_set(got -> 'outside', '{path}', to_jsonb(p_path || '.' || (got #>> '{outside,path}')))
        || '{"state": "outside"}';
end
$$;

-- Asks for something outside, or takes what came of it. What was asked for once is asked for again: the other side
-- knows it by its key. `pause`: how many seconds the other side wants before another attempt; null: it wants none.
create or replace function svc.do_ask(
    p_step jsonb, p_path text, p_attempt integer, p_key text, p_context jsonb, p_result jsonb, inout w jsonb,
    out verb text, out got jsonb, out answer jsonb, out failure text, out code text, out pause double precision)
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
    if w ->> 'kind' = 'outside' and p_result ->> 'path' = p_path then
        if (p_result ->> 'ok')::boolean then
            verb := 'done';
            got := p_result -> 'output';
            return;
        end if;
        verb := 'fail';
        failure := coalesce(p_result ->> 'error', 'It failed.');
        code := coalesce(p_result ->> 'code', 'OUTSIDE_FAILED');
        pause := case when coalesce((p_result ->> 'retryable')::boolean, true)
                 then coalesce((p_result ->> 'retryAfter')::float8, 0) end;
        return;
    end if;
    verb := 'ask';
    w := jsonb_build_object('kind', 'outside',
        'request', coalesce(w -> 'request', svc.ask(p_step ->> 'runAs', p_step ->> 'sql', p_context)),
        'key', coalesce(w ->> 'key', case when p_step ? 'idempotency'
            then svc.ask_value(p_step ->> 'runAs', p_step ->> 'idempotency', p_context) end, p_key));
    answer := jsonb_build_object('path', p_path, 'kind', p_step ->> 'kind', 'request', w -> 'request',
        'idempotencyKey', w -> 'key', 'attempt', p_attempt, 'timeout', p_step -> 'timeout',
        'accept', p_step -> 'accept', 'secrets', p_step -> 'secrets', 'state', 'outside');
end
$$;

-- The moment of the next attempt, after so many that failed; null: there is none.
create or replace function svc.retry_at(p_step jsonb, p_code text, p_failed integer, p_pause double precision)
returns text language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
    if p_pause is null or svc.is_final(p_code) or p_failed >= coalesce((p_step #>> '{retry,max}')::integer, 0) then
        return null;
    end if;
    return (clock_timestamp()
            + make_interval(secs => greatest(svc.retry_pause(p_step -> 'retry', p_failed), p_pause)))::text;
end
$$;

-- The answer of a run whose step has failed; null: it continues after the step. A function ends with the exception. Its
-- detail says where another attempt may succeed, which the step that calls the function makes then: a function cannot
-- wait. Only for its first step that gave something (`p_first`), and a call to others: the function begins anew, and
-- a call that was answered is not to be made again with another body.
drop function if exists svc.failed(jsonb, boolean, integer, double precision, text, text);
create or replace function svc.failed(p_step jsonb, p_records boolean, p_failed integer, p_pause double precision,
                                      p_failure text, p_code text, p_first boolean)
returns jsonb language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
    again text := case when p_records then svc.retry_at(p_step, p_code, p_failed, p_pause) end;
begin
    if again is not null then
        return svc.waiting(again);
    elsif p_step ->> 'onError' = 'continue' and p_code is distinct from 'FAILED' then
        return null;
    elsif not p_records then
        raise exception '%', p_failure using errcode = 'SV422', hint = 'FUNCTION_FAILED',
            detail = case when p_pause is null or svc.is_final(p_code) or not p_first
                    or p_step ->> 'kind' not in ('http', 'ai', 'embed', 'connector', 'mcp') then ''
                else jsonb_build_object('code', p_code, 'pause', p_pause)::text end;
    end if;
    return jsonb_build_object('state', 'ended', 'status', case p_code when 'FAILED' then 'failed' else 'dead' end,
                              'error', p_failure, 'code', p_code);
end
$$;

-- What the step waits for once that answer is given: to be tried again, with the request that it made.
create or replace function svc.waits_again(p_w jsonb, p_answer jsonb) returns jsonb language sql volatile
set search_path = pg_catalog, pg_temp
return jsonb_build_object('kind', 'retry', 'until', coalesce(p_answer -> 'dueAt', to_jsonb(clock_timestamp())))
    || case when p_w ? 'request' then p_w - '{kind,until}'::text[] else '{}' end;

revoke all on function svc.note_step, svc.note_halt, svc.is_bounded, svc.waiting, svc.succeeded, svc.begin_loop,
    svc.end_loop, svc.without_branches, svc.no_row, svc.do_sleep, svc.may_lack, svc.do_wait, svc.check_call,
    svc.do_call, svc.do_ask, svc.retry_at, svc.failed, svc.waits_again from public;
