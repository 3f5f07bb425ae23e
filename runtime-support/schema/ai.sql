-- Calls of models: what each used, and budgets of tokens a day. Run after notices.sql; every statement may run again.

-- Calls of a provider, without their texts. A running call has reserved tokens of its budgets until it ends, or until
-- its lease ends if its server was killed.
create table if not exists svc.ai_call (
    id                uuid primary key default svc.new_id(),
    day               date not null,              -- of the app's timezone, when it began
    account_id        uuid references svc.account on delete set null,  -- null: a guest, a server, a workflow
    source            text not null,              -- route, workflow
    kind              text not null,              -- chat, embed
    model             text not null,
    status            text not null default 'running',  -- done, failed, left (by its caller), lost (with its server)
    prompt_tokens     bigint not null,            -- estimated while it runs
    completion_tokens bigint not null default 0,
    reserved          bigint not null,            -- tokens; 0 once it has ended
    estimated         boolean not null default true,    -- the provider did not tell what was used
    error             text not null default '',   -- a code
    ms                integer,
    created_at        timestamptz not null default now(),
    until             timestamptz not null        -- its server says within this time that it goes on
);
create index if not exists ai_call_day on svc.ai_call (day);
create index if not exists ai_call_running on svc.ai_call (until) where status = 'running';
create index if not exists ai_call_account on svc.ai_call (account_id);

-- Tokens of a day, by account; of everybody together where there is none.
create table if not exists svc.ai_day (
    day      date not null,
    who      text not null,  -- an account's id, or 'project'
    spent    bigint not null default 0,
    reserved bigint not null default 0,
    primary key (day, who)
);

create or replace function svc.ai_lease() returns interval language sql immutable parallel safe
return interval '5 minutes';

-- Begins a call and reserves what it may use: its prompt, as it is estimated, and an answer of at most p_answer tokens,
-- fewer where the budgets have fewer left. No row: they have not enough for the prompt and an answer of one token (for
-- the prompt, where p_answer is 0). Budgets that are null do not count. Whoever reserves holds the rows of the day, the
-- project's first, until the end of this transaction. Nobody waits for the disk: if PostgreSQL is killed it may forget
-- a call that has just begun, which svc.ai_settle then records.
create or replace function svc.ai_reserve(p_account uuid, p_source text, p_kind text, p_model text, p_prompt bigint,
    p_answer bigint, p_user_budget bigint, p_project_budget bigint, p_zone text)
returns table (id uuid, answer bigint) language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
    today date := (now() at time zone p_zone)::date;
    free bigint;
    granted bigint := p_answer;
    wanted bigint;
    who_all text[] := array['project'] || case when p_account is not null then array[p_account::text] else '{}' end;
    one text;
begin
    perform set_config('synchronous_commit', 'off', true);
    foreach one in array who_all loop
        insert into svc.ai_day (day, who) values (today, one) on conflict do nothing;
        select case when one = 'project' then p_project_budget else p_user_budget end - d.spent - d.reserved into free
        from svc.ai_day d where d.day = today and d.who = one for update;
        if free is not null then
            if free <= 0 or free < p_prompt + least(p_answer, 1) then
                return;
            end if;
            granted := least(granted, free - p_prompt);
        end if;
    end loop;
    wanted := p_prompt + granted;
    update svc.ai_day d set reserved = d.reserved + wanted where d.day = today and d.who = any (who_all);
    return query
        insert into svc.ai_call as c (day, account_id, source, kind, model, prompt_tokens, reserved, until)
        values (today, p_account, p_source, p_kind, p_model, p_prompt, wanted, now() + svc.ai_lease())
        returning c.id, granted;
end
$$;

-- The server that makes the call is alive.
create or replace function svc.ai_keep(p_id uuid) returns void language sql security definer
set search_path = pg_catalog, pg_temp as $$
    update svc.ai_call set until = now() + svc.ai_lease() where id = p_id and status = 'running';
$$;

-- Ends a call, once: what it used is spent, on the day on which it began, and what it had reserved is free again. The
-- last five say what it was, for a call that the database has forgotten: then it is recorded as one of today.
drop function if exists svc.ai_settle(uuid, text, bigint, bigint, boolean, text, integer);
create or replace function svc.ai_settle(p_id uuid, p_status text, p_prompt bigint, p_completion bigint,
    p_estimated boolean, p_error text, p_ms integer, p_account uuid default null, p_source text default null,
    p_kind text default null, p_model text default null, p_zone text default null)
returns boolean language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
    ended svc.ai_call;
begin
    if p_source is not null and not exists (select from svc.ai_call where id = p_id) then
        insert into svc.ai_call (id, day, account_id, source, kind, model, prompt_tokens, reserved, until)
        values (p_id, (now() at time zone p_zone)::date, (select a.id from svc.account a where a.id = p_account),
            p_source, p_kind, p_model, p_prompt, 0, now());
        insert into svc.ai_day (day, who)
        select (now() at time zone p_zone)::date, w.who from (values ('project'), (p_account::text)) w (who)
        where w.who is not null on conflict do nothing;
    end if;
    select * into ended from svc.ai_call where id = p_id and status = 'running' for update;
    if not found then
        return false;
    end if;
    perform from svc.ai_day where day = ended.day and who = 'project' for update;  -- in the order of svc.ai_reserve
    update svc.ai_day d set reserved = greatest(d.reserved - ended.reserved, 0),
        spent = d.spent + p_prompt + p_completion
    where d.day = ended.day and d.who in ('project', ended.account_id::text);
    update svc.ai_call set status = p_status, prompt_tokens = p_prompt, completion_tokens = p_completion, reserved = 0,
        estimated = p_estimated, error = p_error, ms = p_ms
    where id = p_id;
    return true;
end
$$;

-- Ends calls whose servers are gone, which cost their prompts; forgets calls after ninety days.
create or replace function svc.purge_ai() returns void language plpgsql security definer
set search_path = pg_catalog, pg_temp as $$
declare
    lost svc.ai_call;
begin
    for lost in select * from svc.ai_call where status = 'running' and until < now()
        for update skip locked loop
        perform svc.ai_settle(lost.id, 'lost', lost.prompt_tokens, 0, true, 'SERVER_LOST', null);
    end loop;
    delete from svc.ai_call where day < current_date - 90 and status <> 'running';
    delete from svc.ai_day where day < current_date - 90;
end
$$;

-- The usage of each of the last days with a call, newest first, as JSON.
create or replace function svc.ai_usage(p_days integer) returns text language sql stable
set search_path = pg_catalog, pg_temp as $$
    with zone as (
        select (now() at time zone
                coalesce((select contract::jsonb #>> '{app,timezone}' from svc.contract), 'UTC'))::date
               - p_days as since),
    calls as (
        select day, kind, model, count(*) as calls, count(*) filter (where status in ('failed', 'lost')) as failed,
               sum(prompt_tokens) as prompt, sum(completion_tokens) as completion, bool_or(estimated) as estimated
        from svc.ai_call, zone where day > since and status <> 'running'
        group by day, kind, model),
    days as (
        select d.day, d.spent, d.reserved from svc.ai_day d, zone where d.who = 'project' and d.day > since)
    select coalesce(json_agg(json_build_object('day', d.day, 'spent', d.spent, 'reserved', d.reserved,
        'models', (select coalesce(json_agg(json_build_object('kind', c.kind, 'model', c.model, 'calls', c.calls,
                'failed', c.failed, 'promptTokens', c.prompt, 'completionTokens', c.completion,
                'estimated', c.estimated)
                order by c.kind, c.model), '[]') from calls c where c.day = d.day),
        'users', (select coalesce(json_agg(json_build_object('userId', u.who, 'spent', u.spent)
                                           order by u.spent desc, u.who),
                '[]') from (select who, spent from svc.ai_day a where a.day = d.day and a.who <> 'project'
                            order by spent desc, who limit 20) u))
        order by d.day desc), '[]')::text
    from days d;
$$;

revoke all on function svc.ai_lease, svc.ai_reserve, svc.ai_keep, svc.ai_settle, svc.purge_ai, svc.ai_usage from public;
grant execute on function svc.ai_reserve, svc.ai_keep, svc.ai_settle, svc.purge_ai to :system_role;
