// A service with an app that is verified, and what tests ask of verifications.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { databaseOf, sql } from '../../lib/admin_sql.mjs';
import { signUp } from '../../lib/scenarios.mjs';
import { Stack } from '../../lib/stack.mjs';

export const failed = (report) => report.checks.filter(({ pass }) => pass === false);
export const check = (report, name) => report.checks.find((one) => one.name === name);

export function green(report) {
  assert.ok(report.pass, JSON.stringify(failed(report), null, 1));
  for (const { name, pass, ms, detail } of report.checks) {
    assert.notEqual(pass, false, name);
    assert.ok(ms >= 0);
    if (pass === null) assert.ok(detail.notRun, name);
    else assert.ok(detail.cases > 0 && detail.said, `${name} looked at nothing`);
  }
}

export const verifyPath = (project) => `/projects/${project.id}/verify`;
export const nothing = { databases: [], roles: [], processes: [], dumps: [], folders: [] };

export class Verifying {
  // `contract`: of the project that is meant if none is named. `env`: of svcd.
  static async start(name, contract, env = {}) {
    const world = new Verifying();
    world.stack = await Stack.start(env);
    try {
      await world.stack.signIn();
      world.project = await world.add(name, contract);
    } catch (error) {
      await world.stop();
      throw error;
    }
    return world;
  }

  async stop() { await this.stack.stop(); }

  async add(name, contract) {
    const project = await this.stack.project(name);
    await this.stack.apply(project, contract);
    return project;
  }

  // SQL in the database of dev, past all rules.
  dev(text, project = this.project) { return sql(this.stack, databaseOf(project), text); }

  async verify(project = this.project, expect = 200) {
    const { json } = await this.stack.dev('POST', verifyPath(project), {}, { expect });
    return json;
  }

  // Anna, a customer of the shop, and five orders of hers.
  async people() {
    const { stack, project: shop } = this;
    const host = `preview-${shop.slug}.localhost`;
    const ann = await signUp(stack, shop, host, 'anna', 'customer');
    const headers = { authorization: `Bearer ${shop.browser}`, origin: 'http://app.test', 'x-svc-data-api': '1', 'x-svc-app-session': ann.token };
    const product = this.dev('select id from product')[0][0];
    for (let n = 0; n < 5; n += 1) {
      const order = await stack.fetch('POST', '/__svc/api/v1/order', { headers, host, body: { note: `real ${n}` } });
      assert.equal(order.status, 201, order.text);
      const line = await stack.fetch('POST', '/__svc/api/v1/order_line', { headers, host, body: { order_id: order.json.rows[0].id, product_id: product, quantity: 1 } });
      assert.equal(line.status, 201, line.text);
    }
  }

  // Processes, databases, roles and files that a verification has while it runs.
  verifiers() {
    return readdirSync('/proc').filter((name) => /^\d+$/.test(name)).filter((pid) => {
      try {
        return readFileSync(join('/proc', pid, 'cmdline'), 'latin1').includes(this.stack.home) &&
          readFileSync(join('/proc', pid, 'environ'), 'latin1').split('\0').includes('SVC_BACKGROUND=off');
      } catch {
        return false;
      }
    });
  }

  left() {
    const admin = (text) => sql(this.stack, 'postgres', text).flat();
    const { home } = this.stack;
    return {
      databases: admin("select datname from pg_database where datname ~ 'verify' order by 1"),
      roles: admin("select rolname from pg_roles where rolname ~ 'verify' order by 1"),
      processes: this.verifiers(),
      dumps: existsSync(join(home, 'verify')) ? readdirSync(join(home, 'verify')) : [],
      folders: readdirSync(join(home, 'projects')).filter((id) => existsSync(join(home, 'projects', id, 'verify'))),
    };
  }

  // The rows and definitions of dev, except rows that its server writes regularly: that it is alive (process), and how
  // far it has searched for runs (claim_mark) and read changes (consumer). Nor what svcd found when it checked files.
  content(project = this.project) {
    return this.dev(`select string_agg(line, ',' order by line) from (
  select 'rows ' || c.relname || (xpath('/row/m/text()', query_to_xml(format('select md5(coalesce(string_agg(t::text, '''' order by t::text), '''')) as m from %s t', c.oid::regclass), true, true, '')))[1]::text as line
  from pg_class c where c.relkind = 'r' and c.relnamespace in ('public'::regnamespace, 'svc'::regnamespace) and c.oid not in ('svc.process'::regclass, 'svc.claim_mark'::regclass, 'svc.consumer'::regclass, 'svc.file_check'::regclass)
  union all select 'policy ' || polname || coalesce(pg_get_expr(polqual, polrelid), '') from pg_policy
  union all select 'schema ' || nspname from pg_namespace where nspname !~ '^pg_') x`, project).flat().join();
  }
}
