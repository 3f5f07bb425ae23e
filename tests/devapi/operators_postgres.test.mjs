// A PostgreSQL of the operator's own, on which svcd may make databases and roles, and nothing more.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import test from 'node:test';
import { postgres } from '../lib/postgres.mjs';
import { Stack, sample } from '../lib/stack.mjs';

test('a role that may make databases and roles is enough', async () => {
  const server = await postgres();
  execFileSync('psql', ['-q', '-c', 'create role maker login createdb createrole', server.url]);
  const host = /host=([^&]+)/.exec(server.url)[1];
  const stack = await Stack.start({ DATABASE_URL: `postgresql:///postgres?host=${host}&user=maker` });
  try {
    await stack.signIn();
    const project = await stack.project('Elsewhere');
    await stack.apply(project, sample('shop'));
    const more = sample('shop');
    more.entities[0].fields.push({ name: 'colour', type: 'string' });
    await stack.apply(project, more);
    const headers = { authorization: `Bearer ${project.server}`, 'x-svc-data-api': '1' };
    const { json } = await stack.fetch('GET', '/__svc/api/v1/product', { headers });
    assert.equal(json.rows[0].sku, 'TEA-1');
    assert.equal(json.rows[0].colour, null);
    await stack.dev('DELETE', `/projects/${project.id}?confirm=${project.slug}`, undefined, { expect: 200 });
  } finally {
    await stack.stop();
    await server.stop();
  }
});
