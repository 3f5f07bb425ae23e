-- Webhooks: calls that others make (in), and calls to others when rows change (out). Run after history.sql; every
-- statement may run again.

-- The webhooks of the contract, as of the last apply (svc.set_hooks).
create table if not exists svc.hook_in (
    name      text primary key,
    scheme    text not null default 'svc',  -- svc, standard, github, stripe, slack, shopify, none
    secret    text not null default '',     -- name of the project's secret; empty: svc.hook_secret has one
    dedupe    text not null default '',     -- path in the body; empty: as the scheme names an event
    workflows text[] not null default '{}'  -- that a call starts
);
-- The last call without an id, to the second: those with one are rows of svc.hook_seen.
alter table svc.hook_in add column if not exists last_at timestamptz;
-- The server itself takes its calls: they start no run (payments.sql).
alter table svc.hook_in add column if not exists built_in boolean not null default false;
create table if not exists svc.hook_out (
    name   text primary key,
    url    text not null,
    secret text not null                    -- name of the project's secret
);
create table if not exists svc.hook_event (
    hook       text not null,
    table_name text not null,
    event      text not null,               -- created, updated, deleted, transition.<name>
    primary key (table_name, event, hook)
);

-- Secrets of incoming webhooks whose contract names none, sealed as the project's own are. Two hold for a day after
-- one was replaced.
create table if not exists svc.hook_secret (
    hook    text not null,
    sealed  text not null,
    made_at timestamptz not null default now(),
    until   timestamptz                     -- null: the present one
);
create unique index if not exists hook_secret_present on svc.hook_secret (hook) where until is null;

-- Another secret for an incoming webhook. The one before it stays valid for a day.
create or replace function svc.replace_hook_secret(p_hook text, p_sealed text) returns void language plpgsql
security definer set search_path = pg_catalog, pg_temp as $$
begin
    perform from svc.hook_in where name = p_hook for update;  -- one replacement at a time
    delete from svc.hook_secret where hook = p_hook and until is not null;
    update svc.hook_secret set until = now() + interval '24 hours' where hook = p_hook and until is null;
    insert into svc.hook_secret (hook, sealed) values (p_hook, p_sealed);
end
$$;
revoke all on function svc.replace_hook_secret from public;
grant execute on function svc.replace_hook_secret to :system_role;

-- The value that a secret of the project had before, for a day.
create table if not exists svc.secret_before (
    name   text primary key,
    sealed text not null,
    until  timestamptz not null
);
create or replace function svc.keep_secret_before() returns trigger language plpgsql security definer
set search_path = pg_catalog, pg_temp as $$
begin
    if tg_op = 'DELETE' then
        delete from svc.secret_before where name = old.name;
    else
        insert into svc.secret_before (name, sealed, until) values (old.name, old.sealed, now() + interval '24 hours')
        on conflict (name) do update set sealed = excluded.sealed, until = excluded.until;
    end if;
    return null;
end
$$;
create or replace trigger keep_before after update of sealed on svc.secret for each row
    when (old.sealed is distinct from new.sealed) execute function svc.keep_secret_before();
create or replace trigger forget_before after delete on svc.secret for each row
    execute function svc.keep_secret_before();

-- Events that came in, so that one that comes again does nothing. Kept for seven days.
create table if not exists svc.hook_seen (
    hook     text not null,
    event_id text not null,
    answer   uuid not null,                 -- the id that its first call was answered
    at       timestamptz not null default now(),
    primary key (hook, event_id)
);
create index if not exists hook_seen_at on svc.hook_seen (at);

-- A call that was verified: starts the runs, once for each event. Without an id of the event every call counts.
-- Gives the id of the (first) run, which a repeated call is told again; null: there is no such webhook.
create or replace function svc.take_hook(p_name text, p_event text, p_input jsonb) returns uuid
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
    hook svc.hook_in;
    workflow text;
    run uuid;
    first uuid;
begin
    select h.* into hook from svc.hook_in h where h.name = p_name;
    if not found then
        return null;
    end if;
    if p_event is not null then
        -- A concurrent call with the same event waits here.
        insert into svc.hook_seen (hook, event_id, answer) values (p_name, p_event, svc.new_id())
        on conflict do nothing;
        if not found then
            return (select s.answer from svc.hook_seen s where s.hook = p_name and s.event_id = p_event);
        end if;
    elsif hook.last_at is null or hook.last_at < now() - interval '1 second' then
        -- Calls at the same time do not wait for each other.
        update svc.hook_in h set last_at = now() where h.name = (
            select o.name from svc.hook_in o where o.name = p_name for update skip locked);
    end if;
    foreach workflow in array hook.workflows loop
        run := svc.open_run(workflow, jsonb_build_object('kind', 'webhook', 'name', p_name, 'event', p_event),
            jsonb_build_object('input', svc.filled_input(workflow, p_input)));
        first := coalesce(first, run);
    end loop;
    if p_event is not null then
        update svc.hook_seen s set answer = coalesce(first, s.answer) where s.hook = p_name and s.event_id = p_event
            returning s.answer into first;
    end if;
    return coalesce(first, svc.new_id());
end
$$;

-- The state of the address of an outgoing webhook.
create table if not exists svc.hook_out_state (
    hook          text primary key,
    failing_since timestamptz,              -- the first failure after which nothing went well
    off_at        timestamptz               -- it failed for five days: nothing is sent until somebody wants it
);

-- Calls that are to be made. Written with the runs that the same change starts.
create table if not exists svc.delivery (
    id          uuid primary key default svc.new_id(),  -- the receiver's too, the same for each attempt
    hook        text not null,
    event       text not null,              -- order.created, order.transition.ship
    table_name  text not null,
    row_id      uuid not null,
    row         json,                       -- as it was written, all columns; what is sent is less
    at          timestamptz not null,       -- when it was written
    seq         bigint not null,            -- of the change
    status      text not null default 'waiting',  -- waiting, sending, sent, dead, held (since a restore)
    attempts    integer not null default 0,
    next_at     timestamptz not null default now(),  -- of the next attempt; while sending, when to give it up
    last_status integer,                    -- of the last answer; null: there was none
    error       text not null default '',   -- of the last attempt, in words
    created_at  timestamptz not null default now(),
    ended_at    timestamptz,
    unique (hook, seq, event)
);
create index if not exists delivery_due on svc.delivery (hook, next_at) where status in ('waiting', 'sending');
-- Beside the first index: very many may wait for their next attempt, and few are on their way.
create index if not exists delivery_sending on svc.delivery (hook) where status = 'sending';
create index if not exists delivery_held on svc.delivery (id) where status = 'held';
create index if not exists delivery_ended on svc.delivery (ended_at) where ended_at is not null;

-- For one change, in the transaction that starts its runs. How many calls are to be made.
create or replace function svc.queue_deliveries(p_table text, p_event text, p_transition text, p_row_id uuid,
                                                p_row json, p_at timestamptz, p_seq bigint) returns integer
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
    made integer;
begin
    insert into svc.delivery (hook, event, table_name, row_id, row, at, seq, status, ended_at, error)
    select e.hook, p_table || '.' || e.event, p_table, p_row_id, p_row, p_at, p_seq,
           case when s.off_at is null then 'waiting' else 'dead' end, case when s.off_at is not null then now() end,
           case when s.off_at is null then '' else 'The webhook is off.' end
    from svc.hook_event e join svc.hook_out_state s on s.hook = e.hook
    where e.table_name = p_table and (e.event = p_event or e.event = 'transition.' || p_transition)
    on conflict (hook, seq, event) do nothing;
    get diagnostics made = row_count;
    return made;
end
$$;

-- Deliveries of webhooks that are off end. A part at a time, because very many may wait by then. Also one that was on
-- its way when its server was killed.
create or replace function svc.end_of_off() returns void language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
    update svc.delivery d set status = 'dead', ended_at = now(), error = 'The webhook is off.'
    where d.id in (select w.id from svc.hook_out_state s join svc.delivery w on w.hook = s.hook
                   where s.off_at is not null and w.status in ('waiting', 'sending')
                       and (w.status = 'waiting' or w.next_at <= now())
                   limit 5000 for update of w skip locked);
end
$$;

-- Takes on what is due, at most ten in flight for each webhook, whichever server sends them. A server that was killed
-- keeps nobody waiting longer than a minute. With each comes the address and the name of its secret.
create or replace function svc.claim_deliveries(p_limit integer)
returns table (id uuid, hook text, event text, table_name text, row_id uuid, held text, at text, attempt integer,
               url text, secret text)
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_column
declare
    one record;
    free integer;
    remaining integer := p_limit;
    taken integer;
begin
    perform svc.end_of_off();
    for one in
        select o.name, o.url, o.secret from svc.hook_out o join svc.hook_out_state s on s.hook = o.name
        where s.off_at is null and exists (
            select from svc.delivery d
            where d.hook = o.name and d.status in ('waiting', 'sending') and d.next_at <= now())
        order by random() for update of s skip locked
    loop
        select 10 - count(*) into free from svc.delivery d
        where d.hook = one.name and d.status = 'sending' and d.next_at > now();
        return query
        update svc.delivery d set status = 'sending', attempts = d.attempts + 1, next_at = now() + interval '1 minute'
        where d.id in (select w.id from svc.delivery w
                       where w.hook = one.name and w.status in ('waiting', 'sending') and w.next_at <= now()
                       order by w.next_at limit greatest(least(free, remaining), 0) for update skip locked)
        returning d.id, d.hook, d.event, d.table_name, d.row_id,
                  svc.change_by_new_names(d.table_name, d.seq, d.row)::text, svc.iso_time(d.at), d.attempts, one.url,
                  one.secret;
        get diagnostics taken = row_count;
        remaining := remaining - taken;
        exit when remaining <= 0;
    end loop;
end
$$;

-- The pause before each further attempt; null: there is none.
create or replace function svc.delivery_pause(p_attempts integer) returns interval language sql immutable
return (array['5 seconds', '5 minutes', '30 minutes', '2 hours', '5 hours', '10 hours', '14 hours', '20 hours',
              '24 hours']::interval[])[p_attempts];

-- The webhook failed for five days. Its waiting deliveries end (svc.end_of_off), and administrators are notified.
create or replace function svc.turn_hook_off(p_hook text) returns void language plpgsql security definer
set search_path = pg_catalog, pg_temp as $$
begin
    update svc.hook_out_state set off_at = now() where hook = p_hook;
    perform svc.end_of_off();
    perform svc.notify(
        array(select a.id from svc.account a where a.is_admin and not a.disabled), '{}',
        'The webhook "' || p_hook || '" is off',
        'Its address has taken no call for five days. Events of now on are kept and not sent. A delivery that is sent '
            || 'again by hand turns it on, and so does an apply with another address.', null);
end
$$;

-- Does another delivery of the webhook, which has failed, wait for its next attempt or have it now?
create or replace function svc.hook_still_fails(p_hook text, p_beside uuid) returns boolean language sql stable
set search_path = pg_catalog, pg_temp
return exists (select from svc.delivery d
               where d.hook = p_hook and d.id <> p_beside
                   and (d.status = 'waiting' and d.attempts > 0 or d.status = 'sending' and d.attempts > 1));

-- The result of an attempt: sent, waiting (for the next), dead, off (dead, and so is the webhook), or lost: it was
-- given up before, and another attempt has the delivery. p_status: of the answer; null: there was none. p_pause:
-- seconds that the receiver wants us to wait.
create or replace function svc.end_delivery(p_id uuid, p_attempt integer, p_status integer, p_error text,
                                            p_pause integer)
returns text language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
    tried svc.delivery;
    pause interval;
    since timestamptz;
begin
    select d.* into tried from svc.delivery d
    where d.id = p_id and d.attempts = p_attempt and d.status = 'sending' for update;
    if not found then
        return 'lost';
    end if;
    if p_status between 200 and 299 then
        update svc.delivery set status = 'sent', ended_at = now(), last_status = p_status, error = '' where id = p_id;
        update svc.hook_out_state set failing_since = null where hook = tried.hook and failing_since is not null;
        return 'sent';
    end if;
    -- Another attempt may have turned the webhook off meanwhile, and nothing would send this one again.
    pause := case when p_status is distinct from 410 and not exists (
        select from svc.hook_out_state s where s.hook = tried.hook and s.off_at is not null)
        then svc.delivery_pause(p_attempt) end;
    update svc.delivery set
        status = case when pause is null then 'dead' else 'waiting' end,
        ended_at = case when pause is null then now() end,
        next_at = now() + coalesce(greatest(pause * (1 + random() * 0.1), make_interval(secs => least(p_pause, 86400))),
                                   '0'),
        last_status = p_status, error = p_error
    where id = p_id;
    update svc.hook_out_state set failing_since = now() where hook = tried.hook and failing_since is null;
    select s.failing_since into since from svc.hook_out_state s where s.hook = tried.hook and s.off_at is null;
    if since <= now() - interval '5 days' then
        -- All that failed may have ended long ago, and nothing was sent since. That was another failure.
        if p_attempt > 1 or svc.hook_still_fails(tried.hook, p_id) then
            perform svc.turn_hook_off(tried.hook);
            return 'off';
        end if;
        update svc.hook_out_state set failing_since = now() where hook = tried.hook;
    end if;
    return case when pause is null then 'dead' else 'waiting' end;
end
$$;

-- Sends it now, as the same delivery and with all its attempts before it, and turns its webhook on. One that is on its
-- way stays as it is. False: there is none, or the contract has no such webhook any more.
create or replace function svc.redeliver(p_id uuid) returns boolean language plpgsql security definer
set search_path = pg_catalog, pg_temp as $$
declare
    of_hook text;
begin
    select d.hook into of_hook from svc.delivery d join svc.hook_out o on o.name = d.hook where d.id = p_id;
    if not found then
        return false;
    end if;
    update svc.delivery set status = 'waiting', attempts = 0, next_at = now(), ended_at = null
    where id = p_id and status <> 'sending';
    update svc.hook_out_state set off_at = null, failing_since = null
    where hook = of_hook and (off_at is not null or failing_since is not null);
    return true;
end
$$;

-- The webhooks of the contract, at an apply: {"hooksIn": […], "hooksOut": […], "flows": […]}.
create or replace function svc.set_hooks(p jsonb) returns void language plpgsql
set search_path = pg_catalog, pg_temp as $$
declare
    given_in jsonb := coalesce(nullif(p -> 'hooksIn', 'null'), '[]');
    given_out jsonb := coalesce(nullif(p -> 'hooksOut', 'null'), '[]');
    flows jsonb := coalesce(nullif(p -> 'flows', 'null'), '[]');
begin
    delete from svc.hook_in h where h.name not in (select g.value ->> 'name' from jsonb_array_elements(given_in) g);
    insert into svc.hook_in (name, scheme, secret, dedupe, workflows)
    select g.value ->> 'name', coalesce(nullif(g.value ->> 'scheme', ''), 'svc'), coalesce(g.value ->> 'secret', ''),
           coalesce(g.value ->> 'dedupe', ''),
           array(select g.value ->> 'workflow' where g.value ->> 'workflow' <> ''
                 union
                 select f.value ->> 'name' from jsonb_array_elements(flows) f
                 where f.value #>> '{trigger,kind}' = 'webhook' and f.value #>> '{trigger,name}' = g.value ->> 'name'
                 order by 1)
    from jsonb_array_elements(given_in) g
    on conflict (name) do update set scheme = excluded.scheme, secret = excluded.secret, dedupe = excluded.dedupe,
        workflows = excluded.workflows, built_in = false;

    delete from svc.hook_out_state s
    where s.hook not in (select g.value ->> 'name' from jsonb_array_elements(given_out) g)
        -- Another address is tried anew.
        or exists (select from svc.hook_out o join jsonb_array_elements(given_out) g on g.value ->> 'name' = o.name
                   where o.name = s.hook and o.url <> g.value ->> 'url');
    delete from svc.hook_out o where o.name not in (select g.value ->> 'name' from jsonb_array_elements(given_out) g);
    insert into svc.hook_out (name, url, secret)
    select g.value ->> 'name', g.value ->> 'url', g.value ->> 'secret' from jsonb_array_elements(given_out) g
    on conflict (name) do update set url = excluded.url, secret = excluded.secret;
    insert into svc.hook_out_state (hook) select o.name from svc.hook_out o on conflict do nothing;
    delete from svc.hook_event;
    insert into svc.hook_event (hook, table_name, event)
    select g.value ->> 'name', e.value ->> 'table',
        coalesce(e.value ->> 'event', 'transition.' || (e.value ->> 'transition'))
    from jsonb_array_elements(given_out) g, jsonb_array_elements(g.value -> 'on') e
    on conflict do nothing;
    update svc.delivery d set status = 'dead', ended_at = now(), error = 'The contract has no such webhook any more.'
    where d.status in ('waiting', 'sending', 'held') and d.hook not in (select o.name from svc.hook_out o);
end
$$;

-- Events after seven days, deliveries thirty days after they ended, secrets that hold no more. A part of the first two
-- at a time. How many.
select svc.drop_unless('svc.purge_hooks()', 'bigint');
create or replace function svc.purge_hooks() returns bigint language plpgsql security definer
set search_path = pg_catalog, pg_temp as $$
declare
    events bigint;
    deliveries bigint;
begin
    delete from svc.hook_seen where ctid = any (array(
        select s.ctid from svc.hook_seen s where s.at < now() - interval '7 days' limit 10000 for update skip locked));
    get diagnostics events = row_count;
    delete from svc.delivery where ctid = any (array(
        select d.ctid from svc.delivery d
        where d.ended_at < now() - interval '30 days' limit 10000 for update skip locked));
    get diagnostics deliveries = row_count;
    delete from svc.hook_secret where until < now();
    delete from svc.secret_before where until < now();
    return events + deliveries;
end
$$;

revoke all on function svc.keep_secret_before, svc.take_hook, svc.queue_deliveries, svc.end_of_off,
    svc.claim_deliveries, svc.delivery_pause, svc.turn_hook_off, svc.hook_still_fails, svc.end_delivery,
    svc.redeliver, svc.set_hooks, svc.purge_hooks from public;
grant execute on function svc.take_hook, svc.claim_deliveries, svc.end_delivery, svc.redeliver, svc.purge_hooks
    to :system_role;
grant select on svc.hook_in, svc.hook_out, svc.hook_out_state, svc.delivery, svc.secret_before to :system_role;
grant select, insert, update, delete on svc.hook_secret to :system_role;
