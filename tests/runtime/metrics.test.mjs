// The metrics of an app server and of svcd, in Prometheus' text format. Without listeners nothing is read.
import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import test, { after, before } from 'node:test';
import { askServer, socketOf } from '../lib/admin_socket.mjs';
import { Events } from '../lib/events.mjs';
import { Stack, appServers, sample, until } from '../lib/stack.mjs';

let stack, project, host;
before(async () => {
  stack = await Stack.start();
  await stack.signIn();
  project = await stack.project('Counted');
  host = `preview-${project.slug}.localhost`;
  await stack.apply(project, sample('shop'));
});
after(() => stack?.stop());

const server = () => ({ authorization: `Bearer ${project.server}`, 'x-svc-data-api': '1' });
const call = (method, path, body) => stack.fetch(method, `/__svc/${path}`, { headers: { ...server(), 'x-svc-app-role': 'manager' }, host, body });
const listen = (path, headers = {}) =>
  Events.open({ port: stack.port, path: `/__svc/topics/${path}`, headers: { host, ...server(), ...headers } });

const ask = (path, method) => askServer(appServers(project)[0].pid, path, method);

// {'name{label="value"}': number}, held to the format.
function samples(text) {
  const out = {}, families = new Map();
  let family;
  assert.ok(text.endsWith('\n'));
  for (const line of text.slice(0, -1).split('\n')) {
    const said = /^# (HELP|TYPE) ([a-z_]+) (.+)$/.exec(line);
    if (said) {
      if (said[1] === 'HELP') assert.ok(!families.has(said[2]), `${said[2]} is told once`);
      else assert.ok(['counter', 'gauge'].includes(said[3]) && family === said[2], line);
      families.set(family = said[2], said[3]);
      continue;
    }
    const sample = /^([a-z_]+)(\{[a-z_]+="[^"\\]*"(?:,[a-z_]+="[^"\\]*")*\})? (\d+(?:\.\d+)?(?:e[+-]\d+)?)$/.exec(line);
    assert.ok(sample && sample[1] === family, line);
    assert.equal(families.get(family) === 'counter', family.endsWith('_total'), `${family} is named by its kind`);
    out[sample[1] + (sample[2] ?? '')] = Number(sample[3]);
  }
  return out;
}
async function counts() {
  const { status, type, text } = await ask('/metrics');
  assert.equal(status, 200, text);
  assert.match(type, /^text\/plain; version=0\.0\.4/);
  return samples(text);
}

test('streams, frames and messages are counted', async () => {
  const start = await counts();
  assert.equal(start['svc_streams{kind="rows"}'], 0);
  assert.equal(start.svc_feed_poll_age_seconds, undefined, 'nobody listens');
  const topic = await listen('app:news/subscribe');
  const rows = await listen('row-changed:product/subscribe');
  const both = await listen('subscribe?topic=app:news&topic=app:other');
  const open = await counts();
  for (const kind of ['messages', 'rows', 'several']) assert.equal(open[`svc_streams{kind="${kind}"}`], 1, kind);
  assert.ok(open.svc_feed_poll_age_seconds >= 0);
  assert.equal((await call('POST', 'topics/app:news/publish', { payload: 1 })).status, 200);
  assert.equal((await call('POST', 'api/v1/product', { sku: 'M-1', title: 'Counted', price: 1 })).status, 201);
  await Promise.all([topic.first(1), rows.first(1), both.first(1)]);
  const told = await counts();
  const more = (name) => told[name] - open[name];
  assert.equal(more('svc_messages_published_total'), 1);
  assert.equal(more('svc_stream_frames_total{kind="message"}'), 2);
  assert.equal(more('svc_stream_frames_total{kind="change"}'), 1);
  assert.ok(more('svc_answers_total{status="2xx"}') >= 2);
  const lost = await listen('app:news/subscribe', { 'last-event-id': 'nonsense' });
  await lost.first(1);
  assert.equal((await counts())['svc_stream_resets_total{reason="cursor_too_old"}'], told['svc_stream_resets_total{reason="cursor_too_old"}'] + 1);
  for (const events of [topic, rows, both, lost]) events.close();
});

test('where nobody listens nothing is read', async () => {
  await until('the last reading', async () => (await counts()).svc_feed_poll_age_seconds === undefined);
  const quiet = await counts();
  for (const kind of ['messages', 'rows', 'several']) assert.equal(quiet[`svc_streams{kind="${kind}"}`], 0, kind);
  for (let i = 0; i < 20; i += 1) {
    assert.equal((await call('POST', 'topics/app:news/publish', { payload: i })).status, 200);
    assert.equal((await call('POST', 'api/v1/product', { sku: `Q-${i}`, title: 'Unheard', price: 1 })).status, 201);
  }
  const later = await counts();
  assert.equal(later.svc_feed_readings_total, quiet.svc_feed_readings_total);
  assert.equal(later.svc_messages_published_total, quiet.svc_messages_published_total + 20);
});

test('runs are counted when they begin and when they end', async () => {
  const ofRuns = async () => { const all = await counts(); return [all.svc_runs_started_total, all['svc_runs_ended_total{how="failed"}']]; };
  const [started, failed] = await ofRuns();
  await stack.dev('POST', `/projects/${project.id}/workflows/delivered/run`, { input: { body: { sku: 'NONE', pieces: 1 } } }, { expect: 202 });
  await until('the end of the run', async () => (await ofRuns()).join() === `${started + 1},${failed + 1}`);
});

test('the socket is its user\'s alone, and answers nothing else', async () => {
  const path = socketOf(appServers(project)[0].pid);
  assert.equal(statSync(path).mode & 0o777, 0o600);
  assert.equal((await ask('/healthz')).text, '{"ok":true}');
  assert.equal((await ask('/__svc/api/v1/product')).status, 404);
  assert.equal((await ask('/metrics', 'POST')).status, 405);
  const outside = await stack.fetch('GET', '/metrics', { host, headers: server() });
  assert.notEqual(outside.status, 200, 'an app shows its numbers to nobody outside');
  const [{ pid }] = appServers(project);
  process.kill(pid, 'SIGKILL');
  await until('its successor', async () => appServers(project).some((one) => one.pid !== pid) && (await call('GET', 'api/v1/product').catch(() => null))?.status === 200);
  assert.throws(() => statSync(path), /ENOENT/, 'what was killed leaves no socket');
});

test('svcd gives builders its own metrics, and those of the apps of their projects', async () => {
  assert.equal((await stack.fetch('GET', '/metrics')).status, 401);
  const told = async (credential) => {
    const { status, text } = await stack.fetch('GET', '/metrics', { headers: { authorization: `Bearer ${credential}` } });
    assert.equal(status, 200);
    return samples(text);
  };
  const of = (slug, name, label = '') => `${name}{project="${slug}",environment="dev"${label}}`;
  const second = await stack.project('Counted too');
  await stack.apply(second, sample('hello'));
  const rows = await listen('row-changed:product/subscribe');
  const mine = await told(stack.session);
  rows.close();
  assert.equal(mine.svcd_live_apps, 2);
  assert.equal(mine.svcd_silent_apps, 0);
  assert.equal(mine[of(project.slug, 'svc_streams', ',kind="rows"')], 1);
  assert.equal(mine[of(second.slug, 'svc_streams', ',kind="rows"')], 0);
  assert.ok(mine[of(project.slug, 'svc_feed_poll_age_seconds')] >= 0);
  assert.ok(mine[of(project.slug, 'svc_messages_published_total')] >= 0);
  const other = (await stack.dev('POST', '/workspaces', { name: 'Elsewhere' }, { expect: 201 })).json.workspace.id;
  const { token } = (await stack.dev('POST', '/tokens', { name: 'elsewhere', workspaceId: other, scopes: ['read'] }, { expect: 201 })).json;
  const elsewhere = Object.keys(await told(token));
  assert.ok(elsewhere.length > 0 && !elsewhere.some((name) => name.includes('project=')), 'a token of another workspace');
});
