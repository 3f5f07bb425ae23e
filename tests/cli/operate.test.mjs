// Commands that operate an app, against a real service and on a real terminal.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import test, { after, before } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { packages } from '../lib/npm.mjs';
import { Stack, bin, sample } from '../lib/stack.mjs';
import { Client } from './client.mjs';

let stack, client, project;
before(async () => {
  stack = await Stack.start();
  await stack.signIn();
  client = new Client(stack);
  client.env.SVC_TOKEN = stack.session;
  project = await stack.project('Commands');
  await stack.apply(project, sample('shop'));
  client.env.SVC_PROJECT = project.id;
});
after(async () => {
  client?.remove();
  await stack?.stop();
});

const expect = (...asked) => client.expect(...asked);

test('sql: tables, several results, a file, the place of an error', async () => {
  const { out } = await expect(0, ['sql', "select sku, stock from product; update product set stock = 40"]);
  assert.match(out, /^sku +stock\nTEA-1 +40\n1 row\n\n1 row\n$/);
  client.write('q.sql', "-- of a file\nselect 'é' as letter;");
  assert.match((await expect(0, ['sql', '--file', 'q.sql'])).out, /^letter\né\n1 row\n/);
  assert.match((await expect(0, ['sql', '--file', '-'], { input: 'select 1 as one' })).out, /^one\n/);
  const { err } = await expect(1, ['sql', "select 'é',\n  nix from product"]);
  assert.match(err, /column "nix" does not exist \(42703\)\n {4}nix from product\n {4}\^\n/);
  await expect(2, ['sql']);
  await expect(2, ['sql', 'select 1', '--file', 'q.sql']);
  await expect(2, ['sql', '--file', 'nowhere.sql']);
  await expect(2, ['sql', 'select 1', '--env', 'test']);
  assert.match((await expect(1, ['sql', 'select 1', '--env', 'prod'])).err, /NO_APP/);
  const json = JSON.parse((await expect(0, ['sql', 'select 1 as n', '--json'])).out);
  assert.equal(json.results[0].rows[0].n, 1);
  assert.equal(JSON.parse((await expect(1, ['sql', 'drop table product', '--json'])).out).code, '42501');
});

test('rows: exit 0 only where every row succeeded', async () => {
  const row = (sku) => ({ sku, title: sku, price: 1 });
  await expect(0, ['rows', 'insert', 'product', '--data', JSON.stringify(row('R-1'))]);
  client.write('two.json', [row('R-2'), row('R-1')]);
  assert.match((await expect(1, ['rows', 'insert', 'product', '--data', '@two.json'])).out, / ok\n.* CONFLICT /s);
  const { rows } = JSON.parse((await expect(0, ['sql', "select id from product where sku like 'R-%' order by sku", '--json'])).out).results[0];
  const ids = rows.map((r) => r.id);
  assert.match((await expect(0, ['rows', 'update', 'product', '--id', ids[0], '--patch', '{"stock":3}'])).out, new RegExp(`${ids[0]} +ok`));
  assert.match((await expect(1, ['rows', 'update', 'product', '--id', ids[0], '--patch', '{"cost":3}', '--as', 'clerk'])).out, /FIELD_FORBIDDEN +cost: /);
  await expect(0, ['rows', 'delete', 'product', '--ids', ids.join()]);
  assert.match((await expect(1, ['rows', 'delete', 'product', '--id', ids[0]])).out, /NOT_FOUND/);
  await expect(0, ['rows', 'restore', 'product', ids[0]]);
  const { out } = await expect(0, ['rows', 'history', 'product', ids[0]]);
  assert.match(out, /^at +event +by +what\n20\S+ +restored +- .*\n20\S+ +deleted +- .*sku: R-1.*\n20\S+ +updated +- +stock: \d+ -> 3\n20\S+ +created /);
  assert.match((await expect(0, ['rows', 'history', 'product', ids[0], '--limit', '1'])).out, /There are older entries: --before \d+\n$/);
  assert.equal(JSON.parse((await expect(0, ['rows', 'history', 'product', ids[0], '--json'])).out).history.length, 4);
  assert.match((await expect(1, ['rows', 'history', 'order', ids[0]])).err, /keeps no history/);
  assert.match((await expect(1, ['rows', 'history', 'prodct', ids[0]])).err, /There is no table 'prodct'\. Did you mean 'product'\?/);
  await expect(2, ['rows', 'history', 'product']);
  await expect(2, ['rows', 'insert', 'product', '--data', '{']);
  await expect(2, ['rows', 'insert', 'product', '--data', '@nowhere.json']);
  await expect(2, ['rows', 'upsert', 'product']);
  assert.match((await expect(2, ['rows', 'insert', 'product'])).err, /svc rows insert needs --data/);
  assert.match((await expect(2, ['rows', 'update', 'product', '--patch', '{}'])).err, /needs --id or --ids/);
  assert.match((await expect(2, ['rows', 'update', 'product', '--id', 'x'])).err, /needs --patch/);
  await expect(2, ['rows', 'delete', 'product']);
  assert.match((await expect(1, ['rows', 'insert', 'product', '--data', '{}', '--as', 'nobody'])).err, /BAD_REQUEST/);
});

test('schema, logs, run, mail, sign-in, demo-reset', async () => {
  assert.match((await expect(0, ['schema'])).out, /^order_line\n {2}column +type +null +default\n {2}id +uuid +no/m);
  assert.equal((await expect(0, ['logs'])).out, 'No runs and no notifications yet.\n');
  assert.match((await expect(1, ['logs', '--workflow', 'nix'])).err, /NOT_FOUND/);
  await expect(2, ['logs', '--limit', '201']);
  assert.match((await expect(1, ['run', 'workflow', 'nix', '--input', '{"a":1}'])).err, /NOT_FOUND/);
  const none = await expect(1, ['run', 'workflow', 'low_stock']);
  assert.match(none.err, /row: Workflow low_stock starts from a row of product\. Name one: row is its id/);
  const { rows: [{ id }] } = JSON.parse((await expect(0, ['sql', "select id from product where sku = 'TEA-1'", '--json'])).out).results[0];
  assert.match((await expect(1, ['run', 'workflow', 'low_stock', '--row', id])).err, /its condition does not hold for this row\. If it looks at old values, give them as old\./);
  assert.match((await expect(1, ['run', 'workflow', 'low_stock', '--row', id, '--old', '{"stoc":9}'])).err, /old: product has no field stoc\./);
  assert.match((await expect(1, ['run', 'workflow', 'low_stock', '--row', 'x'])).err, /'x' is not the id of a row/);
  await expect(2, ['run', 'workflow', 'low_stock', '--row', id, '--old', '{']);
  assert.match((await expect(0, ['workflows'])).out, /^low_stock +product updated +0 +0/m);
  assert.match((await expect(0, ['hooks', 'list'])).out, /^supplier +svc +delivered/m);
  const secret = (await expect(0, ['hooks', 'secret', 'supplier'])).out;
  assert.match(secret, /^whsec_\S+\n$/);
  assert.notEqual((await expect(0, ['hooks', 'secret', 'supplier', '--rotate'])).out, secret);
  assert.match((await expect(0, ['hooks', 'deliveries'])).out, /Nothing has been delivered/);
  assert.match((await expect(1, ['run', 'get', 'x'])).err, /NOT_FOUND/);
  assert.equal((await expect(0, ['run', 'dead-letters'])).out, 'No dead letters.\n');
  assert.equal((await expect(0, ['run', 'replay'])).out, '0 replayed.\n');
  const help = (await expect(2, ['run'])).err;
  assert.match(help, /^svc: svc run needs one of these words after it:\n {2}workflow +Run a workflow now\n/);
  assert.match(help, /\n {2}See: svc run --help\n$/);
  for (const group of ['files', 'hooks', 'pay', 'ai', 'preview', 'pages']) assert.match((await expect(2, [group])).err, new RegExp(`^svc: svc ${group} needs one of these`));
  assert.match((await expect(2, ['topics', 'publish'])).err, /topic is required\.\n {2}See: svc topics publish --help\n$/);
  assert.match((await expect(0, ['mail'])).out, /No mail/);
  assert.match((await expect(0, ['sign-in'])).out, /clerk/);
  const link = await expect(0, ['sign-in', 'clerk']);
  assert.match(link.out, /^http:\S+token=\S+\n$/, 'the address alone, for scripts');
  assert.match(link.err, /^The link works once, until /);
  assert.match((await expect(0, ['demo-reset', '--status'])).out, /never reset/);
  assert.match((await expect(0, ['demo-reset', '--yes'])).out, /reset to the seeds/);
});

test('tail: looked back at and followed', async () => {
  await expect(0, ['rows', 'insert', 'product', '--data', '{"sku":"T-1","title":"T","price":1}']);
  assert.match((await expect(0, ['tail', 'events', '--since', '15m', '--limit', '500'])).out, /^20\S+ {2}product created {2}\{.*"sku":"T-1"/m);
  await expect(0, ['tail', 'requests']);
  await expect(0, ['tail', 'errors']);
  await expect(2, ['tail']);
  await expect(2, ['tail', 'things']);
  assert.match((await expect(1, ['tail', 'events', '--since', 'soon'])).err, /since/);
  const child = spawn(join(bin, 'svc'), ['tail', 'events', '--follow', '--limit', '1'], { cwd: client.folder, env: client.env });
  let out = '';
  await new Promise((done) => {
    let written = false;
    child.stdout.on('data', (piece) => {
      out += piece;
      if (!written) {
        written = true;
        void expect(0, ['rows', 'insert', 'product', '--data', '{"sku":"T-2","title":"T","price":1}']);
      }
      if (out.includes('T-2')) done();
    });
  });
  child.kill('SIGINT');
  await new Promise((done) => child.on('close', done));
});

test('topics: published, listed and listened to', async () => {
  assert.match((await expect(0, ['topics'])).out, /app:customer:\{id\} +staff +customer if id == user\.id, staff/);
  const unknown = (await expect(1, ['topics', 'publish', 'conter'])).err;
  assert.match(unknown, /There is no topic 'conter'\. Did you mean 'counter'\? There are: counter, app:customer:\{id\}\. .*--undeclared.*NOT_FOUND/);
  assert.match((await expect(1, ['topics', 'listen', 'news'])).err, /There is no topic 'news'\. There are: counter, app:customer:\{id\}\./);
  assert.match((await expect(1, ['topics', 'listen', 'row-changed:prodct'])).err, /There is no table 'prodct'\. Did you mean 'product'\?/);
  assert.match((await expect(0, ['topics', 'publish', 'news', '{"text":"Hello"}', '--undeclared'])).out, /Published to news/);
  await expect(0, ['topics', 'publish', 'app:customer:7']);
  assert.match((await expect(0, ['topics', 'list'])).out, /published to[^]*news +1 +20/);
  const { topics, used } = JSON.parse((await expect(0, ['topics', '--json'])).out);
  assert.deepEqual(topics.map(({ name }) => name), ['counter', 'app:customer:{id}']);
  assert.deepEqual(used.map(({ topic, messages }) => [topic, messages]), [['app:customer:7', 1], ['news', 1]]);
  assert.match((await expect(0, ['tail', 'events', '--since', '15m'])).out, /^20\S+ {2}news {2}\{"text":"Hello"\}$/m);
  assert.match((await expect(1, ['topics', 'publish', 'my news'])).err, /topic/);
  await expect(2, ['topics', 'publish', 'news', '{nonsense']);
  await expect(2, ['topics', 'publish']);
  await expect(2, ['topics', 'listen']);
  const child = spawn(join(bin, 'svc'), ['topics', 'listen', 'news', 'row-changed:product', '--since', '1h', '--json'], { cwd: client.folder, env: client.env });
  let out = '';
  await new Promise((done) => {
    let written = false;
    child.stdout.on('data', (piece) => {
      out += piece;
      if (!written && out.includes('Hello')) {
        written = true;
        void expect(0, ['topics', 'publish', 'other', '1', '--undeclared'])
          .then(() => expect(0, ['topics', 'publish', 'news', '2']))
          .then(() => expect(0, ['rows', 'insert', 'product', '--data', '{"sku":"T-3","title":"T","price":1}']));
      }
      if (out.includes('T-3')) done();
    });
  });
  child.kill('SIGINT');
  await new Promise((done) => child.on('close', done));
  const entries = out.trim().split('\n').map((line) => JSON.parse(line));
  assert.ok(!entries.some(({ topic, table }) => topic === 'other' || topic === 'app:customer:7' || table === 'order'), out);
  assert.deepEqual(entries.filter(({ kind }) => kind === 'message').map(({ payload }) => payload), [{ text: 'Hello' }, 2]);
});

test('tables fit the terminal, and colours are for terminals', async () => {
  const wide = ['sql', "select repeat('x', 300) as long, 1 as n"];
  const shown = (await client.terminal(wide)).out.split(/\r?\n/);
  assert.ok(shown.every((line) => line.replace(/\x1b\[[0-9;]*[A-Za-z]/g, '').length <= 80), shown.join('\n'));
  assert.ok((await expect(0, wide)).out.includes('x'.repeat(300)), 'a pipe gets all of it');
  const bad = ['sql', 'selec'];
  assert.match((await client.terminal(bad)).out, /\x1b\[31m/);
  assert.doesNotMatch((await client.terminal(bad, { NO_COLOR: '1' })).out, /\x1b\[31m/);
  assert.doesNotMatch((await expect(1, bad)).err, /\x1b\[/);
  const steer = (await client.terminal(['sql', "select E'\\x1b]0;owned\\x07' as title"])).out;
  assert.ok(!steer.includes('\x1b]0;'), steer);
});

test('what takes long says so on a terminal, and only there', async () => {
  const slow = ['sql', 'select count(*) from generate_series(1, 20000000)'];
  assert.match((await client.terminal(slow)).out, /Running … /);
  assert.equal((await expect(0, slow)).err, '');
});

test('mcp-config prints an entry that works, and asks nothing', async () => {
  const require = packages(fileURLToPath(new URL('../mcp/', import.meta.url)));
  const load = (name) => import(pathToFileURL(require.resolve(`@modelcontextprotocol/sdk/${name}`)).href);
  const { Client: Tools } = await load('client/index.js');
  const { StreamableHTTPClientTransport } = await load('client/streamableHttp.js');
  const offline = { env: { SVC_API: 'http://127.0.0.1:1/dev/v1' } };
  const plain = JSON.parse((await expect(0, ['mcp-config'], offline)).out).mcpServers.svc;
  assert.equal(plain.headers.Authorization, 'Bearer ${SVC_TOKEN}');
  assert.equal(plain.url, `http://127.0.0.1:1/dev/v1/mcp?project=${project.id}`);
  const { url, headers, type } = JSON.parse((await expect(0, ['mcp-config', '--token-header'])).out).mcpServers.svc;
  assert.equal(type, 'http');
  const tools = new Tools({ name: 'test', version: '1' });
  await tools.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
  const { structuredContent } = await tools.callTool({ name: 'get_project', arguments: {} });
  assert.equal(structuredContent.project.id, project.id);
  await tools.close();
  const other = JSON.parse((await expect(0, ['mcp-config', '--project', 'p-1'])).out).mcpServers.svc;
  assert.match(other.url, /project=p-1$/);
  assert.match((await expect(1, ['mcp-config', '--token-header'], { env: { SVC_TOKEN: '' } })).err, /no token/);
});
