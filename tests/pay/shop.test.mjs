// The shop of the samples: what it sells has a picture that a guest sees, is paid for by a test card, and an assistant
// answers about it.
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { Provider as Models } from '../ai/provider.mjs';
import { multipart, png } from '../files/world.mjs';
import { App } from '../lib/app.mjs';
import { Stack, sample, until } from '../lib/stack.mjs';
import { Provider, secretKey, webhookSecret } from './provider.mjs';

let stack, project, app, cards, models, mia, ann;
before(async () => {
  [cards, models] = await Promise.all([Provider.start(), Models.start()]);
  stack = await Stack.start();
  await stack.signIn();
  project = await stack.project('Corner Shop');
  const secrets = { CARD_API_BASE: cards.url, CARD_SECRET_KEY: secretKey, CARD_WEBHOOK_SECRET: webhookSecret, AI_BASE_URL: models.url, AI_API_KEY: 'sk-of-ours' };
  for (const [name, value] of Object.entries(secrets)) await stack.dev('PUT', `/projects/${project.id}/secrets/${name}`, { value }, { expect: 201 });
  await stack.apply(project, sample('shop'));
  app = new App(stack, project);
  [mia, ann] = [await demo('mia'), await demo('ann')];
});
after(async () => {
  await stack?.stop();
  await cards?.stop();
  await models?.stop();
});

// As one of the seeded users, by the link that developers get.
async function demo(name) {
  const { json } = await stack.dev('POST', `/projects/${project.id}/sign-in`, { as: `${name}@example.test` }, { expect: 200 });
  const token = new URL(json.url).searchParams.get('token');
  const answer = await stack.fetch('GET', `/__svc/auth/magic/consume?token=${token}`, { host: app.host, headers: { ...app.browser(), 'x-svc-data-api': '1', accept: 'application/json' } });
  return app.as(answer.json);
}
const tea = async (headers) => (await app.call({ ...headers, 'x-svc-files': '1' }, 'GET', 'api/v1/product?where={"sku":"TEA-1"}')).json.rows[0];

test('the manager gives the tea a picture, and a guest sees it', async () => {
  const bytes = png(2000);
  const { body, type } = multipart([{ name: 'file', file: 'tea.png', type: 'image/png', bytes }]);
  const { json } = await stack.fetch('POST', '/__svc/files/direct', { host: app.host, headers: { ...mia, 'content-type': type }, body });
  await app.write(mia, 'PATCH', `product/${(await tea(mia)).id}`, { picture: json.fileId }, 200);
  const { picture_url: url } = await tea(app.browser());
  const shown = await stack.fetch('GET', url, { host: app.host });
  assert.deepEqual([shown.status, shown.headers['content-type']], [200, 'image/png'], shown.text);
  assert.ok(shown.bytes.equals(bytes));
});

test('the assistant knows what is on the shelf', async () => {
  const { json } = await app.call(ann, 'POST', 'functions/advise', { params: { question: 'Is there tea?' } });
  assert.equal(json.result, 'Hello there');
  const [own, shelf] = models.last().body.messages;
  assert.match(own.content, /corner shop/);
  assert.match(shelf.content, /Green tea/);
});

test('a customer orders the tea and pays by card, and the clerks hear of it', async () => {
  const { json: { result } } = await app.call(ann, 'POST', 'functions/place_order', { params: { product: (await tea(ann)).id, pieces: 2 } });
  const pay = (what, more) => app.call(ann, 'POST', `pay/${what}`, { table: 'order', id: result.order, ...more });
  const { json: begun } = await pay('checkout', { method: 'card', returnUrl: `http://${app.host}:${stack.port}/thanks` });
  assert.deepEqual([begun.status, begun.amountCents, result.total], ['processing', 1300, 1300]);
  cards.pay(cards.idOf(begun.url));
  assert.equal((await pay('confirm')).json.status, 'paid');
  const titles = async () => (await app.call(mia, 'GET', 'notifications')).json.notifications.map(({ title }) => title);
  await until('the notification', async () => (await titles()).includes(`Paid: ${result.number}`));
});
