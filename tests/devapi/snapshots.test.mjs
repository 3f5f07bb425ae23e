// Snapshots and restore: what comes back, that nothing is lost or fails meanwhile, and what a kill at any moment leaves.
import assert from 'node:assert/strict';
import { appendFileSync, existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import test, { after, before } from 'node:test';
import { Stack, sample, until } from '../lib/stack.mjs';
import { databaseOf, sql } from '../lib/admin_sql.mjs';
import { deploy, load, staged } from '../lib/published.mjs';
import { appServers, backends, kill, postgresAfter, postmaster } from '../faults/victims.mjs';

let stack;
let project;
const readings = '/__svc/api/v1/reading';
Stack.durable = true;
before(async () => {
  stack = await Stack.start();
  await stack.signIn();
  project = await stack.project('Kept');
  await stack.apply(project, sample('hello'));
  assert.ok((await deploy(stack, project)).deployment);
});
after(() => stack?.stop());

const headers = () => ({ authorization: `Bearer ${project.server}`, 'x-svc-data-api': '1' });
const prodHost = () => `${project.slug}.localhost`;
const add = async (value, host = prodHost()) => {
  const answer = await stack.fetch('POST', readings, { headers: headers(), host, body: { value } });
  assert.equal(answer.status, 201, answer.text);
  return answer.json.rows[0].id;
};
const values = async (host = prodHost()) => {
  const rows = [];
  for (let cursor = ''; cursor !== null;) {
    const answer = await stack.fetch('GET', `${readings}?limit=500&cursor=${cursor}`, { headers: headers(), host });
    assert.equal(answer.status, 200, answer.text);
    rows.push(...answer.json.rows);
    cursor = answer.json.nextCursor;
  }
  return rows.map((row) => row.value).sort((a, b) => a - b);
};
const list = async (more = '') =>
  (await stack.dev('GET', `/projects/${project.id}/snapshots${more}`, undefined, { expect: 200 })).json.snapshots;
const take = async (body = {}) =>
  (await stack.dev('POST', `/projects/${project.id}/snapshots`, body, { expect: 201 })).json.snapshot;
const restorePath = (id) => `/projects/${project.id}/snapshots/${id}/restore`;
const restore = (id, at) => staged(stack, restorePath(id), {}, at);
const databases = () => sql(stack, 'postgres', `select datname from pg_database where datname like '${databaseOf(project).replace('_dev', '')}%' order by 1`).flat();
const live = (env = 'prod') => {
  const [[generation] = ['1']] = sql(stack, 'svc_platform', `select generation from project_database where project_id = '${project.id}' and env = '${env}'`);
  return databaseOf(project).replace(/_dev$/, `_${env}`) + (generation === '1' ? '' : `_g${generation}`);
};

test('a snapshot is a file with a checksum, listed by environment', async () => {
  await add(1);
  const made = await take({ note: 'Before the sale' });
  assert.deepEqual([made.env, made.reason, made.note, made.contractVersion], ['prod', 'manual', 'Before the sale', 1]);
  const file = join(stack.home, 'snapshots', project.id, `${made.id}.dump`);
  assert.equal(statSync(file).size, made.bytes);
  assert.equal(statSync(file).mode & 0o777, 0o600);
  const dev = await take({ env: 'dev' });
  assert.deepEqual((await list('?env=dev')).map((one) => one.id), [dev.id]);
  assert.deepEqual((await list()).map((one) => one.id).slice(0, 2), [dev.id, made.id], 'newest first');
  for (const bad of [{ env: 'preview' }, { env: 7 }]) {
    assert.equal((await stack.dev('POST', `/projects/${project.id}/snapshots`, bad)).status, 400);
  }
  const empty = await stack.project('Empty');
  for (const env of ['dev', 'prod']) {
    const answer = await stack.dev('POST', `/projects/${empty.id}/snapshots`, { env });
    assert.deepEqual([answer.status, answer.json.code], [404, 'NO_APP']);
  }
});

test('a restore brings rows back, and keeps what was there first', async () => {
  const made = await take();
  const before = await values();
  await add(2);
  const stages = [];
  const answer = await restore(made.id, (name) => stages.push(name));
  assert.deepEqual(stages, ['check', 'load', 'compare', 'migrate', 'start', 'swap', 'snapshot']);
  assert.equal(answer.restored, made.id, JSON.stringify(answer));
  assert.deepEqual(await values(), before);
  const safety = (await list('?env=prod'))[0];
  assert.deepEqual([safety.id, safety.reason], [answer.safetySnapshot, 'restore']);
  const back = await restore(safety.id);
  assert.equal(back.restored, safety.id, JSON.stringify(back));
  assert.deepEqual(await values(), [...before, 2]);
  assert.equal(databases().length, 2, 'dev and prod, no other');
});

test('deleted files keep their bytes for as long as the oldest snapshot that is kept may have them', async () => {
  const other = await stack.project('Files');
  await stack.apply(other, sample('hello'));
  const path = `/projects/${other.id}/snapshots`;
  const made = async () => (await stack.dev('POST', path, { env: 'dev' }, { expect: 201 })).json.snapshot;
  const ask = (text) => sql(stack, databaseOf(other), text);
  const platform = (text) => sql(stack, 'svc_platform', text);
  const hidden = (days) => ask(`insert into svc.file (mime, size, state, deleted_at) values ('image/png', 1, 'deleted', now() - interval '${days} days') returning id`)[0][0];
  const [recent, old, oldest] = [hidden(29), hidden(40), hidden(60)];
  const forgotten = () => ask('select id from svc.files_to_forget()').flat();
  assert.deepEqual(forgotten(), [], 'without a snapshot svcd has said nothing');
  const first = await made();
  assert.deepEqual(forgotten(), [oldest, old], 'the snapshot is younger than their deletion');
  // The horizon is two hours before the oldest of them, whatever is taken later.
  const away = () => Number(ask(`select extract(epoch from '${first.createdAt}'::timestamptz - oldest) from svc.file_horizon`)[0][0]);
  assert.ok(Math.abs(away() - 7200) < 1, String(away()));
  await made();
  assert.ok(Math.abs(away() - 7200) < 1, String(away()));
  platform(`update snapshot set created_at = now() - interval '50 days' where id = '${first.id}'`);
  await made();
  assert.deepEqual(forgotten(), [oldest], 'one of fifty days has the file that was deleted forty days ago');
  // The twenty-first manual one takes the place of the oldest.
  for (let n = 3; n < 21; n += 1) await made();
  assert.ok((await stack.dev('GET', path, undefined, { expect: 200 })).json.snapshots.every(({ id }) => id !== first.id));
  assert.deepEqual(forgotten(), [oldest, old]);
  assert.ok(!forgotten().includes(recent));
});

test('dev is restored like prod', async () => {
  const host = `preview-${project.slug}.localhost`;
  await add(10, host);
  const made = await take({ env: 'dev' });
  await add(11, host);
  assert.equal((await restore(made.id)).restored, made.id);
  assert.deepEqual(await values(host), [10]);
  await stack.apply(project, sample('hello'));
  assert.deepEqual(await values(host), [10], 'and applied to');
});

test('keys, deploys, rollbacks and secrets go on after a restore', async () => {
  const { json } = await stack.dev('POST', `/projects/${project.id}/keys`, { name: 'x', kind: 'server' }, { expect: 201 });
  const own = { authorization: `Bearer ${json.key}`, 'x-svc-data-api': '1' };
  assert.equal((await stack.fetch('GET', readings, { headers: own, host: prodHost() })).status, 200);
  await stack.dev('DELETE', `/projects/${project.id}/keys/${json.id}`, undefined, { expect: 200 });
  assert.equal((await stack.fetch('GET', readings, { headers: own, host: prodHost() })).status, 401);
  const rows = await values();
  assert.equal((await deploy(stack, project)).deployment.status, 'live');
  assert.deepEqual(await values(), rows);
});

test('a secret of a snapshot is not valid again, and one that was replaced just now stays valid for its day', async () => {
  const now = () => sql(stack, live('dev'), 'select sealed from svc.secret').flat();
  const before = () => sql(stack, live('dev'), 'select sealed, until from svc.secret_before where until > now()');
  const ofHook = () => sql(stack, live('dev'), 'select sealed from svc.hook_secret').flat();
  const set = async (port) => {
    const [known] = now();
    await stack.dev('PUT', `/projects/${project.id}/secrets/SMTP_URL`, { value: `smtp://127.0.0.1:${port}/`, env: 'dev' });
    await until('the app to have it', () => now().length === 1 && now()[0] !== known);
  };
  await set(1);
  sql(stack, live('dev'), "insert into svc.hook_secret (hook, sealed) values ('bank', 'first')");
  const made = await take({ env: 'dev' });
  await set(2);
  sql(stack, live('dev'), "update svc.hook_secret set sealed = 'second'; update svc.secret_before set until = now() - interval '1 hour'");
  assert.equal((await restore(made.id)).restored, made.id);
  assert.deepEqual([before(), ofHook()], [[], ['second']]);
  const second = now();
  await set(3);
  const kept = before();
  assert.deepEqual(kept.map(([sealed]) => sealed), second);
  assert.equal((await restore(made.id)).restored, made.id);
  assert.deepEqual(before(), kept);
  await stack.dev('DELETE', `/projects/${project.id}/secrets/SMTP_URL`, undefined, { expect: 200 });
});

test('a snapshot of an older contract comes to the one that is live', async () => {
  const old = await take();
  const contract = sample('hello');
  contract.entities[0].fields.push({ name: 'place', type: 'string', default: 'here' });
  await stack.apply(project, contract);
  assert.ok((await deploy(stack, project)).deployment);
  assert.equal((await restore(old.id)).restored, old.id);
  const answer = await stack.fetch('GET', `${readings}?limit=1`, { headers: headers(), host: prodHost() });
  assert.equal(answer.json.rows[0].place, 'here');
});

test('a snapshot whose rows do not fit is refused, and names them', async () => {
  const id = await add(4000);
  const made = await take();
  await stack.fetch('DELETE', `${readings}/${id}`, { headers: headers(), host: prodHost() });
  const contract = sample('hello');
  contract.entities[0].fields[1].max = 3000;
  await stack.apply(project, contract);
  assert.ok((await deploy(stack, project)).deployment);
  const rows = await values();
  const answer = await stack.dev('POST', restorePath(made.id));
  assert.deepEqual([answer.status, answer.json.code, answer.json.stage], [422, 'CONTRACT_INVALID', 'migrate']);
  assert.match(JSON.stringify(answer.json.report), new RegExp(id));
  assert.deepEqual(await values(), rows);
  assert.equal(databases().length, 2);
});

test('a file that was changed or is gone is refused', async () => {
  for (const spoil of [(file) => appendFileSync(file, 'x'), (file) => rmSync(file)]) {
    const made = await take();
    spoil(join(stack.home, 'snapshots', project.id, `${made.id}.dump`));
    const answer = await stack.dev('POST', restorePath(made.id));
    assert.deepEqual([answer.status, answer.json.code], [409, 'SNAPSHOT_DAMAGED']);
  }
  const other = await stack.project('Stranger');
  const [mine] = await list();
  for (const id of [mine.id, 'no-uuid']) {
    assert.equal((await stack.dev('POST', `/projects/${other.id}/snapshots/${id}/restore`)).status, 404);
  }
});

test('scopes: read lists, apply takes, deploy restores', async () => {
  const token = async (scopes) =>
    (await stack.dev('POST', '/tokens', { name: scopes.join(' '), workspaceId: stack.workspace, scopes }, { expect: 201 })).json.token;
  const made = await take();
  const read = await token(['read']), apply = await token(['read', 'apply']);
  assert.equal((await stack.dev('GET', `/projects/${project.id}/snapshots`, undefined, { token: read })).status, 200);
  assert.equal((await stack.dev('POST', `/projects/${project.id}/snapshots`, {}, { token: read })).json.code, 'FORBIDDEN_SCOPE');
  assert.equal((await stack.dev('POST', `/projects/${project.id}/snapshots`, {}, { token: apply })).status, 201);
  assert.equal((await stack.dev('POST', restorePath(made.id), {}, { token: apply })).json.code, 'FORBIDDEN_SCOPE');
});

// Writes that were acknowledged before the exchange are in the safety snapshot, later ones in the new database.
test('under load no request fails, and every acknowledged row is in one of the two', async () => {
  const made = await take();
  let value = 100;
  const busy = load(stack, prodHost(), { headers: headers(), path: readings, body: () => ({ value: ++value % 3000 }) });
  await until('some rows', () => busy.acknowledged.length > 20);
  const answer = await restore(made.id);
  assert.equal(answer.restored, made.id, JSON.stringify(answer));
  const sofar = busy.acknowledged.length;
  await until('more rows', () => busy.acknowledged.length > sofar + 20);
  const { acknowledged, bad } = await busy.stop();
  assert.deepEqual(bad, []);
  const listed = acknowledged.map((id) => `'${id}'`).join(',');
  const there = () => sql(stack, live(), `select id from public.reading where id in (${listed})`).flat();
  const after_ = there();
  assert.equal((await restore(answer.safetySnapshot)).restored, answer.safetySnapshot);
  const before_ = there();
  assert.deepEqual([...new Set([...before_, ...after_])].sort(), [...acknowledged].sort());
});

test('a project that is deleted leaves a snapshot of each database', async () => {
  const gone = await stack.project('Gone');
  await stack.apply(gone, sample('hello'));
  assert.ok((await deploy(stack, gone)).deployment);
  await stack.dev('DELETE', `/projects/${gone.id}?confirm=${gone.slug}`, undefined, { expect: 200 });
  const kept = sql(stack, 'svc_platform', `select env, reason, file from snapshot where project_id = '${gone.id}' order by env`);
  assert.deepEqual(kept.map(([env, reason]) => [env, reason]), [['dev', 'delete'], ['prod', 'delete']]);
  for (const [, , file] of kept) assert.ok(existsSync(join(stack.home, 'snapshots', file)));
});

test('twenty by hand and ten others are kept of an environment', async () => {
  const own = await stack.project('Many');
  await stack.apply(own, sample('hello'));
  const ids = [];
  for (let i = 0; i < 22; ++i) {
    ids.push((await stack.dev('POST', `/projects/${own.id}/snapshots`, { env: 'dev' }, { expect: 201 })).json.snapshot.id);
  }
  const { json } = await stack.dev('GET', `/projects/${own.id}/snapshots`, undefined, { expect: 200 });
  assert.deepEqual(json.snapshots.map((one) => one.id), ids.slice(2).reverse());
  assert.deepEqual(readdirSync(join(stack.home, 'snapshots', own.id)).sort(), ids.slice(2).map((id) => `${id}.dump`).sort());
});

// ---- kills ----

const victims = {
  svcd: () => [stack.child],
  app: () => appServers(stack.home).filter((p) => p.words[2].includes(`${project.id.replaceAll('-', '').slice(-12)}p-`)),
  backend: () => backends(stack.home).filter((p) => p.words[0].includes(databaseOf(project).replace('_dev', '_prod'))),
  postmaster: () => [{ pid: postmaster(stack.home) }].filter(({ pid }) => pid > 0),
};

test('a kill at any stage of a restore leaves one whole database', { timeout: 600000 }, async () => {
  const told = [];
  for (const [victim, stages] of [
    ['svcd', ['check', 'load', 'compare', 'migrate', 'start', 'swap', 'snapshot']],
    ['app', ['start', 'swap']], ['backend', ['load', 'migrate', 'snapshot']], ['postmaster', ['load', 'migrate', 'swap', 'snapshot']],
  ]) {
    for (const stage of stages) {
      const made = await take();
      const old = await values();
      const id = await add(7);
      const running = postmaster(stack.home);
      let struck;
      const answer = await restore(made.id, (name) => { if (name === stage) struck ??= kill(victims[victim]()); });
      if ((struck && victim === 'svcd') || stack.child.exitCode !== null || stack.child.signalCode !== null) {
        await stack.ended;
        await stack.run();
      }
      if (struck && victim === 'postmaster') await postgresAfter(stack.home, running);
      await until('changes to be settled', async () => {
        const runs = (await stack.dev('GET', `/projects/${project.id}`).catch(() => null))?.json?.state?.applies;
        return runs?.every((run) => run.status !== 'running');
      });
      const now = await until('prod to answer', () => values().catch(() => null));
      const restored = JSON.stringify(now) === JSON.stringify(old);
      const as = `${victim} at ${stage} ${struck ? 'killed' : 'missed'}: ${restored ? 'new' : 'old'} serves`;
      told.push(as);
      if (!restored) assert.deepEqual(now, [...old, 7].sort((a, b) => a - b), as);
      if (answer?.restored) assert.ok(restored, as);
      if (answer?.warning) {
        told.push(answer.warning);
      } else {
        assert.deepEqual(databases(), [live('dev'), live()].sort(), as);
      }
      if (restored && !answer?.warning) {
        const [safety] = await list('?env=prod');
        assert.equal(safety.reason, 'restore', as);
        assert.ok((await restore(safety.id)).restored, as);
        assert.ok((await values()).length === old.length + 1, `${as}: row ${id} is in the safety snapshot`);
      }
    }
  }
  console.log(told.join('\n'));
});
