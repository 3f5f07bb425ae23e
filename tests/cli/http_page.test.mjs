// Compares each answer shown in docs/http with the real one.
import assert from 'node:assert/strict';
import test from 'node:test';
import { runPage } from '../lib/http_page.mjs';
import { Stack } from '../lib/stack.mjs';
import { Client } from './client.mjs';

// The difference between the page and an answer, as a sentence; undefined: none. In the page "…" means any text within
// a text, any value as a whole value, and any further items at the end of a list.
function difference(shown, real, at = 'the answer') {
  if (shown === '…') return undefined;
  if (typeof shown === 'string' && typeof real === 'string') {
    const pattern = shown.split('…').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('[^]*');
    return new RegExp(`^${pattern}$`).test(real) ? undefined : `${at}: ${shown} is ${real}`;
  }
  if (typeof shown !== 'object' || typeof real !== 'object' || shown === null || real === null) {
    return Object.is(shown, real) ? undefined : `${at}: ${JSON.stringify(shown)} is ${JSON.stringify(real)}`;
  }
  const open = Array.isArray(shown) && shown.at(-1) === '…';
  const keys = open ? Object.keys(shown).slice(0, -1) : Object.keys(shown);
  if (!open && String(keys) !== String(Object.keys(real))) return `${at} has ${Object.keys(real)}`;
  return keys.map((key) => difference(shown[key], real[key], `${at}.${key}`)).find(Boolean);
}

test('every command of docs/http answers what its page shows', async (t) => {
  const stack = await Stack.start({ SVC_OWNER_EMAIL: 'me@example.test', SVC_OWNER_PASSWORD: 'a long password' });
  t.after(() => stack.stop());
  const client = new Client(stack);
  t.after(() => client.remove());
  const { blocks } = await runPage({ port: stack.port, env: client.env });
  assert.ok(blocks.length > 15);
  for (const { commands, kind, shown, answer } of blocks) {
    if (!answer && !shown) continue;
    assert.ok(shown && answer, `${commands}\n${answer}`);
    if (kind === 'csv') {
      assert.equal(difference(shown.trim(), answer.replaceAll('\r\n', '\n')), undefined, commands);
      continue;
    }
    const real = JSON.parse(answer.replaceAll(`:${stack.port}`, ':7878'));
    assert.equal(difference(JSON.parse(shown), real), undefined, commands);
  }
});
