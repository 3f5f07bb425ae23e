// A service with a shop, and what tests of publishing ask of both.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { appServers } from '../../faults/victims.mjs';
import { databaseOf, sql } from '../../lib/admin_sql.mjs';
import { deploy } from '../../lib/published.mjs';
import { Stack, sample } from '../../lib/stack.mjs';

export const products = '/__svc/api/v1/product';
export const asManager = { 'x-svc-app-role': 'manager' };
export const prodOf = (project) => databaseOf(project).replace(/_dev$/, '_prod');
export const hostOf = (label) => `${label}.localhost`;
export const headersOf = (project, more = {}) => ({ authorization: `Bearer ${project.server}`, 'x-svc-data-api': '1', ...more });
export const nothingLeft = { databases: [], roles: [], names: [], servers: 0, folder: false };

// The servers of a project that were started for prod (p) or a preview (v).
export const serversOf = (stack, project, kind) =>
  appServers(stack.home).filter((p) => p.words[2].includes(`${project.id.replaceAll('-', '').slice(-12)}/${kind}-`));

export class Publishing {
  static async start() {
    const world = new Publishing();
    world.stack = await Stack.start();
    try {
      await world.stack.signIn();
      world.shop = await world.stack.project('Shop');
    } catch (error) {
      await world.stop();
      throw error;
    }
    return world;
  }

  // The shop is live on dev and prod, and prod has a row of its own.
  static async published() {
    const world = await Publishing.start();
    try {
      await world.stack.apply(world.shop, sample('shop'));
      const answer = await deploy(world.stack, world.shop);
      assert.ok(answer.deployment, JSON.stringify(answer));
      await world.sell(world.shop.slug, 'PROD-1');
    } catch (error) {
      await world.stop();
      throw error;
    }
    return world;
  }

  async stop() { await this.stack.stop(); }

  ask(project, label, path, more = {}) {
    const { method = 'GET', headers, body } = more;
    return this.stack.fetch(method, path, { headers: headersOf(project, headers), host: hostOf(label), body });
  }

  // A product of the shop, made where `label` leads.
  async sell(label, sku, price = 1) {
    const made = await this.ask(this.shop, label, products, { method: 'POST', headers: asManager, body: { sku, title: sku, price } });
    assert.equal(made.status, 201, made.text);
    return made.json.rows[0];
  }

  async history(project, more = '') {
    return (await this.stack.dev('GET', `/projects/${project.id}/deploys${more}`, undefined, { expect: 200 })).json.deployments;
  }

  async environments(project) {
    return (await this.stack.dev('GET', `/projects/${project.id}`, undefined, { expect: 200 })).json.environments;
  }

  deletePreview(project, more) { return this.stack.dev('DELETE', `/projects/${project.id}/preview`, undefined, more); }

  // The remains of a project's preview.
  leftOf(project) {
    const { stack } = this;
    const preview = prodOf(project).replace(/_prod$/, '_preview');
    return {
      databases: sql(stack, 'postgres', `select datname from pg_database where datname like '${preview}%'`).flat(),
      roles: sql(stack, 'postgres', `select rolname from pg_roles where rolname like '${preview}%'`).flat(),
      names: sql(stack, 'svc_platform', `select name from subdomain where project_id = '${project.id}' and env = 'preview'`).flat(),
      servers: serversOf(stack, project, 'v').length,
      folder: existsSync(join(stack.home, 'projects', project.id, 'preview')),
    };
  }
}
