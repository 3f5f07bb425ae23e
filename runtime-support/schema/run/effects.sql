-- The actions of steps beside the statements of their definition: mails, messages, notices, waiting, calls. Run after
-- starts.sql.

-- SQLSTATE by the name that runs show: the code that a caller gets (identity/sql_state.cpp), with these exceptions.
-- A column, table or function that is gone, or a column of another type: the contract is another one by now. What is
-- too large and what calls too deep are FUNCTION_FAILED to a caller; who operates runs learns which it was, and only
-- the depth is final. TIMEOUT is a step's own time. What has no name here keeps its five characters: a value that its
-- column does not take, as with a caller, and a database that is at fault, which is UNAVAILABLE to a caller.
create or replace function svc.error_name(p_state text) returns text language sql immutable
set search_path = pg_catalog, pg_temp
return case
    when p_state in ('42703', '42P01', '42804', '42883', 'SV404') then 'CONTRACT_CHANGED'
    when p_state = 'SVGON' then 'ACTOR_GONE'
    when p_state = 'SVNOF' then 'NOT_FOUND'
    when p_state = 'SVBIG' then 'TOO_LARGE'
    when p_state = 'SVDEP' then 'CALL_DEPTH'
    when p_state = 'SV400' then 'PARAMS_INVALID'
    when p_state in ('42501', 'SV403') then 'ROW_FORBIDDEN'
    when p_state = 'SV432' then 'FIELD_FORBIDDEN'
    when p_state = 'SVSET' then 'TABLE_FORBIDDEN'
    when p_state in ('23503', '23505', '40001', '40P01', 'SVLIN', 'SVDUE') then 'CONFLICT'
    when p_state = 'SV412' then 'STALE'
    when p_state = 'SV409' then 'TRANSITION_REFUSED'
    when p_state = 'SV422' then 'RULE_REFUSED'
    when p_state = 'SVBAD' then 'BAD_CONTRACT'
    when p_state = 'SVNOR' then 'ORDER_NOT_FOUND'
    when p_state = 'SVMIS' then 'PAYMENT_MISMATCH'
    when p_state = 'SVPAI' then 'ALREADY_PAID'
    when p_state = 'SVPRO' then 'PAYMENT_PROCESSING'
    when p_state = '57014' then 'TIMEOUT'
    else p_state end;

-- The words of a refusal as runs show them. An author knows no policies of PostgreSQL.
create or replace function svc.error_words(p_state text, p_words text) returns text language sql immutable
set search_path = pg_catalog, pg_temp
return case when p_state = '42501' and p_words ~ 'row-level security policy .*for table ".*"'
    then format('Whoever this step runs as may not write this row of %s.', substring(p_words from 'for table "(.*)"'))
    else p_words end;

-- Is this an error that another attempt would not change?
create or replace function svc.is_final(p_code text) returns boolean language sql immutable
return p_code in ('ACTOR_GONE', 'CONTRACT_CHANGED', 'FAILED', 'FUNCTION_FAILED', 'CALL_DEPTH', 'PARAMS_INVALID',
                  'TABLE_FORBIDDEN');

-- Full jitter: anything up to the base times the factor for each attempt before, and no more than the cap. Seconds.
create or replace function svc.retry_pause(p_policy jsonb, p_failed integer) returns double precision
language sql volatile
set search_path = pg_catalog, pg_temp
return random() * least((p_policy ->> 'cap')::float8,
                        (p_policy ->> 'base')::float8 * (p_policy ->> 'factor')::float8 ^ least(p_failed - 1, 60));

-- Into the outbox that the mailer sends from. A line break would end the header that it stands in.
create or replace function svc.queue_mail(p_to text, p_subject text, p_text text) returns uuid language plpgsql
set search_path = pg_catalog, pg_temp as $$
declare
    mail uuid;
begin
    if p_to is null or p_to !~ '^[^\s@,;<>]+@[^\s@,;<>]+$' then
        raise exception 'This is not an e-mail address to write to: %.', coalesce(p_to, 'null')
            using errcode = 'SV400', detail = '[]';
    end if;
    insert into svc.mail (kind, recipient, subject, body)
    values ('workflow', p_to, regexp_replace(coalesce(p_subject, ''), '[\r\n]+', ' ', 'g'), coalesce(p_text, ''))
    returning id into mail;
    return mail;
end
$$;

-- A mail to nobody would look as if it had been sent. Who wants none has a step with a condition.
create or replace function svc.do_email(p jsonb) returns jsonb language plpgsql
set search_path = pg_catalog, pg_temp as $$
declare
    mails uuid[] := array(select svc.queue_mail(t.value, p ->> 'subject', p ->> 'text')
                          from jsonb_array_elements_text(p -> 'to') with ordinality t order by t.ordinality);
begin
    if mails = '{}' then
        raise exception 'This step names nobody to write to: its "to" is null, or an empty list.'
            using errcode = 'SV400', detail = '[]';
    end if;
    return jsonb_build_object('id', mails[1]);
end
$$;

create or replace function svc.do_notify(p jsonb) returns jsonb language plpgsql
set search_path = pg_catalog, pg_temp as $$
declare
    notices uuid[] := svc.notify(
        array(select u.value::uuid from jsonb_array_elements_text(coalesce(nullif(p -> 'users', 'null'), '[]')) u),
        array(select u.value from jsonb_array_elements_text(coalesce(nullif(p -> 'personas', 'null'), '[]')) u),
        p ->> 'title', p ->> 'body', p ->> 'link');
begin
    return jsonb_build_object('id', notices[1]);
end
$$;

create or replace function svc.do_publish(p jsonb) returns jsonb language plpgsql
set search_path = pg_catalog, pg_temp as $$
begin
    -- Callers trust these to be of the server: changes of rows, a user's notifications, what servers tell each other.
    if p ->> 'topic' like any ('{row-changed:%,app:notifications:%,svc:%}') then
        raise exception 'A step may not publish to "%".'
            ' Topics that begin with row-changed:, app:notifications: or svc: are reserved.',
            left(p ->> 'topic', 100) using errcode = 'SV400', detail = '[]';
    elsif octet_length((p -> 'payload')::text) > 65536 then
        raise exception 'A message may have at most 64 KiB.' using errcode = 'SVBIG';
    end if;
    perform svc.publish(p ->> 'topic', coalesce(p -> 'payload', 'null')::json);
    return jsonb_build_object('id', currval('svc.change_seq')::text);
end
$$;

-- A message as steps read it; null: it has a number that jsonb cannot hold, so none of them can. Servers take no such
-- message any more, and one that was taken holds up nobody.
create or replace function svc.message_of(p_payload json) returns jsonb language plpgsql immutable
set search_path = pg_catalog, pg_temp as $$
begin
    return p_payload::jsonb;
exception when others then
    return null;
end
$$;

-- True where this message is what the waiter waits for. A filter that fails lets none through, but one to which another
-- transaction was in the way is asked once more.
create or replace function svc.lets_through(p_filter text, p_as text, p_names text, p_actor uuid, p_context jsonb,
                                            p_payload jsonb)
returns boolean language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
    if p_filter is null then
        return true;
    end if;
    perform svc.enter(p_as, p_names, p_actor, svc.row_of(p_context), null);
    return coalesce(svc.ask_value(p_as, p_filter, jsonb_set(p_context, '{local,payload}', p_payload))::boolean, false);
exception when lock_not_available or deadlock_detected or serialization_failure then
    raise;
when others then
    return false;
end
$$;

-- The message of a topic that came since the run began; null: the run waits for it from now on. `p_had`: the last
-- message of that topic which it has had.
drop function if exists svc.wait_for(uuid, text, jsonb, jsonb, text, bigint);
create or replace function svc.wait_for(p_run uuid, p_path text, p_step jsonb, p_context jsonb, p_topic text,
                                        p_had jsonb)
returns jsonb language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
    r svc.run;
    m record;
    looked pg_snapshot := svc.ended_now();
    until pg_snapshot := svc.ended_with_this();  -- it may have published itself
    since pg_snapshot;
    upto pg_snapshot;
    reached bigint;
    first xid8;
begin
    select * into strict r from svc.run where id = p_run;
    since := coalesce((p_had ->> 'since')::pg_snapshot, r.began);
    upto := case when p_had is null then r.opened else (p_had ->> 'upto')::pg_snapshot end;
    reached := coalesce((p_had ->> 'reached')::bigint, p_had::bigint, r.since_seq, 0);
    first := svc.first_new(since, until);
    for m in
        select t.seq, svc.message_of(t.payload) as payload,
            coalesce(not pg_visible_in_snapshot(t.xid, upto), false) as later
        from svc.topic_message t
        where t.xid >= first and t.xid < pg_snapshot_xmax(until) and t.topic = p_topic
            and svc.comes_after(t.seq, t.xid, since, upto, reached) and pg_visible_in_snapshot(t.xid, until)
        order by later, t.seq
    loop
        continue when m.payload is null;
        if svc.lets_through(p_step ->> 'filter', p_step ->> 'runAs', p_step ->> 'principals', r.actor, p_context,
                            m.payload) then
            return jsonb_build_object('payload', m.payload, 'had', jsonb_build_object('reached', m.seq,
                'since', case when m.later then upto else since end,
                'upto', case when m.later then until else upto end));
        end if;
    end loop;
    insert into svc.waiter (run, path, topic, filter, run_as, names, context, seen)
    values (p_run, p_path, p_topic, p_step ->> 'filter', p_step ->> 'runAs', p_step ->> 'principals', p_context, looked)
    on conflict (run) do update set path = excluded.path, topic = excluded.topic, filter = excluded.filter,
        run_as = excluded.run_as, names = excluded.names, context = excluded.context, seen = excluded.seen,
        until = null, reached = null, fresh = true, payload = null, seq = null, woken = false;
    return null;
end
$$;

-- The result of a waiting step: {payload, timedOut}, and of a message "had", for the next one. Null: it goes on
-- waiting.
drop function if exists svc.hear(uuid, text, jsonb, jsonb, text, bigint, timestamptz);
create or replace function svc.hear(p_run uuid, p_path text, p_step jsonb, p_context jsonb, p_topic text, p_had jsonb,
                                    p_until timestamptz)
returns jsonb language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
    came svc.waiter;
    found_message jsonb;
begin
    select * into came from svc.waiter w where w.run = p_run and w.path = p_path for update;
    if found and came.woken then
        found_message := jsonb_build_object('payload', came.payload, 'had',
            case when came.until is null then to_jsonb(came.seq)
            else jsonb_build_object('since', came.seen, 'upto', came.until, 'reached', came.seq) end);
    elsif not found then
        found_message := svc.wait_for(p_run, p_path, p_step, p_context, p_topic, p_had);
    end if;
    if found_message is null and p_until > clock_timestamp() then
        return null;
    end if;
    delete from svc.waiter w where w.run = p_run;
    return coalesce(found_message, '{"payload": null}') || jsonb_build_object('timedOut', found_message is null);
end
$$;

revoke all on function svc.error_name, svc.error_words, svc.is_final, svc.retry_pause, svc.queue_mail, svc.do_email,
    svc.do_notify, svc.do_publish, svc.message_of, svc.lets_through, svc.wait_for, svc.hear from public;
