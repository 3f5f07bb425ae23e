// Apply: what it refuses, what a failure leaves, what it keeps, and how a crash is repaired.
import assert from 'node:assert/strict';
import { appendFileSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { after, before } from 'node:test';
import { Stack, appServers, owner, sample, until } from '../lib/stack.mjs';
import { postgresAfter, postmaster } from '../faults/victims.mjs';
import { databaseOf, sql } from '../lib/admin_sql.mjs';

let stack;
before(async () => {
  stack = await Stack.start({}, { cold: true });
  await stack.signIn();
});
after(() => stack?.stop());

const appPids = (project) => appServers(project).map((server) => server.pid);

const rows = async (project, table = 'product', query = '') => {
  const headers = { authorization: `Bearer ${project.server}`, 'x-svc-data-api': '1' };
  const host = `preview-${project.slug}.localhost`;
  return (await stack.fetch('GET', `/__svc/api/v1/${table}${query}`, { headers, host })).json;
};

test('before the first apply there is no app', async () => {
  const project = await stack.project('Empty');
  const answer = await rows(project);
  assert.equal(answer.error.code, 'NO_APP');
  const { json } = await stack.dev('GET', `/projects/${project.id}`, undefined, { expect: 200 });
  assert.deepEqual(json.state, { built: false, lastError: null, pending: [], applies: [] });
  assert.equal((await stack.dev('GET', `/projects/${project.id}/contract`)).json.contract, null);
});

test('an invalid contract changes nothing and says why', async () => {
  const project = await stack.project('Invalid');
  await stack.apply(project, sample('hello'));
  const bad = sample('hello');
  bad.entities[0].fields.push({ name: 'owner_of', type: 'ref', to: 'nobody' });
  const { json } = await stack.apply(project, bad, 422);
  assert.equal(json.code, 'CONTRACT_INVALID');
  assert.equal(json.report.ok, false);
  assert.equal(json.report.errors[0].path, '/entities/0/fields/2/to');
  assert.equal((await rows(project, 'reading')).ok, true);
  const kept = await stack.dev('GET', `/projects/${project.id}/contract`);
  assert.equal(kept.json.contract.entities[0].fields.length, 2);
  assert.equal(kept.json.contract.seeds, 'UNCHANGED');
});

test('a query is proved against the tables to be, then runs', async () => {
  const project = await stack.project('Queries');
  const contract = sample('hello');
  contract.queries = [{ name: 'reports/days', allow: ['end_user'], sql: 'select dey from reading' }];
  const { json } = await stack.dev('POST', `/projects/${project.id}/check`, { contract }, { expect: 200 });
  assert.equal(json.report.errors.length, 1);
  assert.equal(json.report.errors[0].code, 'UNKNOWN_FIELD');
  assert.equal(json.report.errors[0].path, '/queries/0/sql');
  assert.match(json.report.errors[0].fix, /day/);
  await stack.apply(project, contract, 422);

  contract.queries[0].sql = 'select day, count(*) as n from reading group by day -- :none';
  await stack.apply(project, contract);
  const headers = { authorization: `Bearer ${project.server}`, 'x-svc-data-api': '1' };
  const answer = await stack.fetch('POST', '/__svc/queries/reports/days', { headers, host: `preview-${project.slug}.localhost` });
  assert.equal(answer.status, 200, answer.text);
  assert.deepEqual(answer.json.fields, [{ name: 'day', type: '1082' }, { name: 'n', type: '20' }]);
});

test('rows are kept when a field comes, goes and comes back', async () => {
  const project = await stack.project('Kept');
  const contract = sample('shop');
  await stack.apply(project, contract);
  const more = sample('shop');
  more.entities[0].fields.push({ name: 'colour', type: 'enum', values: ['green', 'black'], default: 'green' });
  const { json } = await stack.apply(project, more);
  assert.ok(json.plan.some((change) => change.column === 'colour'), JSON.stringify(json.plan));
  assert.equal((await rows(project)).rows[0].colour, 'green');
  await stack.apply(project, contract);
  assert.ok(!('colour' in (await rows(project)).rows[0]));
  await stack.apply(project, more);
  assert.equal((await rows(project)).rows[0].colour, 'green');
  assert.equal((await rows(project)).rowCount, 1, 'seeds make their rows once');
});

test('a dry run shows what would change, and what is in the way, and does nothing', async () => {
  const project = await stack.project('Dry');
  const dry = (contract, expect = 200) =>
    stack.dev('POST', `/projects/${project.id}/apply`, { contract, dryRun: true }, { expect });
  const first = (await dry(sample('hello'))).json;
  assert.ok(first.plan.some((change) => change.kind === 'create_table'), JSON.stringify(first.plan));
  assert.equal((await stack.dev('GET', `/projects/${project.id}`)).json.state.built, false);
  const contract = sample('shop');
  await stack.apply(project, contract);
  assert.deepEqual((await dry(contract)).json.plan, []);
  const gone = contract.entities[0].fields.findIndex((field) => field.name === 'description');
  contract.entities[0].fields.splice(gone, 1, { name: 'brand', type: 'string', required: true });
  contract.entities[0].search = undefined;
  contract.seeds = 'UNCHANGED';
  const refused = (await dry(contract, 422)).json;
  assert.equal(refused.report.errors[0].code, 'REQUIRED_NEEDS_DEFAULT');
  contract.entities[0].fields[gone].default = 'none';
  const shown = (await dry(contract)).json;
  assert.equal(shown.dryRun, true);
  assert.match(shown.plan.find((change) => change.column === 'brand').sql, /add column brand/);
  assert.deepEqual(shown.unmanaged, [{ kind: 'column', table: 'product', name: 'description' }]);
  assert.ok(!('brand' in (await rows(project)).rows[0]));
  assert.deepEqual((await stack.apply(project, contract)).json.unmanaged, shown.unmanaged);
});

test('a required field needs a default where rows are', async () => {
  const project = await stack.project('Required');
  await stack.apply(project, sample('shop'));
  const contract = { ...sample('shop'), seeds: 'UNCHANGED' };
  contract.entities[0].fields.push({ name: 'brand', type: 'string', required: true });
  const { json } = await stack.apply(project, contract, 422);
  assert.equal(json.report.errors[0].code, 'REQUIRED_NEEDS_DEFAULT');
  assert.equal((await rows(project)).ok, true);
  contract.entities[0].fields.at(-1).default = 'none';
  await stack.apply(project, contract);
  assert.equal((await rows(project)).rows[0].brand, 'none');
});

test('the same contract twice changes nothing', async () => {
  const project = await stack.project('Twice');
  await stack.apply(project, sample('shop'));
  const { json } = await stack.apply(project, sample('shop'));
  assert.deepEqual(json.plan, []);
  const { applies } = (await stack.dev('GET', `/projects/${project.id}`)).json.state;
  assert.deepEqual(applies.map((run) => [run.status, run.version, run.recovered]), [['applied', 1, null], ['applied', 1, null]]);
});

test('UNCHANGED keeps the seeds, however often it comes back', async () => {
  const project = await stack.project('Kept seeds');
  await stack.apply(project, sample('shop'));
  const at = `/projects/${project.id}`;
  const database = databaseOf(project);
  const pulled = async () => (await stack.dev('GET', `${at}/contract`, undefined, { expect: 200 })).json.contract;
  sql(stack, database, "update product set title = 'Mine' where sku = 'TEA-1'");
  for (const field of ['brand', 'maker']) {
    const contract = await pulled();
    assert.equal(contract.seeds, 'UNCHANGED');
    contract.entities[0].fields.push({ name: field, type: 'string' });
    const { json } = await stack.apply(project, contract);
    assert.deepEqual(json.report.warnings.filter(({ code }) => code === 'SEEDS_NOT_KEPT'), []);
  }
  assert.deepEqual(sql(stack, database, 'select title from product'), [['Mine']], 'no seeds were run');
  const again = (await stack.apply(project, await pulled())).json;
  assert.deepEqual([again.plan, again.version], [[], 3], 'what comes back as it was is the same contract');
  const reset = (await stack.dev('POST', `${at}/demo-reset`, {}, { expect: 200 })).json;
  assert.equal(reset.available, true);
  assert.deepEqual(sql(stack, database, 'select title from product'), [['Green tea']]);
  const { json: report } = await stack.dev('POST', `${at}/verify`, {}, { expect: 200 });
  assert.equal(report.checks.find(({ name }) => name === 'seeds').pass, true);
  await stack.dev('POST', `${at}/deploy`, { skipVerify: true }, { expect: 200 });
  const prod = database.replace(/_dev$/, '_prod');
  assert.deepEqual(sql(stack, prod, 'select title from product'), [['Green tea']]);
  const [[dev], [live]] = [database, prod].map((name) => sql(stack, name, 'select binary_path from svc.contract')[0]);
  assert.equal(live.split('/').pop(), dev.split('/').pop(), 'the very binary that dev built');
});

test('seeds that no longer fit the contract are reported', async () => {
  const project = await stack.project('Unfit seeds');
  const contract = sample('shop');
  contract.seeds.product[0].description = 'Of the first harvest';
  await stack.apply(project, contract);
  contract.entities[0].fields = contract.entities[0].fields.filter(({ name }) => name !== 'description');
  contract.entities[0].search = undefined;
  contract.seeds = 'UNCHANGED';
  const told = ({ report }) => report.warnings.filter(({ code }) => code === 'SEEDS_NOT_KEPT');
  const dry = (await stack.dev('POST', `/projects/${project.id}/apply`, { contract, dryRun: true })).json;
  const { json } = await stack.apply(project, contract);
  for (const answer of [dry, json]) assert.match(told(answer)[0].message, /seeds\/product\/0.*stay in the database/);
  assert.equal((await stack.dev('GET', `/projects/${project.id}/demo-reset`)).json.available, false);
});

test('one apply at a time', async () => {
  const project = await stack.project('Busy');
  const answers = await Promise.all(Array.from({ length: 4 }, () =>
    stack.dev('POST', `/projects/${project.id}/apply`, { contract: sample('shop') })));
  const statuses = answers.map((answer) => answer.status).sort();
  assert.equal(statuses[0], 200);
  for (const answer of answers.filter((a) => a.status !== 200)) {
    assert.equal(answer.status, 409);
    assert.equal(answer.json.code, 'PROJECT_BUSY');
  }
});

test('stages are sent as they happen', async () => {
  const project = await stack.project('Stages');
  const answer = await stack.fetch('POST', `/dev/v1/projects/${project.id}/apply`, {
    headers: { authorization: `Bearer ${stack.session}`, accept: 'text/event-stream' },
    body: { contract: sample('hello') },
  });
  assert.match(answer.headers['content-type'], /text\/event-stream/);
  const events = answer.text.trim().split('\n\n').map((frame) => ({
    event: /^event: (.*)$/m.exec(frame)?.[1], data: JSON.parse(/^data: (.*)$/m.exec(frame)?.[1] ?? 'null'),
  }));
  const done = events.filter((e) => e.event === 'stage' && e.data.status === 'done').map((e) => e.data.name);
  for (const stage of ['check', 'emit', 'build', 'migrate', 'start', 'swap']) assert.ok(done.includes(stage), `${stage} of ${done}`);
  assert.equal(events.at(-1).event, 'done');
  assert.equal(events.at(-1).data.report.ok, true);
});

test('a crashed app server is started again, and the crash is reported', async () => {
  const project = await stack.project('Crashed');
  await stack.apply(project, sample('hello'));
  const pid = appPids(project)[0];
  process.kill(pid, 'SIGKILL');
  // The next request waits for the new server instead of failing.
  const answer = await until('an answer', async () => {
    const json = await rows(project, 'reading').catch(() => null);
    return json?.ok ? json : null;
  });
  assert.equal(answer.ok, true);
  assert.notEqual(appPids(project)[0], pid);
  const { json } = await stack.dev('GET', `/projects/${project.id}`, undefined, { expect: 200 });
  assert.match(json.state.lastError ?? '', /signal|killed|SIGKILL/i);
});

test('a build that fails leaves the old server and says where', async () => {
  const project = await stack.project('Broken build');
  await stack.apply(project, sample('hello'));
  const broken = await Stack.start({ SVC_TOOLCHAIN: '/nonexistent' }, { cold: true });
  try {
    await broken.signIn();
    const other = await broken.project('No toolchain');
    const { json } = await broken.apply(other, sample('hello'), 500);
    assert.equal(json.code, 'BUILD_FAILED');
    assert.equal(json.stage, 'build');
    const state = (await broken.dev('GET', `/projects/${other.id}`)).json.state;
    assert.equal(state.built, false);
    assert.ok(state.lastError);
  } finally {
    await broken.stop();
  }
});

test('what cannot be written for readers does not fail what is live', async () => {
  const project = await stack.project('Unwritable');
  await stack.apply(project, sample('hello'));
  const folder = join(stack.home, 'projects', project.id, 'dev', 'generated');
  rmSync(folder, { recursive: true });
  writeFileSync(folder, 'in the way');
  const contract = sample('hello');
  contract.entities[0].fields.push({ name: 'note', type: 'text' });
  const { json } = await stack.apply(project, contract);
  assert.ok(json.report.warnings.some((warning) => warning.code === 'FILES_NOT_WRITTEN'), JSON.stringify(json.report));
  const got = (await stack.dev('GET', `/projects/${project.id}/contract`)).json.contract;
  assert.equal(got.entities[0].fields.length, 3);
  assert.equal((await rows(project, 'reading')).ok, true);
});

test('files edited by hand stop an apply, and are kept where it is forced', async () => {
  const project = await stack.project('Edited');
  await stack.apply(project, sample('hello'));
  const folder = join(stack.home, 'projects', project.id, 'dev');
  const file = join(folder, 'generated', 'routes.cpp');
  appendFileSync(file, '// mine\n');
  const { json } = await stack.apply(project, sample('hello'), 409);
  assert.equal(json.code, 'HAND_EDITED_FILES');
  assert.deepEqual(json.files, ['routes.cpp']);
  await stack.dev('POST', `/projects/${project.id}/apply`, { contract: sample('hello'), force: true }, { expect: 200 });
  assert.ok(!readFileSync(file, 'utf8').includes('// mine'));
  const [time] = readdirSync(join(folder, 'backups'));
  assert.ok(readFileSync(join(folder, 'backups', time, 'routes.cpp'), 'utf8').endsWith('// mine\n'));
});

test('an app of nothing is an app, and grows', async () => {
  const project = await stack.project('Nothing');
  await stack.apply(project, { app: { name: 'Nothing' }, personas: [], entities: [], seeds: {} });
  assert.equal((await rows(project, 'reading')).error.code, 'TABLE_FORBIDDEN');
  await stack.apply(project, sample('hello'));
  assert.equal((await rows(project, 'reading')).ok, true);
});

test('a pattern that PostgreSQL cannot read is found before it is live', async () => {
  const project = await stack.project('Pattern');
  const contract = sample('hello');
  contract.entities[0].fields.push({ name: 'code', type: 'string', pattern: 'a{2,1}' });
  const { json } = await stack.apply(project, contract, 422);
  assert.equal(json.report.errors[0].code, 'BAD_PATTERN');
  assert.equal(json.report.errors[0].path, '/entities/0/fields/2/pattern');
});

test('a PostgreSQL that dies is started again, and everything recovers', async () => {
  const project = await stack.project('Recovered');
  await stack.apply(project, sample('shop'));
  const killed = postmaster(stack.home);
  process.kill(killed, 'SIGKILL');
  await postgresAfter(stack.home, killed);
  const answer = await until('the app to recover', async () => {
    const json = await rows(project).catch(() => null);
    return json?.ok ? json : null;
  });
  assert.equal(answer.rows[0].sku, 'TEA-1');
  await until('svcd to recover', async () => (await stack.dev('GET', '/me')).status === 200);
});

test('no child of svcd gets its secrets, no app server runs as root', async () => {
  const project = await stack.project('Quiet');
  await stack.apply(project, sample('hello'));
  const pids = [...appPids(project), Number(readFileSync(join(stack.home, 'postgres', 'data', 'postmaster.pid'), 'utf8').split('\n')[0])];
  for (const pid of pids) {
    assert.ok(!readFileSync(`/proc/${pid}/environ`, 'utf8').includes(owner.password), `environment of ${pid}`);
    const uid = /^Uid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1];
    assert.notEqual(uid, '0', `user of ${pid}`);
  }
});

test('svcd started again serves what was applied, with its rows', async () => {
  const project = await stack.project('Restarted');
  await stack.apply(project, sample('shop'));
  stack.child.kill('SIGTERM');
  const { code } = await stack.ended;
  assert.equal(code, 0, stack.log);
  await stack.run();
  const answer = await until('the app', async () => {
    const json = await rows(project).catch(() => null);
    return json?.ok ? json : null;
  });
  assert.equal(answer.rows[0].sku, 'TEA-1');
});
