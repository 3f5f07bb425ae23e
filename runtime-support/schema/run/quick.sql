-- The steps with which a workflow begins, as a function of PostgreSQL, whose plans are kept: svc.walk plans each
-- statement anew. It does them as a whole or not at all; after a failure svc.walk does them one by one, and records
-- what failed. Run after steps.sql. docs/design/runs.md says what it saves.

-- What svc.make_quick makes; another number has all functions made anew, by the next apply.
create or replace function svc.quick_version() returns integer language sql immutable return 1;

-- Is this a step of the database as the system, which happens once? A `timeout` is an advance of its own.
create or replace function svc.is_quick(p_step jsonb) returns boolean language sql immutable
return p_step ->> 'runAs' = 'system' and not p_step ?| '{for,timeout}'
    and p_step ->> 'kind' in ('create', 'update', 'delete', 'transition', 'query', 'set', 'email', 'notify', 'publish')
    -- The function has more parameters than the statement.
    and concat(p_step ->> 'sql', p_step ->> 'if') !~ '\$([2-9]|1[0-9])';

-- The statements of step `n`: its result into quick_g<n>, when it ended into quick_t<n + 1>.
create or replace function svc.quick_step(p_step jsonb, n integer, p_reads boolean) returns text
language plpgsql immutable
set search_path = pg_catalog, pg_temp as $make$
declare
    kind text := p_step ->> 'kind';
    made text := case when kind in ('email', 'notify', 'publish')
        then format(E'quick_g%s := svc.do_%s((%s\n));\n', n, kind, p_step ->> 'sql')
        else format(E'%s\ninto quick_g%s;\n', p_step ->> 'sql', n) end;
begin
    if kind in ('update', 'delete', 'transition') then
        made := made || format(E'if quick_g%s is null then raise exception ''There is no such row.''; end if;\n', n);
    end if;
    if p_step ? 'if' then
        made := format(E'if coalesce((%s\n), false) then\n%selse\nquick_s%s := ''skipped'';\nend if;\n',
                       p_step ->> 'if', made, n);
    end if;
    if p_reads then
        made := made || format(E'$1 := jsonb_set($1, array[''steps'', %L], coalesce(quick_g%s, ''null''));\n',
                               p_step ->> 'id', n);
    end if;
    return made || format(E'quick_t%s := clock_timestamp();\n', n + 1);
end
$make$;

-- The body of the function for the first `k` steps. `p_ends`: there are no more, so nobody reads their results.
create or replace function svc.quick_body(p_steps jsonb, k integer, p_ends boolean) returns text
language plpgsql immutable
set search_path = pg_catalog, pg_temp as $make$
declare
    step jsonb;
    vars text := 'quick_t0 timestamptz := clock_timestamp(); ';
    does text := '';
    records text := '';
    results text := '';
begin
    for n in 0 .. k - 1 loop
        step := p_steps -> n;
        vars := vars || format('quick_g%1$s jsonb; quick_s%1$s text := ''succeeded''; quick_t%2$s timestamptz; ',
                               n, n + 1);
        does := does || svc.quick_step(step, n, exists (
            select from generate_series(n + 1, k - 1) later
            where position('steps' in concat(p_steps -> later ->> 'sql', p_steps -> later ->> 'if')) > 0));
        records := concat_ws(E',\n', nullif(records, ''),
            format('($2, %L, 1, %L, quick_s%3$s, quick_g%3$s, quick_t%3$s, quick_t%4$s)',
                   step ->> 'id', step ->> 'kind', n, n + 1));
        results := concat_ws(', ', nullif(results, ''), format('%L, quick_g%s', step ->> 'id', n));
    end loop;
    return format(E'\n#variable_conflict use_column\ndeclare\n%s\nbegin\n%s'
        'insert into svc.step (run, path, attempt, kind, status, output, started_at, ended_at) values\n%s;\n'
        'return %s;\nend\n',
        vars, does, records, case when p_ends then 'null' else format('jsonb_build_object(%s)', results) end);
end
$make$;

-- Makes the function of a definition, unless that is done. A statement that is none inside a function stays svc.walk's.
create or replace function svc.make_quick(p_hash text) returns void language plpgsql
set search_path = pg_catalog, pg_temp as $make$
declare
    d svc.definition;
    steps jsonb;
    k integer := 0;
    made jsonb := jsonb_build_object('version', svc.quick_version());
    name text := 'quick_' || md5(p_hash);
begin
    select * into d from svc.definition where hash = p_hash;
    if d.kind <> 'workflow' or d.quick ->> 'version' = svc.quick_version()::text then
        return;
    end if;
    steps := d.body -> 'steps';
    while k < least(jsonb_array_length(steps), 20) and svc.is_quick(steps -> k) loop
        k := k + 1;
    end loop;
    if k > 0 then
        begin
            execute format('create or replace function svc.%I(jsonb, uuid) returns jsonb language plpgsql as %L', name,
                           svc.quick_body(steps, k, k = jsonb_array_length(steps)));
            execute format('revoke all on function svc.%I from public', name);
            made := made || jsonb_build_object('name', name, 'steps', k, 'ends', k = jsonb_array_length(steps),
                'last', steps -> (k - 1) -> 'id',
                'reads', jsonb_path_query_array(steps, '$[*].*')::text like '%$1%');
        exception when others then
            null;
        end;
    end if;
    update svc.definition set quick = made where hash = p_hash;
end
$make$;

-- Does the first steps of a run, which stands at its beginning. Without an answer svc.walk goes on, at `place`. A
-- statement that has used up its time, or much of it, is followed by another one ("again"), in which svc.walk does
-- them.
create or replace function svc.go_quick(r svc.run, p_quick jsonb, out answer jsonb, out outputs jsonb, out place jsonb)
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
    context jsonb := case when (p_quick ->> 'reads')::boolean then svc.context(r.given, r.actor, r.outputs) end;
begin
    perform set_config('svc.user_id', coalesce(r.actor::text, ''), true), set_config('svc.principals', 'server', true),
        set_config('svc.claims', '{}', true);
    execute format('select svc.%I($1, $2)', p_quick ->> 'name') into outputs using context, r.id;
    if (p_quick ->> 'ends')::boolean then
        answer := svc.succeeded(null);
    else
        place := jsonb_build_object('heard', '{}'::jsonb, 'path', p_quick -> 'last', 'frames', jsonb_build_array(
            svc.frame_of('{steps}', (p_quick ->> 'steps')::integer, '', null, null, 1, 1, null)));
    end if;
exception when query_canceled or others then
    outputs := null;
    if sqlstate = '57014' or clock_timestamp() > statement_timestamp() + interval '1 second' then
        answer := '{"state": "again"}';
        place := '{"frames": []}';
    end if;
end
$$;

revoke all on function svc.quick_version, svc.is_quick, svc.quick_step, svc.quick_body, svc.make_quick,
    svc.go_quick from public;
