// Hashing of passwords is shared: a client that signs in again and again does not delay others.
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { signUp } from '../lib/scenarios.mjs';
import { Stack } from '../lib/stack.mjs';

let stack, project, host;

const contract = {
  app: { name: 'Turns' },
  personas: [{ id: 'member', kind: 'consumer', signup: true }],
  entities: [{ name: 'thing', owner: 'none', fields: [{ name: 'name', type: 'string' }], access: { read: '*' } }],
  seeds: {},
};

const signIn = (name, address) => stack.fetch('POST', '/__svc/auth/login', {
  host, body: { email: `${name}@example.test`, password: `${name} has a password` },
  headers: { authorization: `Bearer ${project.browser}`, origin: 'http://app.test', 'x-forwarded-for': address },
});

before(async () => {
  stack = await Stack.start({ SVC_TRUSTED_PROXIES: '127.0.0.1', SVC_RATE_LOGIN: '0' });
  await stack.signIn();
  project = await stack.project('Turns');
  host = `preview-${project.slug}.localhost`;
  await stack.apply(project, contract);
  for (const name of ['ann', 'bob', 'eve']) await signUp(stack, project, host, name);
});
after(() => stack?.stop());

test('attack: one account signs in over and over, and others get in before it is through', async () => {
  const ended = [];
  const attacks = Array.from({ length: 60 }, async () => {
    const answer = await signIn('eve', '192.0.2.66');
    ended.push('eve');
    return answer;
  });
  const others = await Promise.all(['ann', 'bob'].map(async (name, i) => {
    const answer = await signIn(name, `192.0.2.${i + 1}`);
    ended.push(name);
    return answer;
  }));
  for (const answer of others) assert.equal(answer.status, 200, answer.text);
  for (const answer of await Promise.all(attacks)) assert.equal(answer.status, 200, answer.text);
  for (const name of ['ann', 'bob']) assert.ok(ended.indexOf(name) < 45, `${name} came after ${ended.indexOf(name)} of 60`);
});

test('attack: the party with the most waiting jobs is refused with Retry-After, and others are not', async () => {
  const attacks = Array.from({ length: 90 }, () => signIn('eve', '192.0.2.66'));
  const other = await signIn('ann', '192.0.2.1');
  assert.equal(other.status, 200, other.text);
  for (const answer of await Promise.all(attacks)) {
    assert.ok([200, 503].includes(answer.status), answer.text);
    if (answer.status === 503) assert.equal(answer.headers['retry-after'], '1');
  }
});
