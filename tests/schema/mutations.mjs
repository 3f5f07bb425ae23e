// One change at a time to a contract: each key taken out, misspelt, given a value of every other type; each
// object given a key that nobody knows. Places that differ in list positions alone count once, over all contracts.

const values = [null, false, 7, -1, 'two words', 'a'.repeat(49), [], {}, ['nonsense'], [7], [{}], [['nonsense']], { nonsense: 7 },
  { nonsense: [{}] }, { 'No name': {} }, '15m'];

function places(node, path = [], found = []) {
  found.push(path);
  if (node !== null && typeof node === 'object') {
    for (const key of Object.keys(node)) places(node[key], [...path, key], found);
  }
  return found;
}

const at = (root, path) => path.reduce((node, key) => node[key], root);

function changed(contract, path, change) {
  const root = { contract: structuredClone(contract) };
  const whole = ['contract', ...path];
  change(at(root, whole.slice(0, -1)), whole.at(-1));
  return root.contract;
}

function renamed(object, from, to) {
  const entries = Object.entries(object).map(([key, value]) => [key === from ? to : key, value]);
  for (const key of Object.keys(object)) delete object[key];
  Object.assign(object, Object.fromEntries(entries));
}

function mutationsAt(contract, path) {
  const mutations = values.map((value) => ({ what: `is ${JSON.stringify(value)}`, change: (object, key) => { object[key] = value; } }));
  const here = at(contract, path);
  if (here !== null && typeof here === 'object' && !Array.isArray(here)) {
    mutations.push({ what: 'has a key "wobble"', change: (object, key) => { object[key].wobble = 1; } });
  }
  if (path.length > 0 && !Array.isArray(at(contract, path.slice(0, -1)))) {
    mutations.push({ what: 'is not there', change: (object, key) => { delete object[key]; } });
    mutations.push({ what: 'is misspelt', change: (object, key) => { renamed(object, key, `${key}q`); } });
  }
  return mutations.map(({ what, change }) => ({ what: `/${path.join('/')} ${what}`, contract: changed(contract, path, change) }));
}

// `seen` keeps the places that were changed already.
export function mutations(contract, seen) {
  return places(contract).flatMap((path) => {
    const general = path.map((key) => (/^\d+$/.test(key) ? '*' : key)).join('/');
    if (seen.has(general)) return [];
    seen.add(general);
    return mutationsAt(contract, path);
  });
}
