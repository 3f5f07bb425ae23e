// POST /data/migrate: unmanaged tables, who may add them, and what the next apply does with them.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import http from 'node:http';
import test, { after, before } from 'node:test';
import { asAdmin, databaseOf, sql } from '../lib/admin_sql.mjs';
import { request } from '../lib/http.mjs';
import { Stack, appServers, sample, until } from '../lib/stack.mjs';

const path = '/__svc/data/migrate';
let stack, project, other, host;
before(async () => {
  stack = await Stack.start();
  await stack.signIn();
  project = await stack.project('Migrated');
  other = await stack.project('Other');
  host = `preview-${project.slug}.localhost`;
  await stack.apply(project, sample('hello'));
});
after(() => stack?.stop());

const server = () => ({ authorization: `Bearer ${project.server}`, 'x-svc-data-api': '1' });
const migrate = (text, headers = server()) => stack.fetch('POST', path, { headers, host, body: { sql: text } });
const admin = (text) => sql(stack, databaseOf(project), text).map((row) => row.join('|')).join('\n');
const nothing = { ok: true, rows: [], rowCount: 0, fields: [], truncated: false };
// The content of a dump of the schema. Temporary tables are no part of it: a svcd that has come back compares files.
const everything = () => admin(`select md5(string_agg(x::text, '' order by x::text)) from (
  select relname::text as x, relkind::text, relacl::text, relrowsecurity::text, reltuples::text from pg_class where relnamespace not in ('pg_catalog'::regnamespace, 'pg_toast'::regnamespace) and relpersistence <> 't'
  union all select attrelid::regclass::text, attname, atttypid::text, attnotnull::text, attnum::text from pg_attribute where attrelid in (select oid from pg_class where oid >= 16384 and relpersistence <> 't') and attnum > 0
  union all select conrelid::regclass::text, conname, pg_get_constraintdef(oid), '', '' from pg_constraint where oid >= 16384 and connamespace::regnamespace::text !~ '^pg_temp'
  union all select typname, typtype::text, '', '', '' from pg_type where oid >= 16384 and typnamespace::regnamespace::text !~ '^pg_(toast_)?temp'
  union all select proname, prosrc, '', '', '' from pg_proc where oid >= 16384
  union all select objoid::text, description, '', '', '' from pg_description where objoid >= 16384
  union all select rolname, rolsuper::text, rolconfig::text, '', '' from pg_roles) x`);

test('a server key adds tables, which nobody reads through the app', async () => {
  const answer = await migrate(`
    create type mood as enum ('good', 'bad');
    create table note (id uuid primary key default gen_random_uuid(), body text not null default '', mood mood, at timestamptz default now(),
      check (length(body) < 100));
    create unique index on note (lower(body)); -- one each
    comment on table note is 'of mine'; comment on column note.body is 'what it says'`);
  assert.equal(answer.status, 200, answer.text);
  assert.deepEqual(answer.json, nothing);
  assert.deepEqual((await migrate('alter table note add column if not exists rank int default 7')).json, nothing);
  admin("insert into note (body, mood) values ('kept', 'good')");
  assert.equal(admin('select rank from note'), '7');
  const owner = admin("select tableowner from pg_tables where tablename = 'note'");
  assert.equal(owner, `${databaseOf(project)}_owner`);
  for (const role of ['data', 'system'])
    assert.equal(admin(`select has_table_privilege('${databaseOf(project)}_${role}', 'note', 'select, insert, update, delete')`), 'f');
  const call = (route, body) => stack.fetch('POST', `/__svc/data/${route}`, { headers: server(), host, body });
  const read = await call('query', { sql: 'select body from note' });
  assert.ok([400, 403].includes(read.status) && !read.text.includes('kept'), read.text);
  assert.equal((await call('exec', { sql: 'delete from note' })).status, 400);
  assert.ok(!(await call('schema', {})).text.includes('note'));
  assert.equal((await stack.fetch('GET', '/__svc/api/v1/note', { headers: server(), host })).json.error.code, 'TABLE_FORBIDDEN');
  const { json } = await stack.dev('GET', `/projects/${project.id}`);
  assert.deepEqual(json.state.applies.map(({ kind }) => kind), ['apply'], 'applies are told, not this');
});

test('POST /data/migrate is answered at every address of the app, between other requests of a connection', async () => {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  const send = (method, target, headers, body) => request({ port: stack.port, method, path: target, headers: { ...server(), ...headers }, body, agent });
  for (const [base, headers] of [['', { host }], [`/preview/${project.id}`, {}], ['', {}]]) {
    assert.equal((await send('GET', `${base}/__svc/api/v1/reading`, headers)).status, 200);
    const answer = await send('POST', base + path, headers, { sql: 'create table if not exists other (a int)', params: [] });
    assert.equal(answer.status, 200, answer.text);
    assert.equal((await send('GET', `${base}/__svc/api/v1/reading`, headers)).status, 200);
  }
  agent.destroy();
  assert.equal((await stack.fetch('GET', path, { headers: server(), host })).status, 405);
});

test('callers without the right are refused as on other routes', async () => {
  const as = (headers, more = {}) => stack.fetch('POST', path, { headers, host, body: { sql: 'create table never (a int)' }, ...more });
  const marker = { 'x-svc-data-api': '1' };
  const browser = { authorization: `Bearer ${project.browser}`, ...marker };
  const { json: { token } } = await stack.dev('POST', `/projects/${project.id}/preview-token`);
  const refusals = [
    [marker, 401, 'UNAUTHORIZED'], [{ ...marker, authorization: 'Bearer dpk_s_wrong' }, 401, 'UNAUTHORIZED'],
    [{ ...marker, authorization: `Bearer ${other.server}` }, 401, 'UNAUTHORIZED'], [{ ...marker, authorization: `Bearer ${stack.session}` }, 401, 'UNAUTHORIZED'],
    [{ authorization: `Bearer ${project.server}` }, 400, 'PARAMS_INVALID'], [browser, 403, 'ORIGIN_REQUIRED'],
    [{ ...browser, origin: 'http://app.test' }, 403, 'SERVER_KEY_REQUIRED'], [{ ...marker, authorization: `Bearer ${token}` }, 403, 'SERVER_KEY_REQUIRED'],
    [{ ...server(), 'x-svc-app-session': 'svc_s_x' }, 403, 'SERVER_KEY_REQUIRED'], [{ ...server(), 'x-svc-env': 'prod' }, 404, 'NO_APP'],
    [{ ...server(), 'x-svc-env': 'test' }, 400, 'PARAMS_INVALID'],
  ];
  for (const [headers, status, code] of refusals) {
    const answer = await as(headers);
    assert.deepEqual([answer.status, answer.json.ok, answer.json.error.code], [status, false, code], JSON.stringify(headers));
    const raw = await stack.fetch('POST', '/__svc/data/query', { headers, host, body: { sql: 'select 1' } });
    if (status !== 403 || code !== 'SERVER_KEY_REQUIRED' || headers.origin) assert.deepEqual([raw.status, raw.json.error.code], [status, code], 'as /data/query');
  }
  assert.equal((await as({ ...browser, origin: 'http://app.test' })).headers['access-control-allow-origin'], 'http://app.test');
  await stack.dev('POST', `/projects/${project.id}/keys`, { name: 'gone', kind: 'server', origins: [] }).then(async ({ json }) => {
    const headers = { ...marker, authorization: `Bearer ${json.key}` };
    assert.equal((await stack.fetch('POST', path, { headers, host, body: { sql: 'create index on note (rank)' } })).status, 200);
    await stack.dev('DELETE', `/projects/${project.id}/keys/${json.id}`);
    assert.equal((await as(headers)).status, 401);
  });
  for (const body of [undefined, '{', '[]', {}, { sql: 1 }, { sql: 'create table never (a int)', more: 1 }, { sql: 'create table never (a int)', params: [1] },
    { sql: 'create table never (a int)', params: 'x' }, { sql: 'create table never (a text default \'\u0000\')' }]) {
    const answer = await as(server(), { body });
    assert.deepEqual([answer.status, answer.json.ok], [400, false], `${JSON.stringify(body)}: ${answer.text}`);
  }
  assert.equal((await as(server(), { body: { sql: ' '.repeat(70_000) } })).status, 413);
  assert.equal(admin("select to_regclass('public.never') is null"), 't');
});

test('nothing but additions beside the contract runs', async () => {
  const data = `${databaseOf(project)}_data`;
  admin(`create function public.length(jsonb) returns int language sql immutable as 'select 1';
    create function public.same(text, text) returns boolean language sql immutable as 'select true';
    create operator public.=== (leftarg = text, rightarg = text, function = public.same); create domain public.short as text check (length(value) < 5);
    create table public.by_hand (a int)`);
  const attacks = [
    'do $$ begin create table never (a int); end $$', 'create table never as select 1', 'drop table note', 'drop table reading', 'delete from reading', 'truncate reading',
    `grant all on note to "${data}"`, `alter table note owner to "${data}"`, `alter role "${data}" superuser`, `set role "${data}"`, 'reset role', 'commit', 'create table never (a int); commit; begin',
    'alter table reading add column a int', 'alter table "reading" add a int', 'alter table public.reading add a int', 'create index on reading (day)', 'comment on table reading is $$x$$',
    'create table if not exists reading (a int)', 'alter table svc.app_key add a int', 'create table svc.never (a int)', 'create index on svc.account (email)', 'create table svc_never (a int)',
    'create table pg_temp.never (a int)', 'create temp table never (a int)', 'create unlogged table never (a int)', 'create table never () inherits (reading)', 'create table never (like svc.app_key)',
    'create table never (a reading)', 'create table never (a short)', 'create table never (a uuid references svc.account)', 'create table never (d date references reading (day))',
    `create table never (a text default current_user)`, `create table never (a text default set_config('role', 'svc_admin', false))`, `alter table note add a text default pg_read_file('/etc/passwd')`,
    `alter table note add b text default (select string_agg(hash::text, ',') from svc.app_key)`, 'create table never (a jsonb check (length(a) > 1))', `create table never (a text check (a === 'x'))`,
    `create index on note ((body === 'x'))`, 'create function f() returns int language sql security definer as $$select 1$$', 'create trigger t before insert on note for each row execute function f()',
    'create view never as select * from svc.app_key', 'create extension dblink', 'copy note from program $$id$$', 'alter table by_hand add b int', 'create index on by_hand (a)',
    'create table never (a int) tablespace pg_global', 'alter table note add constraint c check (true)', 'alter table note disable trigger all', 'alter table note add a int, drop column body',
    `create table never (a text default '\\'); drop table note; --')`, `create table never (a text default $a$ $a$); select 1`, 'create table "ne;ver" (a int)', 'create table never (a int)/*;*/;select/**/1',
  ];
  const before = everything();
  for (const attack of attacks) {
    const answer = await migrate(attack);
    assert.deepEqual([answer.status, answer.json.ok], [400, false], `${attack}: ${answer.status} ${answer.text}`);
  }
  assert.equal(everything(), before);
  const told = await migrate('alter table reading add column a int');
  assert.equal(told.json.error.code, 'PARAMS_INVALID');
  assert.match(told.json.error.message, /"reading" is an entity's table: change the contract/);
  admin('drop operator public.=== (text, text); drop function public.length(jsonb), public.same; drop domain public.short; drop table public.by_hand');
});

test('all statements run or none, and the database says why', async () => {
  const before = everything();
  const half = await migrate('create table never (a int); create table note (a int)');
  assert.deepEqual([half.status, half.json.error.code], [400, '42P07'], half.text);
  assert.equal((await migrate('create index on nobody (a)')).json.error.code, '42P01');
  assert.equal((await migrate('alter table note add a int not null')).json.error.code, '23502');
  assert.equal(everything(), before);
  admin("insert into note (body, rank) values ('more', 7)");
  const twice = await migrate('create unique index on note (rank)');
  assert.deepEqual([twice.status, twice.json.error.code], [409, 'CONFLICT'], twice.text);
  admin("delete from note where body = 'more'");
});

test('a reference to an entity by its id is taken, and holds', async () => {
  assert.equal((await migrate('create table remark (id uuid primary key, reading_id uuid references reading on delete cascade, note_id uuid references note (id))')).status, 200);
  admin("insert into reading (day) values ('2026-01-02'); insert into remark select gen_random_uuid(), id from reading where day = '2026-01-02'");
  assert.throws(() => admin("insert into remark values (gen_random_uuid(), gen_random_uuid())"));
  admin("delete from reading where day = '2026-01-02'");
  assert.equal(admin('select count(*) from remark'), '0');
});

test('nobody waits long for it, and it waits for no apply', async () => {
  const { args, env } = asAdmin(stack, databaseOf(project));
  const holder = spawn('psql', args, { env, stdio: ['pipe', 'pipe', 'inherit'] });
  holder.stdin.write("begin; lock table note in access share mode; select 'held';\n");
  await new Promise((done) => holder.stdout.once('data', done));
  const busy = await migrate('alter table note add never int');
  assert.deepEqual([busy.status, busy.json.error.code, busy.headers['retry-after']], [503, 'UNAVAILABLE', '1'], busy.text);
  const gone = new Promise((done) => holder.once('exit', done));
  holder.stdin.end('rollback;\n');
  await gone;

  // An apply of another svcd.
  sql(stack, 'svc_platform', `insert into apply_run (id, project_id, kind, holder, expires_at) values (gen_random_uuid(), '${project.id}', 'apply', 'elsewhere', now() + interval '1 hour')`);
  const refused = await migrate('create table never (a int)');
  assert.deepEqual([refused.status, refused.json.error.code], [409, 'CONFLICT'], refused.text);
  sql(stack, 'svc_platform', `delete from apply_run where holder = 'elsewhere'`);
  admin('update svc.contract set fence = 1000000');
  assert.equal((await migrate('create table never (a int)')).status, 503, 'overtaken');
  admin('update svc.contract set fence = 0');
  assert.equal((await migrate('create table later (id uuid primary key, "at" date)')).status, 200);
  assert.deepEqual(sql(stack, 'svc_platform', 'select kind from apply_run where ended_at is null'), []);
});

test('an apply leaves such tables, lists them, and takes them over where an entity has their name', async () => {
  const contract = sample('hello');
  const { json } = await stack.apply(project, contract);
  const tables = (answer) => answer.unmanaged.filter(({ kind }) => kind === 'table').map(({ table }) => table).sort();
  assert.deepEqual(tables(json), ['later', 'note', 'other', 'remark']);
  assert.equal(admin('select body from note'), 'kept');

  const entity = (name, fields) => ({ name, owner: 'none', fields, access: { read: '*' } });
  const wrong = sample('hello');
  wrong.entities.push(entity('other', [{ name: 'a', type: 'integer' }]));
  const refused = await stack.apply(project, wrong, 422);
  assert.deepEqual(refused.json.report.errors.map(({ code, path: at }) => [code, at]), [['TABLE_IN_THE_WAY', '/entities/1']]);
  wrong.entities[1] = entity('mood', [{ name: 'a', type: 'integer' }]);
  const [told] = (await stack.apply(project, wrong, 422)).json.report.errors;
  assert.deepEqual([told.code, told.path], ['MIGRATION_FAILED', '/entities/1']);
  assert.match(told.message, /refused to create the table mood: type "mood" already exists/);
  assert.match(told.fix, /drop or rename it there, or choose another name/);

  contract.entities.push(entity('note', [{ name: 'body', type: 'text' }]));
  const taken = await stack.apply(project, contract);
  assert.ok(taken.json.warnings.some(({ code }) => code === 'TABLE_ADOPTED'), JSON.stringify(taken.json.warnings));
  assert.deepEqual(tables(taken.json), ['later', 'other', 'remark']);
  const rows = await stack.fetch('GET', '/__svc/api/v1/note', { headers: server(), host });
  assert.deepEqual(rows.json.rows.map(({ body }) => body), ['kept']);
  assert.equal((await migrate('alter table note add never int')).status, 400, 'it is an entity now');
});

test('a svcd that comes back still knows what was added', async () => {
  const before = everything();
  stack.child.kill('SIGKILL');
  await stack.ended;
  await stack.run();
  await until('the app', async () => (await stack.fetch('GET', '/__svc/api/v1/note', { headers: server(), host })).status === 200);
  assert.equal(everything(), before);
  assert.equal((await migrate('create table last (a int)')).status, 200);
  assert.ok(appServers(project).length > 0);
});
