// Guests have no accounts: a guest never gets another guest's answer, also with the same Idempotency-Key.
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { Stack } from '../lib/stack.mjs';

let stack, project;

before(async () => {
  stack = await Stack.start({ SVC_TRUSTED_PROXIES: '127.0.0.1' });
  await stack.signIn();
  project = await stack.project('Letters');
  await stack.apply(project, {
    app: { name: 'Letters' },
    personas: [{ id: 'boss', kind: 'staff' }],
    entities: [{
      name: 'letter', owner: 'none', fields: [{ name: 'text', type: 'text', required: true }],
      access: { read: 'boss', create: '*' },
    }],
    seeds: {},
  });
});
after(() => stack?.stop());

const send = (address, text, key = 'key-1') => stack.fetch('POST', '/__svc/api/v1/letter', {
  host: `preview-${project.slug}.localhost`, body: { text },
  headers: {
    authorization: `Bearer ${project.browser}`, origin: 'http://app.test', 'x-svc-data-api': '1',
    'idempotency-key': key, 'x-forwarded-for': address,
  },
});
const id = (answer) => {
  assert.equal(answer.status, 201, answer.text);
  return answer.json.rows[0].id;
};

test('a repetition is answered as the first time', async () => {
  const first = await send('192.0.2.1', 'hello');
  const again = await send('192.0.2.1', 'hello');
  assert.equal(id(again), id(first));
  assert.equal(again.headers['idempotency-replayed'], 'true');
});

test('another guest with the same key is neither answered nor refused for it', async () => {
  const first = await send('192.0.2.1', 'hello');
  const others = [await send('192.0.2.1', 'something else'), await send('192.0.2.2', 'hello'), await send('192.0.2.1', 'hello', 'key-2')];
  assert.equal(new Set([first, ...others].map(id)).size, 4);
  for (const { headers } of others) assert.equal(headers['idempotency-replayed'], undefined);
});

test('guests who send the same key at once get an answer of their own each', async () => {
  const answers = await Promise.all(Array.from({ length: 8 }, (_, i) => send(`198.51.100.${i}`, 'at once', 'race')));
  assert.equal(new Set(answers.map(id)).size, 8);
});
