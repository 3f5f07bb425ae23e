// The authorisation matrix of every sample: each caller at each route of each table, over HTTP, against an oracle that reads the
// contract by itself.
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { postgres } from '../lib/postgres.mjs';
import { Stack } from '../lib/stack.mjs';
import { App, contractOf } from './app.mjs';
import { matrix, report } from './matrix.mjs';

let database;
let stack;
before(async () => {
  database = await postgres();
  stack = await Stack.start({ DATABASE_URL: database.url });
  await stack.signIn();
});
after(async () => {
  await stack?.stop();
  await database?.stop();
});

// The clinic has 48 callers: of its sixty thousand checks a part is enough for every day, one of each outcome of each caller,
// table and route among them. SVC_AUTHORIZATION_SHARE=1 is all.
const shares = { hello: 1, shop: 0.4, desk: 0.05, clinic: 0.03 };
const share = (name) => Number(process.env.SVC_AUTHORIZATION_SHARE ?? shares[name]);

const routes = process.env.SVC_AUTHORIZATION_ROUTES?.split(' ');

let checks = 0;
const names = process.env.SVC_SAMPLES ?? Object.keys(shares).join(' ');
for (const name of names.split(' ')) {
  test(`the contract ${name}`, async (t) => {
    const app = await App.start(stack, contractOf(name), database.url);
    try {
      const found = await matrix(app, { share: share(name), routes });
      checks += found.checks;
      t.diagnostic(`${found.checks} checks by ${app.callers.length} callers, ${found.granted} granted: ${JSON.stringify(found.routes)}`);
      assert.equal(found.mismatches.length, 0, report(found));
      assert.deepEqual(found.changed, [], 'a refused write left something');
    } finally {
      app.close();
    }
  });
}

// The least numbers for the two halves that run separately, and for both.
const least = { 'hello shop desk': 5000, clinic: 5000, 'hello shop desk clinic': 10000 };
test('the matrix has as many checks as it must have', () => assert.ok(routes !== undefined || checks >= (least[names] ?? 0), `${checks} checks`));
