// docs/contract.md as data. A block of JSON is the base, a whole contract, or a part with the place that it
// goes to: ```json in entities/order/rules; `warns CODE` after it names what check is expected to say.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './stack.mjs';

const page = readFileSync(join(root, 'docs/contract.md'), 'utf8');
const lineAt = (index) => page.slice(0, index).split('\n').length;

const blocks = [...page.matchAll(/^```json (.*)\n([\s\S]*?)^```$/gm)].map(({ 1: mark, 2: text, index }) => ({ what: `docs/contract.md:${lineAt(index)}`, mark, value: JSON.parse(text) }));
const base = blocks.find(({ mark }) => mark === 'base').value;

// An element of a list is named by its name or id.
const step = (node, key) => (Array.isArray(node) ? node.find((item) => item.name === key || item.id === key) : (node[key] ??= {}));

function add(parent, key, value) {
  const there = parent[key];
  if (Array.isArray(there)) there.push(...(Array.isArray(value) ? value : [value]));
  else if (key === '@whole') throw new Error('not a place');
  else parent[key] = value;
}

// Lists grow by what is added; objects of the top level gain its keys; anything else is replaced.
function placed(path, value) {
  const contract = structuredClone(base);
  if (path === '/') {
    for (const [key, part] of Object.entries(value)) add(contract, key, part);
    return contract;
  }
  const keys = path.split('/');
  const parent = keys.slice(0, -1).reduce(step, contract);
  if (parent === undefined) throw new Error(`docs/contract.md: there is no ${path}`);
  const last = keys.at(-1);
  if (keys.length === 1 && !Array.isArray(value) && !Array.isArray(parent[last])) parent[last] = { ...parent[last], ...value };
  else add(parent, last, value);
  return contract;
}

export const examples = blocks.map(({ what, mark, value }) => {
  const [, place, warns] = /^(base|whole|in \S+)(?: warns (.*))?$/.exec(mark) ?? [];
  if (!place) throw new Error(`${what}: what is "${mark}"?`);
  const contract = place.startsWith('in ') ? placed(place.slice(3), value) : value;
  return { what, contract, warns: (warns ?? '').split(' ').filter(Boolean).sort() };
});

// Rows of a table up to the empty line after it, cells cut at bars that no backslash stands before.
const rowsAfter = (index) => page.slice(index).split('\n').slice(2).join('\n').split('\n\n')[0].split('\n').slice(2);
const cells = (row) => row.split(/(?<!\\)\|/).slice(1, -1).map((cell) => cell.trim().replaceAll('\\|', '|'));

const around = {
  'entities/order/access/read if': (text) => placed('entities/order/access', { read: [{ to: '*', if: text }] }),
  'entities/order_line/rules refuse': (text) => placed('entities/order_line/rules', [{ on: 'update', refuse: text, message: 'No.' }]),
};

export const expressions = [...page.matchAll(/^<!-- expressions: (.*) -->$/gm)].flatMap(({ 1: place, index }) =>
  rowsAfter(index).map((row) => {
    const text = /^`(.*)`$/.exec(cells(row)[0])[1];
    return { what: `${place}: ${text}`, contract: around[place](text) };
  }));

// The keys of each shape, with their rows. A row may name several keys, and a shape may have several tables.
export const keyTables = {};
// Rows that list the keys of the object that stands under a key: those in bold are required.
export const settings = [];

const named = (text) => [...text.matchAll(/`([^`]+)`/g)].map(([, name]) => name);

for (const { 1: kind, 2: shape, index } of page.matchAll(/^<!-- (keys|settings): (.*) -->$/gm)) {
  for (const row of rowsAfter(index)) {
    const [first, second] = cells(row);
    for (const key of named(first)) {
      (keyTables[shape] ??= {})[key] = row;
      if (kind === 'keys') continue;
      const plain = second.replace(/\([^)]*\)/g, '');
      settings.push({ shape, key, keys: named(plain), required: named([...plain.matchAll(/\*\*(.*?)\*\*/g)].map(([, bold]) => bold).join(' ')) });
    }
  }
}
