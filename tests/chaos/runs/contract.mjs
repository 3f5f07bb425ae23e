// An app whose workflows leave a row or a call for everything that they do, so that what is lost or doubled shows.
const note = (id, text) => ({ id, create: { entity: 'note', data: { text } } });
const retry = { max: 100, base: '1s', factor: 1, cap: '1s' };

export const contractOf = (url, name = 'First') => ({
  app: { name },
  personas: [{ id: 'member', kind: 'consumer', signup: true }],
  topics: [{ name: 'app:go:{n}', publish: ['server'], subscribe: ['server'] }],
  entities: [
    { name: 'item', owner: 'none', fields: [{ name: 'n', type: 'integer' }], access: { read: ['*'], create: ['*'], update: ['*'] } },
    { name: 'note', owner: 'none', fields: [{ name: 'text', type: 'string' }], access: { read: ['*'], create: ['*'] } },
    { name: 'once', owner: 'none', fields: [{ name: 'n', type: 'integer' }], access: { read: ['*'], create: ['*'] } },
  ],
  workflows: [
    { id: 'by_hand', on: { manual: true }, params: { n: { type: 'integer' } }, retry, steps: [
      note('begin', 'hand {input.n} begins'),
      { id: 'call', http: { method: 'POST', url: `${url}/hand` } },
      { id: 'nap', sleep: '1s' },
      { id: 'parts', for: '[1, 2, 3]', as: 'part', create: { entity: 'note', data: { text: 'hand {input.n} part {part}' } } },
      note('end', 'hand {input.n} ends')] },
    { id: 'by_row', on: { entity: 'item', event: 'created' }, retry, steps: [
      { id: 'call', http: { method: 'POST', url: `${url}/row` } },
      note('end', 'row {new.n}')] },
    // Many rows with the same number have one running run.
    { id: 'by_key', on: { entity: 'once', event: 'created' }, key: 'once-{new.n}', retry, steps: [note('end', 'key {new.n}')] },
    { id: 'waits', on: { manual: true }, params: { n: { type: 'integer' } }, retry, steps: [
      { id: 'message', waitFor: { topic: 'app:go:{input.n}', timeout: '1h' } },
      note('end', 'message {input.n}')] },
    { id: 'ticks', on: { every: '1s' }, catchUp: 'all', retry, steps: [note('tick', 'tick {input.at}')] },
    { id: 'parent', on: { manual: true }, params: { n: { type: 'integer' } }, retry, steps: [
      { id: 'child', call: { workflow: 'child', params: { n: '{input.n}' } } },
      note('end', 'parent {input.n}')] },
    { id: 'child', on: { manual: true }, params: { n: { type: 'integer' } }, concurrency: { limit: 3 }, retry, steps: [note('end', 'child {input.n}')] },
  ],
  seeds: {},
});

// The rows that each start leaves after all runs have ended.
export const leaves = {
  by_hand: (n) => [`hand ${n} begins`, ...[1, 2, 3].map((part) => `hand ${n} part ${part}`), `hand ${n} ends`],
  by_row: (n) => [`row ${n}`],
  by_key: (n) => [`key ${n}`],
  waits: (n) => [`message ${n}`],
  parent: (n) => [`child ${n}`, `parent ${n}`],
};
