-- The platform's own data: builders, their workspaces and projects, and the credentials of both.
-- Runs at every start; every statement may run again. Each app has a separate database.

create table if not exists account (
    id            uuid primary key,
    email         text not null unique check (email = lower(email)),
    password_hash text,  -- argon2id; null: not set up yet
    created_at    timestamptz not null default now()
);

create table if not exists workspace (
    id         uuid primary key,
    name       text not null,
    created_at timestamptz not null default now()
);

create table if not exists member (
    workspace_id uuid not null references workspace on delete cascade,
    user_id      uuid not null references account on delete cascade,
    role         text not null check (role in ('owner', 'admin', 'developer', 'viewer')),
    joined_at    timestamptz not null default now(),
    primary key (workspace_id, user_id)
);
create index if not exists member_user on member (user_id);

-- A session is a signed token; it counts only while its row is here.
create table if not exists session (
    id         uuid primary key,
    user_id    uuid not null references account on delete cascade,
    created_at timestamptz not null default now(),
    expires_at timestamptz not null
);

-- One-time links for the first account. An earlier svcd used user_id to let members in.
create table if not exists setup_link (
    hash       text primary key,  -- SHA-256 of the value, hex, as all hashes here
    user_id    uuid references account on delete cascade,
    expires_at timestamptz not null,
    used_at    timestamptz
);

create table if not exists token (
    id           uuid primary key,
    user_id      uuid not null references account on delete cascade,
    workspace_id uuid not null references workspace on delete cascade,
    name         text not null,
    hash         text not null unique,
    prefix       text not null,
    scopes       jsonb not null,
    expires_at   timestamptz,
    last_used_at timestamptz,
    revoked_at   timestamptz,
    created_at   timestamptz not null default now()
);
create index if not exists token_user on token (user_id);

create table if not exists project (
    id           uuid primary key,
    workspace_id uuid not null references workspace,
    name         text not null,
    slug         text not null unique,
    description  text not null default '',
    created_by   uuid references account on delete set null,
    created_at   timestamptz not null default now(),
    updated_at   timestamptz not null default now()
);
create index if not exists project_workspace on project (workspace_id);

create table if not exists project_key (
    id         uuid primary key,
    project_id uuid not null references project on delete cascade,
    kind       text not null check (kind in ('browser', 'server', 'preview')),
    name       text not null,
    hash       text not null unique,
    prefix     text not null,
    origins    jsonb not null default '[]',
    tools      jsonb,  -- null: all
    models     jsonb,
    expires_at timestamptz,
    created_by uuid references account on delete set null,
    created_at timestamptz not null default now()
);
create index if not exists project_key_project on project_key (project_id);

-- Projects whose keys have changed and whose running servers may not know it yet. A trigger writes
-- the row in the transaction of the change. The row is deleted when every server has read the keys.
create table if not exists keys_unsent (
    project_id uuid primary key references project on delete cascade,
    changes    bigint not null default 1  -- since the row exists
);
do $$
begin
    if to_regclass('keys_untold') is not null then  -- its name in an earlier svcd
        insert into keys_unsent select project_id, changes from keys_untold on conflict do nothing;
        drop table keys_untold;
    end if;
end
$$;

create or replace function note_changed_keys() returns trigger language plpgsql as $$
begin
    insert into keys_unsent (project_id)
    select id from project where id = coalesce(new.project_id, old.project_id)
    on conflict (project_id) do update set changes = keys_unsent.changes + 1;
    return null;
end
$$;
create or replace trigger project_key_changed after insert or update or delete on project_key
    for each row execute function note_changed_keys();

-- Values that apps need and nobody may read: sealed under a key made from the master key. An
-- environment's own value wins over that for all.
create table if not exists project_secret (
    project_id uuid not null references project on delete cascade,
    name       text not null,
    env        text not null check (env in ('dev', 'prod', 'all')),
    sealed     bytea not null,  -- bound to project, name and environment
    key_id     text not null,   -- which master key sealed it
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    primary key (project_id, name, env)
);

-- Hosts that it may be sent to. Null: nobody has said, so it is sent nowhere. Secrets that are older
-- than this get those of the contract that was live then (`older`).
do $$
begin
    if not exists (select from pg_attribute where attrelid = 'project_secret'::regclass and attname = 'hosts') then
        alter table project_secret add column hosts text[], add column older boolean not null default false;
        update project_secret set older = true;
    end if;
end
$$;

-- Projects whose changed secrets some app database does not have yet.
create table if not exists secrets_unsent (
    project_id uuid primary key references project on delete cascade,
    changes    bigint not null default 1
);
do $$
begin
    if to_regclass('secrets_untold') is not null then  -- its name in an earlier svcd
        insert into secrets_unsent select project_id, changes from secrets_untold on conflict do nothing;
        drop table secrets_untold;
    end if;
end
$$;

create or replace function note_changed_secrets() returns trigger language plpgsql as $$
begin
    insert into secrets_unsent (project_id)
    select id from project where id = coalesce(new.project_id, old.project_id)
    on conflict (project_id) do update set changes = secrets_unsent.changes + 1;
    return null;
end
$$;
create or replace trigger project_secret_changed after insert or update or delete on project_secret
    for each row execute function note_changed_secrets();

-- Where the contract of dev sends secrets, so far as a change of somebody who may set them brought it
-- in: a value that comes without hosts gets these.
create table if not exists secret_sent (
    project_id uuid not null references project on delete cascade,
    name       text not null,
    host       text not null,
    primary key (project_id, name, host)
);

-- Changes of projects, a row for each apply from its plan to its end. A row without an end is also
-- the lease: one holder for each project, who must renew it and whose token is greater than all
-- earlier ones.
create sequence if not exists lease_token;
create table if not exists apply_run (
    id             uuid primary key,
    project_id     uuid not null references project on delete cascade,
    user_id        uuid references account on delete set null,  -- null: svcd itself
    kind           text not null check (kind in ('apply', 'rebuild', 'remove', 'migrate', 'deploy', 'rollback',
                                                 'restore', 'snapshot', 'unpublish')),
    stage          text not null default 'planned'
                   check (stage in ('planned', 'built', 'started', 'migrated', 'undoing', 'removing')),
    makes_database boolean not null default false,  -- there was none before it
    holder         text not null,                   -- the data folder of a svcd
    token          bigint not null default nextval('lease_token'),
    expires_at     timestamptz not null,
    started_at     timestamptz not null default now(),
    -- null: under way
    ended_at       timestamptz,
    status         text check (status in ('applied', 'invalid', 'refused', 'failed')),
    recovered      text check (recovered in ('forwards', 'backwards')),  -- its holder was gone
    version        bigint,
    error          text not null default ''
);
create unique index if not exists apply_run_lease on apply_run (project_id) where ended_at is null;
create index if not exists apply_run_project on apply_run (project_id, started_at);
drop table if exists apply_history;
alter table apply_run add column if not exists env text not null default 'dev';
alter table apply_run add column if not exists subject uuid;  -- the deployment or snapshot that it is about
alter table apply_run drop constraint if exists apply_run_kind_check;  -- of an earlier svcd
alter table apply_run add constraint apply_run_kind_check
    check (kind in ('apply', 'rebuild', 'remove', 'migrate', 'deploy', 'rollback', 'restore', 'snapshot', 'unpublish'));
alter table apply_run drop constraint if exists apply_run_stage_check;
alter table apply_run add constraint apply_run_stage_check
    check (stage in ('planned', 'built', 'started', 'migrated', 'undoing', 'removing', 'loaded', 'exchanged'));

-- Deployments and how they ended. One for each project and environment is live.
create table if not exists deployment (
    id         uuid primary key,
    project_id uuid not null references project on delete cascade,
    env        text not null check (env in ('prod', 'preview')),
    subdomain  text not null,
    status     text not null default 'deploying'
               check (status in ('deploying', 'live', 'superseded', 'rolled_back', 'failed')),
    version    bigint not null,  -- of the contract in dev that it promotes
    contract   text not null,
    verify     jsonb,            -- the report; null: verification was skipped
    binary_path text not null default '',
    error      text not null default '',
    created_by uuid references account on delete set null,
    created_at timestamptz not null default now()
);
create index if not exists deployment_project on deployment (project_id, env, created_at);
create unique index if not exists deployment_live on deployment (project_id, env) where status = 'live';

-- The contracts of dev by version, as their authors wrote them: what a later change started from, and what
-- has become of it since. The newest ones; a version that never became live is written over by the next.
create table if not exists contract_version (
    project_id uuid not null references project on delete cascade,
    version    bigint not null,
    contract   text not null,
    user_id    uuid references account on delete set null,
    created_at timestamptz not null default now(),
    primary key (project_id, version)
);

-- The project that answers on <name>.<apps domain>. A deploy holds a name that is not live yet.
create table if not exists subdomain (
    name       text primary key,
    project_id uuid not null references project on delete cascade,
    env        text not null check (env in ('prod', 'preview')),
    live       boolean not null default false
);
create index if not exists subdomain_project on subdomain (project_id, env);

-- Which database an environment has, if it is not its first one: a restore makes a new one, and this row
-- is the exchange.
create table if not exists project_database (
    project_id uuid not null references project on delete cascade,
    env        text not null,
    generation bigint not null check (generation > 1),
    primary key (project_id, env)
);

-- Copies of databases in files. They outlive their project.
create table if not exists snapshot (
    id         uuid primary key,
    project_id uuid not null,
    env        text not null check (env in ('dev', 'prod', 'preview')),
    reason     text not null,  -- manual, deploy, restore, sql, delete
    note       text not null default '',
    file       text not null,  -- below <home>/snapshots
    bytes      bigint not null,
    sha256     text not null,
    version    bigint not null,  -- of the contract that it follows
    counts     jsonb not null,   -- rows, by table
    created_by uuid,
    created_at timestamptz not null default now()
);
create index if not exists snapshot_project on snapshot (project_id, env, created_at);

-- Requests a minute: of browser keys and preview tokens, and of server keys. Null: svcd's own setting.
alter table project add column if not exists rate_browser integer;
alter table project add column if not exists rate_server integer;

-- Keys carry the limits to the servers.
create or replace function note_changed_limits() returns trigger language plpgsql as $$
begin
    insert into keys_unsent (project_id) values (new.id)
    on conflict (project_id) do update set changes = keys_unsent.changes + 1;
    return null;
end
$$;
create or replace trigger project_limits_changed after update on project
    for each row when (old.rate_browser is distinct from new.rate_browser
                       or old.rate_server is distinct from new.rate_server)
    execute function note_changed_limits();

-- Hosts of a project's own, each of one project alone; they answer with prod.
create table if not exists project_domain (
    host       text primary key check (host = lower(host)),
    project_id uuid not null references project on delete cascade,
    created_at timestamptz not null default now()
);
create index if not exists project_domain_project on project_domain (project_id);
-- Any number of projects may ask for a host. The one with its token in a TXT record has it. Hosts
-- from before records were required stay until somebody shows a record.
do $$
begin
    if not exists (select from pg_attribute where attrelid = 'project_domain'::regclass and attname = 'token') then
        alter table project_domain add column token text,
            add column proof text check (proof in ('dns', 'skipped', 'before'));
        update project_domain set token = replace(gen_random_uuid()::text, '-', ''), proof = 'before';
        alter table project_domain alter column token set not null, drop constraint project_domain_pkey,
            add primary key (host, project_id);
    end if;
end
$$;
create unique index if not exists project_domain_proven on project_domain (host) where proof is not null;

-- A client that asks to be signed in by a person at a browser. Both codes are of one use and short
-- life; the person's decision comes with a ticket that their password earned.
create table if not exists cli_login (
    id           uuid primary key,
    device_hash  text not null unique,
    code_hash    text not null unique,
    client       text not null,  -- as it calls itself
    address      text not null,
    created_at   timestamptz not null default now(),
    expires_at   timestamptz not null,
    polled_at    timestamptz,
    ticket_hash  text,
    user_id      uuid references account on delete cascade,  -- who was asked last
    workspace_id uuid references workspace on delete cascade,
    decision     text check (decision in ('approved', 'refused')),
    used_at      timestamptz
);

-- The audit of builders. Rows are only added: the trigger refuses changes by svcd. No foreign keys:
-- entries outlive their subjects.
create table if not exists audit (
    id           bigint generated always as identity primary key,
    at           timestamptz not null default now(),
    user_id      uuid,
    email        text not null default '',
    auth         text not null default '',  -- session, pat
    workspace_id uuid,
    project_id   uuid,
    action       text not null,             -- method and pattern of the route
    target       text not null default '',  -- what else the path named
    address      text not null,
    status       integer not null,
    code         text not null default ''
);
create index if not exists audit_workspace on audit (workspace_id, id desc);
create or replace function keep_audit() returns trigger language plpgsql as $$
begin
    raise exception using errcode = '42501', message = 'Audit entries can only be added, not changed or deleted.';
end
$$;
create or replace trigger audit_kept before update or delete on audit
    for each row execute function keep_audit();
create or replace trigger audit_not_emptied before truncate on audit
    for each statement execute function keep_audit();

-- Second factors of builders. The secret is sealed under a key made from the master key.
create table if not exists account_totp (
    user_id      uuid primary key references account on delete cascade,
    sealed       bytea not null,  -- bound to the account
    key_id       text not null,   -- which master key sealed it
    confirmed_at timestamptz,     -- null: shown, and not proven yet
    last_step    bigint not null default 0,  -- of time: a code is used once
    created_at   timestamptz not null default now()
);
create table if not exists account_backup_code (
    user_id uuid not null references account on delete cascade,
    hash    text not null,
    used_at timestamptz,
    primary key (user_id, hash)
);
create table if not exists account_passkey (
    id           uuid primary key,
    user_id      uuid not null references account on delete cascade,
    credential   text not null unique,  -- base64url, as is the key
    algorithm    integer not null,      -- COSE
    public_key   text not null,
    sign_count   bigint not null,
    transports   jsonb not null default '[]',
    name         text not null default '',
    created_at   timestamptz not null default now(),
    last_used_at timestamptz
);
create index if not exists account_passkey_user on account_passkey (user_id);
-- Sign-ins that wait for a second factor, and challenges for a new passkey. Each works once.
create table if not exists factor_step (
    hash           text primary key,
    kind           text not null check (kind in ('sign_in', 'register')),
    user_id        uuid not null references account on delete cascade,
    challenge_hash text,  -- of a sign-in: the challenge for a passkey; null: it was used
    tries          integer not null default 0,
    expires_at     timestamptz not null
);
create or replace function has_factor(account uuid) returns boolean language sql stable
return exists (select from account_totp t where t.user_id = account and t.confirmed_at is not null)
    or exists (select from account_passkey p where p.user_id = account);
-- Whether the factor was shown in it, and whether members must have one.
alter table session add column if not exists second_factor boolean not null default false;
alter table workspace add column if not exists require_mfa boolean not null default false;

-- Null: nobody has shown yet that the address is theirs, by a link that its mailbox alone has seen.
alter table account add column if not exists proven_at timestamptz;

create or replace function role_rank(role text) returns integer language sql immutable
return array_position(array['viewer', 'developer', 'admin', 'owner'], role);

-- Open invitations. An invitation is not a membership and gives no right. The person who opens its
-- link joins as the account of this address, and as no other.
create table if not exists invitation (
    id           uuid primary key,  -- the member's id until there is a member
    workspace_id uuid not null references workspace on delete cascade,
    email        text not null check (email = lower(email)),
    role         text not null check (role in ('owner', 'admin', 'developer', 'viewer')),
    invited_by   uuid not null references account on delete cascade,
    hash         text not null unique,
    mailed       boolean not null,  -- the mailbox alone has seen the link
    created_at   timestamptz not null default now(),
    expires_at   timestamptz not null,
    unique (workspace_id, email)
);
create index if not exists invitation_by on invitation (invited_by);
-- The invitation of a member: its id also names the member.
alter table member add column if not exists invited_as uuid;

-- Members of an earlier svcd who had not set up their account are invited; their link stays good.
insert into invitation (id, workspace_id, email, role, invited_by, hash, mailed, expires_at)
select a.id, m.workspace_id, a.email, m.role, o.user_id, s.hash, false, s.expires_at
from setup_link s join account a on a.id = s.user_id and a.password_hash is null
join member m on m.user_id = a.id
join lateral (select user_id from member where workspace_id = m.workspace_id and role = 'owner'
              and user_id <> a.id order by joined_at limit 1) o on true
where s.used_at is null on conflict do nothing;
delete from member m using setup_link s, account a
where s.user_id = m.user_id and s.used_at is null and a.id = m.user_id and a.password_hash is null;
delete from setup_link where user_id is not null;

-- An earlier svcd let invitations of members sleep who were given a lower role than could make them.
delete from invitation i using member m
where m.workspace_id = i.workspace_id and m.user_id = i.invited_by
  and (role_rank(m.role) < role_rank('admin') or role_rank(m.role) < role_rank(i.role));

-- Mails of svcd's own. The links in them are credentials: a mail that was sent is not kept.
create table if not exists outgoing_mail (
    id            uuid primary key,
    invitation_id uuid not null references invitation on delete cascade,
    recipient     text not null,
    subject       text not null,
    body          text not null,
    attempts      integer not null default 0,
    next_at       timestamptz not null default now(),
    error         text not null default '',
    ended_at      timestamptz,  -- given up
    created_at    timestamptz not null default now()
);
create index if not exists outgoing_mail_next on outgoing_mail (next_at) where ended_at is null;
do $$
begin
    if to_regclass('letter') is not null then  -- its name in an earlier svcd
        lock table letter in access exclusive mode;  -- another svcd may write a mail right now
        insert into outgoing_mail (id, invitation_id, recipient, subject, body, attempts, next_at, error, ended_at,
                                   created_at)
        select id, invitation_id, recipient, subject, body, attempts, next_at, error, ended_at, created_at from letter
        on conflict do nothing;
        drop table letter;
    end if;
end
$$;

-- Unix users of app servers, where svcd is root (apps/process/app_users.hpp). No reference: a number is given back when
-- nothing of its project is left on the disk either.
create table if not exists unix_user (
    uid        integer primary key,
    project_id uuid not null,
    purpose    text not null,  -- app, verify
    unique (project_id, purpose)
);

-- Times as the developer API prints them.
create or replace function iso(at timestamptz) returns text language sql stable
return to_char(at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');
