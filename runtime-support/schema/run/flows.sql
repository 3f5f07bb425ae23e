-- Functions and workflows as they were compiled, and who calls whom. Run after notices.sql, before runs.sql.
--
-- A definition is a tree of steps whose values are statements over one parameter, the context. A run keeps the one that
-- it began with, so definitions are kept by their hash as long as a run needs them.

create table if not exists svc.definition (
    hash    text primary key,
    kind    text not null check (kind in ('function', 'workflow')),
    name    text not null,
    body    jsonb not null,
    waits   boolean not null default false,  -- it has a waitFor somewhere
    made_at timestamptz not null default now()
);
-- Its function for the first steps (quick.sql): {"version", "name", "steps", "ends", "last", "reads"}; null: not looked
-- at.
alter table svc.definition add column if not exists quick jsonb;
-- When svc.purge_runs found first that nobody needs it. Null: somebody does.
alter table svc.definition add column if not exists idle_since timestamptz;

-- The function of another body is none of this one.
create or replace function svc.forget_quick() returns trigger language plpgsql as $$
begin
    new.quick := null;
    return new;
end
$$;
create or replace trigger forget_quick before update of body on svc.definition
    for each row when (old.body is distinct from new.body) execute function svc.forget_quick();

-- Functions and workflows of the live contract by name. One that left the contract stays while definitions of older
-- runs may still call it, and nothing starts it.
create table if not exists svc.flow (
    kind     text not null check (kind in ('function', 'workflow')),
    name     text not null,
    hash     text not null references svc.definition,
    live     boolean not null default true,
    trigger  jsonb,               -- what starts it
    allow    text[] not null default '{}',
    params   jsonb,               -- null: any object
    on_kind  text,                -- of the trigger, for those that read it for each change
    on_what  text,                -- the table; the topic as a pattern of LIKE; signup or login; a workflow that failed
    on_event text,                -- created, updated, deleted, or the name of the transition
    primary key (kind, name)
);

-- The names by which policies know the accounts of a persona, for steps that run as their actor.
create table if not exists svc.persona (
    id         text primary key,
    principals text not null
);

-- Readers of changes in order, and their cursors. Changes that they have not read are kept (svc.purge_changes).
create table if not exists svc.consumer (
    name     text primary key,
    cursor   text not null,
    wanted   boolean not null default true,  -- false: nothing that is live starts from a change or a message
    moved_at timestamptz not null default now()
);
-- The change or message after the cursor of which a part is done: {"seq", "after": what was started last}; null: none.
alter table svc.consumer add column if not exists part jsonb;
-- The tables whose changes start or send something, and whether any webhook is sent: svc.set_starters. Null: ask there.
alter table svc.consumer add column if not exists tables text[], add column if not exists sends boolean;

-- Times at which a workflow starts by itself. The server computes them.
create table if not exists svc.schedule (
    workflow text primary key,
    spec     jsonb not null,                     -- its trigger
    since    timestamptz not null default now(), -- its first apply, from which `every` counts
    after    timestamptz not null default now(), -- all times up to here are done
    next_at  timestamptz                         -- null: not computed yet
);
create table if not exists svc.tick (
    workflow   text not null,
    planned_at timestamptz not null,
    run        uuid,
    primary key (workflow, planned_at)
);

-- A topic with {parts} as a pattern of LIKE.
create or replace function svc.topic_pattern(p_topic text) returns text language sql immutable
set search_path = pg_catalog, pg_temp
return regexp_replace(regexp_replace(p_topic, '([\\%_])', '\\\1', 'g'), '\{[^}]*\}', '%', 'g');

-- The parts of a topic's name; null where it is not of this pattern. A part has at least one character, and no ':'.
create or replace function svc.topic_parts(p_pattern text, p_topic text) returns jsonb language plpgsql immutable
set search_path = pg_catalog, pg_temp as $$
declare
    names text[] := array(select m[1] from regexp_matches(p_pattern, '\{([^}]*)\}', 'g') m);
    fixed text := regexp_replace(regexp_replace(p_pattern, '\{[^}]*\}', chr(1), 'g'),
                                 '([.\\+*?^$()\[\]{}|])', '\\\1', 'g');
    found_parts text[] := regexp_match(p_topic, '^' || replace(fixed, chr(1), '([^:]+)') || '$');
begin
    if found_parts is null then
        return null;
    elsif names = '{}' then
        return '{}';
    end if;
    return jsonb_object(names, found_parts);
end
$$;

create or replace function svc.add_flow(p jsonb) returns void language plpgsql
set search_path = pg_catalog, pg_temp as $$
declare
    body jsonb := p -> 'definition';
    starts jsonb := nullif(p -> 'trigger', 'null');
    what text := starts ->> 'kind';
begin
    insert into svc.definition as d (hash, kind, name, body, waits)
    values (p ->> 'hash', p ->> 'kind', p ->> 'name', body, jsonb_path_exists(body, '$.**.kind ? (@ == "waitFor")'))
    on conflict (hash) do update set body = excluded.body, waits = excluded.waits
    where (d.body, d.waits) is distinct from (excluded.body, excluded.waits);
    insert into svc.flow as f (kind, name, hash, trigger, allow, params, on_kind, on_what, on_event)
    values (p ->> 'kind', p ->> 'name', p ->> 'hash', starts,
            array(select jsonb_array_elements_text(case when jsonb_typeof(p -> 'allow') = 'array' then p -> 'allow'
                                                   else '[]' end)),
            nullif(p -> 'params', 'null'), what,
            case what when 'event' then starts ->> 'table' when 'transition' then starts ->> 'table'
                when 'topic' then svc.topic_pattern(starts ->> 'pattern') when 'auth' then starts ->> 'event'
                when 'payment' then starts ->> 'event'
                when 'failed' then starts ->> 'workflow' end,
            case what when 'event' then starts ->> 'event' when 'transition' then starts ->> 'transition' end)
    on conflict (kind, name) do update set hash = excluded.hash, live = true, trigger = excluded.trigger,
        allow = excluded.allow, params = excluded.params, on_kind = excluded.on_kind, on_what = excluded.on_what,
        on_event = excluded.on_event
    where (f.hash, f.live, f.trigger, f.allow, f.params)
        is distinct from (excluded.hash, true, excluded.trigger, excluded.allow, excluded.params);
    perform svc.make_quick(p ->> 'hash');
end
$$;

-- A schedule that says something else begins anew; one that stayed as it was goes on.
create or replace function svc.set_schedules() returns void language plpgsql
set search_path = pg_catalog, pg_temp as $$
begin
    delete from svc.schedule s where not exists (
        select from svc.flow f
        where f.kind = 'workflow' and f.name = s.workflow and f.live and f.on_kind in ('cron', 'every'));
    insert into svc.schedule as s (workflow, spec)
    select f.name, f.trigger from svc.flow f where f.kind = 'workflow' and f.live and f.on_kind in ('cron', 'every')
    on conflict (workflow) do update set spec = excluded.spec, next_at = null, after = now(),
        since = case when s.spec - 'catchUp' is distinct from excluded.spec - 'catchUp' then now() else s.since end
    where s.spec is distinct from excluded.spec;
end
$$;

-- What a poll needs to know of each change, kept where it looks anyway.
create or replace function svc.set_starters() returns void language plpgsql
set search_path = pg_catalog, pg_temp as $$
declare
    any_hook boolean := exists (select from svc.hook_out);
    starters text[] := array(select f.on_what from svc.flow f where f.live and f.on_kind in ('event', 'transition')
                             union select e.table_name from svc.hook_event e order by 1);
begin
    update svc.consumer c set sends = any_hook, tables = starters
    where c.name = 'runs' and (c.sends is distinct from any_hook or c.tables is distinct from starters);
end
$$;

-- When changes become wanted, the consumer reads only those from now on.
create or replace function svc.set_wanted(p_wanted boolean) returns void language plpgsql
set search_path = pg_catalog, pg_temp as $$
begin
    insert into svc.consumer (name, cursor, wanted) values ('runs', svc.change_cursor(), p_wanted)
    on conflict (name) do nothing;
    update svc.consumer c set wanted = p_wanted, moved_at = now(),
        cursor = case when c.wanted or exists (select from svc.waiter) then c.cursor else svc.change_cursor() end,
        part = case when c.wanted or exists (select from svc.waiter) then c.part end
    where c.name = 'runs' and c.wanted <> p_wanted;
end
$$;

-- Brings the database to the functions, workflows and webhooks of a contract; run by each apply, in its transaction.
create or replace function svc.set_flows(p jsonb) returns void language plpgsql
set search_path = pg_catalog, pg_temp as $$
begin
    perform svc.add_flow(f) from jsonb_array_elements(coalesce(p -> 'flows', '[]')) f;
    update svc.flow f set live = false
    where f.live and not exists (
        select from jsonb_array_elements(coalesce(p -> 'flows', '[]')) g
        where g ->> 'kind' = f.kind and g ->> 'name' = f.name);
    delete from svc.persona s where not coalesce(p -> 'personas', '{}') ? s.id;
    insert into svc.persona as s (id, principals)
    select key, value from jsonb_each_text(coalesce(p -> 'personas', '{}'))
    on conflict (id) do update set principals = excluded.principals where s.principals <> excluded.principals;
    perform svc.set_schedules();
    perform svc.set_wanted(
        coalesce(jsonb_array_length(p -> 'hooksOut'), 0) > 0
        or exists (select from svc.flow f where f.live and f.on_kind in ('event', 'transition', 'topic')));
    perform svc.set_hooks(p);
    perform svc.set_starters();
    perform svc.set_payments(p);
end
$$;

-- Input that fits the parameters, with their defaults; SV400 of one that does not.
create or replace function svc.fit_input(p_params jsonb, p_input jsonb) returns jsonb language plpgsql
set search_path = pg_catalog, pg_temp as $$
begin
    if to_regprocedure('svc.flow_input(jsonb,jsonb)') is not null then
        return svc.flow_input(p_params, coalesce(p_input, '{}'));
    end if;
    return coalesce(p_input, '{}');
end
$$;

revoke all on function svc.forget_quick, svc.topic_pattern, svc.topic_parts, svc.add_flow, svc.set_schedules,
    svc.set_starters, svc.set_wanted, svc.set_flows, svc.fit_input from public;
