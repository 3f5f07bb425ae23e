-- Values of functions and workflows: what JSON of unknown shape is worth where a type is wanted, and what a call's
-- input is. Run before the tables of runs; nothing here reads a row.

-- The value, or null where the JSON is nothing of it. Texts count too: a form has nothing else.
create or replace function svc.flow_text(j jsonb) returns text language sql immutable parallel safe
return case when jsonb_typeof(j) in ('string', 'number', 'boolean') then j #>> '{}' end;

create or replace function svc.flow_decimal(j jsonb) returns numeric language sql immutable parallel safe
return case when jsonb_typeof(j) = 'number' or (jsonb_typeof(j) = 'string'
            and j #>> '{}' ~ '^-?[0-9]{1,200}(\.[0-9]{1,200})?$') then (j #>> '{}')::numeric end;

create or replace function svc.flow_integer(j jsonb) returns bigint language sql immutable parallel safe
return case when svc.flow_decimal(j) between -9223372036854775808 and 9223372036854775807
            and svc.flow_decimal(j) = trunc(svc.flow_decimal(j)) then svc.flow_decimal(j)::bigint end;

create or replace function svc.flow_boolean(j jsonb) returns boolean language sql immutable parallel safe
return case when jsonb_typeof(j) = 'boolean' or j in ('"true"', '"false"') then (j #>> '{}')::boolean end;

create or replace function svc.flow_uuid(j jsonb) returns uuid language sql immutable parallel safe
return case when jsonb_typeof(j) = 'string' and j #>> '{}'
            ~* '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$' then (j #>> '{}')::uuid end;

-- A moment as JSON has it everywhere: 2024-12-31T09:30:00.25Z, with as many digits as it needs. to_jsonb() of a
-- timestamptz would write its offset, by the timezone of the connection. A year without four digits stays as
-- PostgreSQL writes it in UTC, as in the data API: 0044-03-15 12:00:00+00 BC.
create or replace function svc.moment(t timestamptz) returns text language sql stable parallel safe
return case
    when t >= timestamptz '0001-01-01 00:00:00+00' and t < timestamptz '10000-01-01 00:00:00+00'
        then (to_jsonb(t at time zone 'UTC') #>> '{}') || 'Z'
    when isfinite(t)
        then regexp_replace(replace(to_jsonb(t at time zone 'UTC') #>> '{}', 'T', ' '), '( BC)?$', '+00\1')
    else t::text end;

-- Takes a day alone, too: its midnight, in UTC as every moment without an offset.
create or replace function svc.flow_timestamp(j jsonb) returns timestamptz language plpgsql stable parallel safe
set search_path = pg_catalog, pg_temp set timezone = 'UTC' as $$
begin
    if jsonb_typeof(j) = 'string' and j #>> '{}' ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}($|[T ][0-9]{2}:[0-9]{2})' then
        return (j #>> '{}')::timestamptz;
    end if;
    return null;
exception when data_exception then
    return null;
end
$$;

create or replace function svc.flow_date(j jsonb) returns date language plpgsql immutable parallel safe
set search_path = pg_catalog, pg_temp as $$
begin
    if jsonb_typeof(j) = 'string' and j #>> '{}' ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}$' then
        return (j #>> '{}')::date;
    end if;
    return null;
exception when data_exception then
    return null;
end
$$;

create or replace function svc.flow_time(j jsonb) returns time language plpgsql immutable parallel safe
set search_path = pg_catalog, pg_temp as $$
begin
    if jsonb_typeof(j) = 'string' and j #>> '{}' ~ '^[0-9]{2}:[0-9]{2}(:[0-9]{2}(\.[0-9]{1,6})?)?$' then
        return (j #>> '{}')::time;
    end if;
    return null;
exception when data_exception then
    return null;
end
$$;

create or replace function svc.flow_tags(j jsonb) returns text[] language sql immutable parallel safe
return case when jsonb_typeof(j) = 'array' then
    array(select svc.flow_text(e) from jsonb_array_elements(j) with ordinality as _e (e, n)
          where svc.flow_text(e) is not null order by n) end;

-- The elements of a list; of anything else, none.
create or replace function svc.flow_list(j jsonb) returns jsonb language sql immutable parallel safe
return case when jsonb_typeof(j) = 'array' then j else '[]'::jsonb end;

create or replace function svc.flow_count(j jsonb) returns bigint language sql immutable parallel safe
return jsonb_array_length(svc.flow_list(j));

-- The values of the list and of the lists within it: each once, in order, without null.
create or replace function svc.flow_flat(j jsonb) returns jsonb language sql immutable parallel safe
return (
    with recursive flat (e, place) as (
        select e, array[n] from jsonb_array_elements(j) with ordinality as _e (e, n)
        union all
        select i.e, flat.place || i.n
        from flat, jsonb_array_elements(svc.flow_list(flat.e)) with ordinality as i (e, n)
    ), first as (
        select e, min(place) as place from flat where jsonb_typeof(e) not in ('array', 'null') group by e
    )
    select coalesce(jsonb_agg(e order by place), '[]') from first
);

-- The problem of a value for a parameter of that type of the contract; null: none.
create or replace function svc.flow_misfit(p_type text, p_value jsonb) returns text
language sql stable parallel safe
return case
    when p_value is null or p_value = 'null' then null
    when p_type = 'json' then null
    when p_type in ('integer', 'money') then
        case when jsonb_typeof(p_value) = 'number' and svc.flow_integer(p_value) is not null then null
             else 'must be a whole number' end
    when p_type in ('number', 'decimal', 'float') then
        case when jsonb_typeof(p_value) = 'number' then null else 'must be a number' end
    when p_type = 'boolean' then
        case when jsonb_typeof(p_value) = 'boolean' then null else 'must be true or false' end
    when p_type = 'date' then
        case when svc.flow_date(p_value) is null then 'must be a date like 2024-12-31' end
    when p_type = 'time' then
        case when svc.flow_time(p_value) is null then 'must be a time like 09:30' end
    when p_type = 'datetime' then
        case when svc.flow_timestamp(p_value) is null then 'must be a datetime like 2024-12-31T09:30:00Z' end
    when p_type in ('uuid', 'ref', 'user', 'file') then
        case when svc.flow_uuid(p_value) is null then 'must be a uuid' end
    when p_type = 'tags' then
        case when jsonb_typeof(p_value) = 'array'
                  and not exists (select from jsonb_array_elements(svc.flow_list(p_value)) e
                                  where jsonb_typeof(e) <> 'string') then null
             else 'must be a list of strings' end
    else case when jsonb_typeof(p_value) = 'string' then null else 'must be a string' end
end;

-- The input of a function or workflow: every parameter is there, those that were not sent with their default or null.
-- p_params: {"<name>": {"type", "required", "default"}}, or null, where any object will do.
create or replace function svc.flow_input(p_params jsonb, p_input jsonb) returns jsonb
language plpgsql stable set search_path = pg_catalog, pg_temp as $$
declare
    given jsonb := coalesce(nullif(p_input, 'null'), '{}');
    wrong jsonb;
    filled jsonb;
begin
    if jsonb_typeof(given) <> 'object' then
        raise exception using errcode = 'SV400', message = 'The input must be an object.', detail = '[]';
    end if;
    if coalesce(p_params, 'null') = 'null' then
        return given;
    end if;
    select jsonb_agg(jsonb_build_object('field', field, 'message', what) order by field) into wrong
    from (
        select key as field, 'is not known' as what from jsonb_object_keys(given) as key where not p_params ? key
        union all
        select p.key, case when coalesce(given -> p.key, 'null') <> 'null'
                               then svc.flow_misfit(p.value ->> 'type', given -> p.key)
                           when coalesce((p.value ->> 'required')::boolean, false) then 'is missing' end
        from jsonb_each(p_params) p
    ) told where what is not null;
    if wrong is not null then
        raise exception using errcode = 'SV400', detail = wrong::text,
            message = format('"%s" %s.', wrong #>> '{0,field}', wrong #>> '{0,message}');
    end if;
    select coalesce(jsonb_object_agg(p.key, coalesce(given -> p.key, p.value -> 'default', 'null')), '{}') into filled
    from jsonb_each(p_params) p;
    return filled;
end
$$;

-- A value in the name of a topic stays one part of it: a colon, or nothing at all, would make it another topic, to
-- which others may publish.
create or replace function svc.topic_part(p_value text) returns text language plpgsql immutable parallel safe as $$
begin
    if p_value = '' or p_value like '%:%' then
        raise exception 'A value in the name of a topic needs at least one character, and may have no colon: "%".',
            left(p_value, 100) using errcode = 'SV400', detail = '[]';
    end if;
    return p_value;
end
$$;

-- A value in an address stays in its place: what would end a part of the path or the query is escaped.
create or replace function svc.url_part(p_value text) returns text language plpgsql immutable parallel safe as $$
begin
    if p_value in ('.', '..') then
        raise exception 'A value in the path of an address may not be "%".', p_value
            using errcode = 'SV400', detail = '[]';
    end if;
    return (select coalesce(string_agg(
        case when c ~ '^[A-Za-z0-9._~-]$' then c
             else regexp_replace(upper(encode(convert_to(c, 'UTF8'), 'hex')), '(..)', '%\1', 'g') end,
        '' order by n), '')
        from string_to_table(p_value, null) with ordinality as _c (c, n));
end
$$;

-- A value in the host or port of an address.
create or replace function svc.url_host(p_value text) returns text language plpgsql immutable parallel safe as $$
begin
    if p_value !~ '^[A-Za-z0-9._:-]*$' then
        raise exception 'This value cannot be a part of the host of an address: "%".', left(p_value, 100)
            using errcode = 'SV400', detail = '[]';
    end if;
    return p_value;
end
$$;

-- Statements of steps that run as somebody call these under that caller's rights.
grant execute on function svc.flow_text, svc.flow_decimal, svc.flow_integer, svc.flow_boolean, svc.flow_uuid,
    svc.moment, svc.flow_timestamp, svc.flow_date, svc.flow_time, svc.flow_tags, svc.flow_list, svc.flow_count,
    svc.flow_flat, svc.topic_part, svc.url_part, svc.url_host to :data_role;
