-- Starts runs: by hand, by a change or message, by an account's sign-up or sign-in. Run after runs.sql.

-- The row that a run is about.
create or replace function svc.row_of(p_context jsonb) returns jsonb language sql immutable
return coalesce(nullif(p_context -> 'new', 'null'), nullif(p_context -> 'old', 'null'));

-- The account as the context shows it: {id, persona, org, isAdmin, email}. Its organisation is that of the row where it
-- is a member there, else the one that it joined first.
create or replace function svc.actor_json(p_actor uuid, p_row jsonb) returns jsonb language plpgsql stable
set search_path = pg_catalog, pg_temp as $$
declare
    shown jsonb;
begin
    if p_actor is null then
        return 'null';
    end if;
    select jsonb_build_object('id', a.id, 'persona', a.persona, 'isAdmin', a.is_admin, 'email', a.email, 'org', (
        select m.org_id from svc.member m where m.account_id = a.id
        order by m.org_id::text is not distinct from p_row ->> 'org_id' desc, m.joined_at, m.org_id limit 1))
    into shown from svc.account a where a.id = p_actor;
    return coalesce(shown,
        jsonb_build_object('id', p_actor, 'persona', null, 'isAdmin', false, 'email', null, 'org', null));
end
$$;

-- Sets whose rights the next statement has. `p_caller`: who called a function, as the server would set them.
create or replace function svc.enter(p_as text, p_names text, p_actor uuid, p_row jsonb, p_caller jsonb) returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
    a svc.account;
    m svc.member;
    who text := coalesce(p_actor::text, '');
    names text := 'server';
    claims jsonb := '{}';
begin
    if p_as = 'actor' and p_caller is not null then
        who := coalesce(p_caller ->> 'id', '');
        names := coalesce(p_caller ->> 'principals', '');
        claims := coalesce(svc.as_object(p_caller -> 'claims'), '{}');
    elsif p_as = 'actor' then
        select * into a from svc.account where id = p_actor and not disabled;
        if not found then
            raise exception 'The account that this step runs as is gone or disabled.' using errcode = 'SVGON';
        end if;
        names := coalesce((select p.principals from svc.persona p where p.id = a.persona), 'signed_in');
        claims := jsonb_build_object('isAdmin', a.is_admin, 'persona', a.persona, 'email', a.email);
        select * into m from svc.member k where k.account_id = a.id
        order by k.org_id::text is not distinct from p_row ->> 'org_id' desc, k.joined_at, k.org_id limit 1;
        if found then
            names := names || ',org:' || m.role;
            claims := claims || jsonb_build_object('org', m.org_id, 'orgRole', m.role);
        end if;
    elsif p_as <> 'system' then
        who := '';
        names := coalesce(p_names, '');
        claims := jsonb_strip_nulls(jsonb_build_object(
            'isAdmin', false, 'persona', substr(p_as, 9), 'org', p_row ->> 'org_id'));
    end if;
    perform set_config('svc.user_id', who, true), set_config('svc.principals', names, true),
        set_config('svc.claims', claims::text, true);
end
$$;

create or replace function svc.as_object(p jsonb) returns jsonb language sql immutable
return case jsonb_typeof(p) when 'object' then p when 'string' then nullif(p #>> '{}', '')::jsonb end;

-- The value of a definition's statement, by whoever was entered last.
create or replace function svc.ask(p_as text, p_sql text, p_context jsonb) returns jsonb language plpgsql
set search_path = pg_catalog, pg_temp as $$
declare
    answer jsonb;
begin
    if p_as = 'system' then
        execute p_sql into answer using p_context;
        return answer;
    end if;
    return svc_as.exec(p_sql, p_context);
end
$$;

-- The value of a statement that gives a boolean or a text.
create or replace function svc.ask_value(p_as text, p_sql text, p_context jsonb) returns text language plpgsql
set search_path = pg_catalog, pg_temp as $$
begin
    return svc.ask(p_as, 'select to_jsonb((' || p_sql || '))', p_context) #>> '{}';
end
$$;

-- What the statements of a workflow say about a start: whether its `if` holds, its key unless it has one, and the value
-- of its concurrency key. `failure`, `code`: what they were refused with. `p_again`: whoever starts it asks once more
-- where another transaction was in the way, so that is raised, and so is the end of the statement's time. Whoever would
-- have to ask once more goes on without them: PostgreSQL ends a statement once, so no further condition is asked in it
-- (svc.gives_up).
create or replace function svc.ask_start(
    def jsonb, p_given jsonb, p_actor uuid, p_again boolean, inout its_key text, out starts boolean, out its_slot text,
    out failure text, out code text)
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
    context jsonb;
    before text[] := array[current_setting('svc.user_id', true), current_setting('svc.principals', true),
                           current_setting('svc.claims', true)];
begin
    starts := true;
    begin
        context := svc.context(p_given, p_actor, '{}');
        perform svc.enter(def ->> 'runAs', def ->> 'principals', p_actor, svc.row_of(p_given), null);
        if def ? 'if' then
            starts := coalesce(svc.ask_value(def ->> 'runAs', def ->> 'if', context)::boolean, false);
        end if;
        if starts and its_key is null and def ? 'key' then
            its_key := svc.short_key(svc.ask_value(def ->> 'runAs', def ->> 'key', context));
        end if;
        if starts and def ? 'concurrency' then
            its_slot := svc.short_key(svc.ask_value(def ->> 'runAs', def #>> '{concurrency,key}', context));
        end if;
    exception when query_canceled or others then
        if p_again and sqlstate in ('55P03', '40P01', '40001') then
            raise;
        end if;
        failure := sqlerrm;
        code := svc.error_name(sqlstate);
        if sqlstate = '57014' then
            -- Runs that are advanced together ask once more where another one is in the way, and not where time is up.
            if p_again and coalesce(current_setting('svc.together', true), '') <> 'on' then
                raise;
            end if;
            failure := 'Its condition or a key of it took longer than a statement may.';
            perform set_config('svc.gives_up', 'on', true);
        end if;
    end;
    perform set_config('svc.user_id', coalesce(before[1], ''), true),
        set_config('svc.principals', coalesce(before[2], ''), true),
        set_config('svc.claims', coalesce(before[3], ''), true);
end
$$;

-- The row with substitutes for values that jsonb cannot hold, and the names of their columns. U+FFFD replaces an
-- invalid character, and its text replaces a number that is too large. A column of type json may have either.
create or replace function svc.mended_row(p_row json, out mended jsonb, out columns text)
language plpgsql immutable set search_path = pg_catalog, pg_temp as $$
begin
    -- Not even json_each reads such a character. A backslash before it may belong to another backslash.
    p_row := regexp_replace(p_row::text, '(?<!\\)((?:\\\\)*)\\u(?:0000|[dD][89a-fA-F][0-9a-fA-F]{2})',
                            '\1\\ufffd', 'g');
    select jsonb_object_agg(e.key, coalesce(e.held, to_jsonb(left(e.value::text, 200)))),
        string_agg(e.key, ', ') filter (where e.held is null or e.value::text like '%\\ufffd%')
    into mended, columns
    from (select j.key, j.value, svc.message_of(j.value) as held from json_each(p_row) j) e;
exception when others then
    mended := null;  -- too large
end
$$;

-- The row of a change as steps read it. `wrong`: it has a value that jsonb cannot hold, so no run can begin with it.
create or replace function svc.row_of_change(p_row json, out held jsonb, out wrong text)
language plpgsql immutable strict set search_path = pg_catalog, pg_temp as $$
declare
    substitute record;
begin
    held := p_row::jsonb;
exception when data_exception or program_limit_exceeded then
    substitute := svc.mended_row(p_row);
    held := substitute.mended;
    wrong := format('A run cannot hold this row%s: %s. Correct the row.'
                    ' A replay of this start begins with a substitute.',
                    ' because of ' || substitute.columns, sqlerrm);
end
$$;

-- The process that takes this run as it begins: svc.take_starts. Null: it waits for a claim.
create or replace function svc.taker_of(p_run uuid) returns bigint language plpgsql
set search_path = pg_catalog, pg_temp as $$
declare
    takes integer := nullif(current_setting('svc.takes', true), '');
begin
    if takes is null or takes <= 0 then
        return null;
    end if;
    perform set_config('svc.takes', (takes - 1)::text, true),
        set_config('svc.taken', concat_ws(',', nullif(current_setting('svc.taken', true), ''), p_run), true);
    return current_setting('svc.taker')::bigint;
end
$$;

-- Makes a run of a workflow that is live, unless its `if` says no (null) or its key is taken (the run that has it).
-- What its own statements refuse becomes a dead letter: nothing that happened is lost, and no writer is held up by it.
-- `p_gives_up`: these statements are not run, because they took too long, nor are those of the workflows that start by
-- its failure: svc.gives_up says so for the rest of the transaction. `p_wrong`: why its row has substitutes; then they
-- are not run either.
drop function if exists svc.open_run(text, jsonb, jsonb, uuid, integer, text, bigint, pg_snapshot);
drop function if exists svc.open_run(text, jsonb, jsonb, uuid, integer, text, bigint, pg_snapshot, boolean);
create or replace function svc.open_run(p_workflow text, p_trigger jsonb, p_given jsonb, p_actor uuid default null,
                                        p_depth integer default 0, p_key text default null, p_seq bigint default null,
                                        p_began pg_snapshot default null, p_gives_up boolean default false,
                                        p_wrong text default null)
returns uuid language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
    def jsonb;
    def_hash text;
    def_waits boolean;
    asked record;
    new_run uuid := svc.new_id();
    its_key text := p_key;
    its_slot text;
    known uuid;
    failure text;
    code text;
    taker bigint;
begin
    if p_gives_up then
        perform set_config('svc.gives_up', 'on', true);
    end if;
    select d.body, d.hash, d.waits into def, def_hash, def_waits
    from svc.flow f join svc.definition d on d.hash = f.hash
    where f.kind = 'workflow' and f.name = p_workflow and f.live;
    if not found then
        raise exception 'There is no workflow % in the live contract.', p_workflow using errcode = 'SV404';
    end if;
    if p_depth > 8 then
        failure := 'It was started by a chain of more than 8 runs: a workflow causes itself.';
        code := 'LOOP';
    elsif p_wrong is not null then
        failure := p_wrong;
        code := 'ROW_UNREADABLE';
    elsif current_setting('svc.gives_up', true) = 'on' and def ?| '{if,key,concurrency}' then
        -- Only one that took too long by itself begins without it at a replay (svc.replay_run).
        if p_gives_up then
            failure := 'Its condition or a key of it took longer than a statement may.';
            code := 'TIMEOUT';
        else
            failure := 'Its condition or a key of it was not asked: another one in the same statement took longer than'
                ' a statement may.';
            code := 'NOT_ASKED';
        end if;
    elsif def ?| '{if,key,concurrency}' then
        -- A change, a message and a planned time come again, and so does a run that shares its transaction with others
        -- (svc.advance_all); whoever signs in or pays would have to do it once more.
        select * into asked from svc.ask_start(def, p_given, p_actor,
            p_seq is not null or p_trigger ->> 'kind' in ('cron', 'every')
                or coalesce(current_setting('svc.together', true), '') = 'on', p_key);
        if not asked.starts then
            return null;
        end if;
        its_key := asked.its_key; its_slot := asked.its_slot; failure := asked.failure; code := asked.code;
    end if;
    if its_key is not null and code is null then
        known := svc.take_key(new_run, p_workflow, its_key, (def ->> 'keyFor')::bigint);
        if known is not null then
            return known;
        end if;
    end if;
    taker := case when code is null and its_slot is null then svc.taker_of(new_run) end;
    insert into svc.run (id, workflow, hash, due_at, owner, fence, status, started_at, depth, actor, key, slot, trigger,
                         given, began, since_seq, opened)
    values (new_run, p_workflow, def_hash, clock_timestamp(), taker, (taker is not null)::integer,
            case when taker is null then 'queued' else 'running' end,
            case when taker is not null then clock_timestamp() end,
            p_depth, p_actor, its_key, its_slot, p_trigger, p_given,
            case when def_waits then coalesce(p_began, svc.ended_now()) end,
            coalesce(p_seq, case when def_waits then
                (select s.last_value from svc.change_seq s where s.is_called) end),
            case when def_waits then svc.ended_with_this() end);
    if code is not null then
        perform svc.end_run(new_run, 'dead', failure, code);
    elsif its_slot is not null and not svc.take_slot(new_run, p_workflow, its_slot,
            coalesce((def #>> '{concurrency,limit}')::integer, 1), def #>> '{concurrency,overflow}') then
        perform svc.end_run(new_run, 'cancelled', 'As many runs as the workflow allows were under way.', 'SKIPPED');
    end if;
    return new_run;
end
$$;

-- $1 of every statement of a definition. In SQL it would be planned with each run.
create or replace function svc.context(p_given jsonb, p_actor uuid, p_outputs jsonb) returns jsonb
language plpgsql stable set search_path = pg_catalog, pg_temp as $$
begin
    return jsonb_build_object(
        'input', coalesce(p_given -> 'input', '{}'), 'new', p_given -> 'new', 'old', p_given -> 'old',
        'actor', coalesce(p_given -> 'actor', svc.actor_json(p_actor, svc.row_of(p_given))),
        'steps', p_outputs, 'local', '{}'::jsonb);
end
$$;

-- Starts a workflow by hand or by another run. The run that has the key where one has; null: its condition does not
-- hold.
create or replace function svc.start_run(p_workflow text, p_input jsonb, p_trigger jsonb, p_actor uuid default null,
                                         p_depth integer default 0, p_key text default null)
returns uuid language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
    taken jsonb;
begin
    select svc.fit_input(f.params, p_input) into taken from svc.flow f
    where f.kind = 'workflow' and f.name = p_workflow and f.live;
    return svc.open_run(p_workflow, p_trigger, jsonb_build_object('input', taken), p_actor, p_depth, p_key);
end
$$;

-- The input of a workflow that starts by the clock or by a webhook: nobody sends its parameters, so they have their
-- defaults. Null: there is no such workflow.
create or replace function svc.filled_input(p_workflow text, p_given jsonb) returns jsonb language sql stable
set search_path = pg_catalog, pg_temp as $$
    select svc.fit_input(f.params, '{}') || p_given from svc.flow f
    where f.kind = 'workflow' and f.name = p_workflow and f.live;
$$;

-- A field of a manual start is wrong.
create or replace function svc.refuse_start(p_field text, p_message text) returns void language plpgsql
set search_path = pg_catalog, pg_temp as $$
begin
    raise exception '%', p_message using errcode = 'SV400',
        detail = jsonb_build_array(jsonb_build_object('field', p_field, 'message', p_message));
end
$$;

-- What a workflow that starts from a row is given by a manual start: {about, new, old}, as if what starts it had just
-- happened to that row. It is read as it is now; `p_old` has the values that a change found. Null: the workflow starts
-- from no row.
create or replace function svc.given_by_hand(p_flow svc.flow, p_row text, p_old jsonb) returns jsonb language plpgsql
set search_path = pg_catalog, pg_temp as $$
declare
    its_table text := case when p_flow.on_kind in ('event', 'transition') then p_flow.on_what
                      when p_flow.on_kind = 'payment' then (select c.order_table from svc.payments c) end;
    event text := case p_flow.on_kind when 'event' then p_flow.on_event when 'transition' then 'updated'
                                      else 'created' end;
    found_row json;
    its_row jsonb;
    wrong text;
    stray text;
begin
    if its_table is null and p_row is not null then
        perform svc.refuse_start('row', format('Workflow %s starts from no row, so it takes no row.', p_flow.name));
    elsif p_old is not null and (its_table is null or event <> 'updated') then
        perform svc.refuse_start('old', format('Workflow %s starts from no change of a row, so it takes no old values.',
            p_flow.name));
    elsif its_table is null then
        return null;
    elsif p_row is null then
        perform svc.refuse_start('row', format('Workflow %s starts from a row of %s. Name one: row is its id%s.',
            p_flow.name, its_table,
            case event when 'updated' then ', and old may have values that it had before' else '' end));
    elsif p_row !~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then
        perform svc.refuse_start('row', format('''%s'' is not the id of a row: it must be a uuid.', p_row));
    end if;
    execute format('select row_to_json(r) from public.%I r where r.id = $1', its_table)
    into found_row using p_row::uuid;
    if found_row is null then
        raise exception 'There is no row of % with the id %.', its_table, p_row using errcode = 'SV404';
    end if;
    select r.held, r.wrong into its_row, wrong from svc.row_of_change(found_row) r;
    if wrong is not null then
        perform svc.refuse_start('row', wrong);
    end if;
    select k into stray from jsonb_object_keys(p_old) k where not its_row ? k limit 1;
    if stray is not null then
        perform svc.refuse_start('old', format('%s has no field %s.', its_table, stray));
    end if;
    return jsonb_build_object(
        'about', jsonb_build_object('table', its_table, 'event', event, 'rowId', p_row),
        'new', case when event <> 'deleted' then its_row end,
        'old', case event when 'updated' then its_row || coalesce(p_old, '{}') when 'deleted' then its_row end);
end
$$;

-- Starts a run for a person; the error says why nothing starts. `p_row`, `p_old`: as svc.given_by_hand takes them.
drop function if exists svc.start_by_hand(text, jsonb, jsonb, uuid);
create or replace function svc.start_by_hand(p_workflow text, p_input jsonb, p_trigger jsonb, p_actor uuid,
                                             p_row text default null, p_old jsonb default null)
returns uuid language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
    flow svc.flow;
    given jsonb;
    run uuid;
begin
    select * into flow from svc.flow f where f.kind = 'workflow' and f.name = p_workflow and f.live;
    if p_actor is null and (select d.body ->> 'runAs' from svc.definition d where d.hash = flow.hash) = 'actor' then
        perform svc.refuse_start('as',
            format('Workflow %s has the rights of whoever starts it: start it as an account.', p_workflow));
    end if;
    given := case when found then svc.given_by_hand(flow, p_row, p_old) end;
    if given is null then
        run := svc.start_run(p_workflow, p_input, p_trigger, p_actor);
    else
        run := svc.open_run(p_workflow, p_trigger || (given -> 'about'),
            given - 'about' || jsonb_build_object('input', svc.fit_input(flow.params, p_input)), p_actor);
    end if;
    if run is null then
        raise exception 'Workflow % did not start: its condition does not hold for this %.%', p_workflow,
            case when given is null then 'input' else 'row' end,
            case when p_old is null and given -> 'old' <> 'null' and given -> 'new' <> 'null'
                then ' If it looks at old values, give them as old.' else '' end using errcode = 'SV400', detail = '[]';
    end if;
    return run;
end
$$;

-- Workflows on sign-ups and sign-ins start in the account's own transaction. An apply's seeds sign nobody up: it has
-- taken another role. The first session of a new account is part of its sign-up.
create or replace function svc.start_by_account() returns trigger language plpgsql security definer
set search_path = pg_catalog, pg_temp as $$
declare
    what text := case tg_table_name when 'account' then 'signup' else 'login' end;
    who svc.account;
    started text;
begin
    if current_setting('role') <> 'none'
            or not exists (select from svc.flow f where f.live and f.on_kind = 'auth' and f.on_what = what) then
        return null;
    end if;
    select * into who from svc.account a
    where a.id = (case what when 'signup' then to_jsonb(new) ->> 'id' else to_jsonb(new) ->> 'account_id' end)::uuid;
    if what = 'login' and who.created_at = now() then
        return null;
    end if;
    for started in select f.name from svc.flow f where f.live and f.on_kind = 'auth' and f.on_what = what loop
        perform svc.open_run(started, jsonb_build_object('kind', 'auth', 'event', what),
            jsonb_build_object('input', jsonb_build_object('user', jsonb_build_object(
                'id', who.id, 'email', who.email, 'name', who.name, 'role', who.persona))), who.id);
    end loop;
    return null;
end
$$;
create or replace trigger start_by_account after insert on svc.account
    for each row execute function svc.start_by_account();
create or replace trigger start_by_account after insert on svc.session
    for each row execute function svc.start_by_account();

revoke all on function svc.taker_of, svc.mended_row, svc.row_of_change, svc.row_of, svc.actor_json, svc.enter, svc.as_object, svc.ask,
    svc.ask_value, svc.ask_start,
    svc.open_run, svc.context, svc.start_run, svc.filled_input, svc.refuse_start, svc.given_by_hand, svc.start_by_hand,
    svc.start_by_account from public;
grant execute on function svc.start_run, svc.start_by_hand to :system_role;
