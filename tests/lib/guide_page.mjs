// The chapter "What happens by itself" of docs/contract-guide.md as pieces, in its order:
//   ```json contract   the contract of the chapter; ```json adds: what comes to it, by name or id
//   ```sh              typed as it stands; `again`: until it shows what the page shows; `beside`: in another shell, where
//                      it goes on; `serve`: starts the service
//   ```text            what the last commands showed at their end; `beside`: what the other shell showed
//   ```js <file>       a file to save
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './stack.mjs';

const page = readFileSync(join(root, 'docs/contract-guide.md'), 'utf8');

export const pieces = [.../^## What happens by itself\n([\s\S]*?)^## /m.exec(page)[1].matchAll(/^```(\w+) ?(.*)\n([\s\S]*?)^```$/gm)]
  .map(([, language, mark, text]) => ({ language, mark, text }));

// In a list, items with the same name or id are replaced.
function joined(before, added) {
  const named = (item) => item.name ?? item.id;
  if (!Array.isArray(added)) return Object.entries(added).reduce((all, [key, value]) => ({ ...all, [key]: key in all ? joined(all[key], value) : value }), before);
  return [...before.filter((item) => !added.some((other) => named(other) === named(item))), ...added];
}

// The contract as it is after each piece that changes it, with that piece.
export function contracts() {
  let contract;
  return pieces.filter(({ language }) => language === 'json').map((piece) => {
    contract = piece.mark === 'contract' ? JSON.parse(piece.text) : joined(contract, JSON.parse(piece.text));
    return { piece, contract };
  });
}

// Replaces the parts that differ each time: times, days, ids, ports, the width of columns.
export const settled = (text) => text.replace(/\x1b\[[0-9;]*m/g, '')
  .replace(/\d{4}-\d\d-\d\dT[\d:.]+(Z|\+00:00)/g, '<time>').replace(/\d{4}-\d\d-\d\d/g, '<day>')
  .replace(/(<day> \d\d:\d\d) [+-]\d\d:\d\d/g, '$1 <offset>')
  .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<id>')
  .replace(/127\.0\.0\.1:\d+/g, '<place>').split('\n').map((line) => line.replace(/ {2,}/g, '  ').trimEnd()).join('\n').trim();
