// The pages of the shop over real HTTP, without a script: who sees what, forms, sign-in, what is refused.
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { Stack, sample } from '../lib/stack.mjs';
import { markup, seen, Visitor } from './world.mjs';

let stack, project, host, guest, ann, mia, kim;
const visitor = () => new Visitor(stack, host);

before(async () => {
  stack = await Stack.start();
  await stack.signIn();
  project = await stack.project('Shop');
  await stack.apply(project, sample('shop'));
  host = `preview-${project.slug}.localhost`;
  guest = visitor();
  [ann, mia, kim] = [visitor(), visitor(), visitor()];
  await ann.signInAs(project, 'ann@example.test');
  await mia.signInAs(project, 'mia@example.test');
  await kim.signInAs(project, 'kim@example.test');
});
after(() => stack?.stop());

test('the first page shows a guest what guests may read, and no more', async () => {
  const { text, headers } = await guest.get('/');
  assert.match(seen(text), /Products 1/);
  assert.doesNotMatch(text, /href="\/order"/);
  assert.match(headers['content-security-policy'], /default-src 'none'/);
  assert.match(headers['content-security-policy'], /frame-ancestors 'none'/);
  assert.match(headers['content-security-policy'], /script-src 'nonce-[A-Za-z0-9+\/=]+';.*require-trusted-types-for 'script'; trusted-types 'none'/);
  assert.equal(headers['x-content-type-options'], 'nosniff');
  assert.equal(headers['cache-control'], 'no-store');
  assert.doesNotMatch(markup(text), /<script|style=|javascript:/);
});

test('the stylesheet has its own name and stays with the browser', async () => {
  const [, path] = /href="(\/assets\/[0-9a-f]+\.css)"/.exec((await guest.get('/')).text);
  const { headers, text } = await guest.get(path);
  assert.match(headers['content-type'], /^text\/css/);
  assert.match(headers['cache-control'], /immutable/);
  assert.match(text, /prefers-color-scheme:dark/);
});

test('a list shows money with its currency, and hides columns from who may not read them', async () => {
  const list = await guest.get('/product');
  assert.match(seen(list.text), /Green tea.*€6\.50/);
  const [, path] = /href="(\/product\/[0-9a-f-]{36})"/.exec(list.text);
  assert.doesNotMatch(seen((await guest.get(path)).text), /Cost/);
  assert.match(seen((await mia.get(path)).text), /Cost/);
});

test('the list is sorted, filtered and searched by address', async () => {
  for (const path of ['/product?b1.sort=-price', '/product?b1.f.active=true', '/product?b1.q=green']) {
    assert.match(seen((await guest.get(path)).text), /Green tea/);
  }
  assert.match(seen((await guest.get('/product?b1.q=black')).text), /Nothing fits/);
  // Parameters that nobody may use are ignored.
  for (const path of ['/product?b1.sort=cost', '/product?b1.cursor=nonsense', '/product?b1.f.active=maybe', '/product?b1.sort=drop']) {
    assert.match(seen((await guest.get(path)).text), /Green tea/);
  }
});

test('a visitor who is not signed in goes to sign-in and comes back', async () => {
  const answer = await guest.ask('GET', '/order?b1.q=x');
  assert.equal(answer.status, 303);
  assert.equal(answer.headers.location, '/sign-in?next=%2Forder%3Fb1.q%3Dx');
  assert.match((await guest.get(answer.headers.location)).text, /name="next" value="\/order\?b1\.q=x"/);
});

test('an account is made, signed out and signed in again without a script', async () => {
  const bob = visitor();
  const made = await bob.submit('/sign-up', 'Create account', { name: 'Bob', email: 'bob@example.test', password: 'a long password' });
  assert.equal(made.headers.location, '/?done=in');
  assert.match(made.headers['set-cookie'][0], /^svc_app_session=[^;]+; Path=\/; HttpOnly; SameSite=Lax/);
  assert.match(seen((await bob.get('/account')).text), /bob@example\.test/);
  await bob.post('/sign-out', {});
  assert.equal(bob.cookies.size, 0);
  assert.equal((await bob.ask('GET', '/account')).status, 303);
  const wrong = await bob.submit('/sign-in', 'Sign in', { email: 'bob@example.test', password: 'wrong' }, 422);
  assert.match(seen(wrong.text), /E-mail or password is wrong/);
  assert.match(wrong.text, /value="bob@example\.test"/);
  const back = await bob.submit('/sign-in?next=%2Forder', 'Sign in', { email: 'bob@example.test', password: 'a long password' });
  assert.equal(back.headers.location, '/order?done=in');
});

test('next leads nowhere but to this app', async () => {
  const eve = visitor();
  for (const next of ['//evil.test', 'https://evil.test', '/\\evil.test', '/\tevil', 'javascript:alert(1)', '/%0a//x\r\nSet-Cookie: a=b']) {
    const page = await eve.get(`/sign-in?next=${encodeURIComponent(next)}`);
    assert.doesNotMatch(page.text, /evil/);
    const { headers } = await visitor().post('/sign-in', { _do: 'login', email: 'bob@example.test', password: 'a long password', next });
    assert.equal(headers.location, '/?done=in', next);
  }
});

test('a customer makes an order with lines and places it', async () => {
  const created = await ann.submit('/order/new', 'Create order', { 'f.note': 'Ring <b>twice</b>.' });
  const path = created.headers.location.replace('?done=created', '');
  assert.match(path, /^\/order\/[0-9a-f-]{36}$/);
  const shown = await ann.get(path);
  assert.match(shown.text, /Ring &lt;b&gt;twice&lt;\/b&gt;\./);
  assert.match(seen(shown.text), /Draft/);

  const early = await ann.submit(path, 'Place', {}, 422);
  assert.match(seen(early.text), /Add at least one product first\./);

  const [, add] = /href="(\/order_line\/new\?order_id=[^"]+)"/.exec(shown.text);
  const form = await ann.get(add);
  assert.match(form.text, /<option value="[0-9a-f-]{36}">Green tea<\/option>/);
  const [, tea] = /<option value="([0-9a-f-]{36})">Green tea<\/option>/.exec(form.text);
  const many = await ann.submit(add, 'Create order line', { 'f.product_id': tea, 'f.quantity': '41' }, 422);
  assert.match(seen(many.text), /Only 40 left\./);
  assert.match(many.text, /value="41"/);
  const words = await ann.submit(add, 'Create order line', { 'f.product_id': tea, 'f.quantity': 'many' }, 422);
  assert.match(seen(words.text), /Write a whole number/);
  await ann.submit(add, 'Create order line', { 'f.product_id': tea, 'f.quantity': '2' });

  assert.match(seen((await ann.get(path)).text), /Green tea 2/);
  await ann.submit(path, 'Place');
  assert.match(seen((await ann.get(path)).text), /Placed/);
  // Somebody else's row is not there.
  const eve = visitor();
  await eve.submit('/sign-up', 'Create account', { email: 'eve@example.test', password: 'a long password' });
  const hidden = await eve.get(path, 404);
  assert.doesNotMatch(hidden.text, /Ring/);
  assert.doesNotMatch((await eve.get('/order')).text, /SO-1/);
  assert.match((await kim.get('/order')).text, /SO-1/);
});

test('a field that one may not read is neither shown nor emptied', async () => {
  const [, path] = /href="(\/product\/[0-9a-f-]{36})"/.exec((await mia.get('/product')).text);
  await mia.submit(`${path}/edit`, 'Save changes', { 'f.cost': '3.20' });
  assert.match(seen((await mia.get(path)).text), /€3\.20/);
  const edit = await kim.get(`${path}/edit`);
  assert.doesNotMatch(edit.text, /cost|3\.20/);
  await kim.submit(`${path}/edit`, 'Save changes', { 'f.stock': '1,041', 'f.cost': '' });
  assert.match(seen((await mia.get(path)).text), /€3\.20.*1,041/);
});

test('an error is beside its field, in plain words, and no input is lost', async () => {
  const wrong = await mia.submit('/product/new', 'Create product',
    { 'f.sku': 'lower case', 'f.title': 'Black tea', 'f.price': '-1', 'f.description': 'Strong & dark' }, 422);
  assert.match(wrong.text, /value="Black tea"/);
  assert.match(wrong.text, /Strong &amp; dark/);
  for (const price of ['1,00', '6.505', '1,2345', '', 'abc', '1e3']) {
    const { text } = await mia.submit('/product/new', 'Create product', { 'f.sku': 'X-1', 'f.title': 'X', 'f.price': price }, 422);
    assert.match(text, /id="f-price-problem"/, price);
  }
  const low = await mia.submit('/product/new', 'Create product', { 'f.sku': 'X-1', 'f.title': 'X', 'f.price': '-1' }, 422);
  assert.match(seen(low.text), /Price must be at least €0\.00\./);
  const made = await mia.submit('/product/new', 'Create product', { 'f.sku': 'BIG-1', 'f.title': 'Big', 'f.price': '1,234,567.89' });
  assert.match(seen((await mia.get(made.headers.location)).text), /€1,234,567\.89/);
  const again = await mia.submit('/product/new', 'Create product', { 'f.sku': 'BIG-1', 'f.title': 'Big', 'f.price': '1' }, 422);
  assert.match(seen(again.text), /Sku is taken already/);
  const pattern = await mia.submit('/product/new', 'Create product', { 'f.sku': 'lower case', 'f.title': 'Big', 'f.price': '1' }, 422);
  assert.match(seen(pattern.text), /Use only A to Z, 0 to 9 and -\./);
});

test('what several fields or rows decide together is said with their labels', async () => {
  const order = (await ann.submit('/order/new', 'Create order')).headers.location.replace(/\?.*/, '');
  const long = await ann.submit(`${order}/edit`, 'Save changes', { 'f.note': 'x'.repeat(501) }, 422);
  assert.match(seen(long.text), /Note may have at most 500 characters\./);
  const add = `/order_line/new?order_id=${order.split('/').at(-1)}`;
  const [, tea] = /<option value="([0-9a-f-]{36})">Green tea<\/option>/.exec((await ann.get(add)).text);
  await ann.submit(add, 'Create order line', { 'f.product_id': tea });
  const twice = await ann.submit(add, 'Create order line', { 'f.product_id': tea }, 422);
  assert.match(seen(twice.text), /Another order line already has the same order and product\./);
  for (const { text } of [long, twice]) assert.doesNotMatch(seen(text), /order_id|product_id|constraint|violates/);
});

test('two people who change a row at once do not undo each other', async () => {
  const [, path] = /href="(\/product\/[0-9a-f-]{36})"/.exec((await mia.get('/product?b1.q=green')).text);
  const edit = `${path}/edit`;
  const [, version] = /name="_version" value="([^"]*)"/.exec((await mia.get(edit)).text);
  await kim.submit(edit, 'Save changes', { 'f.stock': '30' });
  const late = await mia.submit(edit, 'Save changes', { _version: version.replaceAll('&quot;', '"'), 'f.stock': '31' }, 422);
  assert.match(seen(late.text), /Somebody has changed this/);
});

test('a row is deleted after a page that asks', async () => {
  const [, path] = /href="(\/product\/[0-9a-f-]{36})"/.exec((await mia.get('/product?b1.q=big')).text);
  const row = await mia.get(path);
  const [, ask] = /href="([^"]*confirm=delete[^"]*)"/.exec(row.text);
  const gone = await mia.submit(ask.replace(/#.*/, ''), 'Delete');
  assert.equal(gone.headers.location, '/product?done=deleted');
  assert.match(seen((await mia.get(path, 404)).text), /Not found/);
  assert.doesNotMatch((await kim.get('/product')).text, /confirm=delete/);
});

test('a form that another site sends is refused', async () => {
  for (const headers of [{ origin: 'https://evil.test' }, { origin: 'null' }, { 'sec-fetch-site': 'cross-site' }, { origin: '' }]) {
    const answer = await ann.post('/sign-out', {}, headers);
    assert.equal(answer.status, 403, JSON.stringify(headers));
  }
  await ann.get('/account');
  assert.equal((await ann.ask('PUT', '/')).status, 405);
  const json = await ann.ask('POST', '/order/new', { body: '{}', headers: { 'content-type': 'application/json', origin: ann.origin } });
  assert.equal(json.status, 415);
  const large = await ann.post('/order/new', { _block: '0', 'f.note': 'x'.repeat(300_000) });
  assert.equal(large.status, 413);
});

test('another persona gets a page that says so; another address one that is not there', async () => {
  const { text } = await ann.get('/product/new', 403);
  assert.match(seen(text), /Not for you/);
  assert.match(seen((await guest.get('/nowhere', 404)).text), /Not found/);
  assert.equal((await guest.ask('GET', '/nowhere', { headers: { accept: 'application/json' } })).json.error.code, 'NOT_FOUND');
});

test('a session that has ended is a guest', async () => {
  const bob = visitor();
  await bob.submit('/sign-in', 'Sign in', { email: 'bob@example.test', password: 'a long password' });
  const other = visitor();
  other.cookies = new Map(bob.cookies);
  await bob.post('/sign-out', {});
  assert.equal((await other.ask('GET', '/order')).status, 303);
  bob.cookies.set('svc_app_session', 'svc_s_nonsense');
  assert.match(seen((await bob.get('/product')).text), /Green tea/);
});

test('a preview by path leads to the host of the app', async () => {
  const answer = await stack.fetch('GET', `/preview/${project.id}/product?x=1`, { headers: { accept: 'text/html' } });
  assert.equal(answer.status, 303);
  assert.match(answer.headers.location, new RegExp(`^http://${host}(:\\d+)?/product\\?x=1$`));
});

test('without a component, scripts of pages call no model', async () => {
  const headers = { 'x-svc-page': '1', 'x-svc-data-api': '1', origin: `http://${host}` };
  const asked = await stack.fetch('POST', '/__svc/ai/chat', { host, headers, body: { messages: [{ role: 'user', content: 'Hello' }] } });
  assert.deepEqual([asked.status, asked.json.error.code], [403, 'TOOL_NOT_ALLOWED']);
  assert.equal((await stack.fetch('GET', '/__svc/api/v1/product', { host, headers })).status, 200);
});
