// An app that takes files, and the bytes of each: a picture of one pixel, and after it what follows from a number.
import { createHash } from 'node:crypto';
import { png } from '../../files/world.mjs';

const own = { to: 'member', if: 'user_id == user.id' };

export const contractOf = (name = 'First') => ({
  app: { name },
  personas: [{ id: 'member', kind: 'consumer', signup: true }],
  entities: [{
    name: 'album', fields: [{ name: 'title', type: 'text' }, { name: 'cover', type: 'file' }],
    access: { read: [own, 'server'], create: ['member'], update: [own], delete: [own] },
  }],
  files: { maxSize: '4MB' },
  seeds: {},
});

export const bytesOf = (number, size) => {
  const head = png();
  return Buffer.concat([head, createHash('shake256', { outputLength: Math.max(1, size - head.length) }).update(String(number)).digest()]);
};
export const hashOf = (bytes) => createHash('sha256').update(bytes).digest('hex');
