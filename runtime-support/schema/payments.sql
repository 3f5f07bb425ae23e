-- Payments of orders: the ledger, what an order costs, and how an entry ends. Run after serve.sql; every statement may
-- run again. docs/design/payments.md says why it is as it is.

-- The payments of the contract, as of the last apply (svc.set_payments). One row, or none.
create table if not exists svc.payments (
    only_one      boolean primary key default true check (only_one),
    app           text not null,
    currency      text not null,           -- lower-case code
    order_table   text not null,
    lines_table   text not null,
    link          text not null,           -- columns of the lines
    quantity      text not null,
    item          text not null,
    catalogue     text not null,
    price         text not null,           -- column of the catalogue
    factor        numeric not null,        -- smallest units of the currency in one unit of the price
    step          bigint not null,         -- a card is charged whole multiples of this many smallest units
    charge_factor numeric not null,        -- units that the card provider counts in one smallest unit
    offline       boolean not null,
    card          boolean not null,
    settle        text[] not null,         -- principals that may say that an order was paid offline
    price_readers text[],                  -- principals that may read the price; null: whoever reads the row
    lines_follow  boolean not null         -- who may read an order may read its lines
);

-- The ledger: an entry a checkout. What was frozen with it never changes; its status moves on, and each move is an
-- event of its history. It outlives its order.
create table if not exists svc.payment (
    id         uuid primary key default svc.new_id(),
    seq        bigint generated always as identity unique,  -- which of an order's entries is the latest
    table_name text not null,
    order_id   uuid not null,
    method     text not null check (method in ('offline', 'card')),
    provider   text,                       -- stripe; null: offline
    status     text not null check (status in ('due', 'processing', 'paid', 'failed')),
    amount     bigint not null check (amount >= 0),  -- in the currency's smallest unit
    currency   text not null,
    lines      jsonb not null,             -- [{id, item, quantity, price, amount}], as they were
    charge     bigint,                     -- the amount as the card provider counts it
    reference  text,                       -- what the provider's session names us by
    return_url text,
    note       text,                       -- why a card payment was recorded as offline, or failed
    actor      uuid,                       -- account that checked out; no reference: the entry outlives it
    settled_by text,                       -- account, or principals, that said it was paid offline
    session    text,                       -- the provider's; null: none was opened yet
    url        text,                       -- where the customer pays
    session_end timestamptz,               -- when an unpaid session expires
    polls      integer not null default 0,
    poll_at    timestamptz,                -- when the provider is asked next; null: it is not
    created_at timestamptz not null default now(),
    ended_at   timestamptz                 -- paid or failed
);
create index if not exists payment_order on svc.payment (order_id, seq);
-- Whatever happens at the same time: one card payment of an order is under way, and an order is paid once.
create unique index if not exists payment_processing on svc.payment (order_id) where status = 'processing';
create unique index if not exists payment_paid on svc.payment (order_id) where status = 'paid';
create unique index if not exists payment_session on svc.payment (session);
create index if not exists payment_poll on svc.payment (poll_at) where status = 'processing';

create table if not exists svc.payment_event (
    seq        bigint generated always as identity primary key,
    payment_id uuid not null references svc.payment,
    at         timestamptz not null default now(),
    status     text not null,              -- the entry's from then on
    what       text not null,              -- checkout, session, fallback, confirm, webhook, poll, settle, operator
    actor      uuid,
    detail     text
);
create index if not exists payment_event_payment on svc.payment_event (payment_id, seq);

-- Writers that see the database as it was when they began cannot see a checkout of since then; they meet it in this
-- row.
create table if not exists svc.payment_mark (
    order_id uuid primary key,
    marks    bigint not null default 1
);

create or replace function svc.keep_payment() returns trigger language plpgsql
set search_path = pg_catalog, pg_temp as $$
begin
    if tg_op = 'UPDATE' and tg_table_name = 'payment' then
        if (new.id, new.seq, new.table_name, new.order_id, new.amount, new.currency, new.lines, new.charge,
            new.reference, new.created_at)
                is not distinct from
            (old.id, old.seq, old.table_name, old.order_id, old.amount, old.currency, old.lines, old.charge,
            old.reference, old.created_at)
                and (new.status = old.status or old.status = 'processing'
                     or old.status = 'due' and new.status = 'paid') then
            return new;
        end if;
    end if;
    raise exception 'The ledger of payments can only be added to, not changed or deleted.' using errcode = '42501';
end
$$;
create or replace trigger keep_payment before update or delete on svc.payment
    for each row execute function svc.keep_payment();
create or replace trigger keep_payments before truncate on svc.payment
    for each statement execute function svc.keep_payment();
create or replace trigger keep_payment before update or delete or truncate on svc.payment_event
    for each statement execute function svc.keep_payment();

-- In plpgsql, which keeps the plan: PostgreSQL would plan a function in SQL at each call, and checkouts wait for that.
create or replace function svc.note_payment(p_payment uuid, p_what text, p_detail text) returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
    insert into svc.payment_event (payment_id, status, what, actor, detail)
    select p.id, p.status, p_what, svc.user_id(), p_detail from svc.payment p where p.id = p_payment;
end
$$;

-- True where the caller may read this row: asked with the caller's own rights, by a policy.
create or replace function svc.may_read_order(p_table text, p_id uuid) returns boolean language plpgsql stable
set search_path = pg_catalog, pg_temp as $$
declare
    seen boolean;
begin
    if to_regclass(format('public.%I', p_table)) is null then
        return false;
    end if;
    execute format('select exists (select from public.%I where id = $1)', p_table) into seen using p_id;
    return seen;
exception when insufficient_privilege then
    return false;
end
$$;
alter table svc.payment enable row level security;
alter table svc.payment_event enable row level security;
drop policy if exists payment_read on svc.payment;
create policy payment_read on svc.payment for select to :data_role
    using (svc.may_read_order(svc.present_name(table_name, created_at), order_id));
drop policy if exists payment_system on svc.payment;
create policy payment_system on svc.payment for select to :system_role using (true);
drop policy if exists payment_event_system on svc.payment_event;
create policy payment_event_system on svc.payment_event for select to :system_role using (true);

-- The same from a function of the owner's.
create or replace function svc.caller_sees(p_table text, p_id uuid) returns boolean language plpgsql
set search_path = pg_catalog, pg_temp as $$
begin
    return coalesce(svc_as.exec(
        format('select to_jsonb(exists (select from public.%I where id = ($1 ->> ''id'')::uuid))', p_table),
        jsonb_build_object('id', p_id))::boolean, false);
exception when insufficient_privilege then
    return false;
end
$$;

-- The same of many rows at once, in one statement: those of these ids that the caller may read, as members.
create or replace function svc.caller_sees_of(p_table text, p_ids jsonb) returns jsonb language plpgsql
set search_path = pg_catalog, pg_temp as $$
begin
    return coalesce(svc_as.exec(
        format('select jsonb_object_agg(r.id, true) from public.%I r'
               ' where r.id in (select i::uuid from jsonb_array_elements_text($1) i)', p_table),
        p_ids), '{}');
exception when insufficient_privilege then
    return '{}';
end
$$;

-- The contract's payments where `p_table` is its order; raises SVNAO where it is not, SVNOR where the caller may not
-- read the order or there is none.
create or replace function svc.payable(p_table text, p_id uuid) returns svc.payments language plpgsql
set search_path = pg_catalog, pg_temp as $$
declare
    c svc.payments;
begin
    select * into c from svc.payments where order_table = p_table;
    if not found then
        raise exception 'Orders of this app are not in this table.' using errcode = 'SVNAO';
    elsif not svc.caller_sees(p_table, p_id) then
        raise exception 'There is no such order.' using errcode = 'SVNOR';
    end if;
    return c;
end
$$;

-- Keeps the lines of an order as they are until the transaction ends: who writes one waits (plan/service/payments.cpp).
create or replace function svc.hold_order(p_table text, p_id uuid) returns void language plpgsql
set search_path = pg_catalog, pg_temp as $$
declare
    there boolean;
begin
    execute format('select true from public.%I where id = $1 for update', p_table) into there using p_id;
    if there is null then
        raise exception 'There is no such order.' using errcode = 'SVNOR';
    end if;
    insert into svc.payment_mark as m (order_id) values (p_id)
    on conflict (order_id) do update set marks = m.marks + 1;
end
$$;

-- Fails if the order was checked out after the snapshot of the caller's transaction, which writes lines of it.
create or replace function svc.meet_checkout(p_order uuid) returns void language plpgsql
set search_path = pg_catalog, pg_temp as $$
begin
    if current_setting('transaction_isolation') <> 'read committed' and p_order is not null then
        insert into svc.payment_mark (order_id) values (p_order) on conflict do nothing;
        perform from svc.payment_mark m where m.order_id = p_order for share;
    end if;
end
$$;

-- The order's lines as they are, with what each costs in the currency's smallest unit, half up; and their sum. More
-- lines than an order of people has would keep everybody else waiting: all of them are read, and stored in an entry.
create or replace function svc.order_total(c svc.payments, p_order uuid, out lines jsonb, out amount numeric)
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
    most constant bigint := 10000;
    wrong bigint;
    many bigint;
begin
    execute format(
        'select coalesce(jsonb_agg(jsonb_build_object(''id'', l.id, ''item'', l.%2$I, ''quantity'', l.%3$I,'
        ' ''price'', k.%5$I, ''amount'', floor(l.%3$I::numeric * k.%5$I::numeric * $2 + 0.5))'
        ' order by l.created_at, l.id), ''[]''),'
        ' coalesce(sum(floor(l.%3$I::numeric * k.%5$I::numeric * $2 + 0.5)), 0),'
        ' count(*) filter (where (l.%3$I::numeric >= 0'
        ' and abs(l.%3$I::numeric * k.%5$I::numeric * $2) < 1e15) is not true), count(*)'
        ' from (select * from public.%1$I where %6$I = $1 order by created_at, id limit $3 + 1) l'
        ' left join public.%4$I k on k.id = l.%2$I',
        c.lines_table, c.item, c.quantity, c.catalogue, c.price, c.link)
    into lines, amount, wrong, many using p_order, c.factor, most;
    if many > most then
        raise exception 'The order has more than % lines. Divide it into several orders.', most using errcode = 'SVLIN';
    elsif wrong > 0 then
        raise exception 'A line of the order has no price, or no quantity that could be paid for.'
            using errcode = 'SVLIN';
    elsif amount < 0 then
        raise exception 'The sum of the order is below zero.' using errcode = 'SVLIN';
    elsif amount > 9007199254740991 then
        raise exception 'The sum of the order is larger than a payment can be.' using errcode = 'SVLIN';
    end if;
exception when undefined_column or undefined_table or undefined_function or datatype_mismatch then
    raise exception 'What the contract says of payments does not fit its tables: %', sqlerrm using errcode = 'SVBAD';
end
$$;

-- The ordered items without their prices: {line id: [item, quantity]}.
create or replace function svc.basket(p_lines jsonb) returns jsonb language sql immutable
set search_path = pg_catalog, pg_temp as $$
    select coalesce(jsonb_object_agg(l ->> 'id', jsonb_build_array(l -> 'item', l -> 'quantity')), '{}')
    from jsonb_array_elements(p_lines) l;
$$;

-- An entry as the server goes on with it.
create or replace function svc.payment_work(p svc.payment) returns jsonb language plpgsql stable
set search_path = pg_catalog, pg_temp as $$
begin
    return jsonb_build_object('id', p.id, 'table', svc.present_name(p.table_name, p.created_at), 'order', p.order_id,
        'method', p.method, 'status', p.status, 'amount', p.amount, 'currency', p.currency, 'charge', p.charge,
        'reference', p.reference, 'returnUrl', p.return_url, 'note', p.note, 'session', p.session, 'url', p.url,
        'expires', extract(epoch from p.session_end)::bigint, 'product', (select c.app from svc.payments c));
end
$$;

-- Records the payment of an order that the caller can read. A card payment that is under way is given as it is, and so
-- is what is due already and the same in everything; a card payment that begins has no session yet. `p_return`: null
-- where it may not be used; `p_reference`: of the project.
create or replace function svc.checkout(p_table text, p_id uuid, p_method text, p_return text, p_connected boolean,
                                        p_project text)
returns text language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
    c svc.payments := svc.payable(p_table, p_id);
    entry svc.payment;
    total record;
    charged numeric;
    reason text;
begin
    perform svc.hold_order(p_table, p_id);
    if exists (select from svc.payment p where p.order_id = p_id and p.status = 'paid') then
        raise exception 'The order is already paid.' using errcode = 'SVPAI';
    end if;
    select * into entry from svc.payment p where p.order_id = p_id and p.status = 'processing';
    if found and p_method = 'card' then
        return svc.payment_work(entry);
    elsif found then
        raise exception 'A card payment of this order is under way. Confirm it, or wait until it has ended.'
            using errcode = 'SVPRO';
    end if;
    total := svc.order_total(c, p_id);
    charged := floor(total.amount / c.step + 0.5) * c.step;
    reason := case when p_method = 'offline' then null
        when not c.card then 'This app takes no cards, so the payment is due offline.'
        when not p_connected then 'No card provider is connected, so the payment is due offline.'
        when p_return is null then
            'A card payment needs a returnUrl on one of the hosts of the app, so the payment is due offline.'
        when charged < 50 then 'The amount is too small for a card, so the payment is due offline.' end;
    if p_method = 'offline' or reason is not null then
        select * into entry from svc.payment p where p.order_id = p_id order by p.seq desc limit 1;
        if entry.status = 'due' and (entry.lines, entry.amount, entry.currency) = (total.lines, total.amount, c.currency)
                and (entry.note, entry.actor) is not distinct from (reason, svc.user_id()) then
            return svc.payment_work(entry);
        end if;
        insert into svc.payment (table_name, order_id, method, status, amount, currency, lines, note, actor)
        values (p_table, p_id, 'offline', 'due', total.amount, c.currency, total.lines, reason, svc.user_id())
        returning * into entry;
    else
        insert into svc.payment (table_name, order_id, method, provider, status, amount, currency, lines, charge,
                                 reference, return_url, actor, session_end, poll_at)
        values (p_table, p_id, 'card', 'stripe', 'processing', charged, c.currency, total.lines,
                charged * c.charge_factor, p_project || ':' || p_table || ':' || p_id, p_return, svc.user_id(),
                date_trunc('second', now()) + interval '1 hour', now() + interval '1 minute')
        returning * into entry;
        -- The address of the session is told after svc.session_opened, whose commit writes this one to the disk as
        -- well. Where PostgreSQL is killed before, neither is there, and nobody can pay.
        perform set_config('synchronous_commit', 'off', true);
    end if;
    perform svc.note_payment(entry.id, 'checkout', reason);
    return svc.payment_work(entry);
end
$$;

-- The provider opened a session for the entry. False: the entry went on without it, and nobody may pay there.
create or replace function svc.session_opened(p_payment uuid, p_session text, p_url text, p_end bigint) returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
    entry svc.payment;
begin
    select * into entry from svc.payment p where p.id = p_payment for update;
    if not found or entry.status <> 'processing' or entry.session <> p_session then
        return found and entry.session is not distinct from p_session;
    elsif entry.session is null then
        update svc.payment set session = p_session, url = p_url,
            session_end = coalesce(to_timestamp(p_end), session_end)
        where id = p_payment;
        perform svc.note_payment(p_payment, 'session', p_session);
    end if;
    return true;
end
$$;

-- The provider opened none: the payment is due offline, unless another request has opened one. The entry as it is then;
-- null: it is not there, because PostgreSQL was killed before the entry was on the disk.
create or replace function svc.fall_back(p_payment uuid, p_note text) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
    entry svc.payment;
begin
    select * into entry from svc.payment p where p.id = p_payment for update;
    if not found then
        return null;
    elsif entry.status = 'processing' and entry.session is null then
        update svc.payment set status = 'due', method = 'offline', provider = null, note = p_note, poll_at = null
        where id = p_payment returning * into entry;
        perform svc.note_payment(p_payment, 'fallback', p_note);
    end if;
    return svc.payment_work(entry);
end
$$;

-- The order of a payment as it is now; null: it is gone. Money moves on while contracts change: its table may be gone
-- or be another one by now. If another table has the orders since, the order may be there.
create or replace function svc.order_of(p svc.payment) returns json language plpgsql stable
set search_path = pg_catalog, pg_temp as $$
declare
    its_table text;
    its_order json;
begin
    for its_table in
        select svc.present_name(p.table_name, p.created_at) union all select c.order_table from svc.payments c
    loop
        begin
            execute format('select row_to_json(o) from public.%I o where o.id = $1', its_table)
            into its_order using p.order_id;
        exception when undefined_table or undefined_column or undefined_function or datatype_mismatch then
            continue;
        end;
        exit when its_order is not null;
    end loop;
    return its_order;
end
$$;

-- Starts the workflows of an outcome, in its transaction.
create or replace function svc.tell_payment(p svc.payment) returns void language plpgsql
set search_path = pg_catalog, pg_temp as $$
declare
    started text;
    its_order record;
begin
    if not exists (select from svc.flow f where f.live and f.on_kind = 'payment' and f.on_what = p.status) then
        return;
    end if;
    select o.held, o.wrong into its_order from svc.row_of_change(svc.order_of(p)) o;
    for started in select f.name from svc.flow f where f.live and f.on_kind = 'payment' and f.on_what = p.status
        order by f.name
    loop
        perform svc.open_run(started, jsonb_build_object('kind', 'payment', 'event', p.status, 'payment', p.id),
            jsonb_build_object('new', its_order.held, 'input', jsonb_build_object('payment', jsonb_build_object(
                'id', p.id, 'method', p.method, 'status', p.status, 'amount_cents', p.amount, 'currency', p.currency))),
            p.actor, p_wrong => its_order.wrong);
    end loop;
end
$$;

-- Records the provider's result of a card payment, or that of an operator who knows it: paid or failed. A payment ends
-- once, however often this is called: returns the status that the entry has then, null if there is none, and whether
-- this call has set it. `p_detail`: for its history; `p_note`: the customer reads it.
drop function if exists svc.end_payment(uuid, text, text, text);
create or replace function svc.end_payment(p_payment uuid, p_status text, p_what text, p_detail text,
                                           p_note text default null, out status text, out ended boolean)
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
    entry svc.payment;
begin
    select * into entry from svc.payment p where p.id = p_payment for update;
    status := entry.status;
    ended := false;
    if entry.status is distinct from 'processing' or p_status not in ('paid', 'failed') then
        return;
    end if;
    update svc.payment p set status = p_status, ended_at = now(), poll_at = null, note = p_note
    where p.id = p_payment returning * into entry;
    perform svc.note_payment(p_payment, p_what, p_detail);
    perform svc.tell_payment(entry);
    status := p_status;
    ended := true;
end
$$;

-- Records that an order was paid offline, for a caller who may do so.
create or replace function svc.settle_order(p_table text, p_id uuid) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
    c svc.payments := svc.payable(p_table, p_id);
    entry svc.payment;
    total record;
begin
    if not ('*' = any (c.settle) or svc.acts_as(variadic c.settle)) then
        raise exception 'You may not say that an order is paid.' using errcode = 'SVSET';
    end if;
    perform svc.hold_order(p_table, p_id);
    if exists (select from svc.payment p where p.order_id = p_id and p.status = 'paid') then
        raise exception 'The order is already paid.' using errcode = 'SVPAI';
    elsif exists (select from svc.payment p where p.order_id = p_id and p.status = 'processing') then
        raise exception 'A card payment of this order is under way. Confirm it, or wait until it has ended.'
            using errcode = 'SVPRO';
    end if;
    select * into entry from svc.payment p where p.order_id = p_id and p.status = 'due' order by p.seq desc limit 1;
    if not found then
        raise exception 'Nothing is due for this order. Check it out first.' using errcode = 'SVDUE';
    end if;
    total := svc.order_total(c, p_id);
    if svc.basket(total.lines) <> svc.basket(entry.lines) then
        raise exception 'The lines of the order have changed since its checkout. Check it out again.'
            using errcode = 'SVMIS';
    end if;
    update svc.payment p set status = 'paid', ended_at = now(),
        settled_by = coalesce(svc.user_id()::text, current_setting('svc.principals', true))
    where p.id = entry.id returning * into entry;
    perform svc.note_payment(entry.id, 'settle', entry.settled_by);
    perform svc.tell_payment(entry);
    return svc.payment_work(entry);
end
$$;

-- An order's latest entry as the caller may read it, null if there is none: the lines that they may read, and each
-- line's cost if they may read its price. Rows are looked at a table at a time, however many lines there are.
create or replace function svc.payment_for(p_table text, p_id uuid) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
    c svc.payments := svc.payable(p_table, p_id);
    entry svc.payment;
    ids jsonb;
    items jsonb;
    there jsonb;    -- of the lines those that still are, as members
    seen jsonb;     -- those that the caller may read
    priced jsonb := '{}';  -- items whose price the caller may read
    shown jsonb;
begin
    select * into entry from svc.payment p where p.order_id = p_id order by p.seq desc limit 1;
    if not found then
        return 'null';
    end if;
    select coalesce(jsonb_agg(l -> 'id'), '[]'), coalesce(jsonb_agg(distinct l -> 'item'), '[]') into ids, items
    from jsonb_array_elements(entry.lines) l;
    execute format('select coalesce(jsonb_object_agg(r.id, true), ''{}'') from public.%I r'
                   ' where r.id in (select i::uuid from jsonb_array_elements_text($1) i)', c.lines_table)
        into there using ids;
    seen := svc.caller_sees_of(c.lines_table, ids);
    if c.price_readers is null or svc.acts_as(variadic c.price_readers) then
        priced := svc.caller_sees_of(c.catalogue, items);
    end if;
    select coalesce(jsonb_agg(
        jsonb_build_object('id', e.line -> 'id', 'item', e.line -> 'item', 'quantity', e.line -> 'quantity')
            || case when priced ? (e.line ->> 'item') then jsonb_build_object('amount_cents', e.line -> 'amount')
                else '{}' end
        order by e.place), '[]') into shown
    from jsonb_array_elements(entry.lines) with ordinality e (line, place)
    where case when there ? (e.line ->> 'id') then seen ? (e.line ->> 'id') else c.lines_follow end;
    return json_build_object('id', entry.id, 'method', entry.method, 'provider', entry.provider, 'status', entry.status,
        'amount_cents', entry.amount, 'currency', entry.currency, 'created_at', svc.iso_time(entry.created_at),
        'note', entry.note, 'lines', shown);
end
$$;

-- The amount of the order now, which a checkout would record.
create or replace function svc.order_amount(p_table text, p_id uuid) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
    c svc.payments := svc.payable(p_table, p_id);
    total record;
begin
    total := svc.order_total(c, p_id);
    return json_build_object('amount_cents', total.amount, 'currency', c.currency);
end
$$;

-- The latest card payment of an order that the caller can read; null: it has none.
create or replace function svc.card_payment_of(p_table text, p_id uuid) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
    c svc.payments := svc.payable(p_table, p_id);
    entry svc.payment;
begin
    select * into entry from svc.payment p where p.order_id = p_id and p.method = 'card' order by p.seq desc limit 1;
    return case when found then svc.payment_work(entry)::text end;
end
$$;

create or replace function svc.payment_of_session(p_session text) returns text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
    entry svc.payment;
begin
    update svc.payment p set poll_at = now() + interval '10 seconds'
    where p.session = p_session and p.status = 'processing';
    select * into entry from svc.payment p where p.session = p_session;
    return case when found then svc.payment_work(entry)::text end;
end
$$;

-- Card payments whose provider is to be asked, each by one server: a minute after the checkout, then ever more slowly,
-- and right after an unpaid session has expired.
create or replace function svc.claim_payments(p_limit integer) returns setof text
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
    return query
    update svc.payment p set polls = p.polls + 1,
        poll_at = case when p.session_end between now()
                           and now() + least(interval '1 minute' * 2 ^ least(p.polls, 10), '1 hour')
            then p.session_end + interval '10 seconds'
            else now() + least(interval '1 minute' * 2 ^ least(p.polls, 10), '1 hour') end
    where p.id in (select w.id from svc.payment w where w.status = 'processing' and w.poll_at <= now()
                   order by w.poll_at limit p_limit for update skip locked)
    returning svc.payment_work(p)::text;
end
$$;

create or replace function svc.pay_methods() returns table (currency text, card boolean) language sql stable
security definer set search_path = pg_catalog, pg_temp as $$
    select c.currency, c.card from svc.payments c;
$$;

-- The payments of the contract, at an apply: {"payments": {…} or null}. Calls of the card provider come to a webhook of
-- that name.
create or replace function svc.set_payments(p jsonb) returns void language plpgsql
set search_path = pg_catalog, pg_temp as $$
declare
    given jsonb := nullif(p -> 'payments', 'null');
begin
    delete from svc.payments;
    if given is null then
        return;
    end if;
    insert into svc.payments select * from jsonb_populate_record(null::svc.payments, given || '{"only_one": true}');
    if (given ->> 'card')::boolean then
        insert into svc.hook_in (name, scheme, secret, built_in) values ('card', 'stripe', 'CARD_WEBHOOK_SECRET', true);
    end if;
end
$$;

revoke all on function svc.keep_payment, svc.note_payment, svc.may_read_order, svc.caller_sees, svc.caller_sees_of,
    svc.payable, svc.hold_order, svc.meet_checkout, svc.order_total, svc.basket, svc.payment_work, svc.checkout,
    svc.session_opened, svc.fall_back, svc.order_of, svc.tell_payment, svc.end_payment, svc.settle_order,
    svc.payment_for, svc.order_amount, svc.card_payment_of, svc.payment_of_session, svc.claim_payments,
    svc.pay_methods, svc.set_payments from public;
-- The data role reads neither the prices of the lines nor the address of the payment.
grant select (id, table_name, order_id, method, provider, status, amount, currency, note, actor, created_at, ended_at)
    on svc.payment to :data_role;
grant execute on function svc.may_read_order, svc.checkout, svc.settle_order, svc.payment_for, svc.order_amount,
    svc.card_payment_of to :data_role;
grant select on svc.payment, svc.payment_event to :system_role;
grant execute on function svc.session_opened, svc.fall_back, svc.end_payment, svc.payment_of_session,
    svc.claim_payments, svc.pay_methods to :system_role;
