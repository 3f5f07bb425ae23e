-- Tables for accounts beside svc.account and svc.session: links that are mailed, the mails, second factors,
-- organisations, identities at OpenID Connect providers, and the record of what happened to accounts. Run
-- after system.sql, in the same transaction; every statement may run again.

-- Values that are shown once and work once: mailed links, pending sign-ins, codes after a provider's answer.
-- Only their SHA-256 is kept. One that is used stays until it would have ended, so that a second use is
-- told apart from a forged one.
create table if not exists svc.token (
    hash       bytea primary key,
    purpose    text not null,      -- verify, reset, magic, invite, org_invite, mfa, oauth_code, passkey_new, passkey
    account_id uuid references svc.account on delete cascade,  -- null: of nobody, and good for nothing but to begin
                                                                -- a sign-in with a passkey
    email      text not null default '',
    data       text not null default '',  -- what else belongs to it, as its purpose reads it
    tries      integer not null default 0,
    created_at timestamptz not null default now(),
    expires_at timestamptz not null,
    used_at    timestamptz
);
create index if not exists token_account on svc.token (account_id);
create index if not exists token_expires on svc.token (expires_at);

-- Mails that the app wrote. They are sent in the background, by any server of the app; the text of one that was
-- sent is emptied, since its links are credentials. Without a mail server they stay, for the outbox.
create table if not exists svc.mail (
    id         uuid primary key default svc.new_id(),
    kind       text not null,      -- the template; empty: nobody is written to, and nothing is sent
    recipient  text not null,
    subject    text not null,
    body       text not null,      -- plain text
    links      text[] not null default '{}',
    created_at timestamptz not null default now(),
    next_at    timestamptz not null default now(),  -- of the next try; while it is tried, when to give the try up
    attempts   integer not null default 0,
    ended_at   timestamptz,        -- sent, given up, or never to be sent
    error      text not null default ''             -- of the last try
);
-- Since a restore it waits for somebody to release it (held.sql); its next try is at no time.
alter table svc.mail add column if not exists held boolean not null default false;
-- It came to its time while no mail server was set. One that is set later gets only those of the last hour.
alter table svc.mail add column if not exists parked boolean not null default false;
create index if not exists mail_unparked on svc.mail (id) where ended_at is null and attempts = 0 and not parked;
create index if not exists mail_held on svc.mail (id) where held;
drop index if exists svc.mail_waiting;
-- Links that somebody waits for come before mails of workflows, of which there may be very many.
create index if not exists mail_in_line on svc.mail ((kind = 'workflow'), next_at) where ended_at is null;
create index if not exists mail_created on svc.mail (created_at);

-- The record of what happened to accounts, in order. An app server cannot change or remove a row.
create table if not exists svc.audit (
    id         bigint generated always as identity primary key,
    at         timestamptz not null default now(),
    event      text not null,
    account_id uuid,               -- whom it happened to; no reference: it outlives the account
    actor_id   uuid,               -- who did it, where that was another
    email      text not null default '',
    address    text not null default '',  -- of the client
    detail     text not null default ''
);
create index if not exists audit_account on svc.audit (account_id, id);
create or replace function svc.keep_audit() returns trigger language plpgsql as $$
begin
    raise exception 'Account events can only be added, not changed or deleted.' using errcode = '42501';
end
$$;
create or replace trigger keep_audit before update or delete or truncate on svc.audit
    for each statement execute function svc.keep_audit();

-- Second factors. The secret is sealed with a key that the database does not have.
create table if not exists svc.mfa (
    account_id   uuid primary key references svc.account on delete cascade,
    secret       text not null,          -- sealed
    confirmed_at timestamptz,            -- null: enrolment has begun only
    last_step    bigint not null default 0,  -- of the last code that was used; none before it counts again
    created_at   timestamptz not null default now()
);
create table if not exists svc.backup_code (
    account_id uuid not null references svc.account on delete cascade,
    hash       bytea not null,           -- SHA-256 of account and code
    used_at    timestamptz,
    primary key (account_id, hash)
);
-- Whether its owner has shown a second factor in this session: where their persona demands one, a session without
-- is good for enrolment only. Sessions of accounts that had a factor when this column came were begun with it.
do $$
begin
    if not exists (select from pg_attribute where attrelid = 'svc.session'::regclass and attname = 'second_factor') then
        alter table svc.session add column second_factor boolean not null default false;
        update svc.session s set second_factor = true
            from svc.mfa f where f.account_id = s.account_id and f.confirmed_at is not null;
    end if;
end
$$;

-- Passkeys (WebAuthn). Each was made, and is used, with its owner verified by the authenticator.
create table if not exists svc.passkey (
    id           uuid primary key default svc.new_id(),
    account_id   uuid not null references svc.account on delete cascade,
    credential   text not null unique,   -- the authenticator's name for it, base64url
    algorithm    integer not null,       -- COSE: -7 ES256, -8 EdDSA, -257 RS256
    public_key   text not null,          -- base64url of the form that libfido2 reads
    sign_count   bigint not null,        -- of its last use; 0: the authenticator does not count
    transports   text[] not null default '{}',
    name         text not null default '',
    created_at   timestamptz not null default now(),
    last_used_at timestamptz
);
create index if not exists passkey_account on svc.passkey (account_id);

-- The password that an account keeps when its address is proven. A password from before the proof may be of a stranger
-- who only claimed the address, so it is removed. It is also removed when an account gets rights that signing up does
-- not give. Its sessions (svc.end_sessions) and factors (svc.end_factors) are removed with it.
create or replace function svc.proven_password(a svc.account) returns text language sql stable
return case when a.verified_at is not null then a.password_hash end;

-- What else was set up before may be of the same stranger: it would let them, or somebody whom they invited, in again.
-- What the proof itself creates, in its own transaction, stays. An account without a password is proven by verified_at.
create or replace function svc.end_factors() returns trigger language plpgsql as $$
begin
    delete from svc.session where account_id = new.id and created_at < now();
    delete from svc.passkey where account_id = new.id;
    delete from svc.mfa where account_id = new.id;
    delete from svc.backup_code where account_id = new.id;
    delete from svc.identity where account_id = new.id and created_at < now();
    delete from svc.token where account_id = new.id and created_at < now()
        and purpose in ('org_invite', 'passkey_new', 'mfa', 'oauth_code');
    return null;
end
$$;
create or replace trigger end_factors
    after update of verified_at, password_hash on svc.account for each row
    when (old.verified_at is null and case when old.password_hash is null then new.verified_at is not null
          else old.password_hash is distinct from new.password_hash end)
    execute function svc.end_factors();

-- Holds the account of a session until the transaction ends. Where the session has ended meanwhile, which the second
-- look sees, nothing is written in its name.
create or replace function svc.hold_session(p_hash bytea) returns void language plpgsql strict as $$
begin
    perform from svc.session s join svc.account a on a.id = s.account_id where s.hash = p_hash
        for no key update of a;
    perform from svc.session where hash = p_hash;
    if not found then
        raise exception 'The session has ended.' using errcode = 'SV401';
    end if;
end
$$;

-- Accounts as OpenID Connect providers know them, and providers that were set up beside the contract's.
create table if not exists svc.identity (
    issuer     text not null,
    subject    text not null,
    account_id uuid not null references svc.account on delete cascade,
    created_at timestamptz not null default now(),
    primary key (issuer, subject)
);
create index if not exists identity_account on svc.identity (account_id);
create table if not exists svc.provider (
    id            text primary key,
    label         text not null default '',
    issuer        text not null,
    client_id     text not null,
    client_secret text not null,         -- sealed
    scopes        text[] not null default '{}',
    updated_at    timestamptz not null default now()
);

create table if not exists svc.org (
    id         uuid primary key default svc.new_id(),
    name       text not null,
    created_at timestamptz not null default now()
);
create table if not exists svc.member (
    org_id     uuid not null references svc.org on delete cascade,
    account_id uuid not null references svc.account on delete cascade,
    role       text not null,
    joined_at  timestamptz not null default now(),
    primary key (org_id, account_id)
);
create index if not exists member_account on svc.member (account_id);

-- Rows as answers show them, and the form of times in them.
create or replace function svc.iso_time(t timestamptz) returns text language sql stable
return to_char(t at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');
create or replace function svc.user_json(a svc.account) returns text language sql stable
return json_build_object('id', a.id, 'email', a.email, 'name', a.name, 'isAdmin', a.is_admin, 'disabled', a.disabled,
    'role', a.persona)::text;
create or replace function svc.org_json(o svc.org, p_role text) returns text language sql stable
return json_build_object('id', o.id, 'name', o.name, 'role', p_role)::text;
create or replace function svc.member_json(a svc.account, p_role text, p_joined_at timestamptz) returns text
language sql stable
return json_build_object('userId', a.id, 'email', a.email, 'name', a.name, 'role', p_role,
    'joinedAt', svc.iso_time(p_joined_at))::text;

create or replace function svc.passkey_json(p svc.passkey) returns text language sql stable
return json_build_object('id', p.id, 'name', p.name, 'createdAt', svc.iso_time(p.created_at),
    'lastUsedAt', svc.iso_time(p.last_used_at))::text;

-- True where the caller's claims name the organisation and role that this account has in that organisation, and none
-- where it is no member.
create or replace function svc.same_member(p_account uuid, p_org uuid) returns boolean
language plpgsql stable as $$
declare
    now_in svc.member;
begin
    select * into now_in from svc.member m where m.org_id = p_org and m.account_id = p_account;
    return now_in.org_id is not distinct from svc.claim('org')::uuid
        and now_in.role is not distinct from svc.claim('orgRole');
end
$$;

-- Deletes links and sign-ins whose time is over, mails that ended a week ago or wait for a month, and sessions that
-- ended.
create or replace function svc.purge_accounts() returns void language sql security definer
set search_path = pg_catalog, pg_temp as $$
    delete from svc.token where expires_at < now() - interval '1 day'
        or (expires_at < now() and purpose like 'passkey%');
    delete from svc.mail where ended_at < now() - interval '7 days'
        or (created_at < now() - interval '30 days' and not held);
    delete from svc.session where expires_at < now();
$$;

-- Secrets of the project (SMTP_URL, a provider's client secret), sealed for this app's servers. svcd writes them.
create table if not exists svc.secret (
    name       text primary key,
    sealed     text not null,
    updated_at timestamptz not null default now()
);
-- Hosts that it may be sent to; null: its value says itself where it goes.
alter table svc.secret add column if not exists hosts text[];

revoke all on function svc.hold_session(bytea), svc.same_member(uuid, uuid), svc.proven_password(svc.account),
    svc.keep_audit(), svc.end_factors(), svc.purge_accounts(), svc.iso_time(timestamptz), svc.user_json(svc.account),
    svc.org_json(svc.org, text), svc.member_json(svc.account, text, timestamptz),
    svc.passkey_json(svc.passkey) from public;
grant execute on function svc.hold_session(bytea), svc.new_id(), svc.proven_password(svc.account), svc.purge_accounts(),
    svc.iso_time(timestamptz), svc.user_json(svc.account), svc.org_json(svc.org, text),
    svc.member_json(svc.account, text, timestamptz), svc.passkey_json(svc.passkey) to :system_role;
grant select on svc.secret to :system_role;
grant select, insert, update, delete on svc.token, svc.mail, svc.mfa, svc.backup_code, svc.passkey, svc.identity,
    svc.provider, svc.org, svc.member to :system_role;
grant select, insert on svc.audit to :system_role;
