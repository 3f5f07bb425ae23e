// Whether what serves is whole: contract, record, schema, binary, routes, files and rows of one and the
// same apply, and nothing else is left of any other.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { asAdmin, databaseOf, sql } from '../lib/admin_sql.mjs';
import { until } from '../lib/stack.mjs';
import { appServers, executable, strayCompilers } from './victims.mjs';

export { asAdmin, databaseOf, sql };

const fieldsOf = (contract) => contract.entities[0].fields.map((field) => field.name);

async function rowOf(stack, project) {
  const headers = { authorization: `Bearer ${project.server}`, 'x-svc-data-api': '1' };
  const answer = await stack.fetch('GET', '/__svc/api/v1/reading?limit=1', { headers, host: `preview-${project.slug}.localhost` });
  return answer.json?.ok ? answer.json : null;
}

function filesAreWhole(stack, project, contract) {
  const folder = join(stack.home, 'projects', project.id, 'dev', 'generated');
  const { files, writing } = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'));
  assert.equal(writing, undefined, 'files are half written');
  for (const [path, digest] of Object.entries(files)) {
    assert.equal(createHash('sha256').update(readFileSync(join(folder, path))).digest('hex'), digest, path);
  }
  assert.deepEqual(JSON.parse(readFileSync(join(folder, 'svc.json'), 'utf8')), contract);
}

// Until no change is under way; then what the last ones were, newest first.
export async function settled(stack, project) {
  let runs;
  await until('changes to be settled', async () => {
    runs = (await stack.dev('GET', `/projects/${project.id}`).catch(() => null))?.json?.state?.applies;
    return runs && runs.every((run) => run.status !== 'running');
  });
  return runs;
}

// `old` and `next`: contracts; old null if there was none. Which of them serves.
export async function whole(stack, project, old, next) {
  await settled(stack, project);
  const { contract } = (await stack.dev('GET', `/projects/${project.id}/contract`, undefined, { expect: 200 })).json;
  const live = contract === null ? null : { ...contract, seeds: {} };
  const which = [next, old].find((one) => JSON.stringify(one) === JSON.stringify(live));
  assert.notEqual(which, undefined, `neither old nor new: ${JSON.stringify(live)}`);
  if (which === null) {
    assert.deepEqual(sql(stack, 'postgres', `select datname from pg_database where datname = '${databaseOf(project)}'`), []);
    assert.deepEqual(sql(stack, 'postgres', `select rolname from pg_roles where rolname like '${databaseOf(project)}%'`), []);
    return which;
  }
  const [[recorded, binary]] = sql(stack, databaseOf(project), 'select contract::jsonb, binary_path from svc.contract');
  assert.deepEqual(JSON.parse(recorded), JSON.parse(JSON.stringify(which)));
  const answer = await until('the app to answer', () => rowOf(stack, project).catch(() => null));
  const made = new Set(['id', 'user_id', 'created_at', 'updated_at']);
  if (answer.rows.length > 0) {
    assert.deepEqual(Object.keys(answer.rows[0]).filter((name) => !made.has(name)).sort(), fieldsOf(which).sort());
  }
  await until('one server, of the recorded binary', () => {
    const own = appServers(stack.home).filter((p) => p.words[2].includes(project.id.replaceAll('-', '').slice(-12)));
    return own.length === 1 && executable(own[0].pid) === binary;
  });
  filesAreWhole(stack, project, which);
  return which;
}

// Checks all projects at once: leases, databases, processes, folders.
export async function nothingIsLeft(stack, built) {
  assert.deepEqual(sql(stack, 'svc_platform', 'select kind, stage, project_id from apply_run where ended_at is null'), []);
  assert.deepEqual(sql(stack, 'postgres', "select datname from pg_database where datname like 'svc\\_%' and datname <> 'svc_platform'").flat().sort(),
    built.map(databaseOf).sort());
  await until('servers of nobody to end', () => appServers(stack.home).length === built.length);
  const builds = join(stack.home, 'cache/tmp');
  await until('builds to end', () => strayCompilers(stack.home).length === 0 && (!existsSync(builds) || readdirSync(builds).length === 0));
}
