// Pictures of pages: by svcd with a real Chromium, and by the program beside it where the page must be one of a
// test's own.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import test, { after, before } from 'node:test';
import { pathToFileURL } from 'node:url';
import { Client } from '../cli/client.mjs';
import { Stack, bin, sample, until } from '../lib/stack.mjs';

const load = (name) => import(pathToFileURL(join(bin, 'web/screenshot', name)).href);

let stack, project, path;
before(async () => {
  stack = await Stack.start({}, { browser: true });
  await stack.signIn();
  project = await stack.project('Pictured');
  path = `/projects/${project.id}/screenshot`;
});
after(() => stack?.stop());

// Width and height as the file's own head says.
function sizeOf(png) {
  assert.equal(png.subarray(1, 4).toString(), 'PNG');
  return [png.readUInt32BE(16), png.readUInt32BE(20)];
}
// Processes of a browser may end by themselves at any moment: then there is nothing left to do.
function unlessGone(act) {
  try {
    return act();
  } catch (error) {
    if (error.code !== 'ESRCH' && error.code !== 'ENOENT') throw error;
    return null;
  }
}
const take = async (body, expect = 200) => (await stack.dev('POST', path, body, { expect })).json;
const pictureOf = (answer) => Buffer.from(answer.png, 'base64');

// Processes whose command line holds all of `words` and that belong to this stack's browser.
function processes(words) {
  return readdirSync('/proc').filter((name) => /^\d+$/.test(name)).map(Number).filter((pid) => {
    try {
      const line = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
      return words.every((word) => line.includes(word)) && descends(pid, stack.child.pid);
    } catch {
      return false;
    }
  });
}
function descends(pid, from) {
  for (let at = pid; at > 1; at = Number(/^PPid:\t(\d+)/m.exec(readFileSync(`/proc/${at}/status`, 'utf8'))[1])) if (at === from) return true;
  return false;
}

test('before anything was applied there is no app to look at', async () => {
  assert.equal((await take({}, 404)).code, 'NO_APP');
});

test('what a call must be is said field by field', async () => {
  await stack.apply(project, sample('shop'));
  for (const [body, field] of [
    [{ route: 'orders' }, 'route'], [{ route: '/a b' }, 'route'], [{ route: 7 }, 'route'], [{ width: 319 }, 'width'], [{ width: 1601 }, 'width'],
    [{ height: 479 }, 'height'], [{ height: 1201 }, 'height'], [{ width: 'wide' }, 'width'], [{ fullPage: 'yes' }, 'fullPage'], [{ colorScheme: 'sepia' }, 'colorScheme'], [{ as: 'nobody' }, 'as'],
    [{ as: '' }, 'as'],
  ]) {
    const answer = await take(body, 400);
    assert.equal(answer.code, 'BAD_REQUEST', JSON.stringify(body));
    assert.deepEqual(answer.details.map((one) => one.field), [field], JSON.stringify(answer));
  }
  const format = await stack.dev('POST', `${path}?format=jpeg`, {}, { expect: 400 });
  assert.equal(format.json.details[0].field, 'format');
});

test('a page as a telephone and as a screen shows it; the page\'s errors', async () => {
  const usual = await take({});
  assert.deepEqual(sizeOf(pictureOf(usual)), [390, 844]);
  assert.deepEqual(Object.keys(usual), ['png', 'errors', 'overflow', 'text', 'ms']);
  assert.equal(usual.overflow.horizontal, false);
  assert.deepEqual(sizeOf(pictureOf(await take({ width: 1280, height: 720, as: 'clerk' }))), [1280, 720]);
  const none = await take({ route: '/no/such/page' });
  assert.ok(none.errors.some(({ kind, message }) => kind === 'request' && message.includes('404')), JSON.stringify(none.errors));
  const image = await stack.dev('POST', `${path}?format=png`, { width: 400 }, { expect: 200 });
  assert.equal(image.headers['content-type'], 'image/png');
});

test('a viewer and a token that only reads may look; a stranger may not', async () => {
  const { token } = (await stack.dev('POST', '/tokens', { name: 'r', workspaceId: stack.workspace, scopes: ['read'] }, { expect: 201 })).json;
  assert.equal((await stack.dev('POST', path, {}, { token })).status, 200);
  assert.equal((await stack.dev('POST', path, {}, { token: null })).status, 401);
});

test('several at a time; a browser and its program that are killed are started again', async () => {
  const all = await Promise.all([...Array(4).keys()].map((i) => take({ width: 400 + i })));
  assert.deepEqual(all.map((one) => sizeOf(pictureOf(one))[0]), [400, 401, 402, 403]);
  const main = (pids) => pids.filter((pid) => unlessGone(() => !readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('--type=')));
  for (const words of [['chromium', '--remote-debugging'], ['web/screenshot/main.mjs']]) {
    const victims = main(processes(words));
    assert.ok(victims.length > 0, `${words} runs`);
    for (const pid of victims) unlessGone(() => process.kill(pid, 'SIGKILL'));
    assert.deepEqual(sizeOf(pictureOf(await take({}))), [390, 844]);
  }
});

test('the command writes the picture; the tool answers it as one', async () => {
  const client = new Client(stack);
  try {

    const env = { ...client.env, SVC_TOKEN: stack.session, SVC_API: `http://127.0.0.1:${stack.port}/dev/v1`, SVC_PROJECT: project.id };
    const out = execFileSync(join(bin, 'svc'), ['screenshot', '/', '--as', 'clerk', '--width', '500', '--dark', '--out', 'x.png'], { cwd: client.folder, env, encoding: 'utf8' });
    assert.match(out, /^Wrote x\.png\.$/m);
    assert.deepEqual(sizeOf(readFileSync(join(client.folder, 'x.png'))), [500, 844]);
    // A picture that is not of the page that was asked for.
    for (const [args, why] of [[['/no/such/page'], /The page itself answered 404\./], [['/order'], /The page led on to \/sign-in: whoever looks at it has to sign in first\./]]) {
      const { status, stderr } = spawnSync(join(bin, 'svc'), ['screenshot', ...args, '--out', 'y.png'], { cwd: client.folder, env, encoding: 'utf8' });
      assert.equal(status, 1, stderr);
      assert.match(stderr, why);
      assert.deepEqual(sizeOf(readFileSync(join(client.folder, 'y.png'))), [390, 844]);
    }
  } finally {
    client.remove();
  }
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'take_screenshot', arguments: { project: project.id } } };
  const { result } = (await stack.dev('POST', '/mcp', call, { expect: 200 })).json;
  assert.deepEqual(result.content.map(({ type }) => type), ['image', 'text']);
  assert.equal(result.content[0].mimeType, 'image/png');
  assert.deepEqual(sizeOf(Buffer.from(result.content[0].data, 'base64')), [390, 844]);
  assert.equal(result.structuredContent.png, undefined);
});

test('where there is no Chromium it says what to install', async () => {
  stack.child.kill('SIGTERM');
  await stack.ended;
  assert.deepEqual(processes(['web/screenshot/main.mjs']), [], 'the browser ends with svcd');
  stack.env.SVC_CHROMIUM = '/nowhere/chromium';
  await stack.run();
  await stack.signIn();
  const answer = await take({}, 503);
  assert.equal(answer.code, 'UNAVAILABLE');
  assert.match(answer.error, /Install the Debian package chromium/);
});

// A page of the test's own, which asks for what it must not get.
const pages = {
  '/': `<title>x</title><body style="margin:0"><h1 style="width:700px">Wide</h1><img src="http://169.254.169.254/latest/meta-data">
    <script>console.error('told by the page'); fetch('http://127.0.0.1:1/x').catch(() => {}); fetch('https://example.test/').catch(() => {});
    new WebSocket('ws://127.0.0.1:4999/'); setTimeout(() => { throw new Error('thrown by the page') }, 1);</script>
    <script>document.write('<p>late</p>'); fetch('/missing')</script>`,
  '/policy': '<script>document.title = "ran"</script><p>policy</p>',
  '/long': `<div style="height:40000px;background:linear-gradient(red,blue)">long</div>`,
  '/away': '',
  '/scheme': '<p id="p"></p><script>p.textContent = matchMedia("(prefers-color-scheme: dark)").matches ? "night" : "day"</script>',
};
const server = createServer((req, res) => {
  if (req.url === '/away') return res.writeHead(302, { location: 'http://127.0.0.1:1/' }).end();
  if (!(req.url in pages)) return res.writeHead(404).end('no');
  res.writeHead(200, { 'content-type': 'text/html', ...(req.url === '/policy' ? { 'content-security-policy': "script-src 'none'" } : {}) }).end(pages[req.url]);
});

test('a page reaches only its own host, and its errors are reported', async (t) => {
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  const { WarmBrowser } = await load('browser.mjs'), { shoot } = await load('shoot.mjs');
  const warm = new WarmBrowser({ program: '/usr/bin/chromium' });
  t.after(async () => { await warm.close(); server.closeAllConnections(); server.close(); });
  const { port } = server.address();
  const wanted = (route) => ({ url: `http://preview-x.apps.invalid:${port}${route}`, service: { host: '127.0.0.1', port }, width: 390, height: 844, fullPage: false });
  const look = async (route, more = {}) => shoot(await warm.get(), { ...wanted(route), ...more });

  const { errors, overflow, text } = await look('/');
  const has = (kind, part) => assert.ok(errors.some((one) => one.kind === kind && `${one.message} ${one.url}`.includes(part)), `${kind} ${part}: ${JSON.stringify(errors)}`);
  for (const host of ['169.254.169.254', '127.0.0.1:1/', 'example.test', '127.0.0.1:4999']) has('refused', host);
  has('console', 'told by the page');
  has('exception', 'thrown by the page');
  has('request', '404');
  assert.deepEqual(overflow, { horizontal: true, px: 310 });
  assert.match(text, /Wide\s+late/);

  assert.match((await look('/scheme')).text, /day/);
  assert.match((await look('/scheme', { colorScheme: 'dark' })).text, /night/);
  assert.ok((await look('/policy')).errors.some(({ kind }) => kind === 'csp'));
  assert.deepEqual(sizeOf(pictureOf(await look('/long'))), [390, 844]);
  assert.deepEqual(sizeOf(pictureOf(await look('/long', { fullPage: true }))), [390, 12000]);
  const away = await look('/away').catch((error) => ({ errors: [{ kind: 'refused', message: error.message }] }));
  assert.ok(away.errors.some(({ kind }) => kind === 'refused'), JSON.stringify(away.errors));
});

test('many who ask at once get one browser', async (t) => {
  const { WarmBrowser } = await load('browser.mjs');
  const warm = new WarmBrowser({ program: '/usr/bin/chromium' });
  t.after(() => warm.close());
  const [one, two] = await Promise.all([warm.get(), warm.get()]);
  assert.equal(one, two);
  await one.close();
  await until('the browser to be gone', () => !warm.alive());
  assert.notEqual(await warm.get(), one);
});
