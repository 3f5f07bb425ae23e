-- The interpreter of definitions: it goes on from where a run or a function stands. Run after steps.sql.
--
-- A place is {"frames": [frame], "heard": {topic: seq}, "path"}. A frame is a list of steps that is under way, the last
-- one innermost: "at", the list in the definition; "i", the step in it; "pre", what its paths begin with; "n" and "j",
-- of how many elements of a loop which one (where both are equal, the loop ends next); "a", the attempt, and "f", the
-- first one since somebody began to count; "w", what the step waits for. So to go on costs the same at the first and at
-- the last of ten thousand elements.

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
                where e.run = p_run and e.path = (frame ->> 'pre') || (step ->> 'id')
                    and e.n = (frame ->> 'j')::integer),
                'null'));
        end if;
    end loop;
    return p_context;
end
$$;

-- Where a list of steps stands, as a frame of a place.
create or replace function svc.frame_of(
    p_at text[], p_i integer, p_pre text, p_n integer, p_j integer, p_a integer, p_f integer, p_w jsonb)
returns jsonb language sql stable
return jsonb_build_object('at', p_at, 'i', p_i, 'pre', p_pre, 'n', p_n, 'j', p_j, 'a', p_a, 'f', p_f, 'w', p_w);

-- What a run or function gives back that has done its last step.
create or replace function svc.result_of(p_def jsonb, p_context jsonb, p_actor uuid, p_about jsonb, p_caller jsonb)
returns jsonb language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
    perform svc.enter(p_def ->> 'runAs', p_def ->> 'principals', p_actor, p_about, p_caller);
    return svc.ask(p_def ->> 'runAs', p_def ->> 'returns', p_context);
end
$$;

-- Goes on until something outside is to be done, until it waits, or until it has ended. `records`: a run, whose steps
-- are recorded, a savepoint each; else a function, which is done as a whole or not at all. `sign`: what its requests to
-- others are known by. `result`: what came of the request that it asked for last. `outputs` is null where it stayed.
--
-- It is one function on purpose. An attempt, its savepoint and its record belong together: a function for them would
-- take the whole frame in and give it back, and adds 5 µs to each step, an eighth of what a function's step costs
-- (docs/design/runs.md). What is rare or expensive has its own function (steps.sql).
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
    verb text; status text; got jsonb; since timestamptz;
    tried record;
    failure text; code text; hint text; detail text; pause double precision;
    did integer := 0;
    ends_loop boolean;
    touched boolean := false;
    bound text := nullif(current_setting('svc.bound', true), '');  -- seconds that this statement may take
    spent boolean := false;
    -- Far from the end of the time that a statement may take, or a step would be cancelled for what the steps before it
    -- took.
    stop timestamptz := statement_timestamp()
        + coalesce(nullif(current_setting('svc.walk_for', true), ''), '5 seconds')::interval;  -- tests set it
    -- With other runs (svc.advance_all).
    together boolean := coalesce(current_setting('svc.together', true), '') = 'on';
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
            i := top ->> 'i'; pre := top ->> 'pre'; n := top ->> 'n'; j := top ->> 'j'; a := top ->> 'a';
            f := top ->> 'f'; w := nullif(top -> 'w', 'null'); top := null; steps := null;
        end if;
        steps := coalesce(steps, def #> list);
        step := steps -> i;
        if step is null then
            if frames = '{}' then
                answer := svc.succeeded(case when def ? 'returns'
                                             then svc.result_of(def, context, actor, about, caller) end);
                exit;
            end if;
            -- Back to the switch, which has nothing more to do.
            top := frames[cardinality(frames)];
            frames := trim_array(frames, 1);
            top := jsonb_set(top, '{w}', jsonb_build_object('kind', 'done', 'value', top #> '{w,value}'));
            continue;
        end if;
        did := did + 1;
        if records and (did > 200 or spent or did > 1 and clock_timestamp() >= stop) then
            answer := '{"state": "again"}';
            exit;
        end if;
        id := step ->> 'id'; kind := step ->> 'kind'; run_as := step ->> 'runAs';
        ends_loop := coalesce(j = n, false);
        path := pre || id || case when j < n then '[' || j || ']' else '' end;
        verb := 'done'; status := 'succeeded'; got := null; failure := null; code := null; pause := null;
        since := clock_timestamp();
        if records and svc.is_bounded(step) and w ->> 'kind' is distinct from 'done' and not ends_loop then
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
            if ends_loop then
                got := svc.end_loop(run, path);
                if got is null then
                    verb := 'fail';
                    failure := 'What came of its elements is larger than 32 MiB.';
                    code := 'TOO_LARGE';
                end if;
                exit try;
            end if;
            if entered <> run_as or run_as = 'actor' then
                perform svc.enter(run_as, step ->> 'principals', actor, about, caller);
                entered := run_as;
            end if;
            if step ? 'for' and n is null then
                got := svc.flow_list(svc.ask(run_as, step #>> '{for,list}', context));
                if got <> '[]' then
                    perform svc.begin_loop(run, path, got);
                    verb := 'loop';
                elsif records then
                    perform svc.note_step(run, path, a, kind, status, got, since, null, null);
                end if;
                exit try;
            end if;
            if n is not null then
                context := jsonb_set(context, array['local', step #>> '{for,as}'], coalesce((
                    select e.value from svc.element e where e.run = run and e.path = pre || id and e.n = j), 'null'));
            end if;
            if w is null and step ? 'if'
                    and not coalesce(svc.ask_value(run_as, step ->> 'if', context)::boolean, false) then
                status := 'skipped';
                exit try;
            end if;
            if w ->> 'kind' = 'retry' and (w ->> 'until')::timestamptz > since then
                verb := 'wait';
                answer := svc.waiting(w ->> 'until');
                exit try;
            end if;
            -- These cost so little that a function for them would be felt.
            case kind
            when 'create', 'update', 'delete', 'transition', 'query', 'set', 'return' then
                if run_as = 'system' then
                    execute step ->> 'sql' into got using context;
                else
                    got := svc_as.exec(step ->> 'sql', context);
                end if;
                if got is null and kind in ('update', 'delete', 'transition') then
                    perform svc.no_row(step, run_as, context);
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
                tried := svc.do_sleep(step, since, w);
                verb := tried.verb; answer := tried.answer; w := tried.w;
            when 'waitFor' then
                tried := svc.do_wait(run, path, step, context, since, w, heard);
                verb := tried.verb; got := tried.got; answer := tried.answer; w := tried.w; heard := tried.heard;
            when 'call' then
                entered := '';
                tried := svc.do_call(run, path, step, context, given, actor, caller, sign, records, depth, result, w);
                verb := tried.verb; got := tried.got; answer := tried.answer; w := tried.w;
            else
                tried := svc.do_ask(step, path, a, sign || '/' || path, context, result, w);
                verb := tried.verb; got := tried.got; answer := tried.answer; w := tried.w;
                failure := tried.failure; code := tried.code; pause := tried.pause;
            end case;
            if not records and svc.is_bounded(step)
                    and clock_timestamp() > since + make_interval(secs => (step ->> 'timeout')::float8) then
                raise exception 'The step took longer than it may.' using errcode = '57014', hint = 'STEP_TIMEOUT';
            end if;
            if records and verb in ('done', 'return') then
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
            get stacked diagnostics failure = message_text, hint = pg_exception_hint, detail = pg_exception_detail;
            code := case when hint = 'FUNCTION_FAILED' then hint else svc.error_name(sqlstate) end;
            failure := svc.error_words(sqlstate, failure);
            verb := 'fail'; entered := ''; got := null; pause := 0;
            if hint = 'FUNCTION_FAILED' and detail <> '' then
                code := detail::jsonb ->> 'code'; pause := detail::jsonb ->> 'pause';
            end if;
            -- PostgreSQL ends a statement once. What a function did after that would have no limit.
            if not records and (step ->> 'onError' is distinct from 'continue'
                                or sqlstate = '57014' and hint <> 'STEP_TIMEOUT') then
                if hint = 'FUNCTION_FAILED' and detail <> '' and context -> 'steps' <> '{}' then
                    raise exception '%', failure using errcode = sqlstate, hint = hint;  -- as in svc.failed
                end if;
                raise;
            end if;
        end;
        if not records and current_setting('lock_timeout') <> patience then
            perform set_config('lock_timeout', patience, true);
        end if;
        -- What a loop gives is recorded with its elements.
        if records and (status = 'skipped' or verb not in ('done', 'loop', 'return')) then
            perform svc.note_halt(run, path, a, step, verb, status, got, since, w, failure, code);
        end if;
        case verb
        when 'loop' then
            n := jsonb_array_length(got); j := 0; a := 1; f := 1; w := null;
            continue;
        when 'enter' then
            frames := frames || svc.frame_of(list, i, pre, n, j, a, f, jsonb_build_object('value', got));
            list := list || i::text || svc.chosen_list(step, got #>> '{}');
            i := 0; pre := path || '.'; n := null; j := null; a := 1; f := 1; w := null; steps := null;
            continue;
        when 'ask', 'wait' then
            exit;
        when 'return' then
            context := jsonb_set(context, array['steps', id], coalesce(got, 'null'));
            answer := svc.succeeded(got);
            if path like '%[%' then
                -- The loops that it leaves end with it.
                delete from svc.element e where e.run = run;
            end if;
            exit;
        when 'fail' then
            answer := svc.failed(step, records, a - f + 1, pause, failure, code, context -> 'steps' = '{}');
            if answer is not null then
                w := svc.waits_again(w, answer);
                a := a + 1;
                exit;
            end if;
        else
            null;
        end case;
        -- The step is done, or its element is.
        a := 1; f := 1; w := null;
        if j < n then
            update svc.element e set output = got
            where e.run = run and e.path = pre || id and e.n = j and got is not null;
            j := j + 1;
            if kind = 'switch' then
                context := svc.without_branches(context, step);
            end if;
            continue;
        elsif ends_loop then
            delete from svc.element e where e.run = run and e.path = path;
            n := null; j := null;
            context := context #- array['local', step #>> '{for,as}'];
        end if;
        context := jsonb_set(context, array['steps', id], coalesce(got, 'null'));
        touched := true;
        i := i + 1;
    end loop;
    frames := frames || svc.frame_of(list, i, pre, n, j, a, f, w);
    place := jsonb_build_object('frames', frames, 'heard', heard, 'path', path);
    outputs := case when touched then context -> 'steps' end;
end
$$;

revoke all on function svc.chosen_list, svc.context_at, svc.frame_of, svc.result_of, svc.walk from public;
