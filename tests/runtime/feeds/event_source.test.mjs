// A real browser's EventSource on topics and rows, through an apply that swaps the server, a kill of the server, and
// a sign-out: nothing is lost and nothing comes twice.
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packages } from '../../lib/npm.mjs';
import { signUp } from '../../lib/scenarios.mjs';
import { Stack, appServers, sample, until } from '../../lib/stack.mjs';

let stack, project, browser, host, page;

before(async () => {
  stack = await Stack.start();
  await stack.signIn();
  project = await stack.project('Watched');
  await stack.apply(project, sample('shop'));
  host = `preview-${project.slug}.localhost`;
  const { chromium } = packages(join(dirname(fileURLToPath(import.meta.url)), '../../accounts'))('playwright-core');
  browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu'] });
  page = await browser.newPage();
  await page.goto(`http://${host}:${stack.port}/nothing`);
  // window.heard[name] has what came to that EventSource; window.count(name, n) settles once it has n of them.
  await page.evaluate(() => {
    window.heard = {};
    window.resets = [];
    window.sources = {};
    window.listen = (name, address) => new Promise((resolve, reject) => {
      const source = new EventSource(address);
      const heard = (window.heard[name] = []);
      window.sources[name] = source;
      source.onopen = resolve;
      source.onerror = () => source.readyState === EventSource.CLOSED && (heard.push('closed'), reject(new Error('closed')));
      source.onmessage = ({ data }) => heard.push(JSON.parse(data));
      source.addEventListener('reset', ({ data }) => window.resets.push(JSON.parse(data).reason));
    });
    window.count = async (name, n) => {
      while (window.heard[name].length < n) await new Promise((done) => setTimeout(done, 20));
      return window.heard[name];
    };
  });
});
after(async () => {
  await browser?.close();
  await stack?.stop();
});

const address = (path, session, key = project.browser) =>
  `/__svc/topics/${path}${path.includes('?') ? '&' : '?'}access_token=${key}${session ? `&app_session=${session}` : ''}`;
const listen = (name, path, session) => page.evaluate(([n, a]) => window.listen(n, a), [name, address(path, session)]);
const heard = (name, n) => page.evaluate(([of, enough]) => window.count(of, enough), [name, n]);
const call = async (method, path, body, headers = {}) => {
  const answer = await stack.fetch(method, `/__svc${path}`, { host, body, headers: { authorization: `Bearer ${project.server}`, 'x-svc-data-api': '1', ...headers } });
  assert.ok(answer.status < 300, `${method} ${path}: ${answer.status} ${answer.text}`);
  return answer.json;
};
const publish = (topic, payload) => call('POST', `/topics/${topic}/publish`, { payload }, { 'x-svc-app-role': 'manager' });

test('messages and rows come, through a swap and a kill', async () => {
  const ann = await signUp(stack, project, host, 'ann.watched', 'customer');
  const bob = await signUp(stack, project, host, 'bob.watched', 'customer');
  await listen('news', 'news/subscribe');
  await listen('own', `app:customer:${ann.id}/subscribe`, ann.token);
  await listen('orders', 'row-changed:order/subscribe', ann.token);
  await listen('both', 'subscribe?topic=news&topic=app:a');
  let said = 0;
  const say = async () => {
    said += 1;
    await publish('news', said);
    await publish('app:a', { said });
    await publish(`app:customer:${ann.id}`, `for Ann ${said}`);
    await call('POST', '/api/v1/order', { note: `order ${said}` }, { 'x-svc-app-user': ann.id });
    await call('POST', '/api/v1/order', { note: 'not hers' }, { 'x-svc-app-user': bob.id });
  };
  const all = async () => {
    const numbers = Array.from({ length: said }, (_, i) => i + 1);
    assert.deepEqual(await heard('news', said), numbers);
    assert.deepEqual(await heard('own', said), numbers.map((n) => `for Ann ${n}`));
    assert.deepEqual(await heard('both', 2 * said), numbers.flatMap((n) => [{ topic: 'news', payload: n }, { topic: 'app:a', payload: { said: n } }]));
    assert.deepEqual((await heard('orders', said)).map(({ event, table, row }) => [event, table, row?.note]), numbers.map((n) => ['created', 'order', `order ${n}`]));
  };
  await say();
  await all();

  const contract = sample('shop');
  contract.entities[1].fields.push({ name: 'gift', type: 'boolean', default: false });
  const applied = stack.apply(project, contract);
  await say();
  await applied;
  await say();
  await all();
  // Another contract may change rights, so listeners get a reset.
  assert.deepEqual(await page.evaluate(() => window.resets), Array(4).fill('rights_changed'));

  const [{ pid }] = appServers(project);
  process.kill(pid, 'SIGKILL');
  await until('the app to answer again', async () => {
    const headers = { authorization: `Bearer ${project.server}`, 'x-svc-data-api': '1' };
    return (await stack.fetch('GET', '/__svc/api/v1/product', { host, headers }).catch(() => null))?.status === 200;
  });
  await say();
  await all();

  await stack.fetch('POST', '/__svc/auth/logout', { host, headers: { authorization: `Bearer ${project.browser}`, origin: 'http://app.test', 'x-svc-app-session': ann.token } });
  await page.evaluate(() => new Promise((done) => {
    const wait = () => (window.sources.orders.readyState === EventSource.CLOSED ? done() : setTimeout(wait, 20));
    wait();
  }));
  assert.equal(await page.evaluate(() => window.resets.length), 4, 'a kill resets nothing');
  await say();
  assert.equal((await heard('news', said)).length, said, 'who listens as a guest goes on');
  assert.ok(!(await heard('orders', 0)).some((one) => one.row?.note === `order ${said}`));
});

test('what may not be heard is refused before it begins', async () => {
  for (const path of ['counter/subscribe', 'row-changed:nothing/subscribe', 'shop:news/subscribe', 'app:customer:x/subscribe']) {
    await assert.rejects(listen('refused', path), /closed/, path);
  }
});
