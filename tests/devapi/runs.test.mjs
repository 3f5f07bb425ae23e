// Workflows for developers: started, read, cancelled, replayed and followed, past policies; webhooks and deliveries.
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { databaseOf, sql } from '../lib/admin_sql.mjs';
import { Stack, until } from '../lib/stack.mjs';
import { Client } from '../cli/client.mjs';

const contract = {
  app: { name: 'Desk' },
  personas: [{ id: 'clerk', kind: 'staff' }, { id: 'guest_user', kind: 'consumer', signup: true }],
  entities: [
    { name: 'ticket', owner: 'none', fields: [{ name: 'title', type: 'string', required: true, max: 10 }], access: { read: 'staff', create: 'staff', update: 'staff', delete: 'staff' } },
    { name: 'note', owner: 'none', fields: [{ name: 'text', type: 'string' }], access: { read: 'staff', create: 'staff' } }],
  workflows: [
    { id: 'copy', on: { entity: 'ticket', event: 'created' }, steps: [{ id: 'write', create: { entity: 'note', data: { text: 'New: {new.title}' } } }] },
    { id: 'renamed', on: { entity: 'ticket', event: 'updated' }, if: 'old.title != new.title',
      steps: [{ id: 'write', create: { entity: 'note', data: { text: '{old.title} to {new.title}' } } }] },
    { id: 'gone', on: { entity: 'ticket', event: 'deleted' }, steps: [{ id: 'write', create: { entity: 'note', data: { text: 'Was: {old.title}' } } }] },
    { id: 'mark', on: { manual: true }, retry: { max: 1 }, params: { ticket: { type: 'uuid' } }, steps: [{ id: 'set', update: { entity: 'ticket', id: '{input.ticket}', data: { title: 'Seen' } } }] },
    { id: 'open', on: { manual: true }, params: { title: { type: 'string', required: true } }, retry: { max: 1 },
      steps: [{ id: 'make', create: { entity: 'ticket', data: { title: '{input.title}' } } }] },
    { id: 'own', on: { manual: true }, runAs: 'actor', steps: [{ id: 'make', create: { entity: 'ticket', data: { title: 'Mine' } } }] },
    { id: 'once', on: { manual: true }, params: { day: { type: 'string' } }, key: '{input.day}', steps: [{ id: 'rest', sleep: '1h' }] },
    { id: 'slow', on: { manual: true }, concurrency: { limit: 1 }, steps: [{ id: 'rest', sleep: '1h' }] }],
  webhooks: { out: [{ name: 'crm', on: ['ticket.created'], url: 'http://127.0.0.1:9/', secret: 'secret:CRM' }] },
  seeds: { '@users': [{ _key: 'cleo', email: 'cleo@example.test', persona: 'clerk' }] },
};

let stack, project, path;
before(async () => {
  stack = await Stack.start();
  await stack.signIn();
  project = await stack.project('Desk');
  path = `/projects/${project.id}`;
  await stack.dev('PUT', `${path}/secrets/CRM`, { value: 'whsec_c2VjcmV0', env: 'all', hosts: ['127.0.0.1'] }, { expect: 201 });
  await stack.apply(project, contract);
});
after(() => stack?.stop());

const get = async (rest) => (await stack.dev('GET', path + rest, undefined, { expect: 200 })).json;
const start = async (workflow, body = {}) => stack.dev('POST', `${path}/workflows/${workflow}/run`, body);
const ended = (id) => until('the run to end', async () => {
  const { run } = await get(`/runs/${id}`);
  return ['succeeded', 'failed', 'dead', 'cancelled'].includes(run.status) && run;
});

test('a run is started with input, acts as somebody, and is read with its steps', async () => {
  const { status, json } = await start('open', { input: { title: 'Lamp' }, as: 'clerk' });
  assert.equal(status, 202);
  const run = await ended(json.runId);
  assert.deepEqual([run.status, run.workflow, run.input, run.trigger.kind], ['succeeded', 'open', { title: 'Lamp' }, 'manual']);
  assert.deepEqual(run.steps.map((s) => [s.path, s.kind, s.status, s.attempt]), [['make', 'create', 'succeeded', 1]]);
  assert.equal(run.steps[0].output.title, 'Lamp');
  await until('the other run', async () => (await get('/logs?workflow=copy')).runs.some((r) => r.status === 'succeeded'));
});

test('a workflow that a row starts is started by hand with a row, and without one it says what is missing', async () => {
  const { results: [{ id: row }] } = (await stack.dev('POST', `${path}/rows`, { op: 'insert', table: 'ticket', data: { title: 'Chair' } }, { expect: 200 })).json;
  const wrote = async (workflow, body) => {
    const { status, json } = await start(workflow, body);
    assert.equal(status, 202, JSON.stringify(json));
    const run = await ended(json.runId);
    assert.deepEqual([run.status, run.trigger.kind, run.trigger.table, run.trigger.rowId], ['succeeded', 'manual', 'ticket', row]);
    return run.steps[0].output.text;
  };
  assert.equal(await wrote('copy', { row }), 'New: Chair');
  assert.equal(await wrote('renamed', { row, old: { title: 'Stool' } }), 'Stool to Chair');
  assert.equal(await wrote('gone', { row }), 'Was: Chair');

  const wrong = async (workflow, body, code, message) => {
    const { json } = await start(workflow, body);
    assert.deepEqual([json.code, message.test(json.error)], [code, true], json.error);
  };
  await wrong('copy', {}, 'BAD_REQUEST', /^row: Workflow copy starts from a row of ticket\. Name one: row is its id\.$/);
  await wrong('renamed', {}, 'BAD_REQUEST', /row is its id, and old may have values that it had before\.$/);
  await wrong('renamed', { row }, 'BAD_REQUEST', /its condition does not hold for this row\. If it looks at old values, give them as old\.$/);
  await wrong('renamed', { row, old: { colour: 'red' } }, 'BAD_REQUEST', /^old: ticket has no field colour\.$/);
  await wrong('renamed', { row, old: 'x' }, 'BAD_REQUEST', /^old: Must be an object\.$/);
  await wrong('copy', { row, old: {} }, 'BAD_REQUEST', /^old: .*takes no old values/);
  await wrong('copy', { row: 'x' }, 'BAD_REQUEST', /^row: 'x' is not the id of a row/);
  await wrong('copy', { row: stack.workspace }, 'NOT_FOUND', new RegExp(`There is no row of ticket with the id ${stack.workspace}`));
  await wrong('open', { row, input: { title: 'x' } }, 'BAD_REQUEST', /^row: Workflow open starts from no row/);
});

test('a step that finds no row names it', async () => {
  const error = async (input) => (await ended((await start('mark', { input })).json.runId)).error;
  assert.equal(await error({ ticket: stack.workspace }), `There is no ticket with the id ${stack.workspace}, or none that this step may change.`);
  assert.equal(await error({}), 'This step names no ticket: its id is null.');
});

test('a member who may not read rows does not see inputs and outputs of runs', async () => {
  const body = { name: 'ci', workspaceId: stack.workspace, scopes: ['apply'] };
  const { token } = (await stack.dev('POST', '/tokens', body, { expect: 201 })).json;
  const of = async (more) => (await stack.dev('GET', `${path}/logs?workflow=open`, undefined, { expect: 200, ...more })).json.runs[0];
  const [shown, rest] = [await of(), await of({ token })];
  assert.deepEqual(shown.input, { title: 'Lamp' });
  const { input: _input, result: _result, ...others } = shown;
  assert.deepEqual(rest, others);
});

test('what is wrong with a start names its place', async () => {
  assert.equal((await start('nix')).json.code, 'NOT_FOUND');
  const wrong = await start('open', { input: { title: 5, more: 1 } });
  assert.equal(wrong.status, 400);
  assert.deepEqual(wrong.json.details.map((d) => d.field).sort(), ['more', 'title']);
  const nobody = await start('own');
  assert.deepEqual([nobody.status, nobody.json.error], [400, 'as: Workflow own has the rights of whoever starts it: start it as an account.']);
  assert.equal((await ended((await start('own', { as: 'clerk' })).json.runId)).status, 'succeeded');
  assert.equal((await start('open', { input: { title: 'x' }, as: 'nobody@example.test' })).json.code, 'BAD_REQUEST');
  assert.equal((await start('open', { input: { title: 'x' }, env: 'prod' })).json.code, 'NO_APP');
});

test('a start with a known key says that its run was there before', async () => {
  const { json: first } = await start('once', { input: { day: 'monday' } });
  assert.equal(first.earlier, undefined);
  assert.deepEqual((await start('once', { input: { day: 'monday' } })).json, { runId: first.runId, earlier: true });
  assert.notEqual((await start('once', { input: { day: 'sunday' } })).json.runId, first.runId);
});

test('a dead letter is shown with its step and continues as the same run', async () => {
  const { json } = await start('open', { input: { title: 'much too long a title' } });
  const run = await ended(json.runId);
  assert.equal(run.status, 'dead');
  const deadLetters = (await get('/dead-letters')).deadLetters.filter((d) => d.workflow === 'open');
  assert.deepEqual(deadLetters.map((d) => [d.jobId, d.workflow, d.step, d.attempts]), [[run.id, 'open', 'make', 1]]);
  assert.match(deadLetters[0].error, /title/);
  assert.equal((await stack.dev('POST', `${path}/dead-letters/replay`, { ids: [crypto.randomUUID()] })).json.code, 'NOT_FOUND');
  assert.deepEqual((await stack.dev('POST', `${path}/dead-letters/replay`, { ids: [run.id] })).json, { replayed: 1 });
  await until('the second attempt', async () => (await get(`/runs/${run.id}`)).run.steps.length === 2);
  assert.equal((await ended(run.id)).status, 'dead');
});

test('a run that waits is cancelled, once', async () => {
  const { json } = await start('slow');
  await until('the run to wait', async () => (await get(`/runs/${json.runId}`)).run.status === 'waiting');
  await start('slow');
  const { workflows } = await get('/workflows');
  assert.deepEqual(workflows.map((w) => [w.id, w.live]), [['copy', 0], ['gone', 0], ['mark', 0], ['once', 2], ['open', 0], ['own', 0], ['renamed', 0], ['slow', 2]]);
  const cancel = () => stack.dev('POST', `${path}/runs/${json.runId}/cancel`, {});
  assert.equal((await cancel()).status, 200);
  assert.equal((await get(`/runs/${json.runId}`)).run.status, 'cancelled');
  assert.equal((await cancel()).json.code, 'CONFLICT');
});

// Ids that are older than those of any list.
test('an id may be shortened as far as it is unique, however many runs there are', async () => {
  sql(stack, databaseOf(project), `insert into svc.run (id, workflow, hash, status, error_code, trigger, given, ended_at)
    select ('0000a' || to_char(n, 'FM000') || '-0000-7000-8000-000000000000')::uuid, 'open', 'gone', 'dead', 'X', '{"kind": "manual"}', '{}', now() from generate_series(1, 7) n`);
  const first = '0000a001-0000-7000-8000-000000000000';
  const replay = (id) => stack.dev('POST', `${path}/dead-letters/replay`, { ids: [id] });
  const client = new Client(stack);
  try {
    const svc = (...args) => client.svc([...args, '--project', project.id], { env: { SVC_TOKEN: stack.session } });
    assert.equal(JSON.parse((await svc('run', 'get', '0000a001')).out).id, first);
    assert.match((await svc('run', 'get', '0000a')).err, /Several ids begin with '0000a', such as 0000a001-\S+ .*0000a005-[0-9-]+\. Give more characters\./);
    assert.match((await svc('run', 'cancel', '0000b')).err, /There is no run '0000b'\./);
    assert.equal((await stack.dev('GET', `${path}/runs/0000a0020000`)).status, 404, 'an id has its hyphens');
    assert.equal((await stack.dev('POST', `${path}/runs/${first.slice(0, 12)}/cancel`, {})).json.code, 'CONFLICT');
    assert.deepEqual((await replay('0000a')).json.details.map(({ field }) => field), ['ids']);
    assert.match((await replay('0000a01')).json.error, /no dead letter '0000a01'/);
    assert.equal((await replay('0000')).status, 400);
    assert.equal((await replay('000')).status, 404);
  } finally {
    client.remove();
    sql(stack, databaseOf(project), "delete from svc.run where hash = 'gone'");
  }
});

test('runs and steps are seen in the tail', async () => {
  const { json } = await start('open', { input: { title: 'Seen' } });
  await ended(json.runId);
  const { events } = await get('/tail?kind=runs&since=15m&workflow=open&limit=500');
  const of = events.filter((e) => e.run === json.runId);
  assert.deepEqual(of.map((e) => [e.kind, e.step, e.status]), [['step', 'make', 'succeeded'], ['run', undefined, 'succeeded']]);
  assert.ok(events.every((e) => e.workflow === 'open'));
  const { json: unknown } = await stack.dev('GET', `${path}/tail?kind=runs&workflow=opem`, undefined, { expect: 404 });
  assert.match(unknown.error, /no workflow 'opem'\. Did you mean 'open'\?/);
  const { json: wrong } = await start('mark', { input: { ticket: crypto.randomUUID() } });
  await ended(wrong.runId);
  const failed = (await get('/tail?kind=runs&since=15m&workflow=mark&limit=500')).events.filter((e) => e.run === wrong.runId);
  assert.deepEqual(failed.map((e) => [e.kind, e.status, e.errorCode]), [['step', 'failed', 'NOT_FOUND'], ['run', 'dead', 'NOT_FOUND']]);
});

test('webhooks and their deliveries are listed, and one is sent again', async () => {
  const hooks = await get('/hooks');
  assert.deepEqual(hooks.out.map((h) => [h.name, h.events]), [['crm', ['ticket.created']]]);
  const { deliveries } = await get('/deliveries?hook=crm');
  assert.ok(deliveries.length >= 1);
  const again = (id) => stack.dev('POST', `${path}/deliveries/${id}/redeliver`, {});
  assert.equal((await again(deliveries[0].id)).status, 202);
  assert.equal((await again(deliveries[0].id.slice(0, 35))).json.redelivered, deliveries[0].id);
  sql(stack, databaseOf(project), `update svc.delivery set status = 'dead', ended_at = now() where id = '${deliveries[0].id}'`);
  assert.equal((await again(deliveries[0].id)).status, 202);
  assert.equal((await stack.dev('POST', `${path}/deliveries/${crypto.randomUUID()}/redeliver`, {})).json.code, 'NOT_FOUND');
});

test('the state of an app shows a webhook that is off, and how to turn it on', async () => {
  const off = async () => (await get('')).environments.dev.hooksOff;
  const client = new Client(stack);
  const status = async () => (await client.svc(['status', '--project', project.id], { env: { SVC_TOKEN: stack.session } })).out;
  try {
    assert.deepEqual(await off(), []);
    assert.doesNotMatch(await status(), / is off since /);
    sql(stack, databaseOf(project), "update svc.hook_out_state set failing_since = now() - interval '6 days', off_at = now() where hook = 'crm'");
    const [hook, ...others] = await off();
    assert.deepEqual([hook.name, others], ['crm', []]);
    assert.ok(Date.parse(hook.failingSince) < Date.parse(hook.offAt));
    assert.match(await status(), /The webhook crm of dev is off since 20\S+: its address has taken no call for five days\.\n  To turn it on, .*svc hooks deliveries crm, svc hooks redeliver <id>\n/);
    const { deliveries } = await get('/deliveries?hook=crm');
    await stack.dev('POST', `${path}/deliveries/${deliveries[0].id}/redeliver`, {}, { expect: 202 });
    assert.deepEqual(await off(), []);
  } finally {
    client.remove();
  }
});

// More mails than a list shows are held, and one is named by the beginning of its id.
async function shortened(client) {
  // A restored database has another name.
  const [[generation]] = sql(stack, 'svc_platform', `select generation from project_database where project_id = '${project.id}' and env = 'dev'`);
  const database = `${databaseOf(project)}_g${generation}`;
  sql(stack, database, `insert into svc.mail (id, kind, recipient, subject, body, held, next_at)
    select (lpad(n::text, 8, '0') || '-0000-4000-8000-000000000000')::uuid, 'workflow', n || '@example.test', 'Many', 'text', true, 'infinity' from generate_series(1, 250) n`);
  const release = (...ids) => client.svc(['held', 'release', 'mails', ...ids, '--project', project.id], { env: { SVC_TOKEN: stack.session } });
  const several = await release('00000249', '0000024');
  assert.equal(several.code, 1);
  assert.match(several.err, /Several ids begin with '0000024', such as 00000240-0000-4000-8000-000000000000, .*00000244-\S+\. Give more characters\./);
  assert.match((await release('0000025f')).err, /There is no held mail '0000025f'\./);
  const released = () => sql(stack, database, "select recipient from svc.mail where subject = 'Many' and not held").flat();
  assert.deepEqual(await released(), []);
  assert.equal((await release('00000249-0')).out, '1 released.\n');
  assert.deepEqual(await released(), ['249@example.test']);
  sql(stack, database, "delete from svc.mail where subject = 'Many'");
}

test('a restore holds runs that had not ended, says how many, and they go on once they are released', async () => {
  sql(stack, databaseOf(project), "insert into svc.mail (kind, recipient, subject, body) select 'workflow', n || '@example.test', 'Hello', 'text' from generate_series(1, 2) n");
  sql(stack, databaseOf(project), "update svc.delivery set status = 'waiting', ended_at = null, next_at = now() + interval '1 day', attempts = 1");
  const { snapshot } = (await stack.dev('POST', `${path}/snapshots`, { env: 'dev' }, { expect: 201 })).json;
  const live = async () => (await get('/logs?limit=200')).runs.filter((run) => ['queued', 'running', 'waiting'].includes(run.status)).length;
  const before = await live();
  assert.ok(before > 0);
  const { json } = await stack.dev('POST', `${path}/snapshots/${snapshot.id}/restore`, {}, { expect: 200 });
  assert.deepEqual([json.held, await live()], [before, 0]);
  const { held } = (await get('')).environments.dev;
  assert.deepEqual([json.heldMails, json.heldDeliveries], [held.mails, held.deliveries]);
  assert.ok(held.deliveries > 0);
  const shown = async () => [(await get('')).environments.dev.heldRuns,
    (await get('/workflows')).workflows.reduce((all, { held }) => all + held, 0)];
  assert.deepEqual(await shown(), [before, before]);
  const client = new Client(stack);
  const svc = async (command) => (await client.svc([command, '--project', project.id], { env: { SVC_TOKEN: stack.session } })).out;
  try {
    assert.match(await svc('status'), new RegExp(`Held since a restore, of dev: ${before} runs?, 2 mails, ${held.deliveries} deliver(y|ies)\\.\\n  To see them, and to continue or drop them: svc held\\n`));
    assert.match(await svc('workflows'), /Held since a restore: \d+ of \w+.*\. To let them go on: svc held release runs\n/);
    const listed = await get('/held?limit=1');
    assert.deepEqual(listed.counts, { runs: before, mails: 2, deliveries: held.deliveries });
    assert.deepEqual(listed.mails.map((mail) => [mail.to, mail.subject]), [['1@example.test', 'Hello']]);
    const run = async (...args) => (await client.svc(['held', ...args, '--project', project.id], { env: { SVC_TOKEN: stack.session } })).out;
    assert.match(await run(), /Held since a restore, mails: 2\n[^]*2@example\.test[^]*svc held release <kind> \[id\]/);
    assert.equal(await run('release', 'mails', listed.mails[0].id), '1 released.\n');
    assert.equal(await run('drop', 'mails', '--yes'), '1 dropped.\n');
    await shortened(client);
    assert.equal(await run('drop', 'deliveries', '--yes'), `${held.deliveries} dropped.\n`);
    const wrong = await stack.dev('POST', `${path}/held/drop`, { kind: 'cats', ids: ['abc', 'nothex'] }, { expect: 400 });
    assert.deepEqual(wrong.json.details.map(({ field }) => field), ['kind', 'ids', 'ids']);
    const [{ id: one }] = (await get('/held?limit=1')).runs;
    assert.equal((await client.svc(['run', 'release', one, '--project', project.id], { env: { SVC_TOKEN: stack.session } })).out, '1 released.\n');
  } finally {
    client.remove();
  }
  assert.deepEqual((await get('/held')).counts, { runs: before - 1, mails: 0, deliveries: 0 });
  assert.deepEqual((await get('/mail')).mails.filter((mail) => mail.subject === 'Hello').map((mail) => mail.to), ['1@example.test']);
  assert.deepEqual((await stack.dev('POST', `${path}/held/release`, { kind: 'runs' }, { expect: 200 })).json, { released: before - 1 });
  assert.equal(await live(), before);
  assert.deepEqual(await shown(), [0, 0]);
});
