// A preview: its own database, name, server and history, until it is deleted.
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { deploy } from '../../lib/published.mjs';
import { Publishing, nothingLeft, products } from './world.mjs';

let world, stack, shop;
before(async () => {
  world = await Publishing.published();
  ({ stack, shop } = world);
});
after(() => world?.stop());

const ask = (...asked) => world.ask(...asked);
const history = (...asked) => world.history(...asked);
const environments = (...asked) => world.environments(...asked);
const leftOf = (project) => world.leftOf(project);
const deletePreview = (...asked) => world.deletePreview(...asked);

test('a preview has its own database, name and server, and history', async () => {
  const { deployment } = await deploy(stack, shop, { preview: true });
  assert.deepEqual([deployment.env, deployment.url], ['preview', `http://${shop.slug}-preview.localhost:${stack.port}`]);
  const label = `${shop.slug}-preview`;
  await world.sell(label, 'PRE-1');
  for (const place of [shop.slug, `preview-${shop.slug}`]) {
    const { json } = await ask(shop, place, products);
    assert.ok(!json.rows.some((row) => row.sku === 'PRE-1'), place);
  }
  const inPreview = (await ask(shop, label, products)).json.rows.map((row) => row.sku);
  assert.ok(!inPreview.includes('PROD-1'));
  assert.deepEqual((await history(shop, '?preview=true')).map((one) => one.env), ['preview']);
  assert.ok((await history(shop)).every((one) => one.env === 'prod'));
  assert.equal((await history(shop, '?limit=1')).length, 1);
  for (const bad of ['?limit=0', '?limit=x', '?preview=maybe']) {
    assert.equal((await stack.dev('GET', `/projects/${shop.id}/deploys${bad}`)).status, 400, bad);
  }
});

test('the name of a preview is its project\'s own before there is a preview', async () => {
  const bee = await stack.project('Bee');
  for (const preview of [false, true]) {
    const taken = await stack.dev('POST', `/projects/${shop.id}/deploy`, { skipVerify: true, preview, subdomain: `${bee.slug}-preview` });
    assert.deepEqual([taken.status, taken.json.code], [409, 'SUBDOMAIN_TAKEN']);
  }
  assert.equal((await stack.project('Bee preview')).slug, 'bee-preview-2', 'nor may its slug be another\'s');
});

test('deleting a preview leaves the other environments as they are', async () => {
  const label = `${shop.slug}-preview`;
  const [entry] = await history(shop, '?preview=true');
  const kept = await history(shop);
  assert.equal(leftOf(shop).servers, 1);
  assert.deepEqual((await deletePreview(shop, { expect: 200 })).json, { deleted: 'preview' });
  assert.deepEqual(leftOf(shop), nothingLeft);
  assert.equal((await ask(shop, label, products)).status, 404);
  assert.deepEqual(Object.keys(await environments(shop)).sort(), ['dev', 'prod']);
  assert.deepEqual(await history(shop, '?preview=true'), [{ ...entry, status: 'superseded', url: null }]);
  assert.deepEqual(await history(shop), kept);
  for (const place of [shop.slug, `preview-${shop.slug}`]) assert.equal((await ask(shop, place, products)).status, 200, place);
  assert.equal((await deletePreview(shop)).status, 404);
  const back = await stack.dev('POST', `/projects/${shop.id}/deploys/${entry.id}/rollback`, {});
  assert.deepEqual([back.status, back.json.code], [409, 'CONFLICT']);
  const { deployment } = await deploy(stack, shop, { preview: true });
  assert.equal(deployment.url, entry.url);
  assert.deepEqual((await ask(shop, label, products)).json.rows.map((row) => row.sku), ['TEA-1'], 'its rows are those of the seeds');
});
