// A contract whose names are words of TypeScript and C++, and whose texts try to end the literals, comments and
// strings that they are printed in.
const texts = ['*/ ); //', '"); process.exit(1); ("', '`${1}`', '</script>', ')json"', ')sql"', '\\', '\\u0041', "'; drop table x; --", 'é\u2028\u202e\u{1f600}', '{{name}}', '%s ?', '// @ts-ignore'];
const words = ['constructor', 'class', 'default', 'then', 'error', 'record', 'date', 'object', 'promise', 'auth', 'queries', 'namespace', 'product_create'];

const field = (name, i) => ({ name, type: 'string', label: texts[i % texts.length] });

export const hostile = {
  app: { name: `Hostile ${texts.join(' ')}`.slice(0, 90) },
  personas: [{ id: 'delete', kind: 'consumer', signup: true, label: texts[0] }, { id: 'constructor', kind: 'staff', label: texts[1] }],
  entities: [
    { name: 'product', label: texts.join(' ').slice(0, 60), owner: 'user', access: { read: 'constructor', create: 'delete' },
      fields: [
        { name: 'choice', type: 'enum', values: texts, default: texts[0] },
        { name: 'kind', type: 'string', pattern: '^[^"]*$' },
        { name: 'code', type: 'string', pattern: '^(a|b)\\d{2,4}[x-z_]?$', required: true },
        { name: 'wide', type: 'text', default: texts.join(' ') },
        { name: 'anything', type: 'json', default: { '*/': ['"', 1] } },
        { name: 'short', type: 'string', min: 3, max: 5, required: true },
        { name: 'share', type: 'decimal', scale: 2, min: 0.25, max: 0.75 },
        { name: 'vast', type: 'number', default: 7 }, { name: 'since', type: 'date', min: '2020-01-01' }, { name: 'at', type: 'time' }, { name: 'list', type: 'tags', default: ['"'] }] },
    ...words.map((name, i) => ({ name, owner: 'none', access: { read: '*' }, fields: [...words, 'delete', 'row', 'create', 'length', 'prototype'].map(field).concat({ name: 'p', type: 'ref', to: words[(i + 1) % words.length] }) })),
  ],
  seeds: {},
};
