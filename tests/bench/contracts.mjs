// Contracts to measure with: one article entity of eleven columns, and the same any number of times.
const fields = [
  { name: 'title', type: 'string', required: true },
  { name: 'body', type: 'text' },
  { name: 'category', type: 'string' },
  { name: 'price', type: 'money', min: 0 },
  { name: 'stock', type: 'integer', default: 0 },
  { name: 'rating', type: 'number' },
  { name: 'active', type: 'boolean', default: true },
  { name: 'published_on', type: 'date' },
  { name: 'note', type: 'text' },
];
const mine = { to: 'reader', if: 'user_id == user.id' };
const entity = (name) => ({
  name, owner: 'user', fields,
  access: { read: [mine, 'editor'], create: ['reader'], update: [mine, 'editor'], delete: [mine] },
});
const app = (name, entities) => ({
  app: { name },
  personas: [{ id: 'reader', kind: 'consumer', signup: true }, { id: 'editor', kind: 'staff' }],
  entities,
  seeds: {},
});

// The data to count, join and search: 10,000 sales of 20 topics, 100,000 documents.
export const library = () => app('Library', [
  { name: 'topic', owner: 'none', fields: [{ name: 'name', type: 'string', required: true }], access: { read: '*', create: 'editor' } },
  {
    ...entity('sale'),
    fields: [
      { name: 'topic_id', type: 'ref', to: 'topic', required: true },
      { name: 'category', type: 'string' },
      { name: 'amount', type: 'money', min: 0 },
      { name: 'sold_on', type: 'date' },
      { name: 'note', type: 'text' },
    ],
    rules: [{ on: ['create', 'update'], refuse: 'new.amount > 1000000', message: 'Too dear.', field: 'amount' }],
  },
  {
    ...entity('document'), search: ['title^3', 'body'],
    fields: [{ name: 'title', type: 'string', required: true }, { name: 'body', type: 'text' }],
  },
]);

export const articles = () => app('Articles', [entity('article')]);
export const many = (count) => app(`Many ${count}`, Array.from({ length: count }, (_, i) => entity(`thing_${i + 1}`)));
export function withField(contract) {
  const copy = JSON.parse(JSON.stringify(contract));  // entities share one array of fields
  copy.entities[0].fields.push({ name: 'colour', type: 'string' });
  return copy;
}
