// A database with the tables and functions of every app, and no app: what runs of workflows do there, without a server.
import { readFileSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { postgres } from './postgres.mjs';
import { Sql, literal } from './sql.mjs';
import { root } from './stack.mjs';

const retry = { max: 5, base: 2, factor: 2, cap: 600 };
const folder = join(root, 'runtime-support/schema');
const pathOf = Object.fromEntries(readdirSync(folder, { recursive: true }).map((path) => [basename(path), join(folder, path)]));
const textOf = (file) => readFileSync(pathOf[file], 'utf8');
const files = () => [...readFileSync(join(root, 'generator/migrate/system_sql.hpp'), 'utf8').matchAll(/"(\w+\.sql)"[,}]/g)]
  .map((it) => it[1]).filter((it) => it !== 'as.sql');

// Works as an apply does: the owner makes everything except svc_as.exec (migrate/caller_rights.cpp).
const system = (names) => `begin; set local role ${names.owner}; set local client_min_messages = warning;
${files().map(textOf).join('\n')
    .replaceAll(':data_role', names.data).replaceAll(':system_role', names.system)}
create schema svc_as; grant usage, create on schema svc_as to ${names.data};
set local role ${names.data}; ${textOf('as.sql')}
grant execute on function svc_as.exec to ${names.owner};
set local role ${names.owner}; revoke all on schema svc_as from ${names.data}; commit;`;

export class Engine {
  static async start() {
    const it = new Engine();
    it.server = await postgres();
    const name = `svc_engine_${process.pid}`;
    it.names = { owner: `${name}_o`, data: `${name}_d`, system: `${name}_s` };
    const admin = new Sql(it.server.url);
    for (const role of Object.values(it.names)) await admin.run(`create role ${role} login`);
    await admin.run(`create database ${name} owner ${it.names.owner}`);
    admin.close();
    it.url = it.server.url.replace('/postgres?', `/${name}?`);
    it.admin = await it.connect();
    await it.admin.run(system(it.names));
    it.worker = await it.connect(it.names.system);
    it.owner = await it.worker.json("select svc.new_incarnation('here')");
    return it;
  }

  // public.item, whose rows are their owners' for callers, and whose changes are recorded.
  async items() {
    await this.sql(`create table public.item (id uuid primary key default svc.new_id(), title text not null, user_id uuid);
      alter table public.item owner to ${this.names.owner}; alter table public.item enable row level security;
      create policy own on public.item for all to ${this.names.data} using (user_id = svc.user_id()) with check (user_id = svc.user_id());
      grant select, insert, update, delete on public.item to ${this.names.data};
      create trigger item_created after insert on public.item referencing new table as new_rows for each statement execute function svc.record_change();
      create trigger item_updated after update on public.item for each row execute function svc.record_change();
      create trigger item_deleted after delete on public.item referencing old table as old_rows for each statement execute function svc.record_change()`);
  }

  // No row of the app and no run.
  async empty() {
    await this.sql(`delete from public.item; truncate svc.run, svc.step, svc.element, svc.waiter, svc.slot, svc.run_key, svc.tick;
      update svc.claim_mark set low = '-infinity'; update svc.consumer set cursor = svc.change_cursor()`);
  }

  async count(rows) { return Number((await this.sql(`select count(*) from ${rows}`))[0]); }
  titles() { return this.sql('select title from public.item order by id').then((all) => all.join(',')); }

  // A connection of the administrator, or of a role.
  async connect(role) {
    const connection = new Sql(this.url);
    this.connections = [...(this.connections ?? []), connection];
    if (role) await connection.run(`set session authorization ${role}`);
    return connection;
  }

  async stop() {
    for (const it of this.connections) it.close();
    await this.server.stop();
  }

  sql(text) { return this.admin.run(text); }
  json(text) { return this.admin.json(text); }

  // SQLSTATE and message of what is refused; null of what is not. By `role`, or the administrator.
  async refused(text, role) {
    const body = role ? `set local role ${role}; ${text}` : text;
    return this.json(`do $do$ begin execute ${literal(body)}; perform set_config('test.told', 'null', false);
      exception when others then perform set_config('test.told', jsonb_build_object('code', sqlstate, 'message', sqlerrm)::text, false);
      end $do$; reset role; select current_setting('test.told')`);
  }

  // Flows as {name: {kind?, trigger?, steps, …}}. All that was there before leaves the contract.
  async flows(named, more = {}) {
    this.version = (this.version ?? 0) + 1;
    const flows = Object.entries(named).map(([name, { kind = 'workflow', trigger = { kind: 'manual' }, params = null, allow = [], ...rest }]) => ({
      name, kind, trigger, params, allow, hash: `${name} ${this.version}`, definition: { name, kind, runAs: 'system', ...rest },
    }));
    await this.sql(`set role ${this.names.owner}; select svc.set_flows(${literal(JSON.stringify({ flows, ...more }))}); reset role`);
  }

  start(workflow, input = {}, more = '') {
    return this.worker.run(`select svc.start_run(${literal(workflow)}, ${literal(JSON.stringify(input))}, '{"kind": "manual"}'${more})`)
      .then(([id]) => id || null);
  }

  async claim(limit = 100, owner, by = this.worker) {
    owner ??= await this.alive();
    return by.run(`select run || ' ' || fence from svc.claim_runs(${owner}, ${limit})`)
      .then((rows) => rows.map((row) => row.split(' ')).map(([run, fence]) => ({ run, fence, owner })));
  }

  // Its own process, which others may have taken for dead since it was heard of last.
  async alive() {
    if (!await this.worker.json(`select to_json(svc.beat(${this.owner}))`)) this.owner = await this.worker.json("select svc.new_incarnation('here')");
    return this.owner;
  }

  // `bound`: the seconds that it may take, where the one before said so.
  async advance({ run, fence, owner }, result = null, by = this.worker, bound = 0) {
    if (bound) await by.run(`set svc.bound = '${bound}'; set statement_timeout = '${bound}s'`);
    const answer = await by.json(`select svc.advance(${literal(run)}, ${owner}, ${fence}, ${literal(result && JSON.stringify(result))})`);
    if (bound) await by.run('reset statement_timeout; reset svc.bound');
    return answer;
  }

  // Works on all that is due until nothing is. What is to be done outside is done by `outside(request)`.
  async work(outside = () => ({ ok: true, output: {} })) {
    for (;;) {
      const claims = await this.claim();
      if (!claims.length) return;
      for (const claim of claims) {
        let answer = await this.advance(claim);
        while (answer.state === 'again' || answer.state === 'outside')
          answer = await this.advance(claim, answer.state === 'outside' ? { path: answer.path, ...outside(answer) } : null, this.worker, answer.bound);
      }
    }
  }

  run(id) { return this.worker.json(`select svc.read_run(${literal(id)})`); }
  async status(id) { return (await this.run(id)).status; }
  // Retries, sleeps and timeouts as if their time had come.
  hurry() {
    return this.sql(`update svc.run set due_at = clock_timestamp(), place = regexp_replace(place::text, '"until": "[^"]*"', '"until": "2000-01-01"', 'g')::jsonb
      where due_at > clock_timestamp() and owner is null`);
  }
}

// Steps. `sql` is an expression over the context $1 unless it is a whole statement.
const statement = (sql) => (/^(select|with) /.test(sql) ? sql : `select ${sql}`);
export const step = (kind, id, sql, more = {}) => ({ id, kind, runAs: 'system', retry, ...(sql === undefined ? {} : { sql: statement(sql) }), ...more });
export const insert = (id, title, more) => step('create', id,
  `with w as (insert into public.item (title) select ${title} returning *) select to_jsonb(w) from w`, more);
export const set = (id, value, more) => step('set', id, `jsonb_build_object('value', ${value})`, more);
export const http = (id) => step('http', id, "jsonb_build_object('url', 'u')");
