// The C++ sources of the project, by their paths below its root.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './stack.mjs';

export const trees = ['generator', 'runtime-support', 'devapi', 'cli'];

export function sources(folder, found = []) {
  for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) sources(path, found);
    else if (/\.(cpp|hpp)$/.test(entry.name)) found.push(path);
  }
  return found;
}
