-- The interpreter of definitions: it goes on from where a run or a function stands. Run after deeds.sql.
--
-- A place is {"frames": [frame], "heard": {topic: seq}, "path"}. A frame is a list of steps that is under way, the last
-- one innermost: "at", the list in the definition; "i", the step in it; "pre", what its paths begin with; "n" and "j",
-- of how many elements of a loop which one; "a", the attempt, and "f", the first one since somebody began to count;
-- "w", what the step waits for. So to go on costs the same at the first and at the last of ten thousand elements.

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

-- The list of steps that a switch leads to, as a place in the definition; null: none.
create or replace function svc.chosen_list(p_step jsonb, p_value text) returns text[] language plpgsql immutable
set search_path = pg_catalog, pg_temp as $$
declare
    place integer;
begin
    select c.ordinality - 1 into place from jsonb_array_elements(p_step -> 'cases') with ordinality c
    where c.value ->> 'value' = p_value order by c.ordinality limit 1;
    if found then
        return array['cases', place::text, 'steps'];
    elsif jsonb_typeof(p_step -> 'else') = 'array' then
        return '{else}';
    end if;
    return null;
end
$$;

-- A step on the database whose attempts may take so long and no longer. PostgreSQL counts the time of a statement from
-- its beginning, so in a run such an attempt is a statement of its own: whoever advances the run is told the time
-- beforehand ("bound"), sets it as statement_timeout and as svc.bound, and advances it once more. A function is one
-- statement. Its steps wait for locks no longer than they may, and else are looked at when they are done.
create or replace function svc.is_bounded(p_step jsonb) returns boolean language sql immutable
return p_step ? 'timeout' and p_step ->> 'kind' in ('create', 'update', 'delete', 'transition', 'query', 'set', 'switch',
    'return', 'fail', 'email', 'notify', 'publish');

-- The context as it was when the run stopped: with the elements of the loops that it stands in.
create or replace function svc.context_at(p_context jsonb, p_def jsonb, p_run uuid, p_frames jsonb[]) returns jsonb
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
    frame jsonb;
    step jsonb;
begin
    foreach frame in array p_frames loop
        step := p_def #> (array(select jsonb_array_elements_text(frame -> 'at')) || (frame ->> 'i'));
        if frame ->> 'n' is not null then
            p_context := jsonb_set(p_context, array['local', step #>> '{for,as}'], coalesce((
                select e.value from svc.element e
                where e.run = p_run and e.path = (frame ->> 'pre') || (step ->> 'id') and e.n = (frame ->> 'j')::integer),
                'null'));
        end if;
    end loop;
    return p_context;
end
$$;

-- Goes on until something outside is to be done, until it waits, or until it has ended. `records`: a run, whose steps
-- are recorded, a savepoint each; else a function, which is done as a whole or not at all. `sign`: what its requests to
-- others are known by. `result`: what came of the request that it asked for last. `outputs` is null where it stayed.
create or replace function svc.walk(
    run uuid, def jsonb, given jsonb, actor uuid, caller jsonb, sign text, records boolean, depth integer, result jsonb,
    inout outputs jsonb, inout place jsonb, out answer jsonb)
language plpgsql set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_variable
declare
    context jsonb := svc.context(given, actor, outputs);
    about jsonb := svc.row_of(given);  -- the row
    frames jsonb[] := array(select jsonb_array_elements(place -> 'frames'));
    heard jsonb := coalesce(place -> 'heard', '{}');
    top jsonb;
    list text[]; i integer; pre text; n integer; j integer; a integer; f integer; w jsonb;  -- the innermost frame
    steps jsonb; step jsonb; id text; kind text; path text; run_as text;
    entered text := '';
    verb text; status text; got jsonb; request jsonb; told text; since timestamptz;
    failure text; code text; hint text; after_pause double precision;
    did integer := 0;
    touched boolean := false;
    bound text := nullif(current_setting('svc.bound', true), '');  -- seconds that this statement may take
    spent boolean := false;
    together boolean := coalesce(current_setting('svc.together', true), '') = 'on';  -- with other runs (svc.advance_all)
    patience text := current_setting('lock_timeout');
begin
    if frames = '{}' then
        list := '{steps}'; i := 0; pre := ''; a := 1; f := 1;
    else
        context := svc.context_at(context, def, run, frames);
        top := frames[cardinality(frames)];
        frames := trim_array(frames, 1);
    end if;
    loop
        if top is not null then
            list := array(select jsonb_array_elements_text(top -> 'at'));
            i := top ->> 'i'; pre := top ->> 'pre'; n := top ->> 'n'; j := top ->> 'j'; a := top ->> 'a'; f := top ->> 'f';
            w := nullif(top -> 'w', 'null'); top := null; steps := null;
        end if;
        steps := coalesce(steps, def #> list);
        step := steps -> i;
        if step is null then
            if frames = '{}' then
                got := null;
                if def ? 'returns' then
                    perform svc.enter(def ->> 'runAs', def ->> 'principals', actor, about, caller);
                    got := svc.ask(def ->> 'runAs', def ->> 'returns', context);
                end if;
                answer := jsonb_build_object('state', 'ended', 'status', 'succeeded', 'result', got);
                exit;
            end if;
            -- Back to the switch, which has nothing more to do.
            top := frames[cardinality(frames)];
            frames := trim_array(frames, 1);
            top := jsonb_set(top, '{w}', jsonb_build_object('kind', 'done', 'value', top #> '{w,value}'));
            continue;
        end if;
        did := did + 1;
        if records and (did > 200 or spent) then
            answer := '{"state": "again"}';
            exit;
        end if;
        id := step ->> 'id'; kind := step ->> 'kind'; run_as := step ->> 'runAs';
        path := pre || id || case when n is not null then '[' || j || ']' else '' end;
        verb := 'done'; status := 'succeeded'; got := null; failure := null; code := null; after_pause := null;
        since := clock_timestamp();
        if records and svc.is_bounded(step) and w ->> 'kind' is distinct from 'done' then
            if bound is distinct from step ->> 'timeout' then
                answer := jsonb_build_object('state', 'again', 'bound', step -> 'timeout');
                exit;
            end if;
            bound := null;
            spent := true;
        end if;
        <<try>>
        begin
            if not records and not together and svc.is_bounded(step) then
                perform set_config('lock_timeout', least((step ->> 'timeout')::bigint, 2000000) || 's', true);
            end if;
            if w ->> 'kind' = 'done' then
                got := w -> 'value';
                exit try;
            end if;
            if entered <> run_as or run_as = 'actor' then
                perform svc.enter(run_as, step ->> 'principals', actor, about, caller);
                entered := run_as;
            end if;
            if step ? 'for' and n is null then
                got := svc.ask(run_as, step #>> '{for,list}', context);
                if coalesce(jsonb_typeof(got), 'null') <> 'array' then
                    got := '[]';
                end if;
                if jsonb_array_length(got) > 10000 then
                    raise exception 'A loop may go over at most 10,000 elements.' using errcode = 'SVBIG';
                elsif got = '[]' then
                    if records then
                        perform svc.note_step(run, path, a, kind, status, got, since, null, null);
                    end if;
                else
                    insert into svc.element (run, path, n, value)
                    select run, path, e.ordinality - 1, e.value from jsonb_array_elements(got) with ordinality e;
                    verb := 'loop';
                end if;
                exit try;
            end if;
            if n is not null then
                context := jsonb_set(context, array['local', step #>> '{for,as}'], coalesce((
                    select e.value from svc.element e where e.run = run and e.path = pre || id and e.n = j), 'null'));
            end if;
            if w is null and step ? 'if' and not coalesce(svc.ask_value(run_as, step ->> 'if', context)::boolean, false) then
                status := 'skipped';
                exit try;
            end if;
            if w ->> 'kind' = 'retry' and (w ->> 'until')::timestamptz > since then
                verb := 'wait';
                answer := jsonb_build_object('state', 'waiting', 'dueAt', w ->> 'until');
                exit try;
            end if;
            case kind
            when 'create', 'update', 'delete', 'transition', 'query', 'set', 'return' then
                if run_as = 'system' then
                    execute step ->> 'sql' into got using context;
                else
                    got := svc_as.exec(step ->> 'sql', context);
                end if;
                if got is null and kind in ('update', 'delete', 'transition') then
                    raise exception 'There is no such row, or none that this step may change.' using errcode = 'SVNOF';
                elsif kind = 'return' then
                    verb := 'return';
                end if;
            when 'fail' then
                verb := 'fail';
                failure := coalesce(svc.ask(run_as, step ->> 'sql', context) #>> '{}', '');
                code := 'FAILED';
            when 'switch' then
                got := svc.ask(run_as, step ->> 'sql', context);
                if svc.chosen_list(step, got #>> '{}') is not null then
                    verb := 'enter';
                end if;
            when 'email' then
                got := svc.do_email(svc.ask(run_as, step ->> 'sql', context));
            when 'notify' then
                got := svc.do_notify(svc.ask(run_as, step ->> 'sql', context));
            when 'publish' then
                got := svc.do_publish(svc.ask(run_as, step ->> 'sql', context));
            when 'sleep' then
                told := case w ->> 'kind' when 'sleep' then w ->> 'until'
                        else (since + make_interval(secs => (step ->> 'seconds')::float8))::text end;
                if told::timestamptz > since then
                    verb := 'wait';
                    w := jsonb_build_object('kind', 'sleep', 'until', told);
                    answer := jsonb_build_object('state', 'waiting', 'dueAt', told);
                end if;
            when 'waitFor' then
                if w ->> 'kind' is distinct from 'wait' then
                    w := jsonb_build_object('kind', 'wait', 'topic', svc.ask(run_as, step ->> 'sql', context) ->> 'topic',
                        'until', since + make_interval(secs => (step ->> 'timeout')::float8));
                end if;
                told := w ->> 'topic';
                got := svc.hear(run, path, step, context, told, (heard ->> told)::bigint, (w ->> 'until')::timestamptz);
                if got is null then
                    verb := 'wait';
                    answer := jsonb_build_object('state', 'waiting', 'dueAt', w ->> 'until');
                elsif got ? 'seq' then
                    heard := jsonb_set(heard, array[told], got -> 'seq');
                    got := got - 'seq';
                end if;
            when 'call' then
                entered := '';
                if step ? 'workflow' then
                    got := jsonb_build_object('runId', svc.start_run(step ->> 'workflow',
                        svc.ask(run_as, step ->> 'sql', context),
                        jsonb_build_object('kind', 'call', 'run', case when records then run end, 'path', path), actor, depth + 1));
                else
                    request := case when w ->> 'kind' = 'outside'
                        then w -> 'state' || jsonb_build_object('result', case when starts_with(result ->> 'path', path || '.')
                            then jsonb_set(result, '{path}', to_jsonb(substr(result ->> 'path', length(path) + 2))) end)
                        else jsonb_build_object('input', svc.ask(run_as, step ->> 'sql', context), 'account', actor,
                            'actor', context -> 'actor', 'caller', caller, 'sign', sign || '/' || path, 'depth', depth,
                            'level', coalesce((given ->> 'level')::integer, 0) + 1) end;
                    result := null;
                    got := svc.run_function(step ->> 'function', request);
                    if got ? 'done' then
                        got := got -> 'result';
                    else
                        verb := 'ask';
                        w := jsonb_build_object('kind', 'outside', 'state', got -> 'state');
                        answer := jsonb_set(got -> 'outside', '{path}', to_jsonb(path || '.' || (got #>> '{outside,path}')));
                    end if;
                end if;
            else
                -- Something outside. What was asked for once is asked for again: the other side knows it by its key.
                if w ->> 'kind' = 'outside' and result ->> 'path' = path then
                    if (result ->> 'ok')::boolean then
                        got := result -> 'output';
                    else
                        verb := 'fail';
                        failure := coalesce(result ->> 'error', 'It failed.');
                        code := coalesce(result ->> 'code', 'OUTSIDE_FAILED');
                        after_pause := coalesce((result ->> 'retryAfter')::float8, 0);
                        if not coalesce((result ->> 'retryable')::boolean, true) then
                            after_pause := null;
                        end if;
                    end if;
                    result := null;
                else
                    verb := 'ask';
                    w := jsonb_build_object('kind', 'outside',
                        'request', coalesce(w -> 'request', svc.ask(run_as, step ->> 'sql', context)),
                        'key', coalesce(w ->> 'key', case when step ? 'idempotency'
                            then svc.ask_value(run_as, step ->> 'idempotency', context) end, sign || '/' || path));
                    answer := jsonb_build_object('path', path, 'kind', kind, 'request', w -> 'request',
                        'idempotencyKey', w -> 'key', 'attempt', a, 'timeout', step -> 'timeout',
                        'accept', step -> 'accept', 'secrets', step -> 'secrets');
                end if;
            end case;
            if not records and svc.is_bounded(step)
                    and clock_timestamp() > since + make_interval(secs => (step ->> 'timeout')::float8) then
                raise exception 'The step took longer than it may.' using errcode = '57014';
            end if;
            if records and verb in ('done', 'return') and status = 'succeeded' then
                if w is null then
                    insert into svc.step (run, path, attempt, kind, status, output, started_at, ended_at)
                    values (run, path, a, kind, status, got, since, clock_timestamp());
                else
                    perform svc.note_step(run, path, a, kind, status, got, since, null, null);
                end if;
            end if;
        exception when query_canceled or others then
            if together and sqlstate in ('55P03', '40P01', '40001') then
                if not records then
                    raise;
                end if;
                answer := '{"state": "again"}';
                exit;
            end if;
            get stacked diagnostics failure = message_text, hint = pg_exception_hint;
            code := case when hint = 'FUNCTION_FAILED' then hint else svc.error_name(sqlstate) end;
            verb := 'fail'; entered := ''; got := null; after_pause := 0;
            if not records and step ->> 'onError' is distinct from 'continue' then
                raise;
            end if;
        end;
        if not records and current_setting('lock_timeout') <> patience then
            perform set_config('lock_timeout', patience, true);
        end if;
        case verb
        when 'loop' then
            n := jsonb_array_length(got); j := 0; a := 1; f := 1; w := null;
            continue;
        when 'enter' then
            if records then
                perform svc.note_step(run, path, a, kind, status, got, since, null, null);
            end if;
            frames := frames || jsonb_build_object('at', list, 'i', i, 'pre', pre, 'n', n, 'j', j, 'a', a, 'f', f,
                                                   'w', jsonb_build_object('value', got));
            list := list || i::text || svc.chosen_list(step, got #>> '{}');
            i := 0; pre := path || '.'; n := null; j := null; a := 1; f := 1; w := null; steps := null;
            continue;
        when 'ask' then
            if records then
                perform svc.note_step(run, path, a, kind, 'running', null, since, null, null);
            end if;
            answer := answer || '{"state": "outside"}';
            exit;
        when 'wait' then
            if records and w ->> 'kind' <> 'retry' then
                perform svc.note_step(run, path, a, kind, 'running', null, since, null, null);
            end if;
            exit;
        when 'return' then
            context := jsonb_set(context, array['steps', id], coalesce(got, 'null'));
            answer := jsonb_build_object('state', 'ended', 'status', 'succeeded', 'result', got);
            exit;
        when 'fail' then
            if records then
                perform svc.note_step(run, path, a, kind, 'failed', null, since, failure, code);
            end if;
            if records and after_pause is not null and not svc.is_final(code)
                    and a - f + 1 < (step #>> '{retry,max}')::integer then
                told := (clock_timestamp() + make_interval(secs =>
                    greatest(svc.retry_pause(step -> 'retry', a - f + 1), after_pause)))::text;
                w := jsonb_build_object('kind', 'retry', 'until', told)
                    || case when w ? 'request' then w - '{kind,until}'::text[] else '{}' end;
                a := a + 1;
                answer := jsonb_build_object('state', 'waiting', 'dueAt', told);
                exit;
            elsif step ->> 'onError' is distinct from 'continue' or code = 'FAILED' then
                if not records then
                    raise exception '%', failure using errcode = 'SV422', hint = 'FUNCTION_FAILED';
                end if;
                w := jsonb_build_object('kind', 'retry', 'until', clock_timestamp())
                    || case when w ? 'request' then w - '{kind,until}'::text[] else '{}' end;
                a := a + 1;
                answer := jsonb_build_object('state', 'ended', 'status', case code when 'FAILED' then 'failed' else 'dead' end,
                                             'error', failure, 'code', code);
                exit;
            end if;
        else
            if records and status = 'skipped' then
                perform svc.note_step(run, path, a, kind, status, null, since, null, null);
            end if;
        end case;
        -- The step is done, or its element is.
        a := 1; f := 1; w := null;
        if n is not null then
            update svc.element e set output = got where e.run = run and e.path = pre || id and e.n = j and got is not null;
            j := j + 1;
            if kind = 'switch' then
                context := jsonb_set(context, '{steps}', (context -> 'steps')
                    - array(select k #>> '{}' from jsonb_path_query(step, '$.**.steps[*].id') k)
                    - array(select k #>> '{}' from jsonb_path_query(step, '$.**.else[*].id') k));
            end if;
            continue when j < n;
            got := (select jsonb_agg(coalesce(e.output, 'null') order by e.n) from svc.element e
                    where e.run = run and e.path = pre || id);
            delete from svc.element e where e.run = run and e.path = pre || id;
            n := null; j := null;
            context := context #- array['local', step #>> '{for,as}'];
        end if;
        context := jsonb_set(context, array['steps', id], coalesce(got, 'null'));
        touched := true;
        i := i + 1;
    end loop;
    frames := frames || jsonb_build_object('at', list, 'i', i, 'pre', pre, 'n', n, 'j', j, 'a', a, 'f', f, 'w', w);
    place := jsonb_build_object('frames', frames, 'heard', heard, 'path', path);
    outputs := case when touched then context -> 'steps' end;
end
$$;

revoke all on function svc.note_step, svc.chosen_list, svc.is_bounded, svc.context_at, svc.walk from public;
